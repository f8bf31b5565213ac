"""A backup is what the home was, costs nothing when nothing changed, and comes back whole."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import (
    BackupError,
    Busy,
    HomeError,
    InvalidInput,
    Memoranda,
    ScopeClosed,
    Turn,
    settings,
)
from memoranda.sealing import encrypt
from memoranda.stores import cipher, keys
from memoranda.stores.erasing import Cut
from memoranda.stores.forgotten import cuts
from memoranda.testing import MARCH
from memoranda.text.masks import FORGOTTEN
from tests.sealed import deciphered

WORD = "zirconium"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(autouse=True)
def words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk"


@pytest.fixture(params=["plain", "encrypted"])
def home(tmp_path: Path, place: Path, request: pytest.FixtureRequest) -> Path:
    made = memoranda.init(tmp_path / "home", enable=True, backup_to=place)
    if request.param == "encrypted":
        encrypt(made, held_by=f"file:{tmp_path / 'secret'}", keep_files=True)
    return made


class Clock:
    def __init__(self) -> None:
        self.now = MARCH

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def m(home: Path, clock: Clock) -> Iterator[Memoranda]:
    with memoranda.open(home) as opened:
        opened._clock = clock
        yield opened


def fill(m: Memoranda) -> list[str]:
    turns = m.observe(
        [Turn("c1", "user", f"turn {n} about the pool", time=MARCH) for n in range(20)]
    ).turns
    return [*turns, m.remember("The pool is called tank", source=turns[3]).id]


def rows_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, but for what is noted of backups and of files."""
    db = cipher.opened(path, apsw.SQLITE_OPEN_READWRITE)
    try:
        names = [
            name
            for (name,) in db.execute(
                "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' "
                "AND name NOT GLOB 'sqlite_*' AND name NOT IN ('file', 'file_line')"
            )
        ]
        found = {name: db.execute(f"SELECT * FROM {name} NOT INDEXED").fetchall() for name in names}
        found["home"] = [row for row in found["home"] if not str(row[0]).startswith("backup ")]
        return found
    finally:
        db.close()


def bytes_in(place: Path) -> int:
    return sum(each.stat().st_size for each in place.rglob("*") if each.is_file())


def holds(folder: Path, word: str = WORD) -> list[str]:
    """The files that hold a word, for who has the key of the home too."""
    files = [each for each in folder.rglob("*") if each.is_file()]
    keys_in = next(folder.parent.glob("*/memory.keys"), None)
    return [str(each) for each in files if word.encode() in as_read(each, keys_in).lower()]


def as_read(file: Path, keys_in: Path | None) -> bytes:
    told = None if keys_in is None else keys.read(keys_in)
    content = file.read_bytes()
    if told is None or not content.startswith(told.begins):
        return content
    return deciphered(file, keys_in)


# Making -------------------------------------------------------------------------------------------


def test_a_home_comes_back_row_by_row(home: Path, tmp_path: Path) -> None:
    with memoranda.open(home) as m:
        fill(m)
        m.revise(m.list()[0].id, "The pool is called reef")
    with memoranda.open(home) as m:
        m.backup()
    before = rows_of(home / "memory.db")
    returned = memoranda.restore(home=tmp_path / "other", source=tmp_path / "disk")
    after = rows_of(tmp_path / "other" / "memory.db")
    assert after == before
    assert returned.replaced is None
    with memoranda.open(tmp_path / "other") as m:
        assert (
            m.recall("what is the pool called? reef?").hits[0].content == "The pool is called reef"
        )
        assert m._store.check() == []


def test_an_unchanged_home_costs_a_manifest(m: Memoranda, place: Path, clock: Clock) -> None:
    fill(m)
    first = m.backup()
    assert first.new
    before = bytes_in(place)
    for _ in range(10):
        clock.now += DAY
        again = m.backup()
        assert not again.new
        assert again.backup is not None
        assert again.backup.verified_at == clock.now
    assert len(m.backups().found) > 5
    assert bytes_in(place) < before + 10 * 5000
    m.remember("something new")
    assert m.backup().new


def test_one_that_is_not_due_is_not_made(m: Memoranda, clock: Clock) -> None:
    assert m.backup(due=True).backup is not None
    clock.now += 2 * HOUR
    assert m.backup(due=True).backup is None  # nothing changed
    m.remember("something new")
    assert m.backup(due=True).backup is not None
    m.remember("something newer")
    assert m.backup(due=True).backup is None  # an hour has not passed
    clock.now += 25 * HOUR
    m.backup(due=True)
    clock.now += 25 * HOUR
    assert m.backup(due=True).backup is not None  # verified once more


