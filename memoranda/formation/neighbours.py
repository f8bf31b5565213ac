"""The memories that a candidate is compared with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memoranda.errors import EmbeddingError
from memoranda.passes import Neighbour
from memoranda.protocols import Embedder, Near, Store
from memoranda.retrieval import lexical
from memoranda.types import Candidate, Filter, Memory, Ranked, Scope

MOST = 3
"""Memories that a candidate is compared with."""


def nearest(
    candidate: Candidate, scope: Scope, store: Store, embedder: Embedder | None, now: datetime
) -> list[tuple[Neighbour, Memory]]:
    """The memories of a scope that are nearest to a candidate, at most three, as they were read.

    By meaning and by words in turn, each with its rank in either list. Only what holds counts, and
    what has happened. Raises EmbeddingError when the model cannot be asked, or when memories lack
    their vectors: none found must mean that there is none.
    """
    filter, visible = Filter(now=now), (scope,)
    words = lexical.words(candidate.content)
    by_words = store.search_memories(words, visible, filter, MOST).found if words else ()
    near = _by_meaning(candidate, visible, store, embedder, filter, by_words)
    lists = {
        "dense": [each.id for each in near.found],
        "lexical": [each.id for each in by_words],
    }
    cosines = {each.id: each.score for each in (*near.others, *near.found)}
    ids = _in_turn(lists["dense"], lists["lexical"])
    return [
        (_neighbour(memory, lists, cosines), memory)
        for memory in store.fetch_memories(ids, visible, filter)[:MOST]
    ]


def _by_meaning(
    candidate: Candidate,
    visible: tuple[Scope, ...],
    store: Store,
    embedder: Embedder | None,
    filter: Filter,
    also: Sequence[Ranked],
) -> Near:
    """Nothing without a model, and nothing of a language that it does not read."""
    if embedder is None or not embedder.reads(candidate.content):
        return Near()
    vector = embedder.embed_question(candidate.content)
    near = store.near("memory", vector, embedder.name, visible, filter, MOST, also=also)
    if near.missing:
        raise EmbeddingError(
            f"{near.missing} memories of {visible[0]} have no vector of {embedder.name} yet; "
            "run `memoranda embed`"
        )
    return near


def _in_turn(dense: Sequence[str], words: Sequence[str]) -> list[str]:
    """Two by meaning, then one by words, and so on."""
    left, right = iter(dense), iter(words)
    found: dict[str, None] = {}
    for _ in range(MOST):
        for each in (left, left, right):
            if (id := next(each, None)) is not None:
                found[id] = None
    return list(found)


def _neighbour(
    memory: Memory, lists: Mapping[str, Sequence[str]], cosines: Mapping[str, float]
) -> Neighbour:
    cosine = cosines.get(memory.id)
    return Neighbour(
        id=memory.id,
        kind=memory.kind,
        content=memory.content,
        status=memory.status,
        distance=None if cosine is None else 1 - cosine,
        ranks={name: ids.index(memory.id) + 1 for name, ids in lists.items() if memory.id in ids},
    )
