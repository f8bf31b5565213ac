"""The command that brings a home back, from a backup or from its Markdown files."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from memoranda import wiring
from memoranda.care import Restored
from memoranda.interfaces.cli.app import Command, app, opened, unlocked
from memoranda.interfaces.cli.models import embed_written
from memoranda.interfaces.cli.output import counted, emit, progress, say, when
from memoranda.interfaces.cli.sync import tell_of
from memoranda.saved import Difference, Returned


@app.command(cls=Command)
def restore(
    context: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE]",
            help="The id of a backup, a folder with some, or `latest`; with --from-markdown the "
            "home whose files are read.",
        ),
    ] = None,
    from_markdown: Annotated[
        bool,
        typer.Option("--from-markdown", help="Make the store anew from the mirror and the files."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only tell what would come back, and what be lost.")
    ] = False,
    of_another_home: Annotated[
        bool,
        typer.Option("--of-another-home", help="Take the backup of another home for this one."),
    ] = False,
) -> None:
    """Bring the home back from a backup; the store that is there is kept beside it."""
    if from_markdown:
        if dry_run or of_another_home:
            raise typer.BadParameter("it goes with no other option", param_hint="--from-markdown")
        _from_markdown(context, source)
        return
    from memoranda.restoring import restore as bring_back

    home, typed = context.obj.home, list[str]()

    def bring() -> Returned:
        return bring_back(
            source,
            home,
            dry_run=dry_run,
            of_another_home=of_another_home,
            passphrase=typed[-1] if typed else None,
        )

    returned = unlocked(home, bring, typed.append)
    emit(context, returned, lambda: _show_returned(returned))


def _show_returned(told: Returned) -> None:
    verb = "Would come back" if told.dry_run else "Came back"
    typer.echo(f"{verb}: the home as of backup {told.backup.id} in {told.place}.")
    if told.newest is not None:
        missing = timedelta(seconds=round(told.seconds))
        since = f"; {missing} are missing since" if missing else ", and nothing since is missing"
        typer.echo(f"The newest in it is of {when(told.newest)}{since}.")
    _show_difference("Memories", told.memories, told)
    _show_difference("Turns", told.turns, told)
    for name, counts in told.tables.items():
        if told.dry_run and counts.then != counts.now:
            typer.echo(f"  {name}: {counts.then} instead of {counts.now}")
    if told.forgotten is None:
        say("Nobody knows what was forgotten since: if anything was, forget it anew.")
    elif told.forgotten:
        went = counted(told.forgotten, "text was", "texts were")
        typer.echo(f"{went} forgotten since, and did not come back.")
    if told.replaced is not None:
        typer.echo(f"The store that was there is kept as {told.replaced}.")
    for path in told.aside:
        typer.echo(f"Kept aside, with what is newer in it: {path}")
    for path in told.brought:
        typer.echo(f"Came back too: {path}")
    for path in told.kept:
        typer.echo(f"Stays as it is, and is other in the backup: {path}")
    if told.backup.left_out:
        typer.echo(f"Not in backups, to be set again: {', '.join(told.backup.left_out)}.")


def _show_difference(what: str, difference: Difference | None, told: Returned) -> None:
    if difference is not None and (difference.back or difference.lost):
        would = "would be " if told.dry_run else ""
        typer.echo(
            f"{what}: {difference.back} {would}back, {difference.lost} that are newer {would}gone."
        )


def _from_markdown(context: typer.Context, source: str | None) -> None:
    with progress(context, "reading") as advance:
        restored = wiring.restore_from_markdown(source, context.obj.home, advance=advance)
    with opened(context) as memoranda:
        embed_written(context, memoranda, restored.memories)
    emit(context, restored, lambda: _show(restored))
    for path, why in restored.unreadable:
        say(f"{path} could not be read: {why}.")
    for each in restored.synced.files:
        tell_of(each)


def _show(restored: Restored) -> None:
    edits = sum(len(each.edits) for each in restored.synced.files)
    memories = counted(restored.memories, "memory", "memories")
    typer.echo(f"{memories} came back, and {counted(edits, 'edit')} of the files.")
