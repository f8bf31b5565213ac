"""What the measures of quality share: ways to fuse, embedding only once, and asking a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime

from memoranda.protocols import Calibration, Embedder, Reranker, Store, Vector
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.retrieval.weighing import Weights
from memoranda.types import Filter, Fusion, HitType, Recall, Scope
from memoranda.upkeep import embed as embedding

FUSIONS = (Fusion.DENSE, Fusion.RRF60, Fusion.CALIBRATED)
"""The methods that need a model."""


def fill(store: Store, model: Embedder, advance: Callable[[int], None]) -> None:
    """Give a store the vectors of a model."""
    store.embed_by(model.name)
    embedding.embed(store, model, advance=lambda done, _: advance(done))


@dataclass(frozen=True, slots=True)
class Way:
    """How questions are answered, under the name that it has in a table."""

    name: str
    fusion: Fusion = Fusion.CALIBRATED
    weights: Weights = field(default_factory=Weights)
    links: bool = False
    reranker: Reranker | None = None


def without(*parts: str) -> Weights:
    """The weights, less those of some parts; without any parts named, less all."""
    names = parts or tuple(each.name for each in fields(Weights))
    return replace(Weights(), **dict.fromkeys(names, 0.0))


PARTS = (
    *(
        Way(f"without {each.name}", weights=without(each.name))
        for each in fields(Weights)
        if each.name != "linked"
    ),
    Way("without all", weights=without()),
    Way("with links", links=True),
)
"""The default way with each of its parts left out, and with the one that is off by default."""


def ask(
    store: Store,
    model: Embedder | None,
    way: Way,
    text: str,
    *,
    limit: int,
    types: Sequence[HitType],
    now: datetime | None = None,
) -> Recall:
    """What a recall finds, however long it is, asked at a time or now."""
    question = Question(
        text,
        visible=(Scope("user"),),
        filter=Filter(now=now or datetime.now(UTC)),
        limit=limit,
        memories="memory" in types,
        turns="turn" in types,
        fusion=way.fusion,
        weights=way.weights,
        links=way.links,
    )
    return recall(question, store, model, way.reranker)


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
