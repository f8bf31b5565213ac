"""The files of a home: written after every change, edited by people, and a store made of them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import HomeError, Memoranda, Turn
from memoranda.care import Edit, Synced, SyncedFile
from memoranda.files import disk, mirror
from memoranda.files.layout import MIRROR
from memoranda.policy.access import Access
from memoranda.testing import MARCH, a_memory
from memoranda.text.clean import mend
from memoranda.types import Kind, Memory, Scope, Source, Status
from tests.cli.test_cli import Run, run  # noqa: F401
from tests.consolidating import DAY, MONDAY, SITE, Clock, later, opened, said
from tests.scripted import Mind, entry

RULE, TASTE, POOL = (
    "Never deploy on Fridays",
    "User prefers short answers",
    "The pool is called tank",
)


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with opened(home, clock=Clock(MONDAY)) as made:
        made.remember(RULE, kind="constraint")
        made.remember(TASTE, kind="preference")
        made.remember(POOL, kind="environment")
        made.sync()
        yield made


def edit(home: Path, old: str, new: str, name: str = "MEMORY.md") -> None:
    text = (home / name).read_text(encoding="utf-8")
    assert old in text
    (home / name).write_text(text.replace(old, new), encoding="utf-8")


def made(synced: Synced) -> list[tuple[Edit, str]]:
    return [(each.edit, each.content) for file in synced.files for each in file.edits]


def file(synced: Synced, path: str) -> SyncedFile:
    return next(each for each in synced.files if each.path == path)


def contents(m: Memoranda) -> set[str]:
    return {each.content for each in m.list(limit=1000)}


# Written ------------------------------------------------------------------------------------------


def test_each_command_leaves_the_files_up_to_date(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember(RULE, kind="constraint")
        preference = m.remember(TASTE, kind="preference")
    assert RULE in (home / "MEMORY.md").read_text(encoding="utf-8")
    assert TASTE in (home / "USER.md").read_text(encoding="utf-8")
    assert TASTE not in (home / "MEMORY.md").read_text(encoding="utf-8")
    assert (home / "MEMORY.md").stat().st_mode & 0o777 == 0o600
    with memoranda.open(home) as m:
        m.retire(preference.id)
    assert not (home / "USER.md").exists(), "there is nothing to tell in it"


def test_who_keeps_a_home_open_writes_them_now_and_then(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memoranda.open(home) as m:
        m.remember(TASTE, kind="preference")
        assert TASTE in (home / "USER.md").read_text(encoding="utf-8")
        m.remember("User likes figs", kind="preference")
        assert "figs" not in (home / "USER.md").read_text(encoding="utf-8")
        monkeypatch.setattr("memoranda.verbs.syncing.FILES_AFTER", 0.0)
        m.remember("User likes plums", kind="preference")
        assert "figs" in (home / "USER.md").read_text(encoding="utf-8")


def test_one_can_tell_whether_something_has_changed(m: Memoranda, home: Path) -> None:
    assert not m.files_changed()
    m.retire(m.list(kinds=["environment"])[0].id)
    m.sync()
    assert not m.files_changed()
    edit(home, TASTE, "User likes long answers", "USER.md")
    assert m.files_changed()
    m.sync()
    assert not m.files_changed()
    with memoranda.open(home) as other:
        other.remember("User likes plums", kind="preference")
    assert not m.files_changed(), "they were written by the other"
    with opened(home, files=False) as other:
        other.remember("User likes figs", kind="preference")
    assert m.files_changed()


def test_every_scope_has_files_of_its_own(home: Path) -> None:
    profile, anna = Scope("profile", "coder"), Scope("user", "anna")
    with opened(home, access=Access(profile=profile, project=SITE)) as m:
        m.remember("The site is built with Hugo", kind="decision", scope=SITE)
        m.remember("The build takes nine minutes", scope=profile)
    with opened(home, access=Access(person=anna)) as m:
        m.remember("User is called Anna")
    told = {
        path.relative_to(home).as_posix(): path.read_text(encoding="utf-8")
        for path in home.rglob("*.md")
        if MIRROR not in path.parts
    }
    assert {path for path, text in told.items() if "Hugo" in text} == {"projects/site/MEMORY.md"}
    assert {path for path, text in told.items() if "nine" in text} == {"profiles/coder/MEMORY.md"}
    assert {path for path, text in told.items() if "Anna" in text} == {"people/anna/USER.md"}
    assert "project: site" in told["projects/site/MEMORY.md"]


def test_nothing_is_written_that_says_nothing(home: Path) -> None:
    with memoranda.open(home) as m:
        m.sync()
        m.observe([Turn("c", "user", "What is a pool?", time=MARCH)])
    assert list(home.rglob("*.md")) == []


def test_files_can_be_turned_off(home: Path) -> None:
    with opened(home, files=False) as m:
        m.remember(POOL)
    assert list(home.rglob("*.md")) == []


def test_candidates_and_losers_are_in_no_file(m: Memoranda, home: Path) -> None:
    m.observe(said("I prefer Ruff for linting.", at=MONDAY))
    later(m)
    m.consolidate(model="rules")
    m.remember("Deploy to production on Fridays")
    m.sync()
    told = "".join(path.read_text(encoding="utf-8") for path in home.rglob("*.md"))
    assert "Ruff" not in told
    files = (home / "MEMORY.md").read_text() + (home / "USER.md").read_text()
    assert "production" not in files
    assert "contradicted by" in files


def test_a_file_is_as_long_as_the_settings_say(home: Path) -> None:
    with opened(home, file_characters=500) as m:
        for n in range(60):
            m.remember(f"User knows {n} things about bees", kind="fact")
        m.sync()
        text = (home / "USER.md").read_text()
        told = text.count("- User knows")
        assert told * len("User knows 10 things about bees") <= 500
        assert f"{60 - told} more are in the store." in text
        assert made(m.sync()) == []


# Edited -------------------------------------------------------------------------------------------


def test_a_changed_line_revises(m: Memoranda, home: Path) -> None:
    old = m.list(kinds=["environment"])[0]
    later(m, 3)
    edit(home, "called tank", "called flash")
    synced = m.sync()
    assert made(synced) == [(Edit.REVISED, "The pool is called flash")]
    new = m.list(kinds=["environment"])[0]
    assert new.content == "The pool is called flash"
    assert (new.sources[0].kind, new.sources[0].path) == ("file", "MEMORY.md")
    line = file(synced, "MEMORY.md").edits[0].line
    assert new.sources[0].line == line
    assert m.show(old.id).superseded_by == new.id  # type: ignore[union-attr]
    assert made(m.sync()) == []


def test_a_new_line_is_remembered_with_the_file_as_its_source(m: Memoranda, home: Path) -> None:
    edit(home, "## Environment\n", "## Environment\n\n- The router is called hex\n")
    assert made(m.sync()) == [(Edit.ADDED, "The router is called hex")]
    found = next(each for each in m.list() if "hex" in each.content)
    assert (found.kind, found.scope) == (Kind.ENVIRONMENT, Scope("user"))
    assert found.confidence == 0.9
    assert (found.sources[0].path, found.sources[0].kind) == ("MEMORY.md", "file")
    assert f"<!-- id: {found.id}" in (home / "MEMORY.md").read_text()


def test_a_line_with_a_day_holds_since_then(m: Memoranda, home: Path) -> None:
    with (home / "USER.md").open("a", encoding="utf-8") as written:
        written.write("\nUser lives in Ghent (2020-05-01)\n")
    m.sync()
    found = next(each for each in m.list() if "Ghent" in each.content)
    assert found.began.date().isoformat() == "2020-05-01"
    edit(home, "Ghent (2020-05-01", "Ghent (2019-05-01", "USER.md")
    assert made(m.sync()) == [(Edit.MOVED, "User lives in Ghent")]
    assert m._memory(found.id).began.date().isoformat() == "2019-05-01"


def test_a_line_that_is_gone_is_retired(m: Memoranda, home: Path) -> None:
    for n in range(10):
        m.remember(f"Server {n} runs in room {n}", kind="environment")
    m.sync()
    text = (home / "MEMORY.md").read_text()
    lines = text.split("\n")
    at = next(at for at, line in enumerate(lines) if POOL in line)
    (home / "MEMORY.md").write_text("\n".join(lines[:at] + lines[at + 2 :]))
    assert made(m.sync()) == [(Edit.RETIRED, POOL)]
    assert POOL not in contents(m)
    (memory,) = m.list(statuses=["retired"])
    assert m.history(memory.id)[-1].reason == "taken out of MEMORY.md"


def test_many_lines_that_are_gone_are_asked_about_first(m: Memoranda, home: Path) -> None:
    for n in range(10):
        m.remember(f"Server {n} runs in room {n}", kind="environment")
    m.sync()
    before = contents(m)
    text = (home / "MEMORY.md").read_text()
    (home / "MEMORY.md").write_text(text[: text.index("- Server")] + "- The router is called hex\n")
    synced = file(m.sync(), "MEMORY.md")
    assert (synced.left, synced.missing) == ("lines are gone", 10)
    assert contents(m) == before
    assert "hex" in (home / "MEMORY.md").read_text(), "it is as the person left it"
    synced = m.sync(removals=True).files[0]
    assert sum(each.edit == Edit.RETIRED for each in synced.edits) == 10
    assert "The router is called hex" in contents(m)


def test_a_file_that_is_gone_is_written_again(m: Memoranda, home: Path) -> None:
    (home / "MEMORY.md").unlink()
    assert made(m.sync()) == []
    assert RULE in (home / "MEMORY.md").read_text()


def test_what_changed_on_both_sides_is_a_contradiction(m: Memoranda, home: Path) -> None:
    (old,) = m.list(kinds=["environment"])
    edit(home, "called tank", "called flash")
    new = m.revise(old.id, "The pool is called drum")
    synced = m.sync()
    assert made(synced) == [(Edit.DISPUTED, "The pool is called flash")]
    assert {"The pool is called flash", "The pool is called drum"} <= contents(m)
    (found,) = m.contradictions()
    assert {found.newer.content, found.older.content} == {
        "The pool is called flash",
        "The pool is called drum",
    }
    assert new.id in (found.newer.id, found.older.id)
    assert made(m.sync()) == []


def test_the_same_change_on_both_sides_is_none(m: Memoranda, home: Path) -> None:
    (old,) = m.list(kinds=["environment"])
    edit(home, "called tank", "called flash")
    m.revise(old.id, "The pool is called flash")
    assert made(m.sync()) == []
    assert m.contradictions() == ()


def test_a_change_of_what_holds_no_more_is_new(m: Memoranda, home: Path) -> None:
    (old,) = m.list(kinds=["environment"])
    edit(home, "called tank", "called flash")
    m.retire(old.id)
    synced = m.sync()
    assert made(synced) == [(Edit.ADDED, "The pool is called flash")]
    assert any("holds no more" in what for _, what in file(synced, "MEMORY.md").notes)


def test_what_cannot_be_taken_in_stays_in_the_file(m: Memoranda, home: Path) -> None:
    edit(home, f"{POOL} (2026", "The pool is called flash (2030")
    (home / "USER.md").write_bytes((home / "USER.md").read_bytes() + b"\n- User keeps bees\n")
    synced = m.sync()
    told = file(synced, "MEMORY.md")
    assert told.left == "not taken in"
    assert any("not taken in" in what for _, what in told.notes)
    assert "flash (2030" in (home / "MEMORY.md").read_text()
    assert "User keeps bees" in contents(m), "other files are not held up"


def test_a_secret_is_taken_out_of_the_file(m: Memoranda, home: Path) -> None:
    key = "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"
    edit(home, "## Environment\n", f"## Environment\n\n- The key of the shop is {key}\n")
    assert key not in str(m.sync())
    assert any("The key of the shop is" in each for each in contents(m))
    assert all(key not in path.read_text() for path in home.rglob("*.md"))


@pytest.mark.parametrize("damage", [b"\n<<<<<<< HEAD\n", b"\n<!-- begun\n", b"\n\xff\xfe\n"])
def test_a_broken_file_is_told_and_left(m: Memoranda, home: Path, damage: bytes) -> None:
    broken = (home / "MEMORY.md").read_bytes() + damage
    (home / "MEMORY.md").write_bytes(broken)
    m.remember("The router is called hex", kind="environment")
    told = file(m.sync(), "MEMORY.md")
    assert told.left == "broken"
    ((line, what),) = told.notes
    assert line > 1
    assert what
    assert (home / "MEMORY.md").read_bytes() == broken


def test_what_is_written_just_then_is_taken_in_too(
    m: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor saves after the file was read, and before it is written."""
    saved = ["User keeps bees", "User keeps hens"]
    write = disk.write

    def with_editor(path: Path, content: bytes, **more: Any) -> None:
        if path.name == "USER.md" and saved:
            with path.open("a", encoding="utf-8") as editor:
                editor.write(f"\n- {saved.pop()}\n")
        write(path, content, **more)

    monkeypatch.setattr(disk, "write", with_editor)
    m.remember("User likes plums", kind="preference")
    m.sync()
    assert saved == []
    assert {"User keeps bees", "User keeps hens", "User likes plums"} <= contents(m)
    told = (home / "USER.md").read_text()
    assert "bees" in told
    assert "hens" in told


