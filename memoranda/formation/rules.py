"""Candidates for memories, without a model: what the user's own sentences say, read by rules.

A sentence is thrown out for what it is (a question, a request, hearsay), and kept for the kind of
statement that it makes. What is proposed, and what is not, stands in docs/rules.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from memoranda.formation import telling
from memoranda.formation.said import (
    Said,
    basis,
    is_long_enough,
    not_meant,
    past_verb,
    put_right,
    sentence,
    tells_a_secret,
    validity,
)
from memoranda.formation.said import spans as spans_of
from memoranda.formation.words import Pattern
from memoranda.policy.confidence import SAID
from memoranda.text import times
from memoranda.text.claims import Sentence, Sort, read
from memoranda.text.entities import entities
from memoranda.text.masking import Masked, mask
from memoranda.types import Basis, Candidate, Kind, Role, Turn

LONGEST = 600
"""Characters of a sentence; what is longer was hardly typed."""
FEWEST_ABOUT_SELF = 6
"""Different words of a sentence that only its subject speaks for."""


def candidates(turns: Sequence[Turn]) -> tuple[Candidate, ...]:
    """What a conversation's user said that may be worth keeping, in order, each thing once.

    The turns are told apart by their ids. Raises InvalidInput when a time has no zone.
    """
    found: list[Candidate] = []
    for turn in turns:
        if turn.role == Role.USER:
            _join(found, turn)
    seen: set[str] = set()
    return tuple(each for each in found if _is_new(each, seen))


def _is_new(each: Candidate, seen: set[str]) -> bool:
    """Whether neither its words nor what they say were met before."""
    keys = {telling.plain(each.content), telling.plain(each.quote)}
    known = not keys.isdisjoint(seen)
    seen |= keys
    return not known


# From sentence to sentence ------------------------------------------------------------------------


def _join(found: list[Candidate], turn: Turn) -> None:
    """Add what this turn says to what is found, and take out what it takes back."""
    masked = mask(turn.content)
    known = len(found)
    sentences = [
        sentence(turn, start, end) if end - start <= LONGEST else None
        for start, end in masked.sentences()
    ]
    for before, said, following in zip(
        [None, *sentences], sentences, [*sentences[1:], None], strict=False
    ):
        if said is None:
            continue
        if taken_back := said.words.corrects.match(said.small):
            instead = said.cut(taken_back.end(), len(said.text))
            _correct(found, instead, before if len(found) > known else None, masked)
        beside = _Beside(_kept(before, masked), _kept(following, masked))
        if not (beside.before and said.words.explains.match(said.small)):
            found += _proposed(said, masked, beside)


@dataclass(frozen=True, slots=True)
class _Beside:
    """The sentences around one, empty where there is none that may be kept."""

    before: str
    following: str


def _kept(said: Said | None, masked: Masked) -> str:
    if said is None or masked.hides(said.start, said.end):
        return ""
    return "" if not_meant(said.small, said.words) or tells_a_secret(said.small) else said.text


def _correct(found: list[Candidate], instead: Said, before: Said | None, masked: Masked) -> None:
    """Take out the last thing said, if it was in the sentence `before` or is of the same; when
    nothing but a number or a name is said instead, it is put in its place.
    """
    if not found:
        return
    last = found[-1]
    just_said = before is not None and last.end > before.start
    if not just_said and not telling.shares_a_word(last.quote, instead.text):
        return
    found.pop()
    content = telling.put_right(last.content, instead.text) if just_said else None
    if content and not masked.hides(last.start, instead.end) and not _tells_a_time(instead, last):
        quote = instead.content[last.start : instead.end]
        found.append(replace(last, end=instead.end, quote=quote, content=content))


def _tells_a_time(instead: Said, last: Candidate) -> bool:
    """Whether when it is so would be another; 9090 may be a year where there are dates."""
    dated = last.valid_from is not None or last.valid_to is not None
    is_number = instead.text.strip(" .!").isdigit()
    return times.speaks_of_time(instead.text) and (dated or not is_number)


def _proposed(said: Said, masked: Masked, beside: _Beside) -> Iterator[Candidate]:
    """Of each clause what it says, if every one says something; else of the whole sentence."""
    if not_meant(said.small, said.words):
        return
    for each in _parts(said, masked):
        yield _candidate(each, beside)


def _parts(said: Said, masked: Masked) -> list[_Statement]:
    """Those of its clauses, if each says something; else that of the whole; else of some clause."""
    clauses = _clauses(said, said.words.joins)
    parts = [_judged(each, masked) for each in clauses]
    found = [each for each in parts if each is not None]
    if len(found) == len(parts):
        return found
    if whole := _judged(said, masked):
        return [whole]
    if not found:
        apart = (_judged(each, masked) for each in _clauses(said, said.words.commas))
        found = [each for each in apart if each is not None]
    return found


def _clauses(said: Said, joins: Pattern) -> list[Said]:
    found = list(joins.finditer(said.small))
    starts = [0, *(join.end() for join in found)]
    ends = [*(join.start() for join in found), len(said.text)]
    return [said.cut(start, end) for start, end in zip(starts, ends, strict=True)]


# Whether it is a statement worth keeping ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Statement:
    said: Said
    kind: Kind
    basis: Basis
    ordered: bool = False
    ends: bool = False


def _judged(said: Said, masked: Masked) -> _Statement | None:
    said, asked_to_keep = _opened(said)
    if asked_for := said.words.tail.search(said.small):
        said = said.cut(0, asked_for.start())
    small, words = said.small, said.words
    if masked.hides(said.start, said.end) or not is_long_enough(said.text):
        return None
    if telling.corrects_itself(said.text) and telling.put_right_within(said.text) is None:
        return None
    if tells_a_secret(small) or any(veto.search(small) for veto in words.vetoes.values()):
        return None
    ordered = bool(words.orders.search(small))
    if ordered and not (asked_to_keep or words.durable.search(small)):
        return None
    ends = bool(words.ended.search(small)) and not words.successor.search(small)
    thought = words.thinks.match(small)
    meant = said.cut(thought.end(), len(small)) if thought else said
    kind = _kind(meant, ordered=ordered, asked_to_keep=asked_to_keep, ends=ends)
    if kind is None or (_is_resolved(said, kind) and not ends):
        return None
    grounds = basis(said)
    if grounds is None:
        return None
    return _Statement(said, kind, grounds, ordered=ordered, ends=ends)


def _opened(said: Said) -> tuple[Said, bool]:
    """Without the words before it that say nothing, and whether they ask to keep it."""
    asked = False
    for _ in range(3):
        small = said.small
        if begun := said.words.corrects.match(small) or said.words.openers.match(small):
            said = said.cut(begun.end(), len(said.text))
        elif kept := said.words.remember.search(small):
            asked = True
            ends = kept.end() == len(small) and kept.start() > 0
            said = said.cut(*((0, kept.start()) if ends else (kept.end(), len(said.text))))
        else:
            break
    return said, asked


def _kind(said: Said, *, ordered: bool, asked_to_keep: bool, ends: bool) -> Kind | None:
    small = said.small
    if ordered:
        return _kind_of_order(said)
    event = _tells_of_an_event(said) and not ends
    if said.words.resolved.search(small) and spans_of(said):
        return Kind.EPISODE
    for kind, pattern in said.words.kinds:
        if pattern.search(small):
            return Kind.EPISODE if kind == Kind.FACT and event else kind
    if event:
        return Kind.EPISODE
    if asked_to_keep or ends or _tells_of_themselves(said):
        return Kind.FACT
    return Kind.ENVIRONMENT if _tells_of_a_thing(said) else None


def _kind_of_order(said: Said) -> Kind:
    words, small = said.words, said.small
    if words.bounded.search(small):
        return Kind.DECISION
    if any(kind == Kind.CONSTRAINT and each.search(small) for kind, each in words.kinds):
        return Kind.CONSTRAINT
    return Kind.PREFERENCE if words.answers.search(small) else Kind.CONSTRAINT


def _tells_of_an_event(said: Said) -> bool:
    verb = past_verb(said)
    return bool(verb) and verb not in said.words.weak | said.words.changes


def _tells_of_themselves(said: Said) -> bool:
    words, small = said.words, said.small
    found = words.of_self.search(small)
    if found is None or words.vague.search(small):
        return False
    return found["verb"] not in words.chatty and len(set(small.split())) >= FEWEST_ABOUT_SELF


def _tells_of_a_thing(said: Said) -> bool:
    """Whether it says of something named what it is, or where it stands."""
    words, small = said.words, said.small
    others = (words.vague, words.evaluates, words.things)
    if not words.placed.search(small) or any(each.search(small) for each in others):
        return False
    sentence = _read(said)
    if sentence is None:
        return False
    return bool(sentence.dates) or any(
        token.sort in (Sort.CODE, Sort.NUMBER, Sort.NAME) for token in sentence.tokens
    )


def _read(said: Said) -> Sentence | None:
    found = read(said.text, said.time or datetime(2000, 1, 1, tzinfo=UTC))
    return found[0] if len(found) == 1 else None


def _is_resolved(said: Said, kind: Kind) -> bool:
    """Whether it only says that something is done, which is nobody's memory without a lesson."""
    if kind == Kind.LESSON or not said.words.resolved.search(said.small):
        return False
    return not spans_of(said)


# What it says -------------------------------------------------------------------------------------


def _candidate(statement: _Statement, beside: _Beside) -> Candidate:
    said, kind = statement.said, statement.kind
    spans = spans_of(said)
    said_of_it, detail = telling.reason(
        put_right(said), beside.before, beside.following, said.words, kind
    )
    content = telling.told(
        said_of_it, said.words.name, kind=kind, ordered=statement.ordered, spans=spans
    )
    valid_from, valid_to = validity(said, kind, spans)
    return Candidate(
        turn=said.turn,
        start=said.start,
        end=said.end,
        quote=said.text,
        kind=kind,
        content=content,
        confidence=SAID[statement.basis],
        basis=statement.basis,
        detail=detail,
        valid_from=valid_from,
        valid_to=valid_to,
        named=entities(content),
        ends=statement.ends,
        said=said.time,
    )
