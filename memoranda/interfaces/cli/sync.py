"""The command that brings the Markdown files and the store in step."""

from __future__ import annotations

import sys
import time
from functools import partial
from typing import Annotated

import typer

from memoranda.care import Synced, SyncedFile
from memoranda.errors import FileError, StoreError
from memoranda.interfaces.cli import FAILED
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import counted, emit, progress, say
from memoranda.text.clean import harmless

EVERY = 1.0
"""Seconds between two looks at the files."""


class OneByOne(Command):
    """One whose steps stand when it is stopped."""

    stopped = "stopped; what was taken in stays so, and running it again does the rest"


@app.command(cls=OneByOne)
def sync(
    context: typer.Context,
    yes: Annotated[
        bool, typer.Option("--yes", help="Lines that are gone were taken out on purpose.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would be taken in, and change nothing.")
    ] = False,
    hermes: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep the files of this Hermes home too, from now on."),
    ] = None,
    no_hermes: Annotated[
        str | None, typer.Option(metavar="DIR", help="Keep those of this Hermes home no more.")
    ] = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on doing so whenever something changes.")
    ] = False,
) -> None:
    """Take in what was edited in MEMORY.md and USER.md, and write them anew."""
    with opened(context, with_edits=False) as memoranda:
        with progress(context, "taking in") as advance:
            synced = memoranda.sync(
                removals=yes, dry_run=dry_run, hermes=hermes, no_hermes=no_hermes, advance=advance
            )
        doubtful = [each for each in synced.files if each.missing]
        if doubtful and not dry_run and not context.obj.json and _means_it(doubtful):
            synced = memoranda.sync(removals=True)
        emit(context, synced, lambda: _show(synced, dry_run=dry_run))
    _tell(synced)
    if watch:
        _watch(context)
    if any(each.left for each in synced.files):
        raise typer.Exit(FAILED)


def _watch(context: typer.Context) -> None:
    """Keep files and store in step until somebody stops it."""
    say("Watching; Ctrl-C ends it.")
    with opened(context, with_edits=False) as memoranda:
        memoranda.sync()
        while True:
            time.sleep(EVERY)
            try:
                if not memoranda.files_changed():
                    continue
                synced = memoranda.sync()
            except (FileError, StoreError) as error:  # an editor was just then at it
                say(f"{error}; trying again.")
            else:
                if any(each.edits or each.left for each in synced.files):
                    emit(context, synced, partial(_show, synced, dry_run=False))
                _tell(synced)


def _tell(synced: Synced) -> None:
    for each in synced.files:
        tell_of(each)
    if synced.busy:
        say("Another process is at it.")


def _means_it(doubtful: list[SyncedFile]) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    for each in doubtful:
        say(f"{counted(each.missing, 'line')} gone from {each.path}.")
    return typer.confirm("Retire these memories?", err=True)


def _show(synced: Synced, *, dry_run: bool) -> None:
    for file in synced.files:
        for each in file.edits:
            line = "" if each.line is None else f", line {each.line}"
            id = f" [{each.memory}]" if each.memory else ""
            typer.echo(harmless(f"{file.path}{line}: {each.edit}: {each.content}{id}"))
    edits = sum(len(each.edits) for each in synced.files)
    if dry_run:
        typer.echo(f"{counted(edits, 'edit')} would be taken in; nothing was changed.")
        return
    written = sum(each.written for each in synced.files)
    told = f"{counted(edits, 'edit')} taken in, {counted(written, 'file')} written"
    typer.echo(f"{told}; {synced.mirrored} mirrored, {synced.removed} removed from the mirror.")


def tell_of(file: SyncedFile) -> None:
    for line, what in file.notes:
        where = f"{file.path}, line {line}" if line else file.path
        say(f"{where}: {what}.")
    if file.aside:
        say(f"{file.path}: what was there before is kept in {file.aside}.")
    if file.missing:
        say(
            f"{file.path} is as it was: {counted(file.missing, 'line')} gone from it. If that is "
            "meant, run `memoranda sync --yes`; if not, put back what is missing."
        )
    elif file.left:
        say(f"{file.path} is as it was: {file.left}.")
