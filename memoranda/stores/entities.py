"""The SQL of entities as a person sees them: told, merged and split."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from memoranda.errors import Ambiguous, InvalidInput, NotFound
from memoranda.stores import rows
from memoranda.stores.connections import query
from memoranda.stores.naming import look_anew
from memoranda.stores.reading import VISIBLE, beginning, seen_by
from memoranda.stores.writing import record
from memoranda.text.names import key
from memoranda.types import Entity, EntityKind, Operation, Scopes, new_id


def entities(db: apsw.Connection, visible: Scopes, name: str | None, limit: int) -> list[Entity]:
    """See `Store.entities`."""
    called = "TRUE"
    if name is not None:
        called = "EXISTS (SELECT 1 FROM alias WHERE entity = e.row AND instr(name, :part) > 0)"
    found = query(
        db,
        f"""WITH {VISIBLE}, counted AS MATERIALIZED (
          SELECT e.row,
            (SELECT count(DISTINCT n.memory) + count(DISTINCT n.turn)
             FROM alias a JOIN mention n ON n.alias = a.row WHERE a.entity = e.row) AS mentions
          FROM entity e WHERE e.scope IN visible AND {called}
          ORDER BY mentions DESC, e.name, e.row LIMIT :limit)
        SELECT {rows.ENTITY_COLUMNS}
        FROM counted JOIN entity e ON e.row = counted.row JOIN scope s ON s.row = e.scope
        ORDER BY mentions DESC, e.name, e.row""",
        seen_by(visible, {"part": None if name is None else key(name), "limit": limit}),
    )
    return [rows.entity(row) for row in found]


def entity(db: apsw.Connection, which: str, visible: Scopes) -> Entity:
    """See `Store.entity`; a name goes before an id, and what is called so before an alias."""
    condition = "e.row IN (SELECT entity FROM alias WHERE name = :name {})"
    values = {"name": key(which)}
    found = _where(db, condition.format("AND own"), values, visible)
    found = found or _where(db, condition.format(""), values, visible)
    if not found and which.strip().isalnum():
        found = _where(db, "e.id >= :first AND e.id < :beyond", beginning(which), visible)
    if not found:
        raise NotFound(f"no entity {which[:40]!r} is visible from here")
    if len(found) > 1:
        some = " and ".join(f"{each.name} ({each.id}, {each.scope})" for each in found[:2])
        raise Ambiguous(f"{which[:40]!r} fits {some}; write the id")
    return found[0]


def _where(
    db: apsw.Connection, condition: str, values: Mapping[str, Any], visible: Scopes
) -> list[Entity]:
    """At most two entities."""
    return [
        rows.entity(row)
        for row in query(
            db,
            f"""WITH {VISIBLE} SELECT {rows.ENTITY_COLUMNS}
            FROM entity e JOIN scope s ON s.row = e.scope
            WHERE {condition} AND e.scope IN visible LIMIT 2""",
            seen_by(visible, values),
        )
    ]


def merge(db: apsw.Connection, keep: str, other: str, at: datetime, by: str) -> None:
    """See `Store.merge`."""
    kept, gone = _row(db, keep), _row(db, other)
    if kept == gone:
        raise InvalidInput("that is one entity already")
    before, lost = _told(db, kept), _told(db, gone)
    if before.scope != lost.scope:
        raise InvalidInput(
            f"{before.name} is of {before.scope} and {lost.name} of {lost.scope}; "
            "entities of different scopes stay apart"
        )
    db.execute("UPDATE alias SET entity = ?, own = FALSE WHERE entity = ?", (kept, gone))
    db.execute("DELETE FROM entity WHERE row = ?", (gone,))
    kind = lost.kind if before.kind is EntityKind.THING else before.kind
    db.execute("UPDATE entity SET arranged = TRUE, kind = ? WHERE row = ?", (kind.value, kept))
    look_anew(db, kept)
    after = _told(db, kept)
    _record(
        db,
        at,
        Operation.MERGE,
        by,
        kept,
        keep,
        before={"aliases": before.aliases, "kind": before.kind},
        after={"aliases": after.aliases, "kind": after.kind},
    )
    _record(
        db, at, Operation.MERGE, by, kept, other,
        before={"name": lost.name, "kind": lost.kind, "aliases": lost.aliases},
        after={"merged_into": keep},
    )  # fmt: skip


def split(
    db: apsw.Connection,
    entity: str,
    name: str,
    kind: EntityKind,
    aliases: Sequence[str],
    texts: Sequence[str],
    at: datetime,
    by: str,
) -> str:
    """See `Store.split`."""
    old = _row(db, entity)
    before = _told(db, old)
    moved = {key(alias) for alias in aliases}
    _refuse_taken(db, old, before, name)
    _refuse_not_theirs(db, old, before, moved)
    id = new_id(at)
    db.execute(
        """INSERT INTO entity (id, scope, name, kind, arranged)
        SELECT ?, scope, ?, ?, TRUE FROM entity WHERE row = ?""",
        (id, name, kind.value, old),
    )
    new = db.last_insert_rowid()
    db.execute("UPDATE entity SET arranged = TRUE WHERE row = ?", (old,))
    db.execute(
        """UPDATE alias SET entity = ?, own = name = ?
        WHERE entity = ? AND name IN (SELECT value FROM json_each(?))""",
        (new, key(name), old, json.dumps(sorted(moved))),
    )
    _alias_of(db, new, key(name), own=True)
    for text in dict.fromkeys(texts):
        _move_mentions(db, old, new, text, before.name)
    look_anew(db, new)
    _record(
        db,
        at,
        Operation.SPLIT,
        by,
        old,
        entity,
        before={"aliases": before.aliases},
        after={"aliases": _told(db, old).aliases, "split_off": id, "texts": tuple(texts)},
    )
    _record(
        db, at, Operation.SPLIT, by, old, id,
        before=None,
        after={
            "name": name, "kind": kind, "aliases": _told(db, new).aliases, "split_from": entity,
        },
    )  # fmt: skip
    _drop_unmentioned(db, old)
    return id


def _drop_unmentioned(db: apsw.Connection, entity: int) -> None:
    """Drop an entity that nothing mentions: no mention's end would take its names along later."""
    db.execute(
        """DELETE FROM entity WHERE row = :row AND NOT EXISTS (
          SELECT 1 FROM alias a JOIN mention n ON n.alias = a.row WHERE a.entity = :row)""",
        {"row": entity},
    )


