"""Running models in the ONNX format on this machine's processor."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from memoranda.errors import ModelError
from memoranda.models.wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
Item = TypeVar("Item")

WHERE_WEIGHTS_ARE = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx")

LONGEST = 512
"""Pieces of a text that a model reads when its folder does not say."""


class Tokenizer(Protocol):
    def encode(self, text: str, longest: int) -> list[int]:
        """The numbers of the pieces of a text, at most `longest`."""

    def encode_pair(self, question: str, text: str, longest: int) -> tuple[list[int], list[int]]:
        """The numbers of the pieces of both, at most `longest`, and of which each is, 0 or 1."""

    def knows(self, word: str) -> bool:
        """Whether a word is one of the pieces, as far as can be told."""


@contextmanager
def reported(what: str, kind: type[ModelError]) -> Iterator[None]:
    """Whatever a model's files and their libraries raise, which is anything, as our error."""
    try:
        yield
    except kind:
        raise
    except ModelError as error:
        raise kind(str(error)) from error
    except Exception as error:
        raise kind(f"the model {what}: {type(error).__name__}: {error}") from error


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_batches(
    items: Sequence[Item],
    run: Callable[[Sequence[Item]], Sequence[T]],
    *,
    length: Callable[[Item], int],
    size: int,
    threads: int,
    timeout: float = math.inf,
) -> list[T]:
    """What `run` makes of each item, in their order, given some of about the same length at a time.

    So little is filled up. Each batch runs on one thread. Raises TimeoutError instead of beginning
    one after `timeout` seconds.
    """
    until = time.monotonic() + timeout
    order = sorted(range(len(items)), key=lambda place: length(items[place]))
    batches = [order[at : at + size] for at in range(0, len(order), size)]

    def run_one(batch: Sequence[int]) -> Sequence[T]:
        if time.monotonic() > until:
            raise TimeoutError
        return run([items[place] for place in batch])

    made: dict[int, T] = {}
    for batch, some in zip(batches, _mapped(run_one, batches, threads), strict=True):
        made.update(zip(batch, some, strict=True))
    return [made[place] for place in range(len(items))]


def _mapped(
    run: Callable[[Sequence[int]], T], batches: Sequence[Sequence[int]], threads: int
) -> list[T]:
    if len(batches) <= 1 or threads == 1:
        return [run(batch) for batch in batches]
    from concurrent.futures import ThreadPoolExecutor  # which one question needs not

    with ThreadPoolExecutor(min(threads, len(batches))) as pool:
        return list(pool.map(run, batches))


def output(
    session: Any, pieces: Sequence[list[int]], kinds: Sequence[list[int]] | None = None
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """What a model first gives for some texts, and which of its places hold a piece (1) or not.

    `kinds` says of each piece whether it is of the first or the second text of a pair.
    """
    import numpy as np

    ids = np.zeros((len(pieces), max(map(len, pieces))), np.int64)
    mask, types = np.zeros_like(ids), np.zeros_like(ids)
    for place, some in enumerate(pieces):
        ids[place, : len(some)] = some
        mask[place, : len(some)] = 1
        if kinds is not None:
            types[place, : len(some)] = kinds[place]
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    wanted = {each.name for each in session.get_inputs()}
    return session.run(None, {name: given[name] for name in given if name in wanted})[0], mask


def weights_in(path: Path) -> Path:
    """The file with the weights in a model's folder."""
    found = [path / each for each in WHERE_WEIGHTS_ARE if (path / each).is_file()]
    if not found:
        raise ModelError(f"{path} has no {WHERE_WEIGHTS_ARE[0]}")
    return found[0]


def session(path: Path) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    with reported(f"in {path} is none that onnxruntime can run", ModelError):
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def tokenizer(path: Path) -> Tokenizer:
    """Our own for a lower-case WordPiece; for any other the library that made it."""
    described = described_in(path / "tokenizer.json")
    if not described and (path / "vocab.txt").is_file():
        return WordPiece((path / "vocab.txt").read_text(encoding="utf-8").split("\n"))
    if not described:
        raise ModelError(f"{path} has neither tokenizer.json nor vocab.txt")
    model, normalizer = described["model"], described.get("normalizer") or {}
    if (model.get("type"), normalizer.get("lowercase")) == ("WordPiece", True):
        return WordPiece(sorted(model["vocab"], key=model["vocab"].__getitem__))
    return _LibraryTokenizer(path / "tokenizer.json")


class _LibraryTokenizer:
    def __init__(self, path: Path) -> None:
        try:
            from tokenizers import Tokenizer
        except ImportError:
            raise ModelError(
                f"{path} needs the tokenizers library: `pip install 'memoranda[tokenizers]'`"
            ) from None
        self._library = Tokenizer.from_file(str(path))
        self._library.no_padding()

    def encode(self, text: str, longest: int) -> list[int]:
        self._library.enable_truncation(longest)
        return list(self._library.encode(text).ids)

    def encode_pair(self, question: str, text: str, longest: int) -> tuple[list[int], list[int]]:
        self._library.enable_truncation(longest)
        encoded = self._library.encode(question, text)
        return list(encoded.ids), list(encoded.type_ids)

    def knows(self, word: str) -> bool:
        return True


def described_in(path: Path) -> dict[str, Any]:
    """What a model's folder says in a file of JSON; nothing when it is not there."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}
