"""Bringing a home back from a backup."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from memoranda import given, settings, wiring
from memoranda.errors import BackupError, HomeError, Locked, StoreError
from memoranda.files import disk
from memoranda.files.layout import MEMORY, USER
from memoranda.protocols import Store
from memoranda.saved import Backup, Noted, Returned
from memoranda.settings import Settings
from memoranda.stores import copies, keys, preview, rekeying, replacing
from memoranda.stores.connections import query, reported
from memoranda.stores.lock import HomeLock
from memoranda.stores.opening import LOCK_FILE
from memoranda.stores.sqlite import SqliteStore
from memoranda.upkeep import backup as keeping
from memoranda.upkeep.backup import Shelf

LATEST = "latest"


def restore(
    source: str | Path | None = None,
    home: str | Path | None = None,
    *,
    dry_run: bool = False,
    of_another_home: bool = False,
    passphrase: str | None = None,
) -> Returned:
    """Bring a home back as it was when a backup was made, in place of what is there now.

    `source` is the id of a backup in the folder that the settings name, a folder with backups, of
    which it is the newest, or the manifest of one; without it, or as "latest", it is the newest
    where the settings say. The backup is verified first. What was forgotten since does not come
    back. The store that is there is kept, and so are its files for people, beside those that are
    written anew; no file is written over. A dry run only tells. What is encrypted is
    opened by the `passphrase` or recovery key where nothing else does; it is encrypted afterwards,
    by the key of the home if that has one. Raises BackupError, HomeError when somebody has the home
    open, Locked, InvalidInput.
    """
    given.flag("dry_run", dry_run)
    given.flag("of_another_home", of_another_home)
    now = datetime.now(UTC)
    folder = wiring.folder_of(home)
    options = wiring.settings_of(home)
    secret = given.text_or_none("passphrase", passphrase)
    if not dry_run and folder.is_dir():
        rekeying.finish(folder / keeping.STORE, options.lock_timeout)
    with suppress(HomeError):  # it may be opened by another, or be damaged, and is asked again
        _unlock(folder / keeping.STORE, secret)
    chosen = _chosen(source, folder, options, of_another_home)
    _refuse_unsound(chosen)
    if not dry_run:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with _held(folder, options, alone=not dry_run), _workshop(folder) as workshop:
        made, returned = _made(chosen, workshop, folder, options, secret, now)
        if dry_run:
            return replace(returned, dry_run=True)
        asides = _set_aside(folder, made)
        _bring_first(chosen, folder)
        replaced = replacing.put_instead(made, folder / keeping.STORE, at=now)
    brought, kept = _bring(chosen, folder)
    with wiring.open(folder) as memoranda:
        if memoranda.settings.files:
            memoranda._sync(memoranda._store.scopes(), thorough=True)
        _note(memoranda._store, chosen, memoranda._place_set, folder, now)
    return replace(
        returned,
        replaced=None if replaced is None else str(replaced),
        aside=tuple(_still_other(asides)),
        brought=brought,
        kept=kept,
    )


@dataclass(frozen=True, slots=True)
class Chosen:
    """A backup, and the newest one beside it, which knows most of what was forgotten."""

    shelf: Shelf
    backup: Backup
    newest: Backup

    @property
    def store(self) -> Path:
        return self.shelf.file(keeping.store_of(self.backup).sha256)

    @property
    def keys(self) -> Path | None:
        """What opens its store, if that is encrypted."""
        return _file_of(self, keeping.KEYS)

    @property
    def later_store(self) -> Path | None:
        """The copy of the newest backup, unless this is it."""
        latest = keeping.store_of(self.newest)
        if latest == keeping.store_of(self.backup):
            return None
        return None if keeping.wrong_with(self.shelf, latest) else self.shelf.file(latest.sha256)


# Choosing -----------------------------------------------------------------------------------------


def _chosen(
    source: str | Path | None, folder: Path, options: Settings, of_another_home: bool
) -> Chosen:
    where, id = _named(source, folder, options)
    own = _home_there(folder / keeping.STORE)
    shelf = where if isinstance(where, Shelf) else _shelf(where, own, of_another_home)
    found, _ = keeping.listed(shelf)
    if not found:
        raise BackupError(f"{shelf.place} has no backup that can be read")
    backup = found[0] if id is None else keeping.named(found, id, shelf.place)
    if own not in (None, backup.held.home) and not of_another_home:
        raise BackupError(
            f"{backup.id} is a backup of another home than {folder}: give another --home, or "
            "--of-another-home to have it in the place of this one"
        )
    return Chosen(shelf, backup, found[0])


def _named(
    source: str | Path | None, folder: Path, options: Settings
) -> tuple[Path | Shelf, str | None]:
    """The folder or the shelf that is meant, and the id of a backup there."""
    if source not in (None, LATEST):
        path = given.path("source", source).expanduser()
        if path.is_dir():
            return path.resolve(), None
        if path.suffix == ".json" and path.is_file():
            path = path.resolve()
            place, name = path.parent.parent, path.parent.name
            return Shelf(place, name.removeprefix(keeping.PREFIX)), path.stem
        if len(path.parts) > 1:
            raise BackupError(f"{path} is no folder with backups, and no manifest of one")
    set_place = keeping.place_of(folder, options)
    if set_place is None:
        raise BackupError(
            "say where the backup is: a folder, or the settings name it as backup_to "
            "(MEMORANDA_BACKUP_TO)"
        )
    return set_place, None if source in (None, LATEST) else str(source)


def _shelf(place: Path, own: str | None, of_another_home: bool) -> Shelf:
    """The backups of the home that is meant, of those at a place, or in a folder of one home."""
    if place.name.startswith(keeping.PREFIX) and any(place.glob("*.json")):
        return Shelf(place.parent, place.name.removeprefix(keeping.PREFIX))
    shelves = keeping.shelves(place)
    theirs = [each for each in shelves if each.home == own]
    if theirs and not of_another_home:
        return theirs[0]
    others = [each for each in shelves if each.home != own]
    if not others:
        raise BackupError(f"{place} has no backups" + (" of this home" if own else ""))
    if len(others) > 1:
        folders = ", ".join(str(each.folder) for each in others)
        raise BackupError(f"{place} has backups of several homes; name one: {folders}")
    return others[0]


def _home_there(path: Path) -> str | None:
    with replacing.readable(path, 5.0) as db:
        return None if db is None else copies.home_of(db)


def _refuse_unsound(chosen: Chosen) -> None:
    for file in chosen.backup.files:
        if (wrong := keeping.wrong_with(chosen.shelf, file)) is not None:
            raise BackupError(
                f"{chosen.backup.id} is not sound: {wrong}; restore another, as "
                "`memoranda backups` lists them"
            )


# Making -------------------------------------------------------------------------------------------


@contextmanager
def _held(folder: Path, options: Settings, *, alone: bool) -> Iterator[None]:
    if not folder.is_dir():
        yield
        return
    lock = HomeLock(folder / LOCK_FILE, alone=alone, timeout=options.lock_timeout)
    try:
        yield
    finally:
        lock.close()


def _workshop(folder: Path) -> AbstractContextManager[Path]:
    """A folder beside what is made in it, if there is one yet."""
    if folder.is_dir():
        return preview.folder_for_copy(folder)
    return _elsewhere()


@contextmanager
def _elsewhere() -> Iterator[Path]:
    with TemporaryDirectory(prefix="memoranda-") as made:
        yield Path(made)


def _unlock(path: Path, secret: str | None) -> None:
    """Open a store by a secret if nothing else does. Raises Locked when that is the wrong one."""
    try:
        keys.key_for(path)
    except Locked:
        if secret is None:
            raise
        keys.unlock(path, secret)


def _made(
    chosen: Chosen,
    workshop: Path,
    folder: Path,
    options: Settings,
    secret: str | None,
    now: datetime,
) -> tuple[Path, Returned]:
    """A store as the backup has it, that is to take the place of the one there; what it brings."""
    backup, path = chosen.backup, folder / keeping.STORE
    made = copies.bring(chosen.store, workshop, chosen.keys)
    _unlock(made, secret)
    try:
        held = copies.check(made, options.lock_timeout)
    except StoreError as error:
        raise BackupError(f"{backup.id} is not sound: {error}; restore another") from error
    if held.contents != backup.held.contents:
        raise BackupError(f"{backup.id} is not what its manifest says; restore another")
    with (
        replacing.readable(path, options.lock_timeout) as present,
        closing(SqliteStore(made, lock_timeout=options.lock_timeout)) as store,
        reported(path) if present is not None else nullcontext(),
    ):
        ready = replacing.make_ready(store, present, chosen.later_store, chosen.keys, at=now)
    rekeying.put_under_keys_of(path, made, timeout=options.lock_timeout)
    until = ready.newest_there or now
    missing = 0.0 if ready.newest is None else (until - ready.newest).total_seconds()
    return made, Returned(
        backup=backup,
        place=str(chosen.shelf.place),
        newest=ready.newest,
        seconds=max(0.0, missing),
        memories=ready.nouns.get("memory"),
        turns=ready.nouns.get("turn"),
        tables=ready.tables,
        forgotten=ready.forgotten,
    )


# Files --------------------------------------------------------------------------------------------


def _set_aside(folder: Path, made: Path) -> list[tuple[Path, Path]]:
    """Keep the files for people beside themselves: they tell of a state that is gone then.

    What is missing was not edited: were this to end now, the present store would write them anew.
    """
    names = (MEMORY, USER)
    places = [folder, *(each for each in folder.glob("*/*") if each.parent.name in keeping.FOLDERS)]
    for store in (folder / keeping.STORE, made):
        with replacing.readable(store, 5.0) as db:
            if db is not None:
                vaults = query(db, "SELECT vault FROM project WHERE vault IS NOT NULL")
                places += [Path(vault) for (vault,) in vaults]
    asides = []
    for path in dict.fromkeys(place / name for place in places for name in names):
        content = disk.read(path)
        if content is not None:
            asides.append((path, disk.keep_aside(path, content)))
            disk.remove(path, path.parent, instead_of=content)
    return asides


def _still_other(asides: list[tuple[Path, Path]]) -> Iterator[str]:
    """Those that tell something else than the file that was written anew; the others go."""
    for path, aside in asides:
        if disk.read(path) == disk.read(aside):
            aside.unlink(missing_ok=True)
        else:
            yield str(aside)


def _file_of(chosen: Chosen, path: str) -> Path | None:
    found = (each for each in chosen.backup.files if each.path == path)
    return next((chosen.shelf.file(each.sha256) for each in found), None)


def _bring_first(chosen: Chosen, folder: Path) -> None:
    """Bring what a home cannot be opened without: its settings."""
    kept = _file_of(chosen, settings.FILE)
    if kept is not None and not (folder / settings.FILE).exists():
        _copy(kept, folder / settings.FILE)
    if not (folder / settings.FILE).exists():
        (folder / settings.FILE).write_text(settings.template(), encoding="utf-8")
        (folder / settings.FILE).chmod(0o600)


def _bring(chosen: Chosen, folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Bring the files that are gone; those that are otherwise by now stay. Returns both."""
    brought, kept = list[str](), list[str]()
    for file in chosen.backup.files:
        if file.path in (keeping.STORE, keeping.KEYS, settings.FILE):
            continue
        path = folder / file.path
        if not path.exists():
            _copy(chosen.shelf.file(file.sha256), path)
            brought.append(file.path)
        elif not path.is_file() or keeping.sha256_of(path) != file.sha256:
            kept.append(file.path)
    return tuple(brought), tuple(kept)


def _copy(kept: Path, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = path.with_name(f".{path.name}.{os.getpid()}.new")
    shutil.copyfile(kept, made)
    made.chmod(0o600)
    made.replace(path)


def _note(store: Store, chosen: Chosen, place: Path | None, folder: Path, now: datetime) -> None:
    """Know of the backups at the place where they are made: the store is older than the last."""
    if place is None or place != chosen.shelf.place.resolve():
        return
    there = {each.place: each for each in store.copies.noted()}
    known = there.get(str(place))
    if known is None or known.id < chosen.newest.id:
        newest = chosen.newest
        verified = now if newest.id == chosen.backup.id else newest.verified_at
        same_disk = keeping.is_same_disk(place, folder)
        store.copies.note(Noted(str(place), newest.id, verified, same_disk, str(folder.resolve())))
