"""A file of memories, as what stands in it, whatever it is written like."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from memoranda.protocols import FileLine
from memoranda.types import Kind


@dataclass(frozen=True, slots=True)
class Statement:
    """What a file says in one place, which begins in that `line`, counted from 1.

    `text` is without the `day` that stands behind it, `whole` with it. White space in what is
    `wrapped` over several lines is the editor's. A file that tells neither kinds nor ids has none.
    `about` is what else it tells: how sure it is, and the comment below.
    """

    line: int
    text: str
    whole: str
    kind: Kind | None = None
    id: str | None = None
    day: date | None = None
    wrapped: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Lines that are no memories, which stay as they are, or on top.

    They stand behind the memory or the heading `after`.
    """

    after: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """What a person should know of a line of a file."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Page:
    """What stands in a file. One that is `broken` must neither be taken at its word nor replaced.

    The `notes` tell what in it is left alone.
    """

    title: str | None = None
    statements: tuple[Statement, ...] = ()
    remarks: tuple[Remark, ...] = ()
    notes: tuple[Note, ...] = ()
    broken: Note | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A file as it is to be, and what it tells of each memory in it, by its id."""

    text: str
    lines: Mapping[str, FileLine] = field(default_factory=dict)
