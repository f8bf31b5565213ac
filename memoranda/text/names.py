"""One name, however it is written: what tells whether two names are the same."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from memoranda.text.words import fold
from memoranda.types import Named

_DOTS = regex.compile(r"(?<!\.)\.++(?=\s)")
_GAPS = regex.compile(r"(?<=[\p{L}\p{N}])[\s_‐‑–-]++(?=[\p{L}\p{N}])|\s++")
_OUTSIDE = " \t\r\n\"'‘’“”«»„‚「」『』《》〈〉()[]{}<>,;:!?。，、；：！？…*`"
_BEFORE = regex.compile(rf"\A(?:[\s{regex.escape(_OUTSIDE)}]|the (?=\S))++")


def key(name: str) -> str:
    """What two ways to write one name have in common.

    Case, width, the Traditional form of a character, hyphens, underscores and spaces, quotes around
    it, a possessive 's and "the" before it make no difference; everything else does. Takes time in
    proportion to the name.
    """
    folded = fold(fold(name).casefold())
    spaced = _GAPS.sub(" ", _DOTS.sub("", folded[: _end(folded)]))
    return _BEFORE.sub("", spaced) or name.strip()


def _end(name: str) -> int:
    """Where a name ends that signs, a possessive 's or a full stop follow."""
    end = len(name)
    while end:
        last = name[end - 1]
        if last in _OUTSIDE or last.isspace():
            end -= 1
        elif name.endswith(("'s", "’s"), 0, end) and name[max(0, end - 3)].isalnum():
            end -= 2
        elif last == "." and not name.endswith("..", 0, end):
            end -= 1
        else:
            break
    return end


def besides(found: Iterable[Named], given: Iterable[str]) -> tuple[Named, ...]:
    """The names found that are not among those given."""
    keys = {key(name) for name in given}
    return tuple(named for named in found if key(named.name) not in keys)
