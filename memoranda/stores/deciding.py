"""The SQL of candidates and of what became of them.

Every function that writes runs inside a transaction that its caller began.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from memoranda.errors import Conflict, NotFound
from memoranda.passes import Decision, Neighbour, Stage
from memoranda.stores import rows
from memoranda.stores.connections import query
from memoranda.stores.marks import Marks
from memoranda.stores.reading import beginning, memories, only, seen_by
from memoranda.stores.rows import Row, moment, moment_or_none, storable, time_or_none, time_text
from memoranda.text.clean import fingerprint, mend
from memoranda.types import LIVE, Candidate, Kind, Memory, Operation, Scope, Scopes, Status, plain

# Reading ------------------------------------------------------------------------------------------

VISIBLE_BY_NAME = "d.scope IN (SELECT value FROM json_each(:visible))"

CLOSED = (Stage.APPLIED, Stage.REJECTED, Stage.UNDONE)
"""What was decided for good; another decision about it would be a second one."""


def decisions(
    db: apsw.Connection,
    visible: Scopes,
    *,
    own: Scope | None,
    of: str | None,
    stages: Sequence[Stage] | None,
    tries: int | None,
    after: str | None,
    limit: int,
) -> list[Decision]:
    """See `Passes.decisions`."""
    conditions = [VISIBLE_BY_NAME]
    if own is not None:
        conditions.append("EXISTS (SELECT 1 FROM pass WHERE id = d.selected_by AND scope = :own)")
    if of is not None:
        conditions.append(
            "d.row IN (SELECT row FROM decision WHERE selected_by = :of "
            "UNION SELECT row FROM decision WHERE decided_by = :of)"
        )
    if stages is not None:
        conditions.append("d.stage IN (SELECT value FROM json_each(:stages))")
    if tries is not None:
        conditions.append("d.tries < :tries")
    if after is not None:
        conditions.append("d.row > (SELECT row FROM decision WHERE id = :after)")
        after = decision(db, after, visible).id
    values = {
        "own": None if own is None else str(own),
        "of": of,
        "stages": json.dumps([stage.value for stage in stages or ()]),
        "tries": tries,
        "after": after,
        "limit": limit,
    }
    condition = " AND ".join(conditions)
    return _decisions(db, f"{condition} ORDER BY d.row LIMIT :limit", seen_by(visible, values))


def decision(db: apsw.Connection, id: str, visible: Scopes) -> Decision:
    """See `Passes.decision`."""
    condition = f"d.id >= :first AND d.id < :beyond AND {VISIBLE_BY_NAME} LIMIT 2"
    found = _decisions(db, condition, seen_by(visible, beginning(id)))
    return only(found, [each.id for each in found], id)


_COLUMNS = """
d.id, d.scope, d.selected_by, d.time, t.id, d.start, d.stop, d.quote, d.candidate, d.stage,
d.operation, d.target, d.content, d.memory, d.reason, d.decided_by, d.decided_at, d.tries, d.calls,
t.id IS NOT NULL AND s.name NOT IN (SELECT value FROM json_each(:visible))
"""


def _decisions(db: apsw.Connection, condition: str, values: Mapping[str, Any]) -> list[Decision]:
    found = query(
        db,
        f"""SELECT d.row, {_COLUMNS} FROM decision d LEFT JOIN turn t ON t.row = d.turn
        LEFT JOIN conversation c ON c.row = t.conversation LEFT JOIN scope s ON s.row = c.scope
        WHERE {condition}""",
        dict(values),
    )
    near = _neighbours(db, [row[0] for row in found])
    return [_decision(row[1:], near[row[0]]) for row in found]


def _neighbours(db: apsw.Connection, of: Sequence[int]) -> Mapping[int, list[Neighbour]]:
    found = defaultdict[int, list[Neighbour]](list)
    for row, id, kind, content, status, distance, ranks in query(
        db,
        """SELECT decision, memory, kind, content, status, distance, ranks FROM neighbour
        WHERE decision IN (SELECT value FROM json_each(?)) ORDER BY decision, nth""",
        (json.dumps(list(of)),),
    ):
        near = Neighbour(id, Kind(kind), content, Status(status), distance, json.loads(ranks))
        found[row].append(near)
    return found


def _decision(row: Row, neighbours: Sequence[Neighbour]) -> Decision:
    """A candidate whose turn is out of sight shows its quote and its date only."""
    is_hidden = bool(row[19])
    where = (None, 0, len(row[7])) if is_hidden else row[4:7]
    return Decision(
        id=row[0],
        scope=Scope.parse(row[1]),
        selected_by=row[2],
        time=moment(row[3]),
        candidate=_candidate(*where, *row[7:9]),
        stage=Stage(row[9]),
        operation=None if row[10] is None else Operation(row[10]),
        target=row[11],
        content=row[12],
        memory=row[13],
        neighbours=tuple(neighbours),
        reason=row[14],
        decided_by=row[15],
        decided_at=moment_or_none(row[16]),
        tries=row[17],
        calls=() if is_hidden else tuple(json.loads(row[18])),
    )


def _candidate(turn: str | None, start: int, end: int, quote: str, rest: str) -> Candidate:
    """A candidate as it was, but for the names in it, which can be found anew."""
    told = json.loads(rest)
    for time in ("valid_from", "valid_to", "said"):
        told[time] = moment_or_none(told[time])
    told["kind"] = Kind(told["kind"])
    return Candidate(turn or "", start, end, quote, **told)


def refused(db: apsw.Connection, content: str, scope: Scope) -> str | None:
    """See `Passes.refused`. What a check rejected was decided by a pass, unlike by a person."""
    digest = _digest(content)
    marks = [each.memory(str(scope), digest) for each in Marks.known(db)]
    if any(query(db, "SELECT 1 FROM tombstone WHERE mark = ?", (each,)) for each in marks):
        return "forgotten"
    by_person = query(
        db,
        """SELECT 1 FROM decision
        WHERE scope = ? AND digest = ? AND stage = ? AND decided_by IS NULL LIMIT 1""",
        (str(scope), digest, Stage.REJECTED.value),
    )
    return "rejected" if by_person else None


def is_proposed(db: apsw.Connection, content: str, scope: Scope) -> bool:
    """See `Passes.is_proposed`."""
    return bool(
        query(
            db,
            """SELECT 1 FROM decision WHERE scope = ? AND digest = ? AND stage IN (?, ?)
            AND candidate ->> 'procedure' LIMIT 1""",
            (str(scope), _digest(content), Stage.REVIEW.value, Stage.APPLIED.value),
        )
    )


def unreviewed(db: apsw.Connection, turns: Sequence[str], own: Scope) -> list[Memory]:
    """See `Passes.unreviewed`."""
    return memories(
        db,
        """m.row IN (
          SELECT o.memory FROM turn t JOIN conversation c ON c.row = t.conversation
          CROSS JOIN source o ON o.turn = t.row
          WHERE t.id IN (SELECT value FROM json_each(:turns)) AND c.scope IN visible)
        AND m.status = :candidate AND NOT m.pinned AND m.confirmed_at IS NULL
        AND NOT EXISTS (
          SELECT 1 FROM source o LEFT JOIN turn t ON t.row = o.turn
          WHERE o.memory = m.row
            AND coalesce(t.id, '') NOT IN (SELECT value FROM json_each(:turns)))
        ORDER BY m.row""",
        {"turns": json.dumps(list(turns)), "candidate": Status.CANDIDATE.value},
        (own,),
    )


def heard_elsewhere(
    db: apsw.Connection, content: str, kind: Kind, own: Scope, now: datetime
) -> bool:
    """See `Passes.heard_elsewhere`."""
    return own.kind == "profile" and bool(
        query(
            db,
            """SELECT 1 FROM scope s CROSS JOIN memory m ON m.scope = s.row
            WHERE s.name GLOB 'profile:*' AND s.name <> :own AND m.digest = :digest
              AND m.kind = :kind AND m.status IN (SELECT value FROM json_each(:live))
              AND (m.valid_to IS NULL OR m.valid_to > :now) LIMIT 1""",
            {
                "own": str(own),
                "digest": _digest(content),
                "kind": kind.value,
                "live": json.dumps(sorted(LIVE)),
                "now": time_text(now),
            },
        )
    )


def _digest(content: str) -> bytes:
    return fingerprint(mend(content)[0])


# Writing ------------------------------------------------------------------------------------------


def decide(db: apsw.Connection, decisions: Sequence[Decision]) -> None:
    """See `Passes.decide`. Of what was forgotten meanwhile nothing is kept."""
    for each in decisions:
        known = _known(db, each)
        turn = _turn_that_says(db, each.candidate)
        gone = turn is None and (known is None or each.candidate.turn)
        if gone or not query(db, "SELECT 1 FROM pass WHERE id = ?", (each.selected_by,)):
            continue
        values = _values(each) | {"turn": turn}
        if known is None:
            row = _insert(db, values)
        else:
            row, calls = known
            if not each.candidate.turn:
                _keep_what_is_hidden(values, calls)
            _update(db, row, values)
            _rest_on_its_turn(db, row)
        _add_neighbours(db, row, each.neighbours)


def _known(db: apsw.Connection, decision: Decision) -> tuple[int, str] | None:
    """The row and the calls of what is open still.

    Raises Conflict when it was decided for good, and NotFound for what is done to a candidate that
    was forgotten since: by its words, which are out of sight, that cannot be seen.
    """
    found = query(db, "SELECT row, calls, stage FROM decision WHERE id = ?", (decision.id,))
    for row, calls, stage in found:
        if stage in CLOSED:
            raise Conflict(f"{decision.id} is {stage} already")
        return row, calls
    if decision.stage == Stage.APPLIED and not decision.candidate.turn:
        raise NotFound(f"{decision.id} was forgotten")
    return None


def _insert(db: apsw.Connection, values: Mapping[str, Any]) -> int:
    marks = ", ".join("?" * len(values))
    db.execute(
        f"INSERT INTO decision ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
    )
    return db.last_insert_rowid()


def _keep_what_is_hidden(values: dict[str, Any], calls: str) -> None:
    """Let a candidate whose turn its reader did not see rest on that turn as before."""
    for name in ("turn", "start", "stop", "quote"):
        del values[name]
    values["calls"] = json.dumps(
        list(dict.fromkeys(json.loads(calls) + json.loads(values["calls"])))
    )


def _update(db: apsw.Connection, row: int, values: Mapping[str, Any]) -> None:
    assigned = ", ".join(f"{name} = ?" for name in values)
    db.execute(f"UPDATE decision SET {assigned} WHERE row = ?", (*values.values(), row))
    db.execute("DELETE FROM neighbour WHERE decision = ?", (row,))


def _rest_on_its_turn(db: apsw.Connection, decision: int) -> None:
    """Let what a memory got from a candidate rest on its turn, which its reader did not see.

    So it is forgotten with the turn.
    """
    db.execute(
        """UPDATE source SET turn = d.turn, start = d.start, stop = d.stop
        FROM decision d JOIN memory m ON m.id = d.memory
        WHERE d.row = ? AND d.stage = ? AND d.turn IS NOT NULL AND source.memory = m.row
          AND source.kind = 'turn' AND source.turn IS NULL AND source.quote = d.quote""",
        (decision, Stage.APPLIED.value),
    )


def _turn_that_says(db: apsw.Connection, candidate: Candidate) -> int | None:
    """The row of the turn of a candidate; None when that is gone, or the words are cut out."""
    found = query(
        db, f"SELECT t.row, {rows.WHOLE_TURN} FROM turn t WHERE t.id = ?", (candidate.turn,)
    )
    for row, content in found:
        if (content or "")[candidate.start : candidate.end] == candidate.quote:
            return int(row)
    return None


def _values(decision: Decision) -> dict[str, Any]:
    """The columns of `decision`, the turn excepted."""
    candidate = decision.candidate
    told = plain(candidate)
    assert isinstance(told, dict)
    rest = {
        name: storable(value) if isinstance(value, str) else value
        for name, value in told.items()
        if name not in _OF_CANDIDATE
    }
    return {
        "id": decision.id,
        "scope": str(decision.scope),
        "selected_by": decision.selected_by,
        "time": time_text(decision.time),
        "start": candidate.start,
        "stop": candidate.end,
        "quote": candidate.quote,
        "candidate": json.dumps(rest, ensure_ascii=False),
        "digest": _digest(candidate.content),
        "stage": decision.stage.value,
        "operation": None if decision.operation is None else decision.operation.value,
        "target": decision.target,
        "content": storable(decision.content),
        "memory": decision.memory,
        "reason": storable(decision.reason),
        "decided_by": decision.decided_by,
        "decided_at": time_or_none(decision.decided_at),
        "tries": decision.tries,
        "calls": json.dumps(decision.calls),
    }


_OF_CANDIDATE = frozenset(("turn", "start", "end", "quote", "named"))
"""What of a candidate is not in the JSON: it has columns, or is found anew."""


def _add_neighbours(db: apsw.Connection, decision: int, neighbours: Sequence[Neighbour]) -> None:
    db.executemany(
        """INSERT INTO neighbour (decision, nth, memory, kind, content, status, distance, ranks)
        VALUES (?, ?, ?, ?, iif(EXISTS (SELECT 1 FROM memory WHERE id = ?), ?, ''), ?, ?, ?)""",
        [
            (
                decision,
                nth,
                near.id,
                near.kind.value,
                near.id,
                near.content,
                near.status.value,
                near.distance,
                json.dumps(dict(near.ranks)),
            )
            for nth, near in enumerate(neighbours)
        ],
    )


def undo_decisions(db: apsw.Connection, of: str) -> None:
    """Take back what a pass selected and decided; what others decided since stays."""
    db.execute(
        """UPDATE decision SET stage = ?1 WHERE selected_by = ?2
        AND (decided_by = ?2 OR stage IN (?3, ?4, ?5))""",
        (
            Stage.UNDONE.value,
            of,
            Stage.WAITING.value,
            Stage.SET_ASIDE.value,
            Stage.REVIEW.value,
        ),
    )
    db.execute(
        """UPDATE decision SET stage = ?1, operation = NULL, target = NULL, content = NULL,
          memory = NULL, decided_by = NULL, decided_at = NULL
        WHERE decided_by = ?2 AND selected_by <> ?2""",
        (Stage.SET_ASIDE.value, of),
    )


def counts(db: apsw.Connection, of: str) -> dict[str, int]:
    """How many decisions of a pass have each operation, or else each stage."""
    return dict(
        query(
            db,
            """SELECT iif(stage = ?, operation, stage), count(*) FROM decision
            WHERE decided_by = ? GROUP BY 1 ORDER BY 1""",
            (Stage.APPLIED.value, of),
        )
    )
