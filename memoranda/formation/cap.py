"""How many memories a pass may close: a model gone mad must not empty what is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from memoranda.formation.operations import Resolved
from memoranda.passes import Stage
from memoranda.policy.budget import may_close
from memoranda.policy.consolidation import CHANGING
from memoranda.protocols import Store, all_decisions
from memoranda.types import Operation, Scope, Status


@dataclass(slots=True)
class _Tally:
    """Of a scope: how many memories there were before the pass, and how many it has closed."""

    there: int
    closed: int


@dataclass(slots=True)
class Cap:
    """What the pass `of` has closed and may close yet, scope by scope, also after it was killed."""

    store: Store
    of: str
    share: float
    _tallies: dict[Scope, _Tally] = field(default_factory=dict)

    def objection(self, resolved: Resolved, before: Sequence[Resolved]) -> str | None:
        """Why it must not be done after what is to be done `before` it; None when it may."""
        closes = _closes(resolved)
        if not closes:
            return None
        scope = resolved.decision.scope
        tally = self._tally(scope)
        closed = tally.closed + sum(_closes(each) for each in before if _is_of(each, scope))
        if closed + closes <= may_close(tally.there, self.share):
            return None
        return f"this pass has closed {closed} of {tally.there} memories, and may close no more"

    def may_close(self, scope: Scope) -> bool:
        """Whether one more memory of a scope may be closed, which then counts as closed."""
        tally = self._tally(scope)
        if tally.closed + 1 > may_close(tally.there, self.share):
            return False
        tally.closed += 1
        return True

    def note(self, done: Sequence[Resolved]) -> None:
        """Count what was done."""
        for each in done:
            if closes := _closes(each):
                self._tally(each.decision.scope).closed += closes

    def _tally(self, scope: Scope) -> _Tally:
        if scope not in self._tallies:
            applied = all_decisions(self.store.passes, (scope,), of=self.of, stages=[Stage.APPLIED])
            done = Counter(each.operation for each in applied)
            current = self.store.holdings((scope,)).memories.get(Status.CURRENT, 0)
            there = current - done[Operation.ADD] + done[Operation.DELETE]
            self._tallies[scope] = _Tally(there, sum(done[each] for each in CHANGING))
        return self._tallies[scope]


def _is_of(resolved: Resolved, scope: Scope) -> bool:
    return resolved.decision.scope == scope


def _closes(resolved: Resolved) -> int:
    """How many memories it closes, if only at a time to come."""
    return sum(
        change.before is not None and change.operation in CHANGING for change in resolved.changes
    )
