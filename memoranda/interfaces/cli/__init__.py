"""The command line."""

from __future__ import annotations

import sys

from memoranda.errors import MemorandaError, NotFound
from memoranda.interfaces.cli.app import Stopped, app

DONE, FAILED, NOTHING_FOUND, STOPPED = 0, 1, 3, 130


def main() -> None:
    """Run a command; an error that we foresee is one line, and says what to do."""
    # Registering the commands is what importing these modules does.
    from memoranda.interfaces.cli import bench, conversations, finding, home, memories  # noqa: F401

    try:
        app()
    except MemorandaError as error:
        sys.stderr.write(f"memoranda: {error}\n")
        sys.exit(NOTHING_FOUND if isinstance(error, NotFound) else FAILED)
    except (Stopped, KeyboardInterrupt):
        sys.stderr.write(
            "memoranda: stopped; what was stored stays, run the command again to go on\n"
        )
        sys.exit(STOPPED)
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has enough; nothing is left to say
        sys.exit(DONE)
