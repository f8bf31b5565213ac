"""Processes that are killed in the middle of what they do."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable

FORK = multiprocessing.get_context("fork")


def killed_within(seconds: float, act: Callable[[], object]) -> None:
    """Do something in a process that is killed if it is not done by then."""
    process = FORK.Process(target=act)
    process.start()
    time.sleep(seconds)
    process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL)
