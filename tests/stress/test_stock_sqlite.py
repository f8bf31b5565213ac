"""Any SQLite tool reads, searches and writes the file, from 3.40 on.

What stands in for the tool is Python's own `sqlite3` in another process, whatever SQLite it was
built with: two SQLite libraries must not open one file in one process.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import memoranda
from memoranda import Memoranda, StoreError, Turn
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Filter


def stock(path: Path, code: str) -> object:
    """Run code that has `db`, a stock connection, and puts its findings in `out`."""
    program = f"""
import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
out = {{}}
{code}
print(json.dumps(out))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_stock_sqlite_reads_searches_and_writes(home: Path) -> None:
    with memoranda.open(home) as m:
        _thousand_operations(m, random.Random(3))
        kept = m.remember("The pool is called tank")
        edited = m.remember("The pool holds plums")
    path = home / "memory.db"
    found = stock(
        path,
        f"""
out["version"] = sqlite3.sqlite_version
out["check"] = db.execute("PRAGMA integrity_check").fetchone()[0]
out["match"] = db.execute(
    "SELECT m.id FROM memory_fts JOIN memory m ON m.row = memory_fts.rowid"
    " WHERE memory_fts MATCH 'pool AND tank'").fetchall()
out["said"] = db.execute("SELECT count(*) FROM transcript WHERE content LIKE 'turn%'").fetchone()[0]
db.execute("UPDATE memory SET content = '止損單 and pears' WHERE id = '{edited.id}'")
db.execute("DELETE FROM memory WHERE content LIKE 'memory 1%'")
db.execute("DELETE FROM turn WHERE row IN (SELECT turn FROM passage WHERE content LIKE 'turn 2%')")
db.execute(
    "INSERT INTO memory (id, scope, kind, content, recorded_at) "
    "SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV', row, 'fact', 'written by 小明 with another tool', "
    "'2026-03-01T12:00:00.000000Z' FROM scope WHERE name = 'user'")
for fts in ("memory_fts", "passage_fts"):
    db.execute(f"INSERT INTO {{fts}} ({{fts}}, rank) VALUES ('integrity-check', 1)")
out["orphans"] = db.execute(
    "SELECT count(*) FROM passage WHERE turn NOT IN (SELECT row FROM turn)").fetchone()[0]
""",
    )
    assert isinstance(found, dict)
    assert found["check"] == "ok"
    assert found["match"] == [[kept.id]]
    assert found["said"] > 0
    assert found["orphans"] == 0
    store = SqliteStore(path)
    assert store.check() == []
    store.close()
    with memoranda.open(home) as m:
        assert [hit.id for hit in m.recall("小明").hits] == ["01ARZ3NDEKTSV4RRFFQ69G5FAV"]
        assert [hit.id for hit in m.recall("止损").hits] == [edited.id]
        assert m.recall("plums").hits == ()
        _thousand_operations(m, random.Random(4))
    store = SqliteStore(path)
    assert store.check() == []
    store.close()


def _thousand_operations(m: Memoranda, chance: random.Random) -> None:
    ids = []
    for number in range(1000):
        match chance.randrange(6):
            case 0 | 1:
                ids.append(m.remember(f"memory {number} of {chance.random()}").id)
            case 2:
                words = "lorem ipsum " * chance.randrange(300)
                m.observe([Turn(f"c{number % 9}", "user", f"turn {number} {words}")])
            case 3 if ids:
                place = chance.randrange(len(ids))
                ids[place] = m.revise(ids[place], f"memory {number} anew {chance.random()}").id
            case 4 if ids:
                m.confirm(chance.choice(ids))
            case 5 if ids:
                m.forget(ids.pop(chance.randrange(len(ids))))


def test_what_another_tool_wrote_is_completed(home: Path) -> None:
    """However often it wrote, and whatever part of a memory."""
    with memoranda.open(home) as m:
        twice = m.remember("to be edited twice", topics=["zebra"])
        detail = m.remember("to get a detail")
        m.observe([Turn("c", "user", "to be edited", speaker="Mara", id="1")])
    stock(
        home / "memory.db",
        f"""
db.execute("UPDATE memory SET content = '触发止损单' WHERE id = '{twice.id}'")
db.execute("UPDATE memory SET status = 'candidate' WHERE id = '{twice.id}'")
db.execute("UPDATE memory SET detail = '关于备份' WHERE id = '{detail.id}'")
db.execute("UPDATE passage SET content = '重新启动'")
db.execute(
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 300) "
    "INSERT INTO memory (id, scope, kind, content, recorded_at) "
    "SELECT printf('01ARZ3NDEKTSV4RRFFQ%07d', i), 1, 'fact', '数据' || i, "
    "'2026-03-01T12:00:00.000000Z' FROM n")
""",
    )
    with memoranda.open(home) as m:
        for question in ("止损", "zebra"):
            assert [hit.id for hit in m.recall(question, turns=False).hits] == [twice.id]
        assert [hit.id for hit in m.recall("备份").hits] == [detail.id]
        for question in ("启动", "Mara"):
            assert [hit.content for hit in m.recall(question).hits] == ["重新启动"]
        assert len(m.recall("数据", limit=400, budget=0).hits) == 300
        assert m.revise(detail.id, "another").id


