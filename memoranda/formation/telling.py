"""Putting what somebody said of themselves into words about them: "I prefer Ruff" is told as "User
prefers Ruff", in the language in which it was said.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

import regex

from memoranda.formation.third_person import ORDERED, TOLD
from memoranda.formation.words import Words
from memoranda.text.claims.words import NUMBERS
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.words import fold
from memoranda.types import Kind, Span

_APOSTROPHES = {0x2018: "'", 0x2019: "'", 0x02BC: "'"}


def small(text: str) -> str:
    """In small letters, plain apostrophes and Simplified characters, each in its place."""
    if text.isascii():
        return text.lower()
    text = text.translate(_APOSTROPHES)
    folded = fold(text).lower()
    if len(folded) == len(text):
        return folded
    alone = (fold(each).lower() for each in text)
    return "".join(one if len(one) == 1 else each for one, each in zip(alone, text, strict=True))


def plain(text: str) -> str:
    """What is left of a text when it is compared: its words in small letters."""
    return " ".join(_WORD.findall(fold(text).lower()))


_WORD = regex.compile(r"[\p{L}\p{N}]+(?:[.:/@_'-][\p{L}\p{N}]+)*")


def shares_a_word(one: str, other: str) -> bool:
    """Whether two sentences have a word of content in common."""
    return not _content(one).isdisjoint(_content(other))


def _content(text: str) -> set[str]:
    return {word for word in plain(text).split() if len(word) > 3} - STOPWORDS


# Corrections --------------------------------------------------------------------------------------

_CORRECTION = regex.compile(
    r"(?<![\p{L}\p{N}])(?P<wrong>[\p{L}\p{N}][\w.:/@%-]*)"
    r"(?P<cue>[,;]? ?[-–—(]? ?(?:no,? wait|wait,? no|scratch that"
    r"|make that|or rather|i mean|sorry|correction|ich meine|quatsch|nein, warte|perdón|digo"
    r"|quiero decir|no, espera)[,:]? (?:it's |it is |es ist |es )?|, (?:no|nein), )"
    r"(?P<right>[\p{L}\p{N}][\w.:/@%-]*)",
    regex.IGNORECASE,
)


def corrects_itself(text: str) -> bool:
    """Whether a sentence takes back a word of its own: "port 8080, no wait, 9090"."""
    return _CORRECTION.search(text) is not None


def put_right_within(text: str) -> str | None:
    """With the right word alone; None when it cannot be told which word that is for."""
    found = _CORRECTION.search(text)
    if found is None or not _are_alike(found["wrong"], found["right"].rstrip(".")):
        return None
    return text[: found.start()] + text[found.start("right") :]


def put_right(text: str, instead: str) -> str | None:
    """With `instead` for the one word that it can stand for; None when it says more than that."""
    said = instead.strip(" .!,").split()
    if not said or len(said) > LONGEST_CORRECTION:
        return None
    for word in reversed(list(_WORD.finditer(text))):
        if _are_alike(word[0], said[-1]):
            return text[: word.start()] + said[-1] + text[word.end() :]
    return None


LONGEST_CORRECTION = 3
"""Words of a sentence that says nothing but what should have been said."""


def _are_alike(one: str, other: str) -> bool:
    """Whether two words are both numbers, or names, or look alike: 10.0.0.1 and 10.0.0.2."""
    if one == other:
        return False
    if one.lower() in NUMBERS and other.lower() in NUMBERS:
        return True
    if any(map(str.isdigit, one)) or any(map(str.isdigit, other)):
        return _shape(one) == _shape(other)
    return one[:1].isupper() and other[:1].isupper()


def _shape(word: str) -> str:
    return regex.sub(r"\p{L}+", "a", regex.sub(r"\d+", "0", word))


# Reasons ------------------------------------------------------------------------------------------


def reason(
    said: str, before: str, following: str, words: Words, kind: Kind
) -> tuple[str, str | None]:
    """What is said without its reason, and the reason, if it or the next sentence tells one.

    A lesson is its reason and stays whole. Of what begins with "it" the sentence before tells more.
    """
    found = words.because.search(small(said))
    if found is not None and found.start() > 0 and kind != Kind.LESSON:
        return said[: found.start()].rstrip(" ,;:"), said[found.start() :].strip(" .!")
    if words.explains.match(small(following)):
        return said, following.strip(" .!")
    if before and words.vague.match(small(said)):
        return said, before.strip(" .!")
    return said, None


# Telling ------------------------------------------------------------------------------------------


def told(text: str, name: str, *, kind: Kind, ordered: bool, spans: Sequence[Span]) -> str:
    """The sentence in the third person, with the dates that it means."""
    turn = ORDERED[name] if ordered else TOLD[name]
    said = turn(dated(text, spans), kind).strip().rstrip(".!。！")
    first = said.partition(" ")[0].partition("'")[0]
    return said[:1].upper() + said[1:] if first in STOPWORDS else said


_YEAR = regex.compile(r"\d{4}")


def dated(text: str, spans: Sequence[Span]) -> str:
    """With the date behind each "last week" that it will not be for long."""
    pieces, at = [], 0
    for span in spans:
        end = span.start + len(span.text)
        if end <= len(text) and not _YEAR.search(span.text) and (date := _date(span)):
            pieces += [text[at:end], date]
            at = end
    return "".join([*pieces, text[at:]])


def _date(span: Span) -> str:
    if span.first is None or span.end is None:
        edge = span.first or span.end
        return f" ({edge:%Y-%m-%d})" if edge else ""
    last = span.end - timedelta(microseconds=1)
    if span.first.date() == last.date():
        return f" ({span.first:%Y-%m-%d})"
    if span.first.day == 1 and span.end == _next_month(span.first):
        return f" ({span.first:%Y-%m})"
    if (span.first.month, span.first.day, last.month, last.day) == (1, 1, 12, 31):
        years = {f"{span.first:%Y}", f"{last:%Y}"}
        return f" ({' to '.join(sorted(years))})"
    return f" ({span.first:%Y-%m-%d} to {last:%Y-%m-%d})"


def _next_month(first: datetime) -> datetime:
    return (first + timedelta(days=32)).replace(day=1)
