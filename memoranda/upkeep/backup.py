"""Backups at a place: made, verified, rotated, and cleared of what was forgotten.

Every file is kept under its SHA-256 in one folder, once however many backups have it, and a
manifest says what belongs to a backup. The manifest is written last and at once: what none names is
no part of any backup, and is removed by whoever comes next. So a crash leaves the backups there
were, or one more.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from memoranda import settings
from memoranda.errors import BackupError, StoreError
from memoranda.policy.rotation import Rotation, kept
from memoranda.protocols import Copies
from memoranda.saved import Backup, Held, Noted, Saved, SavedFile, Verified
from memoranda.settings import Settings
from memoranda.types import plain

STORE, KEYS = "memory.db", "memory.keys"
"""The store within a home, and the wrapped keys of one that is encrypted."""

FOLDERS = ("people", "profiles", "projects", "skills")
DERIVED = ("MEMORY.md", "USER.md")
"""What is written anew from the store, wherever it is; so is the mirror."""

PREFIX = "memoranda-"
FILES = "files"
MAKING = ".making-"
FORM = 1
"""Of the manifest; a program reads none that is of a later one."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """The backups of one home at a place."""

    place: Path
    home: str

    @property
    def folder(self) -> Path:
        return self.place / f"{PREFIX}{self.home}"

    def file(self, sha256: str) -> Path:
        return self.folder / FILES / sha256

    def manifest(self, id: str) -> Path:
        return self.folder / f"{id}.json"


def place_of(home: Path, options: Settings) -> Path | None:
    """Where the settings say that backups go; what is no whole path is seen from the home."""
    return (home / Path(options.backup_to).expanduser()).resolve() if options.backup_to else None


def shelves(place: Path) -> list[Shelf]:
    """Those of every home that has backups at a place."""
    try:
        found = sorted(place.glob(f"{PREFIX}*/*.json"))
    except OSError:
        return []
    names = dict.fromkeys(each.parent.name for each in found if not each.name.startswith("."))
    return [Shelf(place, name.removeprefix(PREFIX)) for name in names]


def listed(shelf: Shelf) -> tuple[tuple[Backup, ...], tuple[str, ...]]:
    """The backups, the newest first, and the manifests that cannot be read. Raises BackupError."""
    found, damaged = list[Backup](), list[str]()
    with _reported(shelf.place):
        for path in sorted(shelf.folder.glob("[!.]*.json"), reverse=True):
            try:
                found.append(_from_json(path.read_text(encoding="utf-8"), path.stem))
            except (ValueError, KeyError, TypeError):
                damaged.append(str(path))
    return tuple(found), tuple(damaged)


def is_same_disk(place: Path, home: Path) -> bool:
    try:
        return place.stat().st_dev == home.stat().st_dev
    except OSError:
        return False


def refuse_unusable(place: Path, home: Path) -> None:
    """Raise BackupError when a place cannot take the backups of a home."""
    if place.resolve().is_relative_to(home.resolve()):
        raise BackupError(f"{place} is within the home that it is to outlive; name another folder")
    try:
        if not place.is_dir():
            if not place.parent.is_dir():
                raise BackupError(f"{place} is not there; mount its disk, or make the folder")
            place.mkdir(mode=0o700)
        probe = place / f".memoranda-{os.getpid()}"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        raise BackupError(f"{place} cannot be written to: {error.strerror}") from error


@dataclass(frozen=True)
class Keeper:
    """Makes the backups of one home at one place."""

    copies: Copies
    home: Path
    place: Path
    version: str

    @cached_property
    def shelf(self) -> Shelf:
        return Shelf(self.place, self.copies.home())

    @cached_property
    def _keys(self) -> str | None:
        return keys_in(self.home)

    def _is_openable(self, backup: Backup) -> bool:
        """Whether what opens the home opens a backup: none does that was made under other keys."""
        return keys_of(backup) == self._keys

    def make(self, rotation: Rotation, now: datetime, is_due: Due) -> Saved:
        """Make a backup of the home as it is, and remove what is old enough to go.

        An unchanged store is not copied again, once its copy is seen to be as it was. Those go that
        were made under other keys, or none, since nothing can be taken out of them and they may be
        plain. Nothing is done unless it `is_due`. Raises BackupError, leaving the backups that
        there are.
        """
        self.refuse_empty_mount()
        refuse_unusable(self.place, self.home)
        with _reported(self.place):
            self._tidy()
            found, damaged = listed(self.shelf)
            last = found[0] if found else None
            held = self.copies.held()
            changed = last is None or not self._is_openable(last) or not _is_same(last.held, held)
            same_disk = is_same_disk(self.place, self.home)
            if not is_due(None if last is None else last.made_at, changed):
                return Saved(str(self.place), None, same_disk=same_disk)
            with self._making() as folder:
                backup, new = self._written(folder, None if changed else last, now)
            removed = self._drop_of_other_keys()
            removed += () if damaged else self._rotate(rotation)
            self._tidy()
            self.note(backup)
        return Saved(str(self.place), backup, new, removed, same_disk)

    def note(self, backup: Backup) -> None:
        same_disk = is_same_disk(self.place, self.home)
        home = str(self.home.resolve())
        self.copies.note(Noted(str(self.place), backup.id, backup.verified_at, same_disk, home))

    def verify(self, id: str | None, now: datetime) -> list[Verified]:
        """Look at every byte of the backups again, or of one; raises BackupError for no such."""
        found, damaged = listed(self.shelf)
        if id is not None:
            found, damaged = (named(found, id, self.place),), ()
        unreadable = [Verified(Path(each).stem, (f"{each} cannot be read",)) for each in damaged]
        checked = dict[str, str | None]()
        told = [self._verified(each, checked, now) for each in found]
        sound = [each.id for each in told if not each.problems]
        latest = next((each for each in listed(self.shelf)[0] if each.id in sound), None)
        if latest is not None and (id is None or latest == listed(self.shelf)[0][0]):
            self.note(latest)
        return [*told, *unreadable]

    def _verified(self, backup: Backup, checked: dict[str, str | None], now: datetime) -> Verified:
        problems = [
            problem for each in backup.files if (problem := self._problem(each, backup, checked))
        ]
        if not problems:
            with _reported(self.place):
                _write(self.shelf, replace(backup, verified_at=now))
        return Verified(backup.id, tuple(problems))

    def _problem(
        self, file: SavedFile, backup: Backup, checked: dict[str, str | None]
    ) -> str | None:
        if file.sha256 not in checked:
            checked[file.sha256] = self._found_wrong(file, backup)
        return checked[file.sha256]

    def _found_wrong(self, file: SavedFile, backup: Backup) -> str | None:
        if (wrong := wrong_with(self.shelf, file)) is not None or file.path != STORE:
            return wrong
        if not self._is_openable(backup):
            return None  # what its bytes mean, its own keys tell
        try:
            held = self.copies.check(self.shelf.file(file.sha256))
        except StoreError as error:
            return str(error)
        return None if held == backup.held else f"{file.path} holds other than the manifest says"

    def clear(self, now: datetime, *, files: bool) -> None:
        """Have no backup hold what the store has forgotten.

        Each copy that does is written anew without it. Where `files` went too, of those that are
        not as the home has them now none is kept. Raises BackupError when it cannot be done now;
        what is done is done, and the rest goes on when this is called anew.
        """
        self.refuse_empty_mount()
        with _reported(self.place):
            self._tidy()
            forgotten, anew = self.copies.forgotten(), Anew()
            found = listed(self.shelf)[0]
            for backup in filter(self._is_openable, found):
                cleared = backup
                if backup.cleared != forgotten:
                    cleared = self._cleared(backup, forgotten, anew, now)
                if files:
                    cleared = replace(cleared, files=tuple(self._as_in_home(cleared.files)))
                if cleared != backup:
                    _write(self.shelf, cleared)
            self._tidy(for_good=True)
        if others := [each.id for each in found if not self._is_openable(each)]:
            raise BackupError(
                f"{', '.join(others)} in {self.place} are under other keys than the home: "
                "`memoranda backup` makes one instead of them"
            )

    def _cleared(self, backup: Backup, forgotten: str, anew: Anew, now: datetime) -> Backup:
        file = store_of(backup)
        if file.sha256 not in anew:
            anew[file.sha256] = self._rewritten(backup, now)
        instead, held = anew[file.sha256]
        files = tuple(instead if each == file else each for each in backup.files)
        return replace(backup, held=held, cleared=forgotten, files=files)

    def _rewritten(self, backup: Backup, now: datetime) -> tuple[SavedFile, Held]:
        """What takes the place of a copy, which may be itself, and what that holds."""
        file = store_of(backup)
        if (wrong := wrong_with(self.shelf, file)) is not None:
            raise BackupError(f"{wrong}; remove {self.shelf.manifest(backup.id)}, it is of no use")
        with self._making() as folder:
            made = folder / STORE
            held = self.copies.without_forgotten(self.shelf.file(file.sha256), made, at=now)
            if held is None:
                return file, backup.held
            return self._kept(made, STORE, move=True), held

    def _as_in_home(self, files: Sequence[SavedFile]) -> Iterator[SavedFile]:
        own = (STORE, KEYS, settings.FILE)
        for each in files:
            if each.path in own or _sha256_or_none(self.home / each.path) == each.sha256:
                yield each

    def refuse_empty_mount(self) -> None:
        """Raise BackupError where backups were made and none is: its disk may not be mounted."""
        noted = {each.place for each in self.copies.noted()}
        if str(self.place) in noted and not any(self.shelf.folder.glob("*.json")):
            raise BackupError(
                f"{self.place} has none of the backups that were made there: mount its disk, or "
                f"`memoranda backups --drop {self.place}` if they are gone for good"
            )

    # Writing

    @contextmanager
    def _making(self) -> Iterator[Path]:
        """A folder for what is being made, which is gone afterwards."""
        folder = self.shelf.folder / f"{MAKING}{os.getpid()}"
        (self.shelf.folder / FILES).mkdir(parents=True, exist_ok=True, mode=0o700)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _written(self, folder: Path, last: Backup | None, now: datetime) -> tuple[Backup, bool]:
        """A backup whose manifest stands, and whether the store was copied for it."""
        kept_store = None
        if last is not None and wrong_with(self.shelf, store_of(last)) is None:
            kept_store, held = store_of(last), last.held
        if kept_store is None:
            held = self.copies.make(folder / STORE)
            kept_store = self._kept(folder / STORE, STORE, move=True)
        files, left_out = [kept_store], tuple[str, ...]()
        for path in _beside(self.home):
            name = path.relative_to(self.home).as_posix()
            if name == settings.FILE:
                text, left_out = settings.without_keys(path.read_text(encoding="utf-8"))
                path = folder / settings.FILE
                path.write_text(text, encoding="utf-8")
            files.append(self._kept(path, name))
        backup = Backup(
            id=_free_id(self.shelf, now),
            made_at=now,
            verified_at=now,
            version=self.version,
            held=held,
            cleared=held.forgotten,
            files=tuple(files),
            encrypted=(self.home / KEYS).exists(),
            left_out=left_out,
        )
        for each in files:
            if (wrong := wrong_with(self.shelf, each)) is not None:
                raise BackupError(f"{self.place} did not keep what was written there: {wrong}")
        _write(self.shelf, backup)
        return backup, last is None or kept_store != store_of(last)

    def _kept(self, path: Path, name: str, *, move: bool = False) -> SavedFile:
        """Keep the bytes of a file under their SHA-256, whole or not at all."""
        sha256, size = sha256_of(path), path.stat().st_size
        kept_as = self.shelf.file(sha256)
        if _sha256_or_none(kept_as) != sha256:
            made = path
            if not move:
                made = kept_as.with_name(f"{MAKING}{sha256}")
                shutil.copyfile(path, made)
            _only_for_owner(made)
            _flush(made)
            made.replace(kept_as)
            _flush_folder(kept_as.parent)
        return SavedFile(name, sha256, size)

    # Removing

    def _drop_of_other_keys(self) -> tuple[str, ...]:
        others = [each.id for each in listed(self.shelf)[0] if not self._is_openable(each)]
        for id in others:
            self.shelf.manifest(id).unlink(missing_ok=True)
        return tuple(others)

    def _rotate(self, rotation: Rotation) -> tuple[str, ...]:
        found, _ = listed(self.shelf)
        keep = kept([each.made_at for each in found], rotation)
        removed = [each.id for each in found if each.made_at not in keep]
        for id in removed:
            self.shelf.manifest(id).unlink(missing_ok=True)
        return tuple(removed)

    def _tidy(self, *, for_good: bool = False) -> None:
        """Remove what no manifest names; where one cannot be read, only what must go `for_good`."""
        for left in self.shelf.folder.glob(f"{MAKING}*"):
            if left.is_dir():
                shutil.rmtree(left, ignore_errors=True)
            else:
                left.unlink(missing_ok=True)
        found, damaged = listed(self.shelf)
        if damaged and not for_good:
            return
        named = {file.sha256 for each in found for file in each.files}
        for path in (self.shelf.folder / FILES).glob("*"):
            if path.name not in named:
                path.unlink(missing_ok=True)
        for path in (self.shelf.folder / FILES).glob(f"{MAKING}*"):
            path.unlink(missing_ok=True)


Anew = dict[str, tuple[SavedFile, Held]]
"""What takes the place of a copy, by the copy's SHA-256."""

