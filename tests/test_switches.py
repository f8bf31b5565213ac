"""Capture is off for a person, a profile or a project that was switched off, in every process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

import memoranda
from memoranda import CaptureOff, InvalidInput, Memoranda, ScopeClosed, Switch, Turn
from memoranda.stores import migrate
from memoranda.types import Scope

CODER, ANNA, SITE = Scope("profile", "coder"), Scope("user", "anna"), Scope("project", "site")


def said(m: Memoranda, content: str = "hello") -> int:
    return m.observe([Turn("c", "user", content)], embed=False).stored


@pytest.fixture
def anna(home: Path) -> Iterator[Memoranda]:
    with memoranda.open(home, person="anna") as m:
        yield m


def test_what_keeps_a_turn_out_is_named_with_the_way_out(home: Path, m: Memoranda) -> None:
    m.disable("profile:coder")
    with memoranda.open(home, profile="coder") as coder:
        with pytest.raises(CaptureOff, match=r"off for profile:coder.*enable --scope profile:co"):
            said(coder)
        assert not coder.status().captures
        assert coder.status().holdings.turns == 0
        kept = coder.compact([{"role": "user", "content": "hello"}], conversation="c")
        assert "store: capture is off for profile:coder, 1 turns are not kept" in kept.degraded[0]
        assert coder.status().holdings.turns == 0
    assert said(m) == 1
    m.enable(CODER)
    with memoranda.open(home, profile="coder") as coder:
        assert said(coder) == 1


def test_by_hand_and_imports_go_on(home: Path, m: Memoranda, tmp_path: Path) -> None:
    m.disable("user")
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"conversation": "c", "role": "user", "content": "hello"}\n')
    assert m.import_(talk).stored == 1
    assert m.remember("plum").content == "plum"
    with pytest.raises(CaptureOff):
        said(m)


def test_another_persons_talk_with_an_agent_that_is_off_is_not_captured(
    home: Path, m: Memoranda
) -> None:
    m.disable(CODER)
    with memoranda.open(home, person="anna", profile="coder") as both, pytest.raises(CaptureOff):
        said(both)
    with memoranda.open(home, person="anna", profile="butler") as both:
        assert said(both) == 1


def test_a_person_switches_what_they_say_and_the_owners_off_stays(
    m: Memoranda, anna: Memoranda
) -> None:
    anna.disable("user:anna")
    m.enable("user:anna")  # which the owner did not turn off
    with pytest.raises(CaptureOff, match=r"they turn it on with .*--person anna"):
        said(anna)
    m.disable(ANNA)
    anna.enable(ANNA)
    with pytest.raises(CaptureOff, match="the owner turns it on"):
        said(anna)
    assert [each.by for each in m.status().switches] == ["the owner", "the owner"]
    m.enable(ANNA)
    assert said(anna) == 1


@pytest.mark.parametrize("scope", [None, "user", "user:bob", "profile:coder", "project:site"])
def test_only_the_owner_switches_anything_else(
    home: Path, anna: Memoranda, scope: str | None
) -> None:
    m = memoranda.open(home, profile="coder", project="site")
    stranger = memoranda.open(home, channel="telegram:1")
    for somebody in (anna, m, stranger):
        for switch in (somebody.enable, somebody.disable):
            with pytest.raises(ScopeClosed, match="only the owner turns capture on or off"):
                switch(scope)
    m.close()
    stranger.close()


def test_what_is_no_scope_is_refused(m: Memoranda) -> None:
    for wrong in ("coder", "", "profile:", "profile"):
        with pytest.raises(InvalidInput):
            m.disable(wrong)
    assert m.status().switches[1:] == ()


def test_status_tells_everyone_of_their_own_switches_and_the_owner_of_all(
    home: Path, m: Memoranda, anna: Memoranda
) -> None:
    for scope in ("user:anna", "user:bob", "profile:coder", "project:site"):
        m.disable(scope)
    assert {str(each.scope) for each in m.status().switches[1:]} == {
        *("user:anna", "user:bob", "profile:coder", "project:site")
    }
    assert [each.scope for each in anna.status().switches] == [None, ANNA]
    with memoranda.open(home, profile="coder", project="site") as coder:
        assert [each.scope for each in coder.status().switches] == [None, CODER, SITE]
    m.forget(profile="coder")
    with memoranda.open(home, profile="coder") as coder:  # who knows its own name
        assert [each.scope for each in coder.status().switches] == [None, CODER]
        assert not coder.status().captures
    assert [each.forgotten for each in m.status().switches].count(True) == 1


def test_no_name_of_a_forgotten_scope_is_left(home: Path) -> None:
    with memoranda.open(home) as m:
        m.disable("user:zirconia")
    with memoranda.open(home, person="zirconia") as zirconia:
        zirconia.remember("plum")
    with memoranda.open(home) as m:
        m.forget(person="zirconia")
    files = [each for each in home.rglob("*") if each.is_file()]
    assert [each.name for each in files if b"zirconia" in each.read_bytes()] == []
    with memoranda.open(home, person="zirconia") as again, pytest.raises(CaptureOff):
        said(again)


def test_an_older_home_keeps_its_switch(tmp_path: Path) -> None:
    for name, statements, on in (
        ("on", "INSERT INTO home VALUES ('capturing_since', '2026-03-01T12:00:00.000000Z')", True),
        ("off", "SELECT 1", False),
        ("odd", "INSERT INTO home VALUES ('capturing_since', 'yes')", False),
    ):
        path = tmp_path / name / "memory.db"
        path.parent.mkdir()
        db = apsw.Connection(str(path))
        db.execute(f"PRAGMA application_id = {migrate.APPLICATION_ID}").fetchall()
        for step in migrate.steps()[:8]:
            db.execute(f"{step.sql}; PRAGMA user_version = {step.number}").fetchall()
        db.execute(
            f"""INSERT INTO home VALUES ('id', 'x'), ('created_at', '2026-03-01T12:00:00.000000Z');
            INSERT INTO ledger (time, operation, by)
              VALUES ('2026-02-01T12:00:00.000000Z', 'disable', 'cli'); {statements};"""
        ).fetchall()
        db.close()
        with memoranda.open(path.parent) as m:
            (home,) = m.status().switches
            assert home.on == on
            assert home.since is not None
            assert home.since.month == (3 if on else 2)
            assert m.status().captures == on


SPEAKER = """
import sys, time
import memoranda
from memoranda import CaptureOff, Turn

