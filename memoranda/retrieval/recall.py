"""Answering a question from memories and from what was said."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from memoranda.protocols import Ranking, Store, Words
from memoranda.retrieval import fusion, lexical
from memoranda.text import tokens
from memoranda.types import (
    Explanation,
    Filter,
    Hit,
    Memory,
    Passage,
    Ranked,
    Recall,
    Scopes,
    Source,
)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what may be seen, and how long the answer may be."""

    text: str
    visible: Scopes
    filter: Filter
    limit: int
    budget: int | None = None
    memories: bool = True
    turns: bool = True


def recall(question: Question, store: Store) -> Recall:
    """The hits for a question, best first, within its limit and its budget of tokens.

    Empty when nothing has a word of the question. Raises StoreError.
    """
    steps = _Steps()
    words = lexical.words(question.text)
    with steps.timed("search"):
        rankings = _search(words, question, store)
    with steps.timed("fetch"):
        fetched = _fetch(_fuse(rankings), question, store)
    unquoted = fetched.without_quoted()
    kept = unquoted[: question.limit]
    fitting = _within_budget(kept, question.budget)
    return Recall(
        hits=tuple(fitting),
        tokens=sum(map(_cost, fitting)),
        explanation=_explain(
            words,
            rankings,
            {
                "quoted by a memory": len(fetched.hits) - len(unquoted),
                "over the budget": len(kept) - len(fitting),
            },
            steps,
        ),
    )


def _search(words: Words, question: Question, store: Store) -> dict[str, Ranking]:
    """The rankings by the type of what they rank."""
    # Twice as many as asked for: some turns give way to the memory that quotes them.
    pool = 2 * question.limit
    rankings = {}
    if question.memories:
        rankings["memory"] = store.search_memories(words, question.visible, question.filter, pool)
    if question.turns and question.filter.kinds is None and question.filter.statuses is None:
        rankings["turn"] = store.search_turns(words, question.visible, question.filter, pool)
    return rankings


@dataclass(frozen=True, slots=True)
class _Candidate:
    type: str
    ranked: Ranked
    fused: fusion.Fused


def _fuse(rankings: Mapping[str, Ranking]) -> list[_Candidate]:
    """The rankings of both types in one order; at the same rank a memory goes first."""
    candidates = []
    for type, ranking in rankings.items():
        by_id = {each.id: each for each in ranking.found}
        fused = fusion.reciprocal_rank({"lexical": list(by_id)})
        candidates += [_Candidate(type, by_id[each.id], each) for each in fused]
    return sorted(candidates, key=lambda each: -each.fused.score)


@dataclass(slots=True)
class _Fetched:
    """Hits in order, and what the memories among them rest on."""

    hits: list[Hit] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)

    def without_quoted(self) -> list[Hit]:
        """The hits without the passages that a memory among them was taken from."""
        return [hit for hit in self.hits if hit.type == "memory" or not self._quotes(hit.source)]

    def _quotes(self, passage: Source) -> bool:
        start, end = passage.start or 0, passage.end or 0
        return any(
            source.turn == passage.turn
            and (source.start or 0) < end
            and start < (source.end or end)
            for source in self.sources
            if source.turn is not None
        )


def _fetch(candidates: Sequence[_Candidate], question: Question, store: Store) -> _Fetched:
    """The candidates, read anew so that scope and standing are those of this moment.

    Stops when there are as many as asked for.
    """
    fetched = _Fetched()
    for start in range(0, len(candidates), question.limit):
        some = candidates[start : start + question.limit]
        ids = [each.ranked.id for each in some if each.type == "memory"]
        places = [each.ranked for each in some if each.type == "turn"]
        memories = {
            each.id: each for each in store.fetch_memories(ids, question.visible, question.filter)
        }
        passages = {
            each.turn: each
            for each in store.fetch_passages(places, question.visible, question.filter)
        }
        for each in some:
            if each.ranked.id in memories:
                memory = memories[each.ranked.id]
                fetched.hits.append(_memory_hit(memory, each))
                fetched.sources += memory.sources
            elif each.ranked.id in passages:
                fetched.hits.append(_turn_hit(passages[each.ranked.id], each))
        if len(fetched.without_quoted()) >= question.limit:
            break
    return fetched


def _memory_hit(memory: Memory, candidate: _Candidate) -> Hit:
    return Hit(
        id=memory.id,
        type="memory",
        kind=memory.kind,
        content=memory.content,
        detail=memory.detail,
        scope=memory.scope,
        score=candidate.fused.score,
        lists=candidate.fused.ranks,
        scores={"lexical": candidate.ranked.score},
        status=memory.status,
        superseded_by=memory.superseded_by,
        confidence=memory.confidence,
        pinned=memory.pinned,
        recorded_at=memory.recorded_at,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        confirmed_at=memory.confirmed_at,
        source=memory.sources[0],
    )


def _turn_hit(passage: Passage, candidate: _Candidate) -> Hit:
    return Hit(
        id=passage.turn,
        type="turn",
        content=passage.content,
        scope=passage.scope,
        score=candidate.fused.score,
        lists=candidate.fused.ranks,
        scores={"lexical": candidate.ranked.score},
        recorded_at=passage.recorded_at,
        source=passage.source,
    )


def _within_budget(hits: Sequence[Hit], budget: int | None) -> list[Hit]:
    """The hits that fit, best first; one that does not leaves its place to a shorter one.

    When none fits, the best one is cut, for an answer too long is not "nothing is known".
    """
    if not budget:
        return list(hits)
    fitting = []
    left = budget
    for hit in hits:
        if _cost(hit) <= left:
            fitting.append(hit)
            left -= _cost(hit)
    return fitting or [_cut(hit, budget) for hit in hits[:1]]


def _cost(hit: Hit) -> int:
    return tokens.estimate(hit.content) + tokens.estimate(hit.detail or "")


def _cut(hit: Hit, budget: int) -> Hit:
    return replace(hit, content=tokens.beginning(hit.content, budget), detail=None, cut=True)


@dataclass(slots=True)
class _Steps:
    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.milliseconds[name] = round((time.perf_counter() - started) * 1000, 3)


def _explain(
    words: Words, rankings: Mapping[str, Ranking], left_out: Mapping[str, int], steps: _Steps
) -> Explanation:
    dropped = dict.fromkeys(word for ranking in rankings.values() for word in ranking.dropped)
    return Explanation(
        words=(*words.phrases, *(f"{prefix}*" for prefix in words.prefixes)),
        dropped=tuple(dropped),
        candidates={type: len(ranking.found) for type, ranking in rankings.items()},
        left_out=left_out,
        milliseconds=steps.milliseconds,
    )
