"""What a language model is told and what it answers, failures among it.

Loaded by whoever asks one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, TypeVar

from memoranda.types import Role

if TYPE_CHECKING:
    from pydantic import BaseModel

T = TypeVar("T", bound="BaseModel")
"""The form of an answer."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a language model is told: by the system, by the user, or by itself before."""

    role: Role
    content: str


class Outcome(StrEnum):
    """What became of a question to a language model. Only OK comes with a value."""

    OK = "ok"
    TRUNCATED = "truncated"
    """There was no room for the answer, or for the question: ask for less at once."""
    EMPTY = "empty"
    REFUSED = "refused"
    """By the model, or by a filter before or behind it."""
    UNPARSEABLE = "unparseable"
    SCHEMA_INVALID = "schema_invalid"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    """What answers fails, or is no language model."""
    CLIENT_ERROR = "client_error"
    """The endpoint does not take such questions, this key or this model."""
    TIMEOUT = "timeout"
    CONNECTION = "connection"


class Mode(StrEnum):
    """What holds an answer to its schema: the endpoint, in whole or in part, or words alone."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a call took; None where the endpoint does not say.

    `cached` is a part of `prompt`, and `reasoning` one of `completion`, whoever counts.
    """

    prompt: int | None = None
    cached: int | None = None
    completion: int | None = None
    reasoning: int | None = None

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            _sum(self.prompt, other.prompt),
            _sum(self.cached, other.cached),
            _sum(self.completion, other.completion),
            _sum(self.reasoning, other.reasoning),
        )


def _sum(one: int | None, other: int | None) -> int | None:
    return one if other is None else other if one is None else one + other


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request to a language model and all that came of it, the key excepted.

    `body` is the answer as it came, or as much of it as came; `finish` the endpoint's own word for
    why it ended, `room` how many tokens it might have taken, `seconds` how long it took. `error`
    says what is wrong, in a sentence. `retry_after` is for how many seconds the endpoint wants to
    be left alone. `status` is None when nobody answered.
    """

    outcome: Outcome
    mode: Mode
    room: int
    status: int | None = None
    finish: str | None = None
    request_id: str | None = None
    tokens: Tokens = Tokens()
    seconds: float = 0.0
    retry_after: float | None = None
    error: str = ""
    body: str = ""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a language model answered in the end, and every attempt at it, the first one first."""

    outcome: Outcome
    value: T | None
    attempts: tuple[Attempt, ...]

    @property
    def tokens(self) -> Tokens:
        """What all the attempts took."""
        return sum((each.tokens for each in self.attempts), Tokens())

    @property
    def error(self) -> str:
        """What is wrong, in a sentence; empty when nothing is."""
        return self.attempts[-1].error
