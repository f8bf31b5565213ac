"""How the steps of a pass ask a language model: the pass counts what it takes, and records it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol

from memoranda.answers import Outcome, T
from memoranda.errors import MemorandaError
from memoranda.passes import Purpose

if TYPE_CHECKING:
    from memoranda.answers import Message

FAILED = frozenset((Outcome.EMPTY, Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID, Outcome.REFUSED))
"""The model answered, and the answer is of no use: another question may do better."""


@dataclass(frozen=True, slots=True)
class Told(Generic[T]):
    """What a model answered, or why there is no `value`; `call` is the id of what was recorded.

    The outcome is OK, TRUNCATED or one of FAILED.
    """

    outcome: Outcome
    value: T | None
    call: str
    error: str = ""


class Unanswered(MemorandaError):
    """The endpoint did not answer this question, through no fault of what was asked about."""

    def __init__(self, outcome: Outcome, error: str) -> None:
        super().__init__(error)
        self.outcome = outcome


class Exhausted(MemorandaError):
    """A budget does not allow the question; nothing was asked."""


class Asking(Protocol):
    """Asks a model on behalf of a pass."""

    def __call__(
        self,
        purpose: Purpose,
        prompt: str,
        messages: Sequence[Message],
        answer: type[T],
        *,
        max_tokens: int,
        turns: Sequence[str],
        memories: Sequence[str],
    ) -> Told[T]:
        """Ask, and record it. `prompt` is the version of the words that do not change.

        `turns` and `memories` are the ids of all that the messages tell of. Raises Unanswered and
        Exhausted.
        """
