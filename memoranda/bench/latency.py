"""What things cost on this machine: taking turns in, starting cold, answering.

CPU time of the process is the figure to compare; wall time carries whatever else the machine does.
The memories are made of a fixed vocabulary in which words are as unequal in frequency as those of
a language are, so any two runs search the same text.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from pathlib import Path
from statistics import mean, median

import numpy as np
from numpy.typing import NDArray

from memoranda import wiring
from memoranda.bench.vectors import LENGTH, MadeUp, bandwidth, nearest
from memoranda.models.onnx import VOCABULARY
from memoranda.policy import confidence
from memoranda.protocols import Store, Unembedded
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.stores.sqlite import SqliteStore
from memoranda.text.languages import is_english
from memoranda.text.stopwords import ENGLISH, STOPWORDS
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
LENGTH_OF_TEXT = 100
QUESTIONS = 200
TURNS = 30_000
EMBEDDED_TURNS = 1500
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. Times of a recall are in milliseconds, at the median and p95.

    `all_…` is a recall over every memory, `one_…` in one scope of twenty; both give ten hits with
    their sources. `words_…` searches words only, `hybrid_…` vectors too, without the making of the
    question's. `…_floor` is the time that reading the vectors' bytes takes at least, and `…_recall`
    the share of the ten truly nearest that the search by vector has among its first ten.
    `cold_cpu` is the CPU time, in seconds, of a whole process that answers one question by meaning;
    `import_cpu` that of importing the library; both without Python's own start. Turns are taken in
    without vectors (`turns_…`) and with them (`embedded_turns_…`).
    """

    n: int
    words_all_cpu_p50: float
    words_all_cpu_p95: float
    words_one_cpu_p50: float
    words_one_cpu_p95: float
    hybrid_all_cpu_p50: float
    hybrid_all_cpu_p95: float
    hybrid_all_wall_p50: float
    hybrid_all_wall_p95: float
    hybrid_all_floor: float
    hybrid_all_recall: float
    hybrid_one_cpu_p50: float
    hybrid_one_cpu_p95: float
    hybrid_one_wall_p50: float
    hybrid_one_wall_p95: float
    hybrid_one_floor: float
    hybrid_one_recall: float
    matched: float
    load_cpu: float
    cold_cpu: float
    import_cpu: float
    rss_mb: float | None
    file_mb: float
    build_cpu: float
    turns_per_minute: int
    turn_cpu_us: float
    embedded_turns_per_minute: int
    embedded_turn_cpu_ms: float


