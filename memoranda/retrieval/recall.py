"""Answering a question from memories and from what was said."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from memoranda.policy import fading
from memoranda.protocols import Embedder, Reranker, Store
from memoranda.retrieval import disputed, temporal, weighing
from memoranda.retrieval.answer import Answer, choose
from memoranda.retrieval.candidate import Candidate
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.retrieval.rerank import rerank
from memoranda.retrieval.search import Asked, Found, ask, search
from memoranda.retrieval.strangers import without_others
from memoranda.retrieval.temporal import Order
from memoranda.retrieval.weighing import Aim
from memoranda.text.times import Prefer, asks_when, spans
from memoranda.types import (
    Explanation,
    Fusion,
    HitType,
    Ranked,
    Recall,
    Span,
)

WORTH: Mapping[HitType, float] = {"memory": 1.0, "turn": 0.9}
"""What was written down to be remembered counts for more than what was merely said."""

ABOUT_THE_SAME = 0.5
"""What has this share of the score of what plans an event may tell that it is done."""

TOLD_CUT = 5
"""Of what was not near enough an explanation names so many memories, and so many turns."""


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
    with steps.timed("time"):
        aim = _aim(question, store, embedder)
        nearest = None
        if temporal.is_all(question.text, aim.times):
            nearest = temporal.order(aim.times)
            question = _all_in_time(question, aim.times, nearest or "earliest first")
    with steps.timed("embed"):
        asked = ask(question, embedder, aim.named)
    with steps.timed("search"):
        found = [search(type, asked, question, store, aim.times) for type in question.types]
    with steps.timed("fetch"):
        hits = [_fetch(each, aim, question, store) for each in found]
    candidates = _merged(hits)
    not_reranked: tuple[str, ...] = ()
    if nearest is not None:
        candidates = _in_order(candidates, nearest)
    elif reranker is not None:
        with steps.timed("rerank"):
            candidates, not_reranked = rerank(
                question.text, candidates, reranker, question.rerank_depth
            )
    candidates = disputed.settled(candidates, question, store)
    with steps.timed("choose"):
        answer = choose(candidates, question.limit, question.budget)
    return Recall(
        hits=answer.hits,
        tokens=answer.tokens,
        degraded=(
            *asked.degraded,
            *(each for some in found for each in some.degraded),
            *not_reranked,
        ),
        explanation=_explain(asked, aim, found, hits, answer, steps),
    )


def _all_in_time(question: Question, times: Sequence[Span], order: Order) -> Question:
    """The question for what was at a time, like its words or not."""
    return replace(
        question,
        filter=temporal.exactly(question.filter, times),
        floors=False,
        everything=order,
    )


def _in_order(candidates: Sequence[Candidate], order: Order) -> list[Candidate]:
    """By time alone; what is nearest to what was asked about counts most."""
    late = order == "latest first"
    by_time = sorted(candidates, key=lambda each: each.time, reverse=late)
    return [replace(each, score=1 - at / len(by_time)) for at, each in enumerate(by_time)]


def _aim(question: Question, store: Store, embedder: Embedder | None) -> Aim:
    """What the question is after besides its words. Raises StoreError."""
    if question.fusion != Fusion.CALIBRATED:
        return Aim()

    def dated(event: str) -> datetime | None:
        return _dated(replace(question, text=event, limit=1), store, embedder)

    named = spans(question.text, question.filter.now)[: temporal.MOST_SPANS]
    told = temporal.told_by_events(question.text, dated)
    return Aim(named, told, asks_when(question.text), question.weights)


def _dated(event: Question, store: Store, embedder: Embedder | None) -> datetime | None:
    """When an event was, by the hit that tells of it best: the day it names, or when it was told.

    The day comes in the zone of the question.
    """
    asked = ask(event, embedder)
    found = [search(type, asked, event, store) for type in event.types]
    hits = _merged([_fetch(each, Aim(), event, store) for each in found])
    if not hits:
        return None
    best = _tells_of_it(hits).hit
    told = best.valid_from or best.source.time or best.recorded_at
    with suppress(OverflowError):  # at the very edge of the calendar
        told = told.astimezone(event.filter.now.tzinfo)
    prefer: Prefer = "future" if temporal.is_ahead(best.content) else "past"
    named = spans(best.content, told, prefer=prefer)
    return next((span.first for span in named if span.first), told)


def _tells_of_it(hits: Sequence[Candidate]) -> Candidate:
    """The best hit, or where that only plans the event, the best that tells it as done."""
    best = hits[0]
    if not temporal.is_ahead(best.found.content):
        return best
    near = (each for each in hits if each.score >= ABOUT_THE_SAME * best.score)
    return next((each for each in near if temporal.is_done(each.found.content)), best)


def _fetch(found: Found, aim: Aim, question: Question, store: Store) -> list[Candidate]:
    """What was found, read anew so that scope and standing are those of this moment; best first."""
    fetch = _memories if found.type == "memory" else _turns
    return without_others(fetch(found, aim, question, store), found)


def _memories(found: Found, aim: Aim, question: Question, store: Store) -> list[Candidate]:
    known = found.known[: _enough(aim, question)]
    ids = [each.place[0] for each in known]
    memories = {
        each.id: each for each in store.fetch_memories(ids, question.visible, question.filter)
    }
    fused = [each for each in known if each.place[0] in memories]
    if question.fusion == Fusion.CALIBRATED:
        strengths = {
            each.id: round(fading.strength(each, question.at, question.curves), 2)
            for each in memories.values()
        }
        fused = weighing.weighed_memories(fused, memories, aim, strengths)
    return [
        Candidate(memories[each.place[0]], each, _score(each, found), question)
        for each in weighing.near_the_best(fused, found.floor)
    ]


def _enough(aim: Aim, question: Question) -> int | None:
    """How many of the memories that are most like the question are read, or None for all.

    Of these kind and standing make the order; only a time or a link lifts one from further behind.
    """
    if aim.times or question.links:
        return None
    return max(question.rerank_depth, question.spared)


def _turns(found: Found, aim: Aim, question: Question, store: Store) -> list[Candidate]:
    """A turn stands where the best of its passages does."""
    known = found.known
    places = [Ranked(each.place[0], each.likeness, each.place[1]) for each in known]
    passages = {
        each.place: each for each in store.fetch_passages(places, question.visible, question.filter)
    }
    fused = [each for each in known if each.place in passages]
    if question.fusion == Fusion.CALIBRATED:
        fused = weighing.weighed_turns(fused, passages, aim)
    best: dict[str, Fused] = {}
    for each in weighing.near_the_best(fused, found.floor):
        best.setdefault(each.place[0], each)
    return [
        Candidate(passages[each.place], each, _score(each, found), question)
        for each in best.values()
    ]


def _score(fused: Fused, found: Found) -> float:
    """From 0 for what is just not there, to what the type is worth."""
    return WORTH[found.type] * max(0.0, fused.score) / found.full


def _merged(hits: Sequence[Sequence[Candidate]]) -> list[Candidate]:
    """Hits of both types in one order; at the same score a memory goes first."""
    return sorted((each for some in hits for each in some), key=lambda each: -each.score)


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
    aim: Aim,
    found: Sequence[Found],
    hits: Sequence[Sequence[Candidate]],
    answer: Answer,
    steps: _Steps,
) -> Explanation:
    words = asked.words
    dropped = dict.fromkeys(word for each in found for word in each.lexical.dropped)
    kept = {each.id for some in hits for each in some}
    cut = {each.type: [one for one in each.fused if one.place[0] not in kept] for each in found}
    return Explanation(
        words=(*words.phrases, *(f"{prefix}*" for prefix in words.prefixes)),
        dropped=tuple(dropped),
        times=aim.times,
        candidates={
            f"{list} {each.type}": count
            for each in found
            for list, count in each.candidates.items()
        },
        unheard_of={each.type: each.unheard_of for each in found if each.unheard_of},
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
