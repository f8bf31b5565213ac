"""Which memories stand for what is so, and which of them come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from memoranda.policy import confidence
from memoranda.policy.fading import Curves, strength
from memoranda.types import Kind, Memory, Status

HEADINGS: Mapping[Kind, str] = {
    Kind.CONSTRAINT: "Constraints",
    Kind.PREFERENCE: "Preferences",
    Kind.DECISION: "Decisions",
    Kind.FACT: "Facts",
    Kind.ENVIRONMENT: "Environment",
    Kind.LESSON: "Lessons",
    Kind.EPISODE: "What happened",
}
"""Under which they stand, the most binding first."""

FILE_CHARACTERS = 4000
"""Of content, which a file of a scope holds; what does not fit is left to recall."""

STEPS = 10
"""What fades a little from day to day must not shuffle what a reader or a cache remembers."""


def standing(
    memories: Iterable[Memory], now: datetime, curves: Curves, losers: frozenset[str]
) -> list[Memory]:
    """Those that count, the pinned first, then the surest and most present, used or not.

    Use says what questions were about. What stands is there whatever is asked, and a prompt cache
    must not miss because something was recalled.
    Without candidates, and what has to yield: to a narrower scope, or as one of the `losers` to
    what it contradicts.
    """
    held = [
        each
        for each in memories
        if each.status != Status.CANDIDATE and each.overridden_by is None and each.id not in losers
    ]

    def order(memory: Memory) -> tuple[bool, int, str]:
        sure = confidence.now(memory, now, curves.half_lives)
        present = strength(memory, now, curves, used=False)
        return not memory.pinned, -round(STEPS * present * sure), memory.id

    return sorted(held, key=order)
