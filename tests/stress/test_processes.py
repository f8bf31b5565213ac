"""Many processes on one home."""

from __future__ import annotations

import multiprocessing
import os
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import TypeAlias

import pytest

import memoranda
from memoranda import Turn
from memoranda.bench.latency import Vocabulary
from memoranda.stores.lock import InUse, WorkLock
from memoranda.stores.sqlite import SqliteStore

SECONDS = float(os.environ.get("STRESS_SECONDS", "30"))
LONGEST_WRITE = 0.050
"""Seconds of CPU for which a write lock may be held.

Twelve busy processes overload any machine of fewer cores; how long the wall clock ran meanwhile is
printed, and is the disk's and the scheduler's as much as ours.
"""


Results: TypeAlias = "Queue[tuple[str, int, float, float]]"


def _read(home: Path, until: float, number: int, results: Results) -> None:
    import random

    vocabulary = Vocabulary(random.Random(1))
    contents = [vocabulary.text(100) for _ in range(200)]
    count = 0
    with memoranda.open(home) as m:
        while time.monotonic() < until:
            m.recall(vocabulary.question(contents))
            m.list(limit=10)
            count += 1
    results.put(("read", count, 0.0, 0.0))


def _write(home: Path, until: float, number: int, results: Results) -> None:
    import random

    vocabulary = Vocabulary(random.Random(1))
    count = 0
    with memoranda.open(home) as m:
        while time.monotonic() < until:
            turns = [Turn(f"c{number}", "user", vocabulary.text(120)) for _ in range(5)]
            m.observe(turns)
            memory = m.remember(f"{number} {count} {vocabulary.text(80)}")
            m.confirm(memory.id)
            count += 1
        store = m._store
        assert isinstance(store, SqliteStore)
        results.put(("write", count, *store.longest_write))


@pytest.mark.slow
def test_eight_readers_and_four_writers(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    spawn = multiprocessing.get_context("spawn")
    results: Results = spawn.Queue()
    until = time.monotonic() + SECONDS + 3
    processes = [
        spawn.Process(target=target, args=(home, until, number, results))
        for target, many in ((_write, 4), (_read, 8))
        for number in range(many)
    ]
    for process in processes:
        process.start()
    told = [results.get(timeout=SECONDS + 60) for _ in processes]
    for process in processes:
        process.join()
        assert process.exitcode == 0
    writes = sum(count for kind, count, *_ in told if kind == "write")
    reads = sum(count for kind, count, *_ in told if kind == "read")
    wall = 1000 * max(held for _, _, held, _ in told)
    cpu = max(held for *_, held in told)
    print(  # noqa: T201
        f"{writes} rounds of writes, {reads} of reads, "
        f"longest lock {wall:.1f} ms, {1000 * cpu:.1f} ms of CPU"
    )
    with memoranda.open(home) as m:
        holds = m.status().holdings
        assert holds.turns == 5 * writes
        assert sum(holds.memories.values()) == writes
    assert cpu <= LONGEST_WRITE
    store = SqliteStore(home / "memory.db")
    assert store.check() == []
    store.close()


def _ask_to_be_alone(path: str, together: Barrier, won: Connection, times: int) -> None:
    for _ in range(times):
        together.wait()
        lock = None
        with suppress(InUse):
            lock = WorkLock(Path(path))
        won.send(lock is not None)
        together.wait()
        if lock is not None:
            lock.close()


def test_of_processes_that_want_to_be_alone_at_once_one_is(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    together = spawn.Barrier(2)
    pipes = [spawn.Pipe(duplex=False) for _ in range(2)]
    for _, won in pipes:
        arguments = (str(tmp_path / "work.lock"), together, won, 60)
        spawn.Process(target=_ask_to_be_alone, args=arguments, daemon=True).start()
    for _ in range(60):
        assert sum(told.recv() for told, _ in pipes) == 1
