"""What is proposed of the prompts that people give all day, of which hardly any is worth keeping?

Prompts of our own, a turn each: work at hand, questions, texts to be written; in a few something is
said that will still be so tomorrow. One set is what the rules were made with; the other was written
after them, and looked at after.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime

from memoranda.formation import rules
from memoranda.types import Candidate, Turn

SETS = ("tuning", "held_out")
SAID = datetime(2026, 4, 14, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    worth: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Of the prompts of a set: those worth keeping something of, and those of the others of which
    something is proposed, falsely.
    """

    set: str
    worth: int
    found: int
    others: int
    proposed: int


COLUMNS = tuple(each.name for each in fields(Row))


def prompts(name: str) -> list[Prompt]:
    """The prompts of a set."""
    from importlib.resources import files  # which the other commands need not load

    lines = files("memoranda.bench").joinpath("prompts", f"{name}.jsonl").read_text("utf-8")
    return [Prompt(**json.loads(line)) for line in lines.splitlines()]


def run(
    told: Callable[[Prompt, Sequence[Candidate]], None] = lambda prompt, found: None,
    sets: Sequence[str] = SETS,
) -> list[Row]:
    """A row for each set."""
    return [_row(name, told) for name in sets]


def _row(name: str, told: Callable[[Prompt, Sequence[Candidate]], None]) -> Row:
    judged: dict[bool, list[bool]] = {True: [], False: []}
    for each in prompts(name):
        found = rules.candidates([Turn("bench", "user", each.text, SAID, id="1")])
        told(each, found)
        judged[each.worth].append(bool(found))
    counts = (figure for each in judged.values() for figure in (len(each), sum(each)))
    return Row(name, *counts)
