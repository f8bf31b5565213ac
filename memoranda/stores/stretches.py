"""The SQL of stretches of a conversation. The caller began the transaction."""

from __future__ import annotations

from typing import Any

import apsw

from memoranda.errors import InvalidInput
from memoranda.stores import reading
from memoranda.stores.connections import query
from memoranda.stores.reading import TURN_JOINS, VISIBLE, seen_by
from memoranda.types import Passage, Scope, Scopes


def row_of(db: apsw.Connection, conversation: str, own: Scope | None) -> int | None:
    """The row of a conversation by its name."""
    found = query(
        db,
        """SELECT c.row FROM conversation c JOIN scope s ON s.row = c.scope
        WHERE s.name = ? AND c.name = ?""",
        (str(own), conversation),
    )
    return found[0][0] if found else None


def row_of_ends(db: apsw.Connection, first: str, last: str, visible: Scopes) -> int | None:
    """The row of the conversation of two turns, of which one may be gone."""
    found = query(
        db,
        f"""WITH {VISIBLE} SELECT DISTINCT c.row FROM turn t {TURN_JOINS}
        WHERE t.id IN (:first, :last) AND c.scope IN visible""",
        seen_by(visible, {"first": first, "last": last}),
    )
    if len(found) > 1:
        raise InvalidInput(f"{first} and {last} are turns of two conversations")
    return found[0][0] if found else None


def turns(
    db: apsw.Connection,
    conversation: int | None,
    visible: Scopes,
    *,
    first: str | None = None,
    after: str | None = None,
    last: str | None = None,
    limit: int,
) -> list[Passage]:
    """The next whole turns of a conversation within some bounds, as they came in."""
    bounds = [("first", ">=", first), ("after", ">", after), ("last", "<=", last)]
    named = [(name, sign, id) for name, sign, id in bounds if id is not None]
    condition = " AND ".join(
        ["t.conversation = :conversation", *(_bound(name, sign) for name, sign, _ in named)]
    )
    values: dict[str, Any] = {name: id for name, _, id in named}
    values |= {"conversation": conversation, "limit": limit}
    return reading.turns(db, f"{condition} ORDER BY t.row LIMIT :limit", values, visible)


def _bound(name: str, sign: str) -> str:
    """On which side of a turn; ids tell it where that is gone, since they grow as rows do."""
    there = f"(SELECT row FROM turn WHERE id = :{name} AND conversation = :conversation)"
    return f"iif({there} IS NULL, t.id {sign} :{name}, t.row {sign} {there})"
