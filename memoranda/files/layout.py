"""Which files a home has for a scope, and what is in each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memoranda.files import hermes
from memoranda.files.places import folder
from memoranda.policy import confidence
from memoranda.protocols import Form
from memoranda.types import Kind, Scope, Scopes

MEMORY, USER = "MEMORY.md", "USER.md"

OF_USER = frozenset((Kind.PREFERENCE, Kind.FACT))
"""Who somebody is and what they like; the rest is what an agent goes by."""

MIRROR = "mirror"

SHORT = 40
"""Characters that a memory has at least on average; by it so many are looked at as may fit."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file that is kept: where it is, what it is known by, and of what it tells.

    It goes when it tells nothing, with the folders in `root` that are empty then. It has as many
    `characters` as the settings say, if it is not told.
    """

    path: Path
    root: Path
    key: str
    scope: Scope
    kinds: frozenset[Kind]
    title: str
    form: Form = "markdown"
    characters: int | None = None

    @property
    def by_agent(self) -> bool:
        """Whether an agent writes it, and not the person."""
        return self.form == "hermes"

    @property
    def is_out_of_reach(self) -> bool:
        """Whether it was in a home of an agent that is not there, removed or not mounted."""
        return self.by_agent and not self.root.parent.is_dir()

    @property
    def sure(self) -> float:
        """How sure what somebody wrote there is."""
        return confidence.SAID["stated"] if self.by_agent else confidence.BY_HAND


def places(home: Path, scopes: Scopes, vaults: Mapping[Scope, Path]) -> list[Place]:
    """The files of some scopes; those of a project are in its vault."""
    return [place for scope in scopes for place in _of(home, scope, vaults)]


def _of(home: Path, scope: Scope, vaults: Mapping[Scope, Path]) -> list[Place]:
    where = vaults.get(scope, home / folder(scope))
    if scope.kind != "user":
        title = f"Memory of {scope.name}"
        return [_place(home, where / MEMORY, scope, frozenset(Kind), title)]
    whose = f" of {scope.name}" if scope.name else ""
    return [
        _place(home, where / MEMORY, scope, frozenset(Kind) - OF_USER, f"Memory{whose}"),
        _place(home, where / USER, scope, OF_USER, f"User {scope.name}" if whose else "User"),
    ]


def of_hermes(folder: Path, scopes: tuple[Scope, Scope]) -> list[Place]:
    """The files of a Hermes home: what its agent goes by, and who its user is."""
    own, person = scopes
    return [
        hermes_file(folder / hermes.FOLDER / MEMORY, own),
        hermes_file(folder / hermes.FOLDER / USER, person),
    ]


def hermes_file(path: Path, scope: Scope) -> Place:
    kinds = OF_USER if path.name == USER else frozenset(Kind)
    if path.name == MEMORY and scope.kind == "user":
        kinds -= OF_USER
    return Place(
        path, path.parent, str(path), scope, kinds, path.name, "hermes", hermes.limit(path)
    )


def _place(home: Path, path: Path, scope: Scope, kinds: frozenset[Kind], title: str) -> Place:
    if path.is_relative_to(home):
        return Place(path, home, path.relative_to(home).as_posix(), scope, kinds, title)
    return Place(path, path.parent, str(path), scope, kinds, title)
