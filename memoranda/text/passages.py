"""Long text in pieces small enough to be ranked fairly: nothing is cut off, nothing overlaps."""

from __future__ import annotations

from datetime import datetime

import regex

from memoranda.text.words import spoken_terms, terms

_BREAKS = (
    regex.compile(r"\n\s*\n"),
    regex.compile(r"\n"),
    regex.compile(r"(?<=[.!?…])\s+|(?<=[。！？])"),
    regex.compile(r"\s+"),
)

_WORD_END = regex.compile(r"[\p{L}\p{M}\p{N}]+$")
_WORD_START = regex.compile(r"[\p{L}\p{M}\p{N}]+")
LONGEST_SEVERED = 32
"""Characters on either side of a break that are joined again for search."""


def split(text: str, size: int) -> list[tuple[int, str]]:
    """Consecutive pieces of at most `size` characters, each with its offset.

    Joined, they are `text`. A piece ends at a paragraph, a line, a sentence or a word, in that
    order of preference, provided that leaves it at least half full.
    """
    pieces: list[tuple[int, str]] = []
    start = 0
    while len(text) - start > size:
        end = _best_break(text, start + size // 2, start + size)
        pieces.append((start, text[start:end]))
        start = end
    pieces.append((start, text[start:]))
    return pieces


def passage_terms(
    whole: str, start: int, text: str, speaker: str | None, said: datetime | None
) -> str:
    """What the index needs beside the passage of a turn that begins at `start`, to find it.

    With the word that its end goes through.
    """
    parted = severed(whole, start + len(text))
    return " ".join(filter(None, (spoken_terms(text, speaker, said), parted, terms(parted))))


def _best_break(text: str, earliest: int, latest: int) -> int:
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest, latest)]
        if ends:
            return ends[-1]
    return latest


def severed(text: str, at: int) -> str:
    """The word that a break at `at` goes through, whole but for its far ends; else empty."""
    before = _WORD_END.search(text, max(0, at - LONGEST_SEVERED), at)
    after = _WORD_START.match(text, at, at + LONGEST_SEVERED)
    return before.group() + after.group() if before and after else ""
