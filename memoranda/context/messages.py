"""Lists of chat messages as OpenAI and Anthropic have them: checked, and read as turns.

Which of the two a list is follows from what is in it, message by message; what is not known is
left as it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memoranda.context import stub
from memoranda.context.stub import Stub
from memoranda.errors import InvalidInput
from memoranda.text import parts, tokens
from memoranda.types import Role

Message = dict[str, Any]

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
SYSTEM = frozenset(("system", "developer"))
CALLED = frozenset(("tool", "function"))

PER_MESSAGE = 4
"""Tokens that each message takes besides what is in it."""
PER_PICTURE = 1600
"""Tokens that a picture takes, as large ones do with either provider."""

_PICTURES = frozenset(("image", "image_url", "input_image"))
_CALLS = frozenset(("tool_use", "server_tool_use", "mcp_tool_use"))
_THOUGHTS = frozenset(("thinking", "redacted_thinking"))
_NOT_COUNTED = frozenset(("role", "tool_call_id", "tool_calls", "content"))


@dataclass(frozen=True, slots=True)
class Said:
    """A turn that a message holds: words, the call of a tool, or what one returned.

    The last two are told by the name of the tool, and have the id of the call in common.
    """

    role: Role
    content: str
    speaker: str | None = None
    tool: str | None = None
    call: str | None = None

    @property
    def typed(self) -> bool:
        """Whether a user said it."""
        return self.role == Role.USER


@dataclass(frozen=True, slots=True)
class Step:
    """Messages that only go together: a single one, or a call of tools with all its results.

    `others` are so many of its parts that are no text.
    """

    messages: tuple[Message, ...]
    said: tuple[Said, ...]
    tokens: int
    others: int = 0

    @property
    def is_system(self) -> bool:
        return self.messages[0]["role"] in SYSTEM


@dataclass(frozen=True, slots=True)
class Chat:
    """A list of messages, without the stubs for earlier ones, which stand before all that is here.

    `tokens` are those of the list as it came.
    """

    messages: tuple[Message, ...]
    steps: tuple[Step, ...]
    stubs: tuple[Stub, ...]
    tokens: int

    @property
    def said(self) -> tuple[Said, ...]:
        """The turns, those of the system excepted."""
        return tuple(said for step in self.steps for said in step.said)


def read(messages: object) -> Chat:
    """Raises InvalidInput for what is no list of messages, naming the place and what is wrong."""
    given = _checked(messages)
    apart = [_apart(message) for message in given]
    stubs = tuple(found for found, _ in apart if found is not None)
    left = [message for _, message in apart if message is not None]
    try:
        steps = tuple(_steps(left))
        counted = sum(step.tokens for step in steps) + sum(
            cost([message]) - cost([rest] if rest is not None else [])
            for message, (found, rest) in zip(given, apart, strict=True)
            if found is not None
        )
    except (RecursionError, ValueError, TypeError) as error:
        raise InvalidInput(f"messages: what is in them is no JSON: {error}") from error
    return Chat(tuple(given), steps, stubs, counted)


# Whether it is a list of messages -----------------------------------------------------------------


def _checked(messages: object) -> list[Message]:
    if not isinstance(messages, list | tuple):
        raise InvalidInput(f"messages must be a list of messages, not {_kind(messages)}")
    for place, message in enumerate(messages):
        if why := _wrong(message):
            raise InvalidInput(f"messages[{place}]: {why}")
    return list(messages)


def _wrong(message: object) -> str | None:
    """What keeps this from being a message."""
    if not isinstance(message, dict):
        return f"a message is a dict with a role and a content, not {_kind(message)}"
    role, content = message.get("role"), message.get("content")
    if not isinstance(role, str) or role not in ROLES:
        shown = repr(role[:40]) if isinstance(role, str) else _kind(role)
        return f"its role is {shown}: {', '.join(ROLES)} are known"
    if content is None and role != "assistant":
        return "it has no content"
    if content is not None and not isinstance(content, str | list):
        return f"its content is {_kind(content)}, neither text nor a list of parts"
    if role == "tool" and not isinstance(message.get("tool_call_id"), str):
        return "a tool's message needs the tool_call_id that it answers"
    return _wrong_calls(message.get("tool_calls")) or _wrong_parts(content)


def _wrong_calls(calls: object) -> str | None:
    if calls is None:
        return None
    if not isinstance(calls, list):
        return f"its tool_calls are {_kind(calls)}, not a list"
    for place, call in enumerate(calls):
        if not isinstance(call, dict) or not isinstance(call.get("id"), str):
            return f"tool_calls[{place}] is no call with an id"
    return None


def _wrong_parts(content: object) -> str | None:
    for place, part in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            return f"content[{place}] is no part with a type"
        kind = part["type"]
        if kind == "text" and not isinstance(part.get("text"), str):
            return f"content[{place}] is a text without text"
        if kind in _CALLS and not (_is_text(part, "id") and _is_text(part, "name")):
            return f"content[{place}] is a {kind} without id and name"
        if kind == "tool_result":
            if not _is_text(part, "tool_use_id"):
                return f"content[{place}] is a tool_result without the tool_use_id it answers"
            inner = part.get("content")
            if not isinstance(inner, str | list | None):
                return f"content[{place}] is a tool_result that holds {_kind(inner)}"
            if why := _wrong_parts(inner):
                return f"content[{place}].{why}"
    return None


def _is_text(part: Message, name: str) -> bool:
    return isinstance(part.get(name), str)


def _kind(value: object) -> str:
    return "nothing" if value is None else f"a value of the type {type(value).__name__}"


# The stubs of earlier ones ------------------------------------------------------------------------


def _apart(message: Message) -> tuple[Stub | None, Message | None]:
    """The stub that a message begins with, and the message without; None for what is nothing."""
    content = message.get("content")
    if message["role"] != "user":
        return None, message
    if isinstance(content, str):
        found, rest = stub.split(content)
        return found, message if found is None else {**message, "content": rest} if rest else None
    if not isinstance(content, list) or not content or content[0]["type"] != "text":
        return None, message
    found, rest = stub.split(content[0]["text"])
    if found is None:
        return None, message
    left = [*([{**content[0], "text": rest}] if rest else []), *content[1:]]
    return found, {**message, "content": left} if left else None


def text(message: Message) -> str:
    """What a message says."""
    return _words(message)


def with_stub(text: str, message: Message) -> Message:
    """A user's message with a stub before what it says."""
    content = message["content"]
    if isinstance(content, str):
        return {**message, "content": f"{text}\n\n{content}"}
    return {**message, "content": [{"type": "text", "text": text}, *content]}


