"""What only the file shows: rows that are as before, copies that go, locks that are short."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.passes import Stage
from memoranda.protocols import Store
from memoranda.stores.expiring import expire_slice, old_conversations
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import (
    DAY,
    MARCH,
    MODEL,
    OWNER,
    SITE,
    a_memory,
    add,
    add_with_names,
    find,
    forget,
    incoming,
    observe,
    vector,
)
from memoranda.testing.passes import (
    LATER,
    a_call,
    adding,
    begin,
    chosen,
    closing,
    confirming,
    do,
    end,
    resting,
    say,
    undo,
)
from memoranda.text.clean import mend
from memoranda.types import Change, Memory, Operation, Scope, Status
from tests.canaries import canaries, traces

RECORDS = {
    "attempt",
    "call",
    "consequence",
    "decision",
    "ledger",
    "neighbour",
    "offered",
    "pass",
    "reading",
    "spending",
    "vector_change",
}
"""What tells of a pass, and so stays when it is undone."""


@contextmanager
def a_store() -> Iterator[SqliteStore]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        SqliteStore.create(path, at=MARCH)
        store = SqliteStore(path)
        yield store
        store.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    path = tmp_path / "memory.db"
    SqliteStore.create(path, at=MARCH)
    opened = SqliteStore(path)
    yield opened
    opened.close()


def everything(store: SqliteStore) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, but for the records of passes and the pages of the indexes."""
    with store._connections.reading() as db:
        tables = [
            name
            for (name,) in db.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
            )
            if name not in RECORDS and not name.startswith("sqlite_")
        ]
        return {name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr) for name in tables}


def embed(store: Store) -> None:
    store.embed_by(MODEL)
    waiting = store.unembedded(10_000)
    store.keep_vectors(MODEL, [(each, vector(1, len(each.text))) for each in waiting])


PEOPLE = ("Mara Lindqvist", "Oskar Petrov", "Ines Duarte")
PLACES = ("Bergen", "Oslo", "atlas-nas", "the harbour")


def stocked(store: Store) -> tuple[list[str], list[Memory]]:
    """Turns, and memories with names, topics and sources; all have vectors."""
    turns = say(store, *(f"turn {number} of Bergen" for number in range(60)))
    held = [
        replace(
            a_memory(f"{PEOPLE[number % 2]} knows {PLACES[number % 4]} {number}", at=MARCH),
            topics=("places",) if number % 3 else (),
            valid_to=MARCH + 90 * DAY if number % 5 == 0 else None,
        )
        for number in range(80)
    ]
    add_with_names(store, *held)
    add(store, replace(a_memory("Ines Duarte and Skagen"), entities=("Skagen",)))
    embed(store)
    return turns, [store.memory(each.id, (OWNER,)) for each in held]


def test_two_hundred_operations_are_undone_row_by_row(store: SqliteStore) -> None:
    turns, held = stocked(store)
    before = everything(store)
    found = find(store, "Bergen"), find(store, "Lindqvist")
    of = begin(store)
    count = 0
    for number, memory in enumerate(held):
        turn = turns[number % 60]
        source = resting(turn, "turn").sources[0]
        said = f"Ines Duarte saw Skagen and Tromsø {number}"
        new = replace(resting(turn, "turn", said), scope=SITE if number % 7 == 0 else OWNER)
        confirmed = confirming(store, memory, source)
        changes = {
            0: [adding(new), closing(store, memory, new)],
            1: [closing(store, memory)],
            2: [confirmed],
            3: [adding(new)],
            4: [confirming(store, memory), adding(new)],
        }[number % 5]
        do(store, of, *changes)
        count += len(changes)
        if number % 5 == 2:  # and what was just changed is changed again
            do(store, of, closing(store, memory))
            count += 1
        if number % 5 == 3:
            do(store, of, confirming(store, new, replace(source, quote="again")))
            count += 1
        if number % 10 == 3:
            withdrawn = store.memory(new.id, (new.scope,))
            rejected = replace(withdrawn, status=Status.REJECTED, closed_at=LATER)
            do(store, of, Change(Operation.WITHDRAW, withdrawn, rejected))
            count += 1
        made = chosen(store, of, turn, "turn", stage=Stage.APPLIED, decided_by=of, memory=new.id)
        with store.transaction():
            store.passes.record(a_call(of, turns=[turn]))
            aside = {turns[-1]: "no answer"} if number == 70 else {}
            store.passes.read(of, [turn], [made], aside=aside, at=LATER)
    end(store, of)
    assert count >= 140
    while count < 200:
        do(store, of, confirming(store, held[2 + 5 * (count % 16)]))
        count += 1
    embed(store)
    assert everything(store) != before
    restored, removed, left, unread = undo(store, of)
    embed(store)
    assert (len(restored), len(removed), left, unread) == (64, 48, {}, 60)
    after = everything(store)
    for table in before:
        assert after[table] == before[table], table
    assert (find(store, "Bergen"), find(store, "Lindqvist")) == found
    assert find(store, "Tromsø") == []
    assert store.check() == []


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("add", "update", "delete", "noop", "revise", "read", "aside")),
        st.integers(0, 7),
        st.sampled_from((*PEOPLE, *PLACES, "tea", "止損單")),
    ),
    max_size=12,
)


