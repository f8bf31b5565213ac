"""The SQL of writing. Every function runs inside a transaction that its caller began."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cached_property

import apsw

from memoranda.errors import Conflict, NotFound, StoreError
from memoranda.protocols import IncomingTurn, Unembedded, Vector
from memoranda.stores import rows
from memoranda.stores.connections import WRITE_SLICE, query
from memoranda.stores.incognito import Unkept
from memoranda.stores.marks import Marks
from memoranda.stores.naming import Naming, about, forget_names, last_mention
from memoranda.stores.reading import memories
from memoranda.stores.rows import time_or_none, time_text
from memoranda.text.clean import fingerprint
from memoranda.text.words import spoken_terms, terms
from memoranda.types import (
    Change,
    EntityKind,
    Memory,
    Named,
    Observed,
    Operation,
    Scope,
    Source,
    Turn,
)

AT_ONCE = 50
"""Rows completed in one transaction."""

SHORT = 400
"""Characters up to which a turn is searched together with the one before it, if that is short too.
"""

RECENT = timedelta(hours=1)
"""How long ago the turn before was said at most."""

CHANGES_KEPT = 20_000
"""Of so many changes of vectors the rows are kept, for other processes to follow."""


def scope_row(db: apsw.Connection, scope: Scope) -> int:
    found = db.execute("SELECT row FROM scope WHERE name = ?", (str(scope),)).get
    if found is None:
        db.execute("INSERT INTO scope (name) VALUES (?)", (str(scope),))
        found = db.last_insert_rowid()
    return int(found)


def record(
    db: apsw.Connection,
    at: datetime,
    operation: Operation,
    by: str,
    *,
    scope: int | None = None,
    memory: str | None = None,
    entity: str | None = None,
    conversation: str | None = None,
    reason: str | None = None,
    before: str | None = None,
    after: str | None = None,
    of: str | None = None,
) -> None:
    db.execute(
        """INSERT INTO ledger
        (time, operation, by, scope, memory, entity, conversation, reason, before, after, pass)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            time_text(at),
            operation.value,
            by,
            scope,
            memory,
            entity,
            conversation,
            reason,
            before,
            after,
            of,
        ),
    )


def observe_slice(
    db: apsw.Connection,
    turns: Sequence[IncomingTurn],
    scope: Scope,
    project: Scope | None,
    at: datetime,
    by: str,
    *,
    deliberate: bool,
) -> Observed:
    """Store turns until the slice of time is used up, at least one."""
    started = time.monotonic()
    place = _Place(db, scope, project, at)
    marks = Marks.known(db)
    incognito = Unkept(db, marks, scope)
    stored_in: Counter[str] = Counter()
    ids = []
    redacted: list[tuple[str, str]] = []
    quarantined: list[tuple[str, str]] = []
    known = forgotten = unkept = differing = mended = 0
    for incoming in turns:
        name = incoming.turn.conversation
        conversation = place.find(name)
        there = None if conversation is None else _known_turn(db, conversation, incoming)
        if there is not None:
            ids.append(there[0])
            known += 1
            differing += there[1] != incoming.digest and _says_other(db, there[0], incoming.turn)
        elif incognito.covers(name, incoming.turn.time if deliberate else incoming.time):
            unkept += 1
        elif _was_forgotten(db, marks, scope, incoming):
            forgotten += 1
        else:
            _store_turn(db, place.make(name), place.scope, incoming, at, place.naming)
            ids.append(incoming.id)
            stored_in[name] += 1
            mended += incoming.mended
            redacted += [(kind, incoming.id) for kind in incoming.secrets]
            if incoming.quarantined is not None:
                quarantined.append((incoming.quarantined, incoming.id))
        if time.monotonic() - started > WRITE_SLICE:
            break
    for name, count in stored_in.items():
        record(
            db,
            at,
            Operation.OBSERVE,
            by,
            scope=place.scope,
            conversation=name,
            after=json.dumps({"turns": count}),
        )
    return Observed(
        stored=stored_in.total(),
        known=known,
        forgotten=forgotten,
        incognito=unkept,
        differing=differing,
        mended=mended,
        redacted=tuple(redacted),
        quarantined=tuple(quarantined),
        turns=tuple(ids),
    )


