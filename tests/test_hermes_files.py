"""The files of Hermes Agent, both ways: read and written by its own memory tool, and by us."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import InvalidInput, Memoranda
from memoranda.care import Edit
from memoranda.files import hermes
from memoranda.policy.access import Access
from memoranda.policy.fading import curves
from memoranda.settings import Settings
from memoranda.testing import MARCH, a_memory
from memoranda.text.clean import mend
from memoranda.types import Kind, Scope
from tests.consolidating import MONDAY, Clock, opened
from tests.test_skills_hermes import HERMES

CURVES = curves(Settings())
WORDS = st.text(min_size=1, max_size=300).map(lambda text: mend(text)[0]).filter(str.strip)
CONTENTS = st.lists(WORDS, max_size=30)


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    folder = tmp_path / "hermes"
    (folder / hermes.FOLDER).mkdir(parents=True)
    return folder


def entries(theirs: Path, name: str) -> list[str]:
    path = theirs / hermes.FOLDER / name
    return path.read_text(encoding="utf-8").split(hermes.BETWEEN) if path.exists() else []


def put(theirs: Path, name: str, *told: str) -> None:
    text = hermes.BETWEEN.join(told)
    (theirs / hermes.FOLDER / name).write_text(text, encoding="utf-8")


@given(CONTENTS, st.integers(0, 3000))
def test_a_file_has_its_form_and_is_no_longer_than_its_limit(
    contents: list[str], characters: int
) -> None:
    memories = [a_memory(each) for each in contents]
    file = hermes.write(memories, MARCH, CURVES, characters=characters)
    assert len(file.text) <= characters
    again = file.text.split(hermes.BETWEEN)
    assert [each.strip() for each in again] == again
    assert len(set(again)) == len(again)
    page = hermes.read(file.text)
    assert [each.whole for each in page.statements] == [each for each in again if each]
    assert {each.day for each in page.statements} <= {MARCH.date()}


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for each in hermes.read(text).statements:
        assert 1 <= each.line <= text.count("\n") + 1
        assert each.text.strip()


def test_what_was_there_is_taken_in_and_kept_aside(home: Path, theirs: Path) -> None:
    put(theirs, "USER.md", "Name: Bob", "Likes terse answers\n(most of the time)", "Name: Bob")
    put(theirs, "MEMORY.md", "The pool is called tank")
    with memoranda.open(home) as m:
        m.remember("Never deploy on Fridays", kind="constraint")
        m.sync(hermes=theirs)
        found = {each.content: each for each in m.list()}
    assert found.keys() == {
        "Never deploy on Fridays",
        "Name: Bob",
        "Likes terse answers (most of the time)",
        "The pool is called tank",
    }
    source = found["Name: Bob"].sources[0]
    assert (source.kind, source.by, source.line) == ("agent", "hermes", 1)
    assert found["Name: Bob"].confidence == 0.5, "nobody but the agent stands for it"
    assert {each.split(" (20")[0] for each in entries(theirs, "MEMORY.md")} == {
        "Never deploy on Fridays",
        "The pool is called tank",
    }
    assert (theirs / hermes.FOLDER / "USER.md.before").read_text().startswith("Name: Bob\n§")


def test_they_follow_until_they_are_told_not_to(home: Path, theirs: Path) -> None:
    with memoranda.open(home) as m:
        m.sync(hermes=theirs)
        m.remember("User likes tea", kind="preference")
    assert entries(theirs, "USER.md")[0].startswith("User likes tea (")
    with memoranda.open(home) as m:
        m.sync(no_hermes=theirs)
        m.remember("User likes plums", kind="preference")
    assert len(entries(theirs, "USER.md")) == 1


def test_a_home_of_hermes_that_is_gone_is_not_made_again(home: Path, theirs: Path) -> None:
    with memoranda.open(home) as m:
        (memory,) = [m.remember("User likes Zanzibar", kind="preference")]
        m.sync(hermes=theirs)
    away = theirs.rename(theirs.with_name("unplugged"))
    with memoranda.open(home) as m:
        m.remember("User likes plums", kind="preference")
        told = {each.path: each for each in m.sync().files}[str(theirs / "memories/USER.md")]
        assert not told.written
        assert "its folder is gone" in told.notes[0][1]
        assert m.forget(memory.id).pending == (
            str(theirs / "memories/MEMORY.md"),
            str(theirs / "memories/USER.md"),
        )
    assert not theirs.exists()
    away.rename(theirs)
    with memoranda.open(home) as m:  # what was forgotten meanwhile goes when it is there again
        assert "Zanzibar" not in (theirs / "memories/USER.md").read_text()
        assert "Zanzibar" not in [each.content for each in m.list()]
    shutil.rmtree(theirs)
    with memoranda.open(home) as m:
        m.sync(no_hermes=theirs)
        assert all("memories" not in each.path for each in m.sync().files)
        with pytest.raises(InvalidInput, match="no files in"):
            m.sync(no_hermes=theirs)


def test_the_limits_are_those_of_its_settings(home: Path, theirs: Path) -> None:
    (theirs / "config.yaml").write_text("memory:\n  user_char_limit: 100\n")
    with memoranda.open(home) as m:
        for fruit in ("plums", "pears", "figs", "quinces"):
            m.remember(f"User likes {fruit} a lot", kind="preference")
        m.sync(hermes=theirs)
    assert 50 < len((theirs / hermes.FOLDER / "USER.md").read_text()) <= 100
    for broken in ("memory: [", "memory: 5", "memory:\n  user_char_limit: much\n", "\xff"):
        (theirs / "config.yaml").write_text(broken, encoding="latin-1")
        assert hermes.limit(theirs / hermes.FOLDER / "USER.md") == 1375


def test_edits_of_its_agent_arrive(home: Path, theirs: Path) -> None:
    with opened(home, clock=Clock(MONDAY)) as m:
        m.remember("The pool is called tank", kind="environment")
        m.remember("Deploys go out on Tuesdays", kind="decision", pin=True)
        m.remember("The build takes nine minutes", kind="environment")
        stays = m.remember("Backups go to the cellar", kind="environment").content
        m.sync(hermes=theirs)
        told = entries(theirs, "MEMORY.md")
        assert told[0].startswith("Deploys go out"), "what is pinned comes first"
        flash, hex = "The pool is called flash", "The router is called hex"
        put(theirs, "MEMORY.md", f"{flash} (2026-03-02)", stays, hex)
        synced = m.sync()
        assert {(each.edit, each.content) for file in synced.files for each in file.edits} == {
            (Edit.RETIRED, "The pool is called tank"),
            (Edit.ADDED, "The pool is called flash"),
            (Edit.ADDED, "The router is called hex"),
            (Edit.RETIRED, "The build takes nine minutes"),
            (Edit.RETIRED, "Deploys go out on Tuesdays"),
        }
        left = {each.content for each in m.list()}
        assert left == {
            "The pool is called flash",
            "The router is called hex",
            "Deploys go out on Tuesdays",
            stays,
        }
        assert len(entries(theirs, "MEMORY.md")) == 4, "what a person pinned is back"
        assert not any(file.edits for file in m.sync().files)


def test_one_changed_entry_is_a_revision(home: Path, theirs: Path) -> None:
    with opened(home, clock=Clock(MONDAY)) as m:
        old = m.remember("The pool is called tank", kind="environment")
        m.sync(hermes=theirs)
        put(theirs, "MEMORY.md", "The pool is called flash")
        m.sync()
        (new,) = m.list()
        assert m._memory(old.id).superseded_by == new.id
        assert new.confidence == 0.5, "an agent said so, and nobody else"


def test_a_stale_copy_brings_nothing_back_that_was_forgotten(home: Path, theirs: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember("Backups live in Frankfurt", kind="environment")
        m.remember("The shop sells figs", kind="environment")
        m.sync(hermes=theirs)
        stale = (theirs / hermes.FOLDER / "MEMORY.md").read_bytes()
        m.forget(memory.id)
        (theirs / hermes.FOLDER / "MEMORY.md").write_bytes(stale)
        synced = m.sync()
        assert any("was forgotten" in what for file in synced.files for _, what in file.notes)
        assert {each.content for each in m.list()} == {"The shop sells figs"}
    assert "Frankfurt" not in (theirs / hermes.FOLDER / "MEMORY.md").read_text()


def test_an_emptied_file_is_asked_about_first(home: Path, theirs: Path) -> None:
    with memoranda.open(home) as m:
        for fruit in ("plums", "pears", "figs"):
            m.remember(f"The shop sells {fruit}", kind="environment")
        m.sync(hermes=theirs)
        put(theirs, "MEMORY.md", "")
        assert any(each.missing == 3 for each in m.sync().files)
        assert len(m.list()) == 3


def test_what_is_forgotten_goes_from_them_too(home: Path, theirs: Path) -> None:
    put(theirs, "USER.md", "Name: Zanzibar", "Likes tea")
    with memoranda.open(home) as m:
        m.sync(hermes=theirs)
        (memory,) = (each for each in m.list() if "Zanzibar" in each.content)
        receipt = m.forget(memory.id)
        assert receipt.pending == ()
        assert [each for each in m.list() if "Zanzibar" in each.content] == []
    told = "".join(
        path.read_text() for path in theirs.rglob("*") if path.is_file() and path.suffix != ".lock"
    )
    assert "Zanzibar" not in told
    assert "Likes tea" in told


def test_each_profile_has_its_own(home: Path, theirs: Path) -> None:
    coder = Scope("profile", "coder")
    with opened(home, access=Access(profile=coder)) as m:
        m.remember("The build takes nine minutes")
        m.remember("User likes tea", kind="preference", scope="user")
        m.remember("Never deploy on Fridays", kind="constraint", scope="user")
        m.sync(hermes=theirs)
    assert [each.split(" (20")[0] for each in entries(theirs, "MEMORY.md")] == [
        "The build takes nine minutes"
    ]
    assert [each.split(" (20")[0] for each in entries(theirs, "USER.md")] == ["User likes tea"]
    put(theirs, "MEMORY.md", "The build takes nine minutes", "The tests take one")
    with opened(home, access=Access(profile=coder)) as m:
        m.sync()
        assert {each.content for each in m.list() if each.scope == coder} == {
            "The build takes nine minutes",
            "The tests take one",
        }


# Hermes itself ------------------------------------------------------------------------------------

TOOL = """
import json, sys
from tools.memory_tool import load_on_disk_store, memory_tool
store = load_on_disk_store()
shown = {target: store.format_for_system_prompt(target) for target in ("memory", "user")}
done = [json.loads(memory_tool(store=store, **each)) for each in json.load(sys.stdin)]
print(json.dumps({"shown": shown, "done": done}))
"""


def ask(theirs: Path, *acts: dict[str, Any]) -> dict[str, Any]:
    """What its memory tool answers, and what its prompt shows."""
    done = subprocess.run(
        [HERMES, "-c", TOOL],
        env={"HOME": str(theirs), "HERMES_HOME": str(theirs), "PATH": "/usr/bin:/bin"},
        input=json.dumps(acts),
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(told, dict)
    return told


@pytest.mark.slow
@pytest.mark.skipif(not HERMES.exists(), reason="Hermes is not installed in .venv-hermes")
def test_hermes_reads_and_edits_what_we_write_and_both_agree(home: Path, theirs: Path) -> None:
    def agree(m: Memoranda) -> None:
        held = {each.content for each in m.list()}
        told = {each.split(" (20")[0] for name in hermes.LIMITS for each in entries(theirs, name)}
        assert told == held

    with memoranda.open(home) as m:
        for n in range(5):
            m.remember(f"Server {n} runs in room {n}", kind=Kind.ENVIRONMENT)
        m.remember("User likes “tea”, not coffee: 茶", kind="preference")
        m.sync(hermes=theirs)
        told = ask(
            theirs,
            {"action": "add", "target": "user", "content": "Name: Bob"},
            {
                "action": "replace",
                "target": "memory",
                "old_text": "room 3",
                "content": "Server 3 is sold",
            },
            {"action": "remove", "target": "memory", "old_text": "Server 4"},
        )
        assert "Server 0 runs in room 0" in told["shown"]["memory"]
        assert "茶" in told["shown"]["user"]
        assert [each["success"] for each in told["done"]] == [True] * 3, told["done"]
        assert any(file.edits for file in m.sync().files)
        agree(m)
        m.revise(m.list(kinds=["preference"])[0].id, "User likes coffee now")
        m.sync()
        agree(m)
        told = ask(
            theirs,
            {
                "target": "user",
                "operations": [{"action": "replace", "old_text": "Bob", "content": "Name: Ada"}],
            },
        )
        assert told["done"][0]["success"], "no other writer has broken its file"
        assert "User likes coffee now" in told["shown"]["user"]
        m.sync()
        agree(m)
        assert "Name: Ada" in {each.content for each in m.list()}
