"""All that is stored about somebody, as they may ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoranda.passes import Decision
from memoranda.skills import Skill
from memoranda.types import (
    Conversation,
    Entity,
    Forgotten,
    Holdings,
    Memory,
    Pages,
    Passage,
    Scope,
    Scopes,
    Switch,
    Unreadable,
)


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory, what time has left of the confidence in it, and that in a word."""

    memory: Memory
    confidence: float
    level: str


@dataclass(frozen=True, slots=True)
class Receiver:
    """A host to which texts go, and what for."""

    host: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Served:
    """How often memories went into prompts, and how often an answer was seen to use one."""

    prompts: int = 0
    memories: int = 0
    used: int = 0


@dataclass(frozen=True, slots=True)
class Knowledge:
    """All that is stored in the scopes that are `visible` to whoever asks, the `person`.

    For the owner `elsewhere` names the scopes that hold something besides. What may be much is read
    page by page while it is gone through, each time anew. Every memory is one that is `known`,
    `unsure`, `past` (it holds no more) or `withheld` from models, as are some turns, which
    `withheld_turns` tells of; `proposed` is what was drawn from conversations and is no memory.
    `turns` are word for word, conversation by conversation, if they were asked for.

    `files` are those on disk that hold some of it, of the mirror the folder only. `forgotten` tells
    that something was, and when. `passes` counts the runs that read conversations.
    """

    asked_at: datetime
    home: str
    person: Scope | None
    visible: Scopes
    elsewhere: Scopes
    holdings: Holdings
    known: Pages[Remembered]
    unsure: Pages[Remembered]
    past: Pages[Remembered]
    withheld: Pages[Remembered]
    withheld_turns: Pages[Passage]
    proposed: Pages[Decision]
    conversations: tuple[Conversation, ...]
    turns: Pages[Passage]
    with_turns: bool
    entities: tuple[Entity, ...]
    skills: tuple[Skill, ...]
    unreadable: tuple[Unreadable, ...]
    tasks: int
    reports: int
    files: tuple[str, ...]
    switches: tuple[Switch, ...]
    captures: bool
    keeps_days: int
    forgotten: tuple[Forgotten, ...]
    receivers: tuple[Receiver, ...]
    served: Served
    logs_use: bool
    passes: int
    vectors_of: str | None

    def missed(self, told: int) -> str:
        """What to say of so many memories that were read, if there were others to begin with."""
        there = sum(self.holdings.memories.values())
        if told == there:
            return ""
        return (
            f"While this was read, memories were changed: there were {there}, and {told} are told "
            "here. Ask again."
        )
