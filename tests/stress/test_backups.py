"""A backup and a restore that are killed leave the old state or the new, and a store that opens."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import memoranda
from memoranda import BackupError, HomeError, Turn
from memoranda.stores.sqlite import SqliteStore
from tests.killing import left_over

KILLS = int(os.environ.get("STRESS_KILLS", "40"))
OLD, NEW, WORD = "The pool is called tank", "The pool is called reef", "zirconium"


def _killed(work: Callable[[], None], after: float) -> None:
    process = multiprocessing.get_context("fork").Process(target=work, daemon=True)
    process.start()
    time.sleep(after)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def _home(tmp_path: Path) -> tuple[Path, Path]:
    place = tmp_path / "disk"
    place.mkdir()
    home = memoranda.init(tmp_path / "home", enable=True, backup_to=place)
    with memoranda.open(home) as m:
        m.observe([Turn("c", "user", f"turn {n} about the pool") for n in range(300)])
        m.remember(OLD)
    return home, place


def _timed(work: Callable[[], None]) -> float:
    began = time.monotonic()
    process = multiprocessing.get_context("fork").Process(target=work, daemon=True)
    process.start()
    process.join()
    return time.monotonic() - began


def _sound(home: Path) -> None:
    store = SqliteStore(home / "memory.db")
    try:
        assert store.check() == []
    finally:
        store.close()


@pytest.mark.slow
def test_a_restore_that_is_killed_leaves_the_old_store_or_the_new(tmp_path: Path) -> None:
    home, _ = _home(tmp_path)
    with memoranda.open(home) as m:
        m.backup()
        m.remember(NEW)

    def restore() -> None:
        memoranda.restore(home=home)

    takes = _timed(restore)
    chance = random.Random(7)
    states = list[frozenset[str]]()
    for _ in range(KILLS):
        with memoranda.open(home) as m:
            if NEW not in {each.content for each in m.list()}:
                m.remember(NEW)
        _killed(restore, chance.uniform(0, takes))
        _sound(home)
        with memoranda.open(home) as m:
            found = frozenset(each.content for each in m.list())
        assert found in ({OLD}, {OLD, NEW})
        states.append(found)
        for each in home.glob("memory.db.replaced-*"):
            each.unlink()
    assert {frozenset({OLD}), frozenset({OLD, NEW})} == set(states)
    assert left_over(home) == []


@pytest.mark.slow
def test_a_backup_that_is_killed_leaves_those_there_were_or_one_more(tmp_path: Path) -> None:
    home, place = _home(tmp_path)
    with memoranda.open(home) as m:
        m.backup()
    numbers = iter(range(10**6))

    def back_up() -> None:
        with memoranda.open(home) as m:
            m.remember(f"fact number {next(numbers)} at {time.monotonic_ns()}")
            m.backup()

    takes = _timed(back_up)
    chance = random.Random(8)
    for _ in range(KILLS):
        _killed(back_up, chance.uniform(0, takes))
        _sound(home)
        with memoranda.open(home) as m:
            verified = m.verify_backups()
            assert verified
            assert all(not each.problems for each in verified)
    with memoranda.open(home) as m:
        m.backup()
        named = {file.sha256 for each in m.backups().found for file in each.files}
    assert {each.name for each in place.glob("*/files/*")} == named
    assert list(place.glob("*/.making*")) == []


@pytest.mark.slow
def test_a_forgetting_that_is_killed_is_finished_in_the_backups(tmp_path: Path) -> None:
    home, place = _home(tmp_path)
    chance = random.Random(9)
    for n in range(KILLS):
        with memoranda.open(home) as m:
            id = m.remember(f"The code is {WORD} {n}").id
            m.backup()

        def forget(id: str = id) -> None:
            with memoranda.open(home) as m:
                m.forget(id)

        _killed(forget, chance.uniform(0, 0.6))
        with memoranda.open(home) as m:
            if m.history(id)[-1].operation != "forget":
                m.forget(id)
            assert m._store.copies.owed() == (None, None)
            assert all(not each.problems for each in m.verify_backups())
        held = [each for each in place.rglob("*") if each.is_file()]
        assert not any(WORD.encode() in each.read_bytes() for each in held)


def test_the_lock_for_writing_is_held_for_a_moment_while_a_copy_is_made(tmp_path: Path) -> None:
    """Writers go on meanwhile: none waits for the copy."""
    home, _ = _home(tmp_path)
    with memoranda.open(home) as m:
        m.observe([Turn("c", "user", f"turn {n} " + "word " * 40) for n in range(5000)])
    waits = list[float]()

    def copy() -> None:
        with memoranda.open(home) as m:
            for _ in range(3):
                m.remember(f"fact at {time.monotonic_ns()}")
                m.backup()

    process = multiprocessing.get_context("fork").Process(target=copy, daemon=True)
    process.start()
    with memoranda.open(home) as m:
        while process.is_alive():
            began = time.monotonic()
            m.observe([Turn("w", "user", f"written at {began}")])
            waits.append(time.monotonic() - began)
    process.join()
    assert process.exitcode == 0
    assert len(waits) > 10
    assert sorted(waits)[int(len(waits) * 0.9)] < 0.5  # on whatever machine


def test_what_cannot_be_restored_changes_nothing(tmp_path: Path) -> None:
    home, place = _home(tmp_path)
    with memoranda.open(home) as m:
        m.backup()
    next(place.glob("*/files/*")).write_bytes(b"rotten")
    for source in (None, "latest", place):
        with pytest.raises((BackupError, HomeError)):
            memoranda.restore(source, home)
    with memoranda.open(home) as m:
        assert [each.content for each in m.list()] == [OLD]
