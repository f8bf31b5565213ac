"""What things cost on this machine: taking turns in, starting cold, answering.

CPU time of the process is the figure to compare; wall time carries whatever else the machine does.
The memories are made of a fixed vocabulary in which words are as unequal in frequency as those of
a language are, so any two runs search the same text.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from statistics import median

from memoranda import wiring
from memoranda.policy import confidence
from memoranda.protocols import Store
from memoranda.retrieval.recall import Question, recall
from memoranda.stores.sqlite import SqliteStore
from memoranda.text.stopwords import STOPWORDS
from memoranda.types import (
    Change,
    Filter,
    Kind,
    Memory,
    Operation,
    Scope,
    Scopes,
    Source,
    Turn,
    new_id,
)

SCOPES: Scopes = tuple(Scope("project", f"p{number:02}") for number in range(20))
LENGTH = 100
QUESTIONS = 200
TURNS = 30_000
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. Times of a recall are in milliseconds, at the median and p95.

    `all_…` is a recall over every memory, `one_…` in one scope of twenty; both give ten hits with
    their sources. `cold_cpu` is the CPU time, in seconds, of a whole process that answers one
    question; `import_cpu` that of importing the library; both without Python's own start.
    """

    n: int
    all_cpu_p50: float
    all_cpu_p95: float
    all_wall_p50: float
    all_wall_p95: float
    one_cpu_p50: float
    one_cpu_p95: float
    one_wall_p50: float
    one_wall_p95: float
    matched: float
    cold_cpu: float
    import_cpu: float
    rss_mb: float | None
    file_mb: float
    build_cpu: float
    turns_per_minute: int
    turn_cpu_us: float


