"""A sentence of a turn and what its words tell by rules, whoever proposes it: a rule or a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import regex

from memoranda.formation import telling, words
from memoranda.formation.words import Words
from memoranda.text import times
from memoranda.text.entities import entities
from memoranda.types import Basis, EntityKind, Kind, Passage, Span, Turn


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of a turn, or a clause that stands on its own; `content` is the whole turn's.

    `small` is what the patterns of its `words` are for.
    """

    turn: str
    content: str
    start: int
    end: int
    words: Words
    time: datetime | None

    @property
    def text(self) -> str:
        return self.content[self.start : self.end]

    @property
    def small(self) -> str:
        return telling.small(self.text)

    def cut(self, start: int, end: int) -> Said:
        """From the first character to the last, without white space and commas at either end."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip(" \t,;:"))
        return replace(
            self, start=self.start + start, end=self.start + start + len(text.strip(" \t,;:"))
        )


def sentence(turn: Turn | Passage, start: int, end: int) -> Said | None:
    """None for one that is in no language of ours."""
    language = words.of(turn.content[start:end])
    id = turn.turn if isinstance(turn, Passage) else turn.id or ""
    return None if language is None else Said(id, turn.content, start, end, language, turn.time)


_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")
FEWEST_WORDS = 2
FEWEST_WIDE = 4
"""Characters of a sentence in a script without spaces."""


def is_long_enough(text: str) -> bool:
    """Whether a text may say something."""
    return len(text.split()) >= FEWEST_WORDS or len(_WIDE.findall(text)) >= FEWEST_WIDE


# Whether it may be kept ---------------------------------------------------------------------------

_SECRETS = regex.compile(
    r"\b(?:pass(?:word|phrase|code)|pin|secret|(?:api|private|access) key|token|credentials?|pwd"
    r"|recovery code|seed phrase|passwort|kennwort|geheimnis|schlüssel|contraseña|clave)s?\b"
    r".{0,60}?(?:[:=]|\b(?:is|are|was|ist|sind|lautet|es|son|reads?)\b)"
    r"|(?:密码|口令|密钥|令牌|验证码).{0,12}(?:是|为|[:：=])"
)
"""Says what a secret is, even one that nothing else tells from a word."""


def tells_a_secret(small: str) -> bool:
    """Whether a text in small letters says what somebody's password is, or their key."""
    return _SECRETS.search(small) is not None


def not_meant(small: str, words: Words) -> str | None:
    """What a sentence is that asserts nothing which may be kept, in no part of it; else None."""
    return next((why for why, veto in words.whole.items() if veto.search(small)), None)


# On what grounds ----------------------------------------------------------------------------------


def basis(said: Said) -> Basis | None:
    """How sure its words are; None when somebody says so who is not named, which is hearsay."""
    small, words = said.small, said.words
    told_by = teller(said)
    if told_by is not None and not names_somebody(told_by):
        return None
    if told_by is not None or words.of_another.search(small):
        return "reported"
    return "hedged" if words.hedges.search(small) else "stated"


def teller(said: Said) -> str | None:
    """The words before "said" or "told me", which may name who it was; None without these."""
    told = said.words.reports.search(said.small)
    return None if told is None else said.text[: told.start()]


def names_somebody(text: str) -> bool:
    """Whether it names a person, or a thing or place that may be one."""
    kinds = (EntityKind.PERSON, EntityKind.THING, EntityKind.PLACE)
    return any(each.kind in kinds for each in entities(text))


# When ---------------------------------------------------------------------------------------------


def past_verb(said: Said) -> str:
    """What the user says that they did; empty when they say nothing of the kind."""
    found = said.words.past.search(said.small)
    return found["verb"] if found is not None and said.words.is_past(found["verb"]) else ""


def spans(said: Said) -> tuple[Span, ...]:
    """The times that are told, as far as it is certain which May or Monday is meant."""
    at, text = said.time, put_right(said)
    if at is None:
        return ()
    past, ahead = times.either_way(text, at)
    if past_verb(said) or said.words.resolved.search(said.small):
        return past
    if said.words.ahead.search(said.small):
        return ahead
    return tuple(each for each in past if each in ahead)


def put_right(said: Said) -> str:
    """Its text, without the word that it takes back itself."""
    return telling.put_right_within(said.text) or said.text


def validity(
    said: Said, kind: Kind, spans: Sequence[Span]
) -> tuple[datetime | None, datetime | None]:
    """Of an episode when it was; of what else only from when, or until when, it is so."""
    if kind == Kind.EPISODE:
        return (spans[0].first, spans[0].end) if spans else (said.time, None)
    if spans and past_verb(said) in said.words.changes:
        return spans[0].first, None
    bounded = said.words.bounded.search(said.small)
    for span in spans:
        if span.first is None or span.end is None or bounded:
            return span.first, span.end
    return None, None
