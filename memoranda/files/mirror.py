"""Every memory that holds as a Markdown file of its own: the backup of last resort.

A file has all that is known of its memory in front matter, and its words below. From these files a
lost store is made anew. They are never loaded into a prompt, and what is changed in them counts for
nothing until then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoranda.errors import FileError, InvalidInput
from memoranda.files import disk
from memoranda.files.layout import MIRROR
from memoranda.files.places import folder
from memoranda.protocols import KeptFile, Store, all_memories
from memoranda.types import Filter, Kind, Memory, Role, Scope, Source, Status, plain

if TYPE_CHECKING:
    from yaml import SafeDumper, ScalarNode

DERIVED = ("status", "closed_at", "superseded_by", "contradicts", "overridden_by", "found")
"""What the store tells anew of a memory that holds."""

LONGEST = 10_000_000
"""Bytes of one file."""


def place(home: Path, scope: Scope) -> Path:
    return home / MIRROR / (folder(scope) if scope.name else Path("user"))


def key(scope: Scope) -> str:
    """What the files of a scope are known by."""
    return f"{MIRROR}/{scope}"


def update(
    home: Path,
    scope: Scope,
    kept: KeptFile | None,
    store: Store,
    now: datetime,
    *,
    thorough: bool = False,
) -> tuple[int, int]:
    """Bring the files of a scope up to date; how many were written and removed. Raises FileError.

    Of a scope that was mirrored before, what changed since is looked at, and nothing else, unless
    something was forgotten of it, or a `thorough` look finds another number of files.
    """
    mark, where = store.mark(), place(home, scope)
    holding = Filter(now=now, statuses=frozenset({Status.CURRENT}))
    if kept is None or kept.mark < 0 or not where.is_dir():
        written, removed = _look_through(where, home, store, scope, holding)
    else:
        touched = store.files.touched(scope, kept.mark)
        current = store.fetch_memories(touched, (scope,), holding)
        gone = sorted(set(touched) - {each.id for each in current})
        written, removed = _bring(where, home, current, gone)
        if thorough and _count(where) != store.holdings((scope,)).memories.get(Status.CURRENT, 0):
            more, fewer = _look_through(where, home, store, scope, holding)
            written, removed = written + more, removed + fewer
    if where.is_dir():
        store.files.keep(KeptFile(key(scope), scope, "mirror", mark))
    elif kept is not None:
        store.files.drop(kept.path, (scope,))
    return written, removed


def withdraw(home: Path, scope: Scope, store: Store, now: datetime) -> list[Path]:
    """Remove the files of memories that the store has; returns them. Raises FileError."""
    where, ever = place(home, scope), Filter(now=now, statuses=frozenset(Status))
    ids = [each.stem for each in where.glob("*.md")]
    known = [where / f"{each.id}.md" for each in store.fetch_memories(ids, (scope,), ever)]
    for path in known:
        disk.remove(path, home)
    store.files.drop(key(scope), (scope,))
    return known


def _look_through(
    where: Path, home: Path, store: Store, scope: Scope, holding: Filter
) -> tuple[int, int]:
    """Lay every memory of a scope beside its file."""
    gone = _gone(where, store, (scope,), holding.now)
    return _bring(where, home, all_memories(store, (scope,), holding), gone)


def _bring(
    where: Path, home: Path, current: Iterable[Memory], gone: Iterable[str]
) -> tuple[int, int]:
    written = sum(_write(where, each) for each in current)
    return written, sum(_remove(where / f"{id}.md", home) for id in gone)


def _count(where: Path) -> int:
    return sum(1 for _ in where.glob("*.md"))


def _gone(where: Path, store: Store, visible: tuple[Scope], now: datetime) -> list[str]:
    """The ids of files whose memories hold no more, or were forgotten.

    Of others the store may have lost the memory, and nothing else has it.
    """
    ids = [each.stem for each in where.glob("*.md")]
    ever = Filter(now=now, statuses=frozenset(Status))
    known = store.fetch_memories(ids, visible, ever)
    closed = {each.id for each in known if each.status != Status.CURRENT}
    return sorted(closed | store.files.gone(ids, visible))


def _write(where: Path, memory: Memory) -> bool:
    path, content = where / f"{memory.id}.md", render(memory).encode()
    before = disk.read(path)
    if before == content:
        return False
    disk.write(path, content, instead_of=before, durable=False)
    return True


def _remove(path: Path, home: Path) -> bool:
    there = path.is_file()
    disk.remove(path, home)
    return there


def render(memory: Memory) -> str:
    """A memory as a file."""
    import yaml

    told: dict[str, Any] = {
        each.name: plain(getattr(memory, each.name))
        for each in fields(memory)
        if each.name not in (*DERIVED, "content") and getattr(memory, each.name) not in (None, ())
    }
    told["entities"] = list(memory.given)
    body = memory.content
    if body != body.strip() or "\r" in body or body.startswith("---"):
        told["content"] = body  # of which the lines below are but the look
    front = yaml.dump(told, Dumper=_dumper(), sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{front}---\n\n{body}\n"


@cache
def _dumper() -> type[SafeDumper]:
    """One that escapes what YAML takes for the end of a line, or does not take at all."""
    import yaml

    class Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]
        pass

    def represented(dumper: SafeDumper, text: str) -> ScalarNode:
        style = None if text.isprintable() else '"'
        return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)

    Dumper.add_representer(str, represented)
    return Dumper


def read(path: Path) -> Memory:
    """The memory that a file keeps. Raises InvalidInput, naming the file and what is wrong."""
    try:
        content = disk.read(path)
    except FileError as error:
        raise InvalidInput(str(error)) from error
    if content is None or len(content) > LONGEST:
        raise InvalidInput(f"{path}: it is missing, or too long for a memory")
    try:
        return parse(content.decode("utf-8-sig"))
    except (ValueError, KeyError, TypeError, AttributeError, InvalidInput) as error:
        raise InvalidInput(f"{path}: it is no file of the mirror: {error}") from error


def parse(text: str) -> Memory:
    """The memory that the text of a file keeps. Raises InvalidInput, ValueError, KeyError."""
    import yaml

    text = text.replace("\r\n", "\n")
    if not text.startswith("---\n"):
        raise InvalidInput("it does not begin with ---")
    front, end, body = text[4:].partition("\n---\n")
    if not end:
        raise InvalidInput("no --- ends what is told of it")
    try:
        told = yaml.safe_load(front)
    except yaml.YAMLError as error:
        raise InvalidInput(f"it is no YAML: {error}") from error
    if not isinstance(told, dict):
        raise InvalidInput("what is told of it has no fields")
    return _memory(told, told.get("content") or body.strip())


_ID = re.compile("[0-9A-HJKMNP-TV-Z]{26}")
_TIMES = ("recorded_at", "valid_from", "valid_to", "confirmed_at", "used_at")


def _memory(told: Mapping[str, Any], content: str) -> Memory:
    known = {each.name for each in fields(Memory)} - {*DERIVED, "content"}
    values = {name: value for name, value in told.items() if name in known}
    if not _ID.fullmatch(str(values["id"])):
        raise InvalidInput(f"id {str(values['id'])[:40]!r} is none")
    if not isinstance(values.get("pinned", False), bool):
        raise InvalidInput("pinned must be true or false")
    if not 0 <= float(values["confidence"]) <= 1:
        raise InvalidInput("confidence must be between 0 and 1")
    values |= {name: _time(values[name]) for name in _TIMES if name in values}
    values |= {name: tuple(map(str, values.get(name, ()))) for name in ("topics", "entities")}
    return Memory(
        **{
            **values,
            "content": content,
            "kind": Kind(values["kind"]),
            "scope": Scope.parse(str(values["scope"])),
            "sources": tuple(_sources(values.get("sources", ()))),
        }
    )


def _time(value: object) -> datetime:
    time = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    if time.tzinfo is None:
        raise InvalidInput(f"{value} has no zone")
    return time


def _sources(told: Sequence[Mapping[str, Any]]) -> Iterator[Source]:
    """Where it came from; turns are not there any more, their words are."""
    for each in told:
        source = Source(
            **{
                **each,
                "time": _time(each["time"]) if "time" in each else None,
                "role": Role(each["role"]) if "role" in each else None,
            }
        )
        yield replace(source, turn=None, start=None, end=None)


def files(home: Path) -> list[Path]:
    """Every file of the mirror of a home."""
    return sorted((home / MIRROR).rglob("*.md"))
