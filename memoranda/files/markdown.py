"""Memories as a Markdown file that is loaded at the start of a session, and edited by people.

Each is an item under the heading of its kind, with the day since which it is so, how sure it is,
and what else one must know before believing it. A comment below tells its id, by which a changed
item is known again, and where it came from; when the file is read it counts for the id alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from memoranda.context.marks import marks, one_line
from memoranda.files.page import Note, Page, Remark, Statement, Written
from memoranda.policy import confidence
from memoranda.policy.fading import Curves
from memoranda.policy.standing import FILE_CHARACTERS, HEADINGS
from memoranda.protocols import FileLine
from memoranda.types import Kind, Memory, Source

PREFACE = (
    "<!-- Kept by Memoranda. Change an item, add a line or take one away: "
    "`memoranda sync` reads it. -->"
)

# Writing ------------------------------------------------------------------------------------------


def write(
    memories: Sequence[Memory],
    now: datetime,
    curves: Curves,
    *,
    characters: int = FILE_CHARACTERS,
    title: str = "Memory",
    beyond: int = 0,
    remarks: Sequence[Remark] = (),
) -> Written:
    """The memories as a file, in their order under headings, each with its day.

    As many as fit into so many `characters` of content, the first ones first; what is told about
    them does not count. A line tells how many more there are, `beyond` those given too. The
    `remarks` stand where they stood.
    """
    held: dict[Kind, list[Memory]] = defaultdict(list)
    left, more = characters, beyond
    for each in memories:
        length = len(shown(each.content))
        if length > left:
            more += 1
            continue
        left -= length
        held[each.kind].append(each)
    ids = {each.id for some in held.values() for each in some}
    places = {None, *ids, *(HEADINGS[kind] for kind, some in held.items() if some)}
    behind: dict[str | None, list[str]] = defaultdict(list)
    for remark in remarks:
        place = remark.after if remark.after in places else ""
        behind[place] += ["", *remark.lines]
    front = _front(behind[None])
    lines = [*front, f"# {title}", "", PREFACE, *behind[None][len(front) + bool(front) :]]
    for kind, heading in HEADINGS.items():
        if held[kind]:
            lines += ["", f"## {heading}", *behind[heading], ""]
            for each in held[kind]:
                lines += [*_item(each, now, curves), *behind[each.id]]
    if more:
        lines += ["", f"{more} more are in the store."]
    lines += behind[""]
    told = {each.id: FileLine(each.kind, each.began.date()) for each in memories if each.id in ids}
    return Written("\n".join(lines) + "\n", told)


def _front(remarks: Sequence[str]) -> list[str]:
    """What other programs keep on top of a file, if it is the first of the remarks."""
    if remarks[1:2] != ["---"] or "---" not in remarks[2:]:
        return []
    return list(remarks[1 : remarks.index("---", 2) + 1])


def shown(content: str) -> str:
    """The words of a memory as they stand in a file: in one line, and no comment."""
    return one_line(content).replace("<!--", "<!—")


def _item(memory: Memory, now: datetime, curves: Curves) -> Iterator[str]:
    sure = confidence.level(confidence.now(memory, now, curves.half_lives))
    since = confidence.unconfirmed_since(memory, now, curves.half_lives)
    told = [str(sure), *marks(memory)]
    if since is not None:
        told.append(f"unconfirmed since {since:%B %Y}")
    about = ", ".join(told).replace("(", "").replace(")", "")
    yield f"- {shown(memory.content)} ({memory.began:%Y-%m-%d}, {about})"
    project = [f"project: {memory.scope.name}"] if memory.scope.kind == "project" else []
    fields = [
        f"id: {memory.id}",
        f"added: {memory.recorded_at:%Y-%m-%d}",
        f"category: {memory.kind}",
        *project,
        f"confidence: {sure}",
        f"source: {_safe(told_source(memory.sources[0]))}" if memory.sources else "",
    ]
    yield f"  <!-- {', '.join(filter(None, fields))} -->"


def told_source(source: Source) -> str:
    """Where a memory came from, in a few words."""
    match source.kind:
        case "turn":
            return f"said by {source.speaker or source.role} in {source.conversation}"
        case "file":
            return f"{source.path}, line {source.line}"
        case "agent":
            return f"noted by {source.by}"
        case _:
            return f"written by hand ({source.by})"


def _safe(text: str) -> str:
    """A text that cannot end a comment."""
    return one_line(text)[:100].replace("--", "—").replace(">", "›")


# Reading ------------------------------------------------------------------------------------------

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+(.*)|[ \t]*)$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)$")
_LEFT_ALONE = re.compile(r" {0,3}(?:[>|]|\[[^\]]+\]:|</?[A-Za-z])")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*(?!(?:[-*+]|\d{1,9}[.)])[ \t])\S")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})[ \t]*$")
_MERGE = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)|={7}$")
_MORE = re.compile(r"\d+ more are in the store\.")
_OURS = re.compile(r"[ \t]*<!--[ \t]*(?:id\b|$)")
_COMMENT = re.compile(
    r"<!--.*?(?:-->|$)"
    # what is left of one of ours without its beginning
    r"|[<!-]*(?: ?i?d?:)? ?[0-9A-Z]{0,26},? ?added: \d{4}-\d\d-\d\d, category: .*?(?:-->|$)"
)
_HALF = re.compile("-->$")
_ID = re.compile(r"\bid: ?([0-9A-HJKMNP-TV-Z]{26})\b")
_DAY = re.compile(r"\s*\((\d{4}-\d{2}-\d{2})(?:,[^()]*)?\)$")
_NO_DAY = re.compile(r"\s*\([^()]*\b(?:low|medium|high)\b[^()]*\)$")
_ENDS = re.compile("\r\n|\r|\n")
_KINDS: Mapping[str, Kind] = {heading.casefold(): kind for kind, heading in HEADINGS.items()}


def read(text: str, known: Mapping[str, str] | None = None) -> Page:
    """What stands in a file that a person may have edited.

    An item or a paragraph is a statement. Comments and headings that are not ours, rules,
    quotations, tables and blocks of code are remarks. Of the memories that it held, by their ids,
    the words are `known`: wherever an editor broke them into lines, they are one statement.
    """
    text = "\n".join(_ENDS.split(text.removeprefix("\ufeff")))
    for id, content in (known or {}).items():
        text = _rejoined(text, id, shown(content))
    return _Reading(text.split("\n")).page()


def _rejoined(text: str, id: str, words: str) -> str:
    """The text with an item in one line that holds just these words, in the lines that it had.

    Where a line breaks, its next one may begin like an item or a heading by chance.
    """
    spaced = r"\s+".join(map(re.escape, words.split()))
    within = r"(?:(?!<!--|\n[ \t]*[-*+][ \t])[^>])*?"
    item = (
        rf"^[ \t]*[-*+][ \t]+{spaced}(?:\s+\([^()]*\))?\s*"
        rf"<!--{within}\bid: ?{re.escape(id)}\b{within}-->"
    )
    found = re.search(item, text, re.MULTILINE)
    if found is None or found[0].count("\n") == 1:  # as we write it
        return text
    line, breaks = " ".join(found[0].split()), "\n" * found[0].count("\n")
    return f"{text[: found.start()]}{line}{breaks}{text[found.end() :]}"


def ids_in(text: str) -> list[str]:
    """The ids that a file tells."""
    return _ID.findall(text)


class _Reading:
    """A file on its way to be a page, line by line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._kind: Kind | None = None
        self._under: str | None = None  # the heading, as long as nothing stands under it
        self._title: str | None = None
        self._statements: list[Statement] = []
        self._remarks: list[Remark] = []
        self._notes: list[Note] = []

    def page(self) -> Page:
        for number, line in enumerate(self._lines, 1):
            if _MERGE.match(line):
                return Page(broken=Note(number, "a merge that is not finished"))
        self._front_matter()
        try:
            while self._at < len(self._lines):
                self._block()
        except _BrokenError as error:
            return Page(broken=error.note)
        return Page(self._title, tuple(self._statements), tuple(self._remarks), tuple(self._notes))

    def _front_matter(self) -> None:
        """What other programs keep on top of a file, between two lines of dashes."""
        if self._lines[0].rstrip() != "---":
            return
        for at, line in enumerate(self._lines[1:], 1):
            if line.rstrip() == "---":
                self._remark(at + 1)
                return

    def _block(self) -> None:
        line = self._lines[self._at]
        heading = _HEADING.fullmatch(line)
        if not line.strip() or line.strip() == PREFACE or _MORE.fullmatch(line.strip()):
            self._at += 1
        elif heading is not None:
            self._heading(len(heading[1]), (heading[2] or "").strip())
        elif fence := _FENCE.match(line):
            end = re.compile(rf" {{0,3}}{re.escape(fence[1])}[`~]*[ \t]*")
            self._remark_up_to(end.fullmatch, "a block of code", after=1)
        elif line.lstrip().startswith("<!--"):
            self._comment(line)
        elif _RULE.fullmatch(line):
            self._remark(self._at + 1)
        elif _LEFT_ALONE.match(line):
            what = "a quotation, a table, a link or HTML is left alone"
            self._notes.append(Note(self._at + 1, what))
            self._remark(self._at + 1)
        elif _INDENTED.match(line):
            self._notes.append(Note(self._at + 1, "what is indented like code is left alone"))
            self._remark(self._at + 1)
        elif self._is_underlined:
            self._kind = None
            self._remark(self._at + 2)
        else:
            self._statement()

    @property
    def _is_underlined(self) -> bool:
        """Whether a line is a heading by what stands below it."""
        below = self._lines[self._at + 1 : self._at + 2]
        return bool(below and _UNDERLINE.match(below[0])) and not _ITEM.match(self._lines[self._at])

    def _heading(self, level: int, text: str) -> None:
        self._kind = _KINDS.get(text.casefold())
        if self._kind is not None:
            self._under = HEADINGS[self._kind]
        if level == 1 and self._title is None and not self._statements:
            self._title = text or None
        elif self._kind is None:
            self._remark(self._at + 1)
            return
        self._at += 1

    def _comment(self, line: str) -> None:
        told = _ID.search(line)
        if told and self._statements and self._statements[-1].id is None:
            self._statements[-1] = replace(self._statements[-1], id=told[1])
            self._at += 1
        elif told:  # of an item that is gone
            self._at += 1
        else:
            self._remark_up_to(re.compile(".*-->.*").fullmatch, "a comment")

    def _remark_up_to(self, ends: Callable[[str], object], what: str, *, after: int = 0) -> None:
        for at in range(self._at + after, len(self._lines)):
            if ends(self._lines[at]):
                self._remark(at + 1)
                return
        raise _BrokenError(Note(self._at + 1, f"{what} begins here and does not end"))

    def _remark(self, end: int) -> None:
        last = next((each.id for each in reversed(self._statements) if each.id), None)
        after, lines = self._under or last, tuple(self._lines[self._at : end])
        if self._remarks and self._remarks[-1].after == after:
            between = () if self._lines[self._at - 1].strip() else ("",)
            lines = (*self._remarks.pop().lines, *between, *lines)
        self._remarks.append(Remark(after, lines))
        self._at = end

    def _statement(self) -> None:
        """An item or a paragraph with the lines that go on with it, and the comment below it."""
        begin, first = self._at, self._lines[self._at]
        item = _ITEM.fullmatch(first)
        lines = [(item[1] or "") if item else first]
        self._at += 1
        while self._at < len(self._lines) and self._goes_on(self._lines[self._at]):
            lines.append(self._lines[self._at])
            self._at += 1
        joined = " ".join(lines)
        told = _ID.search(joined)
        words = " ".join(_COMMENT.sub(" ", joined).split())
        if _HALF.search(words):
            raise _BrokenError(Note(begin + 1, "a comment ends in it that begins nowhere"))
        if not words:
            return
        made = _statement(
            begin + 1,
            words,
            self._kind,
            told[1] if told else None,
            wrapped=sum(bool(_COMMENT.sub("", each).strip()) for each in lines) > 1,
        )
        made = replace(made, about=" ".join(joined[len(made.text) :].split()))
        self._statements.append(self._without_a_day_that_is_none(made))
        self._under = None

    def _without_a_day_that_is_none(self, made: Statement) -> Statement:
        """What stands where the day of a memory did, and is none, is no part of what it says."""
        found = _NO_DAY.search(made.text)
        if made.id is None or made.day is not None or found is None:
            return made
        self._notes.append(Note(made.line, f"{found[0].strip()} tells no day, and is left out"))
        return replace(made, text=made.text[: found.start()] or made.text)

    def _goes_on(self, line: str) -> bool:
        others = (_ITEM, _HEADING, _RULE, _LEFT_ALONE, _FENCE)
        if line.lstrip().startswith("<!--"):
            return _OURS.match(line) is not None
        return bool(line.strip()) and not any(other.match(line) for other in others)


class _BrokenError(Exception):
    def __init__(self, note: Note) -> None:
        super().__init__(note.what)
        self.note = note


def _statement(
    line: int, words: str, kind: Kind | None, id: str | None, *, wrapped: bool
) -> Statement:
    text, day = day_behind(words)
    return Statement(line, text, words, kind, id, day, wrapped)


def day_behind(words: str) -> tuple[str, date | None]:
    """What is said, and the day that stands behind it, if one does."""
    found = _DAY.search(words)
    day = None if found is None else _day(found[1])
    if found is None or day is None:
        return words, None
    return words[: found.start()] or words, day


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
