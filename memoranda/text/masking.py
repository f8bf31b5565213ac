"""What of a turn is in its user's own words, and what stands there besides.

Nothing that is masked may become a memory: code, logs, quotations, what was pasted, what a tool
printed, what a memory system put into the prompt, secrets. Places are those of the turn as it is
stored, so that whatever is read from it can be cited to the character.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from memoranda.text import secrets, untyped
from memoranda.text.masks import FORGOTTEN, PRIVATE
from memoranda.text.sentences import sentences
from memoranda.types import Role

CODE = "code"
COMMAND = "command"
LOG = "log"
QUOTATION = "quotation"
PASTED = "pasted document"
TRANSCRIPT = "transcript"
TOOL = "tool output"
RECALLED = "recalled memory"
SYSTEM = "system prompt"
SECRET = "secret"
LEFT_OUT = "private"
CUT_OUT = "forgotten"
ASSISTANT = "assistant"

_WITHIN_A_SENTENCE = frozenset((QUOTATION, SECRET, LEFT_OUT))
_BLANK = "\ufffc"
"""Stands for each character that is masked within a sentence."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """A stretch of a turn that is not its user's own words; `what` stands in its marker."""

    what: str
    start: int
    end: int

    @property
    def marker(self) -> str:
        return f"[{self.what}]"


@dataclass(frozen=True, slots=True)
class Masked:
    """A turn with a marker in place of each part that is `hidden`, which are in order, apart."""

    content: str
    hidden: tuple[Hidden, ...]

    @property
    def text(self) -> str:
        """The own words, and a marker for each part that is hidden."""
        return "".join(self._pieces())

    def original(self, place: int) -> int:
        """Where in the turn a character of `text` stands; of a marker, where its part begins."""
        lengths = [0, *accumulate(map(len, self._pieces()))]
        piece = max(0, bisect_right(lengths, place) - 1)
        edges = [0, *(edge for each in self.hidden for edge in (each.start, each.end))]
        if piece >= len(edges):
            return len(self.content)
        return edges[piece] + (place - lengths[piece] if piece % 2 == 0 else 0)

    def hides(self, start: int, end: int) -> bool:
        """Whether any of these characters is hidden."""
        at = bisect_right(self.hidden, start, key=lambda each: each.start)
        before = at > 0 and self.hidden[at - 1].end > start
        return before or (at < len(self.hidden) and self.hidden[at].start < end)

    def sentences(self) -> tuple[tuple[int, int], ...]:
        """Where in the turn its user's sentences stand; some have a quotation within."""
        blanked = self._blanked()
        return tuple(
            (start, end)
            for start, end in sentences(blanked)
            if blanked[start:end].strip(_BLANK + " \t.!?")
        )

    def _pieces(self) -> Iterator[str]:
        at = 0
        for each in self.hidden:
            yield self.content[at : each.start]
            yield each.marker
            at = each.end
        yield self.content[at:]

    def _blanked(self) -> str:
        """As long as the content: a block that is hidden ends a sentence, a quotation does not."""
        pieces, at = [], 0
        for each in self.hidden:
            blank = _BLANK if each.what in _WITHIN_A_SENTENCE else "\n"
            pieces += [self.content[at : each.start], blank * (each.end - each.start)]
            at = each.end
        return "".join([*pieces, self.content[at:]])


def mask(content: str, role: Role = Role.USER) -> Masked:
    """What of a turn may be read as its user's statement; of another role's nothing."""
    if role != Role.USER:
        what = {Role.TOOL: TOOL, Role.SYSTEM: SYSTEM}.get(role, ASSISTANT)
        return Masked(content, (Hidden(what, 0, len(content)),) if content else ())
    marked = [*_blocks(RECALLED, content, _TAG, _closed), *_untyped(content)]
    found = [*marked, *_headed(content, marked), *_lines(content), *_inline(content)]
    return Masked(content, tuple(_apart(found, content)))


def _apart(found: Iterable[Hidden], content: str) -> Iterator[Hidden]:
    """The outermost; what begins within another and goes on after it makes that one longer."""
    last: Hidden | None = None
    for each in sorted(found, key=lambda each: (each.start, -each.end)):
        if each.end <= each.start:
            continue
        if last is None:
            last = each
        elif each.start < last.end or (
            each.what == last.what and not content[last.end : each.start].strip()
        ):
            last = Hidden(_outer(last, each), last.start, max(last.end, each.end))
        else:
            yield last
            last = each
    if last is not None:
        yield last


