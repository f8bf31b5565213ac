"""Several rankings as one."""

from __future__ import annotations

import math
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
    return _best_first(
        Fused(place, sum(1 / (k + rank) for rank in raw.ranks.values()), raw.ranks, raw.scores)
        for place, raw in _gathered(rankings).items()
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
    found = _gathered({"dense": near.found, "lexical": lexical.found})
    for each in near.others:
        found.setdefault(_place(each), _Raw(each.by_other)).scores["dense"] = each.score
    for raw in found.values():
        share = _share(raw.scores.get("lexical", 0.0), lexical.ceiling)
        raw.score = raw.scores.get("dense", least) + weight * share - BY_OTHER * raw.by_other
    floor = calibration.floor_among(near.searched)
    for place in map(_place, named):
        if place in found:
            found[place].score = max(found[place].score, floor)
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
    by_other: bool
    score: float = 0.0
    ranks: dict[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)


def _gathered(lists: Mapping[str, Iterable[Ranked]]) -> dict[Place, _Raw]:
    """Every place with its rank and its score in each list that holds it."""
    found: dict[Place, _Raw] = {}
    for name, some in lists.items():
        for rank, each in enumerate(some, start=1):
            raw = found.setdefault(_place(each), _Raw(each.by_other))
            raw.ranks[name] = rank
            raw.scores[name] = each.score
    return found


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


def _best_first(fused: Iterable[Fused]) -> list[Fused]:
    return sorted(fused, key=lambda each: -each.score)