def test_a_pass_makes_one_that_is_due_and_fails_without_none(
    m: Memoranda, place: Path, clock: Clock
) -> None:
    fill(m)
    m.consolidate(model="rules", dry_run=True)
    assert m.backups().found == ()
    m.consolidate(model="rules")
    assert len(m.backups().found) == 1
    m.consolidate(model="rules")
    assert len(m.backups().found) == 1
    clock.now += DAY + HOUR
    place.rename(place.with_name("away"))
    assert m.consolidate(model="rules").stopped is None
    assert any("last verified backup" in each for each in m.status().warnings)
    place.with_name("away").rename(place)
    m.consolidate(model="rules")
    assert len(m.backups().found) == 2


def test_old_backups_go_with_what_no_other_has(
    m: Memoranda, home: Path, place: Path, clock: Clock
) -> None:
    settings.change(home, backup_hourly=2, backup_daily=1, backup_weekly=1)
    m.settings = settings.load(home, {})
    for n in range(5):
        m.remember(f"fact number {n}")
        m.backup(place)
        clock.now += HOUR
    assert len(m.backups(place).found) <= 3
    named = {file.sha256 for each in m.backups(place).found for file in each.files}
    assert {each.name for each in place.glob("*/files/*")} == named
    assert [each.problems for each in m.verify_backups()] == [()] * len(m.backups().found)


def test_what_belongs_to_a_home_is_in_it_and_no_key(m: Memoranda, home: Path, place: Path) -> None:
    settings.change(home, embedding_key="hunter2-hunter2", recall_limit=5)
    m.write_skill("---\nname: deploy\ndescription: How to deploy\n---\n\nPush.\n")
    saved = m.backup()
    assert saved.backup is not None
    assert saved.backup.left_out == ("embedding_key",)
    paths = {each.path for each in saved.backup.files}
    assert {"memory.db", "memoranda.toml", "skills/deploy/SKILL.md"} <= paths
    assert not any("MEMORY.md" in each or "mirror" in each for each in paths)
    assert holds(place, "hunter2") == []
    assert all(each.stat().st_mode & 0o077 == 0 for each in place.rglob("*") if each.is_file())


def test_a_backup_that_rots_is_found_and_told(m: Memoranda, place: Path, clock: Clock) -> None:
    fill(m)
    good = m.backup().backup
    clock.now += DAY
    m.remember("something new")
    bad = m.backup().backup
    assert good is not None
    assert bad is not None
    file = next(each for each in bad.files if each.path == "memory.db")
    (path,) = place.glob(f"*/files/{file.sha256}")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    told = {each.id: each.problems for each in m.verify_backups()}
    assert told[good.id] == ()
    assert "is not as it was written" in told[bad.id][0]
    with pytest.raises(BackupError, match="is not sound"):
        memoranda.restore(bad.id, m._path, dry_run=True)
    clock.now += DAY
    assert m.backup().new  # the copy is of no use, so the unchanged store is copied again
    assert m.verify_backups(m.backups().found[0].id)[0].problems == ()


def test_a_full_disk_leaves_what_there_was(home: Path, place: Path) -> None:
    with memoranda.open(home) as m:
        fill(m)
        m.backup()
        kept = m.backups()
        for n in range(2000):
            m.remember(f"fact number {n} of very many that need room")
    size = (home / "memory.db").stat().st_size // 3

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    done = subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), "backup"],
        preexec_fn=no_room, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "the backups at" in done.stderr
    assert "as they were" in done.stderr
    with memoranda.open(home) as m:
        assert m.backups() == kept
        assert [each.problems for each in m.verify_backups()] == [()]
        assert list(place.glob("*/.making*")) == []
        assert m.backup().new


def test_only_the_owner_makes_and_sees_them(home: Path) -> None:
    with memoranda.open(home, profile="worker") as m:
        for verb in (m.backup, m.backups, m.verify_backups):
            with pytest.raises(ScopeClosed):
                verb()


def test_two_do_not_clash(m: Memoranda) -> None:
    with m._store.alone("backup"), pytest.raises(Busy):
        m.backup()


def test_a_place_that_cannot_be_is_refused(m: Memoranda, home: Path, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="within the home"):
        m.backup(home / "backups")
    with pytest.raises(BackupError, match="mount"):
        m.backup(tmp_path / "missing" / "further")
    with pytest.raises(BackupError, match="none"):
        m.verify_backups("2020")


