"""Memories as a file: under headings, the strongest first, within a length."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoranda.files.markdown import render
from memoranda.policy.fading import curves
from memoranda.policy.standing import standing
from memoranda.settings import Settings
from memoranda.testing import DAY, MARCH, a_memory
from memoranda.types import Kind, Status

CURVES = curves(Settings())


def test_each_has_its_day_its_level_and_its_id() -> None:
    rule = a_memory("Never deploy\non Fridays", kind=Kind.CONSTRAINT)
    fact = a_memory("The pool is called tank")
    told = render([fact, rule], MARCH + 400 * DAY, CURVES)
    assert told.splitlines() == [
        "# Memory",
        "",
        "## Constraints",
        "",
        f"- Never deploy on Fridays (2026-03-01, medium) <!-- {rule.id} -->",
        "",
        "## Facts",
        "",
        f"- The pool is called tank (2026-03-01, low) <!-- {fact.id} -->",
    ]


@given(st.lists(st.text(max_size=300), max_size=40), st.integers(0, 3000))
def test_content_fits_and_the_rest_is_counted(contents: list[str], characters: int) -> None:
    memories = [a_memory(each) for each in contents]
    told = render(memories, MARCH, CURVES, characters=characters)
    kept = [each for each in memories if each.id in told]
    assert sum(len(" ".join(each.content.split())) for each in kept) <= characters
    left = len(memories) - len(kept)
    assert (f"{left} more are in the store." in told) == (left > 0)


def test_what_stands_comes_in_order_and_losers_do_not() -> None:
    pinned = a_memory("pinned", pinned=True, at=MARCH - 900 * DAY)
    fresh, old = a_memory("fresh"), a_memory("old", at=MARCH - 300 * DAY)
    loser, proposed = a_memory("loser"), a_memory("proposed", status=Status.CANDIDATE)
    narrow = a_memory("wide", overridden_by="X")
    found = standing(
        [old, loser, proposed, narrow, fresh, pinned], MARCH, CURVES, frozenset({loser.id})
    )
    assert [each.content for each in found] == ["pinned", "fresh", "old"]
