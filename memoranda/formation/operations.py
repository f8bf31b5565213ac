"""A decision that is made, and the changes to memories that carry it out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memoranda.formation import changes
from memoranda.passes import Decision, Stage
from memoranda.policy import confidence, consolidation
from memoranda.policy.consolidation import began_at, said_at
from memoranda.policy.fading import HalfLives
from memoranda.text.repetition import words_of
from memoranda.types import Change, Kind, Memory, Operation, Role, Source, Status, new_id


@dataclass(frozen=True, slots=True)
class Resolved:
    """A decision that is made, and the changes to be applied with it, none unless it is APPLIED.

    Whoever applies them says by which pass it was decided, and when.
    """

    decision: Decision
    changes: tuple[Change, ...] = ()


def unchanged(
    decision: Decision, stage: Stage, reason: str | None, operation: Operation | None = None
) -> Resolved:
    """It changes no memory: it was turned down, is for a person, or there is nothing to do."""
    operation = operation or decision.operation
    return Resolved(replace(decision, stage=stage, reason=reason, operation=operation))


def set_aside(decision: Decision, reason: str) -> Resolved:
    """It could not be decided, and is tried again; whatever was said of it is no operation."""
    tried = replace(
        decision, stage=Stage.SET_ASIDE, operation=None, target=None, content=None, reason=reason
    )
    return Resolved(replace(tried, tries=decision.tries + 1))


def _applied(decision: Decision, operation: Operation, memory: str, *made: Change) -> Resolved:
    done = replace(decision, stage=Stage.APPLIED, operation=operation, memory=memory)
    return Resolved(done, made)


# ADD ----------------------------------------------------------------------------------------------


def add(
    decision: Decision, now: datetime, *, sure: float, edited: Source | None = None
) -> Resolved:
    """A new memory, which counts."""
    return _added(decision, _memory(decision, now, sure, edited))


def propose(decision: Decision, now: datetime) -> Resolved:
    """A new memory that rules found, for a person or a model to look at."""
    sure = min(decision.candidate.confidence, confidence.SAID["stated"])
    memory = _memory(decision, now, sure, None)
    return _added(decision, replace(memory, status=Status.CANDIDATE))


def add_as_past(
    decision: Decision, newer: Memory, now: datetime, *, sure: float, edited: Source | None = None
) -> Resolved:
    """A new memory of what held until something newer did, which is known already."""
    memory = _memory(decision, now, sure, edited)
    ended = max(newer.began, memory.began)
    return _added(decision, changes.superseded(memory, newer.id, ended=ended, now=now))


def _added(decision: Decision, memory: Memory) -> Resolved:
    memory, named = changes.with_found(memory)
    return _applied(decision, Operation.ADD, memory.id, Change(Operation.ADD, None, memory, named))


def _memory(decision: Decision, now: datetime, sure: float, edited: Source | None) -> Memory:
    candidate, began = decision.candidate, began_at(decision)
    memory = Memory(
        id=new_id(now),
        kind=candidate.kind,
        content=decision.content or candidate.content,
        scope=decision.scope,
        recorded_at=now,
        confidence=sure,
        detail=candidate.detail,
        sources=(_source(decision),),
        valid_from=began,
        valid_to=_after(candidate.valid_to, began),
    )
    return _with(memory, edited)


def _after(end: datetime | None, began: datetime) -> datetime | None:
    """An end that is none before the beginning."""
    return None if end is None else max(end, began)


# NOOP ---------------------------------------------------------------------------------------------


def noop(
    decision: Decision,
    known: Memory,
    reason: str | None,
    half_lives: HalfLives,
    now: datetime,
    *,
    by_rules: bool = False,
) -> Resolved:
    """Known already: it was mentioned once more, which a pinned memory has no need of."""
    decision = replace(decision, target=known.id, reason=reason, content=None)
    after = known
    if not known.pinned:
        after = consolidation.mentioned(known, decision, _source(decision), half_lives, now)
        if not by_rules:
            after = consolidation.settled(after, decision.candidate)
        elif known.status == Status.CANDIDATE:  # which repeating does not make more than that
            after = replace(after, confidence=known.confidence)
    made = () if after == known else (Change(Operation.NOOP, known, after),)
    return _applied(decision, Operation.NOOP, known.id, *made)


def confirm(
    decision: Decision, known: Memory, now: datetime, *, edited: Source | None = None
) -> Resolved:
    """A person says so too."""
    after = _with(changes.confirmed(known, now), _source(decision), edited)
    decision = replace(decision, target=known.id)
    return _applied(decision, Operation.NOOP, known.id, Change(Operation.NOOP, known, after))


# UPDATE and DELETE --------------------------------------------------------------------------------


def update(
    decision: Decision,
    old: Memory,
    known: Resolved | None,
    now: datetime,
    *,
    sure: float,
    edited: Source | None = None,
) -> Resolved:
    """What is newer takes the place of what was known, which stays as what held before.

    `known` is what becomes of the memory that says what is newer already, if there is one.
    """
    arrivals: tuple[Change, ...]
    if known is None:
        arrival = _arrival(decision, old, now, sure, edited)
        new, arrivals = arrival.after.id, (arrival,)
    else:
        new, arrivals = known.decision.memory or "", known.changes
    ended = max(began_at(decision), old.began)
    closed = changes.superseded(old, new, ended=ended, now=now)
    departure = Change(Operation.UPDATE, old, closed)
    return _applied(decision, Operation.UPDATE, new, *arrivals, departure)


def _arrival(
    decision: Decision, old: Memory, now: datetime, sure: float, edited: Source | None
) -> Change:
    candidate, began = decision.candidate, began_at(decision)
    happened = candidate.kind == Kind.EPISODE
    new = changes.successor(
        old,
        new_id(now),
        decision.content or candidate.content,
        _source(decision),
        began=began,
        ends=None if happened else _after(candidate.valid_to, began),
        sure=sure,
        now=now,
    )
    detail = candidate.detail or _detail_kept(old, new.content)
    new = replace(new, kind=kind_after(decision, old), detail=detail)
    new, named = changes.with_found(_with(new, edited))
    return Change(Operation.UPDATE, None, new, named)


def _detail_kept(old: Memory, content: str) -> str | None:
    """What was told besides, if all is still so: the reason for one thing is none for another."""
    return old.detail if words_of(old.content).words <= words_of(content).words else None


def kind_after(decision: Decision, old: Memory) -> Kind:
    """A rule stays one, and what happened changes a state without becoming one."""
    kind = decision.candidate.kind
    return old.kind if old.kind == Kind.CONSTRAINT or kind == Kind.EPISODE else kind


def delete(decision: Decision, old: Memory, now: datetime) -> Resolved:
    """What is over is retired; what ends later holds until then."""
    ended = max(began_at(decision), old.began)
    if old.valid_to is not None:
        ended = min(ended, old.valid_to)
    after = replace(old, valid_to=ended)
    if ended <= now:
        after = replace(after, status=Status.RETIRED, closed_at=now)
    return _applied(decision, Operation.DELETE, old.id, Change(Operation.DELETE, old, after))


def over(decision: Decision, episode: Memory) -> Resolved:
    """What went on for a while is over, and has happened still."""
    after = replace(episode, valid_to=max(began_at(decision), episode.began))
    change = Change(Operation.DELETE, episode, after)
    return _applied(decision, Operation.DELETE, episode.id, change)


# Sources ------------------------------------------------------------------------------------------


def _source(decision: Decision) -> Source:
    candidate = decision.candidate
    return Source(
        kind="turn",
        time=said_at(decision),
        quote=candidate.quote,
        turn=candidate.turn or None,  # which has expired
        role=Role.USER,
        start=candidate.start,
        end=candidate.end,
    )


def _with(memory: Memory, *sources: Source | None) -> Memory:
    more = [each for each in sources if each is not None]
    return replace(memory, sources=changes.with_new(memory.sources, more))
