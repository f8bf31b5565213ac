"""Reading a store's file and writing nothing, not even beside it.

SQLite writes to read: whoever opens a file with a write-ahead log makes that log, and its index. In
a place that may not be written to, or that is only looked at, one of three ways is left.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import apsw

from memoranda.errors import StoreError
from memoranda.stores import cipher

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"

READING = """
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -65536;
PRAGMA trusted_schema = OFF;
"""


class Stamp(NamedTuple):
    """By which it is told that somebody wrote: a file's time and size, and its log's."""

    file: tuple[int, int] | None
    log: tuple[int, int] | None


class View:
    """A file as it is now, from construction until `close`. Raises StoreError.

    With a log and its index beside it SQLite reads as ever, and bears others who write. With
    neither nobody has it open: it is taken for unchanging, and who reads asks `is_stale`
    afterwards. A log without its index was left by a crash, and holds what is not in the file:
    both are copied to a folder of their own and read there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._keys = cipher.keys_of(path)
        self._copied: TemporaryDirectory[str] | None = None
        self._is_unchanging = False
        log, index = _with(path, LOG), _with(path, INDEX)
        if _with(path, JOURNAL).exists() or (_size(log) and not index.exists()):
            self._copied = _copy(path)
            self.path = Path(self._copied.name) / path.name
        elif not (log.exists() and index.exists()):
            self._is_unchanging = True
        self._seen = self._stamp()

    def connect(self, timeout: float) -> apsw.Connection:
        """A connection that can only read, but for a copy of ours."""
        is_ours = self._copied is not None
        db = cipher.opened(
            self.path,
            apsw.SQLITE_OPEN_READWRITE if is_ours else apsw.SQLITE_OPEN_READONLY,
            keys_in=self._keys,
            is_unchanging=self._is_unchanging,
        )
        try:
            db.set_busy_timeout(int(timeout * 1000))
            db.execute(READING).fetchall()
        except BaseException:
            db.close()
            raise
        return db

    @property
    def is_stale(self) -> bool:
        """Whether somebody wrote to what was taken for unchanging."""
        return self._is_unchanging and self._stamp() != self._seen

    def close(self) -> None:
        if self._copied is not None:
            self._copied.cleanup()

    def _stamp(self) -> Stamp:
        return Stamp(_told(self.path), _told(_with(self.path, LOG)))


def _copy(path: Path) -> TemporaryDirectory[str]:
    import shutil
    from tempfile import TemporaryDirectory

    folder = TemporaryDirectory(prefix="memoranda-looking-")  # which nobody else may read
    try:
        for each in (path, _with(path, LOG), _with(path, JOURNAL)):
            if each.exists():
                shutil.copyfile(each, Path(folder.name) / each.name)
    except OSError as error:
        folder.cleanup()
        raise StoreError(
            f"{path} and what stands beside it cannot be copied to be read: {error.strerror}"
        ) from error
    return folder


def _with(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _told(path: Path) -> tuple[int, int] | None:
    try:
        told = path.stat()
    except OSError:
        return None
    return told.st_mtime_ns, told.st_size


def may_be_written(path: Path) -> bool:
    """Whether a file and its folder may be, by who we are and by their file system."""
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def why_read_only(path: Path) -> str:
    """What keeps us from writing to a file."""
    here = path if path.exists() else path.parent
    told = os.statvfs(here).f_flag if hasattr(os, "statvfs") else 0
    if told & getattr(os, "ST_RDONLY", 0):
        return "its file system is mounted read-only"
    return "it or its folder has permissions that do not let us"
