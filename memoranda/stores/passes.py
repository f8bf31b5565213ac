"""The records of consolidation in the SQLite file. What one function does is in one transaction."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

import apsw

from memoranda.answers import Attempt, Mode, Outcome, Tokens
from memoranda.errors import NotFound
from memoranda.passes import INTERRUPTED, Aside, Call, Decision, Pass, Stage, Undone
from memoranda.stores import deciding, waiting
from memoranda.stores.connections import PAUSE, Connections, query
from memoranda.stores.expiring import expire_slice, old_conversations, old_turns
from memoranda.stores.marks import Marks
from memoranda.stores.reading import beginning, only
from memoranda.stores.rows import Row, moment, moment_or_none, storable, time_or_none, time_text
from memoranda.stores.undoing import undo
from memoranda.stores.writing import refuse_gone
from memoranda.types import Backlog, Kind, Memory, Passage, Scope, Scopes


class SqlitePasses:
    """See `protocols.Passes` for what each method promises."""

    def __init__(self, connections: Connections, complete: Callable[[datetime], None]) -> None:
        """`complete` makes findable what changed its names."""
        self._connections = connections
        self._complete = complete

    # What waits

    def waiting(self) -> Scopes:
        with self._connections.reading() as db:
            return waiting.scopes(db)

    def unread(
        self, own: Scope, *, after: str | None = None, by_rules: bool = False, limit: int
    ) -> list[Passage]:
        with self._connections.reading() as db:
            return waiting.unread(db, own, after, limit, by_rules=by_rules)

    def before(self, turn: str, own: Scope, limit: int) -> list[Passage]:
        with self._connections.reading() as db:
            return waiting.before(db, turn, own, limit)

    def project_of(self, conversation: str, own: Scope) -> Scope | None:
        with self._connections.reading() as db:
            return waiting.project_of(db, conversation, own)

    def projects(self, own: Scope) -> Scopes:
        with self._connections.reading() as db:
            return waiting.projects(db, own)

    def aside(self, own: Scope, *, tries: int | None = None, limit: int) -> list[Aside]:
        with self._connections.reading() as db:
            return waiting.aside(db, own, tries, limit)

    def decisions(
        self,
        visible: Scopes,
        *,
        own: Scope | None = None,
        of: str | None = None,
        stages: Sequence[Stage] | None = None,
        tries: int | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[Decision]:
        with self._connections.reading() as db:
            return deciding.decisions(
                db, visible, own=own, of=of, stages=stages, tries=tries, after=after, limit=limit
            )

    def decision(self, id: str, visible: Scopes) -> Decision:
        with self._connections.reading() as db:
            return deciding.decision(db, id, visible)

    def refused(self, content: str, scope: Scope) -> str | None:
        with self._connections.reading() as db:
            return deciding.refused(db, content, scope)

    def is_proposed(self, content: str, scope: Scope) -> bool:
        with self._connections.reading() as db:
            return deciding.is_proposed(db, content, scope)

    def unreviewed(self, turns: Sequence[str], own: Scope) -> list[Memory]:
        with self._connections.reading() as db:
            return deciding.unreviewed(db, turns, own)

    def heard_elsewhere(self, content: str, kind: Kind, own: Scope, now: datetime) -> bool:
        with self._connections.reading() as db:
            return deciding.heard_elsewhere(db, content, kind, own, now)

    def backlog(self, own: Scope, visible: Scopes) -> Backlog:
        with self._connections.reading() as db:
            return waiting.backlog(db, own, visible)

    # What a pass writes

    def begin(self, run: Pass) -> None:
        with self._connections.writing() as db:
            _begin(db, run)

    def unfinished(self, own: Scope) -> Pass | None:
        condition = """p.scope = :own AND p.ended IS NULL
        AND p.undone IS NULL AND NOT p.preview ORDER BY p.row DESC LIMIT 1"""
        with self._connections.reading() as db:
            return next(iter(_passes(db, own, condition, {})), None)

    def record(self, call: Call) -> None:
        with self._connections.writing() as db:
            _record(db, call)

    def read(
        self,
        of: str,
        turns: Sequence[str],
        decisions: Sequence[Decision],
        *,
        aside: Mapping[str, str],
        at: datetime,
        by_rules: bool = False,
    ) -> None:
        with self._connections.writing() as db:
            refuse_gone(db, of)
            waiting.note_read(db, of, turns, aside, at, by_rules=by_rules)
            deciding.decide(db, decisions)

    def decide(self, decisions: Sequence[Decision]) -> None:
        with self._connections.writing() as db:
            deciding.decide(db, decisions)

    def end(self, of: str, *, at: datetime, stopped: str | None, failed: bool = False) -> None:
        with self._connections.writing() as db:
            refuse_gone(db, of)
            db.execute(
                "UPDATE pass SET ended = ?, stopped = ?, failed = ? WHERE id = ?",
                (time_text(at), storable(stopped), failed, of),
            )

    # Looking back

    def passes(self, own: Scope, *, before: str | None = None, limit: int) -> list[Pass]:
        condition = "p.scope = :own ORDER BY p.row DESC LIMIT :limit"
        values: dict[str, object] = {"limit": limit}
        with self._connections.reading() as db:
            if before is not None:
                values["before"] = _one(db, before, own).id
                condition = f"p.row < (SELECT row FROM pass WHERE id = :before) AND {condition}"
            return _passes(db, own, condition, values)

    def one(self, id: str, own: Scope) -> Pass:
        with self._connections.reading() as db:
            return _one(db, id, own)

    def calls(self, of: str, own: Scope) -> list[Call]:
        with self._connections.reading() as db:
            return _calls(db, of, own)

    def turns_of(self, of: str, own: Scope) -> list[Passage]:
        with self._connections.reading() as db:
            return waiting.turns_of(db, of, own)

    def spent(self, since: datetime) -> Tokens:
        with self._connections.reading() as db:
            return _spent(db, since)

    def undo(self, of: str, *, at: datetime, by: str, keep_read: bool = False) -> Undone:
        with self._connections.writing() as db:
            undone = undo(db, of, at, by, keep_read=keep_read)
        self._complete(at)
        return undone

    def is_news(self, own: Scope, warnings: str) -> bool:
        with self._connections.reading() as db:
            name, value = _told(db, own, warnings)
            told = db.execute("SELECT value FROM home WHERE name = ?", (name,)).get
        return bool(warnings) if told is None else told != value

    def told(self, own: Scope, warnings: str) -> None:
        with self._connections.writing() as db:
            db.execute(
                "INSERT INTO home VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
                _told(db, own, warnings),
            )

    def expiring(self, before: datetime, own: Scope) -> int:
        with self._connections.reading() as db:
            return old_turns(db, before, own)

    def expire(self, before: datetime, own: Scope, *, at: datetime, by: str) -> int:
        with self._connections.reading() as db:
            due = old_conversations(db, before, own)
        expired = 0
        while due:
            with self._connections.writing() as db:
                expired += expire_slice(db, due, before, own, at, by)
            if due:
                time.sleep(PAUSE)
        return expired


def _told(db: apsw.Connection, own: Scope, warnings: str) -> tuple[str, str]:
    """Under which name it stands what the owner of a scope was told, and how these would stand."""
    marks = Marks.of(db)
    name = marks.warnings(str(own), "")
    return f"told {name.hex()}", marks.warnings(str(own), storable(warnings) or "").hex()


# Passes -------------------------------------------------------------------------------------------


def _begin(db: apsw.Connection, run: Pass) -> None:
    """A pass begins; a preview before it that never ended was killed, and none goes on with it."""
    db.execute(
        """UPDATE pass SET ended = began, stopped = ?, failed = TRUE
        WHERE scope = ? AND preview AND ended IS NULL""",
        (INTERRUPTED, str(run.scope)),
    )
    db.execute(
        """INSERT INTO pass (id, scope, model, prompts, began, ended, stopped, preview)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            run.id,
            str(run.scope),
            run.model,
            run.prompts,
            time_text(run.began),
            time_or_none(run.ended),
            run.stopped,
            run.preview,
        ),
    )


