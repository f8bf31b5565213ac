"""What every Store promises of contradictions, as tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from memoranda.care import Contradicting, Pair
from memoranda.errors import NotFound
from memoranda.protocols import Open, Store
from memoranda.testing import ANNA, DAY, MARCH, OWNER, SITE, a_memory, add, forget
from memoranda.types import Change, Memory, Operation, Status

CONFLICT, OVERRIDE, OFFER = Contradicting


def pair(memory: Memory, against: Memory, kind: Contradicting = CONFLICT) -> Pair:
    return Pair(kind, memory.id, against.id, "name")


def noted(store: Store, *pairs: Pair) -> None:
    store.contradictions.add(pairs, at=MARCH)


def left(store: Store, *visible: object) -> list[tuple[str, str]]:
    found: Sequence[Open] = store.contradictions.open(visible or (OWNER,), limit=10)  # type: ignore[arg-type]
    return [(each.pair.memory, each.pair.against) for each in found]


def closed(store: Store, memory: Memory, status: Status, by: Memory | None = None) -> None:
    before = store.memory(memory.id, (memory.scope,))
    after = replace(
        before, status=status, closed_at=MARCH, superseded_by=None if by is None else by.id
    )
    store.apply([Change(Operation.UPDATE, before, after)], at=MARCH, by="test")


class ContradictionPromises:
    """For a `store` that is empty."""

    def test_a_contradiction_is_told_with_either_side(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee", at=MARCH + DAY)
        add(store, old, new)
        noted(store, pair(new, old))
        (found,) = store.contradictions.open((OWNER,), limit=10)
        assert found.pair == pair(new, old)
        assert (found.found_at, found.weighed) == (MARCH, False)
        assert store.contradictions.one(found.id[:24], (OWNER,)) == found
        assert store.memory(old.id, (OWNER,)).contradicts == (new.id,)
        assert store.memory(new.id, (OWNER,)).contradicts == (old.id,)

    def test_a_pair_is_known_once_whichever_side_is_told_first(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old, new)
        noted(store, pair(new, old))
        noted(store, pair(new, old), pair(old, new))
        assert left(store) == [(new.id, old.id)]

    def test_of_what_is_not_there_nothing_is_kept(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old)
        noted(store, pair(new, old))
        add(store, new)
        assert left(store) == []

    @pytest.mark.parametrize("status", [each for each in Status if not each.live])
    def test_when_a_side_is_closed_it_is_open_no_more(self, store: Store, status: Status) -> None:
        for place in (0, 1):
            two = a_memory("tea"), a_memory("coffee")
            add(store, *two)
            noted(store, pair(*two))
            closed(store, two[place], status)
            assert left(store) == []
            other = store.memory(two[1 - place].id, (OWNER,))
            assert other.contradicts == ()
            forget(store, other)

    def test_what_is_settled_is_not_found_again(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old, new)
        noted(store, pair(new, old))
        (found,) = store.contradictions.open((OWNER,), limit=10)
        store.contradictions.settle(found.id, at=MARCH)
        noted(store, pair(new, old), pair(old, new))
        assert left(store) == []
        assert store.memory(old.id, (OWNER,)).contradicts == ()
        with pytest.raises(NotFound):
            store.contradictions.one(found.id, (OWNER,))

    def test_what_a_model_looked_at_is_told_so(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old, new)
        noted(store, pair(new, old))
        (found,) = store.contradictions.open((OWNER,), limit=10)
        store.contradictions.weigh(found.id, at=MARCH)
        (found,) = store.contradictions.open((OWNER,), limit=10)
        assert found.weighed

    def test_with_a_memory_goes_what_it_contradicts(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old, new)
        noted(store, pair(new, old))
        forget(store, new)
        assert left(store) == []
        assert store.memory(old.id, (OWNER,)).contradicts == ()
        assert store.check() == []

    def test_pages_follow_each_other(self, store: Store) -> None:
        memories = [a_memory(f"memory {n}", at=MARCH + n * DAY) for n in range(6)]
        add(store, *memories)
        noted(store, *(pair(each, memories[0]) for each in memories[1:]))
        seen: list[Open] = []
        after = None
        while some := store.contradictions.open((OWNER,), after=after, limit=2):
            seen += some
            after = some[-1].id
        assert [each.pair.memory for each in seen] == [each.id for each in memories[1:]]

    def test_neither_side_is_told_to_who_sees_only_one(self, store: Store) -> None:
        mine, theirs = a_memory("tea"), a_memory("coffee", scope=ANNA)
        add(store, mine, theirs)
        noted(store, pair(theirs, mine))
        assert left(store, OWNER) == left(store, ANNA) == []
        assert left(store, OWNER, ANNA) == [(theirs.id, mine.id)]
        assert store.memory(mine.id, (OWNER,)).contradicts == ()
        assert store.memory(mine.id, (OWNER, ANNA)).contradicts == (theirs.id,)

    def test_an_override_is_told_where_it_is_open(self, store: Store) -> None:
        wide, narrow = a_memory("100"), a_memory("88", scope=SITE)
        add(store, wide, narrow)
        noted(store, pair(narrow, wide, OVERRIDE))
        assert store.memory(wide.id, (OWNER, SITE)).overridden_by == narrow.id
        assert store.memory(wide.id, (OWNER,)).overridden_by is None
        assert store.memory(narrow.id, (OWNER, SITE)).contradicts == ()
        kinds = store.contradictions.open((OWNER, SITE), kinds=[CONFLICT, OFFER], limit=10)
        assert kinds == []

    @pytest.mark.parametrize("replaced", [True, False])
    def test_what_overrides_is_offered_how_the_wider_one_changed(
        self, store: Store, replaced: bool
    ) -> None:
        wide, narrow, new = a_memory("100"), a_memory("88", scope=SITE), a_memory("120")
        add(store, wide, narrow, new)
        noted(store, pair(narrow, wide, OVERRIDE))
        if replaced:
            closed(store, wide, Status.SUPERSEDED, new)
        else:
            closed(store, wide, Status.RETIRED)
        (found,) = store.contradictions.open((OWNER, SITE), limit=10)
        assert found.pair.kind == OFFER
        assert found.pair.against == (new.id if replaced else wide.id)
        assert store.memory(new.id, (OWNER, SITE)).overridden_by == (
            narrow.id if replaced else None
        )
        store.contradictions.settle(found.id, at=MARCH, override=True)
        (found,) = store.contradictions.open((OWNER, SITE), limit=10)[: int(replaced)] or (found,)
        assert found.pair.memory == narrow.id
