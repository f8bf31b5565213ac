"""The SQL of what waits to be consolidated: the turns that no model has read.

Every function that writes runs inside a transaction that its caller began.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

import apsw

from memoranda.passes import Aside, Stage
from memoranda.stores.connections import query
from memoranda.stores.reading import TURN_JOINS, VISIBLE, seen_by, turns
from memoranda.stores.rows import moment, moment_or_none, storable, time_text
from memoranda.types import Backlog, Passage, Scope, Scopes


def scopes(db: apsw.Connection) -> Scopes:
    """See `Passes.waiting`."""
    found = query(
        db,
        """SELECT s.name FROM scope s WHERE EXISTS (
          SELECT 1 FROM conversation c JOIN unread_turn u ON u.conversation = c.row
          JOIN turn t ON t.row = u.row
          WHERE c.scope = s.row AND u.aside IS NULL AND t.quarantined IS NULL) ORDER BY s.row""",
    )
    return tuple(Scope.parse(name) for (name,) in found)


def unread(
    db: apsw.Connection, own: Scope, after: str | None, limit: int, *, by_rules: bool
) -> list[Passage]:
    """See `Passes.unread`; conversations come in the order in which they began.

    So each turn comes once, whatever came in meanwhile. A turn `after` that is gone counts as none.
    """
    waits = "u.aside IS NULL AND t.quarantined IS NULL"
    if by_rules:
        waits += " AND u.by_rules = 0"
    conversation, row = _place(db, after)
    values = {"own": str(own), "conversation": conversation, "after": row, "limit": limit}
    following = query(
        db,
        f"""SELECT c.row FROM conversation c JOIN scope s ON s.row = c.scope
        WHERE s.name = :own AND c.row >= :conversation AND EXISTS (
          SELECT 1 FROM unread_turn u CROSS JOIN turn t USING (row)
          WHERE u.conversation = c.row AND {waits}
            AND (c.row > :conversation OR u.row > :after))
        ORDER BY c.row LIMIT 1""",
        values,
    )
    if not following:
        return []
    ((found,),) = following
    return turns(
        db,
        f"""t.row IN (
          SELECT u.row FROM unread_turn u CROSS JOIN turn t USING (row)
          WHERE u.conversation = :found AND {waits} AND u.row > :beyond
          ORDER BY u.row LIMIT :limit)
        ORDER BY t.row""",
        {"found": found, "beyond": row if found == conversation else 0, "limit": limit},
        (own,),
    )


def _place(db: apsw.Connection, turn: str | None) -> tuple[int, int]:
    """The rows of a turn's conversation and of the turn."""
    found = query(db, "SELECT conversation, row FROM turn WHERE id = ?", (turn,))
    return found[0] if found else (0, 0)


def before(db: apsw.Connection, turn: str, own: Scope, limit: int) -> list[Passage]:
    """See `Passes.before`."""
    conversation, row = _place(db, turn)
    return turns(
        db,
        """t.row IN (
          SELECT row FROM turn WHERE conversation = :conversation AND row < :row
            AND quarantined IS NULL ORDER BY row DESC LIMIT :limit)
        ORDER BY t.row""",
        {"conversation": conversation, "row": row, "limit": limit},
        (own,),
    )


def project_of(db: apsw.Connection, conversation: str, own: Scope) -> Scope | None:
    """See `Passes.project_of`."""
    name = db.execute(
        """SELECT p.name FROM conversation c JOIN scope s ON s.row = c.scope
        JOIN scope p ON p.row = c.project WHERE s.name = ? AND c.name = ?""",
        (str(own), conversation),
    ).get
    return None if name is None else Scope.parse(name)


def asides(
    db: apsw.Connection, own: Scope, condition: str, values: Mapping[str, object]
) -> list[Aside]:
    """Turns of a scope that are aside, of which the condition on `unread_turn u` holds."""
    found = {
        id: row
        for id, *row in query(
            db,
            f"""WITH {VISIBLE} SELECT t.id, u.aside, u.tries, u.since
            FROM unread_turn u JOIN turn t USING (row) {TURN_JOINS}
            WHERE u.aside IS NOT NULL AND c.scope IN visible AND {condition}""",
            seen_by((own,), values),
        )
    }
    listed = "t.id IN (SELECT value FROM json_each(:ids)) ORDER BY t.row"
    return [
        Aside(turn, reason, tries, moment(since))
        for turn in turns(db, listed, {"ids": json.dumps(list(found))}, (own,))
        for reason, tries, since in [found[turn.turn]]
    ]


def projects(db: apsw.Connection, own: Scope) -> Scopes:
    """See `Passes.projects`."""
    found = query(
        db,
        """SELECT DISTINCT p.name FROM scope s JOIN conversation c ON c.scope = s.row
        JOIN scope p ON p.row = c.project WHERE s.name = ? ORDER BY p.name""",
        (str(own),),
    )
    return tuple(Scope.parse(name) for (name,) in found)


