"""The time that a question is about: what lies in it counts for more, and nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import regex

from memoranda.text.stopwords import STOPWORDS
from memoranda.text.times import Relation, relations
from memoranda.types import Filter, Span

TOLD_BEFORE = timedelta(days=1)
TOLD_AFTER = timedelta(days=14)
"""People tell of something up to so long after it was, and of a plan the day before."""

MOST_SPANS = 3
MOST_EVENTS = 2
"""How many times of a question are searched for, and how many events are looked up."""

Dated = Callable[[str], datetime | None]
"""When an event was, by the memory or turn that tells of it best; None when none does."""


def told_by_events(question: str, dated: Dated) -> tuple[Span, ...]:
    """The stretches of time that a question tells by events that are known."""
    events = [each for each in relations(question) if each.side != "during"][:MOST_EVENTS]
    return tuple(span for each in events if (span := _told_by_event(each, dated)))


def _told_by_event(relation: Relation, dated: Dated) -> Span | None:
    at = dated(relation.event)
    return None if at is None else relation.span(at)


_SAYS_NOTHING = frozenset(
    """
    talk talked talking speak spoke spoken say said tell told discuss discussed mention mentioned
    happen happened happens happening going went chat chatted conversation conversations topic
    topics thing things new done doing work worked decide decided
    agree agreed plan planned settle settled learn learned anything
    everything something everyone we've
    haben hat passiert geschah gesagt gesprochen geredet beschlossen entschieden
    gemacht getan los alles etwas
    qué hemos he pasó pasado hablamos hablado dijo dijimos dicho hicimos hecho ocurrió
    quoi qu s'est passé dit parlé fait discuté arrivé avons avez
    """.split()
)
"""Words with which people ask what there was, whatever it was."""
_SAYS_NOTHING_HAN = regex.compile(
    "[说說聊谈談讲講做干幹过過了什么麼甚吗嗎呢我们們你您他她都有在的事发發生哪些啥谁誰跟和与與天]+"
    "|何|話した|話し|した|しました|言った|ました|あった|ありました|こと|私|たち|か|を|は|が|に|の"
)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}']+")


def rest(question: str, spans: Iterable[Span]) -> str:
    """A question without the words that name its times."""
    for span in sorted(spans, key=lambda each: -each.start):
        question = f"{question[: span.start]} {question[span.start + len(span.text) :]}"
    return question.strip()


def is_all(question: str, spans: Sequence[Span]) -> bool:
    """Whether a question asks for nothing but what was at a time."""
    if not spans or any(span.first is None or span.end is None for span in spans):
        return False
    words = _WORD.findall(_SAYS_NOTHING_HAN.sub(" ", rest(question, spans)))
    return all((small := word.lower()) in STOPWORDS or small in _SAYS_NOTHING for word in words)


def exactly(filter: Filter, spans: Sequence[Span]) -> Filter:
    """The filter, narrowed to the time from the beginning of the first span to the end of the last.

    Each must have both. Filters take both bounds in.
    """
    first = min(span.first for span in spans if span.first)
    last = max(span.end for span in spans if span.end) - timedelta(microseconds=1)
    return replace(
        filter,
        since=max(filter.since or first, first),
        until=min(filter.until or last, last),
    )


def within(filter: Filter, spans: Sequence[Span]) -> list[Filter]:
    """The filter, once for each span, narrowed to what may have been told of it."""
    return [
        replace(
            filter,
            since=max(filter.since or since, since) if since else filter.since,
            until=min(filter.until or until, until) if until else filter.until,
        )
        for since, until in map(_told, spans)
    ]


def nearness(spans: Sequence[Span], first: datetime, last: datetime) -> float:
    """How near what was true or said in that time is to one of the spans: 1 within, else less.

    It falls to 0 over the days in which people still tell of it, or speak of it already.
    """
    return max((_nearness(span, first, last) for span in spans), default=0.0)


def _nearness(span: Span, first: datetime, last: datetime) -> float:
    if span.end is not None and first >= span.end:
        return _left(first - span.end, TOLD_AFTER if span.first else timedelta(0))
    if span.first is not None and last < span.first:
        return _left(span.first - last, TOLD_BEFORE if span.end else timedelta(0))
    return 1.0


def _left(away: timedelta, most: timedelta) -> float:
    return 1 - away / most if away < most else 0.0


def _told(span: Span) -> tuple[datetime | None, datetime | None]:
    """When it may have been told, in UTC."""
    margins = (TOLD_BEFORE, TOLD_AFTER) if span.first and span.end else (timedelta(0),) * 2
    return _shifted(span.first, -margins[0]), _shifted(span.end, margins[1])


def _shifted(moment: datetime | None, by: timedelta) -> datetime | None:
    if moment is None:
        return None
    try:
        return moment.astimezone(UTC) + by
    except OverflowError:
        return None