class _Place:
    """Where turns go. Its rows are made when something is stored: a name alone is a trace too."""

    def __init__(
        self, db: apsw.Connection, scope: Scope, project: Scope | None, at: datetime
    ) -> None:
        self._db = db
        self._scope = scope
        self._project = project
        self._at = at
        self._found: dict[str, int | None] = {}

    @cached_property
    def scope(self) -> int:
        return scope_row(self._db, self._scope)

    @cached_property
    def naming(self) -> Naming:
        return Naming(self._db, self.scope, self._at)

    def find(self, conversation: str) -> int | None:
        if conversation not in self._found:
            self._found[conversation] = self._db.execute(
                """SELECT c.row FROM conversation c JOIN scope s ON s.row = c.scope
                WHERE s.name = ? AND c.name = ?""",
                (str(self._scope), conversation),
            ).get
        return self._found[conversation]

    def make(self, conversation: str) -> int:
        """The row of a conversation, which is made if there is none."""
        found = self.find(conversation)
        if found is None:
            project = None if self._project is None else scope_row(self._db, self._project)
            self._db.execute(
                "INSERT INTO conversation (scope, project, name) VALUES (?, ?, ?)",
                (self.scope, project, conversation),
            )
            found = self._found[conversation] = self._db.last_insert_rowid()
        return found


def _was_forgotten(
    db: apsw.Connection, marks: Sequence[Marks], scope: Scope, incoming: IncomingTurn
) -> bool:
    """Whether a turn comes again that was forgotten; one that is new for sure is said anew."""
    if incoming.nth == 0:
        return False
    turn = incoming.turn
    known_by = [
        mark
        for each in marks
        for digest in incoming.digests
        for mark in each.turn(str(scope), turn.conversation, turn.id, digest)
    ]
    return bool(
        query(
            db,
            f"SELECT 1 FROM tombstone WHERE mark IN ({', '.join('?' * len(known_by))})",
            known_by,
        )
    )


def _known_turn(
    db: apsw.Connection, conversation: int, incoming: IncomingTurn
) -> tuple[str, bytes] | None:
    """The id and digest of the stored turn that this is, if it is one."""
    if incoming.nth == 0:
        return None
    if incoming.turn.id is not None:
        condition = "key = :key LIMIT 1"
    elif incoming.nth is None:
        condition = "digest IN (:digest, :untouched) LIMIT 1"
    else:
        condition = "digest IN (:digest, :untouched) ORDER BY row LIMIT 1 OFFSET :nth - 1"
    found = query(
        db,
        f"SELECT id, digest FROM turn WHERE conversation = :conversation AND {condition}",
        {
            "conversation": conversation,
            "key": incoming.turn.id,
            "digest": incoming.digest,
            "untouched": incoming.untouched,
            "nth": incoming.nth,
        },
    )
    return (found[0][0], found[0][1]) if found else None


def _says_other(db: apsw.Connection, id: str, turn: Turn) -> bool:
    """Whether a stored turn has another role, speaker or content, whatever its time."""
    ((stored,),) = query(
        db,
        f"SELECT json_array(t.role, t.speaker, {rows.WHOLE_TURN}) FROM turn t WHERE t.id = ?",
        (id,),
    )
    return bool(json.loads(stored) != [str(turn.role), turn.speaker, turn.content])


