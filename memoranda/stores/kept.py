"""See `protocols.Kept` for what each method promises."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memoranda.stores.connections import Connections, query
from memoranda.stores.marks import Marks
from memoranda.stores.rows import time_text
from memoranda.types import Scope


class SqliteKept:
    """The table `kept`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def keep(self, keys: Sequence[str], own: Scope, *, until: datetime) -> None:
        with self._connections.writing() as db:
            marks = Marks.of(db)
            db.executemany(
                "INSERT INTO kept VALUES (?, ?) ON CONFLICT DO UPDATE SET until = excluded.until",
                [(marks.reviewed(str(own), key), time_text(until)) for key in keys],
            )

    def those(self, keys: Sequence[str], own: Scope, *, now: datetime) -> frozenset[str]:
        with self._connections.reading() as db:
            found = query(db, "SELECT mark FROM kept WHERE until > ?", (time_text(now),))
            if not found:
                return frozenset()
            known, marks = {mark for (mark,) in found}, Marks.known(db)
            return frozenset(
                key for key in keys if any(each.reviewed(str(own), key) in known for each in marks)
            )
