"""What is true: memories written down, changed and let go by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from memoranda import given
from memoranda.errors import Incognito, InvalidInput
from memoranda.formation import changes
from memoranda.policy import confidence, hygiene
from memoranda.text.clean import fingerprint
from memoranda.text.instructions import smuggled
from memoranda.text.resolutions import is_resolution
from memoranda.text.words import fold
from memoranda.types import (
    Change,
    Filter,
    Kind,
    Memory,
    Named,
    Operation,
    Passage,
    Role,
    Scope,
    Source,
    Status,
    new_id,
)
from memoranda.verbs.session import Session
from memoranda.verbs.words import (
    keepable,
    keepable_names,
    once,
    possible,
    refuse_closed,
    statement,
    topic_of,
)

if TYPE_CHECKING:
    from memoranda.care import Pair


class _TopicsThere(NamedTuple):
    """The topics of a scope where the ledger ended at `mark`.

    Not `known` when all that are given to a new memory are among them.
    """

    mark: int
    known: hygiene.Topics | None


class Writing(Session):
    """Verbs by which a person or an agent writes memories."""

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
        content = statement(content, keep_secrets)
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
            detail=keepable(given.text_or_none("detail", detail), keep_secrets),
            topics=keepable_names(given.names("topics", topics), keep_secrets),
            entities=keepable_names(given.names("entities", entities), keep_secrets),
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
                change = Change(Operation.REMEMBER, None, possible(memory), named)
                self._apply(now, change, denied=denied)
                return self._as_written(memory)
            if self.access.proposes(memory.scope):  # it is known, and not to be changed from here
                return known
            about = once((*known.given, *memory.given))
            found = tuple(name for name in known.found if name not in about)
            more = replace(
                known,
                detail=memory.detail or known.detail,
                topics=once((*known.topics, *memory.topics)),
                entities=(*about, *found),
                found=found,
                pinned=known.pinned or memory.pinned,
                valid_from=known.valid_from if valid_from is None else memory.valid_from,
                valid_to=known.valid_to if valid_to is None else memory.valid_to,
                sources=changes.with_new(known.sources, memory.sources),
            )
            return self._as_written(self._confirm(known, possible(more), now))

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
            possible(memory),
            status=Status.QUARANTINED,
            topics=once(map(topic_of, memory.topics)),
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
            statement(content, keep_secrets),
            given.time("valid_from", valid_from),
            self._source(None, self._clock()),
            correction=given.flag("correction", correction),
            reason=keepable(given.text_or_none("reason", reason), keep_secrets),
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
                new, named = changes.with_found(possible(succeeding), names)
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
                refuse_closed(memory)
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
        reason = keepable(given.text_or_none("reason", reason), keep_secrets=False)
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
        found = self._look(id, self.access.visible)
        if isinstance(found, Passage):
            if found.quarantined is None:
                raise InvalidInput(f"the turn {found.turn} is not in quarantine")
            self._store.release(found.turn, at=now, by=self._door)
            return self._store.turn(found.turn, self.access.visible)
        if found.status != Status.QUARANTINED:
            raise InvalidInput(f"{found.id} is {found.status}; it is not in quarantine")
        released = replace(found, status=Status.CURRENT, recorded_at=now)
        released, named = changes.with_found(released)
        with self._store.transaction():
            if known := self._known(found.content, found.scope, found.kind, now):
                raise InvalidInput(f"{known.id} says just that already; forget {found.id}")
            self._apply(now, Change(Operation.RELEASE, found, released, named))
            return self._as_written(released)

    def _topics(self, memory: Memory, there: _TopicsThere) -> tuple[str, ...]:
        """The topics given to a new memory, each as the one of its scope that it is close to.

        `there` are those that the scope had a moment ago: to list many takes time, which is better
        taken before others wait for the write lock, and taken again only if the scope changed.
        """
        if memory.topics and self._store.changed(there.mark, (memory.scope,)):
            there = self._topics_there(memory, there.known)
        known = there.known
        if known is None:
            return once(map(topic_of, memory.topics))
        kept: dict[str, None] = {}
        for name in memory.topics:
            topic = known.same(name) or topic_of(name)
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
            self._store.memories(scopes, replace(held, topic=topic_of(name)), limit=1)
            for name in memory.topics
        ):
            return _TopicsThere(mark, None)
        names = [topic.name for topic in self._store.topics(scopes, held)]
        same = before is not None and before.are(names)
        return _TopicsThere(mark, before if same else hygiene.Topics(names))


def _load_what_it_takes(memory: Memory) -> None:
    """Have libraries and dictionaries loaded for a text before others wait for the write lock."""
    fingerprint(memory.content)
    fold(f"{memory.content} {memory.detail or ''}")


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
