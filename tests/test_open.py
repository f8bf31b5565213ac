"""Making and opening a home: never an empty store in place of a lost one; upgrades that hold."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest

import memoranda
from memoranda import HomeError, Memoranda, StoreError, Turn
from memoranda.stores import migrate, opening
from memoranda.stores.lock import HomeLock
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH, a_memory, add

SCHEMAS = Path(__file__).parent / "schemas"
AS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0


def refused(home: Path, told: str) -> None:
    before = sorted(home.iterdir()) if home.is_dir() else None
    with pytest.raises(HomeError, match=told):
        memoranda.open(home)
    after = sorted(home.iterdir()) if home.is_dir() else None
    lock = home / opening.LOCK_FILE
    assert [each for each in after or () if each != lock] == [
        each for each in before or () if each != lock
    ]


def test_only_init_makes_a_home(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere", "make one with `memoranda init`")
    assert not (tmp_path / "nowhere").exists()
    home = memoranda.init(tmp_path / "a" / "b")
    with memoranda.open(home) as m:
        assert m.status().capturing_since is None
    assert (home / "memory.db").stat().st_mode & 0o077 == 0


def test_init_leaves_what_is_there(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("plum")
    with pytest.raises(HomeError, match="is a home already"):
        memoranda.init(home)
    with memoranda.open(home) as m:
        assert len(m.list()) == 1
    (home / "memory.db").unlink()
    with pytest.raises(HomeError, match="restore a backup"):
        memoranda.init(home)


@pytest.mark.parametrize("name", ["memory.db-wal", "memory.db.before-0002", "memoranda.toml"])
def test_init_refuses_the_remains_of_a_home(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("")
    with pytest.raises(HomeError, match=f"has {name} but no memory.db"):
        memoranda.init(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_init_refuses_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "memory.db").symlink_to(tmp_path / "unmounted" / "memory.db")
    with pytest.raises(HomeError):
        memoranda.init(tmp_path)


def test_of_many_inits_at_once_one_makes_the_home(tmp_path: Path) -> None:
    def init(_: int) -> bool:
        try:
            memoranda.init(tmp_path / "home")
        except HomeError as error:
            assert "left as it is" in str(error) or "but no memory.db" in str(error)  # noqa: PT017
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(init, range(6))) == 1
    assert sorted(path.name for path in (tmp_path / "home").iterdir()) == [
        "memoranda.toml",
        "memory.db",
    ]


def test_init_where_no_folder_can_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(HomeError, match="cannot be made a home"):
        memoranda.init(tmp_path / "file")


def test_a_lost_store_is_not_replaced(home: Path) -> None:
    (home / "memory.db").unlink()
    refused(home, "restore a backup")


def test_an_empty_folder_is_no_home(tmp_path: Path) -> None:
    refused(tmp_path, "only `memoranda init` makes a new home")


def test_an_emptied_file_is_refused(home: Path) -> None:
    (home / "memory.db").write_bytes(b"")
    refused(home, "its content was lost")


def test_a_file_that_is_no_database_is_refused(home: Path) -> None:
    (home / "memory.db").write_bytes(b"hello " * 1000)
    refused(home, "no SQLite file")


def test_a_folder_in_place_of_the_file_is_refused(home: Path) -> None:
    (home / "memory.db").unlink()
    (home / "memory.db").mkdir()
    refused(home, "is missing")


def test_somebody_elses_database_is_refused(home: Path) -> None:
    (home / "memory.db").unlink()
    other = apsw.Connection(str(home / "memory.db"))
    other.execute("CREATE TABLE theirs (x)").fetchall()
    other.close()
    refused(home, "no store of ours")


def test_an_unfinished_store_is_refused(home: Path) -> None:
    (home / "memory.db").unlink()
    db = apsw.Connection(str(home / "memory.db"))
    db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}").fetchall()
    db.execute("VACUUM").fetchall()
    db.close()
    refused(home, "no finished store")


def test_a_lock_that_is_none_is_named(home: Path) -> None:
    lock = home / opening.LOCK_FILE
    lock.write_bytes(b"garbage " * 100)
    refused(home, "memory.lock is not the lock")
    lock.unlink()
    lock.mkdir()
    refused(home, "memory.lock cannot be opened")


def test_a_newer_file_is_refused(home: Path) -> None:
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("PRAGMA user_version = 99").fetchall()
    db.close()
    refused(home, "install a newer Memoranda")


@pytest.mark.skipif(AS_ROOT, reason="root may write everywhere")
def test_a_file_that_may_not_be_written_can_be_read(home: Path) -> None:
    (home / "memory.db").chmod(0o400)
    with memoranda.open(home) as m:
        assert m.list() == ()
        with pytest.raises(memoranda.ReadOnly, match="permissions"):
            m.remember("plum")


def test_a_damaged_file_is_an_error_with_a_way_out(home: Path) -> None:
    with memoranda.open(home) as m:
        m.observe(Turn("c", "user", f"plum {number}", id=str(number)) for number in range(500))
    data = bytearray((home / "memory.db").read_bytes())
    data[4096 * 3 :] = os.urandom(len(data) - 4096 * 3)
    (home / "memory.db").write_bytes(data)
    with pytest.raises(StoreError, match="restore a backup"):
        read_all(home)


def read_all(home: Path) -> None:
    with memoranda.open(home) as m:
        m.recall("plum")


def test_a_closed_home_says_so(home: Path) -> None:
    m = memoranda.open(home)
    m.close()
    m.close()
    with pytest.raises(StoreError, match="was closed"):
        m.recall("plum")


def test_a_full_disk_is_an_error_and_nothing_is_half_written(home: Path) -> None:
    with memoranda.open(home) as m:
        store = m._store
        assert isinstance(store, SqliteStore)
        with store._connections.reading() as db:
            pages = int(db.pragma("page_count"))
            db.execute(f"PRAGMA max_page_count = {pages + 2}").fetchall()
        with pytest.raises(StoreError, match="disk is full"):
            m.observe([Turn("c", "user", "plum " * 100_000)])
        assert m.status().holdings.turns == 0
        assert store.check() == []


def test_every_connection_is_set_up(m: Memoranda) -> None:
    store = m._store
    assert isinstance(store, SqliteStore)
    with store._connections.reading() as db:
        found = {
            name: db.pragma(name)
            for name in (
                "foreign_keys", "recursive_triggers", "secure_delete", "synchronous", "temp_store",
                "journal_mode", "journal_size_limit", "trusted_schema",
            )
        }  # fmt: skip
    assert found == {
        "foreign_keys": 1, "recursive_triggers": 1, "secure_delete": 1, "synchronous": 1,
        "temp_store": 2, "journal_mode": "wal", "journal_size_limit": 16777216,
        "trusted_schema": 0,
    }  # fmt: skip


# Migrations


def next_step(tmp_path: Path, sql: str) -> Path:
    """The released steps and one more."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate.FOLDER, folder)
    number = len(migrate.steps()) + 1
    (folder / f"{number:04d}_next.sql").write_text(sql)
    return folder


