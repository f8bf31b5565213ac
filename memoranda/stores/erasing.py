"""The SQL of forgetting. Every function runs inside a transaction that its caller began.

What goes is gathered first, in tables of the connection that live in memory only; then it is cut
out of what stays, and deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Any, Self

import apsw
import regex

from memoranda.stores import erasing_records, rows, switches
from memoranda.stores.connections import query
from memoranda.stores.forgotten import Forgotten
from memoranda.stores.marks import Marks
from memoranda.stores.naming import forget_unnamed, look_again
from memoranda.stores.reading import TURN_JOINS, VISIBLE, seen_by
from memoranda.stores.rows import Row, time_or_none, time_text
from memoranda.text.masks import FORGOTTEN
from memoranda.text.passages import passage_terms
from memoranda.text.words import fold
from memoranda.types import Choice, Doomed, Operation, Scope, Scopes, new_id

MOST_LOOKED_FOR = 1000
"""Of so many texts and so many vectors traces are looked for."""

GATHERED = {
    "open_scope": "row INTEGER PRIMARY KEY",
    "doomed_memory": "row INTEGER PRIMARY KEY",
    "doomed_turn": "row INTEGER PRIMARY KEY",
    "doomed_source": "row INTEGER PRIMARY KEY",
    "doomed_span": "turn INTEGER, start INTEGER, stop INTEGER, PRIMARY KEY (turn, start, stop)",
    "doomed_alias": "row INTEGER PRIMARY KEY",
    **erasing_records.GATHERED,
}


_FIRST = ("doomed_memory", "doomed_turn", "doomed_span", "doomed_decision")


def choose(db: apsw.Connection, choice: Choice, visible: Scopes) -> Doomed:
    """What would go, with what rests on it alone."""
    try:
        with db:  # one snapshot of the file
            _gather(db, choice, visible)
        return _gathered(db)
    finally:
        _let_go(db)


def erase(db: apsw.Connection, choice: Choice, visible: Scopes, at: datetime, by: str) -> Doomed:
    """Delete what was chosen, and leave what tells that it was, without a word of it."""
    try:
        _gather(db, choice, visible)
        return _erase_gathered(db, [choice], at, by)
    finally:
        _let_go(db)


def keep_out(
    db: apsw.Connection, memories: Iterable[int], turns: Iterable[int], at: datetime
) -> Doomed:
    """Delete what came in just now and must not be here, by its rows, and what rests on it alone.

    Nobody forgets it by that: no mark and no entry of the ledger tell of it, and turns keep their
    words. With it goes what `erase` takes out elsewhere.
    """
    try:
        _make_tables(db)
        db.execute("INSERT INTO open_scope SELECT row FROM scope")
        db.executemany("INSERT INTO doomed_memory VALUES (?)", [(row,) for row in memories])
        db.executemany("INSERT INTO doomed_turn VALUES (?)", [(row,) for row in turns])
        _follow(db, _ON_GONE)
        doomed = _gathered(db)
        _blank_ledger(db)
        erasing_records.blank(db)
        _note_aliases(db)
        _delete(db)
        forget_unnamed(db, "SELECT row FROM doomed_alias")
        _leave_to_purge(db, doomed, at)
        return doomed
    finally:
        _let_go(db)


def erase_again(db: apsw.Connection, forgotten: Forgotten, at: datetime, by: str) -> Doomed | None:
    """Delete of a copy what the store that it is of has forgotten since; None for nothing.

    Where that has a turn yet, out of which words were cut, these are cut here too.
    """
    try:
        _make_tables(db)
        whole = _gather_forgotten(db, forgotten)
        if not (whole or any(query(db, f"SELECT 1 FROM {each} LIMIT 1") for each in _FIRST)):
            return None
        _take_along(db)
        return _erase_gathered(db, [Choice(scope=each) for each in whole], at, by)
    finally:
        _let_go(db)


def delete_scope_if_empty(db: apsw.Connection, scope: Scope) -> bool:
    """Delete a scope of which nothing is left, with its name in records; whether it is gone."""
    _delete_scopes(db, Choice(scope=scope))
    return not query(db, "SELECT 1 FROM scope WHERE name = ?", (str(scope),))


def _erase_gathered(
    db: apsw.Connection, choices: Sequence[Choice], at: datetime, by: str
) -> Doomed:
    """Delete what was gathered, and what is left of the scopes that were chosen as a whole."""
    doomed = replace(_gathered(db), texts=_texts(db), vectors=_vectors(db))
    _leave_tombstones(db, choices)
    _blank_ledger(db)
    erasing_records.blank(db)
    _record(db, at, by)
    _note_aliases(db)
    _outdate_files(db)
    _cut_turns(db, at)
    _delete(db)
    for choice in choices:
        _delete_whole(db, choice)
    called = _called(db)
    forget_unnamed(db, "SELECT row FROM doomed_alias")
    _outdate_files_that_name(db, called)
    _leave_to_purge(db, doomed, at)
    return doomed


def _leave_to_purge(db: apsw.Connection, doomed: Doomed, at: datetime) -> None:
    """Note what is to be cleared yet: only an index that terms went out of is written anew."""
    renamed = db.execute("SELECT EXISTS (SELECT 1 FROM memory_without_terms)").get
    db.execute(
        "INSERT INTO purge (id, time, in_memory_fts, in_passage_fts) VALUES (?, ?, ?, ?)",
        (
            new_id(at),
            time_text(at),
            bool(doomed.memories) or renamed,
            bool(doomed.turns or doomed.cut),
        ),
    )


# Gathering ----------------------------------------------------------------------------------------


def _make_tables(db: apsw.Connection) -> None:
    _let_go(db)
    for table, columns in GATHERED.items():
        db.execute(f"CREATE TEMP TABLE {table} ({columns})")


def _gather(db: apsw.Connection, choice: Choice, visible: Scopes) -> None:
    _make_tables(db)
    db.execute(
        f"""WITH {VISIBLE} INSERT INTO open_scope
        SELECT row FROM scope WHERE :everything OR row IN visible""",
        seen_by(visible, {"everything": choice.everything}),
    )
    values = _values(choice)
    memories, turns, decisions = _conditions(choice)
    db.execute(
        f"""INSERT INTO doomed_memory SELECT m.row FROM memory m
        WHERE m.scope IN (SELECT row FROM open_scope) AND {memories}""",
        values,
    )
    db.execute(
        f"""INSERT INTO doomed_turn SELECT t.row FROM turn t {TURN_JOINS}
        WHERE c.scope IN (SELECT row FROM open_scope) AND {turns}""",
        values,
    )
    db.execute(
        f"""INSERT INTO doomed_decision SELECT d.row FROM decision d
        WHERE (:everything OR d.scope IN (SELECT name FROM open_scope CROSS JOIN scope USING (row)))
          AND {decisions}""",
        {**values, "everything": choice.everything},
    )
    if choice.entity is not None:
        _keep_those_that_name(db, choice.entity)
    if choice.path is not None:
        _take_sources(db, choice.path)
    _take_along(db)


def _gather_forgotten(db: apsw.Connection, forgotten: Forgotten) -> list[Scope]:
    """Gather in a copy what was forgotten since; returns the scopes of which nothing may be left.

    No words are cut because a memory rests on them: what stands of a turn is what the store has.
    Only where that has the turn no more, as when its conversation expired, they go with the memory.
    """
    memories = forgotten.memories(db)
    turns, spans = forgotten.turns(db)
    decisions = forgotten.decisions(db)
    db.executemany("INSERT INTO doomed_memory VALUES (?)", [(row,) for row in memories])
    db.executemany("INSERT INTO doomed_turn VALUES (?)", [(row,) for row in turns])
    db.executemany(
        "INSERT OR IGNORE INTO doomed_decision VALUES (?)", [(row,) for row in decisions]
    )
    rested_on = query(
        db,
        """SELECT t.row, t.id, coalesce(o.start, 0), coalesce(o.stop, 1 << 40)
        FROM doomed_memory d CROSS JOIN source o ON o.memory = d.row
        CROSS JOIN turn t ON t.row = o.turn WHERE t.row NOT IN (SELECT row FROM doomed_turn)""",
    )
    there = forgotten.there("turn", [id for _, id, _, _ in rested_on])
    spans += [(row, start, stop) for row, id, start, stop in rested_on if id not in there]
    db.executemany("INSERT OR IGNORE INTO doomed_span VALUES (?, ?, ?)", spans)
    return forgotten.scopes(db)


def _values(choice: Choice) -> dict[str, Any]:
    return {
        "ids": None if choice.ids is None else json.dumps(choice.ids),
        "conversation": choice.conversation,
        "scope": None if choice.scope is None else str(choice.scope),
        "since": time_or_none(choice.since),
        "until": time_or_none(choice.until),
        "path": choice.path,
    }


def _conditions(choice: Choice) -> tuple[str, str, str]:
    """What memories, turns and candidates must fulfil; all that is given counts.

    Candidates are chosen by what tells of many; else they go with their words or their memory.
    """
    memories, turns, decisions = ["TRUE"], ["TRUE"], ["TRUE"]
    if choice.ids is not None or choice.conversation is not None or choice.path is not None:
        decisions.append("FALSE")
    if choice.ids is not None:
        memories.append(f"m.id IN ({_WITH_VERSIONS})")
        turns.append("t.id IN (SELECT value FROM json_each(:ids))")
    if choice.conversation is not None:
        memories.append("FALSE")
        turns.append("c.name = :conversation")
    if choice.path is not None:
        turns.append("FALSE")
        memories.append("EXISTS (SELECT 1 FROM source WHERE memory = m.row AND path = :path)")
    if choice.scope is not None:
        memories.append("m.scope = (SELECT row FROM scope WHERE name = :scope)")
        turns.append("(SELECT row FROM scope WHERE name = :scope) IN (c.scope, c.project)")
        decisions.append("d.scope = :scope")
    if choice.since is not None:
        memories.append("m.recorded_at >= :since")
        turns.append("t.time >= :since")
        decisions.append("d.time >= :since")
    if choice.until is not None:
        memories.append("m.recorded_at < :until")
        turns.append("t.time < :until")
        decisions.append("d.time < :until")
    return " AND ".join(memories), " AND ".join(turns), " AND ".join(decisions)


_WITH_VERSIONS = """
WITH RECURSIVE version (id) AS (
  SELECT value FROM json_each(:ids)
  UNION SELECT old.id FROM version JOIN memory old ON old.superseded_by = version.id)
