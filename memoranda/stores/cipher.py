"""Connections to files that may be encrypted: every one is opened here.

A key that SQLite does not ask for is ignored without a word, and a plain file is read all the same.
So each opening looks at how the file begins, and refuses one that is not what its keys say.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import quote

import apsw

from memoranda.errors import HomeError
from memoranda.stores import keys, raw
from memoranda.stores.keys import BEGINS, FILE, NEXT, Keys

AEGIS, CHACHA = "aegis", "chacha20"
"""AEGIS-256, and ChaCha20-Poly1305 where the processor has no instructions for AES."""

MAGIC = b"SQLite format 3\0"
"""How a plain file begins."""


def opened(
    path: Path,
    flags: int,
    *,
    vfs: str | None = None,
    keys_in: Path | None = None,
    is_unchanging: bool = False,
) -> apsw.Connection:
    """A connection to a file, by the keys beside it or in another place.

    One that `is_unchanging` is read without a look for others. Raises Locked, HomeError,
    apsw.Error.
    """
    name = str(path)
    if is_unchanging:
        name, flags = f"{path.absolute().as_uri()}?immutable=1", flags | apsw.SQLITE_OPEN_URI
    found = keys.key_for(path, keys_in)
    if found is None:
        return apsw.Connection(name, flags=flags, vfs=vfs)
    told, key = found
    refuse_other_than(path, told)
    db = apsw.Connection(name, flags=flags)  # the one that knows of ciphers
    apply(db, told.cipher, key)
    return db


def made_as(path: Path, keys_in: Path) -> apsw.Connection:
    """A new file, encrypted as a store whose keys are in a file; plain when there is none."""
    db = apsw.Connection(str(path))
    if (sealed := keys.key_for(path, keys_in)) is not None:
        told, key = sealed
        apply(db, told.cipher, key, told.begins)
    return db


def apply(db: apsw.Connection, cipher: str, key: bytes, begins: bytes = b"") -> None:
    """Have a connection read and write with a key; a new file `begins` so, if it is told.

    Raises HomeError when SQLite knows none.
    """
    if not hasattr(apsw, "mc_version"):
        raise HomeError(
            "this SQLite cannot encrypt: `apsw` was installed over `apsw-sqlite3mc`; remove both "
            "and install `apsw-sqlite3mc` anew"
        )
    db.execute(f"PRAGMA cipher = '{cipher}'").fetchall()
    if db.execute("PRAGMA cipher").get != cipher:
        raise HomeError(f"this SQLite does not know the cipher {cipher!r}")
    db.execute(f"PRAGMA key = '{_as_text(key, begins)}'").fetchall()


def is_encrypted(path: Path) -> bool:
    """Whether a store has keys beside it."""
    return path.with_name(FILE).exists()


def keys_of(path: Path) -> Path:
    """The file with the keys of a store: the next ones, when a change of keys was cut off there."""
    following = path.with_name(NEXT)
    told = keys.read(following)
    is_next = told is not None and path.exists() and begins(path) == told.begins
    return following if is_next else path.with_name(FILE)


def begins(path: Path) -> bytes:
    with raw.opened(path) as file:
        return bytes(file.xRead(BEGINS, 0))


def refuse_other_than(path: Path, told: Keys) -> None:
    """Raises HomeError for a file that is not the one of its keys."""
    found = begins(path)
    if found == MAGIC:
        raise HomeError(
            f"{path} is not encrypted, though {FILE} beside it says so: somebody has put another "
            f"file in its place. Restore a backup, or move {FILE} away if the file is yours"
        )
    if found != told.begins:
        raise HomeError(f"{FILE} is not of {path}, but of another store; put back its own")


def copy_to(to: Path, cipher: str, key: bytes | None, begins: bytes = b"") -> str:
    """Where VACUUM INTO writes a copy with another key, or none; told to who takes URIs."""
    told = f"cipher={cipher}&key={quote(_as_text(key, begins))}" if key is not None else "key="
    return f"file:{quote(str(to))}?{told}"


def best() -> str:
    """The cipher for this processor."""
    return AEGIS if _has_aes() else CHACHA


def _has_aes() -> bool:
    if not sys.platform.startswith("linux"):
        return True  # every processor that macOS and Windows of today run on
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    words = {word for line in told.splitlines() if "eatures" in line or "flags" in line
             for word in line.split()}  # fmt: skip
    return "aes" in words


def _as_text(key: bytes, begins: bytes = b"") -> str:
    return f"raw:{key.hex()}{begins.hex()}"
