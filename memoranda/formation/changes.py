"""Memories before and after: how one is confirmed, replaced or closed, by whomever."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memoranda.policy import confidence
from memoranda.text.names import besides
from memoranda.types import Memory, Named, Source, Status


def names_in(content: str) -> tuple[Named, ...]:
    from memoranda.text.entities import entities  # its tables take time to make

    return entities(content)


def with_found(
    memory: Memory, names: tuple[Named, ...] | None = None
) -> tuple[Memory, tuple[Named, ...]]:
    """A memory with the names in its content beside those given, and what is known of these.

    What is not sure to be a name is left to the store, which knows others.
    """
    named = besides(names_in(memory.content) if names is None else names, memory.given)
    found = tuple(each.name for each in named if each.sure)
    return replace(memory, entities=(*memory.given, *found), found=found), named


def with_new(known: tuple[Source, ...], others: Iterable[Source]) -> tuple[Source, ...]:
    """The known sources, and those of the others that tell of another place."""
    places = {(each.kind, each.by, each.turn, each.start) for each in known}
    new = (each for each in others if (each.kind, each.by, each.turn, each.start) not in places)
    return (*known, *new)


def confirmed(memory: Memory, now: datetime) -> Memory:
    return replace(
        memory,
        status=Status.CURRENT,
        confirmed_at=now,
        mention_count=memory.mention_count + 1,
        confidence=confidence.confirmed(memory.confidence),
    )


def successor(
    old: Memory,
    id: str,
    content: str,
    source: Source,
    *,
    began: datetime,
    ends: datetime | None,
    sure: float,
    now: datetime,
) -> Memory:
    """A new memory of what an old one was about."""
    return replace(
        old,
        id=id,
        content=content,
        entities=old.given,
        found=(),
        sources=(source,),
        confidence=sure,
        status=Status.CURRENT,
        recorded_at=now,
        valid_from=began,
        valid_to=ends,
        confirmed_at=None,
        used_at=None,
        use_count=0,
        mention_count=1,
    )


def merged(kept: Memory, gone: Memory) -> Memory:
    """A memory with all that is known of another that says the same."""
    times = [each.confirmed_at for each in (kept, gone) if each.confirmed_at is not None]
    return replace(
        kept,
        status=Status.CURRENT,
        detail=kept.detail or gone.detail,
        topics=tuple(dict.fromkeys((*kept.topics, *gone.topics))),
        entities=tuple(dict.fromkeys((*kept.given, *gone.given, *kept.found))),
        sources=with_new(kept.sources, gone.sources),
        pinned=kept.pinned or gone.pinned,
        confidence=max(kept.confidence, gone.confidence),
        mention_count=kept.mention_count + gone.mention_count,
        confirmed_at=max(times, default=None),
        valid_from=min(kept.began, gone.began),
    )


def retired(memory: Memory, now: datetime) -> Memory:
    """A memory that holds no more, with nothing in its place."""
    return replace(
        memory,
        status=Status.RETIRED,
        closed_at=now,
        valid_to=now if memory.valid_to is None else min(memory.valid_to, now),
    )


def superseded(old: Memory, by: str, *, ended: datetime, now: datetime) -> Memory:
    """An old memory in whose place another one stands."""
    return replace(
        old,
        status=Status.SUPERSEDED,
        superseded_by=by,
        closed_at=now,
        valid_to=ended if old.valid_to is None else min(old.valid_to, ended),
    )
