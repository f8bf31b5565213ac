"""What may become a hit."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from memoranda.policy import confidence
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.text import tokens
from memoranda.text.repetition import Wording, repeats, words_of
from memoranda.types import Hit, Memory, Passage, Status


@dataclass(frozen=True)
class Candidate:
    """What was found, why, with which score in the end, and what was asked."""

    found: Memory | Passage
    fused: Fused
    score: float
    question: Question

    @property
    def id(self) -> str:
        return self.fused.place[0]

    @property
    def time(self) -> datetime:
        """Since when it holds, or when it was said."""
        if isinstance(self.found, Memory):
            return self.found.began
        return self.found.time

    @cached_property
    def tokens(self) -> int:
        """How many it takes to show it."""
        detail = self.found.detail if isinstance(self.found, Memory) else None
        return tokens.estimate(self.found.content) + tokens.estimate(detail or "")

    def quotes(self, other: Candidate) -> bool:
        """Whether it is a memory that rests on words within the other, the passage of a turn."""
        if isinstance(self.found, Passage) or isinstance(other.found, Memory):
            return False
        passage = other.found
        return any(
            source.turn == passage.turn
            and (source.start or 0) < passage.end
            and passage.start < (source.end or passage.end)
            for source in self.found.sources
        )

    def repeats(self, other: Candidate) -> bool:
        """Whether it says the same as another of the same type, scope, standing and speaker."""
        return repeats(self._words, other._words) and self._whose == other._whose

    @cached_property
    def _words(self) -> Wording:
        return words_of(self.found.content)

    @property
    def _whose(self) -> tuple[object, ...]:
        if isinstance(self.found, Memory):
            return self.found.scope, self.found.status
        return self.found.scope, self.found.speaker, self.found.role

    @property
    def hit(self) -> Hit:
        found, fused = self.found, self.fused
        if isinstance(found, Passage):
            return Hit(
                id=found.turn,
                type="turn",
                content=found.content,
                scope=found.scope,
                score=self.score,
                lists=fused.ranks,
                scores=fused.scores,
                boosts=fused.boosts,
                recorded_at=found.recorded_at,
                source=found.source,
                status=Status.QUARANTINED if found.quarantined else None,
            )
        at, half_lives = self.question.at, self.question.curves.half_lives
        past = self.question.filter.is_past  # what is in dispute now was not, perhaps
        return Hit(
            id=found.id,
            type="memory",
            kind=found.kind,
            content=found.content,
            detail=found.detail,
            scope=found.scope,
            score=self.score,
            lists=fused.ranks,
            scores=fused.scores,
            boosts=fused.boosts,
            status=found.status,
            superseded_by=found.superseded_by,
            confidence=round(confidence.now(found, at, half_lives), 4),
            contradicts=() if past else found.contradicts,
            overridden_by=None if past else found.overridden_by,
            unconfirmed_since=confidence.unconfirmed_since(found, at, half_lives),
            pinned=found.pinned,
            recorded_at=found.recorded_at,
            valid_from=found.valid_from,
            valid_to=found.valid_to,
            confirmed_at=found.confirmed_at,
            source=found.sources[0],
        )
