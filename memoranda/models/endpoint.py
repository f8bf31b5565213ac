"""Models behind endpoints as OpenAI's and Jina's: Ollama, llama.cpp, vLLM, LocalAI and others."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

from memoranda.errors import EmbeddingError, RerankingError
from memoranda.models import calibration
from memoranda.models.server import Options, Server
from memoranda.protocols import Calibration, Excerpt, Vector, vector_of

AT_ONCE = 32
"""Texts in one request for vectors."""

ATTEMPTS = 3

CERTAIN = 1e-6
"""A probability is told from 0 and 1 by so much at least."""

QUESTION_TIMEOUT = 5.0
"""Seconds that a question waits for its vector; a search by words is better than a late one."""


class EndpointEmbedder:
    """See `protocols.Embedder`."""

    def __init__(self, url: str, model: str, *, key: str = "", timeout: float = 30.0) -> None:
        """`url` is the address that ends before `/embeddings`, usually in `/v1`."""
        self._server = Server(
            url,
            "/embeddings",
            model,
            key=key,
            options=Options("embedding_url", "embedding_model", "embedding_key"),
            error=EmbeddingError,
        )
        self.host: str | None = self._server.host
        self.name = f"{model}@{self.host}"  # another server's model of that name may be another
        self._timeout = timeout

    def reads(self, text: str) -> bool:
        return True

    def knows(self, word: str) -> bool:
        return True

    @property
    def memories(self) -> Calibration:
        return calibration.of_memories(self._baseline)

    @property
    def turns(self) -> Calibration:
        return calibration.of_turns(self._baseline)

    @cached_property
    def _baseline(self) -> float:
        # A question may wait for this, so it does not wait long.
        return calibration.baseline(self._asked(calibration.UNRELATED, 1, self._patience))

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        vectors: list[Vector] = []
        for at in range(0, len(texts), AT_ONCE):
            vectors += self._asked(texts[at : at + AT_ONCE], ATTEMPTS, self._timeout)
        return vectors

    def embed_question(self, text: str) -> Vector:
        return self._asked([text], 1, self._patience)[0]

    @property
    def _patience(self) -> float:
        return min(self._timeout, QUESTION_TIMEOUT)

    def _asked(self, texts: Sequence[str], attempts: int, timeout: float) -> list[Vector]:
        return self._server.ask(
            {"input": list(texts), "encoding_format": "float"},
            read=partial(_vectors, count=len(texts)),
            attempts=attempts,
            timeout=timeout,
        )


class EndpointReranker:
    """See `protocols.Reranker`. Its scores are log-odds.

    Some servers give probabilities, and others what those are made of: what lies between 0 and 1
    is taken for the former.
    """

    weight = 1.0
    span = 4.0

    def __init__(self, url: str, model: str, *, key: str = "", timeout: float = 2.0) -> None:
        """`url` is the address that ends before `/rerank`, usually in `/v1`."""
        self._server = Server(
            url,
            "/rerank",
            model,
            key=key,
            options=Options("reranking_url", "reranker", "reranking_key"),
            error=RerankingError,
        )
        self.host: str | None = self._server.host
        self.name = f"{model}@{self.host}"
        self._timeout = timeout

    def scores(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        texts = [each.text for each in excerpts]
        asked = {"query": question, "top_n": len(texts)}
        return self._server.ask(
            {**asked, "documents": texts},
            {**asked, "texts": texts},  # as Text Embeddings Inference has it
            read=partial(_scores, count=len(texts)),
            attempts=1,
            timeout=self._timeout,
        )


def _vectors(document: Any, count: int) -> list[Vector]:
    """The vectors in an answer, in the order of the texts. Raises what a wrong document does."""
    found = _in_order(document["data"], "embedding", count)
    vectors = [array("f", each) for each in found]
    lengths = [math.sqrt(sum(number * number for number in vector)) for vector in vectors]
    if not all(math.isfinite(length) and length > 0 for length in lengths):
        raise ValueError("a vector without a length")
    return [
        vector_of(number / length for number in vector)
        for vector, length in zip(vectors, lengths, strict=True)
    ]


def _scores(document: Any, count: int) -> list[float]:
    """The scores in an answer, in the order of the texts. Raises what a wrong document does."""
    if isinstance(document, dict):
        found = _in_order(document["results"], "relevance_score", count)
    else:
        found = _in_order(document, "score", count)
    scores = [_number(each) for each in found]
    return list(map(_log_odds, scores)) if all(0 <= score <= 1 for score in scores) else scores


def _log_odds(probability: float) -> float:
    kept = min(max(probability, CERTAIN), 1 - CERTAIN)
    return math.log(kept / (1 - kept))


def _in_order(results: Any, name: str, count: int) -> list[Any]:
    """What each of the results says of its text, of which there are so many."""
    found = {each["index"]: each[name] for each in results}
    if len(results) != count or sorted(found) != list(range(count)):
        raise ValueError(f"{len(results)} results for {count} texts")
    return [found[place] for place in range(count)]


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"a score that is no number: {value!r:.40}")
    return float(value)
