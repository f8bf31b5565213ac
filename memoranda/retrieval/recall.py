"""Answering a question from memories and from what was said."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
        answer = _choose(_fetch(_fuse(rankings), question, store), question)
    left_out = {"quoted by a memory": answer.quoted, "over the budget": len(answer.too_long)}
    return Recall(
        hits=tuple(answer.hits),
        tokens=answer.tokens,
        explanation=_explain(words, rankings, left_out, steps),
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


Fetched = tuple[Hit, tuple[Source, ...]]
"""A hit, and what it rests on when it is a memory."""


def _fetch(candidates: Sequence[_Candidate], question: Question, store: Store) -> Iterator[Fetched]:
    """The candidates in order, read anew so that scope and standing are those of this moment."""
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
                yield _memory_hit(memory, each), memory.sources
            elif each.ranked.id in passages:
                yield _turn_hit(passages[each.ranked.id], each), ()


@dataclass(slots=True)
class _Answer:
    """The hits taken so far, which stay within the budget."""

    budget: float
    hits: list[Hit] = field(default_factory=list)
    tokens: int = 0
    quoting: list[Source] = field(default_factory=list)
    too_long: list[Hit] = field(default_factory=list)
    quoted: int = 0

    def take(self, hit: Hit, sources: Sequence[Source]) -> None:
        """Take a hit if it fits and no memory taken quotes it; a memory ousts what it quotes."""
        if hit.type == "turn" and _quotes(self.quoting, hit):
            self.quoted += 1
            return
        quoting = [source for source in sources if source.turn is not None]
        ousted = [each for each in self.hits if each.type == "turn" and _quotes(quoting, each)]
        tokens = self.tokens - sum(map(_cost, ousted)) + _cost(hit)
        if tokens > self.budget:
            self.too_long.append(hit)
            return
        for each in ousted:
            self.hits.remove(each)
        self.hits.append(hit)
        self.tokens = tokens
        self.quoting += quoting
        self.quoted += len(ousted)


def _choose(fetched: Iterable[Fetched], question: Question) -> _Answer:
    """As many hits as asked for, best first; one too long leaves its place to a shorter one.

    When none fits, the best one is cut, for an answer too long is not "nothing is known".
    """
    answer = _Answer(question.budget or math.inf)
    for hit, sources in fetched:
        answer.take(hit, sources)
        if len(answer.hits) == question.limit:
            break
    if not answer.hits and answer.too_long and question.budget:
        answer.take(_cut(answer.too_long.pop(0), question.budget), ())
    return answer


def _quotes(sources: Sequence[Source], hit: Hit) -> bool:
    """Whether a source lies in the passage of a hit."""
    start, end = hit.source.start or 0, hit.source.end or 0
    return any(
        source.turn == hit.id and (source.start or 0) < end and start < (source.end or end)
        for source in sources
    )


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
