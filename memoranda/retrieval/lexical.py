"""Search by words."""

from __future__ import annotations

from memoranda.protocols import Words
from memoranda.text.words import alternatives


def words(question: str) -> Words:
    """What to look up for a question; any text is one."""
    phrases, prefixes = alternatives(question)
    return Words(tuple(phrases), tuple(prefixes))
