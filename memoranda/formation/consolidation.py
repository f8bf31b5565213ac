"""One pass: what was said since the last one becomes memories.

Turns are read a few at a time, and each step is one transaction: what was selected of them waits as
candidates, and a few of these at a time are decided. So a pass that is killed goes on where it was.
Nothing is locked while a model thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property

from memoranda.answers import Outcome, Tokens
from memoranda.errors import Busy, Conflict, EmbeddingError, NotFound
from memoranda.formation import comparing, extraction, prompts, resolution, rules
from memoranda.formation.asking import Asker, Exhausted, Halted, Unanswered
from memoranda.passes import RULES, Aside, Decision, Estimate, Pass, Stage
from memoranda.policy.access import OWNER
from memoranda.policy.budget import Budget, Prices, may_close
from memoranda.policy.consolidation import Policy, destination
from memoranda.protocols import Embedder, LanguageModel, Passes, Store
from memoranda.text import tokens as counting
from memoranda.text.clean import fingerprint
from memoranda.types import (
    Change,
    Kind,
    Operation,
    Passage,
    Scope,
    Scopes,
    Status,
    Turn,
    new_id,
)

PURPOSE = "consolidation"
AT_ONCE = 12
"""Turns read at once."""
LONGEST = 12_000
"""Characters of turns read at once; a longer turn is read alone."""
AT_ONCE_BY_RULES = 200
BEFORE = 4
"""Turns said before, which a model is told of too."""
MOST_TRIES = 3
"""So often something is tried, once a pass, before it waits for a person."""
MOST_UNANSWERED = 2
"""After so many questions in a row without an answer it stops: the endpoint is at fault."""

TOKENS_OF_A_CANDIDATE = 60
"""About what a model writes of one, when it selects it and when it decides."""
TOKENS_OF_A_COMPARISON = 250
"""About what it is told of one, with three memories."""

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


def consolidate(
    store: Store,
    own: Scope,
    language: LanguageModel | None,
    embedder: Embedder | None,
    terms: Terms,
    *,
    clock: Callable[[], datetime],
    by: str,
    embed: Callable[[Store], None],
    preview: bool = False,
    advance: Callable[[int, int], None] = lambda done, left: None,
) -> Pass:
    """Read what waits in a scope and decide what it changes; without a model, by rules.

    One that was interrupted is gone on with. A preview does it all on a copy of the store. `embed`
    gives memories that are new their vectors, for the next candidate to be compared with. Raises
    Busy while another pass runs, and StoreError.
    """
    with store.alone(PURPOSE) as alone:
        if not alone:
            raise Busy("another pass of consolidation is running in this home; it will be done")
        asks = _Asks(language)
        if not preview:
            begun = _gone_on_with(store.passes, own, asks, clock) or _begun(
                [store.passes], own, asks, clock
            )
            return _Run(begun, store, asks, embedder, terms, clock, by, embed, advance).whole()
        with store.preview() as copy:
            records = [copy.passes, store.passes]
            begun = _begun(records, own, asks, clock, preview=True)
            run = _Run(begun, copy, asks, embedder, terms, clock, by, embed, advance, store.passes)
            return run.whole()


def estimate(store: Store, own: Scope, prices: Prices) -> Estimate:
    """About what it would take to read all that waits, and to decide what comes of it."""
    turns = calls = told = answered = 0
    after = None
    while batch := _next(store.passes, own, after):
        asked, said = extraction.estimate(batch, store.passes.before(batch[0].turn, own, BEFORE))
        turns += len(batch)
        calls += bool(asked)
        told, answered = told + asked, answered + said
        after = batch[-1].turn
    candidates = answered // TOKENS_OF_A_CANDIDATE
    questions = -(-candidates // resolution.MOST_AT_ONCE)
    told += (
        questions * counting.estimate(prompts.load(comparing.PROMPT).text)
        + candidates * TOKENS_OF_A_COMPARISON
    )
    answered += candidates * TOKENS_OF_A_CANDIDATE
    tokens = Tokens(prompt=told, completion=answered)
    return Estimate(turns, calls + questions, tokens, prices.cost(tokens))


def _next(
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


@dataclass(frozen=True, slots=True)
class _Asks:
    """Whom a pass asks: a model with our prompts, or the rules."""

    language: LanguageModel | None

    @property
    def model(self) -> str:
        return RULES if self.language is None else self.language.name

    @property
    def prompts(self) -> str:
        if self.language is None:
            return RULES
        return f"{prompts.load(extraction.PROMPT).version} {prompts.load(comparing.PROMPT).version}"


def _begun(
    records: Sequence[Passes],
    own: Scope,
    asks: _Asks,
    clock: Callable[[], datetime],
    *,
    preview: bool = False,
) -> Pass:
    now = clock()
    made = Pass(new_id(now), own, asks.model, asks.prompts, now, preview=preview)
    for each in records:
        each.begin(made)
    return made


def _gone_on_with(
    passes: Passes, own: Scope, asks: _Asks, clock: Callable[[], datetime]
) -> Pass | None:
    """The pass that was interrupted, if it asked the same; another is over."""
    left = passes.unfinished(own)
    if left is None or (left.model, left.prompts) == (asks.model, asks.prompts):
        return left
    passes.end(left.id, at=clock(), stopped="it was interrupted", failed=True)
    return None


@dataclass
class _Run:
    """A pass while it runs. `also` are the records of the store of which it uses a copy."""

    begun: Pass
    store: Store
    asks: _Asks
    embedder: Embedder | None
    terms: Terms
    clock: Callable[[], datetime]
    by: str
    embed: Callable[[Store], None]
    advance: Callable[[int, int], None]
    also: Passes | None = None
    unanswered: list[_Missed] = field(default_factory=list)
    ask: Asker = field(init=False)

    def __post_init__(self) -> None:
        self.ask = Asker(
            self.asks.language,
            self.begun,
            self.terms.budget,
            self.clock,
            self._records,
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
        return self.asks.language is None

    @property
    def _records(self) -> Sequence[Passes]:
        return (self.passes,) if self.also is None else (self.passes, self.also)

    def whole(self) -> Pass:
        """The pass, from what was left over to what nobody has read; it ends whatever happens,
        unless the process or the person ends it.
        """
        stopped, failed = None, False
        try:
            self.embed(self.store)
            self._decide_waiting()
            self._try_again()
            self._read_on()
            failed = bool(self.unanswered)
            stopped = "some questions were not answered; their turns wait" if failed else None
        except Exhausted as error:
            stopped = str(error)
        except (Halted, EmbeddingError) as error:
            stopped, failed = str(error), True
        now = self.clock()
        for each in self._records:
            each.end(self.id, at=now, stopped=stopped, failed=failed)
        return self._account()

    @cached_property
    def _tries(self) -> int | None:
        """How often something may have been tried; another model, or other words, may do better."""
        before = next(
            (
                each
                for each in self.passes.passes(self.own, limit=20)
                if each.id != self.id and not each.preview and each.model != RULES
            ),
            None,
        )
        same = before is None or (before.model, before.prompts) == (
            self.begun.model,
            self.begun.prompts,
        )
        return MOST_TRIES if same and not self.terms.again else None

    def _account(self) -> Pass:
        """The pass as it is recorded, with all that it decided."""
        done = self.passes.one(self.id, self.own)
        return replace(
            done,
            cost=self.terms.budget.prices.cost(done.tokens),
            decisions=tuple(decisions_of(self.passes, self._targets(), of=self.id)),
        )

    # Reading

    def _try_again(self) -> None:
        """What earlier passes set aside, a turn at a time."""
        if self.by_rules:
            return
        done = {each.turn.turn for each in self.passes.one(self.id, self.own).unread}
        for each in self._aside(self._tries):
            if each.turn.turn not in done:
                self._read([each.turn])

    def _aside(self, tries: int | None) -> list[Aside]:
        return self.passes.aside(self.own, tries=tries, limit=1000)

    def _read_on(self) -> None:
        after = None
        while batch := _next(self.passes, self.own, after, by_rules=self.by_rules):
            if not self._read(batch):
                after = batch[-1].turn  # they stay where they are
            self.advance(len(batch), self.passes.backlog(self.own, (self.own,)).turns)

    def _read(self, turns: Sequence[Passage]) -> bool:
        """Read some turns and decide what comes of them; False when nobody answered."""
        if self.by_rules:
            self._keep(turns, self._by_rules(turns), {})
        else:
            before = self.passes.before(turns[0].turn, self.own, BEFORE)
            try:
                reading = extraction.read(turns, before, self.ask)
            except Unanswered as error:
                self._miss(_Missed(turns=turns), error)
                return False
            selected = [self._decision(turns, each) for each in reading.proposals]
            self._keep(turns, selected, reading.failed)
        self._decide_waiting()
        return True

    def _keep(
        self,
        turns: Sequence[Passage],
        decisions: Sequence[Decision],
        failed: Mapping[str, str],
    ) -> None:
        """Write down what was selected, that the turns are read, and drop what rules proposed."""
        now = self.clock()
        read = [each.turn for each in turns if each.turn not in failed]
        with self.store.transaction():
            if not self.by_rules:
                self._withdraw(read, now)
            self.passes.read(self.id, read, decisions, aside=failed, at=now, by_rules=self.by_rules)

    def _withdraw(self, turns: Sequence[str], now: datetime) -> None:
        """What rules proposed of turns that a model has read now, and selected from itself."""
        proposed = self.passes.unreviewed(turns, self.own)
        closed = [
            Change(
                Operation.WITHDRAW,
                each,
                replace(each, status=Status.REJECTED, closed_at=now),
            )
            for each in proposed
        ]
        reason = "a model has read the turn since"
        self.store.apply(closed, at=now, by=self.by, reason=reason, of=self.id)

    def _by_rules(self, turns: Sequence[Passage]) -> list[Decision]:
        said = [
            Turn(each.conversation, each.role, each.content, each.time, each.speaker, each.turn)
            for each in turns
        ]
        place = self._destinations(turns)
        now = self.clock()
        return [
            Decision(
                id=new_id(now),
                scope=place(each.kind),
                candidate=each,
                selected_by=self.id,
                time=now,
            )
            for each in rules.candidates(said)
        ]

    def _decision(self, turns: Sequence[Passage], proposal: extraction.Proposal) -> Decision:
        now = self.clock()
        made = Decision(
            id=new_id(now),
            scope=self._destinations(turns)(proposal.candidate.kind),
            candidate=proposal.candidate,
            selected_by=self.id,
            time=now,
            calls=(proposal.call,),
        )
        if proposal.rejected is None:
            return made
        return replace(
            made,
            stage=Stage.REJECTED,
            reason=proposal.rejected,
            decided_by=self.id,
            decided_at=now,
        )

    def _destinations(self, turns: Sequence[Passage]) -> Callable[[Kind], Scope]:
        """Where what comes of some turns of a conversation goes, by its kind."""
        project = self.passes.project_of(turns[0].conversation, self.own)
        return lambda kind: destination(kind, self.own, project)

    # Deciding

    def _targets(self) -> Scopes:
        """Every scope for which something may be drawn from conversations of this one."""
        return tuple(dict.fromkeys((self.own, *self.passes.projects(self.own))))

    def _decide_waiting(self) -> None:
        """Decide the candidates that wait, and those that earlier passes could not decide."""
        while waiting := self._waiting():
            group = resolution.group(waiting)
            try:
                self._decide(group)
            except Unanswered as error:
                self._miss(_Missed(decisions=group), error)
                return

    def _waiting(self) -> list[Decision]:
        scopes = self._targets()
        waiting = self.passes.decisions(scopes, stages=[Stage.WAITING], limit=50)
        if waiting or self.by_rules:
            return waiting
        aside = decisions_of(self.passes, scopes, stages=[Stage.SET_ASIDE], tries=self._tries)
        return [each for each in aside if each.decided_by != self.id][:50]

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
        self.passes.decide([self._put_aside(each, reason) for each in group])

    def _there(self, group: Sequence[Decision]) -> list[Decision]:
        """Those that were not forgotten meanwhile."""
        found = []
        for each in group:
            with suppress(NotFound):
                found.append(self.passes.decision(each.id, (each.scope,)))
        return found

    def _resolved(self, group: Sequence[Decision]) -> list[resolution.Resolved]:
        earlier = self.passes.decisions(self._targets(), stages=[Stage.REVIEW], limit=1000)
        found = resolution.resolve(
            group,
            self.store,
            self.embedder,
            self.ask,
            self.terms.policy,
            earlier=earlier,
            now=self.clock(),
            by_rules=self.by_rules,
        )
        done: list[resolution.Resolved] = []
        for each in found:
            done.append(self._within_cap(each, done))
            if done[-1] is not each:
                break  # what follows may build on it, and is decided anew
        return done

    def _within_cap(
        self, resolved: resolution.Resolved, before: Sequence[resolution.Resolved]
    ) -> resolution.Resolved:
        """What it is, unless it closes more memories of its scope than one pass may."""
        decision = resolved.decision
        closes = _closed(resolved)
        if not closes or decision.stage != Stage.APPLIED:
            return resolved
        closed = self._closed_in(decision.scope) + sum(
            _closed(each) for each in before if each.decision.scope == decision.scope
        )
        there = self.store.holdings((decision.scope,)).memories.get(Status.CURRENT, 0) + closed
        if closed + closes <= may_close(there, self.terms.retire_share):
            return resolved
        reason = f"this pass has closed {closed} of {there} memories, and may close no more"
        asked = replace(decision, stage=Stage.REVIEW, memory=None, reason=reason)
        return resolution.Resolved(asked, ())

    def _closed_in(self, scope: Scope) -> int:
        applied = decisions_of(self.passes, (scope,), of=self.id, stages=[Stage.APPLIED])
        closing = (Operation.UPDATE, Operation.DELETE)
        return sum(each.operation in closing for each in applied)

    def _apply(self, resolved: Sequence[resolution.Resolved]) -> None:
        """Do what was decided, all or nothing. Raises Conflict."""
        now = self.clock()
        decided = [replace(each.decision, decided_by=self.id, decided_at=now) for each in resolved]
        with self.store.transaction():
            for each, decision in zip(resolved, decided, strict=True):
                self.store.apply(
                    each.changes, at=now, by=self.by, reason=decision.reason, of=self.id
                )
            self.passes.decide([*decided, *self._offered(decided, now)])
        self.embed(self.store)

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
        said = added.candidate
        if not self.passes.heard_elsewhere(said.content, said.kind, added.scope, now):
            return False
        if self.store.same(said.content, OWNER, said.kind, now):
            return False
        asked = decisions_of(self.passes, (OWNER,), stages=[Stage.REVIEW, Stage.REJECTED])
        known = {fingerprint(each.candidate.content) for each in asked}
        return fingerprint(said.content) not in known

    def _put_aside(self, decision: Decision, reason: str) -> Decision:
        return replace(
            decision,
            stage=Stage.SET_ASIDE,
            reason=reason,
            tries=decision.tries + 1,
            decided_by=self.id,
            decided_at=self.clock(),
        )

    # Questions without an answer

    def _miss(self, missed: _Missed, error: Unanswered) -> None:
        """A question got no answer: what it was about waits, and the pass may have to stop."""
        self.unanswered.append(missed)
        if error.outcome in _AWAY or len(self.unanswered) >= MOST_UNANSWERED:
            raise Halted(f"the language model does not answer ({error.outcome}): {error}")

    def _answered(self) -> None:
        """Somebody is there: so what got no answer before has itself to blame, and is set aside."""
        missed, self.unanswered = self.unanswered, []
        reason = "the language model gave no answer about it, and about others it did"
        for each in missed:
            aside = {turn.turn: reason for turn in each.turns}
            with self.store.transaction():
                self.passes.read(self.id, (), (), aside=aside, at=self.clock())
                self.passes.decide([self._put_aside(one, reason) for one in each.decisions])


@dataclass(frozen=True, slots=True)
class _Missed:
    """What a question was about that nobody answered."""

    turns: Sequence[Passage] = ()
    decisions: Sequence[Decision] = ()


def decisions_of(
    passes: Passes,
    visible: Scopes,
    *,
    of: str | None = None,
    stages: Sequence[Stage] | None = None,
    tries: int | None = None,
) -> Iterator[Decision]:
    """All decisions of a pass, or of all, in order."""
    after = None
    while some := passes.decisions(
        visible, of=of, stages=stages, tries=tries, after=after, limit=500
    ):
        yield from some
        after = some[-1].id


def _closed(resolved: resolution.Resolved) -> int:
    """How many memories it closes."""
    return sum(
        each.before is not None and each.before.status.live and not each.after.status.live
        for each in resolved.changes
    )
