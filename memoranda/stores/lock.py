"""The locks of a home: all who open it share one; who migrates or replaces it holds it alone.

A lock is SQLite's own, on a small file beside the store, so it works wherever SQLite does and is
gone with the process that held it.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from memoranda.errors import HomeError
from memoranda.stores.connections import reported


class InUse(HomeError):
    """Somebody else holds the lock."""


class HomeLock:
    """Shared by all or held alone, from construction until `close`."""

    def __init__(self, path: Path, *, alone: bool, timeout: float) -> None:
        try:
            self._db = _begun(path, "BEGIN EXCLUSIVE" if alone else "BEGIN", timeout)
        except apsw.BusyError:
            raise InUse(
                f"{path.parent} is in use by another process"
                + ("; stop it and try again" if alone else ", which is changing it; try again")
            ) from None

    def close(self) -> None:
        self._db.close()


class WorkLock:
    """Held by whoever does some work, from construction until `close`; nobody waits for it.

    Of several who ask at the same moment one gets it. Of those who ask for an exclusive lock it may
    be none, since each reads the file before it is refused.
    """

    def __init__(self, path: Path) -> None:
        try:
            self._db = _begun(path, "BEGIN IMMEDIATE", timeout=0)
        except apsw.BusyError:
            raise InUse(f"another process holds {path}") from None

    def close(self) -> None:
        self._db.close()


def _begun(path: Path, begin: str, timeout: float) -> apsw.Connection:
    """A connection that holds its lock. Raises HomeError, StoreError, apsw.BusyError."""
    try:
        db = apsw.Connection(str(path))
    except apsw.CantOpenError:
        raise HomeError(f"{path} cannot be opened to lock the home") from None
    try:
        db.set_busy_timeout(int(timeout * 1000))
        db.execute(begin)
        db.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # BEGIN alone takes none yet
    except apsw.NotADBError:
        db.close()
        raise HomeError(f"{path} is not the lock of a home; delete it") from None
    except apsw.BusyError:
        db.close()
        raise
    except apsw.Error:
        db.close()
        with reported(path):
            raise
    return db
