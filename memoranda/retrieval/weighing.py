"""What speaks for a hit besides its likeness to the question.

A turn that asks is like a question and answers none, and a word of thanks says little; what was
said right after, and in the same breath, tells what a turn is about. Weights are shares of a
likeness, or in its units, which are those of a cosine. How much each earns is told in
docs/figures.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from memoranda.policy import kinds
from memoranda.retrieval import temporal
from memoranda.retrieval.fusion import Fused
from memoranda.text import questions
from memoranda.text.times import speaks_of_time
from memoranda.types import Memory, Passage, Place, Role, Span, Status


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each thing counts; with 0 it does not.

    A turn that does nothing but ask loses `asks` of its likeness, and half of it if half of it
    asks. One of MUCH characters gains `says_much`, a shorter one less. What an assistant or a tool
    said, under no name of its own, loses `by_other`: answers are long and repeat the words of the
    question; in the chats of BEAM it is the user's own turns that answer a later question, three
    times in four. When the question asks when, a turn that speaks of a time gains `tells_when` of
    its likeness. A turn is lent `followed` of the likeness of the reply to it, and `together` of
    the mean score of the best three of the stretch of talk that it is in. What is of the time
    asked about gains `in_time` of its likeness, and less the later it was told. Where links are
    walked, what hangs together with what the question names gains up to `linked`. A memory of
    which nothing is left loses `faded` of its likeness.
    """

    asks: float = 0.4
    says_much: float = 0.1
    by_other: float = 0.05
    tells_when: float = 0.25
    followed: float = 0.15
    together: float = 0.2
    in_time: float = 0.3
    linked: float = 0.1
    faded: float = 0.1


MUCH = 200
"""From so many characters on a turn says much."""

BEST_TOGETHER = 3
"""How many hits of a stretch of talk tell what it is about."""

PAUSE = timedelta(hours=1)
"""After so long a silence another stretch of talk begins."""

NEAR_THE_BEST = 0.25
"""A hit below the floor must have this share of what the best one has."""


@dataclass(frozen=True, slots=True)
class Aim:
    """What a question is after besides its words.

    The times that it names and those that it tells by an event, and whether it asks when.
    """

    named: tuple[Span, ...] = ()
    told: tuple[Span, ...] = ()
    when: bool = False
    weights: Weights = Weights()

    @property
    def times(self) -> tuple[Span, ...]:
        return self.named + self.told


def weighed_turns(
    fused: Sequence[Fused], passages: Mapping[Place, Passage], aim: Aim
) -> list[Fused]:
    """The turns, each with what speaks for and against it, best first."""
    _weigh_links(fused, aim.weights.linked)
    by_turn = {each.place[0]: each for each in fused}
    for each in fused:
        _weigh_what_it_says(each, passages[each.place], aim)
    for each in fused:
        if before := by_turn.get(passages[each.place].follows or ""):
            before.boost("followed", aim.weights.followed * each.likeness)
    for stretch in _stretches(fused, passages):
        best = sorted((each.score for each in stretch), reverse=True)[:BEST_TOGETHER]
        lent = aim.weights.together * max(0.0, sum(best)) / BEST_TOGETHER
        for each in stretch:
            each.boost("talk around", lent)
    return _best_first(fused)


def weighed_memories(
    fused: Sequence[Fused], memories: Mapping[str, Memory], aim: Aim, strengths: Mapping[str, float]
) -> list[Fused]:
    """The memories, each with what speaks for and against it, best first.

    `strengths` say how present each is, from 0 to 1.
    """
    _weigh_links(fused, aim.weights.linked)
    for each in fused:
        memory = memories[each.place[0]]
        each.boost(_standing(memory), (kinds.weight(memory) - 1) * each.likeness)
        each.boost("faded", aim.weights.faded * (strengths[memory.id] - 1) * each.likeness)
        near = temporal.nearness(aim.times, memory.began, memory.valid_to or memory.began)
        each.boost("in time", aim.weights.in_time * near * each.likeness)
    return _best_first(fused)


def _weigh_links(fused: Sequence[Fused], most: float) -> None:
    """Let the links to what the question names speak for a hit, the strongest for `most`."""
    strongest = max((each.scores.get("linked", 0.0) for each in fused), default=0.0)
    for each in fused:
        if "linked" in each.scores:
            each.boost("linked", most * each.scores["linked"] / strongest)


def _standing(memory: Memory) -> str:
    """What tells how much a memory counts, in a word."""
    return "candidate" if memory.status == Status.CANDIDATE else str(memory.kind)


def _best_first(fused: Iterable[Fused]) -> list[Fused]:
    return sorted(fused, key=lambda each: -each.score)


def near_the_best(fused: Sequence[Fused], floor: float) -> list[Fused]:
    """What is worth showing beside the best; what links led to is, and what words alone found."""
    least = NEAR_THE_BEST * max((each.score for each in fused), default=0.0)
    return [
        each
        for each in fused
        if each.likeness >= floor
        or each.score >= least
        or "linked" in each.scores
        or "dense" not in each.scores
    ]


def _weigh_what_it_says(fused: Fused, passage: Passage, aim: Aim) -> None:
    weights, likeness, content = aim.weights, fused.likeness, passage.content
    fused.boost("says much", weights.says_much * min(len(content), MUCH) / MUCH)
    fused.boost("asks", -weights.asks * questions.share(content) * likeness)
    if passage.role != Role.USER and passage.speaker is None:
        fused.boost("said by other", -weights.by_other)
    near = temporal.nearness(aim.times, passage.time, passage.time)
    fused.boost("in time", weights.in_time * near * likeness)
    if aim.when and speaks_of_time(content):
        fused.boost("tells when", weights.tells_when * likeness)


def _stretches(fused: Sequence[Fused], passages: Mapping[Place, Passage]) -> Iterator[list[Fused]]:
    """What was said together: in one conversation, without a long silence between."""

    def said(each: Fused) -> tuple[str, datetime, str]:
        passage = passages[each.place]
        return passage.conversation, passage.time, passage.turn

    ordered = sorted(fused, key=said)
    stretch = ordered[:1]
    for before, each in pairwise(ordered):
        (earlier, began, _), (conversation, time, _) = said(before), said(each)
        if conversation != earlier or time - began > PAUSE:
            yield stretch
            stretch = []
        stretch.append(each)
    if stretch:
        yield stretch
