"""A copy takes the place of a store: what it must have of that one first, and how they change."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from memoranda.errors import HomeError, Locked
from memoranda.saved import Counts, Difference
from memoranda.stores import copies, keys, rekeying
from memoranda.stores.connections import connect
from memoranda.stores.forgotten import Forgotten
from memoranda.stores.keys import FILE, NEXT
from memoranda.stores.opening import put_in_place, sync

if TYPE_CHECKING:
    from memoranda.stores.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Ready:
    """A copy beside the store that it is to replace; nothing of that where it cannot be read."""

    newest: datetime | None
    newest_there: datetime | None = None
    forgotten: int | None = None
    nouns: Mapping[str, Difference] = field(default_factory=dict)
    tables: Mapping[str, Counts] = field(default_factory=dict)


@contextmanager
def readable(
    path: Path, timeout: float, *, keys_in: Path | None = None
) -> Iterator[apsw.Connection | None]:
    """A store that may be damaged; None when it does not tell what it has forgotten.

    Raises Locked: what is only locked would tell.
    """
    db = None
    try:
        if path.is_file():
            db = connect(path, timeout, for_file=True, keys_in=keys_in)
            Forgotten.by(db)
    except Locked:
        raise
    except (apsw.Error, HomeError, UnicodeDecodeError, ValueError):
        if db is not None:
            db.close()
        db = None
    try:
        yield db
    finally:
        if db is not None:
            db.close()


def make_ready(
    store: SqliteStore,
    present: apsw.Connection | None,
    forgetful: Path | None,
    keys_in: Path | None,
    *,
    at: datetime,
) -> Ready:
    """Have a copy forget what the present store has, and know what going back must not undo.

    Where there is none, a later copy tells what was forgotten, if its keys are `keys_in` that file:
    as much as it knew. Nothing is known then of what files held.
    """
    with store.connections.reading() as db:
        newest = copies.newest(db)
    if present is not None:
        ready = _beside(store, present, newest, at)
    elif forgetful is not None:
        with readable(forgetful, 0.0, keys_in=keys_in) as later:
            ready = Ready(newest, forgotten=None if later is None else _forget(store, later, at))
    else:
        ready = Ready(newest)
    with store.connections.writing() as db:
        if present is not None:
            copies.carry_over(db, present)
        copies.let_go_of_files(db)
    return ready


def _beside(
    store: SqliteStore, present: apsw.Connection, newest: datetime | None, at: datetime
) -> Ready:
    forgotten = _forget(store, present, at)
    with store.connections.reading() as db:
        then, now = copies.held_by(db).counts, copies.held_by(present).counts
        nouns = copies.differences(db, present)
    tables = {name: Counts(then.get(name, 0), now.get(name, 0)) for name in sorted({*then, *now})}
    return Ready(newest, copies.newest(present), forgotten, nouns, tables)


def _forget(store: SqliteStore, other: apsw.Connection, at: datetime) -> int:
    """How many memories and turns of a copy went, or lost words."""
    doomed = copies.forget_again(store, Forgotten.by(other), at=at)
    return 0 if doomed is None else len(doomed.memories) + len(doomed.turns) + len(doomed.cut)


def put_instead(made: Path, path: Path, *, at: datetime) -> Path | None:
    """Give a finished file the name of a store, which keeps another; who does it holds the home.

    The name stands for one or the other at every moment, and `finish` of `rekeying` gives each its
    keys. Returns where the one is that it was.
    """
    sync(made)
    replaced = _free(path, at)
    with _keyed_as(made, path, replaced):
        if path.exists():
            _fold_log(path)
        log, locks = Path(f"{path}-wal"), Path(f"{path}-shm")
        if log.exists():  # it could not be moved into its file, and must not be taken for another's
            log.rename(f"{replaced}-wal")
        locks.unlink(missing_ok=True)
        if not path.exists():
            put_in_place(made, path)
            sync(path.parent)
            return None
        _name_also(path, replaced)
        sync(path.parent)
        made.replace(path)
        sync(path.parent)
    return replaced


@contextmanager
def _keyed_as(made: Path, path: Path, replaced: Path) -> Iterator[None]:
    """Have the keys of a store be those of what takes its place here, if that has others."""
    told, own = keys.read(made.with_name(FILE)), path.with_name(FILE)
    if _content(made.with_name(FILE)) == _content(own):
        yield
        return
    if own.exists():
        _name_also(own, own.with_name(replaced.name.replace(path.name, FILE)))
    keys.write(path.with_name(NEXT), told or rekeying.PLAIN)
    yield
    rekeying.promote(path)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _fold_log(path: Path) -> None:
    """Move the log of a store into its file, unless it is too damaged for that."""
    try:
        db = connect(path, 1.0, for_file=True)
        try:
            db.execute("SELECT 1 FROM home").fetchall()
            db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            db.close()
    except (apsw.Error, HomeError):
        return


def _free(path: Path, at: datetime) -> Path:
    name = f"{path.name}.replaced-{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (name, *(f"{name}-{n}" for n in range(2, 1000)))
    return next(each for each in map(path.with_name, names) if not each.exists())


def _name_also(path: Path, name: Path) -> None:
    """Give a file a second name, or where that cannot be make a copy, whole or not at all."""
    try:
        os.link(path, name)
    except OSError:
        made = name.with_name(f".{name.name}.new")
        shutil.copy2(path, made)
        sync(made)
        made.replace(name)
