"""The SQL of conversations that are old enough to go. The caller began the transaction."""

from __future__ import annotations

import json
import time
from datetime import datetime

import apsw

from memoranda.stores import rows
from memoranda.stores.connections import WRITE_SLICE, query
from memoranda.stores.erasing import delete_conversations
from memoranda.stores.marks import Marks
from memoranda.stores.rows import time_text
from memoranda.stores.writing import record
from memoranda.types import Operation, Scope, new_id

_OLD = """
EXISTS (SELECT 1 FROM turn WHERE conversation = c.row)
AND NOT EXISTS (
  SELECT 1 FROM unread_turn u JOIN turn t USING (row)
  WHERE u.conversation = c.row AND t.quarantined IS NULL)
AND NOT EXISTS (SELECT 1 FROM turn WHERE conversation = c.row AND recorded_at >= :before)
"""
"""Of `conversation c`: every turn was read and came in before."""


def old_conversations(db: apsw.Connection, before: datetime, own: Scope) -> list[int]:
    """The rows of those that are old enough, the last one first; for this no lock is held."""
    found = query(
        db,
        f"""SELECT c.row FROM conversation c JOIN scope s ON s.row = c.scope
        WHERE s.name = :own AND {_OLD} ORDER BY c.row DESC""",
        {"own": str(own), "before": time_text(before)},
    )
    return [row for (row,) in found]


def old_turns(db: apsw.Connection, before: datetime, own: Scope) -> int:
    """How many turns those conversations have."""
    ((turns,),) = query(
        db,
        f"""SELECT count(*) FROM turn t JOIN conversation c ON c.row = t.conversation
        JOIN scope s ON s.row = c.scope WHERE s.name = :own AND {_OLD}""",
        {"own": str(own), "before": time_text(before)},
    )
    return int(turns)


def expire_slice(
    db: apsw.Connection, due: list[int], before: datetime, own: Scope, at: datetime, by: str
) -> int:
    """Delete turns until the slice of time is used up; returns how many.

    Takes from the end of `due` what is done. A conversation is looked at anew in each slice: one in
    which somebody speaks meanwhile keeps what is left.
    """
    started = time.monotonic()
    expired = 0
    in_time = True
    while due and in_time:
        conversation = due[-1]
        found = query(
            db,
            f"SELECT c.scope, c.name FROM conversation c WHERE c.row = :row AND {_OLD}",
            {"row": conversation, "before": time_text(before)},
        )
        if not found:
            due.pop()
            continue
        ((scope, name),) = found
        gone = 0
        for (turn,) in query(
            db, "SELECT row FROM turn WHERE conversation = ? ORDER BY row DESC", (conversation,)
        ):
            expire_turn(db, turn, str(own), name)
            gone += 1
            in_time = time.monotonic() - started <= WRITE_SLICE
            if not in_time:
                break
        expired += gone
        after = json.dumps({"turns": gone})
        record(db, at, Operation.EXPIRE, by, scope=scope, after=after)
        if not query(db, "SELECT 1 FROM turn WHERE conversation = ? LIMIT 1", (conversation,)):
            delete_conversations(db, [(conversation,)])
            due.pop()
    if expired:
        leave_to_purge(db, at)
    return expired


def leave_to_purge(db: apsw.Connection, at: datetime) -> None:
    """Note that the words of turns are to be cleared yet."""
    db.execute(
        "INSERT INTO purge (id, time, in_memory_fts, in_passage_fts) VALUES (?, ?, FALSE, TRUE)",
        (new_id(at), time_text(at)),
    )


def expire_turn(db: apsw.Connection, turn: int, scope: str, conversation: str) -> None:
    """Delete a turn; what rests on it keeps its words, and it is known when it comes again."""
    ((key, digest),) = query(db, "SELECT key, digest FROM turn WHERE row = ?", (turn,))
    db.execute(
        f"""UPDATE source SET quote = (
          SELECT substr(whole, coalesce(start, 0) + 1,
            coalesce(stop, length(whole)) - coalesce(start, 0))
          FROM (SELECT {rows.WHOLE_TURN} AS whole FROM turn t WHERE t.row = source.turn))
        WHERE turn = ? AND quote IS NULL""",
        (turn,),
    )
    mark = Marks.of(db)
    marks = [
        *mark.turn(scope, conversation, key, digest),
        mark.expired(scope, conversation, digest),
    ]
    db.executemany("INSERT OR IGNORE INTO tombstone VALUES (?)", [(mark,) for mark in marks])
    db.execute("DELETE FROM turn WHERE row = ?", (turn,))
