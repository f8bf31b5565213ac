"""A real endpoint of language models on this machine, on either wire, which misbehaves as told."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

PATHS = {"/v1/chat/completions": "openai", "/v1/messages": "anthropic"}


@dataclass(frozen=True)
class Said:
    """What the model writes, and how it ends, in the words of both wires."""

    text: str | None
    ending: str = "stop"
    refusal: str | None = None
    thought: str | None = None


@dataclass(frozen=True)
class Sent:
    """What something sends that is no model, or a server in trouble.

    `delay` comes before it, and only `cut` bytes of it come before the connection is reset.
    """

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: int | None = None


Reply = Said | Sent
Ask = dict[str, Any]


@dataclass
class Speaker:
    """What it was asked, and how it answers."""

    url: str = ""
    reply: Callable[[Ask], Reply] = lambda asked: Said("{}")
    asked: list[Ask] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    prompt_tokens: int = 100
    gone: Event = field(default_factory=Event)
    """Set when someone hung up before a delayed answer."""


def in_turn(*replies: Reply) -> Callable[[Ask], Reply]:
    """One after the other; the last one stays."""
    left = list(replies)
    return lambda asked: left.pop(0) if len(left) > 1 else left[0]


def structure(asked: Ask) -> str:
    """What a question asks its endpoint to hold the answer to."""
    held = asked.get("response_format") or (asked.get("output_config") or {}).get("format") or {}
    return str(held.get("type", "prompt"))


def failing(status: int, message: str, **headers: str) -> Sent:
    body = json.dumps({"type": "error", "error": {"type": "invalid", "message": message}})
    return Sent(status, body.encode(), headers)


OPENAI_ENDINGS = {"stop": "stop", "length": "length", "filter": "content_filter"}
ANTHROPIC_ENDINGS = {"stop": "end_turn", "length": "max_tokens", "filter": "refusal"}


def _openai(said: Said, prompt: int) -> Ask:
    message: Ask = {"role": "assistant", "content": said.text, "refusal": said.refusal}
    if said.thought:
        message["reasoning_content"] = said.thought
    ending = OPENAI_ENDINGS.get(said.ending, said.ending)
    return {
        "id": "chatcmpl-7",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": ending}],
        "usage": {
            "prompt_tokens": prompt,
            "prompt_tokens_details": {"cached_tokens": prompt - 20},
            "completion_tokens": 7,
            "completion_tokens_details": {"reasoning_tokens": 2},
        },
    }


def _anthropic(said: Said, prompt: int) -> Ask:
    content: list[Ask] = []
    if said.thought:
        content.append({"type": "thinking", "thinking": said.thought})
    if said.text is not None:
        content.append({"type": "text", "text": said.text})
    ending = "refusal" if said.refusal else ANTHROPIC_ENDINGS.get(said.ending, said.ending)
    return {
        "id": "msg_7",
        "type": "message",
        "content": content,
        "stop_reason": ending,
        "stop_details": {"type": "refusal", "explanation": said.refusal} if said.refusal else None,
        "usage": {
            "input_tokens": 15,
            "cache_read_input_tokens": prompt - 20,
            "cache_creation_input_tokens": 5,
            "output_tokens": 7,
        },
    }


@contextmanager
def speaking() -> Iterator[Speaker]:
    speaker = Speaker()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            speaker.asked.append(asked)
            speaker.headers.append({name.lower(): each for name, each in self.headers.items()})
            wire = PATHS.get(self.path)
            sent = speaker.reply(asked) if wire else Sent(404, b"{}")
            if isinstance(sent, Said):
                wrapped = _openai if wire == "openai" else _anthropic
                document = wrapped(sent, speaker.prompt_tokens)
                sent = Sent(200, json.dumps(document).encode(), {"x-request-id": "req-1"})
            if sent.delay and self._hung_up(sent.delay):
                speaker.gone.set()
                return
            with suppress(BrokenPipeError, ConnectionResetError):
                self._send(sent)

        def _hung_up(self, within: float) -> bool:
            """Whether whoever asks goes away within so many seconds."""
            self.connection.settimeout(within)
            try:
                return not self.connection.recv(1)
            except TimeoutError:
                return False
            except ConnectionResetError:
                return True

        def _send(self, sent: Sent) -> None:
            self.send_response(sent.status)
            for name, value in sent.headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(sent.body)))
            self.end_headers()
            self.wfile.write(sent.body[: sent.cut])
            if sent.cut is not None:
                self.wfile.flush()
                linger = struct.pack("ii", 1, 0)  # close with a reset
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.rfile.close()
                self.connection.close()
                self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    speaker.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield speaker
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
