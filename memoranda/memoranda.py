"""The object you open and hold, and its verbs."""

from __future__ import annotations

import builtins
import math
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from datetime import time as clock
from functools import partial
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from memoranda import given
from memoranda.capture import observe as capture
from memoranda.errors import (
    Ambiguous,
    EmbeddingError,
    FileError,
    Incognito,
    InvalidInput,
    MemorandaError,
    NotFound,
    NotToldError,
    ScopeClosed,
    StoreError,
)
from memoranda.formation import changes
from memoranda.people import Part
from memoranda.policy import confidence, fading, hygiene
from memoranda.policy.access import Access
from memoranda.protocols import (
    Embedder,
    KeptFile,
    LanguageModel,
    Notifier,
    Reranker,
    Store,
    all_decisions,
)
from memoranda.retrieval.disputed import believed
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.settings import Settings
from memoranda.text.clean import fingerprint, mend
from memoranda.text.instructions import smuggled
from memoranda.text.masks import PRIVATE, without_private
from memoranda.text.names import key
from memoranda.text.resolutions import is_resolution
from memoranda.text.secrets import redacted
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.times import spans
from memoranda.text.words import fold
from memoranda.types import (
    Backlog,
    Change,
    Choice,
    Context,
    Doomed,
    Embedded,
    Entity,
    EntityKind,
    Entry,
    Filter,
    Fusion,
    HomeStatus,
    Imported,
    Kind,
    Memory,
    Named,
    Observed,
    Operation,
    Passage,
    Recall,
    Receipt,
    Role,
    Scope,
    Scopes,
    Source,
    Status,
    Topic,
    Turn,
    Verdict,
    new_id,
)
from memoranda.upkeep import embed as embedding
from memoranda.upkeep.embed import PROBE

if TYPE_CHECKING:
    from memoranda.care import (
        Action,
        Contradiction,
        Health,
        Item,
        Pair,
        Review,
        Serving,
        Side,
        Sweep,
        Synced,
        SyncedFile,
    )
    from memoranda.context.compact import Kept
    from memoranda.context.messages import Chat
    from memoranda.files.layout import Place
    from memoranda.files.page import Statement
    from memoranda.files.skills import Gone
    from memoranda.files.syncing import Terms as FileTerms
    from memoranda.formation.run import Terms
    from memoranda.passes import (
        Call,
        Decision,
        Distances,
        Estimate,
        Pass,
        Replay,
        Stage,
        Undone,
    )
    from memoranda.people import Person, Project, Report, State, Task, Vault
    from memoranda.skills import Skill, Skills
    from memoranda.working import Compacted, Expanded

AT_ONCE = 20
"""Memories changed in one transaction, when there are many."""

PAUSE = 0.003
"""Seconds between two of these, for others to write."""

SERVED_KEPT = 100
"""So many servings are kept in memory before they are written down."""

RECKONED = 300
"""Turns that are reckoned before the measures are told, at most; the rest is for a sweep."""

MIDNIGHT = clock()

PARTS_AFTER = 1.0
"""Seconds after which the parts in a project are looked up again."""

FILES_AFTER = 2.0
"""Seconds between two writings of the files by who keeps a home open; the rest is for `close`."""

SENT = "the review was sent"
"""What is kept until it is to be sent again."""


Vaults = Mapping[Scope, Path]
"""Where the files of projects are that are not in the home."""


def _now() -> datetime:
    return datetime.now(UTC)


class _TopicsThere(NamedTuple):
    """The topics of a scope where the ledger ended at `mark`.

    Not `known` when all that are given to a new memory are among them.
    """

    mark: int
    known: hygiene.Topics | None


