"""The command line."""

from __future__ import annotations

import os
import signal
import sys

FAILED, NOTHING_FOUND, STOPPED = 1, 3, 130


class Terminated(KeyboardInterrupt):
    """Somebody ended the program, as a service manager does; it goes the way of Ctrl-C."""

    status = 128 + signal.SIGTERM


def main() -> None:
    """Run a command; an error that we foresee is one line, and says what to do."""
    signal.signal(signal.SIGTERM, _terminated)
    try:
        sys.exit(_run())
    except KeyboardInterrupt as error:  # while commands were being loaded, or an answer written
        if sys.stderr is not None:
            sys.stderr.write("memoranda: stopped\n")
        sys.exit(getattr(error, "status", STOPPED))


def _terminated(number: int, frame: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough, and cleaning up is short
    raise Terminated


def _run() -> int:
    import typer
    from typer.exceptions import TyperException

    # Registering the commands is what importing these modules does.
    from memoranda.errors import MemorandaError, NotFound
    from memoranda.interfaces.cli import (  # noqa: F401
        backups,
        bench,
        consolidation,
        contradictions,
        conversations,
        doctor,
        entities,
        finding,
        forgetting,
        health,
        home,
        incognito,
        knowing,
        ledger,
        memories,
        models,
        people,
        projects,
        quarantine,
        restoring,
        review,
        sealing,
        skill,
        sweep,
        sync,
        tasks,
        topics,
        transferring,
        working,
    )
    from memoranda.interfaces.cli.app import Stopped, app
    from memoranda.interfaces.cli.output import say

    # numpy starts a thread for every processor when it is loaded, and we use none of them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    _make_streams_usable()
    try:
        return int(app(standalone_mode=False) or 0)
    except TyperException as error:
        say(f"memoranda: {_one_line(error.format_message())}; {_help_for(error)}")
        return error.exit_code
    except MemorandaError as error:
        say(f"memoranda: {_one_line(str(error))}")
        return NOTHING_FOUND if isinstance(error, NotFound) else FAILED
    except typer.Abort:
        say("memoranda: not done")
        return FAILED
    except Stopped as stopped:
        say(f"memoranda: {stopped}")
        return stopped.status
    except BrokenPipeError:  # whoever read the answer has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        say(f"memoranda: {error.filename or 'the answer'}: {error.strerror or error}")
        return FAILED


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _help_for(error: Exception) -> str:
    context = getattr(error, "ctx", None)
    return f"see `{context.command_path if context else 'memoranda'} --help`"


def _make_streams_usable() -> None:
    """Closed streams become empty ones; what a terminal cannot show is replaced, not fatal."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
