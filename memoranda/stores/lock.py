"""The locks of a home: all who open it share one; who migrates or replaces it holds it alone.

A lock is SQLite's own, on a small file beside the store, so it works wherever SQLite does and is
gone with the process that held it.
"""

from __future__ import annotations

from pathlib import Path

import apsw

from memoranda.errors import HomeError


class InUse(HomeError):
    """Somebody else holds the lock."""


class HomeLock:
    """Held from construction until `close`."""

    def __init__(self, path: Path, *, alone: bool, timeout: float) -> None:
        try:
            self._db = apsw.Connection(str(path))
        except apsw.CantOpenError:
            raise HomeError(f"{path} cannot be opened to lock the home") from None
        self._db.set_busy_timeout(int(timeout * 1000))
        try:
            if alone:
                self._db.execute("BEGIN EXCLUSIVE")
            else:
                self._db.execute("BEGIN")
                self._db.execute("SELECT count(*) FROM sqlite_schema").fetchall()
        except apsw.NotADBError:
            self._db.close()
            raise HomeError(f"{path} is not the lock of a home; delete it") from None
        except apsw.BusyError:
            self._db.close()
            raise InUse(
                f"{path.parent} is in use by another process"
                + ("; stop it and try again" if alone else ", which is changing it; try again")
            ) from None

    def close(self) -> None:
        self._db.close()
