"""Vectors made up for measuring, and what the memory of this machine allows at best."""

from __future__ import annotations

import time
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from memoranda.models.known import DEFAULT
from memoranda.protocols import Calibration, Vector

LENGTH = 384
TOPICS = 500
NOISE = 0.8
"""How far a text lies from the middle of its topic, for the topic's length of 1."""

QUESTIONS = 1000


class MadeUp:
    """An embedder whose vectors are drawn around the middles of topics, as those of texts are.

    Every text is a new draw; questions are drawn beforehand. They go under the name of the default
    model, so that another process can ask by meaning: that they mean nothing costs nothing.
    """

    host = None
    name = DEFAULT
    # So low that every hit stays one: what is measured is the search.
    memories = turns = Calibration(weight=0.5, floor=-1, growth=0, least=-1)

    def __init__(self, seed: int) -> None:
        self._chance = np.random.default_rng(seed)
        self._topics = _of_length_1(self._chance.standard_normal((TOPICS, LENGTH)))
        self._questions = [bytes(each.data) for each in self.draw(QUESTIONS)]

    def reads(self, text: str) -> bool:
        return True

    def knows(self, word: str) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [bytes(each.data) for each in self.draw(len(texts))]

    def embed_question(self, text: str) -> Vector:
        return self._questions[zlib.crc32(text.encode()) % QUESTIONS]

    def draw(self, count: int) -> NDArray[np.float32]:
        """`count` vectors of length 1."""
        topics = self._topics[self._chance.integers(0, TOPICS, count)]
        noise = _of_length_1(self._chance.standard_normal((count, LENGTH)))
        return _of_length_1(topics + NOISE * noise)


def _of_length_1(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    made: NDArray[np.float32] = (vectors / lengths[:, None]).astype(np.float32)
    return made


def nearest(vectors: NDArray[np.float32], question: NDArray[np.float32], count: int) -> list[int]:
    """The places of the nearest vectors by exact cosine, nearest first."""
    scores = np.einsum("ij,j->i", vectors, question)
    best = np.argpartition(scores, -count)[-count:]
    return [int(place) for place in best[np.argsort(-scores[best])]]


def bandwidth() -> float:
    """Bytes a second that one thread can read from memory, at best."""
    block = np.ones(1 << 28, np.int8)
    times = []
    for _ in range(5):
        started = time.process_time()
        block.max()
        times.append(time.process_time() - started)
    return block.nbytes / min(times)
