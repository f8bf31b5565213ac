"""Looking a store over, whether or not it can be opened. See `protocols.Examined`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

import apsw

from memoranda.errors import HomeError, Locked, MemorandaError, StoreError
from memoranda.soundness import Condition, Dangling, VectorsFound
from memoranda.stores import cipher, copies, keys, migrate, preview
from memoranda.stores.connections import query, reported
from memoranda.stores.keys import NEXT, Holder
from memoranda.stores.lock import HomeLock, InUse
from memoranda.stores.looking import View
from memoranda.stores.opening import LOCK_FILE, usable
from memoranda.stores.rows import moment_or_none

LONG_AGO = 3600.0
"""Seconds after which what is being made is made no more."""

MAKING = "making-"

VECTORS = ("memory", "passage")

DAMAGE = (apsw.CorruptError, apsw.IOError)


class SqliteExamined:
    """A file as it is now."""

    def __init__(self, path: Path, *, timeout: float = 1.0) -> None:
        self.path = path
        self._timeout = timeout
        self._view: View | None = None
        self._db: apsw.Connection | None = None
        self._lock: HomeLock | None = None
        self.condition, self.why = Condition.OURS, ""
        try:
            self.condition = self._opened()
        except InUse as error:
            self.condition, self.why = Condition.IN_USE, str(error)
        except Locked as error:
            self.condition, self.why = Condition.LOCKED, str(error)
        except (MemorandaError, OSError, apsw.Error) as error:
            if self.condition == Condition.OURS:
                self.condition = Condition.UNREADABLE
            self.why = str(error)

    def _opened(self) -> Condition:
        """Open it as far as that goes, saying on the way what it is."""
        try:
            size = self.path.stat().st_size if not self.path.is_dir() else None
        except FileNotFoundError:
            return Condition.MISSING
        if size is None:
            self.condition = Condition.STRANGE
            raise HomeError(f"{self.path} is a folder")
        if size == 0:
            return Condition.EMPTY
        if not cipher.is_encrypted(self.path) and cipher.begins(self.path) != cipher.MAGIC:
            self.condition = Condition.STRANGE
            raise HomeError(
                f"{self.path} is no SQLite file, or its head is lost, or it is encrypted and "
                f"{keys.FILE} beside it is missing, which each backup has"
            )
        with reported(self.path):
            lock_file = self.path.with_name(LOCK_FILE)
            if lock_file.exists():
                self._lock = HomeLock(lock_file, alone=False, timeout=self._timeout)
            self._view = View(self.path)
            self._db = self._view.connect(self._timeout)
            found, latest = migrate.version(self._db), len(migrate.steps())
            self.condition = Condition.NEWER if found > latest else Condition.STRANGE
            usable(self._db, self.path)
        return Condition.OLDER if found < latest else Condition.OURS

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
        if self._view is not None:
            self._view.close()
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        if self._db is None or self._view is None:
            raise StoreError(f"{self.path} cannot be read: {self.why}")
        with reported(self.path):
            yield self._db
        if self._view.is_stale:
            raise StoreError(f"{self.path} was written to while it was looked at; look again")

    def problems(self) -> list[str]:
        found = []
        with self._reading() as db:
            try:
                for each in migrate.find_damage(db):
                    found.append(each)  # noqa: PERF402 - what was found before it breaks off counts
            except DAMAGE as error:
                found.append(str(error))
        return found

    def out_of_step(self) -> list[str]:
        """They are compared in a copy of our own, since SQLite wants to write for that."""
        from tempfile import TemporaryDirectory

        with (
            self._reading() as db,
            TemporaryDirectory(prefix="memoranda-looking-") as folder,
            closing(cipher.made_as(Path(folder) / "copy.db", cipher.keys_of(self.path))) as copy,
        ):
            copy_pages(db, copy)
            return migrate.out_of_step(copy)

    def readable(self) -> Mapping[str, int]:
        """Row by row, so that a damaged page hides no more than is on it."""
        with self._reading() as db:
            statuses = Counter(map(str, _column(db, "memory", "status")))
            turns = sum(1 for _ in _column(db, "turn", "id"))
        return {**statuses, "turns": turns}

    def vectors(self) -> VectorsFound:
        kept = missing = strange = unreadable = 0
        with self._reading() as db:
            model = db.execute("SELECT value FROM home WHERE name = 'vectors_of'").get
            length = usual_length(db)
            for table in VECTORS:
                missing += db.execute(f"SELECT count(*) FROM {table}_without_vector").get
                for of, value in db.execute(f"SELECT model, value FROM {table}_vector"):
                    kept += 1
                    if of != model:
                        strange += 1
                    elif is_strange(value, length):
                        unreadable += 1
        return VectorsFound(model or None, kept, missing, strange, unreadable)

    def dangling(self) -> Dangling:
        with self._reading() as db:
            ((unsourced, superseded, unrecorded),) = query(
                db,
                """SELECT
                (SELECT count(*) FROM memory m
                  WHERE NOT EXISTS (SELECT 1 FROM source WHERE memory = m.row)),
                (SELECT count(*) FROM memory m WHERE superseded_by IS NOT NULL
                  AND NOT EXISTS (SELECT 1 FROM memory WHERE id = m.superseded_by)),
                (SELECT count(*) FROM ledger l
                  WHERE memory IS NOT NULL AND (before IS NOT NULL OR after IS NOT NULL)
                  AND NOT EXISTS (SELECT 1 FROM memory WHERE id = l.memory))""",
            )
        return Dangling(unsourced, superseded, unrecorded)

    def purges(self) -> int:
        return self._count("purge")

    def doomed_files(self) -> int:
        return self._count("doomed_file")

    def _count(self, table: str) -> int:
        with self._reading() as db:
            return int(db.execute(f"SELECT count(*) FROM {table}").get)

    def newest(self) -> datetime | None:
        with self._reading() as db:
            return moment_or_none(
                db.execute(
                    """SELECT max(time) FROM (SELECT max(time) AS time FROM ledger
                    UNION ALL SELECT max(recorded_at) FROM turn
                    UNION ALL SELECT max(recorded_at) FROM memory)"""
                ).get
            )

    def backed_up(self) -> tuple[str, bool]:
        with self._reading() as db:
            return copies.home_of(db), copies.owed_by(db) != (None, None)

    def secrets(self) -> list[Path]:
        told = keys.read(cipher.keys_of(self.path))
        wraps = () if told is None else told.wraps
        return [Path(each.place) for each in wraps if each.by == Holder.FILE]

    def is_rekeyed(self) -> bool:
        return self.path.with_name(NEXT).exists()

    def left_over(self) -> list[Path]:
        return left_over(self.path.parent)


def usual_length(db: apsw.Connection) -> int | None:
    """How many bytes most vectors of the present model have; None when there are none."""
    found = query(
        db,
        """SELECT bytes FROM (
          SELECT model, length(value) AS bytes FROM memory_vector
          UNION ALL SELECT model, length(value) FROM passage_vector)
        WHERE bytes AND model = (SELECT value FROM home WHERE name = 'vectors_of')
        GROUP BY bytes ORDER BY count(*) DESC LIMIT 1""",
    )
    return found[0][0] if found else None


def is_strange(vector: bytes, length: int | None) -> bool:
    """Whether a vector is not as long as others, or holds what is no number."""
    import numpy as np  # dear to load

    if not vector:
        return False  # of a text that its model cannot read
    if len(vector) != length or len(vector) % 4:
        return True
    return not np.isfinite(np.frombuffer(vector, "<f4")).all()


def copy_pages(db: apsw.Connection, to: apsw.Connection) -> None:
    """Copy a file page by page, as it is, whatever is wrong with it."""
    with to.backup("main", db, "main") as backup:
        while not backup.done:
            backup.step(10_000)


def _column(db: apsw.Connection, table: str, column: str) -> Iterator[object]:
    """One column of all rows that can be read: those before what is damaged, and those after."""
    wanted = f"SELECT row, {column} FROM {table} NOT INDEXED ORDER BY row"
    last: int | None = None
    try:
        for row, value in db.execute(wanted):
            last = row
            yield value
        return
    except DAMAGE:
        pass
    try:
        for row, value in db.execute(f"{wanted} DESC"):
            if last is not None and row <= last:
                return
            yield value
    except DAMAGE:
        return


def left_over(home: Path) -> list[Path]:
    """What crashed work left in a home: folders that nobody holds, files half written."""
    folders = [each for each in preview.left_over(home) if not _is_held(each)]
    making = (each for each in home.glob(f"{MAKING}*") if each.is_dir())
    folders += [each for each in making if _is_old(each) and not _is_held(each)]
    return sorted(folders)


def _is_old(folder: Path) -> bool:
    try:
        return time.time() - folder.stat().st_mtime > LONG_AGO
    except OSError:  # it is gone
        return False


def _is_held(folder: Path) -> bool:
    """Whether somebody works there; whoever is about to has no lock yet, and nothing else."""
    lock = folder / LOCK_FILE
    if not lock.exists():
        return not _is_old(folder)
    try:
        HomeLock(lock, alone=True, timeout=0).close()
    except InUse:
        return True
    except HomeError:
        return False
    return False
