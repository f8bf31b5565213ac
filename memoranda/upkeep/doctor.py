"""What is wrong with a home, found by a list of checks that each look at one thing.

A check is a small function of what was looked at; whoever keeps something else adds one to CHECKS.
None of them changes anything.
"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memoranda.errors import MemorandaError
from memoranda.policy import rotation
from memoranda.policy.unsafe import Unsafe
from memoranda.protocols import Examined
from memoranda.saved import Backup
from memoranda.settings import FILE, Settings
from memoranda.soundness import Checkup, Condition, Severity, Sign, Symptom
from memoranda.upkeep import backup
from memoranda.upkeep.backup import Shelf

EMERGENCY, ERROR, WARNING, FINE = Severity

MEND = "`memoranda doctor --mend`"

LEAST_FREE = 64 << 20
"""Bytes that should be free on any disk that is written to."""

SKEW = timedelta(minutes=2)
"""By how much clocks of machines that share a home may differ."""

FIRST_YEAR = datetime(2025, 1, 1, tzinfo=UTC)
"""No clock that is right is before the first of these homes."""


@dataclass(frozen=True, slots=True)
class FilesFound:
    """How the files that people edit stand to the store."""

    left: tuple[tuple[str, str], ...] = ()
    """Files that are left as they are, and why."""
    edited: int = 0
    """Edits that wait to be taken in."""
    gone: tuple[str, ...] = ()
    """Places of others that are kept and are not there."""
    unmirrored: int = 0
    """Memories that hold and have no file in the mirror."""
    stale: bool = False
    """Whether something has changed since they were written."""


@dataclass(frozen=True, slots=True)
class Case:
    """A home, and what was looked at once for all checks.

    `files` and `weights` are looked at when they are asked for: each may raise MemorandaError.
    """

    home: Path
    store: Path
    now: datetime
    settings: Settings | None
    settings_wrong: str
    examined: Examined
    unsafe: Unsafe | None
    signs: Sequence[Sign]
    files: Callable[[], FilesFound | None]
    weights: Callable[[], None]
    allowed: bool = False
    temporary: bool = False
    problems: Sequence[str] = field(default=())
    is_derived: Callable[[str], bool] = lambda problem: False

    @property
    def is_readable(self) -> bool:
        return self.examined.condition in (Condition.OURS, Condition.OLDER)

    @property
    def is_ours(self) -> bool:
        return self.examined.condition == Condition.OURS

    @property
    def is_damaged(self) -> bool:
        return any(not self.is_derived(each) for each in self.problems)


Check = Callable[[Case], Iterator[Symptom]]


def examine(case: Case, checks: Mapping[str, Check] | None = None) -> Checkup:
    """Every check of a home, in turn; one that fails is a symptom itself."""
    found: list[Symptom] = []
    for name, check in (CHECKS if checks is None else checks).items():
        try:
            some = list(check(case))
        except (MemorandaError, OSError, ValueError) as error:
            some = [Symptom(ERROR, f"it could not be looked at: {error}")]
        found += [replace(each, check=name) for each in some or [Symptom(FINE, "fine")]]
    return Checkup(str(case.home), tuple(found), tuple(ways_back(case)))


def ways_back(case: Case) -> Iterator[str]:
    """How to come by the memories of a store that cannot be used, the best way first."""
    lost = (Condition.MISSING, Condition.EMPTY, Condition.STRANGE, Condition.UNREADABLE)
    if case.examined.condition not in lost and not case.is_damaged:
        return
    if case.examined.condition != Condition.MISSING:
        yield f"keep a copy of {case.store}* as it is, and work on copies only"
    ways = [each.way for each in case.signs if each.way]
    if not any("`memoranda restore`" in each for each in ways):
        yield "restore a backup, the newest first"
    yield from ways
    there = case.examined.condition not in (Condition.MISSING, Condition.EMPTY)
    if there and backup.keys_in(case.home) is None:  # other programs do not read an encrypted one
        yield f"save what can be read of it with `sqlite3 {case.store} .recover`"


def compared(before: Checkup, after: Checkup, done: Sequence[str], copy: str | None) -> Checkup:
    """What is left after mending, and what is not any more."""
    left = {(each.check, each.what) for each in after.symptoms}
    told = (each for each in before.symptoms if each.severity != FINE)
    gone = (replace(each, mended=True) for each in told if (each.check, each.what) not in left)
    return replace(after, symptoms=(*gone, *after.symptoms), done=tuple(done), copy=copy)


# The checks


def place(case: Case) -> Iterator[Symptom]:
    if case.unsafe is None:
        return
    refused = not (case.allowed or case.temporary)
    yield Symptom(
        ERROR if refused else WARNING,
        f"the home is in {case.unsafe.what}",
        f"{case.unsafe.why}{'; it is not opened' if refused else ''}",
        "move the home to a disk of this machine"
        + ('; or say unsafe_place = "allow"' if refused else ""),
    )


def store(case: Case) -> Iterator[Symptom]:
    """Whether there is one, whose it is, and whether this program knows its form."""
    examined = case.examined
    told = {
        Condition.STRANGE: (ERROR, "it is no store of this program", "see the ways back"),
        Condition.UNREADABLE: (EMERGENCY, "nothing in it can be read", "see the ways back"),
        Condition.LOCKED: (
            WARNING,
            "what is in it was not looked at",
            "ask on a terminal, or where the environment has what opens it",
        ),
        Condition.IN_USE: (WARNING, "what is in it was not looked at", "try again in a moment"),
        Condition.NEWER: (ERROR, "this program is too old for it", "install a newer Memoranda"),
    }
    match examined.condition:
        case Condition.MISSING | Condition.EMPTY:
            state = "missing" if examined.condition == Condition.MISSING else "empty"
            signs = " and ".join(each.what for each in case.signs)
            yield Symptom(
                EMERGENCY,
                f"{case.store} is {state}" + (f", but {signs}" if signs else ""),
                "what was remembered is lost if it is not brought back; `init` makes none anew"
                if signs
                else "nothing is remembered here",
                "see the ways back" if signs else "restore a backup, or `memoranda init` elsewhere",
            )
        case Condition.OLDER:
            yield Symptom(
                WARNING,
                "its form is that of an older version",
                "whoever opens it next brings it up to date, after copying it",
                "`memoranda status`",
            )
        case Condition.OURS:
            return
        case other:
            severity, means, mend = told[other]
            yield Symptom(severity, examined.why, means, mend)


def beside(case: Case) -> Iterator[Symptom]:
    """What SQLite left beside a store that is gone."""
    if case.examined.condition != Condition.MISSING:
        return
    for end in ("-wal", "-shm", "-journal"):
        left = case.store.with_name(case.store.name + end)
        if left.exists():
            yield Symptom(
                ERROR,
                f"{left.name} is there without {case.store.name}",
                "it holds the latest changes of what is gone, and would damage another store",
                f"move {left.name} away before anything is put in its place",
            )


def encryption(case: Case) -> Iterator[Symptom]:
    """Whether what opens it is there, and nobody else's."""
    for path in case.examined.secrets():
        if not path.is_file():
            yield Symptom(
                WARNING,
                f"the secret in {path} is not there",
                "the home is opened by its recovery key alone",
                "bring the file back, or `memoranda rekey` with MEMORANDA_KEY as the recovery key",
            )
        elif os.name == "posix" and (mode := stat.S_IMODE(path.stat().st_mode)) & 0o077:
            yield Symptom(
                ERROR,
                f"{path} opens the home, and its permissions {mode:04o} let others read it",
                "others of this machine may open what they get hold of, backups too",
                f"`chmod 600 {path}`, and `memoranda rekey` if somebody may have read it",
            )
    if case.examined.is_rekeyed():
        yield Symptom(
            WARNING,
            "a change of keys was cut off",
            "whoever opens the home next ends it, or has it be as it was",
            "`memoranda status`",
        )