def test_an_empty_folder_where_backups_were_is_taken_for_a_disk_that_is_not_mounted(
    m: Memoranda, place: Path, tmp_path: Path
) -> None:
    m.backup()
    place.rename(tmp_path / "away")
    place.mkdir()
    with pytest.raises(BackupError, match="mount its disk"):
        m.backup()
    assert any("has no backup" in each for each in m.status().warnings)
    m.backups(drop=place)
    assert m.backup().new


def test_leftovers_of_a_crash_are_removed(m: Memoranda, place: Path) -> None:
    m.backup()
    (folder,) = place.glob("memoranda-*")
    (folder / ".making-1").mkdir()
    (folder / ".making-1" / "memory.db").write_text("half")
    (folder / "files" / ("0" * 64)).write_text("nobody's")
    m.remember("something new")
    m.backup()
    assert not (folder / ".making-1").exists()
    assert not (folder / "files" / ("0" * 64)).exists()


# Telling ------------------------------------------------------------------------------------------


def test_status_and_context_tell_when_there_is_no_recent_backup(
    m: Memoranda, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "has no backup" in m.status().warnings[-1]
    assert "has no backup" in m.context().text
    m.backup()
    assert any("on the same disk" in each for each in m.status().warnings)
    monkeypatch.setattr("memoranda.upkeep.backup.is_same_disk", lambda place, home: False)
    clock.now += HOUR
    m.backup()
    assert m.status().warnings == ()
    assert m.status().backed_up_at == clock.now
    assert m.context().text == ""
    m.remember("Never deploy on Fridays", kind="constraint")
    before = m.context().text
    clock.now += 26 * HOUR
    told = m.context().text
    assert "the last verified backup is of 2026-03-01" in told
    assert told.startswith(before.removesuffix("</memoranda>").split("(2026")[0])
    assert told.index("Fridays") < told.index("verified backup")


def test_a_home_without_a_place_has_no_warning_but_is_told(tmp_path: Path) -> None:
    with memoranda.open(memoranda.init(tmp_path / "plain")) as m:
        assert m.status().warnings == ()
        assert m.status().backup_to == ""
        assert m.context().text == ""
        with pytest.raises(BackupError, match="backup_to"):
            m.backup()


# Forgetting ---------------------------------------------------------------------------------------


def test_what_is_forgotten_goes_from_every_backup_and_nothing_else_does(
    m: Memoranda, home: Path, place: Path, clock: Clock
) -> None:
    fill(m)
    m.backup()
    clock.now += DAY
    secret = m.observe([Turn("c2", "user", f"the code is {WORD}, and tea is at four")]).turns[0]
    memory = m.remember(f"The code is {WORD}", source=secret)
    m.backup()
    clock.now += DAY
    m.remember("Tea is at four", source=secret)
    m.backup()
    assert holds(place)
    before = [each.held.counts for each in m.backups().found]
    receipt = m.forget(memory.id)
    assert receipt.pending == ()
    assert holds(place) == []
    after = [each.held.counts for each in m.backups().found]
    assert len(after) == 3
    assert before[2]["memory"] == after[2]["memory"]
    assert all(not each.problems for each in m.verify_backups())
    m.close()
    assert holds(home) == []


def test_words_cut_out_of_a_turn_are_cut_in_backups_from_before_the_memory(
    m: Memoranda, place: Path, tmp_path: Path
) -> None:
    (turn,) = m.observe(
        [Turn("c", "user", f"the code is {WORD}. " + "Tea is at four. " * 80)]
    ).turns
    saved = m.backup()
    assert saved.backup is not None
    passage = m.show(turn)
    start = passage.content.index(WORD)
    with m._store.connections.writing() as db:  # type: ignore[attr-defined]  # as a pass does
        memory = m.remember("The code is what was said", source=turn)
        db.execute("UPDATE source SET start = ?, stop = ?", (start, start + len(WORD)))
    receipt = m.forget(memory.id)
    assert receipt.cut == (turn,)
    assert holds(place) == []
    memoranda.restore(place, tmp_path / "other")
    with memoranda.open(tmp_path / "other") as other:
        assert other.show(turn).content == m.show(turn).content
        assert FORGOTTEN in other.show(turn).content


def test_a_place_that_is_away_is_pending_until_it_is_back(
    home: Path, place: Path, tmp_path: Path
) -> None:
    with memoranda.open(home) as m:
        memory = m.remember(f"The code is {WORD}")
        m.backup()
        place.rename(tmp_path / "away")
        receipt = m.forget(memory.id)
        assert receipt.pending == (str(place),)
        assert any("forgotten" in each for each in m.status().warnings)
    with memoranda.open(home):
        pass
    (tmp_path / "away").rename(place)
    assert holds(place)
    with memoranda.open(home) as m:
        assert holds(place) == []
        assert not any("forgotten" in each for each in m.status().warnings)


def test_files_that_went_go_from_backups_too(m: Memoranda, place: Path) -> None:
    with memoranda.open(m._path, profile="worker") as worker:
        worker.write_skill(
            f"---\nname: deploy\ndescription: How to deploy\n---\n\nSay {WORD}.\n",
            scope="profile:worker",
        )  # fmt: skip
    m.write_skill("---\nname: review\ndescription: How to review\n---\n\nRead.\n")
    m.backup()
    assert holds(place)
    m.forget(profile="worker")
    assert holds(place) == []
    assert any("skills/review" in file.path for file in m.backups().found[0].files)


@given(st.text(max_size=30), st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30))))
def test_what_was_cut_is_found_by_what_is_left(text: str, some: list[tuple[int, int]]) -> None:
    cut = Cut.of((min(a, b), max(a, b)) for a, b in some if max(a, b) <= len(text))
    after = cut.left_of(text, 0)
    found = cuts(text, after)
    assert found is not None
    assert Cut.of(found).left_of(text, 0) == after


