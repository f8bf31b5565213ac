"""Several rankings as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from memoranda.protocols import Calibration, Near, Ranking
from memoranda.types import Place, Ranked

K = 60
"""The constant of Cormack et al., which keeps one list's first place from deciding alone."""


@dataclass(slots=True)
class Fused:
    """A place with its likeness to the question, and its rank and its score in each list.

    The score is the likeness and whatever speaks for the place besides, or against it.
    """

    place: Place
    likeness: float
    ranks: Mapping[str, int]
    scores: dict[str, float]
    boosts: dict[str, float] = field(default_factory=dict)
    score: float = field(init=False)

    def __post_init__(self) -> None:
        self.score = self.likeness

    def boost(self, why: str, by: float) -> None:
        """Let something speak for the place, or with less than 0 against it."""
        if by:
            self.boosts[why] = by
            self.score += by


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
    linked: Sequence[Ranked] = (),
) -> list[Fused]:
    """The cosine plus a weight times the share of the full lexical score, best first.

    Unlike a rank, that tells how good a match is, so it can be told when there is none. A text
    without a vector is judged by its words, as if its cosine were the model's least. The `named`
    have a name that the model does not know, and reach the floor at least: in a long text the
    share of a single word is small. What is `linked` is found too, and no more like the question
    for that. The likeness is what a score has above the least.
    """
    weight, least = calibration.weight, calibration.least
    found = _gathered({"dense": near.found, "lexical": lexical.found, "linked": linked})
    for each in near.others:
        found.setdefault(each.place, _Raw()).scores["dense"] = each.score
    for raw in found.values():
        share = _share(raw.scores.get("lexical", 0.0), lexical.ceiling)
        raw.score = raw.scores.get("dense", least) + weight * share
    floor = calibration.floor_among(near.searched)
    for place in (each.place for each in named):
        if place in found:
            found[place].score = max(found[place].score, floor)
    return _best_first(
        Fused(place, max(0.0, raw.score - least), raw.ranks, raw.scores)
        for place, raw in found.items()
    )


def known(fused: Sequence[Fused], floor: float) -> list[Fused]:
    """Nothing that has a vector, unless the best of that is as like as the floor."""
    best = max((each.likeness for each in fused if "dense" in each.scores), default=0.0)
    return [each for each in fused if best >= floor or "dense" not in each.scores]


@dataclass(slots=True)
class _Raw:
    score: float = 0.0
    ranks: dict[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)


def _gathered(lists: Mapping[str, Iterable[Ranked]]) -> dict[Place, _Raw]:
    """Every place with its rank and its score in each list that holds it."""
    found: dict[Place, _Raw] = {}
    for name, some in lists.items():
        for rank, each in enumerate(some, start=1):
            raw = found.setdefault(each.place, _Raw())
            raw.ranks[name] = rank
            raw.scores[name] = each.score
    return found


def by_words(lexical: Ranking, linked: Sequence[Ranked] = ()) -> list[Fused]:
    """By the share of the full lexical score alone; what is only linked has none of it."""
    return _best_first(
        Fused(
            place,
            _share(raw.scores.get("lexical", 0.0), lexical.ceiling),
            raw.ranks,
            raw.scores,
        )
        for place, raw in _gathered({"lexical": lexical.found, "linked": linked}).items()
    )


def by_vector(near: Near) -> list[Fused]:
    """By the cosine alone."""
    return [
        Fused(each.place, each.score, {"dense": rank}, {"dense": each.score})
        for rank, each in enumerate(near.found, start=1)
    ]


def _share(score: float, ceiling: float) -> float:
    return min(score / ceiling, 1.0) if ceiling > 0 else 0.0


def _best_first(fused: Iterable[Fused]) -> list[Fused]:
    return sorted(fused, key=lambda each: -each.likeness)
