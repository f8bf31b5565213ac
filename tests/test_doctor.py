"""What a home has is found, told with what mends it, and mended only where that is safe."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

import memoranda
from memoranda import Checkup, HomeError, Severity, StoreError, Symptom
from memoranda.checkup import doctor
from memoranda.stores import migrate
from memoranda.stores.examining import SqliteExamined
from memoranda.stores.lock import HomeLock
from memoranda.stores.preview import folder_for_copy

SCHEMAS = Path(__file__).parent / "schemas"
FINE, WARNING, ERROR, EMERGENCY = (
    Severity.FINE,
    Severity.WARNING,
    Severity.ERROR,
    Severity.EMERGENCY,
)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = memoranda.init(tmp_path / "home", enable=True)
    with memoranda.open(folder) as m:
        for n in range(3):
            m.remember(f"Shed {n} has a green door")
        m.observe(memoranda.Turn("c", "user", f"plum {n}", id=str(n)) for n in range(20))
    return folder


def bad(found: Checkup) -> list[Symptom]:
    """What is wrong, but for backups, of which there are none here."""
    wrong = [each for each in found.symptoms if each.severity != FINE and not each.mended]
    return [each for each in wrong if each.check != "backups"]


def only(found: Checkup) -> Symptom:
    (one,) = bad(found)
    return one


def written(home: Path) -> dict[str, tuple[int, int]]:
    return {str(each): (each.stat().st_mtime_ns, each.stat().st_size) for each in home.rglob("*")}


def sql(home: Path, text: str) -> None:
    db = apsw.Connection(str(home / "memory.db"))
    db.execute(text).fetchall()
    db.close()


def command(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), *words],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_sound_home_is_fine_and_untouched(home: Path) -> None:
    before = written(home)
    found = doctor(home)
    assert bad(found) == []
    assert found.is_sound
    assert found.worst == WARNING  # there are no backups
    assert written(home) == before


def test_the_command_says_so(home: Path) -> None:
    done = command(home, "doctor")
    assert done.returncode == 0
    assert "integrity" in done.stdout
    told = json.loads(command(home, "doctor", "--json").stdout)
    assert told["worst"] == "warning"  # there are no backups
    assert {each["check"] for each in told["symptoms"]} >= {"place", "integrity", "clock"}


def test_a_home_that_is_open_is_looked_at_too(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("The gate creaks")
        assert bad(doctor(home)) == []
        m.remember("The gate was oiled")


def test_no_home_is_no_patient(tmp_path: Path) -> None:
    with pytest.raises(HomeError, match="memoranda init"):
        doctor(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


# What can be mended


def mended(home: Path, check: str) -> Symptom:
    """What a check finds, once it was seen that mending ends it."""
    before = written(home)
    symptom = only(doctor(home))
    assert written(home) == before
    assert symptom.check == check
    assert symptom.mendable
    found = doctor(home, mend=True)
    assert bad(found) == [], found
    assert any(each.mended and each.check == check for each in found.symptoms)
    assert found.copy is None
    assert bad(doctor(home)) == []
    return symptom


@pytest.mark.parametrize("index", migrate.FULL_TEXT)
def test_a_full_text_index_is_made_anew(home: Path, index: str) -> None:
    sql(home, f"DELETE FROM {index}_docsize WHERE id = 1")
    symptom = mended(home, "full text")
    assert index in symptom.what
    with memoranda.open(home) as m:
        assert m.recall("plum").hits
        assert m.recall("green door").hits


def test_a_damaged_full_text_index_is_made_anew(home: Path) -> None:
    sql(home, "UPDATE memory_fts_data SET block = x'00' WHERE id > 100")
    mended(home, "integrity")
    with memoranda.open(home) as m:
        assert m.recall("green door").hits


def test_an_index_without_a_row_is_made_anew(home: Path) -> None:
    db = apsw.Connection(str(home / "memory.db"))
    db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, False)
    db.execute("PRAGMA writable_schema = ON").fetchall()
    (told,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'turn_order'").fetchall()
    db.execute("UPDATE sqlite_schema SET sql = sql || ' WHERE 0' WHERE name = 'turn_order'")
    db.close()
    db = apsw.Connection(str(home / "memory.db"))
    db.execute("REINDEX turn_order").fetchall()
    db.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, False)
    db.execute("PRAGMA writable_schema = ON").fetchall()
    db.execute("UPDATE sqlite_schema SET sql = ? WHERE name = 'turn_order'", told)
    db.close()
    assert "turn_order" in mended(home, "integrity").what


@pytest.mark.parametrize("value", ["x'0011'", "randomblob(1535)", "zeroblob(1532) || x'0000c07f'"])
def test_vectors_that_cannot_be_read_are_made_anew(home: Path, value: str) -> None:
    sql(home, f"UPDATE memory_vector SET value = CAST({value} AS BLOB) WHERE memory = 1")
    symptom = only(doctor(home))
    assert (symptom.check, symptom.severity) == ("vectors", ERROR)
    assert "1 vectors cannot be read" in symptom.what
    (left,) = bad(doctor(home, mend=True))
    assert left.mend == "`memoranda embed`"
    with memoranda.open(home) as m:
        assert m.embed().count == 1
    assert bad(doctor(home)) == []


def test_what_others_may_read_is_closed_to_them(home: Path) -> None:
    home.chmod(0o755)
    (home / "memory.db").chmod(0o644)
    found = doctor(home)
    assert {(each.check, each.severity) for each in bad(found)} == {
        ("permissions", ERROR),
        ("permissions", WARNING),
    }
    assert bad(doctor(home, mend=True)) == []
    assert home.stat().st_mode & 0o777 == 0o700
    assert (home / "memory.db").stat().st_mode & 0o777 == 0o600


def test_what_crashed_work_left_is_removed(home: Path) -> None:
    (home / "preview-crashed").mkdir()
    (home / "preview-crashed" / "memory.lock").write_bytes(b"")
    (home / "preview-crashed" / "memory.db").write_bytes(b"words")
    making = home / "making-crashed"
    making.mkdir()
    os.utime(making, (0, 0))
    (home / "making-now").mkdir()
    with folder_for_copy(home) as held:
        found = doctor(home, mend=True)
        assert held.exists()
    assert bad(found) == []
    assert sum(each.check == "unfinished" and each.mended for each in found.symptoms) == 2
    assert sorted(each.name for each in home.glob("*ing-*")) == ["making-now"]


def test_what_was_forgotten_is_cleared(home: Path) -> None:
    with memoranda.open(home) as m:
        reader = apsw.Connection(str(home / "memory.db"))
        reader.execute("BEGIN").fetchall()
        reader.execute("SELECT * FROM memory").fetchall()
        receipt = m.forget(m.list()[0].id)
        assert receipt.pending
    reader.close()
    symptom = mended(home, "unfinished")
    assert "forgotten" in symptom.what


def test_files_are_written_anew(home: Path) -> None:
    mirrored = sorted((home / "mirror").rglob("*.md"))
    mirrored[0].unlink()
    assert "1 memories have no file" in mended(home, "files").what
    assert sorted((home / "mirror").rglob("*.md")) == mirrored


def test_an_unread_edit_is_told_and_not_written_over(home: Path) -> None:
    path = home / "USER.md"
    path.write_text(path.read_text() + "- The well is deep\n")
    symptom = only(doctor(home))
    assert (symptom.check, symptom.mend) == ("files", "`memoranda sync`")
    assert "The well is deep" in path.read_text()
    with memoranda.open(home) as m:
        m.take_in()
        assert any(each.content == "The well is deep" for each in m.list())


def test_a_broken_file_is_told(home: Path) -> None:
    (home / "USER.md").write_bytes(b"\xff\xfe broken")
    assert "USER.md" in only(doctor(home)).what
    assert doctor(home, mend=True).is_sound
    assert (home / "USER.md").read_bytes() == b"\xff\xfe broken"


# What cannot


def damage(home: Path) -> None:
    path, size = home / "memory.db", 4096
    db = apsw.Connection(str(path))
    page = int(db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'source'").get)
    db.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\x07" * size)


def test_a_damaged_page_is_an_emergency_with_what_is_left(home: Path) -> None:
    damage(home)
    before = written(home)
    found = doctor(home)
    told = next(each for each in bad(found) if each.check == "integrity")
    assert told.severity == EMERGENCY
    assert "3 current" in told.means
    assert "20 turns" in told.means
    ways = " | ".join(found.ways_back)
    assert ways.index("copy of") < ways.index("backup") < ways.index("--from-markdown")
    assert ways.index("--from-markdown") < ways.index(".recover")
    assert written(home) == before
    content = (home / "memory.db").read_bytes()
    after = doctor(home, mend=True)
    assert not after.is_sound
    assert after.done == ()
    assert (home / "memory.db").read_bytes() == content
    assert command(home, "doctor").returncode == 1


def test_a_head_that_is_gone(home: Path) -> None:
    with (home / "memory.db").open("r+b") as file:
        file.write(os.urandom(4096))
    found = doctor(home)
    assert found.worst == ERROR
    assert "no SQLite file" in bad(found)[0].what
    assert any("3 memories" in way for way in found.ways_back)


def test_random_bytes_in_the_middle_never_break_the_doctor(home: Path) -> None:
    whole = (home / "memory.db").read_bytes()
    for at in range(1, len(whole) // 4096, 9):
        broken = bytearray(whole)
        broken[at * 4096 : at * 4096 + 4096] = os.urandom(4096)
        (home / "memory.db").write_bytes(broken)
        found = doctor(home)
        assert found.symptoms


@pytest.mark.parametrize("state", ["missing", "empty"])
def test_a_store_that_is_gone_is_an_emergency_everywhere(home: Path, state: str) -> None:
    if state == "missing":
        (home / "memory.db").unlink()
    else:
        (home / "memory.db").write_bytes(b"")
    before = written(home)
    for words in (["init"], ["recall", "plum"], ["remember", "x"], ["models", "list"], ["status"]):
        done = command(home, *words)
        assert done.returncode == 1, words
        assert "EMERGENCY" in done.stderr
        assert "3 memories" in done.stderr
        assert "restore --from-markdown" in done.stderr
    found = doctor(home)
    assert found.worst == EMERGENCY
    assert any("3 memories" in way for way in found.ways_back)
    assert written(home) == before
    assert memoranda.restore_from_markdown(home=home).memories == 3
    with memoranda.open(home) as m:
        assert len(m.list()) == 3


def test_files_alone_say_that_there_was_a_store(home: Path) -> None:
    (home / "memory.db").unlink()
    shutil.rmtree(home / "mirror")
    (home / "memoranda.toml").unlink()
    with pytest.raises(memoranda.Emergency, match=r"USER\.md names 3 of its memories"):
        memoranda.init(home)


def test_a_log_without_its_store(home: Path) -> None:
    (home / "memory.db").rename(home / "elsewhere")
    (home / "memory.db-wal").write_bytes(b"x" * 100)
    assert any(each.check == "beside the store" for each in bad(doctor(home)))


def test_what_is_no_store_of_ours(home: Path) -> None:
    (home / "memory.db").unlink()
    sql(home, "CREATE TABLE theirs (x)")
    assert "no store of ours" in bad(doctor(home))[0].what


def test_a_newer_and_an_older_store(home: Path, tmp_path: Path) -> None:
    sql(home, "PRAGMA user_version = 99")
    before = written(home)
    assert "install a newer" in only(doctor(home, mend=True)).mend
    assert written(home) == before
    old = tmp_path / "old"
    old.mkdir(mode=0o700)
    db = apsw.Connection(str(old / "memory.db"))
    db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}").fetchall()
    for step in migrate.steps()[:2]:
        db.execute(step.sql).fetchall()
    db.execute("PRAGMA user_version = 2").fetchall()
    db.execute((SCHEMAS / "0002.sql").read_text()).fetchall()
    db.close()
    (old / "memory.db").chmod(0o600)
    before = written(old)
    assert "older version" in only(doctor(old)).what
    assert written(old) == before


@pytest.mark.parametrize(
    "door",
    [
        ["recall", "plum"], ["remember", "x"], ["list"], ["sync"], ["consolidate"], ["embed"],
        ["forget", "--everything", "--yes"], ["status"], ["sweep"], ["health"], ["review"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_newer_store_is_refused_at_every_door(home: Path, door: list[str]) -> None:
    sql(home, "PRAGMA user_version = 99")
    content = (home / "memory.db").read_bytes()
    done = command(home, *door)
    assert done.returncode == 1
    assert "install a newer Memoranda" in done.stderr
    assert (home / "memory.db").read_bytes() == content


def test_a_home_that_is_being_changed(home: Path) -> None:
    lock = HomeLock(home / "memory.lock", alone=True, timeout=0)
    try:
        assert "changing it" in only(doctor(home)).what
    finally:
        lock.close()


def test_what_a_crash_left_in_the_log_is_seen(home: Path) -> None:
    """Also when its index is gone: in a copy, and nothing is made beside the store."""
    code = f"""
