"""Whether a sentence says what is claimed.

The words of a claim are looked for in the sentence, in order, each under the same relation, in the
same tense; what the sentence says in between must be something that may be left out. So a sentence
supports a claim that says the same or less, and nothing else. One that says another number, another
name where there can be one only, the opposite, or "not", denies it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import groupby, pairwise

import regex

from memoranda.text.claims import words
from memoranda.text.claims.reading import SLOTS, Date, Sentence, Sort, Token
from memoranda.types import Span

MOST_STEPS = 1000
"""Words looked at to compare a claim with a sentence; real ones take 60, and made ones no end."""

FARTHEST = 40
"""Tokens between two words of a claim, at most."""

MOST_CLAIMED = 60
"""Tokens of a claim, at most; a longer one is not judged."""

PERMISSION = "permission"
"""What may be and what must not, which differ in two words and are one difference."""

LEAST_AROUND = 2
"""So many words must agree besides the one that differs, or it is about something else."""


@dataclass(frozen=True, slots=True)
class Difference:
    """In what a sentence differs from a claim; it is `sure` when one cannot be so as well."""

    slot: str
    claimed: str
    recorded: str
    sure: bool = True

    def __str__(self) -> str:
        return f"{self.slot}: {self.claimed} was claimed, {self.recorded} is recorded"


@dataclass(frozen=True, slots=True)
class Agreement:
    """A sentence that says what is claimed, but for the difference if there is one."""

    sentence: Sentence
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Author:
    """Who said a sentence and when: the `names` are those that "I" stands for.

    A statement holds from `since` up to `until`, which a date in a claim may name; what was merely
    said has neither. What `happened` did so on that day, and not up to today.
    """

    names: frozenset[str]
    said: datetime
    since: datetime | None = None
    until: datetime | None = None
    now: datetime | None = None
    states: bool = False
    happened: datetime | None = None


class _TooManySteps(Exception):
    """Who goes on looking may take hours."""


@dataclass(slots=True)
class Steps:
    """How many words may still be looked at; those that `some` take are taken from `whole` too."""

    left: int = MOST_STEPS
    whole: Steps | None = None

    def some(self) -> Steps:
        """As many as one comparison may take."""
        return Steps(whole=self)

    def take(self, number: int = 1) -> None:
        if self.left <= 0:
            raise _TooManySteps
        self.left -= number
        if self.whole is not None:
            self.whole.take(number)

    def take_one(self) -> bool:
        """Take one if any is left."""
        if self.left > 0:
            self.take()
            return True
        return False


def compare(
    claim: Sentence, record: Sentence, author: Author, steps: Steps | None = None
) -> Agreement | None:
    """How a sentence bears on a claim; None when it says nothing about it for sure.

    Neither does it when no `steps` are left, of which each comparison takes some.
    """
    if record.asks or record.doubts - claim.doubts or not 0 < len(claim.tokens) <= MOST_CLAIMED:
        return None
    some = (Steps() if steps is None else steps).some()
    try:
        some.take()
        return _compare(claim, record, author, some)
    except _TooManySteps:
        return None


def _compare(claim: Sentence, record: Sentence, author: Author, steps: Steps) -> Agreement | None:
    claim = _with_whole_names(claim, author.names)
    roots = record.roots
    missing = len(claim.tokens) - sum(_may_match(each, roots, author) for each in claim.tokens)
    if missing > 2:
        return None
    for way in _ways(claim, record, author, steps):
        steps.take(1 + len(claim.dates) * len(record.dates))
        if found := _judged(way, claim, record, author):
            return found
    return None


def _with_whole_names(claim: Sentence, names: frozenset[str]) -> Sentence:
    """The claim with a name of several words, which the author bears, as one token."""
    tokens = list(claim.tokens)
    for name in names:
        parts = name.split()
        for place in range(len(tokens) - len(parts) + 1 if len(parts) > 1 else 0):
            named = tokens[place : place + len(parts)]
            if [each.word for each in named] == parts and not any(
                each.possessive for each in named[:-1]
            ):
                whole = replace(named[0], word=name, possessive=named[-1].possessive)
                tokens[place : place + len(parts)] = [whole]
                break
    return claim if len(tokens) == len(claim.tokens) else replace(claim, tokens=tuple(tokens))


def _may_match(token: Token, roots: frozenset[str], author: Author) -> bool:
    """A quick look before the long one."""
    return (
        token.possessive
        or token.sort is Sort.SELF
        or token.word in author.names
        or not token.roots.isdisjoint(roots)
    )


# What differs -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way:
    """Pairs of a claim's token and the one of the sentence that it was laid upon."""

    pairs: tuple[tuple[Token, Token], ...]
    difference: Difference | None = None


