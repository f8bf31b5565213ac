"""Who and what memories are about: entities and topics."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from memoranda import given
from memoranda.errors import InvalidInput, NotFound
from memoranda.formation import changes
from memoranda.policy import hygiene
from memoranda.text.names import key
from memoranda.types import Change, Entity, EntityKind, Filter, Memory, Operation, Status, Topic
from memoranda.verbs.session import Session
from memoranda.verbs.words import topic_of

AT_ONCE = 20
"""Memories changed in one transaction, when there are many."""

PAUSE = 0.003
"""Seconds between two of these, for others to write."""


class Naming(Session):
    """Verbs that tell and mend names."""

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
        name = new if new in known else topic_of(new)
        if name == old:
            raise InvalidInput(f"the topic {old!r} is the same one")
        merged: list[Memory] = []
        while some := self._merge_some(replace(live, topic=old), name):
            merged += some
            time.sleep(PAUSE)
        if not merged:
            raise NotFound(f"no memory that is open here has the topic {old[:40]!r}")
        return tuple(merged)

    def _merge_some(self, chosen: Filter, new: str) -> list[Memory]:
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


def _kinds_in(name: str) -> set[EntityKind]:
    """Of what kind a name itself tells that it is."""
    return {each.kind for each in changes.names_in(name)} - {EntityKind.THING}


def _in_place(topics: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    """Topics with one in the place of another, in the order in which they are read."""
    return tuple(sorted({new if topic == old else topic for topic in topics}))
