"""Pairs of memories of one scope whose vectors are near each other."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import numpy as np
from numpy.typing import NDArray

from memoranda.stores.connections import query
from memoranda.stores.reading import scope_rows
from memoranda.types import Scopes

CHUNK = 512
"""Vectors compared with all others at once: 20 MB of products among 10,000."""


def alike(
    db: apsw.Connection, visible: Scopes, model: str, least: float, limit: int
) -> list[tuple[str, str, float]]:
    """See `Store.alike`."""
    found = [
        pair for scope in scope_rows(db, visible) for pair in _in_scope(db, scope, model, least)
    ]
    found.sort(key=lambda pair: (-pair[2], pair[:2]))
    return found[:limit]


def _in_scope(
    db: apsw.Connection, scope: int, model: str, least: float
) -> Iterator[tuple[str, str, float]]:
    rows = query(
        db,
        """SELECT m.id, v.value FROM memory m JOIN memory_vector v ON v.memory = m.row
        WHERE m.scope = ? AND m.status IN ('current', 'candidate') AND m.kind <> 'episode'
          AND v.model = ? AND length(v.value) > 0 ORDER BY m.row""",
        (scope, model),
    )
    lengths = {len(value) for _, value in rows}
    if len(lengths) != 1:
        return
    ids = [id for id, _ in rows]
    vectors = np.frombuffer(b"".join(value for _, value in rows), "<f4").reshape(len(rows), -1)
    for start in range(0, len(ids), CHUNK):
        products = _products(vectors[start : start + CHUNK], vectors[start:])
        for one, other in zip(*np.nonzero(products >= least), strict=True):
            if one < other:
                yield ids[start + one], ids[start + other], float(products[one, other])


def _products(some: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    products: NDArray[np.float32] = np.nan_to_num(some @ others.T, nan=-1.0)
    return products