def _judged(way: _Way, claim: Sentence, record: Sentence, author: Author) -> Agreement | None:
    if _is_restricted(way, record):
        return None
    difference = way.difference
    polarity = _polarity(way.pairs)
    dated_more = bool(record.dates) and not claim.dates
    if polarity is None or (dated_more and any(other.negated for _, other in way.pairs)):
        return None
    if difference and (polarity == "opposite") != (difference.slot == PERMISSION):
        return None
    if polarity == "opposite":
        told = "not so" if way.pairs[-1][1].negated else "so"
        claimed = "so" if told == "not so" else "not so"
        difference = Difference("negation", claimed, told)
    match _dates(way, claim, record, author):
        case "unknown":
            return None
        case Difference() as other:
            difference = None if difference else other
            if difference is None or not _is_once(way):
                return None
    if difference is not None:
        if not _is_about_the_same(way):
            return None
        event = _is_an_event(way)
        if event and dated_more and polarity == "same":
            return None  # it was another time
        difference = replace(difference, sure=not event or _is_never(way))
    return Agreement(record, difference)


def _is_an_event(way: _Way) -> bool:
    """Whether it may have happened twice: who bought 8 eggs, or none, may have bought 12 before."""
    claimed = [one for one, _ in way.pairs]
    return any(each.tense == "past" for each in claimed) and not any(
        each.roots & words.STATES for each in claimed
    )


def _is_never(way: _Way) -> bool:
    """Whether it is denied for all time."""
    return way.pairs[-1][1].negation == "never"


def _is_about_the_same(way: _Way) -> bool:
    agreeing = [one for one, other in way.pairs if one.sort is not Sort.SELF and _same(one, other)]
    return len(agreeing) >= LEAST_AROUND or (
        way.difference is None and len(agreeing) >= 1 and len(way.pairs) > 1
    )


def _same(one: Token, other: Token) -> bool:
    return not one.roots.isdisjoint(other.roots) or other.sort is Sort.SELF


def _is_once(way: _Way) -> bool:
    """Whether it was done once, so that another day denies it."""
    return any(one.roots & words.ONCE for one, _ in way.pairs)


def _polarity(pairs: Sequence[tuple[Token, Token]]) -> str | None:
    """`same`, `opposite`, or None when what is denied is not the same part."""
    claimed = [one.negated for one, _ in pairs]
    recorded = [other.negated for _, other in pairs]
    if claimed[-1] == recorded[-1]:
        if claimed[-1]:
            strong = pairs[-1][0].negation
            weaker = strong != "not" and strong != pairs[-1][1].negation
            return None if weaker or claimed[0] != recorded[0] else "same"
        return "same" if claimed == recorded else None
    negated = claimed if claimed[-1] else recorded
    plain = recorded if claimed[-1] else claimed
    if any(plain):
        return None
    first = negated.index(True)
    return "opposite" if all(negated[first:]) else None


def _relations_agree(one: Token, other: Token) -> bool:
    if not one.relations.isdisjoint(other.relations):
        return True
    both = one.relations | other.relations
    return both == {"", "to"}


def _tenses_agree(one: Token, other: Token) -> bool:
    mine, yours = one.tense, other.tense
    if mine == yours:
        return True
    if {mine, yours} == {"past", "now"}:
        return one.past and other.past and "" in (one.helper, other.helper)
    if "past" in (mine, yours):
        return any(map(words.may_be_past, one.roots))
    return True


# What bounds what is said -------------------------------------------------------------------------

_HARD = frozenset((";", ":", "because", "but", "who", "that"))


def _is_restricted(way: _Way, record: Sentence) -> bool:
    """Whether it is said only of some case that the claim leaves out."""
    found = {other.start for _, other in way.pairs}
    tokens = record.tokens
    for place, each in enumerate(tokens):
        if "only" in each.roots and (
            _leaves_some_out(tokens, place, found)
            if each.start in found
            else _bounds_another(tokens, place, found)
        ):
            return True
    return _holds_in_a_case(tokens, found)


def _leaves_some_out(tokens: Sequence[Token], only: int, found: Set[int]) -> bool:
    """Whether "only" is claimed, but not of all that it was said of: Tuesdays and Thursdays."""
    start, end = _clause(tokens, only, _HARD)
    return any(each.start not in found and not _is_adverb(each) for each in tokens[start:end])


def _bounds_another(tokens: Sequence[Token], only: int, found: Set[int]) -> bool:
    """Whether "only" belongs to what is not claimed: Mara may deploy on Mondays only."""
    start, end = _clause(tokens, only)
    if only + 1 == end and only > start:
        bounded = _listed(tokens, only - 1)
        start = min(start, *_clause(tokens, bounded[0])[:1])
    else:
        bounded = range(only + 1, end)
    if any(tokens[each].start in found for each in bounded):
        return False
    led = bounded and _is_led(tokens[bounded[0]])
    return bool(led) or any(each.start in found for each in tokens[start:end])


