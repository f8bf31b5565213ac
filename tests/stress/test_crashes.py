"""Nothing that was acknowledged is lost, however a writer dies."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn
from memoranda.stores.sqlite import SqliteStore

KILLS = int(os.environ.get("STRESS_KILLS", "200"))
WRITERS = 2


def _write(home: Path, acknowledged: Path, writer: int, round: int) -> None:
    """Write until killed; a line in `acknowledged` for every write that came back."""
    numbers = iter(range(10**9))
    with memoranda.open(home) as m, acknowledged.open("a", buffering=1) as log:
        while True:
            number = next(numbers)
            name = f"w{writer}r{round}n{number}"
            if number % 3:
                observed = m.observe(
                    [Turn(f"c{writer}", "user", f"turn {name} part {part}") for part in range(3)]
                )
                for id in observed.turns:
                    log.write(f"turn {id}\n")
            else:
                memory = m.remember(f"memory {name} of something worth keeping")
                log.write(f"memory {memory.id}\n")
                if number % 9 == 0:
                    log.write(f"memory {m.revise(memory.id, f'revised {name}').id}\n")
                elif number % 6 == 0:
                    log.write(f"doomed {memory.id}\n")
                    m.forget(memory.id)
                    log.write(f"gone {memory.id}\n")


@pytest.mark.slow
def test_no_acknowledged_write_is_lost_by_kill_9(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    fork = multiprocessing.get_context("fork")
    chance = random.Random(7)
    logs = [tmp_path / f"acknowledged-{writer}" for writer in range(WRITERS)]
    for round in range(KILLS):
        writers = [
            fork.Process(target=_write, args=(home, log, number, round), daemon=True)
            for number, log in enumerate(logs)
        ]
        for writer in writers:
            writer.start()
        time.sleep(chance.uniform(0.02, 0.25))
        for writer in writers:
            assert writer.pid is not None
            assert writer.is_alive(), "a writer failed before it was killed"
            os.kill(writer.pid, signal.SIGKILL)
        for writer in writers:
            writer.join()
        store = SqliteStore(home / "memory.db")
        assert store.check() == [], f"after kill {round}"
        store.close()
    _assert_kept(home, logs)


def _assert_kept(home: Path, logs: list[Path]) -> None:
    lines = [line.split() for log in logs for line in log.read_text().splitlines()]
    assert len(lines) > KILLS, "the writers hardly wrote"
    gone = {words[1] for words in lines if words[0] == "gone"}
    doomed = {words[1] for words in lines if words[0] == "doomed"}
    with memoranda.open(home) as m:
        for kind, id in lines:
            if id in gone:
                assert m.history(id)[-1].operation == "forget"
            elif id not in doomed:  # killed inside `forget`, it may have gone or not
                assert isinstance(m.show(id), memoranda.Passage) == (kind == "turn")
