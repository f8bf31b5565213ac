"""An answer from weighed hits: bounded, nothing twice, and fit to be read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import regex

from memoranda.text import tokens
from memoranda.text.repetition import repeats, words_of
from memoranda.types import Hit, Source


@dataclass(frozen=True)
class Candidate:
    """A hit, what it rests on when it is a memory, and what was said before it when it is a turn.

    `follows` is the id of the turn before.
    """

    hit: Hit
    sources: Sequence[Source] = ()
    follows: str | None = None
    before: str | None = None

    @cached_property
    def words(self) -> frozenset[str]:
        return words_of(self.hit.content)


@dataclass(slots=True)
class Answer:
    """The hits taken so far, which stay within the budget, and how many were not taken and why."""

    budget: float
    taken: list[Candidate] = field(default_factory=list)
    tokens: int = 0
    too_long: list[Candidate] = field(default_factory=list)
    quoted: int = 0
    repeated: int = 0

    @property
    def hits(self) -> tuple[Hit, ...]:
        return tuple(each.hit for each in self.taken)

    def take(self, candidate: Candidate) -> None:
        """Take a hit if it fits and says something new; a memory ousts the turn it quotes."""
        if candidate.hit.type == "turn" and any(_quotes(each, candidate) for each in self.taken):
            self.quoted += 1
            return
        ousted = [each for each in self.taken if _quotes(candidate, each)]
        if any(_repeats(candidate, each) for each in self.taken if each not in ousted):
            self.repeated += 1
            return
        after = self.tokens + _cost(candidate.hit) - sum(_cost(each.hit) for each in ousted)
        if after > self.budget:
            self.too_long.append(candidate)
            return
        for each in ousted:
            self.taken.remove(each)
        self.taken.append(candidate)
        self.tokens = after
        self.quoted += len(ousted)

    def read_with_what_came_before(self) -> None:
        """Give each hit that cannot be read alone the turn before it, as far as the budget goes."""
        shown = {each.hit.id for each in self.taken}
        for place, each in enumerate(self.taken):
            if each.before is None or each.follows in shown or not _needs(each.hit, each.before):
                continue
            cost = tokens.estimate(each.before)
            if self.tokens + cost <= self.budget:
                self.tokens += cost
                self.taken[place] = replace(each, hit=replace(each.hit, before=each.before))


def choose(candidates: Iterable[Candidate], limit: int, budget: int | None) -> Answer:
    """As many hits as asked for, best first; one too long leaves its place to a shorter one.

    When none fits, the best one is cut, for an answer too long is not "nothing is known".
    """
    answer = Answer(budget or math.inf)
    for each in candidates:
        answer.take(each)
        if len(answer.taken) == limit:
            break
    if not answer.taken and answer.too_long and budget:
        answer.take(_cut(answer.too_long.pop(0), budget))
    answer.read_with_what_came_before()
    return answer


def _quotes(memory: Candidate, turn: Candidate) -> bool:
    """Whether a memory rests on words within the passage of a turn."""
    start, end = turn.hit.source.start or 0, turn.hit.source.end or 0
    return turn.hit.type == "turn" and any(
        source.turn == turn.hit.id and (source.start or 0) < end and start < (source.end or end)
        for source in memory.sources
    )


def _repeats(one: Candidate, other: Candidate) -> bool:
    """Whether two hits of one type, scope, standing and speaker say the same."""
    return repeats(one.words, other.words) and _stand_alike(one.hit) == _stand_alike(other.hit)


def _stand_alike(hit: Hit) -> tuple[object, ...]:
    return hit.type, hit.scope, hit.status, hit.source.speaker, hit.source.role


_REPLY = regex.compile(
    r"\W*(?:yes|yeah|yep|no|nope|sure|ok|okay|right|exactly|correct|true|same|it|its|that|this|"
    r"those|these|they|he|she|them|both|neither|either|so|because|ja|nein|s[ií]|oui|non)\b",
    regex.I,
)
_ASKS = ("?", "？")
FEW_TOKENS = 10
"""So short a turn is read with the one before it."""


def _needs(hit: Hit, before: str) -> bool:
    """Whether a turn is a reply that only makes sense after what was said before it."""
    return (
        tokens.estimate(hit.content) <= FEW_TOKENS
        or before.rstrip().endswith(_ASKS)
        or _REPLY.match(hit.content) is not None
    )


def _cost(hit: Hit) -> int:
    return tokens.estimate(hit.content) + tokens.estimate(hit.detail or "")


def _cut(candidate: Candidate, budget: int) -> Candidate:
    content = tokens.beginning(candidate.hit.content, budget)
    return replace(candidate, hit=replace(candidate.hit, content=content, detail=None, cut=True))