def _refuse_taken(db: apsw.Connection, old: int, entity: Entity, name: str) -> None:
    """Refuse a name that the entity itself or another one of its scope is called by."""
    for other, called, own in query(
        db,
        """SELECT e.row, e.name, a.own FROM alias a JOIN entity e ON e.row = a.entity
        WHERE a.name = ? AND e.scope = (SELECT scope FROM entity WHERE row = ?)""",
        (key(name), old),
    ):
        if other == old and own:
            raise InvalidInput(f"{called} is called so itself; give the new one another name")
        if other != old:
            raise InvalidInput(
                f"{name!r} is a name of {called} already; split under another name, then merge"
            )


def _refuse_not_theirs(
    db: apsw.Connection, old: int, entity: Entity, aliases: Collection[str]
) -> None:
    """Refuse to move aliases that the entity does not have, or by which it is called."""
    owned = dict(query(db, "SELECT name, max(own) FROM alias WHERE entity = ? GROUP BY 1", (old,)))
    for alias in aliases:
        if alias not in owned:
            raise NotFound(f"{entity.name} has no alias {alias!r}")
        if owned[alias]:
            raise InvalidInput(f"{entity.name} is called {alias!r} and keeps it; move another")


def _move_mentions(db: apsw.Connection, old: int, new: int, text: str, called: str) -> None:
    """Give the mentions of an entity in a memory or turn to another, by the same names."""
    mentions = query(
        db,
        """SELECT n.row, a.name, a.entity FROM mention n JOIN alias a ON a.row = n.alias
        WHERE (n.memory = (SELECT row FROM memory WHERE id = :id)
          OR n.turn = (SELECT row FROM turn WHERE id = :id)) AND a.entity IN (:old, :new)""",
        {"id": text, "old": old, "new": new},
    )
    if not mentions:
        raise NotFound(f"{text} does not mention {called}")
    for row, name, entity in mentions:
        if entity == old:
            alias = _alias_of(db, new, name, own=False)
            db.execute("UPDATE mention SET alias = ? WHERE row = ?", (alias, row))


def _alias_of(db: apsw.Connection, entity: int, name: str, *, own: bool) -> int:
    """The row of an alias of an entity, which is made if there is none.

    After a merge of two that shared a name there are several.
    """
    found = db.execute(
        "SELECT min(row) FROM alias WHERE entity = ? AND name = ?", (entity, name)
    ).get
    if found is None:
        db.execute("INSERT INTO alias (entity, name, own) VALUES (?, ?, ?)", (entity, name, own))
        found = db.last_insert_rowid()
    return int(found)


def _row(db: apsw.Connection, id: str) -> int:
    row = db.execute("SELECT row FROM entity WHERE id = ?", (id,)).get
    if row is None:
        raise NotFound(f"the entity {id} is gone")
    return int(row)


def _told(db: apsw.Connection, row: int) -> Entity:
    (found,) = query(
        db,
        f"""SELECT {rows.ENTITY_COLUMNS} FROM entity e JOIN scope s ON s.row = e.scope
        WHERE e.row = ?""",
        (row,),
    )
    return rows.entity(found)


def _record(
    db: apsw.Connection,
    at: datetime,
    operation: Operation,
    by: str,
    row: int,
    id: str,
    *,
    before: Mapping[str, object] | None,
    after: Mapping[str, object],
) -> None:
    """Write down what became of an entity; `row` is one of the same scope."""
    same = {name for name in after if before is not None and before.get(name) == after[name]}
    texts = [
        None if each is None else rows.fields_text({n: v for n, v in each.items() if n not in same})
        for each in (before, after)
    ]
    record(
        db,
        at,
        operation,
        by,
        scope=db.execute("SELECT scope FROM entity WHERE row = ?", (row,)).get,
        entity=id,
        before=texts[0],
        after=texts[1],
    )
