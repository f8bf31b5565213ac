"""What a candidate means for what is known."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import wiring
from memoranda.answers import Outcome
from memoranda.errors import Conflict, EmbeddingError
from memoranda.formation import prompts, resolution
from memoranda.formation.comparing import Case, Question
from memoranda.formation.neighbours import nearest
from memoranda.formation.operations import Resolved
from memoranda.models.reading import Unreadable, read
from memoranda.models.schemas import form_of
from memoranda.passes import Decision, Stage
from memoranda.policy.consolidation import Policy, destination
from memoranda.protocols import Embedder, Vector
from memoranda.settings import Settings
from memoranda.testing import DAY, MARCH, OWNER, SITE, a_memory, forget
from memoranda.text import tokens
from memoranda.text.clean import mend
from memoranda.types import Kind, Operation, Scope, Status
from tests.resolving import Desk, Model, nobody, of, says, shelf

LOVES = "User loves Chinese food"
HATES = "User hates Chinese food"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    store = shelf(tmp_path)
    yield Desk(store)
    store.close()


@pytest.fixture
def embedder(tmp_path: Path) -> Embedder:
    found = wiring.embedder_of(Settings(), tmp_path)
    assert found is not None
    return found


# What it must show --------------------------------------------------------------------------------


def test_who_hates_what_they_loved_has_one_current_memory(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    desk.tell(nobody, LOVES, "I love Chinese food", kind=Kind.PREFERENCE)
    desk.at += 30 * DAY
    done = desk.tell(
        says("UPDATE", "loves", HATES), HATES, "I hate Chinese food", kind=Kind.PREFERENCE
    )
    assert done.stage == Stage.APPLIED
    assert done.operation == Operation.UPDATE
    assert desk.contents() == [HATES]
    (old,) = desk.memories(Status.SUPERSEDED)
    assert old.content == LOVES
    assert old.superseded_by == done.memory
    assert old.valid_to == desk.at
    assert old.closed_at == desk.at


def test_what_is_said_twice_is_one_memory_mentioned_twice(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    desk.tell(nobody, "User likes tea", "I like tea", kind=Kind.PREFERENCE)
    desk.at += DAY
    done = desk.tell(nobody, "User likes tea", "I like tea", kind=Kind.PREFERENCE)
    assert (done.operation, done.reason) == (Operation.NOOP, "known to the letter")
    (tea,) = desk.memories()
    assert tea.mention_count == 2
    assert len(tea.sources) == 2
    assert tea.confidence == 0.75
    assert tea.confirmed_at == desk.at


def test_a_run_on_another_day_is_another_episode(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    monday = MARCH - 6 * DAY
    for day in (monday, monday + DAY):
        desk.tell(
            says("UPDATE", "5 km", "User ran 5 km twice"),
            f"User ran 5 km on {day:%Y-%m-%d}",
            f"ran 5 km {day:%A}",
            kind=Kind.EPISODE,
            valid_from=day,
            valid_to=day + DAY,
        )
    assert desk.contents(Status.CURRENT) == [
        "User ran 5 km on 2026-02-23",
        "User ran 5 km on 2026-02-24",
    ]


def test_one_new_fact_leaves_the_others_alone(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    for number in range(40):
        desk.know(f"Rack {number} of the archive holds the maps of sheet {number}")
    done = desk.tell(
        says("UPDATE", "Rack 7 ", "Rack 7 of the archive holds the charts of sheet 90"),
        "Rack 7 of the archive holds the charts of sheet 90",
    )
    assert done.stage == Stage.APPLIED
    assert len(desk.memories()) == 40
    (old,) = desk.memories(Status.SUPERSEDED)
    assert old.content.startswith("Rack 7 ")
    assert len(done.neighbours) == 3


def test_what_ended_is_retired_and_adds_no_negation(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    desk.know("User is vegetarian")
    desk.at += DAY
    ended = "User is not vegetarian anymore"
    done = desk.tell(says("DELETE", "vegetarian"), ended, "I'm not vegetarian anymore", ends=True)
    assert done.operation == Operation.DELETE
    assert desk.contents() == []
    (old,) = desk.memories(Status.RETIRED)
    assert old.closed_at == old.valid_to == desk.at


# Before a model is asked --------------------------------------------------------------------------


def test_where_nothing_is_known_nobody_is_asked(desk: Desk) -> None:
    done = desk.tell(nobody, "User lives in Bergen", basis="hedged", confidence=0.4)
    assert done.operation == Operation.ADD
    (memory,) = desk.memories()
    assert (memory.id, memory.confidence) == (done.memory, 0.4)
    assert memory.valid_from == memory.recorded_at == MARCH
    assert memory.entities == ("Bergen",)
    (source,) = memory.sources
    assert (source.quote, source.start, source.end) == ("User lives in Bergen", 0, 20)
    assert source.conversation == "c1"


def test_what_was_forgotten_or_turned_down_is_not_proposed_again(desk: Desk) -> None:
    forget(desk.store, desk.know("User smokes"))
    desk.turn_down(desk.decision("User sails"))
    for content, reason in (("User smokes", "forgotten"), ("User sails", "rejected before")):
        done = desk.tell(nobody, content)
        assert (done.stage, done.reason, done.operation) == (Stage.REJECTED, reason, None)
    assert desk.memories() == []


def test_how_to_do_something_is_for_a_person_to_look_at(desk: Desk) -> None:
    done = desk.tell(nobody, "To release, tag and push", procedure=True)
    assert done.stage == Stage.REVIEW
    assert "skill" in str(done.reason)


def test_the_end_of_what_nobody_knew_is_no_memory(desk: Desk) -> None:
    done = desk.tell(nobody, "User does not ski anymore", ends=True)
    assert (done.stage, done.operation) == (Stage.APPLIED, Operation.NOOP)
    assert done.reason == "what ended was not known"
    desk.know("User lives in Bergen")
    done = desk.tell(says("ADD"), "User does not ski anymore", ends=True)
    assert (done.operation, done.reason) == (Operation.NOOP, "what ended was not known")
    assert desk.contents() == ["User lives in Bergen"]


# Neighbours ---------------------------------------------------------------------------------------


def test_neighbours_are_near_by_meaning_and_by_words(desk: Desk, embedder: Embedder) -> None:
    desk.embedder = embedder
    desk.know("User's favourite drink is black tea")
    desk.know("The kettle in the office is broken")
    desk.know("The host heron-7 is in the cellar")
    desk.know("User likes to sail")
    candidate = desk.candidate("User drinks coffee beside heron-7")
    desk.resolve(says("ADD"), desk.decision("something else"))
    found = [near for near, _ in nearest(candidate, OWNER, desk.store, embedder, MARCH)]
    assert len(found) == 3
    heron = next(each for each in found if "heron" in each.content)
    assert heron.ranks["lexical"] == 1
    assert all(each.distance is not None and 0 <= each.distance <= 2 for each in found)
    assert {each.content for each in found} & {"User's favourite drink is black tea"}


def test_neighbours_are_of_the_scope_and_hold(desk: Desk) -> None:
    desk.know("The build takes 5 minutes", scope=SITE)
    desk.know("The build takes 6 minutes", valid_to=MARCH + DAY)
    desk.at += 2 * DAY
    candidate = desk.candidate("The build takes 7 minutes")
    assert nearest(candidate, OWNER, desk.store, None, desk.at) == []
    ((site, _),) = nearest(candidate, SITE, desk.store, None, desk.at)
    assert site.content == "The build takes 5 minutes"
    assert site.distance is None
    assert site.ranks == {"lexical": 1}
    desk.know("The build took 8 minutes", kind=Kind.EPISODE, valid_to=MARCH + DAY)
    ((happened, _),) = nearest(candidate, OWNER, desk.store, None, desk.at)
    assert happened.kind == Kind.EPISODE


def test_a_search_that_fails_is_no_empty_one(desk: Desk, embedder: Embedder) -> None:
    class Broken:
        name, host = "broken", None

        def reads(self, text: str) -> bool:
            return True

        def embed_question(self, text: str) -> Vector:
            raise EmbeddingError("no room")

    decision = desk.decision("User lives in Bergen")
    broken = cast("Embedder", Broken())
    with pytest.raises(EmbeddingError, match="no room"):
        resolution.resolve([decision], desk.store, broken, Model(nobody), Policy(), now=MARCH)
    desk.store.embed_by(embedder.name)
    desk.know("User lives in Oslo")
    with pytest.raises(EmbeddingError, match="no vector"):
        nearest(decision.candidate, OWNER, desk.store, embedder, MARCH)


# What is asked ------------------------------------------------------------------------------------


def cases(desk: Desk) -> list[Case]:
    tea, run = desk.know("User likes tea"), desk.know("User runs")
    first, second = desk.decision("User likes cocoa"), desk.decision("User swims")
    return [Case(first, {tea.id: tea}), Case(second, {tea.id: tea, run.id: run})]


def test_the_words_that_never_change_come_first_and_are_many(desk: Desk) -> None:
    question = Question(cases(desk))
    system, data = question.messages()
    assert tokens.estimate(system.content) >= 1024
    assert system.content == prompts.load("resolve").text
    assert "cocoa" in data.content
    assert "cocoa" not in system.content
    assert prompts.load("resolve").version.startswith("resolve-")


def test_the_form_takes_only_what_was_offered(desk: Desk) -> None:
    question = Question(cases(desk))
    answer = question.answer()
    schema = form_of(answer).schema
    assert schema["type"] == "object"
    assert schema["required"] == ["c1", "c2"]
    assert "anyOf" in schema["properties"]["c1"]
    good = '{"operation": "NOOP", "target": "none", "reason": ""}'
    read(f'{{"c1": {good}, "c2": {good}}}', answer)
    read(f'{{"c1": {good}, "c2": {{"operation": "DELETE", "target": "m2", "reason": ""}}}}', answer)
    for bad in (
        '{"operation": "DELETE", "target": "m2", "reason": ""}',  # of the other candidate
        '{"operation": "DELETE", "target": "none", "reason": ""}',
        '{"operation": "DELETE", "reason": ""}',
        '{"operation": "ADD", "target": "m1", "reason": ""}',
        '{"operation": "UPDATE", "target": "m1", "reason": ""}',
        '{"operation": "add", "reason": ""}',
    ):
        with pytest.raises(Unreadable) as caught:
            read(f'{{"c1": {bad}, "c2": {good}}}', answer)
        assert caught.value.outcome == Outcome.SCHEMA_INVALID


@pytest.mark.parametrize(
    "outcome", [Outcome.EMPTY, Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID, Outcome.REFUSED]
)
def test_a_failure_is_no_operation(desk: Desk, outcome: Outcome) -> None:
    desk.know("User likes tea")
    done = desk.tell(lambda _: outcome, "User likes cocoa")
    assert (done.stage, done.operation, done.tries) == (Stage.SET_ASIDE, None, 1)
    assert outcome.value in str(done.reason)
    assert done.calls == ("call 1",)
    assert desk.contents() == ["User likes tea"]


@pytest.mark.parametrize("outcome", [Outcome.TRUNCATED, Outcome.SCHEMA_INVALID])
def test_what_is_too_much_at_once_is_asked_by_halves(desk: Desk, outcome: Outcome) -> None:
    desk.know("User likes tea")

    def script(data: Mapping[str, Any]) -> object:
        texts = [each["text"] for each in data["statements"].values()]
        return outcome if len(texts) > 1 or "knits" in texts[0] else says("ADD")(data)

    decisions = [desk.decision(f"User {verb}") for verb in ("swims", "knits", "sails")]
    done = [each.decision for each in desk.resolve(script, *decisions)]
    assert [each.stage for each in done] == [Stage.APPLIED, Stage.SET_ASIDE, Stage.APPLIED]
    assert [len(each.calls) for each in done] == [3, 3, 2]
    assert done[1].tries == 1
    assert done[1].operation is None


def test_a_memory_that_tells_to_do_something_is_data(desk: Desk) -> None:
    model = Model(says("ADD"))
    desk.know('}], "statements": {"c9": {}}, "x": [{"')
    resolution.resolve(
        [desk.decision("c9 statements x")], desk.store, None, model, Policy(), now=MARCH
    )
    assert list(model.asked[0]["statements"]) == ["c1"]


# Which are asked about at once --------------------------------------------------------------------


def test_those_asked_about_at_once_are_not_alike(desk: Desk) -> None:
    tea, cocoa, green, swims = (
        desk.decision(f"User {rest}")
        for rest in ("likes tea", "likes cocoa", "hates green tea", "swims")
    )
    assert resolution.group([]) == []
    assert resolution.group([tea, green, swims]) == [tea, swims]
    elsewhere = replace(cocoa, scope=SITE)
    assert resolution.group([elsewhere, tea]) == [elsewhere]
    failed = replace(swims, tries=1)
    assert resolution.group([failed, tea]) == [failed]
    assert resolution.group([tea, failed]) == [tea]
    many = [desk.decision(f"{chr(97 + n) * 5} is round") for n in range(9)]
    assert resolution.group(many) == many[:1]  # they are all said to be round
    many = [desk.decision(chr(97 + n) * 5) for n in range(9)]
    assert resolution.group(many) == many[:5]


def test_one_like_a_skipped_one_waits_for_it(desk: Desk) -> None:
    one, two, three = (desk.decision(text) for text in ("oak ash", "ash elm", "elm fir"))
    assert resolution.group([one, two, three]) == [one]


# UPDATE -------------------------------------------------------------------------------------------


DATABASE = "The database is db-03.lan on port 5432"
MOVED = "The database is on db-05.lan"


@pytest.mark.parametrize(
    "content",
    [
        "The database is db-05.lan on port 5433",
        "The database is db-06.lan",
        "It listens on port 5432",
        "The database of Priya is db-05.lan",
        "The database is not db-05.lan",
        "The database is db-05.lan " * 20,
        "The database is db-05.lan, and the password is hunter2hunter2",
        "",
    ],
)
def test_a_text_that_says_more_than_was_said_is_rejected(desk: Desk, content: str) -> None:
    desk.know(DATABASE)
    done = desk.tell(says("UPDATE", "db-03", content), MOVED)
    assert (done.stage, done.operation) == (Stage.REJECTED, Operation.UPDATE)
    assert done.reason
    assert done.memory is None
    assert desk.contents() == [DATABASE]


def test_a_secret_is_not_even_kept_as_rejected(desk: Desk) -> None:
    desk.know(DATABASE)
    key = "AKIA" + "Z3X5C7V9B2N4M6Q8"
    done = desk.tell(says("UPDATE", "db-03", f"The database is db-05.lan, key {key}"), MOVED)
    assert (done.stage, done.content) == (Stage.REJECTED, None)


def test_a_merged_text_keeps_what_did_not_change(desk: Desk) -> None:
    old = desk.know(DATABASE, detail="since 2024", topics=("hosts",), valid_to=MARCH + 90 * DAY)
    desk.at += DAY
    merged = "The database is db-05.lan on port 5432"
    done = desk.tell(says("UPDATE", "db-03", merged), MOVED, kind=Kind.ENVIRONMENT)
    (new,) = desk.memories()
    assert (new.id, new.content, done.content) == (done.memory, merged, merged)
    assert (new.kind, new.topics, new.detail) == (Kind.ENVIRONMENT, ("hosts",), None)
    assert (new.confidence, new.mention_count, new.valid_to) == (0.5, 1, None)
    assert desk.store.memory(old.id, (OWNER,)).valid_to == desk.at


def test_the_reason_for_one_thing_is_none_for_another(desk: Desk) -> None:
    desk.know("User's team chose Postgres", kind=Kind.DECISION, detail="because of JSONB")
    more = "User's team chose Postgres for the shop"
    desk.tell(says("UPDATE", "Postgres", more), more, kind=Kind.DECISION)
    assert [each.detail for each in desk.memories()] == ["because of JSONB"]
    other = "User's team chose SQLite for the shop"
    desk.tell(says("UPDATE", "Postgres", other), other, kind=Kind.DECISION)
    assert [each.detail for each in desk.memories()] == [None]


def test_a_character_that_no_file_can_keep_is_replaced(desk: Desk) -> None:
    desk.know("User likes tea")
    desk.tell(says("UPDATE", "tea", "User likes\0 green tea"), "User likes green tea")
    assert desk.contents() == ["User likes\ufffd green tea"]


def test_what_says_so_already_takes_the_place(desk: Desk) -> None:
    red, blue = desk.know("User prefers red"), desk.know("User prefers blue")
    desk.at += DAY
    script = says("UPDATE", "red", "User prefers blue")
    done = desk.tell(script, "User prefers blue to red", "blue, not red")
    assert done.memory == blue.id
    (held,) = desk.memories()
    assert (held.id, held.mention_count) == (blue.id, 2)
    assert desk.store.memory(red.id, (OWNER,)).superseded_by == blue.id


def test_an_update_that_changes_nothing_is_a_noop(desk: Desk) -> None:
    tea = desk.know("User likes tea")
    done = desk.tell(says("UPDATE", "tea", "user likes  tea"), "User is fond of tea")
    assert (done.operation, done.memory) == (Operation.NOOP, tea.id)


def test_what_began_before_what_was_known_means_that_this_never_held(desk: Desk) -> None:
    old = desk.know("User drinks coffee")
    desk.at += 40 * DAY
    since = MARCH - 60 * DAY
    desk.tell(says("UPDATE", "coffee", "User drinks tea"), "User drinks tea", valid_from=since)
    closed = desk.store.memory(old.id, (OWNER,))
    assert closed.valid_to == closed.valid_from == MARCH
    (new,) = desk.memories()
    assert new.valid_from == since


def test_what_happened_changes_a_state_and_does_not_become_one(desk: Desk) -> None:
    desk.know("The tax papers are still to be sent", kind=Kind.FACT)
    desk.at += DAY
    desk.tell(
        says("UPDATE", "tax", "The tax papers were sent"),
        "The tax papers were sent",
        kind=Kind.EPISODE,
        valid_from=MARCH,
        valid_to=MARCH + timedelta(hours=1),
    )
    (sent,) = desk.memories()
    assert (sent.kind, sent.valid_to) == (Kind.FACT, None)


# Order in time ------------------------------------------------------------------------------------


def test_what_was_said_before_supersedes_nothing(desk: Desk) -> None:
    newer = desk.know("User lives in Bergen")
    told = says("UPDATE", "Bergen", "User lives in Oslo")
    done = desk.tell(told, "User lives in Oslo", said=MARCH - 90 * DAY)
    assert (done.stage, done.operation) == (Stage.APPLIED, Operation.ADD)
    assert desk.memories() == [newer]
    (past,) = desk.memories(Status.SUPERSEDED)
    assert (past.id, past.superseded_by, past.closed_at) == (done.memory, newer.id, MARCH)
    assert (past.valid_from, past.valid_to) == (MARCH - 90 * DAY, MARCH)


def test_what_was_said_before_somebody_confirmed_it_changes_nothing(desk: Desk) -> None:
    desk.know("User lives in Bergen", confirmed_at=MARCH + 9 * DAY)
    told = says("UPDATE", "Bergen", "User lives in Oslo")
    done = desk.tell(told, "User lives in Oslo", said=MARCH + 5 * DAY)
    assert done.operation == Operation.ADD
    assert desk.contents() == ["User lives in Bergen"]


def test_an_end_before_the_beginning_retires_nothing(desk: Desk) -> None:
    desk.know("User smokes")
    for script in (says("DELETE", "smokes"), says("UPDATE", "smokes", "User quit smoking")):
        done = desk.tell(script, "User quit smoking", "I quit smoking", said=MARCH - DAY, ends=True)
        assert done.stage == Stage.REJECTED
        assert "older" in str(done.reason)
    assert desk.contents() == ["User smokes"]


def test_what_ends_later_holds_until_then(desk: Desk) -> None:
    desk.know("User works at Fjord AS")
    done = desk.tell(
        says("DELETE", "Fjord"),
        "User leaves Fjord AS",
        "I quit, my last day is 31 March",
        valid_from=MARCH + 30 * DAY,
        ends=True,
    )
    assert done.operation == Operation.DELETE
    (job,) = desk.memories()
    assert (job.status, job.valid_to) == (Status.CURRENT, MARCH + 30 * DAY)
    desk.at += 31 * DAY
    assert desk.memories() == []


# What a person must decide ------------------------------------------------------------------------


def test_a_pin_is_never_touched(desk: Desk) -> None:
    pinned = desk.know("User likes tea", pinned=True)
    desk.at += DAY
    for script in (says("DELETE", "tea"), says("UPDATE", "tea", "User hates tea")):
        done = desk.tell(script, "User hates tea", "I hate tea, no more of it")
        assert done.stage == Stage.REVIEW
        assert "“User likes tea”" in str(done.reason)
        assert "“User hates tea”" in str(done.reason)
    done = desk.tell(says("NOOP", "tea"), "User enjoys tea")
    assert (done.stage, done.memory) == (Stage.APPLIED, pinned.id)
    assert desk.memories() == [pinned]


def test_a_remark_does_not_overturn_a_constraint(desk: Desk) -> None:
    desk.know("Never deploy on Fridays", kind=Kind.CONSTRAINT)
    desk.at += DAY
    script = says("UPDATE", "Fridays", "Deploys go out on Fridays too")
    done = desk.tell(script, "Deploys go out on Fridays too", "never mind Fridays")
    assert done.stage == Stage.REVIEW
    assert "constraint" in str(done.reason)
    done = desk.tell(script, "Deploys go out on Fridays too", "we decided it", kind=Kind.DECISION)
    assert done.stage == Stage.APPLIED
    (rule,) = desk.memories()
    assert rule.kind == Kind.CONSTRAINT


@pytest.mark.parametrize("basis", ["hedged", "reported"])
def test_what_is_not_stated_contradicts_nobody(desk: Desk, basis: str) -> None:
    desk.know("The leak is in the cache", kind=Kind.LESSON)
    script = says("UPDATE", "cache", "The leak is in the pool")
    done = desk.tell(script, "The leak is in the pool", basis=basis)
    assert done.stage == Stage.REVIEW
    assert basis in str(done.reason)


def test_an_end_needs_a_word_that_says_so(desk: Desk) -> None:
    desk.know("User is vegetarian")
    done = desk.tell(says("DELETE", "vegetarian"), "User had a steak", "I had a steak")
    assert done.stage == Stage.REVIEW
    assert "no word" in str(done.reason)
    for quote in ("ich bin nicht mehr Vegetarier", "ya no soy vegetariano", "我不再吃素了"):
        done = desk.tell(says("DELETE", "vegetarian"), "User is no vegetarian", quote)
        assert done.stage == Stage.APPLIED, quote
        desk.know("User is vegetarian")


def test_what_happened_is_not_undone(desk: Desk) -> None:
    desk.know("User ran a marathon", kind=Kind.EPISODE)
    done = desk.tell(
        says("UPDATE", "marathon", "User ran two marathons"), "User ran another marathon"
    )
    assert (done.operation, done.target) == (Operation.ADD, None)
    assert desk.contents() == ["User ran a marathon", "User ran another marathon"]


def test_what_went_on_for_a_while_may_be_over_and_has_happened_still(desk: Desk) -> None:
    desk.know("User is in Taipei for a month", kind=Kind.EPISODE)
    desk.at += DAY
    done = desk.tell(says("DELETE", "Taipei"), "User is back home", "I'm back home")
    assert (done.stage, done.operation) == (Stage.APPLIED, Operation.DELETE)
    (episode,) = desk.memories()
    assert (episode.status, episode.valid_to) == (Status.CURRENT, desk.at)
    again = desk.tell(says("DELETE", "Taipei"), "User is home again", "I'm home again")
    assert again.stage == Stage.REJECTED


def test_what_was_changed_at_once_may_be_known_still(desk: Desk) -> None:
    """One statement changes a memory, and the next says what took its place."""
    desk.know("Linting is done with flake8 and formatting with Black")
    new = "Linting is done with Ruff and formatting with Black"

    def script(data: Mapping[str, Any]) -> object:
        return {"c1": of(data, "UPDATE", "flake8", new), "c2": of(data, "NOOP", "flake8")}

    desk.at += DAY
    first, second = (
        desk.decision(each) for each in ("Linting is done with Ruff", "Formatting with Black stays")
    )
    for each in desk.apply(*desk.resolve(script, first, second)):
        assert (each.decision.stage, each.decision.reason) == (Stage.APPLIED, "so it is")
    (memory,) = desk.memories()
    assert (memory.content, memory.mention_count) == (new, 2)


def test_a_contradiction_is_asked_about_or_waits_for_another_one(desk: Desk) -> None:
    desk.know("User likes tea")
    script = says("UPDATE", "tea", "User hates tea")
    desk.rules = Policy(conflicts="ask")
    assert desk.tell(script, "User hates tea").stage == Stage.REVIEW
    desk.rules = Policy(conflicts="wait")
    first = desk.tell(script, "User hates tea")
    assert first.stage == Stage.REVIEW
    assert "once" in str(first.reason)
    again = desk.tell(script, "User cannot stand tea, hates it", earlier=[first])
    assert again.stage == Stage.APPLIED
    same = desk.know("User likes milk")
    milk = replace(first, target=same.id)
    candidate = replace(first.candidate, content="User hates milk")
    script = says("UPDATE", "milk", "User hates milk")
    (done,) = desk.resolve(script, replace(milk, candidate=candidate), earlier=[milk])
    assert done.decision.stage == Stage.REVIEW  # it is of the same turn


def test_with_review_nothing_new_counts_by_itself(desk: Desk) -> None:
    desk.rules = Policy(review=True)
    assert desk.tell(nobody, "User sails").stage == Stage.REVIEW
    tea = desk.know("User likes tea")
    for script in (says("ADD"), says("UPDATE", "tea", "User likes tea a lot")):
        assert desk.tell(script, "User likes tea a lot").stage == Stage.REVIEW
    assert desk.tell(says("DELETE", "tea"), "User is done with tea", "no tea").stage == Stage.REVIEW
    desk.at += DAY
    assert desk.tell(says("NOOP", "tea"), "User enjoys tea").stage == Stage.APPLIED
    (memory,) = desk.memories()
    assert (memory.id, memory.mention_count) == (tea.id, 2)


# Repetition ---------------------------------------------------------------------------------------


def test_only_another_day_and_plain_words_make_it_surer(desk: Desk) -> None:
    desk.tell(nobody, "User likes tea")
    desk.at += timedelta(hours=1)
    desk.tell(nobody, "User likes tea", "tea is nice")
    (tea,) = desk.memories()
    assert (tea.confidence, tea.mention_count, tea.confirmed_at) == (0.5, 2, None)
    desk.at += DAY
    desk.tell(nobody, "User likes tea", "I guess I like tea", basis="hedged")
    (tea,) = desk.memories()
    assert (tea.confidence, tea.mention_count) == (0.5, 3)
    desk.at += DAY
    desk.tell(says("NOOP", "tea"), "User is fond of tea")
    (tea,) = desk.memories()
    assert (tea.confidence, tea.mention_count, tea.confirmed_at) == (0.75, 4, desk.at)


def test_the_same_turn_is_no_other_mention(desk: Desk) -> None:
    decision = desk.decision("User likes tea")
    for _ in range(2):
        desk.apply(*desk.resolve(nobody, decision))
    (tea,) = desk.memories()
    assert (tea.mention_count, len(tea.sources)) == (1, 1)


def test_two_who_say_the_same_at_once_are_counted_one_by_one(desk: Desk) -> None:
    desk.know("User likes tea")
    desk.at += DAY
    one, two = desk.decision("User enjoys tea"), desk.decision("User loves to drink tea")
    three = desk.decision("User likes tea", "tea, again")
    desk.apply(*desk.resolve(says("NOOP", "tea"), one, two, three))
    (tea,) = desk.memories()
    assert tea.mention_count == 4


def test_one_change_of_a_memory_at_once(desk: Desk) -> None:
    tea = desk.know("User likes tea")
    desk.at += DAY
    one, two, three = (
        desk.decision(f"User {rest}") for rest in ("hates tea", "has no tea", "sails")
    )

    def script(data: Mapping[str, Any]) -> object:
        return {
            "c1": of(data, "UPDATE", "tea", "User hates tea"),
            "c2": of(data, "DELETE", "tea"),
            "c3": of(data, "ADD"),
        }

    done = [each.decision for each in desk.apply(*desk.resolve(script, one, two, three))]
    assert [each.stage for each in done] == [Stage.APPLIED, Stage.SET_ASIDE, Stage.APPLIED]
    assert done[1].reason == f"a second change to {tea.id} at once"
    assert desk.contents() == ["User hates tea", "User sails"]


def test_what_changed_meanwhile_is_not_overwritten(desk: Desk) -> None:
    tea = desk.know("User likes tea")
    resolved = desk.resolve(
        says("UPDATE", "tea", "User hates tea"), desk.decision("User hates tea")
    )
    desk.tell(nobody, "User likes tea")
    with pytest.raises(Conflict):
        desk.apply(*resolved)
    assert desk.memories()[0].id == tea.id


# By rules -----------------------------------------------------------------------------------------


def test_rules_propose_and_change_nothing(desk: Desk) -> None:
    desk.know("User likes tea")
    desk.at += DAY
    done = desk.tell(nobody, "User hates tea", "I hate tea, no more of it", by_rules=True)
    assert (done.stage, done.operation) == (Stage.APPLIED, Operation.ADD)
    _, proposed = desk.memories()
    assert (proposed.status, proposed.confidence) == (Status.CANDIDATE, 0.5)
    done = desk.tell(nobody, "User is done with tea", ends=True, by_rules=True)
    assert (done.operation, done.memory) == (Operation.NOOP, None)
    desk.at += DAY
    desk.tell(nobody, "User hates tea", "I hate tea", by_rules=True)
    desk.tell(nobody, "User likes tea", "I like tea", by_rules=True)
    likes, hates = desk.memories()
    assert (hates.status, hates.confidence, hates.mention_count) == (Status.CANDIDATE, 0.5, 2)
    assert likes.confidence > 0.9


def test_what_rules_proposed_counts_once_a_model_reads_it_again(desk: Desk) -> None:
    desk.tell(nobody, "User likes tea", by_rules=True)
    desk.tell(says("NOOP", "tea"), "User is fond of tea", basis="hedged")
    assert desk.memories()[0].status == Status.CANDIDATE
    desk.tell(says("NOOP", "tea"), "User enjoys tea")
    (tea,) = desk.memories()
    assert (tea.status, tea.confidence) == (Status.CURRENT, 0.5)


# A person accepts ---------------------------------------------------------------------------------


def accepted(desk: Desk, decision: Decision, content: str | None = None) -> Decision:
    resolved = resolution.accept(decision, desk.store, content=content, now=desk.at, by="cli")
    return desk.apply(resolved)[0].decision


def test_what_is_accepted_is_done_to_the_memory_as_it_is_now(desk: Desk) -> None:
    pinned = desk.know("User likes tea", pinned=True)
    done = desk.tell(says("UPDATE", "tea", "User hates tea"), "User hates tea")
    desk.at += DAY
    first = accepted(desk, done)
    assert (first.stage, first.operation) == (Stage.APPLIED, Operation.UPDATE)
    (new,) = desk.memories()
    assert (new.content, new.confidence, new.pinned) == ("User hates tea", 0.9, True)
    assert desk.store.memory(pinned.id, (OWNER,)).superseded_by == new.id
    again = accepted(desk, done, "User hates black tea")
    (last,) = desk.memories()
    assert (last.id, last.content) == (again.memory, "User hates black tea")
    assert [source.kind for source in last.sources] == ["turn", "person"]


def test_what_ended_meanwhile_needs_no_end(desk: Desk) -> None:
    tea = desk.know("User likes tea", pinned=True)
    done = desk.tell(says("DELETE", "tea"), "User is done with tea", "no more tea")
    assert done.stage == Stage.REVIEW
    first, again = accepted(desk, done), accepted(desk, done)
    assert (first.operation, first.memory) == (Operation.DELETE, tea.id)
    assert (again.stage, again.operation) == (Stage.APPLIED, Operation.NOOP)
    assert desk.memories() == []


def test_what_is_accepted_is_added_once(desk: Desk) -> None:
    desk.rules = Policy(review=True)
    done = desk.tell(nobody, "User sails")
    first, again = accepted(desk, done), accepted(desk, done)
    assert (first.operation, again.operation) == (Operation.ADD, Operation.NOOP)
    (memory,) = desk.memories()
    assert (memory.id, memory.confidence) == (first.memory, 0.95)


# Where it goes ------------------------------------------------------------------------------------


def test_only_decisions_are_shared(desk: Desk) -> None:
    own = Scope("profile", "liam")
    assert destination(Kind.DECISION, own, SITE) == SITE
    assert destination(Kind.DECISION, own, None) == own
    for kind in set(Kind) - {Kind.DECISION}:
        assert destination(kind, own, SITE) == own


# Whatever a model answers -------------------------------------------------------------------------

KNOWN = (
    a_memory("User likes tea", pinned=True),
    a_memory("Deploys go out on Tuesdays at 14:00", kind=Kind.CONSTRAINT),
    a_memory("The database is db-03.lan on port 5432"),
    a_memory("User ran 5 km", kind=Kind.EPISODE),
    a_memory("User lives in Oslo", status=Status.CANDIDATE, confidence=0.5),
)
TOLD = (
    ("User moved to Bergen", "I moved to Bergen, not Oslo", Kind.FACT),
    ("The database is on db-05.lan", "the database is on db-05.lan", Kind.ENVIRONMENT),
    ("User hates tea", "I hate tea, no more of it", Kind.PREFERENCE),
    ("Deploys go out on Thursdays", "we decided on Thursdays", Kind.DECISION),
    ("User ran 6 km", "ran 6 km", Kind.EPISODE),
)


@settings(max_examples=60)
@given(st.data())
def test_no_answer_does_harm(data: st.DataObject) -> None:
    def script(asked: Mapping[str, Any]) -> object:
        said = {}
        for name, each in asked["statements"].items():
            operation = data.draw(st.sampled_from(["UPDATE", "DELETE", "NOOP", "ADD"]))
            answer = {"operation": operation, "reason": data.draw(st.text(max_size=9))}
            if operation != "ADD":
                none = ["none"] if operation == "NOOP" else []
                answer["target"] = data.draw(st.sampled_from([*each["compare"], *none]))
            if operation == "UPDATE":
                texts = [one["text"] for one in (each, *asked["memories"].values())]
                invented = [f"{text} at 777" for text in texts]
                answer["content"] = data.draw(
                    st.sampled_from([*texts, *invented]) | st.text(max_size=40)
                )
            said[name] = answer
        return said

    with TemporaryDirectory() as folder:
        store = shelf(Path(folder))
        desk = Desk(store)
        for memory in KNOWN:
            desk.know(
                memory.content,
                id=memory.id,
                kind=memory.kind,
                status=memory.status,
                pinned=memory.pinned,
                confidence=memory.confidence,
            )
        desk.at += data.draw(st.sampled_from([2, 1, 0, -1])) * DAY
        decisions = [
            desk.decision(
                content,
                quote,
                kind=kind,
                ends=data.draw(st.booleans()),
                basis=data.draw(st.sampled_from(["stated", "stated", "hedged", "reported"])),
            )
            for content, quote, kind in data.draw(st.permutations(TOLD))
        ]
        desk.at = max(desk.at, MARCH)
        _check(desk, decisions, desk.resolve(script, *decisions))
        store.close()


@settings(max_examples=40)
@given(st.text(), st.text(), st.booleans())
def test_any_text_can_be_compared(known: str, said: str, ends: bool) -> None:
    known, said = mend(known)[0], mend(said)[0]
    with TemporaryDirectory() as folder:
        desk = Desk(shelf(Path(folder)))
        desk.know(known)
        decision = desk.decision(said or "x", ends=ends)
        assert resolution.group([decision]) == [decision]
        for script in (says("NOOP"), says("DELETE", known), says("UPDATE", known, said)):
            (done,) = desk.resolve(script, decision)
            assert done.decision.stage != Stage.WAITING
        desk.store.close()


@pytest.mark.parametrize("text", ["a" * 200_000, "(" * 10_000, "no " * 100_000, "kein a " * 9999])
def test_a_long_text_takes_no_long_time(desk: Desk, text: str) -> None:
    desk.know(text)
    desk.know("User likes tea")
    began = time.process_time()
    desk.resolve(says("DELETE", text[:20]), desk.decision(text[::-1], text))
    resolution.group([desk.decision(text)])
    assert time.process_time() - began < 5


def _check(desk: Desk, decisions: list[Decision], found: list[Resolved]) -> None:
    assert {each.decision.id for each in found} == {each.id for each in decisions}
    said = {
        number
        for text in (*(each.content for each in KNOWN), *(t for t, _, _ in TOLD))
        for number in _numbers(text)
    }
    changed: list[str] = []
    for each in desk.apply(*found):
        decision = each.decision
        offered = {near.id for near in decision.neighbours}
        assert decision.target is None or decision.target in offered
        assert bool(each.changes) <= (decision.stage == Stage.APPLIED)
        for change in each.changes:
            before, after = change.before, change.after
            assert _numbers(after.content) <= said
            assert after.sources
            assert after.scope == OWNER
            assert after.valid_to is None or after.valid_to >= (after.valid_from or MARCH)
            assert (after.closed_at is None) == after.status.live
            assert (after.superseded_by is None) == (after.status != Status.SUPERSEDED)
            if before is not None:
                assert not before.pinned
                assert before.id == after.id
                assert before.content == after.content
                if change.operation in (Operation.UPDATE, Operation.DELETE):
                    assert before.kind != Kind.EPISODE or after.status == before.status
                    changed.append(before.id)
    assert len(changed) == len(set(changed))


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))
