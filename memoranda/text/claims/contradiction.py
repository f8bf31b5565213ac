"""Whether two statements can both hold.

To the letter, as everywhere here: another number, name, day or "not" in the same place, an opposite
verb, one thing in the place of another, or the end of what was so. What is not sure is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from memoranda.text.claims import words
from memoranda.text.claims.agreement import Author, Difference, Steps, compare
from memoranda.text.claims.reading import SLOTS, Sentence, Sort, Token, read
from memoranda.text.claims.updates import updated

MOST_STEPS = 2000
"""Of comparing two statements; real ones take a hundred."""

MOST_SENTENCES = 4
"""Sentences of a statement that are compared."""


def contradiction(newer: str, older: str, *, at: datetime, before: datetime) -> Difference | None:
    """How a statement differs from an older one that cannot hold as well; None when both may.

    The one was made `at`, the other `before` that. Raises InvalidInput for a time without a zone.
    """
    steps = Steps(MOST_STEPS)
    for new in read(_simple(newer), at)[:MOST_SENTENCES]:
        for old in read(_simple(older), before)[:MOST_SENTENCES]:
            if new.asks or old.asks or new.doubts or old.doubts:
                continue
            found = _to_the_word(new, old, at, before, steps)
            found = found or _by_parts(_plain(new), _plain(old))
            if found is not None:
                return found
    return None


_SIMPLER = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"^\w[\w ]{0,30}(?: says| said| reads)?:\s+", ""),
        (r"^(?:der |die |das )(?=\w)", "The "),
        (r"^(?:der |die )?nutzer(?:in)?\b", "User"),
        (r"^(?:el |la )?usuari[oa]\b", "User"),
        (r"^(?:用户|使用者|用戶)", "User "),
        (r"^User (?:ya no) (?:usa)\b", "User no longer uses"),
        (r"^User (?:ya no) (?:vive)\b", "User no longer lives"),
        (
            r"^(User (?:benutzt|nutzt|verwendet|trinkt|mag|wohnt in)\b.*?) nicht mehr\b",
            r"\1 no longer",
        ),
        (r"^User (?:benutzt|nutzt|verwendet)\b(.*) no longer", r"User no longer uses\1"),
        (r"^User trinkt\b(.*) no longer", r"User no longer drinks\1"),
        (r"^User (?:不再|不)(?:使?用)", "User no longer uses "),
        (r"\b(?:wohnt|lebt) in\b", "lives in"),
        (r"\bvive en\b", "lives in"),
        (r"^User 住在", "User lives in "),
        (r"\bläuft auf\b", "runs on"),
        (r"\b(?:benutzt|nutzt|verwendet|usa)\b", "uses"),
        (r"^User (?:使?用)(?=\w)", "User uses "),
        (r"^User (?:mag|le gusta)\b", "User likes"),
        (r"^User (?:hasst|odia)\b", "User hates"),
        (r"^User (?:喜欢|喜歡|爱)", "User likes "),
        (r"^User (?:讨厌|討厭|不喜欢|不喜歡)", "User hates "),
        (r"\bused to (\w+)", r"no longer \1"),
        (r"\b(?:do|does)(?: not|n't) (?:like|enjoy)\b", "dislikes"),
        (r"\b(?:can't|cannot|can not) stand\b", "hates"),
        (r"^(?:the )?user asks never to\b", "Never"),
        (r"^(?:the )?user asks to (?:always )?", "User will "),
        (r"^(?:the )?(?:user's team|we)\b", "User"),
        (r"\b(?:relocated|moved house) to\b", "moved to"),
    )
)
"""Other words for the same, as memories have them, and what they are in English."""


def _simple(text: str) -> str:
    for pattern, word in _SIMPLER:
        text = pattern.sub(word, text)
    return text.replace("User will ", "User ", 1)


def _plain(sentence: Sentence) -> Sentence:
    """A statement without what explains it, and without the day since when it is so."""
    tokens = sentence.tokens
    end = next((at for at, each in enumerate(tokens) if at and each.bounds & _AFTERWARDS), None)
    lasting = all(each.past.end is None for each in sentence.dates)
    return replace(sentence, tokens=tokens[:end], dates=() if lasting else sentence.dates)


_AFTERWARDS = frozenset((";", "because", "but", ","))


# A word that differs where all others agree -------------------------------------------------------


def _to_the_word(
    new: Sentence, old: Sentence, at: datetime, before: datetime, steps: Steps
) -> Difference | None:
    for form in (lambda each: each, _plain, lambda each: _ordered(_plain(each))):
        found = _compared(form(new), form(old), at, before, steps)
        if found is not None and not _may_be_two(found, new, old):
            return found
    update = updated(old, old, new, Author(frozenset(), at), steps)
    if update is not None and update.named:
        return update.agreement.difference
    return None


def _compared(
    new: Sentence, old: Sentence, at: datetime, before: datetime, steps: Steps
) -> Difference | None:
    """Either says nothing more than the other, but for what differs."""
    for claim, record, said in ((old, new, at), (new, old, before)):
        found = compare(claim, record, Author(frozenset(), said, states=True), steps)
        if found is not None and (differs := found.difference) is not None and differs.sure:
            return differs if record is new else _turned(differs)
    return None


def _turned(found: Difference) -> Difference:
    """With the older one as what was claimed."""
    return replace(found, claimed=found.recorded, recorded=found.claimed)


def _ordered(sentence: Sentence) -> Sentence:
    """What one does oneself as an order says it: "User deploys", "deploy"."""
    tokens = sentence.tokens
    if len(tokens) < 3 or tokens[0].sort is not Sort.SELF or tokens[0].possessive:
        return sentence
    return replace(sentence, tokens=tokens[1:])


_AT_A_TIME = frozenset(("after", "before", "during"))


def _may_be_two(found: Difference, new: Sentence, old: Sentence) -> bool:
    """Whether the one may be so besides the other: another day at the gym, a sister, ticket 318."""
    tokens, persons = old.tokens, old.tokens[0].sort is Sort.SELF
    if found.slot == "day" or old.roots & (words.TIMED | words.MANY_OF):
        return True
    if old.roots & words.SEVERAL and (
        old.roots & (words.NAMING | {"old"})
        or not any(each.sort is Sort.NAME for each in tokens[:3])
    ):
        return True
    if persons and (":" in found.claimed or any(each.past for each in tokens[:2])):
        return True  # a meeting at 10:00, ran 5 km
    if found.slot == "name" and old.roots & {"have", *words.HOSTING}:
        return True
    if found.slot == "negation" and (
        len(new.dates) > len(old.dates) or any(each.relations & _AT_A_TIME for each in new.tokens)
    ):
        return True  # not after four
    named = (before.roots for before, each in pairwise(tokens) if each.shown == found.claimed)
    return found.slot == "number" and any(roots & words.NUMBERED for roots in named)


# Who or what does what, to what -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Parts:
    """A plain statement: its subject, its verb, unless that is "is", and the rest."""

    subject: Sequence[Token]
    verb: Token | None
    rest: Sequence[Token]

    @classmethod
    def of(cls, sentence: Sentence) -> _Parts | None:
        """None for a statement of several clauses, or without a subject that can be told."""
        tokens = sentence.tokens
        if any(each.bounds for each in tokens):
            return None
        if len(tokens) > 1 and not tokens[0].helper and (tokens[0].past or tokens[0].negated):
            return cls((), tokens[0], tokens[1:])  # "Switched to Ruff", "Never use tabs"
        for place, each in enumerate(tokens):
            if place and each.helper == "now" and not (each.past and each.roots & words.NAMING):
                return cls(tokens[:place], None, tokens[place:])
            if place and each.opens and "" in each.relations and not each.helper:
                return cls(tokens[:place], each, tokens[place + 1 :])
            if place and each.negation == "no longer":
                return cls(tokens[:place], None, tokens[place:])
        if len(tokens) > 2 and (tokens[1].past):
            return cls(tokens[:1], tokens[1], tokens[2:])  # "Grafana moved to"
        return None

    @property
    def does(self) -> Set[str]:
        return frozenset() if self.verb is None else self.verb.roots

    @property
    def negated(self) -> bool:
        return any(each.negated for each in (*self.subject, *filter(None, [self.verb]), *self.rest))

    @property
    def is_a_persons(self) -> bool:
        return all(each.sort is Sort.SELF for each in self.subject)

    @property
    def values(self) -> Sequence[Token]:
        """What is said of the subject, up to the next preposition: in Oslo (with Ben)."""
        rest = self.rest
        for place, each in enumerate(rest):
            if place and each.opens and each.relations.isdisjoint(rest[0].relations):
                return rest[:place]
        return rest

    def is_about(self, other: _Parts) -> bool:
        """Whether both are about the same; without a subject it is about whoever speaks."""
        if not self.subject or not other.subject:
            return self.is_a_persons and other.is_a_persons
        return _are_the_same(self.subject, other.subject)


def _by_parts(new: Sentence, old: Sentence) -> Difference | None:
    newer, older = _Parts.of(new), _Parts.of(old)
    if newer is None or older is None or new.dates or old.dates:
        return None
    if not newer.is_about(older):
        return _another_in_the_role(newer, older)
    if newer.negated != older.negated and (found := _denied(newer, older)):
        return found
    if older.negated:
        return None
    if newer.negated:
        return _ended(newer, older)
    if found := _ended(older, newer):  # and began again
        return replace(found, claimed=found.recorded, recorded=found.claimed)
    ways = (_ended, _opposite, _another_value, _turned_round)
    return next((found for way in ways if (found := way(newer, older))), None)


def _denied(newer: _Parts, older: _Parts) -> Difference | None:
    """Never use tabs, I use tabs."""
    if not newer.does & older.does or newer.verb is None or newer.verb.past:
        return None
    if not newer.values or not _are_the_same(newer.values, older.values):
        return None
    if any(each.relations & _PART for each in newer.rest):
        return None
    told = ("so", "not so")
    return Difference("negation", *(reversed(told) if older.negated else told))


def _ended(newer: _Parts, older: _Parts) -> Difference | None:
    """I dropped flake8, I switched from flake8: what was held is what is let go of."""
    if not older.values or older.does & (words.ENDING | words.LEAVING):
        return None
    if any(each.relations & _PART for each in newer.rest):
        return None  # not all of it: dropped it at home, after four
    for gone in _let_go(newer):
        if gone and _are_the_same(older.values, gone):
            return Difference("ended", _shown(older.values), _shown(newer.rest))
    return None


_PART = frozenset(("in", "after", "before", "during", "about", "of", "by"))


def _let_go(parts: _Parts) -> Iterator[Sequence[Token]]:
    rest, does = parts.rest, parts.does
    yield [each for each in rest if each.negation == "no longer"]
    if parts.negated:
        return
    if does & words.LEAVING:
        yield [each for each in rest if "from" in each.relations]
    if does & words.ENDING:
        yield parts.values
    if "give" in does and rest and rest[0].word == "up":
        yield rest[1:]


def _opposite(newer: _Parts, older: _Parts) -> Difference | None:
    """I like tea, I hate tea; alerts are on, alerts are off."""
    if newer.verb is None and older.verb is None:
        one, other = newer.rest[0], older.rest[0]
        same = _are_the_same(newer.rest[1:], older.rest[1:])
    elif newer.verb is not None and older.verb is not None:
        one, other = newer.verb, older.verb
        same = bool(newer.values) and _are_the_same(newer.values, older.values)
        if len(newer.values) == len(older.values) == 1 and newer.does & older.does:
            one, other, same = newer.values[0], older.values[0], True  # prefers tabs, spaces
    else:
        return None
    if not same or not _are_against(one, other):
        return None
    return Difference("opposite", other.shown, one.shown)


def _are_against(one: Token, other: Token) -> bool:
    return any(
        frozenset((mine, yours)) in words.AGAINST for mine in one.roots for yours in other.roots
    )


def _another_value(newer: _Parts, older: _Parts) -> Difference | None:
    """I live in Oslo, I live in Bergen; my favourite editor is Vim, is Helix."""
    one, other = newer.values, older.values
    if not one or not other or any(_is_among(each, other) for each in one):
        return None
    if not _has_one_value(newer, older) or not _are_alike(one[0], other[0]):
        return None
    if {each.word in words.COUNTRIES for each in (one[-1], other[-1])} == {True, False}:
        return None  # the one may lie in the other
    if _roots_of(newer.subject) & words.SEVERAL:
        return None
    return Difference("name", _shown(other), _shown(one))


def _has_one_value(newer: _Parts, older: _Parts) -> bool:
    if newer.verb is None and older.verb is None:
        placed = newer.rest[0].relations & older.rest[0].relations == {"in"}
        if placed or any(each.roots & words.ONE_AT_A_TIME for each in newer.subject):
            return not _names_a_day((*newer.rest, *older.rest))
        owned = newer.subject[0].definite or newer.subject[0].possessive
        return owned and all(
            each.rest[-1].sort in (Sort.NAME, Sort.CODE) for each in (newer, older)
        )
    begins, began = (each.rest[0].relations for each in (newer, older))
    if older.verb is None or older.verb.past or newer.verb is None:
        return False
    if "move" in newer.does and "to" in begins:
        homes = {"live", "base"} if newer.is_a_persons else words.HOSTING
        return "in" in began and bool(older.does & homes)
    if newer.verb.past or (newer.does & words.HOSTING and newer.rest[0].sort is not Sort.CODE):
        return False
    does = newer.does & older.does
    return any((verb, relation) in words.ONE_PLACE for verb in does for relation in begins & began)


def _names_a_day(tokens: Sequence[Token]) -> bool:
    return any(each.roots & words.WEEKDAYS for each in tokens)


def _are_alike(one: Token, other: Token) -> bool:
    """Whether both are of a sort, so that one may stand for the other: two names, no article."""
    if {one.sort, other.sort} == {Sort.CODE, Sort.NAME}:
        return all(any(map(str.isalpha, each.word)) for each in (one, other))
    if one.sort is Sort.CODE and other.sort is Sort.CODE:
        return one.shape == other.shape
    if one.sort in SLOTS or other.sort in SLOTS:
        return one.sort is other.sort
    return not (one.noun or other.noun) or bool(one.relations & other.relations - {""})


def _turned_round(newer: _Parts, older: _Parts) -> Difference | None:
    """I prefer tabs over spaces, spaces over tabs."""
    one, other = _chosen(newer), _chosen(older)
    if one is None or other is None:
        return None
    if not (_are_the_same(one[0], other[1]) and _are_the_same(one[1], other[0])):
        return None
    return Difference("opposite", _shown(older.rest), _shown(newer.rest))


def _chosen(parts: _Parts) -> tuple[Sequence[Token], Sequence[Token]] | None:
    """What is preferred, and to what."""
    if "prefer" not in parts.does:
        return None
    for place, each in enumerate(parts.rest):
        if place and each.relations & {"over", "to"}:
            return parts.rest[:place], parts.rest[place:]
    return None


def _another_in_the_role(newer: _Parts, older: _Parts) -> Difference | None:
    """Caddy is the reverse proxy, Traefik is the reverse proxy."""
    if newer.verb or older.verb or newer.negated or not newer.rest or not older.rest:
        return None
    if not (newer.rest[0].definite and older.rest[0].definite):
        return None
    if not _are_the_same(newer.rest, older.rest) or len(newer.subject) != len(older.subject):
        return None
    subjects = (*newer.subject, *older.subject)
    if any(each.sort is Sort.NUMBER for each in subjects) or any(
        _is_among(each, older.subject) for each in newer.subject
    ):
        return None
    return Difference("name", _shown(older.subject), _shown(newer.subject))


def _roots_of(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(root for each in tokens for root in each.roots)


def _is_among(token: Token, others: Sequence[Token]) -> bool:
    return any(not token.roots.isdisjoint(other.roots) for other in others)


def _are_within(some: Sequence[Token], others: Sequence[Token]) -> bool:
    return all(_is_among(each, others) for each in some)


def _are_the_same(some: Sequence[Token], others: Sequence[Token]) -> bool:
    return len(some) == len(others) and _are_within(some, others) and _are_within(others, some)


def _shown(tokens: Sequence[Token]) -> str:
    return " ".join(each.shown for each in tokens)
