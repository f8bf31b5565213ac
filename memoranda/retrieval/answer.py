"""An answer from weighed candidates: bounded, nothing twice, and fit to be read."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import regex

from memoranda.retrieval.candidate import Candidate
from memoranda.text import questions, tokens
from memoranda.types import Hit, Passage

LEAST_CUT = 5
"""Tokens below which what is left of a cut hit tells nothing."""


@dataclass(slots=True)
class Answer:
    """The candidates taken, which stay within the budget, and how many were not taken and why."""

    budget: float
    taken: list[Candidate] = field(default_factory=list)
    hits: tuple[Hit, ...] = ()
    tokens: int = 0
    too_long: list[Candidate] = field(default_factory=list)
    quoted: int = 0
    repeated: int = 0

    def take(self, candidate: Candidate) -> None:
        """Take one if it fits and says something new; a memory ousts the turn it quotes."""
        if any(each.quotes(candidate) for each in self.taken):
            self.quoted += 1
            return
        ousted = [each for each in self.taken if candidate.quotes(each)]
        if any(candidate.repeats(each) for each in self.taken if each not in ousted):
            self.repeated += 1
            return
        after = self.tokens + candidate.tokens - sum(each.tokens for each in ousted)
        if after > self.budget:
            self.too_long.append(candidate)
            return
        for each in ousted:
            self.taken.remove(each)
        self.taken.append(candidate)
        self.tokens = after
        self.quoted += len(ousted)

    def finish(self) -> None:
        """Make hits of what was taken; when all was too long, the best is cut to fit.

        For an answer too long is not "nothing is known"; a stump of a few letters is no answer.
        """
        if not self.taken and self.too_long and self.budget >= LEAST_CUT:
            hit = _cut(self.too_long.pop(0).hit, int(self.budget))
            self.hits, self.tokens = (hit,), tokens.estimate(hit.content)
            return
        shown = {each.id for each in self.taken}
        self.hits = tuple(self._to_be_read(each, shown) for each in self.taken)

    def _to_be_read(self, candidate: Candidate, shown: set[str]) -> Hit:
        """The hit, and if it cannot be read alone and the budget allows, the turn before it."""
        passage, hit = candidate.found, candidate.hit
        if not isinstance(passage, Passage) or passage.before is None or passage.follows in shown:
            return hit
        cost = tokens.estimate(passage.before)
        if self.tokens + cost > self.budget or not _needs(passage.content, passage.before):
            return hit
        self.tokens += cost
        return replace(hit, before=passage.before)


def choose(candidates: Iterable[Candidate], limit: int, budget: int | None) -> Answer:
    """As many hits as asked for, best first; one too long leaves its place to a shorter one."""
    answer = Answer(budget or math.inf)
    for each in candidates:
        answer.take(each)
        if len(answer.taken) == limit:
            break
    answer.finish()
    return answer


_REPLY = regex.compile(
    r"\W*(?:yes|yeah|yep|no|nope|sure|ok|okay|right|exactly|correct|true|same|it|its|that|this|"
    r"those|these|they|he|she|them|both|neither|either|so|because|ja|nein|s[ií]|oui|non)\b",
    regex.I,
)
FEW_TOKENS = 10
"""So short a turn is read with the one before it."""


def _needs(content: str, before: str) -> bool:
    """Whether a turn is a reply that only makes sense after what was said before it."""
    return (
        tokens.estimate(content) <= FEW_TOKENS
        or questions.asks(before)
        or _REPLY.match(content) is not None
    )


def _cut(hit: Hit, budget: int) -> Hit:
    return replace(hit, content=tokens.beginning(hit.content, budget), detail=None, cut=True)
