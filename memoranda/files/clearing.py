"""Nothing of what was forgotten stays in the files beside the store."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memoranda.files import disk
from memoranda.files.layout import MEMORY, USER


def remove_asides(home: Path, texts: Iterable[str]) -> tuple[str, ...]:
    """Remove the copies of files from before they were ours that say one of the texts."""
    sought = {" ".join(text.split()) for text in texts} - {""}
    asides = sorted(path for name in (MEMORY, USER) for path in home.rglob(f"{name}.before*"))
    removed = [path for path in asides if sought and _says(path, sought)]
    for path in removed:
        path.unlink(missing_ok=True)
    return tuple(path.relative_to(home).as_posix() for path in removed)


def _says(path: Path, sought: set[str]) -> bool:
    content = disk.read(path) or b""
    told = " ".join(content.decode("utf-8", errors="replace").split())
    return any(text in told for text in sought)