def _one(db: apsw.Connection, id: str, own: Scope) -> Pass:
    condition = "p.scope = :own AND p.id >= :first AND p.id < :beyond LIMIT 2"
    found = _passes(db, own, condition, beginning(id))
    return only(found, [each.id for each in found], id)


def _passes(
    db: apsw.Connection, own: Scope, condition: str, values: Mapping[str, object]
) -> list[Pass]:
    found = query(
        db,
        f"""SELECT p.id, p.model, p.prompts, p.began, p.ended, p.stopped, p.failed, p.undone,
          p.preview,
          (SELECT count(*) FROM reading WHERE pass = p.id AND NOT set_aside),
          (SELECT count(*) FROM call WHERE pass = p.id)
        FROM pass p WHERE {condition}""",
        {**values, "own": str(own)},
    )
    return [_pass(db, own, row) for row in found]


def _pass(db: apsw.Connection, own: Scope, row: Row) -> Pass:
    set_aside = """t.id IN (SELECT turn FROM reading WHERE pass = :of AND set_aside)
    ORDER BY u.row"""
    return Pass(
        id=row[0],
        scope=own,
        model=row[1],
        prompts=row[2],
        began=moment(row[3]),
        ended=moment_or_none(row[4]),
        stopped=row[5],
        failed=bool(row[6]),
        undone=moment_or_none(row[7]),
        preview=bool(row[8]),
        turns=row[9],
        calls=row[10],
        tokens=_tokens(db, row[0]),
        counts=deciding.counts(db, row[0]),
        unread=tuple(waiting.asides(db, own, set_aside, {"of": row[0]})),
    )


# Calls --------------------------------------------------------------------------------------------


