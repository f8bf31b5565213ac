"""What keeps memories true as time goes by: what fades, what contradicts, what needs a look."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

from memoranda.passes import Decision
from memoranda.skills import Draft
from memoranda.types import Memory, Passage, Scope


class Contradicting(StrEnum):
    """How two statements stand to each other."""

    CONFLICT = "conflict"
    """They are of one scope, and only one holds."""
    OVERRIDE = "override"
    """The narrower scope differs from the wider one, as it may."""
    OFFER = "offer"
    """It overrode what changed since: the same change is offered to it."""


CANDIDATE = "candidate"
"""The slot of a contradiction whose newer side waits in review."""


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
    def is_with_candidate(self) -> bool:
        return self.slot == CANDIDATE

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


# Use ----------------------------------------------------------------------------------------------


class Via(StrEnum):
    """How memories came to a prompt."""

    RECALL = "recall"
    CONTEXT = "context"


@dataclass(frozen=True, slots=True)
class Serving:
    """Memories given to a prompt at a time, best first, of so many `tokens`.

    `window` is how many tokens the prompt may have in all.
    """

    time: datetime
    via: Via
    memories: tuple[str, ...]
    tokens: int
    window: int
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """A turn of the user, what was answered to it, and the memories that the answer had.

    `reply` is what the assistant said and its tools were told or told, up to the next turn of the
    user; `served` are the ids of what was served in that conversation by then.
    """

    turn: Passage
    reply: str
    served: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Need:
    """A memory that a turn of the user was about, or the answer to it.

    Whether it was served by then, and whether the answer used it.
    """

    memory: str
    reached: bool
    used: bool


@dataclass(frozen=True, slots=True)
class Day:
    """What was counted on a day in a scope.

    Of the memories `served` those that were `stale` then, and those of these that an answer used,
    `referenced`. Of the memories `needed` those that `reached` a prompt and that were `used`. The
    `tokens` of memory in so many `prompts`, of all their `window`s. Of the `statements` of the user
    worth keeping those that `repeated` what was known, and those of these that were served to that
    conversation before: a `loop`, unless the user does say so.
    """

    day: date
    scope: Scope
    served: int = 0
    stale: int = 0
    referenced: int = 0
    needed: int = 0
    reached: int = 0
    used: int = 0
    prompts: int = 0
    tokens: int = 0
    window: int = 0
    statements: int = 0
    repeated: int = 0
    loop: int = 0


# Health -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Measure:
    """A share of `of` that were counted, None of too few; the target is to be above or below."""

    name: str
    value: float | None
    of: int
    target: float
    above: bool = False

    @property
    def is_met(self) -> bool | None:
        """Whether it meets its target; None while there is too little data."""
        if self.value is None:
            return None
        if self.above:
            return self.value > self.target
        return self.value < self.target or self.value == self.target == 0


@dataclass(frozen=True, slots=True)
class Week:
    """The measures of a week that begins on a Monday, in one scope or in all that are visible."""

    begins: date
    scope: Scope | None
    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Lived:
    """How old memories of a kind were when they were used last, and what half-life that suggests.

    In days; both are None where there are too few.
    """

    kind: str
    used: int
    median: float | None
    suggests: float | None
    half_life: float


@dataclass(frozen=True, slots=True)
class Health:
    """How well memory serves: the measures of the last four weeks, and those week by week.

    `hygiene` is about what is stored now. `live` memories hold, of `stored` in all, in a file of so
    many `bytes`; `waiting` counts what waits for somebody or failed. `tokens` and `cost` are what
    models took in this month.
    """

    measures: tuple[Measure, ...]
    weeks: tuple[Week, ...]
    hygiene: tuple[Measure, ...]
    lived: tuple[Lived, ...]
    live: int
    stored: int
    added: tuple[int, ...]
    bytes: int
    waiting: dict[str, int]
    tokens: int
    cost: float | None
    warnings: tuple[str, ...] = ()


# Review -------------------------------------------------------------------------------------------


class Concern(StrEnum):
    """Why something is to be looked at, the most pressing first."""

    CONTRADICTION = "contradiction"
    CANDIDATE = "candidate"
    PROPOSED = "proposed"
    QUARANTINED = "quarantined"
    UNCONFIRMED = "unconfirmed"
    DUPLICATE = "duplicate"
    RESOLUTION = "resolution"
    FADING = "fading"
    NEVER_USED = "never used"
    TOPIC = "topic"
    BUDGET = "budget"


class Action(StrEnum):
    """What may be done about it."""

    KEEP = "keep"
    CONFIRM = "confirm"
    EDIT = "edit"
    MERGE = "merge"
    RETIRE = "retire"
    FORGET = "forget"
    ACCEPT = "accept"
    REJECT = "reject"
    RELEASE = "release"
    NEWER = "newer"
    OLDER = "older"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Item:
    """Something to look at, why, and what may be done about it.

    `key` names it for `decide`: the concern and the id of what it is about. It is about `memories`,
    of which there are two where they are compared, a `decision` of a pass, a `turn`, a
    `contradiction`, or `topics`. With a decision that would make a skill comes this `skill`.
    """

    key: str
    concern: Concern
    why: str
    actions: tuple[Action, ...]
    memories: tuple[Memory, ...] = ()
    decision: Decision | None = None
    turn: Passage | None = None
    contradiction: Contradiction | None = None
    topics: tuple[str, ...] = ()
    skill: Draft | None = None


@dataclass(frozen=True, slots=True)
class Review:
    """What is to be looked at, the most pressing first; `counts` says of each concern how much."""

    items: tuple[Item, ...]
    counts: dict[str, int]


# Files --------------------------------------------------------------------------------------------


class Edit(StrEnum):
    """What a person did to a memory in a file."""

    ADDED = "added"
    REVISED = "revised"
    MOVED = "moved"
    """It has another kind or day."""
    RETIRED = "retired"
    DISPUTED = "disputed"
    """The store had changed it too: both stand, as a contradiction."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What a file had otherwise, in a line of it if it still had one, and the memory made of it."""

    edit: Edit
    line: int | None
    content: str
    memory: str | None = None


@dataclass(frozen=True, slots=True)
class SyncedFile:
    """What became of a file that people edit.

    `notes` tell of a line what one should know. A file that was `left` as it is, is so for that
    reason; so many lines are `missing` from it then, if that is why. `aside` is where a file is
    kept that was there before.
    """

    path: str
    edits: tuple[Edited, ...] = ()
    notes: tuple[tuple[int, str], ...] = ()
    missing: int = 0
    left: str | None = None
    aside: str | None = None
    written: bool = False


@dataclass(frozen=True, slots=True)
class Restored:
    """What came back from files into a new store: memories, and lines of files edited since.

    The files that could not be read, and why, are `unreadable`.
    """

    memories: int
    unreadable: tuple[tuple[str, str], ...]
    synced: Synced


@dataclass(frozen=True, slots=True)
class Synced:
    """What became of every file, and how many files of the mirror were written or removed.

    Nothing when another process was at it.
    """

    files: tuple[SyncedFile, ...] = ()
    mirrored: int = 0
    removed: int = 0
    busy: bool = False
