"""How near neighbours are where an operation is decided on: by what thresholds could be tuned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from memoranda.passes import Decision, Distances
from memoranda.types import Operation

PARTS = 4


def distances(decisions: Iterable[Decision]) -> tuple[Distances, ...]:
    """A row for each operation that was decided on, in the order of the operations."""
    found: dict[Operation, list[float | None]] = defaultdict(list)
    for each in decisions:
        if each.operation is not None:
            known = [one.distance for one in each.neighbours if one.distance is not None]
            found[each.operation].append(min(known, default=None))
    return tuple(_row(operation, found[operation]) for operation in Operation if operation in found)


def _row(operation: Operation, nearest: list[float | None]) -> Distances:
    known = sorted(each for each in nearest if each is not None)
    last = len(known) - 1
    quantiles = tuple(known[round(last * part / PARTS)] for part in range(PARTS + 1) if known)
    return Distances(operation, len(nearest), len(nearest) - len(known), quantiles)
