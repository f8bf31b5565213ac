"""See `protocols.Files` for what each method promises."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date

from memoranda.protocols import FileLine, KeptFile
from memoranda.stores.connections import USE_PATIENCE, Connections, query
from memoranda.stores.reading import VISIBLE, seen_by
from memoranda.stores.writing import scope_row
from memoranda.types import Kind, Scope, Scopes


class SqliteFiles:
    """The tables `file` and `file_line`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def those(self, visible: Scopes) -> list[KeptFile]:
        with self._connections.reading() as db:
            found = query(
                db,
                f"""WITH {VISIBLE} SELECT f.path, s.name, f.form, f.mark, f.stamp,
                (SELECT json_group_array(json_array(m.id, l.kind, l.day))
                 FROM file_line l JOIN memory m ON m.row = l.memory WHERE l.file = f.row)
                FROM file f JOIN scope s ON s.row = f.scope WHERE f.scope IN visible
                ORDER BY f.path""",
                seen_by(visible),
            )
        return [
            KeptFile(path, Scope.parse(scope), form, mark, _lines(lines), stamp)
            for path, scope, form, mark, stamp, lines in found
        ]

    def keep(self, file: KeptFile) -> None:
        lines = [
            (id, line.kind and line.kind.value, line.day and line.day.isoformat())
            for id, line in file.lines.items()
        ]
        with self._connections.writing(patience=USE_PATIENCE) as db:
            row = db.execute(
                """INSERT INTO file (path, scope, form, mark, stamp) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (path) DO UPDATE SET scope = excluded.scope, form = excluded.form,
                  mark = excluded.mark, stamp = excluded.stamp
                RETURNING row""",
                (file.path, scope_row(db, file.scope), file.form, file.mark, file.stamp),
            ).get
            db.execute("DELETE FROM file_line WHERE file = ?", (row,))
            db.execute(
                """INSERT INTO file_line (file, memory, kind, day)
                SELECT ?, m.row, value ->> 1, value ->> 2
                FROM json_each(?) JOIN memory m ON m.id = value ->> 0""",
                (row, json.dumps(lines)),
            )

    def drop(self, path: str, visible: Scopes) -> None:
        with self._connections.writing(patience=USE_PATIENCE) as db:
            db.execute(
                f"""WITH {VISIBLE} DELETE FROM file
                WHERE path = :path AND scope IN visible""",
                seen_by(visible, {"path": path}),
            )

    def touched(self, scope: Scope, since: int) -> list[str]:
        with self._connections.reading() as db:
            found = query(
                db,
                """SELECT DISTINCT memory FROM ledger
                WHERE row > ? AND scope = (SELECT row FROM scope WHERE name = ?)
                AND memory IS NOT NULL""",
                (since, str(scope)),
            )
        return [id for (id,) in found]

    def gone(self, ids: Sequence[str], visible: Scopes) -> frozenset[str]:
        with self._connections.reading() as db:
            found = query(
                db,
                f"""WITH {VISIBLE} SELECT DISTINCT memory FROM ledger
                WHERE memory IN (SELECT value FROM json_each(:ids))
                  AND (scope IS NULL OR scope IN visible)
                  AND NOT EXISTS (SELECT 1 FROM memory WHERE id = ledger.memory)""",
                seen_by(visible, {"ids": json.dumps(list(ids))}),
            )
        return frozenset(id for (id,) in found)


def _lines(text: str) -> dict[str, FileLine]:
    return {
        id: FileLine(kind and Kind(kind), day and date.fromisoformat(day))
        for id, kind, day in json.loads(text)
    }
