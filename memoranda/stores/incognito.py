"""The SQL of conversations of which nothing is kept; known by keyed hashes of their names."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import apsw

from memoranda.stores.connections import query
from memoranda.stores.marks import Marks
from memoranda.stores.rows import time_text
from memoranda.types import Scope

BEGINNING = time_text(datetime.min.replace(tzinfo=UTC))


def begin(
    db: apsw.Connection, conversation: str, scope: Scope, at: datetime, *, from_start: bool
) -> None:
    """Keep nothing of a conversation from now on, or nothing at all.

    A second that has begun belongs to it: times that come with turns are often cut to seconds.
    """
    mark, *others = marks_of(db, conversation, scope)
    since = BEGINNING if from_start else time_text(at.replace(microsecond=0))
    if from_start:
        db.executemany(
            "DELETE FROM incognito WHERE mark = ?", [(each,) for each in (mark, *others)]
        )
    elif any(
        query(db, "SELECT 1 FROM incognito WHERE mark = ? AND until IS NULL", (each,))
        for each in (mark, *others)
    ):
        return
    db.execute(
        "INSERT INTO incognito (mark, since) VALUES (?, ?) ON CONFLICT DO UPDATE SET until = NULL",
        (mark, since),
    )


def end(db: apsw.Connection, conversation: str, scope: Scope, at: datetime) -> None:
    """Keep again what is said from now on; what was said meanwhile stays unknown."""
    db.executemany(
        "UPDATE incognito SET until = ? WHERE mark = ? AND until IS NULL",
        [(time_text(at), mark) for mark in marks_of(db, conversation, scope)],
    )


def marks_of(db: apsw.Connection, conversation: str, scope: Scope) -> list[bytes]:
    """By what a conversation is known here, first by that which this home makes."""
    return [each.conversation(str(scope), conversation) for each in Marks.known(db)]


class Unkept:
    """Which turns of a scope are not to be kept, within one transaction."""

    def __init__(self, db: apsw.Connection, marks: Sequence[Marks], scope: Scope) -> None:
        self._db = db
        self._marks = marks
        self._scope = str(scope)
        self._known: dict[str, list[tuple[str, str | None]]] = {}

    def covers(self, conversation: str, said: datetime | None) -> bool:
        """Whether a turn of a conversation was said incognito; one of no known time is taken so."""
        stretches = self._stretches(conversation)
        if said is None:
            return bool(stretches)
        time = time_text(said)
        return any(since <= time and (until is None or time < until) for since, until in stretches)

    def _stretches(self, conversation: str) -> list[tuple[str, str | None]]:
        if conversation not in self._known:
            self._known[conversation] = [
                (since, until)
                for marks in self._marks
                for since, until in query(
                    self._db,
                    "SELECT since, until FROM incognito WHERE mark = ?",
                    (marks.conversation(self._scope, conversation),),
                )
            ]
        return self._known[conversation]
