"""A store that is gone: what says that there was one, and the ways back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path

from memoranda.errors import Emergency
from memoranda.settings import Settings
from memoranda.soundness import Sign


def signs(folder: Path, options: Settings) -> list[Sign]:
    """What says that a folder had a store, the best way back first."""
    from memoranda.files import remains
    from memoranda.stores.opening import copied

    looks: tuple[Callable[[Path], Sign | None], ...] = (
        partial(_backed_up, options=options),
        remains.mirrored,
        copied,
        remains.written,
    )
    return [found for look in looks if (found := look(folder)) is not None]


def _backed_up(folder: Path, options: Settings) -> Sign | None:
    """The newest backup of a home where the settings say that backups go."""
    told = backup_at(folder, options)
    return None if told is None else Sign(told, "`memoranda restore` brings that back")


def refuse(store: Path, options: Settings) -> None:
    """Raise Emergency when a store is missing or empty and something says that it was not."""
    if is_gone(store) and (found := signs(store.parent, options)):
        raise Emergency(emergency(store, found))


def is_gone(store: Path) -> bool:
    """Whether a store is missing, or there is nothing in it."""
    try:
        return store.stat().st_size == 0
    except FileNotFoundError:
        return True
    except (OSError, ValueError):  # which whoever opens it will tell
        return False


def emergency(store: Path, found: Sequence[Sign]) -> str:
    """What is said of a store that is gone."""
    state = "empty" if store.exists() else "missing"
    ways = [each.way for each in found if each.way]
    if not any("`memoranda restore`" in each for each in ways):
        ways.insert(0, "restore a backup, if there is one, with `memoranda restore DIR`")
    return (
        f"EMERGENCY: {store} is {state}, but {' and '.join(each.what for each in found)}. "
        f"This is no fresh start, and nothing was made: {'; else '.join(ways)}"
    )


def backup_at(folder: Path, options: Settings, place: Path | None = None) -> str | None:
    """What there is at the place for the backups of a home, or at another; None without any."""
    from memoranda.upkeep import backup

    where = place or backup.place_of(folder, options)
    shelves = [] if where is None else backup.shelves(where)
    newest = [each for shelf in shelves for each in backup.listed(shelf)[0][:1]]
    if not newest:
        return None
    latest = max(each.made_at for each in newest).astimezone(UTC)
    return f"{where} holds the backup of a home, of {latest:%Y-%m-%d %H:%M} UTC"
