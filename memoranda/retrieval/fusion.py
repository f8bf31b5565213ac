"""Several rankings as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K = 60
"""The constant of Cormack et al., which keeps one list's first place from deciding alone."""


@dataclass(frozen=True, slots=True)
class Fused:
    """An id with its score and its rank in each list that holds it, 1 being the best."""

    id: str
    score: float
    ranks: Mapping[str, int]


def reciprocal_rank(rankings: Mapping[str, Sequence[str]], k: int = K) -> list[Fused]:
    """Reciprocal rank fusion (Cormack, Clarke and Buettcher, 2009), best first."""
    ranks: dict[str, dict[str, int]] = defaultdict(dict)
    for name, ids in rankings.items():
        for rank, id in enumerate(ids, start=1):
            ranks[id][name] = rank
    fused = [
        Fused(id, sum(1 / (k + rank) for rank in found.values()), found)
        for id, found in ranks.items()
    ]
    return sorted(fused, key=lambda each: -each.score)
