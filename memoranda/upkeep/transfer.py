"""The archive of a whole home: written whole, and read only when all of it is as it was written.

A ZIP file of JSON Lines, one file for each table, with the files of the home and a manifest. See
docs/export.md for the format.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from io import BufferedReader
from pathlib import Path, PurePosixPath
from typing import IO, Any, Self, cast

from memoranda.errors import FileError, InvalidImport, InvalidInput
from memoranda.moving import Column, Row, Table
from memoranda.types import Scope

FORMAT = "memoranda home"
VERSION = 1
"""Of the format. What reads a version reads all before it."""

KIND = b"application/x-memoranda-home"
"""What the first member says, which stands unpacked at the beginning of the file."""

FIRST, MANIFEST, SETTINGS = "mimetype", "manifest.json", "settings.json"
TABLES, FILES = "tables/", "files/"

LONGEST_LINE = 64_000_000
"""Bytes of a line, or of a file, at most."""

PLENTY, DENSEST = 256_000_000, 200
"""Bytes that may come out of any archive, and beyond these how many times its own size."""

MOST_FILES = 100_000
SEAL = 64
"""Characters at the very end: the SHA-256 of all before them."""

BLOCK = 1 << 20

_WORDS: Mapping[str, tuple[type, ...]] = {
    "text": (str,),
    "time": (str,),
    "scope": (str,),
    "json": (str,),
    "bytes": (str,),
    "integer": (int,),
    "real": (int, float),
    "reference": (str, int, list),
}


def recognises(path: Path) -> bool:
    """Whether a file begins as an archive of a home does."""
    with suppress(OSError, ValueError):
        if path.is_file():
            with path.open("rb") as file:
                head = file.read(30 + len(FIRST) + len(KIND))
            return head.startswith(b"PK\3\4") and head.endswith(FIRST.encode() + KIND)
    return False


# Writing ------------------------------------------------------------------------------------------


class Writing:
    """An archive that is being written, in a `with` statement; it is whole at its end."""

    def __init__(self, file: IO[bytes], schema: int, at: datetime) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self._about = {
            "format": FORMAT,
            "version": VERSION,
            "schema": schema,
            "made_at": at.isoformat(),
        }
        self._members: list[dict[str, Any]] = []
        self._file = file
        self._zip.writestr(zipfile.ZipInfo(FIRST), KIND)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is None:
            self._close()
        else:
            self._zip.close()  # the file goes

    def table(self, name: str, rows: Iterator[Row], advance: Callable[[int], None]) -> int:
        """Write the rows of a table, a line each; returns how many."""
        count = 0
        with self._member(f"{TABLES}{name}.jsonl") as (write, told):
            for row in rows:
                write(line(row))
                count += 1
                if count % 500 == 0:
                    advance(500)
            advance(count % 500)
            told["rows"] = count
        return count

    def data(self, name: str, content: bytes) -> None:
        with self._member(name) as (write, _):
            write(content)

    @contextmanager
    def _member(self, name: str) -> Iterator[tuple[Callable[[bytes], object], dict[str, Any]]]:
        digest, told = hashlib.sha256(), {"name": name, "bytes": 0}
        with self._zip.open(name, "w", force_zip64=True) as member:

            def write(data: bytes) -> None:
                member.write(data)
                digest.update(data)
                told["bytes"] = cast("int", told["bytes"]) + len(data)

            yield write, told
        self._members.append({**told, "sha256": digest.hexdigest()})

    def _close(self) -> None:
        """Write what tells of all the rest, and seal it."""
        about = {**self._about, "members": self._members}
        self._zip.writestr(MANIFEST, json.dumps(about, ensure_ascii=False, indent=1) + "\n")
        self._zip.comment = b"0" * SEAL
        self._zip.close()
        self._file.flush()
        self._file.seek(0, os.SEEK_END)
        size = self._file.tell() - SEAL
        self._file.seek(0)
        seal = _digest(self._file, size)
        self._file.seek(size)
        self._file.write(seal.encode())


def line(row: Row) -> bytes:
    """A row as it stands in a file of JSON Lines."""
    return (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def _digest(file: IO[bytes], size: int) -> str:
    digest = hashlib.sha256()
    while size > 0 and (block := file.read(min(BLOCK, size))):
        digest.update(block)
        size -= len(block)
    return digest.hexdigest()


@contextmanager
def placed(path: Path, *, force: bool) -> Iterator[IO[bytes]]:
    """A file to write, which gets its name when all is written and on disk, and goes else.

    Raises FileError when there is one of that name, unless told to replace it, or it cannot be.
    """
    made = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        _refuse_taken(path, force)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(made, flags, 0o600), "w+b") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not force:
            _refuse_taken(path, force)
            with suppress(OSError):  # a file system without links
                os.link(made, path)
                return
            _refuse_taken(path, force)
        made.replace(path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):
            made.unlink(missing_ok=True)


def _refuse_taken(path: Path, force: bool) -> None:
    if path.is_dir():
        raise FileError(f"{path} is a folder; name a file in it")
    if not force and os.path.lexists(path):
        raise FileError(f"{path} is there already; take another name, or replace it with --force")


# Reading ------------------------------------------------------------------------------------------


class Archive:
    """An archive that is open for reading. Raises InvalidImport, with the place, for what is wrong.

    Only after `check` is it known that all of it is right.
    """

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._file = file
        self._size = file.seek(0, os.SEEK_END)
        self._member: str | None = None
        self._line: int | None = None
        self._is_older = False
        self._zip = self._opened()
        self._about = self._manifest()
        self._members = {each["name"]: each for each in self._about["members"]}
        self._refuse_strange()

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Iterator[Self]:
        try:
            file = path.open("rb")
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InvalidImport(str(path), None, reason) from error
        with file:
            yield cls(path, file)

    @property
    def made_at(self) -> datetime:
        return datetime.fromisoformat(self._about["made_at"])

    @property
    def schema(self) -> int:
        return int(self._about["schema"])

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(each.get("rows", 0) for each in self._members.values())

    @property
    def files(self) -> tuple[str, ...]:
        """The paths of files, within a home."""
        return tuple(name.removeprefix(FILES) for name in self._members if name.startswith(FILES))

    def wrong(self, reason: str) -> InvalidImport:
        """What is wrong where was read last."""
        place = str(self._path) if self._member is None else f"{self._path}: {self._member}"
        return InvalidImport(place, self._line, reason)

    # What it is

    def _opened(self) -> zipfile.ZipFile:
        try:
            return zipfile.ZipFile(self._file)
        except (
            zipfile.BadZipFile,
            zlib.error,
            struct.error,
            ValueError,
            OSError,
            EOFError,
        ) as error:
            self._member, self._line = _last_place(self._file)
            raise self.wrong(f"the archive is cut off or damaged here ({error})") from error

    def _manifest(self) -> dict[str, Any]:
        self._member = MANIFEST
        try:
            with self._zip.open(MANIFEST) as member:
                about = json.loads(member.read(LONGEST_LINE))
            if about["format"] != FORMAT:
                raise self.wrong("it is no archive of a home")
            if about["version"] > VERSION:
                raise self.wrong(
                    f"the archive has version {about['version']} and this program reads {VERSION} "
                    "at most; install a newer Memoranda"
                )
            datetime.fromisoformat(about["made_at"])
            if not isinstance(about["schema"], int):
                raise TypeError
            for each in about["members"]:
                if not (isinstance(each["name"], str) and isinstance(each["sha256"], str)):
                    raise TypeError
                if type(each["bytes"]) is not int or type(each.get("rows", 0)) is not int:
                    raise TypeError
        except KeyError as error:
            raise self.wrong(f"it lacks {error}") from error
        except InvalidImport:
            raise
        except _DAMAGES as error:
            raise self.wrong(f"it is damaged ({error})") from error
        return cast("dict[str, Any]", about)

    def _refuse_strange(self) -> None:
        """Refuse members that are not told of, and what is no member of a home at all."""
        self._member = None
        there = [each.filename for each in self._zip.infolist()]
        if sorted(there) != sorted((*self._members, FIRST, MANIFEST)):
            raise self.wrong("its members are not those that the manifest tells of")
        for name in self._members:
            if name != SETTINGS and not name.startswith((TABLES, FILES)):
                self._member = name
                raise self.wrong("no archive of a home has such a member")
        unpacked = 0
        for info in self._zip.infolist():
            self._member = info.filename
            packed = info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if packed or info.flag_bits & 1:
                raise self.wrong("it is packed in a way that no export uses")
            unpacked += info.file_size
            if unpacked > PLENTY and unpacked > DENSEST * self._size:
                raise self.wrong("more would come out of the archive than any home holds")
        if len(self.files) > MOST_FILES:
            raise self.wrong(f"it has more than {MOST_FILES} files")
        for path in self.files:
            self._member = f"{FILES}{path}"
            if not is_home_file(path):
                raise self.wrong("no home has such a file among skills, tasks and reports")
        self._member = None

    # Checking

    def check(self, tables: Sequence[Table], schema: int, advance: Callable[[int], None]) -> None:
        """Read all of it, and refuse it as a whole when anything in it is not right."""
        if self.schema > schema:
            raise self.wrong(
                f"its schema is {self.schema} and this program knows {schema} at most; "
                "install a newer Memoranda"
            )
        self._is_older = self.schema < schema
        self._refuse_other_tables({f"{TABLES}{each.name}.jsonl" for each in tables})
        keys: dict[str, set[Any]] = {}
        for table in tables:
            keys[table.name] = self._check_table(table, keys, advance)
        for path in self.files:
            self.file(path)
        if SETTINGS in self._members:
            _ = self.settings
        self._refuse_changed()

    def _refuse_other_tables(self, known: set[str]) -> None:
        there = {name for name in self._members if name.startswith(TABLES)}
        for name in sorted(there ^ known):
            self._member = name
            if name in there:
                raise self.wrong("no home has such a table")
            if not self._is_older:
                raise self.wrong("it is missing")

    def _check_table(
        self, table: Table, keys: Mapping[str, set[Any]], advance: Callable[[int], None]
    ) -> set[Any]:
        """Check the rows of a table; returns what others may name them by."""
        found: set[Any] = set()
        later = []
        count = 0
        columns = {each.name: each for each in table.columns}
        named = [(each.name, each.to) for each in table.columns if each.to is not None]
        for row in self.rows(table.name):
            self._check_row(columns, table, row)
            if table.key:
                key = _key(table, row)
                if key in found:
                    raise self.wrong("another line has the same key")
                found.add(key)
            for name, to in named:
                if row.get(name) is None:
                    continue
                other = _hashable(row[name])
                if to == table.name:
                    later.append((other, name, self._line))
                elif other not in keys[to]:
                    raise self.wrong(f"{name} names no {to} of the archive")
            count += 1
            if count % 500 == 0:
                advance(500)
        advance(count % 500)
        for other, name, line in later:
            if other not in found:
                self._line = line
                raise self.wrong(f"{name} names no {table.name} of the archive")
        return found

    def _check_row(self, columns: Mapping[str, Column], table: Table, row: Row) -> None:
        for name in row:
            if name not in columns:
                raise self.wrong(f"{name[:40]!r} is no column of {table.name}")
        for column in table.columns:
            if column.name not in row:
                if not self._is_older:  # a newer schema says what it is without
                    raise self.wrong(f"{column.name!r} is missing")
                continue
            reason = _unfit(column, row[column.name])
            if reason is not None:
                raise self.wrong(f"{column.name}: {reason}")

    def _refuse_changed(self) -> None:
        """Refuse what was changed in a place that holds nothing."""
        self._member = self._line = None
        self._file.seek(0)
        seal = _digest(self._file, self._size - SEAL)
        if self._file.read() != seal.encode():
            raise self.wrong("it is not as it was written; nothing tells what was changed in it")

    # Its members

    def rows(self, table: str) -> Iterator[Row]:
        """The rows of a table; none when the archive is older than the table."""
        name = f"{TABLES}{table}.jsonl"
        if name not in self._members:
            return
        count = 0
        for count, line in enumerate(self._lines(name), 1):
            self._member, self._line = name, count
            yield self._row(line)
            self._member, self._line = name, count
        self._line = None
        if count != self._members[name].get("rows"):
            raise self.wrong(f"it has {count} lines, and not as many as the manifest tells")

    def _row(self, line: bytes) -> Row:
        try:
            row = _DECODER.decode(line.decode())
        except (ValueError, RecursionError) as error:
            raise self.wrong(f"no JSON ({error})") from error
        if not isinstance(row, dict):
            raise self.wrong("no JSON object")
        if b"\\u" in line and not _is_text(row):
            raise self.wrong("it has half a character")
        return row

    def _lines(self, name: str) -> Iterator[bytes]:
        """The lines of a member, which is as the manifest tells."""
        self._member, self._line = name, None
        told, digest, size, number = self._members[name], hashlib.sha256(), 0, 0
        try:
            with (
                self._zip.open(name) as packed,
                BufferedReader(cast("Any", packed), BLOCK) as member,
            ):
                while line := member.readline(LONGEST_LINE + 1):
                    number += 1
                    self._member, self._line = name, number
                    size += len(line)
                    if len(line) > LONGEST_LINE or size > told["bytes"]:
                        raise self.wrong("it is longer than any line of a home")
                    digest.update(line)
                    yield line
        except _DAMAGES as error:
            self._member, self._line = name, number + 1
            raise self.wrong(f"it is damaged from here on ({error})") from error
        if digest.hexdigest() != told["sha256"]:
            self._member, self._line = name, None
            raise self.wrong("it does not have the SHA-256 that the manifest tells")

    def file(self, path: str) -> bytes:
        """What is in a file of the home."""
        return b"".join(self._lines(f"{FILES}{path}"))

    @property
    def settings(self) -> dict[str, Any]:
        if SETTINGS not in self._members:
            return {}
        content = b"".join(self._lines(SETTINGS))
        self._member, self._line = SETTINGS, 1
        found = self._row(content)
        for name, value in found.items():
            if not isinstance(value, str | int | float):
                raise self.wrong(f"{name[:40]!r} is no setting")
        return dict(found)


_DAMAGES = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    TypeError,
)
"""What reading a damaged archive raises."""


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _is_text(row: Mapping[str, Any]) -> bool:
    try:
        json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _key(table: Table, row: Row) -> Any:
    values = [_hashable(row.get(name)) for name in table.key]
    return values[0] if len(values) == 1 else tuple(values)


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


def _unfit(column: Column, value: Any) -> str | None:
    """Why a column cannot hold a value, if that is so."""
    if value is None:
        return None if column.optional else "it must not be null"
    if type(value) not in _WORDS[column.form]:
        return f"{type(value).__name__} instead of {column.form}"
    if column.choices is not None and value not in column.choices:
        return "it is none of the words that are known"
    if column.form == "reference":
        return None if _is_key(value) else "it is no key"
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "so large a number"
    return _unfit_text(column, value) if isinstance(value, str) else None


def _is_key(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) == 2 and all(map(_is_key, value))
    return type(value) in (str, int)


def _unfit_text(column: Column, value: str) -> str | None:
    try:
        match column.form:
            case "time":
                if datetime.fromisoformat(value).tzinfo is None:
                    return "a time without a zone"
            case "scope":
                if str(Scope.parse(value)) != value:
                    return "it is no scope as it is written"
            case "json":
                json.loads(value)
            case "bytes":
                bytes.fromhex(value)
    except (ValueError, RecursionError, InvalidInput) as error:
        return f"no {column.form} ({error})"
    return None


def _last_place(file: IO[bytes]) -> tuple[str | None, int | None]:
    """Where an archive without its end stops being readable: the member, and the line in it."""
    file.seek(0)
    name, line = None, None
    with suppress(*_DAMAGES):
        while file.read(4) == b"PK\3\4":
            head = file.read(26)
            _, _, method, _, _, _, packed, _, length, extra = struct.unpack("<HHHHHIIIHH", head)
            name, line = file.read(length).decode(errors="replace"), 0
            file.read(extra)
            if method == zipfile.ZIP_STORED:
                file.seek(packed, os.SEEK_CUR)
                continue
            line = 1
            unpacking = zlib.decompressobj(-15)
            while not unpacking.eof:
                block = file.read(1 << 14)
                if not block:
                    return name, line
                while block and not unpacking.eof:
                    line += unpacking.decompress(block, BLOCK).count(b"\n")
                    block = unpacking.unconsumed_tail
            file.seek(-len(unpacking.unused_data), os.SEEK_CUR)
            mark = file.read(4)
            file.seek(20 if mark == b"PK\7\10" else -4, os.SEEK_CUR)
            line = None
    return name, line


# The files of a home ------------------------------------------------------------------------------

OWNERS = ("people", "profiles", "projects")
SKILLS, TASKS, REPORTS = "skills", "tasks", "reports"
RESERVED = frozenset('<>:"|?*\\')


def is_home_file(path: str) -> bool:
    """Whether a path within a home is that of a skill, a task or a report, and of nothing else."""
    parts = path.split("/")
    if any(not _is_name(each) for each in parts) or PurePosixPath(path).is_absolute():
        return False
    if parts[0] in OWNERS:
        parts = parts[2:]
    if len(parts) < 2:
        return False
    return parts[0] == SKILLS or (parts[0] in (TASKS, REPORTS) and len(parts) == 2)


def _is_name(part: str) -> bool:
    return bool(
        part.isprintable()
        and not part.startswith(".")
        and part == part.rstrip(". ")
        and RESERVED.isdisjoint(part)
        and len(part.encode(errors="replace")) <= 255
    )


def home_files(home: Path) -> tuple[list[str], list[str]]:
    """The skills, tasks and reports of a home by their paths in it; and what is none to be carried.

    Links are left out, and so is what is hidden, such as the folder of git.
    """
    found: list[str] = []
    left_out: list[str] = []
    owners = [home, *(each for owner in OWNERS for each in _folders(home / owner))]
    for owner in owners:
        for name in (SKILLS, TASKS, REPORTS):
            for folder, folders, files in os.walk(owner / name):
                folders[:] = sorted(each for each in folders if not each.startswith("."))
                for each in sorted((*files, *folders)):
                    path = Path(folder, each)
                    within = path.relative_to(home).as_posix()
                    if each.startswith(".") or (path.is_dir() and not path.is_symlink()):
                        continue
                    carried = path.is_file() and not path.is_symlink() and is_home_file(within)
                    (found if carried else left_out).append(within)
    return found, left_out


def _folders(where: Path) -> list[Path]:
    if not where.is_dir():
        return []
    return sorted(each for each in where.iterdir() if each.is_dir() and not each.is_symlink())
