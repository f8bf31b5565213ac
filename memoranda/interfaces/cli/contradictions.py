"""The commands about memories that cannot both hold."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.care import Contradicting, Contradiction, Side
from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import console, emit, memory_line, say, when
from memoranda.text.clean import harmless

TOLD = {
    Contradicting.CONFLICT: "cannot both hold",
    Contradicting.OFFER: "the wider one changed: take the same?",
}


@app.command(cls=Command)
def contradictions(
    context: typer.Context,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most contradictions.")
    ] = 50,
) -> None:
    """List what cannot hold together, until somebody settles it."""
    with opened(context) as memoranda:
        found = memoranda.contradictions(limit=limit)
    emit(context, found, lambda: _show(found))
    if len(found) == limit:
        say("There may be more; settle these first, or give --limit.")


@app.command(cls=Command)
def settle(
    context: typer.Context,
    id: Annotated[str, typer.Argument(help="The beginning of a contradiction's id is enough.")],
    keep: Annotated[Side, typer.Option(help="Which side holds.")],
) -> None:
    """Say which side of a contradiction holds; the other one is superseded."""
    with opened(context) as memoranda:
        settled = memoranda.settle(id, keep)
    emit(context, settled, lambda: typer.echo(_told(settled, keep)))


def _told(settled: Contradiction, keep: Side) -> str:
    if keep == Side.BOTH:
        return "Settled: both may hold."
    kept = settled.newer if keep == Side.NEWER else settled.older
    return f"Settled: {harmless(kept.content)}"


def _show(found: tuple[Contradiction, ...]) -> None:
    if not found:
        typer.echo("No memories contradict each other.")
    for each in found:
        show_contradiction(each)


def show_contradiction(found: Contradiction) -> None:
    """Both sides with their sources, and which one is proposed."""
    typer.echo(f"{found.id}  {TOLD[found.kind]} ({found.slot}), {when(found.found_at)}")
    for side, memory in (("newer", found.newer), ("older", found.older)):
        mark = "*" if memory.id == found.proposed else " "
        console().print(f" {mark} {side}: {memory_line(memory)}", soft_wrap=True)
