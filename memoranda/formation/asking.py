"""How the steps of a pass ask a language model: what it takes is counted, and recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Generic, Protocol

from memoranda.answers import Outcome, T, Tokens
from memoranda.errors import MemorandaError
from memoranda.passes import Call, Pass, Purpose
from memoranda.policy.budget import Bound, Budget, passed, total
from memoranda.protocols import LanguageModel, Passes
from memoranda.text import tokens as counting
from memoranda.types import new_id

if TYPE_CHECKING:
    from memoranda.answers import Attempt, Message

FAILED = frozenset((Outcome.EMPTY, Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID, Outcome.REFUSED))
"""The model answered, and the answer is of no use: another question may do better."""

USELESS = FAILED - {Outcome.REFUSED}
"""The model is not up to it; what it refuses it understood."""

MOST_USELESS = 10
"""After so many answers in a row that cannot be used nothing more is asked.

One question about five candidates, of which none can be answered, is asked nine times.
"""


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

    def __init__(self, outcome: Outcome, error: str, call: str = "") -> None:
        super().__init__(error)
        self.outcome = outcome
        self.call = call


class Exhausted(MemorandaError):
    """A budget does not allow the question; nothing was asked."""


class Halted(MemorandaError):
    """Nothing more can be asked; what was done stands."""


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


@dataclass(slots=True)
class Asker:
    """Asks on behalf of a pass, within its budget, and keeps every answer in the `records`.

    `answered` is called when somebody answered, whatever they said. So many answers were `good`;
    `failure` is what was wrong with the last that was not.
    """

    language: LanguageModel | None
    of: Pass
    budget: Budget
    clock: Callable[[], datetime]
    records: Sequence[Passes]
    answered: Callable[[], None] = lambda: None
    spent: Tokens = field(default_factory=Tokens)
    useless: int = 0
    good: int = 0
    failure: str = ""
    since: datetime = field(init=False)

    def __post_init__(self) -> None:
        self.since = self.clock()  # which is later than its beginning, when it is gone on with

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
        """See `Asking`. Raises Halted, too, after too many answers of no use."""
        if self.language is None:
            raise Halted("there is no language model to ask")
        self._check_budget(messages, max_tokens)
        said = self.language.ask(messages, answer, max_tokens=max_tokens)
        now = self.clock()
        call = Call(
            id=new_id(now),
            of=self.of.id,
            time=now,
            purpose=purpose,
            model=self.language.name,
            prompt=prompt,
            request=_hash(messages),
            outcome=said.outcome,
            attempts=tuple(_counted(each, messages) for each in said.attempts),
            turns=tuple(turns),
            memories=tuple(memories),
        )
        for each in self.records:
            each.record(call)
        self.spent += call.tokens
        if said.outcome not in {Outcome.OK, Outcome.TRUNCATED, *FAILED}:
            raise Unanswered(said.outcome, said.error, call.id)
        self.answered()
        self._count_useless(said.outcome, said.error)
        return Told(said.outcome, said.value, call.id, said.error)

    def _check_budget(self, messages: Sequence[Message], max_tokens: int) -> None:
        """Raises Exhausted when the question and the answer may take more than is left."""
        budget = self.budget
        bounds = [replace(each, spent=each.spent + self._spent_of(each)) for each in budget.bounds]
        most = Tokens(prompt=_told(messages), completion=max_tokens)
        if over := passed(bounds, most, budget.prices):
            raise Exhausted(f"it stopped at its budget: {over}")
        if budget.minutes and self.clock() - self.since > timedelta(minutes=budget.minutes):
            raise Exhausted(f"it stopped at its budget: pass_minutes = {budget.minutes:g}")

    def _spent_of(self, bound: Bound) -> float:
        """What counts of this pass, since it began or was gone on with."""
        spent = self.spent + self.of.tokens if bound.of_pass else self.spent
        return (self.budget.prices.cost(spent) or 0.0) if bound.of_money else total(spent)

    def _count_useless(self, outcome: Outcome, error: str) -> None:
        self.good += outcome is Outcome.OK
        if outcome not in (Outcome.OK, Outcome.REFUSED):
            self.failure = f"{outcome}: {error}" if error else str(outcome)
        self.useless = self.useless + 1 if outcome in USELESS else 0
        if self.useless >= MOST_USELESS:
            raise Halted(f"{self.useless} answers in a row cannot be used; the last: {error}")


def _counted(attempt: Attempt, messages: Sequence[Message]) -> Attempt:
    """An attempt with about what it took, where the endpoint does not say: bounds must hold."""
    took = attempt.tokens
    if took.prompt is not None and took.completion is not None:
        return attempt
    answered = 0 if attempt.status is None else counting.estimate(attempt.body)
    return replace(
        attempt,
        tokens=replace(
            took,
            prompt=_told(messages) if took.prompt is None else took.prompt,
            completion=answered if took.completion is None else took.completion,
        ),
    )


def _told(messages: Sequence[Message]) -> int:
    """About how many tokens they are."""
    return sum(counting.estimate(each.content) for each in messages)


def _hash(messages: Sequence[Message]) -> str:
    from hashlib import blake2b  # loads OpenSSL

    told = "\0".join(f"{each.role}\0{each.content}" for each in messages)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
