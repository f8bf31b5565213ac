"""Long text in pieces small enough to be ranked fairly: nothing is cut off, nothing overlaps."""

from __future__ import annotations

import regex

_BREAKS = (
    regex.compile(r"\n\s*\n"),
    regex.compile(r"\n"),
    regex.compile(r"(?<=[.!?…])\s+|(?<=[。！？])"),
    regex.compile(r"\s+"),
)


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


def _best_break(text: str, earliest: int, latest: int) -> int:
    for pattern in _BREAKS:
        ends = [match.end() for match in pattern.finditer(text, earliest, latest)]
        if ends:
            return ends[-1]
    return latest
