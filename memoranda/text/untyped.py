"""Which parts of a turn its user did not type, by structure alone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from memoranda.text.instructions import LONG
from memoranda.types import Role

LEAST_ANNOUNCED = 100
"""What follows "log:" in the same line and is shorter was typed with it."""
LEAST_QUOTED = 40
LEAST_QUOTED_IN_HAN = 15
"""A quotation within a line of fewer characters is a title or a word."""


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a turn as a reader gets it: `text` is decoded when it was encoded.

    A `loose` one may have been typed after all: only what speaks to any agent that may read it
    counts there.
    """

    where: str
    start: int
    end: int
    text: str
    decoded: bool = False
    loose: bool = False

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Characters of the turn for characters of `text`; all of them when it was decoded."""
        if self.decoded:
            return self.start, self.end
        return self.start + start, self.start + end


def parts(text: str, role: Role, *, typed: bool = True) -> list[Part]:
    """The parts that were not typed; none lies within another unless it is decoded."""
    if role == Role.TOOL or not typed:
        where = "in a tool's output" if role == Role.TOOL else "in a text that nobody typed"
        return [Part(where, 0, len(text), text), *_hidden(text)]
    found = [*_fences(text), *_quotes(text), *_tags(text), *_chat_marks(text), *_json(text)]
    found += [each for each in _quotations(text) if not _is_dictated(text, each, role)]
    if role != Role.ASSISTANT:
        found += [*_mails(text), *_introduced(text, found), *_long(text)]
    return [*_outermost(text, found), *_invisible(text), *_hidden(text)]


def _outermost(text: str, found: Iterable[Part]) -> Iterator[Part]:
    """Those that lie within no other; what is surely not typed goes before what may be.

    One that begins within another and goes on after it makes that one longer.
    """
    sure: list[Part] = []
    loose: list[Part] = []
    for part in sorted(found, key=lambda each: (each.start, -each.end, each.loose)):
        reached = sure[-1].end if sure else -1
        if part.end <= reached:
            continue
        if part.loose:
            loose.append(part)
        elif part.start < reached:
            sure[-1] = _part(sure[-1].where, text, sure[-1].start, part.end)
        else:
            sure.append(part)
    yield from sure
    yield from loose


# Visible structure --------------------------------------------------------------------------------

_FENCE = re.compile(r'^[ \t>]{0,8}(`{3,}|~{3,}|"""|\'\'\')', re.MULTILINE)


def _fences(text: str) -> Iterator[Part]:
    """What stands between two fences of a kind; an open one reaches to the end."""
    if not any(mark in text for mark in ("```", "~~~", '"""', "'''")):
        return
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1][:3] == opened[1][:3] and len(fence[1]) >= len(opened[1]):
            yield _part("in a code block", text, opened.end(), fence.start())
            opened = None
    if opened is not None:
        yield _part("in a code block", text, opened.end(), len(text))


_QUOTED_LINES = re.compile(r"^[ \t]{0,3}>[^\n]*(?:\n[ \t]{0,3}>[^\n]*)*", re.MULTILINE)


def _quotes(text: str) -> Iterator[Part]:
    if ">" not in text:
        return
    for block in _QUOTED_LINES.finditer(text):
        yield _part("in a quoted block", text, *block.span())


_TAG = re.compile(r"<(!--|/?[A-Za-z][\w:.-]{0,40})|-->|<\|")
_EMPTY = frozenset("area base br col embed hr img input link meta source track wbr".split())
# These begin a part without an end too, and may be named where the reason is kept.
ELEMENTS = frozenset(
    """
    html head body div span p a ul ol li table tr td th pre code section article main header footer
    nav h1 h2 h3 h4 h5 h6 script style title b i em strong font blockquote iframe svg form button
    system assistant user human instruction instructions document documents doc page webpage content
    context tool_result tool_output function_result result results search_results output observation
    email mail message subject file attachment transcript data source quote memory rss xml item
    """.split()
)


def _tags(text: str) -> Iterator[Part]:
    """Each outermost element with what it holds, comments, and what follows a chat token.

    Those of a name that follow each other are one part.
    """
    if "<" not in text:
        return
    last, begun, reached = "", 0, 0
    for where, start, end in _marked_up(text):
        if where != last or text[reached:start].strip():
            if last:
                yield _part(last, text, begun, reached)
            last, begun = where, start
        reached = end
    if last:
        yield _part(last, text, begun, reached)


