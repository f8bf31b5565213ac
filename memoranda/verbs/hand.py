"""What a person did in a file, done as they would with the verbs."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from datetime import time as clock
from typing import TYPE_CHECKING

from memoranda.errors import InvalidInput
from memoranda.text.clean import fingerprint
from memoranda.types import Change, Kind, Memory, Operation, Role, Source, Status, Turn, new_id
from memoranda.verbs.words import possible, statement
from memoranda.verbs.writing import Writing

if TYPE_CHECKING:
    from memoranda.files.layout import Place
    from memoranda.files.page import Statement


MIDNIGHT = clock()


class Hand:
    """Does what a person did in a file, as they would with the verbs."""

    def __init__(self, memoranda: Writing) -> None:
        self._m = memoranda

    def add(self, said: Statement, place: Place) -> Memory:
        content, now = statement(said.text, keep_secrets=False), self._m._clock()
        known = (self._m._store.same(content, place.scope, kind, now) for kind in Kind)
        same = next((each for each in known if each is not None), None)
        if same is None:
            return self._written(content, self._kind(said, place), said, place)
        return self._m.confirm(same.id) if same.status == Status.CANDIDATE else same

    def revise(self, memory: Memory, said: Statement, place: Place) -> Memory:
        content, source = statement(said.text, keep_secrets=False), self._source(said, place)
        self._day(said, place)  # before anything is done, or half of it would be
        if fingerprint(content) == fingerprint(memory.content):  # other capitals
            return self._change(memory, replace(memory, content=content))
        revised = self._m._revise(memory.id, content, None, source, sure=place.sure)
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
        return memory if moved == memory else self._change(memory, possible(moved))

    def dispute(self, memory: Memory, said: Statement, place: Place) -> Memory:
        from memoranda.care import Contradicting, Pair

        content, now = statement(said.text, keep_secrets=False), self._m._clock()
        other = self._written(content, memory.kind, said, place)
        pair = Pair(Contradicting.CONFLICT, other.id, memory.id, place.key)
        self._m._store.contradictions.add([pair], at=now)
        return other

    def retire(self, memory: Memory, place: Place) -> Memory:
        if place.by_agent and memory.pinned:  # no agent takes away what a person pinned
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
            confidence=place.sure,
            recorded_at=now,
            valid_from=now if began is None else began,
        )
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
        if place.by_agent:
            return Source("agent", time=now, path=place.key, line=said.line, by="hermes")
        return Source("file", time=now, path=place.key, line=said.line, by=self._m._door)

    def _day(self, said: Statement, place: Place) -> datetime | None:
        if said.day is None:
            return None
        began = datetime.combine(said.day, MIDNIGHT, self._m._clock_here().tzinfo)
        if began > self._m._clock():
            raise InvalidInput(f"{said.day} is yet to come")
        return began
