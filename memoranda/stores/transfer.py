"""See `protocols.Transfer` for what each method promises."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import Any

import apsw

from memoranda.errors import InvalidInput
from memoranda.moving import Column, Loaded, Row, Table
from memoranda.protocols import RowsOf
from memoranda.stores import carrying, migrate, switches
from memoranda.stores.carrying import CARRIED, NUMBER, hashable, key_of
from memoranda.stores.connections import Connections, query
from memoranda.stores.erasing import delete_conversations, delete_scope_if_empty, erase, keep_out
from memoranda.stores.expiring import expire_turn, leave_to_purge
from memoranda.stores.marks import Marks
from memoranda.text.clean import fingerprint
from memoranda.types import Choice, Doomed, Operation, Scope

SHOWN = 20
"""Of so many rows of a table that are here otherwise it is told which."""

BATCH = 500
"""Rows after which it is told how far it is."""

REGISTER = ("project", "project_part", "channel", "skill", "switch")
"""What comes last, since it names scopes of which nothing may be left by then."""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
_FITS_HOME = {
    "id": re.compile(r"[0-9a-f-]{36}"),
    "created_at": _TIME,
    "secret": re.compile(r"[0-9A-Fa-f]{64}"),
    "told": re.compile(r"[0-9a-f]{32}"),
}
"""What a home knows of itself, by the first word of its name."""
_NOTHING = re.compile(r"(?!)")

ITS_OWN = frozenset((Operation.ENABLE.value, Operation.DISABLE.value))
"""What the ledger of a home may tell in which nothing is."""


class SqliteTransfer:
    """All tables that are carried."""

    def __init__(self, connections: Connections, complete: Callable[[datetime], None]) -> None:
        self._connections = connections
        self._complete = complete

    @property
    def schema(self) -> int:
        return len(migrate.steps())

    def tables(self) -> tuple[Table, ...]:
        with self._connections.reading() as db:
            return carrying.tables(db)

    @contextmanager
    def dump(self) -> Iterator[tuple[Mapping[str, int], RowsOf]]:
        with self._connections.reading() as db, db:  # one snapshot of the file
            dump = carrying.Dump(db)
            yield dump.counts(), dump.rows

    def load(
        self,
        rows: RowsOf,
        *,
        at: datetime,
        by: str,
        advance: Callable[[int], None] = lambda done: None,
    ) -> tuple[Loaded, Doomed]:
        with self._connections.writing() as db:
            loading = _Loading(db, rows, at, by, advance)
            try:
                loading.run()
            except (apsw.ConstraintError, apsw.MismatchError, apsw.TooBigError) as error:
                raise InvalidInput(f"the store cannot keep this: {error}") from error
        self._complete(at)
        return loading.loaded, loading.gone


class _Loading:
    """What becomes of an archive's rows, within one transaction."""

    def __init__(
        self,
        db: apsw.Connection,
        rows: RowsOf,
        at: datetime,
        by: str,
        advance: Callable[[int], None],
    ) -> None:
        self._db = db
        self._asked = rows
        self._at = at
        self._by = by
        self._advance = advance
        self._tables = {each.name: each for each in carrying.tables(db)}
        self._by_row = {name: carrying.by_row(db, each) for name, each in self._tables.items()}
        self._stored = {
            name: [(column.name, column.form == "bytes") for column in carrying.stored(each)]
            for name, each in self._tables.items()
        }
        self._row_of: dict[str, dict[Any, int]] = defaultdict(dict)
        """By the key of a row in the archive, its number here; of those that are here too."""
        self._new: dict[str, set[Any]] = defaultdict(set)
        """The keys of rows that came in."""
        self._next: dict[str, int] = {}
        self._came: Counter[str] = Counter()
        self._known: Counter[str] = Counter()
        self._differing: dict[str, list[str]] = defaultdict(list)
        self._renamed: dict[str, str] = {}
        """Turns that are here under another id."""
        self._cut: set[str] = set()
        """Turns of which other words are left here."""
        self._bare: set[int] = set()
        """Memories that lost a source by that."""
        self._emptied: set[str] = set()
        self.gone = Doomed()
        self.loaded = Loaded()

    def run(self) -> None:
        self._whole = self._is_empty()
        was_on = self._capturing
        home = self._checked_home()
        self._here = Marks.known(self._db)
        self._there = Marks.among(home.items())
        self._memories_here = dict(query(self._db, "SELECT id, row FROM memory"))
        self._tombstones = {mark for (mark,) in query(self._db, "SELECT mark FROM tombstone")}
        self._incognito = self._stretches(
            query(self._db, "SELECT mark, since, until FROM incognito")
        )
        self._forgotten = {
            id
            for (id,) in query(
                self._db,
                "SELECT memory FROM ledger WHERE operation = ? AND memory IS NOT NULL",
                (Operation.FORGET.value,),
            )
        }
        if not self._whole:
            self._forget_here()
        self._load_home(home)
        for name in self._tables:
            if name not in ("home", *REGISTER):
                self._load(name)
        kept_out = self._keep_out()
        for name in REGISTER:
            self._load(name)
        self.loaded = Loaded(
            came=dict(self._came),
            known=dict(self._known),
            differing={name: tuple(some) for name, some in self._differing.items()},
            kept_out=kept_out,
            whole=self._whole,
            switched_on=self._capturing and not was_on,
        )

    # What is here --------------------------------------------------------------------------------

    def _is_empty(self) -> bool:
        """Whether nothing is here yet, but for what a new home knows of itself."""
        for name in self._tables:
            condition = "TRUE"
            if name == "home":
                continue
            if name == "ledger":
                condition = f"operation NOT IN ({', '.join(map(repr, sorted(ITS_OWN)))})"
            if name == "switch":
                condition = "mark <> X''"  # that of the whole home
            if query(self._db, f'SELECT 1 FROM "{name}" WHERE {condition} LIMIT 1'):
                return False
        return True

    @property
    def _capturing(self) -> bool:
        return switches.all_(self._db)[0].on

    def _checked_home(self) -> dict[str, str]:
        home = {}
        for row in self._asked("home"):
            name, value = row["name"], row["value"]
            if not _FITS_HOME.get(name.partition(" ")[0], _NOTHING).fullmatch(value):
                raise InvalidInput(f"{name[:40]!r} is nothing that a home knows of itself")
            home[name] = value
        if "secret" not in home or "id" not in home:
            raise InvalidInput("it lacks the id or the secret of the home")
        return home

    def _stretches(self, rows: Any) -> dict[bytes, list[tuple[str, str | None]]]:
        found: dict[bytes, list[tuple[str, str | None]]] = defaultdict(list)
        for mark, since, until in rows:
            found[mark].append((since, until))
        return found

    def _load_home(self, home: Mapping[str, str]) -> None:
        """An empty home becomes that of the archive; any other learns its secrets only.

        By these it knows again what was forgotten there.
        """
        if self._whole:
            for name, value in home.items():
                self._db.execute("INSERT OR REPLACE INTO home VALUES (?, ?)", (name, value))
            return
        own = {each.secret for each in self._here}
        for each in self._there:
            if each.secret not in own:
                value = each.secret.hex().upper()
                self._db.execute("INSERT OR IGNORE INTO home VALUES (?, ?)", (each.name, value))

    # What was forgotten there --------------------------------------------------------------------

    def _forget_here(self) -> None:
        """Forget what is here and was forgotten there, unless it is in the archive just so.

        What only was old enough to go there stays.
        """
        marks = {bytes.fromhex(row["mark"]) for row in self._asked("tombstone")}
        stretches = self._stretches(
            (bytes.fromhex(row["mark"]), row["since"], row["until"])
            for row in self._asked("incognito")
        )
        marks -= self._tombstones
        stretches = {
            mark: some for mark, some in stretches.items() if self._incognito.get(mark) != some
        }
        there = {row["id"] for row in self._asked("memory")}
        ids = {
            row["memory"]
            for row in self._asked("ledger")
            if row["operation"] == Operation.FORGET and row["memory"] in self._memories_here
        }
        for id, scope, digest in (
            query(
                self._db,
                "SELECT m.id, s.name, m.digest FROM memory m JOIN scope s ON s.row = m.scope",
            )
            if marks
            else ()
        ):
            if digest is not None and self._marked(marks, "memory", scope, digest):
                ids.add(id)
        ids -= there
        if marks or stretches:
            ids |= self._turns_to_forget(marks, stretches)
        if ids:
            scopes = tuple(
                Scope.parse(name) for (name,) in query(self._db, "SELECT name FROM scope")
            )
            choice = Choice(ids=tuple(sorted(ids)))
            self.gone = erase(self._db, choice, scopes, self._at, self._by)
            self._memories_here = dict(query(self._db, "SELECT id, row FROM memory"))

    def _marked(self, marks: set[bytes], kind: str, *of: Any) -> bool:
        return any(getattr(each, kind)(*of) in marks for each in self._there)

    def _turns_to_forget(
        self, marks: set[bytes], stretches: Mapping[bytes, list[tuple[str, str | None]]]
    ) -> set[str]:
        there = {row["id"]: row["digest"] for row in self._asked("turn")}
        found = set()
        for id, scope, name, key, digest, time in query(
            self._db,
            """SELECT t.id, s.name, c.name, t.key, t.digest, t.time FROM turn t
            JOIN conversation c ON c.row = t.conversation JOIN scope s ON s.row = c.scope""",
        ):
            if there.get(id) == digest.hex():
                continue
            was = self._is_marked_turn(self._there, marks, scope, name, key, digest)
            unkept = self._is_unkept(self._there, stretches, scope, name, time)
            if was == "forgotten" or unkept:
                found.add(id)
        return found

    @staticmethod
    def _is_marked_turn(
        by: tuple[Marks, ...],
        marks: set[bytes],
        scope: str,
        conversation: str,
        key: str | None,
        digest: bytes,
    ) -> str | None:
        """Whether a turn is known as one that was forgotten, or as one that expired."""
        for each in by:
            if not marks.isdisjoint(each.turn(scope, conversation, key, digest)):
                expired = each.expired(scope, conversation, digest) in marks
                return "expired" if expired else "forgotten"
        return None

    @staticmethod
    def _is_unkept(
        by: tuple[Marks, ...],
        stretches: Mapping[bytes, list[tuple[str, str | None]]],
        scope: str,
        conversation: str,
        time: str,
    ) -> bool:
        return any(
            since <= time and (until is None or time < until)
            for each in by
            for since, until in stretches.get(each.conversation(scope, conversation), ())
        )

    # What comes ----------------------------------------------------------------------------------

    def _rows(self, name: str) -> Iterator[Row]:
        done = 0
        for row in self._asked(name):
            yield row
            done += 1
            if done == BATCH:
                self._advance(done)
                done = 0
        self._advance(done)

    def _load(self, name: str) -> None:
        special = getattr(self, f"_load_{name}", None)
        if special is not None:
            special()
        elif CARRIED[name].known_by:
            self._load_known(name)
        elif CARRIED[name].along:
            self._load_along(name)
        else:
            self._load_counted(name)

    def _next_row(self, name: str) -> int:
        if name not in self._next:
            last = self._db.execute(f'SELECT max(row) FROM "{name}"').get or 0
            given = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (name,)).get
            self._next[name] = max(last, given or 0)
        self._next[name] += 1
        return self._next[name]

    @cached_property
    def _with_row(self) -> frozenset[str]:
        """The tables whose rows have a number of their own, which nothing else tells."""
        return frozenset(
            name
            for name in self._tables
            if query(self._db, "SELECT 1 FROM pragma_table_xinfo(?) WHERE name = 'row'", (name,))
            and "row" not in {each.name for each in self._tables[name].columns}
        )

    def _values(self, name: str, row: Row) -> dict[str, Any] | None:
        """What is stored of a row, with the references of here; None when one leads nowhere."""
        # Not more than the row has: an older one has fewer.
        values = {
            column: bytes.fromhex(row[column])
            if is_bytes and row[column] is not None
            else row[column]
            for column, is_bytes in self._stored[name]
            if column in row
        }
        for column, to in self._by_row[name].items():
            key = row.get(column)
            if key is not None:
                found = self._row_there(to, key)
                if found is None:
                    return None
                values[column] = found
        return values

    def _row_there(self, to: str, key: Any) -> int | None:
        if to == "entity":
            return self._entity(key)
        if to == "alias":
            return self._alias(key)
        return self._row_of[to].get(hashable(key))

    def _insert(self, name: str, row: Row, values: Mapping[str, Any]) -> int | None:
        """Put a row in; returns its number, if it has one."""
        number = None
        if name in self._with_row:
            number = self._next_row(name)
            values = {"row": number, **values}
        self._db.execute(
            f'INSERT INTO "{name}" ({", ".join(map(_quoted, values))}) '
            f"VALUES ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )
        self._came[name] += 1
        table = self._tables[name]
        if table.key:
            key = hashable(key_of(table, row))
            self._new[name].add(key)
            if number is not None:
                self._row_of[name][key] = number
        return number

    def _load_known(self, name: str) -> None:
        """Rows that are known by what they hold."""
        for row in self._rows(name):
            values = self._values(name, row)
            if values is None or self._names_emptied(name, row):
                continue
            there = self._there_already(name, values)
            if there is None:
                self._insert(name, row, values)
            else:
                self._leave(name, row, values, there)

    def _there_already(self, name: str, values: Mapping[str, Any]) -> dict[str, Any] | None:
        known_by = CARRIED[name].known_by
        number = "row, " if name in self._with_row else ""
        cursor = self._db.execute(
            f'SELECT {number}{", ".join(map(_quoted, values))} FROM "{name}" '
            f"WHERE {' AND '.join(f'{_quoted(each)} = ?' for each in known_by)}",
            tuple(values[each] for each in known_by),
        )
        found = cursor.fetchone()
        if found is None:
            return None
        return dict(zip(["row", *values] if number else values, found, strict=True))

    def _leave(
        self, name: str, row: Row, values: Mapping[str, Any], there: Mapping[str, Any]
    ) -> None:
        """What is here stays; it is told if the archive has it otherwise."""
        table = self._tables[name]
        self._known[name] += 1
        if table.key and "row" in there:
            self._row_of[name][hashable(key_of(table, row))] = there["row"]
        counts = CARRIED[name].counts
        if any(there[each] != value for each, value in values.items() if each not in counts):
            self._tell_differing(name, row)

    def _tell_differing(self, name: str, row: Row) -> None:
        told = self._differing[name]
        if len(told) < SHOWN:
            told.append(str(row[CARRIED[name].known_by[-1]]))

    def _load_along(self, name: str) -> None:
        """Rows that come with another one, if that is new."""
        for row in self._rows(name):
            if not self._comes_along(name, row) or self._names_emptied(name, row):
                self._known[name] += 1
                continue
            values = self._values(name, row)
            if values is not None:
                self._insert(name, self._with_ids_of_here(name, row, values), values)

    def _comes_along(self, name: str, row: Row) -> bool:
        table = self._tables[name]
        to = {each.name: each.to for each in table.columns}
        for column in CARRIED[name].along:
            if row.get(column) is not None:
                return hashable(row[column]) in self._new[to[column] or ""]
        return False

    def _with_ids_of_here(self, name: str, row: Row, values: dict[str, Any]) -> Row:
        """Turns are called as they are here where a row names them by their ids."""
        if self._renamed and name in ("reading", "offered"):
            values["turn"] = self._renamed.get(values["turn"], values["turn"])
        return row

    def _load_counted(self, name: str) -> None:
        """Rows that nothing but what they hold tells apart."""
        there = self._counted_here(name)
        for row in self._rows(name):
            values = self._values(name, row)
            if values is None:
                continue
            like = self._likeness(name, values)
            if there[like] > 0:
                there[like] -= 1
                self._known[name] += 1
            else:
                self._insert(name, row, values)

    def _counted_here(self, name: str) -> Counter[tuple[Any, ...]]:
        columns = [each.name for each in self._compared(name)]
        found = query(
            self._db,
            f'SELECT {", ".join(map(_quoted, columns))}, count(*) FROM "{name}" '
            f"GROUP BY {', '.join(map(_quoted, columns))}",
        )
        return Counter({tuple(row[:-1]): row[-1] for row in found})

    def _compared(self, name: str) -> list[Column]:
        blanks = CARRIED[name].blanks
        return [each for each in carrying.stored(self._tables[name]) if each.name not in blanks]

    def _likeness(self, name: str, values: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(values.get(each.name) for each in self._compared(name))

    # Tables of which there is more to say ---------------------------------------------------------

    def _load_turn(self) -> None:
        ids = {row["id"] for row in self._asked("turn")}
        here = {
            id: (row, digest)
            for id, row, digest in query(self._db, "SELECT id, row, digest FROM turn")
        }
        claimed: set[int] = set()
        for row in self._rows("turn"):
            values = self._values("turn", row)
            if values is None:
                continue
            id = row["id"]
            if id in here:
                self._know_turn(id, here[id][0])
                if here[id][1] != values["digest"]:
                    self._cut.add(id)
                    self._tell_differing("turn", row)
                continue
            if hashable(row["conversation"]) not in self._new["conversation"]:
                same = self._same_turn(values, ids, claimed)
                if same is not None:
                    claimed.add(same[0])
                    self._renamed[id] = same[1]
                    self._know_turn(id, same[0])
                    continue
            self._insert("turn", row, values)

    def _know_turn(self, id: str, row: int) -> None:
        self._known["turn"] += 1
        self._row_of["turn"][id] = row
        for passage, start in query(
            self._db, "SELECT row, start FROM passage WHERE turn = ?", (row,)
        ):
            self._row_of["passage"][(id, start)] = passage

    def _same_turn(
        self, values: Mapping[str, Any], ids: set[str], claimed: set[int]
    ) -> tuple[int, str] | None:
        """The turn of another id that is this one, by the caller's own id or by what it says."""
        condition = "key = :key" if values["key"] is not None else "digest = :digest"
        for row, id in query(
            self._db,
            f"SELECT row, id FROM turn WHERE conversation = :conversation AND {condition} "
            "ORDER BY row",
            {name: values[name] for name in ("conversation", "key", "digest")},
        ):
            if row not in claimed and (values["key"] is not None or id not in ids):
                return row, id
        return None

    def _load_passage(self) -> None:
        """A passage may name one that comes later; that is noted afterwards."""
        later = []
        for row in self._rows("passage"):
            if row["turn"] not in self._new["turn"]:
                self._known["passage"] += 1
                continue
            before = row.get("previous")
            waits = before is not None and hashable(before) not in self._row_of["passage"]
            values = self._values("passage", {**row, "previous": None} if waits else row)
            if values is not None:
                number = self._insert("passage", row, values)
                if waits:
                    later.append((hashable(before), number))
        for key, number in later:
            if key in self._row_of["passage"]:
                self._db.execute(
                    "UPDATE passage SET previous = ? WHERE row = ?",
                    (self._row_of["passage"][key], number),
                )

    def _load_source(self) -> None:
        for row in self._rows("source"):
            if row["memory"] not in self._new["memory"]:
                self._known["source"] += 1
            elif row["turn"] in self._cut:  # it may rest on the very words that are gone
                self._bare.add(self._row_of["memory"][row["memory"]])
            else:
                values = self._values("source", row)
                if values is not None:
                    self._insert("source", row, values)

    def _load_unread_turn(self) -> None:
        self._load_list_of_turns("unread_turn")

    def _load_unreckoned_turn(self) -> None:
        self._load_list_of_turns("unreckoned_turn")

    def _load_list_of_turns(self, name: str) -> None:
        """What waits of the new turns: the schema itself takes all of them for waiting."""
        self._db.executemany(
            f'DELETE FROM "{name}" WHERE row = ?',
            [(self._row_of["turn"][id],) for id in self._new["turn"]],
        )
        self._load_along(name)

    def _load_ledger(self) -> None:
        """What is told of memories that come, and of what is neither here nor there any more."""
        there = self._counted_here("ledger")
        for row in self._rows("ledger"):
            values = self._values("ledger", row)
            if values is None:
                continue
            like = self._likeness("ledger", values)
            memory = row["memory"]
            if memory in self._memories_here or there[like] > 0:
                there[like] -= 1
                self._known["ledger"] += 1
            else:
                self._insert("ledger", row, self._told_here(row, values))

    def _told_here(self, row: Row, values: dict[str, Any]) -> dict[str, Any]:
        """An entry, with turns called as they are here, and without words that were forgotten."""
        for name in ("before", "after"):
            text = values.get(name)
            if text is None:
                continue
            if self._renamed:
                for old, new in self._renamed.items():
                    text = text.replace(json.dumps(old), json.dumps(new)) if old in text else text
                values[name] = text
            if self._tombstones and self._says_forgotten(text, row["scope"]):
                return {**values, "before": None, "after": None, "reason": None}
        return values

    def _says_forgotten(self, told: str, scope: str | None) -> bool:
        fields = json.loads(told)
        content = fields.get("content") if isinstance(fields, dict) else None
        if not isinstance(content, str) or scope is None:
            return False
        digest = fingerprint(content)
        return any(each.memory(scope, digest) in self._tombstones for each in self._here)

    def _load_contradiction(self) -> None:
        """One pair is one contradiction, whichever found it."""
        for row in self._rows("contradiction"):
            values = self._values("contradiction", row)
            if values is None:
                continue
            there = self._there_already("contradiction", values)
            pair = (values["memory"], values["against"])
            if there is not None:
                self._leave("contradiction", row, values, there)
            elif query(
                self._db, "SELECT 1 FROM contradiction WHERE memory = ? AND against = ?", pair
            ):
                self._known["contradiction"] += 1
            else:
                self._insert("contradiction", row, values)

    def _load_switch(self) -> None:
        """Who was not captured there is not captured here; whether the home captures, it says.

        Unless nothing was here, which then is the home of the archive.
        """
        mark = Marks.of(self._db).scope
        for row in self._rows("switch"):
            values = self._values("switch", row) or {}
            if values["mark"] == switches.HOME:
                if self._whole and not self._capturing:
                    self._db.execute("DELETE FROM switch WHERE mark = ?", (switches.HOME,))
                else:
                    self._known["switch"] += 1
                    continue
            elif values["name"] is not None:
                values["mark"] = mark(values["name"])  # as it can be told of here
            there = self._there_already("switch", values)
            if there is None:
                self._insert("switch", row, values)
            else:
                self._known["switch"] += 1
        switches.take_names(self._db, None)

    # Names ---------------------------------------------------------------------------------------

    def _load_entity(self) -> None:
        """An entity comes when something that mentions it does; so does an alias."""
        _ = self._entities

    def _load_alias(self) -> None:
        _ = self._aliases

    @cached_property
    def _entities(self) -> dict[str, Row]:
        return {row["id"]: row for row in self._rows("entity")}

    @cached_property
    def _aliases(self) -> dict[int, Row]:
        return {row[NUMBER]: row for row in self._rows("alias")}

    @cached_property
    def _aliases_of(self) -> Mapping[str, list[Row]]:
        found: dict[str, list[Row]] = defaultdict(list)
        for row in self._aliases.values():
            found[row["entity"]].append(row)
        return found

    def _entity(self, id: str) -> int | None:
        """The entity that one of the archive is here: by its id, or by what it is called.

        A name that one entity of a scope has stands for that one.
        """
        known = self._row_of["entity"].get(id)
        if known is not None:
            return known
        row = self._entities[id]
        found = self._db.execute("SELECT row FROM entity WHERE id = ?", (id,)).get
        for alias in self._aliases_of[id]:
            if found is None and alias["own"]:
                found = self._called(row["scope"], alias["name"])
        if found is not None:
            self._known["entity"] += 1
            self._row_of["entity"][id] = int(found)
            return int(found)
        values = self._values("entity", row)
        if values is None:
            return None
        number = self._insert("entity", row, values)
        for alias in self._aliases_of[id]:
            self._insert("alias", alias, self._values("alias", alias) or {})
        return number

    def _called(self, scope: str, name: str) -> int | None:
        found = query(
            self._db,
            """SELECT DISTINCT e.row, a.own FROM alias a JOIN entity e ON e.row = a.entity
            JOIN scope s ON s.row = e.scope WHERE a.name = ? AND s.name = ?
            ORDER BY a.own DESC, a.row""",
            (name, scope),
        )
        if not found or (not found[0][1] and len({row for row, _ in found}) > 1):
            return None
        return int(found[0][0])

    def _alias(self, number: int) -> int | None:
        known = self._row_of["alias"].get(number)
        if known is not None:
            return known
        row = self._aliases[number]
        entity = self._entity(row["entity"])
        if entity is None:
            return None
        known = self._row_of["alias"].get(number)
        if known is not None:
            return known
        found = self._db.execute(
            "SELECT row FROM alias WHERE entity = ? AND name = ? ORDER BY row",
            (entity, row["name"]),
        ).get
        if found is None:
            self._insert("alias", row, {"entity": entity, "name": row["name"], "own": 0})
            return self._row_of["alias"][number]
        self._known["alias"] += 1
        self._row_of["alias"][number] = int(found)
        return int(found)

    def _look_anew_at_names(self) -> None:
        """Let new memories be found by what the entities are called here."""
        others = [
            entity for id, entity in self._row_of["entity"].items() if id not in self._new["entity"]
        ]
        rows = {self._row_of["memory"][id] for id in self._new["memory"]}
        if others and rows:
            self._db.execute(
                """INSERT OR IGNORE INTO memory_without_terms SELECT n.memory
                FROM mention n JOIN alias a ON a.row = n.alias
                WHERE n.memory IN (SELECT value FROM json_each(?)) AND n.start IS NULL
                  AND a.entity IN (SELECT value FROM json_each(?))""",
                (json.dumps(sorted(rows)), json.dumps(sorted(others))),
            )

    # What stays out ------------------------------------------------------------------------------

    def _keep_out(self) -> dict[str, tuple[str, ...]]:
        """Take out again what was forgotten here, and what must not dangle without it."""
        self._look_anew_at_names()
        turns, expired = self._unwanted_turns()
        memories = self._unwanted_memories()
        for row, scope, name in expired:
            expire_turn(self._db, row, scope, name)
        if expired:
            leave_to_purge(self._db, self._at)
        out = Doomed()
        if turns or memories or expired:
            out = keep_out(self._db, memories, turns, self._at)
            self._delete_emptied()
        self._came["turn"] -= len(out.turns) + len(expired)
        self._came["memory"] -= len(out.memories)
        self._came["decision"] -= len(out.candidates)
        self._untie()
        told = {
            "memory": out.memories,
            "turn": (*out.turns, *(id for id in self._expired_ids)),
            "decision": out.candidates,
        }
        return {name: ids for name, ids in told.items() if ids}

    def _unwanted_turns(self) -> tuple[list[int], list[tuple[int, str, str]]]:
        """The rows of new turns that were forgotten here or said incognito, and that expired."""
        turns: list[int] = []
        expired: list[tuple[int, str, str]] = []
        self._expired_ids: list[str] = []
        if not (self._tombstones or self._incognito):
            return turns, expired
        for id in sorted(self._new["turn"]):
            row = self._row_of["turn"][id]
            ((scope, name, key, digest, time),) = query(
                self._db,
                """SELECT s.name, c.name, t.key, t.digest, t.time FROM turn t
                JOIN conversation c ON c.row = t.conversation JOIN scope s ON s.row = c.scope
                WHERE t.row = ?""",
                (row,),
            )
            was = self._is_marked_turn(self._here, self._tombstones, scope, name, key, digest)
            if was == "expired":
                expired.append((row, scope, name))
                self._expired_ids.append(id)
            elif was or self._is_unkept(self._here, self._incognito, scope, name, time):
                turns.append(row)
        return turns, expired

    def _unwanted_memories(self) -> list[int]:
        unwanted = []
        for id in sorted(self._new["memory"]):
            row = self._row_of["memory"][id]
            ((scope, digest, has_source),) = query(
                self._db,
                """SELECT s.name, m.digest, EXISTS (SELECT 1 FROM source WHERE memory = m.row)
                FROM memory m JOIN scope s ON s.row = m.scope WHERE m.row = ?""",
                (row,),
            )
            marked = digest is not None and any(
                each.memory(scope, digest) in self._tombstones for each in self._here
            )
            if marked or id in self._forgotten or (row in self._bare and not has_source):
                unwanted.append(row)
        return unwanted

    def _delete_emptied(self) -> None:
        """Delete new conversations and scopes of which nothing is left: a name is a trace too."""
        new = [self._row_of["conversation"][key] for key in self._new["conversation"]]
        empty = query(
            self._db,
            """SELECT row FROM conversation WHERE row IN (SELECT value FROM json_each(?))
            AND NOT EXISTS (SELECT 1 FROM turn WHERE conversation = conversation.row)""",
            (json.dumps(new),),
        )
        delete_conversations(self._db, empty)
        for name in sorted(self._new["scope"]):
            if delete_scope_if_empty(self._db, Scope.parse(name)):
                self._emptied.add(name)
                self._row_of["scope"].pop(name, None)

    def _untie(self) -> None:
        """No new memory names one as its successor that is not here."""
        self._db.executemany(
            """UPDATE memory SET superseded_by = NULL WHERE row = ?
            AND superseded_by NOT IN (SELECT id FROM memory)""",
            [(self._row_of["memory"][id],) for id in sorted(self._new["memory"])],
        )

    def _names_emptied(self, name: str, row: Row) -> bool:
        """Whether a row tells of a person, a profile or a project of whom nothing is left here."""
        if not self._emptied:
            return False
        named = {
            "project": (f"project:{row.get('name')}",),
            "project_part": (f"project:{row.get('project')}", f"profile:{row.get('profile')}"),
            "channel": (f"user:{row.get('person')}",),
        }
        return not self._emptied.isdisjoint(named.get(name, ()))


def _quoted(name: str) -> str:
    return f'"{name}"'
