"""The second half of a pass: candidates that wait are decided, a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from memoranda.errors import Conflict, NotFound
from memoranda.formation import resolution
from memoranda.formation.asking import Unanswered
from memoranda.formation.cap import Cap
from memoranda.formation.operations import Resolved
from memoranda.formation.run import Missed, Run
from memoranda.passes import Decision, Stage
from memoranda.policy.access import OWNER
from memoranda.protocols import all_decisions
from memoranda.retrieval.contradicting import pairs
from memoranda.text.clean import fingerprint
from memoranda.types import Operation, new_id

LOOKED_AT = 50
"""Candidates among which those are found that may be decided at once."""

OPEN = (Stage.WAITING, Stage.SET_ASIDE)


@dataclass(slots=True)
class Deciding:
    """Decides a few candidates at a time, each few as one transaction."""

    run: Run
    cap: Cap = field(init=False)

    def __post_init__(self) -> None:
        self.cap = Cap(self.run.store, self.run.id, self.run.terms.retire_share)

    def decide_waiting(self) -> None:
        """What was selected and is not decided yet."""
        while waiting := self._waiting():
            if not self._decide_some(waiting):
                return

    def try_again(self) -> None:
        """What earlier passes could not decide."""
        if self.run.by_rules:
            return
        left = [
            each
            for each in self._all(Stage.SET_ASIDE, tries=self.run.tries)
            if each.decided_by != self.run.id
        ]
        while left:
            group = self._decide_some(left)
            if not group:
                return
            done = {each.id for each in group}
            left = [each for each in left if each.id not in done]

    def _waiting(self) -> list[Decision]:
        """Rules decide what rules selected: what a model did waits for one."""
        waiting = self._all(Stage.WAITING)
        if self.run.by_rules:
            waiting = (each for each in waiting if not each.calls)
        return list(islice(waiting, LOOKED_AT))

    def _all(self, stage: Stage, *, tries: int | None = None) -> Iterator[Decision]:
        run = self.run
        return all_decisions(run.passes, run.targets, own=run.own, stages=[stage], tries=tries)

    def _decide_some(self, waiting: Sequence[Decision]) -> Sequence[Decision]:
        """Decide those that may be at once, and return them; none when nobody answers."""
        group = resolution.group(waiting)
        try:
            self._decide(group)
        except Unanswered as error:
            self.run.miss(Missed(decisions=group), error)
            return ()
        return group

    def _decide(self, group: Sequence[Decision]) -> None:
        """Decide some candidates; once more when a memory was changed, or went, meanwhile."""
        for _ in range(2):
            resolved = self._resolved(group)
            try:
                self._apply(resolved)
                return
            except (Conflict, NotFound):
                group = self._there(group)
        reason = "a memory that it was compared with was changed meanwhile, twice"
        with suppress(Conflict):  # somebody else decided it
            self.run.passes.decide([self.run.put_aside(each, reason) for each in group])

    def _there(self, group: Sequence[Decision]) -> list[Decision]:
        """Those that were neither forgotten meanwhile, nor decided by a person."""
        found = []
        for each in group:
            with suppress(NotFound):
                found.append(self.run.passes.decision(each.id, (each.scope, self.run.own)))
        return [each for each in found if each.stage in OPEN]

    def _resolved(self, group: Sequence[Decision]) -> list[Resolved]:
        run = self.run
        found = resolution.resolve(
            group,
            run.store,
            run.embedder,
            run.ask,
            run.terms.policy,
            earlier=self._contradicted() if run.terms.policy.conflicts == "wait" else (),
            now=run.clock(),
            by_rules=run.by_rules,
        )
        done: list[Resolved] = []
        for each in found:
            why = self.cap.objection(each, done)
            if why is None:
                done.append(each)
                continue
            asked = replace(each.decision, stage=Stage.REVIEW, memory=None, reason=why)
            return [*done, Resolved(asked)]  # what follows may build on it, and is decided anew
        return done

    def _contradicted(self) -> list[Decision]:
        """The contradictions that wait to be said a second time."""
        return [each for each in self._all(Stage.REVIEW) if each.target is not None]

    def _apply(self, resolved: Sequence[Resolved]) -> None:
        """Do what was decided, all or nothing. Raises Conflict, NotFound."""
        run, now = self.run, self.run.clock()
        decided = [run.decided(each.decision) for each in resolved]
        made = [change for each in resolved for change in each.changes]
        contradicting = pairs(made, run.store, run.visible, now)
        with run.store.transaction():
            self._check_newer(resolved)
            for each in resolved:  # why, the decision tells: a model's words stand in one place
                run.store.apply(each.changes, at=now, by=run.by, of=run.id)
            run.passes.decide([*decided, *self._offered(decided, now)])
            run.store.contradictions.add(contradicting, at=now)
        self.cap.note(resolved)
        run.embed(run.store)

    def _check_newer(self, resolved: Sequence[Resolved]) -> None:
        """What is told as past must have something newer still. Raises Conflict, NotFound."""
        for each in resolved:
            decision = each.decision
            if decision.operation == Operation.ADD and decision.target is not None:
                newer = self.run.store.memory(decision.target, (decision.scope,))
                told = {one.id: one.content for one in decision.neighbours}
                if not newer.status.live or newer.content != told.get(newer.id, newer.content):
                    raise Conflict(f"{newer.id} was changed by someone else")

    # What two profiles heard

    def _offered(self, decided: Sequence[Decision], now: datetime) -> Iterator[Decision]:
        """What two profiles heard is the person's own to keep: so they are asked."""
        for each in decided:
            added = each.stage == Stage.APPLIED and each.operation == Operation.ADD
            if added and self._is_to_offer(each, now):
                yield replace(
                    each,
                    id=new_id(now),
                    scope=OWNER,
                    stage=Stage.REVIEW,
                    memory=None,
                    neighbours=(),
                    reason="two profiles heard it: keep it for all of them?",
                )

    def _is_to_offer(self, added: Decision, now: datetime) -> bool:
        """Whether another profile heard it too, and nobody was asked about it before."""
        passes, said = self.run.passes, added.candidate
        if not passes.heard_elsewhere(said.content, said.kind, added.scope, now):
            return False
        if self.run.store.same(said.content, OWNER, said.kind, now):
            return False
        asked = all_decisions(passes, (OWNER,), stages=[Stage.REVIEW])
        known = {fingerprint(each.candidate.content) for each in asked}
        return fingerprint(said.content) not in known and not passes.refused(said.content, OWNER)
