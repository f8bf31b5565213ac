"""The bytes of a file that SQLite may have open in this process.

When a process closes a file, POSIX drops every lock that it holds there, through whichever door it
was opened. SQLite knows, and closes such a file only once its own locks are gone: so all files are
opened through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

LOCKS = "-shm"
"""How the file ends that holds SQLite's locks and the numbers of pages, and never their content.

SQLite itself cannot open it twice.
"""


@contextmanager
def opened(path: Path) -> Iterator[apsw.VFSFile]:
    how = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    file = apsw.VFSFile("", str(path), [how, 0])
    try:
        yield file
    finally:
        file.xClose()
