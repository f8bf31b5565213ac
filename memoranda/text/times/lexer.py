"""A text as the signs that the grammar reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache

from memoranda.text.times.almanac import (
    At,
    Clock,
    Stretch,
    Unit,
    Yearly,
    days,
    months,
)
from memoranda.text.times.words import ENGLISH, LANGUAGES, Language, Word, beginnings, lexicon

NO_KIND: frozenset[str] = frozenset()
COMMA = frozenset(("COMMA",))
NO_YEAR = frozenset(("COUNT", "NOYEAR"))
NO_YEAR_LAST = NO_YEAR | {"LASTWORD"}
_DIGITS = "DAYNUM ORD YEAR COUNT TIME FLOATING QUARTER YEARS DAYS MONTH".split()

_CHUNK = re.compile(r"[^\s,;!?()\[\]{}\"“”„«»…*|<>=]+|,|[;!?()\[\]{}\"“”„«»…*|<>=]+")
_EDGES = ".:'’‘…`"
_ISO = re.compile(
    r"(\d{4})-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?)?"
)
_ISO_WEEK = re.compile(r"(\d{4})-W(\d\d)", re.IGNORECASE)
_YEAR_FIRST = re.compile(r"(\d{4})([/.])(\d{1,2})\2(\d{1,2})")
_YEAR_LAST = re.compile(r"(\d{1,2})([/.])(\d{1,2})\2(\d{4})")
_SHORT_YEAR = re.compile(r"(\d{1,2})(/)(\d{1,2})/(\d{2})")
_NUMBER = re.compile(r"\d{1,6}")
_NO_YEAR = re.compile(r"(?!(?:0[1-9]|1\d|2[0-3])[0-5]\d$)\d{4,5}")  # nor an hour, such as 0930
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|er|º|ª)", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,4})[-–—](\d{1,4})")
_QUARTER = re.compile(r"q([1-4])|(\d{4})-?q([1-4])|q([1-4])-?(\d{4})", re.IGNORECASE)
_DECADE = re.compile(r"(1[5-9]|20)(\d)0['’]?s", re.IGNORECASE)
_PREFIXED = re.compile(r"(early|mid|late|mi)[-–](.+)", re.IGNORECASE)
_ELIDED = re.compile(r"[ldnsj]['’](?=\w)", re.IGNORECASE)

FIRST_YEAR, LAST_YEAR = 1500, 2199
"""Of a number in digits; a port or an amount is seldom between them."""

_COUNTED = frozenset(
    """people men women children persons ms km m cm mm kg g gb mb kb tb px usd eur euro gbp chf hz
    khz mhz ghz rpm feet ft percent pm leute zeilen stück personen filas lignes personas""".split()
)
_NOT_COUNTED = frozenset(
    """this was has does is as its his yes always besides perhaps across thus versus unless us
    sometimes afterwards towards yours ours theirs hers whose whereas plus éramos""".split()
)


@dataclass(frozen=True, slots=True)
class Meaning:
    at: At
    floating: bool = False
    """Whether it names no year of its own, so that what stands beside it may."""


@dataclass(frozen=True, slots=True)
class Token:
    start: int
    end: int
    kinds: frozenset[str] = NO_KIND
    number: int = 0
    most: int = 0
    unit: Unit | None = None
    yearly: Yearly | None = None
    meaning: Meaning | None = None


@dataclass(frozen=True, slots=True)
class _Chunk:
    text: str
    start: int

    @property
    def small(self) -> str:
        return self.text.lower().replace("’", "'")


def read(text: str, language: Language) -> list[Token]:
    """The words and numbers of a text and what they may be."""
    chunks = list(_chunks(text))
    tokens: list[Token] = []
    at = 0
    while at < len(chunks):
        taken, found = _read(chunks, at, language)
        tokens += found
        at += taken
    return tokens


def _chunks(text: str) -> Iterator[_Chunk]:
    """What stands between spaces, without its punctuation, which follows as a chunk of its own."""
    for match in _CHUNK.finditer(text):
        whole, start = match.group(), match.start()
        bare = whole.strip(_EDGES)
        if not bare:
            yield _Chunk(whole, start)
            continue
        begin = whole.index(bare)
        if begin:
            yield _Chunk(whole[:begin], start)
        yield _Chunk(bare, start + begin)
        if begin + len(bare) < len(whole):
            yield _Chunk(whole[begin + len(bare) :], start + begin + len(bare))


def _read(chunks: list[_Chunk], at: int, language: Language) -> tuple[int, list[Token]]:
    """How many chunks make an expression, and its tokens."""
    chunk = chunks[at]
    if chunk.text in (",", "("):  # 3 May (2023)
        return 1, [_token(chunk, COMMA)]
    if chunk.text[0].isdigit() or chunk.text[0] in "qQ":
        found = _digits(chunks, at, language)
        if found is not None:
            return found
    for count in beginnings(language).get(chunk.small, ()):
        words = chunks[at : at + count]
        word = lexicon(language).get(" ".join(each.small for each in words))
        if word is not None and len(words) == count:
            return count, [_known(word, chunk.start, words[-1].start + len(words[-1].text))]
    return 1, list(_single(chunk, language))


def _single(chunk: _Chunk, language: Language) -> Iterator[Token]:
    words = lexicon(language)
    small = chunk.small
    end = chunk.start + len(chunk.text)
    if small in words:
        yield _in_capitals(_known(words[small], chunk.start, end), chunk.text)
    elif small.endswith("'s") and small[:-2] in words:
        yield _possessed(_known(words[small[:-2]], chunk.start, end - 2))
        yield Token(end - 2, end)
    elif prefixed := _PREFIXED.fullmatch(chunk.text):
        middle = chunk.start + prefixed.start(2)
        yield from _single(_Chunk(prefixed.group(1), chunk.start), language)
        yield from _single(_Chunk(prefixed.group(2), middle), language)
    elif elided := _ELIDED.match(chunk.text):
        yield _token(_Chunk(chunk.text[: elided.end()], chunk.start), frozenset(("THE", "OF")))
        yield from _single(_Chunk(chunk.text[elided.end() :], chunk.start + elided.end()), language)
    else:
        yield _token(chunk)


def _token(chunk: _Chunk, kinds: frozenset[str] = NO_KIND, number: int = 0) -> Token:
    return Token(chunk.start, chunk.start + len(chunk.text), kinds, number, number)


def _known(word: Word, start: int, end: int) -> Token:
    return Token(start, end, word.kinds, word.number, word.most, word.unit, word.yearly)


def _in_capitals(token: Token, text: str) -> Token:
    """May and March are months, may and march hardly; Sun is a day, sun is none."""
    capital = text[0].isupper()
    if "MAY" in token.kinds and capital:
        return replace(token, kinds=frozenset(("MONTH",)))
    if "SHORTDAY" in token.kinds and not capital:
        return replace(token, kinds=NO_KIND)
    return token


def _possessed(token: Token) -> Token:
    """April's kitchen is a person's, Friday's script one of Friday."""
    if token.kinds & {"MONTH", "MAY", "SHORTDAY"}:
        return replace(token, kinds=NO_KIND)
    return token