@given(st.text(max_size=20), st.text(max_size=20))
def test_another_text_was_not_cut_out_of_one(before: str, after: str) -> None:
    found = cuts(before, after)
    assert found is None or Cut.of(found).left_of(before, 0) == after


# Restoring ----------------------------------------------------------------------------------------


def test_what_was_forgotten_since_does_not_come_back(home: Path, tmp_path: Path) -> None:
    with memoranda.open(home) as m:
        fill(m)
        memory = m.remember(f"The code is {WORD}")
        m.backup(tmp_path / "stick")
        m.backups(drop=tmp_path / "stick")  # a copy that nobody knows of
        m.forget(memory.id)
        m.disable()
    assert holds(tmp_path / "stick")
    returned = memoranda.restore(tmp_path / "stick", home)
    assert returned.forgotten == 1
    assert holds(home) == []
    with memoranda.open(home) as m:
        assert [each.content for each in m.list()] == ["The pool is called tank"]
        assert m.status().capturing_since is None  # as today


def test_a_dry_run_tells_what_would_come_back_and_what_be_lost(home: Path) -> None:
    with memoranda.open(home) as m:
        ids = fill(m)
        m.backup()
        m.remember("Only later")
        m.forget(ids[0])
    before = rows_of(home / "memory.db")
    told = memoranda.restore(home=home, dry_run=True)
    assert told.dry_run
    assert told.memories is not None
    assert (told.memories.back, told.memories.lost) == (0, 1)
    assert told.turns is not None
    assert (told.turns.back, told.turns.lost) == (0, 0)
    assert (told.tables["memory"].then, told.tables["memory"].now) == (1, 2)
    assert told.seconds > 0
    assert rows_of(home / "memory.db") == before
    assert list(home.glob("*replaced*")) == []
    assert list(home.glob("preview-*")) == []


