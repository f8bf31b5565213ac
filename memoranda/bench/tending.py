"""What looking after many memories costs: a review, the measures, a context, files, writes.

The memories are those of `latency`, of one scope, a year old and some of them used; each has a
vector. CPU time of the process is the figure to compare.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta
from pathlib import Path

import numpy as np

from memoranda import wiring
from memoranda.bench.latency import EPOCH, Vocabulary
from memoranda.bench.vectors import LENGTH, MadeUp
from memoranda.care import Serving, Via
from memoranda.memoranda import Memoranda
from memoranda.protocols import Unembedded
from memoranda.types import Change, Kind, Memory, Operation, Source, Turn, new_id

DAYS = 365
AT_ONCE = 500
CONVERSATIONS = 1000
"""With a question and an answer each, to be reckoned."""


@dataclass(frozen=True, slots=True)
class Row:
    """What was done, in seconds of CPU and of wall time; `found` is how much it told."""

    what: str
    memories: int
    cpu: float
    wall: float
    found: int


COLUMNS = tuple(each.name for each in fields(Row))


def run(size: int, advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """A row for each; `advance` is told of memories written."""
    chance = random.Random(1)
    vocabulary = Vocabulary(chance)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        wiring.init(Path(folder) / "home", enable=True)
        with wiring.open(Path(folder) / "home", door="bench") as m:
            m._embedder = None
            m._clock = lambda: EPOCH + timedelta(days=DAYS)
            ids = _fill(m, size, vocabulary, advance)
            _talk(m, ids, vocabulary, chance)
            m._clock = lambda: EPOCH + timedelta(days=DAYS, hours=1)
            doings: dict[str, Callable[[], int]] = {
                "health, first": lambda: m.health().stored,
                "health, again": lambda: m.health().stored,
                "review": lambda: sum(m.review().counts.values()),
                "sweep, dry run": lambda: len(m.sweep(dry_run=True).expired),
                "context, first": lambda: len(m.context().ids),
                "context, again": lambda: len(m.context().ids),
                "files, first": lambda: m.sync().mirrored,
                "remember": lambda: len(m.remember(vocabulary.text(100)).contradicts),
                "files, again": lambda: m.sync().mirrored,
                "forget": lambda: len(m.forget(ids[0]).forgotten),
            }
            for what, do in doings.items():
                cpu, wall = time.process_time(), time.perf_counter()
                found = do()
                took = time.process_time() - cpu, time.perf_counter() - wall
                rows.append(Row(what, size, *took, found))
    return rows


def _fill(
    m: Memoranda, size: int, vocabulary: Vocabulary, advance: Callable[[int], None]
) -> list[str]:
    store, kinds = m._store, list(Kind)
    vectors = np.random.default_rng(1).standard_normal((size, LENGTH)).astype("<f4")
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store.embed_by(MadeUp.name)
    ids: list[str] = []
    for start in range(0, size, AT_ONCE):
        memories = [
            _memory(m, n, kinds[n % len(kinds)], vocabulary)
            for n in range(start, min(start + AT_ONCE, size))
        ]
        changes = [Change(Operation.REMEMBER, None, memory) for memory in memories]
        store.apply(changes, at=EPOCH, by="bench")
        store.keep_vectors(
            MadeUp.name,
            [
                (Unembedded(each.id, None, each.content), vectors[start + n].tobytes())
                for n, each in enumerate(memories)
            ],
        )
        ids += [each.id for each in memories]
        advance(len(memories))
    return ids


def _memory(m: Memoranda, number: int, kind: Kind, vocabulary: Vocabulary) -> Memory:
    at = EPOCH + timedelta(seconds=number)
    return Memory(
        id=new_id(at),
        kind=kind,
        content=vocabulary.text(100),
        scope=m.access.own,
        sources=(Source(kind="person", time=at, by="bench"),),
        recorded_at=at,
        confidence=0.9,
    )


def _talk(m: Memoranda, ids: list[str], vocabulary: Vocabulary, chance: random.Random) -> None:
    """A year of questions, for each of which a few memories were served."""
    turns, servings = [], []
    for number in range(CONVERSATIONS):
        at = EPOCH + timedelta(days=DAYS * number / CONVERSATIONS)
        name = f"c{number}"
        turns.append(Turn(name, "user", f"{vocabulary.text(60)}?", at))
        turns.append(Turn(name, "assistant", vocabulary.text(200), at + timedelta(seconds=9)))
        chosen = tuple(chance.sample(ids, 8))
        servings.append(Serving(at, Via.RECALL, chosen, 200, 128_000, name))
    m.observe(turns, embed=False)
    m._store.uses.record(servings, m.access.own)
