"""What a backup holds, where it is, and what a restore brings back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Held:
    """What a store holds, or a copy of one, to compare the two.

    `counts` are the rows of each table, `contents` a checksum over all of them. `forgotten` tells
    two states apart of which one has forgotten more. `newest` is when the last thing came in.
    """

    home: str
    schema: int
    counts: Mapping[str, int]
    contents: str
    forgotten: str
    newest: datetime | None = None


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file of a backup by its path within the home; its bytes are kept under their SHA-256."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup, as its manifest tells. Its `id` is the time at which it was made.

    It was made by that `version` of the program, and found sound at `verified_at`. Of settings
    that hold keys the names are `left_out`. Its store holds what is `held`, and nothing that the
    home had forgotten when that was as `cleared` tells, which only says whether it is the same.
    """

    id: str
    made_at: datetime
    verified_at: datetime
    version: str
    held: Held
    cleared: str
    files: tuple[SavedFile, ...]
    encrypted: bool = False
    left_out: tuple[str, ...] = ()

    @property
    def bytes(self) -> int:
        return sum(each.bytes for each in self.files)


@dataclass(frozen=True, slots=True)
class Backups:
    """What is at a place, the newest first; `damaged` are manifests that cannot be read."""

    place: str
    found: tuple[Backup, ...] = ()
    damaged: tuple[str, ...] = ()
    same_disk: bool = False


@dataclass(frozen=True, slots=True)
class Saved:
    """What came of a backup: None when none was due.

    It is `new` when the store was copied, and not the copy of an earlier backup good enough still.
    `removed` are the ids of backups that were old enough to go.
    """

    place: str
    backup: Backup | None
    new: bool = False
    removed: tuple[str, ...] = ()
    same_disk: bool = False


@dataclass(frozen=True, slots=True)
class Verified:
    """What is wrong with a backup that was looked at again; nothing when it is sound."""

    id: str
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Noted:
    """The last verified backup that a home made at a place, and whether that is on its own disk.

    The home was then in the folder `home`.
    """

    place: str
    id: str
    verified_at: datetime
    same_disk: bool = False
    home: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many come back that are not there now, and how many are lost that a backup has not."""

    back: int = 0
    lost: int = 0


@dataclass(frozen=True, slots=True)
class Counts:
    """The rows of a table, in a backup and in the store that is there now."""

    then: int
    now: int


@dataclass(frozen=True, slots=True)
class Returned:
    """What a restore brought back, or would.

    `newest` is when the last thing in it came in. So many `seconds` are missing since: until the
    last thing that came into the store that was replaced, or until now when that cannot be read.
    `memories`, `turns` and `tables` compare the two, None when there was none. `forgotten` of what
    came back went again at once, None when nobody knows what had been forgotten. `replaced` is
    where the store is that was there, `aside` where files are, `kept` those that stayed as they
    were, `brought` those that came back.
    """

    backup: Backup
    place: str
    newest: datetime | None
    seconds: float
    memories: Difference | None = None
    turns: Difference | None = None
    tables: Mapping[str, Counts] = field(default_factory=dict)
    forgotten: int | None = None
    replaced: str | None = None
    aside: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    brought: tuple[str, ...] = ()
    dry_run: bool = False
