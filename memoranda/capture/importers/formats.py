"""The formats that an import knows, and which one something is, by what is in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from memoranda.capture.importers import claude_code, hermes
from memoranda.capture.importers import turns as turns_format
from memoranda.capture.importers.reading import Reading
from memoranda.errors import InvalidImport, InvalidInput
from memoranda.types import Turn


@dataclass(frozen=True, slots=True)
class Format:
    """What another program leaves: `files` are its own at a path, `read` has their turns."""

    looked_for: str
    files: Callable[[Path], list[Path]]
    read: Callable[[list[Path], Reading], Iterator[Turn]]


FORMATS: Mapping[str, Format] = {
    "hermes": Format(
        "a Hermes home or its state.db with the tables sessions and messages",
        hermes.files,
        hermes.read,
    ),
    "claude-code": Format(
        "transcripts of Claude Code (*.jsonl with type and sessionId)",
        claude_code.files,
        claude_code.read,
    ),
}
TURNS = "turns"
NAMES = ("auto", TURNS, *FORMATS)


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to read at a path: of a `format`, these files."""

    format: str
    files: list[Path]

    @property
    def bytes(self) -> int:
        return sum(each.stat().st_size for each in self.files)

    @property
    def checked(self) -> bool:
        """Whether all of it is read before any of it is stored."""
        return self.format == TURNS

    def turns(self, reading: Reading, *, dry_run: bool) -> Iterator[Turn]:
        """The turns, each taken down by `reading`."""
        if self.checked:
            read = turns_format.read if dry_run else turns_format.read_checked
            (path,) = self.files
            found = read(path, reading.zone, place=reading.place, advance=reading.advance)
        else:
            found = FORMATS[self.format].read(self.files, reading)
        return reading.counted(found)


def find(path: Path, format: str = "auto", place: str | None = None) -> Found:
    """What there is at `path`. Raises InvalidImport when it is nothing that is known."""
    if format not in NAMES:
        raise InvalidInput(f"format {format!r} is unknown: {', '.join(NAMES[:-1])} or {NAMES[-1]}")
    place = place or str(path)
    _refuse_unreadable(path, place)
    if format == TURNS:
        return Found(TURNS, [path])
    asked = FORMATS if format == "auto" else {format: FORMATS[format]}
    for name, each in asked.items():
        if files := each.files(path):
            return Found(name, files)
    if format == "auto" and not path.is_dir():
        return _as_turns(path, place, asked)
    raise InvalidImport(place, None, f"there is no {_looked_for(asked)}")


def _refuse_unreadable(path: Path, place: str) -> None:
    """What cannot be opened, or only once, is no format at all."""
    if turns_format.is_pipe(path):
        raise InvalidImport(place, None, "it is a pipe or device, no file")
    try:
        if not path.is_dir():
            path.open("rb").close()
        else:
            next(path.iterdir(), None)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidImport(place, None, reason) from error


def _as_turns(path: Path, place: str, asked: Mapping[str, Format]) -> Found:
    """A file of turns, if it begins like one, or is empty."""
    try:
        if not turns_format.recognises(path):
            next(turns_format.read(path, None, place=place), None)
    except InvalidImport as error:
        reason = f"{error.reason}; it is no file of turns, and there is no {_looked_for(asked)}"
        raise InvalidImport(place, error.line, reason) from error
    return Found(TURNS, [path])


def _looked_for(formats: Mapping[str, Format]) -> str:
    return " and no ".join(each.looked_for.removeprefix("a ") for each in formats.values())
