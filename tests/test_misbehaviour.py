"""A model that misbehaves changes nothing that it should not, on either wire."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from memoranda import Memoranda, Pass, Stage
from memoranda.answers import Outcome
from memoranda.models.language import EndpointLanguageModel
from tests.consolidating import DAY, MONDAY, held, known, new_home, opened, said
from tests.scripted import Mind, entry, selecting, verdict
from tests.speaking import Ask, Reply, Said, Sent, Speaker, failing, in_turn, speaking, structure

SENTENCE = "I moved to Bergen in May."
KNOWN = "User lives in Oslo"
NEW = "User moved to Bergen in May"

MIND = Mind(
    lambda sentence: [entry(NEW)] if "Bergen" in sentence else [],
    lambda statement: verdict("UPDATE", "m1", NEW),
)


def good(asked: Ask) -> Said:
    return Said(MIND.answer_to(asked))


def wrapped(before: str, after: str) -> Callable[[Ask], Reply]:
    return lambda asked: Said(f"{before}{MIND.answer_to(asked)}{after}")


def cut(asked: Ask) -> Reply:
    return Said(MIND.answer_to(asked)[:40], "length")


def wrong_kind(asked: Ask) -> Reply:
    return Said(MIND.answer_to(asked).replace('"fact"', '"biography"'))


def then(*replies: Callable[[Ask], Reply]) -> Callable[[Ask], Reply]:
    """One reply after the other; the last one stays."""
    left = list(replies)
    return lambda asked: (left.pop(0) if len(left) > 1 else left[0])(asked)


def always(reply: Reply) -> Callable[[Ask], Reply]:
    return lambda asked: reply


def unless_in_words(reply: Reply) -> Callable[[Ask], Reply]:
    """An endpoint that does not take a schema."""
    return lambda asked: reply if structure(asked) == "json_schema" else good(asked)


def deciding(*answers: Mapping[str, object]) -> Callable[[Ask], Reply]:
    """Selects well, and then says this of every statement."""

    def reply(asked: Ask) -> Reply:
        if selecting(asked):
            return good(asked)
        return Said(json.dumps({f"c{n}": each for n, each in enumerate(answers, 1)}))

    return reply


@dataclass(frozen=True)
class Case:
    """How the endpoint replies to being asked to select, and what must come of it.

    `first` are the outcomes of the attempts at the first question. A memory comes of it when it
    is `kept`; else the turn waits as it was, or is `aside`, or the candidate is.
    """

    reply: Callable[[Ask], Reply]
    first: tuple[Outcome, ...]
    kept: bool = False
    aside: bool = False
    candidate: bool = False


OK, EMPTY, TRUNCATED = Outcome.OK, Outcome.EMPTY, Outcome.TRUNCATED
UNPARSEABLE, INVALID, REFUSED = Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID, Outcome.REFUSED

UNKNOWN_TARGET = {"operation": "UPDATE", "target": "m9", "content": NEW, "reason": "r"}
TARGETED_ADD = {"operation": "ADD", "target": "m1", "reason": "r"}


def cases() -> dict[str, Case]:
    return {
        "good": Case(good, (OK,), kept=True),
        "fenced": Case(
            wrapped("Here you are:\n```json\n", "\n```\nAnything else?"), (OK,), kept=True
        ),
        "thinking aloud": Case(wrapped("<think>The user {moved}.</think>\n", ""), (OK,), kept=True),
        "empty and out of room": Case(always(Said("", "length")), (TRUNCATED,) * 2, aside=True),
        "null and out of room": Case(always(Said(None, "length")), (TRUNCATED,) * 2, aside=True),
        "cut": Case(cut, (TRUNCATED,) * 2, aside=True),
        "only thoughts": Case(
            lambda asked: Said("", thought=MIND.answer_to(asked)), (EMPTY,) * 2, aside=True
        ),
        "never JSON": Case(always(Said("I would rather talk.")), (UNPARSEABLE,) * 2, aside=True),
        "a wrong word, then right": Case(then(wrong_kind, good), (INVALID, OK), kept=True),
        "a list for an object": Case(wrapped("[", "]"), (INVALID,) * 2, aside=True),
        "refusal": Case(
            always(Said(None, refusal="I cannot help with that.")), (REFUSED,), aside=True
        ),
        "content filter": Case(always(Said("", "filter")), (REFUSED,), aside=True),
        "busy, then good": Case(
            then(always(failing(429, "slow down", retry_after="0")), good),
            (Outcome.RATE_LIMITED, OK),
            kept=True,
        ),
        "failing, then good": Case(
            then(always(failing(500, "oops")), good), (Outcome.SERVER_ERROR, OK), kept=True
        ),
        "400 for a schema": Case(
            unless_in_words(failing(400, "response_format json_schema output_config unsupported")),
            (Outcome.CLIENT_ERROR, OK),
            kept=True,
        ),
        "500 for a schema": Case(
            unless_in_words(
                failing(500, "'response_format.type' output_config json_object expected")
            ),
            (Outcome.SERVER_ERROR, OK),
            kept=True,
        ),
        "silence": Case(always(Sent(200, b"{}", delay=3.0)), (Outcome.TIMEOUT,) * 2),
        "reset within the answer": Case(
            always(Sent(200, b'{"choices": [{"message"', cut=10)), (Outcome.CONNECTION,) * 3
        ),
        "an unknown target": Case(deciding(UNKNOWN_TARGET), (OK,), candidate=True),
        "an addition with a target": Case(deciding(TARGETED_ADD), (OK,), candidate=True),
    }


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    with speaking() as endpoint:
        endpoint.prompt_tokens = 4_000
        yield endpoint


def asking(speaker: Speaker, wire: str) -> EndpointLanguageModel:
    return EndpointLanguageModel(
        speaker.url, "m", wire=wire, timeout=0.4, sleep=lambda _: None, chance=lambda: 0.0
    )


@pytest.mark.parametrize("name", cases())
def test_whatever_it_answers_nothing_wrong_is_written(
    name: str, wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    case = cases()[name]
    speaker.reply = case.reply
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        known(m, KNOWN)
        m.observe(said(SENTENCE, at=MONDAY + 7 * DAY))
        done = m.consolidate()

        assert held(m) == ([NEW] if case.kept else [KNOWN])
        backlog = m.status().backlog
        assert (backlog.turns, backlog.aside) == waiting(case)
        assert backlog.candidates_aside == case.candidate
        assert done.failed == (backlog.turns > 0 and REFUSED not in case.first)
        recorded(m, done, case, wire)

        speaker.reply = good
        again = m.consolidate()
        assert held(m) == [NEW]
        assert not again.failed
        assert m.status().backlog.aside == m.status().backlog.candidates_aside == 0


def waiting(case: Case) -> tuple[int, int]:
    """How many turns wait afterwards, and how many of them are aside."""
    if case.kept or case.candidate:
        return 0, 0
    return (1, 1) if case.aside else (2, 0)


def recorded(m: Memoranda, done: Pass, case: Case, wire: str) -> None:
    """Every attempt is in the ledger, with the answer as it came."""
    calls = m.calls(done.id)
    assert tuple(each.outcome for each in calls[0].attempts) == case.first
    assert all(call.turns and call.request and call.prompt for call in calls)
    answered = [each for call in calls for each in call.attempts if each.outcome == OK]
    assert all(each.body and each.tokens.prompt and each.tokens.completion for each in answered)
    for decision in m.ledger(of=done.id):
        assert set(decision.calls) <= {call.id for call in calls}
        if decision.stage == Stage.SET_ASIDE:
            assert decision.operation is None
            assert decision.reason


def test_the_second_of_two_changes_of_one_memory_waits(
    wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    """Both statements stand in one question, and the answer takes one memory twice."""
    contents = {"Bergen": "User moved to Bergen", "choir": "User left the choir in Oslo"}
    mind = Mind(
        lambda sentence: [entry(each) for word, each in contents.items() if word in sentence],
        lambda statement: verdict("UPDATE", statement.label("Oslo"), statement.text),
    )
    speaker.reply = lambda asked: Said(mind.answer_to(asked))
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        (memory,) = known(m, "User lives in Oslo and moved there for the choir")
        m.observe(said("I moved to Bergen.", "I left the choir in Oslo.", at=MONDAY + 7 * DAY))
        done = m.consolidate()
        changed = [each for each in done.operations if each.target == memory.id]
        assert len(changed) == 1
        assert len(done.set_aside) == 1
        assert f"a second change to {memory.id}" in (done.set_aside[0].reason or "")
        assert m.status().backlog.turns == 0


def test_a_silent_endpoint_stops_the_pass_and_sets_nothing_aside(
    wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    speaker.reply = always(failing(503, "loading"))
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        for number in range(5):
            m.observe(said(SENTENCE, conversation=f"c{number}"))
        done = m.consolidate()
        assert done.failed
        assert len(m.calls(done.id)) == 2
        assert (m.status().backlog.turns, m.status().backlog.aside) == (10, 0)


def test_what_alone_gets_no_answer_is_set_aside(
    wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    """An endpoint that breaks at one conversation must not hold up the others for ever."""
    speaker.reply = lambda asked: (
        failing(500, "oops") if "poison" in json.dumps(asked["messages"]) else good(asked)
    )
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        m.observe(said("I like poison ivy.", conversation="a"))
        m.observe(said(SENTENCE, conversation="b"))
        done = m.consolidate()
        assert held(m) == [f"{NEW} (2025-05)"]
        assert not done.failed
        assert [each.turn.conversation for each in done.unread] == ["a", "a"]


def test_a_model_that_never_answers_well_stops_the_pass(
    wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    speaker.reply = always(Said("no"))
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        for number in range(20):
            m.observe(said(SENTENCE, conversation=f"c{number}"))
        done = m.consolidate()
        assert done.failed
        assert "cannot be used" in (done.stopped or "")
        assert len(m.calls(done.id)) == 10
        assert m.status().backlog.aside < 20


def test_what_is_set_aside_is_tried_three_times_and_then_waits(
    wire: str, speaker: Speaker, tmp_path: Path
) -> None:
    speaker.reply = in_turn(Said("no"))
    with opened(new_home(tmp_path), asking(speaker, wire)) as m:
        m.observe(said(SENTENCE))
        asked = []
        for _ in range(5):
            m.consolidate()
            asked.append(len(speaker.asked))
        assert asked == [2, 4, 6, 6, 6]
        assert m.status().backlog.aside == 1
        assert held(m) == []
