"""Plots of how sure and how present memories are, from the curves of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memoranda.bench.plot import Line, chart
from memoranda.policy import confidence, fading
from memoranda.policy.confidence import LEAST, SAID, Level
from memoranda.settings import Settings
from memoranda.types import Kind, Memory, Scope

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)
DAYS = 1000
STEP = 10
USED_EVERY = 100


def plots(options: Settings) -> dict[str, str]:
    """Charts by the name of their file."""
    curves = fading.curves(options)

    def present(memory: Memory, at: datetime) -> float:
        return fading.strength(memory, at, curves)

    def sure(memory: Memory, at: datetime) -> float:
        return confidence.now(memory, at, curves.half_lives)

    kinds = {str(kind): _memory(kind) for kind in Kind}
    fact = _memory(Kind.FACT)
    named = {
        "by hand": fact,
        "said on 3 days": _said(fact, 3, curves),
        "said on 2 days": _said(fact, 2, curves),
        "said once": _said(fact, 1, curves),
        "hedged": replace(fact, confidence=SAID["hedged"]),
        "reported": replace(fact, confidence=SAID["reported"]),
    }
    used = dict(_used(kinds["environment"], present))
    return {
        "confidence.svg": chart(
            "How sure we are of a fact that nobody confirms",
            "days since somebody stood for it last",
            "confidence",
            {name: _line(memory, sure) for name, memory in named.items()},
            marks=[LEAST[Level.MEDIUM], LEAST[Level.HIGH]],
        ),
        "fading.svg": chart(
            "How present memories are that nobody uses",
            "days since they were said or used last",
            "strength",
            {name: _line(memory, present) for name, memory in kinds.items()},
            marks=[curves.expires_below],
        ),
        "use.svg": chart(
            f"What is known of the environment, used every {USED_EVERY} days for a while",
            "days since it was said",
            "strength",
            {"never used": _line(kinds["environment"], present), **used},
            marks=[curves.expires_below],
        ),
    }


def _memory(kind: Kind) -> Memory:
    return Memory("0", kind, "", Scope("user"), BEGAN, confidence.BY_HAND)


def _said(fact: Memory, days: int, curves: fading.Curves) -> Memory:
    sure = SAID["stated"]
    for _ in range(days - 1):
        sure = confidence.said_again(
            sure, fading.faded(BEGAN, BEGAN + DAY, curves.half_lives[fact.kind]) * sure
        )
    return replace(fact, confidence=sure)


def _line(memory: Memory, value: Callable[[Memory, datetime], float]) -> Line:
    return [(day, value(memory, BEGAN + day * DAY)) for day in range(0, DAYS + 1, STEP)]


def _used(memory: Memory, value: Callable[[Memory, datetime], float]) -> Iterator[tuple[str, Line]]:
    """A memory that is used a few times, and then no more."""
    for times in (1, 3):
        line = []
        for day in range(0, DAYS + 1, STEP):
            uses = min(times, day // USED_EVERY)
            at = BEGAN + uses * USED_EVERY * DAY
            used = replace(memory, use_count=uses, used_at=at if uses else None)
            line.append((float(day), value(used, BEGAN + day * DAY)))
        yield f"used {times} time{'s' if times > 1 else ''}", line
