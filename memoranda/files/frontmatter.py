"""The file of a skill: a few fields in YAML between two lines of dashes, and then what to do.

The rules are those of the Agent Skills format. What is read may be odder than what is written:
fields that the format does not know are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from memoranda.files.places import RESERVED
from memoranda.text.clean import mend

if TYPE_CHECKING:
    from yaml import Node

NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST_NAME = 64
LONGEST_DESCRIPTION = 1024
LONGEST_COMPATIBILITY = 500
LONGEST = 100_000
"""Characters of the whole file."""

LONGEST_FRONT = 16_384
"""Characters of the fields, which are read whole before anything is known of them."""

DEEPEST = 8
"""Lists and mappings within each other."""

FIELDS = ("name", "description", "license", "compatibility", "allowed-tools", "metadata")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a file, in which line; with what a `field` holds, if it is that."""

    line: int
    why: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """What a skill's file says. Those of its fields that the format does not know are `unknown`."""

    name: str = ""
    description: str = ""
    body: str = ""
    license: str | None = None
    compatibility: str | None = None
    allowed_tools: str | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()


# Reading ------------------------------------------------------------------------------------------


def begins(text: str) -> bool:
    """Whether a text has front matter at all."""
    return text.removeprefix("\ufeff").lstrip().startswith("---")


def parse(text: str) -> tuple[Page, list[Problem]]:
    """What a file says, as far as it can be told, and everything that is wrong with it."""
    if len(text) > LONGEST:
        return Page(), [Problem(1, f"it has more than {LONGEST:,} characters")]
    lines = _LINE_END.split(text.removeprefix("\ufeff"))
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].rstrip() != "---":
        return Page(), [Problem(first + 1, "it must begin with a line of three dashes")]
    ends = (at for at in range(first + 1, len(lines)) if lines[at].rstrip() in ("---", "..."))
    last = next(ends, None)
    if last is None:
        return Page(), [Problem(first + 1, "no line of three dashes ends the fields begun here")]
    body = "\n".join(lines[last + 1 :]).strip("\n")
    page, problems = _fields("\n".join(lines[first + 1 : last]), first + 2)
    return replace(page, body=body, metadata=dict(page.metadata)), list(problems)


_LINE_END = re.compile("\r\n|\r|\n")


@lru_cache(maxsize=512)
def _fields(front: str, begin: int) -> tuple[Page, tuple[Problem, ...]]:
    """The fields, and what is wrong with them; the first stands in line `begin`.

    To read YAML takes most of the time that it takes to list skills.
    """
    try:
        pairs = _pairs(front, begin)
    except _NotYaml as error:
        return Page(), (Problem(error.line, error.why),)
    told: dict[str, str] = {}
    metadata: dict[str, str] = {}
    lines: dict[str, int] = {}
    nested: tuple[str, ...] = ()
    problems: list[Problem] = []
    for name, value, line in pairs:
        text = _text(value)
        if name in lines:
            problems.append(Problem(line, f"{name} is given twice"))
        elif name == "metadata":
            metadata, nested = _metadata(value)
        elif text is not None:
            told[name] = text.strip()
        elif name in FIELDS:
            problems.append(Problem(line, f"{name} must be text"))
        lines.setdefault(name, line)
    page = Page(
        name=told.get("name", ""),
        description=told.get("description", ""),
        license=told.get("license") or None,
        compatibility=told.get("compatibility") or None,
        allowed_tools=told.get("allowed-tools") or None,
        metadata=metadata,
        unknown=(*(name for name in lines if name not in FIELDS), *nested),
    )
    missing = [
        Problem(lines.get(name, begin - 1), f"there is no {name}", name)
        for name in ("name", "description")
        if not told.get(name) and (name in told or name not in lines)
    ]
    problems += [*missing, *_too_long(page, lines)]
    return page, tuple(sorted(problems, key=lambda each: each.line))


class _NotYaml(Exception):
    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


