"""What every Store promises of consolidation, as tests: subclass PassPromises as StorePromises."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from memoranda.answers import Attempt, Mode, Outcome, Tokens
from memoranda.errors import Ambiguous, Conflict, InvalidInput, NotFound
from memoranda.passes import RULES, Call, Decision, Neighbour, Pass, Stage
from memoranda.protocols import Store
from memoranda.testing import (
    ANNA,
    DAY,
    MARCH,
    NOW,
    OWNER,
    SITE,
    a_memory,
    add,
    find,
    forget,
    incoming,
    known,
    observe,
)
from memoranda.text.entities import entities
from memoranda.types import (
    Candidate,
    Change,
    Choice,
    Filter,
    Kind,
    Memory,
    Operation,
    Scope,
    Source,
    Status,
    new_id,
)

CODER = Scope("profile", "coder")
LATER = MARCH + DAY


def begin(store: Store, *, own: Scope = OWNER, model: str = "a-model", **fields: object) -> str:
    """A pass that begins; returns its id."""
    run = Pass(id=new_id(MARCH), scope=own, model=model, prompts="1", began=MARCH)
    store.passes.begin(replace(run, **fields))  # type: ignore[arg-type]
    return run.id


def say(store: Store, *contents: str, conversation: str = "c", own: Scope = OWNER) -> list[str]:
    """Turns that come in; returns their ids."""
    turns = [incoming(each, conversation=conversation, id=each) for each in contents]
    return list(observe(store, *turns, scope=own).turns)


def chosen(
    store: Store,
    of: str,
    turn: str,
    words: str,
    *,
    own: Scope = OWNER,
    says: str | None = None,
    **fields: object,
) -> Decision:
    """A candidate that rests on words of a turn."""
    start = store.turn(turn, (own,)).content.index(words)
    content = words if says is None else says
    candidate = Candidate(
        turn=turn,
        start=start,
        end=start + len(words),
        quote=words,
        kind=Kind.FACT,
        content=content,
        confidence=0.8,
        said=MARCH,
    )
    made = Decision(id=new_id(MARCH), scope=own, candidate=candidate, selected_by=of, time=MARCH)
    return replace(made, **fields)  # type: ignore[arg-type]


def resting(turn: str, words: str, content: str | None = None, **fields: object) -> Memory:
    """A memory that rests on words of a turn which begins with them."""
    source = Source(kind="turn", time=MARCH, quote=words, turn=turn, start=0, end=len(words))
    return replace(a_memory(content or words), sources=(source,), **fields)  # type: ignore[arg-type]


def do(store: Store, of: str, *changes: Change) -> None:
    store.apply(changes, at=LATER, by="consolidate", of=of)


def adding(memory: Memory) -> Change:
    named = entities(memory.content)
    names = tuple(each.name for each in named)
    return Change(Operation.ADD, None, replace(memory, entities=names, found=names), named)


def closing(store: Store, memory: Memory, by: Memory | None = None) -> Change:
    """What supersedes a memory, or retires it."""
    before = store.memory(memory.id, (memory.scope,))
    status = Status.RETIRED if by is None else Status.SUPERSEDED
    successor = None if by is None else by.id
    after = replace(before, status=status, superseded_by=successor, closed_at=LATER, valid_to=LATER)
    return Change(Operation.DELETE if by is None else Operation.UPDATE, before, after)


def confirming(store: Store, memory: Memory, *sources: Source) -> Change:
    before = store.memory(memory.id, (memory.scope,))
    after = replace(
        before,
        mention_count=before.mention_count + 1,
        confirmed_at=LATER,
        confidence=min(1.0, before.confidence + 0.05),
        sources=(*before.sources, *sources),
    )
    return Change(Operation.NOOP, before, after)


def a_call(of: str, *, turns: Sequence[str] = (), **fields: object) -> Call:
    """A question that was answered at the second attempt."""
    attempts = (
        Attempt(Outcome.RATE_LIMITED, Mode.JSON_SCHEMA, 512, 429, error="slower", retry_after=2.5),
        Attempt(
            Outcome.OK, Mode.JSON_OBJECT, 1024, 200, "stop", "r-1", Tokens(100, 40, 20, 5), 1.5,
            body='{"kept": ["plum"]}',
        ),
    )  # fmt: skip
    made = Call(
        new_id(MARCH), of, MARCH, "select", "a-model", "select-1", "0f", Outcome.OK, attempts,
        tuple(turns),
    )  # fmt: skip
    return replace(made, **fields)  # type: ignore[arg-type]


def end(store: Store, of: str, *, stopped: str | None = None, at: datetime = LATER) -> None:
    store.passes.end(of, at=at, stopped=stopped, failed=stopped is not None)


def undo(
    store: Store, of: str, *, keep_read: bool = False
) -> tuple[set[str], set[str], dict[str, str], int]:
    """What was restored, removed and left, and how many turns are unread again."""
    undone = store.passes.undo(of, at=LATER, by="test", keep_read=keep_read)
    assert undone.id == of
    return set(undone.restored), set(undone.removed), dict(undone.left), undone.turns


class PassPromises:
    """The promises, in the words of the protocol."""

    # What waits

    def test_unread_turns_come_conversation_by_conversation(self, store: Store) -> None:
        first = say(store, "one", "two", conversation="a")
        second = say(store, "three", conversation="b")
        first += say(store, "four", conversation="a")
        say(store, "of Anna", own=ANNA)
        unread = store.passes.unread(OWNER, limit=9)
        assert [each.turn for each in unread] == first
        assert [each.content for each in unread] == ["one", "two", "four"]
        assert [each.turn for each in store.passes.unread(OWNER, limit=2)] == first[:2]
        rest = store.passes.unread(OWNER, after=first[0], limit=9)
        assert [each.turn for each in rest] == first[1:]
        rest = store.passes.unread(OWNER, after=first[2], limit=9)
        assert [each.turn for each in rest] == second
        assert store.passes.unread(OWNER, after=second[0], limit=9) == []
        assert store.passes.unread(CODER, limit=9) == []

    def test_what_was_read_waits_no_more_but_what_comes_late_does(self, store: Store) -> None:
        turns = say(store, "one", "two", conversation="a")
        say(store, "three", conversation="b")
        of = begin(store)
        store.passes.read(of, turns, [], aside={}, at=LATER)
        assert [each.content for each in store.passes.unread(OWNER, limit=9)] == ["three"]
        say(store, "late", conversation="a")
        assert [each.content for each in store.passes.unread(OWNER, limit=9)] == ["late"]
        assert [each.turn for each in store.passes.turns_of(of, OWNER)] == turns
        assert store.passes.turns_of(of, ANNA) == []

    def test_what_rules_have_read_waits_for_a_model_still(self, store: Store) -> None:
        turns = say(store, "one", "two")
        of = begin(store, model=RULES)
        store.passes.read(of, turns[:1], [], aside={}, at=LATER, by_rules=True)
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == turns
        by_rules = store.passes.unread(OWNER, by_rules=True, limit=9)
        assert [each.turn for each in by_rules] == turns[1:]
        assert store.passes.backlog(OWNER, (OWNER,)).turns == 2

    def test_a_turn_that_is_set_aside_tells_why_and_is_tried_again(self, store: Store) -> None:
        one, two, three = say(store, "one", "two", "three")
        of = begin(store)
        store.passes.read(of, [one], [], aside={two: "no answer"}, at=LATER)
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [three]
        (aside,) = store.passes.aside(OWNER, limit=9)
        assert (aside.turn.turn, aside.turn.content) == (two, "two")
        assert (aside.reason, aside.tries, aside.since) == ("no answer", 1, LATER)
        assert store.passes.one(of, OWNER).unread == (aside,)
        assert store.passes.one(of, OWNER).turns == 1
        again = begin(store)
        store.passes.read(again, [], [], aside={two: "a timeout"}, at=LATER + DAY)
        (aside,) = store.passes.aside(OWNER, limit=9)
        assert (aside.reason, aside.tries, aside.since) == ("a timeout", 2, LATER + DAY)
        assert store.passes.aside(OWNER, tries=2, limit=9) == []
        assert len(store.passes.aside(OWNER, tries=3, limit=9)) == 1
        assert store.passes.aside(ANNA, limit=9) == []
        store.passes.read(again, [two], [], aside={}, at=LATER + DAY)
        assert store.passes.aside(OWNER, limit=9) == []
        assert store.passes.one(again, OWNER).turns == 1

    def test_a_turn_in_quarantine_waits_for_its_release(self, store: Store) -> None:
        (poison,) = observe(store, incoming("obey", id="1", quarantined="orders")).turns
        (after,) = say(store, "two")
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [after]
        assert store.passes.before(after, OWNER, 9) == []
        assert store.passes.backlog(OWNER, (OWNER,)).turns == 1
        store.release(poison, at=MARCH, by="test")
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [poison, after]
        assert [each.turn for each in store.passes.before(after, OWNER, 9)] == [poison]

    def test_what_came_before_a_turn_ends_with_the_last_of_it(self, store: Store) -> None:
        turns = say(store, "one", "two", "three", "four")
        say(store, "other", conversation="d")
        before = store.passes.before(turns[3], OWNER, 2)
        assert [each.turn for each in before] == turns[1:3]
        assert store.passes.before(turns[0], OWNER, 9) == []
        assert store.passes.before(turns[3], ANNA, 9) == []

    def test_a_conversation_knows_its_project(self, store: Store) -> None:
        store.observe([incoming("one")], OWNER, SITE, at=MARCH, by="test", deliberate=True)
        say(store, "two", conversation="d")
        assert store.passes.project_of("c", OWNER) == SITE
        assert store.passes.project_of("d", OWNER) is None
        assert store.passes.project_of("c", ANNA) is None

    def test_the_backlog_counts_what_waits_and_since_when(self, store: Store) -> None:
        one, two, _ = say(store, "plum", "pear", "fig")
        of = begin(store)
        made = [
            chosen(store, of, one, "plum", stage=stage)
            for stage in (Stage.WAITING, Stage.SET_ASIDE, Stage.SET_ASIDE, Stage.REVIEW)
        ]
        made.append(chosen(store, of, one, "plum", scope=SITE))
        store.passes.read(of, [one], made, aside={two: "no answer"}, at=LATER)
        backlog = store.passes.backlog(OWNER, (OWNER,))
        assert (backlog.turns, backlog.aside, backlog.unread_since) == (2, 1, MARCH)
        assert (backlog.candidates, backlog.candidates_aside, backlog.review) == (1, 2, 1)
        assert backlog.passed_at is None
        assert store.passes.backlog(OWNER, (OWNER, SITE)).candidates == 2
        end(store, of, at=LATER)
        assert store.passes.backlog(OWNER, ()).passed_at == LATER
        end(store, begin(store), stopped="out of money", at=LATER + DAY)
        end(store, begin(store, preview=True), at=LATER + DAY)
        end(store, begin(store, own=ANNA), at=LATER + DAY)
        assert store.passes.backlog(OWNER, ()).passed_at == LATER
        undo(store, of)
        assert store.passes.backlog(OWNER, ()).passed_at is None
        bounded = begin(store)
        store.passes.end(bounded, at=LATER, stopped="no more money")
        assert store.passes.backlog(OWNER, ()).passed_at == LATER
        assert store.passes.backlog(CODER, ()) == type(backlog)()

    # Candidates

    def test_a_decision_is_read_as_it_was_written(self, store: Store) -> None:
        (turn,) = say(store, "We moved to Bergen")
        near = a_memory("Anna lives in Oslo")
        add(store, near)
        of = begin(store)
        made = chosen(store, of, turn, "moved to Bergen", says="Anna lives in Bergen")
        full = replace(
            made,
            candidate=replace(
                made.candidate,
                kind=Kind.EPISODE,
                basis="hedged",
                detail="after the winter",
                valid_from=datetime.fromisoformat("2026-02-01T00:00:00+01:00"),
                valid_to=LATER,
                ends=True,
                procedure=True,
            ),
            stage=Stage.APPLIED,
            operation=Operation.UPDATE,
            target=near.id,
            content="Anna lives in Bergen now",
            memory=new_id(MARCH),
            neighbours=(
                Neighbour(near.id, near.kind, near.content, near.status, 0.25, {"lexical": 2}),
                Neighbour(near.id, near.kind, near.content, near.status, None, {}),
            ),
            reason="it moved",
            decided_by=of,
            decided_at=LATER,
            tries=2,
            calls=(new_id(MARCH), new_id(MARCH)),
        )
        store.passes.read(of, [turn], [made], aside={}, at=LATER)
        assert store.passes.decisions((OWNER,), limit=9) == [made]
        store.passes.decide([full])
        assert store.passes.decisions((OWNER,), limit=9) == [full]
        assert store.passes.decision(made.id[:-1].lower(), (OWNER,)) == full
        with pytest.raises(NotFound):
            store.passes.decision(made.id, (ANNA,))
        with pytest.raises(NotFound):
            store.passes.decision("?", (OWNER,))

    def test_what_was_decided_is_not_decided_again(self, store: Store) -> None:
        (turn,) = say(store, "plum pear fig kiwi")
        of = begin(store)
        stages = (Stage.APPLIED, Stage.REJECTED)
        done = [chosen(store, of, turn, "plum", stage=stage) for stage in stages]
        waiting = chosen(store, of, turn, "pear")
        undone = chosen(store, of, turn, "fig", stage=Stage.SET_ASIDE)
        store.passes.read(of, [turn], [*done, waiting, undone], aside={}, at=LATER)
        store.passes.decide([replace(waiting, stage=Stage.REVIEW)])
        store.passes.decide([replace(waiting, stage=Stage.SET_ASIDE)])
        store.passes.decide([waiting])
        end(store, of)
        kept = store.passes.decisions((OWNER,), limit=9)
        for each in done:
            for stage in Stage:
                with pytest.raises(Conflict, match=each.stage):
                    store.passes.decide(
                        [replace(waiting, stage=Stage.REVIEW), replace(each, stage=stage)]
                    )
        assert store.passes.decisions((OWNER,), limit=9) == kept
        undo(store, of)
        with pytest.raises(Conflict, match="undone"):
            store.passes.decide([replace(undone, stage=Stage.APPLIED)])

    def test_of_two_who_accept_one_makes_a_memory(self, store: Store) -> None:
        (turn,) = say(store, "likes plums")
        made = chosen(store, begin(store), turn, "likes plums", stage=Stage.REVIEW)
        store.passes.decide([made])

        def accept() -> None:
            memory = resting(turn, "likes plums")
            with store.transaction():
                store.apply([adding(memory)], at=LATER, by="test")
                store.passes.decide([replace(made, stage=Stage.APPLIED, memory=memory.id)])

        accept()
        with pytest.raises(Conflict):
            accept()
        assert find(store, "plums") == ["likes plums"]

    def test_of_another_persons_words_the_quote_is_shown_only(self, store: Store) -> None:
        (turn,) = say(store, "and plums are ripe", own=ANNA)
        of = begin(store, own=ANNA)
        words = {"own": ANNA, "scope": SITE, "calls": (new_id(MARCH),), "stage": Stage.REVIEW}
        made = chosen(store, of, turn, "plums are ripe", **words)  # type: ignore[arg-type]
        store.passes.read(of, [turn], [made], aside={}, at=LATER)
        shown = replace(made.candidate, turn="", start=0, end=len("plums are ripe"))
        hidden = replace(made, candidate=shown, calls=())
        assert store.passes.decisions((ANNA, SITE), limit=9) == [made]
        assert store.passes.decisions((OWNER, SITE), limit=9) == [hidden]
        assert store.passes.decision(made.id, (OWNER, SITE)) == hidden
        assert store.passes.decisions((OWNER, SITE), own=OWNER, limit=9) == []
        assert store.passes.decisions((ANNA, SITE), own=ANNA, limit=9) == [made]

    def test_what_is_decided_unseen_rests_on_its_words(self, store: Store) -> None:
        (turn,) = say(store, "and plums are ripe", own=ANNA)
        of = begin(store, own=ANNA)
        words = {"own": ANNA, "scope": SITE, "calls": (new_id(MARCH),), "stage": Stage.REVIEW}
        made = chosen(store, of, turn, "plums are ripe", **words)  # type: ignore[arg-type]
        store.passes.read(of, [turn], [made], aside={}, at=LATER)
        hidden = store.passes.decision(made.id, (OWNER, SITE))
        said = hidden.candidate
        memory = resting(said.turn, said.quote, scope=SITE)
        done = replace(
            hidden, stage=Stage.APPLIED, memory=memory.id, calls=(new_id(MARCH),), decided_at=LATER
        )
        with store.transaction():
            store.apply([adding(memory)], at=LATER, by="test")
            store.passes.decide([done])
        kept = replace(done, candidate=made.candidate, calls=(*made.calls, *done.calls))
        assert store.passes.decisions((ANNA, SITE), limit=9) == [kept]
        (source,) = store.memory(memory.id, (ANNA, SITE)).sources
        assert (source.turn, source.start, source.end) == (turn, 4, 18)
        (source,) = store.memory(memory.id, (OWNER, SITE)).sources
        assert (source.turn, source.quote) == (None, "plums are ripe")
        forget_turn(store, turn, ANNA)
        with pytest.raises(NotFound):
            store.memory(memory.id, (SITE,))
        with pytest.raises(NotFound):
            store.passes.decide([replace(done, calls=())])

    def test_decisions_are_chosen_by_pass_stage_and_tries(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        first, second = begin(store), begin(store)
        one = chosen(store, first, turn, "plum", stage=Stage.SET_ASIDE, tries=1)
        two = chosen(store, first, turn, "plum", stage=Stage.APPLIED, decided_by=second)
        three = chosen(store, second, turn, "plum", scope=SITE, tries=3)
        store.passes.decide([one, two, three])

        def found(*visible: Scope, **how: object) -> list[str]:
            return [
                each.id
                for each in store.passes.decisions(visible or (OWNER, SITE), limit=9, **how)  # type: ignore[arg-type]
            ]

        assert found() == [one.id, two.id, three.id]
        assert found(OWNER) == [one.id, two.id]
        assert found(of=first) == [one.id, two.id]
        assert found(of=second) == [two.id, three.id]
        assert found(stages=(Stage.SET_ASIDE, Stage.WAITING)) == [one.id, three.id]
        assert found(tries=3) == [one.id, two.id]
        assert found(own=OWNER) == [one.id, two.id, three.id]
        assert found(own=ANNA) == found(OWNER, own=SITE) == []
        assert found(after=one.id) == [two.id, three.id]
        assert len(store.passes.decisions((OWNER, SITE), limit=2)) == 2
        with pytest.raises(NotFound):
            found(OWNER, after=three.id)
        with pytest.raises(Ambiguous):
            store.passes.decision(one.id[:8], (OWNER,))

    def test_what_a_person_rejected_or_forgot_is_refused(self, store: Store) -> None:
        (turn,) = say(store, "plum pear fig")
        of = begin(store)
        by_person = chosen(store, of, turn, "plum", stage=Stage.REJECTED)
        by_check = chosen(store, of, turn, "pear", stage=Stage.REJECTED, decided_by=of)
        waiting = chosen(store, of, turn, "fig")
        store.passes.read(of, [turn], [by_person, by_check, waiting], aside={}, at=LATER)
        assert store.passes.refused("Plum ", OWNER) == "rejected"
        assert store.passes.refused("plum", SITE) is None
        assert store.passes.refused("pear", OWNER) is None
        assert store.passes.refused("fig", OWNER) is None
        memory = a_memory("Anna likes tea")
        add(store, memory)
        forget(store, memory)
        assert store.passes.refused("Anna likes tea", OWNER) == "forgotten"
        end(store, of)
        undo(store, of)
        assert store.passes.refused("plum", OWNER) == "rejected"

    def test_a_skill_that_waits_or_was_made_is_proposed_already(self, store: Store) -> None:
        (turn,) = say(store, "plum pear fig")
        of = begin(store)

        def of_stage(quote: str, stage: Stage, *, procedure: bool = True) -> Decision:
            made = chosen(store, of, turn, quote, stage=stage)
            return replace(made, candidate=replace(made.candidate, procedure=procedure))

        store.passes.read(
            of,
            [turn],
            [
                of_stage("plum", Stage.REVIEW),
                of_stage("pear", Stage.APPLIED),
                of_stage("fig", Stage.APPLIED, procedure=False),
                of_stage("plum pear", Stage.REJECTED),
            ],
            aside={},
            at=LATER,
        )
        told = {
            text: store.passes.is_proposed(text, OWNER)
            for text in ("Plum", "pear", "fig", "plum pear", "kiwi")
        }
        assert told == {"Plum": True, "pear": True, "fig": False, "plum pear": False, "kiwi": False}
        assert not store.passes.is_proposed("plum", SITE)

    def test_unreviewed_candidates_rest_on_these_turns_alone(self, store: Store) -> None:
        one, two = say(store, "plum one", "plum two")
        (its,) = say(store, "plum of Anna", own=ANNA)
        candidate = {"status": Status.CANDIDATE}
        wanted = resting(one, "plum", "on one", **candidate)
        both = resting(one, "plum", "on both", **candidate)
        both = replace(both, sources=(*both.sources, *resting(two, "plum").sources))
        add(
            store,
            wanted,
            both,
            replace(wanted, id=new_id(MARCH), content="in the project", scope=SITE),
            resting(one, "plum", "pinned", pinned=True, **candidate),
            resting(one, "plum", "confirmed", confirmed_at=MARCH, **candidate),
            resting(one, "plum", "current"),
            replace(
                resting(one, "plum", "with another", **candidate),
                sources=(*wanted.sources, Source(kind="person", by="test")),
            ),
            resting(its, "plum", "of Anna", scope=ANNA, **candidate),
        )

        def contents(*turns: str) -> list[str]:
            return [each.content for each in store.passes.unreviewed(turns, OWNER)]

        assert contents(one) == ["on one", "in the project"]
        assert contents(one, two, its) == ["on one", "on both", "in the project"]
        assert contents(its) == []
        (found, *_) = store.passes.unreviewed([one], OWNER)
        assert found.sources[0].turn == one

    def test_only_another_profile_hears_elsewhere(self, store: Store) -> None:
        other = Scope("profile", "writer")
        add(
            store,
            a_memory("likes tea", scope=other),
            a_memory("likes figs", scope=other, valid_to=MARCH),
            a_memory("likes plums", scope=CODER),
            a_memory("likes pears"),
            a_memory("likes peas", scope=other, status=Status.RETIRED),
        )

        def heard(content: str, own: Scope = CODER, kind: Kind = Kind.FACT) -> bool:
            return store.passes.heard_elsewhere(content, kind, own, LATER)

        assert heard("Likes  tea")
        assert not heard("likes tea", kind=Kind.PREFERENCE)
        assert not heard("likes tea", OWNER)
        assert not heard("likes tea", other)
        for content in ("likes figs", "likes plums", "likes pears", "likes peas"):
            assert not heard(content)

    # Passes and calls

    def test_a_pass_is_unfinished_until_it_ends_or_is_stopped(self, store: Store) -> None:
        assert store.passes.unfinished(OWNER) is None
        begin(store, preview=True)
        begin(store, own=ANNA)
        assert store.passes.unfinished(OWNER) is None
        first = begin(store)
        found = store.passes.unfinished(OWNER)
        assert found is not None
        assert (found.id, found.scope, found.model, found.prompts) == (first, OWNER, "a-model", "1")
        assert (found.began, found.ended, found.stopped) == (MARCH, None, None)
        end(store, first, stopped="out of tokens")
        assert store.passes.unfinished(OWNER) is None
        one = store.passes.one(first.lower(), OWNER)
        assert (one.ended, one.stopped) == (LATER, "out of tokens")

    def test_a_preview_that_was_killed_is_over_when_another_pass_begins(self, store: Store) -> None:
        killed, kept = begin(store, preview=True), begin(store)
        others = begin(store, own=ANNA, preview=True)
        done = begin(store, preview=True)
        end(store, done)
        running = begin(store, preview=True)
        one = store.passes.one(killed, OWNER)
        assert (one.ended, one.stopped, one.failed) == (MARCH, "it was interrupted", True)
        assert store.passes.one(done, OWNER).ended == LATER
        assert store.passes.one(done, OWNER).stopped is None
        assert [store.passes.one(each, OWNER).ended for each in (kept, running)] == [None, None]
        assert store.passes.one(others, ANNA).ended is None

    def test_passes_are_listed_newest_first(self, store: Store) -> None:
        ids = [begin(store) for _ in range(4)]
        begin(store, own=ANNA)
        listed = store.passes.passes(OWNER, limit=2)
        assert [each.id for each in listed] == [ids[3], ids[2]]
        listed = store.passes.passes(OWNER, before=ids[2], limit=9)
        assert [each.id for each in listed] == [ids[1], ids[0]]
        with pytest.raises(NotFound):
            store.passes.one(ids[0], ANNA)
        with pytest.raises(Ambiguous):
            store.passes.one(ids[0][:8], OWNER)

    def test_a_call_is_read_as_it_was_recorded(self, store: Store) -> None:
        turns = say(store, "one", "two")
        near = a_memory("Anna likes tea")
        add(store, near)
        of, other = begin(store), begin(store, own=ANNA)
        told = a_call(of, turns=turns, memories=(near.id,))
        bare = a_call(of, attempts=(Attempt(Outcome.TIMEOUT, Mode.PROMPT, 64),), time=LATER)
        elsewhere = a_call(other, time=LATER)
        for call in (told, bare, elsewhere):
            store.passes.record(call)
        assert store.passes.calls(of, OWNER) == [told, bare]
        found = store.passes.one(of, OWNER)
        assert (found.calls, found.tokens) == (2, Tokens(100, 40, 20, 5))
        for wrong, own in ((new_id(MARCH), OWNER), (of, ANNA), (other, OWNER)):
            with pytest.raises(NotFound):
                store.passes.calls(wrong, own)

    def test_what_was_spent_is_counted_by_the_hour_and_stays_so(self, store: Store) -> None:
        of, other = begin(store), begin(store, own=ANNA)
        untold = (Attempt(Outcome.TIMEOUT, Mode.PROMPT, 64),)
        assert store.passes.spent(MARCH) == Tokens()
        store.passes.record(a_call(of, attempts=untold))
        assert store.passes.spent(MARCH) == Tokens()
        store.passes.record(a_call(of))
        store.passes.record(a_call(of, attempts=untold))
        store.passes.record(a_call(other, time=LATER + timedelta(minutes=50)))
        spent = [Tokens(200, 80, 40, 10), Tokens(100, 40, 20, 5), Tokens()]
        later = LATER + timedelta(minutes=59, seconds=59)
        hour = timedelta(hours=1)
        assert [store.passes.spent(since) for since in (MARCH, later, LATER + hour)] == spent
        zoned = later.astimezone(timezone(timedelta(hours=5, minutes=30)))
        assert store.passes.spent(zoned) == spent[1]
        end(store, of)
        undo(store, of)
        store.forget(Choice(everything=True), (OWNER,), at=LATER, by="test")
        assert store.passes.passes(OWNER, limit=9) == []
        assert store.passes.spent(MARCH) == spent[0]

    def test_warnings_are_news_until_they_are_told(self, store: Store) -> None:
        assert not store.passes.is_news(OWNER, "")
        assert store.passes.is_news(OWNER, "no pass for a week")
        store.passes.told(OWNER, "no pass for a week")
        assert not store.passes.is_news(OWNER, "no pass for a week")
        assert store.passes.is_news(ANNA, "no pass for a week")
        assert not store.passes.is_news(ANNA, "")
        assert store.passes.is_news(OWNER, "")
        store.passes.told(ANNA, "a\0b\ud800c")
        assert not store.passes.is_news(ANNA, "a\0b\ud800c")
        assert not store.passes.is_news(OWNER, "no pass for a week")

    def test_what_no_file_can_keep_does_not_stop_a_pass(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        of = begin(store)
        odd = "a\0b\ud800c"
        attempt = Attempt(Outcome.UNPARSEABLE, Mode.PROMPT, 64, 200, odd, odd, error=odd, body=odd)
        store.passes.record(a_call(of, attempts=(attempt,)))
        made = chosen(store, of, turn, "plum", says=odd, reason=odd, content=odd)
        made = replace(made, candidate=replace(made.candidate, detail=odd))
        store.passes.read(of, [], [made], aside={turn: odd}, at=LATER)
        end(store, of, stopped=odd)
        assert store.passes.calls(of, OWNER)[0].attempts[0].body == "a\ufffdb\ufffdc"
        assert store.passes.decision(made.id, (OWNER,)).reason == "a\ufffdb\ufffdc"
        assert store.passes.aside(OWNER, limit=9)[0].reason == "a\ufffdb\ufffdc"

    def test_a_pass_counts_what_it_decided(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        first, second = begin(store), begin(store)

        def made(stage: Stage, operation: Operation | None = None) -> Decision:
            return chosen(
                store, first, turn, "plum", stage=stage, operation=operation, decided_by=second
            )

        some = [made(Stage.APPLIED, Operation.ADD) for _ in range(3)]
        some += [made(Stage.APPLIED, Operation.NOOP), made(Stage.REJECTED), made(Stage.REVIEW)]
        store.passes.read(first, [turn], some, aside={}, at=LATER)
        assert store.passes.one(first, OWNER).counts == {}
        counts = store.passes.one(second, OWNER).counts
        assert counts == {"add": 3, "noop": 1, "rejected": 1, "review": 1}
        assert store.passes.passes(OWNER, limit=1)[0].counts == counts

    def test_what_fails_within_a_transaction_leaves_nothing(self, store: Store) -> None:
        turns = say(store, "plum")
        of = begin(store)
        made = chosen(store, of, turns[0], "plum")
        gone = replace(a_memory("gone"), content="gone")

        def fail() -> None:
            with store.transaction():
                store.passes.record(a_call(of, turns=turns))
                store.passes.read(of, turns, [made], aside={}, at=LATER)
                do(store, of, Change(Operation.NOOP, gone, gone))

        with pytest.raises(NotFound):
            fail()
        assert store.passes.calls(of, OWNER) == []
        assert store.passes.decisions((OWNER,), limit=9) == []
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == turns

    def test_a_change_of_a_pass_that_is_not_there_is_refused(self, store: Store) -> None:
        with pytest.raises(NotFound):
            do(store, new_id(MARCH), adding(a_memory("plum")))
        assert find(store, "plum") == []

    def test_a_pass_that_is_forgotten_as_it_runs_keeps_nothing_more(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        of = begin(store)
        made = chosen(store, of, turn, "plum")
        store.forget(Choice(everything=True), (OWNER,), at=LATER, by="test")
        (again,) = say(store, "fig")
        with pytest.raises(NotFound):
            store.passes.record(a_call(of))
        with pytest.raises(NotFound):
            store.passes.read(of, [again], [], aside={}, at=LATER)
        with pytest.raises(NotFound):
            end(store, of)
        store.passes.decide([made, chosen(store, of, again, "fig")])
        assert store.passes.decisions((OWNER,), limit=9) == []

    # Undoing

    def test_undoing_takes_back_every_kind_of_change(self, store: Store) -> None:
        (turn,) = say(store, "we are in Bergen")
        oslo, tea, blue = (a_memory(each) for each in ("in Oslo", "likes tea", "likes blue"))
        add(store, oslo, tea, blue)
        before = store.memories((OWNER,), replace(NOW, statuses=frozenset(Status)), limit=9)
        of = begin(store)
        bergen = resting(turn, "we are in Bergen", "in Bergen")
        do(store, of, adding(bergen), closing(store, oslo, bergen))
        do(store, of, closing(store, tea))
        do(store, of, confirming(store, blue, *resting(turn, "we are").sources))
        do(store, of, confirming(store, bergen))
        store.passes.read(of, [turn], [], aside={}, at=LATER)
        end(store, of)
        restored, removed, left, turns = undo(store, of)
        assert (restored, removed) == ({oslo.id, tea.id, blue.id}, {bergen.id})
        assert (left, turns) == ({}, 1)
        after = store.memories((OWNER,), replace(NOW, statuses=frozenset(Status)), limit=9)
        assert after == before
        assert find(store, "Bergen") == []
        assert find(store, "Oslo") == ["in Oslo"]
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [turn]
        assert store.passes.one(of, OWNER).undone == LATER
        assert store.entries(oslo.id, (OWNER,))[-1].operation is Operation.UNDO
        assert store.entries(bergen.id, (OWNER,))[-1].operation is Operation.UNDO
        assert store.passes.refused("in Bergen", OWNER) is None
        assert store.check() == []

    def test_what_held_then_is_known_as_before_once_undone(self, store: Store) -> None:
        tea = a_memory("likes tea", valid_to=MARCH + 9 * DAY)
        add(store, tea)
        of = begin(store)
        do(store, of, closing(store, tea))
        end(store, of)
        undo(store, of)
        known = Filter(now=MARCH + 20 * DAY, known=LATER + DAY, as_of=MARCH + 8 * DAY)
        assert find(store, "tea", filter=known) == ["likes tea"]
        assert find(store, "tea", filter=replace(known, as_of=MARCH + 10 * DAY)) == []

    def test_what_was_changed_or_forgotten_since_is_left(self, store: Store) -> None:
        (turn,) = say(store, "we are in Bergen")
        tea, blue, red = (a_memory(each) for each in ("likes tea", "likes blue", "likes red"))
        add(store, tea, blue, red)
        of = begin(store)
        do(store, of, closing(store, tea), confirming(store, blue), confirming(store, red))
        fig, plum = a_memory("likes figs"), resting(turn, "we are in Bergen", "likes plums")
        do(store, of, adding(fig), adding(plum))
        end(store, of)
        now = store.memory(blue.id, (OWNER,))
        pinned = [Change(Operation.PIN, now, replace(now, pinned=True))]
        store.apply(pinned, at=LATER, by="test")
        forget(store, red, plum)
        restored, removed, left, _ = undo(store, of)
        assert (restored, removed) == ({tea.id}, {fig.id})
        assert left == {blue.id: "changed", red.id: "forgotten", plum.id: "forgotten"}
        assert store.memory(blue.id, (OWNER,)).pinned
        assert store.memory(blue.id, (OWNER,)).mention_count == 2

    def test_of_two_versions_one_holds_after_undoing(self, store: Store) -> None:
        oslo, bergen = a_memory("in Oslo"), a_memory("in Bergen")
        tea, plum = a_memory("likes tea"), a_memory("likes plums")
        add(store, oslo, tea)
        of = begin(store)
        do(store, of, adding(bergen), closing(store, oslo, bergen))
        do(store, of, adding(plum), closing(store, tea, plum))
        end(store, of)
        for each in (bergen, tea):  # the new one of the first pair, the old one of the second
            now = store.memory(each.id, (OWNER,))
            change = Change(Operation.PIN, now, replace(now, pinned=True))
            store.apply([change], at=LATER, by="test")
        restored, removed, left, _ = undo(store, of)
        assert (restored, removed) == (set(), set())
        assert left == dict.fromkeys((oslo.id, bergen.id, tea.id, plum.id), "changed")
        assert find(store, "in", "likes") == ["in Bergen", "likes plums"]

    def test_passes_can_be_undone_one_after_the_other(self, store: Store) -> None:
        first, second = begin(store), begin(store)
        tea = a_memory("likes tea")
        do(store, first, adding(tea))
        end(store, first)
        do(store, second, confirming(store, tea, Source(kind="agent", by="another")))
        end(store, second)
        assert undo(store, second)[:3] == ({tea.id}, set(), {})
        assert len(store.memory(tea.id, (OWNER,)).sources) == 1
        assert undo(store, first)[:3] == (set(), {tea.id}, {})

    def test_what_another_pass_changed_since_is_left(self, store: Store) -> None:
        first, second = begin(store), begin(store)
        tea = a_memory("likes tea")
        do(store, first, adding(tea))
        do(store, second, confirming(store, tea))
        end(store, first)
        assert undo(store, first)[:3] == (set(), set(), {tea.id: "changed"})

    def test_names_and_scopes_that_came_with_a_pass_go_with_it(self, store: Store) -> None:
        add(store, replace(a_memory("Bergen is far"), entities=("Bergen",)))
        before = store.entities((OWNER, SITE), limit=9)
        of = begin(store)
        do(store, of, adding(a_memory("Mara Lindqvist lives in Bergen")))
        do(store, of, adding(a_memory("The site runs on atlas-nas", scope=SITE)))
        assert "Mara Lindqvist" in known(store, OWNER)
        end(store, of)
        undo(store, of)
        assert store.entities((OWNER, SITE), limit=9) == before
        assert store.check() == []

    def test_undone_candidates_do_not_come_again_and_others_wait_again(self, store: Store) -> None:
        (turn,) = say(store, "plum pear fig kiwi")
        first, second, third = begin(store), begin(store), begin(store)
        ours = chosen(store, second, turn, "plum", stage=Stage.APPLIED, decided_by=second)
        waits = chosen(store, second, turn, "kiwi", stage=Stage.REVIEW)
        theirs = chosen(
            store, first, turn, "pear", stage=Stage.APPLIED, operation=Operation.ADD,
            memory=new_id(MARCH), decided_by=second, decided_at=LATER, tries=2,
        )  # fmt: skip
        since = chosen(store, second, turn, "fig", stage=Stage.APPLIED, decided_by=third)
        store.passes.decide([ours, waits, theirs, since])
        end(store, second)
        undo(store, second)
        found = {each.id: each for each in store.passes.decisions((OWNER,), limit=9)}
        assert found[ours.id].stage is found[waits.id].stage is Stage.UNDONE
        again = found[theirs.id]
        assert (again.stage, again.tries, again.decided_by) == (Stage.SET_ASIDE, 2, None)
        assert (again.operation, again.memory) == (None, None)
        assert found[since.id] == since

    def test_turns_are_as_unread_as_before_unless_told(self, store: Store) -> None:
        one, two, three, four = say(store, "one", "two", "three", "four")
        rules, first, second = begin(store, model=RULES), begin(store), begin(store)
        store.passes.read(rules, [one], [], aside={}, at=LATER, by_rules=True)
        store.passes.read(first, [], [], aside={two: "no answer"}, at=LATER)
        asides = store.passes.aside(OWNER, limit=9)
        store.passes.read(second, [one, two, three], [], aside={four: "too long"}, at=LATER)
        end(store, second)
        forget_turn(store, three)
        assert undo(store, second)[3] == 3
        assert store.passes.aside(OWNER, limit=9) == asides
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [one, four]
        by_rules = store.passes.unread(OWNER, by_rules=True, limit=9)
        assert [each.turn for each in by_rules] == [four]
        kept = begin(store)
        store.passes.read(kept, [one, four], [], aside={}, at=LATER)
        end(store, kept)
        assert undo(store, kept, keep_read=True)[3] == 0
        assert store.passes.unread(OWNER, limit=9) == []

    def test_what_a_later_pass_read_stays_read(self, store: Store) -> None:
        (turn,) = say(store, "one")
        first, second = begin(store), begin(store)
        store.passes.read(first, [], [], aside={turn: "no answer"}, at=LATER)
        store.passes.read(second, [turn], [], aside={}, at=LATER)
        end(store, first)
        end(store, second)
        assert undo(store, first)[3] == 0
        assert store.passes.backlog(OWNER, ()).turns == 0

    def test_what_a_later_pass_read_anew_is_undone_after_that(self, store: Store) -> None:
        one, two = say(store, "likes plums", "likes figs")
        rules, model, proposed = begin(store, model=RULES), begin(store), begin(store)
        plum = resting(one, "likes plums")
        store.passes.read(rules, [one], [], aside={}, at=LATER, by_rules=True)
        do(store, rules, adding(plum))
        store.passes.read(model, [one], [chosen(store, model, two, "figs")], aside={}, at=LATER)
        do(store, model, confirming(store, plum))
        store.passes.read(proposed, [two], [], aside={}, at=LATER)
        for each in (rules, model, proposed):
            end(store, each)
        for of, later in ((rules, model), (model, proposed)):
            with pytest.raises(InvalidInput, match=f"{later} read the same turns since"):
                undo(store, of)
        assert undo(store, proposed)[:3] == (set(), set(), {})
        assert undo(store, model)[:3] == ({plum.id}, set(), {})
        assert undo(store, rules)[:3] == (set(), {plum.id}, {})
        assert store.passes.backlog(OWNER, ()).turns == 2

    def test_only_a_pass_that_is_over_can_be_undone_and_once(self, store: Store) -> None:
        of, preview = begin(store), begin(store, preview=True)
        with pytest.raises(InvalidInput, match="unfinished"):
            undo(store, of)
        end(store, of, stopped="out of money")
        undo(store, of)
        with pytest.raises(InvalidInput, match="already"):
            undo(store, of)
        end(store, preview)
        with pytest.raises(InvalidInput, match="preview"):
            undo(store, preview)
        with pytest.raises(NotFound):
            undo(store, new_id(MARCH))

    # Expiry

    def test_old_conversations_that_were_read_expire(self, store: Store) -> None:
        old = say(store, "plum one", "plum two", conversation="old")
        waiting = say(store, "pear one", "pear two", conversation="waiting")
        aside = say(store, "fig", conversation="aside")
        its = say(store, "of Anna", own=ANNA)
        of, other = begin(store), begin(store, own=ANNA)
        store.passes.read(of, [*old, waiting[0]], [], aside={aside[0]: "no answer"}, at=LATER)
        store.passes.read(other, its, [], aside={}, at=LATER)
        memory = resting(old[0], "plum")
        add(store, memory, replace(resting(old[1], "x", "on two"), sources=(
            Source(kind="turn", time=MARCH, turn=old[1], start=5, end=8),)))  # fmt: skip
        assert store.passes.expire(MARCH, OWNER, at=LATER, by="test") == 0
        assert store.passes.expire(LATER, OWNER, at=LATER, by="test") == 2
        assert store.passes.expire(LATER, OWNER, at=LATER, by="test") == 0
        for turn in old:
            with pytest.raises(NotFound):
                store.turn(turn, (OWNER,))
        for turn in (*waiting, *aside):
            assert store.turn(turn, (OWNER,))
        assert store.turn(its[0], (ANNA,))
        (source,) = store.memory(memory.id, (OWNER,)).sources
        assert (source.kind, source.quote, source.time, source.turn) == (
            "turn",
            "plum",
            MARCH,
            None,
        )
        two = store.memories((OWNER,), NOW, limit=1)[0]
        assert (two.content, two.sources[0].quote) == ("on two", "two")
        again = [incoming(each, conversation="old", id=each) for each in ("plum one", "plum two")]
        assert observe(store, *again).forgotten == 2
        assert store.purge().pending == ()
        assert store.check() == []

    def test_what_models_said_expires_with_the_conversation(self, store: Store) -> None:
        (turn,) = say(store, "plum", conversation="old")
        (kept,) = say(store, "pear", conversation="new")
        of = begin(store)
        told, other = a_call(of, turns=[turn]), a_call(of, turns=[kept])
        store.passes.record(told)
        store.passes.record(other)
        made = chosen(store, of, turn, "plum", stage=Stage.REVIEW)
        store.passes.read(of, [turn], [made], aside={}, at=LATER)
        store.passes.expire(LATER, OWNER, at=LATER, by="test")
        first, second = store.passes.calls(of, OWNER)
        assert [each.body + each.error for each in first.attempts] == ["", ""]
        assert (first.turns, first.tokens, first.outcome) == ((turn,), told.tokens, Outcome.OK)
        assert second == other
        left = store.passes.decision(made.id, (OWNER,))
        assert left == replace(made, candidate=replace(made.candidate, turn=""))
        store.passes.decide([replace(left, stage=Stage.REJECTED)])
        assert store.passes.refused("plum", OWNER) == "rejected"
        assert store.passes.one(of, OWNER).turns == 1

    # Forgetting

    def test_a_candidate_is_forgotten_with_its_words_or_its_memory(self, store: Store) -> None:
        one, two = say(store, "plum", "pear")
        memory = a_memory("likes pears")
        add(store, memory)
        of = begin(store)
        near = Neighbour(memory.id, memory.kind, memory.content, memory.status, 0.1, {})
        store.passes.read(
            of,
            [one, two],
            [
                chosen(store, of, one, "plum"),
                chosen(store, of, two, "pear", stage=Stage.APPLIED, memory=memory.id),
                stays := chosen(
                    store, of, two, "pear", neighbours=(near,), reason="as likes pears"
                ),
            ],
            aside={},
            at=LATER,
        )
        for turn in (one, two):
            store.passes.record(a_call(of, turns=[turn]))
        store.passes.record(a_call(of, memories=(memory.id,)))
        forget_turn(store, one)
        assert len(store.passes.decisions((OWNER,), limit=9)) == 2
        forget(store, memory)
        left = store.passes.decisions((OWNER,), limit=9)
        assert left == [replace(stays, neighbours=(replace(near, content=""),), reason=None)]
        bodies = [[each.body for each in call.attempts] for call in store.passes.calls(of, OWNER)]
        assert bodies == [["", ""], ["", '{"kept": ["plum"]}'], ["", ""]]

    def test_a_candidate_stands_where_its_words_are_after_a_cut(self, store: Store) -> None:
        (turn,) = say(store, "plum and pear and fig")
        of = begin(store)
        made = [chosen(store, of, turn, each) for each in ("plum", "pear", "pear and", "fig")]
        aside = {turn: "says pear"}
        store.passes.read(of, [], made, aside=aside, at=LATER)
        source = Source(kind="turn", time=MARCH, turn=turn, quote="pear", start=9, end=13)
        memory = a_memory("likes pears", sources=(source,))
        add(store, memory)
        forget(store, memory)
        content = store.turn(turn, (OWNER,)).content
        left = store.passes.decisions((OWNER,), limit=9)
        assert [each.candidate.quote for each in left] == ["plum", "fig"]
        for each in left:
            assert content[each.candidate.start : each.candidate.end] == each.candidate.quote
        assert store.passes.aside(OWNER, limit=9) == []
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [turn]

    def test_of_what_was_forgotten_meanwhile_nothing_is_kept(self, store: Store) -> None:
        one, two = say(store, "plum one", "pear two")
        memory = a_memory("likes pears")
        add(store, memory)
        near = Neighbour(memory.id, memory.kind, memory.content, memory.status, 0.1, {})
        of = begin(store)
        gone = chosen(store, of, one, "plum")
        stays = chosen(store, of, two, "pear", neighbours=(near,))
        call = a_call(of, turns=(one, two))
        forget_turn(store, one)
        forget(store, memory)
        store.passes.record(call)
        store.passes.read(of, [one, two], [gone, stays], aside={}, at=LATER)
        store.passes.decide([replace(gone, stage=Stage.REVIEW)])
        (left,) = store.passes.decisions((OWNER,), limit=9)
        assert left == replace(stays, neighbours=(replace(near, content=""),))
        (kept,) = store.passes.calls(of, OWNER)
        assert [each.body + each.error for each in kept.attempts] == ["", ""]
        assert store.passes.one(of, OWNER).turns == 1

    def test_what_was_undone_is_forgotten_with_its_words(self, store: Store) -> None:
        (turn,) = say(store, "likes plums")
        tea = a_memory("likes tea")
        add(store, tea)
        of = begin(store)
        plum = resting(turn, "likes plums")
        do(store, of, adding(plum), confirming(store, tea, *plum.sources))
        store.passes.read(of, [turn], [], aside={}, at=LATER)
        end(store, of)
        undo(store, of)
        assert "plums" in told(store, plum.id)
        assert "plums" in told(store, tea.id)
        forget_turn(store, turn)
        assert "plums" not in told(store, plum.id)
        assert "plums" not in told(store, tea.id)

    def test_forgetting_everything_leaves_no_pass(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        of, other = begin(store), begin(store, own=ANNA)
        store.passes.record(a_call(of, turns=[turn]))
        store.passes.read(of, [turn], [chosen(store, of, turn, "plum")], aside={}, at=LATER)
        everything = Choice(everything=True)
        store.forget(everything, (OWNER,), at=LATER, by="test")
        assert store.passes.passes(OWNER, limit=9) == []
        assert store.passes.passes(ANNA, limit=9) == []
        assert store.passes.decisions((OWNER, ANNA), limit=9) == []
        assert other

    def test_a_pass_goes_with_the_person(self, store: Store) -> None:
        (its,) = say(store, "plum", own=ANNA)
        (ours,) = say(store, "pear")
        of, other = begin(store, own=ANNA), begin(store)
        store.passes.read(
            other, [ours], [chosen(store, other, ours, "pear", scope=ANNA)], aside={}, at=LATER
        )
        store.passes.read(of, [its], [chosen(store, of, its, "plum", own=ANNA)], aside={}, at=LATER)
        store.forget(Choice(scope=ANNA), (ANNA,), at=LATER, by="test")
        assert store.passes.passes(ANNA, limit=9) == []
        assert store.passes.decisions((ANNA,), limit=9) == []
        assert [each.id for each in store.passes.passes(OWNER, limit=9)] == [other]

    # Previews

    def test_a_preview_changes_nothing(self, store: Store) -> None:
        (turn,) = say(store, "plum")
        tea = a_memory("likes tea")
        add(store, tea)
        mark = store.mark()
        with store.preview() as copy:
            assert copy.memory(tea.id, (OWNER,)) == tea
            of = begin(copy)
            do(copy, of, closing(copy, tea), adding(a_memory("likes plums")))
            copy.passes.read(of, [turn], [], aside={}, at=LATER)
            end(copy, of)
            assert find(copy, "likes") == ["likes plums"]
            assert find(store, "likes") == ["likes tea"]
            add(store, a_memory("likes figs"))
            assert find(copy, "figs") == []
        assert not store.changed(mark + 1, (OWNER,))
        assert [each.turn for each in store.passes.unread(OWNER, limit=9)] == [turn]
        assert store.passes.passes(OWNER, limit=9) == []

    def test_compare_and_set_holds_for_a_pass(self, store: Store) -> None:
        tea = a_memory("likes tea")
        add(store, tea)
        of = begin(store)
        stale = closing(store, tea)
        pinned = [Change(Operation.PIN, tea, replace(tea, pinned=True))]
        store.apply(pinned, at=LATER, by="test")
        with pytest.raises(Conflict):
            do(store, of, stale)


def forget_turn(store: Store, turn: str, own: Scope = OWNER) -> None:
    store.forget(Choice(ids=(turn,)), (own,), at=LATER, by="test")


def told(store: Store, id: str) -> str:
    """All that the ledger tells of a memory."""
    return json.dumps([str(each) for each in store.entries(id, (OWNER,))])
