"""Memories as the files of Hermes Agent: entries with a line that is § between them, no more.

Its memory tool refuses a file that is not just so, or longer than its limits. It holds a lock while
it writes, as we do.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda.context.marks import one_line
from memoranda.files.markdown import day_behind
from memoranda.files.page import Page, Remark, Statement, Written
from memoranda.policy.fading import Curves
from memoranda.protocols import FileLine
from memoranda.types import Memory

BETWEEN = "\n§\n"
FOLDER = "memories"
LIMITS: Mapping[str, int] = {"MEMORY.md": 2200, "USER.md": 1375}
"""Characters of a whole file, unless the settings of a Hermes home say otherwise."""

OPTIONS: Mapping[str, str] = {"MEMORY.md": "memory_char_limit", "USER.md": "user_char_limit"}


def write(
    memories: Sequence[Memory],
    now: datetime,
    curves: Curves,
    *,
    characters: int,
    title: str = "",
    beyond: int = 0,
    remarks: Sequence[Remark] = (),
) -> Written:
    """As many of the memories as fit into so many `characters`, the first ones first."""
    entries: dict[str, str] = {}
    length = -len(BETWEEN)
    for each in memories:
        entry = f"{one_line(each.content)} ({each.began:%Y-%m-%d})"
        if entry not in entries.values() and length + len(BETWEEN) + len(entry) <= characters:
            entries[each.id] = entry
            length += len(BETWEEN) + len(entry)
    days = {each.id: FileLine(day=each.began.date()) for each in memories if each.id in entries}
    return Written(BETWEEN.join(entries.values()), days)


def read(text: str, known: Mapping[str, str] | None = None) -> Page:
    """The entries of a file, each once."""
    statements: dict[str, Statement] = {}
    line = 1
    for part in text.replace("\r\n", "\n").split(BETWEEN):
        whole = " ".join(part.split())
        if whole and whole not in statements:
            words, day = day_behind(whole)
            at = line + part[: len(part) - len(part.lstrip())].count("\n")
            statements[whole] = Statement(at, words, whole, day=day)
        line += part.count("\n") + BETWEEN.count("\n")
    return Page(statements=tuple(statements.values()))


def limit(path: Path) -> int:
    """How many characters a file may have, as its Hermes home says."""
    import yaml

    try:
        told = yaml.safe_load((path.parent.parent / "config.yaml").read_text(encoding="utf-8"))
        wanted = told["memory"][OPTIONS[path.name]]
    except (OSError, yaml.YAMLError, KeyError, TypeError, UnicodeDecodeError):
        return LIMITS[path.name]
    return wanted if isinstance(wanted, int) and wanted > 0 else LIMITS[path.name]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock of a file, as its memory tool does."""
    with path.with_name(f"{path.name}.lock").open("a+b") as file:
        _lock(file)
        try:
            yield
        finally:
            _unlock(file)


def _lock(file: Any) -> None:
    if os.name == "nt":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _unlock(file: Any) -> None:
    if os.name == "nt":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_UN)
