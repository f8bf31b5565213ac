"""Are instructions found in text that nobody typed, and only there?

Texts of our own: what orders an agent and was pasted, quoted or fetched; what the user typed, which
may order as it likes; and innocent pasted text. One set is what the rules were made with; the other
was written before there was a rule, and looked at after.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from memoranda.text.instructions import Smuggled, smuggled
from memoranda.types import Role

SETS = ("tuning", "held_out")

Expected = Literal["smuggled", "typed", "innocent"]


@dataclass(frozen=True, slots=True)
class Text:
    """A turn, or with `typed` false a file or page."""

    expected: Expected
    role: Role
    typed: bool
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Of the texts of a set: the smuggled that were found, and the others that were, falsely."""

    set: str
    smuggled: int
    found: int
    typed: int
    typed_found: int
    innocent: int
    innocent_found: int


COLUMNS = tuple(each.name for each in fields(Row))


def texts(name: str) -> list[Text]:
    """The texts of a set."""
    from importlib.resources import files  # which the other commands need not load

    lines = files("memoranda.bench").joinpath("pasted", f"{name}.jsonl").read_text("utf-8")
    made = (json.loads(line) for line in lines.split("\n") if line)
    return [
        Text(each["expected"], Role(each["role"]), each["typed"], each["text"]) for each in made
    ]


def run(
    told: Callable[[Text, Sequence[Smuggled]], None] = lambda text, found: None,
    sets: Sequence[str] = SETS,
) -> list[Row]:
    """A row for each set."""
    return [_row(name, told) for name in sets]


def _row(name: str, told: Callable[[Text, Sequence[Smuggled]], None]) -> Row:
    judged: dict[Expected, list[bool]] = {"smuggled": [], "typed": [], "innocent": []}
    for each in texts(name):
        found = smuggled(each.text, each.role, typed=each.typed)
        told(each, found)
        judged[each.expected].append(bool(found))
    counts = (figure for each in judged.values() for figure in (len(each), sum(each)))
    return Row(name, *counts)
