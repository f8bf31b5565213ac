"""Language models: every answer ends in one outcome, and only a right one has a value."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, RootModel

import memoranda
from memoranda import InvalidInput, InvalidSettings, wiring
from memoranda.answers import Answer, Message, Mode, Outcome, Tokens
from memoranda.models import language, posting
from memoranda.models.course import CORRECTION
from memoranda.models.language import EndpointLanguageModel
from memoranda.models.reading import Unreadable, bare, read
from memoranda.models.schemas import form_of
from memoranda.models.wires import WIRES, address, wire_of
from memoranda.settings import Settings
from memoranda.types import Role
from tests.speaking import Ask, Reply, Said, Sent, Speaker, failing, in_turn, speaking, structure


class Action(StrEnum):
    ADD = "ADD"
    NOOP = "NOOP"


class Decision(BaseModel):
    """What to do with a new memory."""

    action: Action
    target: Literal["none", "m1"] = "none"
    text: str = Field("", max_length=200, description="what to remember")


GOOD = '{"action": "ADD", "target": "none", "text": "Anna lives in Oslo"}'
WRONG = '{"action": "MERGE", "target": "none", "text": ""}'
LISTED = f"[{GOOD}]"
KEY = "sk-plum/0123456789"
QUESTION = "Anna: I live in Oslo now."
PAGE = b"<html><body>Bad gateway</body></html>"

OK, TRUNCATED, EMPTY, REFUSED = Outcome.OK, Outcome.TRUNCATED, Outcome.EMPTY, Outcome.REFUSED
UNPARSEABLE, SCHEMA_INVALID = Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID
RATE_LIMITED, SERVER_ERROR = Outcome.RATE_LIMITED, Outcome.SERVER_ERROR
CLIENT_ERROR, TIMEOUT, CONNECTION = Outcome.CLIENT_ERROR, Outcome.TIMEOUT, Outcome.CONNECTION


@dataclass
class Clock:
    """Time that passes by sleeping, and with each look by a hundredth of a second."""

    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        self.now += 0.01
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.slept.append(seconds)


@pytest.fixture
def speaker() -> Iterator[Speaker]:
    with speaking() as server:
        yield server


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["openai", "anthropic"])
def wire(request: pytest.FixtureRequest) -> str:
    return str(request.param)


Made = Callable[..., EndpointLanguageModel]


@pytest.fixture
def made(speaker: Speaker, clock: Clock, wire: str) -> Made:
    def make(**options: Any) -> EndpointLanguageModel:
        told: dict[str, Any] = {"timeout": 30.0, "key": KEY, "wire": wire} | options
        return EndpointLanguageModel(
            speaker.url, "plum", **told, clock=clock, sleep=clock.sleep, chance=lambda: 0.5
        )

    return make


def outcomes(answer: Answer[Any]) -> list[Outcome]:
    return [each.outcome for each in answer.attempts]


def leaks(answer: Answer[Any], key: str = KEY) -> bool:
    return key in repr(answer) or json.dumps(key)[1:-1] in repr(answer)


# Seventeen replies, and more

CASES: dict[str, tuple[tuple[Reply, ...], list[Outcome]]] = {
    "good": ((Said(GOOD),), [OK]),
    "fenced": ((Said(f"```json\n{GOOD}\n```"),), [OK]),
    "prose and fenced": ((Said(f"Here it is:\n\n```\n{GOOD}\n```\nHappy to help!"),), [OK]),
    "thoughts in it": ((Said(f"<think>\nOslo {{\n</think>\n\n{GOOD}"),), [OK]),
    "thoughts without a beginning": ((Said(f"Oslo, so.\n</think>\n{GOOD}"),), [OK]),
    "thoughts beside it": ((Said(GOOD, thought="Oslo"),), [OK]),
    "empty and cut": ((Said("", "length"), Said(GOOD)), [TRUNCATED, OK]),
    "nothing and cut": ((Said(None, "length"), Said(GOOD)), [TRUNCATED, OK]),
    "always cut": ((Said(GOOD[:40], "length"),), [TRUNCATED, TRUNCATED]),
    "cut, though whole": ((Said(GOOD, "length"),), [TRUNCATED, TRUNCATED]),
    "no room in the window": ((Said(GOOD[:9], "model_context_window_exceeded"),), [TRUNCATED]),
    "too long a question": ((failing(400, "the maximum context length is 8"),), [TRUNCATED]),
    "JSON that the endpoint keeps": (
        (Sent(400, b'{"error": {"code": "json_validate_failed"}}'), Said(GOOD)),
        [UNPARSEABLE, OK],
    ),
    "no larger room": (
        (Said("", "length"), failing(400, "max_tokens is too large: 4096")),
        [TRUNCATED, TRUNCATED],
    ),
    "nothing but thoughts": ((Said(None, thought=GOOD),), [EMPTY, EMPTY]),
    "nothing but thoughts in it": ((Said(f"<think>{GOOD}</think>"),), [EMPTY, EMPTY]),
    "thoughts without an end": ((Said(f"<think>{GOOD}"),), [EMPTY, EMPTY]),
    "empty, then good": ((Said("  \n"), Said(GOOD)), [EMPTY, OK]),
    "never JSON": ((Said("Anna lives in Oslo."),), [UNPARSEABLE, UNPARSEABLE]),
    "bad JSON, then good": ((Said(GOOD[:-1]), Said(GOOD)), [UNPARSEABLE, OK]),
    "JSON and more": ((Said(f"{GOOD} Done!"), Said(GOOD)), [UNPARSEABLE, OK]),
    "two fences": ((Said(f"```\n{GOOD}\n```\n```\n{GOOD}\n```"),), [UNPARSEABLE, UNPARSEABLE]),
    "a name twice": ((Said('{"action":"ADD",' + GOOD[1:]), Said(GOOD)), [UNPARSEABLE, OK]),
    "wrong enum, then good": ((Said(WRONG), Said(GOOD)), [SCHEMA_INVALID, OK]),
    "list for object": ((Said(LISTED),), [SCHEMA_INVALID, SCHEMA_INVALID]),
    "a field too many": ((Said(GOOD[:-1] + ', "why": 1}'), Said(GOOD)), [SCHEMA_INVALID, OK]),
    "text for number": ((Said('{"action": 1}'),), [SCHEMA_INVALID, SCHEMA_INVALID]),
    "refusal": ((Said(None, refusal="I cannot help with that."),), [REFUSED]),
    "filtered": ((Said(None, "filter"),), [REFUSED]),
    "busy, then good": ((failing(429, "slow", retry_after="3"), Said(GOOD)), [RATE_LIMITED, OK]),
    "always busy": ((failing(429, "slow"),), [RATE_LIMITED] * 3),
    "busy for an hour": ((failing(429, "slow", retry_after="3600"),), [RATE_LIMITED]),
    "failing, then good": ((failing(500, "oops"), Said(GOOD)), [SERVER_ERROR, OK]),
    "overloaded": ((failing(529, "overloaded"),), [SERVER_ERROR] * 3),
    "page of an error": ((Sent(502, PAGE),), [SERVER_ERROR] * 3),
    "page instead of an answer": ((Sent(200, PAGE), Said(GOOD)), [SERVER_ERROR, OK]),
    "another document": ((Sent(200, b'{"choices": [], "content": 3}'),), [SERVER_ERROR] * 3),
    "brackets": ((Sent(200, b"[" * 200_000),), [SERVER_ERROR] * 3),
    "failure in a success": (
        (Sent(200, b'{"error": {"code": 429, "message": "busy"}}'), Said(GOOD)),
        [RATE_LIMITED, OK],
    ),
    "silence": ((Sent(200, PAGE, delay=5.0),), [TIMEOUT, TIMEOUT]),
    "reset": ((Sent(200, b"{" + b" " * 400, cut=200), Said(GOOD)), [CONNECTION, OK]),
    "always reset": ((Sent(200, b"{" + b" " * 400, cut=0),), [CONNECTION] * 3),
    "bad key": ((failing(401, f"{KEY} is no key"),), [CLIENT_ERROR]),
    "no such model": ((failing(404, "no model plum"),), [CLIENT_ERROR]),
    "redirect": ((Sent(307, headers={"Location": f"/elsewhere?key={KEY}"}),), [CLIENT_ERROR]),
    "huge": ((Sent(200, b" " * (language.LONGEST + 2)), Said(GOOD)), [SERVER_ERROR, OK]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_reply_has_its_outcome(case: str, made: Made, speaker: Speaker) -> None:
    replies, expected = CASES[case]
    speaker.reply = in_turn(*replies)
    answer = made(timeout=0.3 if case == "silence" else 30.0).ask(QUESTION, Decision)
    assert outcomes(answer) == expected
    assert answer.outcome is expected[-1]
    assert len(speaker.asked) == len(expected)
    assert (answer.value is not None) == (answer.outcome is OK)
    if answer.value:
        assert (answer.value.action, answer.value.text) == (Action.ADD, "Anna lives in Oslo")
    for attempt in answer.attempts:
        assert attempt.mode is Mode.JSON_SCHEMA
        assert (attempt.error == "") == (attempt.outcome is OK)
        assert attempt.seconds > 0
    assert not leaks(answer)


def test_an_attempt_has_all_that_came(made: Made, speaker: Speaker, wire: str) -> None:
    speaker.reply = in_turn(Said(WRONG), Said(GOOD))
    answer = made().ask(QUESTION, Decision)
    reasoning = 2 if wire == "openai" else None
    for attempt in answer.attempts:
        assert attempt.tokens == Tokens(100, 80, 7, reasoning)
        assert attempt.finish == ("stop" if wire == "openai" else "end_turn")
        assert (attempt.status, attempt.request_id) == (200, "req-1")
    assert "MERGE" in answer.attempts[0].body
    assert answer.tokens == Tokens(200, 160, 14, None if reasoning is None else 4)
    assert "action: Input should be 'ADD' or 'NOOP'" in answer.attempts[0].error


def test_a_partial_answer_is_kept(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Sent(200, b'{"id": "half' + b" " * 400, cut=12))
    assert made().ask(QUESTION, Decision).attempts[0].body in ('{"id": "half', "")


def test_tokens_that_are_nonsense_are_none(made: Made, speaker: Speaker, wire: str) -> None:
    usage = {
        "prompt_tokens": -1,
        "input_tokens": "9",
        "completion_tokens": True,
        "output_tokens": 1.5,
    }
    document = {"usage": usage, "choices": [{"message": {"content": GOOD}}],
                "content": [{"type": "text", "text": GOOD}]}  # fmt: skip
    for whole in (document, document | {"usage": None}, document | {"usage": [1]}):
        speaker.reply = in_turn(Sent(200, json.dumps(whole).encode()))
        answer = made().ask(QUESTION, Decision)
        assert (answer.outcome, answer.tokens) == (OK, Tokens())


def test_content_in_parts_is_joined(speaker: Speaker) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": GOOD[:9]},
             {"type": "text", "text": GOOD[9:]}]  # fmt: skip
    body = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    speaker.reply = in_turn(Sent(200, body))
    assert EndpointLanguageModel(speaker.url, "plum").ask(QUESTION, Decision).outcome is OK


# Being asked again


def texts(asked: Ask) -> list[tuple[str, str]]:
    return [(each["role"], each["content"]) for each in asked["messages"]]


def test_a_wrong_answer_is_shown_and_told_once(made: Made, speaker: Speaker, wire: str) -> None:
    speaker.reply = in_turn(Said(f"<think>hm</think>{WRONG}"))
    answer = made().ask(QUESTION, Decision)
    first, second = speaker.asked
    assert texts(first) == [("user", QUESTION)]
    correction = CORRECTION.format(error=answer.attempts[0].error)
    spoken = [each for each in texts(second) if each[0] != "system"]
    assert spoken == [("user", QUESTION), ("assistant", WRONG), ("user", correction)]
    assert '"required"' in json.dumps(second)


def test_an_empty_answer_is_told_within_the_question(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Said(""), Said(GOOD))
    made().ask([Message(Role.SYSTEM, "Decide."), Message(Role.USER, QUESTION)], Decision)
    last = texts(speaker.asked[1])[-1]
    assert last[0] == "user"
    assert last[1].startswith(f"{QUESTION}\n\nYour answer cannot be used: the answer is empty.")


def test_a_huge_wrong_answer_is_shown_in_part(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Said("plum " * 100_000))
    assert made().ask(QUESTION, Decision).outcome is UNPARSEABLE
    assert len(json.dumps(speaker.asked[1])) < 10_000


def test_an_answer_that_was_cut_gets_more_room(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Said(GOOD[:20], "length"), Said(GOOD[:-1]), Said(GOOD))
    answer = made(reasoning=50).ask(QUESTION, Decision, max_tokens=100)
    assert [asked["max_tokens"] for asked in speaker.asked] == [150, 600, 600]
    assert [each.room for each in answer.attempts] == [150, 600, 600]
    assert answer.outcome is OK


def test_waits_are_those_that_the_server_wants_or_grow(
    made: Made, speaker: Speaker, clock: Clock
) -> None:
    busy = failing(429, "slow down", retry_after="7")
    speaker.reply = in_turn(busy, failing(500, "oops"), Said(GOOD))
    assert made().ask(QUESTION, Decision).outcome is OK
    assert clock.slept == [7.0, 1.5]


def test_a_moment_to_come_back_is_told_by_the_servers_clock(
    made: Made, speaker: Speaker, clock: Clock
) -> None:
    moments = {"Retry_After": "Wed, 21 Oct 2026 07:28:09 GMT"}
    speaker.reply = in_turn(failing(503, "later", **moments), Said(GOOD))
    answer = made().ask(QUESTION, Decision)
    assert answer.attempts[0].retry_after == 0.0  # the server's own date is later
    for nonsense in ("nan", "inf", "soon", "Wed, 99 Oct", "-3"):
        clock.slept.clear()
        speaker.reply = in_turn(failing(503, "later", retry_after=nonsense), Said(GOOD))
        assert made().ask(QUESTION, Decision).outcome is OK
        assert clock.slept == ([] if nonsense == "-3" else [0.75])


def test_all_attempts_together_have_a_bound(made: Made, speaker: Speaker, clock: Clock) -> None:
    speaker.reply = in_turn(failing(429, "slow down", retry_after="80"))
    answer = made(timeout=30.0).ask(QUESTION, Decision)
    assert outcomes(answer) == [RATE_LIMITED, RATE_LIMITED]
    assert clock.slept == [80.0]
    assert answer.attempts[-1].retry_after == 80


def test_a_server_that_is_given_up_learns_of_it(speaker: Speaker) -> None:
    speaker.reply = in_turn(Sent(200, PAGE, delay=30.0))
    began = time.monotonic()
    answer = EndpointLanguageModel(speaker.url, "plum", timeout=0.2).ask(QUESTION, Decision)
    assert answer.outcome is TIMEOUT
    assert time.monotonic() - began < 3
    assert speaker.gone.wait(5)


def test_nobody_at_the_address(clock: Clock) -> None:
    model = EndpointLanguageModel("http://127.0.0.1:9/v1", "plum", sleep=clock.sleep)
    answer = model.ask(QUESTION, Decision)
    assert outcomes(answer) == [CONNECTION] * 3
    assert "127.0.0.1:9 cannot be reached" in answer.error
    assert answer.attempts[0].status is None


# What an endpoint takes


def knowing(*known: str, status: int = 400, message: str = "unknown") -> Callable[[Ask], Reply]:
    """An endpoint that holds answers to these only."""
    return lambda asked: Said(GOOD) if structure(asked) in known else failing(status, message)


def modes(speaker: Speaker) -> list[str]:
    found = [structure(asked) for asked in speaker.asked]
    speaker.asked.clear()
    return found


@pytest.mark.parametrize(
    ("status", "message"),
    [(400, "unknown field"), (422, "unknown field"), (500, "response_format or output_config")],
)
def test_the_best_that_an_endpoint_takes_is_found_and_remembered(
    made: Made, speaker: Speaker, wire: str, status: int, message: str
) -> None:
    speaker.reply = knowing("prompt", status=status, message=message)
    model = made()
    answer = model.ask(QUESTION, Decision)
    steps = ["json_schema", "json_object", "prompt"]
    if wire == "anthropic":
        steps.remove("json_object")
    assert answer.outcome is OK
    assert modes(speaker) == [each.mode.value for each in answer.attempts] == steps
    for _ in range(3):
        assert model.ask(QUESTION, Decision).outcome is OK
        assert '"action"' in json.dumps(speaker.asked[-1]).replace('\\"', '"')
    assert modes(speaker) == ["prompt"] * 3
    assert model.mode is Mode.PROMPT
    assert made().mode is Mode.JSON_SCHEMA


def test_an_endpoint_may_take_json_without_a_schema(speaker: Speaker) -> None:
    speaker.reply = knowing("json_object", "prompt")
    model = EndpointLanguageModel(speaker.url, "plum")
    for _ in range(2):
        assert model.ask(QUESTION, Decision).outcome is OK
    assert modes(speaker) == ["json_schema", "json_object", "json_object"]


def test_what_is_refused_in_every_form_is_not_the_forms_fault(
    made: Made, speaker: Speaker, wire: str
) -> None:
    speaker.reply = in_turn(failing(400, "the model plum is unknown"))
    model = made()
    answer = model.ask(QUESTION, Decision)
    assert answer.outcome is CLIENT_ERROR
    assert len(speaker.asked) == (3 if wire == "openai" else 2)
    assert "the model plum is unknown" in answer.error
    assert model.mode is Mode.JSON_SCHEMA


def test_a_failure_of_another_kind_lowers_nothing(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(failing(500, "out of memory"), Said(GOOD))
    assert made().ask(QUESTION, Decision).outcome is OK
    assert modes(speaker) == ["json_schema", "json_schema"]


def test_a_filter_before_the_model_refuses(made: Made, speaker: Speaker) -> None:
    body = b'{"error": {"code": "content_filter", "message": "filtered"}}'
    speaker.reply = in_turn(Sent(400, body))
    assert outcomes(made().ask(QUESTION, Decision)) == [REFUSED]


def test_names_and_values_that_a_model_does_not_take_are_left_out(speaker: Speaker) -> None:
    def strict(asked: Ask) -> Reply:
        if "max_tokens" in asked:
            return failing(400, "Unsupported: 'max_tokens'. Use 'max_completion_tokens' instead.")
        if "temperature" in asked:
            return failing(400, "Unsupported value: 'temperature' does not support 0.0")
        if "maxLength" in json.dumps(asked):
            return failing(400, "Invalid schema for response_format: 'maxLength' not permitted")
        return Said(GOOD)

    speaker.reply = strict
    model = EndpointLanguageModel(speaker.url, "plum")
    assert len(model.ask(QUESTION, Decision).attempts) == 4
    assert len(model.ask(QUESTION, Decision).attempts) == 1
    assert speaker.asked[-1]["max_completion_tokens"] == 1024
    assert model.mode is Mode.JSON_SCHEMA


def test_an_endpoint_that_ignores_the_schema_is_told_in_words(made: Made, speaker: Speaker) -> None:
    def ignoring(asked: Ask) -> Reply:
        told = "JSON schema" in json.dumps(asked)
        return Said(GOOD) if told else Said("Oslo is lovely", "length")

    speaker.reply = ignoring
    model = made()
    assert outcomes(model.ask(QUESTION, Decision)) == [TRUNCATED, OK]
    assert outcomes(model.ask(QUESTION, Decision)) == [OK]
    assert model.mode is Mode.JSON_SCHEMA


def test_a_question_that_was_cut_on_the_way_is_told(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Said(GOOD))
    for question in ("plum pear " * 600, "我住在奧斯陸" * 600, "plum, " * 10**5):
        answer = made().ask(question, Decision)
        assert outcomes(answer) == [TRUNCATED]
        assert "read 100 tokens of a question of 1" in answer.error
    assert made().ask("plum pear " * 400, Decision).outcome is OK


def test_several_threads_may_ask(made: Made, speaker: Speaker) -> None:
    speaker.reply = knowing("prompt")
    model = made()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: model.ask(QUESTION, Decision), range(40)))
    assert {answer.outcome for answer in answers} == {OK}
    assert model.mode is Mode.PROMPT


# What is sent


def test_both_wires_are_spoken_as_they_are(made: Made, speaker: Speaker, wire: str) -> None:
    speaker.reply = in_turn(Said(GOOD))
    made().ask([Message(Role.SYSTEM, "Decide."), Message(Role.USER, QUESTION)], Decision)
    (asked,), (headers,) = speaker.asked, speaker.headers
    assert (asked["model"], asked["max_tokens"], asked["temperature"]) == ("plum", 1024, 0.0)
    if wire == "openai":
        assert headers["authorization"] == f"Bearer {KEY}"
        assert texts(asked) == [("system", "Decide."), ("user", QUESTION)]
        assert asked["response_format"]["json_schema"]["strict"] is True
        assert asked["response_format"]["json_schema"]["name"] == "Decision"
        assert "maxLength" in json.dumps(asked)
    else:
        assert (headers["x-api-key"], headers["anthropic-version"]) == (KEY, "2023-06-01")
        assert asked["system"][0]["text"] == "Decide."
        assert asked["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert texts(asked) == [("user", QUESTION)]
        assert "maxLength" not in json.dumps(asked)


def test_no_key_is_no_header(speaker: Speaker, wire: str) -> None:
    speaker.reply = in_turn(Said(GOOD))
    EndpointLanguageModel(speaker.url, "plum", wire=wire).ask(QUESTION, Decision)
    assert not {"authorization", "x-api-key"} & set(speaker.headers[0])


@pytest.mark.parametrize(
    ("url", "wire", "asked"),
    [
        ("http://nas:11434/v1", "openai", "http://nas:11434/v1/chat/completions"),
        ("http://nas:11434/v1/", "openai", "http://nas:11434/v1/chat/completions"),
        ("https://a.b/v1/chat/completions", "openai", "https://a.b/v1/chat/completions"),
        ("https://openrouter.ai/api/v1", "openai", "https://openrouter.ai/api/v1/chat/completions"),
        ("https://api.anthropic.com", "anthropic", "https://api.anthropic.com/v1/messages"),
        ("https://api.anthropic.com/v1", "anthropic", "https://api.anthropic.com/v1/messages"),
        ("https://a.b/anthropic", "anthropic", "https://a.b/anthropic/v1/messages"),
        ("http://nas/v1/messages", "anthropic", "http://nas/v1/messages"),
        ("http://anthropic.com.evil/v1", "openai", "http://anthropic.com.evil/v1/chat/completions"),
    ],
)
def test_an_address_tells_its_wire(url: str, wire: str, asked: str) -> None:
    assert wire_of(url) == wire
    assert address(url, WIRES[wire]) == asked


class Place(BaseModel):
    city: str
    title: str | None = None


class Kept(BaseModel):
    place: Place = Field(description="where")
    places: list[Place] = Field(max_length=3)
    at: Place | Literal["nowhere"] = "nowhere"


def test_a_schema_is_one_that_strict_endpoints_take() -> None:
    form = form_of(Kept)
    schema = form.schema
    assert schema["required"] == ["place", "places", "at"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Place"]["required"] == ["city", "title"]
    assert schema["$defs"]["Place"]["additionalProperties"] is False
    place = schema["properties"]["place"]
    assert place == {"description": "where", "anyOf": [{"$ref": "#/$defs/Place"}]}
    assert schema["properties"]["places"]["maxItems"] == 3
    assert "maxItems" not in form.bounded(False)["properties"]["places"]
    assert "default" not in json.dumps(schema)


# What the caller does wrong


@pytest.mark.parametrize(
    "messages",
    [
        "", " \n", [],
        [Message(Role.SYSTEM, "Decide.")],
        [Message(Role.USER, "a"), Message(Role.ASSISTANT, "b")],
        [Message(Role.USER, "a"), Message(Role.SYSTEM, "b"), Message(Role.USER, "c")],
        [Message(Role.TOOL, "a"), Message(Role.USER, "c")],
    ],
)  # fmt: skip
def test_messages_that_no_endpoint_takes_are_refused(messages: Any, speaker: Speaker) -> None:
    with pytest.raises(InvalidInput, match=r"messages (must|may)"):
        EndpointLanguageModel(speaker.url, "plum").ask(messages, Decision)
    assert not speaker.asked


class Several(RootModel[list[str]]):
    pass


@pytest.mark.parametrize(
    ("answer", "options", "told"),
    [
        (dict, {}, "no pydantic model"),
        (Decision(action=Action.ADD, text=""), {}, "no pydantic model"),
        (Several, {}, "no JSON object"),
        (Decision, {"max_tokens": 0}, "max_tokens must be"),
        (Decision, {"max_tokens": True}, "max_tokens must be"),
    ],
)
def test_questions_that_make_no_sense_are_refused(
    speaker: Speaker, answer: Any, options: Any, told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        EndpointLanguageModel(speaker.url, "plum").ask(QUESTION, answer, **options)
    assert not speaker.asked


def test_wrong_settings_are_named() -> None:
    with pytest.raises(InvalidSettings, match="language_url"):
        EndpointLanguageModel("nas", "plum")
    with pytest.raises(InvalidSettings, match="language_url 'nas/v1' is no address"):
        EndpointLanguageModel("ftp://ann:secret@nas/v1", "plum")
    with pytest.raises(InvalidSettings, match="language_key holds"):
        EndpointLanguageModel("http://nas", "plum", key="a\nb")
    with pytest.raises(InvalidSettings, match="needs a language_url"):
        wiring.language_of(Settings(language_model="plum"))
    assert wiring.language_of(Settings(language_url="http://nas")) is None


# Any text


@given(st.text())
def test_what_is_written_is_read_or_not(text: str) -> None:
    for said in (text, f"<think>{text}", f"```\n{text}\n```", f'{{"action": "{text}"}}'):
        assert outcome_of(said) in (OK, EMPTY, UNPARSEABLE, SCHEMA_INVALID)


def outcome_of(said: str) -> Outcome:
    try:
        read(said, Decision)
    except Unreadable as error:
        return error.outcome
    return OK


@given(st.text(), st.text("`{<>/think \n"))
def test_what_is_bare_stays_bare(text: str, around: str) -> None:
    found = bare(around + text)
    assert found in around + text or "```" in around + text
    assert not found.startswith("<think>") or "</think>" in around + text


@pytest.mark.parametrize(
    "text",
    ["{" * 10**6, "[" * 10**6, "`" * 10**6, "```\n" * 10**5, "<think>" * 10**5, "\n" * 10**6,
     '{"action": ' + "9" * 10**6],
    ids=lambda text: text[:12],
)  # fmt: skip
def test_a_megabyte_is_read_at_once(text: str) -> None:
    began = time.process_time()
    with pytest.raises(Unreadable):
        read(text, Decision)
    assert time.process_time() - began < 2


def test_any_text_can_be_asked(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(Said("\ud800\x00 \x00"), Said(GOOD))
    assert made().ask("\ud800 \x00 {} %s {schema}", Decision).outcome is OK
    assert texts(speaker.asked[0])[-1][1] == "\ufffd \ufffd {} %s {schema}"


PRINTABLE = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=6, max_size=40)


@given(
    PRINTABLE,
    st.sampled_from(["plain", "json", "slashes", "address"]),
    st.sampled_from([200, 401, 302]),
)
def test_no_key_comes_back(key: str, form: str, status: int) -> None:
    echoed = {"plain": key, "json": json.dumps(key)[1:-1],
              "slashes": json.dumps(key)[1:-1].replace("/", "\\/"),
              "address": quote(key, safe="")}[form]  # fmt: skip
    model = EndpointLanguageModel("http://nas:1/v1", "plum", key=key, sleep=lambda seconds: None)
    body = b'{"error": {"message": "' + echoed.encode() + b'"}}'
    headers = {"x-request-id": key, "location": f"https://a.b/?{key}"}

    def post(*_: object, **__: object) -> posting.Reply:
        return posting.Reply(status, headers, body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(posting, "post", post)
        answer = model.ask(QUESTION, Decision)
    for attempt in answer.attempts:
        told = (attempt.body, attempt.error, attempt.request_id or "", attempt.finish or "")
        assert not any(each in text for text in told for each in (key, echoed))
    assert key not in repr(model)


def test_no_part_of_a_key_is_left_where_a_complaint_is_cut(made: Made, speaker: Speaker) -> None:
    speaker.reply = in_turn(failing(401, "x" * (language.TOLD - 4) + KEY))
    assert "sk-p" not in made().ask(QUESTION, Decision).error


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "text", "type", "finish_reason", "error",
                         "usage", "prompt_tokens", "code", "stop_reason", "refusal", "id"]),
        inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@given(
    st.binary() | DOCUMENTS.map(lambda each: json.dumps(each).encode()),
    st.sampled_from([200, 200, 200, 204, 301, 400, 422, 429, 500]),
    st.sampled_from(list(WIRES)),
)
def test_whatever_a_server_sends_is_an_outcome(body: bytes, status: int, wire: str) -> None:
    model = EndpointLanguageModel("http://nas:1", "plum", wire=wire, sleep=lambda seconds: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(posting, "post", lambda *_, **__: posting.Reply(status, {}, body))
        answer = model.ask(QUESTION, Decision)
    assert answer.outcome is not OK
    assert all(each.error for each in answer.attempts)


def test_a_proxy_that_is_none_is_told(speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "plum://nowhere")
    answer = EndpointLanguageModel(speaker.url, "plum").ask(QUESTION, Decision)
    assert answer.outcome is CLIENT_ERROR
    assert "cannot be asked" in answer.error


def test_no_log_has_a_key(made: Made, speaker: Speaker, caplog: pytest.LogCaptureFixture) -> None:
    speaker.reply = in_turn(Said(WRONG), failing(500, "oops"), failing(401, KEY))
    with caplog.at_level(logging.DEBUG):
        assert made().ask(QUESTION, Decision).outcome is CLIENT_ERROR
    assert caplog.records
    assert not any(KEY in record.getMessage() for record in caplog.records)


def test_a_password_in_the_address_does_not_come_back(speaker: Speaker) -> None:
    speaker.reply = in_turn(failing(401, "plums-and-pears is no password"))
    url = speaker.url.replace("//", "//ann:plums-and-pears@")
    answer = EndpointLanguageModel(url, "plum").ask(QUESTION, Decision)
    assert answer.outcome is CLIENT_ERROR
    assert not leaks(answer, "plums-and-pears")


# The program


def test_a_person_can_stop_it(speaker: Speaker) -> None:
    speaker.reply = in_turn(Sent(200, PAGE, delay=60.0))
    code = (
        "import sys, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from memoranda.models.checking import QUESTION, Sky\n"
        "from memoranda.models.language import EndpointLanguageModel\n"
        f"EndpointLanguageModel({speaker.url!r}, 'plum').ask(QUESTION, Sky)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE) as running:
        for _ in range(600):
            if speaker.asked:
                break
            time.sleep(0.05)
        began = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=20)
    assert time.monotonic() - began < 10
    assert b"KeyboardInterrupt" in told
    assert speaker.gone.wait(5)


def test_making_one_loads_no_client() -> None:
    code = (
        "import sys; from memoranda.models.language import EndpointLanguageModel\n"
        "EndpointLanguageModel('http://nas', 'plum')\n"
        "print([name for name in ('httpx2', 'pydantic', 'tenacity') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_status_tells_who_receives_text(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_LANGUAGE_MODEL", "plum")
    monkeypatch.setenv("MEMORANDA_LANGUAGE_URL", "http://ann:secret@nas:11434/v1")
    with memoranda.open(home) as m:
        assert m.status().hosts == ("nas:11434",)
