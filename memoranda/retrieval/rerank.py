"""Putting the best of what was found in a better order, by a model that reads more closely.

What is known and what is not was decided before: nothing is added here and nothing left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from memoranda.errors import RerankingError
from memoranda.protocols import Candidate, Reranker
from memoranda.types import Hit, Source

MEND = "choose another reranker, or none"


@dataclass(frozen=True, slots=True)
class Fetched:
    """A hit, what it rests on when it is a memory, and what was said before when it is a turn."""

    hit: Hit
    sources: tuple[Source, ...] = ()
    before: str | None = None


def rerank(
    question: str, fetched: Iterable[Fetched], reranker: Reranker, depth: int
) -> tuple[Iterable[Fetched], tuple[str, ...]]:
    """The first `depth` in a better order and the rest behind them; or all as they were, and why.

    What both the search and the reranker call the best keeps its score; others have less.
    """
    rest = iter(fetched)
    first = list(islice(rest, depth))
    if len(first) < 2:
        return chain(first, rest), ()
    try:
        scores = _scores(question, first, reranker)
    except RerankingError as error:
        return chain(first, rest), (f"rerank: {reranker.name}: {error}",)
    best = first[0].hit.score
    span = max(reranker.span, max(scores) - min(scores))
    gains = [reranker.weight * best * (1 - (max(scores) - score) / span) for score in scores]
    blended = [
        _scored(each, (each.hit.score + gain) / (1 + reranker.weight), score)
        for each, gain, score in zip(first, gains, scores, strict=True)
    ]
    blended.sort(key=lambda each: -each.hit.score)
    behind = (_scored(each, each.hit.score / (1 + reranker.weight)) for each in rest)
    return chain(blended, behind), ()


def _scores(question: str, fetched: Sequence[Fetched], reranker: Reranker) -> list[float]:
    """What the reranker says of each. Raises RerankingError when that is of no use."""
    candidates = [Candidate(_spoken(each.hit), each.before) for each in fetched]
    scores = reranker.scores(question, candidates)
    if len(scores) != len(candidates):
        raise RerankingError(f"it gives {len(scores)} scores for {len(candidates)} texts; {MEND}")
    if not all(map(math.isfinite, scores)):
        raise RerankingError(f"it gives a score that is no number; {MEND}")
    if len(set(scores)) == 1 < len(set(candidates)):
        raise RerankingError(f"it gives every text the same score ({scores[0]:g}); {MEND}")
    return scores


def _spoken(hit: Hit) -> str:
    """What a hit says, and who said it: that belongs to its meaning."""
    speaker = hit.source.speaker if hit.type == "turn" else None
    return hit.content if speaker is None else f"{speaker}: {hit.content}"


def _scored(fetched: Fetched, score: float, by_reranker: float | None = None) -> Fetched:
    scores = dict(fetched.hit.scores)
    if by_reranker is not None:
        scores["rerank"] = by_reranker
    return replace(fetched, hit=replace(fetched.hit, score=score, scores=scores))
