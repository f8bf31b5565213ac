"""Long commands that are ended in the middle: at once, without a trace of it, to go on later."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn
from memoranda.sealing import encrypt
from memoranda.stores import keys
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH
from tests.killing import left_over

TURNS = 400
MOMENTS = (0.0, 0.3)
"""Seconds after it began with the home at which a command is told to end."""


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which everything takes a while, with a backup, an archive and a file beside it."""
    folder = tmp_path_factory.mktemp("terminated")
    home = memoranda.init(folder / "home", enable=True)
    with memoranda.open(home) as m:
        m._embedder = None
        m.observe(
            Turn(
                f"c{n % 30}",
                "user",
                f"I prefer tea number {n} over coffee, and live in {n}.",
                MARCH,
            )
            for n in range(TURNS)
        )
        for n in range(200):
            m.remember(f"The shed number {n} has a green door")
        (folder / "backups").mkdir()
        m.backup(folder / "backups")
        m.export(folder / "home.zip")
    with (folder / "turns.jsonl").open("w") as file:
        for n in range(TURNS):
            said = {
                "conversation": f"d{n % 9}",
                "role": "user",
                "content": f"a long story, part {n}",
            }
            file.write(json.dumps(said) + "\n")
    return home


COMMANDS: Mapping[str, str] = {
    "import": "import {folder}/turns.jsonl",
    "import archive": "import {folder}/home.zip",
    "export": "export {tmp}/out.zip --force",
    "consolidate": "consolidate --model rules",
    "embed": "embed",
    "backup": "backup {tmp}/place",
    "restore": "restore {folder}/backups",
    "encrypt": "encrypt --held-by file:{tmp}/secret",
    "rekey": "rekey --held-by file:{tmp}/other",
    "sync": "sync",
    "forget": "forget --query tea --yes",
    "doctor": "doctor --mend",
}


def started(home: Path, words: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "MEMORANDA_EMBEDDING_MODEL": "all-minilm-l6-v2"}
    if words[0] != "embed":
        environment["MEMORANDA_EMBEDDING_MODEL"] = "none"
    return subprocess.Popen(
        [sys.executable, "-m", "memoranda", "--home", str(home), *words],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment,
    )  # fmt: skip


def prepared(name: str, template: Path, tmp_path: Path, number: int) -> Path:
    """A home for one run of a command; an archive comes into one that holds nothing."""
    home = tmp_path / f"home-{number}"
    if name == "import archive":
        memoranda.init(home)
    else:
        shutil.copytree(template, home)
    if name == "rekey":
        encrypt(home, held_by=f"file:{tmp_path / 'secret'}")
    return home


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="it is told there when a command has begun")
@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_ended_in_the_middle_goes_on_later(
    name: str, template: Path, tmp_path: Path
) -> None:
    (tmp_path / "place").mkdir()
    ended = 0
    for number, moment in enumerate(MOMENTS):
        home = prepared(name, template, tmp_path, number)
        words = COMMANDS[name].format(folder=template.parent, tmp=tmp_path).split()
        process = started(home, words)
        _wait_until_it_begins(process, home)
        time.sleep(moment)
        process.send_signal(signal.SIGINT if number == 0 else signal.SIGTERM)
        _, told = process.communicate(timeout=60)
        assert "Traceback" not in told, told
        assert process.returncode in (0, 130, 143, -2, -15), (process.returncode, told)
        ended += process.returncode != 0
        _assert_whole(home)
        again = started(home, words)
        _, told = again.communicate(timeout=120)
        is_done = {"encrypt": (home / keys.FILE).exists(), "forget": again.returncode == 3}
        assert again.returncode == 0 or is_done.get(name), told
        _assert_whole(home)
        shutil.rmtree(home)
    assert ended, "each was done before it was ended"


def _wait_until_it_begins(process: subprocess.Popen[str], home: Path) -> None:
    opened = Path(f"/proc/{process.pid}/fd")
    while process.poll() is None:
        with suppress(OSError):
            if any(str(home) in os.readlink(each) for each in opened.iterdir()):
                return
        time.sleep(0.005)


def _assert_whole(home: Path) -> None:
    memoranda.open(home).close()
    with closing(SqliteStore(home / "memory.db")) as store:
        assert store.check() == []
    assert left_over(home) == []
