"""What a model wrote is held against what was said: it may say it otherwise, and may say no more.

Each check tells why a text is turned away, or None. A `source` is what the text may rest on: the
user's own words in a turn, and for a memory that takes the place of another what that one says.
Nothing here asks a model, and none of it is about what is true: only about what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from datetime import datetime

import regex

from memoranda.formation import homes, telling, words
from memoranda.formation.denial import turned
from memoranda.formation.grounding import ungrounded
from memoranda.formation.said import not_meant
from memoranda.formation.wording import parts, whole_words
from memoranda.text import times
from memoranda.text.instructions import smuggled
from memoranda.text.secrets import secrets
from memoranda.text.stopwords import STOPWORDS
from memoranda.types import Role

__all__ = [
    "BETRAYS",
    "LONGEST",
    "beside",
    "foreign",
    "turned",
    "unfit",
    "ungrounded",
    "unsaid",
    "withheld",
]

LONGEST = 600
"""Characters of a text that a model wrote."""

_SECRET = "it tells a secret"
_WITHHELD = "it tells what was kept from the model"
BETRAYS = frozenset((_SECRET, _WITHHELD))
"""For these reasons a text is not to be kept, not even as one that was turned away."""


def unfit(text: str, *, withheld: Set[str] = frozenset()) -> str | None:
    """Why a text may be no memory, whatever it rests on; it may use no word that is `withheld`."""
    if secrets(text):
        return _SECRET
    if not withheld.isdisjoint(whole_words(text)):
        return _WITHHELD
    if not _WORD.search(text):
        return "it says nothing"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if found := smuggled(text, Role.USER, typed=False):
        return f"it {found[0].why}"
    if _ADDRESSES.search(small := telling.small(text)):
        return "it speaks to the agent"
    language = words.of(text)
    veto = language and not_meant(small, language)
    return f"it is {veto}" if veto else None


def unsaid(
    text: str,
    said: Sequence[str],
    *,
    at: datetime | None,
    names: Iterable[str] = (),
    known: Sequence[str] = (),
    around: Sequence[str] = (),
) -> str | None:
    """What a text says that was not said.

    It may rest on what was `said` at a time, by somebody of these `names`, and on what is `known`;
    from what was said `around` words may come, but neither numbers nor names.
    """
    sources = [*said, *known]
    return (
        ungrounded(text, sources, at=at, names=names)
        or foreign(_timeless(text, at), [*sources, *around])
        or turned(text, said, known)
        or homes.told(text, sources)
    )


_WORD = regex.compile(r"[\p{L}\p{N}]")
_ADDRESSES = regex.compile(
    r"^(?:please,? )?(?:you (?:should|must|need|have|are|will|may|can|shall)|make sure|be sure"
    r"|remember to|ensure (?:that )?you|du (?:sollst|musst)|debes|tienes que|你(?:应该|必须|要|得))"
)


def _timeless(text: str, at: datetime | None) -> str:
    """Without its times, which may be told in words of their own."""
    pieces, reached = [], 0
    for span in times.spans(text, at) if at is not None else ():
        pieces.append(text[reached : span.start])
        reached = span.start + len(span.text)
    return " ".join([*pieces, text[reached:]])


FEWEST_SHARED = 1 / 3
"""Of the words that say something, the share that must have been said."""


def foreign(text: str, sources: Sequence[str]) -> str | None:
    """Whether it has too little in common with its sources to have been drawn from them.

    An example that a model was given comes back from small models when nothing was said.
    """
    told = parts(text)
    if not told:
        return "it says nothing"
    common = told.intersection(set[str]().union(*map(parts, sources)))
    if common and len(common) >= FEWEST_SHARED * len(told):
        return None
    return "it has hardly a word of what was said"


def beside(text: str, sentence: str) -> str | None:
    """Whether it has no word of the very sentence that it is said to tell."""
    return None if parts(text) & parts(sentence) else "it tells nothing of its sentence"


def withheld(hidden: Iterable[str], own: str) -> frozenset[str]:
    """The words that a text can only have from what is hidden."""
    found = frozenset[str]().union(*map(whole_words, hidden))
    return found - whole_words(own) - STOPWORDS
