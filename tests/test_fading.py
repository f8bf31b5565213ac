"""How present memories are, and what a sweep lets go of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import InvalidInput, Kind, Memoranda, Scope, ScopeClosed, Status, Turn, wiring
from memoranda.policy.access import Access
from memoranda.policy.fading import Curves, curves, expires_at, strength
from memoranda.protocols import Store
from memoranda.settings import Settings
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import ANNA, DAY, MARCH, a_memory, add, use
from memoranda.types import LIVE, Filter, Memory, Operation, Source
from memoranda.upkeep import sweep as sweeping

CURVES = curves(Settings())
KINDS = st.sampled_from(Kind)
MOMENTS = st.timedeltas(-2000 * DAY, 6000 * DAY).map(lambda after: MARCH + after)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    at = draw(MOMENTS)
    return a_memory(
        "x",
        at=at,
        kind=draw(KINDS),
        status=draw(st.sampled_from(sorted(LIVE))),
        pinned=draw(st.booleans()),
        used_at=draw(st.none() | MOMENTS),
        use_count=draw(st.integers(0, 10**6)),
        mention_count=draw(st.integers(1, 10**6)),
        confirmed_at=draw(st.none() | MOMENTS),
        sources=(Source(kind="person", time=draw(MOMENTS), by="test"),),
    )


@given(memories(), MOMENTS, MOMENTS)
def test_a_memory_only_gets_weaker_with_time(
    memory: Memory, one: datetime, other: datetime
) -> None:
    sooner, later = sorted((one, other))
    assert 0 <= strength(memory, later, CURVES) <= strength(memory, sooner, CURVES) <= 1


@given(memories(), MOMENTS, st.integers(1, 1000))
def test_a_memory_only_gets_stronger_with_use_and_evidence(
    memory: Memory, now: datetime, times: int
) -> None:
    before = strength(memory, now, CURVES)
    used = replace(memory, use_count=memory.use_count + times, used_at=now)
    said = replace(memory, mention_count=memory.mention_count + times)
    confirmed = replace(memory, status=Status.CURRENT, confirmed_at=now)
    assert all(strength(each, now, CURVES) >= before for each in (used, said, confirmed))


@given(memories())
def test_it_expires_just_when_it_is_too_weak(memory: Memory) -> None:
    at = expires_at(memory, CURVES)
    if memory.pinned or memory.kind == Kind.CONSTRAINT:
        assert at is None
        return
    if at is None:
        assert memory.use_count + memory.mention_count > 1000, "it outlives the calendar"
        return
    second = timedelta(seconds=1)
    assert strength(memory, at - second, CURVES) > CURVES.expires_below * (1 - 1e-9)
    assert strength(memory, at + second, CURVES) < CURVES.expires_below * (1 + 1e-9)


def test_preferences_and_constraints_fade_slowest_and_episodes_fastest() -> None:
    year = MARCH + 365 * DAY
    left = {kind: strength(a_memory("x", kind=kind), year, CURVES) for kind in Kind}
    assert sorted(left, key=lambda kind: left[kind])[:2] == [Kind.EPISODE, Kind.ENVIRONMENT]
    assert left[Kind.FACT] < left[Kind.PREFERENCE] < left[Kind.CONSTRAINT]
    proposed = a_memory("x", kind=Kind.PREFERENCE, status=Status.CANDIDATE)
    assert strength(proposed, year, CURVES) < left[Kind.EPISODE] * 1.01


def test_every_curve_is_data() -> None:
    options = Settings(half_life_fact=10, use_slows=0, expires_below=0.5)
    drawn = curves(options)
    used = a_memory("x", use_count=50, used_at=MARCH)
    assert expires_at(used, drawn) == MARCH + 10 * DAY
    assert expires_at(used, curves(replace(options, expires_below=0))) is None


# The sweep ----------------------------------------------------------------------------------------


@pytest.fixture
def store(home: Path) -> Iterator[SqliteStore]:
    opened = SqliteStore(home / "memory.db")
    yield opened
    opened.close()


def swept(store: Store, now: datetime, *, dry_run: bool = False) -> list[str]:
    done = sweeping.sweep(
        store,
        (Scope("user"),),
        (Scope("user"),),
        CURVES,
        conversation_days=0,
        now=now,
        by="test",
        dry_run=dry_run,
    )
    return [each.memory.content for each in done.expired]


def test_what_faded_expires_and_the_rest_is_told_when(store: SqliteStore) -> None:
    add(
        store,
        a_memory("a trip", kind=Kind.EPISODE),
        a_memory("a host", kind=Kind.ENVIRONMENT),
        a_memory("a rule", kind=Kind.CONSTRAINT),
        a_memory("a pinned trip", kind=Kind.EPISODE, pinned=True),
        a_memory("a proposal", kind=Kind.PREFERENCE, status=Status.CANDIDATE),
        a_memory("a sale", valid_to=MARCH + 5 * DAY),
        a_memory("a rule until June", kind=Kind.CONSTRAINT, valid_to=MARCH + 5 * DAY),
    )
    assert swept(store, MARCH + DAY) == []
    now = MARCH + 100 * DAY
    would = swept(store, now, dry_run=True)
    assert would == ["a sale", "a trip", "a proposal"]
    assert swept(store, now) == would
    assert swept(store, now) == []
    kept = store.memories((Scope("user"),), Filter(now=MARCH, statuses=LIVE), limit=10)
    assert {each.content for each in kept} == {
        "a host",
        "a rule",
        "a pinned trip",
        "a rule until June",
    }


def test_a_dry_run_tells_why_and_when_the_rest_will_go(store: SqliteStore) -> None:
    add(
        store, a_memory("a trip", kind=Kind.EPISODE), a_memory("a fact"), a_memory("p", pinned=True)
    )
    now = MARCH + 100 * DAY
    user = (Scope("user"),)
    told = sweeping.sweep(
        store, user, user, CURVES, conversation_days=0, now=now, by="test", dry_run=True
    )
    assert [each.why for each in told.expired] == ["not said, confirmed or used since 2026-03-01"]
    assert [each.memory.content for each in told.coming] == ["a fact"]
    assert told.coming[0].expires_at == MARCH + 730 * DAY
    assert told.lasting == 1
    assert told.dry_run


def test_a_used_memory_stays(store: SqliteStore) -> None:
    trip, other = (a_memory(each, kind=Kind.EPISODE) for each in ("a trip", "another"))
    add(store, trip, other)
    use(store, trip, at=MARCH + 80 * DAY)
    assert swept(store, MARCH + 100 * DAY) == ["another"]


def test_what_somebody_touches_meanwhile_stays(store: SqliteStore, home: Path) -> None:
    many = [a_memory(f"trip {n}", kind=Kind.EPISODE) for n in range(30)]
    add(store, *many)
    with wiring.open(home) as other:
        now = MARCH + 100 * DAY
        touched: list[str] = []

        def advance(done: int, left: int) -> None:
            if not touched:
                touched.append(other.confirm(many[25].id).id)

        done = sweeping.sweep(
            store,
            (Scope("user"),),
            (),
            CURVES,
            conversation_days=0,
            now=now,
            by="test",
            advance=advance,
        )
    assert len(done.expired) == 29
    assert store.memory(many[25].id, (Scope("user"),)).status == Status.CURRENT


def opened(home: Path, at: datetime, person: str | None = None) -> Memoranda:
    store = SqliteStore(home / "memory.db")
    access = Access(person=Scope("user", person))
    return Memoranda(store, Settings(), access, path=home, clock=lambda: at)


def test_what_expired_is_not_recalled_and_comes_back_when_it_is_confirmed(home: Path) -> None:
    with opened(home, MARCH) as m:
        trip = m.remember("The trip to Ghent was rainy", kind="episode")
        m.remember("The cellar is damp", kind="environment", valid_to=MARCH + DAY)
    later = MARCH + 120 * DAY
    with opened(home, later) as m:
        assert len(m.recall("Ghent").hits) == 1
    with opened(home, later + 150 * DAY) as m:
        done = m.sweep()
        assert len(done.expired) == 2
        assert m.recall("Ghent").hits == ()
        assert [hit.id for hit in m.recall("Ghent", as_of=later).hits] == [trip.id]
        (entry,) = [e for e in m.history(trip.id) if e.operation == Operation.EXPIRE]
        assert entry.reason == "not said, confirmed or used since 2026-06-29"
        with pytest.raises(InvalidInput, match="holds no more"):
            m.revise(trip.id, "The trip to Ghent was sunny")
        back = m.confirm(trip.id)
        assert (back.status, back.closed_at) == (Status.CURRENT, None)
        assert [hit.id for hit in m.recall("Ghent").hits] == [trip.id]
        ended = next(e.memory.id for e in done.expired if e.memory.id != trip.id)
        with pytest.raises(InvalidInput, match="ended 2026-03-02"):
            m.confirm(ended)


def test_a_sweep_is_of_what_is_open_here_or_of_all_for_the_owner(home: Path) -> None:
    store = SqliteStore(home / "memory.db")
    add(store, *(a_memory("a trip", kind=Kind.EPISODE, scope=s) for s in (Scope("user"), ANNA)))
    store.close()
    now = MARCH + 200 * DAY
    with opened(home, now, "anna") as m:
        with pytest.raises(ScopeClosed):
            m.sweep(everyone=True)
        assert [e.memory.scope for e in m.sweep(dry_run=True).expired] == [ANNA]
    with opened(home, now) as m:
        assert [e.memory.scope for e in m.sweep(dry_run=True).expired] == [Scope("user")]
        assert len(m.sweep(everyone=True).expired) == 2


def test_fading_bends_the_ranking_gently(home: Path) -> None:
    """What is old and exact goes first still; of two that are as like, the fresh one does."""
    with opened(home, MARCH) as m:
        m.remember("The backup of the NAS runs at 03:15")
        m.remember("Deploys of the shop need a review")
    now = MARCH + 3000 * DAY
    with opened(home, now) as m:
        for n in range(30):
            m.remember(f"The backup number {n} of a laptop is kept in the attic")
        m.remember("Deploys of the blog need a review")
        first = m.recall("The backup of the NAS runs at 03:15", limit=3).hits[0]
        assert first.content == "The backup of the NAS runs at 03:15"
        assert -0.1 < first.boosts["faded"] < 0
        assert first.unconfirmed_since == MARCH
        assert first.confidence is not None
        assert first.confidence < 0.01
        deploys = m.recall("what do deploys need?", limit=3).hits
        assert [hit.content.split()[3] for hit in deploys[:2]] == ["blog", "shop"]


def test_show_tells_the_version_of_a_past_date(home: Path) -> None:
    with opened(home, MARCH) as m:
        old = m.remember("User uses flake8", kind="preference")
    with opened(home, MARCH + 60 * DAY) as m:
        new = m.revise(old.id, "User uses Ruff")
        assert m.show(new.id).id == new.id  # type: ignore[union-attr]
        assert m.show(new.id, as_of=MARCH + DAY).id == old.id  # type: ignore[union-attr]
        assert m.show(old.id, known=MARCH + DAY).id == old.id  # type: ignore[union-attr]
        assert m.show(old.id, as_of=MARCH + 61 * DAY).id == new.id  # type: ignore[union-attr]
        with pytest.raises(Exception, match="held or was known then"):
            m.show(new.id, as_of=MARCH - DAY)


def test_old_conversations_are_counted_before_they_go(home: Path) -> None:
    with opened(home, MARCH) as m:
        m.observe([Turn("c", "user", "I like tea", time=MARCH), Turn("c", "assistant", "ok")])
        m.consolidate(model="rules")
    with opened(home, MARCH + 400 * DAY) as m:
        assert m.sweep(dry_run=True).turns == 0, "no model has read it"


def test_curves_may_be_drawn_by_hand() -> None:
    drawn = Curves(dict.fromkeys(Kind, DAY), DAY, 0.0, 0.5)
    assert strength(a_memory("x"), MARCH + DAY, drawn) == 0.5
