"""What a prompt gets whatever is asked: who the user is, rules, preferences, decisions, disputes.

It depends on the memories and the day, and on nothing that changes from question to question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, time

from memoranda.care import Contradicting
from memoranda.policy.fading import Curves
from memoranda.policy.standing import standing as in_order
from memoranda.protocols import Store
from memoranda.retrieval.disputed import believed
from memoranda.text.about_user import is_about_user
from memoranda.types import Filter, Kind, Memory, Scopes, Status

KINDS = (Kind.CONSTRAINT, Kind.PREFERENCE, Kind.DECISION, Kind.FACT)

COUNTED = (Kind.CONSTRAINT, Kind.PREFERENCE, Kind.DECISION)
"""Of which it is told how many more there are; of all facts few are about the user."""

LINE = 36
"""Tokens that a line takes at least: its day, how sure it is, and its id."""

DISPUTES = 3
"""So many are told, the oldest first; the others wait for a review."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two memories of which one holds, by the id of their contradiction."""

    id: str
    newer: Memory
    older: Memory


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands of each kind, the strongest first, and how many more of it there are."""

    memories: Sequence[Memory] = ()
    more: Mapping[Kind, int] = field(default_factory=dict)
    disputes: Sequence[Dispute] = ()


def standing(
    store: Store, visible: Scopes, filter: Filter, curves: Curves, *, budget: int
) -> Standing:
    """What may fit into so many tokens of what stands at the beginning of the day."""
    found = {
        kind: store.strongest(_where(kind, visible), filter, kind, limit=1 + budget // LINE)
        for kind in KINDS
    }
    held = [each for kind in KINDS for each in found[kind].memories if _stands(each)]
    disputes: Sequence[Dispute] = ()
    if not filter.is_past:
        instead = believed(held, visible, filter, store)
        held = list({each.id: each for each in map(instead.__getitem__, _ids(held))}.values())
        disputes = _disputes(store, visible, filter)
    ordered = in_order(held, day_of(filter.now), curves, frozenset())
    return Standing(ordered, {kind: found[kind].beyond for kind in COUNTED}, disputes)


def day_of(now: datetime) -> datetime:
    """The beginning of its day: what fades by the hour must not change a block by the hour."""
    return datetime.combine(now.date(), time(), now.tzinfo)


def _where(kind: Kind, visible: Scopes) -> Scopes:
    """Decisions of the project are what work there goes by; who the user is they say themselves."""
    project = tuple(scope for scope in visible if scope.kind == "project")
    if kind == Kind.DECISION and project:
        return project
    if kind == Kind.FACT:
        return tuple(scope for scope in visible if scope.kind == "user")
    return visible


def _stands(memory: Memory) -> bool:
    return memory.kind != Kind.FACT or is_about_user(memory.content)


def _ids(memories: Iterable[Memory]) -> list[str]:
    return [each.id for each in memories]


def _disputes(store: Store, visible: Scopes, filter: Filter) -> list[Dispute]:
    opened = store.contradictions.open(visible, kinds=[Contradicting.CONFLICT], limit=DISPUTES)
    sides = [id for each in opened for id in (each.pair.memory, each.pair.against)]
    found = {each.id: each for each in store.fetch_memories(sides, visible, filter)}
    # What nobody has reviewed is in no dispute.
    found = {id: each for id, each in found.items() if each.status != Status.CANDIDATE}
    return [
        Dispute(each.id, found[each.pair.memory], found[each.pair.against])
        for each in opened
        if {each.pair.memory, each.pair.against} <= found.keys()
        and Status.CANDIDATE
        not in (found[each.pair.memory].status, found[each.pair.against].status)
    ]
