"""What encryption costs: the same done in a plain home and in an encrypted one, in turn."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import mean, median

from memoranda import sealing, wiring
from memoranda.bench.latency import Vocabulary
from memoranda.memoranda import Memoranda
from memoranda.types import Turn

MEMORIES = 2_000
ROUNDS = 20
TURNS = 25
"""In one conversation, of which each round has one in each home."""

QUESTIONS = 10


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of CPU time in the median of so many `times`, in each home, and their ratio."""

    what: str
    times: int
    plain: float
    encrypted: float
    ratio: float


COLUMNS = tuple(each.name for each in fields(Row))


def run(rounds: int = ROUNDS, advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """A row for opening, for taking turns in, recall, a pass by rules, and forgetting.

    `advance` is told of each memory and each round.
    """
    vocabulary = Vocabulary(random.Random(2))
    contents = [vocabulary.text(100) for _ in range(MEMORIES)]
    took: dict[str, tuple[list[float], list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        paths = [wiring.init(Path(folder) / name, enable=True) for name in ("plain", "encrypted")]
        for path in paths:
            _fill(path, contents, advance)
        sealing.encrypt(paths[1], held_by=f"file:{folder}/secret", keep_files=True)
        homes = [stack.enter_context(wiring.open(path, door="bench")) for path in paths]
        for number in range(rounds):
            for place in (0, 1) if number % 2 else (1, 0):  # neither is always the first
                chance = Vocabulary(random.Random(number))
                for what, cost in _round(homes[place], paths[place], number, chance, contents):
                    took.setdefault(what, ([], []))[place].append(cost)
            advance(1)
    return [
        Row(what, len(plain), median(plain), median(sealed), mean(sealed) / mean(plain))
        for what, (plain, sealed) in took.items()
    ]


def _fill(path: Path, contents: list[str], advance: Callable[[int], None]) -> None:
    with wiring.open(path, door="bench") as m:
        for content in contents:
            m.remember(content)
            advance(1)


def _round(
    m: Memoranda, path: Path, number: int, vocabulary: Vocabulary, contents: list[str]
) -> Iterator[tuple[str, float]]:
    """What each act of a round took, in milliseconds of CPU time."""
    yield "open", _cost(lambda: wiring.open(path, door="bench").close())
    said = [
        Turn(f"talk {number}", "user", f"I use {vocabulary.text(60)} every day.")
        for _ in range(TURNS)
    ]
    for turn in said:
        yield "observe", _cost(lambda turn=turn: m.observe([turn]))  # type: ignore[misc]
    for _ in range(QUESTIONS):
        question = vocabulary.question(contents)
        yield "recall", _cost(lambda question=question: m.recall(question))  # type: ignore[misc]
    yield "pass by rules", _cost(lambda: m.consolidate(model="rules"))
    yield "forget", _cost(lambda: m.forget(conversation=f"talk {number}"))


def _cost(act: Callable[[], object]) -> float:
    started = time.process_time()
    act()
    return 1000 * (time.process_time() - started)
