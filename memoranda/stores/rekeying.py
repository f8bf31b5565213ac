"""A store under another key, or under none: a whole copy that takes its place.

`memory.keys.next` is written before the copy gets the name of the store, and becomes `memory.keys`
after. Both say how their store begins, so whoever opens the home after a crash knows which it is.
"""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

import apsw

from memoranda.errors import HomeError, Locked, StoreError
from memoranda.stores import cipher, keys
from memoranda.stores.connections import connect, query, reported
from memoranda.stores.keys import FILE, NEXT, Keys
from memoranda.stores.lock import HomeLock
from memoranda.stores.migrate import copies, find_problems
from memoranda.stores.opening import LOCK_FILE, sync

PREFIX = "keying-"
PLAIN = Keys("", cipher.MAGIC)
CHUNK = 1 << 20


def change(path: Path, to: Keys | None, key: bytes | None, *, timeout: float) -> list[str]:
    """Put a copy of a store under other keys, or none, in its place; returns what else went.

    Copies that upgrades left beside it are under the old key or plain, and go. Raises HomeError
    while somebody has the home open, Locked, StoreError.
    """
    lock = HomeLock(path.with_name(LOCK_FILE), alone=True, timeout=timeout)
    try:
        with reported(path), TemporaryDirectory(prefix=PREFIX, dir=path.parent) as folder:
            made = Path(folder) / path.name
            held = _copy(path, made, to, key, timeout)
            made.chmod(0o600)
            told = PLAIN if to is None else keys.of_store(to, cipher.begins(made))
            _refuse_unsound(made, held, told, key)
            keys.write(path.with_name(NEXT), told, key)
            _replace(path, made)
        promote(path)
        older = [*copies(path), *path.parent.glob(f"{FILE}.replaced-*")]
        for each in older:
            each.unlink()
        return [each.name for each in older]
    finally:
        lock.close()


def refuse_in_use(path: Path, timeout: float) -> None:
    """Raises HomeError while somebody has the home open."""
    HomeLock(path.with_name(LOCK_FILE), alone=True, timeout=timeout).close()


def put_under_keys_of(path: Path, made: Path, *, timeout: float) -> None:
    """Have a copy that shall take the place of a store be encrypted as that is.

    One that is encrypted stays as it is where the store is plain, or is none, or its keys are
    damaged. Raises Locked, StoreError.
    """
    try:
        own = keys.key_for(path)
    except Locked:
        raise
    except HomeError:
        return
    if own is None or keys.read(made.with_name(FILE)) == own[0]:
        return
    told, key = own
    again = made.with_name(f"{made.name}.again")
    with reported(made), closing(connect(made, timeout, for_file=True, takes_uris=True)) as db:
        into = cipher.copy_to(again, told.cipher, key, told.begins)
        db.execute("VACUUM INTO ?", (into,))
        held = _counts(db)
    again.chmod(0o600)
    _refuse_unsound(again, held, told, key)
    again.replace(made)
    keys.bring_along(path, made)


def finish(path: Path, timeout: float) -> None:
    """Have a change of keys that was cut off be as it was before, or done."""
    if not (path.with_name(NEXT).exists() or _left_over(path)):
        return
    lock = HomeLock(path.with_name(LOCK_FILE), alone=True, timeout=timeout)
    try:
        for folder in _left_over(path):
            rmtree(folder)
        following = keys.read(path.with_name(NEXT))
        if following is None:
            return
        if path.exists() and cipher.begins(path) == following.begins:
            promote(path)
        else:
            path.with_name(NEXT).unlink()
    finally:
        lock.close()


def _left_over(path: Path) -> list[Path]:
    """The folders of copies that were not finished, of which one may be plain."""
    return sorted(path.parent.glob(f"{PREFIX}*"))


def _copy(
    path: Path, made: Path, to: Keys | None, key: bytes | None, timeout: float
) -> list[tuple[str, int]]:
    """Make a copy under other keys; returns how many rows each table has.

    The log of the original is empty and gone then.
    """
    with closing(connect(path, timeout, for_file=True, takes_uris=True)) as db:
        busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        if busy:
            raise StoreError(f"{path} is read by another program; close that and try again")
        db.execute("VACUUM INTO ?", (cipher.copy_to(made, to.cipher if to else "", key),))
        held = _counts(db)
    if path.with_name(f"{path.name}-wal").exists():  # closing removes it, unless others are there
        raise StoreError(f"{path} is open in another program; close that and try again")
    return held


def _refuse_unsound(made: Path, held: list[tuple[str, int]], told: Keys, key: bytes | None) -> None:
    """Raises StoreError unless a copy is sound, as its keys say, and holds as much."""
    with closing(apsw.Connection(str(made), flags=apsw.SQLITE_OPEN_READWRITE)) as copy:
        if key is not None:
            cipher.apply(copy, told.cipher, key)
        if (cipher.begins(made) == cipher.MAGIC) != (key is None):
            raise StoreError("the copy is not encrypted as it should be; the store is as it was")
        problems = list(find_problems(copy))
        if _counts(copy) != held:
            problems.append("it does not hold as many rows")
        if problems:
            raise StoreError(f"the copy is not sound ({problems[0]}); the store is as it was")


def _counts(db: apsw.Connection) -> list[tuple[str, int]]:
    tables = query(
        db,
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name",
    )
    return [(name, query(db, f'SELECT count(*) FROM "{name}"')[0][0]) for (name,) in tables]


def _replace(path: Path, made: Path) -> None:
    """Put a copy in the place of a store, and overwrite that as far as the disk does so."""
    with path.open("r+b") as old:  # nobody has it open: we hold the home, and are not connected
        sync(made)
        made.replace(path)
        sync(path.parent)
        left = os.fstat(old.fileno()).st_size
        while left > 0:
            left -= old.write(bytes(min(left, CHUNK)))
        old.flush()
        os.fsync(old.fileno())


def promote(path: Path) -> None:
    """Make the next keys those of the store, which is theirs already."""
    file, following = path.with_name(FILE), path.with_name(NEXT)
    told = keys.read(following)
    if told is None:
        raise HomeError(f"{following} is gone")
    if told.begins == cipher.MAGIC:
        file.unlink(missing_ok=True)
        following.unlink()
    else:
        following.replace(file)
    sync(path.parent)
