"""Answering a question from memories and from what was said."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from memoranda.protocols import Embedder, Store
from memoranda.retrieval import weighing
from memoranda.retrieval.answer import Answer, Candidate, choose
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.retrieval.search import Asked, Found, ask, search
from memoranda.types import (
    Explanation,
    Fusion,
    Hit,
    HitType,
    Memory,
    Passage,
    Ranked,
    Recall,
)

WORTH: Mapping[HitType, float] = {"memory": 1.0, "turn": 0.8}
"""What was written down to be remembered counts for more than what was merely said."""

TOLD_CUT = 5
"""Of what was not near enough an explanation names so many memories, and so many turns."""


def recall(question: Question, store: Store, embedder: Embedder | None = None) -> Recall:
    """The hits for a question, best first, within its limit and its budget of tokens.

    Empty when nothing fits. Without an embedder only words are searched; when there is one and it
    fails, or lacks the vectors of some texts, the answer says so. Raises StoreError.
    """
    steps = _Steps()
    with steps.timed("embed"):
        asked = ask(question, embedder)
    with steps.timed("search"):
        found = [search(type, asked, question, store) for type in question.types]
    with steps.timed("fetch"):
        hits = [_fetch(each, question, store) for each in found]
    with steps.timed("choose"):
        answer = choose(_merged(hits), question.limit, question.budget)
    return Recall(
        hits=answer.hits,
        tokens=answer.tokens,
        degraded=(*asked.degraded, *(each for some in found for each in some.degraded)),
        explanation=_explain(asked, found, hits, answer, steps),
    )


def _fetch(found: Found, question: Question, store: Store) -> list[Candidate]:
    """What was found, read anew so that scope and standing are those of this moment; best first."""
    if found.type == "memory":
        return _memories(found, question, store)
    return _turns(found, question, store)


def _memories(found: Found, question: Question, store: Store) -> list[Candidate]:
    known = found.known
    ids = [each.place[0] for each in known]
    memories = store.fetch_memories(ids, question.visible, question.filter)
    by_id = {each.id: each for each in memories}
    return [
        Candidate(_memory_hit(memory, each, _score(each, found)), memory.sources)
        for each in weighing.near_the_best(known, found.floor)
        if (memory := by_id.get(each.place[0]))
    ]


def _turns(found: Found, question: Question, store: Store) -> list[Candidate]:
    """A turn stands where the best of its passages does."""
    known = found.known
    places = [Ranked(each.place[0], each.likeness, each.place[1]) for each in known]
    passages = {
        each.place: each for each in store.fetch_passages(places, question.visible, question.filter)
    }
    fused = [each for each in known if each.place in passages]
    if question.fusion == Fusion.CALIBRATED:
        fused = weighing.near_the_best(weighing.weighed(fused, passages), found.floor)
    return [
        Candidate(
            _turn_hit(passage, each, _score(each, found)),
            follows=passage.follows,
            before=passage.before,
        )
        for each in fused
        if (passage := passages[each.place])
    ]


def _score(fused: Fused, found: Found) -> float:
    """From 0 for what is just not there, to what the type is worth."""
    return WORTH[found.type] * max(0.0, fused.score) / found.full


def _merged(hits: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Hits of both types in one order; at the same score a memory goes first."""
    return sorted((each for some in hits for each in some), key=lambda each: -each.hit.score)


def _memory_hit(memory: Memory, fused: Fused, score: float) -> Hit:
    return Hit(
        id=memory.id,
        type="memory",
        kind=memory.kind,
        content=memory.content,
        detail=memory.detail,
        scope=memory.scope,
        score=score,
        lists=fused.ranks,
        scores=fused.scores,
        boosts=fused.boosts,
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


def _turn_hit(passage: Passage, fused: Fused, score: float) -> Hit:
    return Hit(
        id=passage.turn,
        type="turn",
        content=passage.content,
        scope=passage.scope,
        score=score,
        lists=fused.ranks,
        scores=fused.scores,
        boosts=fused.boosts,
        recorded_at=passage.recorded_at,
        source=passage.source,
    )


@dataclass(slots=True)
class _Steps:
    milliseconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        started = time.perf_counter()
        yield
        self.milliseconds[name] = round((time.perf_counter() - started) * 1000, 3)


def _explain(
    asked: Asked,
    found: Sequence[Found],
    hits: Sequence[Sequence[Candidate]],
    answer: Answer,
    steps: _Steps,
) -> Explanation:
    words = asked.words
    dropped = dict.fromkeys(word for each in found for word in each.lexical.dropped)
    kept = {each.hit.id for some in hits for each in some}
    cut = {each.type: [one for one in each.fused if one.place[0] not in kept] for each in found}
    return Explanation(
        words=(*words.phrases, *(f"{prefix}*" for prefix in words.prefixes)),
        dropped=tuple(dropped),
        candidates={
            f"{list} {each.type}": len(ranking.found)
            for each in found
            for list, ranking in (("lexical", each.lexical), ("dense", each.near))
            if ranking is not None
        },
        floors={each.type: WORTH[each.type] * each.floor / each.full for each in found},
        cut={
            each.type: tuple(
                Ranked(one.place[0], _score(one, each), one.place[1])
                for one in cut[each.type][:TOLD_CUT]
            )
            for each in found
        },
        left_out={
            "not near enough": sum(map(len, cut.values())),
            "quoted by a memory": answer.quoted,
            "said already": answer.repeated,
            "over the budget": len(answer.too_long),
        },
        milliseconds=steps.milliseconds,
    )
