"""The command line."""

from __future__ import annotations

import os
import sys

from memoranda.errors import MemorandaError, NotFound
from memoranda.interfaces.cli.app import Stopped, app
from memoranda.interfaces.cli.output import say

FAILED, NOTHING_FOUND, STOPPED = 1, 3, 130


def main() -> None:
    """Run a command; an error that we foresee is one line, and says what to do."""
    # Registering the commands is what importing these modules does.
    from memoranda.interfaces.cli import bench, conversations, finding, home, memories  # noqa: F401

    _make_streams_usable()
    try:
        app()
    except MemorandaError as error:
        say(f"memoranda: {' '.join(str(error).split())}")
        sys.exit(NOTHING_FOUND if isinstance(error, NotFound) else FAILED)
    except (Stopped, KeyboardInterrupt):
        say("memoranda: stopped; what was stored stays, run the command again to go on")
        sys.exit(STOPPED)
    except OSError as error:
        say(f"memoranda: the answer could not be written: {error.strerror or error}")
        sys.exit(FAILED)


def _make_streams_usable() -> None:
    """Closed streams become empty ones; what a terminal cannot show is replaced, not fatal."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
