"""Which of two memories that cannot both hold is served first, and proposed to a person."""

from __future__ import annotations

from datetime import datetime

from memoranda.policy.confidence import SAID
from memoranda.types import Kind, Memory, Scope, Status

RULES_LIKE = frozenset((Kind.CONSTRAINT, Kind.DECISION))
"""What may change a constraint, when it is said plainly."""

_WIDTH = {"user": 2, "profile": 1, "project": 0}


def is_narrower(one: Scope, other: Scope) -> bool:
    """Whether what holds in `one` may differ from what holds in `other`.

    A project is narrower than an agent's profile, and that than a person.
    """
    return _WIDTH[one.kind] < _WIDTH[other.kind]


def may_override(narrow: Memory, wide: Memory) -> bool:
    """Whether it may differ from what a wider scope says: it counts, and is no remark on a rule."""
    return is_plain(narrow) and not outranks(wide, narrow.kind)


def is_plain(memory: Memory) -> bool:
    """Whether it counts, and was said without a doubt."""
    return memory.status == Status.CURRENT and memory.confidence >= SAID["stated"]


def told_at(memory: Memory) -> datetime:
    """When it was last said or confirmed. From when on it holds may be later, as with a plan."""
    times = [memory.confirmed_at, *(source.time for source in memory.sources)]
    return max((time for time in times if time is not None), default=memory.began)


def in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The one that was told later, and the earlier one; of the same moment, by their ids."""
    later = (told_at(one), one.id) > (told_at(other), other.id)
    return (one, other) if later else (other, one)


def winner(newer: Memory, older: Memory) -> Memory:
    """The newer one, unless only the other is pinned, a rule, or counts and was said plainly."""
    if older.pinned != newer.pinned:
        return older if older.pinned else newer
    for rule, remark in ((older, newer), (newer, older)):
        if outranks(rule, remark.kind):
            return rule
    return older if is_plain(older) and not is_plain(newer) else newer


def may_win(newer: Memory, older: Memory) -> bool:
    """Whether the newer may take the place of the older without a person: it is said plainly.

    Never the place of a pin, nor that of a rule unless it is one.
    """
    return is_plain(newer) and not older.pinned and not outranks(older, newer.kind)


def outranks(known: Memory, kind: Kind) -> bool:
    """Whether it is a rule, which a remark of this kind does not overturn."""
    return known.kind == Kind.CONSTRAINT and kind not in RULES_LIKE
