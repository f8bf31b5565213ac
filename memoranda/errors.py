"""What can go wrong, each with the way out in its message."""

from __future__ import annotations

from collections.abc import Iterable


class MemorandaError(Exception):
    """The base of every error that Memoranda raises on purpose."""


class InvalidInput(MemorandaError):
    """A value that cannot be used: the message says which and why."""


class InvalidImport(InvalidInput):
    """A file that cannot be read as turns; nothing of it was stored."""

    def __init__(self, place: str, line: int | None, reason: str) -> None:
        where = place if line is None else f"{place}, line {line}"
        super().__init__(f"{where}: {reason}; nothing was stored")
        self.place = place
        self.line = line
        self.reason = reason


class InvalidSettings(MemorandaError):
    """The settings file or an environment variable holds something unknown or unusable."""


class NotFound(MemorandaError, LookupError):
    """Nothing with that id is visible from here."""


class Ambiguous(MemorandaError):
    """The beginning of an id fits more than one."""


class ScopeClosed(MemorandaError):
    """A scope that was not opened was written to."""


class CaptureOff(MemorandaError):
    """A turn came in while capture is off: for these `scopes`, or for the home if there are none.

    `reason` and `remedy` say in words what is off and what turns it on.
    """

    def __init__(self, scopes: Iterable[str] = (), remedies: Iterable[str] = ()) -> None:
        self.scopes = tuple(dict.fromkeys(scopes))
        whose = f" for {' and for '.join(self.scopes)}" if self.scopes else ""
        self.reason = f"capture is off{whose}"
        self.remedy = ", and ".join(remedies) or "turn it on with `memoranda enable`"
        super().__init__(f"{self.reason}, nothing was stored; {self.remedy}")


class Incognito(MemorandaError):
    """Nothing is kept of this conversation."""


class Conflict(MemorandaError):
    """A memory changed between being read and being written."""


class Busy(MemorandaError):
    """Somebody else is at what only one may do at a time."""


class HomeError(MemorandaError):
    """The home is missing, not ours, not usable, newer than this program, or in use."""


class Locked(HomeError):
    """The home is encrypted, and nothing that was given opens it."""


class Emergency(HomeError):
    """The store is gone, and what is left says that there was one."""


class NotToldError(MemorandaError):
    """Whom the settings name to be told of warnings could not be."""


class FileError(MemorandaError):
    """A file that is kept beside the store cannot be read or written."""


class BackupError(MemorandaError):
    """A backup cannot be made, verified or restored, or its place cannot be reached."""


class StoreError(MemorandaError):
    """The store could not do what was asked: a full disk, a damaged file, a lock held too long."""


class ReadOnly(StoreError):
    """The home may be read and not written: its place or its permissions do not let us."""


class ModelError(MemorandaError):
    """A model cannot be used. Its kinds say which."""


class EmbeddingError(ModelError):
    """The model that makes vectors is missing, damaged, unreachable or answers nonsense."""


class RerankingError(ModelError):
    """The model that reranks is missing, damaged, unreachable or slow, or answers nonsense."""
