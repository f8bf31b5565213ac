"""The records of consolidation: what a pass reads, asks a model, decides and leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

from memoranda.answers import Attempt, Outcome, Tokens
from memoranda.types import Candidate, Kind, Operation, Passage, Scope, Status

RULES = "rules"
"""The model of a pass that asks none."""
INTERRUPTED = "it was interrupted"
"""Why a pass stopped that nobody went on with."""

Purpose = Literal["select", "resolve", "weigh"]
"""What a model is asked: which sentences to keep, what they change, what contradicts what."""


class Stage(StrEnum):
    """Where a candidate stands."""

    WAITING = "waiting"
    """It was selected, and is not decided yet."""
    APPLIED = "applied"
    REJECTED = "rejected"
    """By a check, or by a person."""
    SET_ASIDE = "set aside"
    """What was asked of the model failed; later passes try again, up to a bound."""
    REVIEW = "review"
    """A person has the word."""
    UNDONE = "undone"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory that a candidate was compared with, as it was then.

    `distance` is one less the cosine; None when it has no vector. `ranks` says at which rank each
    list found it, 1 being the best.
    """

    id: str
    kind: Kind
    content: str
    status: Status
    distance: float | None
    ranks: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a candidate, and on what grounds.

    `selected_by` is the pass that selected it at `time`, `decided_by` the one that decided at
    `decided_at`; `calls` are what was asked of the model for both. `content` is what the memory
    says that an UPDATE makes, when that is not the candidate's own content. `memory` holds what was
    decided: what was added, confirmed, closed, or took the place of the `target`. `tries` counts
    the failures.
    """

    id: str
    scope: Scope
    candidate: Candidate
    selected_by: str
    time: datetime
    stage: Stage = Stage.WAITING
    operation: Operation | None = None
    target: str | None = None
    content: str | None = None
    memory: str | None = None
    neighbours: tuple[Neighbour, ...] = ()
    reason: str | None = None
    decided_by: str | None = None
    decided_at: datetime | None = None
    tries: int = 0
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Call:
    """What was asked of a model, and every attempt at an answer.

    `prompt` is the version of the words that do not change, `request` a hash of all that was told.
    It told of these `turns` and `memories`, by their ids.
    """

    id: str
    of: str
    time: datetime
    purpose: Purpose
    model: str
    prompt: str
    request: str
    outcome: Outcome
    attempts: tuple[Attempt, ...]
    turns: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()

    @property
    def tokens(self) -> Tokens:
        """What all the attempts took."""
        return sum((each.tokens for each in self.attempts), Tokens())


@dataclass(frozen=True, slots=True)
class Aside:
    """A turn that a model could not be asked about, why, how often it was tried, and when last."""

    turn: Passage
    reason: str
    tries: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Pass:
    """One run of consolidation, over the conversations of one scope.

    `model` is RULES when none was asked. `stopped` says why it `ended` before all was read, if it
    did, and `failed` whether something is at fault; one that did not end was interrupted, and the
    next run goes on with it. `turns` is how many it read; those in `unread` it set aside. A
    `preview` changed nothing. `cost` is in the money of the prices in the settings, None without.
    """

    id: str
    scope: Scope
    model: str
    prompts: str
    began: datetime
    ended: datetime | None = None
    stopped: str | None = None
    failed: bool = False
    undone: datetime | None = None
    preview: bool = False
    turns: int = 0
    calls: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    unread: tuple[Aside, ...] = ()

    @property
    def operations(self) -> tuple[Decision, ...]:
        """What it did, in order."""
        return tuple(each for each in self.decisions if each.stage == Stage.APPLIED)

    @property
    def set_aside(self) -> tuple[Decision, ...]:
        """What it could not decide, for the next one to try again."""
        return tuple(each for each in self.decisions if each.stage == Stage.SET_ASIDE)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a pass would take: turns, calls of the model, tokens, and money where prices are set."""

    turns: int
    calls: int
    tokens: Tokens
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """What undoing a pass did: memories that are again as they were, and those that are gone.

    `left` are the ids of those that somebody changed or forgot since, and which of both.
    """

    id: str
    restored: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    left: Mapping[str, str] = field(default_factory=dict)
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Compared:
    """A decision of a pass beside that of another model; no `operation` when it gave none.

    `selected` says whether the other selected it too; `reason` is its own, or what failed.
    """

    decision: Decision
    selected: bool
    operation: Operation | None = None
    target: str | None = None
    reason: str | None = None

    @property
    def same(self) -> bool:
        """Whether both came to the same."""
        mine = self.decision
        return self.selected and (self.operation, self.target) == (mine.operation, mine.target)


@dataclass(frozen=True, slots=True)
class Replay:
    """What another model makes of what a pass read; nothing of it is applied.

    `more` are candidates that only the other one selected. `missing` is how many turns are gone.
    `stopped` says why it was not all compared, if it was not.
    """

    of: Pass
    model: str
    compared: tuple[Compared, ...]
    more: tuple[Candidate, ...]
    missing: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = None
    stopped: str | None = None


@dataclass(frozen=True, slots=True)
class Distances:
    """How far the nearest neighbour was where an operation was decided on: least, quarters, most.

    Of `count` decisions some are `without`: compared by words only, or with nothing.
    """

    operation: str
    count: int
    without: int
    quantiles: tuple[float, ...]