def _store_turn(
    db: apsw.Connection,
    conversation: int,
    scope: int,
    incoming: IncomingTurn,
    at: datetime,
    naming: Naming,
) -> None:
    turn = incoming.turn
    db.execute(
        """INSERT INTO turn
        (id, conversation, key, digest, role, speaker, time, utc_offset, recorded_at, quarantined)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        (
            incoming.id,
            conversation,
            turn.id,
            incoming.digest,
            str(turn.role),
            turn.speaker,
            time_text(incoming.time),
            rows.offset_minutes(incoming.time),
            time_text(at),
            incoming.quarantined,
        ),
    )
    row = db.last_insert_rowid()
    previous = _previous_passage(db, row, conversation, incoming)
    db.executemany(
        "INSERT INTO passage (turn, start, content, terms, scope, previous, quarantined) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (row, start, content, terms, scope, previous, incoming.quarantined is not None)
            for start, content, terms in incoming.passages
        ],
    )
    if incoming.quarantined is None:
        naming.mention_in_turn(row, incoming.named)


def _previous_passage(
    db: apsw.Connection, row: int, conversation: int, incoming: IncomingTurn
) -> int | None:
    """The turn said just before a new one, whose row it is told, when both are short."""
    if len(incoming.passages) > 1 or len(incoming.turn.content) > SHORT:
        return None
    found = query(
        db,
        """SELECT p.row FROM passage p JOIN turn t ON t.row = p.turn
        WHERE t.row = (
          SELECT row FROM turn WHERE conversation = :conversation AND row <> :row
            AND time BETWEEN :earliest AND :time ORDER BY time DESC, row DESC LIMIT 1)
        AND length(p.content) <= :short AND NOT p.quarantined
        AND NOT EXISTS (SELECT 1 FROM passage WHERE turn = t.row AND start > 0) AND p.start = 0""",
        {
            "conversation": conversation,
            "row": row,
            "earliest": time_text(_earlier(incoming.time, RECENT)),
            "time": time_text(incoming.time),
            "short": SHORT,
        },
    )
    return found[0][0] if found else None


def _earlier(moment: datetime, by: timedelta) -> datetime:
    """A time before another one, or the first that the calendar has."""
    try:
        return moment.astimezone(UTC) - by
    except OverflowError:
        return datetime.min.replace(tzinfo=UTC)


def release_turn(db: apsw.Connection, turn: str, at: datetime, by: str) -> None:
    """Let models have a turn that was kept from them, by its id."""
    for row, scope, conversation in query(
        db,
        """SELECT t.row, c.scope, c.name FROM turn t JOIN conversation c ON c.row = t.conversation
        WHERE t.id = ? AND t.quarantined IS NOT NULL""",
        (turn,),
    ):
        db.execute("UPDATE turn SET quarantined = NULL WHERE row = ?", (row,))
        after = json.dumps({"turns": 1})
        record(db, at, Operation.RELEASE, by, scope=scope, conversation=conversation, after=after)


def apply_change(
    db: apsw.Connection,
    change: Change,
    at: datetime,
    by: str,
    reason: str | None,
    of: str | None = None,
) -> None:
    """See `Store.apply`; `of` is the pass whose change it is."""
    before, after = change.before, change.after
    new_scope = _is_new(db, after.scope)
    scope = scope_row(db, after.scope)
    naming = Naming(db, scope, at)
    told = _told(after, naming)
    if before is None:
        _insert_memory(db, after, change.named, scope, naming, of)
    else:
        row = _unchanged_row(db, before)
        update_memory(db, row, before, after, change.named, scope, naming, of)
    if of is not None:
        _note_consequences(db, of, after.id, scope if new_scope else None, naming.told_kinds)
    texts = rows.differences(before, told)
    record(
        db,
        at,
        change.operation,
        by,
        scope=scope,
        memory=after.id,
        reason=reason,
        before=texts[0],
        after=texts[1],
        of=of,
    )


def _is_new(db: apsw.Connection, scope: Scope) -> bool:
    return not query(db, "SELECT 1 FROM scope WHERE name = ?", (str(scope),))


def refuse_gone(db: apsw.Connection, of: str) -> None:
    """Raises NotFound for a pass that is not there, such as one that was forgotten as it ran."""
    if not query(db, "SELECT 1 FROM pass WHERE id = ?", (of,)):
        raise NotFound(f"there is no pass {of[:40]!r}")


def _note_consequences(
    db: apsw.Connection, of: str, memory: str, scope: int | None, entities: Iterable[int]
) -> None:
    """Remember what else came of a change by a pass, of which the ledger does not tell."""
    refuse_gone(db, of)
    db.executemany(
        "INSERT INTO consequence (pass, memory, scope, entity) VALUES (?, ?, ?, ?)",
        [
            *((of, memory, row, None) for row in [scope] if row is not None),
            *((of, memory, None, row) for row in entities),
        ],
    )


def _told(memory: Memory, naming: Naming) -> Memory:
    """A memory with its entities as they are called, each once."""
    given = naming.called(memory.given)
    found = [name for name in naming.called(memory.found) if name not in given]
    return replace(memory, entities=(*given, *found), found=tuple(found))


def _unchanged_row(db: apsw.Connection, before: Memory) -> int:
    """The row of a memory that is still as it was read. Raises NotFound or Conflict."""
    found = memories(db, "m.id = :id", {"id": before.id}, (before.scope,))
    if not found:
        raise NotFound(f"the memory {before.id} is gone")
    if _told_apart(found[0]) != _told_apart(before):
        raise Conflict(f"the memory {before.id} was changed by someone else; look at it again")
    return int(db.execute("SELECT row FROM memory WHERE id = ?", (before.id,)).get)


def _told_apart(memory: Memory) -> Memory:
    """A memory without what reading counts, what not every reader sees, and what may dangle.

    The successor goes when that is forgotten; a new one never comes without a new status. Entities
    are called otherwise when they are merged or split.
    """
    return replace(
        memory,
        used_at=None,
        use_count=0,
        sources=(),
        superseded_by=None,
        entities=(),
        found=(),
        contradicts=(),
        overridden_by=None,
    )


def _insert_memory(
    db: apsw.Connection,
    memory: Memory,
    named: Sequence[Named],
    scope: int,
    naming: Naming,
    of: str | None,
) -> None:
    words = (*sorted(memory.topics), *naming.words(memory.given))
    values = rows.memory_values(memory) | {
        "id": memory.id,
        "scope": scope,
        "terms": _memory_terms(memory.content, memory.detail, words),
        "digest": fingerprint(memory.content),
    }
    db.execute(
        f"INSERT INTO memory ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
        tuple(values.values()),
    )
    row = db.last_insert_rowid()
    _add_topics(db, row, memory.topics)
    _add_sources(db, row, memory.sources, of)
    naming.mention_in_memory(row, memory.given, _found(memory, named))


def _found(memory: Memory, named: Sequence[Named]) -> list[Named]:
    """The names found in a memory, also those of which nothing more is told."""
    told = {each.name for each in named}
    untold = [Named(name, EntityKind.THING, 0) for name in memory.found if name not in told]
    return [*named, *untold]


def update_memory(
    db: apsw.Connection,
    row: int,
    before: Memory,
    after: Memory,
    named: Sequence[Named],
    scope: int,
    naming: Naming,
    of: str | None,
) -> None:
    """Make a memory of what it was before what it is after; sources are only ever added."""
    old, new = rows.memory_values(before), rows.memory_values(after)
    changed = {name: value for name, value in new.items() if old[name] != value}
    given = tuple(naming.called(after.given))
    if before.topics != after.topics:
        db.execute("DELETE FROM topic WHERE memory = ?", (row,))
        _add_topics(db, row, after.topics)
    _update_mentions(db, row, before, after, named, naming)
    if (
        "content" in changed
        or "detail" in changed
        or before.topics != after.topics
        or before.given != given
    ):
        changed["terms"] = _memory_terms(after.content, after.detail, about(db, row))
        changed["digest"] = fingerprint(after.content)
    if before.scope != after.scope:
        changed["scope"] = scope
    if before.closed_at is None and after.closed_at is not None:
        changed["valid_to_open"] = old["valid_to"]
    if before.closed_at is not None and after.closed_at is None:
        changed["valid_to_open"] = None
    if changed:
        assignments = ", ".join(f"{name} = ?" for name in changed)
        db.execute(f"UPDATE memory SET {assignments} WHERE row = ?", (*changed.values(), row))
    _add_sources(db, row, [each for each in after.sources if each not in before.sources], of)


def _update_mentions(
    db: apsw.Connection,
    row: int,
    before: Memory,
    after: Memory,
    named: Sequence[Named],
    naming: Naming,
) -> None:
    """Mention what is new, then forget what is not there any more: what stays keeps its entity."""
    if before.scope != after.scope:  # and so its entities are others
        latest = last_mention(db)
        naming.mention_in_memory(row, after.given, _found(after, named))
        db.execute("DELETE FROM mention WHERE memory = ? AND row <= ?", (row, latest))
        return
    given = naming.called(after.given)
    stays = {*given, *naming.called(after.found)}
    naming.mention_in_memory(
        row,
        [name for called, name in given.items() if called not in before.given],
        [
            each
            for each in _found(after, named)
            if naming.called([each.name]).keys().isdisjoint(before.entities)
        ],
    )
    forget_names(db, row, [name for name in before.entities if name not in stays])


def without_terms(db: apsw.Connection, table: str) -> list[tuple[int]]:
    """Some rows that another program wrote and that lack their terms."""
    return query(db, f"SELECT row FROM {table}_without_terms LIMIT {AT_ONCE}")


def complete_memories(db: apsw.Connection, at: datetime) -> None:
    """Give some memories that another program wrote their terms and digest."""
    waiting = without_terms(db, "memory")
    for row, content, detail in query(
        db,
        """SELECT row, content, detail FROM memory
        WHERE row IN (SELECT value FROM json_each(?))""",
        (json.dumps([row for (row,) in waiting]),),
    ):
        db.execute(
            "UPDATE memory SET terms = ?, digest = ? WHERE row = ?",
            (_memory_terms(content, detail, about(db, row)), fingerprint(content), row),
        )
    db.executemany("DELETE FROM memory_without_terms WHERE row = ?", waiting)


def complete_passages(db: apsw.Connection, at: datetime) -> None:
    """Give some passages that another program wrote their terms.

    One whose time is none is read without it: an odd row must not keep a home from opening.
    """
    waiting = without_terms(db, "passage")
    for row, content, speaker, said, offset in query(
        db,
        """SELECT p.row, p.content, t.speaker, t.time, t.utc_offset FROM passage p JOIN turn t
        ON t.row = p.turn WHERE p.row IN (SELECT value FROM json_each(?))""",
        (json.dumps([row for (row,) in waiting]),),
    ):
        time = None
        with suppress(StoreError):
            time = rows.zoned(said, offset)
        spoken = spoken_terms(content, speaker, time)
        db.execute("UPDATE passage SET terms = ? WHERE row = ?", (spoken, row))
    db.executemany("DELETE FROM passage_without_terms WHERE row = ?", waiting)


def drop_vectors(db: apsw.Connection, table: str, model: str | None, *, after: int) -> int | None:
    """Drop some vectors, in the order of their rows, that are not of a model; None: of any.

    Returns the row to go on after, or None when that was all.
    """
    some = [
        row
        for (row,) in query(
            db,
            f"SELECT {table} FROM {table}_vector WHERE {table} > ? ORDER BY {table} LIMIT ?",
            (after, AT_ONCE),
        )
    ]
    if not some:
        return None
    db.execute(
        f"DELETE FROM {table}_vector WHERE {table} BETWEEN ? AND ? AND model IS NOT ?",
        (some[0], some[-1], model),
    )
    _forget_old_changes(db)
    return int(some[-1])


def _last_change(db: apsw.Connection) -> int:
    return int(db.execute("SELECT max(revision) FROM vector_change").get or 0)


def _forget_old_changes(db: apsw.Connection) -> None:
    """Keep the latest changes of vectors only."""
    oldest = _last_change(db) - CHANGES_KEPT
    db.execute("DELETE FROM vector_change WHERE revision <= ?", (oldest,))


def keep_vectors(
    db: apsw.Connection, model: str, vectors: Sequence[tuple[Unembedded, Vector]]
) -> int | None:
    """See `Store.keep_vectors`."""
    if db.execute("SELECT value FROM home WHERE name = 'vectors_of'").get != model:
        return None
    memories = [each for each in vectors if each[0].start is None]
    passages = [each for each in vectors if each[0].start is not None]
    before = _last_change(db)
    db.executemany(
        """INSERT INTO memory_vector (memory, model, value)
        SELECT row, :model, :value FROM memory WHERE id = :id AND content = :text
        ON CONFLICT DO UPDATE SET model = excluded.model, value = excluded.value""",
        [
            {"model": model, "value": value, "id": text.id, "text": text.text}
            for text, value in memories
        ],
    )
    db.executemany(
        f"""INSERT INTO passage_vector (passage, model, value)
        SELECT p.row, :model, :value FROM turn t
        JOIN passage p ON p.turn = t.row AND p.start = :start
        {rows.BEFORE_JOINS}
        WHERE t.id = :id AND {rows.SPOKEN} = :text AND {rows.SPOKEN_BEFORE} IS :before
        ON CONFLICT DO UPDATE SET model = excluded.model, value = excluded.value""",
        [
            {
                "model": model,
                "value": value,
                "id": text.id,
                "start": text.start,
                "text": text.text,
                "before": text.before,
            }
            for text, value in passages
        ],
    )
    _forget_old_changes(db)
    return _last_change(db) - before


def _memory_terms(content: str, detail: str | None, words: Iterable[str]) -> str:
    about = " ".join(words)
    return " ".join(filter(None, (terms(content), about, terms(about), terms(detail or ""))))


def _add_topics(db: apsw.Connection, memory: int, topics: Collection[str]) -> None:
    if topics:
        db.executemany(
            "INSERT INTO topic (memory, name) VALUES (?, ?)", [(memory, name) for name in topics]
        )


def _add_sources(
    db: apsw.Connection, memory: int, sources: Collection[Source], of: str | None
) -> None:
    for source in sources:
        turn = None
        if source.turn:
            turn = db.execute("SELECT row FROM turn WHERE id = ?", (source.turn,)).get
            if turn is None:
                raise NotFound(f"the turn {source.turn} is gone")
        db.execute(
            """INSERT INTO source
            (memory, kind, time, quote, turn, start, stop, path, line, by, pass)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                memory,
                source.kind,
                time_or_none(source.time),
                source.quote,
                turn,
                source.start,
                source.end,
                source.path,
                source.line,
                source.by,
                of,
            ),
        )
