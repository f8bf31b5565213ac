"""Mending what is derived: indexes and vectors are made of words that are there.

Nothing that somebody said is touched. Before it a verified copy is made of the file, which is kept
until that is sound.
"""

from __future__ import annotations

import re
from contextlib import closing, suppress
from pathlib import Path

import apsw

from memoranda.errors import StoreError
from memoranda.stores import cipher, keys, migrate, preview
from memoranda.stores.connections import connect, query, reported
from memoranda.stores.examining import VECTORS, copy_pages, is_strange, left_over, usual_length
from memoranda.stores.lock import HomeLock
from memoranda.stores.opening import LOCK_FILE

COPY = ".before-mending"

DERIVED = re.compile(
    r"row \d+ missing from index|wrong # of entries in index|malformed inverted index|fts5: "
    r"|unable to validate the inverted index|rowid not in order$"
)
"""What SQLite says of indexes, which are made of the rows."""


def is_derived(problem: str) -> bool:
    """Whether a problem is one of an index, and so can be mended."""
    return DERIVED.match(problem) is not None


def mend(path: Path, *, timeout: float) -> list[str]:
    """Make indexes anew and drop vectors that cannot be read; what was done. Raises StoreError.

    The copy is left when the file is not sound then.
    """
    copy = path.with_name(f"{path.name}{COPY}")
    with reported(path):
        lock = HomeLock(path.with_name(LOCK_FILE), alone=False, timeout=timeout)
        try:
            with closing(connect(path, timeout, for_file=True)) as db:
                damage = list(migrate.find_damage(db))
                if serious := [each for each in damage if not is_derived(each)]:
                    raise StoreError(f"{path} is damaged ({serious[0]}) and was left as it is")
                if not damage and not _strange(db) and not _out_of_step(db):
                    return []
                _copy(db, copy)
                done = _mended(db, indexes=bool(damage))
                if left := list(migrate.find_damage(db)) or _out_of_step(db):
                    raise StoreError(f"{path} is not sound yet ({left[0]}); {copy} is as it was")
        finally:
            lock.close()
    copy.unlink()
    return done


def _mended(db: apsw.Connection, *, indexes: bool) -> list[str]:
    """Each in a transaction of its own."""
    done = []
    if indexes:
        db.execute("REINDEX")
        done.append("made the indexes anew")
    for name in migrate.FULL_TEXT:
        if indexes or name in _out_of_step(db):
            db.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
            done.append(f"made the full-text index {name} anew")
    if dropped := _drop_strange(db):
        done.append(f"dropped {dropped} vectors that could not be read; `embed` makes them anew")
    return done


def _out_of_step(db: apsw.Connection) -> list[str]:
    """As `migrate.out_of_step` says, leaving nothing of having asked."""
    db.execute("BEGIN IMMEDIATE")
    try:
        return migrate.out_of_step(db)
    finally:
        db.execute("ROLLBACK")


def _copy(db: apsw.Connection, to: Path) -> None:
    """Copy the file page by page, as it is, and see that its rows can be read. Raises StoreError.

    `VACUUM INTO` would fail where an index is what is wrong.
    """
    to.unlink(missing_ok=True)
    with closing(cipher.made_as(to, Path(db.filename).with_name(keys.FILE))) as copy:
        to.chmod(0o600)
        copy_pages(db, copy)
        copy.pragma("journal_mode", "delete")  # nothing beside it
        if serious := [each for each in migrate.find_damage(copy) if not is_derived(each)]:
            raise StoreError(f"the copy {to} that is made first is not sound: {serious[0]}")


def _strange(db: apsw.Connection) -> list[tuple[str, int]]:
    """The rows of vectors that cannot be read, by their tables."""
    length = usual_length(db)
    return [
        (table, row)
        for table in VECTORS
        for row, value in query(db, f"SELECT {table}, value FROM {table}_vector WHERE value <> x''")
        if is_strange(value, length)
    ]


def _drop_strange(db: apsw.Connection) -> int:
    strange = _strange(db)
    db.execute("BEGIN IMMEDIATE")
    try:
        for table, row in strange:
            db.execute(f"DELETE FROM {table}_vector WHERE {table} = ?", (row,))
        db.execute("COMMIT")
    except BaseException:
        db.execute("ROLLBACK")
        raise
    return len(strange)


def clear(home: Path) -> list[str]:
    """Remove what crashed work left; what was removed."""
    from shutil import rmtree

    removed = []
    for each in left_over(home):
        if each.name.startswith(preview.PREFIX) and not preview.remove_unless_held(each):
            continue
        with suppress(OSError):  # doctor tells of what is left
            if each.exists():
                rmtree(each)
        if not each.exists():
            removed.append(f"removed {each.name}, which crashed work left")
    return removed
