"""Secrets are left out of whatever is stored, unless somebody wants them kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn

KEY = "zq83Kd0vXw"
SAID = f"my password is {KEY}"


def holding(home: Path) -> list[str]:
    return [
        each.name
        for each in home.rglob("*")
        if each.is_file() and KEY.lower().encode() in each.read_bytes().lower()
    ]


def test_a_turn_is_stored_without_its_secret_and_told_where_it_was(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    turns = [Turn("c1", "user", "hello"), Turn("c1", "user", SAID, id="k1")]
    with memoranda.open(home) as m:
        seen = m.observe(turns)
        assert seen.redacted == (("password", seen.turns[1]),)
        assert m.show(seen.turns[1]).content == "my password is [password]"
        assert m.observe(turns[1:]).known == 1
    assert holding(home) == []


def test_a_memory_is_too_in_all_that_it_says(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home")
    with memoranda.open(home) as m:
        memory = m.remember(f"The wifi password is {KEY}", detail=SAID)
        m.revise(memory.id, f"The new wifi password is {KEY}", reason=SAID)
    assert holding(home) == []


def test_one_may_be_kept_knowingly(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    with memoranda.open(home) as m:
        (id,) = m.observe([Turn("c1", "user", SAID)], keep_secrets=True).turns
        assert m.show(id).content == SAID
        assert m.remember(SAID, keep_secrets=True).content == SAID


@pytest.mark.parametrize("first", [True, False])
def test_kept_or_not_a_turn_is_the_same(tmp_path: Path, first: bool) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    said = [Turn("c1", "user", SAID, time=datetime(2026, 5, 1, tzinfo=UTC))]
    with memoranda.open(home) as m:
        (id,) = m.observe(said, keep_secrets=first).turns
        assert m.observe(said, keep_secrets=not first).known == 1
        m.forget(id)
        assert m.observe(said, keep_secrets=not first).forgotten == 1
        assert m.observe(said, keep_secrets=first).forgotten == 1


def test_who_signs_and_what_it_is_about_are_looked_at_too(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    with memoranda.open(home) as m:
        seen = m.observe([Turn("c1", "user", "hello", speaker=SAID)])
        assert seen.redacted == (("password", seen.turns[0]),)
        m.remember("plum", topics=[SAID], entities=[SAID])
    assert holding(home) == []


@pytest.mark.parametrize(
    "text", ["[password] is kept", "I forgot my password", "commit 9f8e7d6c5b4a"]
)
def test_what_is_no_secret_stays_as_it_is(tmp_path: Path, text: str) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    with memoranda.open(home) as m:
        seen = m.observe([Turn("c1", "user", text)])
        assert (seen.redacted, m.show(seen.turns[0]).content) == ((), text)