def aside(db: apsw.Connection, own: Scope, tries: int | None, limit: int) -> list[Aside]:
    """See `Passes.aside`."""
    condition = "(:tries IS NULL OR u.tries < :tries) ORDER BY u.row LIMIT :limit"
    return asides(db, own, condition, {"tries": tries, "limit": limit})


def backlog(db: apsw.Connection, own: Scope, visible: Scopes) -> Backlog:
    """See `Passes.backlog`; what is in quarantine waits for a person."""
    ((count, set_aside, oldest),) = query(
        db,
        """SELECT count(*), count(u.aside), min(t.recorded_at)
        FROM scope s JOIN conversation c ON c.scope = s.row
        CROSS JOIN unread_turn u ON u.conversation = c.row CROSS JOIN turn t ON t.row = u.row
        WHERE s.name = ? AND (t.quarantined IS NULL OR u.aside IS NOT NULL)""",
        (str(own),),
    )
    stages = dict(
        query(
            db,
            """SELECT stage, count(*) FROM decision
            WHERE stage IN (:waiting, :aside, :review)
              AND scope IN (SELECT value FROM json_each(:visible)) GROUP BY stage""",
            seen_by(
                visible,
                {
                    "waiting": Stage.WAITING.value,
                    "aside": Stage.SET_ASIDE.value,
                    "review": Stage.REVIEW.value,
                },
            ),
        )
    )
    passed = db.execute(
        """SELECT max(ended) FROM pass
        WHERE scope = ? AND NOT failed AND undone IS NULL AND NOT preview""",
        (str(own),),
    ).get
    return Backlog(
        turns=count,
        aside=set_aside,
        candidates=stages.get(Stage.WAITING, 0),
        candidates_aside=stages.get(Stage.SET_ASIDE, 0),
        review=stages.get(Stage.REVIEW, 0),
        passed_at=moment_or_none(passed),
        unread_since=moment_or_none(oldest),
    )


# What a pass has read -----------------------------------------------------------------------------


def note_read(
    db: apsw.Connection,
    of: str,
    read: Sequence[str],
    aside: Mapping[str, str],
    at: datetime,
    *,
    by_rules: bool,
) -> None:
    """Turns are read or set aside by a pass, which keeps how they were before it."""
    listed = {"of": of, "read": json.dumps(list(read)), "aside": json.dumps(list(aside))}
    db.execute(
        """INSERT INTO reading (pass, turn, set_aside, by_rules, tries, aside, since)
        SELECT :of, t.id, t.id IN (SELECT value FROM json_each(:aside)), u.by_rules, u.tries,
          u.aside, u.since
        FROM turn t JOIN unread_turn u USING (row)
        WHERE t.id IN (SELECT value FROM json_each(:read) UNION SELECT value FROM json_each(:aside))
        ON CONFLICT DO UPDATE SET set_aside = excluded.set_aside""",
        listed,
    )
    which = "row IN (SELECT row FROM turn WHERE id IN (SELECT value FROM json_each(?)))"
    if by_rules:
        db.execute(f"UPDATE unread_turn SET by_rules = TRUE WHERE {which}", (listed["read"],))
    else:
        db.execute(f"DELETE FROM unread_turn WHERE {which}", (listed["read"],))
    db.executemany(
        """UPDATE unread_turn SET aside = ?, tries = tries + 1, since = ?
        WHERE row = (SELECT row FROM turn WHERE id = ?)""",
        [(storable(reason), time_text(at), id) for id, reason in aside.items()],
    )


def restore_unread(db: apsw.Connection, of: str) -> int:
    """Let what a pass read be as unread as before, and return how many turns that are.

    What another pass read since is left.
    """
    restored = """reading r JOIN turn t ON t.id = r.turn
    WHERE r.pass = :of AND NOT EXISTS (
      SELECT 1 FROM reading later JOIN pass p ON p.id = later.pass
      WHERE later.turn = r.turn AND p.undone IS NULL
        AND p.row > (SELECT row FROM pass WHERE id = :of))"""
    ((count,),) = query(db, f"SELECT count(*) FROM {restored}", {"of": of})
    db.execute(
        f"""INSERT OR REPLACE INTO unread_turn (row, conversation, by_rules, tries, aside, since)
        SELECT t.row, t.conversation, r.by_rules, r.tries, r.aside, r.since FROM {restored}""",
        {"of": of},
    )
    return int(count)


def turns_of(db: apsw.Connection, of: str, own: Scope) -> list[Passage]:
    """See `Passes.turns_of`."""
    condition = """t.id IN (SELECT turn FROM reading WHERE pass = :of AND NOT set_aside)
    ORDER BY t.row"""
    return turns(db, condition, {"of": of}, (own,))
