"""Whether two texts say the same, so that one place is enough for both."""

from __future__ import annotations

import regex

from memoranda.text.stopwords import STOPWORDS

MUCH_ALIKE = 0.8
"""What share of the words of the longer text the shorter one has, to be a repetition."""

LONGEST = 2000
"""Characters that are compared; texts that are the same so far are taken to be the same."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NEGATIONS = frozenset("no not nor never don isn t cannot without".split())


def words_of(text: str) -> frozenset[str]:
    """The words with content; a capital makes another word of it, unless it begins the text."""
    words = _WORD.findall(text, endpos=LONGEST)
    return frozenset(
        word.lower() if word.istitle() and place == 0 else word
        for place, word in enumerate(words)
        if (small := word.lower()) not in STOPWORDS or small in _NEGATIONS
    )


def repeats(words: frozenset[str], others: frozenset[str]) -> bool:
    """Whether one of two texts of these words says all that the other does, and hardly more.

    A name, a number or a negation more is never the same: Room 101 is not Room 102.
    """
    fewer, more = (words, others) if len(words) <= len(others) else (others, words)
    if not fewer or len(fewer) < MUCH_ALIKE * len(more) or not fewer <= more:
        return False
    return all(_says_nothing_new(word) for word in more - fewer)


def _says_nothing_new(word: str) -> bool:
    return word.islower() and word.isalpha() and word not in _NEGATIONS