def _digits(chunks: list[_Chunk], at: int, language: Language) -> tuple[int, list[Token]] | None:
    chunk = chunks[at]
    text = chunk.text
    if not text.isascii():
        text = text.replace("–", "-").replace("—", "-").replace("’", "'")
    if not text.isascii():
        return None
    if _NUMBER.fullmatch(text):
        if language is not ENGLISH and _is_ordinal(chunks, at):
            return 2, [_token(chunk, frozenset(("DAYNUM", "ORD")), int(text))]
        return 1, [_number(chunks, at, language)]
    if ordinal := _ORDINAL.fullmatch(text):
        return 1, [_token(chunk, frozenset(("ORD",)), int(ordinal.group(1)))]
    for form, meant in _FORMS:
        if match := form.fullmatch(text):
            token = meant(match)
            if token is None:
                return None
            return 1, [replace(token, start=chunk.start, end=chunk.start + len(chunk.text))]
    return None


def _number(chunks: list[_Chunk], at: int, language: Language) -> Token:
    chunk = chunks[at]
    number = int(chunk.text)
    following = chunks[at + 1] if at + 1 < len(chunks) else None
    if following is not None and _is_counted(following, chunk, language):
        return _token(chunk, frozenset(("COUNT",)), number)
    if len(chunk.text) <= 2 and 1 <= number <= 31:
        return _token(chunk, frozenset(("DAYNUM",)), number)
    if len(chunk.text) == 4 and is_year(number):
        return _token(chunk, frozenset(("YEAR",)), number)
    if _NO_YEAR.fullmatch(chunk.text):
        last = following is None or not following.text[0].isalnum()
        return _token(chunk, NO_YEAR_LAST if last else NO_YEAR, number)
    return _token(chunk, frozenset(("COUNT",)), number)


def _is_ordinal(chunks: list[_Chunk], at: int) -> bool:
    """Whether it is the 3. of a month."""
    number, following = chunks[at], chunks[at + 1] if at + 1 < len(chunks) else None
    return (
        following is not None
        and following.text == "."
        and following.start == number.start + len(number.text)
        and len(number.text) <= 2
        and 1 <= int(number.text) <= 31
    )


