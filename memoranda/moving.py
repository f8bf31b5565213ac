"""A whole home on its way to another place: what its archive holds, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from memoranda.types import Receipt

Row = Mapping[str, Any]
"""What stands in a line of a table, by the names of the columns."""

FormOfColumn = Literal["text", "time", "scope", "json", "integer", "real", "bytes", "reference"]


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a row: what it holds, and whether it may be null.

    Bytes are hexadecimal digits. A reference is the key of a row of the table `to`, of which a row
    is in the archive too; a text may be one besides. Of `choices` it is one, if there are any.
    """

    name: str
    form: FormOfColumn
    optional: bool
    to: str | None = None
    choices: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One sort of rows of a store, with the columns by which others refer to one of them, if any.

    A key of one column is its value, one of several the list of them.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """An archive of a home: how many rows of each table, and how many files, are in it.

    `left_out` are files of skills, tasks and reports that are none that can be carried.
    """

    path: str
    bytes: int
    rows: Mapping[str, int]
    files: int
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loaded:
    """What became of the rows of an archive in a store.

    `came` and `known` count them by table; what is `differing` is there by the same key and says
    something else, and stays as it is. `kept_out` are memories and turns that were forgotten here,
    or said incognito, and candidates that rest on them. `whole` tells that nothing was here, so
    that this is that home now; `switched_on`, that capture is on now and was not before.
    """

    came: Mapping[str, int] = field(default_factory=dict)
    known: Mapping[str, int] = field(default_factory=dict)
    differing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kept_out: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    whole: bool = False
    switched_on: bool = False


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """What became of an archive: its rows, and its files.

    `gone` tells what was here and had been forgotten there; None when nothing was. Of the files,
    those that are `files_differing` are here otherwise, and stay; those that are `files_kept_out`
    rest on what was forgotten here, or cannot be written. `settings` are those of the archive that
    are not so here: they are for a person to choose.
    """

    made_at: datetime
    rows: Loaded
    gone: Receipt | None = None
    files: tuple[str, ...] = ()
    files_known: int = 0
    files_differing: tuple[str, ...] = ()
    files_kept_out: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
