"""One name, however it is written: what tells whether two names are the same."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from memoranda.text.words import fold
from memoranda.types import Named

_GAPS = regex.compile(r"(?<=[\p{L}\p{N}])[\s_‐‑–-]+(?=[\p{L}\p{N}])|\.?\s+")
_OUTSIDE = " \t\r\n\"'‘’“”«»„‚「」『』《》〈〉()[]{}<>,;:!?。，、；：！？…*`"
_POSSESSIVE = regex.compile(r"(?<=[\p{L}\p{N}])(?:['’]s)+$")
_ARTICLE = regex.compile(r"^(?:the )+(?=\S)")


def key(name: str) -> str:
    """What two ways to write one name have in common.

    Case, width, the Traditional form of a character, hyphens, underscores and spaces, quotes around
    it, a possessive 's and "the" before it make no difference; everything else does.
    """
    folded = fold(fold(name).casefold())
    while True:
        bare = _POSSESSIVE.sub("", folded.strip(_OUTSIDE))
        if bare.endswith(".") and not bare.endswith(".."):
            bare = bare[:-1]
        bare = _ARTICLE.sub("", _GAPS.sub(" ", bare))
        if bare == folded:
            break
        folded = bare
    return folded or name.strip()


def besides(found: Iterable[Named], given: Iterable[str]) -> tuple[Named, ...]:
    """The names found that are not among those given."""
    keys = {key(name) for name in given}
    return tuple(named for named in found if key(named.name) not in keys)
