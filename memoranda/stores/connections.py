"""Connections to one SQLite file: how they are set up, shared among threads, and fail."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, Self

import apsw

from memoranda.errors import ReadOnly, StoreError
from memoranda.stores import cipher
from memoranda.stores.gaps import GAPLESS
from memoranda.stores.looking import View, why_read_only

PRAGMAS = """
PRAGMA foreign_keys = ON;
PRAGMA recursive_triggers = ON;
PRAGMA secure_delete = ON;
PRAGMA synchronous = NORMAL;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -65536;
PRAGMA journal_size_limit = 16777216;
PRAGMA trusted_schema = OFF;
"""


LONG_LOG = 1000
"""Pages of the write-ahead log after which they are moved into the file, as SQLite does itself."""

VERY_LONG_LOG = 8 * LONG_LOG
"""Pages, 32 MB, after which the log must start anew."""


FULL = (errno.ENOSPC, errno.EDQUOT)
"""What a system says of a disk without room, or without room for us."""

LEAST_ROOM = 1 << 16
"""Bytes, of which an index of the log takes the half."""

WRITE_SLICE = 0.015
"""Seconds after which a long write lets others write: no lock is held over 50 ms."""


USE_PATIENCE = 1.0
"""Seconds to wait for a lock to do what can wait, such as counting uses."""

PAUSE = 0.003
"""Seconds between two slices, longer than a waiting writer takes to ask again."""


def connect(
    path: Path,
    timeout: float,
    *,
    for_file: bool = False,
    takes_uris: bool = False,
    keys_in: Path | None = None,
) -> apsw.Connection:
    """A connection to an existing file, for reading and writing, waiting `timeout` for a lock.

    It writes to the log only. One `for_file` moves that into the file, as it closes at the latest.
    One that `takes_uris` takes them for the names of other files. Its keys are beside it if they
    are not `keys_in` another file. Raises Locked, HomeError.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_URI if takes_uris else 0)
    db = cipher.opened(path, flags, vfs=GAPLESS if for_file else None, keys_in=keys_in)
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, not for_file)
    db.set_busy_handler(_patience(timeout))
    db.execute(PRAGMAS).fetchall()  # some answer with a row, at which a statement pauses
    return db


def query(
    db: apsw.Connection, sql: str, values: Sequence[Any] | dict[str, Any] = ()
) -> list[tuple[Any, ...]]:
    """The rows of a statement; what their columns hold is the schema's word."""
    return db.execute(sql, values).fetchall()


def _patience(timeout: float) -> Callable[[int], bool]:
    """A busy handler that asks every two milliseconds.

    SQLite's own backs off to 100 ms, and so is starved by a writer that pauses but briefly between
    its transactions.
    """
    waiting = threading.local()

    def ask_again(count: int) -> bool:
        if count == 0:
            waiting.since = time.monotonic()
        time.sleep(0.002)
        return bool(time.monotonic() - waiting.since < timeout)

    return ask_again


class Held(NamedTuple):
    """How long a lock was held: seconds of wall time, and of CPU time of the thread that held it.

    The difference is what the machine gave to others meanwhile.
    """

    wall: float
    cpu: float

    @classmethod
    def now(cls) -> Self:
        return cls(time.monotonic(), time.thread_time())

    def __sub__(self, earlier: Held) -> Held:
        return Held(self.wall - earlier.wall, self.cpu - earlier.cpu)


