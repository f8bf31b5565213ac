"""Contradictions that wait, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from memoranda.care import CANDIDATE, Contradicting, Contradiction, Side
from memoranda.errors import InvalidInput, NotFound
from memoranda.formation import changes, operations, reviewing
from memoranda.passes import Decision, Stage
from memoranda.policy.consolidation import CHANGING
from memoranda.policy.contradictions import in_order, winner
from memoranda.protocols import Open, Store, all_decisions, all_open
from memoranda.types import Change, Memory, Operation, Scopes, Status

WAITING = (Contradicting.CONFLICT, Contradicting.OFFER)
"""What somebody has to decide; that a narrower scope differs from a wider one is no matter."""


def waiting(store: Store, visible: Scopes) -> Iterator[Contradiction]:
    """The contradictions that nobody has settled: between memories, then with candidates."""
    opened = all_open(store.contradictions, visible, kinds=WAITING)
    yield from filter(None, (of_memories(each, store, visible) for each in opened))
    for decision in all_decisions(store.passes, visible, stages=[Stage.REVIEW]):
        if (found := _of_candidate(decision, store)) is not None:
            yield found


def one(id: str, store: Store, visible: Scopes) -> Contradiction:
    """The one whose id, or whose candidate's id, begins with `id`. Raises NotFound, Ambiguous."""
    try:
        found = of_memories(store.contradictions.one(id, visible), store, visible)
    except NotFound:
        found = _of_candidate(store.passes.decision(id, visible), store)
    if found is None:
        raise NotFound(f"{id[:40]!r} is no contradiction that waits")
    return found


def of_memories(found: Open, store: Store, visible: Scopes) -> Contradiction | None:
    """None when a side went meanwhile."""
    try:
        newer = store.memory(found.pair.memory, visible)
        older = store.memory(found.pair.against, visible)
    except NotFound:
        return None
    kind = found.pair.kind
    best = older if kind == Contradicting.OFFER else winner(*in_order(newer, older))
    return Contradiction(found.id, kind, newer, older, found.pair.slot, found.found_at, best.id)


def _of_candidate(decision: Decision, store: Store) -> Contradiction | None:
    """What waits in review, as the memory that it would become, against the one it would change."""
    if decision.stage != Stage.REVIEW or decision.operation not in CHANGING or not decision.target:
        return None
    try:
        older = store.memory(decision.target, (decision.scope,))
    except NotFound:
        return None
    made = operations.add(decision, decision.time, sure=decision.candidate.confidence).changes[0]
    newer = replace(made.after, id=decision.id, status=Status.CANDIDATE)
    best = winner(newer, older)
    return Contradiction(
        decision.id, Contradicting.CONFLICT, newer, older, CANDIDATE, decision.time, best.id
    )


def settle(
    found: Contradiction, keep: Side, store: Store, visible: Scopes, *, now: datetime, by: str
) -> None:
    """Have one side hold, or both; a person says so. Raises Conflict, InvalidInput."""
    if found.is_with_candidate:
        _settle_candidate(found, keep, store, visible, now, by)
        return
    with store.transaction():
        if keep == Side.BOTH or (found.kind == Contradicting.OFFER and keep == Side.NEWER):
            override = found.kind == Contradicting.OFFER
            store.contradictions.settle(found.id, at=now, override=override)
            return
        kept, gone = (
            (found.newer, found.older) if keep == Side.NEWER else (found.older, found.newer)
        )
        if not kept.status.live:
            raise InvalidInput(f"{kept.id} is {kept.status}; it holds no more")
        never_held = found.kind == Contradicting.CONFLICT and keep == Side.OLDER
        made = [replaced(kept, gone, now, never_held=never_held)]
        if found.kind == Contradicting.CONFLICT:  # the wider one is not asked about here
            made.insert(0, Change(Operation.SETTLE, kept, changes.confirmed(kept, now)))
        store.apply(made, at=now, by=by)


def replaced(kept: Memory, gone: Memory, now: datetime, *, never_held: bool) -> Change:
    """One memory in the place of another, which held until the one began, or never."""
    ended = gone.began if never_held else max(kept.began, gone.began)
    return Change(Operation.SETTLE, gone, changes.superseded(gone, kept.id, ended=ended, now=now))


def _settle_candidate(
    found: Contradiction, keep: Side, store: Store, visible: Scopes, now: datetime, by: str
) -> None:
    decision = store.passes.decision(found.id, visible)
    if keep == Side.OLDER:
        reviewing.reject(store, decision, now=now, by=by)
        return
    if keep == Side.BOTH:
        decision = replace(decision, operation=Operation.ADD, target=None, content=None)
    reviewing.accept(store, decision, None, visible, now=now, by=by)
