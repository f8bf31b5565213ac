"""What the files of a home tell of a store that is gone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from memoranda.errors import FileError
from memoranda.files import disk, markdown, mirror
from memoranda.files.layout import MEMORY, USER
from memoranda.soundness import Sign

_ID = re.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}")
_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

RESTORE = "`memoranda restore --from-markdown`"


def mirrored(home: Path) -> Sign | None:
    """How many memories the mirror would bring back, and of when they are."""
    ids = [each.stem for each in mirror.files(home) if _ID.fullmatch(each.stem)]
    if not ids:
        return None
    many = "1 memory" if len(ids) == 1 else f"{len(ids)} memories"
    first, last = _day(min(ids)), _day(max(ids))
    span = first if first == last else f"{first} to {last}"
    return Sign(f"its mirror holds {many}, made {span}", f"{RESTORE} brings back the {many}")


def written(home: Path) -> Sign | None:
    """Whether a file that people edit was written from a store."""
    for name in (MEMORY, USER):
        try:
            content = disk.read(home / name) or b""
        except FileError:
            continue
        if ids := markdown.ids_in(content.decode("utf-8", errors="replace")):
            return Sign(f"{name} names {len(ids)} of its memories")
    return None


def _day(id: str) -> str:
    """The day on which an id was made."""
    milliseconds = 0
    for digit in id[:10]:
        milliseconds = milliseconds * 32 + _DIGITS.index(digit)
    try:
        return f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d}"
    except (OverflowError, ValueError, OSError):  # an id that was made up
        return "who knows when"
