"""Which memories cannot hold together with one that is written now, as far as their words tell."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import combinations

from memoranda.care import Contradicting, Pair
from memoranda.policy.contradictions import in_order, is_narrower, may_override, outranks, told_at
from memoranda.protocols import Store
from memoranda.retrieval import lexical
from memoranda.text.claims.contradiction import contradiction
from memoranda.types import Change, Filter, Kind, Memory, Scopes

COMPARED = 20
"""So many of the memories that are most like it by their words are compared."""

LONGEST = 400
"""Characters of a statement up to which it is compared; a longer one is seldom about one thing."""


def pairs(changes: Iterable[Change], store: Store, visible: Scopes, now: datetime) -> list[Pair]:
    """What the memories that some changes bring contradict, of those that hold and each other.

    Raises StoreError.
    """
    brought = [each.after for each in changes if _brings(each)]
    among = (_pair(one, other) for one, other in combinations(brought, 2))
    known = (each for memory in brought for each in _with_known(memory, store, visible, now))
    return [*known, *filter(None, among)]


def _brings(change: Change) -> bool:
    """Whether it makes something hold, or may do so, that did not."""
    return change.after.status.live and not (change.before and change.before.status.live)


def _with_known(memory: Memory, store: Store, visible: Scopes, now: datetime) -> list[Pair]:
    if memory.has_ended(now) or memory.began > now or len(memory.content) > LONGEST:
        return []
    words = lexical.words(memory.content)
    found = store.search_memories(words, visible, Filter(now=now), COMPARED).found if words else ()
    others = store.fetch_memories([each.id for each in found], visible, Filter(now=now))
    return [pair for each in others if (pair := _pair(memory, each))]


def _pair(memory: Memory, other: Memory) -> Pair | None:
    if memory.id == other.id or len(other.content) > LONGEST or not _may_conflict(memory, other):
        return None
    newer, older = in_order(memory, other)
    differs = contradiction(newer.content, older.content, at=told_at(newer), before=told_at(older))
    if differs is None:
        return None
    if memory.scope == other.scope:
        return Pair(Contradicting.CONFLICT, newer.id, older.id, differs.slot)
    for narrow, wide in ((memory, other), (other, memory)):
        if is_narrower(narrow.scope, wide.scope):
            if may_override(narrow, wide):
                return Pair(Contradicting.OVERRIDE, narrow.id, wide.id, differs.slot)
            return Pair(Contradicting.CONFLICT, newer.id, older.id, differs.slot)
    return None


def _may_conflict(one: Memory, other: Memory) -> bool:
    """Whether both hold at some time; what happened contradicts nothing but a rule."""
    if not (_begins_before_end(one, other) and _begins_before_end(other, one)):
        return False
    kinds = {one.kind, other.kind}
    if Kind.EPISODE not in kinds:
        return True
    return outranks(one, other.kind) or outranks(other, one.kind)


def _begins_before_end(one: Memory, other: Memory) -> bool:
    return other.valid_to is None or one.began < other.valid_to
