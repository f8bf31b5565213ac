"""What cannot both hold is found when it is written, served as such, and settled once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoranda import (
    Contradicting,
    InvalidInput,
    Kind,
    Memoranda,
    NotFound,
    Scope,
    Side,
    Status,
)
from memoranda.files.markdown import write
from memoranda.policy.access import Access
from memoranda.policy.fading import curves
from memoranda.policy.standing import standing
from memoranda.types import Operation
from tests.consolidating import DAY, MONDAY, SITE, Clock, held, later, opened, said
from tests.scripted import Mind, entry, verdict

OLD = "User uses flake8"
NEW = "User switched from flake8 to Ruff"
RULE = "Never deploy on Fridays"
REMARK = "Deploy to production on Fridays"


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with opened(home, clock=Clock(MONDAY)) as made:
        yield made


def contents(m: Memoranda, question: str, **fields: Any) -> list[str]:
    return [hit.content for hit in m.recall(question, turns=False, **fields).hits]


# Found and served ---------------------------------------------------------------------------------


def test_both_sides_are_told_apart_from_the_moment_one_is_written(m: Memoranda) -> None:
    old = m.remember(OLD, kind="preference")
    assert old.contradicts == ()
    later(m)
    new = m.remember(NEW, kind="preference")
    assert new.contradicts == (old.id,)
    (found,) = m.contradictions()
    assert (found.kind, found.slot) == (Contradicting.CONFLICT, "ended")
    assert (found.newer.id, found.older.id, found.proposed) == (new.id, old.id, new.id)
    assert found.newer.sources
    assert found.older.sources
    first, second = m.recall("flake8", turns=False).hits
    assert (first.id, second.id) == (new.id, old.id), "the newer one goes first"
    assert first.contradicts == (old.id,)
    assert second.contradicts == (new.id,)


def test_whichever_side_a_question_is_like_the_other_comes_with_it(m: Memoranda) -> None:
    m.remember("The database host is db-03.lan", kind="environment")
    later(m)
    new = m.remember("The database host is db-05.lan", kind="environment")
    hits = m.recall("db-03.lan", turns=False).hits
    assert hits[0].id == new.id, "what was found is served behind what holds"
    assert hits[1].contradicts == (new.id,)


def test_a_rule_goes_before_a_remark_however_new_that_is(m: Memoranda) -> None:
    rule = m.remember(RULE, kind="constraint")
    later(m)
    m.remember(REMARK)
    (found,) = m.contradictions()
    assert found.proposed == rule.id
    assert contents(m, "may I deploy to production on Fridays?") == [RULE, REMARK]


def test_a_pin_and_what_was_said_plainly_go_first(m: Memoranda) -> None:
    pinned = m.remember("The line length limit is 100", pin=True)
    later(m)
    m.remember("The line length limit is 88")
    (found,) = m.contradictions()
    assert found.proposed == pinned.id


def test_what_was_said_earlier_is_the_older_one_whenever_it_is_written(m: Memoranda) -> None:
    new = m.remember(NEW, kind="preference")
    (turn,) = m.observe(said("I use flake8", at=MONDAY - 90 * DAY)[:1]).turns
    m.remember(OLD, kind="preference", source=turn)
    (found,) = m.contradictions()
    assert found.newer.id == new.id


def test_an_episode_contradicts_nothing_but_a_rule(m: Memoranda) -> None:
    m.remember("User drinks coffee", kind="preference")
    m.remember("User does not drink coffee", kind="episode")
    assert m.contradictions() == ()
    m.remember(RULE, kind="constraint")
    m.remember("User deploys on Fridays", kind="episode")
    assert len(m.contradictions()) == 1


def test_what_ended_or_is_kept_from_models_contradicts_nothing(m: Memoranda) -> None:
    m.remember(OLD, valid_from=MONDAY - DAY, valid_to=MONDAY - timedelta(hours=1))
    assert m.remember(NEW).contradicts == ()


def test_a_revision_and_what_comes_back_are_looked_at_too(m: Memoranda) -> None:
    editor = m.remember("User's favourite editor is Vim")
    colour = m.remember("User's favourite colour is green")
    m.revise(colour.id, "User's favourite editor is Helix")
    (found,) = m.contradictions()
    assert found.older.id == editor.id


# Settled ------------------------------------------------------------------------------------------


def test_the_newer_wins_and_history_tells_both_with_their_sources(m: Memoranda) -> None:
    old = m.remember(OLD, kind="preference")
    later(m, 60)
    new = m.remember(NEW, kind="preference")
    (found,) = m.contradictions()
    assert m.settle(found.id[:20], "newer").id == found.id
    assert m.contradictions() == ()
    assert held(m) == [NEW]
    assert contents(m, "flake8") == [NEW]
    assert contents(m, "flake8", as_of=MONDAY + 30 * DAY) == [OLD]
    assert m.show(old.id).superseded_by == new.id  # type: ignore[union-attr]
    entries = m.history(new.id)
    assert {entry.memory for entry in entries} == {old.id, new.id}
    assert [e.operation for e in entries].count(Operation.SETTLE) == 2
    with pytest.raises(NotFound):
        m.settle(found.id, "older")


def test_the_older_wins_and_the_newer_never_held(m: Memoranda) -> None:
    rule = m.remember(RULE, kind="constraint")
    later(m)
    m.remember(REMARK)
    (found,) = m.contradictions()
    m.settle(found.id, Side.OLDER)
    assert held(m) == [RULE]
    assert m.list(as_of=MONDAY + 30 * DAY)[0].id == rule.id
    assert len(m.list(as_of=MONDAY + 30 * DAY)) == 1, "the remark never held"
    assert m.list()[0].confidence > rule.confidence, "a person stands for it"


def test_both_may_hold_and_are_not_found_again(m: Memoranda) -> None:
    m.remember("User works at Google")
    later(m)
    part = m.remember("User works at YouTube")
    (found,) = m.contradictions()
    m.settle(found.id, "both")
    assert m.contradictions() == ()
    assert m.remember("User works at YouTube").contradicts == ()
    assert m.recall("YouTube").hits[0].contradicts == ()
    assert len(held(m)) == 2
    m.forget(part.id)
    assert held(m) == ["User works at Google"]


def test_forgetting_a_side_settles_it(m: Memoranda) -> None:
    m.remember(OLD)
    later(m)
    new = m.remember(NEW)
    m.forget(new.id)
    assert m.contradictions() == ()
    assert m.list()[0].contradicts == ()


def test_nothing_else_may_be_kept(m: Memoranda) -> None:
    m.remember(OLD)
    m.remember(NEW)
    (found,) = m.contradictions()
    with pytest.raises(InvalidInput, match="newer, older, both"):
        m.settle(found.id, "neither")


# Scopes -------------------------------------------------------------------------------------------

IN_SITE = Access(project=SITE)
WIDE = "The line length limit is 100"
NARROW = "The line length limit is 88"


def both_scopes(home: Path) -> tuple[str, str]:
    with opened(home, access=IN_SITE, clock=Clock(MONDAY)) as m:
        wide = m.remember(WIDE, kind="preference")
        narrow = m.remember(NARROW, kind="preference", scope=SITE)
        assert m.contradictions() == (), "a narrower scope may differ"
        assert narrow.contradicts == ()
    return wide.id, narrow.id


def test_a_narrower_scope_overrides_where_it_is_open(home: Path) -> None:
    wide, narrow = both_scopes(home)
    with opened(home, access=IN_SITE) as m:
        assert [hit.id for hit in m.recall("line length limit").hits] == [narrow]
        assert m.show(wide).overridden_by == narrow  # type: ignore[union-attr]
    with opened(home) as m:
        assert [hit.id for hit in m.recall("line length limit").hits] == [wide]
        assert m.show(wide).overridden_by is None, "it is out of sight"  # type: ignore[union-attr]


@pytest.mark.parametrize(("keep", "left"), [("older", []), ("newer", [NARROW]), ("both", [NARROW])])
def test_when_the_wider_one_changes_the_same_is_offered(
    home: Path, keep: str, left: list[str]
) -> None:
    wide, _ = both_scopes(home)
    with opened(home) as m:
        later(m)
        m.revise(wide, "The line length limit is 120")
        assert m.contradictions() == (), "what is offered to a project is for who opens it"
    with opened(home, access=IN_SITE) as m:
        later(m, 2)
        (offer,) = m.contradictions()
        assert offer.kind == Contradicting.OFFER
        assert (offer.older.content, offer.newer.content) == (
            "The line length limit is 120",
            NARROW,
        )
        m.settle(offer.id, keep)
        assert m.contradictions() == ()
        here = left or ["The line length limit is 120"]
        assert contents(m, "line length limit") == here
    with opened(home, access=IN_SITE) as m:  # and it is offered once more when it changes again
        later(m, 3)
        m.revise(m.recall("line length limit is 120").hits[0].id if not left else _wide(m), WIDE)
        assert len(m.contradictions()) == len(left)


def _wide(m: Memoranda) -> str:
    return next(each.id for each in m.list() if each.scope == Scope("user"))


def test_two_projects_do_not_contradict_each_other(home: Path) -> None:
    for name in ("site", "blog"):
        with opened(home, access=Access(project=Scope("project", name))) as m:
            m.remember(f"The line length limit is {len(name) * 20}", scope=f"project:{name}")
            assert m.contradictions() == ()


# Passes -------------------------------------------------------------------------------------------


def chosen(**contents: str) -> Mind:
    """A model that selects these sentences as what they are said to mean."""
    told = {key.replace("_", " "): value for key, value in contents.items()}
    return Mind(
        lambda sentence: [
            entry(content, kind="preference")
            for words, content in told.items()
            if words in sentence.lower()
        ]
    )


def test_rules_propose_what_waits_beside_what_holds(home: Path) -> None:
    with opened(home, clock=Clock(MONDAY)) as m:
        m.remember("User uses tabs", kind="preference")
        m.observe(said("I never use tabs.", at=MONDAY + DAY))
        later(m, 2)
        m.consolidate(model="rules")
        (found,) = m.contradictions()
        assert found.newer.status == Status.CANDIDATE
        assert found.older.content == "User uses tabs"


def test_what_a_pass_adds_is_compared_and_then_weighed_by_the_model(home: Path) -> None:
    judged: list[tuple[str, str]] = []

    def judge(newer: str, older: str) -> str:
        judged.append((newer, older))
        return "newer"

    mind = Mind(chosen(ruff=NEW).choose, lambda _: verdict("ADD"), judge)
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        old = m.remember(OLD, kind="preference")
        m.observe(said("I switched from flake8 to Ruff.", at=MONDAY + DAY))
        later(m, 2)
        done = m.consolidate()
        assert judged == [(NEW, OLD)]
        assert held(m) == [NEW]
        assert m.contradictions() == ()
        assert m.show(old.id).superseded_by == m.list()[0].id  # type: ignore[union-attr]
        assert [call.purpose for call in m.calls(done.id)] == ["select", "resolve", "weigh"]
        m.undo(done.id)
        assert held(m) == [OLD], "undone as a whole"


def test_a_tool_that_was_switched_is_the_only_one_told_from_then_on(home: Path) -> None:
    """In the next recall, in a context and in the file; what was before is there for who asks."""
    told = {"I use flake8.": "User uses flake8", "I switched to Ruff.": "User uses Ruff"}
    mind = Mind(
        lambda sentence: [entry(told[sentence], "preference")] if sentence in told else [],
        lambda each: (
            verdict("UPDATE", each.label("flake8"), each.text)
            if each.label("flake8")
            else verdict("ADD")
        ),
    )
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        m.observe(said("I use flake8.", at=MONDAY))
        later(m)
        m.consolidate()
        later(m, 60)
        m.observe(said("I switched to Ruff.", at=m._clock(), conversation="d"))
        later(m)
        m.consolidate()
        assert contents(m, "which linter does the user use? flake8 or Ruff?") == ["User uses Ruff"]
        now, drawn = m._clock(), curves(m.settings)
        file = write(standing(m.list(), now, drawn, frozenset()), now, drawn).text
        for text in (m.context("linter").text, file):
            assert "Ruff" in text
            assert "flake8" not in text
        past = MONDAY + 30 * DAY
        assert contents(m, "flake8", as_of=past) == ["User uses flake8"]
        assert "flake8" in m.context(as_of=past).text
        (ruff,) = m.list()
        assert m.show(ruff.id, as_of=past).content == "User uses flake8"
        added = [entry.after for entry in m.history(ruff.id) if entry.before is None]
        quotes = [each["sources"][0]["quote"] for each in added if each]  # type: ignore[index]
        assert quotes == ["I use flake8.", "I switched to Ruff."]


@pytest.mark.parametrize(
    ("said_of_it", "policy", "left", "open_still"),
    [
        ("older", "newer", 2, 1),
        ("both", "newer", 2, 0),
        ("newer", "ask", 2, 1),
        ("newer", "wait", 2, 1),
        ("newer", "newer", 1, 0),
    ],
)
def test_what_a_model_says_is_done_as_far_as_the_policy_goes(
    home: Path, said_of_it: str, policy: str, left: int, open_still: int
) -> None:
    asked: list[str] = []
    mind = Mind(judge=lambda newer, older: asked.append(newer) or said_of_it)  # type: ignore[func-returns-value]
    with opened(home, mind, clock=Clock(MONDAY), conflicts=policy) as m:
        m.remember("User lives in Oslo")
        later(m)
        m.remember("User lives in Bergen")
        m.consolidate()
        assert len(held(m)) == left
        assert len(m.contradictions()) == open_still
        m.consolidate()
        assert len(asked) == 1, "nobody is asked twice"


@pytest.mark.parametrize("said_of_it", ["newer", "both"])
def test_a_model_overturns_no_rule_and_no_pin(home: Path, said_of_it: str) -> None:
    mind = Mind(judge=lambda newer, older: said_of_it)
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        m.remember(RULE, kind="constraint")
        m.remember("User lives in Oslo", pin=True)
        later(m)
        m.remember(REMARK)
        m.remember("User lives in Bergen")
        m.consolidate()
        assert len(held(m)) == 4
        assert len(m.contradictions()) == 2


def test_what_waits_in_review_is_a_contradiction_too(home: Path) -> None:
    """A passing remark against a rule: the rule stands, the conflict waits."""
    mind = Mind(
        chosen(fridays=REMARK).choose,
        lambda each: verdict("UPDATE", each.label("Never"), REMARK),
    )
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        rule = m.remember(RULE, kind="constraint")
        m.observe(said("Calendar: deploy to production on Fridays.", at=MONDAY + DAY))
        later(m, 2)
        m.consolidate()
        assert held(m) == [RULE]
        (found,) = m.contradictions()
        assert (found.proposed, found.older.id) == (rule.id, rule.id)
        assert found.newer.content == REMARK
        assert found.newer.sources[0].quote == "Calendar: deploy to production on Fridays."
        (hit,) = m.recall("deploy to production on Fridays", turns=False).hits
        assert hit.contradicts == (found.id,)
        m.settle(found.id, "older")
        assert m.contradictions() == ()
        assert m.recall("deploy on Fridays", turns=False).hits[0].contradicts == ()


@pytest.mark.parametrize(("keep", "left"), [("newer", [REMARK]), ("both", [RULE, REMARK])])
def test_a_candidate_may_win_or_hold_beside_it(home: Path, keep: str, left: list[str]) -> None:
    mind = Mind(
        chosen(fridays=REMARK).choose,
        lambda each: verdict("UPDATE", each.label("Never"), REMARK),
    )
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        m.remember(RULE, kind="constraint")
        m.observe(said("Calendar: deploy to production on Fridays.", at=MONDAY + DAY))
        later(m, 2)
        m.consolidate()
        (found,) = m.contradictions()
        m.settle(found.id, keep)
        assert held(m) == left
        if keep == "newer":
            assert m.list()[0].kind == Kind.CONSTRAINT
