"""Searching memories or turns by every list there is, as one ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from memoranda.errors import EmbeddingError
from memoranda.protocols import Embedder, Near, Ranking, Store, Vector, Words
from memoranda.retrieval import dense, fusion, lexical
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.types import Fusion, HitType, Ranked

LEAST_POOL = 50
"""Of each list at least so many are fused, or two and a half times as many as asked for."""

FEW_NAMED = 3
"""A name that the model does not know leads to the texts that have it, if they are no more."""

MANY: Mapping[HitType, str] = {"memory": "memories", "turn": "turns"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the lists take it: its words, and its vector when there is one."""

    words: Words
    vector: Vector = b""
    embedder: Embedder | None = None
    degraded: tuple[str, ...] = ()


def ask(question: Question, embedder: Embedder | None) -> Asked:
    """Make a question ready to be looked up."""
    words = lexical.words(question.text)
    if embedder is None or question.fusion == Fusion.LEXICAL or not question.text.strip():
        return Asked(words)
    vector, problem = dense.vector(question.text, embedder)
    return Asked(words, vector, embedder, () if problem is None else (problem,))


@dataclass(frozen=True, slots=True)
class Found:
    """What was found among memories or turns, best first, and by which lists.

    `full` is the likeness of a text that says just what was asked; `floor` is what the best one
    must have, or nothing is known.
    """

    type: HitType
    fused: Sequence[Fused]
    lexical: Ranking
    near: Near | None = None
    full: float = 1.0
    floor: float = 0.0
    degraded: tuple[str, ...] = ()

    @property
    def known(self) -> list[Fused]:
        return fusion.known(self.fused, self.floor)


def search(type: HitType, asked: Asked, question: Question, store: Store) -> Found:
    """The ranking by words and, if the question has a vector, that by meaning, as one."""
    pool = max(LEAST_POOL, 5 * question.limit // 2)
    ranking = _by_words(type, asked.words, question, store, pool)
    by_words = Found(type, fusion.by_words(ranking), ranking)
    if not asked.vector or asked.embedder is None:
        return by_words
    try:
        return _fused(by_words, asked.vector, asked.embedder, asked.words, question, store, pool)
    except EmbeddingError as error:
        return replace(by_words, degraded=(f"dense: {error}",))


def _by_words(type: HitType, words: Words, question: Question, store: Store, limit: int) -> Ranking:
    look_up = store.search_memories if type == "memory" else store.search_turns
    return look_up(words, question.visible, question.filter, limit)


def _fused(
    found: Found,
    vector: Vector,
    embedder: Embedder,
    words: Words,
    question: Question,
    store: Store,
    pool: int,
) -> Found:
    """What was found by words together with what is near. Raises EmbeddingError."""
    type, ranking = found.type, found.lexical
    calibration = embedder.memories if type == "memory" else embedder.turns
    near = store.near(
        type,
        vector,
        embedder.name,
        question.visible,
        question.filter,
        pool,
        also=ranking.found,
    )
    found = replace(found, near=near, degraded=tuple(dense.gaps(near, type, MANY[type], embedder)))
    match question.fusion:
        case Fusion.DENSE:
            return replace(found, fused=fusion.by_vector(near))
        case Fusion.RRF60:
            lists = {"lexical": ranking.found, "dense": near.found}
            return replace(found, fused=fusion.reciprocal_rank(lists))
        case _:
            named = _named(found, words, embedder, question, store)
            return replace(
                found,
                fused=fusion.calibrated(ranking, near, calibration, named),
                full=calibration.full,
                floor=calibration.floor_among(near.searched) - calibration.least,
            )


def _named(
    found: Found, words: Words, embedder: Embedder, question: Question, store: Store
) -> Sequence[Ranked]:
    """The texts that have a name which the model does not know, unless they are many.

    What many texts have tells none of them apart.
    """
    names = Words(dense.names(words.phrases, embedder))
    if not names:
        return ()
    ranking = found.lexical
    if names != words:
        ranking = _by_words(found.type, names, question, store, FEW_NAMED + 1)
    return ranking.found if len(ranking.found) <= FEW_NAMED else ()
