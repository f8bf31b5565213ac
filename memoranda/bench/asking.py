"""What the measures of quality share: ways to fuse, embedding only once, and asking a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from memoranda.protocols import Calibration, Embedder, Reranker, Store, Vector
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.types import Filter, Fusion, Hit, Scope
from memoranda.upkeep import embed as embedding

FUSIONS = (Fusion.DENSE, Fusion.RRF60, Fusion.CALIBRATED)
"""The methods that need a model."""


def fill(store: Store, model: Embedder, advance: Callable[[int], None]) -> None:
    """Give a store the vectors of a model."""
    store.embed_by(model.name)
    embedding.embed(store, model, advance=lambda done, _: advance(done))


def ask(
    store: Store,
    fusion: Fusion,
    model: Embedder | None,
    text: str,
    *,
    limit: int,
    memories: bool = False,
    turns: bool = False,
    reranker: Reranker | None = None,
) -> tuple[Hit, ...]:
    """What a recall finds, however long it is."""
    question = Question(
        text,
        visible=(Scope("user"),),
        filter=Filter(now=_now()),
        limit=limit,
        memories=memories,
        turns=turns,
        fusion=fusion,
    )
    return recall(question, store, model, reranker).hits


def _now() -> datetime:
    return datetime.now(UTC)


class Memorized:
    """An embedder that makes each vector once, for many stores with the same texts."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._texts: dict[str, Vector] = {}
        self._questions: dict[str, Vector] = {}

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def host(self) -> str | None:
        return self._embedder.host

    @property
    def memories(self) -> Calibration:
        return self._embedder.memories

    @property
    def turns(self) -> Calibration:
        return self._embedder.turns

    def reads(self, text: str) -> bool:
        return self._embedder.reads(text)

    def knows(self, word: str) -> bool:
        return self._embedder.knows(word)

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        new = list(dict.fromkeys(text for text in texts if text not in self._texts))
        if new:
            self._texts.update(zip(new, self._embedder.embed(new), strict=True))
        return [self._texts[text] for text in texts]

    def embed_question(self, text: str) -> Vector:
        if text not in self._questions:
            self._questions[text] = self._embedder.embed_question(text)
        return self._questions[text]
