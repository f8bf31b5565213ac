"""Encrypted homes: nothing plain in any file, opened by what shall open them and nothing else."""

from __future__ import annotations

import random
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import HomeError, InvalidInput, Turn
from memoranda.errors import Locked, MemorandaError, StoreError
from memoranda.sealing import Sealed, decrypt, encrypt, rekey, unlock
from memoranda.stores import cipher, keys, rekeying
from memoranda.stores.connections import query
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH, a_memory, add, forget
from tests.canaries import bytes_of, canaries, traces
from tests.planting import STAYING, WAYS, WORD, neighbours, plant
from tests.sealed import deciphered

PHRASE = "correct horse battery staple"


@pytest.fixture(autouse=True)
def nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process that has opened nothing yet."""
    monkeypatch.setattr(keys, "_known", {})


def forgets_keys() -> None:
    keys._known.clear()


@pytest.fixture
def sealed(home: Path) -> Sealed:
    return encrypt(home, passphrase=PHRASE)


def fill(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.observe([Turn("c1", "user", f"We call it {WORD}.", MARCH), Turn("c1", "user", "Fine.")])
        memory = m.remember(f"The plan is called {WORD}", topics=[f"{WORD} plans"])
        m.revise(memory.id, f"The plan was called {WORD}")
        m.consolidate(model="rules")
        m.recall(WORD)


def rows(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a store holds."""
    with closing(cipher.opened(path, apsw.SQLITE_OPEN_READWRITE)) as db:
        tables = query(
            db,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'",
        )
        return {name: query(db, f'SELECT * FROM "{name}"') for (name,) in tables}


# What it keeps from others ------------------------------------------------------------------------


def test_no_word_and_no_vector_stands_in_any_file(home: Path, sealed: Sealed) -> None:
    fill(home)
    assert traces(home, [WORD]) == []
    with memoranda.open(home) as m:
        assert traces(home, [WORD]) == []
        assert [hit.content for hit in m.recall(WORD).hits]
        with m._store.preview() as copy:
            assert traces(home, [WORD]) == []
            assert copy.cipher == sealed.cipher
    assert bytes_of(home / "memory.db")[:16] != cipher.MAGIC
    assert stat.S_IMODE((home / "memory.keys").stat().st_mode) == 0o600


def test_what_was_plain_is_gone_once_it_is_encrypted(home: Path) -> None:
    fill(home)
    (home / ".USER.md.12345.new").write_text(WORD)  # by who was killed as they wrote
    assert traces(home, [WORD])
    before = rows(home / "memory.db")
    done = encrypt(home, passphrase=PHRASE)
    assert traces(home, [WORD]) == []
    assert {Path(each).name for each in done.removed} >= {"USER.md"}
    assert done.left == ()
    after = rows(home / "memory.db")
    assert {name for name in before if before[name] != after[name]} <= {"file", "file_line"}
    with memoranda.open(home) as m:
        assert not m.settings.files
        assert m.status().cipher == done.cipher


def test_files_stay_where_a_person_wants_them(home: Path) -> None:
    fill(home)
    encrypt(home, passphrase=PHRASE, keep_files=True)
    assert WORD in (home / "USER.md").read_text()
    with memoranda.open(home) as m:
        m.remember("The gate is green", kind="environment")
    assert "gate" in (home / "MEMORY.md").read_text()


