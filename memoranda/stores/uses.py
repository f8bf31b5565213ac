"""See `protocols.Uses` for what each method promises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import product
from typing import Any

import apsw

from memoranda.care import Day, Exchange, Need, Serving, Via
from memoranda.stores.connections import USE_PATIENCE, Connections, query
from memoranda.stores.marks import Marks
from memoranda.stores.reading import VISIBLE, seen_by, turns
from memoranda.stores.rows import time_text
from memoranda.stores.writing import scope_row
from memoranda.types import Passage, Scope, Scopes

LONGEST_REPLY = 20_000
"""Characters of a reply that are kept in sight."""

BEFORE = timedelta(minutes=1)
"""How long before a turn comes in it may have been asked for, where no conversation is told."""


class SqliteUses:
    """The tables `serving`, `served`, `need` and `unreckoned_turn`."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def record(self, servings: Sequence[Serving], own: Scope) -> None:
        with self._connections.writing(patience=USE_PATIENCE) as db:
            found = query(db, "SELECT row FROM scope WHERE name = ?", (str(own),))
            marks = Marks.of(db)
            for scope, each in product((row for (row,) in found), servings):
                _record(db, each, own, scope, marks)

    def exchanges(self, own: Scope, *, before: datetime, limit: int) -> list[Exchange]:
        with self._connections.reading() as db:
            marks = Marks.known(db)
            return [_exchange(db, turn, own, marks) for turn in _unreckoned(db, own, before, limit)]

    def unreckoned(self, own: Scope) -> int:
        with self._connections.reading() as db:
            ((count,),) = query(
                db,
                """SELECT count(*) FROM unreckoned_turn JOIN turn t USING (row)
                JOIN conversation c ON c.row = t.conversation JOIN scope s ON s.row = c.scope
                WHERE s.name = ? AND t.quarantined IS NULL""",
                (str(own),),
            )
        return int(count)

    def reckon(self, exchange: Exchange, used: Sequence[str], needs: Sequence[Need]) -> None:
        turn = exchange.turn
        with self._connections.writing() as db:
            found = query(db, "SELECT row FROM turn WHERE id = ?", (turn.turn,))
            if not found:  # forgotten meanwhile
                return
            db.execute("DELETE FROM unreckoned_turn WHERE row = ?", found[0])
            bounds = _bounds(db, turn, Marks.known(db))
            db.execute(
                f"""UPDATE served SET used = memory IN (
                  SELECT m.row FROM memory m JOIN json_each(:used) u ON u.value = m.id)
                WHERE used IS NULL AND serving IN ({_SERVINGS})""",
                {**bounds, "used": json.dumps(list(used))},
            )
            scope = scope_row(db, turn.scope)
            db.executemany(
                """INSERT INTO need (scope, time, memory, reached, used)
                SELECT ?, ?, row, ?, ? FROM memory WHERE id = ?""",
                [
                    (scope, time_text(turn.time), each.reached, each.used, each.memory)
                    for each in needs
                ],
            )

    def days(self, visible: Scopes, *, since: datetime) -> list[Day]:
        with self._connections.reading() as db:
            return _days(db, visible, since)


def _record(db: apsw.Connection, serving: Serving, own: Scope, scope: int, marks: Marks) -> None:
    name = serving.conversation
    at = time_text(serving.time)
    db.execute(
        """INSERT INTO serving (scope, time, via, conversation, tokens, window)
        VALUES (?, ?, ?, ?, ?, ?)""",
        (
            scope,
            at,
            serving.via.value,
            None if name is None else marks.conversation(str(own), name),
            serving.tokens,
            serving.window,
        ),
    )
    row = db.last_insert_rowid()
    db.executemany(
        "INSERT OR IGNORE INTO served (serving, memory, rank) SELECT ?, row, ? FROM memory "
        "WHERE id = ?",
        [(row, rank, id) for rank, id in enumerate(serving.memories, 1)],
    )
    if serving.via == Via.RECALL:
        db.executemany(
            "UPDATE memory SET used_at = ?, use_count = use_count + 1 WHERE id = ?",
            [(at, id) for id in serving.memories],
        )


# What was answered --------------------------------------------------------------------------------


def _unreckoned(db: apsw.Connection, own: Scope, before: datetime, limit: int) -> list[Passage]:
    condition = """t.row IN (SELECT row FROM unreckoned_turn) AND t.quarantined IS NULL
    AND (t.recorded_at < :before OR EXISTS (
      SELECT 1 FROM turn WHERE conversation = t.conversation AND role = 'user' AND row > t.row))
    ORDER BY t.row LIMIT :limit"""
    return turns(db, condition, {"before": time_text(before), "limit": limit}, (own,))


_REPLY = """
FROM turn r WHERE r.conversation = t.conversation AND r.row > t.row
AND r.role IN ('assistant', 'tool') AND r.row < coalesce((
  SELECT min(row) FROM turn WHERE conversation = t.conversation AND role = 'user' AND row > t.row),
  9223372036854775807)
"""
"""The turns after `turn t`, up to the next of the user."""

_SERVINGS = """
SELECT row FROM serving WHERE time <= :end
  AND (conversation IN (SELECT unhex(value) FROM json_each(:marks))
    OR (conversation IS NULL AND scope = :scope AND time >= :begin))
"""
"""What a conversation was given by then; where none was told, what was given just now."""


