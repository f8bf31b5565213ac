"""The two forms in which language models are asked over HTTP, and in which they answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol
from urllib.parse import urlsplit

from memoranda.answers import Message, Mode, Outcome, Tokens
from memoranda.models.schemas import Form, bounds_in
from memoranda.types import Role

TEMPERATURE = 0.0
"""Of several answers the likeliest, the same one the next time."""

ENDED = {
    "length": Outcome.TRUNCATED,
    "max_tokens": Outcome.TRUNCATED,
    "model_context_window_exceeded": Outcome.TRUNCATED,
    "content_filter": Outcome.REFUSED,
    "refusal": Outcome.REFUSED,
    "error": Outcome.SERVER_ERROR,
}
"""What an end means; whatever else it is called, the answer is whole."""

NO_ROOM = frozenset(("length", "max_tokens"))
"""The ends after which more room helps."""

STRUCTURE = ("response_format", "output_config", "json_schema", "json_object")
"""Names of which one occurs in a complaint about how an answer is held to its schema."""

OVERFULL = (
    "context_length_exceeded",
    "exceed_context_size",
    "maximum context length",
    "prompt is too long",
    "exceed context limit",
)
FILTERED = ("content_filter", "content_policy_violation")
GARBLED = "json_validate_failed"
"""The model wrote no JSON, and the endpoint keeps it to itself."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What an endpoint takes, as far as is known.

    `bounds` may stand in a schema. `limit` is what the most tokens are called.
    """

    mode: Mode = Mode.JSON_SCHEMA
    bounds: bool = True
    temperature: bool = True
    limit: str = "max_tokens"


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote and how it ended. `outcome` is None when it can be read."""

    text: str
    finish: str | None
    tokens: Tokens
    id: str | None
    outcome: Outcome | None = None
    error: str = ""


class Wire(Protocol):
    """How an endpoint is asked. Reading a wrong document raises WRONG.

    `root` is what an address ends in before the path, said or unsaid.
    """

    root: str
    path: str
    first: Dialect
    modes: Sequence[Mode]

    def headers(self, key: str) -> dict[str, str]: ...

    def document(
        self, model: str, messages: Sequence[Message], form: Form[Any], room: int, dialect: Dialect
    ) -> dict[str, Any]: ...

    def completion(self, document: Any) -> Completion: ...


WRONG = (KeyError, IndexError, TypeError, ValueError, AttributeError)
"""What a document raises that is not what it should be."""


class OpenAI:
    """Chat completions, as almost every server and provider has them."""

    root = ""
    path = "/chat/completions"
    first = Dialect()
    modes: Sequence[Mode] = (Mode.JSON_SCHEMA, Mode.JSON_OBJECT, Mode.PROMPT)

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def document(
        self, model: str, messages: Sequence[Message], form: Form[Any], room: int, dialect: Dialect
    ) -> dict[str, Any]:
        made: dict[str, Any] = {"model": model, "messages": list(map(_plain, messages))}
        made[dialect.limit] = room
        if dialect.temperature:
            made["temperature"] = TEMPERATURE
        if dialect.mode is Mode.JSON_SCHEMA:
            schema = form.bounded(dialect.bounds)
            held = {"name": form.name, "strict": True, "schema": schema}
            made["response_format"] = {"type": "json_schema", "json_schema": held}
        elif dialect.mode is Mode.JSON_OBJECT:
            made["response_format"] = {"type": "json_object"}
        return made

    def completion(self, document: Any) -> Completion:
        choice = document["choices"][0]
        message = choice.get("message") or {}
        finish = _text(choice.get("finish_reason"))
        refusal = _text(message.get("refusal"))
        failed = choice.get("error")
        outcome = ENDED.get((finish or "").lower())
        if refusal:
            outcome = Outcome.REFUSED
        elif failed:
            outcome = Outcome.SERVER_ERROR
        return Completion(
            _joined(message.get("content")),
            finish,
            _openai_tokens(document.get("usage")),
            _text(document.get("id")),
            outcome,
            refusal or (complaint(failed) if failed else ""),
        )


