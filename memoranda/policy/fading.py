"""How memories fade: by half of what they have left, over and over.

Exponential forgetting with a half-life that use makes longer, as in half-life regression (Settles
and Meeder, "A Trainable Spaced Repetition Model for Language Learning", ACL 2016). The curves are
in the settings; the formula and a plot stand in docs/fading.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from memoranda.settings import Settings
from memoranda.types import Kind, Memory, Status

HalfLives = Mapping[Kind, timedelta]
"""After how long half is left, for each kind."""

LASTING = frozenset((Kind.CONSTRAINT,))
"""What never expires by itself."""


@dataclass(frozen=True, slots=True)
class Curves:
    """How fast memories fade, and below which strength one expires.

    Each doubling of the uses makes a half-life longer by the share `use_slows` of it. What nobody
    has reviewed yet fades with the half-life `unreviewed`, if that is shorter.
    """

    half_lives: HalfLives
    unreviewed: timedelta
    use_slows: float
    expires_below: float


def curves(options: Settings) -> Curves:
    """The curves that the settings of a home draw."""
    return Curves(
        {kind: timedelta(days=getattr(options, f"half_life_{kind}")) for kind in Kind},
        timedelta(days=options.half_life_unreviewed),
        options.use_slows,
        options.expires_below,
    )


def faded(since: datetime, now: datetime, half_life: timedelta) -> float:
    """What is left of 1, halved every `half_life`; before `since` all of it."""
    return math.exp2(min(0.0, (since - now) / half_life))


def strength(memory: Memory, now: datetime, curves: Curves, *, used: bool = True) -> float:
    """How present a memory is, from 1 when it was just said, confirmed or used, towards 0.

    A pinned one does not fade. Its uses count unless told.
    """
    if memory.pinned:
        return 1.0
    return faded(touched_at(memory, used=used), now, half_life(memory, curves, used=used))


def half_life(memory: Memory, curves: Curves, *, used: bool = True) -> timedelta:
    """That of its kind, made longer by each doubling of its uses and mentions."""
    kind = curves.half_lives[memory.kind]
    if memory.status == Status.CANDIDATE:
        kind = min(kind, curves.unreviewed)
    uses = (memory.use_count if used else 0) + max(1, memory.mention_count)
    return kind * (1 + curves.use_slows * math.log2(uses))


def touched_at(memory: Memory, *, used: bool = True) -> datetime:
    """When it was last written down, said, confirmed or used."""
    said = (source.time for source in memory.sources)
    times = (memory.recorded_at, memory.confirmed_at, memory.used_at if used else None, *said)
    return max(time for time in times if time is not None)


def expires_at(memory: Memory, curves: Curves) -> datetime | None:
    """When a memory that holds becomes too weak to keep; None if it never does by itself."""
    if memory.pinned or memory.kind in LASTING or not memory.status.live:
        return None
    if curves.expires_below <= 0:
        return None
    lives = math.log2(1 / curves.expires_below)
    try:
        return touched_at(memory) + half_life(memory, curves) * lives
    except OverflowError:  # beyond the calendar
        return None
