"""Whether an answer used a memory, and whether a question was about it, as far as words tell.

What a memory says that the question did not, is what an answer can only have from there: its names,
numbers and codes, or else most of its other words.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

from memoranda.text.stopwords import STOPWORDS

LONGEST = 20_000
"""Characters of a text that are looked at."""

ABOUT = 0.5
"""A question that has this share of the words of a memory is about it."""

LEAST_ABOUT = 2
"""So many words at least."""

_TOKEN = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]"
    r"|[\p{L}\p{M}\p{N}]+(?:[.:/_@+-][\p{L}\p{M}\p{N}]+)*"
)
_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
_SUBJECTS = frozenset(
    "user users user's the they nutzer nutzerin usuario usuaria 用 户 戶 使 者".split()
)
"""Whom nearly every memory tells of."""


@dataclass(frozen=True, slots=True)
class Words:
    """What tells in a text: names, numbers and codes, and its other words, each in one form."""

    telling: frozenset[str]
    plain: frozenset[str]
    all: frozenset[str]


def words_of(text: str) -> Words:
    telling, plain = set[str](), set[str]()
    begins = True
    for found in _TOKEN.finditer(text, endpos=LONGEST):
        word = found.group()
        small = word.lower()
        if small not in STOPWORDS and small not in _SUBJECTS:
            (telling if _is_telling(word, begins=begins) else plain).add(_stem(small))
        begins = text.startswith((". ", "! ", "? ", "\n"), found.end())
    return Words(frozenset(telling), frozenset(plain), frozenset(telling | plain))


def is_used(memory: Words, *, question: Words, reply: Words) -> bool:
    """Whether a reply says what the memory does and the question did not."""
    if telling := memory.telling - question.all:
        return not telling.isdisjoint(reply.all)
    plain = memory.plain - question.all
    return bool(plain) and len(plain & reply.all) >= (len(plain) + 1) // 2


def is_about(memory: Words, question: Words) -> bool:
    """Whether a question has enough of the words of a memory to be about it, and not all.

    One of the names in the question, if it has any; and all but the names and numbers that it may
    ask for, or two of all words and half of them. Who says all that the memory does has no need.
    """
    if memory.all <= question.all:
        return False
    if question.telling and memory.all.isdisjoint(question.telling):
        return False
    if memory.plain and memory.plain <= question.all:
        return True
    return len(memory.all & question.all) >= max(LEAST_ABOUT, ABOUT * len(memory.all))


def _is_telling(word: str, *, begins: bool) -> bool:
    """Whether it is a name, a number or a code; a capital that begins a sentence tells nothing."""
    if any(each.isdigit() or each in ".:/_@+" for each in word):
        return True
    return not begins and not _WIDE.match(word) and word != word.lower()


def _stem(word: str) -> str:
    """One form for lives, living and lived; what is no English word stays as it is."""
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            stem = word[: -len(ending)]
            return stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem
    return word[:-1] if word.endswith("e") else word
