"""The command that lets go of what faded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from memoranda.care import Fading, Sweep
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import (
    add_row,
    console,
    counted,
    emit,
    progress,
    say,
    table,
    when,
)
from memoranda.types import Kind

TOLD = 10
"""So many of those that expire next are told one by one."""

PERIODS = (30, 90, 365)
"""Days within which it is told how many expire."""


class InParts(Command):
    """One whose parts stand when it is stopped."""

    stopped = "stopped; what expired stays so, and running it again does the rest"


@app.command(cls=InParts)
def sweep(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would go, and change nothing.")
    ] = False,
    everyone: Annotated[
        bool, typer.Option("--everyone", help="Of every person, profile and project.")
    ] = False,
) -> None:
    """Let go of memories that faded or ended, and of conversations that are old and read."""
    with opened(context) as memoranda, progress(context, "letting go") as advance:
        swept = memoranda.sweep(dry_run=dry_run, everyone=everyone, advance=advance)
    emit(context, swept, lambda: _show(swept))


def _show(swept: Sweep) -> None:
    memories = counted(len(swept.expired), "memory", "memories")
    turns = counted(swept.turns, "turn")
    if swept.expired:
        console().print(_listed(swept.expired))
    if swept.dry_run:
        typer.echo(f"Would let go of {memories} and {turns}; nothing was changed.")
        _show_coming(swept)
        return
    typer.echo(f"Let go of {memories} and {turns}.")
    if swept.expired:
        say("`memoranda confirm ID` brings one back.")


def _listed(fading: Sequence[Fading]) -> object:
    made = table("id", "when", "kind", "scope", "content", "left", "why")
    for each in fading:
        memory = each.memory
        add_row(
            made,
            memory.id,
            when(each.expires_at),
            memory.kind,
            memory.scope,
            memory.content,
            f"{each.strength:.2f}",
            each.why,
        )
    return made


def _show_coming(swept: Sweep) -> None:
    """When the rest goes, if nothing is heard of it: the next ones, and how many of each kind."""
    if not swept.coming:
        typer.echo("Nothing else will go by itself.")
        return
    typer.echo(f"Next, unless said, confirmed or used by then, of {len(swept.coming)}:")
    console().print(_listed(swept.coming[:TOLD]))
    made = table("kind", *(f"in {days} days" for days in PERIODS), "later")
    for kind in Kind:
        dates = [each.expires_at for each in swept.coming if each.memory.kind == kind]
        if dates:
            within = [sum(date <= _in(days) for date in dates) for days in PERIODS]
            add_row(made, kind, *within, len(dates) - within[-1])
    console().print(made)
    typer.echo(f"{counted(swept.lasting, 'memory', 'memories')} will never go by itself.")


def _in(days: int) -> datetime:
    return datetime.now(UTC) + timedelta(days=days)
