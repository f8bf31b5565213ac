"""Skills as folders of a home: what people, agents and git read and write is the truth.

A skill is `skills/NAME/SKILL.md` in the folder of its scope. Beside it, in `versions`, every text
that it had stands as it was, the present one too: so an edit in an editor is seen, and becomes a
version once something is written or used. Older ones are called so that nothing takes them for
skills.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from memoranda.errors import InvalidInput, NotFound, StoreError
from memoranda.files import frontmatter
from memoranda.files.frontmatter import LONGEST, NAME, Page, parse, refusals, render
from memoranda.files.places import FOLDERS, folder
from memoranda.skills import Draft, Skill, Skills, Used
from memoranda.types import Doomed, Scope, Scopes, Unreadable

FOLDER, FILE, VERSIONS = "skills", "SKILL.md", "versions"
_VERSION = re.compile(r"SKILL\.([1-9][0-9]{0,8})\.md")

TURN, CANDIDATE = "source-turn", "source-candidate"
"""In the metadata: what a proposed skill rests on. Who takes both out makes it their own."""

_SOURCES = re.compile(rf"\b(?:{TURN}|{CANDIDATE})[\"']?\s*:\s*[\"']?([0-9A-Z]{{26}})\b")

Counted = Mapping[tuple[Scope, str], Used]


class Unfit(InvalidInput):
    """A skill's file is invalid; `reasons` tells in which lines."""

    def __init__(self, reasons: Sequence[Unreadable]) -> None:
        super().__init__(
            "; ".join(f"{each.place}:{each.line or 1}: {each.reason}" for each in reasons)
        )
        self.reasons = tuple(reasons)


# Reading ------------------------------------------------------------------------------------------


def everything(home: Path, visible: Scopes, counted: Counted) -> Skills:
    """All skills of some scopes, each narrower than the one before; an invalid one hides none."""
    found: dict[str, Skill] = {}
    shadowed: list[Skill] = []
    unreadable: list[Unreadable] = []
    with _reported(home):
        for scope in visible:
            for place in _places(home / folder(scope) / FOLDER):
                try:
                    skill = _skill(home, place, scope, counted)
                except Unfit as error:
                    unreadable += error.reasons
                    continue
                if skill.name in found:
                    shadowed.append(replace(found[skill.name], shadowed_by=scope))
                found[skill.name] = skill
    return Skills(tuple(found[name] for name in sorted(found)), tuple(shadowed), tuple(unreadable))


def one(home: Path, visible: Scopes, name: str, counted: Counted) -> Skill:
    """The skill of this name of the narrowest scope that has one. Raises NotFound, Unfit."""
    with _reported(home):
        for scope in reversed(visible):
            place = _place(home, scope, name)
            if NAME.fullmatch(name) and place.is_dir():
                return _skill(home, place, scope, counted)
    raise NotFound(f"no skill is called {name[:80]!r} here; `memoranda skill list` tells which are")


def history(home: Path, skill: Skill) -> Skills:
    """Every text that a skill had, the oldest first, and which of the files are invalid."""
    place = (home / skill.path).parent
    found: list[Skill] = []
    unreadable: list[Unreadable] = []
    with _reported(home):
        for number, path in sorted(_versions(place).items()):
            try:
                text = _read(home, path, skill.name)
            except Unfit as error:
                unreadable += error.reasons
            else:
                found.append(_as_skill(home, path, text, skill.scope, number))
    if not found or found[-1].text != skill.text:
        found.append(skill)
    return Skills(tuple(found), unreadable=tuple(unreadable))


def version(home: Path, skill: Skill, number: int) -> Skill:
    """A text that a skill had. Raises NotFound, Unfit."""
    if number == skill.version:
        return skill
    path = _versions((home / skill.path).parent).get(number)
    if path is None:
        raise NotFound(f"{skill.name} has no version {number}; the present one is {skill.version}")
    with _reported(home):
        return _as_skill(home, path, _read(home, path, skill.name), skill.scope, number)


def _places(skills: Path) -> Iterator[Path]:
    """The folders of skills, by name; what begins with a dot is somebody else's."""
    if skills.is_dir():
        for place in sorted(skills.iterdir()):
            if place.is_dir() and not place.name.startswith("."):
                yield place


def _place(home: Path, scope: Scope, name: str) -> Path:
    return home / folder(scope) / FOLDER / name


def _skill(home: Path, place: Path, scope: Scope, counted: Counted) -> Skill:
    """Raises Unfit."""
    path = place / FILE
    text = _read(home, path, place.name)
    try:
        skill = _as_skill(home, path, text, scope, _number(place))
    except OSError as error:  # it goes just now, or its versions may not be read
        reason = f"{Path(error.filename or path).name}: {error.strerror or error}"
        raise Unfit([Unreadable(_within(home, path), None, reason)]) from error
    uses = counted.get((scope, skill.name), Used())
    return replace(skill, uses=uses.count, used_at=uses.last)


