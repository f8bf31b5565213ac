"""A disk that is full, or may only be read: a clear error, nothing half done, and well again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import apsw
import pytest

import memoranda
from memoranda import ReadOnly, Turn
from memoranda.sealing import encrypt
from memoranda.stores import keys, migrate
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH
from tests.disks import Disk, small_disk
from tests.killing import left_over
from tests.test_encryption import rows

SCHEMAS = Path(__file__).parents[1] / "schemas"
ROOM = (0, 120_000, 400_000)
"""Bytes that are left, at which the same is cut off elsewhere."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "small", 16) as made:
        yield made


@pytest.fixture(params=["plain", "encrypted"])
def template(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A home of some hundred turns, with a backup and an archive beside it."""
    home = memoranda.init(tmp_path / "template", enable=True)
    if request.param == "encrypted":
        encrypt(home, held_by=f"file:{tmp_path / 'secret'}", keep_files=True)
    with memoranda.open(home) as m:
        m.observe(
            Turn(f"c{n % 7}", "user", f"I prefer tea number {n} over coffee.", MARCH)
            for n in range(300)
        )
        for n in range(40):
            m.remember(f"The shed number {n} has a green door")
        (tmp_path / "backups").mkdir()
        m.backup(tmp_path / "backups")
        m.remember("The plum is ripe")
        m.export(tmp_path / "home.zip")
    return home


@dataclass(frozen=True)
class Command:
    """A command, and what it needs: `whole` says that it is done or not at all."""

    words: tuple[str, ...]
    whole: bool = True
    said: int = 0
    before: Callable[[Path], None] = lambda home: None


def forget_all(home: Path) -> None:
    """Leave a home with nothing, into which an archive comes."""
    with memoranda.open(home) as m:
        for each in m.list(limit=100):
            m.retire(each.id)


COMMANDS: Mapping[str, Command] = {
    "observe": Command(("observe",), whole=False, said=3000),
    "pass": Command(("consolidate", "--model", "rules"), whole=False),
    "backup": Command(("backup", "{home}/../place")),
    "forget": Command(("forget", "--query", "green door", "--yes")),
    "encrypt": Command(("encrypt", "--held-by", "file:{tmp}/secret", "--keep-files")),
    "rekey": Command(("rekey", "--held-by", "file:{tmp}/other")),
    "restore": Command(("restore", "{tmp}/backups")),
    "import": Command(("import", "{tmp}/home.zip"), before=forget_all),
}


def ours(home: Path, *words: str, said: int = 0) -> subprocess.CompletedProcess[str]:
    turns = "".join(
        json.dumps({"conversation": "long", "role": "user", "content": f"a long story, part {n}"})
        + "\n"
        for n in range(said)
    )
    return subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), *words],
        input=turns, capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "MEMORANDA_EMBEDDING_MODEL": "none"},
    )  # fmt: skip


def is_told(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether one line says that there is no room."""
    (*_, last) = done.stderr.strip().splitlines()
    assert "Traceback" not in done.stderr, done.stderr
    return last.startswith("memoranda: ") and ("full" in last or "No space left" in last)


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_told_and_nothing_is_half_done(
    name: str, template: Path, disk: Disk, tmp_path: Path
) -> None:
    command = COMMANDS[name]
    is_encrypted = (template / keys.FILE).exists()
    if is_encrypted == (name == "encrypt") and name in ("encrypt", "rekey"):
        pytest.skip("it is so already" if is_encrypted else "it is not encrypted")
    command.before(template)
    failed = 0
    for left in ROOM:
        home = disk.path / f"home-{left}"
        shutil.copytree(template, home)
        (disk.path / "place").mkdir(exist_ok=True)
        words = [each.format(home=home, tmp=tmp_path) for each in command.words]
        before = rows(home / "memory.db")
        disk.fill(leaving=left)
        done = ours(home, *words, said=command.said)
        if done.returncode:
            failed += 1
            assert done.returncode == 1
            assert is_told(done), done.stderr
        disk.make_room()
        with closing(SqliteStore(home / "memory.db")) as store:
            assert store.check() == []
        if done.returncode and command.whole:
            assert rows(home / "memory.db") == before, done.stderr
        memoranda.open(home).close()
        assert left_over(home) == []
        again = ours(home, *words, said=command.said)
        if not (done.returncode == 0 and name in ("encrypt", "forget")):  # which is done by then
            assert again.returncode == 0, again.stderr
        with memoranda.open(home) as m:
            assert m._store.check() == []
        shutil.rmtree(home)
        shutil.rmtree(disk.path / "place")
    assert failed, "the disk was never full"


@pytest.mark.slow
@pytest.mark.parametrize("left", ROOM)
def test_an_upgrade_on_a_full_disk_is_told_and_done_later(left: int, disk: Disk) -> None:
    home = disk.path / "home"
    home.mkdir(mode=0o700)
    with closing(apsw.Connection(str(home / "memory.db"))) as db:
        db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}").fetchall()
        for step in migrate.steps()[:8]:
            db.execute(step.sql).fetchall()
        db.execute("PRAGMA user_version = 8").fetchall()
        db.execute((SCHEMAS / "0008.sql").read_text()).fetchall()
        before = db.execute("SELECT id, content FROM memory ORDER BY id").fetchall()
    assert before
    disk.fill(leaving=left)
    done = ours(home, "status")
    assert done.returncode == 0 or is_told(done), done.stderr
    disk.make_room()
    assert ours(home, "status").returncode == 0
    with closing(SqliteStore(home / "memory.db")) as store:
        assert store.check() == []
        with store.connections.reading() as db:
            after = db.execute("SELECT id, content FROM memory ORDER BY id").fetchall()
    assert after == before


