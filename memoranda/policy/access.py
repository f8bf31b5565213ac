"""Whose memory may be seen and written from where."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.errors import ScopeClosed
from memoranda.types import Scope, Scopes

OWNER = Scope("user")


@dataclass(frozen=True, slots=True)
class Access:
    """What was opened: a person, and perhaps an agent's profile and a project."""

    person: Scope = OWNER
    profile: Scope | None = None
    project: Scope | None = None

    @property
    def visible(self) -> Scopes:
        """Every scope that reads may see; there is no way to see all."""
        return tuple(scope for scope in (self.person, self.profile, self.project) if scope)

    @property
    def own(self) -> Scope:
        """Where a memory goes when no scope is named, and where turns go."""
        return self.profile or self.person

    @property
    def is_owner(self) -> bool:
        return self.person == OWNER

    def writable(self, scope: Scope | None) -> Scope:
        """`scope` if it is open here, the own one if none is named. Raises ScopeClosed."""
        if scope is None:
            return self.own
        if scope not in self.visible:
            raise ScopeClosed(
                f"{scope} is not open here (open: {', '.join(map(str, self.visible))}); "
                f"open it with {_how_to_open(scope)}"
            )
        return scope


def _how_to_open(scope: Scope) -> str:
    option = {"user": "person", "profile": "profile", "project": "project"}[scope.kind]
    return f"--{option} {scope.name}" if scope.name else "no --person"
