"""What stands in an encrypted store, as who has its key reads it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw

from memoranda.stores import cipher, keys
from memoranda.stores.connections import query

PAGE = 4096


class _File(apsw.VFSFile):
    latest: _File

    def __init__(self, vfs: str, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(vfs, name, flags)
        _File.latest = self


class _Files(apsw.VFS):
    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        if name is not None and flags[0] & apsw.SQLITE_OPEN_MAIN_DB:
            return _File("", name, flags)
        return super().xOpen(name, flags)


_FILES = _Files("memoranda-looking", "")


def deciphered(path: Path, keys_in: Path | None = None) -> bytes:
    """Every page of the file, with what stands in the gaps; the log must be empty."""
    log = path.with_name(f"{path.name}-wal")
    assert not log.exists() or log.stat().st_size == 0
    sealed = keys.key_for(path, keys_in)
    assert sealed is not None
    with closing(apsw.Connection(str(path), vfs="memoranda-looking")) as db:
        cipher.apply(db, sealed[0].cipher, sealed[1])
        pages = int(query(db, "PRAGMA page_count")[0][0])
        file = _File.latest
        return b"".join(file.xRead(PAGE, PAGE * number) for number in range(pages))
