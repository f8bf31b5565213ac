"""Which tables a home is carried in, and how a row is known again in another one.

Columns and references are the schema's own, so that a new column comes along by itself. A new
table stands here, or a test fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import apsw

from memoranda.answers import Mode, Outcome
from memoranda.moving import Column, FormOfColumn, Row, Table
from memoranda.passes import Stage
from memoranda.stores.connections import query
from memoranda.types import Kind, Operation, Status

NUMBER = "number"
"""A column that only an archive has: it counts rows that nothing else tells apart."""


@dataclass(frozen=True, slots=True)
class Carried:
    """How the rows of a table come into a home.

    One that has the same values in `known_by` as one that is there is that one. Without these, one
    comes with the row that it names in the first column of `along` which is not null, when that is
    new; and without both, when there are not as many like it, in all columns but those of `blanks`,
    which a forgetting empties. `key` is how others name it, as `Table` has it.
    """

    known_by: tuple[str, ...] = ()
    along: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    blanks: frozenset[str] = frozenset()
    counts: frozenset[str] = frozenset()
    """What may differ without its being another, since it counts or can be found anew."""


CARRIED: Mapping[str, Carried] = {
    "home": Carried(known_by=("name",)),
    "scope": Carried(known_by=("name",), key=("name",)),
    "conversation": Carried(known_by=("scope", "name"), key=("scope", "name")),
    "turn": Carried(known_by=("id",), key=("id",)),
    "passage": Carried(along=("turn",), key=("turn", "start")),
    "memory": Carried(
        known_by=("id",),
        key=("id",),
        counts=frozenset(("terms", "used_at", "use_count", "mention_count")),
    ),
    "topic": Carried(along=("memory",)),
    "source": Carried(along=("memory",)),
    "entity": Carried(known_by=("id",), key=("id",)),
    "alias": Carried(along=("entity",), key=(NUMBER,)),
    "mention": Carried(along=("memory", "turn")),
    "link": Carried(along=("memory", "entity")),
    "pass": Carried(known_by=("id",), key=("id",)),
    "ledger": Carried(blanks=frozenset(("scope", "conversation", "reason", "before", "after"))),
    "unread_turn": Carried(along=("row",)),
    "unreckoned_turn": Carried(along=("row",)),
    "reading": Carried(along=("pass",)),
    "call": Carried(known_by=("id",), key=("id",), counts=frozenset(("request",))),
    "attempt": Carried(along=("call",)),
    "spending": Carried(known_by=("hour",)),
    "offered": Carried(along=("call",)),
    "decision": Carried(known_by=("id",), key=("id",)),
    "neighbour": Carried(along=("decision",)),
    "consequence": Carried(along=("pass",)),
    "contradiction": Carried(known_by=("id",)),
    "serving": Carried(key=(NUMBER,)),
    "served": Carried(along=("serving",)),
    "need": Carried(),
    "tombstone": Carried(known_by=("mark",)),
    "incognito": Carried(known_by=("mark", "since")),
    "switch": Carried(known_by=("mark", "themselves")),
    "kept": Carried(known_by=("mark",)),
    "project": Carried(known_by=("name",), key=("name",)),
    "project_part": Carried(along=("project",)),
    "channel": Carried(known_by=("identity",)),
    "skill": Carried(known_by=("scope", "name")),
}
"""The tables in the order in which they are carried: each after those that it refers to."""

LEFT_OUT: Mapping[str, str] = {
    "memory_vector": "made by `embed`, of the memories",
    "passage_vector": "made by `embed`, of the turns",
    "memory_without_vector": "what `embed` has to do",
    "passage_without_vector": "what `embed` has to do",
    "vector_change": "what other processes follow",
    "memory_without_terms": "done at the next opening",
    "passage_without_terms": "done at the next opening",
    "memory_without_mentions": "done at the next opening",
    "turn_without_mentions": "done at the next opening",
    "purge": "what is to be cleared from the files of that home",
    "doomed_file": "what is to be cleared from the files of that home",
    "file": "which Markdown files that home writes, and when it did; they are written anew",
    "file_line": "what is in these",
}
"""Tables that stay behind, and why."""

LEFT_OUT_OF_HOME = frozenset(("vectors_of", "backup"))
"""What a home knows of itself that is of no other, by the first word of its name.

