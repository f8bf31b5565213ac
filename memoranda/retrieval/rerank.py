"""Putting the best of what was found in a better order, by a model that reads more closely.

What is known and what is not was decided before: nothing is added here and nothing left out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from memoranda.errors import RerankingError
from memoranda.protocols import Excerpt, Reranker
from memoranda.retrieval.candidate import Candidate
from memoranda.types import Memory, Passage

MEND = "choose another reranker, or none"


def rerank(
    question: str, candidates: Sequence[Candidate], reranker: Reranker, depth: int
) -> tuple[list[Candidate], tuple[str, ...]]:
    """The first `depth` in a better order and the rest behind them; or all as they were, and why.

    What both the search and the reranker call the best keeps its score; others have less.
    """
    first, rest = candidates[:depth], candidates[depth:]
    if len(first) < 2:
        return list(candidates), ()
    try:
        scores = _scores(question, first, reranker)
    except RerankingError as error:
        return list(candidates), (f"rerank: {reranker.name}: {error}",)
    best, most = first[0].score, max(scores)
    span = max(reranker.span, most - min(scores))
    blended = []
    for each, score in zip(first, scores, strict=True):
        each.fused.scores["rerank"] = score
        gain = reranker.weight * best * (1 - (most - score) / span)
        blended.append(_scored(each, gain, reranker))
    blended.sort(key=lambda each: -each.score)
    return [*blended, *(_scored(each, 0.0, reranker) for each in rest)], ()


def _scores(question: str, candidates: Sequence[Candidate], reranker: Reranker) -> list[float]:
    """What the reranker says of each. Raises RerankingError when that is of no use."""
    excerpts = [_excerpt(each.found) for each in candidates]
    scores = reranker.scores(question, excerpts)
    if len(scores) != len(excerpts):
        raise RerankingError(f"it gives {len(scores)} scores for {len(excerpts)} texts; {MEND}")
    if not all(map(math.isfinite, (*scores, max(scores) - min(scores)))):
        raise RerankingError(f"it gives a score that is no number; {MEND}")
    if len(set(scores)) == 1 < len(set(excerpts)):
        raise RerankingError(f"it gives every text the same score ({scores[0]:g}); {MEND}")
    return scores


def _excerpt(found: Memory | Passage) -> Excerpt:
    """What was found, with who said it: that belongs to its meaning."""
    if isinstance(found, Memory):
        return Excerpt(found.content)
    return Excerpt(": ".join(filter(None, (found.speaker, found.content))), found.before)


def _scored(candidate: Candidate, gain: float, reranker: Reranker) -> Candidate:
    return replace(candidate, score=(candidate.score + gain) / (1 + reranker.weight))