def run(sizes: Sequence[int], advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """Measure a store of each size; `advance` is told how many memories were written."""
    return [_measure(size, advance) for size in sizes]


def _measure(size: int, advance: Callable[[int], None]) -> Row:
    vocabulary = Vocabulary(random.Random(size))
    with tempfile.TemporaryDirectory() as folder:
        home = wiring.init(Path(folder) / "home", enable=True)
        turns_per_minute, turn_cpu = _observing(Path(folder), vocabulary)
        store = SqliteStore(home / wiring.STORE_FILE)
        started = time.process_time()
        contents = list(_fill(store, size, vocabulary, advance))
        store.close()  # which joins what so many writes left in pieces
        build = time.process_time() - started
        store = SqliteStore(home / wiring.STORE_FILE)
        questions = [vocabulary.question(contents) for _ in range(QUESTIONS)]
        everything = _recalls(store, questions, SCOPES)
        one = _recalls(store, questions, SCOPES[7:8])
        store.close()
        cold, imported, rss = _cold(home, questions[0])
        return Row(
            n=size,
            all_cpu_p50=everything.cpu_p50,
            all_cpu_p95=everything.cpu_p95,
            all_wall_p50=everything.wall_p50,
            all_wall_p95=everything.wall_p95,
            one_cpu_p50=one.cpu_p50,
            one_cpu_p95=one.cpu_p95,
            one_wall_p50=one.wall_p50,
            one_wall_p95=one.wall_p95,
            matched=_matched_share(questions, contents),
            cold_cpu=cold,
            import_cpu=imported,
            rss_mb=rss,
            file_mb=round((home / wiring.STORE_FILE).stat().st_size / 1e6, 1),
            build_cpu=round(build, 1),
            turns_per_minute=turns_per_minute,
            turn_cpu_us=turn_cpu,
        )


class Vocabulary:
    """Words with the frequencies of a language: 45 % without content, the rest after Zipf.

    The share of the word at rank r is proportional to 1 / (r + 12) (Mandelbrot, 1953), which puts
    the commonest word with content in about one text of twenty.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        syllables = [a + b for a in "bdfgklmnprstvz" for b in "aeiou"]
        words = {"".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(40_000)}
        self._words = sorted(words)
        chance.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 12) for rank in range(len(self._words))))
        self._empty = sorted(STOPWORDS)[:100]

    def text(self, length: int) -> str:
        """About `length` characters."""
        words: list[str] = []
        while sum(map(len, words)) + len(words) <= length:
            if self._chance.random() < 0.45:
                words.append(self._chance.choice(self._empty))
            else:
                words += self._chance.choices(self._words, cum_weights=self._weights)
        return " ".join(words)[:length]

    def question(self, contents: Sequence[str]) -> str:
        """Three to seven content words of one text."""
        words = [word for word in self._chance.choice(contents).split() if word not in STOPWORDS]
        asked = self._chance.sample(words, min(len(words), self._chance.randint(3, 7)))
        return f"what did we say about {' and '.join(asked)}?"


def _fill(
    store: Store, size: int, vocabulary: Vocabulary, advance: Callable[[int], None]
) -> Iterator[str]:
    """Write `size` memories over the twenty scopes; yields their contents."""
    kinds = list(Kind)
    numbers = iter(range(size))
    while batch := list(islice(numbers, 500)):
        memories = [
            Memory(
                id=new_id(EPOCH),
                kind=kinds[number % len(kinds)],
                content=vocabulary.text(LENGTH),
                scope=SCOPES[number % len(SCOPES)],
                sources=(Source(kind="person", time=EPOCH, by="bench"),),
                recorded_at=EPOCH + timedelta(seconds=number),
                confidence=confidence.BY_HAND,
            )
            for number in batch
        ]
        changes = [Change(Operation.REMEMBER, None, memory) for memory in memories]
        store.apply(changes, at=EPOCH, by="bench")
        advance(len(batch))
        yield from (memory.content for memory in memories)


@dataclass(frozen=True, slots=True)
class Times:
    cpu_p50: float
    cpu_p95: float
    wall_p50: float
    wall_p95: float


def _recalls(store: Store, questions: Sequence[str], visible: Scopes) -> Times:
    filter = Filter(now=EPOCH + timedelta(days=365))
    cpu, wall = [], []
    for text in questions:
        question = Question(text, visible, filter, limit=10, turns=False)
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        recall(question, store)
        cpu.append(1000 * (time.process_time() - cpu_started))
        wall.append(1000 * (time.perf_counter() - wall_started))
    return Times(median(cpu), _p95(cpu), median(wall), _p95(wall))


def _p95(values: Sequence[float]) -> float:
    return sorted(values)[int(0.95 * len(values))]


def _matched_share(questions: Sequence[str], contents: Sequence[str]) -> float:
    """How large a share of the memories has a word of a question, at the median."""
    some = [set(text.split()) for text in contents[:5000]]
    shares = []
    for question in questions[:50]:
        asked = {word.strip("?") for word in question.split()} - STOPWORDS
        shares.append(sum(1 for words in some if words & asked) / len(some))
    return round(median(shares), 4)


def _observing(folder: Path, vocabulary: Vocabulary) -> tuple[int, float]:
    """Turns a minute (wall) and microseconds of CPU a turn, taken in from Python in bulk."""
    home = wiring.init(folder / "turns", enable=True)
    turns = [
        Turn(
            conversation=f"c{number // 50}",
            role=("user", "assistant")[number % 2],
            content=vocabulary.text(120),
            time=EPOCH + timedelta(seconds=number),
        )
        for number in range(TURNS)
    ]
    with wiring.open(home, door="bench") as memoranda:
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        memoranda.observe(turns)
        cpu, wall = time.process_time() - cpu_started, time.perf_counter() - wall_started
    return round(60 * TURNS / wall), round(1e6 * cpu / TURNS, 1)


_COLD = """
import contextlib, io, json, sys, time
started = time.process_time()
import memoranda
imported = time.process_time() - started
from memoranda.interfaces.cli import main
sys.argv = ["memoranda", "--json", "--home", sys.argv[1], "--project", "p07", "recall", sys.argv[2]]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
cold = time.process_time() - started
try:
    import resource
    unit = 1e6 if sys.platform == "darwin" else 1e3
    rss = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit, 1)
except ImportError:
    rss = None
print(json.dumps([cold, imported, rss]))
"""


def _cold(home: Path, question: str) -> tuple[float, float, float | None]:
    """CPU seconds of one recall in a new process and of the import, and its memory in MB."""
    runs = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", _COLD, str(home), question],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for _ in range(5)
    ]
    cold, imported = (round(median(run[place] for run in runs), 3) for place in (0, 1))
    return cold, imported, runs[-1][2]


COLUMNS = tuple(each.name for each in fields(Row))
