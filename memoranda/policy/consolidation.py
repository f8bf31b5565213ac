"""When a statement may change what is known, and when a person has the word.

A language model says what a statement is to a memory; whether that is done is decided here, on
kinds, times and how a thing was said. The reasons stand in docs/resolution.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from memoranda.passes import Decision
from memoranda.policy import confidence, fading
from memoranda.policy.contradictions import outranks, told_at
from memoranda.policy.fading import HalfLives
from memoranda.settings import Settings
from memoranda.types import Candidate, Kind, Memory, Operation, Scope, Source, Status

Conflicts = Literal["newer", "ask", "wait"]
"""What becomes of a contradiction: the newer wins, a person is asked, or it must be said twice."""

CHANGING = frozenset((Operation.UPDATE, Operation.DELETE))
"""What closes a memory."""


@dataclass(frozen=True, slots=True)
class Policy:
    """With `review` nothing is added or changed before a person has looked at it.

    The same in the scopes for which whoever runs it is only `proposing`. `half_lives` tell what
    time takes of the confidence in a memory.
    """

    conflicts: Conflicts = "newer"
    review: bool = False
    half_lives: HalfLives = field(default_factory=lambda: fading.curves(Settings()).half_lives)
    proposing: frozenset[Scope] = frozenset()

    def reviews(self, scope: Scope) -> bool:
        """Whether a person or a lead looks at what is drawn for a scope."""
        return self.review or scope in self.proposing


def destination(kind: Kind, own: Scope, project: Scope | None) -> Scope:
    """Where a candidate belongs: decisions in the project that was active, all else with who heard.

    What is solved or has happened is no matter for others, so no episode is shared.
    """
    return project if project is not None and kind == Kind.DECISION else own


# Times --------------------------------------------------------------------------------------------


def said_at(decision: Decision) -> datetime:
    """When the candidate was said, as far as that is known."""
    return decision.candidate.said or decision.time


def began_at(decision: Decision) -> datetime:
    """From when on it is so, or since when it is over."""
    return decision.candidate.valid_from or said_at(decision)


def is_older(decision: Decision, memory: Memory) -> bool:
    """Whether the candidate was said before the memory was, and so cannot put it right."""
    return said_at(decision) < told_at(memory)


# What a person must decide ------------------------------------------------------------------------


def objection(
    decision: Decision, target: Memory, policy: Policy, earlier: Sequence[Decision]
) -> str | None:
    """Why a change of a memory waits for a person, with both sides; None when it does not.

    `earlier` are decisions that wait for one already.
    """
    candidate = decision.candidate
    sides = f"known is {_short(target.content)}, said was {_short(candidate.content)}"
    if target.pinned:
        return f"what it would change is pinned: {sides}"
    if candidate.basis != "stated":
        return f"it was {candidate.basis}, not stated, and contradicts: {sides}"
    if outranks(target, candidate.kind):
        return f"a remark does not overturn a constraint: {sides}"
    if policy.conflicts == "ask":
        return f"a contradiction: {sides}"
    if policy.conflicts == "wait" and not any(_is_again(decision, each) for each in earlier):
        return f"a contradiction that was said once so far: {sides}"
    return None


def _is_again(decision: Decision, earlier: Decision) -> bool:
    """Whether the same memory was contradicted before, in another turn."""
    return (
        earlier.target == decision.target
        and earlier.operation in CHANGING
        and earlier.candidate.turn != decision.candidate.turn
    )


LONGEST_SIDE = 200
"""Characters of each side that a reason quotes."""


def _short(text: str) -> str:
    return f"“{text}”" if len(text) <= LONGEST_SIDE else f"“{text[: LONGEST_SIDE - 1]}…”"


# Repetition ---------------------------------------------------------------------------------------


def mentioned(
    memory: Memory, decision: Decision, source: Source, half_lives: HalfLives, now: datetime
) -> Memory:
    """A memory after somebody said again what it says.

    Only what is said plainly and on another day than any time before makes it surer: a thing said
    three times within an hour is said once. From a turn that it rests on already, it is no mention
    at all.
    """
    if _rests_on(memory, source):
        return memory
    candidate = decision.candidate
    sources = (*memory.sources, source)
    after = replace(memory, sources=sources, mention_count=memory.mention_count + 1)
    if candidate.basis != "stated" or not _is_another_day(memory, said_at(decision), now):
        return after
    said = said_at(decision)
    last = memory.confirmed_at
    left = confidence.now(memory, said, half_lives)
    return replace(
        after,
        confidence=confidence.said_again(memory.confidence, left),
        confirmed_at=said if last is None else max(said, last),
    )


def _rests_on(memory: Memory, source: Source) -> bool:
    """Whether it has that source already, or one at the same time with the same words.

    Whoever cannot see the conversation of a source sees no more of it than that.
    """
    return any(
        (each.turn == source.turn and each.turn is not None)
        or (each.kind == "turn" and each.time == source.time and each.quote == source.quote)
        for each in memory.sources
    )


def _is_another_day(memory: Memory, said: datetime, now: datetime) -> bool:
    """In the zone of `now`, which is that of the person."""
    zone = now.tzinfo
    days = {each.time.astimezone(zone).date() for each in memory.sources if each.time is not None}
    return said.astimezone(zone).date() not in days


def settled(memory: Memory, candidate: Candidate) -> Memory:
    """What rules proposed counts once a model reads that it was said plainly."""
    if memory.status != Status.CANDIDATE or candidate.basis != "stated":
        return memory
    sure = max(memory.confidence, confidence.SAID["stated"])
    return replace(memory, status=Status.CURRENT, confidence=sure)
