"""Topics are few, broad and stable: one way to write a topic, and which two are the same one.

What is close is judged by the letters alone, and rather too strictly: two topics that should be one
are offered for merging, but one that swallows another is a memory under a wrong name. Digits tell
things apart (v1 and v2), so do short words (cat and car) and prefixes (typed and untyped).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_SEPARATORS = re.compile(r"[\s_\-‐‑‒–—―−]+")
_BEFORE = " -'\"“”‘’«»„([{<,;:!?…·*/\\#@、。，；：！？「」『』（）【】《》"
_AFTER = " -'\"“”‘’«»„)]}>.,;:!?…·*/\\@、。，；：！？「」『』（）【】《》"  # C# and C++ keep theirs
_DIGITS = re.compile(r"\d+")

_SAME_IN_PLURAL = frozenset(
    """alias atlas bias canvas centos chaos christmas cosmos gas https ios kudos lens
    macos news nixos pandas postgres rails sales series species texas windows""".split()
)
_PREFIXES = """a ante anti de dis down en ex hyper hypo il im in infra inter intra ir macro micro
    mis mono multi non off on out over poly post pre pro re sub super trans un under up""".split()

_Key = tuple[object, ...]

SHORTEST_MISSPELT = 6
"""A shorter word with another letter is another word."""

LONGEST_MISSPELT = 64
"""In a longer topic no slip is looked for: it is a sentence."""

SURE_LENGTH = 9
"""From here on any one slip is taken for one; before, only those that seldom make another word."""


def normalised(topic: str) -> str:
    """A topic as it is kept: NFKC, small, with hyphens between words, bare of punctuation around.

    Empty when nothing is left.
    """
    text = unicodedata.normalize("NFKC", topic)
    text = unicodedata.normalize("NFKC", text.lower())
    return _SEPARATORS.sub("-", text).lstrip(_BEFORE).rstrip(_AFTER)


class Topics:
    """Topics in an order of preference, of which the one close to another is found at once."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._exact: dict[str, str] = {}
        self._alike: dict[_Key, str] = {}
        self._misspelt: dict[str, list[_Kept]] = {}
        self._names: list[str] = []
        for topic in first:
            self.add(topic)

    def add(self, topic: str) -> None:
        """Let `topic` be found from now on, after those there are."""
        name = normalised(topic)
        for key in (topic, name):
            self._exact.setdefault(key, topic)
        for spelling in _spellings(name):
            self._alike.setdefault(spelling, topic)
        words = _words(name)
        kept = _Kept(len(self._names), topic, words)
        self._names.append(topic)
        for key in _misspellings(words):
            self._misspelt.setdefault(key, []).append(kept)

    def are(self, topics: Iterable[str]) -> bool:
        """Whether these are the topics, in any order."""
        return set(self._names) == set(topics)

    def same(self, topic: str) -> str | None:
        """The one of these that `topic` is another spelling of, the first if several; or itself."""
        name = normalised(topic)
        for exact in (topic, name):
            if exact in self._exact:
                return self._exact[exact]
        for spelling in _spellings(name):
            if spelling in self._alike:
                return self._alike[spelling]
        return None

    def closest(self, topic: str) -> str | None:
        """The same, or the one that differs by what may be a slip, or may make another word."""
        same = self.same(topic)
        if same is not None:
            return same
        words = _words(normalised(topic))
        found = {kept for key in _misspellings(words) for kept in self._misspelt.get(key, ())}
        return next(
            (kept.topic for kept in sorted(found) if _are_misspelt(words, kept.words)), None
        )


class _Kept(NamedTuple):
    """A topic, and which one it is in the order of preference."""

    place: int
    topic: str
    words: tuple[str, ...]


def _words(name: str) -> tuple[str, ...]:
    return tuple(map(_stem, name.split("-")))


