"""What is wrong with a home, and what mends it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How bad it is, the worst first."""

    EMERGENCY = "emergency"
    """Memory is lost, or about to be."""
    ERROR = "error"
    """Something does not work, or not for all."""
    WARNING = "warning"
    """Something should be looked at some day."""
    FINE = "fine"


@dataclass(frozen=True, slots=True)
class Symptom:
    """What a `check` found: what is wrong, what that means, and what mends it.

    `mendable` says whether `doctor --mend` does so, and `mended` that it has.
    """

    severity: Severity
    what: str
    means: str = ""
    mend: str = ""
    mendable: bool = False
    mended: bool = False
    check: str = ""


@dataclass(frozen=True, slots=True)
class Checkup:
    """What all checks of a home found, and what was done about it.

    `ways_back` are told when the store cannot be used, the best first. `done` is what mending did,
    and `copy` the verified copy that it made of the store first, if that is still there.
    """

    home: str
    symptoms: tuple[Symptom, ...]
    ways_back: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    copy: str | None = None

    @property
    def worst(self) -> Severity:
        """The worst that is left."""
        order = list(Severity)
        left = (each.severity for each in self.symptoms if not each.mended)
        return min(left, key=order.index, default=Severity.FINE)

    @property
    def is_sound(self) -> bool:
        """Whether nothing is worse than a warning."""
        return self.worst in (Severity.WARNING, Severity.FINE)


@dataclass(frozen=True, slots=True)
class Sign:
    """What says that there was a store where there is none, and the way back from it, if any."""

    what: str
    way: str = ""


class Condition(StrEnum):
    """What a store's file is, before anything in it is looked at."""

    MISSING = "missing"
    EMPTY = "empty"
    STRANGE = "strange"
    """No SQLite file, or no store of ours."""
    UNREADABLE = "unreadable"
    LOCKED = "locked"
    """It is encrypted, and nothing opens it here."""
    IN_USE = "in use"
    """Somebody holds it alone, to upgrade or replace it."""
    OLDER = "older"
    NEWER = "newer"
    OURS = "ours"


@dataclass(frozen=True, slots=True)
class VectorsFound:
    """The vectors of a store: of which model, and how many are not as they should be."""

    model: str | None
    kept: int
    missing: int
    strange: int
    """Of another model."""
    unreadable: int
    """With another number of numbers than most, or with what is no number."""


@dataclass(frozen=True, slots=True)
class Dangling:
    """How much refers to what is not there."""

    unsourced: int = 0
    """Memories without any source."""
    superseded: int = 0
    """Memories that were superseded by none that is there."""
    unrecorded: int = 0
    """Ledger entries with words of a memory that is not there."""
