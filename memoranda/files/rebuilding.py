"""A lost store made anew from the files that people read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path

from memoranda.errors import InvalidInput
from memoranda.files import mirror
from memoranda.files.layout import MEMORY, USER
from memoranda.protocols import Store
from memoranda.types import Change, Memory

AT_ONCE = 100

FOLDERS = ("people", "profiles", "projects", "skills")


def rebuild(
    store: Store,
    paths: Sequence[Path],
    changed: Callable[[Memory], Change],
    *,
    at: datetime,
    advance: Callable[[int, int], None],
) -> tuple[int, tuple[tuple[str, str], ...]]:
    """Put the memories of files into a store; how many, and which files were none, and why."""
    count = read = 0
    unreadable, seen = list[tuple[str, str]](), set[str]()
    left = iter(paths)
    while some := list(islice(left, AT_ONCE)):
        made: list[Change] = []
        for path in some:
            try:
                memory = mirror.read(path)
                if memory.id in seen:
                    raise InvalidInput(f"{path}: {memory.id} is in another file as well")
                made.append(changed(memory))
            except InvalidInput as error:
                unreadable.append((str(path), str(error).removeprefix(f"{path}: ")))
                continue
            seen.add(memory.id)
        store.apply(made, at=at, by="restore")
        count, read = count + len(made), read + len(some)
        advance(len(some), len(paths) - read)
    return count, tuple(unreadable)


def bring_along(origin: Path, home: Path) -> None:
    """Copy the files that people edit into a home, where it has none of them."""
    import shutil

    for name in (MEMORY, USER):
        if (origin / name).is_file() and not (home / name).exists():
            shutil.copy2(origin / name, home / name)
    for name in FOLDERS:
        if (origin / name).is_dir() and not (home / name).exists():
            shutil.copytree(origin / name, home / name)
