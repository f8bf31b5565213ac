"""How many tokens a text takes in a prompt, without a model's own tokeniser."""

from __future__ import annotations

import math

import regex

_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
CHARACTERS_PER_TOKEN = 4.0
"""Of text in an alphabet, the usual rule of thumb for byte-pair encodings."""


def estimate(text: str) -> int:
    """About how many tokens `text` takes: a quarter of its characters, one for each CJK one."""
    if text.isascii():
        return math.ceil(len(text) / CHARACTERS_PER_TOKEN)
    wide = len(_WIDE.findall(text))
    return math.ceil(wide + (len(text) - wide) / CHARACTERS_PER_TOKEN)


def beginning(text: str, most: int) -> str:
    """As much of the beginning of `text` as takes `most` tokens, ending in … when it was cut."""
    if estimate(text) <= most:
        return text
    shortest, longest = 0, len(text)
    while shortest < longest:
        middle = (shortest + longest + 1) // 2
        if estimate(f"{text[:middle]}…") <= most:
            shortest = middle
        else:
            longest = middle - 1
    return f"{text[:shortest]}…"
