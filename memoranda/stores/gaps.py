"""Pages reach the file without what SQLite leaves in their gaps.

With `secure_delete` SQLite overwrites what is deleted. When an entry moves to another page, a copy
stays in the gap of the one that it left, and whatever was forgotten since would stand there still.
"""

from __future__ import annotations

from struct import Struct, unpack_from

import apsw

HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}
"""The kinds of pages that hold entries, and how long their headers are."""

FILE_HEADER = 100
"""Bytes before the header of the first page."""

_COUNTS = Struct(">HH").unpack_from


def without_gap(page: bytes, offset: int) -> bytes:
    """A page with zeros between the list of its entries and the first of these.

    What holds no entries, and only by chance begins as if it did, is left as it is.
    """
    header = FILE_HEADER if offset == 0 else 0
    length = HEADERS.get(page[header]) if len(page) > FILE_HEADER else None
    if length is None:
        return page
    entries, first = _COUNTS(page, header + 3)
    end = header + length + 2 * entries
    if not end < first <= len(page) or page.count(0, end, first) == first - end:
        return page
    places = unpack_from(f">{entries}H", page, header + length)
    if min(places, default=len(page)) < first or max(places, default=0) >= len(page):
        return page
    return b"".join((page[:end], bytes(first - end), page[first:]))


class _File(apsw.VFSFile):
    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(without_gap(data, offset), offset)


class _Files(apsw.VFS):
    """The files of this machine, but for that."""

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if name is not None and flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            return _File("", name, flags)
        return super().xOpen(name, flags)


GAPLESS = "memoranda-gapless"

_FILES = _Files(GAPLESS, "")  # known to SQLite by its name while it lives