def upgrade(path: Path, folder: Path) -> None:
    db = apsw.Connection(str(path))
    try:
        migrate.migrate(db, path, folder)
    finally:
        db.close()


def filled(path: Path) -> Path:
    SqliteStore.create(path, at=MARCH)
    store = SqliteStore(path)
    add(store, a_memory("plum"))
    store.close()
    return path


def dump(path: Path) -> list[object]:
    db = apsw.Connection(str(path))
    found: list[object] = [db.pragma("user_version"), *db.execute("SELECT sql FROM sqlite_schema")]
    found += db.execute("SELECT * FROM memory").fetchall()
    db.close()
    return found


def test_a_migration_keeps_a_verified_copy_of_what_was(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    before = dump(path)
    upgrade(path, next_step(tmp_path, "ALTER TABLE memory ADD COLUMN mood TEXT;"))
    assert dump(path)[0] == before[0] + 1  # type: ignore[operator]
    (copy,) = tmp_path.glob("memory.db.before-*")
    assert dump(copy)[0] == before[0]
    assert dump(copy)[-1] == before[-1]


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE fine (x); INSERT INTO missing VALUES (1);",
        "CREATE TABLE fine (x); this is no SQL;",
        "DELETE FROM memory_fts_docsize;",
        "UPDATE memory SET scope = 999;",
    ],
)
def test_a_failed_migration_leaves_the_file_as_it_was(tmp_path: Path, sql: str) -> None:
    """Also when it runs, but leaves the file unsound."""
    path = filled(tmp_path / "memory.db")
    before = dump(path)
    with pytest.raises(HomeError, match="it is as it was"):
        upgrade(path, next_step(tmp_path, sql))
    assert dump(path) == before


def test_steps_without_a_gap(tmp_path: Path) -> None:
    (tmp_path / "0002_second.sql").write_text("SELECT 1;")
    with pytest.raises(StoreError, match="not numbered"):
        migrate.steps(tmp_path)


