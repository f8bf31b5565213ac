"""What another model makes of what a pass read and decided; nothing is changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from memoranda.errors import Busy, InvalidInput
from memoranda.formation import extraction, resolution
from memoranda.formation.asking import Asker, Exhausted, Halted, Unanswered
from memoranda.formation.comparing import Case, asked
from memoranda.formation.consolidation import PURPOSE, versions
from memoranda.formation.run import Terms
from memoranda.formation.selecting import AT_ONCE, BEFORE
from memoranda.passes import RULES, Compared, Decision, Neighbour, Pass, Replay
from memoranda.protocols import LanguageModel, Store, all_decisions
from memoranda.types import Candidate, Memory, Passage, Scopes, new_id

OVERLAP = 0.5
"""Of the shorter of two stretches, the share that must be in both for them to be the same."""


def replay(
    store: Store,
    of: Pass,
    language: LanguageModel,
    terms: Terms,
    *,
    visible: Scopes,
    clock: Callable[[], datetime],
) -> Replay:
    """Ask a model about the turns of a pass, and about its candidates beside their neighbours.

    What that takes is recorded as a preview. Raises InvalidInput for a pass by rules, Busy while a
    pass runs.
    """
    if of.model == RULES:
        raise InvalidInput(f"{of.id} was made by rules; a pass of a model can be replayed")
    with store.alone(PURPOSE) as alone:
        if not alone:
            raise Busy("a pass of consolidation is running in this home; wait until it is done")
        now = clock()
        begun = Pass(new_id(now), of.scope, language.name, versions(), now, preview=True)
        store.passes.begin(begun)
        ask = Asker(language, begun, terms.budget, clock, [store.passes])
        stopped = None
        made = _Comparison(store, of, visible, ask)
        try:
            made.run()
        except (Exhausted, Halted, Unanswered) as error:
            stopped = str(error)
        store.passes.end(begun.id, at=clock(), stopped=stopped, failed=False)
    return made.account(language.name, stopped)


@dataclass(slots=True)
class _Comparison:
    """Both models' words about the same turns and the same candidates, as far as it went."""

    store: Store
    of: Pass
    visible: Scopes
    ask: Asker
    compared: list[Compared] = field(default_factory=list)
    more: list[Candidate] = field(default_factory=list)
    missing: int = 0

    def run(self) -> None:
        passes = self.store.passes
        known = [
            each
            for each in all_decisions(passes, self.visible, of=self.of.id)
            if each.selected_by == self.of.id
        ]
        turns = passes.turns_of(self.of.id, self.of.scope)
        self.missing = self.of.turns - len(turns)
        there = {each.turn for each in turns}
        selected = list(self._selected(turns))
        self.more = [each for each in selected if not any(_overlap(each, one) for one in known)]
        decided = [each for each in known if each.operation and each.candidate.turn in there]
        for some in _at_once(decided):
            self._weigh(some, selected)

    def _selected(self, turns: Sequence[Passage]) -> Iterator[Candidate]:
        passes = self.store.passes
        for _, told in groupby(turns, key=lambda each: each.conversation):
            whole = list(told)
            for first in range(0, len(whole), AT_ONCE):
                some = whole[first : first + AT_ONCE]
                before = passes.before(some[0].turn, self.of.scope, BEFORE)
                reading = extraction.read(some, before, self.ask)
                yield from (each.candidate for each in reading.proposals if not each.rejected)

    def _weigh(self, decisions: Sequence[Decision], selected: Sequence[Candidate]) -> None:
        """What the other model makes of candidates that both selected; alone they are additions."""
        both = [each for each in decisions if any(_overlap(one, each) for one in selected)]
        self.compared += [Compared(each, selected=False) for each in decisions if each not in both]
        alone = [each for each in both if not each.neighbours]
        self.compared += [Compared(each, True, each.operation, each.target) for each in alone]
        cases = [
            Case(each, {near.id: _as_memory(near, each) for near in each.neighbours})
            for each in both
            if each.neighbours
        ]
        for case, said in asked(cases, self.ask):
            self.compared.append(
                Compared(case.decision, True, said.operation, said.target, said.reason)
            )

    def account(self, model: str, stopped: str | None) -> Replay:
        spent = self.ask.spent
        return Replay(
            self.of,
            model,
            tuple(sorted(self.compared, key=lambda each: each.decision.id)),
            tuple(self.more),
            self.missing,
            spent,
            self.ask.budget.prices.cost(spent),
            stopped,
        )


def _at_once(decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    """A few candidates of one scope at a time; nothing is changed, so any may stand together."""
    for _, some in groupby(decisions, key=lambda each: each.scope):
        whole = list(some)
        for first in range(0, len(whole), resolution.MOST_AT_ONCE):
            yield whole[first : first + resolution.MOST_AT_ONCE]


def _overlap(candidate: Candidate, decision: Decision) -> bool:
    known = decision.candidate
    common = min(candidate.end, known.end) - max(candidate.start, known.start)
    shorter = min(candidate.end - candidate.start, known.end - known.start)
    return candidate.turn == known.turn and common >= OVERLAP * shorter


def _as_memory(near: Neighbour, decision: Decision) -> Memory:
    """A neighbour as it was then, for a model to be told of."""
    return Memory(
        near.id, near.kind, near.content, decision.scope, decision.time, 0.0, status=near.status
    )
