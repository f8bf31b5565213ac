"""A pass while it runs: what its steps share, and what becomes of questions that nobody answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from memoranda.answers import Outcome
from memoranda.formation.asking import Asker, Halted, Unanswered
from memoranda.formation.operations import set_aside
from memoranda.passes import RULES, Decision, Pass
from memoranda.policy.budget import Budget
from memoranda.policy.consolidation import Policy
from memoranda.protocols import Embedder, LanguageModel, Passes, Store
from memoranda.types import Passage, Scope, Scopes

MOST_TRIES = 3
"""So often something is tried, once a pass, before it waits for a person or another model."""
MOST_UNANSWERED = 2
"""After so many questions in a row without an answer it stops: the endpoint is at fault."""

_AWAY = frozenset((Outcome.CONNECTION, Outcome.RATE_LIMITED))
"""Nobody is there, or nobody who listens now: the next question would fare no better."""


@dataclass(frozen=True, slots=True)
class Terms:
    """On what terms a pass runs: what it may decide by itself, cost, and close.

    With `again` it tries also what failed too often.
    """

    policy: Policy = field(default_factory=Policy)
    budget: Budget = field(default_factory=Budget)
    retire_share: float = 0.1
    again: bool = False


@dataclass(frozen=True, slots=True)
class Missed:
    """What a question was about that nobody answered."""

    turns: Sequence[Passage] = ()
    decisions: Sequence[Decision] = ()


@dataclass
class Run:
    """What the steps of a pass share. `records` are where its questions are kept.

    What it brings may contradict whatever is `seen` by whoever runs it.

    `embed` gives memories that are new their vectors, for the next candidate to be compared with.
    """

    begun: Pass
    store: Store
    language: LanguageModel | None
    embedder: Embedder | None
    terms: Terms
    clock: Callable[[], datetime]
    by: str
    embed: Callable[[Store], None]
    records: Sequence[Passes]
    seen: Scopes = ()
    missed: list[tuple[Missed, Unanswered]] = field(default_factory=list)
    ask: Asker = field(init=False)

    def __post_init__(self) -> None:
        self.ask = Asker(
            self.language,
            self.begun,
            self.terms.budget,
            self.clock,
            self.records,
            answered=self._answered,
        )

    @property
    def passes(self) -> Passes:
        return self.store.passes

    @property
    def id(self) -> str:
        return self.begun.id

    @property
    def own(self) -> Scope:
        return self.begun.scope

    @property
    def by_rules(self) -> bool:
        return self.language is None

    @property
    def targets(self) -> Scopes:
        """Every scope for which something may be drawn from conversations of this one."""
        return tuple(dict.fromkeys((self.own, *self.passes.projects(self.own))))

    @property
    def visible(self) -> Scopes:
        """Where what it brings may contradict something."""
        return tuple(dict.fromkeys((*self.targets, *self.seen)))

    @cached_property
    def tries(self) -> int | None:
        """How often something may have been tried; another model, or other words, may do better."""
        before = next(
            (
                each
                for each in self.passes.passes(self.own, limit=20)
                if each.id != self.id and not each.preview and each.model != RULES
            ),
            None,
        )
        asked = (self.begun.model, self.begun.prompts)
        same = before is None or (before.model, before.prompts) == asked
        return MOST_TRIES if same and not self.terms.again else None

    def decided(self, decision: Decision) -> Decision:
        """A decision as one of this pass."""
        return replace(decision, decided_by=self.id, decided_at=self.clock())

    def put_aside(self, decision: Decision, reason: str, *calls: str) -> Decision:
        """A candidate that cannot be decided, for later passes to try again."""
        aside = set_aside(decision, reason).decision
        return self.decided(replace(aside, calls=(*decision.calls, *calls)))

    def at_fault(self) -> str | None:
        """What was wrong with a pass that asked all it wanted; None when nothing was."""
        if self.missed:
            return f"{_no_answer(self.missed[-1][1])}; what it was asked about waits"
        if self.ask.failure and not self.ask.good:
            return f"no answer of the language model can be used; the last: {self.ask.failure}"
        return None

    # Questions without an answer

    def miss(self, missed: Missed, error: Unanswered) -> None:
        """A question got no answer: what it was about waits, and the pass may have to stop."""
        self.missed.append((missed, error))
        if error.outcome in _AWAY or len(self.missed) >= MOST_UNANSWERED:
            raise Halted(_no_answer(error))

    def _answered(self) -> None:
        """Somebody is there: so what got no answer before has itself to blame, and is set aside."""
        missed, self.missed = self.missed, []
        reason = "the language model gave no answer about it, and about others it did"
        for each, error in missed:
            aside = {turn.turn: reason for turn in each.turns}
            put_aside = [self.put_aside(one, reason, error.call) for one in each.decisions]
            with self.store.transaction():
                self.passes.read(self.id, (), (), aside=aside, at=self.clock())
                self.passes.decide(put_aside)


def _no_answer(error: Unanswered) -> str:
    return f"the language model does not answer ({error.outcome}): {error}"
