"""Turns as JSON lines: {"conversation", "role", "content", "id"?, "time"?, "speaker"?}."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any

from memoranda.errors import InvalidImport, InvalidInput
from memoranda.text import dates
from memoranda.types import Turn

FIELDS = frozenset(("conversation", "role", "content", "id", "time", "speaker"))


def read(
    path: Path,
    zone: tzinfo | None,
    *,
    place: str | None = None,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Turn]:
    """The turns of a file; times without a zone are in `zone`, or this machine's.

    Bytes that are not UTF-8 become lone surrogates, which are mended and counted when stored.
    `place` is what errors call the file; `advance` is told the bytes of each line read. Raises
    InvalidImport, naming the place, the line and the reason.
    """
    place = place or str(path)
    try:
        lines = path.open("rb")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidImport(place, None, reason) from error
    with lines:
        for number, line in enumerate(lines, start=1):
            if advance is not None:
                advance(len(line))
            text = line.decode("utf-8-sig" if number == 1 else "utf-8", "surrogateescape").strip()
            if text:
                try:
                    yield _turn(_parsed(text), zone)
                except InvalidInput as error:
                    raise InvalidImport(place, number, str(error)) from error


def is_pipe(path: Path) -> bool:
    """Whether a path can be read but once."""
    try:
        return path.exists() and not (path.is_file() or path.is_dir())
    except (OSError, ValueError):
        return False  # opening it will say what is wrong


def recognises(path: Path) -> bool:
    """Whether the first line is a turn, if perhaps one with a mistake in it."""
    with path.open("rb") as lines:
        first = next((line for line in lines if line.strip()), b"")
    try:
        value = _parsed(first.decode("utf-8-sig", "surrogateescape"))
    except InvalidInput:
        return False
    return not FIELDS.isdisjoint(value)


def read_checked(
    path: Path,
    zone: tzinfo | None,
    *,
    place: str | None = None,
    advance: Callable[[int], None] | None = None,
) -> Iterator[Turn]:
    """The turns of a file that was first read to its end, so that an error comes before any.

    `advance` is told each byte twice. Raises InvalidImport, for a pipe too, as it is read once.
    """
    if is_pipe(path):
        raise InvalidImport(place or str(path), None, "it is a pipe or device, no file")
    for _ in read(path, zone, place=place, advance=advance):
        pass
    yield from read(path, zone, place=place, advance=advance)


def _parsed(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidInput(f"no JSON: {error.msg} at character {error.colno}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"no usable JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput("a turn is a JSON object")
    return value


def _turn(value: dict[str, Any], zone: tzinfo | None) -> Turn:
    for name in ("conversation", "role", "content"):
        if name not in value:
            raise InvalidInput(f"{name!r} is missing")
    for name in FIELDS - {"time"}:
        if not isinstance(value.get(name), str | None):
            raise InvalidInput(f"{name!r} must be text, not {json.dumps(value[name])[:40]}")
    if value["content"] is None:
        raise InvalidInput("'content' must be text, not null")
    return Turn(
        conversation=value["conversation"],
        role=value["role"],
        content=value["content"],
        time=_time(value.get("time"), zone),
        speaker=value.get("speaker"),
        id=value.get("id"),
    )


def _time(value: object, zone: tzinfo | None) -> Any:
    match value:
        case None:
            return None
        case str():
            return dates.parse(value, zone)
        case bool():
            raise InvalidInput("'time' must be a date or seconds since 1970, not true or false")
        case int() | float():
            return dates.from_seconds(value)
        case _:
            raise InvalidInput("'time' must be a date or seconds since 1970")
