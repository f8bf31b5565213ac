"""The words of a text as they are compared, whatever their form and script."""

from __future__ import annotations

import regex

from memoranda.text.stopwords import STOPWORDS
from memoranda.text.words import fold

MOST_READ = 20_000
"""Characters of a text of which the words are looked at."""
WIDE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
"""Scripts of which words are not told apart by spaces, or not by them alone."""
USER = frozenset(
    """
    user users nutzer nutzers nutzerin usuario usuaria utilisateur utilisatrice utente usuário
    usuária gebruiker
    """.split()
)
"""What a memory calls its user."""
SHORTEST = 4
"""Letters of a word that betrays where it is from; and so many are enough to know a word again."""

_RUN = regex.compile(rf"[{WIDE}]++|[[\p{{L}}\p{{M}}]--[{WIDE}]]++|\p{{N}}++", regex.V1)
_WIDE_RUN = regex.compile(rf"[{WIDE}]")
_FRAME = regex.compile("使用者|用户|用戶|團隊|团队|希望")
_NOT_TELLING = STOPWORDS | USER | frozenset("team project agent".split())


def folded(text: str) -> str:
    """In small letters and Simplified characters."""
    return fold(text).lower()


def stem(word: str) -> str:
    """Enough of a word to know it again in another form."""
    return word[:SHORTEST] if len(word) > SHORTEST else word.removesuffix("s")


def parts(text: str) -> frozenset[str]:
    """What a text says, in pieces: stems, numbers, and pairs of characters of a wide script."""
    found: set[str] = set()
    for run in _RUN.findall(_FRAME.sub(" ", folded(text[:MOST_READ]))):
        if _WIDE_RUN.match(run):
            found |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
        elif run not in _NOT_TELLING:
            found.add(stem(run))
    return frozenset(found)


def whole_words(text: str) -> frozenset[str]:
    """Its longer words and its numbers, with the pairs of characters of a wide script."""
    found: set[str] = set()
    for run in _RUN.findall(folded(text[:MOST_READ])):
        if _WIDE_RUN.match(run):
            found |= {run[at : at + 2] for at in range(len(run) - 1)}
        elif len(run) >= SHORTEST or run.isdigit():
            found.add(run)
    return frozenset(found)
