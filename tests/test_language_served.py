"""A language model that is really there: small, and held to its form by llama.cpp."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from memoranda.answers import Message, Mode, Outcome
from memoranda.models.language import EndpointLanguageModel
from memoranda.types import Role
from tests.served import needs_server, serving

pytestmark = [pytest.mark.slow, needs_server]


class Decision(BaseModel):
    """What to do with a new memory."""

    action: Literal["ADD", "UPDATE", "NOOP"]
    target: Literal["none", "m1", "m2"]
    words: list[str] = Field(min_length=1, max_length=2)


RULES = Message(Role.SYSTEM, "You keep the memory of a person. Decide what to do. " * 12)
TOLD = Message(Role.USER, "Anna says that she lives in Oslo now.")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def test_an_answer_has_its_form_and_tokens_are_counted(url: str) -> None:
    model = EndpointLanguageModel(url, "smollm2")
    first, second = (model.ask([RULES, TOLD], Decision, max_tokens=256) for _ in range(2))
    for answer in (first, second):
        assert answer.outcome is Outcome.OK
        assert answer.value is not None
        assert 1 <= len(answer.value.words) <= 2
        assert model.mode is Mode.JSON_SCHEMA
    tokens = second.attempts[0].tokens
    assert tokens.prompt is not None
    assert tokens.cached is not None
    assert tokens.completion is not None
    assert 100 < tokens.cached < tokens.prompt < 300
    assert 10 < tokens.completion < 256
    assert second.attempts[0].request_id


def test_an_answer_that_was_cut_is_told(url: str) -> None:
    answer = EndpointLanguageModel(url, "smollm2").ask([RULES, TOLD], Decision, max_tokens=2)
    assert [each.outcome for each in answer.attempts] == [Outcome.TRUNCATED] * 2
    assert [each.tokens.completion for each in answer.attempts] == [2, 8]
    assert answer.value is None


def test_a_question_that_does_not_fit_is_told(url: str) -> None:
    answer = EndpointLanguageModel(url, "smollm2").ask("plum " * 16_000, Decision)
    assert [each.outcome for each in answer.attempts] == [Outcome.TRUNCATED]
    assert "exceeds the available context size" in answer.error


def test_a_server_that_is_left_alone_stops_writing(url: str) -> None:
    """It has one place only, so that whoever comes next would have to wait."""
    told = Message(Role.USER, "Tell a very long story.")
    hasty = EndpointLanguageModel(url, "smollm2", timeout=1.0)
    story = hasty.ask([told], Story, max_tokens=2000)
    assert [each.outcome for each in story.attempts] == [Outcome.TIMEOUT] * 2
    began = time.monotonic()
    answer = EndpointLanguageModel(url, "smollm2").ask([RULES, TOLD], Decision, max_tokens=256)
    assert answer.outcome is Outcome.OK
    assert time.monotonic() - began < 30


class Story(BaseModel):
    sentences: list[str] = Field(min_length=200)
