"""Rerankers that run on this machine's processor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from memoranda.errors import ModelError, RerankingError
from memoranda.models import running
from memoranda.models.onnx import OnnxEmbedder
from memoranda.models.running import Tokenizer, described_in, reported
from memoranda.protocols import Excerpt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class MaxSim:
    """Late interaction (Khattab and Zaharia, 2020) with the vectors of the embedder's own pieces.

    Of each piece of the question the cosine with the nearest of the text, in the mean. Weight and
    span are from LoCoMo, as docs/decisions tell.
    """

    host = None
    name = "maxsim"
    weight = 0.6
    span = 0.3

    def __init__(self, embedder: OnnxEmbedder | None, timeout: float) -> None:
        """`embedder` is None when there is none that has such vectors."""
        self._embedder = embedder
        self._timeout = timeout

    def scores(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        if self._embedder is None:
            raise RerankingError(
                "it needs an embedding_model in the ONNX format; choose one, or another reranker"
            )
        if not self._embedder.reads(question):
            raise RerankingError(f"{self._embedder.name} does not read this question")
        with _in_time(self._timeout):
            asked, *said = self._embedder.embed_pieces(question, excerpts, self._timeout)
        if not len(asked):
            raise RerankingError("the question has no word")
        return [_nearest(asked, each) for each in said]


def _nearest(question: NDArray[np.float32], text: NDArray[np.float32]) -> float:
    """The cosine with the nearest piece of a text, for the pieces of a question in the mean."""
    return float((question @ text.T).max(axis=1).mean()) if len(text) else 0.0


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Tokenizer
    longest: int


class CrossEncoder:
    """A model that reads question and text in one, in a folder as `optimum` saves it.

    Its scores are log-odds. See `protocols.Reranker`. Several threads may use it.
    """

    host = None
    weight = 1.0
    span = 4.0

    def __init__(self, path: Path, threads: int, timeout: float) -> None:
        self.name = path.name
        self._path = path
        self._threads = threads or running.processors()
        self._timeout = timeout
        self._guard = Lock()
        self._ready: _Loaded | None = None

    def scores(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        model = self._loaded()
        with _in_time(self._timeout):
            return running.in_batches(
                excerpts,
                partial(_log_odds, model, question),
                length=lambda each: len(each.text),
                size=1,  # what a quantised model says of a pair may depend on its company
                threads=self._threads,
                timeout=self._timeout,
            )

    def _loaded(self) -> _Loaded:
        with self._guard:
            if self._ready is None:
                with reported("cannot be loaded", RerankingError):
                    said = described_in(self._path / "tokenizer_config.json")
                    self._ready = _Loaded(
                        running.session(running.weights_in(self._path)),
                        running.tokenizer(self._path),
                        int(min(said.get("model_max_length") or math.inf, running.LONGEST)),
                    )
            return self._ready


def _log_odds(model: _Loaded, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
    """What a model says of each pair: one number, or one against and one for it."""
    with reported("fails at a pair", RerankingError):
        pairs = [
            model.tokenizer.encode_pair(question, each.text, model.longest) for each in excerpts
        ]
        said, _ = running.output(model.session, *zip(*pairs, strict=True))
    numbers = said.reshape(len(pairs), -1) if said.ndim <= 2 else said
    if numbers.ndim != 2 or numbers.shape[1] not in (1, 2):
        raise RerankingError("the model does not give one or two numbers for a pair")
    found = numbers[:, -1] - (numbers[:, 0] if numbers.shape[1] == 2 else 0)
    return [float(each) for each in found]


@contextmanager
def _in_time(timeout: float) -> Iterator[None]:
    """What the model's parts raise, as the error of a reranker with the way out."""
    try:
        yield
    except TimeoutError:
        raise RerankingError(
            f"it is not done in {timeout:g} seconds; raise reranking_timeout or lower "
            "reranking_depth"
        ) from None
    except RerankingError:
        raise
    except ModelError as error:
        raise RerankingError(str(error)) from error
