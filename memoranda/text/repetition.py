"""Whether two texts say the same, so that one place is enough for both."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from memoranda.text.stopwords import STOPWORDS

MUCH_ALIKE = 0.8
"""What share of the words of the longer text the shorter one has, to be a repetition."""

MOST_FORMS = 3
"""So many words may be in another form: is working and living, works and lives."""

LONGEST = 2000
"""Characters that are compared; texts that are the same so far are taken to be the same."""

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_TELLING = frozenset(
    """no not nor never don isn t cannot without from before after over under off up down was were
    had will would did could should might more less only all some any if until since""".split()
)
"""Words that tell little by themselves and change what is said: whether, when and which way."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a text that tell something, and its names and numbers in their order.

    A capital makes another word of it, unless it begins the text.
    """

    words: frozenset[str]
    names: tuple[str, ...]


def words_of(text: str) -> Wording:
    found = _WORD.findall(text, endpos=LONGEST)
    words = [
        word.lower() if word.istitle() and place == 0 else word
        for place, word in enumerate(found)
        if (small := word.lower()) not in STOPWORDS or small in _TELLING
    ]
    return Wording(frozenset(words), tuple(word for word in words if not _is_plain(word)))


def repeats(one: Wording, other: Wording) -> bool:
    """Whether one of two texts of these words says all that the other does, and hardly more.

    A name, a number or a negation more is never the same (Room 101 is not Room 102), nor are the
    same names in another order: what Bob owes Anna she does not owe him.
    """
    fewer, more = sorted((one.words, other.words), key=len)
    if not fewer or one.names != other.names:
        return False
    if len(fewer) >= MUCH_ALIKE * len(more) and fewer <= more:
        return all(_is_plain(word) and word not in _TELLING for word in more - fewer)
    left, right = fewer - more, more - fewer
    if len(left) != len(right) or len(left) > MOST_FORMS:
        return False
    return set(map(_present, left)) == set(map(_present, right))


def _is_plain(word: str) -> bool:
    return word.islower() and word.isalpha()


_ING = regex.compile(r"([a-z]*[aeiouy][a-z]*?)(?:([b-df-hj-np-tv-z])\2)?ing")


def _present(word: str) -> str:
    """One form for what somebody does and is doing, as in lives and living; not for did."""
    doing = _ING.fullmatch(word)
    if doing and len(word) > 4:
        return f"{doing[1]}{doing[2] or ''}+"
    if len(word) > 3 and word.isascii() and word.islower() and word.endswith("s"):
        stem = word[:-2] if word.endswith("es") else word[:-1]
        doubled = len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "aeiou"
        return f"{stem[:-1] if doubled else stem}+"
    return word
