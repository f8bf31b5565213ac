"""What every Store promises of the switches of capture, as tests."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memoranda.errors import CaptureOff
from memoranda.protocols import Store
from memoranda.testing import ANNA, DAY, MARCH, OWNER, SITE, incoming, observe
from memoranda.types import Choice, Scope, Switch

CODER, BUTLER = Scope("profile", "coder"), Scope("profile", "butler")


def switch(store: Store, scope: Scope | None, on: bool, *, themselves: bool = False) -> None:
    store.set_capture(on, scope, at=MARCH, by="test", themselves=themselves)


def captured(
    store: Store, scope: Scope, project: Scope | None = None, profile: Scope | None = None
) -> bool:
    """Whether a turn is stored, and whether the store told so before."""
    told = store.switched_off(scope, project, profile)
    turns = store.holdings((scope,)).turns
    refused = False
    try:
        store.observe(
            [incoming("hello", nth=0)],
            scope, project, at=MARCH, by="test", deliberate=False, profile=profile,
        )  # fmt: skip
    except CaptureOff as error:
        refused = True
        assert_tells(error, told)
    assert refused == bool(told)
    assert store.holdings((scope,)).turns == turns + (not refused)
    return not refused


def assert_tells(error: CaptureOff, switches: Sequence[Switch]) -> None:
    """It names what is off, and what turns it on."""
    assert [*error.scopes] == [*{str(each.scope): None for each in switches if each.scope}]
    assert all(each.remedy in str(error) for each in switches)


class SwitchPromises:
    """For a `store` that is empty."""

    def test_nothing_is_captured_unless_the_homes_switch_is_on(self, store: Store) -> None:
        switch(store, CODER, on=True)
        assert not captured(store, CODER)
        assert store.switches() == [Switch(None, False)]
        switch(store, None, on=True)
        assert captured(store, CODER)

    def test_what_is_off_captures_nothing_though_the_home_is_on(self, store: Store) -> None:
        switch(store, None, on=True)
        switch(store, CODER, on=False)
        assert not captured(store, CODER)
        assert not captured(store, CODER, SITE)
        assert not captured(store, ANNA, profile=CODER)
        assert captured(store, OWNER)
        assert captured(store, BUTLER, SITE)
        assert captured(store, ANNA, profile=BUTLER)
        switch(store, CODER, on=True)
        assert captured(store, CODER)

    def test_what_is_said_in_a_project_that_is_off_is_not_captured(self, store: Store) -> None:
        switch(store, None, on=True)
        switch(store, SITE, on=False)
        assert not captured(store, OWNER, SITE)
        assert not captured(store, CODER, SITE)
        assert not captured(store, ANNA, SITE)
        assert captured(store, CODER)

    def test_what_a_person_says_who_is_off_is_not_captured_by_any_agent(self, store: Store) -> None:
        switch(store, None, on=True)
        switch(store, OWNER, on=False)
        assert not captured(store, OWNER)
        assert not captured(store, CODER)
        assert captured(store, ANNA)
        switch(store, OWNER, on=True)
        switch(store, ANNA, on=False)
        assert not captured(store, ANNA)
        assert not captured(store, ANNA, SITE, CODER)
        assert captured(store, CODER)

    def test_each_hand_takes_back_what_it_did_and_off_wins(self, store: Store) -> None:
        switch(store, None, on=True)
        switch(store, ANNA, on=False)
        switch(store, ANNA, on=False, themselves=True)
        switch(store, ANNA, on=True, themselves=True)
        assert not captured(store, ANNA)
        switch(store, ANNA, on=False, themselves=True)
        switch(store, ANNA, on=True)
        assert [each.by for each in store.switched_off(ANNA, None)] == ["themselves"]
        assert not captured(store, ANNA)
        switch(store, ANNA, on=True, themselves=True)
        assert captured(store, ANNA)

    def test_a_switch_tells_since_when_and_by_whom(self, store: Store) -> None:
        switch(store, None, on=True)
        switch(store, CODER, on=False)
        store.set_capture(False, CODER, at=MARCH + DAY, by="again")
        store.set_capture(False, ANNA, at=MARCH + DAY, by="mcp", themselves=True)
        assert store.switches() == [
            Switch(None, True, MARCH, door="test"),
            Switch(CODER, False, MARCH, door="test"),
            Switch(ANNA, False, MARCH + DAY, "themselves", "mcp"),
        ]

    def test_what_is_brought_in_deliberately_is_stored(self, store: Store) -> None:
        switch(store, OWNER, on=False)
        assert observe(store, incoming("hello")).stored == 1

    def test_what_is_forgotten_stays_off_without_its_name(self, store: Store) -> None:
        switch(store, None, on=True)
        assert captured(store, ANNA)
        switch(store, ANNA, on=False)
        switch(store, CODER, on=False)
        store.forget(Choice(scope=ANNA, since=MARCH + DAY), (ANNA,), at=MARCH, by="test")
        assert [each.scope for each in store.switches()] == [None, CODER, ANNA]
        store.forget(Choice(scope=ANNA), (ANNA,), at=MARCH, by="test")
        assert [each.scope for each in store.switches()] == [None, None, CODER]
        assert [each.forgotten for each in store.switches()] == [False, True, False]
        assert not captured(store, ANNA)
        assert store.switched_off(ANNA, None)[0].scope == ANNA
        switch(store, ANNA, on=True)
        assert captured(store, ANNA)

    def test_what_is_off_stays_off_when_everything_is_forgotten(self, store: Store) -> None:
        switch(store, None, on=True)
        for scope in (OWNER, SITE):
            switch(store, scope, on=False)
        store.forget(Choice(everything=True), (OWNER,), at=MARCH, by="test")
        assert [each.scope for each in store.switches()] == [None, None, OWNER]
        assert not captured(store, CODER)
        switch(store, OWNER, on=True)
        assert not captured(store, CODER, SITE)
        assert captured(store, CODER)

    def test_a_switch_is_undone_with_its_transaction(self, store: Store) -> None:
        def fail() -> None:
            with store.transaction():
                switch(store, CODER, on=False)
                assert store.switched_off(CODER, None)
                raise ZeroDivisionError

        switch(store, None, on=True)
        with pytest.raises(ZeroDivisionError):
            fail()
        assert captured(store, CODER)
