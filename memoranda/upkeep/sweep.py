"""Letting go of memories that faded or ended, and of conversations that are old and read."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from memoranda.care import Fading, Sweep
from memoranda.errors import Conflict
from memoranda.policy.fading import LASTING, Curves, expires_at, strength, touched_at
from memoranda.protocols import Store, all_memories
from memoranda.types import LIVE, Change, Filter, Memory, Operation, Scopes, Status

AT_ONCE = 20
"""Memories that expire in one transaction."""

PAUSE = 0.003
"""Seconds between two of these, for others to write."""


def sweep(
    store: Store,
    visible: Scopes,
    heard: Scopes,
    curves: Curves,
    *,
    conversation_days: int,
    now: datetime,
    by: str,
    dry_run: bool = False,
    advance: Callable[[int, int], None] = lambda done, left: None,
) -> Sweep:
    """Have expire what is due of the visible memories, and of the conversations that some `heard`.

    A few memories at a time are one transaction; what somebody touches meanwhile stays. A dry run
    changes nothing. `advance` is told how many memories expired just now, and how many are left.
    """
    memories = list(all_memories(store, visible, Filter(now=now, statuses=LIVE)))
    fading = [found for each in memories if (found := _fading(each, curves, now))]
    fading.sort(key=lambda each: (each.expires_at, each.memory.id))
    due = [each for each in fading if each.expires_at <= now]
    if not dry_run:
        due = list(_expired(store, due, now, by, advance))
    old = now - timedelta(days=conversation_days) if conversation_days else None
    return Sweep(
        expired=tuple(due),
        turns=0 if old is None else _let_go(store, old, heard, now, by, dry_run=dry_run),
        coming=tuple(each for each in fading if each.expires_at > now),
        lasting=len(memories) - len(fading),
        dry_run=dry_run,
    )


def _let_go(
    store: Store, old: datetime, heard: Scopes, now: datetime, by: str, *, dry_run: bool
) -> int:
    """Delete the conversations that are as old, or only count; returns how many turns."""
    if dry_run:
        return sum(store.passes.expiring(old, scope) for scope in heard)
    turns = sum(store.passes.expire(old, scope, at=now, by=by) for scope in heard)
    if turns:
        store.purge()
    return turns


def _fading(memory: Memory, curves: Curves, now: datetime) -> Fading | None:
    """When a memory ends or is too weak to keep, whichever is first; None if never."""
    if memory.pinned or memory.kind in LASTING:
        return None
    left = strength(memory, now, curves)
    if memory.has_ended(now) and memory.valid_to is not None:
        return Fading(memory, left, memory.valid_to, f"it ended {memory.valid_to:%Y-%m-%d}")
    faded = expires_at(memory, curves)
    if faded is None:
        return None
    reviewed = "" if memory.status == Status.CURRENT else "reviewed, "
    why = f"not {reviewed}said, confirmed or used since {touched_at(memory):%Y-%m-%d}"
    return Fading(memory, left, faded, why)


def _expired(
    store: Store,
    due: Sequence[Fading],
    now: datetime,
    by: str,
    advance: Callable[[int, int], None],
) -> Iterator[Fading]:
    """Close what is due; of what was changed meanwhile nothing."""
    for at in range(0, len(due), AT_ONCE):
        some = due[at : at + AT_ONCE]
        try:
            with store.transaction():
                for each in some:
                    _expire(store, each, now, by)
            yield from some
        except Conflict:
            for each in some:
                with suppress(Conflict):
                    _expire(store, each, now, by)
                    yield each
        advance(len(some), len(due) - at - len(some))
        time.sleep(PAUSE)


def _expire(store: Store, fading: Fading, now: datetime, by: str) -> None:
    before = fading.memory
    after = replace(before, status=Status.EXPIRED, closed_at=now)
    store.apply([Change(Operation.EXPIRE, before, after)], at=now, by=by, reason=fading.why)
