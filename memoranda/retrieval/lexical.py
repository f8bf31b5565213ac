"""Search by words."""

from __future__ import annotations

import regex

from memoranda.protocols import Words
from memoranda.text.languages import is_english
from memoranda.text.numbered import numbered
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.words import alternatives


def words(question: str) -> Words:
    """What to look up for a question; any text is one."""
    phrases, prefixes = alternatives(question)
    return Words(tuple(phrases), tuple(prefixes))


MOST_NAMES = 4
"""How many names of a question are asked for one by one."""

_CAPITALISED = regex.compile(r"(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}{2,}")


def names(question: str) -> tuple[str, ...]:
    """Names in a question: those with a number, as web-03 and Room 103, and what is capitalised.

    A capital tells one within the sentences of English, where nothing else has it.
    """
    found = [each.name for each in numbered(question)]
    rest = _without(question, found)
    capitalised = _CAPITALISED.findall(rest)
    if capitalised and is_english(question):
        found += [each for each in capitalised if each.lower() not in STOPWORDS]
    return tuple(dict.fromkeys(found))[:MOST_NAMES]


def _without(question: str, names: list[str]) -> str:
    for name in names:
        question = question.replace(name, "")
    return question


def spellings(name: str) -> Words:
    """The ways to write a name, of which a text that names it has one."""
    for each in numbered(name):
        return Words(each.spellings)
    return Words((name, *words(name).phrases))