with memoranda.open(sys.argv[1], profile="coder") as m:
    last = time.monotonic() + 20
    for number in range(10_000):
        try:
            m.observe([Turn("c", "user", f"turn {number}")], embed=False)
            told = "kept"
        except CaptureOff as error:
            told = ", ".join(error.scopes) or "the home"
        print(told, flush=True)
        time.sleep(0.02)
"""


def test_a_switch_flipped_in_one_process_holds_in_another_within_a_second(home: Path) -> None:
    speaker = subprocess.Popen(
        [sys.executable, "-c", SPEAKER, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert speaker.stdout is not None

    def told(what: str) -> float:
        """How long it takes until the other process says so."""
        began = time.monotonic()
        while speaker.stdout.readline().strip() != what:  # type: ignore[union-attr]
            assert time.monotonic() - began < 20
        return time.monotonic() - began

    try:
        told("kept")
        with memoranda.open(home) as m:
            for scope, named in (
                (CODER, "profile:coder"),
                (Scope("user"), "user"),
                (None, "the home"),
            ):
                m.disable(scope)
                assert told(named) < 1
                before = m.status().holdings.turns
                assert told(named) < 1
                assert m.status().holdings.turns == before
                m.enable(scope)
                assert told("kept") < 1
    finally:
        speaker.kill()
        speaker.wait()
        speaker.stdout.close()


def cli(home: Path, *arguments: str, input: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), *arguments],
        input=input, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_line_switches_and_tells(home: Path) -> None:
    done = cli(home, "disable", "--scope", "profile:coder")
    assert done.stdout.startswith("Capture is off for profile:coder, whatever else is on.")
    turn = '{"conversation": "c", "role": "user", "content": "hello"}'
    refused = cli(home, "--profile", "coder", "observe", input=turn)
    assert refused.returncode == 1
    assert "memoranda enable --scope profile:coder" in refused.stderr
    assert cli(home, "--profile", "butler", "observe", input=turn).returncode == 0
    status = json.loads(cli(home, "status", "--json").stdout)
    assert [each["scope"] for each in status["switches"]] == [None, "profile:coder"]
    assert status["switches"][1]["door"] == "cli"
    assert "profile:coder, off since" in cli(home, "status").stdout
    assert cli(home, "enable", "--scope", "profile:coder").stdout.startswith("Capture is on for")
    assert cli(home, "--profile", "coder", "observe", input=turn).returncode == 0


def test_a_switch_is_a_noun() -> None:
    assert Switch(None, on=False).remedy == "turn it on with `memoranda enable`"
    spaced = Switch(Scope("profile", "my coder"), on=False)
    assert spaced.remedy.endswith("`memoranda enable --scope 'profile:my coder'`")
