"""See `protocols.Contradictions` for what each method promises."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from memoranda.care import Contradicting, Pair
from memoranda.protocols import Open
from memoranda.stores.connections import Connections, query
from memoranda.stores.reading import VISIBLE, beginning, only, seen_by
from memoranda.stores.rows import Row, moment, time_text
from memoranda.types import Scopes, new_id

_OPEN = f"""
WITH {VISIBLE}
SELECT k.id, k.kind, m.id, o.id, k.slot, k.found_at, k.weighed_at
FROM contradiction k JOIN memory m ON m.row = k.memory JOIN memory o ON o.row = k.against
WHERE k.settled_at IS NULL AND m.scope IN visible AND o.scope IN visible
  AND m.status IN ('current', 'candidate')
  AND (k.kind = 'offer' OR o.status IN ('current', 'candidate'))
"""


class SqliteContradictions:
    """The table `contradiction`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def add(self, pairs: Sequence[Pair], *, at: datetime) -> None:
        with self._connections.writing() as db:
            db.executemany(
                """INSERT OR IGNORE INTO contradiction (id, kind, memory, against, slot, found_at)
                SELECT ?, ?, m.row, o.row, ?, ? FROM memory m JOIN memory o ON o.id = ?
                WHERE m.id = ? AND NOT EXISTS (
                  SELECT 1 FROM contradiction WHERE memory = o.row AND against = m.row)""",
                [
                    (
                        new_id(at),
                        each.kind.value,
                        each.slot,
                        time_text(at),
                        each.against,
                        each.memory,
                    )
                    for each in pairs
                ],
            )

    def open(
        self,
        visible: Scopes,
        *,
        kinds: Sequence[Contradicting] | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[Open]:
        values = {
            "kinds": json.dumps([each.value for each in kinds or Contradicting]),
            "after": after,
            "limit": limit,
        }
        condition = """AND k.kind IN (SELECT value FROM json_each(:kinds))
        AND k.row > coalesce((SELECT row FROM contradiction WHERE id = :after), 0)
        ORDER BY k.row LIMIT :limit"""
        return self._found(condition, values, visible)

    def one(self, id: str, visible: Scopes) -> Open:
        condition = "AND k.id >= :first AND k.id < :beyond LIMIT 2"
        found = self._found(condition, beginning(id), visible)
        return only(found, [each.id for each in found], id)

    def _found(self, condition: str, values: dict[str, Any], visible: Scopes) -> list[Open]:
        with self._connections.reading() as db:
            found = query(db, f"{_OPEN} {condition}", seen_by(visible, values))
        return [_open(row) for row in found]

    def weigh(self, id: str, *, at: datetime) -> None:
        with self._connections.writing() as db:
            db.execute("UPDATE contradiction SET weighed_at = ? WHERE id = ?", (time_text(at), id))

    def settle(self, id: str, *, at: datetime, override: bool = False) -> None:
        with self._connections.writing() as db:
            if override:
                db.execute("UPDATE contradiction SET kind = 'override' WHERE id = ?", (id,))
            else:
                db.execute(
                    "UPDATE contradiction SET settled_at = ? WHERE id = ?", (time_text(at), id)
                )


def _open(row: Row) -> Open:
    id, kind, memory, against, slot, found_at, weighed_at = row
    pair = Pair(Contradicting(kind), memory, against, slot)
    return Open(id, pair, moment(found_at), weighed_at is not None)