def _record(db: apsw.Connection, call: Call) -> None:
    """Keep a call; when something that it told of was forgotten meanwhile, not what was said."""
    refuse_gone(db, call.of)
    db.execute(
        """INSERT INTO call (id, pass, time, purpose, model, prompt, request, outcome)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            call.id,
            call.of,
            time_text(call.time),
            call.purpose,
            call.model,
            call.prompt,
            call.request,
            call.outcome.value,
        ),
    )
    db.executemany(
        """INSERT INTO attempt (call, nth, outcome, mode, room, status, finish, request_id,
          prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, seconds, retry_after,
          error, body)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        [_attempt_values(call.id, nth, attempt) for nth, attempt in enumerate(call.attempts)],
    )
    _spend(db, call)
    db.executemany(
        "INSERT INTO offered (call, turn, memory) VALUES (?, ?, ?)",
        [
            *((call.id, turn, None) for turn in call.turns),
            *((call.id, None, memory) for memory in call.memories),
        ],
    )
    gone = query(
        db,
        """SELECT 1 FROM offered WHERE call = ? AND (
          turn IS NOT NULL AND turn NOT IN (SELECT id FROM turn)
          OR memory IS NOT NULL AND memory NOT IN (SELECT id FROM memory)) LIMIT 1""",
        (call.id,),
    )
    if gone:
        db.execute("UPDATE attempt SET body = '', error = '' WHERE call = ?", (call.id,))
        db.execute("UPDATE call SET request = '' WHERE id = ?", (call.id,))


def _attempt_values(call: str, nth: int, attempt: Attempt) -> tuple[object, ...]:
    return (
        call,
        nth,
        attempt.outcome.value,
        attempt.mode.value,
        attempt.room,
        attempt.status,
        storable(attempt.finish),
        storable(attempt.request_id),
        attempt.tokens.prompt,
        attempt.tokens.cached,
        attempt.tokens.completion,
        attempt.tokens.reasoning,
        attempt.seconds,
        attempt.retry_after,
        storable(attempt.error),
        storable(attempt.body),
    )


def _calls(db: apsw.Connection, of: str, own: Scope) -> list[Call]:
    if not query(db, "SELECT 1 FROM pass WHERE id = ? AND scope = ?", (of, str(own))):
        raise NotFound(f"there is no pass {of[:40]!r}")
    return [
        Call(
            id=row[0],
            of=of,
            time=moment(row[1]),
            purpose=row[2],
            model=row[3],
            prompt=row[4],
            request=row[5],
            outcome=Outcome(row[6]),
            attempts=_attempts(db, row[0]),
            turns=tuple(json.loads(row[7])),
            memories=tuple(json.loads(row[8])),
        )
        for row in query(
            db,
            """SELECT id, time, purpose, model, prompt, request, outcome,
              (SELECT json_group_array(turn) FROM (
                SELECT turn FROM offered WHERE call = c.id AND turn IS NOT NULL ORDER BY row)),
              (SELECT json_group_array(memory) FROM (
                SELECT memory FROM offered WHERE call = c.id AND memory IS NOT NULL ORDER BY row))
            FROM call c WHERE pass = ? ORDER BY row""",
            (of,),
        )
    ]


def _attempts(db: apsw.Connection, call: str) -> tuple[Attempt, ...]:
    return tuple(
        Attempt(
            outcome=Outcome(row[0]),
            mode=Mode(row[1]),
            room=row[2],
            status=row[3],
            finish=row[4],
            request_id=row[5],
            tokens=Tokens(*row[6:10]),
            seconds=row[10],
            retry_after=row[11],
            error=row[12],
            body=row[13],
        )
        for row in query(
            db,
            """SELECT outcome, mode, room, status, finish, request_id, prompt_tokens,
              cached_tokens, completion_tokens, reasoning_tokens, seconds, retry_after, error, body
            FROM attempt WHERE call = ? ORDER BY nth""",
            (call,),
        )
    )


def _tokens(db: apsw.Connection, of: str) -> Tokens:
    """What the calls of a pass took; None where no endpoint told."""
    (row,) = query(
        db,
        """SELECT sum(a.prompt_tokens), sum(a.cached_tokens), sum(a.completion_tokens),
          sum(a.reasoning_tokens)
        FROM call c JOIN attempt a ON a.call = c.id WHERE c.pass = ?""",
        (of,),
    )
    return Tokens(*row)


# Spending -----------------------------------------------------------------------------------------


def _spend(db: apsw.Connection, call: Call) -> None:
    """Add what a call took to its hour, in which it stays when the call is forgotten."""
    took = call.tokens
    added = ", ".join(
        f"{name} = iif(excluded.{name} IS NULL, {name}, coalesce({name}, 0) + excluded.{name})"
        for name in _SPENT
    )
    db.execute(
        f"""INSERT INTO spending (hour, {", ".join(_SPENT)}) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET {added}""",
        (_hour(call.time), took.prompt, took.cached, took.completion, took.reasoning),
    )


def _spent(db: apsw.Connection, since: datetime) -> Tokens:
    sums = ", ".join(f"sum({name})" for name in _SPENT)
    (row,) = query(db, f"SELECT {sums} FROM spending WHERE hour >= ?", (_hour(since),))
    return Tokens(*row)


_SPENT = ("prompt_tokens", "cached_tokens", "completion_tokens", "reasoning_tokens")


def _hour(time: datetime) -> str:
    return f"{time_text(time)[:13]}:00:00.000000Z"