import memoranda, os, signal
m = memoranda.open({str(home)!r})
m.remember("The gate creaks")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", code], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (home / "memory.db-wal").stat().st_size
    for gone in ("", "-shm"):
        if gone:
            (home / f"memory.db{gone}").unlink()
        names = {each.name for each in home.iterdir()}
        with closing(SqliteExamined(home / "memory.db")) as examined:
            assert examined.readable()["current"] == 4
        assert doctor(home).is_sound
        assert {each.name for each in home.iterdir()} == names


# What surrounds it


def test_a_clock_that_was_set_back_is_told(home: Path) -> None:
    yesterday = datetime.now(UTC) - timedelta(days=1)
    told = only(doctor(home, clock=lambda: yesterday))
    assert (told.check, told.severity) == ("clock", ERROR)
    long_ago = only(doctor(home, clock=lambda: datetime(1970, 1, 1, tzinfo=UTC)))
    assert "1970-01-01" in long_ago.what


def test_settings_that_cannot_be_read(home: Path) -> None:
    (home / "memoranda.toml").write_text("files = [")
    (told,) = [each for each in bad(doctor(home)) if each.check == "settings"]
    assert told.severity == ERROR


def test_a_key_that_others_may_read(home: Path) -> None:
    (home / "memoranda.toml").write_text('language_key = "hush"\n')
    (home / "memoranda.toml").chmod(0o644)
    told = [each for each in bad(doctor(home)) if each.check == "settings"]
    assert "language_key" in told[0].what
    assert "hush" not in str(told)