def _spellings(name: str) -> Iterable[_Key]:
    """What is equal for topics that differ in hyphens, or in the order of their words."""
    digits = tuple(_DIGITS.findall(name))
    words = _words(name)
    yield ("joined", "".join(words), digits)
    yield ("joined", _stem(name.replace("-", "")), digits)  # back-ups: alone, ups is no plural
    yield ("bare", name.replace("-", ""), digits)
    yield ("sorted", tuple(sorted(words)), digits)


def _stem(word: str) -> str:
    """One form for the singular and the plural, and for British and American spelling.

    It need not be a word itself.
    """
    return _american(_singular(word))


def _singular(word: str) -> str:
    if word == "apis":
        return "api"
    if word in _SAME_IN_PLURAL or not word.isascii():
        return word
    if len(word) > 4 and word.endswith(("ies", "ie")):
        return word.removesuffix("s")[:-2] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith(("che", "she", "sse", "se", "xe", "ze")):
        return word[:-1]
    return word


def _american(word: str) -> str:
    if not word.isascii() or len(word) < 5:
        return {"grey": "gray", "tyre": "tire"}.get(word, word)
    word = re.sub(r"is(e|ed|er|ing|ation|)$", r"iz\1", word) if len(word) > 6 else word
    word = re.sub(r"ys(e|ed|er|ing|)$", r"yz\1", word) if len(word) > 5 else word
    word = re.sub(r"(?<=..)our", "or", word) if len(word) > 5 else word
    word = re.sub(r"ll(ed|er|ing)$", r"l\1", word) if len(word) > 7 else word
    for british, american in (("tre", "ter"), ("logue", "log"), ("ence", "ens"), ("ramme", "ram")):
        if word.endswith(british):
            return word.removesuffix(british) + american
    return word


def _misspellings(words: tuple[str, ...]) -> Iterator[str]:
    """The words as one text, whole and without any one letter inside of those that may hold a slip.

    Two topics that are one slip apart have one of these in common, and few others do.
    """
    text = "-".join(words)
    if len(text) > LONGEST_MISSPELT:
        return
    yield text
    start = 0
    for word in words:
        if len(word) >= SHORTEST_MISSPELT and _is_spelt(word):
            for at in range(start + 1, start + len(word) - 1):
                yield text[:at] + text[at + 1 :]
        start += len(word) + 1


def _are_misspelt(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether the same words stand there but for one slip in one of them."""
    differing = [(one, other) for one, other in zip(words, others, strict=True) if one != other]
    return len(differing) == 1 and _is_slip(*differing[0]) and not _are_opposites(*differing[0])


def _is_slip(one: str, other: str) -> bool:
    """Whether two words differ in one letter, or in the order of two, between first and last."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or len(short) < SHORTEST_MISSPELT:
        return False
    start = next((at for at in range(len(short)) if short[at] != long[at]), len(short))
    rest, longer_rest = short[start:], long[start:]
    sure = len(long) >= SURE_LENGTH
    if len(short) < len(long):
        return rest == longer_rest[1:] and (sure or _is_seldom_meant(long, start))
    swapped = rest[1::-1] == longer_rest[:2] and rest[2:] == longer_rest[2:]
    return swapped or (sure and rest[1:] == longer_rest[1:])


def _is_seldom_meant(word: str, at: int) -> bool:
    """Whether leaving a letter out seldom makes another word; it does in contract and planning."""
    doubled = word[at] == word[at - 1] and not word.endswith(("ing", "ed", "er"))
    return doubled or word[at] in "aeiou"


def _is_spelt(text: str) -> bool:
    """Whether it is letters of an alphabet; in other scripts each is a syllable or a word."""
    return text.isalpha() and all(
        unicodedata.name(letter, "").startswith(("LATIN", "CYRILLIC", "GREEK")) for letter in text
    )


def _are_opposites(one: str, other: str) -> bool:
    """Whether two words have different prefixes and the rest in common, as micro and macro."""
    return not _without_prefix(one).isdisjoint(_without_prefix(other))


def _without_prefix(word: str) -> set[str]:
    return {word[len(prefix) :] for prefix in _PREFIXES if word.startswith(prefix)}