def _pairs(front: str, begin: int) -> list[tuple[str, Node, int]]:
    """The fields with their values and lines. Raises _NotYaml.

    Nothing is made of a value but text, so that a date stays one; nothing stands for something
    else, or a short file could become a very long one.
    """
    import yaml

    if len(front) > LONGEST_FRONT:
        raise _NotYaml(begin, f"the fields have more than {LONGEST_FRONT:,} characters")
    try:
        _refuse_tricks(front, begin)
        root = yaml.compose(front, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = begin + (0 if mark is None else mark.line)
        raise _NotYaml(line, f"it is no YAML: {error.problem or error.context}") from error
    except yaml.reader.ReaderError as error:
        line = begin + front.count("\n", 0, error.position)
        raise _NotYaml(line, f"it is no YAML: {error.reason}") from error
    except (ValueError, OverflowError) as error:
        raise _NotYaml(begin, "it is no YAML: an escape in it stands for no character") from error
    if root is None:
        return []
    if not isinstance(root, yaml.MappingNode):
        raise _NotYaml(begin, "the fields must be lines like `name: value`")
    return [
        (mend(str(key.value))[0], value, begin + key.start_mark.line) for key, value in root.value
    ]


def _refuse_tricks(front: str, begin: int) -> None:
    """Raises _NotYaml for what stands for something else, and for what is nested without end."""
    import yaml

    depth = 0
    for event in yaml.parse(front, Loader=yaml.BaseLoader):
        line = begin + (event.start_mark.line if event.start_mark else 0)
        if isinstance(event, yaml.AliasEvent):
            raise _NotYaml(line, "an alias (*) is not read here")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise _NotYaml(line, "it is nested too deeply")


def _text(node: Node) -> str | None:
    """The text of a value; of a list of texts, these with a space between."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        return mend(str(node.value))[0]
    if isinstance(node, yaml.SequenceNode):
        parts = [_text(each) for each in node.value if isinstance(each, yaml.ScalarNode)]
        return " ".join(filter(None, parts)) if len(parts) == len(node.value) else None
    return None


def _metadata(node: Node) -> tuple[dict[str, str], tuple[str, ...]]:
    """The texts in it by name, and what is nested: another program's, and left alone."""
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return {}, ("metadata",) if _text(node) else ()
    pairs = [(mend(str(key.value))[0], value) for key, value in node.value]
    texts = {
        name: mend(str(value.value))[0]
        for name, value in pairs
        if isinstance(value, yaml.ScalarNode)
    }
    return texts, tuple(f"metadata.{name}" for name, _ in pairs if name not in texts)


def _too_long(page: Page, lines: Mapping[str, int]) -> Iterator[Problem]:
    most = {
        "name": (page.name, LONGEST_NAME),
        "description": (page.description, LONGEST_DESCRIPTION),
        "compatibility": (page.compatibility or "", LONGEST_COMPATIBILITY),
    }
    for name, (value, longest) in most.items():
        if len(value) > longest:
            why = f"{name} has {len(value):,} characters, and may have {longest:,}"
            yield Problem(lines[name], why, name)
    if page.name and not NAME.fullmatch(page.name):
        yield Problem(lines["name"], f"name {page.name[:80]!r}: {NAMED}", "name")


NAMED = "a name is of small letters a to z and digits, with single hyphens between"


# Writing ------------------------------------------------------------------------------------------


def refusals(page: Page) -> Iterator[str]:
    """Why a page must not be written: no file that others would refuse, or could not keep."""
    if not NAME.fullmatch(page.name):
        yield f"name {page.name[:80]!r}: {NAMED}"
    elif RESERVED.fullmatch(page.name):
        yield f"name: no folder can be called {page.name} on Windows"
    if len(page.name) > LONGEST_NAME:
        yield f"name: it has more than {LONGEST_NAME} characters"
    if not page.description:
        yield "description: say in a sentence or two what the skill does, and when it is of use"
    if len(page.description) > LONGEST_DESCRIPTION:
        yield f"description: it has more than {LONGEST_DESCRIPTION:,} characters"
    if page.compatibility and len(page.compatibility) > LONGEST_COMPATIBILITY:
        yield f"compatibility: it has more than {LONGEST_COMPATIBILITY} characters"
    if not page.body.strip():
        yield "body: there is nothing to do in it"
    if page.unknown:
        told = ", ".join(page.unknown)[:200]
        yield f"the format has no {told}; put it under `metadata`, as text"
    if any(not name.strip() for name in page.metadata):
        yield "metadata: a name in it is empty"
    text = render(page)
    if len(text) > LONGEST:
        yield f"it has more than {LONGEST:,} characters; put some into files beside it"
    elif text.index("\n---\n", 3) > LONGEST_FRONT:
        yield f"the fields have more than {LONGEST_FRONT:,} characters"


def render(page: Page) -> str:
    """The file, as every reader of the format understands it."""
    lines = ["---", f"name: {_scalar(page.name)}", f"description: {_scalar(page.description)}"]
    for name, value in (
        ("license", page.license),
        ("compatibility", page.compatibility),
        ("allowed-tools", page.allowed_tools),
    ):
        if value:
            lines.append(f"{name}: {_scalar(value)}")
    if page.metadata:
        lines.append("metadata:")
        lines += [f"  {_scalar(name)}: {_scalar(value)}" for name, value in page.metadata.items()]
    return "\n".join([*lines, "---", "", page.body.strip("\n"), ""])


_PLAIN = re.compile(r"[^\W\d_][\w ,.;()/+=%'’–—?!-]*")
_WORDS_OF_YAML = frozenset("y yes n no true false on off null none".split())


def _scalar(text: str) -> str:
    """A text as YAML has it: bare where that is safe, else between quotation marks.

    A name like `1` or `2026-01-02` is no text without these, and such a skill is not found.
    No three dashes stand together in it: some readers end the fields at the first that they meet.
    """
    if (
        _PLAIN.fullmatch(text)
        and text.isprintable()
        and text == text.strip()
        and "---" not in text
        and text.casefold() not in _WORDS_OF_YAML
    ):
        return text
    quoted = "".join(map(_quoted, text))
    return '"' + re.sub("-(?=--)", r"\\x2d", quoted) + '"'


_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _quoted(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character.isprintable():
        return character
    code = ord(character)
    return (
        f"\\x{code:02X}"
        if code < 0x100
        else f"\\u{code:04X}"
        if code < 0x10000
        else f"\\U{code:08X}"
    )
