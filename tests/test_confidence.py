"""How sure we are of a memory: by evidence, by time, by a person."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise, permutations

from hypothesis import given
from hypothesis import strategies as st

from memoranda.passes import Decision
from memoranda.policy import confidence
from memoranda.policy.confidence import CONFIDENCE, SAID, Level, level, said_again
from memoranda.policy.consolidation import mentioned
from memoranda.policy.fading import curves
from memoranda.settings import Settings
from memoranda.testing import DAY, MARCH, OWNER, a_memory
from memoranda.types import Candidate, Kind, Memory, Source

HALF_LIVES = curves(Settings()).half_lives
CONFIDENCES = st.floats(0, 1)
KINDS = st.sampled_from(Kind)
SPANS = st.timedeltas(timedelta(0), timedelta(days=40_000))
ORDER = [Level.LOW, Level.MEDIUM, Level.HIGH]


def said(*days: float, kind: Kind = Kind.PREFERENCE, basis: str = "stated") -> Memory:
    """A memory that somebody said on these days."""
    first, *others = (MARCH + day * DAY for day in days)
    memory = a_memory(
        "User likes tea",
        kind=kind,
        confidence=SAID[basis],  # type: ignore[index]
        at=first,
        sources=(Source(kind="turn", time=first, turn="0"),),
    )
    for place, at in enumerate(others, 1):
        memory = say_again(memory, at, place)
    return memory


def say_again(memory: Memory, at: datetime, turn: int) -> Memory:
    candidate = Candidate(str(turn), 0, 1, "q", memory.kind, "c", SAID["stated"], said=at)
    decision = Decision("d", OWNER, candidate, "p", at)
    source = Source(kind="turn", time=at, turn=str(turn))
    return mentioned(memory, decision, source, HALF_LIVES, at)


def sure(memory: Memory, at: datetime) -> Level:
    return level(confidence.now(memory, at, HALF_LIVES))


def test_the_levels_are_what_is_promised() -> None:
    assert [level(CONFIDENCE[each]) for each in Level] == list(Level)
    assert sure(said(0), MARCH) == Level.LOW
    assert sure(said(0, 1), MARCH + DAY) == Level.MEDIUM
    assert sure(said(0, 1, 2), MARCH + 2 * DAY) == Level.HIGH
    assert sure(said(0, 14, 40), MARCH + 40 * DAY) == Level.HIGH
    assert sure(said(0, 0.1, 0.2), MARCH + DAY) == Level.LOW, "three times in a day is once"
    assert level(confidence.confirmed(SAID["reported"])) == Level.HIGH
    assert SAID["reported"] < SAID["hedged"] < SAID["stated"]


@given(st.lists(st.integers(0, 5000), min_size=2, max_size=12, unique=True), KINDS)
def test_no_single_day_takes_a_memory_more_than_one_level_up(days: list[int], kind: Kind) -> None:
    memory = said(0, kind=kind)
    for place, day in enumerate(sorted(days), 1):
        at = MARCH + day * DAY
        before = sure(memory, at)
        memory = say_again(memory, at, place)
        assert ORDER.index(sure(memory, at)) <= ORDER.index(before) + 1


@given(CONFIDENCES, CONFIDENCES)
def test_saying_it_again_never_makes_it_less_sure(stored: float, share: float) -> None:
    left = stored * share
    after = said_again(stored, left)
    assert left <= after <= max(stored, confidence.MOST)
    assert ORDER.index(level(after)) <= ORDER.index(level(left)) + 1
    assert after <= said_again(stored, stored), "what faded counts for less"


@given(st.integers(2, 20))
def test_each_day_adds_less_than_the_one_before(days: int) -> None:
    sures = [said(*range(count)).confidence for count in range(1, days + 2)]
    gains = [after - before for before, after in pairwise(sures)]
    assert gains == sorted(gains, reverse=True)
    assert all(gain >= 0 for gain in gains)
    assert max(sures) <= confidence.MOST


def test_the_order_in_which_equal_days_are_heard_of_does_not_matter() -> None:
    days = (3, 3.2, 3.4)
    memories = [said(0, *some) for some in permutations(days)]
    assert len({each.confidence for each in memories}) == 1
    assert len({each.confirmed_at.date() for each in memories if each.confirmed_at}) == 1
    assert {said(0, *some).confidence for some in permutations((3, 8, 11))} == {
        said(0, 3, 8, 11).confidence
    }


@given(CONFIDENCES, KINDS, SPANS, SPANS, st.booleans())
def test_time_only_takes_away_and_never_all_at_once(
    stored: float, kind: Kind, one: timedelta, other: timedelta, pinned: bool
) -> None:
    memory = a_memory("x", kind=kind, confidence=stored, pinned=pinned)
    sooner, later = sorted((MARCH + one, MARCH + other))
    early, late = (confidence.now(memory, at, HALF_LIVES) for at in (sooner, later))
    assert 0 <= late <= early <= stored
    if later - sooner <= DAY:
        assert abs(ORDER.index(level(early)) - ORDER.index(level(late))) <= 1
    if pinned or kind == Kind.EPISODE:
        assert late == stored


@given(CONFIDENCES)
def test_a_persons_word_makes_any_memory_high(before: float) -> None:
    after = confidence.confirmed(before)
    assert level(after) == Level.HIGH
    assert before <= after or before > confidence.MOST


@given(KINDS, SPANS)
def test_what_is_old_for_its_kind_is_told_since_when(kind: Kind, age: timedelta) -> None:
    memory = a_memory("x", kind=kind)
    since = confidence.unconfirmed_since(memory, MARCH + age, HALF_LIVES)
    old = age >= HALF_LIVES[kind] and kind != Kind.EPISODE
    assert since == (MARCH if old else None)
    again = replace(memory, confirmed_at=MARCH + age)
    assert confidence.unconfirmed_since(again, MARCH + age, HALF_LIVES) is None
