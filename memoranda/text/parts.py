"""What a message of a chat says, and how the call of a tool reads."""

from __future__ import annotations

import json

from memoranda.errors import InvalidInput


def text_of(content: object) -> tuple[str, int]:
    """What a message says, text or a list of parts, and how many of these are no text."""
    if isinstance(content, str | None):
        return content or "", 0
    if not isinstance(content, list):
        raise InvalidInput(f"the content is neither text nor a list: {json.dumps(content)[:40]}")
    texts = [_text_of_part(part) for part in content]
    return "\n\n".join(filter(None, texts)), texts.count(None)


def _text_of_part(part: object) -> str | None:
    text = part.get("text") if isinstance(part, dict) else part
    return text if isinstance(text, str) else None


def call(name: object, given: object) -> str:
    """How the call of a tool reads: its name, and what it was given as JSON."""
    shown = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return f"{name if isinstance(name, str) else 'a tool'} {shown}"
