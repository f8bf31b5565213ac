"""Whether a text asks, and how much of it does."""

from __future__ import annotations

import regex

_MARKS = ("?", "？")
_END = regex.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


def asks(text: str) -> bool:
    """Whether a text ends with a question."""
    return text.rstrip().endswith(_MARKS)


def share(text: str) -> float:
    """How much of a text, of its characters, is in sentences that end in a question mark."""
    if not any(mark in text for mark in _MARKS):
        return 0.0
    sentences = [each.strip() for each in _END.split(text)]
    asked = sum(len(each) for each in sentences if each.endswith(_MARKS))
    return asked / max(1, sum(map(len, sentences)))
