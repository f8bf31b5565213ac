"""Skills: how something is done, in files that an agent loads when it has to do it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memoranda.types import Scope, Unreadable


@dataclass(frozen=True, slots=True)
class Used:
    """How often something was used, and when last."""

    count: int = 0
    last: datetime | None = None


@dataclass(frozen=True, slots=True)
class Skill:
    """How something is done: what it is called, when it is of use, and the steps.

    `text` is the whole file at `path`, which is within the home, and `body` what stands in it below
    the front matter. `version` counts its texts; this one was written at `written_at`. One that is
    `shadowed_by` a narrower scope has a namesake there, which is used in its place.
    """

    name: str
    description: str
    scope: Scope
    version: int
    path: str
    text: str = field(repr=False)
    body: str = field(repr=False)
    written_at: datetime
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    uses: int = 0
    used_at: datetime | None = None
    shadowed_by: Scope | None = None


@dataclass(frozen=True, slots=True)
class Skills:
    """Those `found`, by name; those of wider scopes that these shadow; the files that are invalid.

    Of an invalid file it is told in which line and why, once for each reason.
    """

    found: tuple[Skill, ...] = ()
    shadowed: tuple[Skill, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A skill that is proposed: the whole `text`, and as which version it would be written."""

    name: str
    description: str
    scope: Scope
    version: int
    text: str
