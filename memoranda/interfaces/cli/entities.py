"""Commands about what memories and turns are about."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import add_row, console, emit, table
from memoranda.types import Entity

Which = Annotated[str, typer.Argument(help="Its name, or the beginning of its id.")]


@app.command(cls=Command)
def entities(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="A part of a name.")] = None,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most entities.")
    ] = 50,
) -> None:
    """List the people, hosts and things that memories and turns are about, most mentioned first."""
    with opened(context) as memoranda:
        found = memoranda.entities(name, limit=limit)
    emit(context, found, lambda: _show(found))


def _show(found: tuple[Entity, ...]) -> None:
    made = table("id", "name", "kind", "scope", "aliases", "memories", "turns")
    for each in found:
        aliases = ", ".join(each.aliases)
        add_row(made, each.id, each.name, each.kind, each.scope, aliases, each.memories, each.turns)
    console().print(made)


@app.command(cls=Command)
def merge(
    context: typer.Context,
    keep: Which,
    other: Annotated[str, typer.Argument(help="The one that is the same, named likewise.")],
) -> None:
    """Say that two entities are one, which keeps the name of the first."""
    with opened(context) as memoranda:
        kept = memoranda.merge(keep, other)
    emit(
        context, kept, lambda: typer.echo(f"{kept.name} is known as {', '.join(kept.aliases)} now.")
    )


@app.command(cls=Command)
def split(
    context: typer.Context,
    entity: Which,
    name: Annotated[str, typer.Argument(help="What the new one is called.")],
    alias: Annotated[
        list[str] | None, typer.Option(help="A name that is the new one's; may be repeated.")
    ] = None,
    mention: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A memory or turn that means it; may be repeated."),
    ] = None,
) -> None:
    """Make a new entity of part of another; without options, of the alias that NAME is."""
    with opened(context) as memoranda:
        made = memoranda.split(entity, name, aliases=alias or (), mentions=mention or ())
    emit(context, made, lambda: typer.echo(f"Made {made.name}: {made.id}"))
