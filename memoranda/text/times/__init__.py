"""Expressions of time in a text, as stretches of time in the zone of whoever used them.

What is understood stands in docs/time.md. A text without a word of time costs a look at its words;
the tables of a language are made when the first text needs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import TYPE_CHECKING, Literal

from memoranda.errors import InvalidInput
from memoranda.text.times.almanac import At, Clock, Stretch, Unit, around, beside
from memoranda.types import Span

if TYPE_CHECKING:
    from memoranda.text.times.grammar import Found
    from memoranda.text.times.words import Language

MOST_CHARACTERS = 20_000
"""How much of a text is looked at."""

_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"(?<!\d)(?:\d{4}(?!\d)|\d{1,2}/\d{1,2}/\d\d|[qQ][1-4])")
_ASKS_WHEN = re.compile(
    r"^\W*(?:(?:and|so|but|since|until|et|depuis) )*(?:when|quand)\b"
    r"|\b(?:know|remember|say|sure|tell me|tell us) when\b"
    r"|\b(?:(?:what|which) (?:day|date|time|week|month|year|season)|how long"
    r"|wann|wie lange|welche[mnrs]? (?:tag|datum|woche|monat|jahr)"
    r"|cuándo|cuánto tiempo|qué (?:día|fecha|mes|año)"
    r"|combien de temps|quel(?:le)? (?:jour|date|mois|année))\b"
    r"|什[么麼]时候|什麼時候|何[时時日年月]|几[号月日]|幾[號月日]|哪[天年]|多久|いつ",
    re.IGNORECASE,
)
_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


Prefer = Literal["past", "future"]
Side = Literal["before", "after", "during"]


@dataclass(frozen=True, slots=True)
class Relation:
    """A time told by an event: "before the migration", "the day after the interview".

    With a `unit` it is so many of them before or after, at least `fewest` and at most `most`;
    without, all the time before or after.
    """

    event: str
    side: Side
    text: str
    start: int
    unit: Unit | None = None
    fewest: int = 1
    most: int = 1
    counted: bool = False

    def span(self, at: datetime) -> Span | None:
        """The stretch of time once the event's moment is known; None when it leaves the calendar.

        An event lasts the day it was on, in the zone of `at`. Raises InvalidInput without a zone.
        """
        return _span(self._stretch, Clock.at(_zoned(at), "past"), self.text, self.start)

    def _stretch(self, clock: Clock) -> Stretch:
        day = around(clock.wall, Unit.DAY)
        if self.side == "during":
            return day
        if self.unit is not None:
            sign = -1 if self.side == "before" else 1
            numbers = (sign * self.fewest, sign * self.most)
            return beside(clock, day, self.unit, numbers, whole=self.counted)
        if self.side == "before":
            return Stretch(None, clock.wall)
        return Stretch(clock.wall, None)


def spans(text: str, now: datetime, *, prefer: Prefer = "past") -> tuple[Span, ...]:
    """The times that a text names, in order, as someone means them who speaks at `now`.

    Days, weeks and months begin in the zone of `now`, which the results carry. "On 3 May" is with
    `prefer` "past" the latest that is not in the future, with "future" the first that is not over.
    Raises InvalidInput when `now` has no zone.
    """
    return _as_meant(text, _found(text), Clock.at(_zoned(now), prefer))


def either_way(text: str, now: datetime) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The `spans` of a text as someone means them who looks back, and as who looks ahead.

    Raises InvalidInput when `now` has no zone.
    """
    found, now = _found(text), _zoned(now)  # finding them is what takes time
    return (
        _as_meant(text, found, Clock.at(now, "past")),
        _as_meant(text, found, Clock.at(now, "future")),
    )


def relations(text: str) -> tuple[Relation, ...]:
    """The times that a text tells by an event, in order; none of them is a date."""
    from memoranda.text.times import events  # loads tables

    text = text[:MOST_CHARACTERS]
    if not events.may_be_in(text):
        return ()
    dates = [(each.start, each.end) for each in _found(text)]
    return tuple(events.relations(text, dates))


def asks_when(question: str) -> bool:
    """Whether a question is after a time."""
    return _ASKS_WHEN.search(question[:MOST_CHARACTERS]) is not None


def speaks_of_time(text: str) -> bool:
    """Whether a text has a word of time, which says quickly that it may name one."""
    text = text[:MOST_CHARACTERS]
    return bool(_languages(text)) or (_HAN.search(text) is not None and bool(_found(text)))


def _zoned(moment: datetime) -> datetime:
    if moment.utcoffset() is None:
        raise InvalidInput(f"the time {moment.isoformat()} has no zone")
    return moment


def _as_meant(text: str, found: Iterable[Found], clock: Clock) -> tuple[Span, ...]:
    spans = (_span(each.at, clock, text[each.start : each.end], each.start) for each in found)
    return tuple(each for each in spans if each is not None)


def _found(text: str) -> list[Found]:
    text = text[:MOST_CHARACTERS]
    found: list[Found] = []
    languages = _languages(text)
    if languages:
        from memoranda.text.times import grammar

        for language in languages:
            found += grammar.parse(text, language)
    if not text.isascii() and _HAN.search(text):
        from memoranda.text.times import han

        found += han.parse(text)
    return _apart(found)


def _apart(found: Iterable[Found]) -> list[Found]:
    """Of those that overlap, the longest: "in March" in two languages is one."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: (each.start, each.start - each.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
        elif each.end - each.start > kept[-1].end - kept[-1].start:
            kept[-1] = each
    return kept


def _languages(text: str) -> list[Language]:
    """Those that a word of time in the text may be of."""
    from memoranda.text.times import words

    said = set(_WORD.findall(text.lower()))
    telling = words.telling()
    named = said & telling.keys()
    found: dict[Language, None] = {}
    if _DIGITS.search(text):
        found.update(
            dict.fromkeys(
                each
                for each in words.LANGUAGES
                if each is words.ENGLISH or not said.isdisjoint(words.beside_years(each))
            )
        )
    for word in named:
        found.update(
            dict.fromkeys(each for each in telling[word] if words.is_sure(word, each, said))
        )
    return [each for each in words.LANGUAGES if each in found]


def _span(at: At, clock: Clock, text: str, start: int) -> Span | None:
    """The stretch in the clock's zone; None when it leaves the calendar, is empty, or no date."""
    try:
        stretch = at(clock)
    except (ValueError, OverflowError):
        return None
    edges = [edge for edge in (stretch.first, stretch.end) if edge is not None]
    if not all(2 <= edge.year <= 9998 for edge in edges):  # a year that every zone still has
        return None
    instants = [clock.instant(edge) for edge in edges]
    if not instants or instants != sorted(set(instants)):
        return None
    zone = clock.now.tzinfo
    return Span(_in(stretch.first, zone), _in(stretch.end, zone), text, start)


def _in(moment: datetime | None, zone: tzinfo | None) -> datetime | None:
    return None if moment is None else moment.replace(tzinfo=zone)