def integrity(case: Case) -> Iterator[Symptom]:
    if case.is_damaged:
        try:
            told = ", ".join(f"{count} {name}" for name, count in case.examined.readable().items())
            can = f"of what is in it {told} can still be read"
        except MemorandaError as error:
            can = f"nothing in it can be read: {error}"
        yield Symptom(
            EMERGENCY, f"the store is damaged: {case.problems[0]}", can, "see the ways back"
        )
    elif case.problems:
        yield Symptom(
            ERROR,
            f"an index is damaged: {case.problems[0]}",
            "searches miss something; what was said is whole",
            MEND,
            mendable=True,
        )


def full_text(case: Case) -> Iterator[Symptom]:
    if not case.is_readable or case.problems:
        return
    for name in case.examined.out_of_step():
        yield Symptom(
            ERROR,
            f"the full-text index {name} does not say what its table does",
            "a search by words misses something",
            MEND,
            mendable=True,
        )


def vectors(case: Case) -> Iterator[Symptom]:
    options = case.settings
    if not case.is_ours or case.problems or options is None:
        return
    found = case.examined.vectors()
    if found.unreadable:
        yield Symptom(
            ERROR,
            f"{found.unreadable} vectors cannot be read",
            "a search by meaning misses their texts",
            f"{MEND}, then `memoranda embed`",
            mendable=True,
        )
    if options.embedding_model == "none":
        return
    if found.model not in (None, options.embedding_model) and not _is_path(options):
        yield Symptom(
            WARNING,
            f"the vectors are those of {found.model}, and the settings name "
            f"{options.embedding_model}",
            "a search goes by words alone",
            "`memoranda embed`",
        )
    elif found.missing or found.strange:
        yield Symptom(
            WARNING,
            f"{found.missing} texts have no vector yet",
            "a search by meaning misses them",
            "`memoranda embed`",
        )


