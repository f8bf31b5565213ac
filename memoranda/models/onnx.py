"""Models in the ONNX format, run on this machine's processor."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Literal, Protocol

from memoranda.errors import EmbeddingError
from memoranda.models import calibration, weights
from memoranda.models.known import Known, reads_all
from memoranda.models.wordpiece import WordPiece
from memoranda.protocols import Calibration, Vector

VOCABULARY = Path(__file__).parent / "data" / "bert-base-uncased.txt"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"

WHERE_WEIGHTS_ARE = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx")

LONGEST = 512
"""Pieces of a text that a model reads when its folder does not say."""


class Tokenizer(Protocol):
    def encode(self, text: str, longest: int) -> list[int]:
        """The numbers of the pieces of a text, at most `longest`."""

    def knows(self, word: str) -> bool:
        """Whether a word is one of the pieces, as far as can be told."""


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
        self._threads = threads or _processors()
        self._guard = Lock()
        self._ready: Loaded | None = None

    @cached_property
    def name(self) -> str:
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
        before = self._loaded().before_text
        return self._embed([before + text for text in texts])

    def embed_question(self, text: str) -> Vector:
        return self._embed([self._loaded().before_question + text])[0]

    def _embed(self, texts: Sequence[str]) -> list[Vector]:
        model = self._loaded()
        pieces = [model.tokenizer.encode(text, model.longest) for text in texts]
        # Texts of about the same length together, so that little is filled up.
        order = sorted(range(len(texts)), key=lambda place: len(pieces[place]))
        batches = [order[at : at + model.batch] for at in range(0, len(order), model.batch)]
        vectors: dict[int, Vector] = {}
        for batch, made in zip(batches, self._run(model, pieces, batches), strict=True):
            vectors.update(zip(batch, made, strict=True))
        return [vectors[place] for place in range(len(texts))]

    def _run(
        self, model: Loaded, pieces: Sequence[list[int]], batches: Sequence[Sequence[int]]
    ) -> Iterable[list[Vector]]:
        work = [[pieces[place] for place in batch] for batch in batches]
        if len(work) == 1 or self._threads == 1:
            return [_vectors(model, batch) for batch in work]
        from concurrent.futures import ThreadPoolExecutor  # which one question needs not

        with ThreadPoolExecutor(min(self._threads, len(work))) as pool:
            return list(pool.map(lambda batch: _vectors(model, batch), work))

    def _loaded(self) -> Loaded:
        with self._guard:
            if self._ready is None:
                with reported("cannot be loaded"):
                    self._ready = self._load()
            return self._ready


@contextmanager
def reported(what: str) -> Iterator[None]:
    """Whatever a model's files and their libraries raise, which is anything, as our error."""
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        raise EmbeddingError(f"the model {what}: {type(error).__name__}: {error}") from error


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
    return Loaded(_session(path), _vocabulary(), model.pooling, model.longest, model.batch)


def folder(path: Path, threads: int) -> OnnxEmbedder:
    """A model in a folder, as `sentence-transformers` and `optimum` save it.

    It is known by its folder's name and the hash of its weights. What it says in its files about
    how it is read is taken as it stands.
    """

    def load() -> Loaded:
        prompts = _json(path / "config_sentence_transformers.json").get("prompts") or {}
        pooling = _json(path / "1_Pooling" / "config.json")
        longest = _json(path / "sentence_bert_config.json").get("max_seq_length") or LONGEST
        return Loaded(
            _session(_weights_in(path)),
            _tokenizer(path),
            "first" if pooling.get("pooling_mode_cls_token") else "mean",
            int(longest),
            1,
            prompts.get("document") or prompts.get("passage") or "",
            prompts.get("query") or "",
        )

    return OnnxEmbedder(
        load,
        name=lambda: f"{path.name}@{weights.sha256(_weights_in(path))[:12]}",
        reads=reads_all,
        threads=threads,
    )


def _processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _weights_in(path: Path) -> Path:
    found = [path / each for each in WHERE_WEIGHTS_ARE if (path / each).is_file()]
    if not found:
        raise EmbeddingError(f"{path} has no {WHERE_WEIGHTS_ARE[0]}")
    return found[0]


def _session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    with reported(f"in {path} is none that onnxruntime can run"):
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _vocabulary() -> WordPiece:
    if weights.sha256(VOCABULARY) != VOCABULARY_SHA256:
        raise EmbeddingError(f"{VOCABULARY} is damaged; install Memoranda once more")
    return WordPiece(VOCABULARY.read_text(encoding="utf-8").split("\n"))


def _tokenizer(path: Path) -> Tokenizer:
    """Our own for a lower-case WordPiece; for any other the library that made it."""
    described = _json(path / "tokenizer.json")
    if not described and (path / "vocab.txt").is_file():
        return WordPiece((path / "vocab.txt").read_text(encoding="utf-8").split("\n"))
    if not described:
        raise EmbeddingError(f"{path} has neither tokenizer.json nor vocab.txt")
    model, normalizer = described["model"], described.get("normalizer") or {}
    if (model.get("type"), normalizer.get("lowercase")) == ("WordPiece", True):
        return WordPiece(sorted(model["vocab"], key=model["vocab"].__getitem__))
    return _LibraryTokenizer(path / "tokenizer.json")


class _LibraryTokenizer:
    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise EmbeddingError(
                f"{path} needs the tokenizers library: `pip install 'memoranda[tokenizers]'`"
            ) from None
        self._library = Tokenizer.from_file(str(path))
        self._library.no_padding()

    def encode(self, text: str, longest: int) -> list[int]:
        self._library.enable_truncation(longest)
        return list(self._library.encode(text).ids)

    def knows(self, word: str) -> bool:
        return True


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"{path} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def _vectors(model: Loaded, pieces: Sequence[list[int]]) -> list[Vector]:
    """Texts of these pieces as vectors of length 1."""
    import numpy as np

    longest = max(map(len, pieces))
    ids = np.zeros((len(pieces), longest), np.int64)
    mask = np.zeros_like(ids)
    for place, some in enumerate(pieces):
        ids[place, : len(some)] = some
        mask[place, : len(some)] = 1
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    wanted = {each.name for each in model.session.get_inputs()}
    with reported("fails at a text"):
        states = model.session.run(None, {name: given[name] for name in given if name in wanted})[0]
    if states.ndim == 2:
        pooled = states
    elif model.pooling == "first":
        pooled = states[:, 0]
    else:
        pooled = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
    lengths = np.linalg.norm(pooled, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise EmbeddingError("the model gives no numbers for a text; its weights may be damaged")
    return [each.tobytes() for each in (pooled / lengths).astype("<f4")]