SELECT id FROM version
"""
"""What replaced another tells its words in its history: who forgets it means these too."""


def _keep_those_that_name(db: apsw.Connection, entity: str) -> None:
    """Keep of what was gathered what mentions an entity or spells a name that is its alone."""
    spelled = _naming_pattern(
        name
        for (name,) in query(
            db,
            """SELECT a.name FROM entity e JOIN alias a ON a.entity = e.row
            WHERE e.id = ? AND NOT EXISTS (
              SELECT 1 FROM alias other JOIN entity o ON o.row = other.entity
              WHERE other.name = a.name AND other.entity <> e.row AND o.scope = e.scope)""",
            (entity,),
        )
    )
    _keep_candidates_that_name(db, entity, spelled)
    for kind, scope, text, source in (
        ("memory", "m.scope", "concat_ws(char(10), m.content, m.detail)", "memory m USING (row)"),
        (
            "turn",
            "c.scope",
            f"concat_ws(char(10), t.speaker, {rows.WHOLE_TURN})",
            f"turn t USING (row) {TURN_JOINS}",
        ),
    ):
        others = [
            (row,)
            for row, content, is_there in query(
                db,
                f"""SELECT d.row, {text}, {scope} = (SELECT scope FROM entity WHERE id = :entity)
                FROM doomed_{kind} d CROSS JOIN {source} WHERE d.row NOT IN (
                  SELECT n.{kind} FROM entity e JOIN alias a ON a.entity = e.row
                  JOIN mention n ON n.alias = a.row
                  WHERE e.id = :entity AND n.{kind} IS NOT NULL)""",
                {"entity": entity},
            )
            if not (is_there and spelled.search(fold(content).casefold()))
        ]
        db.executemany(f"DELETE FROM doomed_{kind} WHERE row = ?", others)


def _keep_candidates_that_name(
    db: apsw.Connection, entity: str, spelled: regex.Pattern[str]
) -> None:
    others = [
        (row,)
        for row, content, is_there in query(
            db,
            """SELECT d.row, concat_ws(char(10), d.quote, d.content, d.candidate), d.scope = (
              SELECT s.name FROM entity e JOIN scope s ON s.row = e.scope WHERE e.id = ?)
            FROM doomed_decision CROSS JOIN decision d USING (row)""",
            (entity,),
        )
        if not (is_there and spelled.search(fold(content).casefold()))
    ]
    db.executemany("DELETE FROM doomed_decision WHERE row = ?", others)


def _naming_pattern(names: Iterable[str]) -> regex.Pattern[str]:
    """Any of some names as words of a text; where no spaces part words, anywhere."""
    spelled = [_as_words(name) for name in names]
    return regex.compile("|".join(spelled) or r"(?!)")


def _as_words(name: str) -> str:
    before, after = (
        r"\b" if end.isascii() and end.isalnum() else "" for end in (name[0], name[-1])
    )
    return before + r"[\s_-]+".join(map(regex.escape, name.split())) + after


def _take_sources(db: apsw.Connection, path: str) -> None:
    """Gather the sources in a file, and keep of the memories those that have no others."""
    db.execute(
        """INSERT INTO doomed_source
        SELECT o.row FROM doomed_memory d CROSS JOIN source o ON o.memory = d.row
        WHERE o.path = ?""",
        (path,),
    )
    db.execute(
        """DELETE FROM doomed_memory WHERE row IN (
          SELECT memory FROM source WHERE row NOT IN (SELECT row FROM doomed_source))"""
    )


def _take_along(db: apsw.Connection) -> None:
    """Gather the words that the memories rest on, and the memories that rest on these alone.

    A turn of which nothing would be left goes whole. Words that are out of sight stay: whose they
    are may forget them. What was derived from words goes wherever it is.
    """
    _follow(db, (*_WORDS, *_ON_GONE))


def _follow(db: apsw.Connection, along: Sequence[str]) -> None:
    while True:
        before = db.total_changes()
        for sql in along:
            db.execute(sql)
        if db.total_changes() == before:
            return


_RESTS_ON_GONE = """
o.turn IN (SELECT row FROM doomed_turn) OR EXISTS (
  SELECT 1 FROM doomed_span d WHERE d.turn = o.turn AND d.start <= o.start AND d.stop >= o.stop)
