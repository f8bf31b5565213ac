"""A store that is gone: what says that there was one, and the ways back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
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
    found = newest_backup(folder, options)
    if found is None:
        return None
    place, at = found
    return Sign(holds(place, at), f"`memoranda restore` brings it back as it was {_day(at)}")


def newest_backup(
    folder: Path, options: Settings, place: Path | None = None
) -> tuple[Path, datetime] | None:
    """Where the newest backup is of those at a place, or where the settings say, and of when."""
    from memoranda.upkeep import backup

    where = place or backup.place_of(folder, options)
    if where is None:
        return None
    newest = [each for shelf in backup.shelves(where) for each in backup.listed(shelf)[0][:1]]
    return (where, max(each.made_at for each in newest)) if newest else None


def holds(place: Path, at: datetime) -> str:
    return f"{place} holds the backup of a home, of {_day(at)}"


def _day(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


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
