"""The time that a question is about: what lies in it counts for more, and nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memoranda.text.times import Relation, Span, relations, spans
from memoranda.types import Filter

TOLD_BEFORE = timedelta(days=1)
TOLD_AFTER = timedelta(days=14)
"""People tell of something up to so long after it was, and of a plan the day before."""

Dated = Callable[[str], datetime | None]
"""When an event was, by the memory or turn that tells of it best; None when none does."""


def times(question: str, now: datetime, dated: Dated) -> tuple[Span, ...]:
    """The stretches of time that a question names, or tells by an event that is known."""
    told = (_told_by_event(each, dated) for each in relations(question) if each.side != "during")
    return (*spans(question, now), *(span for span in told if span is not None))


def _told_by_event(relation: Relation, dated: Dated) -> Span | None:
    at = dated(relation.event)
    return None if at is None else relation.span(at)


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


def tells_of(spans: Sequence[Span], first: datetime, last: datetime) -> bool:
    """Whether what was true or said in that time may be about one of the spans."""
    return any(
        (since is None or last >= since) and (until is None or first < until)
        for since, until in map(_told, spans)
    )


def _told(span: Span) -> tuple[datetime | None, datetime | None]:
    """When it may have been told, in UTC."""
    return _shifted(span.first, -TOLD_BEFORE), _shifted(span.end, TOLD_AFTER)


def _shifted(moment: datetime | None, by: timedelta) -> datetime | None:
    if moment is None:
        return None
    try:
        return moment.astimezone(UTC) + by
    except OverflowError:
        return None