def _is_path(options: Settings) -> bool:
    return bool(options.embedding_url) or "/" in options.embedding_model


def references(case: Case) -> Iterator[Symptom]:
    if not case.is_ours or case.is_damaged:
        return
    found = case.examined.dangling()
    for count, what, means in (
        (found.unsourced, "memories have no source", "where they come from is not known"),
        (
            found.superseded,
            "memories were superseded by what is not there",
            "what holds in their place is not known",
        ),
        (
            found.unrecorded,
            "ledger entries hold words of memories that are not there",
            "they were deleted by something else than this program, and not forgotten",
        ),
    ):
        if count:
            yield Symptom(WARNING, f"{count} {what}", means, "another program wrote here")


def unfinished(case: Case) -> Iterator[Symptom]:
    """What was begun and not ended: forgetting, and folders of work that crashed."""
    if case.is_ours and not case.is_damaged:
        purges, doomed = case.examined.purges(), case.examined.doomed_files()
        if purges or doomed:
            yield Symptom(
                WARNING,
                f"{purges} times something was forgotten that may still be in the file"
                + (f", and {doomed} files are to be removed" if doomed else ""),
                "until then who opens the file with other tools may find it",
                MEND,
                mendable=True,
            )
    for each in case.examined.left_over():
        yield Symptom(
            WARNING,
            f"{each.name} was left by work that crashed",
            "it takes room, and may hold what was forgotten since",
            MEND,
            mendable=True,
        )


def files(case: Case) -> Iterator[Symptom]:
    if not case.is_ours or case.is_damaged or case.settings is None or not case.settings.files:
        return
    found = case.files()
    if found is None:
        return
    for path, why in found.left:
        yield Symptom(
            WARNING,
            f"{path}: {why}",
            "it is not written, and what is in it is not taken in",
            "`memoranda sync`",
        )
    for path in found.gone:
        yield Symptom(
            WARNING,
            f"{path} is kept, and its folder is gone",
            "nothing is written there",
            "`memoranda sync --no-hermes DIR`, if it is gone for good",
        )
    if found.edited:
        yield Symptom(
            WARNING,
            f"{found.edited} edits of files were not taken in yet",
            "what they say is not remembered yet",
            "`memoranda sync`",
        )
    if found.unmirrored or (found.stale and not found.edited):
        yield Symptom(
            WARNING,
            f"{found.unmirrored} memories have no file in the mirror"
            if found.unmirrored
            else "the files do not say yet what the store does",
            "they would not come back if the store were lost",
            MEND,
            mendable=True,
        )