def test_names_in_what_another_tool_wrote_are_found(home: Path) -> None:
    with memoranda.open(home) as m:
        edited = m.remember("with Mara", entities=["Garden"])
        m.observe([Turn("c", "user", "with Mara", id="1"), Turn("c", "user", "with Tom", id="2")])
    found = stock(
        home / "memory.db",
        f"""
db.execute("UPDATE memory SET content = 'with Priya' WHERE id = '{edited.id}'")
db.execute("UPDATE passage SET content = 'with Yuki' WHERE content = 'with Tom'")
db.execute(
    "INSERT INTO memory (id, scope, kind, content, recorded_at) "
    "SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV', row, 'fact', 'we moved web-01 to Ghent', "
    "'2026-03-01T12:00:00.000000Z' FROM scope WHERE name = 'user'")
db.execute(
    "INSERT INTO alias (entity, name) SELECT row, 'Back-Yard' FROM entity WHERE name = 'Garden'")
out["about"] = db.execute(
    "SELECT e.name FROM entity e JOIN alias a ON a.entity = e.row JOIN mention n ON n.alias = a.row"
    " JOIN turn t ON t.row = n.turn WHERE t.key = '1'").fetchall()
""",
    )
    assert found == {"about": [["Mara"]]}
    with memoranda.open(home) as m:
        told = {each.name: (each.memories, each.turns) for each in m.entities()}
        assert told == {
            "Mara": (0, 1), "Garden": (1, 0), "Priya": (1, 0), "Yuki": (0, 1), "web-01": (1, 0),
            "Ghent": (1, 0),
        }  # fmt: skip
        assert m.entities("back yard")[0].name == "Garden"
        assert m.show(edited.id).entities == ("Garden", "Priya")  # type: ignore[union-attr]


def test_a_time_that_is_none_does_not_keep_the_home_from_opening(home: Path) -> None:
    with memoranda.open(home) as m:
        m.observe([Turn("c", "user", "with Mara", id="1")])
        plum = m.remember("plum")
    stock(
        home / "memory.db",
        """
db.execute(
    "INSERT INTO memory (id, scope, kind, content, recorded_at) "
    "VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 1, 'fact', 'with Priya', '2024-13-41T00:00:00.000000Z')")
db.execute("UPDATE turn SET time = '2024-13-41T00:00:00.000000Z', recorded_at = time")
db.execute("UPDATE passage SET content = 'with Yuki'")
""",
    )
    with memoranda.open(home) as m:
        assert [hit.id for hit in m.recall("plum").hits] == [plum.id]
        assert {each.name for each in m.entities()} == {"Priya", "Yuki"}


