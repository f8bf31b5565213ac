"""All that is stored about whoever asks, for them to read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import Conflict, NotFound
from memoranda.policy import confidence, fading
from memoranda.protocols import all_decisions, all_memories
from memoranda.types import (
    Conversation,
    Filter,
    Memory,
    Pages,
    Passage,
    Scopes,
    Status,
    T,
)
from memoranda.verbs.finding import Finding
from memoranda.verbs.sharing import Sharing
from memoranda.verbs.tending import Tending

if TYPE_CHECKING:
    from memoranda.knowledge import Knowledge, Remembered, Served

AT_ONCE = 500
"""Turns read at a time."""

EVER = datetime.min.replace(tzinfo=UTC)

MAY_BE = {
    "known": {Status.CURRENT},
    "unsure": {Status.CURRENT, Status.CANDIDATE},
    "past": set(Status) - {Status.QUARANTINED},
    "withheld": {Status.QUARANTINED},
}
"""What standing those memories have that are told in a group; `_group` decides."""


class Knowing(Finding, Sharing, Tending):
    """The verb that tells all."""

    def what_do_you_know(self, *, turns: bool = False) -> Knowledge:
        """All that is stored in what is open here, with where it comes from; writes nothing.

        Memories of every standing, conversations, with `turns` word for word, whom and what they
        name, skills, files, switches, what was forgotten, who receives text, and how often it was
        used. What is much is read page by page while it is gone through, as long as this is open;
        that raises Conflict when it was changed meanwhile so that a page has no end. Raises
        InvalidInput, FileError, StoreError.
        """
        from memoranda.knowledge import Knowledge, Receiver
        from memoranda.passes import Stage
        from memoranda.people import Vault

        now, visible = self._clock_here(), self.access.visible
        wanted = given.flag("turns", turns)
        conversations = tuple(self._store.conversations(visible, now))
        undecided = [each for each in Stage if each != Stage.APPLIED]
        skills = self.skills()
        vault = self.vault() if self._has_vault else Vault()
        written = [self._path / each.path for each in (*skills.found, *skills.shadowed)]
        written += [Path(each.path) for each in vault.tasks]
        written += [Path(each.path) for each in vault.reports]
        return Knowledge(
            asked_at=now,
            home=str(self._path),
            person=self.access.person,
            visible=visible,
            elsewhere=self._elsewhere,
            holdings=self._store.holdings(visible),
            known=self._grouped("known", now),
            unsure=self._grouped("unsure", now),
            past=self._grouped("past", now),
            withheld=self._grouped("withheld", now),
            withheld_turns=Pages(lambda: iter(self._store.quarantined(visible, sys.maxsize))),
            proposed=_pages(lambda: all_decisions(self._store.passes, visible, stages=undecided)),
            conversations=conversations,
            turns=_pages(lambda: self._word_for_word(conversations if wanted else ())),
            with_turns=wanted,
            entities=tuple(self._store.entities(visible, limit=sys.maxsize)),
            skills=(*skills.found, *skills.shadowed),
            unreadable=skills.unreadable,
            tasks=len(vault.tasks),
            reports=len(vault.reports),
            files=self._files_told(written),
            switches=self._switches(),
            captures=self.access.person is not None and not self._off,
            keeps_days=self.settings.conversation_days,
            forgotten=tuple(self._store.forgotten(visible)),
            receivers=tuple(Receiver(host, purpose) for purpose, host in self._receivers()),
            served=self._served_ever(),
            logs_use=self.settings.log_use,
            passes=self._passes_ever(),
            vectors_of=self._store.vectors().model or None,
        )

    @property
    def _has_vault(self) -> bool:
        return self.access.project is not None and self.access.project in self.access.visible

    @property
    def _elsewhere(self) -> Scopes:
        """What else there is, for the owner to open."""
        if not self._rules:
            return ()
        return tuple(each for each in self._store.scopes() if each not in self.access.visible)

    def _grouped(self, group: str, now: datetime) -> Pages[Remembered]:
        return _pages(lambda: self._remembered(group, now))

    def _remembered(self, group: str, now: datetime) -> Iterator[Remembered]:
        """The memories of a group, newest first."""
        from memoranda.knowledge import Remembered

        half_lives = fading.curves(self.settings).half_lives
        chosen = Filter(now=now, statuses=frozenset(MAY_BE[group]))
        for memory in all_memories(self._store, self.access.visible, chosen):
            left = confidence.now(memory, now, half_lives)
            level = confidence.level(left)
            if _group(memory, level, now) == group:
                yield Remembered(memory, left, level.value)

    def _word_for_word(self, conversations: tuple[Conversation, ...]) -> Iterator[Passage]:
        for each in conversations:
            after = None
            while some := self._store.turns(each.name, each.scope, after=after, limit=AT_ONCE):
                yield from some
                after = some[-1].turn

    def _files_told(self, written: Iterable[Path]) -> tuple[str, ...]:
        """The files on disk that hold something of what is visible."""
        from memoranda.files import mirror

        visible = self.access.visible
        if not visible:
            return ()
        kept = self._places(self._kept(visible), visible, self._vaults())
        there = [
            *sorted(self._path.glob("memory.db*")),
            *(each.path for each in kept),
            *(mirror.place(self._path, scope) for scope in visible),
            *written,
        ]
        return tuple(dict.fromkeys(str(each) for each in there if each.exists()))

    def _served_ever(self) -> Served:
        from memoranda.knowledge import Served

        days = self._store.uses.days(self.access.visible, since=EVER)
        return Served(
            prompts=sum(each.prompts for each in days),
            memories=sum(each.served for each in days),
            used=sum(each.used for each in days),
        )

    def _passes_ever(self) -> int:
        """How many passes read what was said in the own scope."""
        if self.access.person is None or self.access.task is not None:
            return 0
        count, before = 0, None
        while some := self._store.passes.passes(self.access.heard, before=before, limit=AT_ONCE):
            count, before = count + len(some), some[-1].id
        return count


def _group(memory: Memory, level: confidence.Level, now: datetime) -> str:
    """In which group a memory is told."""
    if memory.status == Status.QUARANTINED:
        return "withheld"
    if not memory.status.live or memory.has_ended(now):
        return "past"
    unsure = memory.status == Status.CANDIDATE or level == confidence.Level.LOW
    return "unsure" if unsure else "known"


def _pages(read: Callable[[], Iterator[T]]) -> Pages[T]:
    """What is read page by page. Raises Conflict when the end of a page is gone meanwhile."""

    def going_on() -> Iterator[T]:
        try:
            yield from read()
        except NotFound as error:
            raise Conflict(
                "what is stored was changed while it was read, and this is not all of it; ask again"
            ) from error

    return Pages(going_on)
