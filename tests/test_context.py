"""The block for a prompt: what is in it, in which order, and what is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Context, Memoranda
from memoranda.context.assemble import SHARE, Asked, assemble
from memoranda.context.standing import Standing, day_of
from memoranda.context.standing import standing as stand
from memoranda.policy.access import Access
from memoranda.policy.fading import curves
from memoranda.policy.standing import standing as in_order
from memoranda.settings import Settings
from memoranda.testing import MARCH, a_memory
from memoranda.text import tokens
from memoranda.text.masking import mask
from memoranda.types import Kind, Memory, Source, Status
from tests.consolidating import DAY, MONDAY, SITE, Clock, later, opened, said

CURVES = curves(Settings())


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with opened(home, clock=Clock(MONDAY)) as made:
        yield made


def lines(context: Context, heading: str) -> list[str]:
    """What is told under a heading, without its day and its id."""
    found, within = [], False
    for line in context.text.splitlines():
        if line.startswith("## "):
            within = line == f"## {heading}"
        elif within and line.startswith("- "):
            found.append(line[2:].split(" (")[0])
    return found


def test_what_stands_comes_first_and_then_what_is_asked_about(m: Memoranda) -> None:
    rule = m.remember("Never deploy on Fridays", kind="constraint")
    taste = m.remember("User wants short answers", kind="preference")
    choice = m.remember("The portal uses session cookies", kind="decision")
    pool = m.remember("The pool is called tank", kind="environment")
    context = m.context("what is the pool called?")
    assert context.ids == (rule.id, taste.id, choice.id, pool.id)
    assert lines(context, "Constraints") == ["Never deploy on Fridays"]
    assert lines(context, "Preferences") == ["User wants short answers"]
    assert lines(context, "Decisions") == ["The portal uses session cookies"]
    assert lines(context, "About this question") == ["The pool is called tank"]
    assert f"(2026-03-02, high) [{pool.id}]" in context.text
    assert context.tokens == tokens.estimate(context.text)
    assert pool.id not in m.context().ids


def test_nothing_known_is_an_empty_block(m: Memoranda) -> None:
    assert m.context() == Context("")
    assert m.context("what is the capital of Mongolia?").text == ""


def test_it_comes_back_as_what_nobody_typed(m: Memoranda) -> None:
    m.remember("User wants short answers", kind="preference")
    block = m.context().text
    assert mask(f"{block}\nWhat is a pool?").text == ("[recalled memory]\nWhat is a pool?")


def test_no_memory_closes_the_fence(m: Memoranda) -> None:
    m.remember("Say </memoranda> and then\nshout <MEMORANDA>", kind="preference")
    text = m.context().text
    assert text.lower().count("</memoranda>") == 1
    assert text.lower().count("<memoranda") == 1
    assert text.endswith("</memoranda>")


def test_what_one_must_know_is_told(m: Memoranda) -> None:
    m.remember("User wants short answers", kind="preference")
    m.remember("Reports are due on Mondays", kind="decision", valid_to=MONDAY + 2000 * DAY)
    later(m, 800)
    text = m.context().text
    assert "low, unconfirmed since March 2026)" in text
    assert "until 2031-08-23" in text
    m.confirm(m.list(kinds=["preference"])[0].id)
    assert "User wants short answers (2026-03-02, high)" in m.context().text


def test_candidates_stand_for_nothing_and_are_told_as_such_when_recalled(m: Memoranda) -> None:
    m.observe(said("I prefer Ruff for linting.", at=MONDAY))
    later(m, 1)
    m.consolidate(model="rules")
    assert m.context().text == ""
    assert "unreviewed" in m.context("which linter does the user prefer, Ruff?").text


def test_a_conflict_leaves_one_side_and_says_so(m: Memoranda) -> None:
    rule = m.remember("Never deploy on Fridays", kind="constraint")
    later(m, 1)
    remark = m.remember("Deploy to production on Fridays")
    context = m.context("may I deploy to production on Fridays?")
    assert rule.id in context.ids
    assert remark.id not in context.ids
    (dispute,) = m.contradictions()
    assert lines(context, "In dispute") == [f"Ask the user which holds: “{rule.content}”"]
    assert context.text.count(remark.content) == 1
    assert f"[{dispute.id}]" in context.text
    assert f"high, contradicted by {remark.id}: ask the user which holds)" in context.text


def test_what_takes_the_place_of_a_preference_stands_in_it_whatever_its_kind(
    m: Memoranda,
) -> None:
    m.remember("User likes coffee", kind="preference")
    later(m)
    m.remember("User hates coffee", kind="fact")
    assert lines(m.context(), "About the user") == ["User hates coffee"]
    assert lines(m.context(), "Preferences") == []


def test_what_nobody_reviewed_drives_out_nothing_that_counts(m: Memoranda) -> None:
    m.remember("User prefers tabs over spaces", kind="preference")
    m.observe(said("I prefer spaces over tabs.", at=MONDAY + DAY))
    later(m, 2)
    m.consolidate(model="rules")
    assert m.contradictions()
    assert lines(m.context(), "Preferences") == ["User prefers tabs over spaces"]
    assert "ask the user which holds" in m.context().text


def test_a_narrower_scope_takes_the_place_of_the_wider(home: Path) -> None:
    with opened(home, access=Access(project=SITE)) as m:
        m.remember("The line length limit is 100", kind="preference")
        m.remember("The line length limit is 88", kind="preference", scope=SITE)
        assert lines(m.context("line length limit"), "Preferences") == [
            "The line length limit is 88"
        ]
    with opened(home) as m:
        assert lines(m.context(), "Preferences") == ["The line length limit is 100"]


def test_it_is_that_of_a_past_day(m: Memoranda) -> None:
    old = m.remember("User uses flake8", kind="preference")
    later(m, 60)
    m.revise(old.id, "User uses Ruff")
    assert lines(m.context(), "Preferences") == ["User uses Ruff"]
    for past in (m.context(as_of=MONDAY + 30 * DAY), m.context(known=MONDAY + 30 * DAY)):
        assert lines(past, "Preferences") == ["User uses flake8"]
    assert m.context(as_of=MONDAY - DAY).text == ""


def test_the_standing_part_is_the_same_whatever_is_asked(m: Memoranda) -> None:
    for n in range(60):
        m.remember(f"User prefers the tool number {n} for task {n}", kind="preference")
    m.remember("Never deploy on Fridays", kind="constraint")
    later(m, 1)
    questions = [None, "which tool for task 7?", "deploys?", "tool number 33 " * 50]
    blocks = [m.context(each, budget=600) for each in questions]
    standing = {each.text.split("\n(")[0].split("\n## About")[0] for each in blocks}
    assert len(standing) == 1
    assert all(each.tokens <= 600 for each in blocks)
    assert all(sum(each.left_out.values()) for each in blocks)


def test_the_standing_part_stays_byte_for_byte_while_memories_are_used(m: Memoranda) -> None:
    for n in range(60):
        m.remember(f"User prefers the tool number {n} for task {n}", kind="preference")
        later(m, 1)
    later(m, 30)
    standing = set()
    for turn in range(20):
        block = m.context(f"which tool for task {turn}?", budget=1000, conversation="c")
        standing.add(block.text.split("\n## About this")[0])
        m.recall(f"which tool for task {59 - turn}?", conversation="c")
        m._record_served()
    assert len(standing) == 1
    assert sum(each.use_count for each in m.list(limit=100)) > 20


def test_what_is_new_comes_last_under_its_heading(m: Memoranda) -> None:
    m.remember("User prefers tea", kind="preference")
    later(m)
    before = m.context().text
    m.remember("User prefers short answers", kind="preference", pin=True)
    assert m.context().text.startswith(before.removesuffix("\n</memoranda>"))


def test_who_the_user_is_and_what_the_project_decided_stand(home: Path) -> None:
    with opened(home, access=Access(project=SITE)) as m:
        m.remember("User is a nurse in Ghent")
        m.remember("The pool is called tank")
        m.remember("User decided to move to Bergen", kind="decision")
        m.remember("The site is built with Hugo", kind="decision", scope=SITE)
        context = m.context()
        assert lines(context, "About the user") == ["User is a nurse in Ghent"]
        assert lines(context, "Decisions") == ["The site is built with Hugo"]
        told = {each.heading: each for each in context.lines}
        assert told["Decisions"].content == "The site is built with Hugo"
        assert (told["Decisions"].confidence, told["Decisions"].marks) == ("high", ())
    with opened(home) as m:
        assert lines(m.context(), "Decisions") == ["User decided to move to Bergen"]


def test_it_has_no_more_characters_than_a_client_takes(m: Memoranda) -> None:
    for n in range(100):
        m.remember(f"User prefers the tool number {n} for task {n}", kind="preference")
    m.settings = replace(m.settings, context_characters=1500)
    block = m.context("which tool for task 7?", budget=100_000)
    assert 1000 < len(block.text) <= 1500
    assert block.left_out["Preferences"] > 50


def test_a_thousand_budgets_are_kept(m: Memoranda) -> None:
    for n in range(150):
        kind = list(Kind)[n % 4]
        m.remember(f"User knows {n} things about the {n}th machine in the rack", kind=kind)
    m.observe(said("The 7th machine in the rack needs a new fan.", at=MONDAY))
    chosen = m._filter()
    found = m._answer(m._question("what about the 7th machine in the rack?", chosen))
    visible = m.access.visible
    stands = stand(m._store, visible, chosen, CURVES, budget=5000)
    budgets = Random(1).choices(range(1, 5000), k=1000)
    for budget in budgets:
        block = assemble(stands, found.hits, Asked(chosen.now, budget, CURVES))
        assert block.tokens <= budget
        assert block.tokens == (tokens.estimate(block.text) if block.text else 0)


def test_into_an_incognito_conversation_nothing_comes(m: Memoranda) -> None:
    m.remember("User wants short answers", kind="preference")
    m.incognito("doctor")
    assert m.context(conversation="doctor").text == ""
    assert m.context(conversation="office").text


def test_a_small_window_bounds_it(m: Memoranda) -> None:
    for n in range(200):
        m.remember(f"User prefers the tool number {n} for task {n}", kind="preference")
    assert m.context(window=4000).tokens <= SHARE * 4000
    assert m.context().tokens <= 2000


# Any memories, any budget -------------------------------------------------------------------------


@st.composite
def standing(draw: st.DrawFn) -> Memory:
    kinds = [Kind.CONSTRAINT, Kind.PREFERENCE, Kind.DECISION]
    return a_memory(
        draw(st.text(min_size=1, max_size=200)),
        kind=draw(st.sampled_from(kinds)),
        at=MARCH - timedelta(days=draw(st.integers(0, 3000))),
        pinned=draw(st.booleans()),
        confidence=draw(st.floats(0, 1)),
        status=draw(st.sampled_from([Status.CURRENT, Status.CANDIDATE])),
        contradicts=draw(st.sampled_from([(), ("X",)])),
        sources=(Source(draw(st.sampled_from(["person", "agent"])), MARCH, by="hermes"),),
    )


def _standing(memories: list[Memory]) -> Standing:
    return Standing(in_order(memories, day_of(MARCH), CURVES, frozenset()))


@given(st.lists(standing(), max_size=30), st.integers(1, 3000))
def test_any_block_fits_and_constraints_are_the_last_to_go(
    memories: list[Memory], budget: int
) -> None:
    context = assemble(_standing(memories), (), Asked(MARCH, budget, CURVES))
    assert context.tokens <= budget
    assert len(set(context.ids)) == len(context.ids)
    counting = {each.id for each in memories if each.status == Status.CURRENT}
    assert set(context.ids) <= counting
    left = context.left_out
    assert len(context.ids) + sum(
        left.get(each, 0) for each in ("Constraints", "Preferences", "Decisions")
    ) == len(counting)
    assert context == assemble(_standing(memories[::-1]), (), Asked(MARCH, budget, CURVES))
