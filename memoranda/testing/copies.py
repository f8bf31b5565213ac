"""What every Store promises of its copies, as tests."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from memoranda.errors import StoreError
from memoranda.protocols import Store
from memoranda.saved import Noted
from memoranda.testing import MARCH, a_memory, add, forget, incoming, observe
from memoranda.types import Choice

PLACE = "/backups"


class CopyPromises:
    """For a `store` that is empty."""

    def test_a_copy_holds_what_the_store_held_at_one_moment(
        self, store: Store, tmp_path: Path
    ) -> None:
        done = threading.Event()

        def write() -> None:
            while not done.is_set():
                observe(store, incoming("more"))

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for n in range(5):
                made = store.copies.make(tmp_path / f"copy-{n}")  # which compares the two
                assert store.copies.check(tmp_path / f"copy-{n}") == made
        finally:
            done.set()
            writer.join()

    def test_what_a_store_holds_changes_with_every_write_and_with_no_note(
        self, store: Store
    ) -> None:
        before = store.copies.held()
        store.copies.note(Noted(PLACE, "1", MARCH))
        assert store.copies.held() == before
        add(store, a_memory("the plan is plum"))
        assert store.copies.held() != before

    def test_a_copy_of_which_a_byte_is_other_is_not_sound(
        self, store: Store, tmp_path: Path
    ) -> None:
        add(store, a_memory("the plan is plum"))
        store.copies.make(tmp_path / "copy")
        (tmp_path / "copy").write_bytes((tmp_path / "copy").read_bytes()[:-4096])
        with pytest.raises(StoreError):
            store.copies.check(tmp_path / "copy")

    def test_a_copy_made_anew_has_not_what_the_store_forgot_and_all_else(
        self, store: Store, tmp_path: Path
    ) -> None:
        memory = a_memory("the plan is zirconium")
        observe(store, incoming("plum"), incoming("tea"))
        add(store, memory)
        store.copies.make(tmp_path / "copy")
        assert store.copies.without_forgotten(tmp_path / "copy", tmp_path / "a", at=MARCH) is None
        forget(store, memory)
        held = store.copies.without_forgotten(tmp_path / "copy", tmp_path / "new", at=MARCH)
        assert held is not None
        assert (held.counts["memory"], held.counts["turn"]) == (0, 2)
        assert memory.content.encode() in (tmp_path / "copy").read_bytes()
        assert memory.content.encode() not in (tmp_path / "new").read_bytes()
        assert store.copies.without_forgotten(tmp_path / "new", tmp_path / "b", at=MARCH) is None

    def test_what_is_forgotten_is_owed_to_backups_until_that_is_settled(self, store: Store) -> None:
        memory = a_memory("the plan is zirconium")
        add(store, memory)
        forget(store, memory)
        assert store.copies.owed() == (None, None)  # there are none
        store.copies.note(Noted(PLACE, "1", MARCH))
        store.forget(Choice(everything=True), (), at=MARCH, by="t")
        owed = store.copies.owed()
        assert owed[0] is not None
        store.forget(Choice(everything=True), (), at=MARCH, by="t")
        store.copies.settle(owed)
        assert store.copies.owed()[0] is not None  # more was forgotten meanwhile
        store.copies.settle(store.copies.owed())
        assert store.copies.owed() == (None, None)

    def test_the_last_backup_of_each_place_is_noted(self, store: Store) -> None:
        later = Noted(PLACE, "2", MARCH + timedelta(days=1), same_disk=True)
        for each in (Noted(PLACE, "1", MARCH), later, Noted("/other", "1", MARCH)):
            store.copies.note(each)
        assert {each.place: each for each in store.copies.noted()} == {
            PLACE: later,
            "/other": Noted("/other", "1", MARCH),
        }
        store.copies.drop("/other")
        assert store.copies.noted() == [later]