def _marked_up(text: str) -> Iterator[tuple[str, int, int]]:
    """A known element that is not closed reaches to the end of its paragraph; an unknown one is
    somebody's List<String>.
    """
    closing = _elements(text)
    reached = 0
    for tag in _TAG.finditer(text):
        if tag.start() < reached:
            continue
        name = (tag[1] or "").lower()
        if name == "!--":
            end = text.find("-->", tag.end())
            where, end = "in a hidden comment", len(text) if end < 0 else end + 3
        elif tag[0] == "<|":
            where, end = "after a token of a chat template", len(text)
        elif not name or name.startswith("/") or name in _EMPTY:
            continue
        elif name in closing:
            where, end = _in_element(name), _closed(closing[name], tag.start(), len(text))
        elif name in ELEMENTS:
            where, end = _in_element(name), _paragraph_end(text, tag.end())
        else:
            continue
        if end > tag.start():
            yield where, tag.start(), end
            reached = end


def _in_element(name: str) -> str:
    """A name that the text made up would be a word of it, and outlive it where `why` is kept."""
    return f"in a <{name}> element" if name in ELEMENTS else "in an element"


def _elements(text: str) -> dict[str, tuple[list[int], list[int]]]:
    """Of each name that is ever closed, where its elements begin and where they are closed."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    opened: dict[str, list[int]] = {}
    depth: dict[str, int] = {}
    for tag in _TAG.finditer(text):
        name = (tag[1] or "").lower()
        if name.startswith("/"):
            name = name[1:]
            if depth.get(name):
                depth[name] -= 1
                if not depth[name]:
                    starts, ends = found.setdefault(name, ([], []))
                    starts.append(opened[name][-1])
                    ends.append(tag.end() + 1)
        elif name and name != "!--":
            if not depth.get(name):
                opened.setdefault(name, []).append(tag.start())
            depth[name] = depth.get(name, 0) + 1
    return found


def _closed(elements: tuple[list[int], list[int]], start: int, length: int) -> int:
    """Where the element that begins at `start` ends; `start` when it does not."""
    starts, ends = elements
    at = bisect_right(starts, start) - 1
    return min(ends[at], length) if at >= 0 and ends[at] > start else start


def _paragraph_end(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end


_CHAT_MARK = re.compile(r"\[INST\]|<<SYS>>|(?:^|\n)\#{3} {0,2}instruction:?[ \t]*\n", re.IGNORECASE)


def _chat_marks(text: str) -> Iterator[Part]:
    """From what a model's own turns are parted by, to the end."""
    if not any(mark in text for mark in ("###", "[", "<<")):
        return
    if mark := _CHAT_MARK.search(text):
        yield _part("after a token of a chat template", text, mark.start(), len(text))


_OBJECT = re.compile(r'[{\[]\s{0,8}(?:"[^"\n]{0,80}"\s{0,8}[:,]|\{)')


def _json(text: str) -> Iterator[Part]:
    """From the first object or list of strings to the last bracket."""
    if begun := _OBJECT.search(text):
        end = max(text.rfind("}"), text.rfind("]")) + 1
        yield _part("in a JSON value", text, begun.start(), end if end > begun.end() else len(text))


_STRAIGHT = re.compile(rf'"([^"\n]{{{LEAST_QUOTED},}})(?=")')
_CURVED = re.compile("[“”„«»「」『』]|\n+")
_BEGUN_BY = {"”": "“„", "“": "„", "»": "«", "」": "「", "』": "『"}
_LEAST = {**dict.fromkeys("“„«", LEAST_QUOTED), **dict.fromkeys("「『", LEAST_QUOTED_IN_HAN)}


def _quotations(text: str) -> Iterator[Part]:
    """From a mark to the first in its line that ends it; none begins within another."""
    quoted = [quotation.span(1) for quotation in _STRAIGHT.finditer(text)]
    if not text.isascii():
        quoted = sorted([*quoted, *_curved(text)])
    reached = 0
    for start, end in quoted:
        if start > reached:
            yield _part("in a quotation", text, start, end)
            reached = end + 1


