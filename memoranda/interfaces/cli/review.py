"""The command by which a person decides on candidates for memories."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from memoranda.errors import MemorandaError
from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.decisions import show_decision, show_decisions
from memoranda.interfaces.cli.output import console, counted, emit, say
from memoranda.memoranda import Memoranda
from memoranda.passes import Decision, Stage

KEYS = {"a": "accept", "e": "edit", "r": "reject", "s": "skip", "q": "quit"}
AT_ONCE = 50
NOTHING = "Nothing waits for a person."


class OneByOne(Command):
    """One in which each answer stands when it is stopped."""

    stopped = "stopped; what was decided stands"


@app.command(cls=OneByOne)
def review(
    context: typer.Context,
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The beginning of a candidate's id is enough."),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Let it count.")] = False,
    edit: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Let it count in these words.")
    ] = None,
    reject: Annotated[
        bool, typer.Option("--reject", help="Turn it away; it is not proposed again.")
    ] = False,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most candidates.")
    ] = AT_ONCE,
) -> None:
    """Decide on the candidates that wait for a person, with one key each on a terminal."""
    answers = accept + reject + (edit is not None)
    if answers != (id is not None):
        raise typer.BadParameter("an id takes one of --accept, --edit and --reject, and they an id")
    with opened(context) as memoranda:
        if id is not None:
            decided = memoranda.reject(id) if reject else memoranda.accept(id, content=edit)
            emit(context, decided, lambda: typer.echo(_told(decided)))
        elif context.obj.json or not _is_somebody_there():
            _list(context, memoranda, limit)
        else:
            _ask_about_each(memoranda, limit)


def _is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _list(context: typer.Context, memoranda: Memoranda, limit: int) -> None:
    found = memoranda.review(limit=limit)
    emit(context, found, lambda: _show(found))
    if len(found) == limit:
        say("There may be more; decide on these first, or give --limit.")


def _show(found: tuple[Decision, ...]) -> None:
    show_decisions(found, whole=True)
    if not found:
        typer.echo(NOTHING)


def _ask_about_each(memoranda: Memoranda, limit: int) -> None:
    to = console()
    for decision in _waiting(memoranda, limit):
        show_decision(to, decision, whole=True)
        key = _key()
        if key == "q":
            break
        if key != "s":
            _decide(memoranda, decision, key)
    left = memoranda.status().backlog.review
    typer.echo(NOTHING if not left else f"{counted(left, 'candidate')} left.")


def _waiting(memoranda: Memoranda, limit: int) -> Iterator[Decision]:
    """Each candidate once, as it stands when it is its turn."""
    after = None
    for _ in range(limit):
        found = memoranda.ledger(stages=[Stage.REVIEW], after=after, limit=1)
        if not found:
            return
        yield found[0]
        after = found[0].id


def _key() -> str:
    """The key that a person presses, of those that mean something."""
    names = ", ".join(f"[{key}]{name[1:]}" for key, name in KEYS.items())
    typer.echo(f"{names} ", nl=False)
    while True:
        key = typer.getchar().lower()
        if key in KEYS:
            typer.echo(KEYS[key])
            return key
        if key in ("", "\x04"):  # nobody types any more
            typer.echo()
            return "q"


def _decide(memoranda: Memoranda, decision: Decision, key: str) -> None:
    """Do what the key says; what cannot be done is told, and the next one comes."""
    try:
        if key == "r":
            typer.echo(_told(memoranda.reject(decision.id)))
            return
        text = None
        if key == "e":
            words = decision.content or decision.candidate.content
            text = typer.prompt("Instead", default=words, show_default=False)
        typer.echo(_told(memoranda.accept(decision.id, content=text)))
    except MemorandaError as error:
        say(f"memoranda: {error}")


def _told(decision: Decision) -> str:
    if decision.stage == Stage.APPLIED:
        return f"Accepted, {decision.operation}: {decision.memory or decision.target or ''}"
    return f"{str(decision.stage).capitalize()}: {decision.id}"