def run(sizes: Sequence[int], advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """Measure a store of each size; `advance` is told how many memories were written."""
    return [_measure(size, advance) for size in sizes]


def _measure(size: int, advance: Callable[[int], None]) -> Row:
    vocabulary = Vocabulary(random.Random(size))
    model = MadeUp(size)
    with tempfile.TemporaryDirectory() as folder:
        home = wiring.init(Path(folder) / "home")
        bare = _observing(Path(folder) / "bare", vocabulary, TURNS, embed=False)
        embedded = _observing(Path(folder) / "embedded", vocabulary, EMBEDDED_TURNS, embed=True)
        store = SqliteStore(home / wiring.STORE_FILE)
        started = time.process_time()
        vectors = model.draw(size)
        contents = list(_fill(store, size, vocabulary, vectors, advance))
        store.close()  # which joins what so many writes left in pieces
        build = time.process_time() - started
        store = SqliteStore(home / wiring.STORE_FILE)
        questions = [vocabulary.question(contents) for _ in range(QUESTIONS)]
        words_all = _recalls(store, questions, SCOPES)
        words_one = _recalls(store, questions, SCOPES[7:8])
        started = time.process_time()
        _recalls(store, questions[:1], SCOPES, model)
        load = time.process_time() - started
        hybrid_all = _recalls(store, questions, SCOPES, model)
        hybrid_one = _recalls(store, questions, SCOPES[7:8], model)
        found_all = _found(store, SCOPES, model, vectors)
        found_one = _found(store, SCOPES[7:8], model, vectors[7 :: len(SCOPES)])
        store.close()
        cold, imported, rss = _cold(home, questions[0])
        milliseconds = 1000 * size * LENGTH / bandwidth()
        return Row(
            n=size,
            words_all_cpu_p50=words_all.cpu_p50,
            words_all_cpu_p95=words_all.cpu_p95,
            words_one_cpu_p50=words_one.cpu_p50,
            words_one_cpu_p95=words_one.cpu_p95,
            hybrid_all_cpu_p50=hybrid_all.cpu_p50,
            hybrid_all_cpu_p95=hybrid_all.cpu_p95,
            hybrid_all_wall_p50=hybrid_all.wall_p50,
            hybrid_all_wall_p95=hybrid_all.wall_p95,
            hybrid_all_floor=milliseconds,
            hybrid_all_recall=found_all,
            hybrid_one_cpu_p50=hybrid_one.cpu_p50,
            hybrid_one_cpu_p95=hybrid_one.cpu_p95,
            hybrid_one_wall_p50=hybrid_one.wall_p50,
            hybrid_one_wall_p95=hybrid_one.wall_p95,
            hybrid_one_floor=milliseconds / len(SCOPES),
            hybrid_one_recall=found_one,
            matched=_matched_share(questions, contents),
            load_cpu=round(load, 2),
            cold_cpu=cold,
            import_cpu=imported,
            rss_mb=rss,
            file_mb=round((home / wiring.STORE_FILE).stat().st_size / 1e6, 1),
            build_cpu=round(build, 1),
            turns_per_minute=round(60 / bare.wall),
            turn_cpu_us=round(1e6 * bare.cpu, 1),
            embedded_turns_per_minute=round(60 / embedded.wall),
            embedded_turn_cpu_ms=round(1e3 * embedded.cpu, 1),
        )


ENGLISH_WORD = re.compile(r"[a-z]{4,}")


class Vocabulary:
    """English words with the frequencies of a language: 45 % without content, the rest after Zipf.

    The share of the word at rank r is proportional to 1 / (r + 12) (Mandelbrot, 1953), which puts
    the commonest word with content in about one text of twenty.
    """

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        pieces = VOCABULARY.read_text(encoding="utf-8").split("\n")
        words = filter(ENGLISH_WORD.fullmatch, pieces)
        self._words = [word for word in words if is_english(f"{word} {word}")]
        chance.shuffle(self._words)
        self._weights = list(accumulate(1 / (rank + 12) for rank in range(len(self._words))))
        self._empty = sorted(ENGLISH)[:100]

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
    store: Store,
    size: int,
    vocabulary: Vocabulary,
    vectors: NDArray[np.float32],
    advance: Callable[[int], None],
) -> Iterator[str]:
    """Write `size` memories over the twenty scopes, with their vectors; yields their contents."""
    kinds = list(Kind)
    numbers = iter(range(size))
    store.embed_by(MadeUp.name)
    while batch := list(islice(numbers, 500)):
        memories = [
            Memory(
                id=new_id(EPOCH),
                kind=kinds[number % len(kinds)],
                content=vocabulary.text(LENGTH_OF_TEXT),
                scope=SCOPES[number % len(SCOPES)],
                sources=(Source(kind="person", time=EPOCH, by="bench"),),
                recorded_at=EPOCH + timedelta(seconds=number),
                confidence=confidence.BY_HAND,
            )
            for number in batch
        ]
        changes = [Change(Operation.REMEMBER, None, memory) for memory in memories]
        store.apply(changes, at=EPOCH, by="bench")
        store.keep_vectors(
            MadeUp.name,
            [
                (Unembedded(memory.id, None, memory.content), vectors[number].tobytes())
                for number, memory in zip(batch, memories, strict=True)
            ],
        )
        advance(len(batch))
        yield from (memory.content for memory in memories)


@dataclass(frozen=True, slots=True)
class Times:
    cpu_p50: float
    cpu_p95: float
    wall_p50: float
    wall_p95: float


NOW = Filter(now=EPOCH + timedelta(days=365))


def _recalls(
    store: Store, questions: Sequence[str], visible: Scopes, model: MadeUp | None = None
) -> Times:
    cpu, wall = [], []
    for text in questions:
        question = Question(text, visible, NOW, limit=10, turns=False)
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        recall(question, store, model)
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


def _found(store: Store, visible: Scopes, model: MadeUp, vectors: NDArray[np.float32]) -> float:
    """What share of the ten truly nearest a search by vector finds; `vectors` are all there are."""
    shares = []
    for question in model.draw(50):
        near = store.near("memory", question.tobytes(), model.name, visible, NOW, 10)
        scores = [each.score for each in near.found]
        least = float(vectors[nearest(vectors, question, 10)[-1]] @ question)
        shares.append(sum(score >= least - 1e-6 for score in scores) / min(10, len(vectors)))
    return round(mean(shares), 4)


@dataclass(frozen=True, slots=True)
class Each:
    """Seconds a turn."""

    wall: float
    cpu: float


def _observing(folder: Path, vocabulary: Vocabulary, count: int, *, embed: bool) -> Each:
    """What a turn costs, taken in from Python in bulk, with the default model if with any."""
    home = wiring.init(folder, enable=True)
    turns = [
        Turn(
            conversation=f"c{number // 50}",
            role=("user", "assistant")[number % 2],
            content=vocabulary.text(120),
            time=EPOCH + timedelta(seconds=number),
        )
        for number in range(count)
    ]
    with wiring.open(home, door="bench") as memoranda:
        if embed:
            memoranda.remember("what loads the model")
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        memoranda.observe(turns, embed=embed)
        cpu, wall = time.process_time() - cpu_started, time.perf_counter() - wall_started
    return Each(wall / count, cpu / count)


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
try:  # not getrusage, which begins with the size of the process that we were forked from
    with open("/proc/self/status") as status:
        (kilobytes,) = (line.split()[1] for line in status if line.startswith("VmHWM"))
    rss = round(int(kilobytes) / 1e3, 1)
except OSError:
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
