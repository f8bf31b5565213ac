"""See `protocols.SkillUses` for what each method promises."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from memoranda.skills import Used
from memoranda.stores.connections import Connections, query
from memoranda.stores.reading import VISIBLE, seen_by
from memoranda.stores.rows import moment_or_none, time_text
from memoranda.stores.writing import scope_row
from memoranda.types import Scope, Scopes


class SqliteSkillUses:
    """The table `skill`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def count(self, name: str, scope: Scope, *, at: datetime) -> Used:
        with self._connections.writing() as db:
            ((uses, used_at),) = query(
                db,
                """INSERT INTO skill (scope, name, uses, used_at) VALUES (?, ?, 1, ?)
                ON CONFLICT DO UPDATE SET uses = uses + 1, used_at = max(used_at, excluded.used_at)
                RETURNING uses, used_at""",
                (scope_row(db, scope), name, time_text(at)),
            )
        return Used(uses, moment_or_none(used_at))

    def counted(self, visible: Scopes) -> Mapping[tuple[Scope, str], Used]:
        with self._connections.reading() as db:
            found = query(
                db,
                f"""WITH {VISIBLE} SELECT s.name, k.name, k.uses, k.used_at
                FROM skill k JOIN scope s ON s.row = k.scope WHERE k.scope IN visible""",
                seen_by(visible),
            )
        return {
            (Scope.parse(scope), name): Used(uses, moment_or_none(used_at))
            for scope, name, uses, used_at in found
        }

    def drop(self, name: str, scope: Scope) -> None:
        with self._connections.writing() as db:
            db.execute(
                """DELETE FROM skill WHERE name = ?
                AND scope = (SELECT row FROM scope WHERE name = ?)""",
                (name, str(scope)),
            )