That is whose vectors there are, and where its backups are.
"""

TIMES = frozenset(
    (
        *("time", "since", "until", "recorded_at", "closed_at", "valid_from", "valid_to"),
        *("valid_to_open", "confirmed_at", "used_at", "began", "ended", "undone", "decided_at"),
        *("found_at", "weighed_at", "settled_at", "hour"),
    )
)
"""The columns of times, in whichever table."""

SCOPES = frozenset((("scope", "name"), ("pass", "scope"), ("decision", "scope")))
JSON = frozenset(
    (
        *(("ledger", "before"), ("ledger", "after")),
        *(("decision", "candidate"), ("decision", "calls"), ("neighbour", "ranks")),
    )
)
CHOICES: Mapping[tuple[str, str], frozenset[str]] = {
    ("ledger", "operation"): frozenset(map(str, Operation)),
    ("decision", "operation"): frozenset(map(str, Operation)),
    ("decision", "stage"): frozenset(map(str, Stage)),
    ("call", "outcome"): frozenset(map(str, Outcome)),
    ("attempt", "outcome"): frozenset(map(str, Outcome)),
    ("attempt", "mode"): frozenset(map(str, Mode)),
    ("neighbour", "kind"): frozenset(map(str, Kind)),
    ("neighbour", "status"): frozenset(map(str, Status)),
}
"""What is one of a few words where the schema does not say so; else its checks do."""

UNDECLARED: Mapping[tuple[str, str], str] = {("unread_turn", "conversation"): "conversation"}
"""References by row that the schema does not declare."""

_FORMS: Mapping[str, FormOfColumn] = {
    "TEXT": "text",
    "INTEGER": "integer",
    "REAL": "real",
    "BLOB": "bytes",
}


def tables(db: apsw.Connection) -> tuple[Table, ...]:
    return tuple(_table(db, name, carried) for name, carried in CARRIED.items())


def _table(db: apsw.Connection, name: str, carried: Carried) -> Table:
    columns = [Column(NUMBER, "integer", False)] if carried.key == (NUMBER,) else []
    columns += [
        _column(name, column, declared, to, is_required or nth > 0)
        for column, declared, is_required, nth, to in query(
            db,
            """SELECT c.name, c.type, c."notnull", c.pk, f."table" FROM pragma_table_xinfo(?1) c
            LEFT JOIN pragma_foreign_key_list(?1) f ON f."from" = c.name
            WHERE c.hidden = 0 AND (c.name <> 'row' OR f."table" IS NOT NULL) ORDER BY c.cid""",
            (name,),
        )
    ]
    return Table(name, tuple(columns), carried.key)


def _column(table: str, name: str, declared: str, to: str | None, required: bool) -> Column:
    place = (table, name)
    to = to or UNDECLARED.get(place)
    form: FormOfColumn = _FORMS[declared]
    if to is not None:
        form = "reference"
    elif place in SCOPES:
        form = "scope"
    elif place in JSON:
        form = "json"
    elif name in TIMES and form == "text":
        form = "time"
    return Column(name, form, not required, to, CHOICES.get(place))


def by_row(db: apsw.Connection, table: Table) -> Mapping[str, str]:
    """Which of the columns name others by their row numbers, and in which table."""
    declared = query(
        db,
        """SELECT "from", "table" FROM pragma_foreign_key_list(?) WHERE "to" = 'row'""",
        (table.name,),
    )
    undeclared = {name: to for (of, name), to in UNDECLARED.items() if of == table.name}
    return dict(declared) | undeclared


def stored(table: Table) -> list[Column]:
    """The columns that stand in the store."""
    return [each for each in table.columns if each.name != NUMBER]


def count(db: apsw.Connection, table: Table) -> int:
    return int(db.execute(f'SELECT count(*) FROM "{table.name}" WHERE {_carried(table)}').get)


def _carried(table: Table) -> str:
    if table.name != "home":
        return "TRUE"
    left_out = ", ".join(map(repr, sorted(LEFT_OUT_OF_HOME)))
    return f"substr(name, 1, instr(name || ' ', ' ') - 1) NOT IN ({left_out})"


class Dump:
    """The rows of a store, within one transaction that reads."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._tables = {each.name: each for each in tables(db)}
        self._keys: dict[str, dict[int, Any]] = {}
        self._named = {to for table in self._tables.values() for to in by_row(db, table).values()}

    def counts(self) -> dict[str, int]:
        return {name: count(self._db, table) for name, table in self._tables.items()}

    def rows(self, name: str) -> Iterator[Row]:
        """The rows of a table, of which those that it refers to were asked for before."""
        table, columns = self._tables[name], stored(self._tables[name])
        names_by_row = by_row(self._db, table)
        numbered = {each[0] for each in query(self._db, _HAS_ROW, (name,))}
        row_column = "row" if numbered else "NULL"
        keys = self._keys[name] = {}
        chosen = ", ".join(f'"{each.name}"' for each in columns)
        order = "row" if numbered else ", ".join(str(n) for n in range(2, len(columns) + 2))
        found = self._db.execute(
            f'SELECT {row_column}, {chosen} FROM "{name}" WHERE {_carried(table)} ORDER BY {order}'
        )
        for number, (row, *values) in enumerate(found, 1):
            told = dict(zip((each.name for each in columns), values, strict=True))
            for column, to in names_by_row.items():
                if told[column] is not None:
                    told[column] = self._keys[to][told[column]]
            if table.key == (NUMBER,):
                told = {NUMBER: number, **told}
            if name in self._named:
                keys[row] = key_of(table, told)
            yield _as_json(told)


_HAS_ROW = "SELECT 1 FROM pragma_table_xinfo(?) WHERE name = 'row'"


def key_of(table: Table, row: Row) -> Any:
    """By what others name a row; one of several columns is a list of them."""
    values = [row[name] for name in table.key]
    return values[0] if len(values) == 1 else values


def _as_json(row: Mapping[str, Any]) -> Row:
    return {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}


def hashable(key: Any) -> Any:
    """A key as what it is looked up by."""
    return tuple(map(hashable, key)) if isinstance(key, list) else key
