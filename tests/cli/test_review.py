"""A person decides on candidates, on a terminal and off it."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.test_cli import Run, run  # noqa: F401
from tests.cli.test_consolidation import contents, observed, speaker, talk  # noqa: F401
from tests.speaking import Speaker

pty = pytest.importorskip("pty")


@pytest.fixture
def waiting(talk: Run, speaker: Speaker) -> Run:  # noqa: F811
    """A home in which three candidates wait, of which one would change a memory."""
    talk("consolidate")
    observed(
        talk, "I live in Bergen now.", "I don't drink tea anymore.",
        "Our deploys go out on Tuesdays.", day=2,
    )  # fmt: skip
    assert talk("consolidate", "--review").code == 0
    return talk


def ids(run: Run) -> dict[str, str]:  # noqa: F811
    found = [each["decision"] for each in run("review", "--json").json["items"]]
    return {each["candidate"]["content"]: each["id"] for each in found}


def test_what_waits_is_listed(waiting: Run) -> None:
    listed = waiting("review")
    assert listed.code == 0
    assert "? User lives in Oslo\n  → User lives in Bergen now\n" in listed.out
    assert "? User's team deploys on Tuesdays" in listed.out
    assert "“I live in Bergen now.” · 2026-03-02" in listed.out
    assert "near “User lives in Oslo”" in listed.out
    assert len(waiting("review", "--json").json["items"]) == 3
    assert "There may be more" in waiting("review", "-n", "2").err


def test_each_is_decided_by_its_id(waiting: Run) -> None:
    found = ids(waiting)
    accepted = waiting("review", found["User lives in Bergen now"], "--accept")
    assert accepted.out.startswith("Accepted, update: ")
    deploys = found["User's team deploys on Tuesdays"]
    edited = waiting("review", deploys, "--edit", "User's team deploys on Fridays")
    assert edited.out.startswith("Accepted, add: ")
    rejected = waiting("review", found["User does not drink tea anymore"], "--reject")
    assert rejected.out.startswith("Rejected: ")
    assert waiting("review").out == "Nothing waits for a person.\n"
    assert set(contents(waiting)) == {
        "User lives in Bergen now", "User's team deploys on Fridays",
        "User drinks tea every morning",
    }  # fmt: skip
    again = waiting("review", deploys, "--accept")
    assert (again.code, again.err.count("\n")) == (1, 1)
    assert waiting("review", "0000", "--reject").code == 3
    assert waiting("review", deploys, "--edit", " ").code == 1


@pytest.mark.parametrize(
    "words", [("0000",), ("--accept",), ("0000", "--accept", "--reject"), ("--edit", "plum")]
)
def test_an_id_takes_one_answer(talk: Run, words: tuple[str, ...]) -> None:  # noqa: F811
    refused = talk("review", *words)
    assert (refused.code, "one of --accept, --edit and --reject" in refused.err) == (2, True)


def test_on_a_terminal_each_takes_one_key(waiting: Run, tmp_path: Path) -> None:
    asked = review_by_hand(
        tmp_path / "cli-home",
        ("User lives in Bergen now", "a"),
        ("I don't drink tea anymore.", "r"),
        ("User's team deploys on Tuesdays", "e"),
        ("Instead", "User's team deploys on Fridays\n"),
        ("Nothing waits for a person.", ""),
    )
    assert "Accepted, update: " in asked
    assert "Rejected: " in asked
    assert "Accepted, add: " in asked
    assert set(contents(waiting)) == {
        "User lives in Bergen now", "User's team deploys on Fridays",
        "User drinks tea every morning",
    }  # fmt: skip


def test_what_is_skipped_waits(waiting: Run, tmp_path: Path) -> None:
    asked = review_by_hand(
        tmp_path / "cli-home",
        ("User lives in Bergen now", "s"),
        ("I don't drink tea anymore.", "q"),
        ("3 items left.", ""),
    )
    assert "deploys" not in asked
    assert len(waiting("review", "--json").json["items"]) == 3


def test_ctrl_c_leaves_what_was_decided(waiting: Run, tmp_path: Path) -> None:
    review_by_hand(
        tmp_path / "cli-home",
        ("User lives in Bergen now", "a"),
        ("I don't drink tea anymore.", "\x03"),
        ("stopped; what was decided stands", ""),
        code=130,
    )
    assert "User lives in Bergen now" in contents(waiting)
    assert len(waiting("review", "--json").json["items"]) == 2


def review_by_hand(home: Path, *answers: tuple[str, str], code: int = 0) -> str:
    """Review on a terminal of its own: when these words are asked about, press these keys."""
    ours, theirs = os.openpty()
    environment = {**os.environ, "MEMORANDA_HOME": str(home), "TERM": "dumb", "NO_COLOR": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "memoranda", "review"],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
        preexec_fn=lambda: _takes_as_terminal(theirs),
    )  # fmt: skip
    os.close(theirs)
    asked, unread = "", ""
    try:
        for words, keys in answers:
            while not _asks(unread, words, keys):
                more = _read(ours)
                asked, unread = asked + more, unread + more
            unread = ""
            while len(keys) == 1 and not _reads_single_keys(ours):
                time.sleep(0.01)  # what is pressed before that is dropped
            os.write(ours, keys.encode())
        assert process.wait(timeout=30) == code
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return asked


def _asks(shown: str, words: str, keys: str) -> bool:
    """Whether these words are shown, and a key is waited for if one is to be pressed."""
    return words in shown and (not keys or shown.rstrip().endswith(("[q]uit", ":")))


def _reads_single_keys(ours: int) -> bool:
    import termios

    return not termios.tcgetattr(ours)[3] & termios.ICANON


def _takes_as_terminal(theirs: int) -> None:
    import fcntl
    import termios

    fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)


def _read(ours: int, within: float = 15.0) -> str:
    assert select.select([ours], [], [], within)[0], "nothing more was asked"
    return os.read(ours, 4096).decode(errors="replace")
