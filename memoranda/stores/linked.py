"""What hangs together with entities, by spreading activation (Collins and Loftus, 1975).

Each entity that a question names begins with 1. What it has spreads evenly over its mentions, and
fades by half with each step: from an entity to the texts that mention it, from those to the other
entities that they mention, and on to the texts of these. So an entity that many texts mention tells
little of each, and one that very many mention tells nothing and is passed over.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memoranda.stores.connections import query
from memoranda.stores.reading import VISIBLE, memory_filter, seen_by, turn_filter
from memoranda.text.names import key
from memoranda.types import Filter, HitType, Ranked, Scopes

FADE = 0.5
"""What is left of an activation after a step."""

MOST_MENTIONS = 300
"""An entity with more mentions tells nothing."""

MOST_NAMED = 16
"""How many entities that a question names are begun from."""

MOST_TEXTS = 50
"""From how many texts, the strongest, the activation goes on."""

MOST_PASSED = 16
"""Through how many other entities, the strongest, it goes."""

_MEMORY = "memory m ON m.row = n.memory"
_TURN = "turn t ON t.row = n.turn CROSS JOIN conversation c ON c.row = t.conversation"

_COUNT = f"""
(SELECT count(*) FROM (
  SELECT DISTINCT n.memory, n.turn FROM alias a CROSS JOIN mention n ON n.alias = a.row
  WHERE a.entity = {{entity}} LIMIT {MOST_MENTIONS + 1}))
"""


def linked(
    db: apsw.Connection,
    type: HitType,
    names: Sequence[str],
    visible: Scopes,
    filter: Filter,
    limit: int,
) -> tuple[Ranked, ...]:
    """See `Store.linked`."""
    condition, values = memory_filter(filter)
    for_turns, more_values = turn_filter(filter)
    keys = sorted({key(name) for name in names})
    found = query(
        db,
        _statement(
            type,
            _Step("memory", _MEMORY, f"m.scope IN visible AND {condition}"),
            _Step("turn", _TURN, f"c.scope IN visible AND {for_turns}"),
            limit,
        ),
        seen_by(visible, {**values, **more_values, "names": json.dumps(keys)}),
    )
    return tuple(Ranked(row[1], row[0], *row[2:]) for row in found)


@dataclass(frozen=True, slots=True)
class _Step:
    """From entities to the texts of one sort that mention them and that a filter lets pass.

    Each step looks at the scope of the text itself: another tool may have moved it.
    """

    table: str
    source: str
    condition: str

    def texts(self, entities: str) -> str:
        """The query for each entity in the texts: the row, the activation, the first place."""
        other = "turn" if self.table == "memory" else "memory"
        return f"""
          SELECT n.{self.table} AS row, e.share AS activation, min(n.start) AS start
          FROM {entities} e CROSS JOIN alias a ON a.entity = e.entity
            CROSS JOIN mention n ON n.alias = a.row AND n.{other} IS NULL
            CROSS JOIN {self.source}
          WHERE {self.condition}
          GROUP BY e.entity, n.{self.table}"""

    def entities(self, texts: str) -> str:
        """The query for the entities that each of some texts names, and its activation."""
        return f"""
          SELECT DISTINCT x.row, a.entity, x.activation
          FROM (SELECT row, sum(activation) AS activation FROM {texts}
              GROUP BY row ORDER BY 2 DESC LIMIT {MOST_TEXTS}) x
            CROSS JOIN mention n ON n.{self.table} = x.row
            CROSS JOIN alias a ON a.row = n.alias"""


def _statement(type: HitType, memories: _Step, turns: _Step, limit: int) -> str:
    """All steps as one; what is between the first entities and the last texts is of either sort.

    The limit is written out: SQLite prepares a statement anew for every value of a bound one.
    """
    last = memories if type == "memory" else turns
    return f"""
    WITH {VISIBLE},
    named (entity) AS MATERIALIZED (
      SELECT DISTINCT e.row FROM json_each(:names) name
        CROSS JOIN alias a ON a.name = name.value CROSS JOIN entity e ON e.row = a.entity
      WHERE e.scope IN visible LIMIT {MOST_NAMED}),
    counted (entity, mentions) AS MATERIALIZED (
      SELECT entity, {_COUNT.format(entity="named.entity")} FROM named),
    first (entity, share) AS MATERIALIZED (
      SELECT entity, {FADE} / mentions FROM counted WHERE mentions BETWEEN 1 AND {MOST_MENTIONS}),
    memories AS MATERIALIZED ({memories.texts("first")}),
    turns AS MATERIALIZED ({turns.texts("first")}),
    passed (entity, activation) AS MATERIALIZED (
      SELECT entity, sum(activation)
      FROM ({memories.entities("memories")} UNION ALL {turns.entities("turns")}) beside
        CROSS JOIN entity e ON e.row = beside.entity
      WHERE e.scope IN visible AND entity NOT IN (SELECT entity FROM named)
      GROUP BY entity ORDER BY 2 DESC LIMIT {MOST_PASSED}),
    passed_counted (entity, activation, mentions) AS MATERIALIZED (
      SELECT entity, activation, {_COUNT.format(entity="passed.entity")} FROM passed),
    second (entity, share) AS MATERIALIZED (
      SELECT entity, activation * {FADE * FADE} / mentions FROM passed_counted
      WHERE mentions BETWEEN 2 AND {MOST_MENTIONS}),
    reached (row, activation, start) AS MATERIALIZED (
      SELECT row, sum(activation), min(start)
      FROM (SELECT row, activation, start FROM {"memories" if type == "memory" else "turns"}
        UNION ALL {last.texts("second")})
      GROUP BY row ORDER BY 2 DESC, 1 DESC LIMIT {limit:d})
    {_MEMORIES if type == "memory" else _PASSAGES}
    ORDER BY activation DESC, reached.row DESC
    """


_MEMORIES = "SELECT activation, m.id FROM reached CROSS JOIN memory m ON m.row = reached.row"

_PASSAGES = """
SELECT activation, t.id,
  (SELECT max(p.start) FROM passage p
   WHERE p.turn = t.row AND p.start <= coalesce(reached.start, 0))
FROM reached CROSS JOIN turn t ON t.row = reached.row
"""