def _listed(tokens: Sequence[Token], last: int) -> range:
    """The list that ends there: on Mondays, Tuesdays and Fridays."""
    first = _chunk(tokens, last)
    while tokens[first].bounds & {"and", "or", ","} and first > 0:
        if tokens[first].relations.isdisjoint(tokens[first - 1].relations):
            break
        first -= 1
        if tokens[first].bounds or _is_led(tokens[first]):
            continue
        first = max(_chunk(tokens, first), _clause(tokens, first)[0])
    return range(first, last + 1)


def _clause(tokens: Sequence[Token], place: int, bounds: Set[str] | None = None) -> tuple[int, int]:
    """From one bound to the next."""

    def begins(at: int) -> bool:
        met = tokens[at].bounds
        return bool(met if bounds is None else met & bounds)

    start, end = place, place + 1
    while start > 0 and not begins(start):
        start -= 1
    while end < len(tokens) and not begins(end):
        end += 1
    return start, end


def _holds_in_a_case(tokens: Sequence[Token], found: Set[int]) -> bool:
    """Whether something is in a state, or allowed, only then or there: closed on Mondays."""
    stated = False
    for each in tokens:
        if each.bounds and not _is_led(each):
            stated = False
        if each.start in found:
            stated = stated or (each.past and each.helper == "now") or each.word == "may"
        elif stated and _is_led(each) and each.relations.isdisjoint(words.HELD_WITHOUT):
            return True
    return False


# Laying a claim upon a sentence -------------------------------------------------------------------


@dataclass(slots=True)
class _Laying:
    claim: Sequence[Token]
    record: Sequence[Token]
    author: Author
    tolerance: int
    steps: Steps
    hopeless: set[tuple[int, int, bool, bool]] = field(default_factory=set)

    def ways(self) -> Iterator[_Way]:
        for place in range(len(self.record)):
            if not may_begin(self.record, place):
                continue
            for first in self._beginnings(place):
                yield from self._from(first, place, (), None)

    def _beginnings(self, place: int) -> Iterator[int]:
        """The claim's words that may be the first to be found there."""
        yield 0
        if len(self.claim) < 2:
            return
        subject, verb = self.claim[0], self.record[place]
        own = self._is_the_author(subject) and not subject.possessive
        by_another = any("by" in each.relations for each in self.record)
        if own and _lacks_a_subject(verb, place) and not by_another:
            yield 1
        if self._may_go_unsaid(0, place):
            yield 1

    def _is_the_author(self, token: Token) -> bool:
        return token.sort is Sort.SELF or token.word in self.author.names

    def _from(
        self,
        index: int,
        place: int,
        pairs: tuple[tuple[Token, Token], ...],
        difference: Difference | None,
    ) -> Iterator[_Way]:
        own = index > 0 and self._is_the_author(self.claim[0])
        state = (index, place, difference is not None, own)
        if state in self.hopeless:
            return
        self.steps.take()
        found = False
        for other in self._compared(index, place, own, pairs):
            if other is not None and (difference is not None or self.tolerance == 0):
                continue
            now = difference or other
            following = (*pairs, (self.claim[index], self.record[place]))
            for way in self._after(index, place, following, now):
                found = True
                yield way
        if not found:
            self.hopeless.add(state)

    def _after(
        self,
        index: int,
        place: int,
        pairs: tuple[tuple[Token, Token], ...],
        difference: Difference | None,
    ) -> Iterator[_Way]:
        if index + 1 == len(self.claim):
            if may_end(self.record, place):
                yield _Way(pairs, difference)
            return
        for further in range(place + 1, min(len(self.record), place + FARTHEST)):
            self.steps.take()
            following = self.claim[index + 1]
            if _may_follow(self.record, place, further, following, len(pairs)):
                yield from self._from(index + 1, further, pairs, difference)
            unsaid = index + 2 < len(self.claim) and self._may_go_unsaid(index + 1, further)
            if unsaid and _may_follow(
                self.record, place, further, self.claim[index + 2], len(pairs)
            ):
                yield from self._from(index + 2, further, pairs, difference)

    def _may_go_unsaid(self, index: int, place: int) -> bool:
        """Whether whose it is may be claimed though it is not said: my NAS is the NAS."""
        token = self.claim[index]
        if not token.possessive or (token.sort is not Sort.SELF and token.word not in words.THEIRS):
            return False
        chunk = self.record[_chunk(self.record, place) : place + 1]
        if any(each.possessive for each in chunk):
            return False
        if chunk[0].definite:
            return True
        return token.sort is Sort.SELF and self.author.states and not chunk[0].noun

    def _compared(
        self, index: int, place: int, own: bool, pairs: Sequence[tuple[Token, Token]]
    ) -> Iterator[Difference | None]:
        """None when the tokens say the same; or in what alone they differ."""
        one, other = self.claim[index], self.record[place]
        if one.possessive != other.possessive or not _tenses_agree(one, other):
            return
        if one.word == other.word and self._differs_in_case(index, place, pairs):
            return
        named = any(claimed.roots & words.NAMING for claimed, _ in pairs)
        if self._equal(one, other, own) and (not named or one.word == other.word):
            if _relations_agree(one, other):
                yield None
            elif opposite := _opposite_relation(one, other):
                yield opposite
            return
        if _relations_agree(one, other) and (found := _difference(one, other, index, pairs)):
            yield found

    def _differs_in_case(
        self, index: int, place: int, pairs: Sequence[tuple[Token, Token]]
    ) -> bool:
        """Whether a secret, a flag or a code is written with other capitals."""
        one, other = self.claim[index], self.record[place]
        if one.word.startswith("-"):
            return one.shown != other.shown
        if one.sort is Sort.CODE and not (_is_in_any_case(one) and _is_in_any_case(other)):
            begins = index == 0 or place == 0
            return one.shown[begins:] != other.shown[begins:]
        secret = any(each.roots & words.SECRETS for each in self.claim)
        after = any(claimed.roots & words.SECRETS for claimed, _ in pairs)
        last = bool(self.claim[-1].roots & words.SECRETS)
        if after and one.shown != other.shown:
            return True
        return secret and last and one.shown[1:] != other.shown[1:]

    def _equal(self, one: Token, other: Token, own: bool) -> bool:
        if other.sort is Sort.SELF:
            if one.sort is Sort.SELF or one.word in self.author.names:
                return True
            return own and one.possessive and one.word in words.THEIRS
        if one.sort is Sort.SELF:
            return False
        if Sort.NUMBER in (one.sort, other.sort) or Sort.CODE in (one.sort, other.sort):
            return one.word == other.word
        if (one.sort is Sort.BAR) != (other.sort is Sort.BAR):
            return False
        if Sort.NAME in (one.sort, other.sort) or one.whole or other.whole:
            return one.word == other.word or _same_name(one, other)
        return not one.roots.isdisjoint(other.roots)


