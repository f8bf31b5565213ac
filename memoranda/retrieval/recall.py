"""Answering a question from memories and from what was said."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from memoranda.errors import EmbeddingError
from memoranda.protocols import (
    Calibration,
    Embedder,
    Near,
    Ranking,
    Reranker,
    Store,
    Vector,
    Words,
)
from memoranda.retrieval import dense, fusion, lexical
from memoranda.retrieval.rerank import Fetched, rerank
from memoranda.text import tokens
from memoranda.types import (
    Explanation,
    Filter,
    Fusion,
    Hit,
    HitType,
    Memory,
    Passage,
    Ranked,
    Recall,
    Scopes,
    Source,
)

LEAST_POOL = 30
"""Of each list at least so many are fused, or two and a half times as many as asked for."""


FEW_NAMED = 3
"""A name that the model does not know leads to the texts that have it, if they are no more."""

MANY: Mapping[HitType, str] = {"memory": "memories", "turn": "turns"}

WORTH: Mapping[HitType, float] = {"memory": 1.0, "turn": 0.8}
"""What was written down to be remembered counts for more than what was merely said."""


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
    fusion: Fusion = Fusion.CALIBRATED
    reranked: int = 20


def recall(
    question: Question,
    store: Store,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
) -> Recall:
    """The hits for a question, best first, within its limit and its budget of tokens.

    Empty when nothing fits. Without an embedder only words are searched; when there is one and it
    fails, or lacks the vectors of some texts, the answer says so, and so when the reranker fails.
    Raises StoreError.
    """
    steps = _Steps()
    words = lexical.words(question.text)
    with steps.timed("embed"):
        asked = _ask(question, embedder)
    with steps.timed("search"):
        found = _search(words, asked, question, store)
    fetched = _fetch(_merged(found), question, store, question.reranked if reranker else 0)
    told: tuple[str, ...] = ()
    if reranker is not None:
        with steps.timed("rerank"):
            fetched, told = rerank(question.text, fetched, reranker, question.reranked)
    with steps.timed("fetch"):
        answer = _choose(fetched, question)
    left_out = {
        "not near enough": sum(each.left_out for each in found),
        "quoted by a memory": answer.quoted,
        "over the budget": len(answer.too_long),
    }
    return Recall(
        hits=tuple(answer.hits),
        tokens=answer.tokens,
        degraded=(*asked.degraded, *(each for some in found for each in some.degraded), *told),
        explanation=_explain(words, found, left_out, steps),
    )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The question's vector, empty when there is none, and the model it is of."""

    vector: Vector = b""
    embedder: Embedder | None = None
    degraded: tuple[str, ...] = ()