def test_an_older_home_is_brought_up_to_date_when_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filled(tmp_path / "memory.db")
    folder = next_step(tmp_path, "ALTER TABLE memory ADD COLUMN mood TEXT;")
    latest = migrate.steps(folder)
    monkeypatch.setattr(migrate, "steps", lambda folder=None: latest)
    in_use = HomeLock(tmp_path / opening.LOCK_FILE, alone=False, timeout=0)
    with pytest.raises(HomeError, match="in use by another process"):
        SqliteStore(path, lock_timeout=0.05)
    in_use.close()
    store = SqliteStore(path, lock_timeout=0.05)
    assert store.check() == []
    store.close()
    assert dump(path)[0] == len(latest)


def test_nobody_opens_a_home_that_is_being_changed(tmp_path: Path) -> None:
    path = filled(tmp_path / "memory.db")
    changing = HomeLock(tmp_path / opening.LOCK_FILE, alone=True, timeout=0)
    with pytest.raises(HomeError, match="is changing it"):
        SqliteStore(path, lock_timeout=0.05)
    changing.close()
    SqliteStore(path).close()


@pytest.mark.parametrize("schema", sorted(SCHEMAS.glob("*.sql")), ids=lambda path: path.stem)
def test_every_released_schema_is_upgraded(tmp_path: Path, schema: Path) -> None:
    """Each file holds what a home of that release held; the steps up to it make its tables."""
    home = tmp_path / "home"
    _as_released(home / "memory.db", schema)
    with memoranda.open(home) as m:
        assert [memory.content for memory in m.list()] == ["The pool is called tank"]
        assert len(m.history(m.list()[0].id)) == 3
        assert m.status().holdings.turns == 2
        assert m.recall("止损", memories=False).hits[0].source.speaker == "Mara"
        (nas,) = m.entities("atlas nas")
        assert (nas.name, nas.memories) == ("atlas-nas", 2)
        m.remember("Something new")
    store = SqliteStore(home / "memory.db")
    assert store.check() == []
    store.close()


def test_what_dangles_does_not_keep_a_home_from_being_upgraded(tmp_path: Path) -> None:
    """As when a tool deletes with foreign keys off, or names an entity without an alias."""
    home = tmp_path / "home"
    _as_released(home / "memory.db", SCHEMAS / "0002.sql")
    db = apsw.Connection(str(home / "memory.db"))
    db.execute(
        """DELETE FROM entity;
        INSERT INTO entity (row, id, scope, name) VALUES (77, '01E', 1, 'The Shed');
        INSERT INTO mention (entity, memory) SELECT 77, max(row) FROM memory;
        INSERT INTO mention (entity, turn) SELECT 77, min(row) FROM turn;
        INSERT INTO mention (entity, memory) VALUES (77, 99), (99, 1);
        INSERT INTO link (entity, other, relation, memory)
          VALUES (77, 99, 'is', NULL), (99, 77, 'is', NULL), (77, 77, 'is', 99);"""
    ).fetchall()
    db.close()
    with memoranda.open(home) as m:
        (shed,) = m.entities("shed")
        assert (shed.name, shed.memories) == ("The Shed", 1)


def _as_released(path: Path, schema: Path) -> None:
    path.parent.mkdir()
    db = apsw.Connection(str(path))
    db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}").fetchall()
    for step in migrate.steps()[: int(schema.stem)]:
        db.execute(step.sql).fetchall()
        db.execute(f"PRAGMA user_version = {step.number}").fetchall()
    db.execute(schema.read_text(encoding="utf-8")).fetchall()
    db.close()


@pytest.mark.parametrize("step", migrate.steps(), ids=lambda step: step.name)
def test_a_released_step_is_never_edited(step: migrate.Step) -> None:
    noted = (SCHEMAS / f"{step.number:04d}.sql").read_text(encoding="utf-8")
    assert hashlib.sha256(step.sql.encode()).hexdigest() in noted


def test_every_schema_has_a_home_to_upgrade_from() -> None:
    assert len(list(SCHEMAS.glob("*.sql"))) == len(migrate.steps())


def test_importing_loads_nothing_heavy() -> None:
    heavy = ["onnxruntime", "numpy", "fastapi", "httpx2", "pydantic", "opencc", "rich", "typer"]
    heavy += ["yaml", "asyncio", "logging", "hashlib", "ulid", "tomllib", "zoneinfo"]
    heavy += ["memoranda.answers", "memoranda.models.language"]
    code = f"import sys, memoranda; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
