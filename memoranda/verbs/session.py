"""An open home: what it was opened with, and what all verbs need."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Self

from memoranda import given
from memoranda.errors import (
    Ambiguous,
    EmbeddingError,
    InvalidInput,
    MemorandaError,
    NotFound,
    ScopeClosed,
    StoreError,
)
from memoranda.formation import changes
from memoranda.policy.access import Access
from memoranda.protocols import Embedder, LanguageModel, Notifier, Reranker, Store
from memoranda.settings import Settings
from memoranda.text.clean import mend
from memoranda.types import (
    Change,
    Embedded,
    Entity,
    Filter,
    Kind,
    Memory,
    Operation,
    Passage,
    Scope,
    Scopes,
    Source,
    Status,
)
from memoranda.upkeep import embed as embedding
from memoranda.upkeep.embed import PROBE

if TYPE_CHECKING:
    from memoranda.care import Pair, Serving


from memoranda.verbs.words import refuse_closed, warn

SKEW = timedelta(minutes=2)
"""By how much the clocks of who share a home may differ."""

PARTS_AFTER = 1.0
"""Seconds after which the parts in a project are looked up again."""


Vaults = Mapping[Scope, Path]
"""Where the files of projects are that are not in the home."""


def _now() -> datetime:
    return datetime.now(UTC)


class Session(ABC):
    """What every group of verbs stands on: the store, who asks, and the clock."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        access: Access,
        *,
        path: Path,
        door: str = "python",
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        language: LanguageModel | None = None,
        languages: Callable[[str], LanguageModel] | None = None,
        notifier: Notifier | None = None,
        clock: Callable[[], datetime] = _now,
    ) -> None:
        self.settings = settings
        self._access = access
        self._access_at = time.monotonic()
        self._store = store
        self._path = path
        self._door = mend(door)[0]
        self._embedder = embedder
        self._reranker = reranker
        self._language = language
        self._languages = languages
        self._notifier = notifier
        self._clock = clock
        self._served: list[Serving] = []
        self._counting = Lock()
        self._is_closed = False
        self._files_at = -math.inf
        self._warned: set[str] = set()
        self._tell_of_clock()
        self._finish_files()
        self._finish_backups()

    def _tell_of_clock(self) -> None:
        """Log that the clock was set back: what is dated earlier passes for older from then on."""
        last, now = self._store.last_change(), self._clock()
        if last is not None and now + SKEW < last:
            warn(
                f"the clock says {now:%Y-%m-%d %H:%M} UTC, and the last change here is of "
                f"{last:%Y-%m-%d %H:%M}; until then what is new is dated before what is older; "
                "`memoranda doctor` tells more"
            )

    @property
    def access(self) -> Access:
        """What is open here. Raises ScopeClosed once a profile has no part in the project any more.

        What the owner says of parts holds within a second.
        """
        opened, now = self._access, time.monotonic()
        if opened.project is not None and now - self._access_at > PARTS_AFTER:
            self._access_at = now
            self._access = opened.as_of(self._store.register.projects())
        return self._access

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write down which memories were served, write the files anew, and let go of the home.

        A home that is locked keeps its answers: that the uses were lost is logged, not raised.
        """
        if self._is_closed:
            return
        self._is_closed = True
        try:
            self._record_served()
        except StoreError as error:
            warn(f"which memories were served was not written down: {error}")
        try:
            self._write_files()
        finally:
            self._store.close()

    def embed(
        self,
        *,
        again: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Embedded:
        """Make the vectors that are missing, as after a change of the model; not one transaction.

        Interrupted, it goes on where it was when it is called anew. With `again` all are made
        anew. `advance` is told how many texts were done just now and how many are left. Raises
        EmbeddingError, InvalidInput when the settings name no model.
        """
        given.flag("again", again)
        given.function("advance", advance)
        embedder = self._embedder
        if embedder is None:
            raise InvalidInput("the settings name no embedding_model to make vectors with")
        if again or self._store.vectors().model != embedder.name:
            embedder.embed_question(PROBE)  # or a broken model costs the vectors there are
            self._store.embed_by(embedder.name, again=again)
        return embedding.embed(self._store, embedder, advance=advance)

    @property
    def embeds_on_write(self) -> bool:
        """Whether what is written gets its vector at once, as far as the settings go.

        Not while the vectors kept are those of another model: who changes that in the settings has
        `embed` make all anew.
        """
        if self._embedder is None or not self.settings.embed_on_write:
            return False
        try:
            return self._store.vectors().model in (None, self._embedder.name)
        except EmbeddingError:
            return False

    def _embed_written(self, count: int, wanted: bool | None = None) -> None:
        """Embed what was just written; that it cannot be done is logged, and told by a recall."""
        embedder = self._embedder
        try:
            if embedder is None or not (self.embeds_on_write if wanted is None else wanted):
                return
            if self._store.vectors().model is None:
                self._store.embed_by(embedder.name)
            most = max(embedding.BATCH, 2 * count)
            embedding.embed(self._store, embedder, most=most)
        except MemorandaError as error:  # the text is stored, and waits for its vector
            warn(f"what was written has no vector yet: {error}")

    def _embed_memories(self, store: Store) -> None:
        """Give every memory of a store its vector. Raises EmbeddingError."""
        embedder, kept = self._embedder, store.vectors().model
        if embedder is None or kept not in (None, embedder.name):
            return
        if kept is None:
            store.embed_by(embedder.name)
        while (waiting := store.unembedded(1)) and waiting[0].start is None:
            if not embedding.embed(store, embedder, most=embedding.BATCH).count:
                return  # another process is at it

    # What the groups about files and backups bring

    @abstractmethod
    def _finish_files(self) -> None: ...

    @abstractmethod
    def _finish_backups(self) -> None: ...

    @abstractmethod
    def _keep_files_up(self) -> None: ...

    @abstractmethod
    def _write_files(self, *, anyway: bool = False) -> None: ...

    # For all groups

    def _clock_here(self) -> datetime:
        """The time in the zone of the home."""
        return self._clock().astimezone(self.settings.zone)

    def _vaults(self) -> Vaults:
        """Where the files of projects are that are not in the home."""
        projects = self._store.register.projects()
        return {each.scope: Path(each.vault) for each in projects if each.vault is not None}

    @property
    def _rules(self) -> bool:
        return self.access.is_owner and self.access.profile is None

    def _refuse_to_rule(self, what: str) -> None:
        if not self._rules:
            raise ScopeClosed(f"only the owner {what}: open it with no --person and no --profile")

    def _is_incognito(self, conversation: str, now: datetime) -> bool:
        name = given.text("conversation", conversation)
        if self.access.person is None:  # of whom nothing is kept, or known
            return False
        return self._store.is_incognito(name, self.access.own, now)

    def _look(self, id: str, visible: Scopes) -> Memory | Passage:
        id = given.text("id", id)
        found: list[Memory | Passage] = []
        for look in (self._store.memory, self._store.turn):
            with suppress(NotFound):
                found.append(look(id, visible))
        if not found:
            raise NotFound(f"nothing with the id {id[:40]!r} is visible from here")
        if len(found) > 1:
            raise Ambiguous(f"{id!r} fits a memory and a turn; write more of it")
        return found[0]

    def _entity(self, which: str) -> Entity:
        return self._store.entity(which, self.access.visible)

    def _id_of_text(self, id: str, visible: Scopes) -> str:
        found = self._look(id, visible)
        return found.turn if isinstance(found, Passage) else found.id

    def _memory(self, id: str) -> Memory:
        found = self._look(id, self.access.visible)
        if isinstance(found, Passage):
            raise NotFound(f"{found.turn} is a turn, not a memory")
        return found

    def _live(self, id: str) -> Memory:
        memory = self._memory(id)
        refuse_closed(memory)
        return memory

    def _source(self, turn: str | None, now: datetime) -> Source:
        if turn is None:
            return Source(kind="person", time=now, by=self._door)
        passage = self._store.turn(given.text("source", turn), self.access.visible)
        return replace(passage.source, quote=passage.content, by=self._door)

    def _as_written(self, memory: Memory) -> Memory:
        """A memory just written, with its entities as the store calls them, and what it denies."""
        return self._store.memory(memory.id, self.access.visible)

    def _known(self, content: str, scope: Scope, kind: Kind, now: datetime) -> Memory | None:
        """The memory that says the same; never an episode, since the same can happen twice."""
        return None if kind == Kind.EPISODE else self._store.same(content, scope, kind, now)

    def _confirm(self, before: Memory, after: Memory, now: datetime) -> Memory:
        after = changes.confirmed(after, now)
        self._apply(now, Change(Operation.CONFIRM, before, after))
        return after

    def _apply(
        self,
        now: datetime,
        *changes: Change,
        reason: str | None = None,
        denied: Sequence[Pair] | None = None,
    ) -> None:
        """Carry out changes, and note what contradicts what they bring, if it is not known yet."""
        for each in changes:
            self.access.refuse_deciding(each)
        with self._store.transaction():
            self._store.apply(changes, at=now, by=self._door, reason=reason)
            found = self._denied(now, *changes) if denied is None else denied
            if found:
                self._store.contradictions.add(found, at=now)

    def _denied(self, now: datetime, *changes: Change) -> list[Pair]:
        """What contradicts what some changes bring; best looked for before others must wait."""
        from memoranda.retrieval.contradicting import pairs

        return pairs(changes, self._store, self.access.visible, now)

    def _filter(
        self,
        *,
        kinds: Iterable[Kind | str] | None = None,
        statuses: Iterable[Status | str] | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> Filter:
        return Filter(
            now=self._clock().astimezone(self.settings.zone),
            kinds=given.kinds(kinds),
            statuses=given.statuses(statuses),
            as_of=given.time("as_of", as_of),
            known=given.time("known", known),
            since=given.time("since", since),
            until=given.time("until", until),
        )

    def _note_served(
        self,
        via: str,
        ids: Sequence[str],
        tokens: int,
        conversation: str | None,
        window: int | None = None,
    ) -> None:
        """Remember what was served, to be written down when nobody waits for an answer."""
        if not self.settings.log_use:
            return
        from memoranda.care import Serving, Via

        window = self.settings.context_window if window is None else window
        served = Serving(self._clock(), Via(via), tuple(ids), tokens, window, conversation)
        with self._counting:
            self._served.append(served)

    def _record_served(self) -> None:
        with self._counting:
            served, self._served = self._served, []
        if self._store.is_read_only:
            return
        if served and self.access.person is not None:
            self._store.uses.record(served, self.access.own)
