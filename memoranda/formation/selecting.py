"""The first half of a pass: turns are read, and what is selected of them waits as candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoranda.formation import extraction, rules
from memoranda.formation.asking import Unanswered
from memoranda.formation.deciding import Deciding
from memoranda.formation.run import Missed, Run
from memoranda.passes import Decision, Stage
from memoranda.policy.consolidation import destination
from memoranda.protocols import Passes
from memoranda.types import Candidate, Change, Operation, Passage, Scope, Status, Turn, new_id

AT_ONCE = 12
"""Turns read at once."""
LONGEST = 12_000
"""Characters of turns read at once; a longer turn is read alone."""
AT_ONCE_BY_RULES = 200
BEFORE = 4
"""Turns said before, which a model is told of too."""


def next_turns(
    passes: Passes, own: Scope, after: str | None, *, by_rules: bool = False
) -> list[Passage]:
    """The next turns to read at once, of one conversation."""
    limit = AT_ONCE_BY_RULES if by_rules else AT_ONCE
    turns = passes.unread(own, after=after, by_rules=by_rules, limit=limit)
    if by_rules:
        return turns
    taken, length = list[Passage](), 0
    for turn in turns:
        length += len(turn.content)
        if taken and length > LONGEST:
            break
        taken.append(turn)
    return taken


@dataclass(slots=True)
class Selecting:
    """Reads a few turns at a time, and has what comes of them decided."""

    run: Run
    deciding: Deciding
    advance: Callable[[int, int], None]

    def read_on(self) -> None:
        """What nobody has read; what gets no answer stays where it is."""
        run, after = self.run, None
        left = run.passes.backlog(run.own, (run.own,)).turns
        while batch := next_turns(run.passes, run.own, after, by_rules=run.by_rules):
            self._read(batch)
            after = batch[-1].turn
            left = max(0, left - len(batch))
            self.advance(len(batch), left)

    def try_again(self) -> None:
        """What earlier passes set aside, a turn at a time."""
        run = self.run
        if run.by_rules:
            return
        done = {each.turn.turn for each in run.passes.one(run.id, run.own).unread}
        for each in run.passes.aside(run.own, tries=run.tries, limit=1000):
            if each.turn.turn not in done:
                self._read([each.turn])

    def _read(self, turns: Sequence[Passage]) -> None:
        """Read some turns and decide what comes of them."""
        if self.run.by_rules:
            self._keep(turns, self._by_rules(turns), {})
        else:
            before = self.run.passes.before(turns[0].turn, self.run.own, BEFORE)
            try:
                reading = extraction.read(turns, before, self.run.ask)
            except Unanswered as error:
                self.run.miss(Missed(turns=turns), error)
                return
            self._keep(turns, self._selected(turns, reading.proposals), reading.failed)
        self.deciding.decide_waiting()

    def _keep(
        self, turns: Sequence[Passage], decisions: Sequence[Decision], failed: Mapping[str, str]
    ) -> None:
        """Write down what was selected, that the turns are read, and drop what rules proposed."""
        run, now = self.run, self.run.clock()
        read = [each.turn for each in turns if each.turn not in failed]
        with run.store.transaction():
            if not run.by_rules:
                self._withdraw(read, now)
            run.passes.read(run.id, read, decisions, aside=failed, at=now, by_rules=run.by_rules)

    def _withdraw(self, turns: Sequence[str], now: datetime) -> None:
        """What rules proposed of turns that a model has read now, and selected from itself."""
        run = self.run
        closed = [
            Change(Operation.WITHDRAW, each, replace(each, status=Status.REJECTED, closed_at=now))
            for each in run.passes.unreviewed(turns, run.own)
        ]
        reason = "a model has read the turn since"
        run.store.apply(closed, at=now, by=run.by, reason=reason, of=run.id)

    # What is selected

    def _by_rules(self, turns: Sequence[Passage]) -> list[Decision]:
        said = [
            Turn(each.conversation, each.role, each.content, each.time, each.speaker, each.turn)
            for each in turns
        ]
        project = self._project(turns)
        return [self._decision(each, project) for each in rules.candidates(said)]

    def _selected(
        self, turns: Sequence[Passage], proposals: Sequence[extraction.Proposal]
    ) -> list[Decision]:
        """Those that a check turned away are decided with that."""
        project = self._project(turns)
        made = []
        for each in proposals:
            decision = self._decision(each.candidate, project, each.call)
            if each.rejected is not None:
                rejected = replace(decision, stage=Stage.REJECTED, reason=each.rejected)
                decision = self.run.decided(rejected)
            made.append(decision)
        return made

    def _decision(self, candidate: Candidate, project: Scope | None, *calls: str) -> Decision:
        now = self.run.clock()
        return Decision(
            id=new_id(now),
            scope=destination(candidate.kind, self.run.own, project),
            candidate=candidate,
            selected_by=self.run.id,
            time=now,
            calls=calls,
        )

    def _project(self, turns: Sequence[Passage]) -> Scope | None:
        return self.run.passes.project_of(turns[0].conversation, self.run.own)
