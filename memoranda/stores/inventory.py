"""The SQL of what somebody may ask to be told of, besides memories. The caller began to read."""

from __future__ import annotations

from datetime import datetime

import apsw

from memoranda.stores.connections import query
from memoranda.stores.incognito import Unkept
from memoranda.stores.marks import Marks
from memoranda.stores.reading import VISIBLE, seen_by
from memoranda.stores.rows import moment
from memoranda.types import Conversation, Forgotten, Operation, Scope, Scopes


def conversations(db: apsw.Connection, visible: Scopes, now: datetime) -> list[Conversation]:
    found = query(
        db,
        f"""WITH {VISIBLE}
        SELECT c.name, s.name, p.name, count(*), min(t.time), max(t.time), count(t.quarantined)
        FROM conversation c JOIN scope s ON s.row = c.scope JOIN turn t ON t.conversation = c.row
        LEFT JOIN scope p ON p.row = c.project
        WHERE c.scope IN visible GROUP BY c.row ORDER BY c.row""",
        seen_by(visible),
    )
    marks = Marks.known(db)
    unkept = {scope: Unkept(db, marks, scope) for scope in visible}
    made = []
    for name, whose, project, turns, first, last, quarantined in found:
        scope = Scope.parse(whose)
        made.append(
            Conversation(
                name,
                scope,
                None if project is None else Scope.parse(project),
                turns,
                moment(first),
                moment(last),
                quarantined,
                unkept[scope].covers(name, now),
            )
        )
    return made


def forgotten(db: apsw.Connection, visible: Scopes) -> list[Forgotten]:
    """Each act of forgetting; what faded is only no longer held, but old conversations are gone."""
    found = query(
        db,
        f"""WITH {VISIBLE}
        SELECT time, by, count(memory), coalesce(sum(after ->> 'turns'), 0),
          operation = '{Operation.EXPIRE}'
        FROM ledger WHERE scope IN visible AND (operation = '{Operation.FORGET}'
          OR operation = '{Operation.EXPIRE}' AND memory IS NULL)
        GROUP BY time, by, operation ORDER BY time, min(row)""",
        seen_by(visible),
    )
    return [
        Forgotten(moment(time), by, memories, turns, bool(expired))
        for time, by, memories, turns, expired in found
    ]
