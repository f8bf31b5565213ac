"""A server of models, asked by HTTP."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from memoranda.errors import ModelError
from memoranda.models import posting

T = TypeVar("T")

REST = 30.0
"""Seconds for which a server that failed is left alone, so that nobody waits for it again."""

OVERLOADED = frozenset((408, 425, 429, 500, 502, 503, 504))

NOT_UNDERSTOOD = 422
"""The answer to a document that lacks what the server wants to see in it."""

IN_A_ROW = 2
"""Failures after which a server rests; a single one may be the text's."""


class _Passing(ModelError):
    """What may be over in a moment."""


class _Unreachable(_Passing):
    """Nobody is there."""


class _Silent(ModelError):
    """Somebody is there and does not answer; to wait once more helps nobody."""


@dataclass(frozen=True, slots=True)
class Options:
    """The names of the settings that say where a server is, which model to ask, and with what."""

    url: str
    model: str
    key: str


class Server:
    """Where a model is asked. What goes wrong is raised as `error`."""

    def __init__(
        self,
        url: str,
        path: str,
        model: str,
        *,
        key: str,
        options: Options,
        error: type[ModelError],
    ) -> None:
        """`url` is the address that ends before the path, usually in `/v1`."""
        self.host = posting.host_of(url, options.url)
        self.model = model
        self._url = f"{url.rstrip('/')}{path}"
        key = posting.checked_key(key, options.key)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._options = options
        self._error = error
        self._form = 0
        self._failures = 0
        self._failed_at = -math.inf
        self._failure = ""

    def ask(
        self,
        *documents: Mapping[str, Any],
        read: Callable[[Any], T],
        attempts: int,
        timeout: float,
    ) -> T:
        """What `read` makes of the answer to a document, the model's name being added to it.

        Several documents ask the same in different forms, always in the same order: the one that
        the server understands counts, and that form is tried first from then on. Each has `timeout`
        seconds. `read` raises what a wrong answer does: ValueError, KeyError, TypeError.
        """
        if self._failures >= IN_A_ROW and time.monotonic() - self._failed_at < REST:
            raise self._error(f"{self._failure}; it is asked again in a while")
        from tenacity import Retrying, retry_if_exception_type, stop_after_attempt, wait_exponential

        trying = Retrying(
            retry=retry_if_exception_type(_Passing),
            stop=stop_after_attempt(attempts),
            wait=wait_exponential(multiplier=0.5, max=10),
            reraise=True,
        )
        try:
            answer = self._read(trying(self._answer, documents, timeout), read)
        except ModelError as error:
            self._failures += IN_A_ROW if isinstance(error, _Unreachable | _Silent) else 1
            self._failed_at = time.monotonic()
            self._failure = str(error)
            raise self._error(str(error)) from error
        self._failures = 0
        return answer

    def _answer(self, documents: tuple[Mapping[str, Any], ...], timeout: float) -> bytes:
        forms = sorted(range(len(documents)), key=lambda form: form != self._form)
        for form in forms:
            status, body = self._posted({"model": self.model, **documents[form]}, timeout)
            if status != NOT_UNDERSTOOD:
                self._form = form
                break
        if status in OVERLOADED:
            raise _Passing(f"{self.host} answers {status}")
        if status != 200:
            raise ModelError(
                f"{self.host} answers {status} for {self.model}; look at {self._options.url}, "
                f"{self._options.model} and {self._options.key}"
            )
        return body

    def _posted(self, document: Mapping[str, Any], timeout: float) -> tuple[int, bytes]:
        content = json.dumps(document).encode()
        try:
            reply = posting.post(self._url, content, headers=self._headers, timeout=timeout)
        except posting.Unreachable as error:
            raise _Unreachable(f"{self.host} {error}") from error
        except posting.Silent as error:
            raise _Silent(f"{self.host} {error}") from error
        except posting.NoReply as error:
            raise ModelError(f"{self.host} {error}") from error
        return reply.status, reply.body

    def _read(self, body: bytes, read: Callable[[Any], T]) -> T:
        try:
            return read(json.loads(body))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise ModelError(
                f"{self.host} answers something else than was asked for ({error!r})"
            ) from error
