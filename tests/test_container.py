"""A container with an empty folder: nothing begins anew, and what is lost is known."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import memoranda
from memoranda import Emergency, HomeError, Turn
from memoranda.restoring import restore
from memoranda.sealing import encrypt
from memoranda.stores import keys

OLDER, NEWER = 40, 10
"""How many memories, and twice as many turns, came in before the last backup, and after it."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "disk").mkdir()
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
    monkeypatch.setenv("MEMORANDA_BACKUP_TO", str(tmp_path / "disk"))
    return tmp_path / "disk"


@pytest.fixture(params=["plain", "encrypted"])
def home(request: pytest.FixtureRequest, place: Path, tmp_path: Path) -> Path:
    home = memoranda.init(tmp_path / "data", enable=True)
    if request.param == "encrypted":
        encrypt(home, held_by=f"file:{tmp_path / 'secret'}", keep_files=True)
    with memoranda.open(home) as m:
        live(m, OLDER, "older")
        m.backup()
        live(m, NEWER, "newer")
    return home


def live(m: memoranda.Memoranda, memories: int, age: str) -> None:
    m.observe([Turn("c", "user", f"{age} talk {n}") for n in range(2 * memories)])
    for n in range(memories):
        m.remember(f"The {age} shed number {n} has a green door")


def held(home: Path) -> tuple[int, int]:
    with memoranda.open(home) as m:
        assert m._store.check() == []
        holdings = m.status().holdings
        return sum(holdings.memories.values()), holdings.turns


def test_an_empty_folder_gets_all_that_the_last_backup_held(home: Path) -> None:
    assert held(home) == (OLDER + NEWER, 2 * (OLDER + NEWER))
    shutil.rmtree(home)
    home.mkdir()
    keys._known.clear()
    with pytest.raises(Emergency, match="memoranda restore"):
        memoranda.open(home)
    with pytest.raises(HomeError, match="memoranda restore"):
        memoranda.init(home)
    assert list(home.iterdir()) == []
    told = restore(home=home)
    assert told.newest is not None
    assert 0 <= told.seconds < 60
    assert held(home) == (OLDER, 2 * OLDER)


def test_what_markdown_holds_is_every_memory_and_no_turn(home: Path, place: Path) -> None:
    for each in home.glob("memory.db*"):
        each.unlink()
    shutil.rmtree(place)
    with pytest.raises(Emergency, match=f"{OLDER + NEWER} memories"):
        memoranda.open(home)
    assert memoranda.restore_from_markdown(home=home).memories == OLDER + NEWER
    assert held(home) == (OLDER + NEWER, 0)


def test_where_nothing_is_left_nothing_is_invented(home: Path, place: Path) -> None:
    shutil.rmtree(home)
    shutil.rmtree(place)
    home.mkdir()
    with pytest.raises(HomeError, match="only `memoranda init` makes a new home"):
        memoranda.open(home)
    with pytest.raises(memoranda.BackupError, match="has no backups"):
        restore(home=home)
    with pytest.raises(HomeError, match="no mirror"):
        memoranda.restore_from_markdown(home=home)
    assert list(home.iterdir()) == []
