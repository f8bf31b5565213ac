"""Where the sentences of a text stand, in every script.

A line ends a sentence, since people leave the full stop out there. A full stop within a number, a
host or a version ends none, nor does that of an abbreviation.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

_WIDE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
_CLOSERS = "\"'”’»)\\]」』）"
_END = regex.compile(
    rf"(?<![.!?…])(?:[.!?…]++[{_CLOSERS}]*+(?=\s|$)|[!?]++(?=[{_WIDE}]))"
    rf"|[。！？｡؟۔।॥։።]++[{_CLOSERS}]*+"
)

_NEVER_LAST = frozenset(
    """
    e.g i.e eg ie cf vs dr mr mrs ms prof st sr sra approx fig z.b d.h u.a bzw ca nr evtl ggf inkl
    zzgl p.ej aprox núm ud uds av p.ex env
    """.split()
)
"""Something always comes after these."""
_MAY_BE_LAST = frozenset("etc usw inc ltd co corp jr a.m p.m u.s u.k no".split())
"""After these a small letter goes on, or a digit."""
_BEFORE_AN_ORDINAL = frozenset("am der den dem vom zum bis im das die ab seit".split())
_LONGEST_ABBREVIATION = 8

_BEFORE = regex.compile(r"(?:^|(?<=[^\p{L}.]))(?:\p{L}+\.)*\p{L}+$")
_ORDINAL = regex.compile(r"(?:^|\W)(\p{L}+)\s+\d{1,2}$")
_INITIAL = regex.compile(r"(?:^|[\n.]\s?|\p{Lu}[\p{L}.]*\s)\p{Lu}$")

_LINE = regex.compile(r"[^\n]+")
_MARKER = regex.compile(r"\s*+(?:(?:[-*•–·]|\d{1,3}[.)]|[a-z]\)|\[[ xX]?\]|#{1,6})\s++)*+")


def ends(text: str) -> list[int]:
    """Behind the marks that end a sentence, and what closes with them."""
    return [found.end() for found in _END.finditer(text) if not _goes_on(text, found)]


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """From where to where each sentence goes, without the mark of a list before it."""
    marks = ends(text)
    at = 0
    for line in _LINE.finditer(text):
        start, last = line.span()
        begun = _MARKER.match(text, start, last)
        start = begun.end() if begun else start
        while start < last:
            while at < len(marks) and marks[at] <= start:
                at += 1
            stop = min(last, marks[at]) if at < len(marks) else last
            said = text[start:stop]
            if said.strip():
                yield start + len(said) - len(said.lstrip()), start + len(said.rstrip())
            start = stop


def _goes_on(text: str, found: regex.Match[str]) -> bool:
    """Whether a full stop belongs to an abbreviation, an initial or an ordinal number."""
    if found[0] != ".":
        return False
    before = text[max(0, found.start() - 24) : found.start()]
    follows = text[found.end() : found.end() + 3].lstrip(" ")[:1]
    if not follows or follows == "\n":
        return False
    word = _BEFORE.search(before[-_LONGEST_ABBREVIATION:])
    small = word[0].lower() if word else ""
    if small in _NEVER_LAST:
        return True
    if small == "no":
        return follows.isdigit()
    if small in _MAY_BE_LAST:
        return not follows.isupper()
    if small != "i" and follows.isupper() and _INITIAL.search(before):
        return True
    ordinal = _ORDINAL.search(before)
    return ordinal is not None and ordinal[1].lower() in _BEFORE_AN_ORDINAL
