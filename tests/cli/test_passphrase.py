"""A passphrase is asked for at a terminal, not shown, and asked for again when it was wrong."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

import memoranda
from memoranda.sealing import encrypt
from tests.terminal import Told, at_terminal

pytest.importorskip("pty", reason="there are no such terminals there")

PHRASE, WRONG = "correct horse battery staple", "a wrong one"
ASKS = "Passphrase or recovery key"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "disk").mkdir()
    folder = memoranda.init(tmp_path / "home", backup_to=tmp_path / "disk")
    with memoranda.open(folder) as m:
        m.remember("The plum is ripe")
    return folder


@pytest.fixture
def sealed(home: Path) -> Path:
    encrypt(home, passphrase=PHRASE)
    with memoranda.open(home) as m:
        m.backup()
    return home


def at(home: Path, *words: str, answers: list[str]) -> Told:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MEMORANDA_")}
    env["MEMORANDA_EMBEDDING_MODEL"] = "none"
    told = at_terminal(["--home", str(home), *words], answers, env=env)
    for secret in answers:
        assert not secret or secret not in told.text
    return told


def test_a_new_one_is_typed_twice_and_the_recovery_key_shown(home: Path) -> None:
    told = at(home, "encrypt", answers=[PHRASE, WRONG, PHRASE, PHRASE])
    assert told.code == 0, told.text
    assert "do not match" in told.text
    assert told.text.count("New passphrase") == 2
    (recovery,) = re.findall(r"shown this once: (\S+)", told.text)
    assert at(home, "recall", "plum", answers=[PHRASE]).code == 0
    assert at(home, "recall", "plum", answers=[recovery]).code == 0


def test_one_that_is_too_short_is_refused(home: Path) -> None:
    told = at(home, "encrypt", answers=["short", "short"])
    assert told.code == 1
    assert "less than 8 characters" in told.text
    assert at(home, "recall", "plum", answers=[]).code == 0


def test_a_wrong_one_is_asked_for_again_three_times(sealed: Path) -> None:
    told = at(sealed, "recall", "plum", answers=[WRONG, WRONG, PHRASE])
    assert told.code == 0, told.text
    assert "The plum is ripe" in told.text
    assert told.text.count("passphrase or recovery key is wrong") == 2
    told = at(sealed, "recall", "plum", answers=[WRONG, WRONG, WRONG])
    assert told.code == 1
    assert told.text.count(ASKS) == 3


def test_another_one_opens_it_afterwards(sealed: Path) -> None:
    new = "another horse and staple"
    told = at(sealed, "rekey", answers=[PHRASE, new, new])
    assert told.code == 0, told.text
    assert "1 older backup went" in told.text
    assert at(sealed, "recall", "plum", answers=[PHRASE, new]).code == 0


def test_a_backup_is_opened_where_nothing_else_is_left(sealed: Path) -> None:
    shutil.rmtree(sealed)
    told = at(sealed, "restore", str(sealed.parent / "disk"), answers=[WRONG, PHRASE])
    assert told.code == 0, told.text
    assert told.text.count(ASKS) == 2
    assert "Came back" in told.text
    assert "The plum is ripe" in at(sealed, "recall", "plum", answers=[PHRASE]).text


def test_the_doctor_asks_and_looks_without_an_answer_too(sealed: Path) -> None:
    assert "encrypted" not in at(sealed, "doctor", answers=[PHRASE]).text.replace(ASKS, "", 1)[200:]
    told = at(sealed, "doctor", answers=[WRONG, WRONG, WRONG])
    assert told.code == 0
    assert "what is in it was not looked at" in told.text


def test_who_stops_at_the_question_changes_nothing(sealed: Path) -> None:
    before = {each: each.read_bytes() for each in sealed.glob("memory.*")}
    told = at(sealed, "decrypt", answers=["y\x03"])
    assert told.code != 0
    assert {each: each.read_bytes() for each in sealed.glob("memory.*")} == before
