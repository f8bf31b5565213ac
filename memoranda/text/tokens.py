"""How many tokens a text takes in a prompt, without a model's own tokeniser.

A byte-pair encoding gives a frequent word one token and a rare one several. What is rare shows in
its letters (z, j and k in what is not English), its length and its script. So every character,
every word and every run of punctuation has a cost, measured against the vocabulary of Qwen 2.5 and
3, and set a little above: a budget may not be exceeded. docs/decisions/0014 has the figures. Costs
are hundredths of a token.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import regex

_LETTERS = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        (
            *(37, 27, 4, 18, 23, 4, 10, 6, 40, 140, 97, 28, 30),
            *(5, 18, 4, 31, 7, 17, 10, 19, 48, 5, 4, 21, 153),
        ),
        strict=True,
    )
)
_SYLLABLES = {"ing": -54, "tion": -72, "ch": 47, "ei": 111, "un": 85}
"""What a group of letters costs more than its letters; less where English has a token for it."""

_STARTS = (0, 74, 40, 28, 17, 17, *(3,) * 6, *(62 + 11 * more for more in range(13)))
"""What a word costs besides its letters, by its length."""

_RUNS = (0, 90, 110, 117)
"""What a run of punctuation costs, by its length."""

_GLUED = 48
"""A word that no space precedes, but not after punctuation, which often is one token with it."""

_AFTER_PUNCTUATION = -90
_LINE = 93
_LINE_AFTER_PUNCTUATION = -57
_BLANKS = 78
_BLANK_BEFORE_DIGIT = 120
_HAN = 61
_UNCOMMON_HAN = 125
_BEYOND = 150
"""An emoji or a rare character, beyond the first 65,536."""

_PUNCTUATION = r"!-/:-@\[-`{-~"
_LATIN = r"A-Za-z\u00c0-\u024f\u1e00-\u1eff"
# Each begins with one character of a class: `re` skips to that faster than to a repetition.
_WORD = re.compile(f"[{_LATIN}][{_LATIN}]{{0,23}}")
_SPACED_WORD = re.compile(f" [{_LATIN}]")
_RUN = re.compile(f"[{_PUNCTUATION}][{_PUNCTUATION}]{{0,63}}")
_NAMED = re.compile(f"[{_PUNCTUATION}][A-Za-z]")
_ENDED = re.compile(f"[{_PUNCTUATION}]\n")
_NEWLINES = re.compile("\n\n{0,7}")
_WIDE = re.compile(r"  [ \t]{0,62}|\t[ \t]{0,63}")
_SPACED_DIGIT = re.compile(" [0-9]")

# Words of these scripts cost something besides their letters.
_WORDS_ELSEWHERE = ((r"[\u0400-\u052f]{1,64}", 34), (r"[\uac00-\ud7af]{1,64}", 75))

# The first that fits; whatever fits none costs a whole token.
_SCRIPTS = (
    (rf"[{_PUNCTUATION} \t\r\n]", 0),
    (r"[\u3000-\u303f\uff00-\uffef]", 106),
    (rf"[{_LATIN}]", 72),
    (r"[іїєґІЇЄҐ]", 247),
    (r"\p{Cyrillic}", 35),
    (r"[\u0676-\u06ff]", 187),  # Arabic script beyond Arabic: Persian, Urdu
    (r"\p{Arabic}", 45),
    (r"\p{Hebrew}", 45),
    (r"\p{Han}", _HAN),
    (r"\p{Hiragana}", 43),
    (r"\p{Katakana}", 65),
    (r"\p{Hangul}", 59),
    (r"\p{Thai}", 58),
    (r"[\u0900-\u0dff]", 117),
    (r"[\u2000-\u206f]", 97),
    (r"[\u2100-\u2bff]", 128),
)

_GRAPHEME = regex.compile(r"\X")


def estimate(text: str) -> int:
    """About how many tokens `text` takes; rather too many than too few."""
    if not text:
        return 0
    hundredths = _characters(text) + _words(text) + _punctuation(text) + _blanks(text)
    return max(1, -(-hundredths // 100))


def beginning(text: str, most: int) -> str:
    """As much of the beginning of `text` as takes `most` tokens, ending in … when it was cut.

    No grapheme is cut in two: an emoji, or a letter with its accents, is there or is not. Where
    not even the … fits, nothing is left.
    """
    if len(text) <= 100 * most and estimate(text) <= most:  # no character costs less
        return text
    end = _whole(text, _fitting(text, most))
    while end and estimate(f"{text[:end]}…") > most:
        end = _whole(text, end - 1)
    return f"{text[:end]}…" if end or estimate("…") <= most else ""


def ending(text: str, most: int) -> str:
    """As much of the end of `text` as takes `most` tokens, beginning with … when it was cut."""
    if len(text) <= 100 * most and estimate(text) <= most:
        return text
    fits, beyond = 0, min(4 * max(most, 0) + 4, len(text))
    while beyond < len(text) and estimate(f"…{text[-beyond:]}") <= most:
        fits, beyond = beyond, min(2 * beyond, len(text))
    while beyond - fits > 1:
        middle = (fits + beyond) // 2
        if estimate(f"…{text[-middle:]}") <= most:
            fits = middle
        else:
            beyond = middle
    start = len(text) - fits
    whole = _whole(text, start)
    if whole < start:
        start = whole + _grapheme(text, whole)
    while start < len(text) and estimate(f"…{text[start:]}") > most:
        start += _grapheme(text, start)
    return f"…{text[start:]}" if start < len(text) or estimate("…") <= most else ""


def _fitting(text: str, most: int) -> int:
    """How many characters take `most` tokens with the …, or one less where none takes as many."""
    fits, beyond = 0, min(4 * max(most, 0) + 4, len(text))
    spent, cost = 0, estimate(f"{text[:beyond]}…")
    while cost < most and beyond < len(text):
        fits, spent, beyond = beyond, cost, min(2 * beyond, len(text))
        cost = estimate(f"{text[:beyond]}…")
    halve = False
    while beyond - fits > 1 and spent < most:
        share = 0.5 if halve else (most - spent) / max(cost - spent, 1)
        middle = min(max(fits + int((beyond - fits) * share), fits + 1), beyond - 1)
        costs = estimate(f"{text[:middle]}…")
        if costs <= most:
            fits, spent = middle, costs
        else:
            beyond, cost = middle, costs
        halve = not halve
    return fits


def _characters(text: str) -> int:
    if text.isascii():
        return sum(text.encode().translate(_ascii_costs()))
    return sum(map(_CHARACTERS.__getitem__, text))


def _words(text: str) -> int:
    words = _WORD.findall(text)
    small = text.lower()
    cost = sum(map(_STARTS.__getitem__, map(len, words)))
    for syllable, more in _SYLLABLES.items():
        cost += small.count(syllable) * more
    cost += (len(words) - len(_SPACED_WORD.findall(text))) * _GLUED
    if not text.isascii():
        cost += sum(len(words.findall(text)) * each for words, each in _elsewhere())
    return cost


def _punctuation(text: str) -> int:
    runs = _RUN.findall(text)
    return (
        sum(_RUNS[len(run)] if len(run) < len(_RUNS) else _long_run(run) for run in runs)
        + len(_NAMED.findall(text)) * _AFTER_PUNCTUATION
    )


def _long_run(run: str) -> int:
    """A rule such as ---- is a token or two, but brackets and commas in a row are many."""
    return 64 + 48 * sum(one != next for one, next in pairwise(run))


def _blanks(text: str) -> int:
    """A single space belongs to the word that follows, but there is none for a number."""
    cost = len(_SPACED_DIGIT.findall(text)) * _BLANK_BEFORE_DIGIT
    if "\n" in text:
        cost += len(_NEWLINES.findall(text)) * _LINE
        cost += len(_ENDED.findall(text)) * _LINE_AFTER_PUNCTUATION
    if "  " in text or "\t" in text:
        cost += len(_WIDE.findall(text)) * _BLANKS
    return cost


class _Characters(dict[str, int]):
    """What each character costs, worked out when it is first met."""

    def __missing__(self, character: str) -> int:
        if character > "\uffff":  # too many to keep
            return _BEYOND
        cost = self[character] = _cost(character)
        return cost


_CHARACTERS = _Characters(_LETTERS)


def _cost(character: str) -> int:
    if "A" <= character <= "z" and character.isalpha():
        return _LETTERS[character.lower()]
    cost = next((cost for script, cost in _scripts() if script.match(character)), 100)
    if cost == _HAN and not _is_common(character):
        return _UNCOMMON_HAN
    return cost


def _is_common(character: str) -> bool:
    """Whether it is among the 3,755 most used characters, which GB 2312 puts first."""
    try:
        return character.encode("gb2312")[0] < 0xD8
    except UnicodeEncodeError:
        return False


@cache
def _ascii_costs() -> bytes:
    return bytes(_cost(chr(code)) if code < 128 else 0 for code in range(256))


@cache
def _scripts() -> list[tuple[regex.Pattern[str], int]]:
    return [(regex.compile(script), cost) for script, cost in _SCRIPTS]


@cache
def _elsewhere() -> list[tuple[re.Pattern[str], int]]:
    return [(re.compile(words), cost) for words, cost in _WORDS_ELSEWHERE]


def _whole(text: str, end: int) -> int:
    """The last end of a grapheme that is not after `end`."""
    if text.isascii() and text[max(end - 1, 0) : end + 1] != "\r\n":
        return end
    whole = end
    while whole and not " " <= text[whole : whole + 1] <= "~":  # these always begin a grapheme
        whole -= 1
    while whole < end:
        length = _grapheme(text, whole)
        if whole + length > end:
            break
        whole += length
    return whole


def _grapheme(text: str, start: int) -> int:
    """The length of the grapheme that begins at `start`, looking no further than it must."""
    window = 64
    while True:
        part = text[start : start + window]
        found = _GRAPHEME.match(part)
        length = len(part) if found is None else found.end()
        if length < window:
            return length
        window *= 2