def _curved(text: str) -> Iterator[tuple[int, int]]:
    """Read backwards a mark knows its end at once: a million that have none cost no more."""
    ends: dict[str, int] = {}
    for found in reversed([*_CURVED.finditer(text)]):
        mark, at = found[0], found.start()
        if mark[0] == "\n":
            ends.clear()
        if mark in ends and ends[mark] > at + _LEAST[mark]:
            yield at + 1, ends[mark]
        for begun in _BEGUN_BY.get(mark, ""):
            ends[begun] = at


LONGEST_DICTATED = 200
_KEEP_THIS = re.compile(
    r"""^["”“»」』\s.,:;–—-]{0,12}(?:(?:please|and|now|bitte|por[ ]favor|svp)[ ,]{1,2}){0,2}
    (?:remember|memori[sz]e|save|store|keep|note|merke?|speichere?|recuerda|guarda|retiens|enregistre)
    [ ](?:down[ ])?(?:this|that|it|dir[ ]das|das|dies|esto|eso|ça|cela)\b[^?"“”]{0,60}$""",
    re.IGNORECASE | re.VERBOSE,
)


def _is_dictated(text: str, quoted: Part, role: Role) -> bool:
    """Is it a quotation in one line, beside which nothing stands but that it be kept?

    Whoever says `"…" - remember that` has quoted himself.
    """
    if role != Role.USER or len(text) > LONGEST_DICTATED or "\n" in text:
        return False
    before, after = text[: quoted.start].strip(), text[quoted.end :].strip()
    if len(before) == 1 and before in '"“„«「『':
        return _KEEP_THIS.match(after) is not None
    if len(after) == 1 and after in '"“”»」』':
        return _KEEP_THIS.match(before[:-1]) is not None
    return False


# Mail, and what is announced ----------------------------------------------------------------------

_HEADER = re.compile(
    r"^[ \t>*]{0,6}+(?:from|to|cc|subject|date|sent|reply-to|von|an|betreff|datum|gesendet|de|para"
    r"|asunto|fecha|enviado|à|objet|date|envoyé|发件人|收件人|主题|日期|寄件者|收件者|主旨|差出人|宛先"
    r"|件名|日時|送信者)\*{0,2}[ \t]?[:：]",
    re.MULTILINE | re.IGNORECASE,
)
_FORWARDED = re.compile(
    r"^[ \t]{0,4}-{2,}[ \t]?[^\n-]{0,30}(?:forwarded|original|weitergeleitet|ursprüngliche"
    r"|reenviado|transféré)[^\n-]{0,30}-{2,}"
    r"|^(?:on|am|el|le) [^\n]{4,120}(?:wrote|schrieb[^\n:]{0,60}|escribió|a écrit) ?:",
    re.MULTILINE | re.IGNORECASE,
)
MOST_BETWEEN_HEADERS = 200


def _mails(text: str) -> Iterator[Part]:
    """From two header lines close to each other, or a line that says so, to the end."""
    if "\n" not in text:
        return
    headers = [header.start() for header in _HEADER.finditer(text)]
    begins = [
        one for one, next in pairwise(headers) if text.find("\n\n", one, next) < 0
        and next - one <= MOST_BETWEEN_HEADERS
    ]  # fmt: skip
    if forwarded := _FORWARDED.search(text):
        begins.append(forwarded.start())
    if begins:
        yield _part("in a quoted mail", text, min(begins), len(text))


_THINGS = frozenset(
    """
    page webpage site website mail email e-mail message letter readme log logs logfile article post
    thread issue ticket transcript text document doc docs file output result results response reply
    review note notes config configuration code diff clause contract recipe ad invitation wiki app
    trace traceback snippet changelog newsletter description
    seite webseite mail e-mail nachricht brief protokoll artikel dokument datei ausgabe beitrag
    anleitung schreiben vertrag rezept
    página sitio correo mensaje carta registro artículo documento archivo salida cartel
    lettre courriel courrier journal article fichier sortie recette annonce
    """.split()
)
_POINTS = frozenset(
    """
    here here's this these below see following copied pasted forwarded from my the a
    das hier aus der die dem diese dieser vom aquí este esta el la del voici voilà le l' du ce cette
    """.split()
)
_HEAD = re.compile(r"^([^\n:]{2,120}):", re.MULTILINE)
_HEAD_IN_CHARACTERS = re.compile(
    r"^[^\n:：]{0,40}(?:网页|網頁|页面|頁面|邮件|郵件|日志|日誌|文章|通知|文件|内容|內容|信|帖子"
    r"|ページ|メール|ログ|記事|文書|手紙|ファイル)[^\n:：。]{0,12}[:：]",
    re.MULTILINE,
)


