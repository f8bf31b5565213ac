"""Rows of the SQLite schema as nouns, and back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from memoranda.errors import StoreError
from memoranda.text.clean import mend
from memoranda.types import (
    Entity,
    EntityKind,
    Entry,
    Kind,
    Memory,
    Operation,
    Passage,
    Role,
    Scope,
    Source,
    Status,
    plain,
)

Row = tuple[Any, ...]


def time_text(moment: datetime) -> str:
    """UTC text of fixed width, which sorts as the times do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def time_or_none(moment: datetime | None) -> str | None:
    return None if moment is None else time_text(moment)


def moment(text: str) -> datetime:
    """The time that a text means. Raises StoreError for what another program wrote otherwise."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError as error:
        raise StoreError(f"the store holds a time that is none: {text[:40]!r}") from error
    if time.tzinfo is None:
        raise StoreError(f"the store holds a time without a zone: {text[:40]!r}")
    return time


def moment_or_none(text: str | None) -> datetime | None:
    return None if text is None else moment(text)


def offset_minutes(moment: datetime) -> int:
    return int((moment.utcoffset() or timedelta()).total_seconds() // 60)


def storable(text: str | None) -> str | None:
    """What a model or an endpoint wrote, without the characters that no file can keep."""
    return None if text is None else mend(text)[0]


MEMORY_COLUMNS = """
m.id, s.name, m.kind, m.content, m.detail, m.status, m.confidence, m.pinned, m.recorded_at,
m.closed_at, m.valid_from, m.valid_to, m.confirmed_at, m.used_at, m.use_count, m.mention_count,
m.superseded_by,
(SELECT json_group_array(name) FROM (SELECT name FROM topic WHERE memory = m.row ORDER BY name)),
(SELECT json_group_array(json_array(name, found)) FROM (
   SELECT e.name, min(n.start IS NOT NULL) AS found, min(n.row) AS row
   FROM mention n JOIN alias a ON a.row = n.alias JOIN entity e ON e.row = a.entity
   WHERE n.memory = m.row GROUP BY e.row ORDER BY found, row)),
(SELECT json_group_array(json(value)) FROM (
   SELECT CASE WHEN o.turn IS NULL OR c.scope IN visible THEN json_object(
       'kind', o.kind, 'time', o.time, 'quote', iif(t.quarantined IS NULL, o.quote, NULL),
       'turn', t.id, 'conversation', c.name,
       'key', t.key, 'role', t.role, 'speaker', t.speaker, 'start', o.start, 'end', o.stop,
       'path', o.path, 'line', o.line, 'by', o.by)
     ELSE json_object('kind', o.kind, 'time', o.time,
       'quote', iif(t.quarantined IS NULL, o.quote, NULL)) END AS value
   FROM source o LEFT JOIN turn t ON t.row = o.turn LEFT JOIN conversation c
     ON c.row = t.conversation WHERE o.memory = m.row ORDER BY o.row)),
iif(m.status IN ('current', 'candidate'), (SELECT json_group_array(id) FROM (
   SELECT n.id FROM contradiction k JOIN memory n ON n.row = k.against
   WHERE k.memory = m.row AND k.kind = 'conflict' AND k.settled_at IS NULL AND n.scope IN visible
     AND n.status IN ('current', 'candidate')
   UNION ALL
   SELECT n.id FROM contradiction k JOIN memory n ON n.row = k.memory
   WHERE k.against = m.row AND k.kind = 'conflict' AND k.settled_at IS NULL AND n.scope IN visible
     AND n.status IN ('current', 'candidate')
   UNION ALL
   SELECT id FROM decision WHERE target = m.id AND scope = s.name AND stage = 'review'
     AND operation IN ('update', 'delete')
   ORDER BY id)), '[]'),
(SELECT n.id FROM contradiction k JOIN memory n ON n.row = k.memory
 WHERE k.against = m.row AND k.kind <> 'conflict' AND k.settled_at IS NULL AND n.scope IN visible
   AND n.status IN ('current', 'candidate') ORDER BY n.id DESC LIMIT 1)
"""
"""Of `memory m JOIN scope s`; a source outside the `visible` scopes shows its quote and date.

One in quarantine shows no quote: a memory may be served whose turn may not.
"""


def memory(row: Row) -> Memory:
    named = _many(row[18])
    return Memory(
        id=row[0],
        scope=Scope.parse(row[1]),
        kind=Kind(row[2]),
        content=row[3],
        detail=row[4],
        status=Status(row[5]),
        confidence=row[6],
        pinned=bool(row[7]),
        recorded_at=moment(row[8]),
        closed_at=moment_or_none(row[9]),
        valid_from=moment_or_none(row[10]),
        valid_to=moment_or_none(row[11]),
        confirmed_at=moment_or_none(row[12]),
        used_at=moment_or_none(row[13]),
        use_count=row[14],
        mention_count=row[15],
        superseded_by=row[16],
        topics=_many(row[17]),
        entities=tuple(name for name, _ in named),
        found=tuple(name for name, found in named if found),
        sources=tuple(map(source, _many(row[19]))) or (_unknown_source(moment(row[8])),),
        contradicts=_many(row[20]),
        overridden_by=row[21],
    )


def _unknown_source(time: datetime) -> Source:
    """Of a row that we did not write: whoever opened the file with another program."""
    return Source(kind="person", time=time, by="another program")


def _many(text: str) -> tuple[Any, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def source(value: Mapping[str, Any]) -> Source:
    known = dict(value)
    known["time"] = moment_or_none(known["time"])
    if known.get("role") is not None:
        known["role"] = Role(known["role"])
    return Source(**known)


def memory_values(memory: Memory) -> dict[str, Any]:
    """The columns of `memory` that a change may set, by name."""
    return {
        "kind": memory.kind.value,
        "content": memory.content,
        "detail": memory.detail,
        "status": memory.status.value,
        "confidence": memory.confidence,
        "pinned": int(memory.pinned),
        "recorded_at": time_text(memory.recorded_at),
        "closed_at": time_or_none(memory.closed_at),
        "valid_from": time_or_none(memory.valid_from),
        "valid_to": time_or_none(memory.valid_to),
        "confirmed_at": time_or_none(memory.confirmed_at),
        "mention_count": memory.mention_count,
        "superseded_by": memory.superseded_by,
    }


def zoned(text: str, minutes: int) -> datetime:
    """A time in the zone it was said in, or at the very edge of the calendar in UTC."""
    with suppress(OverflowError):
        return moment(text).astimezone(timezone(timedelta(minutes=minutes)))
    return moment(text)


PASSAGE_COLUMNS = """
t.id, s.name, c.name, t.key, t.role, t.speaker, t.time, t.utc_offset, t.recorded_at, t.quarantined
"""
"""Of `turn t JOIN conversation c JOIN scope s`; start, content and what it follows come after."""


WHOLE_TURN = """
(SELECT group_concat(content, '') FROM (
   SELECT content FROM passage WHERE turn = t.row ORDER BY start))
