"""Embedders in the ONNX format, run on this machine's processor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from memoranda.errors import EmbeddingError
from memoranda.models import calibration, running, weights
from memoranda.models.known import Known, reads_all
from memoranda.models.running import Tokenizer, described_in, reported, weights_in
from memoranda.models.wordpiece import WordPiece
from memoranda.protocols import Calibration, Excerpt, Vector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VOCABULARY = Path(__file__).parent / "data" / "bert-base-uncased.txt"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

FEW = 4
"""Texts read at once for their pieces: among twenty of all lengths more would be filled up."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model ready to run."""

    session: Any
    tokenizer: Tokenizer
    pooling: Literal["mean", "first"]
    longest: int
    batch: int
    before_text: str = ""
    before_question: str = ""

    def pieces(self, before: str, text: str) -> list[int]:
        return self.tokenizer.encode(before + text, self.longest)


class OnnxEmbedder:
    """See `protocols.Embedder`. Several threads may use it; each text runs on one."""

    host = None

    def __init__(
        self,
        load: Callable[[], Loaded],
        *,
        name: Callable[[], str],
        reads: Callable[[str], bool],
        memories: Calibration | None = None,
        turns: Calibration | None = None,
        threads: int = 0,
    ) -> None:
        self._reads = reads
        self._load = load
        self._name = name
        self._given = (memories, turns)
        self._threads = threads or running.processors()
        self._guard = Lock()
        self._ready: Loaded | None = None

    @cached_property
    def name(self) -> str:
        with reported("cannot be named", EmbeddingError):
            return self._name()

    def reads(self, text: str) -> bool:
        return self._reads(text)

    def knows(self, word: str) -> bool:
        return self._loaded().tokenizer.knows(word.lower())

    @property
    def memories(self) -> Calibration:
        return self._given[0] or calibration.of_memories(self._baseline)

    @property
    def turns(self) -> Calibration:
        return self._given[1] or calibration.of_turns(self._baseline)

    @cached_property
    def _baseline(self) -> float:
        return calibration.baseline(self.embed(calibration.UNRELATED))

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        model = self._loaded()
        pieces = [model.pieces(model.before_text, text) for text in texts]
        return running.in_batches(
            pieces, partial(_vectors, model), length=len, size=model.batch, threads=self._threads
        )

    def embed_question(self, text: str) -> Vector:
        model = self._loaded()
        return _vectors(model, [model.pieces(model.before_question, text)])[0]

    def embed_pieces(
        self, question: str, excerpts: Sequence[Excerpt], timeout: float
    ) -> list[NDArray[np.float32]]:
        """The vectors of length 1 of a question's pieces, and then of each candidate's.

        A candidate is read together with what was said before it, and its own pieces are told.
        Raises EmbeddingError, and TimeoutError when it takes more seconds than given, counted from
        when the model is loaded.
        """
        model = self._loaded()
        texts = [
            _read(model, model.before_question, question),
            *(_read(model, model.before_text, each.text, each.before) for each in excerpts),
        ]
        around = frozenset(model.tokenizer.encode("", model.longest))
        return running.in_batches(
            texts,
            partial(_vectors_of_pieces, model, around),
            length=lambda each: len(each.pieces),
            size=min(model.batch, FEW),
            threads=self._threads,
            timeout=timeout,
        )

    def _loaded(self) -> Loaded:
        with self._guard:
            if self._ready is None:
                with reported("cannot be loaded", EmbeddingError):
                    self._ready = self._load()
            return self._ready


def known(model: Known, home: Path, threads: int) -> OnnxEmbedder:
    """One of the models that were measured."""

    return OnnxEmbedder(
        lambda: _loaded(model, weights.located(model, home)),
        name=lambda: model.name,
        reads=model.reads,
        memories=model.memories,
        turns=model.turns,
        threads=threads,
    )


@cache
def _loaded(model: Known, path: Path) -> Loaded:
    """One copy for all homes that a process opens."""
    return Loaded(running.session(path), _vocabulary(), model.pooling, model.longest, model.batch)


def folder(path: Path, threads: int) -> OnnxEmbedder:
    """A model in a folder, as `sentence-transformers` and `optimum` save it.

    It is known by its folder's name and the hash of its weights. What it says in its files about
    how it is read is taken as it stands.
    """

    def load() -> Loaded:
        prompts = described_in(path / "config_sentence_transformers.json").get("prompts") or {}
        pooling = described_in(path / "1_Pooling" / "config.json")
        longest = described_in(path / "sentence_bert_config.json").get("max_seq_length")
        return Loaded(
            running.session(weights_in(path)),
            running.tokenizer(path),
            "first" if pooling.get("pooling_mode_cls_token") else "mean",
            int(longest or running.LONGEST),
            1,
            prompts.get("document") or prompts.get("passage") or "",
            prompts.get("query") or "",
        )

    return OnnxEmbedder(
        load,
        name=lambda: f"{path.name}@{weights.sha256(weights_in(path))[:12]}",
        reads=reads_all,
        threads=threads,
    )


def _vocabulary() -> WordPiece:
    if weights.sha256(VOCABULARY) != VOCABULARY_SHA256:
        raise EmbeddingError(f"{VOCABULARY} is damaged; install Memoranda once more")
    return WordPiece(VOCABULARY.read_text(encoding="utf-8").split("\n"))


def _vectors(model: Loaded, pieces: Sequence[list[int]]) -> list[Vector]:
    """Texts of these pieces as vectors of length 1."""
    with reported("fails at a text", EmbeddingError):
        states, mask = running.output(model.session, pieces)
    if states.ndim == 2:
        pooled = states
    elif model.pooling == "first":
        pooled = states[:, 0]
    else:
        pooled = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    return [each.tobytes() for each in _of_length_1(pooled).astype("<f4")]


@dataclass(frozen=True, slots=True)
class _Read:
    """The pieces of a text after others, and how many of the last are its own.

    What opens and closes every text does not count.
    """

    pieces: list[int]
    own: int

    def places(self, around: frozenset[int]) -> list[int]:
        """Where its own pieces are; those `around` open and close every text."""
        places = [place for place, piece in enumerate(self.pieces) if piece not in around]
        return places[-self.own :] if self.own else []


def _read(model: Loaded, prompt: str, text: str, before: str | None = None) -> _Read:
    """A text after what was said before it, if the model can read both at once."""
    own = len(model.pieces("", text)) - len(model.pieces("", ""))
    if before is not None:
        joined = model.pieces(prompt, f"{before}\n{text}")
        if len(joined) < model.longest:
            return _Read(joined, own)
    return _Read(model.pieces(prompt, text), own)


def _vectors_of_pieces(
    model: Loaded, around: frozenset[int], texts: Sequence[_Read]
) -> list[NDArray[np.float32]]:
    """Each of these texts as a vector of length 1 for each of its own pieces."""
    with reported("fails at a text", EmbeddingError):
        states, _ = running.output(model.session, [text.pieces for text in texts])
    if states.ndim != 3:
        raise EmbeddingError("the model gives one vector for a text and none for its words")
    return [
        _of_length_1(of_text[text.places(around)])
        for of_text, text in zip(states, texts, strict=True)
    ]


def _of_length_1(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise EmbeddingError("the model gives no numbers for a text; its weights may be damaged")
    made: NDArray[np.float32] = vectors / lengths
    return made
