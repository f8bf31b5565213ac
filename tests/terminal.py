"""Commands at a real terminal, whose questions are answered as a person does."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Told(NamedTuple):
    """How a command ended, and all that stood on the terminal, what was echoed too."""

    code: int
    text: str


def at_terminal(
    words: Sequence[str],
    answers: Sequence[str],
    *,
    asks: str = ": ",
    env: Mapping[str, str] | None = None,
    seconds: float = 60,
) -> Told:
    """Run a command of ours; each time that what it wrote ends with what `asks`, answer once."""
    import pty

    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "memoranda", *words]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=env, start_new_session=True
    )
    os.close(theirs)
    left, text, seen = list(answers), "", 0
    until = time.monotonic() + seconds
    try:
        while time.monotonic() < until:
            if not select.select([ours], [], [], 0.05)[0]:
                if process.poll() is not None:
                    break
                continue
            try:
                some = os.read(ours, 65536)
            except OSError:  # which Linux says when the other side is closed
                break
            if not some:
                break
            text += some.decode()
            if left and text[seen:].endswith(asks):
                seen = len(text)
                os.write(ours, f"{left.pop(0)}\n".encode())
        return Told(process.wait(timeout=max(1.0, until - time.monotonic())), text)
    finally:
        process.kill()
        process.wait()
        os.close(ours)
