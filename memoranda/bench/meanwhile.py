"""What reading and writing cost while a pass waits for a slow model.

Two homes are alike; in one a pass runs, in a thread of this process, with a model that takes its
time. The same is done in each in turn, so that whatever else the machine does meets both.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from statistics import median
from threading import Event, Thread

from memoranda import wiring
from memoranda.answers import Answer, Attempt, Message, Mode, Outcome, T, Tokens
from memoranda.bench.latency import Vocabulary
from memoranda.memoranda import Memoranda
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Turn

MEMORIES = 2_000
CONVERSATIONS = 200
NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """Milliseconds of wall time at the median, beside a pass and without one, and their ratio.

    `longest_lock` is the longest that the write lock was held beside the pass, of wall time and of
    CPU time.
    """

    what: str
    times: int
    beside: float
    idle: float
    ratio: float
    longest_lock: float
    longest_lock_cpu: float


COLUMNS = tuple(each.name for each in fields(Row))


class Slow:
    """A model that thinks for a while, and then keeps every sentence as it is."""

    host: str | None = None
    name = "slow"

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.over = Event()

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        self.over.wait(self._seconds)
        told = messages if isinstance(messages, str) else messages[-1].content
        said = json.dumps(_kept(told) if "chosen" in answer.model_fields else _added(answer))
        attempt = Attempt(
            Outcome.OK, Mode.JSON_SCHEMA, max_tokens, 200, tokens=Tokens(2000, 0, 100), body=said
        )
        return Answer(Outcome.OK, answer.model_validate_json(said), (attempt,))


def _kept(told: str) -> dict[str, object]:
    return {
        "chosen": [
            {
                "sentence": int(number),
                "kind": "fact",
                "basis": "stated",
                "ends": False,
                "content": said,
                "detail": None,
            }
            for number, said in NUMBERED.findall(told)
        ]
    }


def _added(answer: type[T]) -> dict[str, object]:
    return {name: {"operation": "ADD", "reason": "new"} for name in answer.model_fields}


def run(
    seconds: float, minutes: float, advance: Callable[[int], None] = lambda _: None
) -> list[Row]:
    """A row for taking turns in and one for recall, measured for so many minutes.

    The model thinks for so many seconds each time; `advance` is told of each second.
    """
    vocabulary = Vocabulary(random.Random(1))
    contents = [vocabulary.text(100) for _ in range(MEMORIES)]
    model = Slow(seconds)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = [
            stack.enter_context(_home(Path(folder) / name, contents, vocabulary))
            for name in ("beside", "idle")
        ]
        homes[0]._language = model
        thread = Thread(target=homes[0].consolidate)
        thread.start()
        stack.callback(thread.join)
        stack.callback(model.over.set)
        took = _alternated(homes, contents, vocabulary, minutes, advance)
        assert thread.is_alive(), "the pass was over too soon; more conversations are needed"
        store = homes[0]._store
        assert isinstance(store, SqliteStore)
        held = store.longest_write
    return [
        Row(
            what,
            len(beside),
            1000 * median(beside),
            1000 * median(idle),
            median(beside) / median(idle),
            1000 * held.wall,
            1000 * held.cpu,
        )
        for what, (beside, idle) in took.items()
    ]


def _home(folder: Path, contents: Sequence[str], vocabulary: Vocabulary) -> Memoranda:
    wiring.init(folder, enable=True)
    opened = wiring.open(folder, door="bench")
    for content in contents:
        opened.remember(content)
    for number in range(CONVERSATIONS):
        said = [f"I {vocabulary.text(60)}." for _ in range(6)]
        opened.observe([Turn(f"c{number}", "user", each) for each in said], embed=False)
    return opened


def _alternated(
    homes: Sequence[Memoranda],
    contents: Sequence[str],
    vocabulary: Vocabulary,
    minutes: float,
    advance: Callable[[int], None],
) -> dict[str, tuple[list[float], list[float]]]:
    """Seconds of each doing, in the home of the pass and in the other one."""
    took: dict[str, tuple[list[float], list[float]]] = {"observe": ([], []), "recall": ([], [])}
    began = told = time.monotonic()
    while time.monotonic() - began < 60 * minutes:
        turn, question = vocabulary.text(120), vocabulary.question(contents)
        order = random.sample((0, 1), 2)
        doings: dict[str, Callable[[Memoranda], object]] = {
            "observe": partial(_observe, turn=Turn("live", "user", turn)),
            "recall": partial(Memoranda.recall, query=question),
        }
        for what, do in doings.items():
            for place in order:
                took[what][place].append(_timed(partial(do, homes[place])))
        if time.monotonic() - told >= 1:
            advance(1)
            told = time.monotonic()
    return took


def _observe(memoranda: Memoranda, turn: Turn) -> object:
    return memoranda.observe([turn], embed=False)


def _timed(do: Callable[[], object]) -> float:
    began = time.monotonic()
    do()
    return time.monotonic() - began
