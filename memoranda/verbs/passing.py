"""Passes over conversations: what each did, and what of it waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import InvalidInput
from memoranda.protocols import LanguageModel, all_decisions
from memoranda.types import Backlog, Operation, Scopes
from memoranda.verbs.session import Session
from memoranda.verbs.words import statement

if TYPE_CHECKING:
    from memoranda.formation.run import Terms
    from memoranda.passes import Call, Decision, Distances, Estimate, Pass, Replay, Stage, Undone


class Passing(Session):
    """Verbs that tell of passes, undo them, and decide on their candidates."""

    def estimate(self) -> Estimate:
        """About what `consolidate` would take, of tokens and of money; nothing is asked."""
        from memoranda import terms
        from memoranda.formation import consolidation

        return consolidation.estimate(self._store, self.access.heard, terms.prices(self.settings))

    def waiting(self) -> Scopes:
        """Whose conversations wait to be read by a model; told to the owner only.

        Raises ScopeClosed.
        """
        self._refuse_to_rule("learns whose conversations wait")
        return self._store.passes.waiting()

    def is_due(self) -> bool:
        """Whether something waits to be consolidated and the schedule in the settings says now."""
        from memoranda import terms

        return terms.schedule(self.settings).is_due(self._backlog(), self._clock())

    def passes(self, *, before: str | None = None, limit: int = 20) -> tuple[Pass, ...]:
        """The latest passes, newest first, without the decisions of each.

        `before` is the id of the last one of the page before. Raises InvalidInput, NotFound.
        """
        given.limit(limit)
        before = given.text_or_none("before", before)
        found = self._store.passes.passes(self.access.heard, before=before, limit=limit)
        return tuple(map(self._priced, found))

    def pass_(self, id: str) -> Pass:
        """A pass with all that it decided of what is visible, and the turns that it set aside.

        `id` is the beginning of its id. Raises InvalidInput, NotFound, Ambiguous.
        """

        one = self._pass(id)
        decided = all_decisions(self._store.passes, self.access.visible, of=one.id)
        return replace(self._priced(one), decisions=tuple(decided))

    def ledger(
        self,
        *,
        of: str | None = None,
        stages: Iterable[Stage | str] | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> tuple[Decision, ...]:
        """Candidates for memories and what became of each, the oldest first.

        `of` is the beginning of a pass's id; `after` the id of the last one of the page before.
        Raises InvalidInput, NotFound, Ambiguous.
        """
        given.limit(limit)
        chosen = given.stages(stages)
        one = None if of is None else self._pass(of).id
        after = given.text_or_none("after", after)
        found = self._store.passes.decisions(
            self.access.visible, of=one, stages=chosen, after=after, limit=limit
        )
        return tuple(found)

    def calls(self, of: str) -> tuple[Call, ...]:
        """What was asked of a model in a pass, with every answer as it came.

        `of` is the beginning of its id. Raises InvalidInput, NotFound, Ambiguous.
        """
        return tuple(self._store.passes.calls(self._pass(of).id, self.access.heard))

    def distances(self, *, of: str | None = None) -> tuple[Distances, ...]:
        """How near the nearest memory was where each operation was decided on, in all or one pass.

        Raises InvalidInput, NotFound, Ambiguous.
        """
        from memoranda.policy.distances import distances

        one = None if of is None else self._pass(of).id
        return distances(all_decisions(self._store.passes, self.access.visible, of=one))

    def undo(self, id: str, *, keep_read: bool = False) -> Undone:
        """Take back what a pass did: memories are again as they were, but for those changed since.

        What it read is unread again, for the next pass, unless `keep_read`. One that was
        interrupted is over then. Raises InvalidInput when it was undone before, or when a later
        pass has read the same since; NotFound, Ambiguous, Busy.
        """
        from memoranda.formation import consolidation

        given.flag("keep_read", keep_read)
        one, now = self._pass(id), self._clock()
        return consolidation.undo(self._store, one, at=now, by=self._door, keep_read=keep_read)

    def replay(self, id: str, *, model: str | None = None) -> Replay:
        """Ask a model about all that a pass read, and compare; nothing is changed.

        Raises InvalidInput for a pass by rules, or when there is no model; NotFound, Ambiguous,
        Busy.
        """
        from memoranda.formation import replaying

        given.text("id", id)
        language = self._model_named(model)
        if language is None:
            raise InvalidInput("model: rules cannot be asked; name a language model")
        return replaying.replay(
            self._store,
            self._pass(id),
            language,
            self._terms(),
            visible=self.access.visible,
            clock=self._clock_here,
        )

    def candidates(self, *, limit: int = 50) -> tuple[Decision, ...]:
        """The candidates that wait for a person, the oldest first. Raises InvalidInput."""
        from memoranda.passes import Stage

        return self.ledger(stages=[Stage.REVIEW], limit=limit)

    def accept(self, id: str, *, content: str | None = None) -> Decision:
        """Let a candidate count, in other words if `content` gives some; returns what was done.

        One that tells how to do something becomes a skill, or the next version of the one of its
        name; the `content` may be the whole file then. Raises InvalidInput when it does not wait,
        NotFound, Ambiguous, Conflict.
        """
        from memoranda.formation import reviewing

        words = None if content is None else statement(content, keep_secrets=False)
        decision = self._store.passes.decision(given.text("id", id), self.access.deciding)
        now = self._clock()
        if decision.candidate.procedure:
            return self._accept_skill(decision.id, words, now)
        done = reviewing.accept(
            self._store, decision, words, self.access.visible, now=now, by=self._door
        )
        self._embed_written(1)
        return done

    def reject(self, id: str) -> Decision:
        """Turn a candidate away, so that it is not proposed again.

        Raises InvalidInput when it does not wait, NotFound, Ambiguous.
        """
        from memoranda.formation import reviewing

        decision = self._store.passes.decision(given.text("id", id), self.access.deciding)
        return reviewing.reject(self._store, decision, now=self._clock(), by=self._door)

    def _accept_skill(self, id: str, words: str | None, now: datetime) -> Decision:
        """Write the skill that a candidate proposes, with what is decided in one transaction."""
        from memoranda.files import drafts, skills
        from memoranda.formation import reviewing

        with self._store.transaction():
            decision = self._store.passes.decision(id, self.access.deciding)
            reviewing.check(decision)
            page = drafts.draft(decision, words)
            skill = skills.write(self._path, decision.scope, page)
            self._store.spare(skill.path)
            operation = Operation.ADD if skill.version == 1 else Operation.UPDATE
            written = f"version {skill.version} of the skill {skill.name}"
            return reviewing.accept_skill(
                self._store, decision, written, operation, now=now, by=self._door
            )

    def _pass(self, id: str) -> Pass:
        return self._store.passes.one(given.text("id", id), self.access.heard)

    def _backlog(self) -> Backlog:
        return self._store.passes.backlog(self.access.own, self.access.visible)

    def _model_named(self, model: str | None) -> LanguageModel | None:
        """The model to ask; None means the rules. Raises InvalidInput, InvalidSettings."""
        if model is None:
            return self._language
        from memoranda.passes import RULES

        if given.name("model", model) == RULES:
            return None
        if self._languages is None:
            raise InvalidInput(f"model: this home knows no way to ask {model!r}")
        return self._languages(model)

    def _priced(self, one: Pass) -> Pass:
        from memoranda import terms

        return replace(one, cost=terms.prices(self.settings).cost(one.tokens))

    def _terms(self, review: bool | None = None, *, again: bool = False) -> Terms:
        from memoranda import terms

        passes, now = self._store.passes, self._clock()
        proposing = tuple(filter(self.access.proposes, self.access.visible))
        return terms.terms(
            self.settings, passes, now, review=review, again=again, proposing=proposing
        )

    def _warnings(self, backlog: Backlog) -> tuple[str, ...]:
        from memoranda import terms

        passes, own = self._store.passes, self.access.own
        return terms.warnings(self.settings, passes, own, backlog, self._clock())