Due = Callable[[datetime | None, bool], bool]
"""Whether a backup is due, by when the last was made and whether the store has changed."""


def named(found: Iterable[Backup], id: str, place: Path) -> Backup:
    """The backup whose id begins so. Raises BackupError."""
    fitting = [each for each in found if each.id.startswith(id)]
    exact = [each for each in fitting if each.id == id] or fitting
    if len(exact) != 1:
        few = "none" if not exact else "more than one"
        raise BackupError(f"{place} has {few} {id[:40]!r}; `memoranda backups` lists them")
    return exact[0]


def store_of(backup: Backup) -> SavedFile:
    return next(each for each in backup.files if each.path == STORE)


def keys_of(backup: Backup) -> str | None:
    """The SHA-256 of the keys of its store; None when that is plain."""
    return next((each.sha256 for each in backup.files if each.path == KEYS), None)


def keys_in(home: Path) -> str | None:
    """The SHA-256 of the keys of a home; None when it is plain."""
    return _sha256_or_none(home / KEYS)


def wrong_with(shelf: Shelf, file: SavedFile) -> str | None:
    """What is wrong with the bytes that are kept of a file."""
    path = shelf.file(file.sha256)
    try:
        if sha256_of(path) == file.sha256:
            return None
    except FileNotFoundError:
        return f"{file.path} is missing ({path})"
    except OSError as error:
        return f"{file.path} cannot be read ({path}: {error.strerror})"
    return f"{file.path} is not as it was written ({path})"


