"""Commands that make, list and verify backups."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import add_row, console, counted, emit, say, table, when
from memoranda.saved import Backup, Backups, Saved, Verified


@app.command(cls=Command)
def backup(
    context: typer.Context,
    to: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="The folder; that of the settings if none."),
    ] = None,
    due: Annotated[
        bool,
        typer.Option("--due", help="Only after an hour in which something changed, or a day."),
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Make none: look at every byte of those there again.")
    ] = False,
    id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="With --verify, only this one.")
    ] = None,
) -> None:
    """Back up the home, verified; an unchanged store is not copied again."""
    if id is not None and not verify:
        raise typer.BadParameter("it goes with --verify", param_hint="--id")
    if verify:
        _verify(context, to, id)
        return
    with opened(context) as memoranda:
        saved = memoranda.backup(to, due=due)
    emit(context, saved, lambda: _show_saved(saved))
    if saved.same_disk:
        say(f"{saved.place} is on the same disk as the home, and lost with it: choose another.")


def _verify(context: typer.Context, at: str | None, id: str | None) -> None:
    with opened(context, with_edits=False) as memoranda:
        found = memoranda.verify_backups(id, at=at)
    emit(context, found, lambda: _show_verified(found))
    if any(each.problems for each in found):
        raise typer.Exit(1)


def _show_saved(saved: Saved) -> None:
    if saved.backup is None:
        typer.echo("No backup is due.")
        return
    how = "" if saved.new else ", of the same store as the last"
    typer.echo(
        f"Backed up to {saved.place}: {saved.backup.id}, {_size(saved.backup)}, verified{how}."
    )
    if saved.backup.left_out:
        typer.echo(f"Left out of the settings: {', '.join(saved.backup.left_out)}.")
    if saved.removed:
        typer.echo(f"{counted(len(saved.removed), 'older backup')} went.")


def _show_verified(found: tuple[Verified, ...]) -> None:
    for each in found:
        typer.echo(f"{each.id}: {'; '.join(each.problems) or 'sound'}")
    if not found:
        typer.echo("There are no backups.")


@app.command(cls=Command)
def backups(
    context: typer.Context,
    at: Annotated[
        str | None,
        typer.Argument(metavar="[DIR]", help="The folder; that of the settings if none."),
    ] = None,
    drop: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Know nothing more of a folder that is gone for good."),
    ] = None,
) -> None:
    """List the backups, the newest first."""
    with opened(context, with_edits=False) as memoranda:
        found = memoranda.backups(at, drop=drop)
    emit(context, found, lambda: _show(found))
    for each in found.damaged:
        say(f"{each} cannot be read.")


def _show(found: Backups) -> None:
    if not found.found:
        typer.echo(f"{found.place} has no backups of this home.")
        return
    made = table("id", "made", "size", "memories", "turns", "verified", fixed=("id", "made"))
    for each in found.found:
        counts = each.held.counts
        add_row(
            made,
            each.id,
            when(each.made_at),
            _size(each),
            counts.get("memory", 0),
            counts.get("turn", 0),
            when(each.verified_at),
        )
    console().print(made)


def _size(backup: Backup) -> str:
    return f"{backup.bytes / 1e6:.1f} MB"
