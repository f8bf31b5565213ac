"""Who shares a home: people on channels, and profiles at work on projects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memoranda.types import Scope


class Part(StrEnum):
    """What a profile does in a project."""

    LEAD = "lead"
    """It writes tasks, and decides what the project remembers."""
    WORKER = "worker"
    """It reads tasks, writes reports, and proposes what to remember."""
    READER = "reader"
    NONE = "none"
    """It may not open the project."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project: the folder in which one works on it, the one with its files, and the parts.

    `parts` are by the names of profiles; as long as there are none, every profile is a lead.
    """

    name: str
    root: str | None = None
    vault: str | None = None
    parts: Mapping[str, Part] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        return Scope("project", self.name)

    def part_of(self, profile: str | None) -> Part | None:
        """What a profile does there, None for nothing; whoever has no profile is the owner."""
        if profile is None or not self.parts:
            return Part.LEAD
        part = self.parts.get(profile, Part.NONE)
        return None if part == Part.NONE else part


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, by the name of their scope, None for the owner, with what channels call them."""

    name: str | None
    channels: tuple[str, ...] = ()


class State(StrEnum):
    """How far a task is."""

    OPEN = "open"
    DOING = "doing"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be done in a project, as the file at `path` says it.

    `body` is the brief, the requirements and the acceptance criteria, in Markdown; `profile` is who
    is to do it.
    """

    id: str
    title: str
    state: State
    body: str
    path: str
    profile: str | None = None
    by: str | None = None
    created: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a profile did in a project, line by line, perhaps on a task, in the file at `path`."""

    id: str
    by: str
    body: str
    path: str
    task: str | None = None
    created: str | None = None


@dataclass(frozen=True, slots=True)
class Vault:
    """The tasks and the reports of a project that one may read, by number.

    `unreadable` are the files that are neither, with the reason.
    """

    tasks: tuple[Task, ...] = ()
    reports: tuple[Report, ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
