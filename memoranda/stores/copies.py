"""Copies of a store: made while others write, compared with what was copied, made anew.

See `protocols.Copies` for what each method promises.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memoranda.errors import StoreError
from memoranda.saved import Difference, Held, Noted
from memoranda.stores import migrate, preview
from memoranda.stores.connections import Connections, connect, query, reported
from memoranda.stores.erasing import erase_again
from memoranda.stores.forgotten import Forgotten
from memoranda.stores.keys import FILE
from memoranda.stores.rows import moment_or_none, time_text
from memoranda.types import Doomed, Operation

if TYPE_CHECKING:
    from memoranda.stores.sqlite import SqliteStore

OWN = "backup"
"""How the names in `home` begin of what a store notes of its backups, and no copy is about."""

OWED = "backup owed"
OWED_FILES = "backup owed files"
PLACE = "backup at "

ROWS = 500
"""Rows that are read at a time."""

STEPS = 1000
"""Instructions of SQLite after which it is sure to be copying, and what it copies is settled."""


class SqliteCopies:
    """Copies of the store that some connections are to."""

    def __init__(
        self,
        connections: Connections,
        timeout: float,
        opened: Callable[[Path], SqliteStore],
    ) -> None:
        self._connections = connections
        self._timeout = timeout
        self._opened = opened
        self._forgotten: Forgotten | None = None

    def home(self) -> str:
        with self._connections.reading() as db:
            return home_of(db)

    def forgotten(self) -> str:
        with self._connections.reading() as db:
            return _forgotten(db)

    def held(self) -> Held:
        with self._connections.reading() as db:
            db.execute("BEGIN")
            try:
                return held_by(db)
            finally:
                db.execute("ROLLBACK")

    def make(self, to: Path) -> Held:
        path = self._connections.path
        with reported(path), _frozen(path, self._timeout) as (frozen, thaw):
            with reported(to), open_file(path, self._timeout) as copying:
                copying.set_progress_handler(thaw, STEPS)
                copying.execute("VACUUM INTO ?", (str(to),))
            thaw()
            copied = held_by(frozen)
        to.chmod(0o600)
        found = self.check(to)
        if found != copied:
            raise StoreError(f"{to} is not what was copied; make the backup anew")
        return found

    def check(self, copy: Path) -> Held:
        return check(copy, self._timeout, keys_in=self._keys)

    @property
    def _keys(self) -> Path:
        return self._connections.path.with_name(FILE)

    def without_forgotten(self, copy: Path, to: Path, *, at: datetime) -> Held | None:
        with self._connections.reading() as db:
            forgotten = self._forgotten = Forgotten.by(db, self._forgotten)
            if not _may_hold(copy, forgotten, self._timeout, self._keys):
                return None
            with preview.folder_for_copy(self._connections.path.parent) as folder:
                work = bring(copy, folder, self._keys)
                with closing(self._opened(work)) as store:
                    if forget_again(store, forgotten, at=at) is None:
                        return None
                    with open_file(work, self._timeout) as done:
                        preview.copy(done, to)
        return self.check(to)

    # What is noted

    def noted(self) -> list[Noted]:
        with self._connections.reading() as db:
            return noted_by(db)

    def note(self, noted: Noted) -> None:
        with self._connections.writing() as db:
            note(db, noted)

    def drop(self, place: str) -> None:
        with self._connections.writing() as db:
            db.execute("DELETE FROM home WHERE name = ?", (PLACE + place,))

    def owed(self) -> tuple[str | None, str | None]:
        with self._connections.reading() as db:
            return owed_by(db)

    def owe_files(self) -> None:
        with self._connections.writing() as db:
            owe(db, OWED_FILES)

    def settle(self, owed: tuple[str | None, str | None]) -> None:
        with self._connections.writing() as db:
            for name, value in zip((OWED, OWED_FILES), owed, strict=True):
                db.execute("DELETE FROM home WHERE name = ? AND value = ?", (name, value))


@contextmanager
def open_file(
    path: Path, timeout: float, *, keys_in: Path | None = None
) -> Iterator[apsw.Connection]:
    """A file of ours by its path, the store's or a copy's: the one place that opens one."""
    db = connect(path, timeout, keys_in=keys_in)
    try:
        yield db
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")
        db.close()


@contextmanager
def _frozen(path: Path, timeout: float) -> Iterator[tuple[apsw.Connection, Callable[[], bool]]]:
    """A connection that reads a store as it was at one moment, at which another begins to copy it.

    Nobody writes from that moment until what is yielded besides is called, which must be at once.
    So both see the same, though SQLite copies within no transaction of others.
    """
    with open_file(path, timeout) as writing, open_file(path, timeout) as reading:

        def thaw() -> bool:
            if writing.in_transaction:
                writing.execute("ROLLBACK")
            return False  # which is how SQLite is told to go on

        writing.execute("BEGIN IMMEDIATE")
        reading.execute("BEGIN")
        reading.execute("SELECT 1 FROM home").fetchall()  # BEGIN alone looks at nothing yet
        yield reading, thaw


def check(copy: Path, timeout: float, *, keys_in: Path | None = None) -> Held:
    """What a copy holds. Raises StoreError when it is not sound."""
    with reported(copy), open_file(copy, timeout, keys_in=keys_in) as db:
        if int(db.pragma("application_id")) != migrate.APPLICATION_ID:
            raise StoreError(f"{copy} is no copy of a store")
        if problems := list(migrate.find_problems(db)):
            raise StoreError(f"{copy} is not sound: {problems[0]}")
        return held_by(db)


def held_by(db: apsw.Connection) -> Held:
    """What a store holds; within a transaction, at one moment."""
    counts, digest = _summed(db)
    return Held(
        home=home_of(db),
        schema=migrate.version(db),
        counts=counts,
        contents=digest,
        forgotten=_forgotten(db),
        newest=newest(db),
    )


def home_of(db: apsw.Connection) -> str:
    return str(query(db, "SELECT value FROM home WHERE name = 'id'")[0][0])


def newest(db: apsw.Connection) -> datetime | None:
    """When the last thing came in; that something was forgotten, and maybe in a copy, is none."""
    ((latest,),) = query(
        db,
        """SELECT max(coalesce((SELECT max(recorded_at) FROM turn), ''),
          coalesce((SELECT max(recorded_at) FROM memory), ''),
          coalesce((SELECT time FROM ledger WHERE operation <> ?
            ORDER BY row DESC LIMIT 1), ''))""",
        (Operation.FORGET.value,),
    )
    return moment_or_none(latest or None)


def _summed(db: apsw.Connection) -> tuple[dict[str, int], str]:
    """The rows of every table, and a checksum over what they say, in the order they stand in.

    The indexes are left out, which are made of these; so is what is noted of backups themselves.
    """
    from hashlib import sha256
    from marshal import dumps  # of version 2, which writes the same values the same way always

    counts, digest = dict[str, int](), sha256()
    tables = query(
        db,
        """SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
        AND name NOT GLOB 'sqlite_*' ORDER BY name""",
    )
    for (table,) in tables:
        where = f"WHERE name NOT GLOB '{OWN} *'" if table == "home" else ""
        found = db.execute(f"SELECT * FROM {table} NOT INDEXED {where}")
        digest.update(table.encode())
        counts[table] = 0
        while some := list(islice(found, ROWS)):
            counts[table] += len(some)
            digest.update(dumps(some, 2))
    return counts, digest.hexdigest()


def _forgotten(db: apsw.Connection) -> str:
    from hashlib import sha256

    digest = sha256()
    for (mark,) in db.execute("SELECT mark FROM tombstone ORDER BY mark"):
        digest.update(mark)
    return digest.hexdigest()


def bring(copy: Path, folder: Path, keys_in: Path | None) -> Path:
    """Put a copy into a folder, where it is opened as a store; nobody writes a copy meanwhile.

    With it comes the file with its keys, if there is one.
    """
    import shutil

    work = folder / "memory.db"
    shutil.copyfile(copy, work)
    work.chmod(0o600)
    if keys_in is not None and keys_in.exists():
        shutil.copyfile(keys_in, folder / FILE)
        (folder / FILE).chmod(0o600)
    return work


def _may_hold(copy: Path, forgotten: Forgotten, timeout: float, keys_in: Path) -> bool:
    """Whether a copy holds anything that was forgotten since; one that is older may."""
    with reported(copy), open_file(copy, timeout, keys_in=keys_in) as db:
        if migrate.version(db) < len(migrate.steps()):
            return True
        return bool(
            forgotten.memories(db)
            or forgotten.decisions(db)
            or forgotten.scopes(db)
            or any(forgotten.turns(db))
        )


def forget_again(store: SqliteStore, forgotten: Forgotten, *, at: datetime) -> Doomed | None:
    """Have a copy, opened as a store, forget what another has; None when that is nothing."""
    doomed = store.forget_again(lambda db: erase_again(db, forgotten, at, "backup"), at=at)
    if doomed is not None:
        store.purge()
    return doomed


def carry_over(db: apsw.Connection, present: apsw.Connection) -> None:
    """Let a copy that takes the place of a store have what must not be undone by going back.

    That is what was forgotten, which conversations are incognito, what is captured, and what is
    known of backups. Inside a transaction.
    """
    if _secret(db) == _secret(present):
        db.execute("DELETE FROM switch")
        for table in ("tombstone", "incognito", "switch"):
            found = query(present, f"SELECT * FROM {table}")
            blanks = ", ".join("?" * len(found[0])) if found else ""
            if found:
                db.executemany(f"INSERT OR IGNORE INTO {table} VALUES ({blanks})", found)
    elif not query(present, "SELECT 1 FROM switch WHERE mark = X'' AND is_on"):
        db.execute("DELETE FROM switch WHERE mark = X''")
    notes = query(present, f"SELECT name, value FROM home WHERE name GLOB '{OWN} *'")
    db.executemany("INSERT OR REPLACE INTO home VALUES (?, ?)", notes)


def _secret(db: apsw.Connection) -> object:
    return query(db, "SELECT value FROM home WHERE name = 'secret'")


def let_go_of_files(db: apsw.Connection) -> None:
    """Know nothing of what files held, so that nothing in them counts as an edit of this state.

    Those of agents are kept on being written.
    """
    db.execute("DELETE FROM file WHERE form <> 'hermes'")
    db.execute("DELETE FROM file_line")
    db.execute("UPDATE file SET mark = -1, stamp = NULL")


def differences(copy: apsw.Connection, present: apsw.Connection) -> dict[str, Difference]:
    """By noun, what a copy has that the present store has not, and the other way about."""
    told = {}
    for noun in ("memory", "turn"):
        one = {id for (id,) in query(copy, f"SELECT id FROM {noun}")}
        other = {id for (id,) in query(present, f"SELECT id FROM {noun}")}
        told[noun] = Difference(back=len(one - other), lost=len(other - one))
    return told


# Notes, inside a transaction ----------------------------------------------------------------------


def note(db: apsw.Connection, noted: Noted) -> None:
    value = {
        "id": noted.id,
        "at": time_text(noted.verified_at),
        "same_disk": noted.same_disk,
        "home": noted.home,
    }
    db.execute(
        "INSERT OR REPLACE INTO home VALUES (?, ?)", (PLACE + noted.place, json.dumps(value))
    )


def noted_by(db: apsw.Connection) -> list[Noted]:
    notes = list[Noted]()
    for name, value in query(db, f"SELECT name, value FROM home WHERE name GLOB '{PLACE}*'"):
        told = json.loads(value)
        at = moment_or_none(told["at"])
        assert at is not None
        place = name.removeprefix(PLACE)
        notes.append(Noted(place, told["id"], at, told["same_disk"], told["home"]))
    return notes


def owed_by(db: apsw.Connection) -> tuple[str | None, str | None]:
    found = dict(query(db, "SELECT name, value FROM home WHERE name GLOB 'backup owed*'"))
    return found.get(OWED), found.get(OWED_FILES)


def owe(db: apsw.Connection, name: str = OWED) -> None:
    """Note that backups may hold what was just forgotten, if there are any."""
    db.execute(
        f"""INSERT OR REPLACE INTO home
        SELECT ?, hex(randomblob(8)) WHERE EXISTS (
          SELECT 1 FROM home WHERE name GLOB '{PLACE}*')""",
        (name,),
    )
