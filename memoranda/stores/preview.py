"""Copies of a store, each in a folder of its own within the home, for what shall change nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

from memoranda.stores import keys
from memoranda.stores.connections import reported
from memoranda.stores.lock import HomeLock, InUse
from memoranda.stores.opening import LOCK_FILE

PREFIX = "preview-"

SOON = 60.0
"""Seconds after which what was to be held is not."""


@contextmanager
def folder_for_copy(home: Path) -> Iterator[Path]:
    """A folder that is held until it goes, with all that is in it."""
    from shutil import rmtree  # what only a preview needs
    from tempfile import mkdtemp

    folder = Path(mkdtemp(prefix=PREFIX, dir=home))
    try:
        lock = HomeLock(folder / LOCK_FILE, alone=False, timeout=0)
        try:
            yield folder
        finally:
            lock.close()
    finally:
        rmtree(folder)


def copy(db: apsw.Connection, to: Path) -> None:
    """Copy a store as it is now; meanwhile others may write."""
    with reported(to):
        db.execute("VACUUM INTO ?", (str(to),))
    to.chmod(0o600)
    keys.bring_along(Path(db.filename), to)


def left_over(home: Path) -> list[Path]:
    """The folders of previews, also of those that are held."""
    return sorted(path for path in home.glob(f"{PREFIX}*") if path.is_dir())


def remove_unless_held(folder: Path) -> bool:
    """Remove the folder of a preview that crashed; False when somebody holds it.

    One without a lock is about to be held, and has nothing in it; if it stays so, it goes.
    """
    from shutil import rmtree

    if not (folder / LOCK_FILE).exists():
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > SOON:
                folder.rmdir()
        return True
    try:
        lock = HomeLock(folder / LOCK_FILE, alone=True, timeout=0)
    except InUse:
        return False
    lock.close()
    try:
        rmtree(folder)
    except FileNotFoundError:
        pass  # another was faster
    except OSError:
        return False
    return True
