"""The SQL of the switches of capture. Every function runs inside a transaction of its caller."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import apsw

from memoranda.stores import marks
from memoranda.stores.connections import query
from memoranda.stores.marks import Marks
from memoranda.stores.rows import Row, moment, time_text
from memoranda.stores.writing import record, scope_row
from memoranda.types import Operation, Scope, Switch, refusal

HOME = b""
"""What the switch of the whole home is known by."""

COLUMNS = "mark, themselves, name, is_on, since, door"


def all_(db: apsw.Connection) -> list[Switch]:
    """Every switch, that of the home first."""
    found = query(db, f"SELECT {COLUMNS} FROM switch ORDER BY name, since, mark, themselves")
    home = [_switch(row, None) for row in found if row[0] == HOME]
    others = [_switch(row, row[2]) for row in found if row[0] != HOME]
    return [*(home or [Switch(None, on=False)]), *others]


def off(
    db: apsw.Connection, scope: Scope, project: Scope | None, profile: Scope | None
) -> tuple[Switch, ...]:
    """What keeps turns of a scope from being captured; that of the home alone if it is off."""
    home = query(db, f"SELECT {COLUMNS} FROM switch WHERE mark = ?", (HOME,))
    if not (home and home[0][3]):
        return (_switch(home[0], None) if home else Switch(None, on=False),)
    if not query(db, "SELECT 1 FROM switch WHERE mark <> ? LIMIT 1", (HOME,)):
        return ()
    return tuple(
        _switch(row, name)
        for name in _heard(scope, project, profile)
        for mark in _marks(db, name)
        for row in query(
            db, f"SELECT {COLUMNS} FROM switch WHERE mark = ? ORDER BY themselves", (mark,)
        )
    )


def refuse(db: apsw.Connection, scope: Scope, project: Scope | None, profile: Scope | None) -> None:
    """Raises CaptureOff when turns of a scope are not to be captured."""
    if found := off(db, scope, project, profile):
        raise refusal(found)


def _heard(scope: Scope, project: Scope | None, profile: Scope | None) -> Iterable[str]:
    """Whose switches count: of the person whose agent it is, of the agent, and of the project."""
    named = (marks.person(str(scope)), *(str(each) for each in (scope, profile, project) if each))
    return dict.fromkeys(named)


def _marks(db: apsw.Connection, name: str) -> list[bytes]:
    """By what a scope is known here, also in what came from other homes; its own mark first."""
    return [each.scope(name) for each in Marks.known(db)]


def set_home(db: apsw.Connection, on: bool, at: datetime, by: str) -> None:
    was = query(db, "SELECT is_on FROM switch WHERE mark = ?", (HOME,))
    if on == bool(was and was[0][0]):
        return
    db.execute(
        "INSERT OR REPLACE INTO switch (mark, themselves, name, is_on, since, door) "
        "VALUES (?, FALSE, NULL, ?, ?, ?)",
        (HOME, on, time_text(at), by),
    )
    record(db, at, Operation.ENABLE if on else Operation.DISABLE, by)


def set_scope(
    db: apsw.Connection, scope: Scope, on: bool, at: datetime, by: str, *, themselves: bool
) -> None:
    """Switch a scope off, or take the switch away that the same hand set."""
    marks = _marks(db, str(scope))
    known = [
        (mark, themselves)
        for mark in marks
        if query(db, "SELECT 1 FROM switch WHERE mark = ? AND themselves = ?", (mark, themselves))
    ]
    if on == (not known):
        for mark, _ in known:  # which may have lost its name
            db.execute("UPDATE switch SET name = ? WHERE mark = ?", (str(scope), mark))
        return
    if on:
        db.executemany("DELETE FROM switch WHERE mark = ? AND themselves = ?", known)
    else:
        db.execute(
            "INSERT INTO switch (mark, themselves, name, is_on, since, door) "
            "VALUES (?, ?, ?, FALSE, ?, ?)",
            (marks[0], themselves, str(scope), time_text(at), by),
        )
    operation = Operation.ENABLE if on else Operation.DISABLE
    record(db, at, operation, by, scope=scope_row(db, scope))


def take_names(db: apsw.Connection, scope: Scope | None) -> None:
    """Leave the switches of what was forgotten without its name, unless something of it is left.

    Of a scope, or of all; what was asked not to be captured is not captured afterwards either.
    """
    db.execute(
        """UPDATE switch SET name = NULL WHERE name <> 'user' AND (:scope IS NULL OR name = :scope)
        AND name NOT IN (SELECT name FROM scope)""",
        {"scope": None if scope is None else str(scope)},
    )


def _switch(row: Row, name: str | None) -> Switch:
    mark, themselves, _, is_on, since, door = row
    return Switch(
        scope=None if name is None else Scope.parse(name),
        on=bool(is_on),
        since=moment(since),
        by="themselves" if themselves else "the owner",
        door=door,
        forgotten=mark != HOME and name is None,
    )