class Memoranda:
    """An open home. Made by `memoranda.open`; close it, or use it in a `with` statement.

    It may be used from several threads. Every verb may raise StoreError, and is one transaction
    unless it says otherwise.
    """

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
        self._served: builtins.list[Serving] = []
        self._counting = Lock()
        self._is_closed = False
        self._files_at = -math.inf
        self._finish_files()

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
            _warn(f"which memories were served was not written down: {error}")
        try:
            self._write_files()
        finally:
            self._store.close()

    # The switch

    def enable(self) -> None:
        """Let turns be captured from now on. Raises ScopeClosed for all but the owner."""
        self._refuse_to_switch()
        self._store.set_capture(True, at=self._clock(), by=self._door)

    def disable(self) -> None:
        """Capture nothing from now on; what is stored stays. Raises as `enable` does."""
        self._refuse_to_switch()
        self._store.set_capture(False, at=self._clock(), by=self._door)

    def _refuse_to_switch(self) -> None:
        if not self.access.is_owner:
            raise ScopeClosed("only the owner turns capture on or off: open it with no --person")

    def status(self) -> HomeStatus:
        """What is on, where, since when, how much is visible and waits, and who receives text."""
        backlog = self._backlog()
        return HomeStatus(
            place=str(self._path),
            bytes=self._bytes,
            capturing_since=self._store.capturing_since(),
            visible=self.access.visible,
            holdings=self._store.holdings(self.access.visible),
            model=self._store.vectors().model or None,
            language=None if self._language is None else self._language.name,
            backlog=backlog,
            warnings=self._warnings(backlog),
            hosts=self._hosts,
        )

    def incognito(self, conversation: str, *, on: bool = True, from_start: bool = False) -> Receipt:
        """Keep nothing of what is said in a conversation from now on; turned off, keep it again.

        Whichever agent of the person brings such turns later, they are left out. `from_start`
        forgets what is stored of it too, by whichever agent, as the receipt tells. What is kept is
        a keyed hash of the conversation's name.
        """
        name = given.short(given.text("conversation", conversation))
        if not name:
            raise InvalidInput("conversation: an empty text names none")
        now = self._clock()
        on, from_start = given.flag("on", on), given.flag("from_start", from_start)
        if from_start and not on:
            raise InvalidInput("from_start: what was not kept cannot be brought back")
        with self._store.transaction():
            doomed = self._store.set_incognito(
                name, on, self.access.own, at=now, by=self._door, from_start=from_start
            )
            gone = self._forget_skills(doomed, Choice(conversation=name))
        if not from_start:
            return Receipt(())
        return self._cleared(doomed, gone, self.access.visible, self._vaults())

    @property
    def _hosts(self) -> tuple[str, ...]:
        reranker = self._reranker if self.settings.reranks else None
        receivers = (self._embedder, reranker, self._language, self._notifier)
        hosts = (each.host for each in receivers if each is not None)
        return tuple(dict.fromkeys(host for host in hosts if host is not None))

    # What happened

    def observe(
        self,
        turns: Iterable[Turn],
        *,
        embed: bool | None = None,
        keep_secrets: bool = False,
        scheduled: bool = False,
    ) -> Observed:
        """Store turns as they come in; those stored before are recognised and left alone.

        A call with few turns is one transaction; a long one is many, and can be repeated after an
        interruption. Then the turns are embedded unless `embed`, or without it the settings, say
        otherwise. Secrets are left out unless told to keep them. What is `scheduled` no person
        said, whatever its role. Raises CaptureOff while capture is off, and InvalidInput for a time
        without a zone.
        """
        if given.flag("scheduled", scheduled):
            turns = capture.unsaid(turns)
        return self._observe(turns, deliberate=False, embed=embed, keep_secrets=keep_secrets)

    def import_(
        self,
        path: str | Path,
        *,
        format: str = "auto",
        dry_run: bool = False,
        place: str | None = None,
        advance: Callable[[int], None] | None = None,
        embed: bool | None = None,
        keep_secrets: bool = False,
    ) -> Imported:
        """Store the turns that another program left, whether capture is on or not.

        `path` is a file or a folder; what it is of, if `format` does not say so, is told from what
        is in it. They are embedded as `observe` does. A file of turns is read whole first, which
        tells `advance` its bytes twice; if it cannot be read, nothing is stored, and InvalidImport
        is raised, as when nothing known is there. Of other formats each record that cannot be read
        is told in what is returned. A dry run counts as `stored` every turn it read.
        """
        from memoranda.capture.importers import formats, reading

        given.flag("dry_run", dry_run)
        given.flag("keep_secrets", keep_secrets)
        given.flag_or_none("embed", embed)
        path, place = given.path("path", path), given.text_or_none("place", place)
        given.function("advance", advance)
        found = formats.find(path, format, place)
        named = place if found.files == [path] else None
        account = reading.Reading(self.settings.zone, named, advance)
        turns = found.turns(account, dry_run=dry_run)
        observed = None
        if dry_run:
            deque(turns, maxlen=0)
        else:
            observed = self._observe(turns, deliberate=True, embed=embed, keep_secrets=keep_secrets)
        return account.imported(observed, found.format)

    def _observe(
        self,
        turns: Iterable[Turn],
        *,
        deliberate: bool,
        embed: bool | None,
        keep_secrets: bool,
    ) -> Observed:
        given.flag_or_none("embed", embed)
        observed = capture.observe(
            turns,
            self._store,
            self.access.own,
            self.access.project,
            now=self._clock(),
            by=self._door,
            deliberate=deliberate,
            passage_size=self.settings.passage_size,
            keep_secrets=given.flag("keep_secrets", keep_secrets),
        )
        if observed.stored:
            self._embed_written(observed.stored, embed)
        if len(self._served) >= SERVED_KEPT:  # of who is open for long; close() writes the rest
            self._record_served()
        return observed

    # What is true

    def remember(
        self,
        content: str,
        *,
        kind: Kind | str = Kind.FACT,
        scope: Scope | str | None = None,
        detail: str | None = None,
        topics: Iterable[str] = (),
        entities: Iterable[str] = (),
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        pin: bool = False,
        source: str | None = None,
        conversation: str | None = None,
        keep_secrets: bool = False,
    ) -> Memory:
        """Write a memory down by hand; saying the same again confirms the one there is.

        That one then also takes what is given besides: a pin, topics, entities, a detail, times.
        `scope` must be open here and is the own one when not given. `source` is the id of the turn
        it rests on, `conversation` the one in which this is asked for. A topic is written in small
        letters with hyphens, or as the one of the scope that it is close to, and of a secret its
        kind unless told to keep it; the memory returned has them so. It is quarantined when its
        source is, or when it quotes orders to an agent. Raises InvalidInput, ScopeClosed, NotFound
        for the source, or Incognito.
        """
        now = self._clock()
        if conversation is not None and self._is_incognito(conversation, now):
            raise Incognito(f"nothing is kept of {conversation}: it is incognito")
        given.flag("keep_secrets", keep_secrets)
        content = _statement(content, keep_secrets)
        target = self.access.writable(given.scope(scope))
        if target.kind == "project" and is_resolution(content):
            raise InvalidInput(
                f"{content[:60]!r} says that something was solved, which {target} does not keep; "
                "it is a line for a report: `memoranda report add`"
            )
        valid_from = given.time("valid_from", valid_from)
        valid_to = given.time("valid_to", valid_to)
        memory = Memory(
            id=new_id(now),
            kind=given.kind(kind),
            content=content,
            scope=target,
            detail=_kept(given.text_or_none("detail", detail), keep_secrets),
            topics=_public(given.names("topics", topics), keep_secrets),
            entities=_public(given.names("entities", entities), keep_secrets),
            sources=(self._source(source, now),),
            confidence=confidence.BY_HAND,
            pinned=given.flag("pin", pin),
            recorded_at=now,
            valid_from=now if valid_from is None else valid_from,
            valid_to=valid_to,
        )
        if self.access.proposes(target):
            memory = self._proposed(memory)
        return self._write(memory, valid_from, valid_to)

    def _proposed(self, memory: Memory) -> Memory:
        """A memory that a profile proposes for a project, of which a lead decides."""
        by = None if self.access.profile is None else self.access.profile.name
        return replace(
            memory,
            status=Status.CANDIDATE,
            confidence=confidence.SAID["stated"],
            pinned=False,
            sources=tuple(
                replace(each, kind="agent", by=by) if each.kind == "person" else each
                for each in memory.sources
            ),
        )

    def _write(
        self, memory: Memory, valid_from: datetime | None, valid_to: datetime | None
    ) -> Memory:
        """Store a new memory, unless it is known or must be kept from models; returns what is."""
        _load_what_it_takes(memory)
        if why := self._distrusted(memory):
            return self._quarantine(memory, why)
        memory, named = changes.with_found(memory)
        there = self._topics_there(memory)
        denied = self._denied(memory.recorded_at, Change(Operation.REMEMBER, None, memory))
        memory = self._remember(memory, named, there, denied, valid_from, valid_to)
        self._embed_written(1)
        self._keep_files_up()
        return memory

    def _remember(
        self,
        memory: Memory,
        named: tuple[Named, ...],
        there: _TopicsThere,
        denied: Sequence[Pair],
        valid_from: datetime | None,
        valid_to: datetime | None,
    ) -> Memory:
        """Store a new memory, or add what it says besides to the one that says the same."""
        now = memory.recorded_at
        with self._store.transaction():
            memory = replace(memory, topics=self._topics(memory, there))
            known = self._known(memory.content, memory.scope, memory.kind, now)
            if known is None:
                change = Change(Operation.REMEMBER, None, _possible(memory), named)
                self._apply(now, change, denied=denied)
                return self._as_written(memory)
            if self.access.proposes(memory.scope):  # it is known, and not to be changed from here
                return known
            about = _once((*known.given, *memory.given))
            found = tuple(name for name in known.found if name not in about)
            more = replace(
                known,
                detail=memory.detail or known.detail,
                topics=_once((*known.topics, *memory.topics)),
                entities=(*about, *found),
                found=found,
                pinned=known.pinned or memory.pinned,
                valid_from=known.valid_from if valid_from is None else memory.valid_from,
                valid_to=known.valid_to if valid_to is None else memory.valid_to,
                sources=changes.with_new(known.sources, memory.sources),
            )
            return self._as_written(self._confirm(known, _possible(more), now))

    def _distrusted(self, memory: Memory) -> str | None:
        """Why a new memory is kept from models, if it is."""
        if found := smuggled(f"{memory.content}\n{memory.detail or ''}", Role.USER):
            return found[0].why
        turns = [source.turn for source in memory.sources if source.turn is not None]
        rests_on = [self._store.turn(turn, self.access.visible) for turn in turns]
        return next((each.quarantined for each in rests_on if each.quarantined), None)

    def _quarantine(self, memory: Memory, why: str) -> Memory:
        """Store a memory that is kept from models; names in it are looked for at its release."""
        kept = replace(
            _possible(memory),
            status=Status.QUARANTINED,
            topics=_once(map(_topic, memory.topics)),
            entities=(),
        )
        now = kept.recorded_at
        only = frozenset({Status.QUARANTINED})
        with self._store.transaction():
            known = self._store.same(kept.content, kept.scope, kept.kind, now, statuses=only)
            if known is None:
                self._apply(now, Change(Operation.REMEMBER, None, kept), reason=why)
        return known or kept

    def revise(
        self,
        id: str,
        content: str,
        *,
        valid_from: datetime | None = None,
        correction: bool = False,
        reason: str | None = None,
        keep_secrets: bool = False,
    ) -> Memory:
        """Put new words in the place of a memory, which stays as superseded; returns the new one.

        The old one held until `valid_from`, which is now when not given and cannot be later. A
        `correction` says that it never held, and that the new one held in its place. If the new
        words are remembered already, that memory is confirmed and returned. Raises NotFound,
        Ambiguous, InvalidInput, also for words that quote orders to an agent, Conflict.
        """
        given.flag("keep_secrets", keep_secrets)
        return self._revise(
            id,
            _statement(content, keep_secrets),
            given.time("valid_from", valid_from),
            self._source(None, self._clock()),
            correction=given.flag("correction", correction),
            reason=_kept(given.text_or_none("reason", reason), keep_secrets),
        )

    def _revise(
        self,
        id: str,
        content: str,
        valid_from: datetime | None,
        source: Source,
        *,
        correction: bool = False,
        reason: str | None = None,
        sure: float = confidence.BY_HAND,
    ) -> Memory:
        now = self._clock()
        if found := smuggled(content, Role.USER):
            raise InvalidInput(f"{found[0].why}: `remember` it apart, for you to look at")
        names = changes.names_in(content)
        with self._store.transaction():
            old = self._live(id)
            if fingerprint(old.content) == fingerprint(content):
                raise InvalidInput(f"{old.id} says just that already; `confirm` it instead")
            ended, began = _succession(old, valid_from, now, correction)
            known = self._known(content, old.scope, old.kind, now)
            if known is None:
                succeeding = changes.successor(
                    old,
                    new_id(now),
                    content,
                    source,
                    began=began,
                    ends=old.valid_to if correction else None,
                    sure=sure,
                    now=now,
                )
                new, named = changes.with_found(_possible(succeeding), names)
                arrival = Change(Operation.REVISE, None, new, named)
            else:
                new = changes.confirmed(known, now)
                arrival = Change(Operation.CONFIRM, known, new)
            closed = changes.superseded(old, new.id, ended=ended, now=now)
            departure = Change(Operation.REVISE, old, closed)
            self._apply(now, arrival, departure, reason=reason)
            new = self._as_written(new)
        self._embed_written(1)
        self._keep_files_up()
        return new

    def confirm(self, id: str) -> Memory:
        """Say that a memory still holds; a candidate becomes current, and so does what expired.

        Raises NotFound, Ambiguous, InvalidInput, Conflict.
        """
        now = self._clock()
        with self._store.transaction():
            memory = self._memory(id)
            expired = memory.status == Status.EXPIRED
            if not expired:
                _refuse_closed(memory)
            if memory.valid_to is not None and memory.has_ended(now):
                raise InvalidInput(
                    f"{memory.id} ended {memory.valid_to.isoformat()}; `remember` it anew"
                )
            if expired and (known := self._known(memory.content, memory.scope, memory.kind, now)):
                raise InvalidInput(f"{known.id} says just that already; `confirm` that")
            return self._confirm(memory, replace(memory, closed_at=None), now)

    def retire(self, id: str, *, reason: str | None = None) -> Memory:
        """Say that a memory holds no more, and that nothing takes its place.

        It stays in the history. Raises NotFound, Ambiguous, InvalidInput, Conflict.
        """
        now = self._clock()
        reason = _kept(given.text_or_none("reason", reason), keep_secrets=False)
        with self._store.transaction():
            memory = self._live(id)
            after = changes.retired(memory, now)
            self._apply(now, Change(Operation.RETIRE, memory, after), reason=reason)
        self._keep_files_up()
        return after

    def pin(self, id: str, *, on: bool = True) -> Memory:
        """Keep a memory from ever being changed or dropped without a person; or, off, no longer.

        Raises NotFound, Ambiguous, Conflict.
        """
        now = self._clock()
        given.flag("on", on)
        with self._store.transaction():
            before = self._memory(id)
            after = replace(before, pinned=on)
            if after != before:
                operation = Operation.PIN if on else Operation.UNPIN
                self._apply(now, Change(operation, before, after))
        return after

    def release(self, id: str) -> Memory | Passage:
        """Let a memory or a turn out of quarantine, for models to have; returns it.

        Raises InvalidInput when it is not in there, NotFound, Ambiguous, Conflict.
        """
        now = self._clock()
        found = self.show(id)
        if isinstance(found, Passage):
            if found.quarantined is None:
                raise InvalidInput(f"the turn {found.turn} is not in quarantine")
            self._store.release(found.turn, at=now, by=self._door)
            return self.show(found.turn)
        if found.status != Status.QUARANTINED:
            raise InvalidInput(f"{found.id} is {found.status}; it is not in quarantine")
        released = replace(found, status=Status.CURRENT, recorded_at=now)
        released, named = changes.with_found(released)
        with self._store.transaction():
            if known := self._known(found.content, found.scope, found.kind, now):
                raise InvalidInput(f"{known.id} says just that already; forget {found.id}")
            self._apply(now, Change(Operation.RELEASE, found, released, named))
            return self._as_written(released)

    def forget(
        self,
        *ids: str,
        conversation: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        query: str | None = None,
        project: str | None = None,
        profile: str | None = None,
        person: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        everything: bool = False,
        dry_run: bool = False,
        verify: bool = False,
    ) -> Receipt:
        """Erase memories and turns for good, with what rests on them alone.

        What is chosen must be all that is given: of these `ids` or a version that one of them
        replaced, in this `conversation` of the own scope, from the file `source`, naming this
        `entity`, found by this `query`, whose words of time do not count, of this project, profile
        or person (of all that is open here if none is named), and written down or said from `since`
        up to `until`. `everything` takes whatever the home holds, whosever it is. With a memory go
        the words of turns that it rests on. All of it goes or nothing; a dry run only tells what
        would. The receipt names the places where traces may remain; to `verify`, the files of the
        home are searched for them. Raises InvalidInput when nothing is given, NotFound, Ambiguous,
        ScopeClosed for what is not the owner's to forget.
        """
        now = self._clock()
        given.flag("verify", verify)
        everything = given.flag("everything", everything)
        scope = _scope_named(person=person, profile=profile, project=project)
        sight = self._sight(scope, everything=everything)
        choice = Choice(
            ids=self._chosen(ids, query, sight),
            conversation=given.text_or_none("conversation", conversation),
            path=given.text_or_none("source", source),
            entity=None
            if entity is None
            else self._store.entity(given.text("entity", entity), sight).id,
            scope=scope,
            since=given.time("since", since),
            until=given.time("until", until),
            everything=everything,
        )
        if choice == Choice():
            raise InvalidInput("say what to forget: an id, a conversation, a person, …")
        if conversation is not None and scope is None:  # another agent's of this name is another
            sight = (self.access.own,)
        if given.flag("dry_run", dry_run):
            would_go = self._store.doomed(choice, sight)
            skills = self._skills_going(would_go, choice).touched
            return Receipt(would_go.memories, would_go.turns, would_go.cut, skills=skills)
        told = (*sight, *self._store.scopes()) if everything else sight
        if self._keeps_files(told):
            with suppress(FileError):  # it is told as pending, afterwards
                self._sync(told)  # or lines that nobody has read would come back from the files
        vaults = self._vaults()  # of which the store knows nothing afterwards, maybe
        with self._store.transaction():
            doomed = self._store.forget(choice, sight, at=now, by=self._door)
            gone = self._forget_skills(doomed, choice)
            self._doom_mirror(doomed, told)
            elsewhere = self._forget_vaults(choice, vaults)
        for path in elsewhere:
            path.unlink(missing_ok=True)
        return self._cleared(doomed, gone, told, vaults, verify=verify)

    def _sight(self, scope: Scope | None, *, everything: bool) -> Scopes:
        """Where what is to be forgotten may be, when one scope is named. Raises ScopeClosed."""
        opened = self.access.deciding
        if everything and not self._rules:
            raise ScopeClosed(
                "only the owner forgets everything: open it with no --person and no --profile"
            )
        if scope is None or (scope in opened and scope.kind == "project"):
            return opened
        if scope not in opened and not self._rules:
            raise ScopeClosed(f"only the owner, or who opens {scope}, forgets what is in there")
        # What was said in a project is of the person or the agent that said it.
        return (*opened, scope) if scope.kind == "project" else (scope,)

    def _skills_going(self, doomed: Doomed, choice: Choice) -> Gone:
        """What of skills, whosever, rests on what is forgotten; all of a scope that goes whole."""
        from memoranda.files import skills
        from memoranda.files.places import folder

        if choice.is_whole:
            whole = None if choice.scope is None else (folder(choice.scope),)
            return skills.going(self._path, doomed, whole)
        if not (doomed.turns or doomed.candidates):
            return skills.Gone()
        return skills.going(self._path, doomed, ())

    def _forget_skills(self, doomed: Doomed, choice: Choice) -> Gone:
        """Have what of skills goes removed with the rest; a text that stays comes back at once."""
        from memoranda.files import skills
        from memoranda.files.places import folder

        gone = self._skills_going(doomed, choice)
        if gone.skills:
            scopes = {folder(each): each for each in self._store.scopes()}
            for owner, name in gone.skills:
                if owner in scopes:
                    self._store.skills.drop(name, scopes[owner])
        self._store.doom(gone.files)
        skills.put_back(gone)
        return gone

    def _doom_mirror(self, doomed: Doomed, scopes: Scopes) -> None:
        """Have the files of the mirror go with their memories, even if this ends before they do."""
        from memoranda.files import mirror

        places = [mirror.place(self._path, each) for each in scopes]
        paths = (place / f"{id}.md" for place in places for id in doomed.memories)
        there = [each.relative_to(self._path).as_posix() for each in paths if each.exists()]
        self._store.doom(there)

    def _forget_vaults(self, choice: Choice, vaults: Vaults) -> builtins.list[Path]:
        """Have tasks and reports go with what they are of; returns those outside of the home."""
        from memoranda.files import vault

        going = vault.going(self._path, vaults, choice)
        within = [each for each in going if each.is_relative_to(self._path)]
        self._store.doom([each.relative_to(self._path).as_posix() for each in within])
        return [each for each in going if each not in within]

    def _cleared(
        self,
        doomed: Doomed,
        gone: Gone,
        scopes: Scopes,
        vaults: Vaults,
        *,
        verify: bool = False,
    ) -> Receipt:
        """What went, once the traces of it are removed, or named where they cannot be yet."""
        left, removed = self._clear_files(doomed, scopes, vaults)
        purged = self._store.purge()
        found = None
        if verify:
            from memoranda.files.clearing import scaffolding

            sought = replace(doomed, texts=(*doomed.texts, *gone.texts))
            found = self._store.traces(sought, besides=scaffolding())
        self._embed_written(len(doomed.cut))
        return Receipt(
            doomed.memories,
            doomed.turns,
            doomed.cut,
            (*purged.pending, *left),
            (*filter(_is_no_mirror, purged.removed), *removed),
            found,
            gone.touched,
        )

    def _is_incognito(self, conversation: str, now: datetime) -> bool:
        name = given.text("conversation", conversation)
        if self.access.person is None:  # of whom nothing is kept, or known
            return False
        return self._store.is_incognito(name, self.access.own, now)

    def _chosen(
        self, ids: tuple[str, ...], query: str | None, sight: Scopes
    ) -> tuple[str, ...] | None:
        """The whole ids of what is named by the beginnings of ids, or found by a question."""
        if query is None:
            return tuple(dict.fromkeys(self._id_of_text(id, sight) for id in ids)) or None
        if ids:
            raise InvalidInput("give ids or a query, not both")
        chosen = replace(self._filter(), quarantined=True)
        question = Question(
            text=_without_times(given.text("query", query), chosen.now),
            visible=sight,
            filter=chosen,
            limit=given.MOST_RESULTS,
            fusion=Fusion(self.settings.fusion),
        )
        found = recall(question, self._store, self._embedder)
        return tuple(hit.id for hit in found.hits)

    # From conversations to memories

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        model: str | None = None,
        review: bool | None = None,
        again: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Pass:
        """Make memories of what was said in the own scope since the last pass; returns what it did.

        Each few turns, and each few candidates of them, are one transaction, and none is open while
        the model thinks; interrupted, it goes on where it was when it is called anew. `model` is
        another one at the same endpoint, or "rules", by which it is done without any. `review` has
        every candidate wait for a person; the settings say so without it. What failed three times
        is tried once more with `again`, or by another model. A dry run does it all on a copy.
        `advance` is told how many turns were done just now and how many are left. A failure
        of the model is no error: the pass tells what it was stopped by. Raises Busy while another
        pass runs, InvalidInput, StoreError.
        """
        from memoranda.formation import consolidation

        given.function("advance", advance)
        done = consolidation.consolidate(
            self._store,
            self.access.heard,
            self._model_named(model),
            self._embedder,
            self._terms(given.flag_or_none("review", review), again=given.flag("again", again)),
            clock=self._clock_here,
            by=self._door,
            embed=self._embed_memories,
            seen=self.access.visible,
            preview=given.flag("dry_run", dry_run),
            advance=advance,
        )
        if not dry_run:
            self.sweep()
            self._tell_warnings()
            self._send_review_if_due()
            self._keep_files_up()
        return done

    def estimate(self) -> Estimate:
        """About what `consolidate` would take, of tokens and of money; nothing is asked."""
        from memoranda import terms
        from memoranda.formation import consolidation

        return consolidation.estimate(self._store, self.access.heard, terms.prices(self.settings))

    def waiting(self) -> Scopes:
        """Whose conversations wait to be read by a model; told to the owner only.

        Raises ScopeClosed.
        """
        self._refuse_to_rule("learns whose conversations wait")
        return self._store.passes.waiting()

    def is_due(self) -> bool:
        """Whether something waits to be consolidated and the schedule in the settings says now."""
        from memoranda import terms

        return terms.schedule(self.settings).is_due(self._backlog(), self._clock())

    def passes(self, *, before: str | None = None, limit: int = 20) -> tuple[Pass, ...]:
        """The latest passes, newest first, without the decisions of each.

        `before` is the id of the last one of the page before. Raises InvalidInput, NotFound.
        """
        given.limit(limit)
        before = given.text_or_none("before", before)
        found = self._store.passes.passes(self.access.heard, before=before, limit=limit)
        return tuple(map(self._priced, found))

    def pass_(self, id: str) -> Pass:
        """A pass with all that it decided of what is visible, and the turns that it set aside.

        `id` is the beginning of its id. Raises InvalidInput, NotFound, Ambiguous.
        """

        one = self._pass(id)
        decided = all_decisions(self._store.passes, self.access.visible, of=one.id)
        return replace(self._priced(one), decisions=tuple(decided))

    def ledger(
        self,
        *,
        of: str | None = None,
        stages: Iterable[Stage | str] | None = None,
        after: str | None = None,
        limit: int = 50,
    ) -> tuple[Decision, ...]:
        """Candidates for memories and what became of each, the oldest first.

        `of` is the beginning of a pass's id; `after` the id of the last one of the page before.
        Raises InvalidInput, NotFound, Ambiguous.
        """
        given.limit(limit)
        chosen = given.stages(stages)
        one = None if of is None else self._pass(of).id
        after = given.text_or_none("after", after)
        found = self._store.passes.decisions(
            self.access.visible, of=one, stages=chosen, after=after, limit=limit
        )
        return tuple(found)

    def calls(self, of: str) -> tuple[Call, ...]:
        """What was asked of a model in a pass, with every answer as it came.

        `of` is the beginning of its id. Raises InvalidInput, NotFound, Ambiguous.
        """
        return tuple(self._store.passes.calls(self._pass(of).id, self.access.heard))

    def distances(self, *, of: str | None = None) -> tuple[Distances, ...]:
        """How near the nearest memory was where each operation was decided on, in all or one pass.

        Raises InvalidInput, NotFound, Ambiguous.
        """
        from memoranda.policy.distances import distances

        one = None if of is None else self._pass(of).id
        return distances(all_decisions(self._store.passes, self.access.visible, of=one))

    def undo(self, id: str, *, keep_read: bool = False) -> Undone:
        """Take back what a pass did: memories are again as they were, but for those changed since.

        What it read is unread again, for the next pass, unless `keep_read`. One that was
        interrupted is over then. Raises InvalidInput when it was undone before, or when a later
        pass has read the same since; NotFound, Ambiguous, Busy.
        """
        from memoranda.formation import consolidation

        given.flag("keep_read", keep_read)
        one, now = self._pass(id), self._clock()
        return consolidation.undo(self._store, one, at=now, by=self._door, keep_read=keep_read)

    def replay(self, id: str, *, model: str | None = None) -> Replay:
        """Ask a model about all that a pass read, and compare; nothing is changed.

        Raises InvalidInput for a pass by rules, or when there is no model; NotFound, Ambiguous,
        Busy.
        """
        from memoranda.formation import replaying

        given.text("id", id)
        language = self._model_named(model)
        if language is None:
            raise InvalidInput("model: rules cannot be asked; name a language model")
        return replaying.replay(
            self._store,
            self._pass(id),
            language,
            self._terms(),
            visible=self.access.visible,
            clock=self._clock_here,
        )

    def candidates(self, *, limit: int = 50) -> tuple[Decision, ...]:
        """The candidates that wait for a person, the oldest first. Raises InvalidInput."""
        from memoranda.passes import Stage

        return self.ledger(stages=[Stage.REVIEW], limit=limit)

    def accept(self, id: str, *, content: str | None = None) -> Decision:
        """Let a candidate count, in other words if `content` gives some; returns what was done.

        One that tells how to do something becomes a skill, or the next version of the one of its
        name; the `content` may be the whole file then. Raises InvalidInput when it does not wait,
        NotFound, Ambiguous, Conflict.
        """
        from memoranda.formation import reviewing

        words = None if content is None else _statement(content, keep_secrets=False)
        decision = self._store.passes.decision(given.text("id", id), self.access.deciding)
        now = self._clock()
        if decision.candidate.procedure:
            return self._accept_skill(decision.id, words, now)
        done = reviewing.accept(
            self._store, decision, words, self.access.visible, now=now, by=self._door
        )
        self._embed_written(1)
        return done

    def reject(self, id: str) -> Decision:
        """Turn a candidate away, so that it is not proposed again.

        Raises InvalidInput when it does not wait, NotFound, Ambiguous.
        """
        from memoranda.formation import reviewing

        decision = self._store.passes.decision(given.text("id", id), self.access.deciding)
        return reviewing.reject(self._store, decision, now=self._clock(), by=self._door)

    def _accept_skill(self, id: str, words: str | None, now: datetime) -> Decision:
        """Write the skill that a candidate proposes, with what is decided in one transaction."""
        from memoranda.files import drafts, skills
        from memoranda.formation import reviewing

        with self._store.transaction():
            decision = self._store.passes.decision(id, self.access.deciding)
            reviewing.check(decision)
            page = drafts.draft(decision, words)
            skill = skills.write(self._path, decision.scope, page)
            self._store.spare(skill.path)
            operation = Operation.ADD if skill.version == 1 else Operation.UPDATE
            written = f"version {skill.version} of the skill {skill.name}"
            return reviewing.accept_skill(
                self._store, decision, written, operation, now=now, by=self._door
            )

    def _with_draft(self, item: Item) -> Item:
        """An item of a review with the skill that its candidate would become, if it can be one."""
        if item.decision is None or not item.decision.candidate.procedure:
            return item
        from memoranda.care import Action
        from memoranda.files import drafts, skills

        try:
            drafted = skills.drafted(self._path, item.decision.scope, drafts.draft(item.decision))
        except InvalidInput as error:
            return replace(item, why=str(error), actions=(Action.EDIT, Action.REJECT))
        return replace(item, skill=drafted)

    # Skills

    def skills(self) -> Skills:
        """How things are done: the skills of what is visible, by name; what is invalid is told.

        Of two of one name the narrower scope's is found: a project's before a profile's, and that
        before the person's. Reads only.
        """
        from memoranda.files import skills

        visible = self.access.visible
        return skills.everything(self._path, visible, self._store.skills.counted(visible))

    def skill(
        self, name: str, *, version: int | None = None, scope: Scope | str | None = None
    ) -> Skill:
        """The skill of a name, with its whole text; of a wider `scope` if that is named.

        `version` gives an older text. Reads only. Raises NotFound, ScopeClosed, and InvalidInput
        for a file that is invalid, telling in which line and why.
        """
        from memoranda.files import skills

        number = None if version is None else given.version(version)
        found = self._skill(name, scope)
        return found if number is None else skills.version(self._path, found, number)

    def skill_history(self, name: str, *, scope: Scope | str | None = None) -> Skills:
        """Every text that a skill had, the oldest first. Raises as `skill` does."""
        from memoranda.files import skills

        return skills.history(self._path, self._skill(name, scope))

    def use_skill(self, name: str, *, scope: Scope | str | None = None) -> Skill:
        """The skill of a name, to follow it: it counts as used. Raises as `skill` does."""
        from memoranda.files import skills

        now = self._clock()
        with self._store.transaction():
            found = self._skill(name, scope)
            try:
                skills.take_in(self._path, found)
            except StoreError as error:  # as where skills of others are, which may only be read
                _warn(f"this text of {found.name} is kept as no version: {error}")
            uses = self._store.skills.count(found.name, found.scope, at=now)
        return replace(found, uses=uses.count, used_at=uses.last)

    def write_skill(
        self,
        text: str,
        *,
        name: str | None = None,
        description: str | None = None,
        scope: Scope | str | None = None,
        license: str | None = None,
        compatibility: str | None = None,
        allowed_tools: str | None = None,
        keep_secrets: bool = False,
    ) -> Skill:
        """Write a skill, or the next version of the one of its name; returns it.

        `text` is the whole file, or what stands in it below the front matter; what else is given
        counts more than what the file says. `scope` must be open here and is the own one when not
        given. Of secrets their kinds are written unless told to keep them. Raises ScopeClosed, and
        InvalidInput with all that keeps it from being written, also for orders to an agent that are
        quoted in it, and when the file that is there cannot be read.
        """
        from memoranda.files import skills

        given.flag("keep_secrets", keep_secrets)
        page = skills.page_of(
            _kept(given.text("text", text), keep_secrets) or "",
            name=None if name is None else given.name("name", name),
            description=_kept(given.text_or_none("description", description), keep_secrets),
            license=given.text_or_none("license", license),
            compatibility=given.text_or_none("compatibility", compatibility),
            allowed_tools=given.text_or_none("allowed_tools", allowed_tools),
        )
        target = self._ruled(given.scope(scope))
        if found := smuggled(f"{page.description}\n{page.body}", Role.USER):
            raise InvalidInput(f"{found[0].why}: who wants that edits the file by hand")
        with self._store.transaction():
            self._store.spare(skills.write(self._path, target, page).path)
            return self._skill(page.name, target)

    def remove_skill(self, name: str, *, scope: Scope | str | None = None) -> Skill:
        """Remove a skill with all that stands in its folder; returns it as it was.

        Raises as `skill` does.
        """
        from memoranda.files import skills

        with self._store.transaction():
            found = self._skill(name, scope)
            self._ruled(found.scope)
            self._store.skills.drop(found.name, found.scope)
            skills.remove(self._path, found)
        return found

    def _ruled(self, scope: Scope | None) -> Scope:
        """A scope that may be written to without a lead's consent. Raises ScopeClosed."""
        target = self.access.writable(scope)
        if self.access.proposes(target):
            raise ScopeClosed(f"a lead of {target} decides on its skills")
        return target

    def _skill(self, name: str, scope: Scope | str | None) -> Skill:
        from memoranda.files import skills

        named = given.scope(scope)
        visible = self.access.visible if named is None else (self.access.writable(named),)
        counted = self._store.skills.counted(visible)
        return skills.one(self._path, visible, given.name("name", name), counted)

    def _clock_here(self) -> datetime:
        """The time in the zone of the home."""
        return self._clock().astimezone(self.settings.zone)

    def _pass(self, id: str) -> Pass:
        return self._store.passes.one(given.text("id", id), self.access.heard)

    def _backlog(self) -> Backlog:
        return self._store.passes.backlog(self.access.own, self.access.visible)

    def _model_named(self, model: str | None) -> LanguageModel | None:
        """The model to ask; None means the rules. Raises InvalidInput, InvalidSettings."""
        if model is None:
            return self._language
        from memoranda.passes import RULES

        if given.name("model", model) == RULES:
            return None
        if self._languages is None:
            raise InvalidInput(f"model: this home knows no way to ask {model!r}")
        return self._languages(model)

    def _priced(self, one: Pass) -> Pass:
        from memoranda import terms

        return replace(one, cost=terms.prices(self.settings).cost(one.tokens))

    def _terms(self, review: bool | None = None, *, again: bool = False) -> Terms:
        from memoranda import terms

        passes, now = self._store.passes, self._clock()
        proposing = tuple(filter(self.access.proposes, self.access.visible))
        return terms.terms(
            self.settings, passes, now, review=review, again=again, proposing=proposing
        )

    def _warnings(self, backlog: Backlog) -> tuple[str, ...]:
        from memoranda import terms

        passes, own = self._store.passes, self.access.own
        return terms.warnings(self.settings, passes, own, backlog, self._clock())

    def _tell_warnings(self) -> None:
        """Tell whom the settings name, once for the same warnings; else they are logged."""
        found = "\n".join(self._warnings(self._backlog()))
        kinds = re.sub(r"\d+", "", found)  # not at each number that is another
        if self._notifier is None or not self._store.passes.is_news(self.access.own, kinds):
            return
        try:
            if found:
                self._notifier.tell(found)
        except NotToldError as error:  # the next pass tries again
            _warn(f"{error}; nobody was told: {found}")
            return
        self._store.passes.told(self.access.own, kinds)

    # Staying true

    def contradictions(self, *, limit: int = 50) -> tuple[Contradiction, ...]:
        """What cannot hold together and waits for somebody to settle it, the oldest first.

        Two memories, or a memory and a candidate that would change it. Raises InvalidInput.
        """
        from itertools import islice

        from memoranda.formation import settling

        waiting = settling.waiting(self._store, self.access.visible)
        return tuple(islice(waiting, given.limit(limit)))

    def settle(self, id: str, keep: Side | str) -> Contradiction:
        """Say which side of a contradiction holds: newer, older, or both; returns it as it was.

        The other side is superseded, and the one that holds is confirmed; what never held is told
        so. An offer of the wider scope's change is taken with older, and declined with newer or
        both. Raises InvalidInput, NotFound, Ambiguous, Conflict.
        """
        from memoranda.formation import settling

        visible, chosen = self.access.deciding, given.side(keep)
        found = settling.one(given.text("id", id), self._store, visible)
        settling.settle(found, chosen, self._store, visible, now=self._clock(), by=self._door)
        return found

    def sweep(
        self,
        *,
        dry_run: bool = False,
        everyone: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Sweep:
        """Let go of memories that ended or faded, and of conversations old enough; tells which.

        Those memories expire: nothing of them is lost, and `confirm` brings one back. Pins and
        constraints never do. The conversations, of the own scope, are deleted. With `everyone` it
        does so for every person, profile and project, if the owner asks. Each few of either are one
        transaction; a dry run changes nothing. `advance` is told how many memories expired just now
        and how many are left. `consolidate` does the same at its end. Raises ScopeClosed.
        """
        from memoranda.upkeep import sweep

        given.function("advance", advance)
        if given.flag("everyone", everyone):
            self._refuse_to_rule("sweeps for everyone")
        if not dry_run:
            self._reckon(self._clock_here())
        scopes = self._store.scopes() if everyone else ()
        return sweep.sweep(
            self._store,
            scopes or self.access.deciding,
            scopes or (self.access.own,),
            fading.curves(self.settings),
            conversation_days=self.settings.conversation_days,
            now=self._clock_here(),
            by=self._door,
            dry_run=given.flag("dry_run", dry_run),
            advance=advance,
        )

    def review(self, *, limit: int = 50) -> Review:
        """What is to be looked at: contradictions, candidates, what is old, double, unused, …

        The most pressing first, at most `limit` items; `decide` says what becomes of each. What a
        person kept as it is does not come up again for a while. Raises InvalidInput.
        """
        from memoranda.care import Concern, Review
        from memoranda.health import reviewing

        given.limit(limit)
        found = reviewing.items(
            reviewing.look(
                self._store,
                self.access.visible,
                self.contradictions(limit=given.MOST_RESULTS),
                self.topics(),
                fading.curves(self.settings),
                self._clock_here(),
            )
        )
        kept = self._store.kept.those(
            [each.key for each in found], self.access.own, now=self._clock()
        )
        left = [each for each in found if each.key not in kept]
        counts = {str(each): sum(item.concern == each for item in left) for each in Concern}
        shown = tuple(map(self._with_draft, left[:limit]))
        return Review(shown, {name: count for name, count in counts.items() if count})

    def decide(self, key: str, action: Action | str, *, content: str | None = None) -> None:
        """Say what becomes of an item of a review, by its key; `edit` takes the new `content`.

        What is kept as it is does not come up again for as many days as the settings say. Raises
        InvalidInput for an action that the item does not take, NotFound, Ambiguous, Conflict.
        """
        from memoranda.care import Action, Concern

        name, _, id = given.text("key", key).partition(":")
        concern = given.concern(name)
        chosen, content = given.action(action), given.text_or_none("content", content)
        if (content is None) == (chosen == Action.EDIT):
            raise InvalidInput("content: edit takes one, and no other action does")
        match concern, chosen:
            case _, Action.KEEP:
                until = self._clock() + timedelta(days=self.settings.review_again_days)
                self._store.kept.keep([key], self.access.own, until=until)
            case Concern.CONTRADICTION, Action.NEWER | Action.OLDER | Action.BOTH:
                self.settle(id, str(chosen))
            case Concern.CANDIDATE, Action.ACCEPT | Action.EDIT:
                self.accept(id, content=content)
            case Concern.CANDIDATE, Action.REJECT:
                self.reject(id)
            case Concern.QUARANTINED, Action.RELEASE:
                self.release(id)
            case Concern.DUPLICATE, Action.MERGE | Action.NEWER | Action.OLDER:
                self._join(id, chosen)
            case Concern.TOPIC, Action.MERGE:
                self._merge_topic(id)
            case Concern(), Action.CONFIRM:
                self.confirm(id)
            case Concern(), Action.RETIRE:
                self.retire(id)
            case Concern(), Action.FORGET:
                self.forget(id)
            case Concern(), Action.EDIT:
                self.revise(id, content or "")
            case _:
                raise InvalidInput(f"key: {concern} does not take {chosen}")

    def _join(self, ids: str, chosen: Action) -> None:
        """Have one memory in the place of two that say the same, with what is known of both."""
        from memoranda.care import Action

        now = self._clock()
        newer, older = (self._live(id) for id in ids.split("+", 1))
        kept, gone = (older, newer) if chosen == Action.OLDER else (newer, older)
        after = changes.merged(kept, gone) if chosen == Action.MERGE else kept
        closed = changes.superseded(gone, kept.id, ended=now, now=now)
        made = [Change(Operation.SETTLE, gone, closed)]
        if after != kept:
            made.insert(0, Change(Operation.SETTLE, kept, after))
        self._apply(now, *made)

    def _merge_topic(self, name: str) -> None:
        close = next((each.close for each in self.topics() if each.name == name), None)
        if close is None:
            raise InvalidInput(f"key: the topic {name[:40]!r} is close to no other")
        self.merge_topics(name, close)

    def review_summary(self) -> str:
        """What waits for a review, and how memory serves, as Markdown."""
        from memoranda.health import summary

        return summary.markdown(self.review(limit=given.MOST_RESULTS), self.health())

    def send_review(self) -> None:
        """Send that to whom the settings name. Raises InvalidInput for nobody, NotToldError."""
        if self._notifier is None:
            raise InvalidInput("notify: the settings name nobody to send it to")
        self._notifier.tell(self.review_summary(), about="review")

    def _send_review_if_due(self) -> None:
        """Send what waits once in as many days as the settings say."""
        days, now = self.settings.review_days, self._clock()
        if self._notifier is None or not days:
            return
        if self._store.kept.those([SENT], self.access.own, now=now):
            return
        try:
            self.send_review()
        except NotToldError as error:  # the next pass tries again
            _warn(f"{error}; nobody was sent the review")
            return
        self._store.kept.keep([SENT], self.access.own, until=now + timedelta(days=days))

    def health(self, *, weeks: int = 12) -> Health:
        """How well memory serves: the four measures, by week and scope, and what is stored.

        First it reckons what was said since the last time, each turn a transaction. So many `weeks`
        are told. Raises InvalidInput.
        """
        from memoranda import terms
        from memoranda.health.report import report

        count, now = given.weeks(weeks), self._clock_here()
        self._reckon(now, most=RECKONED)
        backlog = self._backlog()
        return report(
            self._store,
            self.access.visible,
            fading.curves(self.settings),
            terms.prices(self.settings),
            weeks=count,
            now=now,
            size=self._bytes,
            waiting=self._waiting_counts(backlog),
            warnings=self._warnings(backlog),
        )

    def _waiting_counts(self, backlog: Backlog) -> dict[str, int]:
        return {
            "turns": backlog.turns,
            "turns set aside": backlog.aside,
            "candidates": backlog.candidates,
            "candidates set aside": backlog.candidates_aside,
            "candidates in review": backlog.review,
            "turns to reckon": self._store.uses.unreckoned(self.access.own),
            "contradictions": len(self.contradictions(limit=given.MOST_RESULTS)),
        }

    def _reckon(self, now: datetime, *, most: int = sys.maxsize) -> None:
        """Reckon what was said since the last time, and write down what was served until now."""
        if not self.settings.log_use:
            return
        from memoranda.health import reckoning

        self._record_served()
        reckoning.reckon(self._store, self.access.own, self.access.visible, now, most=most)

    @property
    def _bytes(self) -> int:
        return sum(each.stat().st_size for each in self._path.glob("memory.db*"))

    # Looking

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

    def _look(self, id: str, visible: Scopes) -> Memory | Passage:
        id = given.text("id", id)
        found: builtins.list[Memory | Passage] = []
        for look in (self._store.memory, self._store.turn):
            with suppress(NotFound):
                found.append(look(id, visible))
        if not found:
            raise NotFound(f"nothing with the id {id[:40]!r} is visible from here")
        if len(found) > 1:
            raise Ambiguous(f"{id!r} fits a memory and a turn; write more of it")
        return found[0]

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

    # Who and what

    def entities(self, name: str | None = None, *, limit: int = 50) -> tuple[Entity, ...]:
        """What memories and turns are about, the most mentioned first.

        With `name` those that a name with these characters stands for. Raises InvalidInput.
        """
        given.limit(limit)
        part = None if name is None else given.name("name", name)
        return tuple(self._store.entities(self.access.visible, name=part, limit=limit))

    def merge(self, keep: str, other: str) -> Entity:
        """Say that two entities are one, which keeps the name of the first; returns it.

        Both are told by the beginning of the id or by a name that fits one only. All names of the
        other stand for the first from now on; `split` takes the names apart again. Afterwards the
        memories given as about them are indexed anew, in short transactions. Raises NotFound,
        Ambiguous, InvalidInput when they are of different scopes.
        """
        deciding = self.access.deciding
        kept = self._store.entity(given.text("keep", keep), deciding)
        gone = self._store.entity(given.text("other", other), deciding)
        self._store.merge(kept.id, gone.id, at=self._clock(), by=self._door)
        return self._entity(kept.id)

    def split(
        self,
        entity: str,
        name: str,
        *,
        aliases: Iterable[str] = (),
        mentions: Iterable[str] = (),
    ) -> Entity:
        """Say that an entity is two: make a new one, called `name`, of part of it; returns that.

        The new one gets the `aliases`, with all that mention the entity by them, and what is meant
        in the `mentions`, which are ids of memories and turns. Without either it gets the alias
        that `name` is. Each keeps the kind that the one had, unless the name tells another.
        Afterwards memories are indexed anew as by `merge`. Raises NotFound, Ambiguous,
        InvalidInput.
        """
        called = given.name("name", name)
        kinds = _kinds_in(called)
        old = self._store.entity(given.text("entity", entity), self.access.deciding)
        moved, meant = given.names("aliases", aliases), given.names("mentions", mentions)
        texts = [self._id_of_text(id, self.access.visible) for id in meant]
        if not moved and not texts:
            if key(called) not in old.aliases:
                raise InvalidInput(
                    f"{old.name} is not known as {called!r}: say which aliases or mentions "
                    "of it are the new one's"
                )
            moved = (called,)
        id = self._store.split(
            old.id,
            called,
            kinds.pop() if len(kinds) == 1 else old.kind,
            aliases=moved,
            texts=texts,
            at=self._clock(),
            by=self._door,
        )
        return self._entity(id)

    def _entity(self, which: str) -> Entity:
        return self._store.entity(which, self.access.visible)

    def _id_of_text(self, id: str, visible: Scopes) -> str:
        found = self._look(id, visible)
        return found.turn if isinstance(found, Passage) else found.id

    # Who shares the home

    def projects(self) -> tuple[Project, ...]:
        """The projects of the home; a profile is told of the one that it opened."""
        found = self._store.register.projects()
        if self._rules:
            return tuple(found)
        return tuple(each for each in found if each.scope == self.access.project)

    def add_project(
        self, name: str, root: str | Path | None = None, *, vault: str | Path | None = None
    ) -> Project:
        """Have a project be the active one wherever one works in `root`; returns it.

        In a worktree of its repository too. Its files are in the folder `vault`, or in the home. An
        existing one gets what is given. Raises InvalidInput, ScopeClosed for all but the owner.
        """
        from memoranda.files import git
        from memoranda.people import Project

        called = Scope("project", given.name("name", name)).name or ""
        self._refuse_to_rule("adds projects")
        projects = {each.name: each for each in self._store.register.projects()}
        project = projects.get(called, Project(called))
        if root is not None:
            where = git.canonical(_folder("root", root))
            other = next((each for each in projects.values() if each.root == str(where)), project)
            if other.name != called:
                raise InvalidInput(f"root: {where} is that of the project {other.name}")
            project = replace(project, root=str(where))
        if vault is not None:
            where = _folder("vault", vault)
            taken = [
                Path(each.vault) for each in projects.values() if each.vault and each != project
            ]
            for other_place in (self._path.resolve(), *taken):
                if where.is_relative_to(other_place) or other_place.is_relative_to(where):
                    raise InvalidInput(f"vault: {where} has to do with {other_place}; take another")
            project = replace(project, vault=str(where))
        self._store.register.keep_project(project)
        return project

    def drop_project(self, name: str) -> None:
        """Have a project be active nowhere; what it remembers stays, and who has which part.

        Raises NotFound, ScopeClosed for all but the owner.
        """
        given.name("name", name)
        self._refuse_to_rule("drops projects")
        found = next((each for each in self._store.register.projects() if each.name == name), None)
        if found is None:
            raise NotFound(f"there is no project {name[:40]!r}")
        self._store.register.keep_project(replace(found, root=None, vault=None))

    def assign(self, project: str, profile: str, part: Part | str | None) -> Project:
        """Say what a profile does in a project, None for nothing; returns the project.

        From the first one on only profiles with a part may open it. Raises InvalidInput, NotFound,
        ScopeClosed for all but the owner.
        """
        name, who = given.name("project", project), given.name("profile", profile)
        chosen = given.part(part)
        self._refuse_to_rule("gives parts")
        found = next((each for each in self._store.register.projects() if each.name == name), None)
        if found is None:
            raise NotFound(f"there is no project {name[:40]!r}; add it first")
        named = Scope("profile", who).name or ""
        found = replace(found, parts={**found.parts, named: chosen or Part.NONE})
        self._store.register.keep_project(found)
        return found

    def people(self) -> tuple[Person, ...]:
        """Who is known on which channels. Raises ScopeClosed for all but the owner."""
        self._refuse_to_rule("learns who is known")
        return tuple(self._store.register.people())

    def add_channel(self, identity: str, person: str | None) -> None:
        """Say who speaks under an identity, such as telegram:12345; None is the owner.

        Raises InvalidInput, ScopeClosed for all but the owner.
        """
        known = given.identity(identity)
        name = None if person is None else Scope("user", given.name("person", person)).name
        self._refuse_to_rule("says who speaks")
        for each in self._store.register.people():
            if known in each.channels and each.name != name:
                whose = each.name or "the owner"
                raise InvalidInput(f"identity: {known} is {whose}; drop it first")
        self._store.register.keep_channel(known, name)

    def drop_channel(self, identity: str) -> None:
        """Have nobody be known under an identity.

        Raises InvalidInput, NotFound, ScopeClosed for all but the owner.
        """
        known = given.identity(identity)
        self._refuse_to_rule("says who speaks")
        if not self._store.register.drop_channel(known):
            raise NotFound(f"nobody is known as {identity[:40]!r}")

    # Tasks and reports

    def vault(self) -> Vault:
        """The tasks and reports of the open project, by number; reads its files.

        A worker reads the tasks and its own reports, one that was made for a task that alone.
        Raises InvalidInput when no project is open, FileError.
        """
        from memoranda.files import vault

        found = vault.read(self._vault())
        tasks, reports = found.tasks, found.reports
        if self.access.task is not None:
            tasks = (vault.one(tasks, self.access.task),)
            if tasks[0].profile not in (None, self._who):
                raise ScopeClosed(f"{tasks[0].id} is for {tasks[0].profile}")
            reports = tuple(each for each in reports if each.task == tasks[0].id)
        if self.access.part == Part.WORKER:
            reports = tuple(each for each in reports if each.by == self._who)
        return replace(found, tasks=tasks, reports=reports)

    def task(self, id: str) -> Task:
        """A task of the open project, by its number, as T001 or 1.

        Raises NotFound, InvalidInput, FileError.
        """
        from memoranda.files import vault

        number = given.name("id", id)
        return vault.one(self.vault().tasks, number)

    def add_task(self, title: str, body: str, *, profile: str | None = None) -> Task:
        """Write a task of the open project, for a `profile` to do; returns it with its number.

        `body` is Markdown: the brief, the requirements, the acceptance criteria. Raises
        InvalidInput, ScopeClosed for all but a lead, FileError.
        """
        from memoranda.files import vault
        from memoranda.people import State, Task

        named, text = given.name("title", title), _statement(given.text("body", body), False)
        whom = None if profile is None else Scope("profile", given.name("profile", profile)).name
        self._refuse_all_but_leads("writes tasks")
        made = Task("", named, State.OPEN, text, "", whom, self._who, self._today)
        with self._store.transaction():
            return vault.add_task(self._vault(), made)

    def set_task(self, id: str, state: State | str) -> Task:
        """Say how far a task is: open, doing, done, dropped.

        Raises NotFound, InvalidInput, ScopeClosed for all but a lead, FileError.
        """
        from memoranda.files import vault

        number, chosen = given.name("id", id), given.state(state)
        self._refuse_all_but_leads("says how far a task is")
        with self._store.transaction():
            return vault.set_state(self._vault(), number, chosen)

    def report(self, text: str, *, task: str | None = None) -> Report:
        """Add a line to the own report in the open project, on a task if one is named.

        Of secrets their kinds are written. Raises InvalidInput, NotFound for the task, ScopeClosed
        for a reader, FileError.
        """
        from memoranda.files import vault
        from memoranda.people import Report

        line = " ".join(_statement(given.text("text", text), False).split())
        task = given.text_or_none("task", task) or self.access.task
        where = self._vault()
        if self.access.part == Part.READER:
            raise ScopeClosed(f"{self.access.profile} is a reader, and writes no reports")
        about = None if task is None else self.task(task).id
        made = Report("", self._who, "", "", about, self._today)
        with self._store.transaction():
            told = f"- {self._clock_here():%Y-%m-%d %H:%M}: {line}"
            return vault.add_line(where, made, told)

    def _vault(self) -> Path:
        """Where the files of the open project are. Raises InvalidInput when none is open."""
        from memoranda.files.places import folder

        if self.access.project is None or self.access.project not in self.access.visible:
            raise InvalidInput("no project is open: open it with --project NAME, or in its folder")
        elsewhere = self._vaults().get(self.access.project)
        return elsewhere or self._path / folder(self.access.project)

    @property
    def _who(self) -> str:
        """Who writes: the profile, or the person."""
        who = self.access.profile or self.access.person
        return (who and who.name) or "owner"

    @property
    def _today(self) -> str:
        return f"{self._clock_here():%Y-%m-%d}"

    def _refuse_all_but_leads(self, what: str) -> None:
        self._vault()
        if self.access.part != Part.LEAD:
            raise ScopeClosed(f"only a lead of {self.access.project} {what}")

    @property
    def _rules(self) -> bool:
        return self.access.is_owner and self.access.profile is None

    def _refuse_to_rule(self, what: str) -> None:
        if not self._rules:
            raise ScopeClosed(f"only the owner {what}: open it with no --person and no --profile")

    # Topics

    def topics(self, *, once: bool = False) -> tuple[Topic, ...]:
        """The topics of the memories that hold, those of most memories first.

        Each names the one that it may be another way to write, if there is one; `merge_topics`
        makes them one. With `once` only those of a single memory.
        """
        given.flag("once", once)
        found = self._store.topics(self.access.visible, self._filter())
        known = hygiene.Topics()
        topics = []
        for topic in found:
            topics.append(replace(topic, close=known.closest(topic.name)))
            known.add(topic.name)
        return tuple(topic for topic in topics if topic.memories == 1 or not once)

    def merge_topics(self, old: str, new: str) -> tuple[Memory, ...]:
        """Put the topic `new` in the place of `old`; returns the memories that had it, as they are.

        In every memory that is open here, current or a candidate; others stay as they were. Of many
        memories some at a time are changed, each time in a transaction; interrupted, it goes on
        where it was when it is called anew. Raises NotFound when no such memory has the topic,
        InvalidInput, Conflict.
        """
        now = self._clock()
        old, new = given.text("old", old), given.text("new", new)
        live = Filter(now=now, statuses=frozenset(status for status in Status if status.live))
        known = {topic.name for topic in self._store.topics(self.access.deciding, live)}
        name = new if new in known else _topic(new)
        if name == old:
            raise InvalidInput(f"the topic {old!r} is the same one")
        merged: builtins.list[Memory] = []
        while some := self._merge_some(replace(live, topic=old), name):
            merged += some
            time.sleep(PAUSE)
        if not merged:
            raise NotFound(f"no memory that is open here has the topic {old[:40]!r}")
        return tuple(merged)

    def _merge_some(self, chosen: Filter, new: str) -> builtins.list[Memory]:
        """Some of the memories chosen by their topic, with another in its place."""
        old = chosen.topic or ""
        with self._store.transaction():
            before = self._store.memories(self.access.deciding, chosen, limit=AT_ONCE)
            after = [replace(each, topics=_in_place(each.topics, old, new)) for each in before]
            self._apply(
                chosen.now,
                *(
                    Change(Operation.MERGE_TOPICS, one, other)
                    for one, other in zip(before, after, strict=True)
                ),
            )
        return after

    # Finding

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Iterable[Kind | str] | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        memories: bool = True,
        turns: bool = True,
        links: bool | None = None,
        rerank: bool | None = None,
        conversation: str | None = None,
        incognito: bool = False,
        quarantined: bool = False,
    ) -> Recall:
        """What is known about a question, best first; empty when nothing is.

        `limit` bounds the hits and `budget` their tokens; both have a default in the settings, and
        a budget of 0 is none. With `kinds` only memories are searched. Any text is a valid query.
        What hangs together with the names in the question is searched for too if `links` says so,
        and the hits are reranked if `rerank` does; without them the settings decide. When those
        name no reranker, it is `maxsim`. In a `conversation` that is incognito nothing is recalled
        unless `incognito` says so. What is `quarantined` is for a person to look at, never for a
        model. Neither counts as a use.
        Reads only; which memories were found is written down later. Raises InvalidInput.
        """
        given.flag("incognito", incognito)
        hidden = conversation is not None and self._is_incognito(conversation, self._clock())
        if hidden and not incognito:
            return Recall((), 0, degraded=(f"incognito: nothing is recalled into {conversation}",))
        chosen = self._filter(kinds=kinds, as_of=as_of, known=known, since=since, until=until)
        chosen = replace(chosen, quarantined=given.flag("quarantined", quarantined))
        question = replace(
            self._question(given.text("query", query), chosen),
            memories=given.flag("memories", memories),
            turns=given.flag("turns", turns),
        )
        if limit is not None:
            question = replace(question, limit=given.limit(limit))
        if budget is not None:
            question = replace(question, budget=given.budget(budget))
        if given.flag_or_none("links", links) is not None:
            question = replace(question, links=bool(links))
        answer = self._answer(question, given.flag_or_none("rerank", rerank))
        if not (chosen.is_past or hidden or quarantined):
            self._note_served("recall", _memories_in(answer), answer.tokens, conversation)
        return answer

    def _question(self, text: str, chosen: Filter) -> Question:
        """A question on the terms of the settings."""
        return Question(
            text=text,
            visible=self.access.visible,
            filter=chosen,
            limit=self.settings.recall_limit,
            budget=self.settings.recall_budget,
            fusion=Fusion(self.settings.fusion),
            links=self.settings.links,
            rerank_depth=self.settings.reranking_depth,
            curves=fading.curves(self.settings),
        )

    def _answer(self, question: Question, rerank: bool | None = None) -> Recall:
        reranks = self.settings.reranks if rerank is None else rerank
        reranker = self._reranker if reranks else None
        return recall(question, self._store, self._embedder, reranker)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int | None = None,
        window: int | None = None,
        conversation: str | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
    ) -> Context:
        """The block for a prompt: constraints, preferences, decisions, what `query` recalls.

        It takes at most `budget` tokens and 15 % of the `window`; both have a default in the
        settings. Of two sides of a contradiction it holds the one that is proposed, and says so.
        With `as_of` it is what held then, with `known` what was believed. In a `conversation` that
        is incognito it is empty. Reads only. Raises InvalidInput.
        """
        from memoranda.context import assemble, standing
        from memoranda.context.skills import index

        if conversation is not None and self._is_incognito(conversation, self._clock()):
            why = f"incognito: nothing is recalled into {conversation}"
            return Context("", degraded=(why,))
        query = given.text_or_none("query", query)
        window = given.tokens("window", window, self.settings.context_window)
        most = given.tokens("budget", budget, self.settings.context_budget)
        chosen = self._filter(as_of=as_of, known=known)
        visible = self.access.visible
        found = Recall((), 0) if query is None else self._answer(self._question(query, chosen))
        curves, most = fading.curves(self.settings), min(most, int(window * assemble.SHARE))
        stands = standing.standing(self._store, visible, chosen, curves, budget=most)
        asked = assemble.Asked(
            now=chosen.now,
            budget=most,
            curves=curves,
            losers=self._losers(found, chosen),
            characters=self.settings.context_characters,
        )
        skilled = () if chosen.is_past else index(self.skills().found)
        block = assemble.assemble(stands, found.hits, asked, skilled)
        block = replace(block, degraded=found.degraded)
        if not chosen.is_past:
            recalled = [id for id in _memories_in(found) if id in block.ids]
            stood = [id for id in block.ids if id not in recalled]
            self._note_served("context", stood, block.tokens, conversation, window)
            self._note_served("recall", recalled, 0, conversation, 0)
        return block

    def _losers(self, found: Recall, chosen: Filter) -> frozenset[str]:
        """What was recalled and is contradicted by something that is rather to be believed."""
        if chosen.is_past:
            return frozenset()
        told = self._store.fetch_memories(_memories_in(found), self.access.visible, chosen)
        instead = believed(told, self.access.visible, chosen, self._store)
        return frozenset(each.id for each in told if instead[each.id].id != each.id)

    # Working memory

    def compact(
        self,
        messages: Sequence[dict[str, Any]],
        budget: int = 4_000,
        *,
        conversation: str | None = None,
        summarise: bool = False,
        keep_secrets: bool = False,
    ) -> Compacted:
        """Make a list of chat messages, OpenAI's or Anthropic's, fit a budget; nothing is lost.

        The turns in it are stored under `conversation` first, as `observe` stores them, each once
        however often the list is sent; without one nothing is, nor while capture is off. What fits
        is returned as it came. Else whole stay what the system says and the newest messages, a call
        of tools together with its results. For the rest stands one stub: refs for `expand`, and as
        far as the budget goes, the newest first, what the user asked for and decided, word for
        word, and a line for each call of a tool. `summarise` has the language model of the home say
        the rest in a fifth of the room; nothing is asked of it otherwise.

        The `budget` is of tokens, estimated of each text and of all else as JSON, with 1,600 for a
        picture and 4 for each message and call besides. A last turn that is longer is cut, and so
        is the system where even that does not fit; below about 120 tokens a stub loses what it
        says, and below 10 nothing is left. `degraded` tells it. Makes no vectors. Raises
        InvalidInput.
        """
        from memoranda.context import compact, summary
        from memoranda.context import messages as chats
        from memoranda.formation.wanted import wanted

        chat, most = chats.read(messages), given.count("budget", budget)
        given.flag("keep_secrets", keep_secrets)
        wish = given.flag("summarise", summarise)
        name = given.text_or_none("conversation", conversation)
        kept, observed, degraded = self._keep(chat, name, keep_secrets)
        model = self._language if wish else None
        if wish and model is None:
            degraded.append("summary: the settings name no language_model")
        if model is not None and name is not None and self._is_incognito(name, self._clock()):
            model = None
            degraded.append(f"summary: no model is told of {name}, which is incognito")
        told = None if model is None else partial(summary.summarise, model)
        made = compact.compact(chat, kept, compact.Asked(most, wanted, told))
        return replace(made, observed=observed, degraded=(*degraded, *made.degraded))

    def _keep(
        self, chat: Chat, conversation: str | None, keep_secrets: bool
    ) -> tuple[Kept, Observed | None, builtins.list[str]]:
        """Where the turns of a list are in the store, what became of them, and what is not kept."""
        from memoranda.capture import keeping
        from memoranda.context.compact import Kept

        said = chat.said
        if conversation is None:
            why = "store: without a conversation nothing is kept"
            return Kept((None,) * len(said)), None, [why]
        name = given.short(conversation)
        if not name:
            raise InvalidInput("conversation: an empty text names none")
        after, foreign = self._told_before(chat, name)
        stored = keeping.keep(
            [Turn(name, each.role, each.content, speaker=each.speaker) for each in said],
            self._store,
            self.access.own,
            self.access.project,
            conversation=name,
            after=after,
            unknown=after is None and any(old.stretches for old in chat.stubs),
            now=self._clock(),
            by=self._door,
            passage_size=self.settings.passage_size,
            keep_secrets=keep_secrets,
        )
        why_not = keeping.unkept(stored, name)
        return Kept(stored.ids, stored.places, foreign), stored.observed, why_not

    def _told_before(self, chat: Chat, conversation: str) -> tuple[str | None, frozenset[str]]:
        """The last turn that earlier stubs stand for, and the refs in them of other talks."""
        from memoranda.working import Ref

        after, foreign = None, set()
        for ref in (each.ref for old in chat.stubs for each in old.stretches if each.ref):
            ends = Ref.parse(ref)
            if self._talks(ends.first, ends.last) <= {conversation}:
                after = ends.last
            else:
                foreign.add(ref)
        return after, frozenset(foreign)

    def _talks(self, *turns: str) -> set[str]:
        """The conversations of those of these turns that are there."""
        found = set()
        for turn in turns:
            with suppress(NotFound):
                found.add(self._store.turn(turn, (self.access.own,)).conversation)
        return found

    def expand(
        self, ref: str, *, budget: int | None = None, conversation: str | None = None
    ) -> Expanded:
        """The turns that a ref of `compact` stands for, whole, in order, as they are stored.

        It is the id of a turn, the beginning of one, or FIRST..LAST of one conversation, which only
        has to be named where both of these are gone. How many are gone is told. With a `budget` of
        tokens as many as fit, or a part of the first, and the ref of the rest; of a budget in which
        nothing fits that is the same again. Raises NotFound when none is there, Ambiguous,
        InvalidInput.
        """
        from memoranda.context.expand import expand
        from memoranda.working import Ref

        return expand(
            Ref.parse(given.text("ref", ref)),
            self._store,
            self.access.visible,
            self.access.heard,
            conversation=given.text_or_none("conversation", conversation),
            budget=None if budget is None else given.count("budget", budget),
        )

    def verify(self, claim: str) -> Verdict:
        """Whether a claim is on record: supported, contradicted, or no record of it.

        Names, numbers, dates and negation must agree with a record, and the wording must be near.
        "I" and "we" are whoever's memory it is. Any text is a valid claim. Reads only. Raises
        InvalidInput.
        """
        from memoranda.retrieval.verify import Claim, verify  # loads word lists

        asked = Claim(
            text=given.text("claim", claim),
            visible=self.access.visible,
            now=self._clock().astimezone(self.settings.zone),
            fusion=Fusion(self.settings.fusion),
        )
        return verify(asked, self._store, self._embedder)

    # Files

    def sync(
        self,
        *,
        removals: bool = False,
        dry_run: bool = False,
        hermes: str | Path | None = None,
        no_hermes: str | Path | None = None,
    ) -> Synced:
        """Bring the Markdown files of what is open here and the store in step, both ways.

        A line that a person changed revises its memory, a new one is remembered, and one that is
        gone is retired; then the files are written anew, and so is the mirror of all memories. A
        file that was there before is taken in and kept aside. One in which something cannot be
        taken in is left as it is, and so is one of whose lines more than a fifth are gone, unless
        `removals` says that this was meant. The files in a home of Hermes Agent are written too,
        from now on whenever these are, until `no_hermes` names it. A dry run only tells. Each edit
        is a transaction; interrupted, it goes on when it is called anew. Raises InvalidInput,
        FileError.
        """
        from memoranda.files.layout import of_hermes

        given.flag("removals", removals)
        given.flag("dry_run", dry_run)
        if hermes is not None and not dry_run:
            known = {each.path for each in self._store.files.those(self.access.visible)}
            for place in of_hermes(_folder("hermes", hermes), self._hermes_scopes):
                if place.key not in known:
                    self._store.files.keep(KeptFile(place.key, place.scope, place.form, -1))
        if no_hermes is not None:
            for place in of_hermes(_folder("no_hermes", no_hermes), self._hermes_scopes):
                self._store.files.drop(place.key, self.access.visible)
        visible = self.access.visible
        return self._sync(visible, removals=removals, dry_run=dry_run, thorough=True)

    def _sync(
        self,
        scopes: Scopes,
        vaults: Vaults | None = None,
        *,
        removals: bool = False,
        dry_run: bool = False,
        forgotten: Iterable[str] | None = None,
        thorough: bool = False,
    ) -> Synced:
        from memoranda.care import Synced
        from memoranda.files import mirror, syncing

        vaults = self._vaults() if vaults is None else vaults
        terms = syncing.Terms(
            now=self._clock_here(),
            curves=fading.curves(self.settings),
            characters=self.settings.file_characters,
            removals=removals,
            dry_run=dry_run,
            forgotten=None if forgotten is None else frozenset(forgotten),
        )
        self._files_at = math.inf  # what is taken in is written at the end
        with self._store.alone("files") as alone:
            if not alone:
                self._files_at = time.monotonic()
                return Synced(busy=True)
            kept = {each.path: each for each in self._store.files.those(scopes)}
            files = self._sync_files(scopes, vaults, terms)
            if any(each.edits for each in files) and not dry_run:
                # What was taken in from one file stands in another, too.
                again = self._sync_files(scopes, vaults, terms)
                files = [
                    replace(one, written=one.written or other.written)
                    for one, other in zip(files, again, strict=True)
                ]
            mirrored = removed = 0
            for scope in () if dry_run else scopes:
                known = kept.get(mirror.key(scope))
                written, gone = mirror.update(
                    self._path, scope, known, self._store, terms.now, thorough=thorough
                )
                mirrored, removed = mirrored + written, removed + gone
            self._files_at = time.monotonic()
        return Synced(tuple(files), mirrored, removed)

    def _sync_files(
        self, scopes: Scopes, vaults: Vaults, terms: FileTerms
    ) -> builtins.list[SyncedFile]:
        from memoranda.files import syncing

        kept = {each.path: each for each in self._store.files.those(scopes)}
        return [
            syncing.sync(each, kept.get(each.key), self._store, _Hand(self._of(each.scope)), terms)
            for each in self._places(scopes, vaults)
        ]

    def _places(self, scopes: Scopes, vaults: Vaults) -> builtins.list[Place]:
        """Every file that is kept of some scopes."""
        from memoranda.files.layout import hermes_file, places

        kept = self._store.files.those(scopes)
        theirs = (each for each in kept if each.form == "hermes")
        return [
            *places(self._path, scopes, vaults),
            *(hermes_file(Path(each.path), each.scope) for each in theirs),
        ]

    @property
    def _hermes_scopes(self) -> tuple[Scope, Scope]:
        """Whose memory the files of a Hermes home hold: its agent's, and its user's."""
        return self.access.own, self.access.person or self.access.own

    def _vaults(self) -> Vaults:
        """Where the files of projects are that are not in the home."""
        projects = self._store.register.projects()
        return {each.scope: Path(each.vault) for each in projects if each.vault is not None}

    def files_changed(self) -> bool:
        """Whether `sync` has something to do, as far as this home knows: for who watches the files.

        Somebody wrote one of them since they were last in step, or the store has changed.
        """
        return any(map(self._is_stale, self.access.visible)) or self._is_edited

    @property
    def _is_edited(self) -> bool:
        """Whether somebody wrote one of the files since we did."""
        from memoranda.files import disk

        visible = self.access.visible
        stamps = {each.path: each.stamp for each in self._store.files.those(visible)}
        places = self._places(visible, self._vaults())
        return any(disk.stamp(each.path) != stamps.get(each.key) for each in places)

    def take_in(self) -> None:
        """Take in what was edited in the files, if anything was; what cannot be is logged."""
        if self.settings.files and self._is_edited:
            self._write_files(anyway=True)

    def _finish_files(self) -> None:
        """Clear the files of what was forgotten, if whoever did it ended before they were."""
        if not self.access.visible:
            return
        kept = self._store.files.those(self.access.visible)
        if any(each.mark < 0 or (each.stamp is None and each.form != "mirror") for each in kept):
            self._write_files(anyway=True)

    def _keep_files_up(self) -> None:
        """Write the files from time to time while a home is open for long."""
        now = time.monotonic()
        if now - self._files_at > FILES_AFTER:
            self._files_at = now
            self._write_files()

    def _write_files(self, *, anyway: bool = False) -> None:
        """Bring the files in step if something has changed; what could not be is logged."""
        scopes = self.access.visible
        if not self.settings.files:
            return
        try:
            if not (anyway or any(map(self._is_stale, scopes))):
                return
            synced = self._sync(scopes)
        except (FileError, StoreError) as error:  # whoever opens the home next does it
            _warn(f"the files of the home are not up to date: {error}")
            return
        for each in synced.files:
            if each.left is not None:
                _warn(f"{each.path} is as it was: {each.left}; `memoranda sync` tells more")
            if any(edited.edit == "disputed" for edited in each.edits):
                _warn(f"{each.path} was changed, and so was the store: `memoranda contradictions`")

    def _is_stale(self, scope: Scope) -> bool:
        """Whether something has changed in a scope since its files were written."""
        kept = self._store.files.those((scope,))
        return self._store.changed(min((each.mark for each in kept), default=0), (scope,))

    def _keeps_files(self, scopes: Scopes) -> bool:
        return self.settings.files or bool(self._store.files.those(scopes))

    def _clear_files(
        self, doomed: Doomed, scopes: Scopes, vaults: Vaults
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Have no file hold what was forgotten: which may hold it still, and which were removed."""
        from memoranda.files import clearing

        others = [each for each in self._store.scopes() if each not in scopes]
        scopes = (*scopes, *filter(self._is_stale, others))
        if not self._keeps_files(scopes):
            return (), ()
        try:
            synced = self._sync(scopes, vaults, forgotten=doomed.memories)
            paths = [each.path for each in self._places(scopes, vaults)]
            removed = clearing.remove_asides(paths, doomed.texts)
        except FileError as error:
            return (str(error),), ()
        if synced.busy:  # they are out of date, so whoever opens the home next does it
            return ("the Markdown files, at which another process is",), ()
        return tuple(each.path for each in synced.files if each.left), removed

    def _of(self, scope: Scope) -> Memoranda:
        """The same home, opened for one scope."""
        if scope in self.access.visible:
            return self
        other = copy(self)
        other._access = Access(person=scope)
        return other

    # Vectors

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
            _warn(f"what was written has no vector yet: {error}")

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

    # Within

    def _memory(self, id: str) -> Memory:
        found = self.show(id)
        if isinstance(found, Passage):
            raise NotFound(f"{found.turn} is a turn, not a memory")
        return found

    def _topics(self, memory: Memory, there: _TopicsThere) -> tuple[str, ...]:
        """The topics given to a new memory, each as the one of its scope that it is close to.

        `there` are those that the scope had a moment ago: to list many takes time, which is better
        taken before others wait for the write lock, and taken again only if the scope changed.
        """
        if memory.topics and self._store.changed(there.mark, (memory.scope,)):
            there = self._topics_there(memory, there.known)
        known = there.known
        if known is None:
            return _once(map(_topic, memory.topics))
        kept: dict[str, None] = {}
        for name in memory.topics:
            topic = known.same(name) or _topic(name)
            known.add(topic)
            kept[topic] = None
        return tuple(kept)

    def _topics_there(self, memory: Memory, before: hygiene.Topics | None = None) -> _TopicsThere:
        """The topics of a new memory's scope, `before` if they are the same still."""
        if not memory.topics:
            return _TopicsThere(0, None)
        scopes, held = (memory.scope,), Filter(now=memory.recorded_at)
        mark = self._store.mark()  # first, or what is written meanwhile would be missed
        if all(
            self._store.memories(scopes, replace(held, topic=_topic(name)), limit=1)
            for name in memory.topics
        ):
            return _TopicsThere(mark, None)
        names = [topic.name for topic in self._store.topics(scopes, held)]
        same = before is not None and before.are(names)
        return _TopicsThere(mark, before if same else hygiene.Topics(names))

    def _live(self, id: str) -> Memory:
        memory = self._memory(id)
        _refuse_closed(memory)
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

    def _denied(self, now: datetime, *changes: Change) -> builtins.list[Pair]:
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
        if served and self.access.person is not None:
            self._store.uses.record(served, self.access.own)


class _Hand:
    """Does what a person did in a file, as they would with the verbs."""

    def __init__(self, memoranda: Memoranda) -> None:
        self._m = memoranda

    def add(self, said: Statement, place: Place) -> Memory:
        content, now = _statement(said.text, keep_secrets=False), self._m._clock()
        known = (self._m._store.same(content, place.scope, kind, now) for kind in Kind)
        same = next((each for each in known if each is not None), None)
        if same is None:
            return self._written(content, self._kind(said, place), said, place)
        return self._m.confirm(same.id) if same.status == Status.CANDIDATE else same

    def revise(self, memory: Memory, said: Statement, place: Place) -> Memory:
        content, source = _statement(said.text, keep_secrets=False), self._source(said, place)
        self._day(said, place)  # before anything is done, or half of it would be
        if fingerprint(content) == fingerprint(memory.content):  # other capitals
            return self._change(memory, replace(memory, content=content))
        sure = confidence.SAID["stated"] if place.form == "hermes" else confidence.BY_HAND
        revised = self._m._revise(memory.id, content, None, source, sure=sure)
        return self.move(revised, said, place)

    def move(self, memory: Memory, said: Statement, place: Place) -> Memory:
        began = self._day(said, place)
        moved = replace(
            memory,
            kind=said.kind or memory.kind,
            valid_from=memory.valid_from if began is None else began,
        )
        if said.day == memory.began.date():
            moved = replace(moved, valid_from=memory.valid_from)
        return memory if moved == memory else self._change(memory, _possible(moved))

    def dispute(self, memory: Memory, said: Statement, place: Place) -> Memory:
        from memoranda.care import Contradicting, Pair

        content, now = _statement(said.text, keep_secrets=False), self._m._clock()
        other = self._written(content, memory.kind, said, place)
        pair = Pair(Contradicting.CONFLICT, other.id, memory.id, place.key)
        self._m._store.contradictions.add([pair], at=now)
        return other

    def retire(self, memory: Memory, place: Place) -> Memory:
        if place.form == "hermes" and memory.pinned:  # no agent takes away what a person pinned
            return memory
        return self._m.retire(memory.id, reason=f"taken out of {place.key}")

    def _written(self, content: str, kind: Kind, said: Statement, place: Place) -> Memory:
        now, began = self._m._clock(), self._day(said, place)
        memory = Memory(
            id=new_id(now),
            kind=kind,
            content=content,
            scope=place.scope,
            sources=(self._source(said, place),),
            confidence=confidence.BY_HAND,
            recorded_at=now,
            valid_from=now if began is None else began,
        )
        if place.form == "hermes":
            memory = replace(memory, confidence=confidence.SAID["stated"])
        return self._m._write(memory, began, None)

    def _change(self, before: Memory, after: Memory) -> Memory:
        self._m._apply(self._m._clock(), Change(Operation.REVISE, before, after))
        return after

    def _kind(self, said: Statement, place: Place) -> Kind:
        """As the heading says, else as it would be told of what somebody said."""
        from memoranda.formation import rules

        if said.kind is not None:
            return said.kind
        found = rules.candidates([Turn(place.key, Role.USER, said.text)])
        kinds = [each.kind for each in found if each.kind in place.kinds]
        return kinds[0] if kinds else max(place.kinds & {Kind.FACT, Kind.ENVIRONMENT})

    def _source(self, said: Statement, place: Place) -> Source:
        now = self._m._clock()
        if place.form == "hermes":  # its agent wrote it down, not the person
            return Source("agent", time=now, path=place.key, line=said.line, by="hermes")
        return Source("file", time=now, path=place.key, line=said.line, by=self._m._door)

    def _day(self, said: Statement, place: Place) -> datetime | None:
        if said.day is None:
            return None
        began = datetime.combine(said.day, MIDNIGHT, self._m._clock_here().tzinfo)
        if began > self._m._clock():
            raise InvalidInput(f"{said.day} is yet to come")
        return began


def _is_no_mirror(path: str) -> bool:
    """Whether a file is more than the copy of a memory, which goes with it."""
    return not path.startswith("mirror/")


def _warn(message: str) -> None:
    import logging  # which a run without trouble need not load

    logging.getLogger(__name__).warning(message)


def _distinct(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    return tuple({each.id: each for each in memories}.values())


def _memories_in(found: Recall) -> builtins.list[str]:
    return [hit.id for hit in found.hits if hit.type == "memory"]


def _refuse_closed(memory: Memory) -> None:
    """Raises InvalidInput for a memory that holds no more, or is kept from models."""
    if memory.status == Status.QUARANTINED:
        raise InvalidInput(f"{memory.id} is kept from models; `release` it first")
    if not memory.status.live:
        successor = f" by {memory.superseded_by}" if memory.superseded_by else ""
        raise InvalidInput(f"{memory.id} is {memory.status}{successor}; it holds no more")


def _without_times(query: str, now: datetime) -> str:
    """A query without words of time: what was said then need not be meant by it.

    Raises InvalidInput when nothing else is left.
    """
    for text in (f"in {query}", query):  # a month alone may be somebody's name
        left = text
        for span in reversed(spans(text, now)):
            left = left[: span.start] + left[span.start + len(span.text) :]
        if left != text and not set(re.findall(r"\w+", left.casefold())) - STOPWORDS:
            raise InvalidInput(f"query: {query!r} names a time; give `since` and `until`")
    return left


def _scope_named(**names: str | None) -> Scope | None:
    """The scope of a person, a profile or a project. Raises InvalidInput for more than one."""
    kinds = {"person": "user"}
    named = [
        Scope.parse(f"{kinds.get(argument, argument)}:{given.name(argument, name)}")
        for argument, name in names.items()
        if name is not None
    ]
    if len(named) > 1:
        raise InvalidInput("forget one person, profile or project at a time")
    return named[0] if named else None


def _folder(argument: str, path: str | Path) -> Path:
    """A folder that is there, by its whole path. Raises InvalidInput."""
    folder = given.path(argument, path).expanduser()
    if not folder.is_dir():
        raise InvalidInput(f"{argument}: {folder} is no folder")
    return folder.resolve()


def _succession(
    old: Memory, valid_from: datetime | None, now: datetime, correction: bool
) -> tuple[datetime, datetime]:
    """When an old memory ended, and from when its successor holds. Raises InvalidInput."""
    started = old.began
    began = valid_from
    if correction:
        return started, began or started
    if began is None:
        return now, now
    if began > now:
        raise InvalidInput(
            "a revision says what holds now; `remember` what will hold, with its valid_from"
        )
    if started - began >= timedelta(days=1):
        raise InvalidInput(
            f"{old.id} holds since {started.isoformat()}; to say that it never held, "
            "make it a correction"
        )
    if began < started:  # the day that was named is the day on which the old one began
        began = now
    return began, began


def _possible(memory: Memory) -> Memory:
    """The memory, if it does not end before it begins. Raises InvalidInput."""
    began = memory.began
    if memory.valid_to is not None and memory.valid_to < began:
        raise InvalidInput(
            f"a memory cannot end before it begins, and this one begins {began.isoformat()}; "
            "give it an earlier valid_from"
        )
    return memory


def _load_what_it_takes(memory: Memory) -> None:
    """Have libraries and dictionaries loaded for a text before others wait for the write lock."""
    fingerprint(memory.content)
    fold(f"{memory.content} {memory.detail or ''}")


def _kinds_in(name: str) -> set[EntityKind]:
    """Of what kind a name itself tells that it is."""
    return {each.kind for each in changes.names_in(name)} - {EntityKind.THING}


def _kept(text: str | None, keep_secrets: bool) -> str | None:
    """What is stored of a text: nothing private, and of secrets their kinds."""
    if not text:
        return None
    text = without_private(text)
    return text if keep_secrets else redacted(text)[0]


def _public(names: tuple[str, ...], keep_secrets: bool) -> tuple[str, ...]:
    return _once(filter(None, (_kept(name, keep_secrets) for name in names)))


def _statement(content: str, keep_secrets: bool) -> str:
    content = (_kept(given.text("content", content), keep_secrets) or "").strip()
    if content in ("", PRIVATE):
        raise InvalidInput("there is nothing to remember in an empty text")
    return content


def _once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _topic(name: str) -> str:
    """A topic as it is kept. Raises InvalidInput when nothing of it would be."""
    topic = hygiene.normalised(mend(name)[0])
    if not topic:
        raise InvalidInput(f"{name[:40]!r} names no topic: it is nothing but punctuation")
    return topic


def _in_place(topics: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    """Topics with one in the place of another, in the order in which they are read."""
    return tuple(sorted({new if topic == old else topic for topic in topics}))