def _introduced(text: str, marked: Iterable[Part]) -> Iterator[Part]:
    """What follows "here is the page:", to the end, unless a marked part follows at once or
    so little in the same line that it was typed.
    """
    begins = {part.start for part in marked}
    for end in _announcements(text):
        after = end + len(text[end : end + 8]) - len(text[end : end + 8].lstrip())
        if "\n" not in text[end:after] and len(text) - after < LEAST_ANNOUNCED:
            continue
        if after < len(text) and begins.isdisjoint(range(after, after + 8)):
            yield _part("in pasted text", text, end, len(text))
            return


def _announcements(text: str) -> Iterator[int]:
    """Where the lines end that say that something pasted follows."""
    if ":" in text:
        for head in _HEAD.finditer(text):
            words = head[1].lower().replace("’", "'").split()[-9:]
            if _THINGS.isdisjoint(words):
                continue
            for place, word in enumerate(words):
                pointed = len(words) == 1 or not _POINTS.isdisjoint(
                    words[max(0, place - 4) : place]
                )
                if word in _THINGS and pointed:
                    yield head.end()
                    break
    if not text.isascii():
        yield from (head.end() for head in _HEAD_IN_CHARACTERS.finditer(text))


_BLANK_LINE = re.compile(r"\n[ \t]*\n")


def _long(text: str) -> Iterator[Part]:
    """Paragraphs longer than people type."""
    if len(text) <= LONG:
        return
    start = 0
    for end in (*(blank.start() for blank in _BLANK_LINE.finditer(text)), len(text)):
        if end - start > LONG:
            yield Part("in a long passage", start, end, text[start:end], loose=True)
        start = end


# What nobody sees ---------------------------------------------------------------------------------

_BETWEEN_LETTERS = re.compile(
    "[\u00ad\u200b\u200e\u200f\u2060\ufeff](?<=[^\\W\\d_].)"
    "[\u00ad\u200b\u200e\u200f\u2060\ufeff]*(?=[^\\W\\d_])"
)
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]+")


def _invisible(text: str) -> Iterator[Part]:
    """Lines with marks inside words that keep a reader from finding them."""
    if text.isascii():
        return
    reached = 0
    marks = [*_BETWEEN_LETTERS.finditer(text), *_BIDI.finditer(text)]
    for mark in sorted(marks, key=re.Match.start):
        if mark.start() < reached:
            continue
        start = text.rfind("\n", reached, mark.start()) + 1 or reached
        end = text.find("\n", mark.end())
        reached = len(text) if end < 0 else end
        yield _part("in text with invisible characters", text, start, reached)


_TAGGED = re.compile("[\U000e0020-\U000e007f]{4,}")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{8,}")
_BASE64 = re.compile(r"[\w+/-](?<![\w+/-].)[\w+/-]{23,}(?:\r?\n[\w+/-]{24,})*={0,2}", re.ASCII)


def _hidden(text: str) -> Iterator[Part]:
    """What is written in characters that nobody sees, or encoded."""
    if not text.isascii():
        for run in _TAGGED.finditer(text):
            shown = "".join(chr(ord(character) - 0xE0000) for character in run[0])
            yield Part("in invisible characters", *run.span(), shown, decoded=True)
        for run in _SELECTORS.finditer(text):
            shown = bytes(map(_selected, run[0])).decode("utf-8", "replace")
            yield Part("in invisible characters", *run.span(), shown, decoded=True)
    for run in _BASE64.finditer(text):
        if shown := _decoded(run[0]):
            yield Part("in base64", *run.span(), shown, decoded=True)


def _selected(character: str) -> int:
    """The byte that a variation selector stands for."""
    code = ord(character)
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16


def _decoded(run: str) -> str:
    """The text that is encoded in `run`; empty when there is none."""
    from base64 import b64decode

    plain = "".join(run.split()).replace("-", "+").replace("_", "/").rstrip("=")
    if "=" in plain or len(plain) % 4 == 1:
        return ""
    shown = b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
    unreadable = shown.count("\ufffd") + sum(map(shown.count, map(chr, range(9))))
    return shown if " " in shown and unreadable * 20 <= len(shown) else ""


def _part(where: str, text: str, start: int, end: int) -> Part:
    return Part(where, start, end, text[start:end])