def test_edits_are_taken_in_and_remarks_stay(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("The gate is green", kind="environment")
        m.remember("User likes tea", kind="preference")
    path = home / "MEMORY.md"
    path.write_text(path.read_text().replace("green", "blue"))
    user = home / "USER.md"
    user.write_text(user.read_text() + "\n> my own remark\n")
    done = encrypt(home, passphrase=PHRASE)
    assert done.left == (str(user),)
    assert not path.exists()
    with memoranda.open(home) as m:
        assert m.recall("gate").hits[0].content == "The gate is blue"


def test_the_pages_hold_nothing_of_what_was_forgotten(tmp_path: Path) -> None:
    """Not even in their gaps, where SQLite leaves copies of what it has moved."""
    path, words = tmp_path / "memory.db", canaries(6000)
    told, key = keys.new("aegis", [keys.Held(keys.Holder.PASSPHRASE, PHRASE)])
    SqliteStore.create(path, at=MARCH, sealed=(told, key))
    with closing(SqliteStore(path)) as store:
        said = [a_memory(" ".join(words[at : at + 5])) for at in range(0, len(words), 5)]
        add(store, *said)
        going = set(random.Random(1).sample(range(len(said)), 400))
        forget(store, *(said[each] for each in going))
        assert store.purge().pending == ()
    content = deciphered(path).lower()
    assert b"sqlite" in content
    gone = [word for number in going for word in words[5 * number : 5 * number + 5]]
    assert [word for word in gone if word[:8].encode() in content] == []


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_forget_works(home: Path, sealed: Sealed, tmp_path: Path, way: str) -> None:
    how = WAYS[way]
    with how.opens(home) as m:
        staying = neighbours(m)[: how.leave]
    with how.opens(home, **how.who) as m:
        planted = plant(m, how, tmp_path / "export.jsonl", staying)
        assert traces(home, [WORD], planted.vectors) == []
        receipt = how.forget(m, planted)
        assert receipt.pending == ()
        assert m._store.check() == []
    assert WORD.encode() not in deciphered(home / "memory.db").lower()
    with how.opens(home) as m:
        for content in STAYING[: how.leave]:
            assert m.recall(content).hits[0].content == content


def test_chacha20_takes_its_place_where_there_is_no_aes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(cipher, "_has_aes", lambda: False)
        assert encrypt(home, passphrase=PHRASE).cipher == "chacha20"
    fill(home)
    assert traces(home, [WORD]) == []
    with memoranda.open(home) as m:
        assert m.recall(WORD).hits


# What opens it ------------------------------------------------------------------------------------


def test_without_what_opens_it_it_stays_closed(home: Path, sealed: Sealed) -> None:
    forgets_keys()
    with pytest.raises(Locked, match="its passphrase, asked for on a terminal"):
        memoranda.open(home)
    with pytest.raises(Locked, match="the passphrase or recovery key is wrong"):
        unlock("something else", home)
    unlock(PHRASE, home)
    with memoranda.open(home) as m:
        assert m.list() == ()


def test_who_could_not_open_it_holds_no_lock(
    home: Path, sealed: Sealed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.1")
    forgets_keys()
    try:
        memoranda.open(home)
    except Locked:  # what is told holds on to what was tried
        unlock(PHRASE, home)
        rekey(home, passphrase="another passphrase")
    else:
        pytest.fail("it was opened without anything that opens it")


@pytest.mark.parametrize("as_typed", [str, str.lower, lambda key: key.replace("-", " ")])
def test_the_recovery_key_opens_it_however_it_is_typed(
    home: Path, sealed: Sealed, as_typed: type[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    forgets_keys()
    monkeypatch.setenv("MEMORANDA_KEY", as_typed(sealed.recovery_key))
    memoranda.open(home).close()


def test_the_environment_opens_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_PASSPHRASE", PHRASE)
    encrypt(home)
    forgets_keys()
    memoranda.open(home).close()
    forgets_keys()
    monkeypatch.setenv("MEMORANDA_PASSPHRASE", "another one")
    with pytest.raises(Locked, match="the passphrase is wrong"):
        memoranda.open(home)
    monkeypatch.delenv("MEMORANDA_PASSPHRASE")
    with pytest.raises(Locked):
        memoranda.open(home)


def test_a_secret_of_the_environment_is_made_and_told_once(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = encrypt(home, held_by="environment")
    assert done.secret is not None
    forgets_keys()
    with pytest.raises(Locked, match="the secret in MEMORANDA_KEY"):
        memoranda.open(home)
    monkeypatch.setenv("MEMORANDA_KEY", done.secret)
    memoranda.open(home).close()
    assert rekey(home, held_by="environment").secret is None


def test_a_file_opens_it(home: Path, tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "memoranda"
    encrypt(home, held_by=f"file:{path}")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    forgets_keys()
    memoranda.open(home).close()
    path.unlink()
    forgets_keys()
    with pytest.raises(Locked, match=str(path)):
        memoranda.open(home)


@pytest.fixture
def ring() -> Iterator[dict[str, str]]:
    """What a keyring of the system holds of ours."""
    import keyring
    from keyring.backend import KeyringBackend
    from keyring.errors import PasswordDeleteError

    kept: dict[str, str] = {}

    class InMemory(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            return kept.get(username)

        def set_password(self, service: str, username: str, password: str) -> None:
            kept[username] = password

        def delete_password(self, service: str, username: str) -> None:
            if username not in kept:
                raise PasswordDeleteError(username)
            del kept[username]

    before = keyring.get_keyring()
    keyring.set_keyring(InMemory())  # type: ignore[no-untyped-call]
    yield kept
    keyring.set_keyring(before)


def test_a_keyring_opens_it(home: Path, ring: dict[str, str]) -> None:
    encrypt(home, held_by="keyring")
    assert [str(home.resolve()) in name for name in ring] == [True]
    forgets_keys()
    memoranda.open(home).close()
    ring.clear()
    forgets_keys()
    with pytest.raises(Locked, match="keyring"):
        memoranda.open(home)


def test_a_keyring_holds_the_key_there_is_until_there_is_another(
    home: Path, ring: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    encrypt(home, held_by="keyring")
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.1")
    with memoranda.open(home), pytest.raises(HomeError, match="in use"):
        rekey(home, held_by="keyring")
    forgets_keys()
    memoranda.open(home).close()
    before = set(ring)
    rekey(home, held_by="keyring")
    assert len(set(ring) - before) == 1
    forgets_keys()
    memoranda.open(home).close()
    decrypt(home)
    assert not set(ring) - before


def test_a_machine_without_a_keyring_says_so(home: Path) -> None:
    import keyring
    from keyring.backends import fail

    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())  # type: ignore[no-untyped-call]
    try:
        with pytest.raises(HomeError, match="keyring does not take"):
            encrypt(home, held_by="keyring")
    finally:
        keyring.set_keyring(before)
    memoranda.open(home).close()


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ({}, "a passphrase is needed"),
        ({"passphrase": "short"}, "less than 8"),
        ({"held_by": "my dog"}, "is none of"),
        ({"held_by": "file:"}, "is none of"),
        ({"held_by": "file:{home}/key"}, "within the home"),
        ({"held_by": "file:{home}/../short"}, "less than 32"),
    ],
)
def test_what_would_open_it_for_anybody_is_refused(
    home: Path, how: dict[str, str], why: str
) -> None:
    (home.parent / "short").write_text("1234")
    with pytest.raises(InvalidInput, match=why):
        encrypt(home, **{name: value.format(home=home) for name, value in how.items()})  # type: ignore[arg-type]
    memoranda.open(home).close()
    assert not (home / "memory.keys").exists()


# What is refused ----------------------------------------------------------------------------------


def test_a_plain_file_in_its_place_is_refused(home: Path, sealed: Sealed, tmp_path: Path) -> None:
    other = memoranda.init(tmp_path / "other")
    shutil.copy(other / "memory.db", home / "memory.db")
    with pytest.raises(HomeError, match=r"is not encrypted, though memory\.keys"):
        memoranda.open(home)


def test_a_secret_for_a_plain_home_is_refused(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_PASSPHRASE", PHRASE)
    with pytest.raises(HomeError, match="is not encrypted, though MEMORANDA_PASSPHRASE"):
        memoranda.open(home)


def test_keys_of_another_store_are_refused(home: Path, sealed: Sealed, tmp_path: Path) -> None:
    other = memoranda.init(tmp_path / "other")
    encrypt(other, passphrase=PHRASE)
    shutil.copy(other / "memory.keys", home / "memory.keys")
    with pytest.raises(HomeError, match="of another store"):
        memoranda.open(home)


def test_without_its_keys_it_is_told_what_is_missing(home: Path, sealed: Sealed) -> None:
    (home / "memory.keys").unlink()
    with pytest.raises(HomeError, match=r"memory\.keys beside it is missing"):
        memoranda.open(home)
    with pytest.raises(HomeError):
        memoranda.init(home)


@given(st.data())
def test_damaged_keys_open_nothing_and_say_so(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = _one_sealed(tmp_path_factory)
    whole = (folder / "memory.keys").read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    damaged = data.draw(
        st.sampled_from(
            [whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :], whole[at:]]
        )
    )
    copy = tmp_path_factory.mktemp("damaged")
    shutil.copy(folder / "memory.db", copy / "memory.db")
    (copy / "memory.keys").write_bytes(damaged)
    forgets_keys()
    try:
        unlock(PHRASE, copy)
        memoranda.open(copy).close()
    except MemorandaError:
        return
    # What is left when a space or the other secret is damaged.
    assert keys.read(copy / "memory.keys") is not None


_SEALED: list[Path] = []


def _one_sealed(factory: pytest.TempPathFactory) -> Path:
    if not _SEALED:
        folder = memoranda.init(factory.mktemp("sealed") / "home")
        encrypt(folder, passphrase=PHRASE)
        _SEALED.append(folder)
    return _SEALED[0]


def test_what_is_done_already_is_told(home: Path) -> None:
    for wrong in (rekey, decrypt):
        with pytest.raises(InvalidInput, match="is not encrypted"):
            wrong(home)
    encrypt(home, passphrase=PHRASE)
    with pytest.raises(InvalidInput, match="encrypted already"):
        encrypt(home, passphrase=PHRASE)


def test_while_somebody_has_it_open_nothing_changes(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.1")
    with memoranda.open(home), pytest.raises(HomeError, match="in use"):
        encrypt(home, passphrase=PHRASE)
    memoranda.open(home).close()
    assert not cipher.is_encrypted(home / "memory.db")


# Changing it --------------------------------------------------------------------------------------


def test_another_key_and_none(home: Path, sealed: Sealed) -> None:
    fill(home)
    before = rows(home / "memory.db")
    old = (home / "memory.keys").read_bytes()
    again = rekey(home, passphrase="another passphrase")
    assert again.recovery_key != sealed.recovery_key
    assert rows(home / "memory.db") == before
    assert traces(home, [WORD]) == []
    forgets_keys()
    for former in (PHRASE, sealed.recovery_key):
        with pytest.raises(Locked):
            unlock(former, home)
    (home / "memory.keys").write_bytes(old)
    unlock(PHRASE, home)
    with pytest.raises(HomeError, match="another store"):
        memoranda.open(home)
    (home / "memory.keys").unlink()


def test_plain_again(home: Path, sealed: Sealed) -> None:
    fill(home)
    before = rows(home / "memory.db")
    decrypt(home)
    assert not (home / "memory.keys").exists()
    assert bytes_of(home / "memory.db")[:16] == cipher.MAGIC
    assert rows(home / "memory.db") == before
    with memoranda.open(home) as m:
        assert m.recall(WORD).hits
        assert m.status().cipher is None


CHANGES: dict[str, Callable[[Path], object]] = {
    "encrypt": lambda home: encrypt(home, passphrase=PHRASE, keep_files=True),
    "rekey": lambda home: rekey(home, passphrase="another passphrase"),
    "decrypt": decrypt,
}
STEPS = ("_copy", "_refuse_unsound", "_replace", "promote", "sync")


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("after", [False, True])
def test_cut_off_anywhere_it_is_the_old_or_the_new(
    home: Path, change: str, step: str, after: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(home)
    if change != "encrypt":
        encrypt(home, passphrase=PHRASE)
    before = rows(home / "memory.db")
    whole = getattr(rekeying, step)

    class Cut(BaseException):
        pass

    def cut(*args: object) -> object:
        if after:
            whole(*args)
        raise Cut

    with monkeypatch.context() as patched:
        patched.setattr(rekeying, step, cut)
        with pytest.raises(Cut):
            CHANGES[change](home)
    SqliteStore(home / "memory.db").close()  # which finishes what was begun
    assert rows(home / "memory.db") == before
    with memoranda.open(home) as m:
        assert m.recall(WORD).hits
    assert {each.name for each in home.glob("memory.keys*")} <= {"memory.keys"}
    assert not list(home.glob("keying-*"))


def test_a_lost_store_comes_back_encrypted(home: Path) -> None:
    fill(home)
    encrypt(home, passphrase=PHRASE, keep_files=True)
    with memoranda.open(home) as m:
        known = {each.content for each in m.list()}
        m.sync()
    (home / "memory.db").unlink()
    memoranda.restore_from_markdown(home=home)
    assert bytes_of(home / "memory.db")[:16] != cipher.MAGIC
    with memoranda.open(home) as m:
        assert {each.content for each in m.list()} == known
        assert m.status().cipher == "aegis"


def test_an_older_schema_is_brought_up_to_date(home: Path, sealed: Sealed) -> None:
    """The copy that is made before a step is as encrypted as the store."""
    path = home / "memory.db"
    from memoranda.stores import migrate
    from memoranda.stores.connections import connect

    with closing(connect(path, 1, for_file=True)) as db:
        migrate._copy_verified(db, home / "memory.db.before-0001")
    assert bytes_of(home / "memory.db.before-0001")[:16] != cipher.MAGIC
    decrypt(home)
    assert not list(home.glob("*.before-*"))


def test_any_opening_is_told_when_sqlite_cannot_encrypt(
    home: Path, sealed: Sealed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(apsw, "mc_version")
    with pytest.raises(HomeError, match="cannot encrypt"):
        memoranda.open(home)


def test_a_store_is_made_encrypted(tmp_path: Path) -> None:
    told, key = keys.new("aegis", [keys.Held(keys.Holder.PASSPHRASE, PHRASE)])
    SqliteStore.create(tmp_path / "memory.db", at=MARCH, sealed=(told, key))
    assert bytes_of(tmp_path / "memory.db")[:16] != cipher.MAGIC
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        assert store.cipher == "aegis"
        assert store.check() == []


# Told in time -------------------------------------------------------------------------------------


def test_what_is_shown_once_is_told_before_it_counts(home: Path) -> None:
    told = list[tuple[str, str | None]]()

    def tell(recovery: str, secret: str | None) -> None:
        told.append((recovery, secret))
        assert cipher.is_encrypted(home / "memory.db") == (len(told) > 1)

    first = encrypt(home, held_by="environment", tell=tell)
    second = rekey(home, passphrase=PHRASE, tell=tell)
    assert told == [(first.recovery_key, first.secret), (second.recovery_key, None)]


def test_who_fails_to_encrypt_writes_files_as_before(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with memoranda.open(home) as m:
        m.remember("The plum is ripe")
    with monkeypatch.context() as patch:
        patch.setattr(rekeying, "_replace", fails)
        with pytest.raises(StoreError, match="the disk is full"):
            encrypt(home, passphrase=PHRASE)
    assert not cipher.is_encrypted(home / "memory.db")
    with memoranda.open(home) as m:
        m.remember("The pear is ripe")
    assert "plum" in (home / "USER.md").read_text()
