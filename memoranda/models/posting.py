"""One request to a server, answered in time as a whole or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memoranda.errors import InvalidSettings

if TYPE_CHECKING:
    import ssl

    import httpx2

LONGEST = 1 << 28
"""Bytes of an answer that are read, unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answered. The names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class NoReply(Exception):
    """There is no answer, or not the whole of it: `body` is what came."""

    def __init__(self, reason: str, body: bytes = b"") -> None:
        super().__init__(reason)
        self.body = body


class Unreachable(NoReply):
    """Nobody is there, or the connection broke."""


class Silent(NoReply):
    """Somebody may be there and does not answer in time."""


class Overlong(NoReply):
    """The answer goes on and on."""


class Unaddressed(NoReply):
    """No request can be made to this address."""


def post(
    url: str,
    content: bytes,
    *,
    headers: Mapping[str, str],
    timeout: float,
    longest: int = LONGEST,
) -> Reply:
    """The answer to a JSON document; a redirect is one, too. Raises NoReply.

    The client bounds each single wait, not their sum, and the search for the host's address not at
    all; so a thread asks. Whoever waits for it breaks the connection when time is up or when a
    person stops the program: the thread ends, and the server learns that nobody listens.
    """
    _trusted()  # what is loaded once is not of this request's time
    request = _Request(url, content, {**headers, "Content-Type": "application/json"}, longest)
    Thread(target=request.run, args=(timeout,), daemon=True).start()
    try:
        return request.reply.result(timeout)
    except TimeoutError as error:
        raise Silent(f"gives no answer in {timeout:g} seconds", request.received) from error
    finally:
        request.abandon()


class _Request:
    def __init__(self, url: str, content: bytes, headers: dict[str, str], longest: int) -> None:
        self.reply: Future[Reply] = Future()
        self._url = url
        self._content = content
        self._headers = headers
        self._longest = longest
        self._abandoned = False
        self._stream: Any = None
        self._pieces: list[bytes] = []

    @property
    def received(self) -> bytes:
        return b"".join(self._pieces)

    def run(self, timeout: float) -> None:
        try:
            self.reply.set_result(self._answered(timeout))
        except BaseException as error:  # noqa: BLE001  whoever waits raises it
            self.reply.set_exception(error)

    def abandon(self) -> None:
        """Break the connection if there is one, and let none be used that is still to come."""
        self._abandoned = True
        socket = self._stream and self._stream.get_extra_info("socket")
        if socket and not self.reply.done():
            import socket as sockets

            with suppress(OSError):  # it is closed already
                socket.shutdown(sockets.SHUT_RDWR)

    def _answered(self, timeout: float) -> Reply:
        import httpx2

        try:
            with (
                httpx2.Client(headers=self._headers, timeout=timeout, verify=_trusted()) as client,
                client.stream(
                    "POST", self._url, content=self._content, extensions={"trace": self._trace}
                ) as answer,
            ):
                self._read(answer)
                headers = {name.lower(): value for name, value in answer.headers.items()}
                return Reply(answer.status_code, headers, self.received)
        except httpx2.TimeoutException as error:
            raise Silent(f"gives no answer in {timeout:g} seconds", self.received) from error
        except (
            httpx2.InvalidURL,
            httpx2.UnsupportedProtocol,
            httpx2.LocalProtocolError,
            ValueError,  # such as a proxy in the environment that is none
        ) as error:
            raise Unaddressed(f"cannot be asked: {error}") from error
        except (httpx2.HTTPError, OSError) as error:
            reason = str(error) or type(error).__name__
            raise Unreachable(f"cannot be reached ({reason})", self.received) from error

    def _read(self, answer: httpx2.Response) -> None:
        length = 0
        for piece in answer.iter_bytes():
            length += len(piece)
            self._pieces.append(piece)
            if length > self._longest:
                raise Overlong(f"answers more than {self._longest:,} bytes", self.received)

    def _trace(self, event: str, told: Mapping[str, Any]) -> None:
        """Called by the client at each step; what it raises ends the request."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = told["return_value"]
        if self._abandoned:
            raise OSError("nobody waits any more")


@cache
def _trusted() -> ssl.SSLContext:
    """Who is trusted, read once: it takes longer than a request on this machine."""
    import httpx2

    return httpx2.create_ssl_context()


def host_of(url: str, option: str) -> str:
    """Who is behind an address, as the setting `option` has it. Raises InvalidSettings."""
    try:
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname:
            return parts.netloc.rpartition("@")[2]
    except ValueError:  # such as a bracket that is not closed
        pass
    shown = url.rpartition("@")[2]  # what is before it may be a password
    raise InvalidSettings(f"{option} {shown!r} is no address like http://nas:11434/v1")


def checked_key(key: str, option: str) -> str:
    """A key that a header can hold. Raises InvalidSettings."""
    if key.isascii() and (key.isprintable() or not key):
        return key
    raise InvalidSettings(f"{option} holds characters that no request can")