def _is_in_any_case(token: Token) -> bool:
    """Whether it may be written small or in capitals: MG07 and web-01 may, aB3dE9 may not."""
    runs = list(groupby(filter(str.isalnum, token.shown), key=str.isdigit))
    if not any(is_digit for is_digit, _ in runs):
        return True
    parts = regex.findall(r"\p{L}+", token.shown)
    regular = all(each.islower() or each.isupper() or each.istitle() for each in parts)
    return regular and len(runs) <= 2


def _same_name(one: Token, other: Token) -> bool:
    """A name in another spelling that is known, or a weekday."""
    if one.roots & other.roots & words.WEEKDAYS:
        return True
    return words.EQUAL.get(one.word, one.word) == words.EQUAL.get(other.word, other.word)


def _ways(claim: Sentence, record: Sentence, author: Author, steps: Steps) -> Iterator[_Way]:
    """Those without a difference first. Raises _TooManySteps."""
    for tolerance in (0, 1):
        for order in _orders(claim.tokens):
            yield from _Laying(order, record.tokens, author, tolerance, steps).ways()


def _orders(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """A claim as it stands, and with what begins or ends it by a preposition at the other end."""
    yield tokens
    starts = [place for place, each in enumerate(tokens) if each.opens or each.bounds]
    if len(starts) < 2 or any(each.bounds - {","} for each in tokens):
        return
    last, second = starts[-1], starts[1]
    if "" not in tokens[last].relations:
        yield (*tokens[last:], *tokens[:last])
    if "" not in tokens[0].relations:
        yield (*tokens[second:], *tokens[:second])


def _lacks_a_subject(verb: Token, place: int) -> bool:
    """Whether a sentence begins with what was done: "Moved to Oslo" is said of oneself."""
    return place == 0 and verb.past and not verb.helper and verb.sort is Sort.WORD


# What may stand between ---------------------------------------------------------------------------


def _is_adverb(token: Token) -> bool:
    if token.sort is not Sort.WORD:
        return False
    return token.word in words.UNSAID or (
        token.word.endswith("ly") and len(token.word) > 4 and token.word not in words.NO_ADVERBS
    )


def _are_adverbs(tokens: Sequence[Token]) -> bool:
    return all(map(_is_adverb, tokens))


def _chunk(record: Sequence[Token], place: int) -> int:
    """Where the words begin that belong to the one at this place."""
    while place > 0 and not record[place].opens:
        place -= 1
    return place


def _is_under_another(token: Token) -> bool:
    """Whether it may belong to what stands before "and": the mother of Ben and Anna."""
    return len(token.relations) > 1 and not (
        token.past or token.helper or words.may_be_past(token.word)
    )


def may_begin(record: Sequence[Token], place: int) -> bool:
    """Whether a statement begins there: nothing stands before it that could change it."""
    start = place
    while start > 0 and not record[start].bounds:
        start -= 1
    if not _are_adverbs(record[start:place]):
        return False
    if start == 0:
        return True
    bounds = record[start].bounds
    if bounds & {"or", "who"} or _is_under_another(record[place]):
        return False
    if ":" in bounds:
        return all(each.word in words.LABELS for each in record[:start])
    if "that" in bounds:
        return _is_known(record, start - 1)
    return True


def _is_known(record: Sequence[Token], place: int) -> bool:
    """Whether what follows the word is so: "we know that", but not "nobody knows that"."""
    clause = place
    while clause > 0 and not record[clause].bounds:
        clause -= 1
    barred = any(each.sort is Sort.BAR or each.negated for each in record[clause : place + 1])
    return bool(record[place].roots & words.KNOWN_FOR_SURE) and not barred


def _may_follow(
    record: Sequence[Token], before: int, place: int, claimed: Token, matched: int
) -> bool:
    """Whether what stands between two found words may be left out."""
    here = record[place]
    if place == before + 1:
        return _bounds_agree(claimed, here)
    between = record[before + 1 : place]
    if any(each.sort is Sort.BAR for each in between):
        return False
    if _are_both_denied(record[before], between, here):
        return not claimed.bounds
    if any(each.bounds for each in (*between, here)):
        follows = record[place + 1] if place + 1 < len(record) else None
        if follows and not follows.bounds and _begins_a_clause(here, follows):
            return False
        return _resumes(record[before], between, here, claimed, matched)
    if claimed.bounds & {"and", "or", "but", "because"}:
        return False
    return _may_be_left_out(record, before, place)


def _bounds_agree(claimed: Token, here: Token) -> bool:
    for bound in ("or", "because", ";", ":"):
        if (bound in claimed.bounds) != (bound in here.bounds):
            return False
    if "who" in here.bounds and not claimed.bounds & {"who"}:
        return "," in here.bounds  # Ben, who lives in Oslo; but not dogs that bark
    joined = {"and", "but", ","}
    if claimed.bounds & {"and", "but"}:
        return bool(here.bounds & joined)
    if here.bounds & joined == {","} and (here.word in words.HOW_OFTEN or _is_led(here)):
        return True  # "to Backblaze, every night", "to Oslo, with Ben"
    return not here.bounds & joined or "," in claimed.bounds


def _begins_a_clause(subject: Token, verb: Token) -> bool:
    """Whether it is somebody else who did something: "Anna married Tom, Ben was there"."""
    return bool(verb.helper) or (verb.past and not verb.opens and not subject.past)


def _are_both_denied(one: Token, between: Sequence[Token], here: Token) -> bool:
    """Whether what follows is said of two verbs, of which neither is so: not deleted or emptied."""
    return (
        len(between) == 1
        and between[0].bounds == {"or"}
        and one.past
        and between[0].past
        and here.negated
        and not here.bounds
        and "" not in here.relations
    )


def _is_led(token: Token) -> bool:
    """Whether a preposition of its own leads to a word."""
    return token.noun and "" not in token.relations


def _resumes(
    last: Token, between: Sequence[Token], here: Token, claimed: Token, matched: int
) -> bool:
    """Whether a list or a sentence goes on there, with the first word after "and" or a comma."""
    met = frozenset(bound for each in (*between, here) for bound in each.bounds)
    if not here.bounds or met - {",", "and", "but", "or"}:
        return False
    if "or" in met and not here.negated:
        return False
    if here.bounds == {","} and matched < 2:
        return False  # who is spoken to, and who it is about: "Jon, moved to Oslo"
    if _is_under_another(here) and here.relations.isdisjoint(claimed.relations - {""}):
        return False
    if claimed.relations == {""} and not (claimed.opens or claimed.bounds or here.past):
        # What was found last must be a verb or who did it, or "big cats and dogs" are big dogs.
        done_by = matched == 1 and last.sort in (Sort.SELF, Sort.NAME)
        if matched != 2 and not done_by and not last.past:
            return False
    return not claimed.bounds & {"because", ";"}


def _may_be_left_out(record: Sequence[Token], before: int, place: int) -> bool:
    if record[place].negated:
        return False  # who eats no red meat may eat meat
    chunk = _chunk(record, place)
    if chunk <= before:
        chunk = place
    elif not (_are_adverbs(record[chunk:place]) or _says_only_which(record[chunk:place])):
        return False
    direct = "" in record[place].relations or bool(record[place].helper)
    for at in range(before + 1, chunk):
        each = record[at]
        if _is_adverb(each):
            continue
        if _chunk(record, at) <= before or direct or each.sort is Sort.SELF:
            return False
        if not each.relations <= words.MAY_BE_LEFT_OUT:
            return False
    return True


def _says_only_which(inner: Sequence[Token]) -> bool:
    """Whether a thing is still one without these words: a (12 TB) disk is, a (toy) car is not."""
    first = inner[0]
    if _has_a_share(inner):
        return False
    if first.definite or not (first.noun or first.possessive or first.sort is Sort.NUMBER):
        return False
    units = [False, *(each.sort is Sort.NUMBER for each in inner)]
    return all(
        _tells_only_which(each) or is_unit for each, is_unit in zip(inner, units, strict=False)
    )


_FRACTION = regex.compile(r"\d+/\d+|\d*\p{No}")


def _has_a_share(tokens: Sequence[Token]) -> bool:
    """Whether they tell how much of something is so: 80 %, two thirds, 3/4, "is a third"."""
    return any(
        _FRACTION.fullmatch(each.word)
        or (each.sort is Sort.WORD and not each.roots.isdisjoint(words.SHARES))
        or (_is_an_ordinal(each) and bool(each.helper or (before and before.sort is Sort.NUMBER)))
        for before, each in pairwise((None, *tokens))
        if each is not None
    )


def _is_an_ordinal(token: Token) -> bool:
    return token.sort is Sort.NUMBER and token.word.endswith("th")


def _tells_only_which(token: Token) -> bool:
    if token.possessive:
        return token.sort is Sort.SELF
    return token.sort in SLOTS or token.word in words.PLAIN or _is_adverb(token)


def may_end(record: Sequence[Token], place: int) -> bool:
    """Whether what is said after the last word found leaves it as it is."""
    here = record[place]
    for at, following in enumerate(record[place + 1 :], start=place + 1):
        if following.bounds:
            if "or" in following.bounds:
                return following.negated
            if here.negated and "because" in following.bounds:
                return False
            return not following.bounds & {"who", "that"} and "between" not in here.relations
        if here.negated:
            return False
        if _is_adverb(following):
            continue
        if following.word == "only" and (at + 1 == len(record) or record[at + 1].bounds):
            continue  # which bounds what was said
        if not following.opens:
            model = here.sort in (Sort.NAME, Sort.WORD) and following.sort is Sort.CODE
            return model and here.relations == following.relations
        if here.helper and (not here.past or _has_a_share(record[at : _clause(record, at)[1]])):
            return False  # the port is 80 on staging, the disk is filled to 80 %
        return following.relations <= words.MAY_BE_LEFT_OUT | {
            "before", "after", "since", "against", "between", "without"
        }  # fmt: skip
    return True


# One thing that differs ---------------------------------------------------------------------------


def _difference(
    one: Token, other: Token, index: int, pairs: Sequence[tuple[Token, Token]]
) -> Difference | None:
    if {one.word, other.word} == {"may", "must"}:
        return Difference(PERMISSION, one.shown, other.shown)
    if _are_opposites(one.roots, other.roots):
        return Difference("opposite", one.shown, other.shown)
    if _tells_which(one, index, pairs):
        return None
    if one.sort is Sort.NUMBER and other.sort is Sort.NUMBER:
        return Difference("number", one.shown, other.shown)
    before = frozenset(root for claimed, _ in pairs for root in claimed.roots)
    if one.sort is Sort.CODE and other.sort is Sort.CODE and one.shape == other.shape:
        if before & words.STATES or not any(each.isalpha() for each in one.word):
            return Difference("value", one.shown, other.shown)
        return None
    if one.roots & words.WEEKDAYS and other.roots & words.WEEKDAYS:
        state = any(claimed.past and claimed.helper == "now" for claimed, _ in pairs)
        return None if state else Difference("day", one.shown, other.shown)
    if index == 0 or Sort.BAR in (one.sort, other.sort) or not before & words.STATES:
        return None
    if other.sort is Sort.NAME or (
        before & words.NAMING and Sort.SELF not in (one.sort, other.sort)
    ):
        return Difference("name", one.shown, other.shown)
    return None


def _tells_which(one: Token, index: int, pairs: Sequence[tuple[Token, Token]]) -> bool:
    """Whether a number is part of what its subject is called: port 9077, PR #318."""
    if one.word.startswith("#"):
        return True
    return index == 1 == len(pairs) and not one.opens and not pairs[0][0].past


def _are_opposites(some: frozenset[str], others: frozenset[str]) -> bool:
    return any(frozenset((one, other)) in words.OPPOSITES for one in some for other in others)


def _opposite_relation(one: Token, other: Token) -> Difference | None:
    if not _are_opposites(one.relations, other.relations):
        return None
    claimed, recorded = (" ".join(sorted(each.relations)) for each in (one, other))
    return Difference("opposite", claimed, recorded)


# Times --------------------------------------------------------------------------------------------


def _dates(way: _Way, claim: Sentence, record: Sentence, author: Author) -> Difference | str:
    """`same` when every time claimed is the one recorded; else how it differs, or `unknown`."""
    dates = [each.past.start for each in claim.dates if claim.told and record.dates]
    if dates and dates[0] < claim.tokens[0].start:
        return "unknown"  # when it was told, and when it was
    answer: Difference | str = "same"
    for date, bound in _bound(way, claim, record):
        if bound is None and _fits_undated(date, way, claim, record, author):
            continue
        if bound and all(_fits(date, each, record) for each in bound):
            continue
        recorded = [_meant(each, record) for each in bound or ()]
        others = [each for each in recorded if each is not None and _apart(date.past, each)]
        if not date.sure or not others or len(others) < len(recorded):
            return "unknown"
        answer = Difference("date", date.past.text, _told(others[0]))
    return answer


# Which date belongs to which words ----------------------------------------------------------------


def _bound(
    way: _Way, claim: Sentence, record: Sentence
) -> Iterator[tuple[Date, Sequence[Date] | None]]:
    """Each date claimed with those recorded of the same words; None when no date is recorded.

    Of several all must agree, unless as many are claimed of these words: from 1 May to 3 May.
    """
    if not claim.dates or not record.dates:
        yield from ((date, None) for date in claim.dates)
        return
    mine, yours = _Parts.of(claim), _Parts.of(record)
    for date in claim.dates:
        own = mine.part(date.past.start)
        for part in mine.sharing(own):
            last = max(
                (two.start for one, two in way.pairs if mine.part(one.start) == part), default=0
            )
            recorded = yours.dated(yours.part(last))
            if any(_is_of_another(record.tokens, last, each.past.start) for each in recorded):
                recorded = []
            claimed = mine.dates.get(own, [])
            if len(claimed) == len(recorded):
                recorded = [recorded[claimed.index(date)]]
            yield date, recorded


def _is_of_another(tokens: Sequence[Token], last: int, date: int) -> bool:
    """Whether what is left out before a date has it: we met (after Ben left) in May."""
    return any(
        last < each.start < date and (each.past or not each.relations <= words.DATED_ALIKE)
        for each in tokens
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """A sentence cut where something else begins, at places that have words before the next."""

    cuts: tuple[int, ...]
    tokens: dict[int, list[Token]]
    dates: dict[int, list[Date]]

    @classmethod
    def of(cls, sentence: Sentence) -> _Parts:
        """What has no words of its own belongs to what stands before: ", on 3 May"."""
        begun = [each.start for each in sentence.tokens]
        kept = [
            cut
            for cut, following in pairwise((*sentence.cuts, sentence.end))
            if any(cut <= each < following for each in begun) and any(each < cut for each in begun)
        ]
        parts = cls(tuple(kept), {}, {})
        for token in sentence.tokens:
            parts.tokens.setdefault(parts.part(token.start), []).append(token)
        for date in sentence.dates:
            parts.dates.setdefault(parts.part(date.past.start), []).append(date)
        return parts

    def part(self, place: int) -> int:
        return bisect_right(self.cuts, place)

    def dated(self, part: int) -> list[Date]:
        """The dates of a part; the only one of a sentence is also that of what is listed with it.

        One that begins the sentence is that of all: "On 3 May we …, and then we …".
        """
        if part in self.dates or len(self.dates) != 1:
            return self.dates.get(part, [])
        ((own, dates),) = self.dates.items()
        begins = len(dates) == 1 and dates[0].past.start < self.tokens[0][0].start
        return dates if begins or part in self.sharing(own) else []

    def sharing(self, part: int) -> Iterator[int]:
        """The parts around one that only list what else it was done with, and have no date."""
        yield part
        for each in range(part + 1, len(self.tokens)):
            if each in self.dates or not _is_listed(self.tokens[each]):
                break
            yield each
        for each in range(part - 1, -1, -1):
            if each in self.dates or not _is_listed(self.tokens[each + 1]):
                break
            yield each


def _is_listed(tokens: Sequence[Token]) -> bool:
    """Whether a part is a thing in a list: "and to Graz", but not "and left", "and Ben leaves"."""
    first = tokens[0]
    if not (first.noun or first.possessive or first.sort in SLOTS):
        return False
    if any(each.past or each.helper or each.sort is Sort.BAR for each in tokens):
        return False
    return all(
        each.noun or each.sort in SLOTS or before.sort is Sort.NUMBER
        for before, each in pairwise(tokens)
    )


def _told(span: Span) -> str:
    return span.text if span.first is None else f"{span.text} ({span.first.date().isoformat()})"


def _meant(date: Date, record: Sentence) -> Span | None:
    """The time that a sentence means, as far as its tense tells; None when it does not."""
    if date.sure:
        return date.past
    ahead = any(each.word in ("will", "should", "would", "want") for each in record.tokens)
    done = any(each.tense == "past" for each in record.tokens)
    if ahead == done:
        return None
    return date.future if ahead else date.past


def _fits(date: Date, recorded: Date, record: Sentence) -> bool:
    """Whether a recorded time is the one claimed, or lies in it."""
    meant = [date.past] if date.sure else [date.past, date.future]
    told = _meant(recorded, record)
    if told is not None and any(_within(told, claimed) for claimed in meant):
        return True
    return not date.sure and _alike(date, recorded)


def _fits_undated(date: Date, way: _Way, claim: Sentence, record: Sentence, author: Author) -> bool:
    """Whether it was so at a time though the sentence names none."""
    if not date.sure:
        return False
    decided = author.happened or author.said
    if claim.told:
        moments = {"said": author.said, "decided": decided}
        return all(_holds(date.past, moments[each]) for each in claim.told)
    if record.roots & words.SAYING and _holds(date.past, decided):
        return True
    if not author.states or any(_is_done(other) for _, other in way.pairs):
        return author.happened is not None and _is_day_of(date.past, author.happened)
    return _lasted(date.past, author)


def _is_done(token: Token) -> bool:
    """Whether it tells what happened, on a day; "is called" is so for long."""
    return token.tense == "past" or (not token.helper and words.may_be_past(token.word))


def _is_day_of(span: Span, moment: datetime) -> bool:
    """Whether a time is the day of what happened, or days that hold it: no more is known."""
    if span.first is None or span.end is None or span.end - span.first < _DAY - _HOUR:
        return False
    return _holds(span, moment.astimezone(span.first.tzinfo))


def _alike(claimed: Date, recorded: Date) -> bool:
    """Whether both leave open which of the same days they mean: each says "3 May"."""
    meant = {(_wall(each.first), _wall(each.end)) for each in (recorded.past, recorded.future)}
    return not recorded.sure and any(
        (_wall(each.first), _wall(each.end)) in meant for each in (claimed.past, claimed.future)
    )


_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
"""That a day is short of when the clocks go forward."""


def _wall(moment: datetime | None) -> datetime | None:
    """As the clock on the wall shows it: a day is the same day to whoever speaks of it."""
    return None if moment is None else moment.replace(tzinfo=None)


def _within(inner: Span, outer: Span) -> bool:
    """Whether a time lies in another; one without an end is only itself.

    What is shorter than a day lies in the day it begins: last night was yesterday.
    """
    first, end, begins, ends = map(_wall, (outer.first, outer.end, inner.first, inner.end))
    if first is None or end is None or begins is None or ends is None:
        return (begins, ends) == (first, end)
    return first <= begins and (
        ends <= end or (ends - begins < _DAY <= end - first and begins < end)
    )


def _apart(one: Span, other: Span) -> bool:
    first, end, begins, ends = map(_wall, (one.first, one.end, other.first, other.end))
    if first is None or end is None or begins is None or ends is None:
        return False
    return end <= begins or ends <= first


def _holds(span: Span, moment: datetime) -> bool:
    first, end = _wall(span.first), _wall(span.end)
    at = moment.replace(tzinfo=None)
    return (first is None or first <= at) and (end is None or at < end)


def _lasted(span: Span, author: Author) -> bool:
    """Whether a statement held all that time."""
    if not author.states or author.since is None or span.first is None:
        return False
    if span.end is None:  # since then
        return author.until is None and author.since.date() == span.first.date()
    until = author.until or author.now or author.said
    return author.since <= span.first and span.end <= until


# Who said it, and that it was decided -------------------------------------------------------------


def attributed(claim: Sentence) -> tuple[Token, Sentence] | None:
    """Of "Mara said that …" who is meant, and what; None when a claim names nobody."""
    tokens = claim.tokens
    if not _is_done_by(tokens, {"say", "tell", "mention"}):
        return None
    rest = 2
    if tokens[1].roots & {"tell"}:
        rest = 3
        if len(tokens) == rest or not (tokens[2].sort is Sort.SELF or tokens[2].word == "you"):
            return None
    said = _rest(claim, rest, "said")
    if said.tokens[0].word in ("he", "she", "they"):  # who said it
        itself = replace(said.tokens[0], word=tokens[0].word, roots=tokens[0].roots)
        said = replace(said, tokens=(replace(itself, sort=tokens[0].sort), *said.tokens[1:]))
    return tokens[0], said


def decided(claim: Sentence) -> Sentence | None:
    """What "we decided that …" is about; None when a claim does not begin so."""
    if not _is_done_by(claim.tokens, {"decide", "agree"}) or claim.tokens[0].sort is not Sort.SELF:
        return None
    return _rest(claim, 2, "decided")


def _is_done_by(tokens: Sequence[Token], verbs: Set[str]) -> bool:
    """Whether a claim begins with somebody who did that, and not with one who did not."""
    if len(tokens) < 3 or tokens[0].possessive or not tokens[1].roots & verbs:
        return False
    return not tokens[1].negated and tokens[1].helper not in ("past", "now")


def _rest(claim: Sentence, start: int, how: str) -> Sentence:
    first = replace(
        claim.tokens[start],
        bounds=frozenset(),
        opens=True,
        relations=claim.tokens[start].relations - {"to"} or frozenset([""]),
    )
    gone = frozenset(root for each in claim.tokens[:start] for root in each.roots)
    before = any(each.past.start < first.start for each in claim.dates)
    return replace(
        claim,
        tokens=(first, *claim.tokens[start + 1 :]),
        doubts=claim.doubts - gone,
        told=claim.told | {how} if before or how == "decided" else claim.told,
    )