@given(STEPS)
@settings(max_examples=30, deadline=None)
def test_whatever_a_pass_does_is_undone(steps: list[tuple[str, int, str]]) -> None:
    with a_store() as store:
        turns = say(store, *(f"turn {number}" for number in range(8)))
        held = [a_memory(f"{name} {nth}") for nth, name in enumerate((*PEOPLE, *PLACES, "x"))]
        add_with_names(store, *held)
        before = everything(store)
        of = begin(store)
        for step, which, word in steps:
            _take(store, of, step, store.memory(held[which].id, (OWNER,)), turns[which], word)
        end(store, of)
        assert undo(store, of)[2] == {}
        after = everything(store)
        for table in before:
            assert after[table] == before[table], table
        assert store.check() == []


def _take(store: Store, of: str, step: str, memory: Memory, turn: str, word: str) -> None:
    new = resting(turn, "turn", f"{word} is there")
    if step == "add":
        do(store, of, adding(new))
    elif step == "update" and memory.status.live:
        do(store, of, adding(new), closing(store, memory, new))
    elif step == "delete" and memory.status.live:
        do(store, of, closing(store, memory))
    elif step == "noop":
        do(store, of, confirming(store, memory, *new.sources))
    elif step == "revise":  # which no pass does yet
        after = replace(memory, pinned=True, detail=word, topics=(word,), kind=new.kind)
        do(store, of, Change(Operation.UPDATE, memory, after))
    elif step == "read":
        store.passes.read(of, [turn], [], aside={}, at=LATER)
    elif step == "aside":
        store.passes.read(of, [], [], aside={turn: word}, at=LATER)


def test_a_kind_that_a_pass_told_is_untold(store: SqliteStore) -> None:
    add(store, replace(a_memory("about it"), entities=("Mara Lindqvist",)))
    before = everything(store)
    of = begin(store)
    do(store, of, adding(a_memory("My sister Mara Lindqvist is a nurse in Bergen")))
    end(store, of)
    (kind,) = {each.kind for each in store.entities((OWNER,), name="Mara", limit=9)}
    assert kind == "person"
    undo(store, of)
    assert everything(store) == before


@settings(max_examples=50, deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=())), min_size=4, max_size=4))
def test_any_text_is_kept_but_for_what_no_file_can_keep(texts: list[str]) -> None:
    says, detail, reason, body = texts
    with a_store() as store:
        (turn,) = say(store, "plum")
        of = begin(store)
        made = chosen(store, of, turn, "plum", says=says, reason=reason)
        made = replace(made, candidate=replace(made.candidate, detail=detail))
        call = a_call(of, turns=[turn])
        attempt = replace(call.attempts[0], body=body, error=reason)
        store.passes.record(replace(call, attempts=(attempt,)))
        store.passes.read(of, [turn], [made], aside={}, at=LATER)
        (found,) = store.passes.decisions((OWNER,), limit=9)
        kept = [found.candidate.content, found.candidate.detail, found.reason]
        kept += [store.passes.calls(of, OWNER)[0].attempts[0].body]
        assert kept == [mend(each)[0] for each in texts]


# Previews


def test_nothing_of_a_preview_remains(store: SqliteStore, tmp_path: Path) -> None:
    (word,) = canaries(1)
    add(store, a_memory("likes tea"))
    files = sorted(tmp_path.rglob("*"))
    with store.preview() as copy:
        add(copy, a_memory(word))
        folder = copy.path.parent
        assert folder.stat().st_mode & 0o077 == 0
    assert sorted(tmp_path.rglob("*")) == files

    def stop() -> None:
        with store.preview() as copy:
            add(copy, a_memory(word))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert sorted(tmp_path.rglob("*")) == files
    assert traces(tmp_path, [word]) == []


CRASHING = """
import os, sys
from pathlib import Path
from memoranda.stores.sqlite import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
with store.preview():
    os._exit(1)
"""


def crash_in_a_preview(path: Path) -> None:
    subprocess.run([sys.executable, "-c", CRASHING, str(path)], check=False)
    assert len(list(path.parent.glob("preview-*/memory.db"))) == 1


