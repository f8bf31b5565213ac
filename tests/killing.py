"""Processes that are killed in the middle of what they do."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable
from pathlib import Path

FORK = multiprocessing.get_context("fork")


def killed_within(seconds: float, act: Callable[[], object]) -> None:
    """Do something in a process that is killed if it is not done by then."""
    process = FORK.Process(target=act)
    process.start()
    time.sleep(seconds)
    process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)


LEFT_OVER = ("keying-*", "making-*", "preview-*", "memory.keys.*", "*.db*.new", "*.db.before-*")


def left_over(home: Path) -> list[str]:
    """What work that was cut off left in a home; an empty folder is as good as none."""
    found = (each for way in LEFT_OVER for each in home.glob(way))
    return sorted(each.name for each in found if each.is_file() or any(each.iterdir()))
