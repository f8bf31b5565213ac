"""Nothing of what was forgotten stays in the files beside the store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args, get_type_hints

from memoranda.files import disk, markdown, mirror
from memoranda.files.markdown import told_source
from memoranda.policy.confidence import Level
from memoranda.policy.standing import HEADINGS
from memoranda.types import Kind, Memory, Scope, Source


def scaffolding() -> Iterator[str]:
    """What the files say whatever is in them."""
    empty = Memory("", Kind.FACT, "", Scope("user"), datetime.min.replace(tzinfo=UTC), 0.0)
    sources = [Source(kind) for kind in get_args(get_type_hints(Source)["kind"])]
    yield mirror.render(replace(empty, sources=tuple(Source("file") for _ in sources)))
    told = (*HEADINGS.values(), *Kind, *Level, markdown.PREFACE, *map(told_source, sources))
    yield " ".join(told)
    yield " ".join(each.name for noun in (Memory, Source) for each in fields(noun))
    yield "id added category project confidence source until unconfirmed since"


def remove_asides(paths: Iterable[Path], texts: Iterable[str]) -> tuple[str, ...]:
    """Remove the copies of files from before they were ours that say one of the texts."""
    sought = {" ".join(text.split()) for text in texts} - {""}
    asides = sorted({aside for path in paths for aside in path.parent.glob(f"{path.name}.before*")})
    removed = [path for path in asides if sought and _says(path, sought)]
    for path in removed:
        path.unlink(missing_ok=True)
    return tuple(map(str, removed))


def _says(path: Path, sought: set[str]) -> bool:
    content = disk.read(path) or b""
    told = " ".join(content.decode("utf-8", errors="replace").split())
    return any(text in told for text in sought)
