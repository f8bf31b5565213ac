"""The promise of forgetting, while others read and write, when it is killed, and after long use."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Barrier, Event
from pathlib import Path
from queue import Empty
from string import ascii_lowercase
from typing import Any

import apsw
import pytest

import memoranda
from memoranda import InvalidInput, Memoranda, Turn
from memoranda.bench.latency import Vocabulary
from memoranda.protocols import Vector
from memoranda.stores import connections, erasing, gaps, sqlite
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Receipt
from tests import planting as plants
from tests.canaries import Letters, canaries, opened, traces
from tests.planting import (
    STAYING,
    WAYS,
    WORD,
    Planted,
    line,
    neighbours,
    plant,
    told_of,
    vectors_of,
)

FORK = multiprocessing.get_context("fork")
EVERY = int(os.environ.get("STRESS_EVERY", "5"))
"""Of the statements of a forgetting it is killed at each so many."""


@dataclass(frozen=True)
class Ready:
    """A home in which everything is planted, to be copied for each death."""

    home: Path
    planted: Planted

    def copied(self, to: Path) -> Path:
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.home, to)
        for number in (2, 3):  # such as upgrades leave
            shutil.copy(to / "memory.db", to / f"memory.db.before-000{number}")
        return to


@pytest.fixture(scope="module")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ready]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
        folder = tmp_path_factory.mktemp("ready")
        home = memoranda.init(folder / "home", enable=True)
        with opened(home) as m:
            planted = plant(m, WAYS["ids"], folder / "export.jsonl", neighbours(m))
        yield Ready(home, planted)


def forget(m: Memoranda, planted: Planted) -> Receipt:
    return m.forget(*planted.turns, *planted.memories)


# Killed -------------------------------------------------------------------------------------------


def _die(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def _dying_at(owner: Any, name: str, call: int, *, after: bool) -> Iterator[None]:
    """Die when a function is called for the nth time, or when that call is done."""
    original = getattr(owner, name)
    calls = iter(range(1, 10**9))

    def dying(*args: Any, **named: Any) -> Any:
        is_last = next(calls) == call
        if is_last and not after:
            _die()
        result = original(*args, **named)
        if is_last:
            _die()
        return result

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(owner, name, dying)
        yield


STEPS: dict[str, tuple[Any, str, int, bool]] = {
    "when all is gathered": (erasing, "_leave_tombstones", 1, False),
    "with the ledger blank": (erasing, "_blank_ledger", 1, True),
    "before it deletes": (erasing, "_delete", 1, False),
    "when it deleted": (erasing, "_delete", 1, True),
    "before it is committed": (sqlite, "erase", 1, True),
    "when it is committed": (SqliteStore, "forget", 1, True),
    "before the indexes are written anew": (SqliteStore, "_write_indexes_anew", 1, False),
    "when they are": (SqliteStore, "_write_indexes_anew", 1, True),
    "before the copies are removed": (SqliteStore, "_older_copies", 1, True),
    "with one copy removed": (sqlite, "_is_removed", 1, True),
    "before the log is cut": (connections.Connections, "cut_log", 1, False),
    "with some pages moved": (gaps, "without_gap", 40, True),
    "when the log is cut": (connections.Connections, "cut_log", 1, True),
}


@pytest.mark.parametrize("step", STEPS)
def test_killed_at_any_step_it_is_not_done_or_done_at_the_next_opening(
    ready: Ready, tmp_path: Path, step: str
) -> None:
    home = ready.copied(tmp_path / "home")
    owner, name, call, after = STEPS[step]

    def child() -> None:
        with opened(home) as m, _dying_at(owner, name, call, after=after):
            forget(m, ready.planted)

    assert _ends(child) == -signal.SIGKILL
    _assert_all_or_nothing(home, ready.planted)


@pytest.mark.slow
def test_killed_at_any_statement_it_is_not_done_or_done_at_the_next_opening(
    ready: Ready, tmp_path: Path
) -> None:
    done = 0
    for statement in range(1, 10**6, EVERY):
        home = ready.copied(tmp_path / "home")

        def child(home: Path = home, statement: int = statement) -> None:
            with _dying_at_statement(statement) as counting, opened(home) as m:
                counting()
                forget(m, ready.planted)

        if _ends(child) == 0:
            break
        done += _assert_all_or_nothing(home, ready.planted)
    assert statement > 100
    assert 0 < done < statement / EVERY - 1


@contextmanager
def _dying_at_statement(number: int) -> Iterator[Callable[[], None]]:
    """Die when the nth statement begins on any connection, from when it is told to count."""
    left = [-1]

    def tell(_: dict[str, Any]) -> None:
        left[0] -= 1
        if left[0] == 0:
            _die()

    def count() -> None:
        left[0] = number

    def connect(path: Path, timeout: float, *, for_file: bool = False) -> apsw.Connection:
        db = original(path, timeout, for_file=for_file)
        db.trace_v2(apsw.SQLITE_TRACE_STMT, tell)
        return db

    original = connections.connect
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connections, "connect", connect)
        yield count


def _ends(child: Callable[[], None]) -> int | None:
    """How a process ended that did this."""
    process = FORK.Process(target=child)
    process.start()
    process.join()
    return process.exitcode


def _assert_all_or_nothing(home: Path, planted: Planted) -> bool:
    """That all is there, or nothing of it is any more; whether it is gone."""
    with opened(home) as m:
        assert m._store.check() == []
        there = {each.id for each in m.list(statuses=list(memoranda.Status), limit=100)}
        gone = not there & set(planted.memories)
        if gone:
            assert told_of(m, planted) == []
            again = m.import_(planted.export)
            assert (again.stored, again.forgotten) == (0, len(planted.turns))
            assert traces(home, [WORD], planted.vectors) == []
            assert not list(home.glob("memory.db.before-*"))
        else:
            for id in (*planted.memories, *planted.turns):
                assert m.show(id)
            assert m.recall(WORD).hits
        for id in planted.staying:
            assert m.show(id)
        assert m.recall(STAYING[1]).hits[0].content == STAYING[1]
    assert not gone or traces(home, [WORD], planted.vectors) == []
    return gone


# While others read and write ----------------------------------------------------------------------

ROUNDS = int(os.environ.get("STRESS_FORGETTINGS", "20"))
PATIENCE = 30.0
"""Seconds after which what is pending must have been cleared while others go on."""


@dataclass(frozen=True)
class Round:
    """One forgetting: what readers look for in their answers and in their copies of vectors."""

    word: str
    vectors: tuple[Vector, ...]


def _read(home: Path, gone: Queue[Round | None], told: Queue[list[str]], ready: Barrier) -> None:
    """Recall all the time, by meaning too; tell of each forgetting what is still found of it."""
    with opened(home) as m:
        ready.wait(PATIENCE)
        while True:
            m.recall("what did Anna say about the harbour?", limit=20)
            try:
                forgotten = gone.get(timeout=0.001)
            except Empty:
                continue
            if forgotten is None:
                return
            found = m.recall(forgotten.word, limit=50, budget=0).hits
            told.put(
                [f"found {hit.id}" for hit in found if forgotten.word in repr(hit).lower()]
                + [f"copied {name}" for name in _copied(m, forgotten.vectors)]
            )


def _copied(m: Memoranda, vectors: tuple[Vector, ...]) -> Iterator[str]:
    """Where a store holds vectors in memory still."""
    assert isinstance(m._store, SqliteStore)
    for key, copy in m._store._vectors.items():
        for scope in copy._scopes.values():
            held = b"" if scope._exact is None else scope._exact[: scope.size].tobytes()
            if any(vector in held for vector in vectors):
                yield f"{key}"


def _write(home: Path, stop: Event, ready: Barrier) -> None:
    """Write turns and memories that stay, all the time."""
    vocabulary = Vocabulary(random.Random(3))
    with opened(home) as m:
        ready.wait(PATIENCE)
        while not stop.is_set():
            m.observe([Turn("staying", "user", vocabulary.text(200)) for _ in range(3)])
            m.remember(f"Anna says {vocabulary.text(80)}")


@pytest.mark.slow
def test_while_others_read_and_write_nothing_is_left_once_it_is_done(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    words = canaries(ROUNDS, seed=11)
    told: Queue[list[str]] = FORK.Queue()
    queues: list[Queue[Round | None]] = [FORK.Queue() for _ in range(2)]
    stop, ready = FORK.Event(), FORK.Barrier(len(queues) + 2)
    others = [FORK.Process(target=_read, args=(home, each, told, ready)) for each in queues]
    others.append(FORK.Process(target=_write, args=(home, stop, ready)))
    for process in others:
        process.start()
    ready.wait(PATIENCE)
    vectors: list[Vector] = []
    pending = 0
    try:
        for number, word in enumerate(words):
            with opened(home) as m:
                planted = Planted(tmp_path / f"{word}.jsonl", word)
                for add in (plants.turns, plants.on_turns, plants.by_hand):
                    add(m, planted)
                gone = tuple(vectors_of(m, word))
                if number % 2:  # without a copy of its own
                    m.recall(word)
                receipt = m.forget(*planted.turns, *planted.memories)
            pending += bool(receipt.pending)
            _clear(home, receipt)
            vectors += gone
            assert traces(home, [word], gone, least=8) == []
            for queue in queues:
                queue.put(Round(word, gone))
            assert [told.get(timeout=PATIENCE) for _ in queues] == [[], []]
    finally:
        stop.set()
        for queue in queues:
            queue.put(None)
        for process in others:
            process.join(PATIENCE)
    assert [process.exitcode for process in others] == [0] * len(others)
    print(f"{pending} of {ROUNDS} were pending at first")  # noqa: T201
    assert traces(home, words, vectors, least=8) == []
    with opened(home) as m:
        assert m._store.check() == []
        assert m.status().holdings.turns


def _clear(home: Path, receipt: Receipt) -> None:
    """Open the home until nothing is pending any more."""
    until = time.monotonic() + PATIENCE
    while receipt.pending:
        assert time.monotonic() < until, receipt.pending
        with opened(home) as m:
            receipt = Receipt((), pending=m._store.purge().pending)


# After long use -----------------------------------------------------------------------------------

OPERATIONS = int(os.environ.get("STRESS_OPERATIONS", "10000"))
EMBEDDED_EVERY = 500
SMALL_TALK = "They spoke of the weather for a while, which had been better last year. "


class Life:
    """A home in use: random words come, change and go; the words of what is gone are known."""

    def __init__(self, m: Memoranda, folder: Path, seed: int) -> None:
        self._m = m
        self._folder = folder
        self._chance = random.Random(seed)
        self._words = iter(canaries(10 * OPERATIONS, seed, letters=ascii_lowercase))
        self._number = 0
        self.said: dict[str, list[str]] = {}
        """By the ids of memories and turns that are there, their words."""
        self.memories: dict[str, None] = {}
        self._forgotten: set[str] = set()
        self._merged: set[str] = set()
        self._revised: set[str] = set()

    def live(self, operations: int) -> None:
        often = {
            self.observe: 41, self.remember: 22, self.revise: 14, self.confirm: 12, self.merge: 5,
            self.import_: 5, self.forget: 1,
        }  # fmt: skip
        chosen = self._chance.choices(list(often), list(often.values()), k=operations)
        for number, operation in enumerate(chosen, start=1):
            operation()
            if number % EMBEDDED_EVERY == 0:
                self._embed()

    def _embed(self) -> None:
        self._m._embedder = Letters()
        self._m.embed()
        self._m._embedder = None

    def _some(self, count: int) -> list[str]:
        return [next(self._words) for _ in range(count)]

    def _any_memory(self) -> str | None:
        ids = list(self.memories)
        return self._chance.choice(ids) if ids else None

    def _turn(self) -> tuple[Turn, list[str]]:
        self._number += 1
        words = self._some(3)
        filler = SMALL_TALK * self._chance.choice((0, 1, 1, 2, 20))
        text = f"{words[0]} {filler}{words[1].title()}"
        return Turn(f"c{self._number % 60}", "user", text, id=words[2]), words

    def observe(self) -> None:
        turn, words = self._turn()
        (id,) = self._m.observe([turn]).turns
        self.said[id] = words

    def import_(self) -> None:
        turns = [self._turn() for _ in range(5)]
        file = self._folder / "export.jsonl"
        file.write_text("\n".join(json.dumps(line(turn)) for turn, _ in turns))
        for id, (_, words) in zip(self._m.import_(file).turns, turns, strict=True):
            self.said[id] = words

    def remember(self) -> None:
        words = self._some(4)
        topics = [words[2]] if self._chance.random() < 0.1 else []  # each is compared with all
        memory = self._m.remember(
            f"{words[0].title()} has the keys",
            detail=f"{words[1]} {words[2]}",
            topics=topics,
            entities=[words[3]],
        )
        self.said[memory.id] = words
        self.memories[memory.id] = None

    def revise(self) -> None:
        """The new memory takes over what the old one had beside its content.

        With the names of an entity that was merged it would be hard to tell which are whose.
        """
        old = self._any_memory()
        if old is None or old in self._merged:
            return
        (word,) = self._some(1)
        new = self._m.revise(old, f"{word} has them", reason=word)
        del self.memories[old]
        self.memories[new.id] = None
        self.said[new.id] = [word, *self.said[old][1:]]
        self._revised.add(new.id)

    def confirm(self) -> None:
        memory = self._any_memory()
        if memory is not None:
            self._m.confirm(memory)

    def merge(self) -> None:
        one, other = self._any_memory(), self._any_memory()
        if one is None or other is None or {one, other} & self._revised:
            return
        with suppress(InvalidInput):  # they are one already
            self._m.merge(self.said[one][-1], self.said[other][-1])
        self._merged |= {one, other}

    def forget(self) -> None:
        ids = self._chance.sample(list(self.said), min(len(self.said), 16))
        if not ids:
            return
        receipt = self._m.forget(*ids)
        assert receipt.pending == ()
        for id in (*receipt.forgotten, *receipt.turns):
            self._forgotten.update(self.said.pop(id))
            self.memories.pop(id, None)

    def gone(self) -> list[str]:
        """The words of what was forgotten that nothing says any more.

        What a memory told beside its content, the one that took its place tells too.
        """
        return sorted(self._forgotten.difference(*self.said.values()))


@pytest.mark.slow
def test_after_a_long_life_nothing_is_left_of_what_was_forgotten(tmp_path: Path) -> None:
    """Of words of many megabytes eight letters are looked for; with this seed no others have them.

    With six, twenty or so of the words that stay would have some of those that went.
    """
    home = memoranda.init(tmp_path / "home", enable=True)
    with opened(home) as m:
        m._embedder = None
        life = Life(m, tmp_path, seed=17)
        life.live(OPERATIONS)
        gone = life.gone()
        assert len(gone) > OPERATIONS / 20
        m._embedder = Letters()
        planted = plant(m, WAYS["ids"], tmp_path / "planted.jsonl", neighbours(m))
        assert forget(m, planted).pending == ()
        assert traces(home, [WORD], planted.vectors) == []
        assert traces(home, gone, least=8) == []
        assert m._store.check() == []
        assert told_of(m, planted) == []
        for id in random.Random(1).sample(list(life.said), 50):
            assert m.show(id)
    assert traces(home, [*gone, WORD], planted.vectors, least=8) == []
