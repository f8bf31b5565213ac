"""Text as the pieces of words that BERT models know (Devlin et al., 2018; uncased)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

LONGEST_WORD = 100
"""A longer word is unknown, as it was when the models were trained."""


class WordPiece:
    """The vocabulary of a model, by which it reads text."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        """`vocabulary` is every piece, in the order of its number."""
        self._numbers = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = self._numbers["[UNK]"]
        self._first = self._numbers["[CLS]"]
        self._last = self._numbers["[SEP]"]
        self._pieces_of = lru_cache(maxsize=20_000)(self._split)

    def encode(self, text: str, longest: int) -> list[int]:
        """The numbers of the pieces of a text between those that open and close it.

        At most `longest` of them all; what is beyond is left out.
        """
        return [self._first, *self._pieces(text, longest - 2), self._last]

    def encode_pair(self, question: str, text: str, longest: int) -> tuple[list[int], list[int]]:
        """The numbers of the pieces of a question and a text, and of which of both each is.

        Of what is too long for both the longer is cut.
        """
        room = longest - 3
        asked, said = self._pieces(question, room), self._pieces(text, room)
        asked = asked[: max(room // 2, room - len(said))]
        one = [self._first, *asked, self._last]
        other = [*said[: room - len(asked)], self._last]
        return [*one, *other], [0] * len(one) + [1] * len(other)

    def _pieces(self, text: str, most: int) -> list[int]:
        numbers: list[int] = []
        for word in words(text):
            numbers += self._pieces_of(word)
            if len(numbers) >= most:
                break
        return numbers[:most]

    def knows(self, word: str) -> bool:
        """Whether a word is one piece, as the words of the model's language are."""
        return word in self._numbers

    def _split(self, word: str) -> tuple[int, ...]:
        """The longest known piece from the left, again and again; unknown if that gets stuck."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            for end in range(len(word), start, -1):
                number = self._numbers.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            pieces.append(number)
            start = end
        return tuple(pieces)


def words(text: str) -> Iterator[str]:
    """Lower-case words without accents; a mark of punctuation or an ideograph is a word."""
    plain = text.lower() if text.isascii() else _without_accents(text.lower())
    yield from plain.translate(_APART).split()


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(each for each in decomposed if unicodedata.category(each) != "Mn")


class _Apart(dict[int, str]):
    """What each character becomes so that white space parts the words; made as it is met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        if character in "\t\n\r" or category == "Zs":
            becomes = " "
        elif category in ("Cc", "Cf", "Co") or code in (0, 0xFFFD):
            becomes = ""
        elif _is_punctuation(code, category) or _is_ideograph(code):
            becomes = f" {character} "
        else:
            becomes = character
        self[code] = becomes
        return becomes


_APART = _Apart()


def _is_punctuation(code: int, category: str) -> bool:
    """Among the ASCII characters whatever is neither letter, digit nor space."""
    return category.startswith("P") or (32 < code < 127 and not chr(code).isalnum())


def _is_ideograph(code: int) -> bool:
    """Han alone, as in BERT: Kana and Hangul are written with spaces in its eyes."""
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2FA1F
        or 0xF900 <= code <= 0xFAFF
    )
