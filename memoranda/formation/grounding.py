"""Whether what must be told to the letter was said: numbers, names, times, paths, versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from itertools import groupby

import regex

from memoranda.formation import words
from memoranda.formation.wording import MOST_READ, USER, WIDE, folded, stem
from memoranda.text import times
from memoranda.text.claims.words import NUMBERS
from memoranda.text.entities import entities
from memoranda.types import Named, Span

LONGEST = 2_400
"""Characters of a text that are looked at."""


def ungrounded(
    text: str, sources: Sequence[str], *, at: datetime | None = None, names: Iterable[str] = ()
) -> str | None:
    """Which number, time, name, host, path or version of a text stands in none of its sources.

    A time that is said in other words, and a number in letters, are the same.
    """
    dates = [] if at is None else [each for source in sources for each in _meant(source, at)]
    said = _Said([*sources, *names], _years(dates))
    text = _AROUND_HAN.sub("", text[:LONGEST])
    told, other = _without_times(text, sources, dates, at)
    if other:
        return f"{_shown(other)} is a time that was not said"
    for token in _TOKEN.finditer(told):
        if not said.has(token[0]):
            return f"{_shown(token[0])} was not said"
    language = words.of(told)
    german = language is not None and language.name == "German"
    for named in entities(told):
        if not said.names(named, german=german):
            return f"{_shown(named.name)} was not named"
    return _unnamed(told, said)


_HAN_COUNT = regex.compile(
    r"[两二三四五六七八九十](?=[十百千万个杯只条年月天日岁号点次本辆台层楼人位块元小家间张件种])"
)
_BEFORE_A_NAME = regex.compile(r"(?:住|叫|去|来自|搬到|飞往|前往|在)(\p{Han}{2})")
"""What follows these is a name more often than not, in a script without capitals."""


def _unnamed(text: str, said: _Said) -> str | None:
    """Which number or name in a script without capitals was not said."""
    text = folded(text)
    for found in _HAN_COUNT.finditer(text):
        if not said.counts(_HAN_NUMBERS[found[0]]):
            return f"{_shown(found[0])} was not said"
    for found in _BEFORE_A_NAME.finditer(text, overlapped=True):
        if not any(map(said.has_character, found[1])):
            return f"{_shown(found[1])} was not named"
    return None


_JOINS = r"[.,:/\\@_+&=#~%-]"
_LETTER = rf"[[\p{{L}}\p{{N}}\p{{M}}]--[{WIDE}]]"
_TOKEN = regex.compile(rf"{_LETTER}++(?:{_JOINS}{{1,3}}+{_LETTER}++)*+", regex.V1)
_PLAIN = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*")
_ABBREVIATION = regex.compile(r"(?:\p{L}\.)+\p{L}")
_QUANTITY = regex.compile(r"(?P<number>v?\d+(?:[.,:]\d+)*)-?(?P<unit>\p{L}+(?:-\p{L}+)*)?")
_RANGE = regex.compile(r"\d+(?:[-/]\d+)+")
_UNITS = frozenset("st nd rd th er h am pm k s x º ª".split())

_IN_LETTERS = {
    **{word: number for word, number in NUMBERS.items() if number not in ("0", "1")},
    "twice": "2", "both": "2", "couple": "2", "dozen": "12", "zwei": "2", "drei": "3", "vier": "4",
    "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "zehn": "10", "elf": "11",
    "zwölf": "12", "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7",
    "ocho": "8", "nueve": "9", "diez": "10", "once": "11", "doce": "12",
}  # fmt: skip
_LOOSE = frozenset(("twice", "both", "couple", "dozen", "once", "elf", "acht"))
"""Numbers where they were said, and in a text perhaps none."""
_HAN_NUMBERS = {
    "两": "2", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8",
    "九": "9", "十": "10",
}  # fmt: skip


class _Said:
    """What was said, ready to be looked up in."""

    def __init__(self, sources: Iterable[str], numbers: Iterable[str]) -> None:
        self._text = "\n".join(folded(each[:MOST_READ]) for each in sources)
        tokens = [token[0] for token in _TOKEN.finditer(self._text)]
        self._words = {word for token in tokens for word in regex.split(_JOINS, token) if word}
        self._stems = {stem(word) for word in self._words}
        self._numbers = {_IN_LETTERS[word] for word in self._words if word in _IN_LETTERS}
        self._numbers |= set(numbers)
        self._numbers |= {_HAN_NUMBERS[each] for each in self._text if each in _HAN_NUMBERS}

    def has(self, token: str) -> bool:
        """Whether this was said, if it is something that must have been."""
        token = folded(token)
        if token in _IN_LETTERS:
            return token in _LOOSE or token in self._words or self.counts(_IN_LETTERS[token])
        if _PLAIN.fullmatch(token):
            return "-" not in token or all(map(self.has, token.split("-")))
        if _ABBREVIATION.fullmatch(token):
            return True
        return self._stands(token) or self._in_other_words(token)

    def has_character(self, character: str) -> bool:
        return character in self._text

    def names(self, named: Named, *, german: bool) -> bool:
        """Whether this was named; every noun of German may be a name, and most are none."""
        name = folded(named.name)
        if self._stands(name):
            return True
        parts = [part for part in regex.split(rf"\s|{_JOINS}|['’]", name) if part] or [name]
        while parts and parts[0] in (_opens() if named.start == 0 else USER):
            parts = parts[1:]
        if named.name.islower() and _PLAIN.fullmatch(name):
            return any(map(self._has_stem, parts))
        if not named.sure:
            return german or all(map(self._has_stem, parts))
        return all(part in self._words or self._stands(part) for part in parts)

    def _has_stem(self, word: str) -> bool:
        return stem(word) in self._stems

    def _stands(self, token: str) -> bool:
        """Whether it stands there whole: 10.0.0 does not stand in 10.0.0.1, nor 16 in 16.2."""
        at = self._text.find(token)
        while at >= 0:
            before, after = self._text[max(0, at - 2) : at], self._text[at + len(token) :][:2]
            if not (_GOES_BEFORE.search(before) or _GOES_ON.match(after)):
                return True
            at = self._text.find(token, at + 1)
        return False

    def counts(self, number: str) -> bool:
        return number in self._numbers or self._stands(number)

    def _in_other_words(self, token: str) -> bool:
        if _RANGE.fullmatch(token):
            return all(map(self.counts, regex.split("[-/]", token)))
        if found := _QUANTITY.fullmatch(token):
            unit, number = found["unit"] or "", found["number"].removeprefix("v")
            known = unit in _UNITS or "-" in found[0] or not unit or unit in self._words
            return known and any(map(self.counts, _ways_to_write(number)))
        pieces = token.split("/")
        return len(pieces) > 1 and all(
            _PLAIN.fullmatch(piece) is not None and self._has_stem(piece) for piece in pieces
        )


_GOES_BEFORE = regex.compile(rf"{_LETTER}$|[\p{{N}}][.,:]$", regex.V1)
_GOES_ON = regex.compile(rf"{_LETTER}|[.,:]\p{{N}}", regex.V1)


def _ways_to_write(number: str) -> list[str]:
    ways = [number, f"v{number}", number.removesuffix(":00")]
    if regex.fullmatch(r"\d{1,3}(?:,\d{3})+", number):
        ways.append(number.replace(",", ""))
    elif regex.fullmatch(r"\d{4,9}", number):
        ways.append(f"{int(number):,}")
    return ways


def _shown(word: str) -> str:
    """Never a whole text in a reason."""
    return f"“{word[:40]}”"


_LEADS = frozenset(
    """
    el la los las l le les il o der die das decision decided decisión beschluss entscheidung
    """.split()
)


@cache
def _opens() -> frozenset[str]:
    """What a text begins with, whatever was said: the user, or what sort of thing is named."""
    from memoranda.text.entity_words import HOSTS, KIN, PROJECTS, SERVICES, TEAMS, TITLES

    return USER | _LEADS | HOSTS | KIN | PROJECTS | SERVICES | TEAMS | TITLES


# Times --------------------------------------------------------------------------------------------


_AROUND_HAN = regex.compile(
    r"(?<=\d) +(?=[年月日号號])|(?<=[年月日]) +(?=\d)|(?<=\p{Han}) +(?=\p{Han})"
)


def _without_times(
    text: str, sources: Sequence[str], said: Sequence[Span], at: datetime | None
) -> tuple[str, str]:
    """Without the times that were said, if in other words, and one that was not."""
    if at is None:
        return text, ""
    pieces, reached = [], 0
    for start, meant in groupby(_meant(text, at), key=lambda each: each.start):
        spans = list(meant)
        if start < reached:
            continue
        if any(_agree(span, other) for span in spans for other in said):
            pieces += [text[reached:start], " "]
            reached = start + len(spans[0].text)
        elif not any(folded(spans[0].text) in folded(source) for source in sources):
            return text, spans[0].text
    return "".join([*pieces, text[reached:]]), ""


def _meant(text: str, at: datetime) -> list[Span]:
    """Each time as someone means it who looks back, and who looks ahead."""
    past, ahead = times.either_way(text, at)
    both = [*past, *ahead]
    return sorted([*both, *_in_a_week(text, at, both)], key=lambda each: each.start)


def _in_a_week(text: str, at: datetime, today: Sequence[Span]) -> Iterator[Span]:
    """Who says "on Monday" on a Monday may mean the next one."""
    if not any(each.first is not None and each.first.date() == at.date() for each in today):
        return
    for each in times.spans(text, at + timedelta(days=1), prefer="future"):
        if each.first is not None and each.first.date() == at.date() + timedelta(days=7):
            yield each


def _agree(told: Span, said: Span) -> bool:
    """Whether a time is one that was said, an end of it, or one that it lies in."""
    if told.first is None or said.first is None:
        return told.end is not None and told.end == said.end
    if told.first == said.first or (told.end is not None and told.end == said.end):
        return True
    if told.end is None:
        return told.first == said.first.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return said.end is not None and told.first <= said.first and said.end <= told.end


def _years(spans: Iterable[Span]) -> Iterator[str]:
    for span in spans:
        yield from (str(each.year) for each in (span.first, span.end) if each is not None)
