"""Vectors, while processes die and others write."""

from __future__ import annotations

import multiprocessing
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn
from memoranda.bench.latency import Vocabulary

TURNS = 1500


def _filled(home: Path) -> None:
    vocabulary = Vocabulary(random.Random(3))
    with memoranda.open(home) as m:
        m.observe((Turn("c", "user", vocabulary.text(120)) for _ in range(TURNS)), embed=False)
        m.remember("OOM kills on the VPS happen every night around 3am")


def _embedding(home: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "memoranda", "--home", str(home), "embed", "--again"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.mark.slow
def test_making_all_vectors_anew_survives_two_kills(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    _filled(home)
    with memoranda.open(home) as m:
        m.embed()
        question = "The server keeps running out of RAM"
        whole = m.recall(question)
        assert whole.degraded == ()
        for kill in (1, 2):
            process = _embedding(home)
            _wait_for_some(m)
            process.send_signal(signal.SIGKILL)
            process.wait()
            left = m.status().holdings.unembedded
            assert 0 < left < TURNS, f"kill {kill}: {left} waited"
            partial = m.recall(question)
            assert any("no vector of" in each for each in partial.degraded)
            assert m.recall("OOM kills VPS").hits[0].content == whole.hits[0].content
        assert m.embed().waiting == 0
        again = m.recall(question)
        assert again.degraded == ()
        assert [(hit.id, round(hit.score, 4)) for hit in again.hits] == [
            (hit.id, round(hit.score, 4)) for hit in whole.hits
        ]
        assert m._store.check() == []


def _wait_for_some(m: memoranda.Memoranda) -> None:
    """Until some vectors are gone and some are made."""
    before = most = 0
    until = time.monotonic() + 60
    while time.monotonic() < until:
        now = m.status().holdings.unembedded
        most = max(most, now)
        if most > TURNS // 2 and 0 < now < most and now < before:
            return
        before = now
        time.sleep(0.02)
    raise AssertionError("it never made a vector")


def _write(home: str, count: int) -> None:
    with memoranda.open(home) as m:
        for number in range(count):
            m.remember(f"Machine {number} of the rack is called {_name(number)}")
            m.observe([Turn("c", "user", f"We moved {_name(number)} to shelf {number}")])


def _name(number: int) -> str:
    return f"zq{number}x"


@pytest.mark.slow
def test_one_process_sees_by_meaning_what_another_writes(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    count = 40
    writer = multiprocessing.get_context("spawn").Process(target=_write, args=(str(home), count))
    with memoranda.open(home) as m:
        m.recall("anything")  # so that there is a copy of the vectors to go stale
        writer.start()
        while writer.is_alive():
            found = m.recall("what are our computers called?", limit=20, budget=0)
            for told in found.degraded:
                assert "no vector of" in told
        writer.join()
        assert writer.exitcode == 0
        assert m.status().holdings.unembedded == 0
        for number in range(count):
            hit = m.recall(f"Machine {number} of the rack is called {_name(number)}").hits[0]
            assert (hit.lists["dense"], round(hit.scores["dense"], 3)) == (1, 1.0)
        found = m.recall("which shelf?", limit=50, budget=0, memories=False)
        assert found.degraded == ()


@pytest.mark.slow
def test_two_processes_embed_nothing_twice_and_leave_nothing(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    _filled(home)
    with memoranda.open(home) as m:
        waiting = m.status().holdings.unembedded
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "memoranda", "--home", str(home), "embed", "--json"],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outs = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    made = [int(out.split('"embedded":')[1].split(",")[0]) for out in outs]
    assert sum(made) == waiting > TURNS / 2
    with memoranda.open(home) as m:
        assert m.status().holdings.unembedded == 0