def _ask(question: Question, embedder: Embedder | None) -> _Asked:
    if embedder is None or question.fusion == Fusion.LEXICAL or not question.text.strip():
        return _Asked()
    vector, problem = dense.vector(question.text, embedder)
    return _Asked(vector, embedder, () if problem is None else (problem,))


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found among memories or turns; `left_out` were not near enough."""

    type: HitType
    fused: Sequence[fusion.Fused]
    lexical: Ranking
    near: Near | None
    left_out: int = 0
    degraded: tuple[str, ...] = ()


def _search(words: Words, asked: _Asked, question: Question, store: Store) -> list[_Found]:
    """What each type has, in the order of its own fused ranking."""
    types: list[HitType] = []
    if question.memories:
        types.append("memory")
    if question.turns and question.filter.kinds is None and question.filter.statuses is None:
        types.append("turn")
    return [_search_one(type, words, asked, question, store) for type in types]


def _search_one(
    type: HitType, words: Words, asked: _Asked, question: Question, store: Store
) -> _Found:
    """The ranking by words and, if the question has a vector, that by meaning, as one."""
    visible, filter = question.visible, question.filter
    pool = max(LEAST_POOL, 5 * question.limit // 2)
    search = store.search_memories if type == "memory" else store.search_turns
    ranking = search(words, visible, filter, pool)
    if not asked.vector or asked.embedder is None:
        return _Found(type, fusion.by_words(ranking, WORTH[type]), ranking, None)
    try:
        calibration = asked.embedder.memories if type == "memory" else asked.embedder.turns
        model = asked.embedder.name
        near = store.near(type, asked.vector, model, visible, filter, pool, also=ranking.found)
        named = _named(words, ranking, asked.embedder, search, question)
    except EmbeddingError as error:
        told = (f"dense: {error}",)
        return _Found(type, fusion.by_words(ranking, WORTH[type]), ranking, None, 0, told)
    fused = _fused(question.fusion, ranking, near, calibration, named, WORTH[type])
    seen = {(each.id, each.start) for each in (*ranking.found, *near.found)}
    gaps = dense.gaps(near, type, MANY[type], asked.embedder)
    return _Found(type, fused, ranking, near, max(0, len(seen) - len(fused)), tuple(gaps))


def _named(
    words: Words,
    ranking: Ranking,
    embedder: Embedder,
    search: Callable[[Words, Scopes, Filter, int], Ranking],
    question: Question,
) -> Sequence[Ranked]:
    """The texts that have a name which the model does not know, unless they are many.

    What many texts have tells none of them apart.
    """
    if question.fusion != Fusion.CALIBRATED:
        return ()
    names = Words(dense.names(words.phrases, embedder))
    if not names:
        return ()
    if names != words:
        ranking = search(names, question.visible, question.filter, FEW_NAMED + 1)
    return ranking.found if len(ranking.found) <= FEW_NAMED else ()


def _fused(
    method: Fusion,
    ranking: Ranking,
    near: Near,
    calibration: Calibration,
    named: Sequence[Ranked],
    worth: float,
) -> list[fusion.Fused]:
    match method:
        case Fusion.DENSE:
            return fusion.by_vector(near)
        case Fusion.RRF60:
            return fusion.reciprocal_rank({"lexical": ranking.found, "dense": near.found})
        case _:
            return fusion.calibrated(ranking, near, calibration, named, worth)


@dataclass(frozen=True, slots=True)
class _Candidate:
    type: HitType
    fused: fusion.Fused

    @property
    def id(self) -> str:
        return self.fused.place[0]


def _merged(found: Sequence[_Found]) -> list[_Candidate]:
    """What was found of both types in one order; at the same score a memory goes first.

    A turn stands where the best of its passages does.
    """
    candidates: dict[tuple[str, str], _Candidate] = {}
    for some in found:
        for each in some.fused:
            candidates.setdefault((some.type, each.place[0]), _Candidate(some.type, each))
    return sorted(candidates.values(), key=lambda each: -each.fused.score)


def _fetch(
    candidates: Sequence[_Candidate], question: Question, store: Store, at_once: int
) -> Iterable[Fetched]:
    """The candidates in order, read anew so that scope and standing are those of this moment."""
    step = max(question.limit, at_once)
    for start in range(0, len(candidates), step):
        some = candidates[start : start + step]
        ids = [each.id for each in some if each.type == "memory"]
        places = [
            Ranked(each.id, each.fused.score, each.fused.place[1])
            for each in some
            if each.type == "turn"
        ]
        memories = {
            each.id: each for each in store.fetch_memories(ids, question.visible, question.filter)
        }
        passages = {
            each.turn: each
            for each in store.fetch_passages(places, question.visible, question.filter)
        }
        for each in some:
            if each.type == "memory" and each.id in memories:
                memory = memories[each.id]
                yield Fetched(_memory_hit(memory, each.fused), memory.sources)
            elif each.type == "turn" and each.id in passages:
                passage = passages[each.id]
                yield Fetched(_turn_hit(passage, each.fused), before=passage.before)


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
    for each in fetched:
        answer.take(each.hit, each.sources)
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


def _memory_hit(memory: Memory, fused: fusion.Fused) -> Hit:
    return Hit(
        id=memory.id,
        type="memory",
        kind=memory.kind,
        content=memory.content,
        detail=memory.detail,
        scope=memory.scope,
        score=fused.score,
        lists=fused.ranks,
        scores=fused.scores,
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


def _turn_hit(passage: Passage, fused: fusion.Fused) -> Hit:
    return Hit(
        id=passage.turn,
        type="turn",
        content=passage.content,
        scope=passage.scope,
        score=fused.score,
        lists=fused.ranks,
        scores=fused.scores,
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
    words: Words, found: Sequence[_Found], left_out: Mapping[str, int], steps: _Steps
) -> Explanation:
    dropped = dict.fromkeys(word for each in found for word in each.lexical.dropped)
    return Explanation(
        words=(*words.phrases, *(f"{prefix}*" for prefix in words.prefixes)),
        dropped=tuple(dropped),
        candidates={
            f"{list} {each.type}": len(ranking.found)
            for each in found
            for list, ranking in (("lexical", each.lexical), ("dense", each.near))
            if ranking is not None
        },
        left_out=left_out,
        milliseconds=steps.milliseconds,
    )
