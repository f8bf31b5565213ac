"""Search by words."""

from __future__ import annotations

import regex

from memoranda.protocols import Words
from memoranda.text.languages import is_english
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
    """Names in a question: capitalised within its sentences, in English, where nothing else is."""
    found = _CAPITALISED.findall(question)
    if not found or not is_english(question):
        return ()
    return tuple(dict.fromkeys(each for each in found if each.lower() not in STOPWORDS))[
        :MOST_NAMES
    ]


def spellings(name: str) -> Words:
    """The ways to write a name, of which a text that names it has one."""
    return Words((name, *words(name).phrases))