class Anthropic:
    """Messages, as Anthropic and some others have them."""

    root = "/v1"
    path = "/messages"
    first = Dialect(bounds=False)
    modes: Sequence[Mode] = (Mode.JSON_SCHEMA, Mode.PROMPT)

    def headers(self, key: str) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01"} | ({"x-api-key": key} if key else {})

    def document(
        self, model: str, messages: Sequence[Message], form: Form[Any], room: int, dialect: Dialect
    ) -> dict[str, Any]:
        spoken = [_plain(each) for each in messages if each.role is not Role.SYSTEM]
        made: dict[str, Any] = {"model": model, "max_tokens": room, "messages": spoken}
        system = "\n\n".join(each.content for each in messages if each.role is Role.SYSTEM)
        if system:  # the part that stays the same, which is cached on demand only
            cached = {"cache_control": {"type": "ephemeral"}}
            made["system"] = [{"type": "text", "text": system, **cached}]
        if dialect.temperature:
            made["temperature"] = TEMPERATURE
        if dialect.mode is Mode.JSON_SCHEMA:
            schema = form.bounded(dialect.bounds)
            made["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return made

    def completion(self, document: Any) -> Completion:
        finish = _text(document.get("stop_reason"))
        details = document.get("stop_details")
        outcome = ENDED.get((finish or "").lower())
        return Completion(
            _joined(document["content"]),
            finish,
            _anthropic_tokens(document.get("usage")),
            _text(document.get("id")),
            outcome,
            complaint(details) if outcome is Outcome.REFUSED else "",
        )


WIRES: Mapping[str, Wire] = {"openai": OpenAI(), "anthropic": Anthropic()}


def wire_of(url: str) -> str:
    """The wire that an address speaks, as far as it tells."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    segments = parts.path.lower().split("/")
    anthropic = host == "anthropic.com" or host.endswith(".anthropic.com")
    return "anthropic" if anthropic or {"anthropic", "messages"} & set(segments) else "openai"


def address(url: str, wire: Wire) -> str:
    """Where to ask, given the address that ends before the wire's own path, or with it."""
    base = url.rstrip("/").removesuffix(wire.path)
    return base.removesuffix(wire.root) + wire.root + wire.path


def humbler(
    dialect: Dialect, modes: Sequence[Mode], form: Form[Any], status: int | None, told: str
) -> Dialect | None:
    """What to try after an endpoint refused a question, or None when it was not for its form.

    `told` is its complaint. A server may also fail at what it does not know, and name it.
    """
    structural = any(name in told for name in STRUCTURE)
    if status not in (400, 422) and not (status and status >= 500 and structural):
        return None
    bounds = bounds_in(form.schema) if dialect.mode is Mode.JSON_SCHEMA and dialect.bounds else ()
    if any(re.search(rf"\b{name}\b", told) for name in bounds):
        return replace(dialect, bounds=False)
    if not structural:
        if dialect.limit == "max_tokens" and "max_completion_tokens" in told:
            return replace(dialect, limit="max_completion_tokens")
        if dialect.temperature and "temperature" in told:
            return replace(dialect, temperature=False)
    rest = modes[modes.index(dialect.mode) + 1 :]
    return replace(dialect, mode=rest[0]) if rest else None


def turned_away(status: int, told: str) -> Outcome:
    """What a status other than 200 means."""
    if status == 429:
        return Outcome.RATE_LIMITED
    if status in (400, 413, 422, 500) and any(each in told for each in OVERFULL):
        return Outcome.TRUNCATED
    if status == 400 and any(each in told for each in FILTERED):
        return Outcome.REFUSED
    if status == 400 and GARBLED in told:
        return Outcome.UNPARSEABLE
    if status in (408, 425) or status >= 500:
        return Outcome.SERVER_ERROR
    return Outcome.CLIENT_ERROR


def failed_within(document: Any) -> int | None:
    """The status of a failure that a router tells in an answer of 200; None when it does not."""
    if not isinstance(document, Mapping) or not (error := document.get("error")):
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    return code if type(code) is int and 400 <= code < 600 else 500


def complaint(document: Any) -> str:
    """The sentence in a complaint, wherever in it that stands."""
    for _ in range(3):
        if not isinstance(document, Mapping):
            break
        document = next(
            (document[name] for name in ("error", "message", "detail", "explanation", "type")
             if document.get(name)),
            "",
        )  # fmt: skip
    return document if isinstance(document, str) else ""


def _plain(message: Message) -> dict[str, str]:
    return {"role": message.role.value, "content": message.content}


def _joined(content: Any) -> str:
    """The text of a message, which may come in parts, of which some are thoughts."""
    if isinstance(content, list):
        parts = [each for each in content if each.get("type") == "text"]
        return "".join(_text(each.get("text")) or "" for each in parts)
    if content is not None and not isinstance(content, str):
        raise TypeError("a message that is no text")
    return content or ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _openai_tokens(usage: Any) -> Tokens:
    return Tokens(
        prompt=_count(usage, "prompt_tokens"),
        cached=_count(usage, "prompt_tokens_details", "cached_tokens"),
        completion=_count(usage, "completion_tokens"),
        reasoning=_count(usage, "completion_tokens_details", "reasoning_tokens"),
    )


def _anthropic_tokens(usage: Any) -> Tokens:
    """What was read from the cache or written to it is left out of the input there, not here."""
    cached = _count(usage, "cache_read_input_tokens")
    written = _count(usage, "cache_creation_input_tokens") or 0
    fresh = _count(usage, "input_tokens")
    return Tokens(
        prompt=None if fresh is None else fresh + (cached or 0) + written,
        cached=cached,
        completion=_count(usage, "output_tokens"),
        reasoning=_count(usage, "output_tokens_details", "thinking_tokens"),
    )


def _count(document: Any, *path: str) -> int | None:
    for name in path:
        document = document.get(name) if isinstance(document, Mapping) else None
    return document if type(document) is int and document >= 0 else None
