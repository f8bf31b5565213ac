"""The SQL of taking a pass back. The caller began the transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from memoranda.errors import InvalidInput
from memoranda.passes import Undone
from memoranda.stores import rows
from memoranda.stores.connections import query
from memoranda.stores.deciding import undo_decisions
from memoranda.stores.naming import Naming
from memoranda.stores.reading import memories
from memoranda.stores.rows import time_text
from memoranda.stores.waiting import restore_unread
from memoranda.stores.writing import record, refuse_gone, scope_row, update_memory
from memoranda.types import EntityKind, Memory, Operation, Scope


def undo(db: apsw.Connection, of: str, at: datetime, by: str, *, keep_read: bool = False) -> Undone:
    """See `Passes.undo`.

    What took the place of a memory and that memory are left together when either was changed
    since: of both one must hold.
    """
    _refuse(db, of)
    touched = _touched(db, of)
    left = _left(db, of, touched)
    removed = [each for each in touched if each.is_new and each.id not in left]
    changed = [each for each in touched if not each.is_new and each.id not in left]
    for each in removed:
        _remove(db, each, of, at, by)
    for each in changed:
        _restore(db, each, of, at, by)
    _undo_consequences(db, of, [each.id for each in (*removed, *changed)])
    undo_decisions(db, of)
    turns = 0 if keep_read else restore_unread(db, of)
    db.execute("UPDATE pass SET undone = ? WHERE id = ?", (time_text(at), of))
    return Undone(
        of, tuple(each.id for each in changed), tuple(each.id for each in removed), left, turns
    )


def _refuse(db: apsw.Connection, of: str) -> None:
    refuse_gone(db, of)
    ((ended, undone, preview),) = query(
        db, "SELECT ended, undone, preview FROM pass WHERE id = ?", (of,)
    )
    if undone is not None:
        raise InvalidInput(f"the pass {of} was undone already")
    if preview:
        raise InvalidInput(f"the pass {of} was a preview: there is nothing to undo")
    if ended is None:
        raise InvalidInput(f"the pass {of} is unfinished; let it end first")
    if later := _read_again_by(db, of):
        raise InvalidInput(f"{later} read the same turns since; undo that first")


def _read_again_by(db: apsw.Connection, of: str) -> str | None:
    """The latest pass that built on the same turns.

    It went by the memories that this one made of them: of these none could be taken back then.
    """
    later: str | None = db.execute(
        """SELECT p.id FROM reading r JOIN pass p ON p.id = r.pass
        WHERE NOT r.set_aside AND p.undone IS NULL
          AND p.row > (SELECT row FROM pass WHERE id = :of)
          AND r.turn IN (
            SELECT turn FROM reading WHERE pass = :of AND NOT set_aside
            UNION SELECT t.id FROM decision d JOIN turn t ON t.row = d.turn
            WHERE d.selected_by = :of)
        ORDER BY p.row DESC LIMIT 1""",
        {"of": of},
    ).get
    return later


@dataclass(frozen=True, slots=True)
class _Touched:
    """What a pass did to a memory, from its first entry in the ledger on.

    `befores` are the fields that its entries changed, the latest first; None where the words went.
    """

    id: str
    first: int
    is_new: bool
    befores: tuple[Mapping[str, object], ...] | None


def _touched(db: apsw.Connection, of: str) -> list[_Touched]:
    entries: dict[str, list[tuple[int, str | None, str | None]]] = {}
    for row, memory, before, after in query(
        db,
        "SELECT row, memory, before, after FROM ledger WHERE pass = ? ORDER BY row",
        (of,),
    ):
        entries.setdefault(memory, []).append((row, before, after))
    return [_as_touched(memory, some) for memory, some in entries.items()]


def _as_touched(memory: str, entries: Sequence[tuple[int, str | None, str | None]]) -> _Touched:
    first, before, _ = entries[0]
    told = all(after is not None for _, _, after in entries)
    befores = tuple(json.loads(each or "{}") for _, each, _ in reversed(entries))
    return _Touched(memory, first, told and before is None, befores if told else None)


def _left(db: apsw.Connection, of: str, touched: Sequence[_Touched]) -> dict[str, str]:
    """What stays as it is, and why."""
    reasons = {each.id: _changed_since(db, of, each) for each in touched}
    left = {id: why for id, why in reasons.items() if why is not None}
    pairs = query(
        db,
        """SELECT id, superseded_by FROM memory
        WHERE superseded_by IN (SELECT memory FROM ledger WHERE pass = ?)""",
        (of,),
    )
    ours = {each.id for each in touched}
    is_new = {each.id: each.is_new for each in touched}
    waiting = True
    while waiting:
        waiting = False
        for old, new in pairs:
            if old not in ours and not is_new[new]:
                continue  # it took that one's place before, and stays whatever becomes of it
            stays = [id for id in (old, new) if id not in ours or id in left]
            goes = [id for id in (old, new) if id in ours and id not in left]
            if stays and goes:
                left.update(dict.fromkeys(goes, "changed"))
                waiting = True
    return left


def _changed_since(db: apsw.Connection, of: str, touched: _Touched) -> str | None:
    """What others did to a memory since, other passes that were undone excepted."""
    there = query(db, "SELECT 1 FROM memory WHERE id = ?", (touched.id,))
    if touched.befores is None or not there:
        return "forgotten"
    changed = query(
        db,
        """SELECT 1 FROM ledger l WHERE memory = ? AND row > ? AND pass IS NOT ?
        AND NOT EXISTS (
          SELECT 1 FROM ledger u WHERE u.pass = l.pass AND u.memory = l.memory
            AND u.operation = 'undo') LIMIT 1""",
        (touched.id, touched.first, of),
    )
    return "changed" if changed else None


def _remove(db: apsw.Connection, touched: _Touched, of: str, at: datetime, by: str) -> None:
    """Delete what a pass added; it is no forgetting, and may be found again."""
    scope = db.execute("SELECT scope FROM memory WHERE id = ?", (touched.id,)).get
    db.execute("DELETE FROM memory WHERE id = ?", (touched.id,))
    record(db, at, Operation.UNDO, by, scope=scope, memory=touched.id, of=of)


def _restore(db: apsw.Connection, touched: _Touched, of: str, at: datetime, by: str) -> None:
    """Make a memory what it was before the pass."""
    row, current = _as_it_is(db, touched.id)
    earlier = current
    for fields in touched.befores or ():
        earlier = rows.restored(earlier, fields)
    scope = scope_row(db, earlier.scope)
    db.execute("DELETE FROM source WHERE memory = ? AND pass = ?", (row, of))
    update_memory(db, row, current, earlier, (), scope, Naming(db, scope, at), None)
    before, after = rows.differences(current, earlier)
    record(
        db,
        at,
        Operation.UNDO,
        by,
        scope=scope,
        memory=touched.id,
        before=before,
        after=after,
        of=of,
    )


def _as_it_is(db: apsw.Connection, id: str) -> tuple[int, Memory]:
    ((row, scope),) = query(
        db,
        "SELECT m.row, s.name FROM memory m JOIN scope s ON s.row = m.scope WHERE m.id = ?",
        (id,),
    )
    (found,) = memories(db, "m.id = :id", {"id": id}, (Scope.parse(scope),))
    return row, found


def _undo_consequences(db: apsw.Connection, of: str, memories: Sequence[str]) -> None:
    """Take back what came of the changes to some memories besides.

    What the ledger tells of a scope that goes is told of the scope whose pass it was.
    """
    values = {"of": of, "memories": json.dumps(list(memories)), "thing": EntityKind.THING.value}
    undone = """FROM consequence
    WHERE pass = :of AND memory IN (SELECT value FROM json_each(:memories))"""
    db.execute(
        f"UPDATE entity SET kind = :thing WHERE row IN (SELECT entity {undone})",
        values,
    )
    for (scope,) in query(
        db,
        f"""SELECT row FROM scope WHERE row IN (SELECT scope {undone})
        AND name <> (SELECT scope FROM pass WHERE id = :of)
        AND NOT EXISTS (SELECT 1 FROM memory WHERE scope = scope.row)
        AND NOT EXISTS (SELECT 1 FROM entity WHERE scope = scope.row)
        AND NOT EXISTS (SELECT 1 FROM conversation WHERE scope.row IN (scope, project))""",
        values,
    ):
        db.execute(
            """UPDATE ledger SET scope = (
              SELECT s.row FROM pass p JOIN scope s ON s.name = p.scope WHERE p.id = ?)
            WHERE scope = ?""",
            (of, scope),
        )
        db.execute("DELETE FROM scope WHERE row = ?", (scope,))
