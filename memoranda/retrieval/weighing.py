"""What speaks for a turn besides its likeness to the question.

What somebody asked is like a question and answers none; a word of thanks says little; and what was
said right after, and in the same breath, tells what a turn is about. Weights are shares of a
likeness, or in its units, which are those of a cosine. How much each earns is told in docs/figures.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import regex

from memoranda.retrieval.fusion import Fused
from memoranda.types import Passage, Place, Role

ASKS = 0.4
"""What share of its likeness a turn loses that does nothing but ask, half of it if half of it asks.
"""

SAYS_MUCH = 0.1
MUCH = 200
"""What a turn gains for saying something, in full from so many characters."""

BY_OTHER = 0.05
"""What a turn loses that an assistant or a tool said, under no name of its own.

Answers are long and repeat the words of the question; in the chats of BEAM it is the user's own
turns that answer a later question, three times in four.
"""

FOLLOWED = 0.15
"""What share of its score a turn lends to the one it follows: a reply tells what was said."""

TOGETHER = 0.2
BEST_TOGETHER = 3
"""What share of the mean score of its best three a stretch of talk lends to each of its turns."""

PAUSE = timedelta(hours=1)
"""After so long a silence another stretch of talk begins."""

NEAR_THE_BEST = 0.25
"""A hit below the floor must have this share of what the best one has."""

_SENTENCE = regex.compile(r"[^.!?。！？]+[.!?。！？]*")
_ASKING = ("?", "？")


def weighed(fused: Sequence[Fused], passages: Mapping[Place, Passage]) -> list[Fused]:
    """The turns that are still there, each with what speaks for and against it; best first."""
    own = {
        each.place: replace(each, boosts=_by_what_it_says(each, passages[each.place]))
        for each in fused
        if each.place in passages
    }
    lent = _by_what_follows(own, passages)
    with_replies = {place: _with(each, lent.get(place, {})) for place, each in own.items()}
    around = _by_the_talk_around(with_replies, passages)
    done = [_with(each, around[place]) for place, each in with_replies.items()]
    return sorted(done, key=lambda each: -each.score)


def near_the_best(fused: Sequence[Fused], floor: float) -> list[Fused]:
    """What is worth showing beside the best; a text without a vector was judged by its words."""
    least = NEAR_THE_BEST * max((each.score for each in fused), default=0.0)
    return [
        each
        for each in fused
        if "dense" not in each.scores or each.likeness >= floor or each.score >= least
    ]


def _with(fused: Fused, boosts: Mapping[str, float]) -> Fused:
    return replace(fused, boosts={**fused.boosts, **boosts}) if boosts else fused


def _by_what_it_says(fused: Fused, passage: Passage) -> dict[str, float]:
    boosts = {"says much": SAYS_MUCH * min(len(passage.content), MUCH) / MUCH}
    if asking := share_of_questions(passage.content):
        boosts["asks"] = -ASKS * asking * max(0.0, fused.likeness)
    if passage.role != Role.USER and passage.speaker is None:
        boosts["said by other"] = -BY_OTHER
    return boosts


def share_of_questions(text: str) -> float:
    """How much of a text, of its characters, is in sentences that end in a question mark."""
    if not any(mark in text for mark in _ASKING):
        return 0.0
    sentences = [each for each in _SENTENCE.findall(text) if not each.isspace()]
    asked = sum(len(each) for each in sentences if each.endswith(_ASKING))
    return asked / max(1, sum(map(len, sentences)))


def _by_what_follows(
    own: Mapping[Place, Fused], passages: Mapping[Place, Passage]
) -> dict[Place, dict[str, float]]:
    """What each turn is lent by the one said right after it, if that was found too."""
    places = {place[0]: place for place in own}
    lent = {}
    for place, fused in own.items():
        before = places.get(passages[place].follows or "")
        if before is not None:
            lent[before] = {"followed": FOLLOWED * max(0.0, fused.likeness)}
    return lent


def _by_the_talk_around(
    fused: Mapping[Place, Fused], passages: Mapping[Place, Passage]
) -> dict[Place, dict[str, float]]:
    boosts: dict[Place, dict[str, float]] = {}
    for stretch in _stretches(passages[place] for place in fused):
        places = [each.place for each in stretch]
        best = sorted((fused[place].score for place in places), reverse=True)[:BEST_TOGETHER]
        lent = TOGETHER * sum(max(0.0, score) for score in best) / BEST_TOGETHER
        boosts.update({place: {"talk around": lent} for place in places})
    return boosts


def _stretches(passages: Iterable[Passage]) -> Iterator[list[Passage]]:
    """What was said together: in one conversation, without a long silence between."""
    ordered = sorted(passages, key=lambda each: (each.conversation, each.time, each.turn))
    stretch = ordered[:1]
    for before, each in pairwise(ordered):
        if each.conversation != before.conversation or each.time - before.time > PAUSE:
            yield stretch
            stretch = []
        stretch.append(each)
    if stretch:
        yield stretch
