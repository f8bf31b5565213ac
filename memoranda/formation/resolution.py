"""What a candidate means for what is known: ADD, UPDATE, DELETE or NOOP.

A candidate is compared with the few memories that are nearest to it. A model says what it is to
them; what may be done about that is decided here, in code, by `policy.consolidation` and by checks.
The reasons stand in docs/resolution.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoranda.errors import InvalidInput, NotFound
from memoranda.formation import checks, ends, operations
from memoranda.formation.asking import Asking
from memoranda.formation.comparing import LONGEST, LONGEST_REASON, Case, Said, asked
from memoranda.formation.neighbours import nearest
from memoranda.formation.operations import Resolved, set_aside, unchanged
from memoranda.passes import Decision, Stage
from memoranda.policy import confidence, consolidation
from memoranda.policy.consolidation import CHANGING, Policy
from memoranda.protocols import Embedder, Store
from memoranda.text.clean import fingerprint
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.words import alternatives
from memoranda.types import Candidate, Kind, Memory, Operation, Scope, Source, Status

MOST_AT_ONCE = 5
"""Candidates in one question."""

MOST_LOOKED_AT = 50
"""Of those waiting, to find them."""


def resolve(
    decisions: Sequence[Decision],
    store: Store,
    embedder: Embedder | None,
    ask: Asking,
    policy: Policy,
    *,
    now: datetime,
    by_rules: bool = False,
    earlier: Sequence[Decision] = (),
) -> list[Resolved]:
    """What becomes of some candidates, in the order in which that is to be applied.

    Nothing is changed yet. `earlier` are the decisions of the scope that are in REVIEW. With
    `by_rules` no model is asked: what is known is a NOOP, and all else an ADD for somebody to look
    at. Raises EmbeddingError, as `nearest` does, and what `ask` raises.
    """
    state = _Group(store, policy, now, earlier, by_rules)
    done, waiting = [], []
    for decision in decisions:
        case = Case(decision)
        resolved = state.at_once(decision)
        if resolved is None:
            case = _compared(decision, store, embedder, now)
            resolved = state.without_asking(case)
        if resolved is None:
            waiting.append(case)
        else:
            done.append(state.keep(resolved))
    return done + [state.keep(state.decide(case, said)) for case, said in asked(waiting, ask)]


def _compared(decision: Decision, store: Store, embedder: Embedder | None, now: datetime) -> Case:
    near = nearest(decision.candidate, decision.scope, store, embedder, now)
    compared = replace(decision, neighbours=tuple(neighbour for neighbour, _ in near))
    return Case(compared, {memory.id: memory for _, memory in near})


def group(decisions: Sequence[Decision]) -> list[Decision]:
    """The next of those waiting that may be asked about at once, in their order.

    They are of one scope, and none is like one before it that is not decided yet: that one may
    change what this one is compared with. What failed before is asked about alone, so that it
    takes no other down with it.
    """
    if not decisions or decisions[0].tries:
        return list(decisions[:1])
    found: list[Decision] = []
    met: set[str] = set()
    for decision in decisions[:MOST_LOOKED_AT]:
        if decision.scope != decisions[0].scope or len(found) == MOST_AT_ONCE:
            continue
        content = decision.candidate.content
        told = {*_telling_words(content), fingerprint(content).hex()}
        if met.isdisjoint(told) and not decision.tries:
            found.append(decision)
        met |= told
    return found


_SUBJECTS = frozenset(
    "user users team nutzer nutzers nutzerin usuario usuaria 用户 使用 用者".split()
)
"""Whom nearly every candidate tells of."""


def _telling_words(text: str) -> set[str]:
    phrases, _ = alternatives(text[:LONGEST])
    words = {word.casefold() for phrase in phrases for word in phrase.split()}
    return words - STOPWORDS - _SUBJECTS


# Deciding -----------------------------------------------------------------------------------------

REVIEWED = "everything new is for a person to review"


@dataclass(slots=True)
class _Group:
    """Candidates are decided one by one, each on what those before it leave of the memories.

    `held` are the memories as they will be then, `closed` those that were changed.
    """

    store: Store
    policy: Policy
    now: datetime
    earlier: Sequence[Decision]
    by_rules: bool
    held: dict[str, Memory] = field(default_factory=dict)
    closed: set[str] = field(default_factory=set)

    def keep(self, resolved: Resolved) -> Resolved:
        """Remember what it leaves."""
        for change in resolved.changes:
            self.held[change.after.id] = change.after
            if change.before is not None and change.operation in CHANGING:
                self.closed.add(change.before.id)
        return resolved

    # Without a model

    def at_once(self, decision: Decision) -> Resolved | None:
        """What needs no comparison: what is known to the letter, refused before, or a skill."""
        candidate = decision.candidate
        if not candidate.ends and (known := self._same(decision, candidate.kind)):
            return self._noop(decision, known, "known to the letter")
        if why := self.store.passes.refused(candidate.content, decision.scope):
            return unchanged(decision, Stage.REJECTED, _REFUSED.get(why, why))
        if candidate.procedure:
            if self.store.passes.is_proposed(candidate.content, decision.scope):
                why = "it was proposed as a skill before"
                return unchanged(decision, Stage.APPLIED, why, Operation.NOOP)
            return unchanged(decision, Stage.REVIEW, "a skill: how to do something is no memory")
        return None

    def without_asking(self, case: Case) -> Resolved | None:
        """What is decided when there is nothing to ask about, or nobody."""
        if case.memories and not self.by_rules:
            return None
        if case.candidate.ends:
            why = "only a model ends what is known" if case.memories else UNKNOWN_END
            return unchanged(case.decision, Stage.APPLIED, why, Operation.NOOP)
        why = "proposed by rules" if self.by_rules else "nothing is known to compare it with"
        return self._add(case.decision, why)

    # By what a model said

    def decide(self, case: Case, said: Said) -> Resolved:
        """What is done about what the model said: rather too little than too much."""
        decision = replace(case.decision, calls=(*case.decision.calls, *said.calls))
        if said.operation is None:
            return set_aside(decision, said.reason)
        if said.target in self.closed and said.operation != Operation.NOOP:
            return set_aside(decision, f"a second change to {said.target} at once")
        decision = replace(
            decision, operation=said.operation, target=said.target, reason=said.reason
        )
        if said.target is None:
            return self._of_nothing(decision)
        target = self.held.get(said.target, case.memories[said.target])
        if said.operation == Operation.NOOP:
            return self._known(decision, target, said.reason)
        if target.kind == Kind.EPISODE:
            return self._of_history(decision, target)
        if said.operation == Operation.DELETE:
            return self._delete(decision, target)
        return self._update(decision, target, said.content)

    def _of_nothing(self, decision: Decision) -> Resolved:
        """An ADD, or what is not worth keeping."""
        if decision.operation == Operation.NOOP:
            return unchanged(decision, Stage.APPLIED, decision.reason)
        if decision.candidate.ends:
            return unchanged(decision, Stage.APPLIED, UNKNOWN_END, Operation.NOOP)
        return self._add(decision, decision.reason)

    def _known(self, decision: Decision, target: Memory, reason: str) -> Resolved:
        """A NOOP; of what another statement changed just now, on what took its place."""
        known = self.held.get(target.superseded_by or "", target)
        if not known.status.live:
            return set_aside(decision, f"{known.id} was closed at once")
        return self._noop(decision, known, reason)

    def _of_history(self, decision: Decision, target: Memory) -> Resolved:
        """What happened has happened: what is new is told beside it, not in its place.

        That it is over is all that can be said of it yet, and it stays.
        """
        if decision.operation != Operation.DELETE:
            return self._of_nothing(replace(decision, operation=Operation.ADD, target=None))
        if target.valid_to is not None or consolidation.is_older(decision, target):
            return unchanged(decision, Stage.REJECTED, "what happened cannot have ended")
        if why := self._objection(decision, target):
            return unchanged(decision, Stage.REVIEW, why)
        return operations.over(decision, target)

    def _delete(self, decision: Decision, target: Memory) -> Resolved:
        if consolidation.is_older(decision, target):
            return unchanged(decision, Stage.REJECTED, "older than what it would retire")
        if why := self._objection(decision, target):
            return unchanged(decision, Stage.REVIEW, why)
        if not ends.says_so(decision.candidate.quote):
            why = f"no word of it says that this is over: “{target.content[:LONGEST_REASON]}”"
            return unchanged(decision, Stage.REVIEW, why)
        return operations.delete(decision, target, self.now)

    def _update(self, decision: Decision, target: Memory, content: str) -> Resolved:
        candidate = decision.candidate
        if fingerprint(content) == fingerprint(target.content):
            return self._noop(decision, target, decision.reason)
        decision = replace(decision, content=None if content == candidate.content else content)
        if why := checks.unfit(content):  # and not to be kept, not even as what was rejected
            return unchanged(replace(decision, content=None), Stage.REJECTED, why)
        if why := _unfounded(content, candidate, target):
            return unchanged(decision, Stage.REJECTED, why)
        if consolidation.is_older(decision, target):
            return self._of_the_past(decision, target)
        if why := self._objection(decision, target):
            return unchanged(decision, Stage.REVIEW, why)
        if len(target.content) > LONGEST:
            return unchanged(decision, Stage.REVIEW, "the memory is too long to be rewritten")
        known = self._same(decision, operations.kind_after(decision, target))
        if known is not None and known.id in self.closed:
            return set_aside(decision, f"a second change to {known.id} at once")
        repeated = None if known is None else self._noop(decision, known, None)
        return operations.update(decision, target, repeated, self.now, sure=candidate.confidence)

    def _of_the_past(self, decision: Decision, newer: Memory) -> Resolved:
        """What was said before what is known is kept as what held until then."""
        if decision.candidate.ends:
            return unchanged(decision, Stage.REJECTED, "older than what it would change")
        added = replace(decision, operation=Operation.ADD, content=None)
        if self.policy.reviews(decision.scope):
            return unchanged(added, Stage.REVIEW, REVIEWED)
        if newer.status == Status.CANDIDATE:  # which nobody has read, and may be withdrawn
            return self._add(replace(added, target=None), decision.reason)
        sure = decision.candidate.confidence
        return operations.add_as_past(added, newer, self.now, sure=sure)

    # Parts

    def _add(self, decision: Decision, reason: str | None) -> Resolved:
        decision = replace(decision, operation=Operation.ADD, reason=reason)
        if self.policy.reviews(decision.scope):
            return unchanged(decision, Stage.REVIEW, REVIEWED)
        if self.by_rules:
            return operations.propose(decision, self.now)
        return operations.add(decision, self.now, sure=decision.candidate.confidence)

    def _noop(self, decision: Decision, known: Memory, reason: str | None) -> Resolved:
        half_lives = self.policy.half_lives
        return operations.noop(
            decision, known, reason, half_lives, self.now, by_rules=self.by_rules
        )

    def _objection(self, decision: Decision, target: Memory) -> str | None:
        why = consolidation.objection(decision, target, self.policy, self.earlier)
        return why or (REVIEWED if self.policy.reviews(decision.scope) else None)

    def _same(self, decision: Decision, kind: Kind) -> Memory | None:
        known = _same(decision, kind, self.store, self.now)
        return None if known is None else self.held.get(known.id, known)


UNKNOWN_END = "what ended was not known"
_REFUSED = {"rejected": "rejected before"}


def _same(decision: Decision, kind: Kind, store: Store, now: datetime) -> Memory | None:
    """The memory that says so already; never an episode, since the same can happen twice."""
    if kind == Kind.EPISODE:
        return None
    content = decision.content or decision.candidate.content
    return store.same(content, decision.scope, kind, now)


def _unfounded(content: str, candidate: Candidate, target: Memory) -> str | None:
    """Why a text that a model wrote must not take the place of a memory."""
    if len(content) > 2 * (len(target.content) + len(candidate.content)):
        return "it says much more than what it is made of"
    if _telling_words(content).isdisjoint(_telling_words(f"{candidate.content} {candidate.quote}")):
        return "it says nothing of what was said"
    said, known = [candidate.quote, candidate.content], [target.content]
    return checks.unsaid(content, said, at=candidate.said, known=known)


# A person accepts ---------------------------------------------------------------------------------


def accept(
    decision: Decision, store: Store, *, content: str | None, now: datetime, by: str
) -> Resolved:
    """A person accepts a decision in REVIEW, perhaps in other words; it is to be done now.

    It is done to what took the place of its target meanwhile, and added when nothing is left of
    that; what ended already needs no end. The person's word goes above every policy.
    """
    words = content or decision.content or decision.candidate.content
    made = None if words == decision.candidate.content else words
    decision = replace(decision, content=made, reason=f"accepted by {by}")
    edited = Source(kind="person", time=now, by=by) if content else None
    target = _standing(decision.target, decision.scope, store)
    if decision.candidate.procedure:
        raise InvalidInput(f"{decision.id} tells how to do something: a skill, and no memory")
    if decision.candidate.ends and decision.operation is None:
        raise InvalidInput(
            f"{decision.id} tells that something is over; `forget` or `revise` what that is"
        )
    newer = target is not None and consolidation.is_older(decision, target)
    sure = confidence.BY_HAND
    if decision.operation == Operation.DELETE:
        if target is None or newer:
            return unchanged(decision, Stage.APPLIED, "it ended already", Operation.NOOP)
        return operations.delete(decision, target, now)
    if decision.operation == Operation.UPDATE and target is not None:
        if newer:
            past = replace(decision, operation=Operation.ADD, target=target.id)
            return operations.add_as_past(past, target, now, sure=sure, edited=edited)
        return _accept_update(decision, target, store, now, edited)
    if known := _same(decision, decision.candidate.kind, store, now):
        return operations.confirm(decision, known, now, edited=edited)
    if decision.operation == Operation.ADD and target is not None:
        return operations.add_as_past(decision, target, now, sure=sure, edited=edited)
    return operations.add(replace(decision, target=None), now, sure=sure, edited=edited)


def _accept_update(
    decision: Decision, target: Memory, store: Store, now: datetime, edited: Source | None
) -> Resolved:
    decision = replace(decision, target=target.id)
    known = _same(decision, operations.kind_after(decision, target), store, now)
    if known is not None and known.id == target.id:
        return operations.confirm(decision, target, now, edited=edited)
    said = None if known is None else operations.confirm(decision, known, now, edited=edited)
    sure = confidence.BY_HAND
    return operations.update(decision, target, said, now, sure=sure, edited=edited)


def _standing(id: str | None, scope: Scope, store: Store) -> Memory | None:
    """A memory that holds, or the last that took its place; None when nothing of it holds."""
    seen: set[str] = set()
    while id is not None and id not in seen:
        seen.add(id)
        try:
            memory = store.memory(id, (scope,))
        except NotFound:
            return None
        if memory.status.live:
            return memory
        id = memory.superseded_by
    return None
