"""The SQL of reading that several methods share: who may see what, and what a filter means."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import lru_cache
from typing import Any, TypeVar

import apsw

from memoranda.errors import Ambiguous, NotFound
from memoranda.stores import rows
from memoranda.stores.connections import query
from memoranda.stores.rows import time_or_none, time_text
from memoranda.types import EVER_BELIEVED, LIVE, Entry, Filter, Memory, Passage, Scopes, Status

T = TypeVar("T")

VISIBLE = """
visible (row) AS MATERIALIZED (
  SELECT row FROM scope WHERE name IN (SELECT value FROM json_each(:visible)))
"""
TURN_JOINS = "JOIN conversation c ON c.row = t.conversation JOIN scope s ON s.row = c.scope"
HISTORY = "m.kind = 'episode'"
"""What happened has happened: its end is no end of its being so."""
ID_BEGINS = "m.id >= :first AND m.id < :beyond"


def seen_by(visible: Scopes, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"visible": json.dumps([str(scope) for scope in visible]), **(values or {})}


def scope_rows(db: apsw.Connection, visible: Scopes) -> list[int]:
    found = query(db, f"WITH {VISIBLE} SELECT row FROM visible", seen_by(visible))
    return [row for (row,) in found]


def beginning(id: str) -> dict[str, Any]:
    first = id.strip().upper()
    if not first.isalnum():
        raise NotFound(f"{id[:40]!r} is no id")
    return {"first": first, "beyond": first + "\x7f"}


def only(found: Sequence[T], ids: Sequence[str], id: str) -> T:
    if not found:
        raise NotFound(f"nothing with the id {id[:40]!r} is visible from here")
    if len(found) > 1:
        raise Ambiguous(f"{id!r} fits {ids[0]} and {ids[1]}; write more of it")
    return found[0]


def memories(
    db: apsw.Connection, condition: str, values: Mapping[str, Any], visible: Scopes
) -> list[Memory]:
    return [
        rows.memory(row)
        for row in query(
            db,
            f"""WITH {VISIBLE} SELECT {rows.MEMORY_COLUMNS}
            FROM memory m JOIN scope s ON s.row = m.scope WHERE {condition}""",
            seen_by(visible, values),
        )
    ]


def turns(
    db: apsw.Connection, condition: str, values: Mapping[str, Any], visible: Scopes
) -> list[Passage]:
    """Whole turns."""
    return [
        rows.passage(row)
        for row in query(
            db,
            f"""WITH {VISIBLE}
            SELECT {rows.PASSAGE_COLUMNS}, 0, {rows.WHOLE_TURN}, u.id, {rows.SPOKEN_BEFORE}
            FROM turn t {TURN_JOINS}
            LEFT JOIN passage p ON p.turn = t.row AND p.start = 0 {rows.BEFORE_JOINS}
            WHERE c.scope IN visible AND {condition}""",
            seen_by(visible, values),
        )
    ]


def without_hidden_sources(
    db: apsw.Connection, entries: Sequence[Entry], visible: Scopes
) -> list[Entry]:
    """The entries, in which a source out of sight shows its quote and its date only."""
    named = {source["turn"] for each in entries for source in _turn_sources(each.after)}
    seen = {
        id
        for (id,) in query(
            db,
            f"""WITH {VISIBLE} SELECT t.id FROM turn t {TURN_JOINS}
            WHERE t.id IN (SELECT value FROM json_each(:named)) AND c.scope IN visible""",
            seen_by(visible, {"named": json.dumps(sorted(named))}),
        )
    }
    for each in entries:
        for source in _turn_sources(each.after):
            if source["turn"] not in seen:
                for name in set(source) - {"kind", "quote", "time"}:
                    del source[name]
    return list(entries)


def _turn_sources(fields: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    return [source for source in (fields or {}).get("sources", ()) if "turn" in source]


@lru_cache(maxsize=16)  # a recall asks for its own twice
def memory_filter(filter: Filter) -> tuple[str, Mapping[str, Any]]:
    """The condition on `memory m` that a filter stands for."""
    statuses = filter.statuses
    conditions = []
    if filter.as_of is None and filter.known is None:
        if statuses is None:
            conditions.append(f"(m.valid_to IS NULL OR m.valid_to > :now OR {HISTORY})")
            statuses = LIVE
    elif statuses is None:
        statuses = EVER_BELIEVED
    if filter.quarantined:
        statuses |= {Status.QUARANTINED}
    if filter.known is not None:
        conditions.append(
            "m.recorded_at <= :known AND (m.closed_at IS NULL OR m.closed_at > :known)"
        )
    if filter.as_of is not None:
        end = "m.valid_to"
        if filter.known is not None:
            # What closed a memory after `known` was not known then, nor the end that came with it.
            end = "CASE WHEN m.closed_at > :known THEN m.valid_to_open ELSE m.valid_to END"
        conditions.append(
            "coalesce(m.valid_from, m.recorded_at) <= :as_of "
            f"AND ({HISTORY} OR coalesce({end} > :as_of, TRUE))"
        )
    if filter.since is not None:
        conditions.append("coalesce(m.valid_from, m.recorded_at) >= :since")
    if filter.until is not None:
        conditions.append("coalesce(m.valid_from, m.recorded_at) <= :until")
    if filter.kinds is not None:
        conditions.append(f"m.kind IN ({_listed(filter.kinds)})")
    if filter.topic is not None:
        conditions.append("m.row IN (SELECT memory FROM topic WHERE name = :topic)")
    conditions.append(f"m.status IN ({_listed(statuses)})")
    return " AND ".join(conditions), {
        "now": time_text(filter.now),
        **_moments(filter),
        "topic": filter.topic,
    }


def _listed(values: Iterable[StrEnum]) -> str:
    """Members of an enumeration as SQL texts."""
    return ", ".join(f"'{value}'" for value in sorted(values))


def turn_filter(filter: Filter) -> tuple[str, dict[str, Any]]:
    """The condition on `turn t` that a filter stands for."""
    conditions = ["TRUE" if filter.quarantined else "t.quarantined IS NULL", *_said(filter)]
    return " AND ".join(conditions), _moments(filter)


def passage_filter(filter: Filter) -> tuple[str, dict[str, Any]]:
    """The condition on `passage p` that a filter stands for."""
    conditions = ["TRUE" if filter.quarantined else "NOT p.quarantined"]
    if said := _said(filter):
        turns = " AND ".join(said)
        conditions.append(f"EXISTS (SELECT 1 FROM turn t WHERE t.row = p.turn AND {turns})")
    return " AND ".join(conditions), _moments(filter)


def _said(filter: Filter) -> list[str]:
    """When `turn t` must have been said and written down."""
    conditions = []
    if filter.as_of is not None:
        conditions.append("t.time <= :as_of")
    if filter.known is not None:
        conditions.append("t.recorded_at <= :known")
    if filter.since is not None:
        conditions.append("t.time >= :since")
    if filter.until is not None:
        conditions.append("t.time <= :until")
    return conditions


def _moments(filter: Filter) -> dict[str, Any]:
    return {
        "as_of": time_or_none(filter.as_of),
        "known": time_or_none(filter.known),
        "since": time_or_none(filter.since),
        "until": time_or_none(filter.until),
    }


def any_ended(db: apsw.Connection, now: datetime) -> bool:
    """Whether a memory has ended that nobody closed yet; then the search must look at each."""
    return bool(
        db.execute(
            """SELECT EXISTS (SELECT 1 FROM memory
            WHERE valid_to IS NOT NULL AND closed_at IS NULL AND kind <> 'episode'
              AND valid_to <= ?)""",
            (time_text(now),),
        ).get
    )
