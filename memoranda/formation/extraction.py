"""Candidates for memories, with a model: it selects the user's sentences, then tells what they say.

The model chooses by number among sentences that are the user's own, so that nothing else can become
a memory and each has its place in the turn. What it writes of them is held against what was said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, cast

import regex

from memoranda.answers import Message, Outcome
from memoranda.formation import checks, prompts, telling, words
from memoranda.formation import said as sayings
from memoranda.formation.asking import Asking, Told
from memoranda.formation.offer import Heard, Sentence, hear, message
from memoranda.formation.third_person import ORDERED
from memoranda.policy.confidence import SAID
from memoranda.text import times, tokens
from memoranda.text.entities import entities
from memoranda.text.masking import SECRET
from memoranda.types import Basis, Candidate, Kind, Passage, Role, Span

if TYPE_CHECKING:
    from pydantic import BaseModel

PROMPT = "select"
MOST_OFFERED = 40
"""Sentences of one question."""
MOST_TOLD = 12_000
"""About how many tokens one question tells of a conversation."""
MOST_OF_EACH = 2
"""For so many sentences that are offered, as many entries may come; a few more for few."""
LONGEST_CONTENT, LONGEST_DETAIL = 400, 500
"""Characters."""
LAST_BEFORE = 4
"""Turns that are told before the first that is asked about."""

ROOM, ROOM_FOR_EACH = 200, 140
"""Tokens of an answer: in any case, and for each sentence that is offered."""
ANSWERED, ANSWERED_FOR_EACH = 10, 45
"""About how many tokens an answer takes: in any case, and for each sentence that is offered."""

PROCEDURE = "procedure"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model selected in a `call`, and why a check turned it away: None when it may go on."""

    candidate: Candidate
    call: str
    rejected: str | None


@dataclass(frozen=True, slots=True)
class Reading:
    """What was proposed of some turns, and which of them must be set aside, and why."""

    proposals: tuple[Proposal, ...]
    failed: Mapping[str, str]


def read(turns: Sequence[Passage], before: Sequence[Passage], ask: Asking) -> Reading:
    """Ask a model what of these turns is worth keeping; those `before` help it to understand them.

    All are of one conversation, in order. A turn of which any part failed has no proposals. Raises
    what `ask` raises.
    """
    proposals: list[Proposal] = []
    failed: dict[str, str] = {}
    waiting = _questions(turns, before)
    while waiting:
        question = waiting.pop(0)
        told = question.ask(ask)
        if told.value is not None:
            proposals += question.proposals(cast("_Selection", told.value), told.call)
        elif told.outcome == Outcome.TRUNCATED and len(question.offered) > 1:
            waiting = [*question.halves(), *waiting]
        else:
            reason = f"{told.outcome.value}: {told.error[:200]}".rstrip(": ")
            failed |= dict.fromkeys(question.asked, reason)
    return Reading(tuple(each for each in proposals if each.candidate.turn not in failed), failed)


def estimate(turns: Sequence[Passage], before: Sequence[Passage]) -> tuple[int, int]:
    """About how many tokens a model would be told and would answer; nothing when it need not be."""
    told = answered = 0
    for each in _questions(turns, before):
        told += tokens.estimate(prompts.load(PROMPT).text) + tokens.estimate(each.text)
        answered += ANSWERED + ANSWERED_FOR_EACH * len(each.offered)
    return told, answered


