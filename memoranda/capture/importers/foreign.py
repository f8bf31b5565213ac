"""The SQLite file of another program, which may have it open: read, and left as it is."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3

MAGIC = b"SQLite format 3\0"
_READ_VERSION = 19
"""The byte of the header that is 2 in a file that is written ahead of (WAL)."""


def is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that cannot write, and makes no file beside the database.

    A log beside it without shared memory belongs to a copy, which is copied once more, since
    reading it makes a file. Without a log nobody has a WAL database open, and all is in the file.
    Bytes that are no UTF-8 become lone surrogates. Raises sqlite3.Error and OSError.
    """
    log, shared = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    logged = log.exists() and log.stat().st_size > 0
    if logged and not shared.exists():
        with TemporaryDirectory() as folder:
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(log, copy.with_name(log.name))
            with _connected(copy, "ro") as connection:
                yield connection
        return
    in_use = log.exists() and shared.exists()
    alone = not in_use and _is_written_ahead(path)
    with _connected(path, "ro&immutable=1" if alone else "ro") as connection:
        yield connection


def _is_written_ahead(path: Path) -> bool:
    with path.open("rb") as file:
        header = file.read(_READ_VERSION + 1)
    return header[_READ_VERSION:] == b"\x02"


@contextmanager
def _connected(path: Path, mode: str) -> Iterator[sqlite3.Connection]:
    import sqlite3  # ours is another build of SQLite; this one shares its locks with the host's

    place = path.absolute().as_uri()
    with closing(sqlite3.connect(f"{place}?mode={mode}", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
        yield connection
