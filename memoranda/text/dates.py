"""Dates as people give them to a command or a file."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memoranda.errors import InvalidInput


def parse(text: str, zone: tzinfo | None, *, end_of_day: bool = False) -> datetime:
    """A moment from ISO 8601 text; without a zone of its own it is in `zone`, or this machine's.

    A date alone is its first moment, or with `end_of_day` its last. Raises InvalidInput.
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text)
        if end_of_day and _is_day(text):
            moment = datetime.combine(moment.date(), time.max)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=zone) if zone else moment.astimezone()
        utc(moment)
    except (ValueError, OverflowError):
        raise InvalidInput(
            f"{text[:60]!r} is no date: write 2026-03-31 or 2026-03-31T14:05+02:00"
        ) from None
    return moment


def _is_day(text: str) -> bool:
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def utc(moment: datetime) -> datetime:
    """`moment` in UTC. Raises InvalidInput when it is none, has no zone or leaves the calendar."""
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{moment!r} is no time; give a datetime with a zone")
    if moment.tzinfo is None:
        raise InvalidInput(f"the time {moment.isoformat()} has no zone")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"the time {moment.isoformat()} is outside the calendar") from None


def from_seconds(seconds: float) -> datetime:
    """A moment from seconds since 1970. Raises InvalidInput when out of range."""
    try:
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    except (OverflowError, ValueError):
        raise InvalidInput(f"{seconds!r} seconds since 1970 is no usable time") from None


MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
"""In English, whatever language the program that we run in has set."""


def spoken(moment: datetime) -> str:
    """The day as people write it, so that either way of writing finds it."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year} {moment.date().isoformat()}"
