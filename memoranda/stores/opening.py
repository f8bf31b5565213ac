"""Opening a store's file: refused when it is not ours to use, brought up to date when it is older.

A store that cannot be opened is never replaced by an empty one.
"""

from __future__ import annotations

import os
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw

from memoranda.errors import HomeError
from memoranda.soundness import Sign
from memoranda.stores import cipher, keys, migrate
from memoranda.stores.connections import connect, reported
from memoranda.stores.lock import HomeLock
from memoranda.stores.looking import View, why_read_only

LOCK_FILE = "memory.lock"


def copied(home: Path) -> Sign | None:
    """The copy that was made of a store before it was last changed as a whole."""
    copies = [each for each in home.glob("memory.db.before-*") if each.stat().st_size]
    if not copies:
        return None
    latest = max(copies, key=lambda each: each.stat().st_mtime)
    made = datetime.fromtimestamp(latest.stat().st_mtime, UTC)
    return Sign(
        f"{latest.name} is a copy of it of {made:%Y-%m-%d}",
        f"a copy of {latest.name} named memory.db is the store as it was then",
    )


def put_in_place(made: Path, path: Path) -> None:
    """Give a finished file its name, which must be free. Raises HomeError when it is not."""
    try:
        os.link(made, path)
    except OSError:
        if os.path.lexists(path):
            raise HomeError(f"{path} exists already; it was left as it is") from None
        made.rename(path)  # a file system without links


def sync(path: Path) -> None:
    """Have the disk keep a file, or the names in a folder."""
    if path.is_dir() and os.name == "nt":  # where a folder cannot be opened
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refuse_unusable(path: Path) -> None:
    if not path.is_file():
        raise HomeError(
            f"{path} is missing; if it was lost, restore a backup, or what the Markdown files tell "
            "with `memoranda restore --from-markdown`; only `memoranda init` makes a new home"
        )
    if not os.access(path, os.R_OK):
        raise HomeError(f"{path} may not be read; change its permissions")
    if path.stat().st_size == 0:
        raise HomeError(f"{path} is empty: its content was lost; restore a backup")
    if not cipher.is_encrypted(path) and cipher.begins(path) != cipher.MAGIC:
        raise HomeError(
            f"{path} is no SQLite file, or it is encrypted and {keys.FILE} beside it is missing, "
            "which each backup has; it was left as it is"
        )


def lock_up_to_date(path: Path, timeout: float) -> HomeLock:
    """Share the home; when its schema is older, first hold it alone and bring it up to date."""
    lock_file = path.with_name(LOCK_FILE)
    with reported(path):
        lock = HomeLock(lock_file, alone=False, timeout=timeout)
        try:
            with closing(connect(path, timeout, for_file=True)) as db:
                if usable(db, path) < len(migrate.steps()):
                    lock.close()
                    lock = HomeLock(lock_file, alone=True, timeout=timeout)
                    migrate.migrate(db, path)
                    lock.close()
                    lock = HomeLock(lock_file, alone=False, timeout=timeout)
                if db.pragma("journal_mode") != "wal":  # another program may have changed it
                    db.pragma("journal_mode", "wal")
        except BaseException:
            lock.close()
            raise
    return lock


def lock_as_it_is(path: Path, view: View, timeout: float) -> HomeLock | None:
    """Share a home in which nothing may be written, if it has a lock; None when it has none.

    Raises HomeError when its schema is older, since it cannot be brought up to date.
    """
    lock: HomeLock | None = None
    with reported(path):
        try:
            if (lock_file := path.with_name(LOCK_FILE)).exists():
                lock = HomeLock(lock_file, alone=False, timeout=timeout)
            db = view.connect(timeout)
            try:
                found, latest = usable(db, path), len(migrate.steps())
            finally:
                db.close()
            if found < latest:
                raise HomeError(
                    f"{path} has schema {found} and must be brought to {latest}, but "
                    f"{why_read_only(path)}; open it once where it may be written"
                )
        except BaseException:
            view.close()
            if lock is not None:
                lock.close()
            raise
    return lock


def usable(db: apsw.Connection, path: Path) -> int:
    """The schema of a store. Raises HomeError when it is none of ours, or a newer program's."""
    if int(db.pragma("application_id")) != migrate.APPLICATION_ID:
        raise HomeError(f"{path} is a SQLite file, but no store of ours; it was left as is")
    latest = len(migrate.steps())
    found = migrate.version(db)
    if found == 0:
        raise HomeError(f"{path} is no finished store; restore a backup")
    if found > latest:
        raise HomeError(
            f"{path} has schema {found} and this program knows {latest} at most; "
            "install a newer Memoranda"
        )
    return found
