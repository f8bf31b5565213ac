"""What is found of two sides: the one that holds goes first, and never both as if both held."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memoranda.policy.contradictions import in_order, winner
from memoranda.protocols import Store
from memoranda.retrieval.candidate import Candidate
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.types import Filter, Memory, Scopes

LIST = "contradicts"
"""What found a memory that only its other side was like."""


def settled(found: Sequence[Candidate], question: Question, store: Store) -> list[Candidate]:
    """The candidates, each after what goes before it; without what a narrower scope overrides.

    What goes before it is taken in if it was not found. Of the past all is told as it is.
    """
    if question.filter.is_past:
        return list(found)
    others = _others(found, question, store)
    if not others:
        return list(found)
    by_id = {each.id: each for each in found}
    done: dict[str, Candidate] = {}
    for each in found:
        memory = each.found
        for before in _before(memory, others) if isinstance(memory, Memory) else ():
            done.setdefault(before.id, by_id.get(before.id) or _in_place_of(each, before))
        if not isinstance(memory, Memory) or memory.overridden_by not in others:
            done.setdefault(each.id, each)
    return list(done.values())


def losers(ids: Iterable[str], visible: Scopes, filter: Filter, store: Store) -> frozenset[str]:
    """Those of some memories that are contradicted by what is rather to be believed."""
    memories = store.fetch_memories(sorted(set(ids)), visible, filter)
    others = {id for each in memories for id in each.contradicts}
    known = {each.id: each for each in store.fetch_memories(sorted(others), visible, filter)}
    return frozenset(each.id for each in memories if _stronger(each, known))


def _others(found: Sequence[Candidate], question: Question, store: Store) -> dict[str, Memory]:
    """The other sides of what was found, as far as they may be told."""
    memories = [each.found for each in found if isinstance(each.found, Memory)]
    ids = {other for each in memories for other in (*each.contradicts, each.overridden_by) if other}
    if not ids:
        return {}
    fetched = store.fetch_memories(sorted(ids), question.visible, question.filter)
    return {each.id: each for each in fetched}


def _before(memory: Memory, others: Mapping[str, Memory]) -> list[Memory]:
    """What overrides a memory, and what it contradicts that is to be believed instead."""
    narrower = others.get(memory.overridden_by or "")
    return [*([narrower] if narrower else []), *_stronger(memory, others)]


def _stronger(memory: Memory, others: Mapping[str, Memory]) -> list[Memory]:
    """What it contradicts that is rather to be believed."""
    found = []
    for other in (others[id] for id in memory.contradicts if id in others):
        if winner(*in_order(memory, other)).id == other.id:
            found.append(other)
    return found


def _in_place_of(candidate: Candidate, memory: Memory) -> Candidate:
    """Another memory where this one was found."""
    fused = Fused((memory.id, None), candidate.fused.likeness, {LIST: 1}, {})
    return Candidate(memory, fused, candidate.score, candidate.question)