class Connections:
    """Readers take any idle connection; a write transaction is one thread's until it ends.

    Threads of one process queue for writing on a lock instead of polling the file. A process that
    was forked from it has none of this: SQLite's locks are the other's. With a `view` nothing is
    written, and each writing raises ReadOnly.
    """

    def __init__(self, path: Path, timeout: float, view: View | None = None) -> None:
        self.path = path
        self._view = view
        self._views: dict[apsw.Connection, View] = {}
        self._process = os.getpid()
        self.longest_write = Held(0.0, 0.0)
        self._timeout = timeout
        self._idle: list[apsw.Connection] = []
        self._guard = threading.Lock()
        self._writer = threading.Lock()
        self._mine = threading.local()
        self._log: int | None = None  # stays the same file while a connection is open
        self._log_pages: dict[apsw.Connection, int] = {}
        self._closed = False

    def close(self) -> None:
        if self._is_forked:
            _OF_ANOTHER_PROCESS.append(self)  # closing anything would touch the files of the other
            return
        with self._guard:
            was_closed, self._closed = self._closed, True
            idle, self._idle = self._idle, []
            log, self._log = self._log, None
        if log is not None:
            os.close(log)
        for db in idle:
            db.close()
        if self._view is not None:
            self._view.close()
        elif not was_closed:
            self._move_log()

    def _move_log(self) -> None:
        """Move the log into the file for the last time, if nobody else has that open."""
        if self._own is not None:
            return  # within a transaction, which is undone
        try:
            with self._writer:
                self._mover.execute("SELECT 1 FROM home").fetchall()  # opens the log
                self._mover.close()
        except apsw.Error as error:
            warn(f"the log stays beside {self.path} until the next opening: {error}")

    @property
    def is_read_only(self) -> bool:
        return self._view is not None

    def refuse_writing(self) -> None:
        """Raise ReadOnly when nothing may be written here."""
        if self._view is not None:
            raise ReadOnly(
                f"{self.path} may only be read, since {why_read_only(self.path)}; change that, or "
                "copy the home to where it may be written"
            )

    @property
    def _is_forked(self) -> bool:
        return os.getpid() != self._process

    def _refuse_forked(self) -> None:
        if self._is_forked:
            raise StoreError(
                f"{self.path} was opened before this process was forked from process "
                f"{self._process}, and is that one's; open the home anew in this one"
            )

    @property
    def _own(self) -> apsw.Connection | None:
        """The connection of the transaction that this thread is in."""
        return getattr(self._mine, "db", None)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """A connection for reading; inside a transaction, the transaction's own."""
        with reported(self.path):
            self._refuse_forked()
            mine = self._own
            if mine is not None:
                yield mine
                return
            db = self._take()
            try:
                yield db
                if db in self._views and self._views[db].is_stale:
                    raise StoreError(f"{self.path} was written to while it was read; try again")
            finally:
                self._give_back(db)

    @contextmanager
    def writing(self, *, patience: float | None = None) -> Iterator[apsw.Connection]:
        """A transaction that holds the write lock from its start; one inside another joins it.

        `patience` is how many seconds to wait for the lock, when not as long as usual. What was
        written is on disk before this returns.
        """
        self.refuse_writing()
        with reported(self.path):
            self._refuse_forked()
            mine = self._own
            if mine is not None:
                yield mine
                return
            with self._writer:
                db = self._take()
                try:
                    with self._waiting(db, patience):
                        db.execute("BEGIN IMMEDIATE")
                    started = Held.now()
                    self._mine.db = db
                    try:
                        yield db
                        db.execute("COMMIT")
                    except BaseException:
                        if db.in_transaction:
                            db.execute("ROLLBACK")
                        raise
                    self.longest_write = max(self.longest_write, Held.now() - started)
                    self._make_durable()
                    self._shorten_log(db)
                finally:
                    self._mine.db = None
                    self._give_back(db)

    def _make_durable(self) -> None:
        """Have the disk keep the log, in which the commit stands.

        SQLite can do so itself (`synchronous = FULL`), but then holds the write lock meanwhile, and
        a disk takes its time. Whoever commits after us and is on disk before has us on disk too.
        """
        try:
            with self._guard:
                if self._log is None:
                    flags = os.O_RDWR | getattr(os, "O_BINARY", 0)
                    self._log = os.open(f"{self.path}-wal", flags)
                log = self._log
            os.fsync(log)
        except OSError as error:
            raise StoreError(f"{self.path}: the disk may not have kept this: {error}") from error

    def _shorten_log(self, db: apsw.Connection) -> None:
        """Move a log that has grown long into the file, now that others may write again.

        That waits for nobody, and so cannot start the log anew while somebody reads. When it has
        grown very long it waits for the readers, but not for long, since writers wait meanwhile.
        """
        pages = self._log_pages.pop(db, 0)
        if pages < LONG_LOG:
            return
        try:
            self._mover.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            if pages >= VERY_LONG_LOG:
                with self._waiting(self._mover, 0.02):
                    self._mover.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        except apsw.BusyError:
            pass  # another is at it, or reads on; the next write tries again
        except apsw.Error as error:  # what was written stands all the same
            warn(f"the log of {self.path} could not be moved into the file: {error}")

    def cut_log(self, patience: float) -> bool:
        """Move the log into the file and cut it to nothing; False when somebody reads too long.

        What others keep of the file in memory is as nothing then: they read it anew.
        """
        if self._own is not None:
            raise StoreError(f"{self.path}: the log cannot be cut within a transaction")
        with reported(self.path), self._writer, self._waiting(self._mover, patience):
            try:
                self._mover.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False
        return True

    def write_anew(self) -> None:
        """Write an encrypted file anew, in whose gaps may stand what was deleted.

        Those of a plain one are zeroed as it is written; what is written to an encrypted one passes
        nobody who knows of pages.
        """
        if not cipher.is_encrypted(self.path):
            return
        with reported(self.path), self._writer:
            self._mover.execute("VACUUM").fetchall()

    @cached_property
    def _mover(self) -> apsw.Connection:
        """What moves the log into the file; used by who has the right to write."""
        return connect(self.path, self._timeout, for_file=True)

    @contextmanager
    def _waiting(self, db: apsw.Connection, patience: float | None) -> Iterator[None]:
        """Wait for locks for `patience` seconds instead of as long as usual."""
        if patience is None:
            yield
            return
        db.set_busy_handler(_patience(patience))
        try:
            yield
        finally:
            db.set_busy_handler(_patience(self._timeout))

    def _take(self) -> apsw.Connection:
        with self._guard:
            if self._closed:
                raise StoreError(f"{self.path} was closed")
            if self._view is not None and self._view.is_stale:
                self._view.close()
                self._view = View(self.path)
            if self._idle:
                db = self._idle.pop()
                if self._views.get(db) is self._view:
                    return db
                self._drop(db)
            if self._view is not None:
                db = self._view.connect(self._timeout)
                self._views[db] = self._view
                return db
        db = connect(self.path, self._timeout)
        # Reads the schema now, and not when the first write holds the lock.
        db.execute("SELECT 1 FROM memory_fts, passage_fts LIMIT 0").fetchall()
        db.set_wal_hook(self._after_commit)
        return db

    def _drop(self, db: apsw.Connection) -> None:
        """Close a connection to what was looked at before somebody wrote."""
        self._views.pop(db, None)
        db.close()

    def _after_commit(self, db: apsw.Connection, _: str, pages: int) -> int:
        """Remember how long the log is; SQLite would checkpoint here, with our clock running."""
        self._log_pages[db] = pages
        return apsw.SQLITE_OK

    def _give_back(self, db: apsw.Connection) -> None:
        if db.in_transaction:  # an interrupt may come anywhere
            db.execute("ROLLBACK")
        with self._guard:
            if not self._closed and self._views.get(db) is self._view:
                self._idle.append(db)
                return
        self._drop(db)


