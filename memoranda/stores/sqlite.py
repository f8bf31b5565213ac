"""A store in one SQLite file."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

import apsw

from memoranda.errors import StoreError
from memoranda.protocols import (
    IncomingTurn,
    Near,
    Purged,
    Ranking,
    Strongest,
    Unembedded,
    Vector,
    VectorsKept,
    Words,
)
from memoranda.stores import (
    cipher,
    incognito,
    keys,
    migrate,
    preview,
    rows,
    stretches,
    switches,
)
from memoranda.stores.connections import (
    PAUSE,
    USE_PATIENCE,
    Connections,
    Held,
    query,
    reported,
    warn,
)
from memoranda.stores.entities import entities, entity, merge, split
from memoranda.stores.erasing import choose, erase
from memoranda.stores.fulltext import (
    FEW,
    MEMORIES,
    PASSAGES,
    SCOPES_AS_TOKENS,
    Commonness,
    Table,
    expression,
    keeps_deleted,
    merge_some,
    scope_facets,
)
from memoranda.stores.gaps import GAPLESS
from memoranda.stores.keys import Keys
from memoranda.stores.linked import linked
from memoranda.stores.lock import HomeLock, InUse, WorkLock
from memoranda.stores.looking import View, may_be_written
from memoranda.stores.marks import Marks, heard_by
from memoranda.stores.naming import (
    bring_in_form,
    mention_in_memories,
    mention_in_turns,
    unformed,
    without_mentions,
)
from memoranda.stores.opening import (
    lock_as_it_is,
    lock_up_to_date,
    put_in_place,
    refuse_unusable,
)
from memoranda.stores.reading import (
    ID_BEGINS,
    TURN_JOINS,
    VISIBLE,
    any_ended,
    beginning,
    memories,
    memory_filter,
    only,
    passage_filter,
    scope_rows,
    seen_by,
    turn_filter,
    turns,
    without_hidden_sources,
)
from memoranda.stores.rekeying import finish
from memoranda.stores.rows import Row, moment_or_none, time_text
from memoranda.stores.strongest import strongest
from memoranda.stores.writing import (
    apply_change,
    complete_memories,
    complete_passages,
    drop_vectors,
    keep_vectors,
    observe_slice,
    release_turn,
    without_terms,
)
from memoranda.text.clean import fingerprint
from memoranda.types import (
    LIVE,
    Change,
    Choice,
    Conversation,
    Doomed,
    Entity,
    EntityKind,
    Entry,
    Filter,
    Forgotten,
    HitType,
    Holdings,
    Kind,
    Memory,
    Observed,
    Passage,
    Ranked,
    Scope,
    Scopes,
    Status,
    Switch,
    Topic,
)

if TYPE_CHECKING:
    from memoranda.stores.contradictions import SqliteContradictions
    from memoranda.stores.copies import SqliteCopies
    from memoranda.stores.files import SqliteFiles
    from memoranda.stores.kept import SqliteKept
    from memoranda.stores.passes import SqlitePasses
    from memoranda.stores.register import SqliteRegister
    from memoranda.stores.skills import SqliteSkillUses
    from memoranda.stores.transfer import SqliteTransfer
    from memoranda.stores.uses import SqliteUses
    from memoranda.stores.vectors import Vectors

PURGE_PATIENCE = 0.5
"""Seconds to wait for readers to let the log be cut; writers wait meanwhile."""

MANY_WRITES = 1000
"""After so many writes the full-text indexes are worth joining."""

COMPLETED: tuple[
    tuple[
        Callable[[apsw.Connection], Collection[object]],
        Callable[[apsw.Connection, datetime], None],
    ],
    ...,
] = (
    (unformed, bring_in_form),
    (partial(without_mentions, table="memory"), mention_in_memories),
    (partial(without_mentions, table="turn"), mention_in_turns),
    (partial(without_terms, table="memory"), complete_memories),
    (partial(without_terms, table="passage"), complete_passages),
)
"""What tells some rows that wait at an opening, and what completes them.