@dataclass(frozen=True, slots=True)
class _Text:
    whole: str
    page: Page


def _read(home: Path, path: Path, name: str) -> _Text:
    """A file that is valid. Raises Unfit, of whatever is wrong with it."""
    told = _within(home, path)

    def unfit(reason: str, line: int | None = None) -> Unfit:
        return Unfit([Unreadable(told, line, reason)])

    try:
        if path.exists() and not path.is_file():  # a pipe would never end
            raise unfit("it is no file")
        if path.stat().st_size > 4 * LONGEST:
            raise unfit(f"it has more than {LONGEST:,} characters")
        data = path.read_bytes()
        whole = data.decode("utf-8-sig")
    except FileNotFoundError:
        raise unfit(f"a skill needs a file called {FILE}") from None
    except OSError as error:
        raise unfit(error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise unfit("it is not in UTF-8", line) from error
    whole = re.sub("\r\n?", "\n", whole)
    page, problems = parse(whole)
    reasons = [Unreadable(told, each.line, each.why) for each in problems]
    if not problems and page.name != name:
        reasons = [Unreadable(told, 1, f"it is named {page.name}, and its folder {name}")]
    if reasons:
        raise Unfit(reasons)
    return _Text(whole, page)


def _as_skill(home: Path, path: Path, text: _Text, scope: Scope, number: int) -> Skill:
    page = text.page
    return Skill(
        name=page.name,
        description=" ".join(page.description.split()),
        scope=scope,
        version=number,
        path=_within(home, path),
        text=text.whole,
        body=page.body,
        written_at=datetime.fromtimestamp(path.stat().st_mtime, UTC),
        license=page.license,
        compatibility=page.compatibility,
        allowed_tools=page.allowed_tools,
        metadata=page.metadata,
    )


# Versions -----------------------------------------------------------------------------------------


def _versions(place: Path) -> dict[int, Path]:
    kept = place / VERSIONS
    if not kept.is_dir():
        return {}
    named = ((_VERSION.fullmatch(path.name), path) for path in kept.iterdir())
    return {int(match[1]): path for match, path in named if match}


def _number(place: Path) -> int:
    """Which version the present text is, or will be."""
    kept = _versions(place)
    latest = max(kept, default=0)
    if latest and kept[latest].read_bytes() == (place / FILE).read_bytes():
        return latest
    return latest + 1


def take_in(home: Path, skill: Skill) -> None:
    """Keep the present text as a version, if somebody edited it since the last."""
    with _reported(home):
        _keep((home / skill.path).parent)


def _keep(place: Path) -> None:
    number = _number(place)
    kept = place / VERSIONS / f"SKILL.{number}.md"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        _put(kept, (place / FILE).read_bytes())


# Writing ------------------------------------------------------------------------------------------


def page_of(text: str, **instead: object) -> Page:
    """The page that a text makes, whole or without front matter; what else is given counts more.

    Raises InvalidInput with all that keeps it from being written.
    """
    page, problems = parse(text) if frontmatter.begins(text) else (Page(body=text), [])
    given = {name: value for name, value in instead.items() if value is not None}
    page = replace(page, **given)  # type: ignore[arg-type]
    reasons = [f"line {each.line}: {each.why}" for each in problems if each.field is None]
    if reasons := reasons or list(refusals(page)):
        raise InvalidInput(f"the skill was not written: {'; '.join(reasons)}")
    return page


def write(home: Path, scope: Scope, page: Page) -> Skill:
    """Write a skill, or the next version of the one of its name.

    The same text again changes nothing. An edit that was not taken in yet becomes a version before.
    Only one may write at a time. Raises Unfit when what is there cannot be read, so that no words
    of anybody are lost.
    """
    place, text = _place(home, scope, page.name), render(page).encode()
    with _reported(home):
        if (place / FILE).exists():
            _read(home, place / FILE, page.name)
            _keep(place)
        else:
            place.mkdir(parents=True, exist_ok=True)
        if not (place / FILE).exists() or (place / FILE).read_bytes() != text:
            _put(place / FILE, text)
        _keep(place)
        return _skill(home, place, scope, {})


def drafted(home: Path, scope: Scope, page: Page) -> Draft:
    """A page as the skill that it would be. Raises StoreError."""
    place = _place(home, scope, page.name)
    with _reported(home):
        present = _number(place) if (place / FILE).exists() else max(_versions(place), default=0)
    return Draft(page.name, page.description, scope, present + 1, render(page))


def remove(home: Path, skill: Skill) -> None:
    """Remove a skill with its folder; of a link to a folder elsewhere, the link."""
    import shutil

    place = (home / skill.path).parent
    with _reported(home):
        if place.is_symlink():
            place.unlink()
        else:
            shutil.rmtree(place)


def _put(path: Path, data: bytes) -> None:
    """Write a file so that it is whole at every moment, and on disk."""
    handle, name = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def _reported(home: Path) -> Iterator[None]:
    """What the file system refuses, as an error of ours. Raises StoreError."""
    try:
        yield
    except OSError as error:
        place = error.filename or home
        raise StoreError(f"{place}: {error.strerror or error}; look after that folder") from error


# Forgetting ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gone:
    """What of skills goes: files to remove, texts to put back in their place, and what they said.

    `skills` are the names of those of which nothing is left, each after the folder of its scope;
    `touched` are the paths of all that lose something.
    """

    files: tuple[str, ...] = ()
    back: tuple[tuple[Path, Path], ...] = ()
    skills: tuple[tuple[PurePosixPath, str], ...] = ()
    touched: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()


def going(home: Path, doomed: Doomed, whole: Collection[PurePosixPath] | None) -> Gone:
    """What goes of the skills of anybody when turns and candidates do.

    Of the scopes with the folders `whole` everything does; None means all of them.
    """
    ids = frozenset((*doomed.turns, *doomed.candidates))
    with _reported(home):
        parts: list[Gone] = []
        for owner in _owners(home):
            if whole is None or owner in whole:
                parts += [_all_of(home, each, owner) for each in _entries(home / owner / FOLDER)]
            else:
                places = _places(home / owner / FOLDER)
                parts += [_resting_on(home, each, owner, ids) for each in places]
    return Gone(
        files=tuple(each for part in parts for each in part.files),
        back=tuple(each for part in parts for each in part.back),
        skills=tuple(each for part in parts for each in part.skills),
        touched=tuple(each for part in parts for each in part.touched),
        texts=tuple(each for part in parts for each in part.texts),
    )


def put_back(gone: Gone) -> None:
    """Let the last text that stays take the place of one that goes."""
    for kept, file in gone.back:
        with _reported(file):
            _put(file, kept.read_bytes())


def _owners(home: Path) -> list[PurePosixPath]:
    """The folders of all scopes that have any, the owner's first."""
    kinds = (home / each for each in sorted(FOLDERS.values()))
    there = (each for kind in kinds if kind.is_dir() for each in sorted(kind.iterdir()))
    return [PurePosixPath(), *(PurePosixPath(each.relative_to(home)) for each in there)]


def _entries(skills: Path) -> list[Path]:
    """All that stands in a folder of skills, also what other programs keep there.

    Of a link to a folder elsewhere the link, for what it leads to is no part of the home.
    """
    if skills.is_symlink() or not skills.is_dir():
        return [skills] if skills.is_symlink() else []
    return sorted(skills.iterdir())


def _all_of(home: Path, place: Path, owner: PurePosixPath) -> Gone:
    """A whole skill with whatever stands beside it, or a file between skills."""
    files = [place] if place.is_symlink() or place.is_file() else [*_files(place)]
    is_skill = place.is_dir() and not place.name.startswith(".")
    return Gone(
        files=tuple(_within(home, each) for each in files),
        skills=((owner, place.name),) if is_skill else (),
        touched=(_within(home, place),) if is_skill else (),
        texts=tuple(_words(each) for each in files if each.suffix == ".md" and each.is_file()),
    )


def _resting_on(home: Path, place: Path, owner: PurePosixPath, ids: Collection[str]) -> Gone:
    """The texts of a skill that name one of these turns or candidates as what they rest on."""
    present, kept = place / FILE, [path for _, path in sorted(_versions(place).items())]
    texts = {each: _words(each) for each in (*kept, *_left_over(place), present) if each.is_file()}
    gone = {path: text for path, text in texts.items() if _rests(text, ids)}
    if not gone:
        return Gone()
    left = [path for path in kept if path not in gone]
    going_back = ((left[-1], present),) if present in gone and left else ()
    removed = [path for path in gone if not (going_back and path == present)]
    return Gone(
        files=tuple(_within(home, each) for each in removed),
        back=going_back,
        skills=((owner, place.name),) if present in removed else (),
        touched=(_within(home, place),),
        texts=tuple(gone.values()),
    )


def rests(content: bytes, ids: Collection[str]) -> bool:
    """Whether what is in a file tells that it rests on one of these turns and candidates."""
    return bool(ids) and _rests(content.decode("utf-8", errors="replace"), ids)


def _rests(text: str, ids: Collection[str]) -> bool:
    return any(id in ids for id in _SOURCES.findall(text))


def _left_over(place: Path) -> Iterator[Path]:
    """What a program that was killed while it wrote has left."""
    for folder_ in (place, place / VERSIONS):
        yield from folder_.glob(".*.tmp")


def _files(place: Path) -> Iterator[Path]:
    """All files in a folder, the links, and the folders that are empty."""
    for within, folders, names in os.walk(place, onerror=_raised):
        paths = [Path(within) / each for each in folders]
        yield from (Path(within) / each for each in names)
        yield from (each for each in paths if each.is_symlink() or not any(each.iterdir()))


def _raised(error: OSError) -> None:
    raise error


def _words(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="replace")


def _within(home: Path, path: Path) -> str:
    return str(PurePosixPath(path.relative_to(home)))
