"""The SQL of forgetting in the records of consolidation; a part of `erasing`.

A candidate goes with the words that it rests on, and with the memory that it became. What a model
said goes when it was told of any of these, whatever else it says.
"""

from __future__ import annotations

from collections.abc import Callable

import apsw

from memoranda.stores.connections import query
from memoranda.text.masks import FORGOTTEN

GATHERED = {
    "doomed_decision": "row INTEGER PRIMARY KEY",
    "gone_memory": "id TEXT PRIMARY KEY",
    "doomed_call": "id TEXT PRIMARY KEY",
}

_TOUCHED_TURNS = "SELECT row FROM doomed_turn UNION SELECT turn FROM doomed_span"

_UNDONE_ON_GONE = f"""
FROM pass p CROSS JOIN ledger l ON l.pass = p.id
WHERE p.undone IS NOT NULL AND l.memory IS NOT NULL AND EXISTS (
  SELECT 1 FROM json_each(l.after, '$.sources') s CROSS JOIN turn t ON t.id = s.value ->> 'turn'
  WHERE t.row IN ({_TOUCHED_TURNS}))
"""
"""What the ledger tells of memories that were undone, and so have no sources any more."""

ALONG = (
    """INSERT OR IGNORE INTO gone_memory
    SELECT m.id FROM doomed_memory d CROSS JOIN memory m USING (row)""",
    f"""INSERT OR IGNORE INTO gone_memory
    SELECT l.memory {_UNDONE_ON_GONE} AND l.memory NOT IN (SELECT id FROM memory)""",
    """INSERT OR IGNORE INTO gone_memory
    SELECT d.memory FROM doomed_decision CROSS JOIN decision d USING (row)
    WHERE d.memory IS NOT NULL AND d.memory NOT IN (SELECT id FROM memory)""",
    """INSERT OR IGNORE INTO doomed_decision
    SELECT d.row FROM doomed_turn t CROSS JOIN decision d ON d.turn = t.row""",
    """INSERT OR IGNORE INTO doomed_decision
    SELECT d.row FROM doomed_span s CROSS JOIN decision d ON d.turn = s.turn
    WHERE s.start < d.stop AND s.stop > d.start""",
    """INSERT OR IGNORE INTO doomed_decision
    SELECT d.row FROM gone_memory m CROSS JOIN decision d ON d.memory = m.id""",
)
"""What goes along, run until nothing more is found."""

TEXTS = """
SELECT concat_ws(char(10), d.quote, d.content, d.reason, d.candidate ->> 'content',
  d.candidate ->> 'detail')
FROM doomed_decision CROSS JOIN decision d USING (row)
"""
"""What the candidates say that go."""


def blank(db: apsw.Connection) -> None:
    """Take out what was gathered while it is still known which turns and memories go."""
    db.execute(
        f"""INSERT OR IGNORE INTO doomed_call
        SELECT o.call FROM turn t CROSS JOIN offered o ON o.turn = t.id
        WHERE t.row IN ({_TOUCHED_TURNS})
        UNION SELECT o.call FROM gone_memory m CROSS JOIN offered o ON o.memory = m.id
        UNION SELECT value FROM doomed_decision CROSS JOIN decision d USING (row)
        CROSS JOIN json_each(d.calls)"""
    )
    _blank_calls(db)
    _blank_complaints(db)
    _blank_ledger(db)
    _blank_neighbours(db)
    db.execute("DELETE FROM decision WHERE row IN (SELECT row FROM doomed_decision)")


def _blank_calls(db: apsw.Connection) -> None:
    which = "IN (SELECT id FROM doomed_call)"
    db.execute(f"UPDATE attempt SET body = '', error = '' WHERE call {which}")
    db.execute(f"UPDATE call SET request = '' WHERE id {which}")


def _blank_complaints(db: apsw.Connection) -> None:
    """Take out what endpoints complained of, wherever it was noted: it may quote what they got.

    What is aside stays so. A turn out of which words are cut is as if it was never tried.
    """
    from memoranda.passes import Stage  # which few who forget have need of

    told = """SELECT t.id FROM doomed_call c CROSS JOIN offered o ON o.call = c.id
    CROSS JOIN turn t ON t.id = o.turn"""
    rows = f"SELECT row FROM turn WHERE id IN ({told})"
    values = {"forgotten": FORGOTTEN, "aside": Stage.SET_ASIDE.value}
    for statement in (
        f"""UPDATE unread_turn SET aside = :forgotten
        WHERE aside IS NOT NULL AND row IN ({rows})""",
        f"UPDATE reading SET aside = :forgotten WHERE aside IS NOT NULL AND turn IN ({told})",
        f"""UPDATE decision SET reason = :forgotten
        WHERE reason IS NOT NULL AND stage = :aside AND turn IN ({rows})""",
        """UPDATE pass SET stopped = :forgotten WHERE stopped IS NOT NULL AND id IN (
          SELECT c.pass FROM doomed_call CROSS JOIN call c USING (id))""",
    ):
        db.execute(statement, values)
    db.execute(
        """UPDATE unread_turn SET aside = NULL, since = NULL, tries = 0
        WHERE row IN (SELECT turn FROM doomed_span)"""
    )
    db.execute(
        """UPDATE reading SET aside = NULL, since = NULL, tries = 0
        WHERE turn IN (SELECT id FROM turn WHERE row IN (SELECT turn FROM doomed_span))"""
    )


def _blank_ledger(db: apsw.Connection) -> None:
    """Take the words out of what the ledger tells of memories that were undone."""
    db.execute(
        """UPDATE ledger SET before = NULL, after = NULL, reason = NULL
        WHERE memory IN (SELECT id FROM gone_memory)"""
    )
    db.execute(
        f"""UPDATE ledger SET before = NULL, after = NULL, reason = NULL
        WHERE row IN (SELECT l.row {_UNDONE_ON_GONE})"""
    )


def _blank_neighbours(db: apsw.Connection) -> None:
    """Take the words out of what others were compared with, and of the reasons that name it."""
    db.execute(
        """UPDATE decision SET reason = NULL WHERE reason IS NOT NULL AND row IN (
          SELECT n.decision FROM gone_memory m CROSS JOIN neighbour n ON n.memory = m.id)"""
    )
    db.execute("UPDATE neighbour SET content = '' WHERE memory IN (SELECT id FROM gone_memory)")


def move_spans(db: apsw.Connection, turn: int, place: Callable[[int], int], content: str) -> None:
    """Let the candidates in other words of a turn stand where these are now."""
    for row, start, stop in query(
        db, "SELECT row, start, stop FROM decision WHERE turn = ?", (turn,)
    ):
        first, end = place(start), place(stop)
        db.execute(
            "UPDATE decision SET start = ?, stop = ?, quote = ? WHERE row = ?",
            (first, end, content[first:end], row),
        )


def delete_of_scope(db: apsw.Connection, scope: str | None) -> None:
    """Delete the passes over a scope that is gone, and the candidates for it; None: of any."""
    gone = "(?1 IS NULL OR scope = ?1) AND scope NOT IN (SELECT name FROM scope)"
    for table in ("pass", "decision"):
        db.execute(f"DELETE FROM {table} WHERE {gone}", (scope,))