def takes_stub(message: Message) -> bool:
    """Whether a stub may stand within it: what answers a call must come first."""
    return message["role"] == "user" and not any(True for _ in _answered(message))


# What goes together -------------------------------------------------------------------------------


def _steps(messages: Sequence[Message]) -> Iterator[Step]:
    at = 0
    while at < len(messages):
        end = at + 1
        if messages[at]["role"] == "assistant" and any(True for _ in _called(messages[at])):
            while end < len(messages) and any(True for _ in _answered(messages[end])):
                end += 1
        yield _step(messages[at:end])
        at = end


def _step(messages: Sequence[Message]) -> Step:
    named: dict[str, str] = {}
    said = [each for message in messages for each in _said(message, named)]
    others = sum(_others(message.get("content")) for message in messages)
    return Step(tuple(messages), tuple(said), cost(messages), others)


def _called(message: Message) -> Iterator[tuple[str, str, object]]:
    """The tools that a message calls: the id of each call, the name, and what is given."""
    for call in message.get("tool_calls") or ():
        inner = call.get("function") or call.get("custom")
        inner = inner if isinstance(inner, dict) else {}
        given = inner.get("arguments", inner.get("input", ""))
        yield call["id"], str(inner.get("name", "a tool")), given
    old = message.get("function_call")
    if isinstance(old, dict):
        yield "", str(old.get("name", "a tool")), old.get("arguments", "")
    for part in _parts(message):
        if part["type"] in _CALLS:
            yield part["id"], part["name"], part.get("input")


def _answered(message: Message) -> Iterator[tuple[str, object, str | None]]:
    """The calls that a message answers, what each returned, and of which tool if that is told."""
    if message["role"] in CALLED:
        yield message.get("tool_call_id", ""), message.get("content"), message.get("name")
    for part in _parts(message):
        if part["type"] == "tool_result":
            yield part["tool_use_id"], part.get("content"), None


def _said(message: Message, named: dict[str, str]) -> Iterator[Said]:
    """The turns of a message; `named` learns which call is of which tool."""
    role = message["role"]
    if role in SYSTEM:
        return
    if role not in CALLED and (words := _words(message)).strip():
        yield Said(Role(role), words)
    for id, name, given in _called(message):
        named[id] = name
        yield Said(Role.ASSISTANT, parts.call(name, given), tool=name, call=id)
    for id, content, told in _answered(message):
        tool = named.get(id) or (told if isinstance(told, str) else None)
        text, _ = parts.text_of(content)
        if text.strip():
            yield Said(Role.TOOL, text, speaker=tool, tool=tool or "a tool", call=id)


def _words(message: Message) -> str:
    content = message.get("content")
    if not isinstance(content, list):
        return content or ""
    return parts.text_of([each for each in content if each["type"] not in _THOUGHTS])[0]


def _parts(message: Message) -> Sequence[Message]:
    content = message.get("content")
    return content if isinstance(content, list) else ()


def _others(content: object) -> int:
    """How many parts are neither text nor calls or what these returned."""
    count = 0
    for part in content if isinstance(content, list) else ():
        if part["type"] == "tool_result":
            count += _others(part.get("content"))
        elif part["type"] not in _CALLS | _THOUGHTS and not isinstance(part.get("text"), str):
            count += 1
    return count


# What it takes ------------------------------------------------------------------------------------


def cost(messages: Sequence[Message]) -> int:
    """The tokens of messages: `estimate` of each text and of all else as JSON, pictures a flat sum.

    And PER_MESSAGE for each.
    """
    return sum(PER_MESSAGE + _cost_of(message) for message in messages)


def _cost_of(message: Message) -> int:
    took = _cost_of_content(message.get("content"))
    for _, name, given in _called({**message, "content": None}):
        took += PER_MESSAGE + tokens.estimate(parts.call(name, given))
    more = {name: each for name, each in message.items() if name not in _NOT_COUNTED}
    return took + (_cost_of_json(more) if more else 0)


def _cost_of_content(content: object) -> int:
    if isinstance(content, str | None):
        return tokens.estimate(content or "")
    return sum(map(_cost_of_part, content)) if isinstance(content, list) else 0


def _cost_of_part(part: Message) -> int:
    kind = part["type"]
    if kind in _PICTURES:
        return PER_PICTURE
    if kind == "text":
        more = {name: each for name, each in part.items() if name not in ("type", "text")}
        return 1 + tokens.estimate(part["text"]) + (_cost_of_json(more) if more else 0)
    if kind == "tool_result":
        more = {name: each for name, each in part.items() if name != "content"}
        return _cost_of_json(more) + _cost_of_content(part.get("content"))
    return _cost_of_json(part)


def _cost_of_json(value: object) -> int:
    return tokens.estimate(json.dumps(value, ensure_ascii=False, default=str))
