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

STEPS = 4
"""From one memory to what takes its place: more than there are kinds of scope."""


def settled(found: Sequence[Candidate], question: Question, store: Store) -> list[Candidate]:
    """The candidates, each after what goes before it; without what a narrower scope overrides.

    What goes before it is taken in if it was not found. Of the past all is told as it is.
    """
    if question.filter.is_past:
        return list(found)
    memories = [each.found for each in found if isinstance(each.found, Memory)]
    others = _others(memories, question.visible, question.filter, store)
    by_id = {each.id: each for each in found}
    done: dict[str, Candidate] = {}
    for each in found:
        if not isinstance(each.found, Memory):
            done.setdefault(each.id, each)
            continue
        memory = _narrowest(each.found, others)
        for one in (*_stronger(memory, others), memory):
            told = _narrowest(one, others)
            done.setdefault(told.id, by_id.get(told.id) or _in_place_of(each, told))
    return list(done.values())


def believed(
    memories: Iterable[Memory], visible: Scopes, filter: Filter, store: Store
) -> dict[str, Memory]:
    """By the id of each memory what is to be believed: itself, or what takes its place."""
    some = list(memories)
    others = _others(some, visible, filter, store)
    return {each.id: _in_its_place(each, others) for each in some}


def _others(
    memories: Iterable[Memory], visible: Scopes, filter: Filter, store: Store
) -> Mapping[str, Memory]:
    """The other sides of some memories, and the other sides of these, as far as they are seen."""
    known: dict[str, Memory] = {}
    new = list(memories)
    for _ in range(STEPS):
        ids = {id for each in new for id in (*each.contradicts, each.overridden_by) if id}
        if not ids - known.keys():
            break
        new = store.fetch_memories(sorted(ids - known.keys()), visible, filter)
        known |= {each.id: each for each in new}
    return known


def _in_its_place(memory: Memory, others: Mapping[str, Memory]) -> Memory:
    for _ in range(STEPS):
        memory = _narrowest(memory, others)
        stronger = _stronger(memory, others)
        if not stronger:
            break
        memory = stronger[0]
    return memory


def _narrowest(memory: Memory, others: Mapping[str, Memory]) -> Memory:
    """What overrides a memory in the end, or itself."""
    for _ in range(STEPS):
        narrower = others.get(memory.overridden_by or "")
        if narrower is None:
            break
        memory = narrower
    return memory


def _stronger(memory: Memory, others: Mapping[str, Memory]) -> list[Memory]:
    """What it contradicts that is rather to be believed."""
    denying = (others[id] for id in memory.contradicts if id in others)
    return [other for other in denying if winner(*in_order(memory, other)).id == other.id]


def _in_place_of(candidate: Candidate, memory: Memory) -> Candidate:
    """Another memory where this one was found."""
    fused = Fused((memory.id, None), candidate.fused.likeness, {LIST: 1}, {})
    return Candidate(memory, fused, candidate.score, candidate.question)