@pytest.mark.slow
def test_where_backups_go_is_full(template: Path, disk: Disk) -> None:
    """Those that there are stay, sound."""
    with memoranda.open(template) as m:
        m.backup(disk.path)
        m.remember("The pear is ripe")
        disk.fill(leaving=100_000)
        with pytest.raises(memoranda.BackupError, match=r"full|No space"):
            m.backup(disk.path)
        assert [each.problems for each in m.verify_backups(at=disk.path)] == [()]
        disk.make_room()
        assert m.backup(disk.path).new
        assert all(not each.problems for each in m.verify_backups(at=disk.path))


@pytest.mark.slow
def test_a_read_only_disk_is_read_and_says_why_it_is_not_written(
    template: Path, disk: Disk
) -> None:
    home = disk.path / "home"
    shutil.copytree(template, home)
    writing = (
        ["observe"],
        ["remember", "The pear is ripe"],
        ["forget", "--query", "plum", "--yes"],
        ["consolidate", "--model", "rules"],
        ["backup", str(template.parent / "backups")],
        ["encrypt", "--held-by", f"file:{template.parent / 'secret'}"],
        ["sync"],
    )
    with disk.read_only():
        with memoranda.open(home) as m:
            (plum,) = (each.id for each in m.list() if "plum" in each.content)
        for words in (["recall", "plum"], ["list"], ["show", plum]):
            assert "plum is ripe" in ours(home, *words).stdout, words
        assert ours(home, "status").returncode == 0
        assert ours(home, "context").returncode in (0, 3)
        assert "may not be written to" in ours(home, "doctor").stdout
        for words in writing:
            done = ours(home, *words, said=3)
            assert done.returncode == 1, words
            (line,) = done.stderr.strip().splitlines()
            assert "read-only" in line.lower() or "encrypted already" in line, (words, line)
        with memoranda.open(home) as m, pytest.raises(ReadOnly):
            m.remember("The pear is ripe")
    for words in writing:
        done = ours(home, *words, said=3)
        assert done.returncode == 0 or "encrypted already" in done.stderr, (words, done.stderr)
    with memoranda.open(home) as m:
        assert m._store.check() == []
        assert m.recall("pear").hits
