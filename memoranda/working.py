"""What is left of a conversation that must fit a budget, and the refs that give back the rest.

Loaded by whoever compacts or expands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from memoranda.errors import InvalidInput
from memoranda.types import Observed, Passage

_REF = re.compile(
    r"(?P<first>[0-9A-Z]+)(?:@(?P<start>[0-9]{1,12}))?"
    r"(?:\.\.(?P<last>[0-9A-Z]+)(?::(?P<turns>[0-9]{1,9}))?)?"
)


@dataclass(frozen=True, slots=True)
class Ref:
    """What is written for turns that were left out: ID, or FIRST..LAST of one conversation.

    `turns` says how many these were, so that it can be told how many are gone; `start` is the
    character of the first from which on they are wanted. Written: ID@START..LAST:TURNS.
    """

    first: str
    last: str
    turns: int | None = None
    start: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Raises InvalidInput for what is no ref."""
        found = _REF.fullmatch(text.strip().removeprefix("[").removesuffix("]").upper())
        if found is None:
            raise InvalidInput(
                f"ref: {text[:80]!r} is none: write the id of a turn, its beginning, or FIRST..LAST"
            )
        first, last, turns = found["first"], found["last"], found["turns"]
        count = int(turns) if turns else None if last else 1
        return cls(first, last or first, count, int(found["start"] or 0))

    @property
    def is_stretch(self) -> bool:
        return self.first != self.last

    def __str__(self) -> str:
        start = f"@{self.start}" if self.start else ""
        if not self.is_stretch:
            return f"{self.first}{start}"
        turns = "" if self.turns is None else f":{self.turns}"
        return f"{self.first}{start}..{self.last}{turns}"


@dataclass(frozen=True, slots=True)
class Stretch:
    """So many turns that were left out; `ref` gives them back. Without one they are not kept."""

    turns: int
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class Compacted:
    """Messages that fit a budget, and what became of the others.

    `messages` are plain dicts, ready to be sent; they take `tokens`. `dropped` are the turns that
    were left out of them. `left_out` counts what had no room or is not kept: of what the user asked
    for, of calls of tools, of images and other parts that are no text. `observed` tells what became
    of the turns in the store; None when none was given to it. `degraded` says what could not be
    done, and why.
    """

    messages: tuple[dict[str, Any], ...]
    tokens: int
    dropped: tuple[Stretch, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    summarised: bool = False
    observed: Observed | None = None
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Expanded:
    """What a ref stands for: whole turns, in order, each as it is stored.

    So many that were left out are `gone`: forgotten, expired, or never kept. `rest` is the ref of
    what had no room in the budget; then the last turn may be a part of one, from its `start` on.
    """

    ref: str
    turns: tuple[Passage, ...]
    gone: int = 0
    tokens: int = 0
    rest: str | None = None
