"""The four measures, and whether what is stored is worth it. docs/health.md defines each."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import date, datetime, timedelta
from statistics import median

from memoranda.care import Day, Lived, Measure, Week
from memoranda.policy import confidence
from memoranda.policy.fading import Curves
from memoranda.text.use import words_of
from memoranda.types import Kind, Memory, Scope, Status

LEAST = 20
"""Of fewer a share says nothing."""

COUNTS = tuple(each.name for each in fields(Day) if each.name not in ("day", "scope"))
"""What a day counts."""

WEEKS = 4
"""The latest that are told as one."""


def measures(days: Iterable[Day]) -> tuple[Measure, ...]:
    """The four measures of some days together; recall and contradiction are told in two parts."""
    sums = _sums(days)
    needed, served = sums["needed"], sums["served"]
    return (
        _share("recall rate, reached", sums["reached"], needed, 0.7, above=True),
        _share("recall rate, used", sums["used"], needed, 0.7, above=True),
        _share("contradiction rate, served", sums["stale"], served, 0.05),
        _share("contradiction rate, referenced", sums["referenced"], served, 0.05),
        _share("prompt efficiency", sums["tokens"], sums["window"], 0.15, cases=sums["prompts"]),
        _share("re-mention rate", sums["repeated"], sums["statements"], 0.0),
    )


def _sums(days: Iterable[Day]) -> Counter[str]:
    """Each count of all days together."""
    sums: Counter[str] = Counter()
    for day in days:
        sums.update({name: getattr(day, name) for name in COUNTS})
    return sums


def _share(
    name: str,
    part: int,
    whole: int,
    target: float,
    *,
    above: bool = False,
    cases: int | None = None,
) -> Measure:
    """The share, of as many `cases` as the whole if not told; None of too few."""
    of = whole if cases is None else cases
    return Measure(name, part / max(1, whole) if of >= LEAST else None, of, target, above)


def weeks(days: Sequence[Day], scopes: Sequence[Scope], since: date, until: date) -> list[Week]:
    """The measures week by week: of all scopes, and where there are several of each."""
    of: Sequence[Scope | None] = [None, *scopes] if len(scopes) > 1 else [None]
    by_week: dict[date, list[Day]] = defaultdict(list)
    for day in days:
        by_week[monday(day.day)].append(day)
    found = []
    begins = monday(since)
    while begins <= until:
        for scope in of:
            some = [each for each in by_week[begins] if scope in (None, each.scope)]
            found.append(Week(begins, scope, measures(some)))
        begins += timedelta(days=7)
    return found


def monday(day: date) -> date:
    return day - timedelta(days=day.weekday())


def hygiene(
    memories: Sequence[Memory], days: Iterable[Day], curves: Curves, now: datetime
) -> tuple[Measure, ...]:
    """Of what is stored: what came to nothing, is there twice, is old, or was an echo."""
    live = [each for each in memories if each.status.live and not each.has_ended(now)]
    heard = [each for each in memories if any(source.kind == "turn" for source in each.sources)]
    junk = sum(_came_to_nothing(each) for each in heard)
    groups = Counter((each.scope, words_of(each.content).all) for each in live)
    twice = sum(count - 1 for count in groups.values())
    stale = sum(
        confidence.unconfirmed_since(each, now, curves.half_lives) is not None for each in live
    )
    sums = _sums(days)
    return (
        _share("junk rate", junk, len(heard), 0.1),
        _share("duplicate rate", twice, len(live), 0.02),
        _share("stale rate", stale, len(live), 0.2),
        _share("loop rate", sums["loop"], sums["statements"], 0.0),
    )


def _came_to_nothing(memory: Memory) -> bool:
    """Whether it was turned down, never held, or expired without ever being used."""
    if memory.status == Status.REJECTED:
        return True
    if memory.status == Status.EXPIRED:
        return memory.use_count == 0
    return memory.valid_to is not None and memory.valid_to == memory.valid_from


def lived(memories: Iterable[Memory], curves: Curves) -> tuple[Lived, ...]:
    """For each kind the age at last use, and the half-life that it suggests.

    If uses end at a constant rate, ages at last use are exponential, with the mean `m`; half of the
    memories are then used no more after `m · ln 2`.
    """
    ages: dict[Kind, list[float]] = defaultdict(list)
    for each in memories:
        if each.used_at is not None:
            ages[each.kind].append(max(0.0, (each.used_at - each.recorded_at) / timedelta(days=1)))
    found = []
    for kind in Kind:
        some = ages[kind]
        enough = len(some) >= LEAST
        found.append(
            Lived(
                kind,
                len(some),
                median(some) if enough else None,
                sum(some) / len(some) * math.log(2) if enough else None,
                curves.half_lives[kind] / timedelta(days=1),
            )
        )
    return tuple(found)


def growth(memories: Iterable[Memory], now: datetime, count: int) -> tuple[int, ...]:
    """How many memories were added in each of the latest weeks, the oldest week first."""
    last = monday(now.date())
    added = Counter(monday(each.recorded_at.astimezone(now.tzinfo).date()) for each in memories)
    return tuple(added[last - timedelta(weeks=ago)] for ago in range(count - 1, -1, -1))
