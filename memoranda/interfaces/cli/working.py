"""Working memory: a list of messages that fits, and what was left out of it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from memoranda.errors import InvalidImport
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.conversations import tell
from memoranda.interfaces.cli.output import counted, emit, origin, say
from memoranda.text.clean import harmless
from memoranda.types import Passage, plain
from memoranda.working import Compacted, Expanded


@app.command(cls=Command)
def compact(
    context: typer.Context,
    file: Annotated[
        str,
        typer.Argument(help="Messages as a JSON array or JSON lines; - is standard input."),
    ] = "-",
    budget: Annotated[int, typer.Option(min=1, help="Most tokens.")] = 4_000,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Under which the turns are stored.")
    ] = None,
    summarise: Annotated[
        bool, typer.Option("--summarise", help="Have the language model sum up what is left out.")
    ] = False,
    keep_secrets: Annotated[
        bool, typer.Option("--keep-secrets", help="Store keys and passwords as they are.")
    ] = False,
) -> None:
    """Make chat messages, OpenAI's or Anthropic's, fit a budget, and print them as JSON."""
    messages = _messages(file)
    with opened(context) as memoranda:
        made = memoranda.compact(
            messages,
            budget,
            conversation=conversation,
            summarise=summarise,
            keep_secrets=keep_secrets,
        )
        shown = json.dumps(plain(made.messages), ensure_ascii=False, indent=2)
        emit(context, made, lambda: typer.echo(shown))
    _tell(made)


def _tell(made: Compacted) -> None:
    if made.observed is not None:
        tell(made.observed)
    turns = sum(each.turns for each in made.dropped)
    if turns:
        refs = ", ".join(each.ref for each in made.dropped if each.ref)
        back = f"; `memoranda expand {refs}` gives them back" if refs else ""
        say(f"{counted(turns, 'turn')} left out, {made.tokens} tokens left{back}.")
    for what, count in made.left_out.items():
        say(f"No room for {count} {what}.")
    for why in made.degraded:
        say(f"Degraded: {why}.")


def _messages(file: str) -> Any:
    """What a file holds. Raises InvalidImport."""
    place = "standard input" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidImport(place, None, reason) from error
    text = data.decode("utf-8-sig", "surrogateescape")
    if text.lstrip().startswith("["):
        return _parsed(text, place, None)
    lines = enumerate(text.split("\n"), start=1)
    return [_parsed(line, place, number) for number, line in lines if line.strip()]


def _parsed(text: str, place: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = error.lineno if line is None else line
        raise InvalidImport(
            place, at, f"no JSON: {error.msg} at character {error.colno}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidImport(place, line, f"no usable JSON: {error}") from error


@app.command(cls=Command)
def expand(
    context: typer.Context,
    ref: Annotated[str, typer.Argument(help="The id of a turn, its beginning, or FIRST..LAST.")],
    budget: Annotated[int | None, typer.Option(min=1, help="Most tokens.")] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of which, where both ends are gone.")
    ] = None,
) -> None:
    """Give back what was left out, word for word. Ends with 3 when nothing of it is there."""
    with opened(context) as memoranda:
        found = memoranda.expand(ref, budget=budget, conversation=conversation)
        emit(context, found, lambda: _show(found))
    if found.gone:
        gone = "is gone" if found.gone == 1 else "are gone"
        say(f"{counted(found.gone, 'turn')} {gone}: forgotten, expired, or never kept.")
    if found.rest:
        say(f"There is more: memoranda expand {found.rest}")


def _show(found: Expanded) -> None:
    for turn in found.turns:
        typer.echo(harmless(f"— {_told(turn)}"))
        typer.echo(harmless(turn.content))


def _told(turn: Passage) -> str:
    why = f" · kept from models: {turn.quarantined}" if turn.quarantined else ""
    return f"{turn.role}: {origin(turn.source)} · {turn.turn}{why}"
