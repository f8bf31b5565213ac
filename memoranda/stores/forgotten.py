"""What a store has forgotten, by which it is known again in copies that were made before.

It is told by keyed hashes, of ids and of what was said. What the store has yet is not forgotten,
whatever the hashes say: the same may have been said anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

import apsw

from memoranda.stores import rows
from memoranda.stores.connections import query
from memoranda.stores.marks import Marks
from memoranda.stores.reading import TURN_JOINS
from memoranda.text.masks import FORGOTTEN
from memoranda.types import Operation, Scope

NOUNS = ("memory", "turn", "decision")


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What one store has forgotten; each method looks for it in a copy."""

    store: apsw.Connection
    marks: Marks
    tombstones: frozenset[bytes]
    told: frozenset[str]
    """The ids of memories that the ledger says were forgotten: older stores kept no other."""
    staying: set[tuple[str, bytes]] = field(default_factory=set)
    """Turns that are not marked, by id and digest: one copy has mostly the same as the next."""

    @classmethod
    def by(cls, store: apsw.Connection, earlier: Self | None = None) -> Self:
        """What a store has forgotten; one from `earlier` lends what it found out, if it holds."""
        tombstones = frozenset(mark for (mark,) in query(store, "SELECT mark FROM tombstone"))
        told = query(
            store,
            "SELECT DISTINCT memory FROM ledger WHERE operation = ? AND memory IS NOT NULL",
            (Operation.FORGET.value,),
        )
        marks = Marks.of(store)
        found = cls(store, marks, tombstones, frozenset(id for (id,) in told))
        if earlier is not None and (earlier.marks, earlier.tombstones) == (marks, tombstones):
            found.staying.update(earlier.staying)
        return found

    def memories(self, copy: apsw.Connection) -> list[int]:
        """The row numbers of those that are in a copy."""
        found = query(
            copy, "SELECT m.row, m.id, s.name, m.digest FROM memory m JOIN scope s ON s.row = scope"
        )
        marked = [
            (row, id)
            for row, id, scope, digest in found
            if id in self.told
            or self._is_marked(self.marks.id("memory", id))
            or (digest is not None and self._is_marked(self.marks.memory(scope, digest)))
        ]
        return self._gone("memory", marked)

    def turns(self, copy: apsw.Connection) -> tuple[list[int], list[tuple[int, int, int]]]:
        """The row numbers of those in a copy that went, and the spans that went out of others."""
        found = query(
            copy,
            f"SELECT t.row, t.id, s.name, c.name, t.key, t.digest FROM turn t {TURN_JOINS}",
        )
        marked = list[tuple[int, str]]()
        for row, id, scope, conversation, key, digest in found:
            if (id, digest) in self.staying:
                continue
            said = self.marks.turn(scope, conversation, key, digest)
            if self._is_marked(self.marks.id("turn", id), *said):
                marked.append((row, id))
            else:
                self.staying.add((id, digest))
        said_now = self._said(id for _, id in marked)
        gone, spans = list[int](), list[tuple[int, int, int]]()
        for row, id in marked:
            said = copy.execute(f"SELECT {rows.WHOLE_TURN} FROM turn t WHERE t.row = ?", (row,)).get
            cut = None if id not in said_now else cuts(said or "", said_now[id])
            if cut is None:
                gone.append(row)
            else:
                spans += [(row, start, stop) for start, stop in cut]
        return gone, spans

    def decisions(self, copy: apsw.Connection) -> list[int]:
        found = query(copy, "SELECT row, id FROM decision")
        marked = [each for each in found if self._is_marked(self.marks.id("decision", each[1]))]
        return self._gone("decision", marked)

    def scopes(self, copy: apsw.Connection) -> list[Scope]:
        """Those of a copy that were forgotten as a whole."""
        known = {name for (name,) in query(self.store, "SELECT name FROM scope")}
        found = (name for (name,) in query(copy, "SELECT name FROM scope"))
        return [
            Scope.parse(name)
            for name in found
            if name not in known and self._is_marked(self.marks.id("scope", name))
        ]

    def there(self, noun: str, ids: Sequence[str]) -> frozenset[str]:
        """Which of some ids the store has yet."""
        assert noun in NOUNS
        found = query(
            self.store,
            f"SELECT id FROM {noun} WHERE id IN (SELECT value FROM json_each(?))",
            (json.dumps(list(ids)),),
        )
        return frozenset(id for (id,) in found)

    def _gone(self, noun: str, marked: Sequence[tuple[int, str]]) -> list[int]:
        there = self.there(noun, [id for _, id in marked])
        return [row for row, id in marked if id not in there]

    def _is_marked(self, *marks: bytes) -> bool:
        return not self.tombstones.isdisjoint(marks)

    def _said(self, ids: Iterable[str]) -> dict[str, str]:
        """What the store has of some turns, by their ids."""
        found = query(
            self.store,
            f"""SELECT t.id, {rows.WHOLE_TURN} FROM turn t
            WHERE t.id IN (SELECT value FROM json_each(?))""",
            (json.dumps(list(ids)),),
        )
        return {id: said or "" for id, said in found}


def cuts(before: str, after: str) -> list[tuple[int, int]] | None:
    """The spans that were cut out of a text; None when it did not become the other one so."""
    if before == after:
        return []
    first, *parts = after.split(FORGOTTEN)
    if not parts or not before.startswith(first):
        return None
    spans, reached = list[tuple[int, int]](), len(first)
    for part in parts[:-1]:
        found = before.find(part, reached + 1)
        if found < 0:
            return None
        spans.append((reached, found))
        reached = found + len(part)
    end = len(before) - len(parts[-1])
    if end <= reached or not before.endswith(parts[-1]):
        return None
    return [*spans, (reached, end)]
