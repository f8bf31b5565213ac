"""How sure we are of a memory, between 0 and 1.

What a memory keeps is how sure we were when somebody last said or confirmed it; `now` tells what
time has left of that. The formula and a plot stand in docs/confidence.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from memoranda.policy.fading import HalfLives, faded
from memoranda.types import Basis, Kind, Memory


class Level(StrEnum):
    """A confidence in a word."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


CONFIDENCE: Mapping[Level, float] = {Level.LOW: 0.5, Level.MEDIUM: 0.75, Level.HIGH: 0.9}
"""What a level is as a number: said once, said again on another day, confirmed by a person."""

LEAST: Mapping[Level, float] = {Level.HIGH: 0.8, Level.MEDIUM: 0.6, Level.LOW: 0.0}
"""From where on a number is of a level; halving the doubt leads one level up at most."""

BY_HAND = CONFIDENCE[Level.HIGH]
"""A person wrote it down on purpose, or confirmed it."""

SAID: Mapping[Basis, float] = {"stated": CONFIDENCE[Level.LOW], "hedged": 0.4, "reported": 0.3}
"""It was said once, and nobody has looked at it yet."""

MOST = 0.99
"""Nothing is certain."""


def level(confidence: float) -> Level:
    return next(each for each, least in LEAST.items() if confidence >= least)


def confirmed(confidence: float) -> float:
    """The confidence once a person says so: high, whatever it was, and half the doubt goes."""
    return max(BY_HAND, _less_doubt(confidence))


def said_again(confidence: float, left: float) -> float:
    """The confidence once it is said on another day, `left` being what time has left of it.

    Half the doubt goes, but what faded to a low one does not become more than medium at once.
    """
    more = _less_doubt(confidence)
    if level(left) == Level.LOW:
        more = min(more, max(CONFIDENCE[Level.MEDIUM], _less_doubt(left)))
    return max(more, left)


def _less_doubt(confidence: float) -> float:
    return min(MOST, 1 - (1 - confidence) / 2)


def now(memory: Memory, at: datetime, half_lives: HalfLives) -> float:
    """What time has left of the confidence in a memory.

    Of a pinned one, and of what happened once, it takes nothing.
    """
    if memory.pinned or memory.kind == Kind.EPISODE:
        return memory.confidence
    return memory.confidence * faded(stood_at(memory), at, half_lives[memory.kind])


def stood_at(memory: Memory) -> datetime:
    """When somebody last stood for it: confirmed it, said it on another day, or said it first."""
    if memory.confirmed_at is not None:
        return memory.confirmed_at
    said = (source.time for source in memory.sources if source.time is not None)
    return min(said, default=memory.recorded_at)


def unconfirmed_since(memory: Memory, at: datetime, half_lives: HalfLives) -> datetime | None:
    """Since when nobody has confirmed a memory that is old for its kind; None for all others.

    It is old once time has taken half of the confidence in it.
    """
    if memory.confidence > 0 and now(memory, at, half_lives) <= memory.confidence / 2:
        return stood_at(memory)
    return None
