"""What is given to a verb: each is what it should be, or the error names it and says what is."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeGuard, TypeVar

from memoranda.errors import InvalidInput
from memoranda.text import dates
from memoranda.text.clean import mend
from memoranda.types import LONGEST_NAME, Kind, Scope, Status

if TYPE_CHECKING:
    from memoranda.care import Action, Concern, Side
    from memoranda.passes import Stage
    from memoranda.people import Part, State

T = TypeVar("T")
E = TypeVar("E", bound=StrEnum)

MOST_RESULTS = 10_000
"""The largest limit of a recall or a list."""


def text(argument: str, value: object) -> str:
    """Any text, with what no file can keep replaced. Raises InvalidInput, as all of these do."""
    if not isinstance(value, str):
        raise _wrong(argument, "text", value)
    return mend(value)[0]


def text_or_none(argument: str, value: object) -> str | None:
    return None if value is None else text(argument, value)


def name(argument: str, value: object) -> str:
    """A name without needless white space."""
    named = " ".join(text(argument, value).split())
    if not named:
        raise InvalidInput(f"{argument}: an empty text is no name")
    return short(named)


def names(argument: str, values: Iterable[str]) -> tuple[str, ...]:
    """Each once, in order, without white space around."""
    named = dict.fromkeys(text(argument, each).strip() for each in _each(argument, values))
    if "" in named:
        raise InvalidInput(f"{argument}: an empty text names nothing")
    return tuple(map(short, named))


def short(name: str) -> str:
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"{name[:40]!r}… is no name: one has {LONGEST_NAME} characters at most")
    return name


def flag(argument: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _wrong(argument, "True or False", value)
    return value


def flag_or_none(argument: str, value: object) -> bool | None:
    return None if value is None else flag(argument, value)


def path(argument: str, value: object) -> Path:
    if not isinstance(value, str | PathLike):
        raise _wrong(argument, "text or a Path", value)
    return Path(value)


def folder(argument: str, value: object) -> Path:
    """A folder that is there, by its whole path."""
    found = path(argument, value).expanduser()
    if not found.is_dir():
        raise InvalidInput(f"{argument}: {found} is no folder")
    return found.resolve()


def function(argument: str, value: object) -> None:
    """Something to be called, or None."""
    if value is not None and not callable(value):
        raise _wrong(argument, "a function", value)


MOST_WEEKS = 520
"""Ten years."""


def limit(value: object) -> int:
    """How many results are wanted at most."""
    return _between("limit", value, MOST_RESULTS)


def budget(value: object) -> int:
    if not _is_whole(value, 0):
        raise _wrong("budget", "a whole number of tokens, 0 for no bound", value)
    return value


def version(value: object) -> int:
    return _between("version", value, 999_999_999)


def weeks(value: object) -> int:
    return _between("weeks", value, MOST_WEEKS)


def tokens(argument: str, value: int | None, default: int) -> int:
    return default if value is None else count(argument, value)


def count(argument: str, value: object) -> int:
    """So many tokens, at least one."""
    if not _is_whole(value, 1):
        raise _wrong(argument, "a whole number of tokens", value)
    return value


def time(argument: str, value: datetime | None) -> datetime | None:
    """A moment in UTC, or None for none."""
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise _wrong(argument, "a datetime with a zone", value)
    try:
        return dates.utc(value)
    except InvalidInput as error:
        raise InvalidInput(f"{argument}: {error}") from error


def kind(value: Kind | str) -> Kind:
    return _one_of(Kind, "kind", value)


def kinds(values: Iterable[Kind | str] | None) -> frozenset[Kind] | None:
    """The kinds named; None when that is none, which leaves the choice open."""
    return frozenset(map(kind, _each("kinds", () if values is None else values))) or None


def statuses(values: Iterable[Status | str] | None) -> frozenset[Status] | None:
    return frozenset(map(_status, _each("statuses", () if values is None else values))) or None


def stages(values: Iterable[Stage | str] | None) -> tuple[Stage, ...] | None:
    """Stages by their names; None means all."""
    return None if values is None else tuple(map(_stage, _each("stages", values)))


def action(value: Action | str) -> Action:
    from memoranda.care import Action

    return _one_of(Action, "action", value)


def concern(value: str) -> Concern:
    from memoranda.care import Concern

    try:
        return Concern(value)
    except ValueError:
        raise InvalidInput(f"key: no item of a review begins with {_told(value)}") from None


def side(value: Side | str) -> Side:
    from memoranda.care import Side

    return _one_of(Side, "keep", value)


def part(value: Part | str | None) -> Part | None:
    from memoranda.people import Part

    return None if value is None else _one_of(Part, "part", value)


def state(value: State | str) -> State:
    from memoranda.people import State

    return _one_of(State, "state", value)


def identity(value: object) -> str:
    """What a channel calls somebody, such as telegram:12345."""
    return name("identity", value)


def scope(value: Scope | str | None) -> Scope | None:
    if isinstance(value, str):
        return Scope.parse(value)
    if value is not None and not isinstance(value, Scope):
        raise _wrong("scope", "a Scope, or text like project:NAME", value)
    return value


def _status(value: Status | str) -> Status:
    return _one_of(Status, "status", value)


def _stage(value: Stage | str) -> Stage:
    from memoranda.passes import Stage

    return _one_of(Stage, "stage", value)


def _one_of(names: type[E], argument: str, value: str) -> E:
    try:
        return names(value)
    except ValueError:
        raise InvalidInput(f"{argument} {_told(value)} is unknown: {', '.join(names)}") from None


def _between(argument: str, value: object, most: int) -> int:
    """A whole number from 1 on."""
    if not _is_whole(value, 1) or value > most:
        raise _wrong(argument, f"a whole number between 1 and {most}", value)
    return value


def _is_whole(value: object, least: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _each(argument: str, values: Iterable[T]) -> Iterable[T]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise _wrong(argument, "a list", values)
    return values


def _wrong(argument: str, wanted: str, value: object) -> InvalidInput:
    return InvalidInput(f"{argument} must be {wanted}, not {_told(value)}")


def _told(value: object) -> str:
    """A value in few characters; of what may be long or hold secrets, only its type."""
    if isinstance(value, str):
        return repr(value[:40])
    if value is None or type(value) in (bool, float):
        return repr(value)
    if type(value) is int:
        return str(value) if abs(value) < 10**12 else "so large a number"
    return f"a value of the type {type(value).__name__}"