def _outer(one: Hidden, other: Hidden) -> str:
    """A block that takes in a quotation is a block."""
    within = one.what in _WITHIN_A_SENTENCE and other.end > one.end
    return other.what if within and other.what not in _WITHIN_A_SENTENCE else one.what


# What another program put into the turn -----------------------------------------------------------

_MEMORY_WORDS = "memor|recall|remind|hindsight|honcho|mem0|openviking|peer[_-]card"
_TAG = re.compile(rf"<[\w.-]{{0,30}}?(?:{_MEMORY_WORDS})[\w.-]{{0,40}}", re.IGNORECASE)
_HEADING = re.compile(
    r"^[ \t]{0,3}(?:"
    r"#{1,6}[ \t]+[^\n]{0,40}\b(?:memor(?:y|ies)|user profile|user representation|peer card"
    r"|knowledge pages|known facts|erinnerungen|recuerdos|memorias)\b[^\n]{0,40}"
    r"|(?:here are |these are |the following are )?(?:(?:the|some|my|your|user|user's) ){0,2}"
    r"(?:relevant |recalled |stored |saved |retrieved |related |previous |past |long-term )?"
    r"memor(?:y|ies)(?: (?:about|of|from|for|context)[^\n:]{0,40})?:"
    r"|(?:what i (?:know|remember) about (?:you|the user)|user(?:'s)? profile|user context):"
    r"|\[?(?:system note|memory|memories|recalled)\b[^\n\]:]{0,60}[\]:]"
    r"|#{0,6}[ \t]*[^\n]{0,10}(?:相关记忆|相關記憶|记忆|記憶)[^\n]{0,10}[:：]?"
    r")[^\n]*$",
    re.MULTILINE | re.IGNORECASE,
)
_CONTENTS = re.compile(
    r"^[ \t]{0,3}(?:contents of [^\n]{1,200}:[ \t]*$|#{1,3}[ \t]+[A-Z]{3,}\.md\b)", re.MULTILINE
    | re.IGNORECASE,
)  # fmt: skip
_PERSONA = re.compile(
    r"^[ \t]{0,3}(?:\[?system(?: prompt| message)?\]?[ \t]?[:：]"
    r"|you are (?:an? |the |my )?[^\n.]{0,60}\b(?:assistant|agent|ai|chatbot|language model)\b)",
    re.MULTILINE | re.IGNORECASE,
)


def _headed(content: str, marked: Sequence[Hidden]) -> Iterator[Hidden]:
    """What a heading announces; one within a marked block says nothing of what follows that."""
    within = Masked(content, tuple(_apart(marked, content)))
    for each in (
        *_blocks(RECALLED, content, _HEADING, _listing_end),
        *_blocks(SYSTEM, content, _CONTENTS, lambda content, _: len(content)),
        *_blocks(SYSTEM, content, _PERSONA, _paragraph_end),
    ):
        if not within.hides(each.start, each.start + 1):
            yield each


def _blocks(
    what: str, content: str, begins: re.Pattern[str], end_of: Callable[[str, re.Match[str]], int]
) -> Iterator[Hidden]:
    """None is looked for within another, so that many cost no more than one."""
    reached = 0
    while begun := begins.search(content, reached):
        end = end_of(content, begun)
        yield Hidden(what, begun.start(), end)
        reached = max(end, begun.end())


def _closed(content: str, tag: re.Match[str]) -> int:
    """Behind the tag that closes this one. One that is open goes on to the end, unless it stands
    within a line, as in a List<Memory>.
    """
    end = content.find(f"</{tag[0][1:]}", tag.end())
    if end >= 0:
        shut = content.find(">", end, end + 200)
        return shut + 1 if shut >= 0 else len(content)
    begins_a_line = not content[content.rfind("\n", 0, tag.start()) + 1 : tag.start()].strip()
    return len(content) if begins_a_line else tag.start()


def _paragraph_end(content: str, begun: re.Match[str]) -> int:
    end = content.find("\n\n", begun.end())
    return len(content) if end < 0 else end


