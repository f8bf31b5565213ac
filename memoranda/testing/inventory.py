"""What every Store promises to tell somebody besides their memories, as tests."""

from __future__ import annotations

from memoranda.protocols import Store
from memoranda.testing import ANNA, DAY, MARCH, OWNER, SITE, a_memory, add, incoming, observe
from memoranda.types import Choice, Conversation, Forgotten


class InventoryPromises:
    """For a `store` that is empty."""

    def test_conversations_are_told_with_their_counts_and_dates(self, store: Store) -> None:
        assert store.conversations((OWNER,), MARCH) == []
        turns = [
            incoming("one", conversation="late", time=MARCH + DAY),
            incoming("two", conversation="early", time=MARCH, quarantined="a reason"),
            incoming("three", conversation="late", time=MARCH - DAY),
        ]
        store.observe(turns, OWNER, SITE, at=MARCH, by="test", deliberate=True)
        observe(store, incoming("four", conversation="late"), scope=ANNA)
        store.set_incognito("early", True, OWNER, at=MARCH, by="test")
        assert store.conversations((OWNER,), MARCH + DAY) == [
            Conversation("late", OWNER, SITE, 2, MARCH - DAY, MARCH + DAY),
            Conversation("early", OWNER, SITE, 1, MARCH, MARCH, quarantined=1, incognito=True),
        ]
        assert [each.scope for each in store.conversations((OWNER, ANNA), MARCH)][-1] == ANNA
        assert store.conversations((), MARCH) == []

    def test_what_was_forgotten_is_told_by_when_and_how_much(self, store: Store) -> None:
        memory, other = a_memory("Mara has a plum"), a_memory("Tom has a pear", scope=ANNA)
        add(store, memory, other)
        observe(store, incoming("hello", id="1"), incoming("there", id="2"))
        store.forget(Choice(ids=(memory.id,)), (OWNER,), at=MARCH, by="one")
        store.forget(Choice(conversation="c"), (OWNER,), at=MARCH + DAY, by="two")
        store.forget(Choice(ids=(other.id,)), (ANNA,), at=MARCH, by="three")
        assert store.forgotten((OWNER,)) == [
            Forgotten(MARCH, "one", 1, 0),
            Forgotten(MARCH + DAY, "two", 0, 2),
        ]
        assert [each.by for each in store.forgotten((ANNA,))] == ["three"]
        assert store.forgotten(()) == []
