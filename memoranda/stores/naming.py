"""The SQL of names: which entity a name stands for, and what mentions it.

A name that one entity of a scope has stands for that one. A name that several have stands for none
of them: a mention of it belongs to the entity that is called just that, which is made if need be.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from datetime import datetime

import apsw

from memoranda.stores import rows
from memoranda.stores.connections import WRITE_SLICE, query
from memoranda.text.names import besides, key
from memoranda.types import EntityKind, Named, new_id

AT_ONCE = 200
"""Rows completed in one transaction at most."""


class Naming:
    """The entities of one scope, within one transaction; what was looked up once is remembered."""

    def __init__(self, db: apsw.Connection, scope: int, at: datetime) -> None:
        self._db = db
        self._scope = scope
        self._at = at
        self._known: dict[str, tuple[int, int, str]] = {}

    def mention_in_memory(self, memory: int, given: Iterable[str], found: Iterable[Named]) -> None:
        """Say that a memory is about the names given, and names those found."""
        mentions: list[tuple[int | None, int | None]] = []
        mentions += [(self._alias(_given(name)), None) for name in given]
        mentions += [(self._alias(named), named.start) for named in found]
        self._db.executemany(
            "INSERT INTO mention (alias, memory, start) VALUES (?, ?, ?)",
            [(alias, memory, start) for alias, start in mentions if alias is not None],
        )

    def mention_in_turn(self, turn: int, found: Iterable[Named]) -> None:
        """Say that a turn names what was found in it."""
        mentions = [(self._alias(named), named.start) for named in found]
        self._db.executemany(
            "INSERT INTO mention (alias, turn, start) VALUES (?, ?, ?)",
            [(alias, turn, start) for alias, start in mentions if alias is not None],
        )

    def _alias(self, named: Named) -> int | None:
        """The row of the alias that a name is; None when it is not sure to be one, nor known."""
        folded = key(named.name)
        known = self._known.get(folded) or self._look_up(folded)
        if known is None:
            if not named.sure:
                return None
            known = self._add(folded, named)
        alias, entity, kind = known
        if kind == EntityKind.THING and named.kind is not EntityKind.THING and named.sure:
            self._db.execute("UPDATE entity SET kind = ? WHERE row = ?", (named.kind.value, entity))
            known = (alias, entity, named.kind.value)
        self._known[folded] = known
        return alias

    def _look_up(self, folded: str) -> tuple[int, int, str] | None:
        found = query(
            self._db,
            """SELECT a.row, e.row, e.kind, a.own FROM alias a JOIN entity e ON e.row = a.entity
            WHERE a.name = ? AND e.scope = ? ORDER BY a.own DESC, a.row""",
            (folded, self._scope),
        )
        if not found or (not found[0][3] and len({entity for _, entity, *_ in found}) > 1):
            return None
        alias, entity, kind, _ = found[0]
        return alias, entity, kind

    def _add(self, folded: str, named: Named) -> tuple[int, int, str]:
        kind = named.kind.value
        self._db.execute(
            "INSERT INTO entity (id, scope, name, kind) VALUES (?, ?, ?, ?)",
            (new_id(self._at), self._scope, named.name, kind),
        )
        entity = self._db.last_insert_rowid()
        self._db.execute(
            "INSERT INTO alias (entity, name, own) VALUES (?, ?, TRUE)", (entity, folded)
        )
        return self._db.last_insert_rowid(), entity, kind


def _given(name: str) -> Named:
    return Named(name, EntityKind.THING, 0)


def forget_names(db: apsw.Connection, memory: int, names: Iterable[str]) -> None:
    """Say that a memory is not about these entities, called so, any more."""
    db.execute(
        """DELETE FROM mention WHERE memory = ? AND alias IN (
          SELECT a.row FROM alias a JOIN entity e ON e.row = a.entity
          WHERE e.name IN (SELECT value FROM json_each(?)))""",
        (memory, json.dumps(list(names))),
    )


# Completing what is older, or written by another tool ---------------------------------------------


def unformed(db: apsw.Connection) -> list[tuple[int]]:
    """Some aliases that are not brought in form."""
    return query(db, f"SELECT row FROM alias WHERE own IS NULL LIMIT {AT_ONCE}")


def bring_in_form(db: apsw.Connection) -> None:
    """Give some aliases the form in which names are looked up."""
    for row, name, called in query(
        db,
        f"""SELECT a.row, a.name, (SELECT name FROM entity WHERE row = a.entity) FROM alias a
        WHERE a.own IS NULL LIMIT {AT_ONCE}""",
    ):
        folded = key(name)
        db.execute(
            "UPDATE alias SET name = ?, own = ? WHERE row = ?",
            (folded, called is not None and folded == key(called), row),
        )


def without_mentions(db: apsw.Connection, table: str) -> list[tuple[int]]:
    """Some texts in which nobody looked for names."""
    return query(db, f"SELECT row FROM {table}_without_mentions LIMIT {AT_ONCE}")


def mention_in_memories(db: apsw.Connection) -> None:
    """Look for names in some memories where nobody did, instead of those found before."""
    from memoranda.text.entities import entities  # its tables take time to make

    for row in _for_a_slice(db, "memory"):
        for scope, content, recorded, given in query(
            db,
            """SELECT m.scope, m.content, m.recorded_at,
              (SELECT json_group_array(e.name) FROM mention n JOIN alias a ON a.row = n.alias
               JOIN entity e ON e.row = a.entity WHERE n.memory = m.row AND n.start IS NULL)
            FROM memory m WHERE m.row = ?""",
            (row,),
        ):
            before = last_mention(db)
            found = besides(entities(content), json.loads(given))
            Naming(db, scope, rows.moment(recorded)).mention_in_memory(row, (), found)
            _drop_found(db, "memory", row, before)


def mention_in_turns(db: apsw.Connection) -> None:
    """Look for names in some turns where nobody did, instead of those found before."""
    from memoranda.text.entities import entities

    for row in _for_a_slice(db, "turn"):
        for scope, content, recorded in query(
            db,
            f"""SELECT c.scope, {rows.WHOLE_TURN}, t.recorded_at
            FROM turn t JOIN conversation c ON c.row = t.conversation WHERE t.row = ?""",
            (row,),
        ):
            before = last_mention(db)
            naming = Naming(db, scope, rows.moment(recorded))
            naming.mention_in_turn(row, entities(content or ""))
            _drop_found(db, "turn", row, before)


def _for_a_slice(db: apsw.Connection, table: str) -> Iterator[int]:
    """Texts in which nobody looked for names, until the slice of time is used up.

    Each counts as done when the next is asked for.
    """
    started = time.monotonic()
    for (row,) in without_mentions(db, table):
        yield row
        db.execute(f"DELETE FROM {table}_without_mentions WHERE row = ?", (row,))
        if time.monotonic() - started > WRITE_SLICE:
            break


def _drop_found(db: apsw.Connection, table: str, row: int, latest: int) -> None:
    """Drop the mentions that were found in a text before, up to the latest of these."""
    db.execute(
        f"DELETE FROM mention WHERE {table} = ? AND row <= ? AND start IS NOT NULL", (row, latest)
    )


def last_mention(db: apsw.Connection) -> int:
    """The row of the latest mention, to tell those before from those after."""
    return int(db.execute("SELECT max(row) FROM mention").get or 0)
