"""What keeps memories true as time goes by: what fades, what contradicts, what needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoranda.types import Memory, Scope


class Contradicting(StrEnum):
    """How two statements stand to each other."""

    CONFLICT = "conflict"
    """They are of one scope, and only one holds."""
    OVERRIDE = "override"
    """The narrower scope differs from the wider one, as it may."""
    OFFER = "offer"
    """It overrode what changed since: the same change is offered to it."""


class Side(StrEnum):
    """Which of two that contradict each other holds."""

    NEWER = "newer"
    OLDER = "older"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two statements that cannot both hold, and which one is proposed to.

    `newer` was said later, or is of the narrower scope; one that waits in review is a candidate
    with the id of its decision. `slot` is in what they differ: a number, a name, a negation, …
    `proposed` is the id of one of them.
    """

    id: str
    kind: Contradicting
    newer: Memory
    older: Memory
    slot: str
    found_at: datetime
    proposed: str

    @property
    def scope(self) -> Scope:
        """Whose decision it is."""
        return self.newer.scope

    @property
    def winner(self) -> Memory:
        return self.newer if self.proposed == self.newer.id else self.older

    @property
    def loser(self) -> Memory:
        return self.older if self.proposed == self.newer.id else self.newer


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories found to contradict each other, by their ids, before they are stored as such."""

    kind: Contradicting
    memory: str
    against: str
    slot: str


@dataclass(frozen=True, slots=True)
class Fading:
    """A memory with its strength, from 1 when it was just said or used towards 0.

    It expires at `expires_at`, for the reason `why`.
    """

    memory: Memory
    strength: float
    expires_at: datetime
    why: str


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a sweep let go of, or would.

    The memories that `expired`, and how many `turns` of conversations. `coming` are those that will
    expire, the next first, if nobody says, confirms or uses them until then; `lasting` is how many
    never will.
    """

    expired: tuple[Fading, ...]
    turns: int
    coming: tuple[Fading, ...]
    lasting: int
    dry_run: bool = False