_ITEM = re.compile(r"[ \t]*(?:[-*•–]|\d{1,3}[.)]|\||#{1,6}[ \t]|\[)|[ \t]{2,}\S")


def _listing_end(content: str, heading: re.Match[str]) -> int:
    """Behind what stands under a heading: a paragraph at once, and the items of lists."""
    end, blank, any_yet = heading.end(), False, False
    at = end + 1
    while at < len(content):
        stop = content.find("\n", at)
        stop = len(content) if stop < 0 else stop
        line = content[at : min(stop, at + 80)]
        if not line.strip():
            blank = True
        elif blank and any_yet and not _ITEM.match(line):
            break
        else:
            end, blank, any_yet = stop, False, True
        at = stop + 1
    return end


# What the structure tells -------------------------------------------------------------------------


def _untyped(content: str) -> Iterator[Hidden]:
    for part in untyped.parts(content, Role.USER):
        yield Hidden(_WHAT.get(part.where, PASTED), *_widened(content, part))


_WHAT = {
    "in a quotation": QUOTATION,
    "in a code block": CODE,
    "in a JSON value": CODE,
    "in base64": CODE,
    "in a <system> element": SYSTEM,
    "after a token of a chat template": SYSTEM,
    "in a <tool_result> element": TOOL,
    "in a <tool_output> element": TOOL,
    "in a <function_result> element": TOOL,
}
"""What is no document that somebody pasted."""


def _widened(content: str, part: untyped.Part) -> tuple[int, int]:
    """With the fences or the marks around it."""
    if part.where == "in a code block":
        return content.rfind("\n", 0, part.start) + 1, _line_end(content, part.end)
    if part.where == "in a quotation":
        return max(0, part.start - 1), min(len(content), part.end + 1)
    return part.start, part.end


def _line_end(content: str, place: int) -> int:
    end = content.find("\n", place)
    return len(content) if end < 0 else end


# What lines tell ----------------------------------------------------------------------------------

_TIME = r"\d{1,2}:\d\d:\d\d"
_LOG = re.compile(
    rf"[ \t]*(?:\[?\d{{4}}-\d\d-\d\d[T ]{_TIME}|\[?{_TIME}[.,\] ]"
    rf"|[A-Z][a-z]{{2}} {{1,2}}\d{{1,2}} {_TIME} "
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL)\b[\]: ]"
    r"|Traceback \(most recent|File \"[^\n\"]{1,300}\", line \d|at [\w.$<>]{1,200}\([^\n)]{0,200}\)"
    r"|[\w.]{1,80}(?:Error|Exception): |E  )"
)
_COMMANDS = (
    "sudo|git|docker|kubectl|npm|npx|pip3?|uv|curl|wget|ssh|scp|rsync|apt(?:-get)?|systemctl"
    "|cargo|brew|chmod|chown|helm|terraform|psql|python3?|node|make|export|cd|ls|cat|grep|echo"
)
_COMMAND = re.compile(
    r"[ \t]*(?:[$%][ \t]+\S|>>> |\.\.\. |PS [A-Z]:\\|[\w.-]{1,40}@[\w.-]{1,60}:[^\n ]{0,80}[#$] "
    rf"|(?:{_COMMANDS})[ \t][^\n]{{0,200}}?(?:[ \t]--?\w|&&|\||[ \t>]/\w|==|https?:))"
)
_STATEMENT = re.compile(
    r"[ \t]*(?:(?:def|class|fn|func|function)[ \t]+\w[^\n]{0,200}?[({:]|(?:const|let|var)[ \t]+\w+"
    r"[^\n]{0,40}=|import[ \t]+[\w.{]+(?:[ \t]+from|;|$)|from[ \t]+[\w.]+[ \t]+import[ \t]"
    r"|#include\b|//|/\*|SELECT[ \t][^\n]{1,300}[ \t]FROM[ \t]|return[ \t;(]|@\w+\(|[}\])]+[;,)]*$)"
    r"|[^\n]{0,300}(?:[;{]|=>|\);?)$"
)
_CODE_SIGN = re.compile(r"[=(){};<>]|//|\w\.\w+\(")
_TOOL_LINE = re.compile(
    r"[ \t]*(?:\[?(?:tool|function)(?:[ _-]?(?:output|result|call|use))?(?:[ _:][^\n\]]{0,60})?\]"
    r"|(?:tool|function|command)[ _](?:output|result)s?[ \t]?:)",
    re.IGNORECASE,
)
_SPEAKER = re.compile(
    r"[ \t]*(?:\[?\d{1,2}:\d\d[^\n\]:]{0,8}\]?[ \t]*)?[^\W\d_][\w .'-]{0,28}[:：][ \t]"
)
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*•–·]|\d{1,3}[.)])[ \t]")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*\S")
LONGEST_LINE = 400
"""Characters of a line by which it is told what it is."""


