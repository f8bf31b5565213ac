"""Several rankings as one."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.protocols import Calibration, Near, Ranking
from memoranda.types import Ranked

K = 60
"""The constant of Cormack et al., which keeps one list's first place from deciding alone."""

NEAR_THE_BEST = 0.25
"""A hit below the floor must be this far from the least score towards the best one."""

BY_OTHER = 0.05
"""By how much of a cosine what an assistant or a tool said counts less than what people said.

Answers are long and repeat the words of the question; in the chats of BEAM it is the user's own
turns that answer a later question, three times in four.
"""

Place = tuple[str, int | None]
"""A memory's id, or a turn's and where the passage begins."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A place with its score, its rank in each list that found it, and its score by each."""

    place: Place
    score: float
    ranks: Mapping[str, int]
    scores: Mapping[str, float]


def reciprocal_rank(rankings: Mapping[str, Sequence[Ranked]], k: int = K) -> list[Fused]:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009), best first."""
    ranks = _ranks(rankings)
    scores = _scores(rankings)
    return _best_first(
        Fused(place, sum(1 / (k + rank) for rank in found.values()), found, scores[place])
        for place, found in ranks.items()
    )


def calibrated(
    lexical: Ranking,
    near: Near,
    calibration: Calibration,
    named: Sequence[Ranked] = (),
    worth: float = 1.0,
) -> list[Fused]:
    """The cosine plus a weight times the share of the full lexical score, best first.

    Unlike a rank, that tells how good a match is, so it can be told when there is none: nothing
    with a vector is left when the best of them is below the model's floor, and nothing that is
    below the floor and far below the best. A text without a vector is judged by its words, as if
    its cosine were the model's least. The `named` have a name that the model does not know, and
    reach the floor at least: in a long text the share of a single word is small. Scores are scaled
    so that 0 is the least, and `worth` that of a text which says just what was asked.
    """
    weight, least = calibration.weight, calibration.least
    found: dict[Place, _Raw] = {}
    for list, some in (("dense", near.found), ("", near.others), ("lexical", lexical.found)):
        for rank, each in enumerate(some, start=1):
            raw = found.setdefault((each.id, each.start), _Raw(-BY_OTHER * each.by_other))
            if list:
                raw.ranks[list] = rank
            raw.scores[list or "dense"] = each.score
    for raw in found.values():
        share = _share(raw.scores.get("lexical", 0.0), lexical.ceiling)
        raw.score += raw.scores.get("dense", least) + weight * share
    floor = calibration.floor_among(near.searched)
    for each in named:
        if (each.id, each.start) in found:
            raw = found[each.id, each.start]
            raw.score = max(raw.score, floor)
    best = max((raw.score for raw in found.values() if "dense" in raw.scores), default=0.0)
    enough = min(floor, least + NEAR_THE_BEST * (best - least)) if best >= floor else math.inf
    return _best_first(
        Fused(
            place,
            worth * max(0.0, raw.score - least) / (1 + weight - least),
            raw.ranks,
            raw.scores,
        )
        for place, raw in found.items()
        if "dense" not in raw.scores or raw.score >= enough
    )


@dataclass(slots=True)
class _Raw:
    score: float
    ranks: dict[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)


def by_words(lexical: Ranking, worth: float = 1.0) -> list[Fused]:
    """By the share of the full lexical score alone."""
    return [
        Fused(
            _place(each),
            worth * _share(each.score, lexical.ceiling),
            {"lexical": rank},
            {"lexical": each.score},
        )
        for rank, each in enumerate(lexical.found, start=1)
    ]


def by_vector(near: Near) -> list[Fused]:
    """By the cosine alone."""
    return [
        Fused(_place(each), each.score, {"dense": rank}, {"dense": each.score})
        for rank, each in enumerate(near.found, start=1)
    ]


def _share(score: float, ceiling: float) -> float:
    return min(score / ceiling, 1.0) if ceiling > 0 else 0.0


def _place(ranked: Ranked) -> Place:
    return ranked.id, ranked.start


def _ranks(lists: Mapping[str, Iterable[Ranked]]) -> Mapping[Place, dict[str, int]]:
    ranks: dict[Place, dict[str, int]] = defaultdict(dict)
    for name, found in lists.items():
        for rank, each in enumerate(found, start=1):
            ranks[_place(each)][name] = rank
    return ranks


def _scores(lists: Mapping[str, Iterable[Ranked]]) -> Mapping[Place, dict[str, float]]:
    scores: dict[Place, dict[str, float]] = defaultdict(dict)
    for name, found in lists.items():
        for each in found:
            scores[_place(each)][name] = each.score
    return scores


def _best_first(fused: Iterable[Fused]) -> list[Fused]:
    return sorted(fused, key=lambda each: -each.score)