def test_weights_that_are_not_here(home: Path) -> None:
    (home / "memoranda.toml").write_text('embedding_model = "bge-small-zh-v1.5"\n')
    checks = {each.check for each in bad(doctor(home))}
    assert checks in ({"weights", "vectors"}, {"vectors"})  # where that model is installed


def test_a_disk_that_is_full(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(home)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage._replace(free=1000))
    assert only(doctor(home)).check == "room"


def test_dangling_references_are_told(home: Path) -> None:
    sql(
        home,
        """PRAGMA foreign_keys = OFF;
        DELETE FROM source WHERE memory = 1;
        UPDATE memory SET superseded_by = '01ARZ3NDEKTSV4RRFFQ69G5FAV' WHERE row = 2;
        INSERT INTO ledger (time, operation, by, scope, memory, after)
          SELECT time, operation, by, scope, '01ARZ3NDEKTSV4RRFFQ69G5FAV', '{}' FROM ledger
          WHERE memory IS NOT NULL LIMIT 1""",
    )
    told = " ".join(each.what for each in bad(doctor(home)) if each.check == "references")
    assert "1 memories have no source" in told
    assert "1 memories were superseded by what is not there" in told
    assert "1 ledger entries" in told


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives away")
def test_another_owner_is_told(home: Path) -> None:
    os.chown(home / "memory.db", 12345, 12345)
    assert only(doctor(home)).check == "owner"


