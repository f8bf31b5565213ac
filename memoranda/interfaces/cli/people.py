"""Commands about who speaks on which channel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, Commands, app, opened
from memoranda.interfaces.cli.output import add_row, console, emit, say, table
from memoranda.people import Person

person = typer.Typer(cls=Commands, help="See who speaks on which channel, and say who does.")
app.add_typer(person, name="person")

Identity = Annotated[str, typer.Argument(help="What a channel calls them, as telegram:12345.")]


@person.callback(invoke_without_command=True)
def person_(context: typer.Context) -> None:
    """See who speaks on which channel, and say who does."""
    if context.invoked_subcommand is not None:
        return
    with opened(context) as memoranda:
        found = memoranda.people()
    emit(context, found, lambda: _show(found))
    if not found:
        say("Nobody is known on a channel; `memoranda person add IDENTITY NAME` says who is.")


def _show(found: Iterable[Person]) -> None:
    made = table("person", "channels")
    for each in found:
        add_row(made, each.name or "the owner", ", ".join(each.channels))
    console().print(made)


@person.command(cls=Command)
def add(
    context: typer.Context,
    identity: Identity,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Who that is; the owner if none.")
    ] = None,
) -> None:
    """Say who speaks under an identity on a channel."""
    with opened(context) as memoranda:
        memoranda.add_channel(identity, name)
    told = {"identity": identity, "person": name}
    emit(context, told, lambda: typer.echo(f"{identity} is {name or 'the owner'}."))


@person.command(cls=Command)
def drop(context: typer.Context, identity: Identity) -> None:
    """Have nobody be known under an identity; what they remember stays."""
    with opened(context) as memoranda:
        memoranda.drop_channel(identity)
    emit(context, {"dropped": identity}, lambda: typer.echo(f"{identity} is nobody now."))
