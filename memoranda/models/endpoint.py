"""Models behind an embeddings endpoint as OpenAI's: Ollama, llama.cpp, vLLM, LocalAI and others."""

from __future__ import annotations

import json
import math
import time
from array import array
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memoranda.errors import EmbeddingError, InvalidSettings
from memoranda.models import calibration
from memoranda.protocols import Calibration, Vector, vector_of

if TYPE_CHECKING:
    import httpx2

AT_ONCE = 32
"""Texts in one request."""

ATTEMPTS = 3
REST = 30.0
"""Seconds for which an endpoint that failed is left alone, so that nobody waits for it again."""

QUESTION_TIMEOUT = 5.0
"""Seconds that a question waits for its vector; a search by words is better than a late one."""

OVERLOADED = frozenset((408, 425, 429, 500, 502, 503, 504))

IN_A_ROW = 2
"""Failures after which an endpoint rests; a single one may be the text's."""


class _Passing(EmbeddingError):
    """What may be over in a moment."""


class _Unreachable(_Passing):
    """Nobody is there."""


class _Silent(EmbeddingError):
    """Somebody is there and does not answer; to wait once more helps nobody."""


class EndpointEmbedder:
    """See `protocols.Embedder`."""

    def __init__(self, url: str, model: str, *, key: str = "", timeout: float = 30.0) -> None:
        """`url` is the address that ends before `/embeddings`, usually in `/v1`."""
        self.host: str | None = _host(url)
        self.name = f"{model}@{self.host}"  # another server's model of that name may be another
        self._model = model
        self._url = f"{url.rstrip('/')}/embeddings"
        if not (key.isascii() and (key.isprintable() or not key)):
            raise InvalidSettings("embedding_key holds characters that no request can")
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._timeout = timeout
        self._failures = 0
        self._failed_at = -math.inf
        self._failure = ""

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
        if self._failures >= IN_A_ROW and time.monotonic() - self._failed_at < REST:
            raise EmbeddingError(f"{self._failure}; it is asked again in a while")
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

        trying = Retrying(
            retry=retry_if_exception_type(_Passing),
            stop=stop_after_attempt(attempts),
            wait=wait_exponential(multiplier=0.5, max=10),
            reraise=True,
        )
        try:
            answer: list[Vector] = trying(self._request, texts, timeout)
        except EmbeddingError as error:
            self._failures += IN_A_ROW if isinstance(error, _Unreachable | _Silent) else 1
            self._failed_at = time.monotonic()
            self._failure = str(error)
            raise
        self._failures = 0
        return answer

    def _request(self, texts: Sequence[str], timeout: float) -> list[Vector]:
        import httpx2

        until = time.monotonic() + timeout
        try:
            with httpx2.stream(
                "POST",
                self._url,
                json={"model": self._model, "input": list(texts), "encoding_format": "float"},
                headers=self._headers,
                timeout=timeout,
            ) as answer:
                status, body = answer.status_code, _read(answer, until)
        except httpx2.TimeoutException as error:
            raise _Silent(f"{self.host} gives no answer in {timeout:g} seconds") from error
        except httpx2.HTTPError as error:
            reason = str(error) or type(error).__name__
            raise _Unreachable(f"{self.host} cannot be reached ({reason})") from error
        except httpx2.InvalidURL as error:
            raise EmbeddingError(f"{self.host} cannot be asked: {error}") from error
        if status in OVERLOADED:
            raise _Passing(f"{self.host} answers {status}")
        if status != 200:
            raise EmbeddingError(
                f"{self.host} answers {status} for {self._model}; look at embedding_url, "
                "embedding_model and embedding_key"
            )
        try:
            return _vectors(json.loads(body), len(texts))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise EmbeddingError(
                f"{self.host} answers something else than vectors ({error!r})"
            ) from error


def _read(answer: httpx2.Response, until: float) -> bytes:
    """The body of an answer that is here by a time; a single wait has its own bound."""
    import httpx2

    body = bytearray()
    for block in answer.iter_bytes():
        body += block
        if time.monotonic() > until:
            raise httpx2.ReadTimeout("the answer came too slowly")
    return bytes(body)


def _host(url: str) -> str:
    """Who is behind an address. Raises InvalidSettings when it is none."""
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname:
            return parts.netloc.rpartition("@")[2]
    except ValueError:  # such as a bracket that is not closed
        pass
    raise InvalidSettings(f"embedding_url {url!r} is no address like http://nas:11434/v1")


def _vectors(document: Any, count: int) -> list[Vector]:
    """The vectors in an answer, in the order of the texts. Raises what a wrong document does."""
    found = {each["index"]: each["embedding"] for each in document["data"]}
    if sorted(found) != list(range(count)):
        raise ValueError(f"{len(found)} vectors for {count} texts")
    vectors = [array("f", found[place]) for place in range(count)]
    lengths = [math.sqrt(sum(number * number for number in vector)) for vector in vectors]
    if not all(math.isfinite(length) and length > 0 for length in lengths):
        raise ValueError("a vector without a length")
    return [
        vector_of(number / length for number in vector)
        for vector, length in zip(vectors, lengths, strict=True)
    ]
