"""What compacting a long conversation leaves, costs, and gives back.

Each conversation of LoCoMo is a list of messages, the first speaker the user, that must fit a few
budgets. Then everything that was left out is expanded and compared with what was said.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from memoranda import wiring
from memoranda.bench.locomo import Data
from memoranda.memoranda import Memoranda
from memoranda.types import Turn
from memoranda.working import Compacted

BUDGETS = (4000, 2000, 1000)


@dataclass(frozen=True, slots=True)
class Row:
    """A conversation of so many turns within a budget, what it took, and what came back.

    So many turns were left out, of which `back` came word for word. `cpu` is of the first time,
    with what is stored, and `again` of the next, in seconds.
    """

    conversation: str
    turns: int
    budget: int
    tokens: int
    left_out: int
    back: int
    cpu: float
    again: float


COLUMNS = tuple(each.name for each in fields(Row))


def run(data: Data, advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """A row for each conversation and budget; `advance` is told of conversations done."""
    rows: list[Row] = []
    for name, turns in data.turns.items():
        for budget in BUDGETS:
            with tempfile.TemporaryDirectory() as folder:
                home = wiring.init(Path(folder) / "home", enable=True)
                with wiring.open(home, door="bench") as m:
                    rows.append(_row(m, name, turns, budget))
        advance(1)
    return rows


def _row(m: Memoranda, name: str, turns: Sequence[Turn], budget: int) -> Row:
    roles = {turns[0].speaker: "user"}
    messages = [
        {"role": roles.get(each.speaker, "assistant"), "content": each.content} for each in turns
    ]
    began = time.process_time()
    made = m.compact(messages, budget, conversation=name)
    stored = time.process_time()
    m.compact(messages, budget, conversation=name)
    again = time.process_time() - stored
    dropped = _expanded(m, made)
    back = sum(one == each.content for one, each in zip(dropped, turns, strict=False))
    return Row(name, len(turns), budget, made.tokens, len(dropped), back, stored - began, again)


def _expanded(m: Memoranda, made: Compacted) -> list[str]:
    """What the refs give back, in the order in which it was said."""
    found = (turn for each in made.dropped if each.ref for turn in m.expand(each.ref).turns)
    return [turn.content for turn in {each.turn: each for each in found}.values()]
