"""What of a conversation a model may select, and how the conversation is shown to it.

The user's own sentences get numbers. Everything else is there to understand them by: it has none,
so that it cannot be chosen, it is cut short, and what is masked is a marker.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

import regex

from memoranda.formation import telling
from memoranda.formation.said import Said, is_long_enough, not_meant, sentence, tells_a_secret
from memoranda.text.clean import mend
from memoranda.text.masking import SECRET, Masked, mask
from memoranda.text.sentences import sentences
from memoranda.types import Passage, Role

LONGEST = 1_500
"""Characters of a sentence; what is longer was hardly typed, and not spoken in one breath."""
SHORTENED = 240
"""Characters of what is only there to be understood by."""
MOST_BESIDE = 6
"""Lines in a row of what is only there to be understood by."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that may be selected; `said` is None where we know no rules of its language."""

    turn: Passage
    start: int
    end: int
    said: Said | None

    @property
    def text(self) -> str:
        return self.turn.content[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Heard:
    """A turn as it may be read.

    `own` is what its user said and meant, a line for each sentence, and `sentences` what of it may
    be selected. `lines` are what is shown, each with where its sentence begins, if it is one that
    may be offered. No model is told the `secrets`.
    """

    turn: Passage
    own: str
    sentences: tuple[Sentence, ...]
    lines: tuple[tuple[int | None, str], ...]
    secrets: tuple[str, ...]


def hear(turns: Sequence[Passage]) -> tuple[Heard, ...]:
    """The turns that a model may be told of."""
    return tuple(_heard(each) for each in turns if each.quarantined is None)


def _heard(turn: Passage) -> Heard:
    # Of an assistant's turn is shown what would be shown of a user's.
    masked = mask(turn.content, Role.USER if turn.role == Role.ASSISTANT else turn.role)
    spans = masked.sentences()
    whispered = frozenset(
        start for start, end in spans if tells_a_secret(telling.small(turn.content[start:end]))
    )
    secrets = [turn.content[each.start : each.end] for each in masked.hidden if each.what == SECRET]
    secrets += [turn.content[start:end] for start, end in spans if start in whispered]
    own = "\n".join(
        _meant(_shown(masked, start, end, markers=False))
        for start, end in spans
        if start not in whispered
    )
    offered = _offered(turn, masked, whispered) if turn.role == Role.USER else ()
    lines = tuple(_lines(masked, whispered))
    return Heard(turn, own, tuple(offered), lines, tuple(secrets))


def _meant(text: str) -> str:
    """Without a word that a sentence takes back itself."""
    return (telling.put_right_within(text) or text) if len(text) <= LONGEST else text


# What is offered ----------------------------------------------------------------------------------


def _offered(turn: Passage, masked: Masked, whispered: Set[int]) -> Iterator[Sentence]:
    for first, last in masked.sentences():
        if first in whispered:
            continue
        for start, end in _own(masked, first, last):
            if end - start <= LONGEST and is_long_enough(turn.content[start:end]):
                said = sentence(turn, start, end)
                if said is None or not _vetoed(said):
                    yield Sentence(turn, start, end, said)


_STOPPED = regex.compile(r"[.!?。！？]\P{L}?\s*$")


def _own(masked: Masked, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence with nothing hidden within, or those behind a quotation that ends with a stop."""
    within = _hidden(masked, start, end)
    if not within:
        yield start, end
        return
    last = masked.hidden[within.stop - 1]
    if _STOPPED.search(masked.content[max(0, last.end - 4) : last.end]):
        for first, stop in sentences(masked.content[last.end : end]):
            yield last.end + first, last.end + stop


_BEFORE_THE_MODEL = "about the listener"


def _vetoed(said: Said) -> bool:
    """Whether it is certain without a model that nothing may be kept of it."""
    veto = said.words.vetoes[_BEFORE_THE_MODEL]
    return not_meant(said.small, said.words) is not None or veto.search(said.small) is not None


# How it is shown ----------------------------------------------------------------------------------


def message(turns: Sequence[Heard], before: Sequence[Heard], offered: Sequence[Sentence]) -> str:
    """The conversation, with the numbers of what is offered, from 1 on."""
    numbers = {(each.turn.turn, each.start): n for n, each in enumerate(offered, start=1)}
    parts = []
    if before:
        parts += ["Said before:", *(_turn(each, {}) for each in before), ""]
    parts += ["Conversation:", *(_turn(each, numbers) for each in turns)]
    return mend("\n".join(parts))[0]


def _turn(heard: Heard, numbers: Mapping[tuple[str, int], int]) -> str:
    turn = heard.turn
    speaker = f" ({_line(turn.speaker)})" if turn.speaker else ""
    shown = [f"{turn.time:%Y-%m-%d %H:%M} {turn.role.value}{speaker}:"]
    told = (
        (None if start is None else numbers.get((turn.turn, start)), text)
        for start, text in heard.lines
    )
    for beside, run in groupby(told, key=lambda each: each[0] is None):
        if beside:
            shown += _beside([text for _, text in run])
        else:
            shown += [f"[{number}] {text}" for number, text in run]
    return "\n".join(shown)


def _beside(texts: Sequence[str]) -> Iterator[str]:
    half = MOST_BESIDE // 2
    if len(texts) > MOST_BESIDE:
        texts = [*texts[:half], "…", *texts[-half:]]
    for text in texts:
        yield f"· {text if len(text) <= SHORTENED else text[:SHORTENED] + '…'}"


def _lines(masked: Masked, whispered: Set[int]) -> Iterator[tuple[int | None, str]]:
    at = 0
    for first, last in masked.sentences():
        yield from _markers(masked, at, first)
        at = last
        if first in whispered:
            yield None, f"[{SECRET}]"
            continue
        for start, end in _own(masked, first, last):
            if start > first:
                yield None, _line(_shown(masked, first, start))
            first = end
            yield start, _line(masked.content[start:end])
        if first < last:
            yield None, _line(_shown(masked, first, last))
    yield from _markers(masked, at, len(masked.content))


def _markers(masked: Masked, start: int, end: int) -> Iterator[tuple[None, str]]:
    for place in _hidden(masked, start, end):
        yield None, masked.hidden[place].marker


def _shown(masked: Masked, start: int, end: int, *, markers: bool = True) -> str:
    """From a character to another, with a marker or nothing for what is hidden."""
    pieces = []
    for place in _hidden(masked, start, end):
        each = masked.hidden[place]
        pieces += [masked.content[start : each.start], each.marker if markers else " "]
        start = max(start, each.end)
    return "".join([*pieces, masked.content[start:end]])


def _hidden(masked: Masked, start: int, end: int) -> range:
    """Which of the hidden parts lie between two characters, or reach in."""
    first = bisect_right(masked.hidden, start, key=lambda each: each.end)
    last = bisect_right(masked.hidden, end - 1, key=lambda each: each.start)
    return range(first, max(first, last))


def _line(text: str) -> str:
    return " ".join(text.split())
