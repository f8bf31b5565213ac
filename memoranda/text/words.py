"""Words: how text is made findable, and how a question becomes what an index can look up.

The index itself splits at everything that is neither letter nor digit, folds case and accents, and
stems English. That serves most text. What it cannot do is added beside the text as *terms*: pairs
of characters for scripts that put no spaces between words, the parts of camelCase and of letters
glued to digits, names made of symbols (C++), emoji, and the ordinary form of full-width letters.
Questions are taken apart by the same rules, so whatever is a word in a text finds it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from datetime import datetime
from functools import cache

import regex

from memoranda.text.dates import spoken
from memoranda.text.stopwords import STOPWORDS

# Scripts that put no spaces between words, and Hangul, which glues particles to them.
_UNSPACED = (
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
    r"\p{Tibetan}\p{New_Tai_Lue}\p{Tai_Le}\p{Tai_Tham}\p{Tai_Viet}\p{Javanese}\p{Balinese}ー"
)
_LETTER = r"\p{L}\p{M}\p{N}"

_UNSPACED_RUN = regex.compile(rf"[{_UNSPACED}]+")
_WORD = regex.compile(rf"[{_LETTER}]+")
_PART = regex.compile(
    rf"\p{{Lu}}+(?!\p{{Ll}})|\p{{Lu}}?\p{{Ll}}+|\p{{N}}+|[{_LETTER}--\p{{N}}]+", regex.V1
)

# A compound is what a person sees as one thing: a path, a host, a version, an address.
_COMPOUND = regex.compile(rf"[{_LETTER}_]+(?:[-.:/\\@_~&=%#+*^$'’]{{1,3}}[{_LETTER}_]+)*")
_NAMED_BY_SYMBOLS = regex.compile(
    rf"(?<![{_LETTER}.])(?P<dot>\.)(?P<after>\p{{L}}[{_LETTER}]*)"
    rf"|(?P<before>[{_LETTER}]{{1,40}})(?P<marks>\++|#)(?![{_LETTER}+#])"
)
_MARKED = regex.compile(r"[\p{Greek}\p{Hebrew}\p{Arabic}]")
# Letters of Latin alphabets that are no letter with an accent, and what they are typed as without
# their keyboard; and two letters for one, as in Mueller and Bjoern.
_PLAIN = {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"} | dict(
    zip("øłđðıħŧŋĸſ", "olddihtnks", strict=True)
)
_IN_TWO = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
_TYPED_PLAIN = str.maketrans(_PLAIN)
_TYPED_IN_TWO = str.maketrans(_PLAIN | _IN_TWO)
_TYPED_OTHERWISE = regex.compile(f"(?i:[{''.join(_PLAIN | _IN_TWO)}ẞ])")
_MARK = regex.compile(r"\p{M}")
_SYMBOL = regex.compile(r"[\p{So}\p{Sc}\p{Sm}--[\x00-\x7f]]", regex.V1)
_QUOTED = regex.compile(r'"([^"]{2,200})"|“([^”]{2,200})”|「([^」]{2,200})」')
_VERSION = regex.compile(r"[vV]\p{N}")
_CONTRACTED = frozenset(("s", "t", "m", "d", "re", "ve", "ll"))

MOST_ALTERNATIVES = 64
"""How many words of a question are looked up at most; a longer one loses its least telling."""


def terms(text: str) -> str:
    """What the index needs beside `text` to find it, as words separated by spaces.

    Empty for most plain text in a Latin, Greek or Cyrillic alphabet.
    """
    folded = fold(text)
    found = dict.fromkeys(_changed_words(text, folded))
    for compound in _COMPOUND.findall(folded):
        if not _is_plain(compound):
            found.update(dict.fromkeys(_unseen(compound)))
    found.update(dict.fromkeys(_symbols(folded)))
    return " ".join(found)


def spoken_terms(text: str, speaker: str | None, said: datetime | None) -> str:
    """The terms of something that somebody said: who and on which day belong to the words."""
    day = None if said is None else spoken(said)
    otherwise = terms(speaker) if speaker and not speaker.isascii() else None
    return " ".join(filter(None, (speaker, otherwise, day, terms(text))))


def alternatives(question: str) -> tuple[list[str], list[str]]:
    """What to look up for `question`: words and phrases, and the beginnings of words.

    Words without content are left out unless there are no others.
    """
    folded = fold(question)
    phrases: dict[str, None] = {}
    prefixes: dict[str, None] = {}
    for quoted in _QUOTED.finditer(folded):
        phrases.update(dict.fromkeys(_phrase("".join(filter(None, quoted.groups())))))
    for compound in _COMPOUND.findall(folded):
        phrases.update(dict.fromkeys(_lookups(compound)))
        prefixes.update(
            dict.fromkeys(run for run in _UNSPACED_RUN.findall(compound) if len(run) == 1)
        )
    phrases.update(dict.fromkeys(_symbols(folded)))
    shouted = folded.isupper()
    content = [phrase for phrase in phrases if not _is_empty(phrase, shouted)]
    if not content and not prefixes:
        content = list(phrases)
    return _most_telling(content), list(prefixes)[:MOST_ALTERNATIVES]


def fold(text: str) -> str:
    """One form for the many ways to write a letter: NFKC, and Simplified for Traditional Han."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_simplified())


