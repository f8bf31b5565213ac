"""What was said later of the same slot: "on channel 11", and then "Moved to channel 25"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memoranda.text.claims import words
from memoranda.text.claims.agreement import (
    Agreement,
    Author,
    Difference,
    Steps,
    compare,
    may_begin,
    may_end,
)
from memoranda.text.claims.reading import Sentence, Sort, Token


@dataclass(frozen=True, slots=True)
class _Slot:
    """A number or a code, what it is one of, and which token it is."""

    value: Token
    label: Token
    place: int


@dataclass(frozen=True, slots=True)
class Update:
    """How a later sentence bears on a claim; `named` when it says itself of what it tells."""

    agreement: Agreement
    named: bool


def updated(
    claim: Sentence, record: Sentence, later: Sentence, author: Author, steps: Steps
) -> Update | None:
    """What a later sentence makes of a claim which a record says, but for the number or code.

    None when it gives the slot no other value, or gives it to something else; and when no `steps`
    are left.
    """
    new = _new_value(later) if steps.take_one() else None
    if new is None or claim.dates or not all(map(_is_plain, claim.tokens)):
        return None
    claimed, old = _slot(claim, new.label), _slot(record, new.label)
    if claimed is None or old is None or claimed.value.sort is not new.value.sort:
        return None
    tokens = list(claim.tokens)
    tokens[claimed.place] = replace(claimed.value, word=old.value.word, roots=old.value.roots)
    before = compare(replace(claim, tokens=tuple(tokens)), record, author, steps)
    told = {each.start for each in (new.value, new.label)}
    besides = [each for each in later.tokens[: new.place] if each.start not in told]
    named = _thing(besides, record, new.label)
    if before is None or before.difference is not None or named is None:
        return None
    same = new.value.word == claimed.value.word
    difference = Difference("number", claimed.value.shown, new.value.shown)
    return Update(Agreement(later, None if same else difference), named)


def _is_plain(token: Token) -> bool:
    """Whether it is said to be so now: what was so once, or is not, does not change."""
    return token.tense != "past" and not token.negated and token.sort is not Sort.BAR


def _new_value(later: Sentence) -> _Slot | None:
    """The value of "moved (it) to channel 25", "raised the limit to 80", "it is on channel 25"."""
    tokens = later.tokens
    if later.asks or later.doubts - words.TAKING_OUT or later.dates:
        return None
    end = next((at for at, each in enumerate(tokens) if at and each.bounds), len(tokens))
    if (
        not tokens
        or not may_begin(tokens, 0)
        or any(each.negated or each.sort is Sort.BAR for each in tokens[:end])
    ):
        return None
    changed = [each for each in tokens[:end] if each.roots & words.CHANGED and each.past]
    relation = "to" if changed else "in"
    at = next((at for at in range(end) if _is_a_value(tokens[at], relation)), None)
    if at is None or len(changed) > 1:
        return None
    label = _label(tokens, at)
    if label is None or not may_end(tokens, max(at, tokens.index(label))):
        return None
    present = any(each.helper == "now" for each in tokens[: at + 1])
    return _Slot(tokens[at], label, at) if changed or present else None


def _is_a_value(token: Token, relation: str) -> bool:
    return token.sort in (Sort.NUMBER, Sort.CODE) and token.relations == {relation}


def _label(tokens: Sequence[Token], at: int) -> Token | None:
    """What a value is one of: (channel) 25, 8 (GB), the (port) is 80; None when nobody says."""
    value = tokens[at]
    if at + 1 < len(tokens) and not (tokens[at + 1].opens or tokens[at + 1].bounds):
        return tokens[at + 1]
    led = not value.opens or value.helper == "now" or value.relations == {"to"}
    if at == 0 or value.bounds or not led:
        return None
    return tokens[at - 1] if tokens[at - 1].sort in (Sort.WORD, Sort.NAME) else None


def _slot(sentence: Sentence, label: Token) -> _Slot | None:
    """Where a sentence has such a value, if in one place only and not to tell its subject."""
    tokens = sentence.tokens
    places = [
        at
        for at, each in enumerate(tokens)
        if each.sort in (Sort.NUMBER, Sort.CODE)
        and (found := _label(tokens, at)) is not None
        and not found.roots.isdisjoint(label.roots)
    ]
    if len(places) != 1 or not any(each.opens for each in tokens[1 : places[0] + 1]):
        return None
    return _Slot(tokens[places[0]], label, places[0])


def _thing(besides: Sequence[Token], record: Sentence, label: Token) -> bool | None:
    """Whether the words beside the new value name what the record is about; None if another."""
    said = [each for each in besides if not each.roots & words.CHANGED and not _is_it(each)]
    if any(each.possessive for each in said) or not all(each.roots & record.roots for each in said):
        return None
    about = {root for each in said for root in each.roots}
    named = [each for each in said if each.sort in (Sort.WORD, Sort.NAME)]
    if not any(each.roots.isdisjoint(label.roots) for each in named):
        return False
    subject = _subject(record.tokens)
    if any(each.possessive or each.sort is Sort.SELF for each in subject):
        return None
    whole = all(each.roots & (about | label.roots) for each in subject)
    return True if subject and whole else None


def _is_it(token: Token) -> bool:
    return not token.possessive and (token.sort is Sort.SELF or token.word in ("it", "them"))


def _subject(tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands before the verb; nothing when no verb can be told."""
    for at, each in enumerate(tokens):
        if each.helper or each.past or each.roots & words.STATES:
            return tokens[:at]
    return ()