def backups(case: Case) -> Iterator[Symptom]:
    """Whether what would bring the home back is there, sound, new enough, and elsewhere."""
    if case.settings is None or not case.is_ours:
        return  # of what is lost the ways back tell
    place = backup.place_of(case.home, case.settings)
    if place is None:
        yield Symptom(
            WARNING,
            "no folder for backups is known",
            "what is remembered is lost with this disk",
            "name one on another disk as backup_to in the settings",
        )
        return
    id, owes = case.examined.backed_up()
    shelf = Shelf(place, id)
    found, damaged = backup.listed(shelf)
    for each in damaged:
        yield Symptom(
            WARNING,
            f"{each} cannot be read",
            "that backup brings nothing back, and nothing old is cleared away beside it",
            "remove it; the next `memoranda backup` clears away what it named",
        )
    if not found:
        yield Symptom(
            ERROR,
            f"{place} has no backup of this home",
            "what is remembered is lost with this disk",
            "`memoranda backup`, with the disk mounted that it shall go to",
        )
        return
    yield from _of_latest(case, shelf, found[0])
    if any(backup.keys_of(each) != backup.keys_in(case.home) for each in found):
        yield Symptom(
            WARNING,
            f"backups in {place} are under other keys than the home, or plain",
            "what opens the home does not open them, and what is forgotten stays in them",
            "`memoranda backup` makes one instead of them",
        )
    if owes:
        yield Symptom(
            WARNING,
            "what was forgotten is in backups yet",
            "who restores none does not see it, and who reads their files may",
            "`memoranda backup` takes it out",
        )


def _of_latest(case: Case, shelf: Shelf, latest: Backup) -> Iterator[Symptom]:
    wrong = (backup.wrong_with(shelf, each) for each in latest.files)
    if (first := next((each for each in wrong if each), None)) is not None:
        yield Symptom(
            ERROR,
            f"the last backup, {latest.id}, is not sound: {first}",
            "it brings nothing back, and the disk that it is on may be failing",
            "`memoranda backup`, and `memoranda backup --verify` for those before",
        )
    elif rotation.is_stale(latest.verified_at, case.now):
        yield Symptom(
            WARNING,
            f"the last verified backup is of {latest.verified_at:%Y-%m-%d %H:%M} UTC",
            "what came in since is lost with this disk",
            "`memoranda backup`",
        )
    if backup.is_same_disk(shelf.place, case.home):
        yield Symptom(
            WARNING,
            f"the backups in {shelf.place} are on the disk of the home",
            "they are lost with it",
            "name a folder on another disk as backup_to in the settings",
        )


def permissions(case: Case) -> Iterator[Symptom]:
    """Whether others on this machine can read what is remembered."""
    for path, mode, wanted in _open_to_others(case.home):
        yield Symptom(
            WARNING if path != case.home else ERROR,
            f"{path} has the permissions {mode:04o}, which let others in; {wanted:04o} do not",
            "other people of this machine may read what is remembered",
            MEND,
            mendable=True,
        )


def _open_to_others(home: Path) -> Iterator[tuple[Path, int, int]]:
    """What others may enter or read, with its permissions and those that it should have."""
    if os.name != "posix":
        return
    for path in (home, *sorted(_files(home))):
        with suppress(FileNotFoundError):
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & 0o077:
                yield path, mode, mode & 0o700


def _files(home: Path) -> Iterator[Path]:
    """The files of a home that hold words; locks hold none, and links lead elsewhere."""
    for folder, folders, names in os.walk(home):
        folders[:] = [each for each in folders if each != "models"]
        for name in names:
            path = Path(folder) / name
            if ".lock" not in name and not path.is_symlink():
                yield path


def make_private(home: Path) -> list[str]:
    """Take from others what they may do with a home of ours; what was done."""
    done = []
    for path, _, wanted in list(_open_to_others(home)):
        try:
            path.chmod(wanted)
        except OSError:  # another's, which doctor tells
            continue
        done.append(f"gave {path} the permissions {wanted:04o}")
    return done


