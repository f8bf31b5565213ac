"""The command that tells somebody all that is stored about them."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterator
from dataclasses import fields
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import say
from memoranda.knowledge import Knowledge
from memoranda.types import Pages, plain
from memoranda.upkeep import account

GROUPS = ("known", "unsure", "past", "withheld")
"""What holds every memory once."""


@app.command("what-do-you-know", cls=Command)
def what_do_you_know(
    context: typer.Context,
    turns: Annotated[
        bool, typer.Option("--turns", help="What was said, word for word, too.")
    ] = False,
) -> None:
    """Tell all that is stored about a person, with where it comes from, as Markdown."""
    with opened(context) as memoranda:
        known = memoranda.what_do_you_know(turns=turns)
        pieces = (
            _document(known)
            if context.obj.json
            else account.markdown(known, memoranda.settings.zone)
        )
        for piece in pieces:
            sys.stdout.write(piece)


def _document(known: Knowledge) -> Iterator[str]:
    """One JSON document, a piece at a time; what is much is written as it is read."""
    start, told = "{", 0
    for each in fields(known):
        value = getattr(known, each.name)
        yield f"{start}\n  {json.dumps(each.name)}: "
        if isinstance(value, Pages):
            read = yield from _listed(value)
            told += read if each.name in GROUPS else 0
        else:
            yield _json(value)
        start = ","
    yield "\n}\n"
    if remark := known.missed(told):
        say(remark)


def _listed(pages: Pages[object]) -> Generator[str, None, int]:
    """Everything there is, as a list of JSON; returns how much that was."""
    start, count = "[", 0
    for value in pages:
        yield f"{start}\n    {_json(value)}"
        start, count = ",", count + 1
    yield "\n  ]" if count else "[]"
    return count


def _json(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False)
