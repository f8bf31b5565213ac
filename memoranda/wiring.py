"""Which implementation stands behind each seam. Nothing else knows."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from memoranda import settings
from memoranda.errors import HomeError
from memoranda.memoranda import Memoranda
from memoranda.policy.access import Access
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Scope

STORE_FILE = "memory.db"


def default_home() -> str:
    """The folder that `MEMORANDA_HOME` names, or `~/.memoranda`."""
    return os.environ.get("MEMORANDA_HOME", "~/.memoranda")


def init(home: str | Path | None = None, *, enable: bool = False) -> Path:
    """Make a new home, with capture off unless `enable`; returns its folder.

    Raises HomeError when there is a home already, or the remains of one.
    """
    folder = _folder(home)
    settings.load(None, os.environ)  # before anything is made that could not be opened
    if (folder / STORE_FILE).is_file():
        raise HomeError(f"{folder} is a home already; it was left as it is")
    if (folder / STORE_FILE).is_dir():
        raise HomeError(f"{folder / STORE_FILE} is a folder; move it away first")
    remains = [*folder.glob(f"{STORE_FILE}*"), *folder.glob(settings.FILE)]
    if remains:
        raise HomeError(
            f"{folder} has {remains[0].name} but no {STORE_FILE}: if that was lost, restore a "
            f"backup; for a new home move {remains[0].name} away first"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        SqliteStore.create(folder / STORE_FILE, at=datetime.now(UTC))
        (folder / settings.FILE).write_text(settings.template(), encoding="utf-8")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise HomeError(f"{folder} cannot be made a home: {reason}") from error
    if enable:
        with open(folder) as memoranda:
            memoranda.enable()
    return folder


def open(
    home: str | Path | None = None,
    *,
    profile: str | None = None,
    project: str | None = None,
    person: str | None = None,
    door: str = "python",
) -> Memoranda:
    """Open a home, seeing one person's memory and that of a profile and a project if named.

    Without `person` it is the owner's. `door` says in every source and ledger entry which way a
    change came in. Raises HomeError, InvalidSettings, InvalidInput.
    """
    folder = _folder(home)
    if not folder.is_dir():
        raise HomeError(f"there is no home at {folder}; make one with `memoranda init`")
    access = Access(
        person=Scope("user", person),
        profile=None if profile is None else Scope("profile", profile),
        project=None if project is None else Scope("project", project),
    )
    options = settings.load(folder, os.environ)
    store = SqliteStore(folder / STORE_FILE, lock_timeout=options.lock_timeout)
    return Memoranda(store, options, access, path=folder, door=door)


def _folder(home: str | Path | None) -> Path:
    name = default_home() if home is None else str(home)
    if not name:
        raise HomeError("the name of the home is empty; give --home or MEMORANDA_HOME a folder")
    try:
        name.encode()
        folder = Path(name).expanduser()
        folder.is_dir()
    except (RuntimeError, ValueError, OSError):
        raise HomeError(f"{name[:80]!a} cannot name a home") from None
    return folder