"""
"""The content of `turn t`, from its passages."""


FOUND_TURN = "(SELECT id FROM turn WHERE row = turn), start"
"""What `Ranked` tells of a passage besides its score."""

SPOKEN = "concat_ws(': ', t.speaker, p.content)"
"""What `turn t` says in `passage p`, with who said it: that belongs to its meaning."""

SPOKEN_BEFORE = "iif(q.row IS NULL, NULL, concat_ws(': ', u.speaker, q.content))"
"""What was said in the passage before; NULL where there is none."""

BEFORE_JOINS = "LEFT JOIN passage q ON q.row = p.previous LEFT JOIN turn u ON u.row = q.turn"
"""From `passage p` to the passage before, `q` of the turn `u`."""


def passage(row: Row) -> Passage:
    said = zoned(row[6], row[7])
    return Passage(
        turn=row[0],
        scope=Scope.parse(row[1]),
        conversation=row[2],
        key=row[3],
        role=Role(row[4]),
        speaker=row[5],
        time=said,
        recorded_at=moment(row[8]),
        quarantined=row[9],
        start=row[10],
        content=row[11],
        follows=row[12],
        before=row[13],
    )


def entry(row: Row) -> Entry:
    time, operation, by, memory_id, reason, before, after, entity_id = row
    if operation not in set(Operation):
        raise StoreError(f"the ledger holds an operation that is none: {operation[:40]!r}")
    return Entry(
        time=moment(time),
        operation=Operation(operation),
        by=by,
        memory=memory_id,
        reason=reason,
        before=None if before is None else json.loads(before),
        after=None if after is None else json.loads(after),
        entity=entity_id,
    )


ENTITY_COLUMNS = """
e.id, e.name, e.kind, s.name,
(SELECT json_group_array(name) FROM (
   SELECT name FROM alias WHERE entity = e.row GROUP BY name ORDER BY max(own) DESC, min(row))),
(SELECT count(DISTINCT n.memory) FROM alias a JOIN mention n ON n.alias = a.row
 WHERE a.entity = e.row),
(SELECT count(DISTINCT n.turn) FROM alias a JOIN mention n ON n.alias = a.row
 WHERE a.entity = e.row)
"""
"""Of `entity e JOIN scope s`."""


def entity(row: Row) -> Entity:
    return Entity(
        id=row[0],
        name=row[1],
        kind=EntityKind(row[2]),
        scope=Scope.parse(row[3]),
        aliases=_many(row[4]),
        memories=row[5],
        turns=row[6],
    )


def differences(before: Memory | None, after: Memory) -> tuple[str | None, str]:
    """The fields that differ between two memories, as JSON texts; unset ones are left out.

    Sources only ever grow, so of them only the added ones are told.
    """
    if before is not None:
        added = tuple(each for each in after.sources if each not in before.sources)
        before, after = replace(before, sources=()), replace(after, sources=added)
    old, new = ({} if each is None else _plain_fields(each) for each in (before, after))
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    return (
        None if before is None else _json({name: old.get(name) for name in changed}),
        _json({name: new.get(name) for name in changed}),
    )


def _plain_fields(memory: Memory) -> dict[str, object]:
    values = {each.name: getattr(memory, each.name) for each in fields(memory)}
    for derived in ("id", "used_at", "use_count", "found", "contradicts", "overridden_by"):
        del values[derived]
    return {name: plain(value) for name, value in values.items() if value not in (None, ())}


def restored(memory: Memory, fields: Mapping[str, Any]) -> Memory:
    """A memory with fields as the ledger tells of them; the way back from `differences`.

    The sources stay as they are.
    """
    read: Mapping[str, Callable[[Any], object]] = {
        "kind": Kind,
        "status": Status,
        "scope": Scope.parse,
        **dict.fromkeys(("topics", "entities"), lambda value: tuple(value or ())),
        **dict.fromkeys(_MOMENTS, moment_or_none),
    }
    values = {name: read.get(name, _same)(value) for name, value in fields.items()}
    values.pop("sources", None)
    again = replace(memory, **values)  # type: ignore[arg-type]
    return replace(again, found=tuple(name for name in again.found if name in again.entities))


_MOMENTS = ("recorded_at", "closed_at", "valid_from", "valid_to", "confirmed_at")


def _same(value: object) -> object:
    return value


def fields_text(fields: Mapping[str, object]) -> str:
    """Fields of a noun as the ledger keeps them."""
    return _json({name: plain(value) for name, value in fields.items()})


def _json(values: Mapping[str, object]) -> str:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