def test_the_store_and_the_files_that_are_there_are_kept(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("Rests on old words", kind="constraint")
        m.backup()
        m.remember("Came later", kind="constraint")
    with (home / "MEMORY.md").open("a") as file:
        file.write("- A line that nobody has read\n")
    returned = memoranda.restore(home=home)
    assert returned.replaced is not None
    with memoranda.open(home) as m:
        assert [each.content for each in m.list()] == ["Rests on old words"]
    aside = (home / "MEMORY.md.before").read_text()
    assert returned.aside == (str(home / "MEMORY.md.before"),)
    assert "A line that nobody has read" in aside
    assert "Came later" in aside
    assert "Came later" not in (home / "MEMORY.md").read_text()
    kept = rows_of(Path(returned.replaced))
    assert len(kept["memory"]) == 2
    with memoranda.open(home) as m:
        m.forget(m.list()[0].id)
    assert list(home.glob("*replaced*")) == []  # it held what was forgotten
    assert holds(home, "rests on old words") == []


def test_a_damaged_store_gives_way(home: Path) -> None:
    with memoranda.open(home) as m:
        fill(m)
        m.backup()
    (home / "memory.db").write_bytes(b"SQLite format 3\0" + os.urandom(20_000))
    with pytest.raises((HomeError, memoranda.StoreError)):
        memoranda.open(home)
    returned = memoranda.restore(home=home)
    assert returned.forgotten is None
    assert returned.replaced is not None
    with memoranda.open(home) as m:
        assert len(m.list()) == 1


def test_without_a_store_the_newest_backup_tells_what_was_forgotten(
    home: Path, clock: Clock, tmp_path: Path
) -> None:
    stick = tmp_path / "stick"
    with memoranda.open(home) as m:
        m._clock = clock
        fill(m)
        memory = m.remember(f"The code is {WORD}")
        m.backup(stick)
        m.backups(drop=stick)
        m.forget(memory.id)
        clock.now += DAY
        m.backup(stick)
    (first, _) = sorted(stick.glob("*/*.json"))
    (home / "memory.db").unlink()
    returned = memoranda.restore(first, home)
    assert returned.forgotten == 1
    assert holds(home) == []


def test_a_backup_of_another_home_is_refused_unless_it_is_meant(home: Path, tmp_path: Path) -> None:
    with memoranda.open(home) as m:
        fill(m)
        m.backup()
    other = memoranda.init(tmp_path / "other")
    with pytest.raises(BackupError, match="another home"):
        memoranda.restore(tmp_path / "disk", other)
    memoranda.restore(tmp_path / "disk", other, of_another_home=True)
    with memoranda.open(other) as m:
        assert len(m.list()) == 1


def test_nothing_is_replaced_while_somebody_has_the_home_open(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.1")
    with memoranda.open(home) as m:
        m.backup()
        with pytest.raises(HomeError, match="in use"):
            memoranda.restore(home=home)


def test_an_empty_folder_tells_of_its_backup_and_is_not_made_new(
    home: Path, place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memoranda.open(home) as m:
        fill(m)
        m.write_skill("---\nname: review\ndescription: How to review\n---\n\nRead.\n")
        m.backup()
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    monkeypatch.setenv("MEMORANDA_BACKUP_TO", str(place))
    for refused in (memoranda.open, memoranda.init):
        with pytest.raises(HomeError, match="memoranda restore"):
            refused(fresh)
    with pytest.raises(HomeError, match="memoranda restore"):
        memoranda.open(tmp_path / "missing")
    returned = memoranda.restore(home=fresh)
    assert returned.newest is not None
    assert "skills/review/SKILL.md" in returned.brought
    with memoranda.open(fresh) as m:
        assert len(m.list()) == 1
        assert m.status().backed_up_at is not None
    memoranda.init(tmp_path / "second", new=True)


def test_init_checks_the_place(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="within"):
        memoranda.init(tmp_path / "home", backup_to=tmp_path / "home" / "backups")
    assert not (tmp_path / "home" / "memory.db").exists()
    assert settings.load(memoranda.init(tmp_path / "none", backup_to=""), {}).backup_to == ""
    memoranda.init(tmp_path / "home", backup_to=tmp_path / "disk")
    loaded = settings.load(tmp_path / "home", {})
    assert loaded.backup_to == str(tmp_path / "disk")


@pytest.mark.parametrize(
    ("argument", "value"), [("source", 5), ("dry_run", 1), ("of_another_home", "yes")]
)
def test_a_wrong_argument_of_restore_is_refused(home: Path, argument: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=argument):
        memoranda.restore(**{"home": home, argument: value})  # type: ignore[arg-type]


# At the command line ------------------------------------------------------------------------------


def run(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), *words],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip


def test_the_commands_answer_in_words_and_in_json(home: Path, place: Path) -> None:
    made = json.loads(run(home, "--json", "backup").stdout)
    assert made["new"] is True
    listed = json.loads(run(home, "--json", "backups").stdout)
    assert [each["id"] for each in listed["found"]] == [made["backup"]["id"]]
    assert run(home, "backup", "--due").stdout == "No backup is due.\n"
    assert "sound" in run(home, "backup", "--verify").stdout
    told = json.loads(run(home, "--json", "restore", "--dry-run").stdout)
    assert told["dry_run"] is True
    assert "Came back" in run(home, "restore", made["backup"]["id"]).stdout
    next(place.glob("*/files/*")).write_bytes(b"rotten")
    assert run(home, "backup", "--verify").returncode == 1