# Questions ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Question:
    """What a model is asked at once: to select among the sentences that are `offered`."""

    turns: tuple[Heard, ...]
    before: tuple[Heard, ...]
    offered: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return message(self.turns, self.before, self.offered)

    @property
    def asked(self) -> list[str]:
        """The turns that it asks about."""
        return list(dict.fromkeys(each.turn.turn for each in self.offered))

    def ask(self, ask: Asking) -> Told[BaseModel]:
        prompt = prompts.load(PROMPT)
        return ask(
            "select",
            prompt.version,
            [Message(Role.SYSTEM, prompt.text), Message(Role.USER, self.text)],
            form(len(self.offered)),
            max_tokens=ROOM + ROOM_FOR_EACH * len(self.offered),
            turns=[each.turn.turn for each in (*self.before, *self.turns)],
            memories=(),
        )

    def halves(self) -> list[_Question]:
        """By turns; what is offered of a single turn is parted, and the turn stays whole."""
        asked = self.asked
        if len(asked) == 1:
            middle = len(self.offered) // 2
            return [
                _Question(self.turns, self.before, self.offered[:middle]),
                _Question(self.turns, self.before, self.offered[middle:]),
            ]
        second = asked[len(asked) // 2]
        cut = next(at for at, each in enumerate(self.turns) if each.turn.turn == second)
        before = (*self.before, *self.turns[:cut])
        return [
            _about(self.turns[:cut], self.before, self.offered),
            _about(self.turns[cut:], before, self.offered),
        ]

    def proposals(self, selection: _Selection, call: str) -> Iterator[Proposal]:
        """What was selected, each thing once."""
        seen: set[tuple[int, str]] = set()
        for chosen in selection.chosen:
            key = (chosen.sentence, telling.plain(chosen.content))
            if key not in seen:
                seen.add(key)
                sentence = self.offered[chosen.sentence - 1]
                yield _proposal(sentence, chosen, self._around(sentence), call)

    def _around(self, sentence: Sentence) -> _Around:
        heard = next(each for each in self.turns if each.turn.turn == sentence.turn.turn)
        known = [*self.before, *self.turns]
        earlier = known[: next(at for at, each in enumerate(known) if each is heard)]
        return _Around(
            heard.own,
            tuple(each.own for each in earlier if each.turn.role != Role.TOOL),
            checks.withheld([one for each in known for one in each.secrets], heard.own),
        )


def _questions(turns: Sequence[Passage], before: Sequence[Passage]) -> list[_Question]:
    """None when nothing may be selected."""
    heard = hear(turns)
    offered = tuple(each for turn in heard for each in turn.sentences)
    return _small_enough(_about(heard, hear(before), offered)) if offered else []


def _small_enough(question: _Question) -> list[_Question]:
    few = len(question.offered) <= MOST_OFFERED
    if few and (len(question.asked) == 1 or tokens.estimate(question.text) <= MOST_TOLD):
        return [question]
    return [small for half in question.halves() for small in _small_enough(half)]


def _about(
    turns: Sequence[Heard], before: Sequence[Heard], offered: Sequence[Sentence]
) -> _Question:
    """From the first turn to the last of which some of these sentences are, and a little before."""
    ids = {each.turn.turn for each in turns}
    kept = tuple(each for each in offered if each.turn.turn in ids)
    asked = {each.turn.turn for each in kept}
    places = [at for at, each in enumerate(turns) if each.turn.turn in asked]
    first, last = places[0], places[-1] + 1
    return _Question(tuple(turns[first:last]), (*before, *turns[:first])[-LAST_BEFORE:], kept)


# The form of an answer ----------------------------------------------------------------------------


class _Chosen(Protocol):
    sentence: int
    kind: str
    basis: Basis
    ends: bool
    content: str
    detail: str | None


class _Selection(Protocol):
    chosen: Sequence[_Chosen]


@lru_cache(maxsize=2 * MOST_OFFERED)
def form(offered: int) -> type[BaseModel]:
    """The form of an answer where so many sentences are offered: it can choose no others."""
    from pydantic import ConfigDict, Field, create_model

    strict = ConfigDict(extra="forbid")
    text = Annotated[str, Field(min_length=1, max_length=LONGEST_CONTENT)]
    fields: dict[str, Any] = {
        "sentence": Literal[tuple(range(1, offered + 1))],
        "kind": Literal[(*(each.value for each in Kind), PROCEDURE)],
        "basis": Literal["stated", "hedged", "reported"],
        "ends": bool,
        "content": text,
        "detail": Annotated[str, Field(max_length=LONGEST_DETAIL)] | None,
    }
    chosen = create_model("Chosen", __config__=strict, **_required(fields))
    most = Field(max_length=2 + MOST_OF_EACH * offered)
    listed: dict[str, Any] = {"chosen": Annotated[list[chosen], most]}  # type: ignore[valid-type]
    return create_model("Selection", __config__=strict, **_required(listed))


def _required(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: (field, ...) for name, field in fields.items()}


# From what was chosen to a candidate --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Around:
    """What the user said in a turn, what was said before it, and words that nobody may be told."""

    own: str
    earlier: tuple[str, ...]
    withheld: frozenset[str]


def _proposal(sentence: Sentence, chosen: _Chosen, around: _Around, call: str) -> Proposal:
    turn = sentence.turn
    kind = Kind.CONSTRAINT if chosen.kind == PROCEDURE else Kind(chosen.kind)
    content = _stated(chosen.content.strip(), kind)
    detail = (chosen.detail or "").strip() or None
    rejected = _rejected(sentence, content, detail, around)
    basis = _basis(sentence, chosen.basis)
    spans = _spans(sentence)
    own = _told_again(content, spans, turn)
    valid_from, valid_to = _validity(sentence, kind, own or spans)
    if rejected is None:
        content = telling.dated(content, own)
        detail = detail and telling.dated(detail, _told_again(detail, spans, turn))
    elif rejected in checks.BETRAYS:
        content, detail = f"[{SECRET}]", None
    candidate = Candidate(
        turn=turn.turn,
        start=turn.start + sentence.start,
        end=turn.start + sentence.end,
        quote=sentence.text,
        kind=kind,
        content=content,
        confidence=SAID[basis],
        basis=basis,
        detail=detail,
        valid_from=valid_from,
        valid_to=valid_to,
        named=entities(content),
        ends=chosen.ends,
        said=turn.time,
        procedure=chosen.kind == PROCEDURE,
    )
    return Proposal(candidate, call, rejected)


_ORDERS = {
    "English": r"(?:please,? )?(?:always|never|don't|do not|avoid|stop \w+ing|use|prefer)\b",
    "German": r"(?:bitte|immer|niemals|nie|verwende|benutze|nutze|vermeide)\b",
    "Spanish": r"(?:por favor|siempre|nunca|usa|utiliza|evita|no (?:uses|utilices|hagas))\b",
    "Chinese": r"请|总是|永远|不要|别|务必|一律",
}


_OF_SELF = {
    "English": r"(?:i|i'm|i've|i'd|we|we're|we've|my|our)\b",
    "German": r"(?:ich|wir|mein\w*|unser\w*)\b",
    "Spanish": r"(?:yo|mis?|nuestr\w+|me|nos)\b",
    "Chinese": r"我",
}


def _stated(content: str, kind: Kind) -> str:
    """As a statement about the user; small models write orders, and what was said word for word."""
    language = words.of(content)
    if language is None:
        return content
    small = telling.small(content)
    if regex.match(_ORDERS[language.name], small):
        return ORDERED[language.name](content, Kind.CONSTRAINT)
    if regex.match(_OF_SELF[language.name], small):
        return telling.told(content, language.name, kind=kind, ordered=False, spans=())
    return content


def _basis(sentence: Sentence, told: Basis) -> Basis:
    """The less sure of what the model says, and what the words say."""
    found = sayings.basis(sentence.said) if sentence.said else None
    return min(told, found or told, key=lambda each: SAID[each])


# Whether it may go on -----------------------------------------------------------------------------


def _rejected(sentence: Sentence, content: str, detail: str | None, around: _Around) -> str | None:
    texts = [content, detail] if detail else [content]
    unfit = [checks.unfit(text, withheld=around.withheld) for text in texts]
    if betrays := checks.BETRAYS.intersection(unfit):
        return min(betrays)
    if sentence.said and _is_hearsay(sentence.said):
        return "it is hearsay"
    if len(content) > MOST_GROWN + 2 * len(sentence.text):
        return "it is much longer than what was said"
    unsaid = [_unsaid(text, sentence.turn, around) for text in texts]
    reasons = (*unfit, *unsaid, checks.beside(content, sentence.text))
    return next((reason for reason in reasons if reason), None)


_FILE = regex.compile(r"(?<![\p{L}\p{N}])\.?[\w-]++[./]\w|(?<!\S)\.\w")


def _is_hearsay(said: sayings.Said) -> bool:
    """Whether somebody without a name says so; what a file says is there to be read."""
    teller = sayings.teller(said)
    if teller is None or _FILE.search(teller):
        return False
    return not sayings.names_somebody(teller)


MOST_GROWN = 120
"""Characters that a content may have more than twice those of its sentence."""


def _unsaid(text: str, turn: Passage, around: _Around) -> str | None:
    return checks.unsaid(
        text,
        [around.own],
        at=turn.time,
        names=[turn.speaker] if turn.speaker else [],
        around=around.earlier,
    )


# When ---------------------------------------------------------------------------------------------


def _spans(sentence: Sentence) -> tuple[Span, ...]:
    if sentence.said is not None:
        return sayings.spans(sentence.said)
    past, ahead = times.either_way(sentence.text, sentence.turn.time)
    return tuple(each for each in past if each in ahead)


def _told_again(text: str, said: Sequence[Span], turn: Passage) -> tuple[Span, ...]:
    """The times of the sentence that a text tells as well, where it tells them."""
    meant = {(each.first, each.end) for each in said}
    if not meant:
        return ()
    past, ahead = times.either_way(text, turn.time)
    found = [each for each in (*past, *ahead) if (each.first, each.end) in meant]
    found.sort(key=lambda each: each.start)
    return tuple(next(same) for _, same in groupby(found, key=lambda each: each.start))


def _validity(
    sentence: Sentence, kind: Kind, spans: Sequence[Span]
) -> tuple[datetime | None, datetime | None]:
    if sentence.said is not None:
        return sayings.validity(sentence.said, kind, spans)
    if kind == Kind.EPISODE:
        return (spans[0].first, spans[0].end) if spans else (sentence.turn.time, None)
    return None, None