def sha256_of(path: Path) -> str:
    from hashlib import file_digest

    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _sha256_or_none(path: Path) -> str | None:
    try:
        return sha256_of(path)
    except OSError:
        return None


def _is_same(one: Held, other: Held) -> bool:
    return (one.contents, one.forgotten, one.schema) == (
        other.contents,
        other.forgotten,
        other.schema,
    )


def _beside(home: Path) -> Iterator[Path]:
    """The files of a home that are its own, and nowhere else: settings, keys, skills, reports."""
    for name in (settings.FILE, KEYS):
        if (home / name).is_file():
            yield home / name
    for name in FOLDERS:
        for path in sorted((home / name).rglob("*")):
            if path.is_file() and not path.is_symlink() and _is_own(path):
                yield path


def _is_own(path: Path) -> bool:
    return not (path.name.startswith(".") or any(path.name.startswith(each) for each in DERIVED))


def _free_id(shelf: Shelf, now: datetime) -> str:
    id = f"{now.astimezone(UTC):%Y%m%dT%H%M%SZ}"
    names = (id, *(f"{id}-{n:03d}" for n in range(2, 1000)))
    return next(each for each in names if not shelf.manifest(each).exists())


def _write(shelf: Shelf, backup: Backup) -> None:
    """Let a manifest stand, whole or not at all."""
    made = shelf.folder / f"{MAKING}{backup.id}.json"
    made.write_text(_to_json(backup), encoding="utf-8")
    _only_for_owner(made)
    _flush(made)
    made.replace(shelf.manifest(backup.id))
    _flush_folder(shelf.folder)


