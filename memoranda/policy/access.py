"""Whose memory may be seen and written from where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from memoranda.errors import ScopeClosed
from memoranda.people import Part, Project
from memoranda.types import Change, Scope, Scopes, Status

OWNER = Scope("user")


@dataclass(frozen=True, slots=True)
class Access:
    """What was opened: a person, and perhaps an agent's profile and a project.

    No person is somebody whom nobody knows. `part` is what the profile does in the project; one
    that was made for a `task` of it sees that task and the project, and nothing else.
    """

    person: Scope | None = OWNER
    profile: Scope | None = None
    project: Scope | None = None
    part: Part = Part.LEAD
    task: str | None = None

    @property
    def visible(self) -> Scopes:
        """Every scope that reads may see; there is no way to see all.

        What an agent remembers it has mostly from the owner: other people do not see it.
        """
        if self.person is None:
            return ()
        if self.task is not None:
            return (self.project,) if self.project else ()
        profile = self.profile if self.is_owner else None
        return tuple(scope for scope in (self.person, profile, self.project) if scope)

    @property
    def own(self) -> Scope:
        """Where turns go, and a memory when no scope is named. Raises ScopeClosed for nobody."""
        if self.person is None:
            raise ScopeClosed("nobody is known by this channel: `memoranda person add` says who")
        return (self.profile if self.is_owner else None) or self.person

    def as_of(self, projects: Iterable[Project]) -> Self:
        """The same with the part that the owner says now. Raises ScopeClosed for none."""
        if self.project is None:
            return self
        name = self.project.name or ""
        profile = None if self.profile is None else self.profile.name
        found = next((each for each in projects if each.name == name), Project(name))
        part = found.part_of(profile)
        if not self.is_owner and found.parts:  # which are the owner's agents'
            part = None
        if part is None:
            who = f"the profile {profile}" if self.is_owner else f"{self.person}"
            raise ScopeClosed(
                f"{who} has no part in the project {name}; the owner gives a profile one with "
                f"`memoranda project part {name} {profile or 'PROFILE'} worker`"
            )
        return replace(self, part=part)

    @property
    def heard(self) -> Scope:
        """Whose conversations may be read, and what was drawn from them. Raises ScopeClosed."""
        if self.task is not None:
            raise ScopeClosed(f"who was made for {self.task} sees that and the project alone")
        return self.own

    @property
    def is_owner(self) -> bool:
        return self.person == OWNER

    @property
    def deciding(self) -> Scopes:
        """The scopes in which whoever opened them decides what is remembered."""
        return tuple(each for each in self.visible if not self.proposes(each))

    def proposes(self, scope: Scope) -> bool:
        """Whether a lead must agree before something counts in a scope."""
        return scope == self.project and self.part != Part.LEAD

    def writable(self, scope: Scope | None) -> Scope:
        """`scope` if it is open here, the own one if none is named. Raises ScopeClosed."""
        if scope is None:
            scope = self.own if self.task is None else self.project or self.own
        if scope not in self.visible:
            raise ScopeClosed(
                f"{scope} is not open here (open: {', '.join(map(str, self.visible))}); "
                f"open it with {_how_to_open(scope)}"
            )
        if scope == self.project and self.part == Part.READER:
            raise ScopeClosed(f"{self.profile} is a reader of {scope}, and writes nothing there")
        return scope

    def refuse_deciding(self, change: Change) -> None:
        """Raises ScopeClosed for a change that only a lead may make."""
        scope, is_proposal = change.after.scope, change.after.status == Status.CANDIDATE
        if self.proposes(scope) and not (change.before is None and is_proposal):
            raise ScopeClosed(
                f"{self.profile} is a {self.part} on {scope}: it may propose; a lead decides"
            )


def _how_to_open(scope: Scope) -> str:
    option = {"user": "person", "profile": "profile", "project": "project"}[scope.kind]
    return f"--{option} {scope.name}" if scope.name else "no --person"
