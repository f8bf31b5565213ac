"""The command that forgets."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Annotated

import typer

from memoranda.errors import NotFound
from memoranda.interfaces.cli.app import Command, app, moment, opened
from memoranda.interfaces.cli.output import WIDE, counted, emit, say
from memoranda.memoranda import Memoranda
from memoranda.types import Memory, Receipt

SHOWN = 10
"""Of what would go so many are shown before anything does."""


@app.command(cls=Command)
def forget(
    context: typer.Context,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="Memories and turns.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="What was said there.")
    ] = None,
    source: Annotated[
        str | None, typer.Option(metavar="PATH", help="What rests on this file.")
    ] = None,
    entity: Annotated[
        str | None, typer.Option(metavar="NAME", help="What names it, or its id.")
    ] = None,
    query: Annotated[str | None, typer.Option(help="What a recall of this finds.")] = None,
    project: Annotated[str | None, typer.Option(metavar="NAME", help="All of a project.")] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="All of an agent's profile.")
    ] = None,
    person: Annotated[str | None, typer.Option(metavar="NAME", help="All of a person.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Nothing earlier.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Nothing later.")] = None,
    everything: Annotated[
        bool, typer.Option("--everything", help="All that the home holds, whosever it is.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Search every file of the home for traces then.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase for good: words, index entries, vectors and history; what rests on it alone goes too.

    What goes must be all that is given. It is shown first, and goes once that is confirmed.
    """
    with opened(context) as memoranda:
        chosen = partial(
            memoranda.forget,
            *(ids or ()),
            conversation=conversation,
            source=source,
            entity=entity,
            query=query,
            project=project,
            profile=profile,
            person=person,
            since=moment(memoranda, since),
            until=moment(memoranda, until, end_of_day=True),
            everything=everything,
        )
        if dry_run:
            would_go = chosen(dry_run=True)
            _show(memoranda, would_go)
            emit(context, would_go, lambda: typer.echo(f"Would go: {_what(would_go)}."))
            receipt = would_go
        else:
            if not yes:
                _confirm(memoranda, chosen)
            receipt = chosen(verify=verify)
            emit(context, receipt, lambda: _tell(receipt))
    if not (receipt.forgotten or receipt.turns or receipt.skills or source):
        say("Nothing fits that.")
        raise typer.Exit(3)
    if receipt.pending:
        say(
            f"Traces may remain in {', '.join(receipt.pending)} while others read or what is "
            "named is out of reach; what opens the home next clears them."
        )


def _confirm(memoranda: Memoranda, chosen: Callable[..., Receipt]) -> None:
    """Show what would go until a person has seen all of it, and agrees."""
    if not sys.stdin.isatty():
        raise typer.BadParameter("nobody is there to confirm it: add --yes")
    shown = None
    while (would_go := chosen(dry_run=True)) != shown:
        if shown is not None:
            say("Meanwhile it became other than what was shown:")
        _show(memoranda, would_go)
        typer.confirm(f"Forget {_what(would_go)} for good?", abort=True, err=True)
        shown = would_go


def _tell(receipt: Receipt) -> None:
    typer.echo(f"Forgotten: {_what(receipt)}.")
    for name in receipt.removed:
        typer.echo(f"{name} held it too and was removed.")
    for name, count in (receipt.found or {}).items():
        typer.echo(f"{name}: {'clean' if not count else counted(count, 'trace')}")


def _show(memoranda: Memoranda, would_go: Receipt) -> None:
    """The first of what would go; what is out of sight from here is only counted."""
    ids = [*would_go.forgotten, *would_go.turns]
    shown = 0
    for id in ids[:SHOWN]:
        with suppress(NotFound):
            found = memoranda.show(id)
            sort = "memory" if isinstance(found, Memory) else "turn"
            say(f"{sort} of {found.scope}: {_line(found.content)}")
            shown += 1
    if len(ids) > shown:
        say(f"… and {len(ids) - shown} more")


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= WIDE else f"{line[: WIDE - 1]}…"


def _what(receipt: Receipt) -> str:
    parts = [
        counted(len(receipt.forgotten), "memory", "memories"),
        counted(len(receipt.turns), "turn"),
    ]
    if receipt.cut:
        parts.append(f"words of {counted(len(receipt.cut), 'turn')}")
    if receipt.skills:
        parts.append(counted(len(receipt.skills), "skill"))
    return ", ".join(parts)
