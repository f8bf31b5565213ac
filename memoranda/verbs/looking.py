"""Looking at what is kept: one by its id, many by what they are."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime

from memoranda import given
from memoranda.errors import NotFound
from memoranda.types import Entry, Kind, Memory, Passage, Status
from memoranda.verbs.session import Session


class Looking(Session):
    """Verbs that show memories and turns."""

    def show(
        self, id: str, *, as_of: datetime | None = None, known: datetime | None = None
    ) -> Memory | Passage:
        """The memory or the turn whose id begins with `id`. Raises NotFound or Ambiguous.

        With `as_of` the version of the memory that held then, with `known` the one that was
        believed then; NotFound when there was none.
        """
        found = self._look(id, self.access.visible)
        if isinstance(found, Passage) or (as_of is None and known is None):
            return found
        chosen = self._filter(as_of=as_of, known=known)
        ids = {entry.memory for entry in self.history(found.id)} | {found.id}
        versions = self._store.fetch_memories(
            sorted(filter(None, ids)), self.access.visible, chosen
        )
        if not versions:
            raise NotFound(f"neither {found.id} nor another version of it held or was known then")
        return max(versions, key=lambda each: (each.id == found.id, each.began, each.id))

    def quarantine(self, *, limit: int = 50) -> tuple[Memory | Passage, ...]:
        """What is kept from models: the latest memories, and the latest turns.

        A turn tells why; of a memory its history does. Raises InvalidInput.
        """
        given.limit(limit)
        memories = self.list(statuses=[Status.QUARANTINED], limit=limit)
        return (*memories, *self._store.quarantined(self.access.visible, limit))

    def list(
        self,
        *,
        kinds: Iterable[Kind | str] | None = None,
        statuses: Iterable[Status | str] | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
        before: str | None = None,
        limit: int = 50,
    ) -> tuple[Memory, ...]:
        """Memories, newest first; those that hold, unless `statuses` or a time says otherwise.

        `before` is the id of the last one of the page before. Raises InvalidInput, or NotFound for
        that id.
        """
        given.limit(limit)
        before = given.text_or_none("before", before)
        chosen = self._filter(kinds=kinds, statuses=statuses, as_of=as_of, known=known)
        return tuple(self._store.memories(self.access.visible, chosen, before=before, limit=limit))

    def history(self, id: str) -> tuple[Entry, ...]:
        """Every change of a memory, of those it replaced and of those that replaced it.

        Of a forgotten one it tells that it was, not what it said. Of an entity, by its id or name,
        it tells how it was merged and split. Raises NotFound or Ambiguous.
        """
        id = given.text("id", id)
        with suppress(NotFound):
            return tuple(self._store.entries(id, self.access.visible))
        # What was never changed, or another program wrote, no ledger knows.
        try:
            entity = self._entity(id)
        except NotFound:
            self._memory(id)
            return ()
        with suppress(NotFound):
            return tuple(self._store.entries(entity.id, self.access.visible))
        return ()
