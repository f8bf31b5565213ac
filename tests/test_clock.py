"""A clock that was set back: what somebody does still counts, and it is told."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import memoranda
from memoranda import Memoranda, Status

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
BACK = NOW - timedelta(days=1)


@pytest.fixture
def m(m: Memoranda) -> Memoranda:
    m._clock = lambda: NOW
    return m


def set_back(m: Memoranda) -> None:
    m._clock = lambda: BACK


def test_what_was_revised_takes_the_place_of_what_is_dated_later(m: Memoranda) -> None:
    tank = m.remember("The pool is called tank")
    set_back(m)
    lake = m.revise(tank.id, "The pool is called lake")
    assert [each.content for each in m.list()] == ["The pool is called lake"]
    assert [hit.content for hit in m.recall("pool").hits] == ["The pool is called lake"]
    old = m.show(tank.id)
    assert isinstance(old, memoranda.Memory)
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, lake.id)
    assert old.valid_to is not None
    assert old.valid_from is not None
    assert old.valid_from >= old.valid_to  # it held at no time, rather than at another


def test_the_ledger_keeps_the_order_in_which_things_were_done(m: Memoranda) -> None:
    tank = m.remember("The pool is called tank")
    set_back(m)
    m.pin(tank.id)
    m.confirm(tank.id)
    assert [each.operation for each in m.history(tank.id)] == ["remember", "pin", "confirm"]


def test_retiring_and_forgetting_reach_what_is_dated_later(m: Memoranda) -> None:
    tank, tea = m.remember("The pool is called tank"), m.remember("User likes tea")
    set_back(m)
    m.retire(tank.id)
    assert m.forget(tea.id).pending == ()
    assert m.list() == ()


def test_ids_stay_different_and_files_in_step(m: Memoranda, home: Path) -> None:
    before = [m.remember(f"Shed {n} has a red door").id for n in range(20)]
    set_back(m)
    after = [m.remember(f"Barn {n} has a blue door").id for n in range(20)]
    assert len({*before, *after}) == 40
    m.sync()
    mirrored = {each.stem for each in (home / "mirror").rglob("*.md")}
    assert mirrored == {*before, *after}


def test_a_pass_undone_and_swept_a_day_earlier(m: Memoranda) -> None:
    m.observe([memoranda.Turn("c", "user", "I prefer tabs over spaces.", time=NOW)])
    set_back(m)
    done = m.consolidate(model="rules")
    assert done.turns == 1
    assert m.sweep().expired == ()
    m.undo(done.id)
    assert m.list() == ()


def test_who_opens_a_home_whose_last_change_is_still_to_come_is_told(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with memoranda.open(home) as m:
        m._clock = lambda: datetime.now(UTC) + timedelta(days=1)
        m.remember("The pool is called tank")
    with caplog.at_level(logging.WARNING), memoranda.open(home) as m:
        m.remember("User likes tea")
    assert "`memoranda doctor` tells more" in caplog.text
    (told,) = [each for each in memoranda.doctor(home).symptoms if each.severity == "error"]
    assert told.check == "clock"


def test_who_opens_any_other_home_is_told_nothing(
    home: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING), memoranda.open(home):
        pass
    assert caplog.text == ""
