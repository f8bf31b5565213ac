"""Commands by which conversations come in."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, Annotated, Literal

import typer

from memoranda.capture.importers import turns as turns_format
from memoranda.errors import InvalidImport
from memoranda.interfaces.cli import transferring
from memoranda.interfaces.cli.app import Command, CommandInParts, app, opened
from memoranda.interfaces.cli.models import embed_written
from memoranda.interfaces.cli.output import counted, emit, progress, say, when
from memoranda.types import Imported, Observed

SHOWN = 10
"""Of so many secrets, and of so many quarantined turns, it is told where they are."""

KeepSecrets = Annotated[
    bool, typer.Option("--keep-secrets", help="Store keys and passwords as they are.")
]


@app.command(cls=Command)
def observe(
    context: typer.Context,
    file: Annotated[str, typer.Argument(help="JSON lines; - is standard input.")] = "-",
    keep_secrets: KeepSecrets = False,
    scheduled: Annotated[
        bool, typer.Option("--scheduled", help="They were due by a schedule; no person said them.")
    ] = False,
) -> None:
    """Take in turns as JSON lines: {conversation, role, content, id?, time?, speaker?}."""
    with opened(context) as memoranda:
        with (
            _local(file) as (path, place),
            progress(context, "observing", 2 * _size(path, place)) as advance,
        ):
            zone = memoranda.settings.zone
            turns = turns_format.read_checked(path, zone, place=place, advance=advance)
            observed = memoranda.observe(
                turns, embed=False, keep_secrets=keep_secrets, scheduled=scheduled
            )
        embed_written(context, memoranda, observed.stored)
    _report(context, observed, f"stored, {observed.known} known before.")


@app.command("import", cls=CommandInParts)
def import_(
    context: typer.Context,
    file: Annotated[
        str, typer.Argument(metavar="PATH", help="A file or folder; - is standard input.")
    ],
    format: Annotated[
        Literal["auto", "turns", "hermes", "claude-code", "home"],
        typer.Option(help="Of what; auto looks what is in it."),
    ] = "auto",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read and count, but store nothing.")
    ] = False,
    keep_secrets: KeepSecrets = False,
) -> None:
    """Bring in conversations, whether capture is on or not, or the archive of a home.

    Doing it again adds nothing twice.
    """
    with _local(file) as (path, place):
        if _is_home(path, format):
            if keep_secrets:
                raise typer.BadParameter(
                    "an archive has what was kept", param_hint="--keep-secrets"
                )
            transferring.bring_in(context, path, dry_run=dry_run)
            return
        with opened(context) as memoranda:
            work = _work(path, format, place, dry_run)
            with progress(context, "importing", work) as advance:
                imported = memoranda.import_(
                    path,
                    format=format,
                    dry_run=dry_run,
                    place=place,
                    advance=advance,
                    embed=False,
                    keep_secrets=keep_secrets,
                )
            embed_written(context, memoranda, 0 if dry_run else imported.stored)
    done = "read, none stored." if dry_run else f"stored, {imported.known} known before."
    _report(context, imported, done, _read(imported))
    if dry_run and not context.obj.json and imported.read:
        typer.echo(_overview(imported))
    _tell_rest(imported)
    if imported.failed:
        raise typer.Exit(1)


def _is_home(path: Path, format: str) -> bool:
    from memoranda.upkeep import transfer

    return format == "home" or (format == "auto" and transfer.recognises(path))


def _work(path: Path, format: str, place: str | None, dry_run: bool) -> int:
    """The bytes that an import reads."""
    from memoranda.capture.importers import formats

    found = formats.find(path, format, place)
    return found.bytes * (2 if found.checked and not dry_run else 1)


def _read(imported: Imported) -> dict[str, object]:
    """What an import tells that no other way of taking turns in does."""
    return {
        "format": imported.format,
        "read": imported.read,
        "conversations": imported.conversations,
        "first": imported.first,
        "last": imported.last,
        "left_out": imported.left_out,
        "failed": imported.failed,
        "unreadable": imported.unreadable,
    }


def _overview(imported: Imported) -> str:
    roles = ", ".join(f"{count} {role}" for role, count in imported.read.items())
    between = f", {when(imported.first)} to {when(imported.last)}" if imported.first else ""
    return f"{roles}; {counted(imported.conversations, 'conversation')}{between}."


def _tell_rest(imported: Imported) -> None:
    """What was read that is no turn, and what could not be read."""
    if imported.left_out:
        say("Left out:")
        for what, count in imported.left_out.items():
            say(f"  {what}: {count}")
    if imported.failed:
        say(f"{counted(imported.failed, 'record')} could not be read:")
        number = "row" if imported.format == "hermes" else "line"
        for each in imported.unreadable[:SHOWN]:
            at = "" if each.line is None else f", {number} {each.line}"
            say(f"  {each.place}{at}: {each.reason}")
        if imported.failed > SHOWN:
            say("  …")


@contextmanager
def _local(file: str) -> Iterator[tuple[Path, str]]:
    """The file and its name; a pipe is kept aside first, since it is read twice."""
    path = Path(file)
    if file != "-" and not turns_format.is_pipe(path):
        yield path, file
        return
    pipe = nullcontext(sys.stdin.buffer) if file == "-" else path.open("rb")
    with _aside() as (kept, to), pipe as read:  # standard input stays open, to ask by
        shutil.copyfileobj(read, to)
        to.flush()
        yield kept, "standard input" if file == "-" else file


@contextmanager
def _aside() -> Iterator[tuple[Path, IO[bytes]]]:
    """A file for what must not be left in the open if we end in the middle.

    Linux opens a file anew that has no name any more; elsewhere it has one as long as we live.
    """
    system: str = sys.platform
    if system == "linux":
        with tempfile.TemporaryFile() as nameless:
            yield Path(f"/proc/self/fd/{nameless.fileno()}"), nameless
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "turns.jsonl"
        with path.open("wb") as named:
            yield path, named


def _size(path: Path, place: str) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidImport(place, None, reason) from error


def _report(
    context: typer.Context,
    observed: Observed,
    done: str,
    read: Mapping[str, object] | None = None,
) -> None:
    stored = counted(observed.stored, "turn")
    emit(
        context,
        {
            "stored": observed.stored,
            "known": observed.known,
            "forgotten": observed.forgotten,
            "incognito": observed.incognito,
            "differing": observed.differing,
            "mended": observed.mended,
            "redacted": [{"kind": kind, "turn": turn} for kind, turn in observed.redacted],
            "quarantined": [{"why": why, "turn": turn} for why, turn in observed.quarantined],
            **(read or {}),
        },
        lambda: typer.echo(f"{stored} {done}"),
    )
    tell(observed)


def tell(observed: Observed) -> None:
    """What is not as it came in, of turns that were taken in."""
    if observed.redacted:
        count = counted(len(observed.redacted), "secret was", "secrets were")
        say(f"{count} left out, which --keep-secrets would have kept:")
        _say_first(f"[{kind}] in the turn {turn}" for kind, turn in observed.redacted)
    if observed.quarantined:
        count = counted(len(observed.quarantined), "turn is", "turns are")
        say(
            f"{count} kept from models, for orders that nobody typed; `memoranda release` lets out:"
        )
        _say_first(f"the turn {turn} {why}" for why, turn in observed.quarantined)
    if observed.forgotten:
        gone = counted(observed.forgotten, "turn was", "turns were")
        say(f"{gone} forgotten, and {'does' if observed.forgotten == 1 else 'do'} not come back.")
    if observed.incognito:
        said = counted(observed.incognito, "turn was said", "turns were said")
        say(f"{said} incognito, and {'is' if observed.incognito == 1 else 'are'} not kept.")
    if observed.differing:
        say(
            f"{counted(observed.differing, 'turn')} came with a known id and other words; "
            "what was stored first stands."
        )
    if observed.mended:
        held = counted(observed.mended, "turn")
        say(f"{held} held characters that cannot be stored, replaced by �.")


def _say_first(lines: Iterable[str]) -> None:
    """Some lines, and whether there are more."""
    for number, line in enumerate(lines):
        if number == SHOWN:
            say("  …")
            return
        say(f"  {line}")
