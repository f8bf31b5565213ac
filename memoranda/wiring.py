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


def default_home() -> Path:
    """The folder that `MEMORANDA_HOME` names, or `~/.memoranda`."""
    return Path(os.environ.get("MEMORANDA_HOME") or "~/.memoranda").expanduser()


def init(home: str | Path | None = None, *, enable: bool = False) -> Path:
    """Make a new home, with capture off unless `enable`; returns its folder.

    Raises HomeError when there is a home already, or the remains of one.
    """
    folder = _folder(home)
    if (folder / STORE_FILE).exists():
        raise HomeError(f"{folder} is a home already; it was left as it is")
    if (folder / settings.FILE).exists():
        raise HomeError(
            f"{folder} has a {settings.FILE} but no {STORE_FILE}: if that was lost, restore a "
            f"backup; for a new home move {settings.FILE} away first"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        SqliteStore.create(folder / STORE_FILE, at=datetime.now(UTC))
        (folder / settings.FILE).write_text(settings.template(), encoding="utf-8")
    except OSError as error:
        raise HomeError(f"{folder} cannot be made a home: {error.strerror or error}") from error
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
        person=Scope("user", person or None),
        profile=Scope("profile", profile) if profile else None,
        project=Scope("project", project) if project else None,
    )
    options = settings.load(folder, os.environ)
    store = SqliteStore(folder / STORE_FILE, lock_timeout=options.lock_timeout)
    return Memoranda(store, options, access, path=folder, door=door)


def _folder(home: str | Path | None) -> Path:
    return default_home() if home is None else Path(home).expanduser()
