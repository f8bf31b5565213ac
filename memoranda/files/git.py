"""In which project one works, told by the folder and, in a worktree, by what it is a copy of."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memoranda.people import Project

MOST = 4096
"""Bytes of the small files in which git says where something is."""


def canonical(folder: Path) -> Path:
    """The folder, or where it would be in the repository whose worktree it is in."""
    folder = folder.resolve()
    root = _root(folder)
    if root is None:
        return folder
    return (_main(root) or root) / folder.relative_to(root)


def project_at(folder: Path, projects: Iterable[Project]) -> Project | None:
    """The project whose folder this is, or is in; of several the innermost."""
    here = canonical(folder)
    around = [each for each in projects if each.root is not None and here.is_relative_to(each.root)]
    return max(around, key=lambda each: len(Path(each.root or "").parts), default=None)


def _root(folder: Path) -> Path | None:
    """Where the git repository or worktree begins that a folder is in."""
    return next((each for each in (folder, *folder.parents) if (each / ".git").exists()), None)


def _main(root: Path) -> Path | None:
    """The repository of a worktree; None for a repository itself, and for a submodule."""
    link = root / ".git"
    if not link.is_file():
        return None
    told = _line(link)
    if told is None or not told.startswith("gitdir:"):
        return None
    own = (root / told.removeprefix("gitdir:").strip()).resolve()
    shared = _line(own / "commondir")
    if shared is None:
        return None
    common = (own / shared).resolve()
    return common.parent if common.name == ".git" else common


def _line(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return file.read(MOST).decode("utf-8", errors="replace").split("\n")[0].strip()
    except OSError:
        return None
