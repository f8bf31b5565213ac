"""What the doctor says of backups, and of a home that is encrypted."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

import memoranda
from memoranda import Checkup, Severity, Symptom
from memoranda.checkup import doctor
from memoranda.sealing import encrypt, rekey
from memoranda.stores import cipher, keys, mending, rekeying
from memoranda.upkeep import backup
from tests.canaries import canaries, traces

WORD = canaries(1)[0]
NOW = datetime.now(UTC)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(backup, "is_same_disk", lambda place, home: False)
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


@pytest.fixture
def home(tmp_path: Path, place: Path) -> Path:
    folder = memoranda.init(tmp_path / "home", enable=True, backup_to=place)
    with memoranda.open(folder) as m:
        m.remember(f"The shed is called {WORD}")
        m.observe([memoranda.Turn("c", "user", f"We call it {WORD}")])
        m.backup()
    return folder


@pytest.fixture
def secret(tmp_path: Path, home: Path) -> Iterator[Path]:
    encrypt(home, held_by=f"file:{tmp_path / 'secret'}")
    yield tmp_path / "secret"
    keys._known.clear()


def told(found: Checkup, check: str) -> list[Symptom]:
    return [each for each in found.symptoms if each.check == check and each.severity != "fine"]


def only(found: Checkup, check: str) -> Symptom:
    (one,) = told(found, check)
    return one


# Backups ------------------------------------------------------------------------------------------


def test_a_backup_that_is_sound_and_new_is_fine(home: Path) -> None:
    assert told(doctor(home), "backups") == []


def test_no_place_is_told(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "other")
    assert "no folder for backups" in only(doctor(home), "backups").what
    assert doctor(home).is_sound


def test_an_old_one_is_told(home: Path) -> None:
    found = doctor(home, clock=lambda: datetime.now(UTC) + timedelta(days=2))
    assert "last verified backup is of" in only(found, "backups").what


def test_the_same_disk_is_told(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert "on the disk of the home" in only(doctor(home), "backups").what


def test_a_place_without_any_is_told(home: Path, place: Path) -> None:
    for each in place.glob("*/*.json"):
        each.unlink()
    found = only(doctor(home), "backups")
    assert found.severity == Severity.ERROR
    assert "has no backup of this home" in found.what


def test_one_that_rots_is_told(home: Path, place: Path) -> None:
    largest = max(place.glob("*/files/*"), key=lambda each: each.stat().st_size)
    content = bytearray(largest.read_bytes())
    content[len(content) // 2] ^= 1
    largest.write_bytes(content)
    found = only(doctor(home), "backups")
    assert found.severity == Severity.ERROR
    assert "is not sound" in found.what


def test_a_damaged_manifest_is_told(home: Path, place: Path) -> None:
    (manifest,) = place.glob("*/*.json")
    manifest.write_text("{")
    damaged, none = told(doctor(home), "backups")
    assert f"{manifest} cannot be read" in damaged.what
    assert "has no backup of this home" in none.what


def test_what_is_owed_to_a_place_that_is_away_is_told(home: Path, place: Path) -> None:
    place.rename(place.with_name("away"))
    with memoranda.open(home) as m:
        assert m.forget(query=WORD).pending
    place.with_name("away").rename(place)
    assert "forgotten is in backups yet" in only(doctor(home), "backups").what


def test_backups_under_other_keys_are_told(home: Path, place: Path, secret: Path) -> None:
    assert told(doctor(home), "backups") == []
    place.rename(place.with_name("away"))
    rekey(home, held_by=f"file:{secret.with_name('other')}")
    place.with_name("away").rename(place)
    assert "under other keys" in only(doctor(home), "backups").what


# Encryption ---------------------------------------------------------------------------------------


def test_an_encrypted_home_is_fine_and_untouched(home: Path, secret: Path) -> None:
    before = {each: each.stat().st_mtime_ns for each in home.rglob("*")}
    found = doctor(home)
    assert [each for each in found.symptoms if each.severity != "fine"] == []
    assert {each: each.stat().st_mtime_ns for each in home.rglob("*")} == before


def test_one_that_nothing_opens_is_told_and_left(home: Path, secret: Path) -> None:
    secret.unlink()
    keys._known.clear()
    found = doctor(home, mend=True)
    assert "encrypted" in only(found, "store").what
    assert "is not there" in only(found, "encryption").what


@pytest.mark.skipif(os.name != "posix", reason="others are kept out by permissions there")
def test_a_secret_that_others_may_read_is_told(home: Path, secret: Path) -> None:
    secret.chmod(0o644)
    found = only(doctor(home), "encryption")
    assert found.severity == Severity.ERROR


def test_without_its_keys_it_says_where_they_are(home: Path, secret: Path) -> None:
    (home / keys.FILE).unlink()
    found = doctor(home)
    assert "memory.keys beside it is missing" in only(found, "store").what
    assert any("restore" in way for way in found.ways_back)


def test_a_change_of_keys_that_was_cut_off_is_no_damage(
    home: Path, secret: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_off(path: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rekeying, "promote", cut_off)
        with pytest.raises(KeyboardInterrupt):
            rekey(home, held_by=f"file:{secret.with_name('other')}")
    found = doctor(home)
    assert told(found, "store") == told(found, "integrity") == []
    assert "cut off" in only(found, "encryption").what
    with memoranda.open(home) as m:
        assert m.list()
    assert told(doctor(home), "encryption") == []


@pytest.mark.parametrize("index", ["memory_fts", "passage_fts"])
def test_an_index_is_mended_and_no_word_is_plain_meanwhile(
    home: Path, secret: Path, index: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(cipher.opened(home / "memory.db", apsw.SQLITE_OPEN_READWRITE)) as db:
        db.execute(f"INSERT INTO {index} ({index}) VALUES ('delete-all')")
    seen = list[str]()
    copied = mending._copy

    def looked_at(db: apsw.Connection, to: Path) -> None:
        copied(db, to)
        seen.extend(traces(home, [WORD]))
        assert to.exists()
        assert cipher.begins(to) == cipher.begins(home / "memory.db")

    monkeypatch.setattr(mending, "_copy", looked_at)
    found = doctor(home, mend=True)
    assert found.is_sound
    assert any(each.mended for each in told(found, "full text"))
    assert seen == traces(home, [WORD]) == []