def test_a_warning_is_given_once(
    m: Memoranda, home: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.verbs.syncing.FILES_AFTER", 0.0)
    (home / "MEMORY.md").write_bytes((home / "MEMORY.md").read_bytes() + b"\n<<<<<<< HEAD\n")
    m.take_in()
    m.remember("The router is a Fritzbox")
    m.close()
    assert [each.getMessage().count("as it was") for each in caplog.records] == [1]


def test_whoever_waits_is_told_how_far_it_is(m: Memoranda, home: Path) -> None:
    path, told = home / "MEMORY.md", list[tuple[int, int]]()
    path.write_text(path.read_text() + "\n- The door is green\n- The gate is blue\n")
    m.sync(advance=lambda done, left: told.append((done, left)))
    assert told == [(1, 1), (1, 0)]


def test_a_link_stays_one(m: Memoranda, home: Path, tmp_path: Path) -> None:
    there = tmp_path / "notes" / "Memory.md"
    there.parent.mkdir()
    (home / "MEMORY.md").rename(there)
    (home / "MEMORY.md").symlink_to(there)
    there.write_text(there.read_text().replace("called tank", "called flash"))
    assert made(m.sync()) == [(Edit.REVISED, "The pool is called flash")]
    assert (home / "MEMORY.md").is_symlink()
    assert "source: MEMORY.md, line" in there.read_text()


def test_a_dry_run_changes_nothing(m: Memoranda, home: Path) -> None:
    edit(home, "called tank", "called flash")
    before = (home / "MEMORY.md").read_text()
    assert made(m.sync(dry_run=True)) == [(Edit.REVISED, "The pool is called flash")]
    assert (home / "MEMORY.md").read_text() == before
    assert POOL in contents(m)


def test_the_next_command_knows_of_an_edit(tmp_path: Path, run: Run) -> None:  # noqa: F811
    home = tmp_path / "cli-home"
    run("init", "--enable")
    run("remember", POOL, "--kind", "environment")
    edit(home, "called tank", "called flash")
    assert "called flash" in run("recall", "what is the pool called?").out
    told = run("sync")
    assert told.out.startswith("0 edits")
    (home / "USER.md").write_text("- User keeps bees\n")
    assert [each["content"] for each in run("list", "--kind", "fact", "--json").json] == [
        "User keeps bees"
    ]


def test_an_edit_is_taken_in_before_the_file_is_written_for_another_change(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember(POOL, kind="environment")
    edit(home, "called tank", "called flash")
    with memoranda.open(home) as m:
        m.remember("The router is called hex", kind="environment")
    text = (home / "MEMORY.md").read_text()
    assert "called flash" in text
    assert "called hex" in text


# There before -------------------------------------------------------------------------------------


def test_a_file_that_was_there_is_taken_in_and_kept_aside(home: Path) -> None:
    theirs = "# Notes\n\nIntro text.\n\n- The pool is called tank\n- never deploy on Fridays\n"
    (home / "MEMORY.md").write_text(theirs)
    with memoranda.open(home) as m:
        synced = file(m.sync(), "MEMORY.md")
        assert [each.edit for each in synced.edits] == [Edit.ADDED] * 3
        assert "never deploy on Fridays" in contents(m)
    assert (home / "MEMORY.md.before").read_text() == theirs
    assert (home / "MEMORY.md").read_text().startswith("# Notes\n")
    (home / "USER.md").write_text("- User keeps bees")
    with memoranda.open(home) as m:
        assert made(m.sync()) == [(Edit.ADDED, "User keeps bees")]


def test_no_copy_that_was_kept_aside_is_written_over(home: Path) -> None:
    (home / "MEMORY.md.before").write_text("older still")
    (home / "MEMORY.md").write_text("- The pool is called tank\n")
    with memoranda.open(home) as m:
        m.sync()
    assert (home / "MEMORY.md.before").read_text() == "older still"
    assert (home / "MEMORY.md.before-2").read_text() == "- The pool is called tank\n"


# Forgotten ----------------------------------------------------------------------------------------


def test_what_is_forgotten_is_in_no_file_and_does_not_come_back(home: Path) -> None:
    (home / "MEMORY.md").write_text("- The vault is called Zanzibar\n")
    with memoranda.open(home) as m:
        m.sync()
        m.remember(TASTE, kind="preference")
        (memory,) = (each for each in m.list() if "Zanzibar" in each.content)
        text = (home / "MEMORY.md").read_text()
        receipt = m.forget(memory.id, verify=True)
        assert receipt.pending == ()
        assert str(home / "MEMORY.md.before") in receipt.removed
        assert receipt.found is not None
        assert "USER.md" in receipt.found
        assert set(receipt.found.values()) == {0}
        assert not any(
            "Zanzibar" in path.read_text() for path in home.rglob("*") if path.suffix == ".md"
        )
        (home / "MEMORY.md").write_text(text)
        synced = file(m.sync(), "MEMORY.md")
        assert any("gone from the store" in what for _, what in synced.notes)
        assert not any("Zanzibar" in each for each in contents(m))
        assert not (home / "MEMORY.md").exists()


def test_what_was_undone_is_not_taken_in_from_a_file(home: Path) -> None:
    mind = Mind(lambda said: [entry("User lives in Bergen")] if "Bergen" in said else [])
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        m.observe(said("I live in Bergen.", at=MONDAY))
        later(m)
        done = m.consolidate()
        m.sync()
        assert "Bergen" in (home / "USER.md").read_text()
        assert m.undo(done.id).removed
        m.sync()
        assert m.list() == ()
    assert not (home / "USER.md").exists()


def test_a_file_that_cannot_be_cleared_is_told_as_pending(m: Memoranda, home: Path) -> None:
    (memory,) = m.list(kinds=["environment"])
    (home / "MEMORY.md").write_bytes((home / "MEMORY.md").read_bytes() + b"\n<<<<<<< HEAD\n")
    assert m.forget(memory.id).pending == ("MEMORY.md",)


def test_with_a_scope_go_its_files(home: Path) -> None:
    anna = Scope("user", "anna")
    with opened(home, access=Access(person=anna)) as m:
        m.remember("User is called Anna")
    with opened(home) as m:
        m.remember(TASTE, kind="preference")
        m.forget(person="anna")
    assert not (home / "people").exists()
    assert not (home / "mirror" / "people").exists()
    assert TASTE in (home / "USER.md").read_text()
    with opened(home) as m:
        m.forget(everything=True)
    assert [path.name for path in home.rglob("*.md")] == []


# The mirror ---------------------------------------------------------------------------------------


def test_the_mirror_follows(m: Memoranda, home: Path) -> None:
    def mirrored() -> set[str]:
        return {mirror.read(path).content for path in mirror.files(home)}

    assert mirrored() == {RULE, TASTE, POOL}
    (old,) = m.list(kinds=["environment"])
    m.revise(old.id, "The pool is called flash")
    synced = m.sync()
    assert (synced.mirrored, synced.removed) == (1, 1)
    assert mirrored() == {RULE, TASTE, "The pool is called flash"}
    assert (m.sync().mirrored, m.sync().removed) == (0, 0)
    mirror.files(home)[0].unlink()
    assert m.sync().mirrored == 1, "one that somebody removed is back"
    assert len(mirrored()) == 3


def test_the_mirror_throws_away_nothing_that_the_store_does_not_know(home: Path) -> None:
    stranger = a_memory("The pool is called tank")
    where = mirror.place(home, stranger.scope)
    where.mkdir(parents=True)
    (where / f"{stranger.id}.md").write_text(mirror.render(stranger))
    with memoranda.open(home) as m:
        m.remember(TASTE)
    assert mirror.read(where / f"{stranger.id}.md") == stranger


def everything_of(memory: Memory) -> Memory:
    """A memory without what a store tells anew."""
    return replace(memory, contradicts=(), overridden_by=None, found=(), entities=memory.given)


TEXTS = st.text(min_size=1, max_size=80).map(lambda text: mend(text)[0])


@given(
    TEXTS.filter(str.strip),
    st.none() | TEXTS,
    st.lists(TEXTS, max_size=3, unique=True),
    st.none() | TEXTS,
    st.floats(0, 1),
    st.datetimes(),
)
def test_a_file_of_the_mirror_keeps_all(
    content: str,
    detail: str | None,
    names: list[str],
    quote: str | None,
    sure: float,
    valid_from: object,
) -> None:
    memory = a_memory(
        content,
        detail=detail,
        topics=tuple(names),
        entities=tuple(names),
        confidence=sure,
        valid_from=valid_from.replace(tzinfo=MARCH.tzinfo),  # type: ignore[attr-defined]
        valid_to=MARCH,
        confirmed_at=MARCH + DAY,
        pinned=True,
        kind=Kind.LESSON,
        sources=(Source("file", MARCH, quote, path=content, line=3, by="cli"),),
    )
    text = mirror.render(memory)
    assert mirror.parse(text) == memory
    assert mirror.parse(text.replace("\n", "\r\n")) == memory


# Made anew ----------------------------------------------------------------------------------------


def filled(home: Path) -> tuple[Memory, ...]:
    with opened(home, clock=Clock(MONDAY)) as m:
        m.observe(said("I prefer Ruff for linting.", at=MONDAY))
        later(m)
        m.consolidate(model="rules")
        m.confirm(m.list(kinds=["preference"])[0].id)
        old = m.remember("The pool is called tonk", kind="environment", topics=["nas"], pin=True)
        later(m, 2)
        m.revise(old.id, POOL)
        m.remember(RULE, kind="constraint", detail="It went wrong\ntwice.", entities=["portal"])
        m.confirm(m.remember("  Zwei  Räume\nund 止损  ", valid_from=MONDAY - 900 * DAY).id)
        return m.list(limit=100)


def test_a_lost_store_is_made_anew_from_the_files_alone(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    before = filled(home)
    assert len(before) == 4
    for path in home.glob("memory.*"):
        path.unlink()
    with pytest.raises(HomeError, match="restore --from-markdown"):
        memoranda.open(home)
    with pytest.raises(HomeError, match="restore --from-markdown"):
        memoranda.init(home)
    edit(home, POOL, "The pool is called flash")
    restored = memoranda.restore_from_markdown(home=home)
    assert (restored.memories, restored.unreadable) == (4, ())
    assert made(restored.synced) == [(Edit.REVISED, "The pool is called flash")]
    with memoranda.open(home) as m:
        after = {each.id: each for each in m.list(limit=100)}
        assert len(after) == 4
        for each in before:
            if each.content != POOL:
                assert _lasting(after[each.id]) == _lasting(each)
        assert m.recall("Which linter does the user prefer, Ruff?").hits
        assert m._store.check() == []
        assert made(m.sync()) == []


def _lasting(memory: Memory) -> Memory:
    """What of a memory files keep: of a turn the words that were taken from it."""
    sources = tuple(
        replace(each, turn=None, start=None, end=None, conversation=None, key=None, role=None)
        if each.kind == "turn"
        else each
        for each in memory.sources
    )
    return replace(everything_of(memory), sources=sources)


def test_files_that_cannot_be_read_are_told_and_stop_nothing(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    filled(home)
    broken, *_ = paths = mirror.files(home)
    broken.write_text("---\nid: [\n---\n")
    shutil.copy(paths[1], paths[1].with_name("copy.md"))
    whole = paths[1].read_text()
    odd = {
        "id.md": whole.replace("id: 0", "id: no"),
        "pinned.md": whole.replace("pinned: false", "pinned: maybe"),
        "sure.md": whole.replace("confidence: 0", "confidence: 7"),
        "list.md": "---\nsources: 5\nid: []\n---\n",
    }
    for name, text in odd.items():
        paths[1].with_name(name).write_text(text)
    paths[1].with_name("folder.md").mkdir()
    restored = memoranda.restore_from_markdown(home, tmp_path / "other")
    assert restored.memories == 3
    assert {Path(path).name for path, _ in restored.unreadable} == {
        *(broken.name, "copy.md", "folder.md"),
        *odd,
    }
    with pytest.raises(HomeError, match="move it away"):
        memoranda.restore_from_markdown(home, tmp_path / "other")
    with pytest.raises(HomeError, match="no mirror"):
        memoranda.restore_from_markdown(tmp_path / "nowhere", tmp_path / "third")
    assert broken.exists()


def test_statuses_are_all_current(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    filled(home)
    memoranda.restore_from_markdown(home, tmp_path / "other")
    with memoranda.open(tmp_path / "other") as m:
        assert {each.status for each in m.list(limit=100)} == {Status.CURRENT}
        assert all(m.history(each.id) for each in m.list(limit=100))
