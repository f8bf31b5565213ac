"""Overwriting what SQLite leaves in the unused middle of the pages of a file.

`secure_delete` overwrites what is deleted where it stands. But when a page is laid out anew, copies
of what moved to another one can stay between its list of cells and the first of these; what is
deleted later is overwritten in its new place alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

from memoranda.stores import raw

READ_AT_ONCE = 1 << 22
HEADER = 100
"""Bytes of the first page that are the file's."""

INTERIOR, LEAVES = (2, 5), (10, 13)
"""The first bytes of pages of cells; of others it is 0, in a file of up to 100 GB."""


def wipe(path: Path) -> None:
    """Overwrite with zeros what no cell of a page uses.

    The caller sees to it that nobody writes to the file meanwhile, nor has changes of it in a log,
    and that nobody keeps its pages in memory afterwards.
    """
    with raw.opened(path, to_write=True) as file:
        for start, stop in _unused(file):
            file.xWrite(bytes(stop - start), start)
        file.xSync(apsw.SQLITE_SYNC_FULL)


def _unused(file: apsw.VFSFile) -> Iterator[tuple[int, int]]:
    """The stretches of a file that no cell uses and that are not zeros yet."""
    header = file.xRead(HEADER, 0)
    size = int.from_bytes(header[16:18], "big")
    size = 1 << 16 if size == 1 else size
    map_every = (size - header[20]) // 5 + 1 if any(header[52:56]) else 0
    zeros = bytes(size)
    place = 0
    while read := file.xRead(READ_AT_ONCE, place):
        for at in range(0, len(read) - size + 1, size):
            number = (place + at) // size + 1
            if map_every and number % map_every == 2:
                continue  # a map of the pages, which only files that shrink by themselves have
            start, stop = _middle(read, at + HEADER if number == 1 else at, at)
            if start < stop <= at + size and read[start:stop] != zeros[: stop - start]:
                yield place + start, place + stop
        place += len(read)


def _middle(read: bytes, header: int, page: int) -> tuple[int, int]:
    """From the end of a page's list of cells to the first cell; nothing for one without cells."""
    kind = read[header]
    if kind not in (*INTERIOR, *LEAVES):
        return page, page
    cells = int.from_bytes(read[header + 3 : header + 5], "big")
    first = int.from_bytes(read[header + 5 : header + 7], "big") or 1 << 16
    return header + (12 if kind in INTERIOR else 8) + 2 * cells, page + first
