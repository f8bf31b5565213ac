"""A pass that is killed is gone on with, and nothing is done twice or lost."""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memoranda
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Status
from tests.consolidating import DAY, MONDAY, Clock, new_home, opened, said
from tests.scripted import Scripted
from tests.test_consolidation import MIXED, mixed_talk, with_machines

KILLS = int(os.environ.get("STRESS_KILLS", "100"))
MACHINES = 40


@dataclass
class Slow(Scripted):
    """Thinks a little, as much as the store writes: so that a kill meets both."""

    before: Any = field(default=lambda told: time.sleep(0.002))


def _pass(home: Path) -> None:
    # Where a process was forked and time stands still, ids would be made twice.
    clock = Clock(MONDAY + 30 * DAY + timedelta(microseconds=time.time_ns() // 1000 % 10**9))
    with opened(home, Slow(MIXED), clock=clock, retire_share=1.0) as m:
        m.consolidate()


def _prepared(folder: Path) -> Path:
    home = new_home(folder)
    with opened(home) as m:
        with_machines(m, MACHINES)
        twice = ["Machine m100x has 9 disks."] * 2
        m.observe([*mixed_talk(MACHINES), *said(*twice)])
    return home


def _state(m: Memoranda) -> list[tuple[Any, ...]]:
    """All that a pass leaves, but for ids and times of writing."""
    memories = m.list(statuses=list(Status), limit=10_000)
    names = {each.id: each.content for each in memories}
    held = [
        (
            each.content,
            each.kind,
            each.status,
            each.confidence,
            each.mention_count,
            each.valid_from,
            each.valid_to,
            names.get(each.superseded_by or ""),
            tuple(sorted((source.quote or "", source.turn or "") for source in each.sources)),
        )
        for each in memories
    ]
    decided = [
        (each.candidate.content, each.candidate.turn, each.stage, each.operation, each.tries)
        for each in m.ledger(limit=10_000)
    ]
    backlog = m.status().backlog
    return [*sorted(held, key=repr), *sorted(decided, key=repr), (backlog.turns, backlog.aside)]


@pytest.mark.slow
def test_a_killed_pass_ends_as_one_that_was_not(tmp_path: Path) -> None:
    origin = _prepared(tmp_path / "origin")
    whole = shutil.copytree(origin, tmp_path / "whole")
    began = time.monotonic()
    _pass(whole)
    took = time.monotonic() - began
    with opened(whole) as m:
        right = _state(m)
    fork, chance = multiprocessing.get_context("fork"), random.Random(7)
    killed = 0
    for round in range(KILLS):
        home = shutil.copytree(origin, tmp_path / f"home{round}")
        for _ in range(3):  # also while it goes on
            child = fork.Process(target=_pass, args=(home,), daemon=True)
            child.start()
            child.join(chance.uniform(0, took))
            if child.is_alive():
                assert child.pid is not None
                os.kill(child.pid, signal.SIGKILL)
                killed += 1
            child.join()
        _pass(home)
        with opened(home) as m:
            assert _state(m) == right, f"round {round}"
            store = m._store
            assert isinstance(store, SqliteStore)
            assert store.check() == []
            passes = [each for each in m.passes() if each.counts]
            assert len(passes) == 1, "an interrupted pass was not gone on with"
        shutil.rmtree(home)
    assert killed >= KILLS


def test_a_pass_that_a_person_stops_is_gone_on_with(tmp_path: Path) -> None:
    home = _prepared(tmp_path)

    def stop(told: str) -> None:
        raise KeyboardInterrupt

    stopped = Scripted(MIXED, stop)
    with opened(home, stopped, retire_share=1.0) as m, pytest.raises(KeyboardInterrupt):
        m.consolidate()
    with opened(home, MIXED, retire_share=1.0) as m:
        done = m.consolidate()
        assert [each.id for each in m.passes()] == [done.id]
        assert sum(done.counts.values()) == MACHINES + 2
