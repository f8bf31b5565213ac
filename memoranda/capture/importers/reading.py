"""What an importer needs to know, and what it tells besides the turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from datetime import datetime, tzinfo
from pathlib import Path

from memoranda.types import Imported, Observed, Role, Turn, Unreadable

SHOWN = 20
"""Of so many unreadable records it is kept which they are; the others are counted."""
KINDS = 40
"""So many sorts of things that were left out are told apart; a file may make up any number."""


class Reading:
    """The account of one import; its importers add to it as they go."""

    def __init__(
        self,
        zone: tzinfo | None,
        place: str | None = None,
        advance: Callable[[int], None] | None = None,
    ) -> None:
        self.zone = zone
        self.place = place
        self.advance = advance or (lambda count: None)
        self._left_out: Counter[str] = Counter()
        self._failed = 0
        self._unreadable: list[Unreadable] = []
        self._roles: Counter[str] = Counter()
        self._conversations: set[str] = set()
        self._first: datetime | None = None
        self._last: datetime | None = None

    def leave_out(self, what: str, count: int = 1) -> None:
        """Something was read that is no turn; `what` says what, in the plural."""
        known = what in self._left_out or len(self._left_out) < KINDS
        self._left_out[what if known else "other records"] += count

    def fail(self, path: Path, line: int | None, reason: object) -> None:
        """A record could not be read; the others are."""
        self._failed += 1
        if len(self._unreadable) < SHOWN:
            self._unreadable.append(Unreadable(self.place or str(path), line, str(reason)))

    def counted(self, turns: Iterable[Turn]) -> Iterator[Turn]:
        """The turns, each taken down as it passes."""
        for turn in turns:
            self._roles[Role(turn.role).value] += 1
            self._conversations.add(turn.conversation)
            if turn.time is not None:
                self._first = min(turn.time, self._first or turn.time)
                self._last = max(turn.time, self._last or turn.time)
            yield turn

    def imported(self, observed: Observed | None, format: str) -> Imported:
        """The whole account; a dry run observed nothing, and all that it read is `stored`."""
        observed = observed or Observed(stored=self._roles.total())
        return Imported(
            **{each.name: getattr(observed, each.name) for each in fields(Observed)},
            format=format,
            read=dict(self._roles),
            conversations=len(self._conversations),
            first=self._first,
            last=self._last,
            left_out=dict(self._left_out.most_common()),
            failed=self._failed,
            unreadable=tuple(self._unreadable),
        )


def without(text: str, *elements: str) -> tuple[str, int]:
    """`text` without these elements and what is in them, and how many there were.

    One that is never closed was written about, and stays.
    """
    taken = 0
    for name in elements:
        text, count = _without(text, f"<{name}>", f"</{name}>")
        taken += count
    return (text.strip() if taken else text), taken


def _without(text: str, begin: str, end: str) -> tuple[str, int]:
    kept: list[str] = []
    at = 0
    while (begun := text.find(begin, at)) >= 0 and (ended := text.find(end, begun)) >= 0:
        kept.append(text[at:begun])
        at = ended + len(end)
    return ("".join((*kept, text[at:])) if kept else text), len(kept)