def _to_json(backup: Backup) -> str:
    told = plain(backup)
    assert isinstance(told, dict)
    return json.dumps({"form": FORM, **told}, ensure_ascii=False, indent=1)


def _from_json(text: str, id: str) -> Backup:
    """A backup as its manifest tells. Raises ValueError, KeyError, TypeError for another text."""
    told = json.loads(text)
    if told["form"] > FORM or told["id"] != id:
        raise ValueError("it is of a newer program, or of another backup")
    held: Mapping[str, Any] = told["held"]
    backup = Backup(
        id=id,
        made_at=_moment(told["made_at"]),
        verified_at=_moment(told["verified_at"]),
        version=str(told["version"]),
        held=Held(
            home=str(held["home"]),
            schema=int(held["schema"]),
            counts={str(name): int(count) for name, count in held["counts"].items()},
            contents=str(held["contents"]),
            forgotten=str(held["forgotten"]),
            newest=None if held["newest"] is None else _moment(held["newest"]),
        ),
        cleared=str(told["cleared"]),
        files=tuple(_file(each) for each in told["files"]),
        encrypted=bool(told["encrypted"]),
        left_out=tuple(map(str, told["left_out"])),
    )
    if sum(each.path == STORE for each in backup.files) != 1:
        raise ValueError("it names no store")
    return backup


def _file(told: Mapping[str, Any]) -> SavedFile:
    path, sha256 = str(told["path"]), str(told["sha256"])
    if len(sha256) != 64 or not sha256.isalnum():
        raise ValueError(f"{sha256[:80]!r} is no SHA-256")
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise ValueError(f"{path!r} is not within a home")
    return SavedFile(path, sha256, int(told["bytes"]))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text} has no zone")
    return moment


def _only_for_owner(path: Path) -> None:
    with suppress(PermissionError):  # some file systems keep no permissions
        path.chmod(0o600)


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(path: Path) -> None:
    with suppress(OSError):  # not every file system can
        opened = os.open(path, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


@contextmanager
def _reported(place: Path) -> Iterator[None]:
    """What fails at a place as ours, with the way out."""
    try:
        yield
    except StoreError as error:
        raise BackupError(f"{error}; the backups at {place} are as they were") from error
    except OSError as error:
        raise BackupError(
            f"{error.filename or place}: {error.strerror or error}; the backups at {place} are as "
            "they were"
        ) from error
