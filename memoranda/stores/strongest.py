"""The memories that stand for what is so, found without a look at the others."""

from __future__ import annotations

import json
from typing import Any

import apsw

from memoranda.protocols import Strongest
from memoranda.stores.connections import query
from memoranda.stores.reading import any_ended, memories, memory_filter, scope_rows
from memoranda.types import Filter, Kind, Scopes

STOOD = "max(m.recorded_at, coalesce(m.confirmed_at, m.recorded_at))"
"""When somebody last stood for `memory m`, as the index has it."""

LISTS = (
    "AND m.pinned = 1 ORDER BY m.row DESC",
    f"ORDER BY {STOOD} DESC",
    "AND m.mention_count > 1 ORDER BY m.mention_count DESC",
)
"""What makes one strong, each with an index of its own."""


def strongest(
    db: apsw.Connection, visible: Scopes, filter: Filter, kind: Kind, limit: int
) -> Strongest:
    condition, values = memory_filter(filter)
    if not filter.is_past:
        ended = any_ended(db, filter.now)  # or each would be looked at, to count them
        condition = f"m.status = 'current' AND {condition if ended else 'TRUE'}"
    rows: set[int] = set()
    count = 0
    for scope in scope_rows(db, visible):
        held = f"FROM memory m WHERE m.scope = :scope AND m.kind = :kind AND {condition}"
        bound = {**values, "scope": scope, "kind": kind.value, "limit": limit}
        for order in LISTS:
            rows |= _rows(db, f"SELECT m.row {held} {order} LIMIT :limit", bound)
        count += query(db, f"SELECT count(*) {held}", bound)[0][0]
    found = memories(
        db, "m.row IN (SELECT value FROM json_each(:rows))", {"rows": json.dumps([*rows])}, visible
    )
    return Strongest(tuple(found), count - len(found))


def _rows(db: apsw.Connection, statement: str, bound: dict[str, Any]) -> set[int]:
    return {row for (row,) in query(db, statement, bound)}