_OF_ANOTHER_PROCESS: list[object] = []
"""Connections that came here with a fork, kept from being closed by who collects what is unused."""


def warn(message: str) -> None:
    import logging  # which a run without trouble need not load

    logging.getLogger(__name__).warning(message)


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """SQLite's errors as ours, with the way out."""
    try:
        yield
    except apsw.BusyError as error:
        raise StoreError(f"{path} stayed locked by another process; try again") from error
    except apsw.FullError as error:
        raise StoreError(f"{path}: the disk is full; nothing of this was stored") from error
    except apsw.ReadOnlyError as error:
        raise StoreError(f"{path} may not be written to") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise StoreError(f"{path} is damaged ({error}); restore a backup") from error
    except apsw.IOError as error:
        if not _has_no_room(path):
            raise StoreError(f"{path} could not be read or written: {error}") from error
        raise StoreError(f"{path}: the disk is full; nothing of this was stored") from error
    except (apsw.Error, UnicodeDecodeError) as error:
        raise StoreError(f"{path} could not be read or written: {error}") from error
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise StoreError(f"{path}: the disk is full; nothing of this was stored") from error


def _has_no_room(path: Path) -> bool:
    """Whether the disk is so full that its index of the log finds no room, an error like any."""
    from shutil import disk_usage

    try:
        return disk_usage(path.parent).free < LEAST_ROOM
    except OSError:
        return False