def owner(case: Case) -> Iterator[Symptom]:
    """Whether the files are ours, which they are not after something was done as root."""
    if not hasattr(os, "geteuid"):
        return
    own = os.geteuid()
    others = [
        each
        for each in (case.home, *_files(case.home))
        if each.exists() and each.stat().st_uid != own
    ]
    if others and own != 0:
        yield Symptom(
            ERROR,
            f"{others[0]} belongs to another user"
            + (f", as {len(others) - 1} more do" if len(others) > 1 else ""),
            "it may not be writable for us, as after a command that was run with sudo",
            f"`sudo chown -R {own} {case.home}`",
        )
    elif others:
        yield Symptom(
            WARNING,
            f"{others[0]} belongs to another user than the one who asks",
            "what root writes here that user may not be able to read or write",
            "do it as the user whose home it is",
        )


def read_only(case: Case) -> Iterator[Symptom]:
    paths = [each for each in (case.home, case.store) if each.exists()]
    if shut := [each for each in paths if not os.access(each, os.W_OK)]:
        yield Symptom(
            WARNING,
            f"{shut[0]} may not be written to",
            "what is remembered can be read, and nothing is added",
            "change its permissions, or copy the home to where it may be written",
        )


def room(case: Case) -> Iterator[Symptom]:
    """Whether the disk has room for a copy of the store twice: to vacuum it, and to back it up."""
    size = sum(each.stat().st_size for each in case.home.glob(f"{case.store.name}*"))
    free = shutil.disk_usage(case.home).free
    if free >= 2 * size + LEAST_FREE:
        return
    yield Symptom(
        ERROR if free < LEAST_FREE else WARNING,
        f"{free / 1e6:.0f} MB are free, and the store has {size / 1e6:.0f} MB",
        "nothing can be written soon"
        if free < LEAST_FREE
        else "an upgrade, a backup or a preview may find no room",
        "make room on that disk",
    )


def clock(case: Case) -> Iterator[Symptom]:
    if case.now < FIRST_YEAR:
        yield Symptom(
            ERROR,
            f"the clock says {case.now:%Y-%m-%d}",
            "what is written now is taken for older than all that there is",
            "set the clock",
        )
        return
    if not case.is_ours or case.is_damaged:
        return
    newest = case.examined.newest()
    if newest is not None and case.now + SKEW < newest:
        yield Symptom(
            ERROR,
            f"the clock says {case.now:%Y-%m-%d %H:%M}, but something was written here "
            f"{newest:%Y-%m-%d %H:%M} UTC",
            "what is written now is dated earlier than what it follows",
            "set the clock; if it was ahead then, wait, or leave it",
        )


def weights(case: Case) -> Iterator[Symptom]:
    try:
        case.weights()
    except MemorandaError as error:
        yield Symptom(
            WARNING,
            str(error),
            "nothing gets a vector, and a search goes by words alone",
            "`memoranda models`",
        )


def options(case: Case) -> Iterator[Symptom]:
    if case.settings_wrong:
        yield Symptom(
            ERROR,
            case.settings_wrong,
            "the home is not opened",
            f"set that right in {case.home / FILE} or in the environment",
        )
    path = case.home / FILE
    if case.settings is None or os.name != "posix" or not path.exists():
        return
    keys = [name for name in _KEYS if getattr(case.settings, name)]
    if keys and stat.S_IMODE(path.stat().st_mode) & 0o077:
        yield Symptom(
            ERROR,
            f"{path} may be read by others and holds {keys[0]}",
            "others can use that key",
            f"{MEND}, and change the key",
            mendable=True,
        )


_KEYS = ("embedding_key", "reranking_key", "language_key")


CHECKS: Mapping[str, Check] = {
    "place": place,
    "store": store,
    "beside the store": beside,
    "encryption": encryption,
    "integrity": integrity,
    "full text": full_text,
    "vectors": vectors,
    "references": references,
    "unfinished": unfinished,
    "files": files,
    "backups": backups,
    "permissions": permissions,
    "owner": owner,
    "writable": read_only,
    "room": room,
    "clock": clock,
    "weights": weights,
    "settings": options,
}
"""What is looked at, by the name that is told, in that order."""
