"""Which backups are kept, and when one is due."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

HOUR, DAY = timedelta(hours=1), timedelta(days=1)

AGAIN = timedelta(hours=23)
"""After so long an unchanged home is backed up too, which verifies what there is once more."""


@dataclass(frozen=True, slots=True)
class Rotation:
    """How many hours, days and weeks keep a backup: those of which there is one."""

    hourly: int = 24
    daily: int = 7
    weekly: int = 4


def kept(times: Collection[datetime], rotation: Rotation) -> frozenset[datetime]:
    """The times to keep: the last of each of the latest hours, days and weeks that have any.

    The newest is always among them. Hours, days and weeks are those of UTC.
    """
    newest_first = sorted(times, reverse=True)
    chosen = set(newest_first[:1])
    for most, span in (
        (rotation.hourly, "%Y-%m-%dT%H"),
        (rotation.daily, "%Y-%m-%d"),
        (rotation.weekly, "%G-%V"),
    ):
        lasts: dict[str, datetime] = {}
        for each in newest_first:
            lasts.setdefault(each.astimezone(UTC).strftime(span), each)
        chosen.update([*lasts.values()][:most])
    return frozenset(chosen)


def is_due(last: datetime | None, now: datetime, *, changed: bool) -> bool:
    """Whether a backup is due: an hour after the last if something changed, else after a day.

    One from the future, made by a clock that was wrong, counts as none.
    """
    if last is None or last > now + HOUR:
        return True
    return now - last >= (HOUR if changed else AGAIN)


def is_stale(verified_at: datetime, now: datetime) -> bool:
    """Whether a verified backup is so old that somebody has to be told."""
    return now - verified_at > DAY