def _lines(content: str) -> Iterator[Hidden]:
    """Lines of logs, commands, code and of a talk that was pasted."""
    several = "\n" in content
    after_item = False
    speakers: list[tuple[int, int]] = []
    for start, end in _spans_of_lines(content):
        line = content[start : min(end, start + LONGEST_LINE)]
        if what := _told(line, several, after_item):
            yield Hidden(what, start, end)
        if _SPEAKER.match(line) and not _LIST_ITEM.match(line):
            speakers.append((start, end))
        elif line.strip():
            yield from _talk(content, speakers)
            speakers = []
        if line.strip():
            after_item = bool(_LIST_ITEM.match(line)) or (after_item and line[:1].isspace())
    yield from _talk(content, speakers)


def _told(line: str, several: bool, after_item: bool) -> str | None:
    if _TOOL_LINE.match(line):
        return TOOL
    if _LOG.match(line):
        return LOG
    if _COMMAND.match(line):
        return COMMAND
    indented = several and _INDENTED.match(line) and not after_item and not _LIST_ITEM.match(line)
    if indented or (_STATEMENT.match(line.rstrip()) and _CODE_SIGN.search(line)):
        return CODE
    return None


def _spans_of_lines(content: str) -> Iterator[tuple[int, int]]:
    breaks = [-1, *(found.start() for found in re.finditer("\n", content)), len(content)]
    for before, after in pairwise(breaks):
        yield before + 1, after


def _talk(content: str, lines: list[tuple[int, int]]) -> Iterator[Hidden]:
    """Lines in a row that begin with a name are a talk when a name comes back, or has a time."""
    labels = [content[start:end].partition(":")[0].strip() for start, end in lines]
    timed = any(label[:1] == "[" or label[:1].isdigit() for label in labels)
    if len(lines) > 1 and (timed or len(set(labels)) < len(labels)):
        yield Hidden(TRANSCRIPT, lines[0][0], lines[-1][1])


# What is masked within a line ---------------------------------------------------------------------

_SHORT_QUOTATION = re.compile(
    r"(?<!\w)'(?=\S)[^'\n]{1,400}(?:'\w[^'\n]{0,200}){0,8}'(?!\w)"
    r"|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»"
    r"|「[^」\n]{1,400}」|『[^』\n]{1,400}』"
)
_INLINE_CODE = re.compile(r"(`{1,3})(?!`)[^`\n]{1,400}\1(?!`)")
_WIDE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MOST_IN_A_NAME = 2
"""Words in quotation marks, or in backticks, that are a name and no quotation."""
MOST_WIDE_IN_A_NAME = 6


def _inline(content: str) -> Iterator[Hidden]:
    for quotation in _SHORT_QUOTATION.finditer(content):
        if not _is_a_name(quotation[0]):
            yield Hidden(QUOTATION, *quotation.span())
    for code in _INLINE_CODE.finditer(content):
        if not _is_a_name(code[0]):
            yield Hidden(QUOTATION, *code.span())
    for secret in secrets.secrets(content):
        yield Hidden(SECRET, secret.start, secret.end)
    for mark in secrets.marks(content):
        yield Hidden(SECRET, *mark)
    for what, marker in ((LEFT_OUT, PRIVATE), (CUT_OUT, FORGOTTEN)):
        at = content.find(marker)
        while at >= 0:
            yield Hidden(what, at, at + len(marker))
            at = content.find(marker, at + len(marker))


def _is_a_name(quoted: str) -> bool:
    wide = len(_WIDE.findall(quoted))
    return len(quoted.split()) <= MOST_IN_A_NAME and wide <= MOST_WIDE_IN_A_NAME
