"""Backups of a home that is encrypted, becomes so, or has another key than they have."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import memoranda
from memoranda import BackupError, Locked, Turn
from memoranda.restoring import restore
from memoranda.sealing import decrypt, encrypt, rekey
from memoranda.stores import cipher, keys, rekeying, replacing
from tests.canaries import canaries, traces

PHRASE, OTHER = "correct horse battery staple", "another horse and staple"
WORD, LATER = canaries(2, seed=5)


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
    keys._known.clear()
    yield
    keys._known.clear()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


@pytest.fixture
def home(tmp_path: Path, place: Path) -> Path:
    """A plain home with a backup."""
    made = memoranda.init(tmp_path / "home", enable=True, backup_to=place)
    with memoranda.open(made) as m:
        m.observe([Turn("c", "user", f"We call it {WORD}.")])
        m.remember(f"The shed is called {WORD}")
        m.backup()
    return made


def known(home: Path) -> list[str]:
    with memoranda.open(home) as m:
        return sorted(each.content for each in m.list())


def elsewhere(place: Path) -> Path:
    """A copy of a place of which nobody here knows."""
    return Path(shutil.copytree(place, place.with_name("elsewhere")))


def test_plain_ones_go_when_a_home_is_encrypted(home: Path, place: Path) -> None:
    assert traces(place, [WORD])
    sealed = encrypt(home, passphrase=PHRASE)
    (renewed,) = sealed.renewed
    assert (renewed.new, len(renewed.removed), sealed.pending) == (True, 1, ())
    assert traces(place, [WORD]) == traces(home, [WORD]) == []
    with memoranda.open(home) as m:
        (only,) = m.backups().found
        assert only.encrypted
        assert all(not each.problems for each in m.verify_backups())


def test_those_of_the_old_key_go_with_it(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    rekey(home, passphrase=OTHER)
    keys._known.clear()
    shutil.rmtree(home)
    with pytest.raises(Locked, match="wrong"):
        restore(place, home, passphrase=PHRASE)
    assert restore(place, home, passphrase=OTHER).backup.encrypted
    assert known(home) == [f"The shed is called {WORD}"]


def test_encrypted_ones_go_when_a_home_is_plain_again(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    assert len(decrypt(home).renewed) == 1
    with memoranda.open(home) as m:
        (only,) = m.backups().found
        assert not only.encrypted
    assert not [*place.rglob("*.keys")]
    assert traces(place, [WORD])


def test_a_place_that_is_away_is_told_and_renewed_when_it_is_back(home: Path, place: Path) -> None:
    place.rename(place.with_name("away"))
    sealed = encrypt(home, passphrase=PHRASE)
    assert sealed.renewed == ()
    assert sealed.pending == (str(place),)
    place.with_name("away").rename(place)
    with memoranda.open(home) as m:
        assert m.forget(query=WORD).pending == (str(place),)
        assert traces(place, [WORD])  # nobody can take it out of these
        assert len(m.backup().removed) == 1
        assert traces(place, [WORD]) == []
        assert m._store.copies.owed() == (None, None)


def test_what_is_forgotten_goes_out_of_encrypted_ones(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    with memoranda.open(home) as m:
        m.remember(f"The shed was called {LATER}")
        m.backup()
        assert m.forget(query=LATER).pending == ()
        assert all(each.held.counts["memory"] == 1 for each in m.backups().found)
        assert all(not each.problems for each in m.verify_backups())
    assert len(restore(place, home).backup.files) > 1
    assert known(home) == [f"The shed is called {WORD}"]


def test_a_home_that_is_encrypted_stays_so_whatever_comes_back(home: Path, place: Path) -> None:
    plain = elsewhere(place)
    encrypt(home, passphrase=PHRASE)
    with memoranda.open(home) as m:
        m.remember(f"The shed is called {LATER}")
    of_the_home = (home / keys.FILE).read_bytes()
    restore(plain, home)
    assert (home / keys.FILE).read_bytes() == of_the_home
    assert cipher.begins(home / "memory.db") != cipher.MAGIC
    assert traces(home, [WORD, LATER]) == []
    assert known(home) == [f"The shed is called {WORD}"]


def test_one_under_another_key_comes_back_under_that_of_the_home(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    older = elsewhere(place)
    rekey(home, passphrase=OTHER)
    keys._known.clear()
    keys.unlock(home / "memory.db", OTHER)
    with pytest.raises(Locked, match="it is opened by its passphrase"):
        restore(older, home)
    restore(older, home, passphrase=PHRASE)
    keys._known.clear()
    keys.unlock(home / "memory.db", OTHER)
    assert known(home) == [f"The shed is called {WORD}"]


def cut_off(home: Path, place: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    """A restore that ends just before a step."""

    def ends(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        module = rekeying if step == "promote" else replacing
        patch.setattr(module, step, ends)
        with pytest.raises(KeyboardInterrupt):
            restore(place, home)


@pytest.mark.parametrize("step", ["_name_also", "sync", "promote"])
def test_a_plain_home_gets_the_keys_with_the_store_or_neither(
    home: Path, place: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypt(home, passphrase=PHRASE)
    sealed = elsewhere(place)
    decrypt(home)
    with memoranda.open(home) as m:
        m.remember(f"The shed is called {LATER}")
    before = known(home)
    cut_off(home, sealed, monkeypatch, step)
    assert known(home) in (before, [f"The shed is called {WORD}"])
    restore(sealed, home)
    assert cipher.is_encrypted(home / "memory.db")
    assert not (home / keys.NEXT).exists()
    assert known(home) == [f"The shed is called {WORD}"]


@pytest.mark.parametrize("step", ["put_in_place", "sync", "promote"])
def test_an_empty_folder_gets_both_or_neither(
    home: Path, place: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypt(home, passphrase=PHRASE)
    shutil.rmtree(home)
    cut_off(home, place, monkeypatch, step)
    restore(place, home)
    assert known(home) == [f"The shed is called {WORD}"]
    assert not (home / keys.NEXT).exists()


def test_a_plain_backup_gives_a_home_with_damaged_keys_none(home: Path, place: Path) -> None:
    plain = elsewhere(place)
    encrypt(home, passphrase=PHRASE)
    (home / keys.FILE).write_bytes(b"{")
    restore(plain, home)
    assert not (home / keys.FILE).exists()
    assert known(home) == [f"The shed is called {WORD}"]


@pytest.mark.parametrize("damage", ["missing", "damaged", "of another store"])
def test_a_home_without_its_keys_comes_back(
    home: Path, place: Path, damage: str, tmp_path: Path
) -> None:
    encrypt(home, passphrase=PHRASE)
    match damage:
        case "missing":
            (home / keys.FILE).unlink()
        case "damaged":
            (home / keys.FILE).write_bytes(b"{")
        case _:
            other = memoranda.init(tmp_path / "other")
            encrypt(other, passphrase=PHRASE)
            shutil.copyfile(other / keys.FILE, home / keys.FILE)
    restored = restore(place, home, passphrase=PHRASE)
    assert restored.replaced is not None
    assert known(home) == [f"The shed is called {WORD}"]
    with memoranda.open(home) as m:
        assert m.backup().backup is not None


def test_without_what_opens_it_nothing_is_touched(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    keys._known.clear()
    before = {each: each.read_bytes() for each in home.glob("memory*")}
    for secret in (None, OTHER):
        with pytest.raises(Locked):
            restore(place, home, passphrase=secret)
    assert {each: each.read_bytes() for each in home.glob("memory*")} == before


def test_a_backup_without_its_keys_is_refused(home: Path, place: Path) -> None:
    encrypt(home, passphrase=PHRASE)
    (of_keys,) = [each for each in place.glob("*/files/*") if b"opened by" in each.read_bytes()]
    of_keys.unlink()
    with pytest.raises(BackupError, match=r"memory\.keys is missing"):
        restore(place, home)


def test_a_copy_of_a_home_takes_no_backup_from_it(home: Path, place: Path) -> None:
    copy = Path(shutil.copytree(home, home.with_name("copy")))
    sealed = encrypt(copy, passphrase=PHRASE)
    assert (sealed.renewed, sealed.pending) == ((), (str(place),))
    with memoranda.open(home) as m:
        (only,) = m.backups().found
        assert not only.encrypted
