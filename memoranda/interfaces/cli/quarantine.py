"""The commands about what is kept from models."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.memories import Id
from memoranda.interfaces.cli.output import add_row, console, emit, table, when
from memoranda.types import Memory, Passage


@app.command(cls=Command)
def quarantine(
    context: typer.Context,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most of each sort.")
    ] = 50,
) -> None:
    """List what is kept from models, since it holds orders that nobody typed."""
    with opened(context) as memoranda:
        found = memoranda.quarantine(limit=limit)
    emit(context, found, lambda: _show(found))


def _show(found: tuple[Memory | Passage, ...]) -> None:
    made = table("id", "when", "sort", "scope", "content", "why")
    for each in found:
        if isinstance(each, Memory):
            row = (each.id, when(each.recorded_at), "memory", each.scope, each.content, "")
        else:
            why = each.quarantined or ""
            row = (each.turn, when(each.time), "turn", each.scope, each.content, why)
        add_row(made, *row)
    console().print(made)


@app.command(cls=Command)
def release(context: typer.Context, id: Id) -> None:
    """Let a memory or a turn out of quarantine, for models to have."""
    with opened(context) as memoranda:
        found = memoranda.release(id)
    told = found.id if isinstance(found, Memory) else found.turn
    emit(context, found, lambda: typer.echo(f"Released: {told}"))