def test_what_another_tool_moves_to_a_scope_gets_the_entities_of_that(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        kept = m.remember("Zephyr is cheap")
        moved = m.remember("we know Zephyr and Priya", entities=["Shed"])
        m.remember("Priya naps", scope="project:site")
        m.observe([Turn("c", "user", "with Zephyr and Yuki")])
    stock(
        home / "memory.db",
        f"""
((site,),) = db.execute("SELECT row FROM scope WHERE name = 'project:site'").fetchall()
db.execute("UPDATE memory SET scope = ? WHERE id = '{moved.id}'", (site,))
db.execute("UPDATE conversation SET scope = ?", (site,))
db.execute("UPDATE passage SET scope = ?", (site,))
""",
    )
    with memoranda.open(home) as m:
        assert [(each.name, each.memories, each.turns) for each in m.entities()] == [
            ("Zephyr", 1, 0)
        ]
        assert [hit.id for hit in m.recall("Zephyr", links=True).hits] == [kept.id]
    with memoranda.open(home, project="site") as m:
        assert m.show(moved.id).entities == ("Shed", "Zephyr", "Priya")  # type: ignore[union-attr]
        assert {str(each.scope) for each in m.entities("shed")} == {"project:site"}


def test_links_do_not_lead_to_what_another_tool_moved_just_now(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.remember("with Zephyr", scope="project:site")
        kept = m.remember("the Zephyr")
        for number in range(3):
            m.remember(f"with Zephyr and Priya {number}")
    with memoranda.open(home) as m:
        stock(
            home / "memory.db",
            """
((site,),) = db.execute("SELECT row FROM scope WHERE name = 'project:site'").fetchall()
db.execute("UPDATE memory SET scope = ? WHERE content LIKE '%Priya%'", (site,))
""",
        )
        now = Filter(now=datetime.now(UTC))
        found = m._store.linked("memory", ("Zephyr",), m.access.visible, now, 1)
        assert [each.id for each in found] == [kept.id]
        assert m._store.linked("memory", ("Priya",), m.access.visible, now, 9) == ()


@pytest.mark.parametrize("enforced", ["ON", "OFF"])
def test_what_another_tool_deletes_takes_its_entities_along(home: Path, enforced: str) -> None:
    with memoranda.open(home) as m:
        m.remember("with Mara, Tom and Priya")
        m.observe([Turn("c", "user", "with Mara and Yuki"), Turn("d", "user", "with Lena")])
        m.merge("Priya", "Lena")
    stock(
        home / "memory.db",
        f"""
db.execute("PRAGMA foreign_keys = {enforced}")
db.execute("DELETE FROM memory")
db.execute("DELETE FROM conversation WHERE name = 'd'")
""",
    )
    with memoranda.open(home) as m:
        told = {each.name: (each.memories, each.turns) for each in m.entities()}
        assert told == {"Mara": (0, 1), "Yuki": (0, 1)}
    left = stock(
        home / "memory.db",
        """
for table in ("entity", "alias", "mention"):
    out[table] = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
""",
    )
    assert left == {"entity": 2, "alias": 2, "mention": 2}
    store = SqliteStore(home / "memory.db")
    assert store.check() == []
    store.close()


def test_another_tool_cannot_write_what_would_make_reading_fail(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("plum")
    found = stock(
        home / "memory.db",
        """
out["refused"] = 0
for change in ("kind = 'note'", "status = 'done'", "recorded_at = 'last week'",
               "id = lower(id)", "valid_to = datetime('now')", "id = 'note-1'"):
    try:
        db.execute(f"UPDATE memory SET {change}")
    except sqlite3.IntegrityError:
        out["refused"] += 1
""",
    )
    assert found == {"refused": 6}


def test_what_another_tool_breaks_is_an_error_of_ours(home: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember("plum")
    changes: list[tuple[str, Callable[[Memoranda], object]]] = [
        (
            "UPDATE switch SET since = '2026-13-45T99:99:99.000000Z'",
            lambda m: m.status(),
        ),
        ("UPDATE ledger SET operation = 'frob'", lambda m: m.history(memory.id)),
        (
            "UPDATE memory SET valid_from = '2026-13-45T99:99:99.000000Z'",
            lambda m: m.list(),
        ),
        ("UPDATE memory SET content = CAST(x'61ff62' AS TEXT)", lambda m: m.list()),
    ]
    for change, read in changes:
        stock(home / "memory.db", f'db.execute("{change}")')
        with pytest.raises(StoreError), memoranda.open(home) as m:
            read(m)


def test_what_is_left_of_a_deleted_scope_is_nobodys(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("the owner's")
    stock(home / "memory.db", 'db.execute("DELETE FROM scope")')
    with memoranda.open(home, person="anna") as m:
        m.remember("hers")
        assert [memory.content for memory in m.list()] == ["hers"]


def test_a_journal_that_another_tool_changed_is_set_back(home: Path) -> None:
    stock(home / "memory.db", 'db.execute("PRAGMA journal_mode = DELETE")')
    with memoranda.open(home) as m:
        store = m._store
        assert isinstance(store, SqliteStore)
        with store._connections.reading() as db:
            assert db.pragma("journal_mode") == "wal"


@pytest.mark.slow
def test_the_file_stays_readable_after_it_was_searched_by_both(home: Path) -> None:
    """Another tool reads while ours writes, and neither disturbs the other."""
    with memoranda.open(home) as m:
        for number in range(20):
            m.observe([Turn("c", "user", f"plum {number} " * 50, id=str(number))])
            found = stock(
                home / "memory.db",
                'out["n"] = db.execute("SELECT count(*) FROM passage_fts '
                "WHERE passage_fts MATCH 'plum'\").fetchone()[0]",
            )
            assert found == {"n": number + 1}