def test_mending_a_sound_home_changes_nothing(home: Path) -> None:
    before = written(home)
    assert doctor(home, mend=True).done == ()
    assert written(home) == before


def test_mending_that_fails_leaves_the_copy(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memoranda.stores import mending

    def fails(db: apsw.Connection, **_: bool) -> list[str]:
        raise StoreError("no room")

    sql(home, "DELETE FROM memory_fts_docsize WHERE id = 1")
    monkeypatch.setattr(mending, "_mended", fails)
    found = doctor(home, mend=True)
    assert found.copy is not None
    assert not found.is_sound
    copy = apsw.Connection(found.copy)
    assert copy.execute("SELECT count(*) FROM memory").fetchall() == [(3,)]
    copy.close()
    monkeypatch.undo()
    assert doctor(home, mend=True).copy is None


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.0, 0.02, 0.05, 0.1, 0.2])
def test_killed_while_mending_it_is_mended_the_next_time(home: Path, after: float) -> None:
    sql(home, "DELETE FROM memory_fts_docsize; UPDATE memory_vector SET value = x'00'")
    code = f"""
import threading, os, signal
from memoranda.checkup import doctor
from memoranda.stores import mending
mend = mending.mend
def killed(*args, **words):
    threading.Timer({after}, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
    return mend(*args, **words)
mending.mend = killed
doctor({str(home)!r}, mend=True)
"""
    subprocess.run([sys.executable, "-c", code], check=False)
    found = doctor(home, mend=True)
    assert found.is_sound, bad(found)
    with memoranda.open(home) as m:
        m.embed()
        assert len(m.list()) == 3
        assert m.recall("plum").hits
