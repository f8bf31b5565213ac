"""Reading the scores of a model that nobody measured.

Models differ in how near to each other they put texts that have nothing to do with each other:
MiniLM at a cosine of .05, BGE at .46, E5 at .75. Between that and 1 they behave much alike, so
what is left to 1 is the yardstick.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from statistics import mean

from memoranda.protocols import Calibration, Vector, numbers_of

UNRELATED = (
    "The dentist moved my appointment to Thursday morning",
    "Our old printer jams whenever the paper is damp",
    "She learned to play the cello at the age of nine",
    "The database is backed up to the other house every night",
    "Lentil soup needs more lemon than you would think",
    "They painted the kitchen a pale shade of green",
    "The train to the coast takes about two hours",
    "Penguins keep their eggs warm on top of their feet",
)


def of_memories(baseline: float) -> Calibration:
    return _between(baseline, weight=0.5, floor=0.1, growth=0.08, least=0.08)


def of_turns(baseline: float) -> Calibration:
    return _between(baseline, weight=1.5, floor=0.22, growth=0.08, least=0.15)


def baseline(vectors: Sequence[Vector]) -> float:
    """The mean cosine of vectors of length 1, each with each other."""
    numbers = [numbers_of(vector) for vector in vectors]
    return mean(
        sum(one * other for one, other in zip(*pair, strict=True))
        for pair in combinations(numbers, 2)
    )


def _between(
    baseline: float, *, weight: float, floor: float, growth: float, least: float
) -> Calibration:
    room = 1 - baseline
    return Calibration(
        weight=weight * room,
        floor=baseline + floor * room,
        growth=growth * room,
        least=baseline + least * room,
    )
