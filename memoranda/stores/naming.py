"""The SQL of names: which entity a name stands for, and what mentions it.

A name that one entity of a scope has stands for that one. A name that several have stands for none
of them: a mention of it belongs to the entity that is called just that, which is made if need be.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

import apsw

from memoranda.stores import rows
from memoranda.stores.connections import WRITE_SLICE, query
from memoranda.text.names import besides, key
from memoranda.types import EntityKind, Named, new_id

AT_ONCE = 200
"""Rows completed in one transaction at most."""


@dataclass(frozen=True, slots=True)
class _Alias:
    """A row of `alias`, with the entity that it stands for and what that is called."""

    row: int
    entity: int
    kind: str
    called: str
    own: bool = True


class Naming:
    """The entities of one scope, within one transaction; what was looked up once is remembered."""

    def __init__(self, db: apsw.Connection, scope: int, at: datetime) -> None:
        self._db = db
        self._scope = scope
        self._at = at
        self._known: dict[str, _Alias] = {}
        self.told_kinds: list[int] = []
        """The rows of the entities that were a thing until now."""

    def called(self, names: Iterable[str]) -> dict[str, str]:
        """What those are called for which names stand, each once, with the first such name."""
        new: dict[str, str] = {}
        found: dict[str, str] = {}
        for name in names:
            known = self._find(key(name))
            called = new.setdefault(key(name), name) if known is None else known.called
            found.setdefault(called, name)
        return found

    def words(self, given: Iterable[str]) -> list[str]:
        """By which words a memory is found that is given as about these, as `about` tells later."""
        found: dict[str, None] = {}
        for name in given:
            known = self._find(key(name))
            found[name if known is None else known.called] = None
            if known is not None and not known.own:
                found[key(name)] = None
        return list(found)

    def mention_in_memory(self, memory: int, given: Iterable[str], found: Iterable[Named]) -> None:
        """Say that a memory is about the names given, and names those found."""
        mentions: list[tuple[int | None, int | None]] = []
        mentions += [(self._alias(_given(name)), None) for name in given]
        mentions += [(self._alias(named), named.start) for named in found]
        self._db.executemany(
            "INSERT INTO mention (alias, memory, start) VALUES (?, ?, ?)",
            [(alias, memory, start) for alias, start in dict.fromkeys(mentions) if alias],
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
        known = self._find(folded)
        if known is None:
            if not named.sure:
                return None
            known = self._add(folded, named)
        if known.kind == EntityKind.THING and named.kind is not EntityKind.THING and named.sure:
            kind = named.kind.value
            self._db.execute("UPDATE entity SET kind = ? WHERE row = ?", (kind, known.entity))
            known = replace(known, kind=kind)
            self.told_kinds.append(known.entity)
        self._known[folded] = known
        return known.row

    def _find(self, folded: str) -> _Alias | None:
        known = self._known.get(folded) or self._look_up(folded)
        if known is not None:
            self._known[folded] = known
        return known

    def _look_up(self, folded: str) -> _Alias | None:
        found = query(
            self._db,
            """SELECT a.row, e.row, e.kind, e.name, a.own
            FROM alias a JOIN entity e ON e.row = a.entity
            WHERE a.name = ? AND e.scope = ? ORDER BY a.own DESC, a.row""",
            (folded, self._scope),
        )
        if not found or (not found[0][4] and len({entity for _, entity, *_ in found}) > 1):
            return None
        return _Alias(*found[0])

    def _add(self, folded: str, named: Named) -> _Alias:
        kind = named.kind.value
        self._db.execute(
            "INSERT INTO entity (id, scope, name, kind) VALUES (?, ?, ?, ?)",
            (new_id(self._at), self._scope, named.name, kind),
        )
        entity = self._db.last_insert_rowid()
        self._db.execute(
            "INSERT INTO alias (entity, name, own) VALUES (?, ?, TRUE)", (entity, folded)
        )
        return _Alias(self._db.last_insert_rowid(), entity, kind, named.name)


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


def about(db: apsw.Connection, memory: int) -> list[str]:
    """The words that a memory is about: its topics, what was given, and by which other names."""
    found = query(
        db,
        """SELECT name, NULL FROM topic WHERE memory = :memory UNION ALL
        SELECT e.name, iif(a.own, NULL, a.name) FROM mention n JOIN alias a ON a.row = n.alias
        JOIN entity e ON e.row = a.entity WHERE n.memory = :memory AND n.start IS NULL""",
        {"memory": memory},
    )
    return list(dict.fromkeys(word for row in found for word in row if word is not None))


def look_anew(db: apsw.Connection, entity: int) -> None:
    """Let the memories that were given as about an entity be found by its names as they are now."""
    db.execute(
        """INSERT OR IGNORE INTO memory_without_terms
        SELECT n.memory FROM alias a JOIN mention n ON n.alias = a.row
        WHERE a.entity = ? AND n.memory IS NOT NULL AND n.start IS NULL""",
        (entity,),
    )


def forget_unnamed(db: apsw.Connection, aliases: str) -> None:
    """Drop those of the aliases, which a query gives, that nothing is named by any more.

    An entity that was called so is called by the oldest alias that is left.
    """
    for alias, entity, own in query(
        db,
        f"""SELECT row, entity, own FROM alias a WHERE row IN ({aliases})
        AND NOT EXISTS (SELECT 1 FROM mention WHERE alias = a.row)""",
    ):
        db.execute(
            """UPDATE ledger SET before = NULL, after = NULL FROM alias a
            JOIN entity e ON e.row = a.entity WHERE a.row = ? AND ledger.scope = e.scope
            AND ledger.entity IS NOT NULL
            AND instr(coalesce(before, '') || coalesce(after, ''), json_quote(a.name))""",
            (alias,),
        )  # also what is told of one that was merged into it, or that it was split from
        db.execute("DELETE FROM alias WHERE row = ?", (alias,))
        if own:
            _rename(db, entity)
        look_anew(db, entity)


def _rename(db: apsw.Connection, entity: int) -> None:
    """Call an entity by the oldest of its aliases, as it is compared."""
    db.execute(
        """UPDATE entity SET name = (
          SELECT name FROM alias WHERE entity = :row ORDER BY row LIMIT 1) WHERE row = :row""",
        {"row": entity},
    )
    db.execute(
        "UPDATE alias SET own = TRUE WHERE row = (SELECT min(row) FROM alias WHERE entity = ?)",
        (entity,),
    )


# Completing what is older, or written by another tool ---------------------------------------------


def unformed(db: apsw.Connection) -> list[tuple[int]]:
    """Some aliases that are not brought in form."""
    return query(db, f"SELECT row FROM alias WHERE own IS NULL LIMIT {AT_ONCE}")


def bring_in_form(db: apsw.Connection, at: datetime) -> None:
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


def mention_in_memories(db: apsw.Connection, at: datetime) -> None:
    """Look for names in some memories where nobody did, instead of those found before.

    What was given stays, but for entities of the scope that the memory was in before.
    """
    from memoranda.text.entities import entities  # its tables take time to make

    for row in _for_a_slice(db, "memory"):
        for scope, content in query(db, "SELECT scope, content FROM memory WHERE row = ?", (row,)):
            before = last_mention(db)
            given = query(
                db,
                """SELECT n.row, e.name, e.scope FROM mention n JOIN alias a ON a.row = n.alias
                JOIN entity e ON e.row = a.entity WHERE n.memory = ? AND n.start IS NULL
                ORDER BY n.row""",
                (row,),
            )
            moved = {mention: name for mention, name, place in given if place != scope}
            found = besides(entities(content), [name for _, name, _ in given])
            Naming(db, scope, at).mention_in_memory(row, moved.values(), found)
            _drop_found(db, "memory", row, before)
            db.executemany("DELETE FROM mention WHERE row = ?", [(mention,) for mention in moved])
            if moved:
                db.execute("INSERT OR IGNORE INTO memory_without_terms VALUES (?)", (row,))


def mention_in_turns(db: apsw.Connection, at: datetime) -> None:
    """Look for names in some turns where nobody did, instead of those found before."""
    for row in _for_a_slice(db, "turn"):
        for scope, content in query(
            db,
            f"""SELECT c.scope, {rows.WHOLE_TURN}
            FROM turn t JOIN conversation c ON c.row = t.conversation WHERE t.row = ?""",
            (row,),
        ):
            look_again(db, row, scope, content or "", at)


def look_again(db: apsw.Connection, turn: int, scope: int, content: str, at: datetime) -> None:
    """Look for names in what a turn says, instead of those found before."""
    from memoranda.text.entities import entities  # its tables take time to make

    before = last_mention(db)
    if db.execute("SELECT quarantined FROM turn WHERE row = ?", (turn,)).get is None:
        Naming(db, scope, at).mention_in_turn(turn, entities(content))
    _drop_found(db, "turn", turn, before)


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