def _exchange(db: apsw.Connection, turn: Passage, own: Scope, marks: Sequence[Marks]) -> Exchange:
    ((reply,),) = query(
        db,
        f"""SELECT (SELECT group_concat(content, char(10)) FROM (
          SELECT (SELECT group_concat(content, '') FROM (
            SELECT content FROM passage WHERE turn = r.row ORDER BY start)) AS content
          {_REPLY} ORDER BY r.row LIMIT 50))
        FROM turn t WHERE t.id = ?""",
        (turn.turn,),
    )
    served = query(
        db,
        f"""SELECT DISTINCT m.id FROM served d JOIN memory m ON m.row = d.memory
        WHERE d.serving IN ({_SERVINGS}) ORDER BY m.id""",
        _bounds(db, turn, marks),
    )
    return Exchange(turn, (reply or "")[:LONGEST_REPLY], tuple(id for (id,) in served))


def _bounds(db: apsw.Connection, turn: Passage, marks: Sequence[Marks]) -> dict[str, Any]:
    """Between what times something was served for a turn, and in which conversation."""
    ((end, scope),) = query(
        db,
        f"""SELECT (SELECT max(r.time) {_REPLY}), c.scope
        FROM turn t JOIN conversation c ON c.row = t.conversation WHERE t.id = ?""",
        (turn.turn,),
    )
    begin = time_text(turn.time)
    return {
        "marks": _marks(marks, str(turn.scope), turn.conversation),
        "scope": scope,
        "begin": time_text(turn.time - BEFORE),
        "end": max(end or begin, begin),
    }


def _marks(marks: Sequence[Marks], scope: str, conversation: str) -> str:
    """By what a conversation may be known, for SQL."""
    return json.dumps([each.conversation(scope, conversation).hex() for each in marks])


# Counting -----------------------------------------------------------------------------------------

_SERVED = """
SELECT date(v.time), s.name, count(*), sum(stale), sum(stale AND coalesce(used, FALSE))
FROM (
  SELECT d.used, d.serving,
      (m.kind <> 'episode' AND m.valid_to IS NOT NULL AND m.valid_to <= v.time)
      OR EXISTS (
        SELECT 1 FROM contradiction k WHERE k.against = m.row AND k.kind = 'conflict'
          AND k.settled_at IS NULL AND k.found_at <= v.time) AS stale
  FROM served d JOIN memory m ON m.row = d.memory JOIN serving v ON v.row = d.serving
  WHERE v.time >= :since AND v.scope IN visible) d
JOIN serving v ON v.row = d.serving JOIN scope s ON s.row = v.scope GROUP BY 1, 2
"""

_TOLD = """
SELECT date(v.time), s.name, sum(v.window > 0), sum(v.tokens), sum(v.window)
FROM serving v JOIN scope s ON s.row = v.scope
WHERE v.time >= :since AND v.scope IN visible GROUP BY 1, 2
"""

_NEEDED = """
SELECT date(n.time), s.name, count(*), sum(n.reached), sum(n.reached AND n.used)
FROM need n JOIN scope s ON s.row = n.scope
WHERE n.time >= :since AND n.scope IN visible GROUP BY 1, 2
"""

_STATEMENTS = """
SELECT date(coalesce(t.time, d.time)), p.scope, count(*), sum(d.operation = 'noop')
FROM decision d JOIN pass p ON p.id = d.selected_by LEFT JOIN turn t ON t.row = d.turn
WHERE d.stage = 'applied' AND NOT p.preview AND coalesce(t.time, d.time) >= :since
  AND (d.operation IN ('add', 'update', 'delete') OR (d.operation = 'noop' AND d.target NOT NULL))
  AND p.scope IN (SELECT value FROM json_each(:visible))
GROUP BY 1, 2
"""

_REPEATED = """
SELECT date(t.time), p.scope, d.target, t.time, c.name
FROM decision d JOIN pass p ON p.id = d.selected_by JOIN turn t ON t.row = d.turn
JOIN conversation c ON c.row = t.conversation
WHERE d.stage = 'applied' AND d.operation = 'noop' AND d.target NOT NULL AND NOT p.preview
  AND t.time >= :since AND p.scope IN (SELECT value FROM json_each(:visible))
"""

_SERVED_BEFORE = """
SELECT 1 FROM serving v JOIN served x ON x.serving = v.row JOIN memory m ON m.row = x.memory
WHERE v.conversation IN (SELECT unhex(value) FROM json_each(?)) AND v.time < ? AND m.id = ? LIMIT 1
"""


def _days(db: apsw.Connection, visible: Scopes, since: datetime) -> list[Day]:
    """Each count is of its own; a day has all that were made on it."""
    values = seen_by(visible, {"since": time_text(since)})
    found: dict[tuple[str, str], Day] = {}
    counts = {
        _SERVED: ("served", "stale", "referenced"),
        _TOLD: ("prompts", "tokens", "window"),
        _NEEDED: ("needed", "reached", "used"),
        _STATEMENTS: ("statements", "repeated"),
    }
    for sql, names in counts.items():
        for day, scope, *numbers in query(db, f"WITH {VISIBLE} {sql}", values):
            known = found.get((day, scope)) or Day(date.fromisoformat(day), Scope.parse(scope))
            told: dict[str, Any] = dict(zip(names, map(int, numbers), strict=True))
            found[day, scope] = replace(known, **told)
    for day, scope in _loops(db, values):
        found[day, scope] = replace(found[day, scope], loop=found[day, scope].loop + 1)
    return sorted(found.values(), key=lambda each: (each.day, str(each.scope)))


def _loops(db: apsw.Connection, values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The day and scope of each statement that its conversation was told just before."""
    marks = Marks.known(db)
    for day, scope, target, time, conversation in query(db, _REPEATED, values):
        place = (_marks(marks, scope, conversation), time, target)
        if query(db, _SERVED_BEFORE, place):
            yield day, scope
