"""Files that others edit: read whole, written whole, and never over what nobody has read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memoranda.errors import FileError


class ChangedMeanwhile(FileError):
    """Somebody wrote a file between its being read and being written."""


def read(path: Path) -> bytes | None:
    """What is in a file; None when there is none. Raises FileError."""
    try:
        if path.exists() and not path.is_file():  # a pipe would never end
            raise FileError(f"{path} is no file")
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from error


def stamp(path: Path) -> str | None:
    """What tells that somebody wrote a file: when, and its size; None when there is none."""
    try:
        told = path.stat()
    except OSError:
        return None
    return f"{told.st_mtime_ns}/{told.st_size}"


def write(path: Path, content: bytes, *, instead_of: bytes | None, durable: bool = True) -> None:
    """Put a file in the place of one that holds `instead_of`, all at once.

    One that is not `durable` may be lost when the power fails. Raises ChangedMeanwhile, leaving the
    file, when it holds something else; FileError.
    """
    path = Path(os.path.realpath(path))  # a link stays one
    made = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with made.open("wb") as file:
            made.chmod(path.stat().st_mode & 0o777 if instead_of is not None else 0o600)
            file.write(content)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        if read(path) != instead_of:  # as late as can be
            raise ChangedMeanwhile(f"{path} was changed meanwhile")
        made.replace(path)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from error
    finally:
        made.unlink(missing_ok=True)


def remove_unfinished(folders: Iterable[Path]) -> None:
    """Remove what writing left that was cut off; nobody else may be writing Markdown there."""
    for folder in folders:
        for each in folder.glob(".*.md.*.new"):
            each.unlink(missing_ok=True)


def remove(path: Path, root: Path, *, instead_of: bytes | None = None) -> None:
    """Remove a file, and the folders that are empty without it up to `root`.

    Raises ChangedMeanwhile when it does not hold what is given, if that is; FileError.
    """
    if instead_of is not None and read(path) != instead_of:
        raise ChangedMeanwhile(f"{path} was changed meanwhile")
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise FileError(f"{path} cannot be removed: {error.strerror}") from error
    for folder in path.parents:
        if folder == root or not folder.is_relative_to(root):
            return
        try:
            folder.rmdir()
        except OSError:  # it holds something else, or is not there
            return


def keep_aside(path: Path, content: bytes) -> Path:
    """Keep what a file held before it was ours, under a name that is free."""
    for n in range(1, 10_000):
        aside = path.with_name(f"{path.name}.before{'' if n == 1 else f'-{n}'}")
        kept = read(aside)
        if kept == content:
            return aside
        if kept is None:
            write(aside, content, instead_of=None)
            return aside
    raise FileError(f"{path} was kept aside too often; remove some {path.name}.before-…")