def test_what_a_crashed_preview_left_goes_at_the_next_opening(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    SqliteStore.create(path, at=MARCH)
    crash_in_a_preview(path)
    store = SqliteStore(path)
    assert list(tmp_path.glob("preview-*")) == []
    with store.preview() as copy:
        SqliteStore(path).close()
        assert copy.check() == []
    store.close()


def test_what_was_forgotten_goes_from_previews_too(store: SqliteStore, tmp_path: Path) -> None:
    (word,) = canaries(1)
    memory = a_memory(word)
    add(store, memory)
    crash_in_a_preview(store.path)
    with store.preview() as held:
        doomed = forget(store, memory)
        name = held.path.parent.name
        assert store.purge().pending == (name,)
        found = store.traces(doomed)
        assert found[f"{name}/memory.db"]
        assert not found["memory.db"]
        assert [each.name for each in tmp_path.glob("preview-*")] == [name]
    assert store.purge().pending == ()
    assert traces(tmp_path, [word]) == []


def test_a_preview_within_a_transaction_is_refused(store: SqliteStore, tmp_path: Path) -> None:
    from memoranda.errors import StoreError

    with pytest.raises(StoreError), store.transaction(), store.preview():
        pass
    assert list(tmp_path.glob("preview-*")) == []


# Short writes


@pytest.mark.parametrize("conversations", [1, 40])
def test_expiring_holds_no_lock_for_long(store: SqliteStore, conversations: int) -> None:
    words = " ".join(canaries(60))
    turns = [
        incoming(f"{words} {number}", id=str(number), conversation=f"c{number % conversations}")
        for number in range(400)
    ]
    ids = observe(store, *turns).turns
    embed(store)
    of = begin(store)
    store.passes.read(of, ids, [], aside={}, at=LATER)
    store._connections.longest_write = type(store.longest_write)(0, 0)
    assert store.passes.expire(LATER, OWNER, at=LATER, by="test") == 400
    assert store.longest_write.cpu < 0.05
    assert store.holdings((OWNER,)).conversations == 0
    assert store.purge().pending == ()
    assert traces(store.path.parent, canaries(60)) == []


def test_an_expiry_that_was_stopped_goes_on(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = say(store, *(f"turn {number}" for number in range(30)))
    store.passes.read(begin(store), ids, [], aside={}, at=LATER)
    monkeypatch.setattr("memoranda.stores.expiring.WRITE_SLICE", 0)

    def stop(seconds: float) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr("time.sleep", stop)
        with pytest.raises(KeyboardInterrupt):
            store.passes.expire(LATER, OWNER, at=LATER, by="test")
    assert store.holdings((OWNER,)).turns == 29
    assert store.check() == []
    assert store.passes.expire(LATER, OWNER, at=LATER, by="test") == 29
    with store._connections.reading() as db:
        told = db.execute("SELECT sum(after ->> 'turns') FROM ledger WHERE operation = 'expire'")
        assert told.get == 30
        assert db.execute("SELECT count(*) FROM ledger WHERE conversation IS NOT NULL").get == 0


def test_looking_for_what_is_old_holds_no_lock(store: SqliteStore) -> None:
    turns = [incoming(f"turn {each}", id=str(each), conversation=f"c{each}") for each in range(50)]
    ids = observe(store, *turns).turns
    store.passes.read(begin(store), ids[:-1], [], aside={}, at=LATER)
    store._connections.longest_write = type(store.longest_write)(0, 0)
    assert store.passes.expire(MARCH, OWNER, at=LATER, by="test") == 0
    assert store.longest_write.wall == 0
    with store._connections.reading() as db:
        due = old_conversations(db, LATER, OWNER)
    say(store, "late", conversation="c7")
    with store._connections.writing() as db:
        while due:
            expire_slice(db, due, LATER, OWNER, LATER, "test")
    assert store.holdings((OWNER,)).turns == 3
    assert [each.content for each in store.passes.unread(OWNER, limit=9)] == ["late"]


def test_decisions_are_listed_quickly(store: SqliteStore) -> None:
    (turn,) = say(store, "plum")
    of = begin(store)
    made = [chosen(store, of, turn, "plum", says=f"Mara saw {each} plums") for each in range(1000)]
    store.passes.read(of, [turn], made, aside={}, at=LATER)
    started = time.thread_time()
    assert store.passes.decisions((OWNER,), limit=1000) == made
    assert time.thread_time() - started < 0.5


def test_whom_something_was_told_of_is_not_named(store: SqliteStore, tmp_path: Path) -> None:
    whom, warnings = canaries(2)
    store.passes.told(Scope("user", whom), warnings)
    assert traces(tmp_path, [whom, warnings]) == []


def test_a_large_backlog_is_read_in_parts_quickly(store: SqliteStore) -> None:
    with store._connections.writing() as db:
        db.execute(
            """INSERT INTO conversation (row, scope, name) SELECT 1, row, 'c' FROM scope;
            INSERT INTO scope (row, name) VALUES (9, 'user');
            INSERT INTO conversation (row, scope, name) VALUES (1, 9, 'c');
            WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 20000)
            INSERT INTO turn (id, conversation, digest, role, time, utc_offset, recorded_at)
            SELECT printf('01KJMMA2G0%016d', n), 1, x'', 'user', '2026-03-01T12:00:00.000000Z', 0,
              '2026-03-01T12:00:00.000000Z' FROM n;
            INSERT INTO passage (turn, start, content, terms, scope)
              SELECT row, 0, 'plum', '', 9 FROM turn;"""
        ).fetchall()
    steps = 0

    def count() -> bool:
        nonlocal steps
        steps += 1
        return False

    with store._connections.reading() as db:
        db.set_progress_handler(count, 1000)
        store.passes.unread(OWNER, limit=20)
        store.passes.unread(OWNER, by_rules=True, limit=20)
        store.passes.unread(OWNER, after=f"01KJMMA2G0{19000:016d}", limit=20)
        db.set_progress_handler(None)
    assert steps < 30
