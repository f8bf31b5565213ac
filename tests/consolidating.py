"""A home in which a test consolidates: time stands still, its model says what it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import memoranda
from memoranda import Memoranda, Memory, Scope, Status, Turn
from memoranda.policy.access import Access
from memoranda.protocols import Embedder, LanguageModel
from memoranda.settings import Settings
from memoranda.stores.sqlite import SqliteStore
from tests.scripted import Mind, Scripted

MONDAY = datetime(2026, 3, 2, 9, tzinfo=UTC)
DAY = timedelta(days=1)


@dataclass
class Clock:
    now: datetime = MONDAY + 30 * DAY

    def __call__(self) -> datetime:
        return self.now


def new_home(folder: Path) -> Path:
    return memoranda.init(folder / "home", enable=True)


@contextmanager
def opened(
    home: Path,
    language: Mind | LanguageModel | None = None,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    access: Access | None = None,
    **options: Any,
) -> Iterator[Memoranda]:
    settings = Settings(**{"timezone": "UTC", **options})
    with Memoranda(
        SqliteStore(home / "memory.db"),
        settings,
        access or Access(),
        path=home,
        embedder=embedder,
        language=Scripted(language) if isinstance(language, Mind) else language,
        clock=clock or Clock(),
    ) as m:
        yield m


def later(m: Memoranda, days: float = 0, **span: float) -> None:
    """Let time pass: a day if nothing is said."""
    clock = m._clock
    assert isinstance(clock, Clock)
    clock.now += timedelta(days=days, **span) if days or span else DAY


def known(m: Memoranda, *contents: str, **fields: Any) -> list[Memory]:
    """Written down by hand on the day before anything was said."""
    clock = m._clock
    assert isinstance(clock, Clock)
    now, clock.now = clock.now, MONDAY - DAY
    try:
        return [m.remember(content, **fields) for content in contents]
    finally:
        clock.now = now


def said(*contents: str, at: datetime = MONDAY, conversation: str = "c") -> list[Turn]:
    """A user says these, a minute after each other; an assistant agrees to each."""
    turns = []
    for place, content in enumerate(contents):
        time = at + place * timedelta(minutes=1)
        turns.append(Turn(conversation, "user", content, time))
        turns.append(Turn(conversation, "assistant", "Noted.", time + timedelta(seconds=5)))
    return turns


def held(m: Memoranda, *statuses: Status) -> list[str]:
    """What the memories say that hold, oldest first."""
    found = m.list(statuses=statuses or None, limit=1000)
    return [each.content for each in reversed(found)]


def only(m: Memoranda) -> Memory:
    (memory,) = m.list()
    return memory


SITE = Scope("project", "site")
