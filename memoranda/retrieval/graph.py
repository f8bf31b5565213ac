"""Search by what texts are about: what a question names."""

from __future__ import annotations

import regex

from memoranda.text.stopwords import STOPWORDS

MOST_NAMES = 64
"""How many names of a question are looked up at most."""

LONGEST_RUN = 4
"""Words, or characters of a script without spaces, that a name of a question has at most."""

READ = 1000
"""Characters of a question that are read."""

_WORD = regex.compile(r"[^\s,;!?()\[\]{}<>\"“”«»]+")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]+")


def names(question: str) -> tuple[str, ...]:
    """What a question may name, in whatever case; which of them are entities the store knows.

    The names that rules find come first, then all runs of words, the longest first, or in a long
    question the shortest.
    """
    from memoranda.text.entities import entities  # its tables take time to make

    question = question[:READ]
    found = dict.fromkeys(named.name for named in entities(question))
    words = [word.rstrip(".:'’") for word in _WORD.findall(question)]
    runs = [
        " ".join(words[start : start + length])
        for length in range(min(LONGEST_RUN, len(words)), 0, -1)
        for start in range(len(words) - length + 1)
        if _may_name(words[start : start + length])
    ]
    for run in _UNSPACED.findall(question):
        runs += [
            run[start : start + length]
            for length in range(LONGEST_RUN, 1, -1)
            for start in range(len(run) - length + 1)
        ]
    if len(runs) > MOST_NAMES:
        runs.sort(key=len)  # a single word is a name more often than a run of them
    found.update(dict.fromkeys(runs))
    return tuple(found)[:MOST_NAMES]


def _may_name(words: list[str]) -> bool:
    """Whether a run of words may be a name: neither end of it is a word without content."""
    first, last = words[0], words[-1]
    return bool(first) and bool(last) and not {first.lower(), last.lower()} & STOPWORDS