"""

_WORDS = (
    """INSERT OR IGNORE INTO doomed_span
    SELECT o.turn, coalesce(o.start, 0), coalesce(o.stop, 1 << 40)
    FROM doomed_memory d CROSS JOIN source o ON o.memory = d.row
    CROSS JOIN turn t ON t.row = o.turn CROSS JOIN conversation c ON c.row = t.conversation
    WHERE c.scope IN (SELECT row FROM open_scope)
      AND o.turn NOT IN (SELECT row FROM doomed_turn)""",
    """INSERT OR IGNORE INTO doomed_turn
    SELECT DISTINCT s.turn FROM doomed_span s WHERE NOT EXISTS (
      SELECT 1 FROM passage p WHERE p.turn = s.turn AND trim(p.content) <> '' AND NOT EXISTS (
        SELECT 1 FROM doomed_span d WHERE d.turn = s.turn AND d.start <= p.start
          AND d.stop >= p.start + length(rtrim(p.content))))""",
)
"""The words of memories that go, and turns of which nothing is left."""

_ON_GONE = (
    f"""INSERT OR IGNORE INTO doomed_source
    SELECT o.row FROM (SELECT row AS turn FROM doomed_turn UNION SELECT turn FROM doomed_span) gone
    CROSS JOIN source o ON o.turn = gone.turn WHERE {_RESTS_ON_GONE}""",
    """INSERT OR IGNORE INTO doomed_memory
    SELECT o.memory FROM doomed_source d CROSS JOIN source o ON o.row = d.row
    WHERE NOT EXISTS (
      SELECT 1 FROM source other WHERE other.memory = o.memory
      AND other.row NOT IN (SELECT row FROM doomed_source))""",
    *erasing_records.ALONG,
)
"""What goes along with what was gathered, run until nothing more is found."""


def _gathered(db: apsw.Connection) -> Doomed:
    def ids(sql: str) -> tuple[str, ...]:
        return tuple(id for (id,) in query(db, sql))

    return Doomed(
        memories=ids("SELECT id FROM doomed_memory CROSS JOIN memory USING (row) ORDER BY row"),
        turns=ids("SELECT id FROM doomed_turn CROSS JOIN turn USING (row) ORDER BY row"),
        cut=ids(
            """WITH cut (row) AS (SELECT turn FROM doomed_span EXCEPT SELECT row FROM doomed_turn)
            SELECT id FROM cut CROSS JOIN turn USING (row) ORDER BY row"""
        ),
        candidates=ids("SELECT id FROM doomed_decision CROSS JOIN decision USING (row)"),
    )


def _texts(db: apsw.Connection) -> tuple[str, ...]:
    """The words of some of what goes, to look for traces of it afterwards."""
    found = query(
        db,
        f"""SELECT concat_ws(char(10), m.content, m.detail,
          (SELECT group_concat(name, char(10)) FROM topic WHERE memory = m.row),
          (SELECT group_concat(reason, char(10)) FROM ledger WHERE memory = m.id))
        FROM doomed_memory d JOIN memory m USING (row)
        UNION ALL SELECT concat_ws(char(10), c.name, t.key, t.speaker, {rows.WHOLE_TURN})
        FROM doomed_turn d JOIN turn t USING (row) JOIN conversation c ON c.row = t.conversation
        UNION ALL SELECT substr({rows.WHOLE_TURN}, d.start + 1, d.stop - d.start)
        FROM doomed_span d JOIN turn t ON t.row = d.turn
        UNION ALL {erasing_records.TEXTS} LIMIT {MOST_LOOKED_FOR}""",
    )
    return tuple(text for (text,) in found if text)


def _vectors(db: apsw.Connection) -> tuple[bytes, ...]:
    found = query(
        db,
        f"""SELECT value FROM doomed_memory d JOIN memory_vector v ON v.memory = d.row
        UNION ALL SELECT value FROM doomed_turn d JOIN passage p ON p.turn = d.row
        JOIN passage_vector v ON v.passage = p.row
        UNION SELECT value FROM doomed_span d JOIN passage p ON p.turn = d.turn
          AND p.start < d.stop AND d.start < p.start + length(p.content)
        JOIN passage_vector v ON v.passage = p.row
        LIMIT {MOST_LOOKED_FOR}""",
    )
    return tuple(value for (value,) in found if value)


def _let_go(db: apsw.Connection) -> None:
    for table in GATHERED:
        db.execute(f"DROP TABLE IF EXISTS temp.{table}")


# What is left of it -------------------------------------------------------------------------------


def _leave_tombstones(db: apsw.Connection, choices: Sequence[Choice]) -> None:
    """Keep the marks of what goes, by which it is known when it comes again, and in copies."""
    mark = Marks.of(db)
    whole = [each for each in choices if each.is_whole]
    marks = [
        *(mark.id("memory", id) for (id,) in query(db, _IDS.format(noun="memory"))),
        *(mark.id("turn", id) for (id,) in query(db, _IDS.format(noun="turn"))),
        *(mark.id("decision", id) for (id,) in query(db, _IDS.format(noun="decision"))),
        *(
            mark.id("scope", name)
            for choice in whole
            for (name,) in query(
                db,
                "SELECT name FROM scope WHERE ?1 IS NULL OR name = ?1",
                (None if choice.scope is None else str(choice.scope),),
            )
        ),
        *(
            mark.memory(scope, digest)
            for scope, digest in query(
                db,
                """SELECT s.name, m.digest FROM doomed_memory d CROSS JOIN memory m USING (row)
                JOIN scope s ON s.row = m.scope WHERE m.digest IS NOT NULL""",
            )
        ),
        *(
            each
            for scope, conversation, turn, digest in query(
                db,
                f"""WITH gone (row) AS (
                  SELECT row FROM doomed_turn UNION SELECT turn FROM doomed_span)
                SELECT s.name, c.name, t.key, t.digest
                FROM gone CROSS JOIN turn t ON t.row = gone.row {TURN_JOINS}""",
            )
            for each in mark.turn(scope, conversation, turn, digest)
        ),
    ]
    db.executemany("INSERT OR IGNORE INTO tombstone VALUES (?)", [(each,) for each in marks])


_IDS = "SELECT id FROM doomed_{noun} CROSS JOIN {noun} USING (row)"


def _blank_ledger(db: apsw.Connection) -> None:
    """Take the words out of what the ledger tells of what goes, and of what rested on it too."""
    db.execute(
        """UPDATE ledger SET reason = NULL WHERE reason IS NOT NULL AND time IN (
          SELECT l.time FROM doomed_memory d CROSS JOIN memory m ON m.row = d.row
          CROSS JOIN ledger l ON l.memory = m.id WHERE l.reason IS NOT NULL)"""
    )  # a reason stands with the memory that came and with the one that went
    db.execute(
        """UPDATE ledger SET before = NULL, after = NULL, reason = NULL WHERE memory IN (
          SELECT id FROM memory WHERE row IN (SELECT row FROM doomed_memory))"""
    )
    db.execute(
        """UPDATE ledger SET before = NULL, after = NULL WHERE memory IN (
          SELECT id FROM memory WHERE row IN (
            SELECT memory FROM source o WHERE row IN (SELECT row FROM doomed_source)
              OR EXISTS (SELECT 1 FROM doomed_span d WHERE d.turn = o.turn
                AND d.start < coalesce(o.stop, d.stop) AND d.stop > coalesce(o.start, d.start))))"""
    )  # which quotes what is cut


def _record(db: apsw.Connection, at: datetime, by: str) -> None:
    """Say in the ledger that something went, by its id or its number."""
    db.execute(
        """INSERT INTO ledger (time, operation, by, scope, memory)
        SELECT ?, ?, ?, m.scope, m.id FROM doomed_memory d JOIN memory m USING (row)""",
        (time_text(at), Operation.FORGET.value, by),
    )
    db.execute(
        """INSERT INTO ledger (time, operation, by, scope, after)
        SELECT ?, ?, ?, c.scope, json_object('turns', count(*))
        FROM doomed_turn d JOIN turn t USING (row) JOIN conversation c ON c.row = t.conversation
        GROUP BY c.scope""",
        (time_text(at), Operation.FORGET.value, by),
    )


# Cutting out --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cut:
    """Spans of a text, in order and apart, that are taken out of it."""

    spans: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, spans: Iterable[tuple[int, int]]) -> Self:
        joined: list[tuple[int, int]] = []
        for start, stop in sorted(spans):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(stop, joined[-1][1]))
            elif start < stop:
                joined.append((start, stop))
        return cls(tuple(joined))

    def left_of(self, text: str, at: int) -> str:
        """What is left of a part of the text, which begins `at` a character of the whole."""
        kept: list[str] = []
        reached = at
        for start, stop in self.spans:
            if stop <= at or start >= at + len(text):
                continue
            kept.append(text[reached - at : max(start, at) - at])
            if start >= at:
                kept.append(FORGOTTEN)
            reached = min(stop, at + len(text))
        return "".join([*kept, text[reached - at :]])

    def place(self, at: int) -> int:
        """Where a character of the whole text is afterwards; one cut out, after what tells it."""
        moved = at
        for start, stop in self.spans:
            if start < at:
                moved += len(FORGOTTEN) - (min(stop, at) - start)
        return moved


def _cut_turns(db: apsw.Connection, at: datetime) -> None:
    """Take the words that memories rested on out of the turns that stay."""
    spans = query(db, "SELECT turn, start, stop FROM doomed_span ORDER BY turn")
    for turn, some in groupby(spans, key=lambda each: each[0]):
        cut = Cut.of((start, stop) for _, start, stop in some)
        content = _cut_passages(db, turn, cut)
        _move_sources(db, turn, cut, content)
        erasing_records.move_spans(db, turn, cut.place, content)
        (scope,) = query(
            db,
            f"SELECT c.scope FROM turn t {TURN_JOINS} WHERE t.row = ?",
            (turn,),
        )[0]
        look_again(db, turn, scope, content, at)
        db.execute("UPDATE turn SET digest = randomblob(16) WHERE row = ?", (turn,))


def _cut_passages(db: apsw.Connection, turn: int, cut: Cut) -> str:
    """What the turn says afterwards."""
    speaker, said, offset = query(
        db, "SELECT speaker, time, utc_offset FROM turn WHERE row = ?", (turn,)
    )[0]
    passages = query(
        db, "SELECT row, start, content FROM passage WHERE turn = ? ORDER BY start", (turn,)
    )
    kept = [(row, cut.place(start), cut.left_of(text, start)) for row, start, text in passages]
    whole = "".join(text for _, _, text in kept)
    db.execute("UPDATE passage SET start = -1 - start WHERE turn = ?", (turn,))  # out of the way
    for row, start, text in kept:
        if not text:
            db.execute("DELETE FROM passage WHERE row = ?", (row,))
            continue
        terms = passage_terms(whole, start, text, speaker, rows.zoned(said, offset))
        db.execute(
            "UPDATE passage SET start = ?, content = ?, terms = ? WHERE row = ?",
            (start, text, terms, row),
        )
    return whole


def _move_sources(db: apsw.Connection, turn: int, cut: Cut, content: str) -> None:
    """Let what rests on other words of a turn rest on them still, wherever they are now."""
    for row, start, stop in query(
        db,
        """SELECT row, start, stop FROM source WHERE turn = ?
        AND row NOT IN (SELECT row FROM doomed_source)""",
        (turn,),
    ):
        first = None if start is None else cut.place(start)
        end = None if stop is None else cut.place(stop)
        db.execute(
            "UPDATE source SET start = ?, stop = ?, quote = iif(quote IS NULL, NULL, ?) "
            "WHERE row = ?",
            (first, end, content[first:end], row),
        )


# Deleting -----------------------------------------------------------------------------------------


def _note_aliases(db: apsw.Connection) -> None:
    """Remember by which names what goes mentions entities: they may not be named so elsewhere."""
    db.execute(
        """INSERT OR IGNORE INTO doomed_alias
        SELECT alias FROM mention WHERE memory IN (SELECT row FROM doomed_memory)
        UNION SELECT alias FROM mention WHERE turn IN (
          SELECT row FROM doomed_turn UNION SELECT turn FROM doomed_span)"""
    )


def _outdate_files(db: apsw.Connection) -> None:
    """Have the files looked through that may tell of words which go, by memories that stay.

    Of memories that go the ledger tells, but that the files are not as they were written.
    """
    db.execute(
        """UPDATE file SET mark = -1 WHERE scope IN (
          SELECT m.scope FROM source o JOIN memory m ON m.row = o.memory
          WHERE o.memory NOT IN (SELECT row FROM doomed_memory)
            AND (o.row IN (SELECT row FROM doomed_source)
              OR o.turn IN (SELECT turn FROM doomed_span)))"""
    )
    db.execute(
        """UPDATE file SET stamp = NULL WHERE scope IN (
          SELECT scope FROM memory WHERE row IN (SELECT row FROM doomed_memory))"""
    )


def _called(db: apsw.Connection) -> list[Row]:
    """What entities are called that had a name which may go."""
    return query(
        db,
        """SELECT DISTINCT e.row, e.name FROM doomed_alias d JOIN alias a ON a.row = d.row
        JOIN entity e ON e.row = a.entity""",
    )


def _outdate_files_that_name(db: apsw.Connection, called: Sequence[Row]) -> None:
    """Have the files looked through of memories about what is called otherwise now."""
    changed = [
        row
        for row, name in called
        if db.execute("SELECT name FROM entity WHERE row = ?", (row,)).get != name
    ]
    db.execute(
        """UPDATE file SET mark = -1 WHERE scope IN (
          SELECT m.scope FROM alias a JOIN mention n ON n.alias = a.row
          JOIN memory m ON m.row = n.memory
          WHERE a.entity IN (SELECT value FROM json_each(?)))""",
        (json.dumps(changed),),
    )


def _delete(db: apsw.Connection) -> None:
    db.execute("DELETE FROM source WHERE row IN (SELECT row FROM doomed_source)")
    db.execute("DELETE FROM memory WHERE row IN (SELECT row FROM doomed_memory)")
    left = query(
        db,
        """SELECT DISTINCT conversation FROM turn WHERE row IN (SELECT row FROM doomed_turn)
        EXCEPT
        SELECT conversation FROM turn WHERE row NOT IN (SELECT row FROM doomed_turn)""",
    )
    db.execute("DELETE FROM turn WHERE row IN (SELECT row FROM doomed_turn)")
    delete_conversations(db, left)


def _delete_whole(db: apsw.Connection, choice: Choice) -> None:
    """Delete what is left of a scope, or of all, if it was chosen as a whole."""
    if choice.scope is not None or choice.everything:
        if choice.is_whole:
            db.execute(
                """DELETE FROM skill WHERE scope IN (
                  SELECT row FROM scope WHERE :scope IS NULL OR name = :scope)""",
                {"scope": None if choice.scope is None else str(choice.scope)},
            )
        _delete_scopes(db, choice)
        _strike_out(db, choice)
        if choice.is_whole:
            switches.take_names(db, choice.scope)


def _strike_out(db: apsw.Connection, choice: Choice) -> None:
    """Take a project, a profile or a person out of the register, or all of them."""
    scope = choice.scope
    values = {
        name: scope.name if scope is not None and scope.kind == kind else None
        for name, kind in (("project", "project"), ("profile", "profile"), ("person", "user"))
    } | {"everything": choice.everything}
    for sql in (
        "DELETE FROM project WHERE :everything OR name = :project",
        "DELETE FROM project_part WHERE :everything OR profile = :profile",
        "DELETE FROM channel WHERE :everything OR person = :person",
    ):
        db.execute(sql, values)


def delete_conversations(db: apsw.Connection, conversations: Sequence[Row]) -> None:
    """Delete conversations of which nothing is left, and their names in the ledger."""
    for (row,) in conversations:
        scope, name = query(db, "SELECT scope, name FROM conversation WHERE row = ?", (row,))[0]
        db.execute(
            "UPDATE ledger SET conversation = NULL WHERE scope = ? AND conversation = ?",
            (scope, name),
        )
        db.execute("DELETE FROM conversation WHERE row = ?", (row,))


def _delete_scopes(db: apsw.Connection, choice: Choice) -> None:
    """Delete scopes of which nothing is left, for a name is a trace too."""
    gone = query(
        db,
        """SELECT row FROM scope s WHERE (:everything OR name = :scope)
        AND NOT EXISTS (SELECT 1 FROM memory WHERE scope = s.row)
        AND NOT EXISTS (SELECT 1 FROM conversation WHERE scope = s.row)
        AND NOT EXISTS (SELECT 1 FROM conversation WHERE project = s.row)
        AND NOT EXISTS (SELECT 1 FROM skill WHERE scope = s.row)""",
        {
            "everything": choice.everything,
            "scope": None if choice.scope is None else str(choice.scope),
        },
    )
    for row in gone:
        db.execute("DELETE FROM entity WHERE scope = ?", row)
        db.execute(
            "UPDATE ledger SET scope = NULL, before = NULL, after = NULL, reason = NULL, "
            "conversation = NULL WHERE scope = ?",
            row,
        )
        db.execute("DELETE FROM scope WHERE row = ?", row)
    erasing_records.delete_of_scope(db, None if choice.everything else str(choice.scope))