def _is_counted(following: _Chunk, number: _Chunk, language: Language) -> bool:
    """Whether the word behind a number seems to be what it counts: 2000 rows."""
    word = following.text
    if following.start == number.start + len(number.text) or word in lexicon(language):
        return False
    if word in _COUNTED:
        return True
    return (
        word.isalpha()
        and word.islower()
        and len(word) > 3
        and word.endswith("s")
        and (word not in _NOT_COUNTED)
    )


def is_year(number: int) -> bool:
    return FIRST_YEAR <= number <= LAST_YEAR


def _day(year: str, month: str, day: str) -> Token | None:
    return _of_year(days(int(month), int(day)), year)


def _of_year(yearly: Yearly, year: str) -> Token | None:
    """None for what that year does not have, and for a year that none speaks of."""
    try:
        return _fixed(yearly(int(year))) if is_year(int(year)) else None
    except ValueError:
        return None


def _fixed(stretch: Stretch) -> Token:
    return Token(0, 0, frozenset(("TIME",)), meaning=Meaning(lambda clock: stretch))


def _iso(match: re.Match[str]) -> Token | None:
    year, month, day, hour, minute, zone = match.groups()
    if day is None:
        return _of_year(months(int(month)), year) if 1 <= int(month) <= 12 else None
    if hour is None:
        return _day(year, month, day)
    if not is_year(int(year)):
        return None
    try:
        moment = datetime.fromisoformat(
            f"{year}-{month}-{day}T{hour}:{minute}{(zone or '').replace('Z', '+00:00')}"
        )
    except ValueError:
        return None

    def at(clock: Clock) -> Stretch:
        here = moment.astimezone(clock.now.tzinfo) if moment.tzinfo else moment
        return clock.around(here.replace(tzinfo=None), Unit.MINUTE)

    return Token(0, 0, frozenset(("TIME",)), meaning=Meaning(at))


def _iso_week(match: re.Match[str]) -> Token | None:
    year, week = int(match.group(1)), int(match.group(2))
    try:
        monday = datetime.fromisocalendar(year, week, 1)
    except ValueError:
        return None
    return _fixed(Stretch(monday, monday + timedelta(7))) if is_year(year) else None


def _year_last(match: re.Match[str]) -> Token | None:
    """The day comes first, unless the second number can be no month."""
    first, mark, second, year = match.groups()
    if len(year) == 2:
        year = f"20{year}"
    if mark == "/" and int(second) > 12:
        first, second = second, first
    return _day(year, second, first)


def _range(match: re.Match[str]) -> Token | None:
    first, last = int(match.group(1)), int(match.group(2))
    if FIRST_YEAR <= first < last <= LAST_YEAR:
        return Token(0, 0, frozenset(("YEARS",)), first, last)
    if 1 <= first < last <= 31 and len(match.group(2)) <= 2:
        return Token(0, 0, frozenset(("DAYS",)), first, last)
    return None


def _quarter(match: re.Match[str]) -> Token | None:
    alone, year, number, other, after = match.groups()
    yearly = months(3 * int(alone or number or other) - 2, 3)
    if alone:
        return Token(0, 0, frozenset(("QUARTER",)), yearly=yearly)
    return _of_year(yearly, year or after)


def _decade(match: re.Match[str]) -> Token:
    first = int(match.group(1) + match.group(2) + "0")
    years = 100 if first % 100 == 0 and first < 2000 else 10  # the 1900s are a century
    return _fixed(months(1, 12 * years)(first))


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Token | None]], ...] = (
    (_ISO, _iso),
    (_ISO_WEEK, _iso_week),
    (_YEAR_FIRST, lambda match: _day(*match.group(1, 3, 4))),
    (_YEAR_LAST, _year_last),
    (_SHORT_YEAR, _year_last),
    (_RANGE, _range),
    (_QUARTER, _quarter),
    (_DECADE, _decade),
)


@cache
def signs() -> dict[frozenset[str], str]:
    """A character for each set of kinds that a token may have, so that a pattern can match them."""
    every = {NO_KIND, COMMA, NO_YEAR, NO_YEAR_LAST}
    every |= {frozenset(("DAYNUM", "ORD")), frozenset(("THE", "OF"))}
    every.update(frozenset((kind,)) for kind in _DIGITS)
    for language in LANGUAGES:
        every.update(word.kinds for word in lexicon(language).values())
    return {kinds: chr(0xE000 + place) for place, kinds in enumerate(sorted(every, key=sorted))}
