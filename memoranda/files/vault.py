"""The tasks and reports of a project: plain files, for editors and git as much as for us.

A task is `tasks/T001-slug.md`, a report `reports/R001-profile.md`; both have a few fields in front,
and what is written below is anybody's Markdown. Whoever writes holds the store's transaction, so
that numbers do not clash, and puts a file in the place of just the one that was read.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from memoranda.errors import FileError, InvalidInput, NotFound
from memoranda.files import disk
from memoranda.files.places import folder
from memoranda.people import Report, State, Task, Vault
from memoranda.types import Choice, Scope

TASKS, REPORTS = "tasks", "reports"
LONGEST = 200_000
"""Bytes of a file."""

LONGEST_FRONT = 4_000
LONGEST_SLUG = 40
TRIES = 5
"""How often a file is read anew when somebody else wrote it meanwhile."""

_NUMBERED = re.compile(r"([TR])(\d{3,9})-.+\.md")
_FRONT = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)
_MERGE = re.compile(r"(?m)^(?:<{7}|>{7})(?: |$)")
T = TypeVar("T", Task, Report)


# Reading ------------------------------------------------------------------------------------------


def read(where: Path) -> Vault:
    """All tasks and reports, by number; what is none is told. Raises FileError."""
    unreadable: list[tuple[str, str]] = []
    tasks = tuple(_all(where / TASKS, _task, unreadable))
    reports = tuple(_all(where / REPORTS, _report, unreadable))
    unreadable += [*_doubled(tasks), *_doubled(reports)]
    return Vault(tasks, reports, tuple(unreadable))


def is_task(path: str) -> bool:
    """Whether a file is among the tasks."""
    return Path(path).parent.name == TASKS


def _doubled(found: Sequence[Task] | Sequence[Report]) -> Iterator[tuple[str, str]]:
    """What has the number of another, as when two branches were merged."""
    counts = Counter(each.id for each in found)
    for each in found:
        if counts[each.id] > 1:
            yield each.path, f"{each.id} is the number of another, too; give one of them the next"


def one(found: Sequence[T], id: str, unreadable: Sequence[tuple[str, str]] = ()) -> T:
    """The one of an id, such as T001 or 1; why it is `unreadable` is told if it is among these.

    Raises NotFound, and InvalidInput for a number twice.
    """
    wanted = id.strip().upper().lstrip("TR").lstrip("0")
    named = [each for each in found if each.id[1:].lstrip("0") == wanted]
    if not named:
        numbers = ((_NUMBERED.fullmatch(Path(path).name), why) for path, why in unreadable)
        why = next(
            (why for number, why in numbers if number and number[2].lstrip("0") == wanted), ""
        )
        raise NotFound(f"there is no {id[:40]!r}" + (f" that can be read: {why}" if why else ""))
    if len(named) > 1:
        places = " and ".join(each.path for each in named)
        raise InvalidInput(f"{named[0].id} is the number of {places}; give one of them another")
    return named[0]


def _all(
    where: Path, parse: Callable[[Path, Mapping[str, str], str], T], bad: list[tuple[str, str]]
) -> Iterator[T]:
    for path in sorted(where.glob("*.md")):
        try:
            told, body = _parts(_text(path))
            yield parse(path, told, body)
        except (InvalidInput, FileError) as error:
            bad.append((str(path), str(error)))


def _text(path: Path) -> str:
    if path.is_symlink():  # whoever writes to a repository could show any file with it
        raise InvalidInput("it is a link")
    content = disk.read(path) or b""
    if len(content) > LONGEST:
        raise InvalidInput(f"it has more than {LONGEST:,} bytes")
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise InvalidInput("it is not in UTF-8") from None
    if _MERGE.search(text):
        raise InvalidInput("a merge in it is not finished")
    return text


def _parts(text: str) -> tuple[Mapping[str, str], str]:
    """The fields in front, as texts, and what stands below."""
    import yaml

    found = _FRONT.match(text)
    if found is None:
        return {}, text.strip()
    if len(found[1]) > LONGEST_FRONT:
        raise InvalidInput("its fields are too long")
    try:
        told = yaml.load(found[1], Loader=yaml.BaseLoader) or {}
    except yaml.YAMLError as error:
        raise InvalidInput(f"its fields are no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(told, dict):
        raise InvalidInput("its fields must be lines like `name: value`")
    fields = {str(name): value for name, value in told.items() if isinstance(value, str)}
    return fields, text[found.end() :].strip()


def _id(path: Path, letter: str) -> str:
    named = _NUMBERED.fullmatch(path.name)
    if named is None or named[1] != letter:
        raise InvalidInput(f"it is not called {letter}001-….md")
    return named[1] + named[2]


def _task(path: Path, told: Mapping[str, str], body: str) -> Task:
    id, state = _id(path, "T"), told.get("state", State.OPEN)
    if state not in tuple(State):
        raise InvalidInput(f"state {state[:40]!r} is unknown: {', '.join(State)}")
    heading = re.match(r"# (.+)", body)
    title = told.get("title") or (heading[1] if heading else path.stem.partition("-")[2])
    return Task(
        id,
        title,
        State(state),
        body,
        str(path),
        told.get("for") or None,
        told.get("by") or None,
        told.get("created") or None,
    )


def _report(path: Path, told: Mapping[str, str], body: str) -> Report:
    id = _id(path, "R")
    by = told.get("by") or path.stem.partition("-")[2]
    return Report(id, by, body, str(path), told.get("task") or None, told.get("created") or None)


def going(home: Path, vaults: Mapping[Scope, Path], choice: Choice) -> list[Path]:
    """The files that go with a project, with a profile, or with everything that a home holds."""
    scope = choice.scope
    if not choice.is_whole or (scope is not None and scope.kind == "user"):
        return []
    if scope is not None and scope.kind == "project":
        return [*_numbered(vaults.get(scope, home / folder(scope)))]
    paths = [
        path for where in {*home.glob("projects/*"), *vaults.values()} for path in _numbered(where)
    ]
    if scope is None:
        return paths
    return [path for path in paths if path.parent.name == REPORTS and _by(path) == scope.name]


def _numbered(where: Path) -> Iterator[Path]:
    for path in (*where.glob(f"{TASKS}/*.md"), *where.glob(f"{REPORTS}/*.md")):
        if _NUMBERED.fullmatch(path.name):
            yield path


def _by(path: Path) -> str | None:
    try:
        return _report(path, *_parts(_text(path))).by
    except InvalidInput:
        return None


# Writing ------------------------------------------------------------------------------------------


def add_task(where: Path, task: Task) -> Task:
    """Write a task under the next number; returns it with that. Raises FileError."""
    id = _next(where / TASKS, "T")
    path = where / TASKS / f"{id}-{_slug(task.title)}.md"
    fields = {
        "title": task.title,
        "state": task.state.value,
        "for": task.profile,
        "by": task.by,
        "created": task.created,
    }
    disk.write(path, _file(fields, task.body), instead_of=None)
    return one(read(where).tasks, id)


def set_state(where: Path, id: str, state: State) -> Task:
    """Have a task be in another state; all else in its file stays. Raises NotFound, FileError."""
    found = read(where)
    path = Path(one(found.tasks, id, found.unreadable).path)
    _change(path, lambda text: _with_field(text, "state", state.value))
    return one(read(where).tasks, id)


def add_line(where: Path, report: Report, line: str) -> Report:
    """Add a line to the report of a profile on a task, or begin one. Raises FileError."""
    whose = report.by, report.task
    known = next((each for each in read(where).reports if (each.by, each.task) == whose), None)
    if known is not None:
        _change(Path(known.path), lambda text: f"{text.rstrip()}\n{line}\n")
        return one(read(where).reports, known.id)
    id = _next(where / REPORTS, "R")
    about = f" on {report.task}" if report.task else ""
    fields = {"by": report.by, "task": report.task, "created": report.created}
    path = where / REPORTS / f"{id}-{folder(Scope('profile', report.by)).name}.md"
    disk.write(path, _file(fields, f"# Report of {report.by}{about}\n\n{line}"), instead_of=None)
    return one(read(where).reports, id)


def _next(where: Path, letter: str) -> str:
    named = (_NUMBERED.fullmatch(path.name) for path in where.glob("*.md"))
    numbers = [int(each[2]) for each in named if each is not None and each[1] == letter]
    return f"{letter}{max(numbers, default=0) + 1:03d}"


def _slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:LONGEST_SLUG].strip("-")
    return slug or "task"


def _file(fields: Mapping[str, str | None], body: str) -> bytes:
    import yaml

    told = {name: value for name, value in fields.items() if value is not None}
    front = yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=1000)
    return f"---\n{front}---\n\n{body.strip()}\n".encode()


def _change(path: Path, change: Callable[[str], str]) -> None:
    """Change the text of a file as it is by then, whoever else writes it."""
    for tries_left in reversed(range(TRIES)):
        before = disk.read(path)
        if before is None:
            raise NotFound(f"{path} is gone")
        try:
            disk.write(path, change(before.decode("utf-8-sig")).encode(), instead_of=before)
        except disk.ChangedMeanwhile:
            if not tries_left:
                raise
        else:
            return


def _with_field(text: str, name: str, value: str) -> str:
    """A file with one of its fields set."""
    front = _FRONT.match(text.replace("\r\n", "\n"))
    if front is None:
        return f"---\n{name}: {value}\n---\n\n{text}"
    told, count = re.subn(rf"(?m)^{name}:.*$", f"{name}: {value}", front[1], count=1)
    told = told if count else f"{told}\n{name}: {value}"
    return f"---\n{told}\n---\n{text.replace(chr(13) + chr(10), chr(10))[front.end() :]}"
