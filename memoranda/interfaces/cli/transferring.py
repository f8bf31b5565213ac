"""The command that writes a whole home into one archive, and what `import` does with one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import counted, emit, progress, say, when
from memoranda.moving import BroughtIn, Exported

SHOWN = 10
"""Of so many of a sort it is told which."""


@app.command(cls=Command)
def export(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The archive to write.")],
    force: Annotated[bool, typer.Option("--force", help="Replace a file of that name.")] = False,
) -> None:
    """Write all that the home holds into one archive, which `import` brings into another."""
    if context.obj.project is not None:
        raise typer.BadParameter("an archive is of the whole home", param_hint="--project")
    with opened(context) as memoranda, progress(context, "exporting") as advance:
        exported = memoranda.export(file, force=force, advance=advance)
        is_encrypted = memoranda.status().cipher is not None
    emit(context, exported, lambda: _show_exported(exported))
    if is_encrypted:
        say(f"The home is encrypted, and {exported.path} is plain: who has it reads all of it.")
    for each in exported.left_out[:SHOWN]:
        say(f"{each} is a link or has a name that not every system takes; it was left out.")


def _show_exported(exported: Exported) -> None:
    memories = counted(exported.rows["memory"], "memory", "memories")
    turns, files = counted(exported.rows["turn"], "turn"), counted(exported.files, "file")
    typer.echo(
        f"{memories}, {turns} and {files} are in {exported.path} "
        f"({exported.bytes / 1e6:.1f} MB); keep it as you keep the home."
    )


def bring_in(context: typer.Context, path: Path, *, dry_run: bool) -> None:
    """Bring an archive in, and tell what came of it."""
    with opened(context) as memoranda:
        with progress(context, "importing") as advance:
            brought = memoranda.import_home(path, dry_run=dry_run, advance=advance)
        waiting = memoranda.status().holdings.unembedded
    emit(context, brought, lambda: _show(brought, dry_run=dry_run))
    _tell(brought, dry_run=dry_run)
    if waiting and not dry_run:
        say(f"{counted(waiting, 'text waits', 'texts wait')} for a vector, run `memoranda embed`.")


def _show(brought: BroughtIn, *, dry_run: bool) -> None:
    came, known = brought.rows.came, brought.rows.known
    memories = counted(came.get("memory", 0), "memory", "memories")
    turns = counted(came.get("turn", 0), "turn")
    files = counted(len(brought.files), "file")
    done = "would come" if dry_run else "came"
    typer.echo(
        f"The archive is of {when(brought.made_at)}. {memories}, {turns} and {files} {done}; "
        f"{known.get('memory', 0)}, {known.get('turn', 0)} and {brought.files_known} known before."
    )


def _tell(brought: BroughtIn, *, dry_run: bool) -> None:
    """What is not as it is in the archive."""
    rows = brought.rows
    for table, keys in rows.differing.items():
        say(f"{table}: here otherwise, and left so: {', '.join(keys[:SHOWN])}")
    for table, keys in rows.kept_out.items():
        say(f"{table}: {len(keys)} forgotten here, or said incognito; kept out.")
    if brought.gone is not None:
        went = "would go" if dry_run else "went"
        count = counted(len(brought.gone.forgotten), "memory", "memories")
        turns = counted(len(brought.gone.turns), "turn")
        say(f"Forgotten there, and so it {went} here: {count}, {turns}.")
        for place in brought.gone.pending:
            say(f"Traces may remain in {place} until the home is opened next.")
    for path in brought.files_differing[:SHOWN]:
        say(f"{path} is here otherwise, and was left so.")
    for path in brought.files_kept_out[:SHOWN]:
        say(f"{path} rests on what was forgotten here, or leads out of the home; kept out.")
    if rows.switched_on:
        say("Capture is on, as it was there; `memoranda disable` turns it off.")
    if brought.settings:
        say("The settings there were others; set in memoranda.toml what you want of them:")
        for name, value in brought.settings.items():
            say(f"  {name} = {value!r}")
