"""The commands that encrypt a home, change its key, and make it plain."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from memoranda.interfaces.cli.app import Command, app, unlocked
from memoranda.interfaces.cli.output import counted, emit, say

if TYPE_CHECKING:
    from memoranda.sealing import Sealed, Tell, Unsealed

HeldBy = Annotated[
    str,
    typer.Option(
        metavar="HOLDER",
        help="What opens it: passphrase, keyring (of the system), environment, or file:PATH.",
    ),
]


class Whole(Command):
    """One that is done or not at all."""

    stopped = "stopped; the home is as it was"


@app.command(cls=Whole)
def encrypt(
    context: typer.Context,
    held_by: HeldBy = "passphrase",
    keep_files: Annotated[
        bool,
        typer.Option("--keep-files", help="Go on writing Markdown files, which are plain."),
    ] = False,
) -> None:
    """Encrypt the home; it is asked for a passphrase, and tells a recovery key once."""
    from memoranda import sealing

    passphrase = asked_for(held_by)
    sealed = sealing.encrypt(
        context.obj.home,
        passphrase=passphrase,
        held_by=held_by,
        keep_files=keep_files,
        tell=told_first(context),
    )
    emit(context, sealed, lambda: show_sealed(sealed))


@app.command(cls=Whole)
def rekey(context: typer.Context, held_by: HeldBy = "passphrase") -> None:
    """Encrypt the home anew by another key, with a new passphrase and recovery key."""
    from memoranda import sealing

    home = context.obj.home
    unlocked(home, lambda: sealing.refuse_locked(home))  # before a new passphrase is asked for
    passphrase = asked_for(held_by, new=True)
    sealed = sealing.rekey(home, passphrase=passphrase, held_by=held_by, tell=told_first(context))
    emit(context, sealed, lambda: show_sealed(sealed))


@app.command(cls=Whole)
def decrypt(
    context: typer.Context,
    yes: Annotated[bool, typer.Option("--yes", help="Ask nothing.")] = False,
) -> None:
    """Make the home plain again."""
    from memoranda import sealing

    if not yes and sys.stdin.isatty() and sys.stderr.isatty():
        typer.confirm("Whoever has the file reads it then. Decrypt it?", err=True, abort=True)
    home = context.obj.home
    unsealed = unlocked(home, lambda: sealing.decrypt(home))
    emit(context, unsealed, lambda: typer.echo("The home is not encrypted any more."))
    if not context.obj.json:
        _tell_of_backups(unsealed)


def asked_for(held_by: str, *, new: bool = False) -> str | None:
    """A new passphrase, typed twice on a terminal; None leaves it to the environment."""
    import os

    from memoranda.stores.keys import PASSPHRASE

    if held_by != "passphrase" or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    if PASSPHRASE in os.environ and not new:
        return None
    told: str = typer.prompt("New passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return told


def told_first(context: typer.Context) -> Tell:
    """Show what is shown once before it counts: were we to end in between, it would be lost."""

    def tell(recovery: str, secret: str | None) -> None:
        if context.obj.json:  # which has it at the end, in one document
            return
        if secret:
            typer.echo(f"Have the environment hold MEMORANDA_KEY={secret}")
        typer.echo(f"Recovery key, shown this once: {recovery}")
        say("Write it down, away from this machine: without it and what opens the home, all of it")
        say("is lost.")
        sys.stdout.flush()

    return tell


def show_sealed(sealed: Sealed) -> None:
    typer.echo(f"The home is encrypted ({sealed.cipher}), and opened by the {_holder(sealed)}.")
    if sealed.removed:
        say(f"{counted(len(sealed.removed), 'plain file')} removed; `files = true` in the settings")
        say("has Markdown written again, which is plain.")
    for each in sealed.left:
        say(f"{each} is plain, and stays.")
    _tell_of_backups(sealed)


def _tell_of_backups(done: Sealed | Unsealed) -> None:
    for each in done.renewed:
        say(f"Backed up to {each.place} anew; {counted(len(each.removed), 'older backup')} went.")
    for place in done.pending:
        say(f"The backups in {place} are as they were; `memoranda backup {place}` makes them anew.")


def _holder(sealed: Sealed) -> str:
    kind, _, place = sealed.held_by.partition(":")
    words = {
        "keyring": "keyring of the system",
        "environment": "secret in MEMORANDA_KEY",
        "file": f"secret in {place}",
    }
    return words.get(kind, kind)