Names before terms, since those hold what the memories are about.
"""


class SqliteStore:
    """See `protocols.Store` for what each method promises."""

    def __init__(self, path: Path, *, lock_timeout: float = 30.0, read_only: bool = False) -> None:
        """Open an existing store, bringing an older one up to date.

        What may not be written is opened to be read, as any is that is opened `read_only`. Raises
        HomeError when the file is missing, empty, not ours, newer than this program, held by
        someone who is replacing it, or older when it may not be written.
        """
        read_only = read_only or not may_be_written(path)
        if not read_only:
            finish(path, lock_timeout)
        refuse_unusable(path)
        self.path = path
        self._lock_timeout = lock_timeout
        view: View | None = None
        self._lock: HomeLock | None
        if read_only:
            with reported(path):
                view = View(path)
            self._lock = lock_as_it_is(path, view, lock_timeout)
        else:
            self._lock = lock_up_to_date(path, lock_timeout)
        self._connections = Connections(path, lock_timeout, view)
        self._written = 0
        self._common = {table.name: Commonness(table) for table in (MEMORIES, PASSAGES)}
        self._vectors: dict[tuple[HitType, str], Vectors] = {}
        self._guard = Lock()
        if view is None:
            self._tidy(path)

    def _tidy(self, path: Path) -> None:
        """Finish what others left undone."""
        try:
            for folder in preview.left_over(path.parent):
                preview.remove_unless_held(folder)
            self._complete(datetime.now(UTC))
            self.purge(patience=0.0, lock=USE_PATIENCE)
        except BaseException:
            self.close()
            raise

    @classmethod
    def create(cls, path: Path, *, at: datetime, sealed: tuple[Keys, bytes] | None = None) -> None:
        """Make an empty store, whole or not at all; a `sealed` one is encrypted by that key.

        Raises HomeError when there is one already.
        """
        from tempfile import TemporaryDirectory  # what only a new home needs
        from uuid import uuid4

        with TemporaryDirectory(prefix="making-", dir=path.parent) as folder, reported(path):
            made = Path(folder) / path.name
            with closing(apsw.Connection(str(made), vfs=None if sealed else GAPLESS)) as db:
                if sealed:
                    cipher.apply(db, sealed[0].cipher, sealed[1])
                db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}")
                if sealed:
                    told = keys.of_store(sealed[0], cipher.begins(made))
                    keys.write(made.with_name(keys.FILE), told, sealed[1])
                migrate.migrate(db, made)
                db.execute(
                    "INSERT INTO home (name, value) VALUES ('id', ?), ('created_at', ?)",
                    (str(uuid4()), time_text(at)),
                )
                db.execute("PRAGMA journal_mode = WAL")
            made.chmod(0o600)
            keys.bring_along(made, path)
            put_in_place(made, path)

    def close(self) -> None:
        try:
            if self._written >= MANY_WRITES:
                self._written = 0
                self._merge_indexes()
        except StoreError as error:
            import logging

            logging.getLogger(__name__).info("the full-text indexes stay in pieces: %s", error)
        finally:
            self._connections.close()
            if self._lock is not None:
                self._lock.close()

    def _merge_indexes(self) -> None:
        """Join the pieces that many writes left: a search reads each."""
        for table in (MEMORIES, PASSAGES):
            with self._connections.writing(patience=USE_PATIENCE) as db:
                merge_some(db, table, anew=True)
            self._go_on_merging(table, USE_PATIENCE)

    def _go_on_merging(self, table: Table, patience: float | None) -> None:
        """Finish a merge that was begun, in short transactions."""
        unfinished = True
        while unfinished:
            time.sleep(PAUSE)
            with self._connections.writing(patience=patience) as db:
                unfinished = merge_some(db, table)

    @property
    def connections(self) -> Connections:
        """For what else is done to this file, when it is a copy."""
        return self._connections

    @property
    def is_read_only(self) -> bool:
        return self._connections.is_read_only

    def last_change(self) -> datetime | None:
        with self._connections.reading() as db:
            last = "SELECT time FROM ledger ORDER BY row DESC LIMIT 20"
            return moment_or_none(db.execute(f"SELECT max(time) FROM ({last})").get)

    @property
    def longest_write(self) -> Held:
        """The longest time that this store held the write lock."""
        return self._connections.longest_write

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._connections.writing():
            yield

    @property
    def cipher(self) -> str | None:
        told = keys.read(self.path.with_name(keys.FILE))
        return None if told is None else told.cipher

    @property
    def passes(self) -> SqlitePasses:
        from memoranda.stores.passes import SqlitePasses  # what most who open a home never ask for

        return SqlitePasses(self._connections, self._complete)

    @property
    def kept(self) -> SqliteKept:
        from memoranda.stores.kept import SqliteKept

        return SqliteKept(self._connections)

    @property
    def register(self) -> SqliteRegister:
        from memoranda.stores.register import SqliteRegister

        return SqliteRegister(self._connections)

    @property
    def files(self) -> SqliteFiles:
        from memoranda.stores.files import SqliteFiles

        return SqliteFiles(self._connections)

    @property
    def uses(self) -> SqliteUses:
        from memoranda.stores.uses import SqliteUses

        return SqliteUses(self._connections)

    @property
    def contradictions(self) -> SqliteContradictions:
        from memoranda.stores.contradictions import SqliteContradictions

        return SqliteContradictions(self._connections)

    @property
    def copies(self) -> SqliteCopies:
        from memoranda.stores.copies import SqliteCopies

        opened = partial(SqliteStore, lock_timeout=self._lock_timeout)
        return SqliteCopies(self._connections, self._lock_timeout, opened)

    @property
    def skills(self) -> SqliteSkillUses:
        from memoranda.stores.skills import SqliteSkillUses

        return SqliteSkillUses(self._connections)

    @property
    def transfer(self) -> SqliteTransfer:
        from memoranda.stores.transfer import SqliteTransfer

        return SqliteTransfer(self._connections, self._complete)

    @contextmanager
    def preview(self) -> Iterator[SqliteStore]:
        self._connections.refuse_writing()
        with preview.folder_for_copy(self.path.parent) as folder:
            copy = folder / self.path.name
            with self._connections.reading() as db:
                preview.copy(db, copy)
            with closing(SqliteStore(copy, lock_timeout=self._lock_timeout)) as store:
                yield store

    # Writing turns

    def observe(
        self,
        turns: Sequence[IncomingTurn],
        scope: Scope,
        project: Scope | None,
        *,
        at: datetime,
        by: str,
        deliberate: bool,
        profile: Scope | None = None,
    ) -> Observed:
        slices: list[Observed] = []
        done = 0
        while done < len(turns) or not slices:
            if slices:
                time.sleep(PAUSE)
            with self._connections.writing() as db:
                if not deliberate:
                    switches.refuse(db, scope, project, profile)
                slices.append(
                    observe_slice(db, turns[done:], scope, project, at, by, deliberate=deliberate)
                )
            done += slices[-1].looked_at
        observed = Observed.total(slices)
        self._written += observed.stored
        return observed

    # Writing memories

    def apply(
        self,
        changes: Sequence[Change],
        *,
        at: datetime,
        by: str,
        reason: str | None = None,
        of: str | None = None,
    ) -> None:
        with self._connections.writing() as db:
            for change in changes:
                apply_change(db, change, at, by, reason, of)
        self._written += len(changes)

    def merge(self, keep: str, other: str, *, at: datetime, by: str) -> None:
        with self._connections.writing() as db:
            merge(db, keep, other, at, by)
        self._complete(at)

    def split(
        self,
        entity: str,
        name: str,
        kind: EntityKind,
        *,
        aliases: Sequence[str],
        texts: Sequence[str],
        at: datetime,
        by: str,
    ) -> str:
        with self._connections.writing() as db:
            id = split(db, entity, name, kind, aliases, texts, at, by)
        self._complete(at)
        return id

    def set_capture(
        self,
        on: bool,
        scope: Scope | None = None,
        *,
        at: datetime,
        by: str,
        themselves: bool = False,
    ) -> None:
        with self._connections.writing() as db:
            if scope is None:
                switches.set_home(db, on, at, by)
            else:
                switches.set_scope(db, scope, on, at, by, themselves=themselves)

    def set_incognito(
        self,
        conversation: str,
        on: bool,
        scope: Scope,
        *,
        at: datetime,
        by: str,
        from_start: bool = False,
    ) -> Doomed:
        with self._connections.writing() as db:
            if not on:
                incognito.end(db, conversation, scope, at)
                return Doomed()
            incognito.begin(db, conversation, scope, at, from_start=from_start)
            if not from_start:
                return Doomed()
            return self._erase(db, Choice(conversation=conversation), heard_by(db, scope), at, by)

    def is_incognito(self, conversation: str, scope: Scope, now: datetime) -> bool:
        with self._connections.reading() as db:
            return incognito.Unkept(db, Marks.known(db), scope).covers(conversation, now)

    def release(self, turn: str, *, at: datetime, by: str) -> None:
        with self._connections.writing() as db:
            release_turn(db, turn, at, by)
        self._complete(at)

    # Forgetting

    def doomed(self, choice: Choice, visible: Scopes) -> Doomed:
        with self._connections.reading() as db:
            return choose(db, choice, visible)

    def forget(self, choice: Choice, visible: Scopes, *, at: datetime, by: str) -> Doomed:
        with self._connections.writing() as db:
            return self._erase(db, choice, visible, at, by)

    def _erase(
        self, db: apsw.Connection, choice: Choice, visible: Scopes, at: datetime, by: str
    ) -> Doomed:
        doomed = erase(db, choice, visible, at, by)
        self._erased(db, at)
        return doomed

    def _erased(self, db: apsw.Connection, at: datetime) -> None:
        """What goes along with every forgetting."""
        from memoranda.stores.copies import owe

        owe(db)
        # In the same transaction: whoever purges next must find no word that is to go yet.
        while without_terms(db, "memory"):
            complete_memories(db, at)

    def forget_again(
        self, erase_again: Callable[[apsw.Connection], Doomed | None], *, at: datetime
    ) -> Doomed | None:
        """Forget in a copy what the store has that it is of; for `copies`, which knows what."""
        with self._connections.writing() as db:
            doomed = erase_again(db)
            if doomed is not None:
                self._erased(db, at)
        return doomed

    def doom(self, paths: Sequence[str]) -> None:
        with self._connections.writing() as db:
            db.executemany(
                "INSERT OR IGNORE INTO doomed_file VALUES (?)", [(each,) for each in paths]
            )

    def spare(self, path: str) -> None:
        with self._connections.writing() as db:
            db.execute("DELETE FROM doomed_file WHERE path = ?", (path,))

    def purge(self, *, patience: float = PURGE_PATIENCE, lock: float | None = None) -> Purged:
        """See `Store.purge`; how many seconds to wait for readers, and for the write lock."""
        waiting = self._purges()
        if not waiting:
            return Purged()
        older = self._older_copies()
        kept = {each.name for each in older if not _is_removed(each)}
        kept |= self._held_previews()
        removed = [each.name for each in older if each.name not in kept]
        doomed = self._doomed_files()
        gone = [each for each in doomed if _is_removed(self.path.parent / each)]
        _remove_empty_folders(self.path.parent, gone)
        pending = sorted(kept | {*doomed} - {*gone})
        if not self._is_cleared(gone, patience, lock):
            pending += [self.path.name, f"{self.path.name}-wal"]
        if not pending:
            with self._connections.writing() as db:  # one that came meanwhile stays
                db.execute("DELETE FROM purge WHERE row <= ?", (waiting[-1],))
        return Purged(tuple(pending), (*removed, *gone))

    def _is_cleared(self, gone: Sequence[str], patience: float, lock: float | None) -> bool:
        """Write the indexes anew and cut the log; False when that has to wait.

        No name of a file that is gone is kept.
        """
        try:
            with self._connections.writing(patience=lock) as db:
                db.executemany("DELETE FROM doomed_file WHERE path = ?", [(each,) for each in gone])
            self._write_indexes_anew(lock)
            self._connections.write_anew()
            self._follow_changes()
            return self._connections.cut_log(patience)
        except StoreError as error:
            warn(f"what was forgotten may be in {self.path} until the next opening: {error}")
            return False

    def traces(self, doomed: Doomed, *, besides: Iterable[str] = ()) -> Mapping[str, int]:
        from memoranda.stores import traces

        folder = self.path.parent
        with self._connections.reading() as db:
            words = traces.unsaid(db, folder, traces.fragments(doomed.texts), besides)
        with reported(self.path):
            return traces.find(folder, words, doomed.vectors)

    def _follow_changes(self) -> None:
        """Drop the copies in memory of vectors that are gone."""
        with self._guard:
            copies = list(self._vectors.values())
        with self._connections.reading() as db:
            for vectors in copies:
                vectors.follow(db)

    def _doomed_files(self) -> list[str]:
        with self._connections.reading() as db:
            return [path for (path,) in query(db, "SELECT path FROM doomed_file ORDER BY path")]

    def _purges(self) -> list[int]:
        with self._connections.reading() as db:
            return [row for (row,) in query(db, "SELECT row FROM purge ORDER BY row")]

    def _write_indexes_anew(self, patience: float | None) -> None:
        """Until then a full-text index keeps the terms of what was deleted."""
        for table, kept in ((MEMORIES, "in_memory_fts"), (PASSAGES, "in_passage_fts")):
            with self._connections.reading() as db:
                last = db.execute(f"SELECT max(row) FROM purge WHERE {kept}").get
            if last is not None:
                self._drop_deleted(table, patience)
                with self._connections.writing() as db:
                    db.execute(f"UPDATE purge SET {kept} = FALSE WHERE row <= ?", (last,))

    def _drop_deleted(self, table: Table, patience: float | None) -> None:
        """Write a full-text index anew, without the terms of what was deleted."""
        with self._connections.writing(patience=patience) as db:
            if keeps_deleted(db, table):  # so it is small, or was far larger
                db.execute(f"INSERT INTO {table.name} ({table.name}) VALUES ('rebuild')")
            else:
                merge_some(db, table, anew=True)
        self._go_on_merging(table, patience)

    def _held_previews(self) -> set[str]:
        """The copies that somebody looks at yet; those that nobody holds go."""
        folders = preview.left_over(self.path.parent)
        return {each.name for each in folders if not preview.remove_unless_held(each)}

    def _older_copies(self) -> list[Path]:
        """The copies that upgrades and restores left, which hold what was forgotten since."""
        return migrate.copies(self.path)

    # Reading

    def switches(self) -> list[Switch]:
        with self._connections.reading() as db:
            return switches.all_(db)

    def switched_off(
        self, scope: Scope, project: Scope | None, profile: Scope | None = None
    ) -> tuple[Switch, ...]:
        with self._connections.reading() as db:
            return switches.off(db, scope, project, profile)

    def memory(self, id: str, visible: Scopes) -> Memory:
        with self._connections.reading() as db:
            found = memories(
                db, f"{ID_BEGINS} AND +m.scope IN visible LIMIT 2", beginning(id), visible
            )
        return only(found, [each.id for each in found], id)

    def turn(self, id: str, visible: Scopes) -> Passage:
        with self._connections.reading() as db:
            found = turns(db, "t.id >= :first AND t.id < :beyond LIMIT 2", beginning(id), visible)
        return only(found, [each.turn for each in found], id)

    def turns(
        self, conversation: str, own: Scope, *, after: str | None = None, limit: int
    ) -> list[Passage]:
        with self._connections.reading() as db:
            row = stretches.row_of(db, conversation, own)
            return stretches.turns(db, row, (own,), after=after, limit=limit)

    def stretch(
        self,
        first: str,
        last: str,
        visible: Scopes,
        *,
        conversation: str | None = None,
        own: Scope | None = None,
        limit: int,
    ) -> list[Passage]:
        with self._connections.reading() as db:
            row = stretches.row_of_ends(db, first, last, visible)
            if row is None and conversation is not None and own in visible:
                row = stretches.row_of(db, conversation, own)
            return stretches.turns(db, row, visible, first=first, last=last, limit=limit)

    def quarantined(self, visible: Scopes, limit: int) -> list[Passage]:
        condition = "t.quarantined IS NOT NULL ORDER BY t.row DESC LIMIT :limit"
        with self._connections.reading() as db:
            return turns(db, condition, {"limit": limit}, visible)

    def memories(
        self, visible: Scopes, filter: Filter, *, before: str | None = None, limit: int
    ) -> list[Memory]:
        condition, values = memory_filter(filter)
        values = {**values, "limit": limit}
        if before is not None:
            condition += " AND m.row < (SELECT row FROM memory WHERE id = :before)"
            values["before"] = self.memory(before, visible).id
        with self._connections.reading() as db:
            return memories(
                db,
                f"m.scope IN visible AND {condition} ORDER BY m.row DESC LIMIT :limit",
                values,
                visible,
            )

    def strongest(self, visible: Scopes, filter: Filter, kind: Kind, *, limit: int) -> Strongest:
        with self._connections.reading() as db:
            return strongest(db, visible, filter, kind, limit)

    def topics(self, visible: Scopes, filter: Filter) -> list[Topic]:
        condition, values = memory_filter(filter)
        with self._connections.reading() as db:
            found = query(
                db,
                f"""WITH {VISIBLE} SELECT t.name, count(*), max(m.used_at)
                FROM memory m JOIN topic t ON t.memory = m.row
                WHERE m.scope IN visible AND {condition}
                GROUP BY t.name ORDER BY count(*) DESC, t.name""",
                seen_by(visible, values),
            )
        return [Topic(name, count, moment_or_none(used)) for name, count, used in found]

    def entities(self, visible: Scopes, *, name: str | None = None, limit: int) -> list[Entity]:
        with self._connections.reading() as db:
            return entities(db, visible, name, limit)

    def entity(self, which: str, visible: Scopes) -> Entity:
        with self._connections.reading() as db:
            return entity(db, which, visible)

    def same(
        self,
        content: str,
        scope: Scope,
        kind: Kind,
        now: datetime,
        *,
        statuses: frozenset[Status] = LIVE,
    ) -> Memory | None:
        with self._connections.reading() as db:
            found = memories(
                db,
                "m.scope IN visible AND m.digest = :digest AND m.kind = :kind "
                "AND m.status IN (SELECT value FROM json_each(:statuses)) "
                "AND (m.valid_to IS NULL OR m.valid_to > :now) ORDER BY m.row LIMIT 1",
                {
                    "digest": fingerprint(content),
                    "kind": kind.value,
                    "now": time_text(now),
                    "statuses": json.dumps(sorted(statuses)),
                },
                (scope,),
            )
        return found[0] if found else None

    def entries(self, id: str, visible: Scopes) -> list[Entry]:
        with self._connections.reading() as db:
            ids = [
                each
                for (each,) in query(
                    db,
                    f"""WITH {VISIBLE} SELECT DISTINCT memory FROM ledger
                    WHERE memory >= :first AND memory < :beyond AND scope IN visible
                    UNION SELECT DISTINCT entity FROM ledger
                    WHERE entity >= :first AND entity < :beyond AND scope IN visible LIMIT 2""",
                    seen_by(visible, beginning(id)),
                )
            ]
            found = query(
                db,
                f"""WITH RECURSIVE {VISIBLE}, chain (id) AS (
                  SELECT :id
                  UNION SELECT m.id FROM chain JOIN memory m ON m.superseded_by = chain.id
                  UNION SELECT m.superseded_by FROM chain JOIN memory m ON m.id = chain.id
                    WHERE m.superseded_by IS NOT NULL
                  UNION SELECT l.entity FROM chain JOIN ledger l ON l.entity IS NOT NULL
                    AND l.operation = 'merge' AND l.after ->> 'merged_into' = chain.id)
                SELECT time, operation, by, memory, reason, before, after, entity FROM ledger
                WHERE (memory IN (SELECT id FROM chain) OR entity IN (SELECT id FROM chain))
                  AND scope IN visible ORDER BY row""",
                seen_by(visible, {"id": only(ids, ids, id)}),
            )
            entries = [rows.entry(row) for row in found]
            return without_hidden_sources(db, entries, visible)

    def mark(self) -> int:
        with self._connections.reading() as db:
            return int(db.execute("SELECT max(row) FROM ledger").get or 0)

    def changed(self, since: int, visible: Scopes) -> bool:
        with self._connections.reading() as db:
            return bool(
                query(
                    db,
                    f"""WITH {VISIBLE} SELECT 1 FROM ledger
                    WHERE row > :since AND scope IN visible LIMIT 1""",
                    seen_by(visible, {"since": since}),
                )
            )

    def search_memories(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        now = filter.statuses is None and filter.as_of is None and filter.known is None
        live = now and not filter.quarantined
        narrowed = (filter.since, filter.until, filter.topic) != (None, None, None)
        condition, values = memory_filter(filter)
        with self._connections.reading() as db:
            if live and not narrowed and not any_ended(db, filter.now):
                condition = ""  # the facets say it all, and no row need be looked at
            return self._search(
                db,
                MEMORIES,
                words,
                visible,
                condition,
                {**values, "limit": limit},
                live=live,
                kinds=filter.kinds,
            )

    def search_turns(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        condition, values = passage_filter(filter)
        if (filter.as_of, filter.known, filter.since, filter.until) == (None,) * 4:
            condition = ""  # the facets say it all
        depth = 3 * limit  # since several passages of one turn are one place
        with self._connections.reading() as db:
            while True:
                ranking = self._search(
                    db,
                    PASSAGES,
                    words,
                    visible,
                    condition,
                    values | {"limit": depth},
                    live=not filter.quarantined,
                )
                best = {each.id: each for each in reversed(ranking.found)}
                if len(best) >= limit or len(ranking.found) < depth:
                    break
                depth *= 10  # a few long turns fill the ranking
        found = sorted(best.values(), key=lambda each: -each.score)
        return replace(ranking, found=tuple(found[:limit]))

    def _search(
        self,
        db: apsw.Connection,
        table: Table,
        words: Words,
        visible: Scopes,
        condition: str,
        values: dict[str, Any],
        *,
        live: bool,
        kinds: Collection[Kind] | None = None,
    ) -> Ranking:
        """The best rows by BM25; `values` binds what `condition` names, and the limit."""
        scopes: list[int] | None = scope_rows(db, visible)
        if not words or not scopes:
            return Ranking()
        if len(scopes) > SCOPES_AS_TOKENS:
            if len(scopes) < db.execute("SELECT count(*) FROM scope").get:
                condition = " AND ".join(filter(None, (condition, "scope IN visible")))
            scopes = None
        size = db.execute(f"SELECT max(row) FROM {table.source}").get or 0
        facets = scope_facets(scopes, live=live) if scopes else ""
        commonness = self._common[table.name]
        rare, common = commonness.split(db, words, size, facets)

        def best(texts: Sequence[str], joined_by: str) -> list[Row]:
            match = expression(
                table, texts, joined_by=joined_by, scopes=scopes, live=live, kinds=kinds
            )
            return query(
                db,
                f"""WITH {VISIBLE}, best AS ({table.best(condition)})
                SELECT -cost, {table.id} FROM best JOIN {table.source} USING (row)
                ORDER BY cost""",
                seen_by(visible, values | {"match": match}),
            )

        found = best(rare, "OR") if rare else []
        searched = rare
        # When those find little, first the texts with all the common words, which is quick, then
        # those with any: a word more must never find less.
        for joined_by in ("AND", "OR") if len(common) > 1 else ("OR",):
            if common and len(found) < FEW:
                searched = [*rare, *common]
                known = {row[1:] for row in found}
                found += [row for row in best(common, joined_by) if row[1:] not in known]
        return Ranking(
            tuple(Ranked(row[1], row[0], *row[2:]) for row in found[: values["limit"]]),
            tuple(common) if rare else (),
            commonness.ceiling(db, searched, size),
        )

    def near(
        self,
        type: HitType,
        vector: Vector,
        model: str,
        visible: Scopes,
        filter: Filter,
        limit: int,
        *,
        also: Sequence[Ranked] = (),
    ) -> Near:
        condition, values = (memory_filter if type == "memory" else passage_filter)(filter)
        with self._connections.reading() as db:
            vectors = self._vectors_of(type, model, passing=db.in_transaction)
            return vectors.near(db, vector, visible, condition, values, limit, also)

    def _vectors_of(self, type: HitType, model: str, *, passing: bool) -> Vectors:
        """The copy of a model's vectors, or a passing one, for what may yet be undone."""
        from memoranda.stores.vectors import SEARCHED, Vectors  # numpy is dear to load

        if passing:
            return Vectors(SEARCHED[type], model)
        with self._guard:
            key = (type, model)
            if key not in self._vectors:
                self._vectors[key] = Vectors(SEARCHED[type], model)
            return self._vectors[key]

    def alike(
        self, visible: Scopes, model: str, *, least: float, limit: int
    ) -> list[tuple[str, str, float]]:
        from memoranda.stores.alike import alike  # numpy is dear to load

        with self._connections.reading() as db:
            return alike(db, visible, model, least, limit)

    def linked(
        self,
        type: HitType,
        names: Sequence[str],
        visible: Scopes,
        filter: Filter,
        limit: int,
    ) -> tuple[Ranked, ...]:
        with self._connections.reading() as db:
            return linked(db, type, names, visible, filter, limit)

    def in_time(
        self, type: HitType, visible: Scopes, filter: Filter, limit: int, *, latest_first: bool
    ) -> tuple[Ranked, ...]:
        down = "DESC" if latest_first else ""
        if type == "memory":
            condition, values = memory_filter(filter)
            statement = f"""SELECT m.id, NULL FROM memory m
              WHERE m.scope IN visible AND {condition}
              ORDER BY coalesce(m.valid_from, m.recorded_at) {down}, m.row {down}"""
        else:
            condition, values = turn_filter(filter)
            statement = f"""SELECT t.id, 0 FROM turn t JOIN conversation c ON c.row = t.conversation
              WHERE c.scope IN visible AND {condition}
              ORDER BY t.time {down}, t.row {down}"""
        with self._connections.reading() as db:
            found = query(
                db,
                f"WITH {VISIBLE} {statement} LIMIT :limit",
                seen_by(visible, {**values, "limit": limit}),
            )
            return tuple(Ranked(id, 0.0, start) for id, start in found)

    def fetch_memories(self, ids: Sequence[str], visible: Scopes, filter: Filter) -> list[Memory]:
        if not ids:
            return []
        condition, values = memory_filter(filter)
        with self._connections.reading() as db:
            found = memories(
                db,
                "m.id IN (SELECT value FROM json_each(:ids)) AND m.scope IN visible "
                f"AND {condition}",
                {**values, "ids": json.dumps(ids)},
                visible,
            )
        by_id = {each.id: each for each in found}
        return [by_id[id] for id in ids if id in by_id]

    def fetch_passages(
        self, ranked: Sequence[Ranked], visible: Scopes, filter: Filter
    ) -> list[Passage]:
        if not ranked:
            return []
        condition, values = turn_filter(filter)
        with self._connections.reading() as db:
            found = {
                row[0]: rows.passage(row[1:])
                for row in query(
                    db,
                    f"""WITH {VISIBLE}
                    SELECT wanted.key, {rows.PASSAGE_COLUMNS}, p.start, p.content,
                      u.id, {rows.SPOKEN_BEFORE}
                    FROM json_each(:wanted) wanted
                    JOIN turn t ON t.id = wanted.value ->> 0
                    JOIN passage p ON p.turn = t.row AND p.start = wanted.value ->> 1
                    {rows.BEFORE_JOINS}
                    {TURN_JOINS}
                    WHERE c.scope IN visible AND {condition}""",
                    seen_by(
                        visible,
                        values | {"wanted": json.dumps([(each.id, each.start) for each in ranked])},
                    ),
                )
            }
        return [found[place] for place in range(len(ranked)) if place in found]

    def scopes(self) -> Scopes:
        with self._connections.reading() as db:
            found = query(
                db,
                """SELECT name FROM scope s WHERE EXISTS (SELECT 1 FROM memory WHERE scope = s.row)
                OR EXISTS (SELECT 1 FROM conversation WHERE scope = s.row)
                OR EXISTS (SELECT 1 FROM skill WHERE scope = s.row) ORDER BY name""",
            )
        return tuple(Scope.parse(name) for (name,) in found)

    def holdings(self, visible: Scopes) -> Holdings:
        with self._connections.reading() as db:
            conversations, turns, quarantined, first, last = query(
                db,
                f"""WITH {VISIBLE}
                SELECT count(DISTINCT c.row), count(t.row), count(t.quarantined), min(t.time),
                  max(t.time)
                FROM conversation c JOIN turn t ON t.conversation = c.row
                WHERE c.scope IN visible""",
                seen_by(visible),
            )[0]
            ((unembedded,),) = query(
                db,
                f"""WITH {VISIBLE} SELECT
                (SELECT count(*) FROM memory_without_vector w CROSS JOIN memory m ON m.row = w.row
                  WHERE +m.scope IN visible)
                + (SELECT count(*) FROM passage_without_vector w CROSS JOIN passage p
                  ON p.row = w.row WHERE +p.scope IN visible)""",
                seen_by(visible),
            )
            by_status = query(
                db,
                f"""WITH {VISIBLE} SELECT status, count(*) FROM memory m
                WHERE m.scope IN visible GROUP BY status""",
                seen_by(visible),
            )
        return Holdings(
            conversations=conversations,
            turns=turns,
            memories={Status(status): count for status, count in by_status},
            first=rows.moment_or_none(first),
            last=rows.moment_or_none(last),
            quarantined=quarantined,
            unembedded=unembedded,
        )

    def conversations(self, visible: Scopes, now: datetime) -> list[Conversation]:
        from memoranda.stores import inventory  # what few ask for

        with self._connections.reading() as db:
            return inventory.conversations(db, visible, now)

    def forgotten(self, visible: Scopes) -> list[Forgotten]:
        from memoranda.stores import inventory

        with self._connections.reading() as db:
            return inventory.forgotten(db, visible)

    # Vectors

    def vectors(self) -> VectorsKept:
        with self._connections.reading() as db:
            ((model, waiting),) = query(
                db,
                """SELECT (SELECT value FROM home WHERE name = 'vectors_of'),
                (SELECT count(*) FROM memory_without_vector)
                + (SELECT count(*) FROM passage_without_vector)""",
            )
        return VectorsKept(model, waiting)

    def embed_by(self, model: str, *, again: bool = False) -> None:
        self._set_vectors_of("")  # nobody's, until those of the one before are gone
        for table in ("memory", "passage"):
            kept: int | None = 0
            while kept is not None:
                with self._connections.writing() as db:
                    kept = drop_vectors(db, table, None if again else model, after=kept)
                time.sleep(PAUSE)
        self._set_vectors_of(model)

    def _set_vectors_of(self, model: str) -> None:
        with self._connections.writing() as db:
            db.execute(
                "INSERT INTO home VALUES ('vectors_of', ?) "
                "ON CONFLICT DO UPDATE SET value = excluded.value",
                (model,),
            )

    def unembedded(self, limit: int) -> list[Unembedded]:
        with self._connections.reading() as db:
            memories = query(
                db,
                """SELECT m.id, NULL, m.content, NULL FROM memory_without_vector w
                JOIN memory m ON m.row = w.row ORDER BY w.row DESC LIMIT ?""",
                (limit,),
            )
            passages = query(
                db,
                f"""SELECT t.id, p.start, {rows.SPOKEN}, {rows.SPOKEN_BEFORE}
                FROM passage_without_vector w JOIN passage p ON p.row = w.row
                JOIN turn t ON t.row = p.turn
                {rows.BEFORE_JOINS} ORDER BY w.row DESC LIMIT ?""",
                (limit - len(memories),),
            )
        return [Unembedded(*row) for row in (*memories, *passages)]

    def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, Vector]]) -> int | None:
        with self._connections.writing() as db:
            return keep_vectors(db, model, vectors)

    @contextmanager
    def alone(self, purpose: str) -> Iterator[bool]:
        self._connections.refuse_writing()
        try:
            with reported(self.path):
                lock = WorkLock(self.path.with_name(f"{purpose}.lock"))
        except InUse:
            yield False
            return
        try:
            yield True
        finally:
            lock.close()

    # Upkeep

    def check(self) -> list[str]:
        with self._connections.writing() as db:
            return list(migrate.find_problems(db))

    def _complete(self, at: datetime) -> None:
        """Make findable what is older, changed its names, or was written by another program.

        In short transactions, for it may be everything.
        """
        for waiting, complete in COMPLETED:
            while self._any(waiting):
                with self._connections.writing() as db:
                    complete(db, at)
                time.sleep(PAUSE)

    def _any(self, waiting: Callable[[apsw.Connection], Collection[object]]) -> bool:
        with self._connections.reading() as db:
            return bool(waiting(db))


def _remove_empty_folders(home: Path, paths: Sequence[str]) -> None:
    """Remove the folders within a home that are empty without these files."""
    for path in paths:
        for folder in (home / path).parents:
            if folder == home or not folder.is_dir() or any(folder.iterdir()):
                break
            folder.rmdir()


def _is_removed(path: Path) -> bool:
    try:
        if path.is_dir() and not path.is_symlink():
            if not any(path.iterdir()):  # else it is somebody's by now
                path.rmdir()
            return True
        path.unlink(missing_ok=True)
    except OSError:
        return False
    return True
