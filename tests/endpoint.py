"""A real endpoint of models on this machine, which can be told to misbehave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from string import ascii_lowercase
from threading import Event, Thread
from typing import Any

Answer = tuple[int, Any]

DROP = 0.05
"""Seconds before a header that drops."""


@dataclass
class Endpoint:
    """What it was asked, and how it answers: given the texts, a status and a document.

    It serves one path below its address, and refuses what lacks the field with the texts. `delay`
    comes before an answer, `pause` before each byte of its body, and `drops` are headers that come
    one by one.
    """

    url: str = ""
    path: str = "/embeddings"
    texts_in: str = "input"
    documents: list[dict[str, Any]] = field(default_factory=list)
    asked: list[list[str]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    pause: float = 0.0
    delay: float = 0.0
    drops: int = 0
    answer: Callable[[list[str]], Answer] = lambda texts: (200, vectors(texts))


def vectors(texts: Sequence[str], length: int = 8) -> dict[str, Any]:
    """A document of vectors that tell the letters of the texts apart."""
    data = [{"index": n, "embedding": _letters(text, length)} for n, text in enumerate(texts)]
    return {"object": "list", "data": data[::-1], "model": "letters"}


def _letters(text: str, length: int) -> list[float]:
    return [1.0 + text.lower().count(letter) for letter in ascii_lowercase[:length]]


@contextmanager
def served() -> Iterator[Endpoint]:
    endpoint = Endpoint()
    never = Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.documents.append(asked)
            endpoint.asked.append(texts := asked.get(endpoint.texts_in))
            endpoint.keys.append(self.headers.get("Authorization"))
            never.wait(endpoint.delay)
            status, document = (422, {}) if texts is None else endpoint.answer(texts)
            body = document if isinstance(document, bytes) else json.dumps(document).encode()
            self.send_response(status if self.path == f"/v1{endpoint.path}" else 404)
            self.send_header("Content-Length", str(len(body)))
            with suppress(BrokenPipeError, ConnectionResetError):
                for _ in range(endpoint.drops):
                    never.wait(DROP)
                    self.send_header("X-Drop", "plum")
                    self.flush_headers()
                self.end_headers()
                if not endpoint.pause:
                    self.wfile.write(body)
                    return
                for byte in body:
                    never.wait(endpoint.pause)
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
