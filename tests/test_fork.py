"""An open home does not come along into a forked process: SQLite's locks are the other's."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

import memoranda
from memoranda import Memoranda, StoreError

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system forks no processes"),
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


def in_child(act: Callable[[], None]) -> bool:
    """Whether a forked process did it without an error."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:  # noqa: BLE001 - told to the parent
            traceback.print_exc(file=sys.__stderr__)
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("verb", ["list", "remember", "recall", "forget", "observe", "sync"])
def test_every_verb_is_refused_in_a_forked_process(m: Memoranda, verb: str) -> None:
    id = m.remember("The pool is called tank").id
    acts: dict[str, Callable[[], object]] = {
        "list": lambda: m.list(),
        "remember": lambda: m.remember("User likes tea"),
        "recall": lambda: m.recall("pool"),
        "forget": lambda: m.forget(id),
        "observe": lambda: m.observe([memoranda.Turn("c", "user", "plum")]),
        "sync": lambda: m.sync(),
    }

    def act() -> None:
        with pytest.raises(StoreError, match=r"forked from process.*open the home anew"):
            acts[verb]()

    assert in_child(act)
    assert m.show(id)
    assert m.remember("It still works")


def test_a_forked_process_that_ends_or_closes_leaves_the_other_alone(
    m: Memoranda, home: Path
) -> None:
    m.remember("The pool is called tank")
    log = home / "memory.db-wal"
    held = log.stat().st_ino
    assert in_child(m.close)
    assert log.stat().st_ino == held
    m.remember("User likes tea")
    with memoranda.open(home) as other:
        assert len(other.list()) == 2
    assert log.stat().st_ino == held


def test_a_forked_process_opens_the_home_anew(m: Memoranda, home: Path) -> None:
    m.remember("The pool is called tank")

    def act() -> None:
        with memoranda.open(home) as mine:
            mine.remember("User likes tea")

    assert in_child(act)
    assert len(m.list()) == 2
    assert memoranda.doctor(home).is_sound


def test_within_a_transaction_too(m: Memoranda) -> None:
    def act() -> None:
        with pytest.raises(StoreError, match="forked"):
            m.list()

    with m._store.transaction():
        m.remember("The pool is called tank")
        assert in_child(act)
    assert len(m.list()) == 1