@cache
def _simplified() -> dict[int, str]:
    """Traditional characters and the simplified one of each, from OpenCC's character table."""
    from opencc import OpenCC  # loaded only once there is text that needs it

    # Character by character: what a character becomes must not depend on its neighbours, or a
    # question would miss a text that breaks off elsewhere.
    characters = [chr(code) for code in (*range(0x3400, 0x4DC0), *range(0x4E00, 0xA000))]
    simplified = OpenCC("t2s").convert("\n".join(characters)).split("\n")
    return {
        ord(character): simple
        for character, simple in zip(characters, simplified, strict=True)
        if character != simple
    }


def _changed_words(text: str, folded: str) -> Iterator[str]:
    if folded != text:
        before = set(_WORD.findall(text))
        yield from (word for word in _WORD.findall(folded) if word not in before)


def _is_plain(compound: str) -> bool:
    """Whether the index sees all there is: ASCII letters with no capital inside."""
    smooth = compound.islower() or compound.isupper() or compound.istitle()
    return smooth and compound.isascii() and compound.isalpha()


def _is_empty(phrase: str, shouted: bool) -> bool:
    """Whether a word says nothing; IT, US and WHO among small letters are names."""
    is_name = phrase.isupper() and len(phrase) > 1 and not shouted
    return phrase.lower() in STOPWORDS and not is_name


def _unseen(compound: str) -> Iterator[str]:
    """The parts of a compound that the index would not see by itself."""
    spaced = compound
    if not compound.isascii():
        for run in _UNSPACED_RUN.findall(compound):
            yield from _pairs(run)
            yield run[-1]  # so that a single character finds the end of a run too
        spaced = _UNSPACED_RUN.sub(" ", compound)
    words = _WORD.findall(spaced)
    parts = _PART.findall(spaced)
    yield from _otherwise(words)
    if parts != words:
        yield " ".join(parts)  # in order, so that 2.1.0 is a phrase inside v2.1.0
    if spaced != compound:
        yield " ".join(words)


def _lookups(compound: str) -> Iterator[str]:
    """What to look up for a compound: the whole of it, then its telling parts."""
    if _is_plain(compound):
        yield compound
        return
    spaced = compound
    if not compound.isascii():
        for run in _UNSPACED_RUN.findall(compound):
            yield from _pairs(run)
        spaced = _UNSPACED_RUN.sub(" ", compound)
    for whole in spaced.split():
        words = _WORD.findall(whole)
        if len(words) > 1 and words[-1].lower() in _CONTRACTED:
            words.pop()
        parts = _PART.findall(whole)
        if words:
            yield " ".join(words)
        yield from _otherwise(words)
        if _VERSION.match(whole):
            yield " ".join(parts[1:])  # v2.1.0 is 2.1.0
        if len(words) > 1 or parts != words:
            yield from (part for part in (*words, *parts) if _is_telling(part))


def _otherwise(words: list[str]) -> Iterator[str]:
    """Words as they are typed plainly, as far as the index does not see to it.

    Greek, Hebrew and Arabic without accents and points, which many leave out; ø as o, ß as ss, and
    ü as ue too. The accents of other alphabets the index takes off itself.
    """
    for word in words:
        if word.isascii():
            continue
        if _MARKED.search(word):
            bare = _without_marks(word.lower()).replace("ς", "σ")
            if bare != word:
                yield bare
        elif _TYPED_OTHERWISE.search(word):
            small = word.lower()
            plain = small.translate(_TYPED_PLAIN)
            if plain != small:
                yield plain
            in_two = small.translate(_TYPED_IN_TWO)
            if in_two != plain:
                yield in_two


def plain(word: str) -> str:
    """A word in small letters and without accents, as one who lacks its keyboard types it."""
    small = word.lower()
    return small if small.isascii() else _without_marks(small.translate(_TYPED_PLAIN))


def _without_marks(word: str) -> str:
    return _MARK.sub("", unicodedata.normalize("NFD", word))


def _is_telling(part: str) -> bool:
    return len(part) > (2 if part.isdigit() else 1)


def _phrase(quoted: str) -> Iterator[str]:
    words = _WORD.findall(quoted)
    if len(words) > 1 and not _UNSPACED_RUN.search(quoted):
        yield " ".join(words)


def _pairs(run: str) -> Iterator[str]:
    return (run[at : at + 2] for at in range(len(run) - 1))


def _symbols(text: str) -> Iterator[str]:
    """Words for what the index passes over: C++, C#, .NET, emoji, currency signs."""
    for name in _NAMED_BY_SYMBOLS.finditer(text):
        if name["dot"]:
            yield f"dot{name['after']}"
        elif name["marks"] == "#":
            yield f"{name['before']}sharp"
        else:
            yield name["before"] + "plus" * len(name["marks"])
    if not text.isascii():
        yield from (f"u{ord(symbol):x}" for symbol in _SYMBOL.findall(text))


def _most_telling(phrases: list[str]) -> list[str]:
    """A question too long to look up whole loses its shortest words."""
    longest = set(sorted(phrases, key=len, reverse=True)[:MOST_ALTERNATIVES])
    return [phrase for phrase in phrases if phrase in longest]
