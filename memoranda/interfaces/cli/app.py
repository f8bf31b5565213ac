"""The frame of every command: options that all share, and the home they open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import cache
from typing import Annotated, Any, TypeVar

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

from memoranda import wiring
from memoranda.errors import Locked
from memoranda.interfaces.cli.output import ZONE, say
from memoranda.memoranda import Memoranda
from memoranda.text import dates


class Stopped(Exception):
    """The person pressed Ctrl-C; unlike KeyboardInterrupt, Typer leaves it to us.

    `status` is what the program exits with, which is another when somebody ended it.
    """

    def __init__(self, what: str, by: KeyboardInterrupt) -> None:
        super().__init__(what)
        self.status = getattr(by, "status", 130)


@dataclass(frozen=True, slots=True)
class Shared:
    """What the options say that every command takes, before its name or after it."""

    home: str | None = None
    profile: str | None = None
    project: str | None = None
    person: str | None = None
    channel: str | None = None
    task: str | None = None
    json: bool = False


PANEL = "Options of every command"

ASKED = 3
"""Times that a passphrase is asked for."""

T = TypeVar("T")


def _declared(
    home: Annotated[
        str | None,
        typer.Option(
            metavar="DIR",
            help="The home's folder; MEMORANDA_HOME, else ~/.memoranda, when not given.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="See and write the memory of this agent profile too.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    project: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="See and write the memory of this project too; it is else that of the folder.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    person: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose memory it is, when not the owner's.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    channel: Annotated[
        str | None,
        typer.Option(
            metavar="IDENTITY",
            help="Whose memory it is, by what a channel calls them.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            metavar="ID",
            help="See this task of the project and the project, and nothing else.",
            rich_help_panel=PANEL,
        ),
    ] = None,
    json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Answer with one JSON document and nothing else.",
            rich_help_panel=PANEL,
        ),
    ] = False,
) -> None:
    """The shared options, declared as Typer reads them."""


@cache
def _shared_options() -> list[Any]:
    only_these = typer.Typer(add_completion=False)
    only_these.command()(_declared)
    return typer.main.get_command(only_these).params


def _take_shared(context: Any, own: Collection[str] = ()) -> None:
    """Move the shared options out of a command's own, over what was given before its name."""
    shared = context.obj if isinstance(context.obj, Shared) else Shared()
    names = [each.name for each in fields(Shared) if each.name not in own]
    given = {name: context.params.pop(name, None) for name in names}
    chosen = {name: value for name, value in given.items() if value not in (None, False)}
    context.obj = replace(shared, **chosen)


class Command(TyperCommand):
    """A command that takes the shared options too, but for those that it has itself."""

    stopped = "stopped"
    """What is said when the person stops it."""

    def __init__(self, *args: Any, params: list[Any] | None = None, **kwargs: Any) -> None:
        self._own = {each.name for each in params or ()}
        shared = [each for each in _shared_options() if each.name not in self._own]
        super().__init__(*args, params=[*(params or ()), *shared], **kwargs)

    def invoke(self, ctx: Any) -> Any:
        _take_shared(ctx, self._own)
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise Stopped(self.stopped, error) from None


class CommandInParts(Command):
    """One that stores as it goes, and goes on where it was when it is run again."""

    stopped = "stopped; what was stored stays, run the command again to go on"


class Commands(TyperGroup):
    """The commands, after the shared options."""

    def __init__(self, *args: Any, params: list[Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, params=[*(params or ()), *_shared_options()], **kwargs)

    def invoke(self, ctx: Any) -> Any:
        _take_shared(ctx)
        return super().invoke(ctx)


app = typer.Typer(
    name="memoranda",
    help="Long-term memory for self-hosted AI agents, in one file you own.",
    cls=Commands,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Say which version this is."),
) -> None:
    """Long-term memory for self-hosted AI agents, in one file you own."""
    if version:
        from memoranda import __version__

        typer.echo(f"memoranda {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)


def moment(memoranda: Memoranda, text: str | None, *, end_of_day: bool = False) -> datetime | None:
    """The moment that an option names, in the zone of the home; None when it was not given."""
    if text is None:
        return None
    return dates.parse(text, memoranda.settings.zone, end_of_day=end_of_day)


def _here() -> str | None:
    """The folder in which the command is given; None when it is gone."""
    try:
        return os.getcwd()
    except OSError:
        return None


def unlocked(
    home: str | None, do: Callable[[], T], unlock: Callable[[str], None] | None = None
) -> T:
    """Do what opens a home; where that is encrypted, ask for what opens it, on a terminal.

    What is typed unlocks the home, or is given to whoever would `unlock` something else. Raises
    Locked where nobody can be asked, or nothing that was given opens it.
    """
    tries_left = ASKED if sys.stdin.isatty() and sys.stderr.isatty() else 0
    secret: str | None = None
    while True:
        try:
            if secret is not None:
                _unlock(secret, home, unlock)
            return do()
        except Locked as error:
            if not tries_left:
                raise
            say(str(error))
        tries_left -= 1
        secret = typer.prompt("Passphrase or recovery key", hide_input=True, err=True)


def _unlock(secret: str, home: str | None, unlock: Callable[[str], None] | None) -> None:
    if unlock is not None:
        unlock(secret)
        return
    from memoranda import sealing

    sealing.unlock(secret, home)


@contextmanager
def opened(
    context: typer.Context, *, scope: str | None = None, with_edits: bool = True
) -> Iterator[Memoranda]:
    """The home of this command; naming a `scope` to write to opens it.

    What people edited in its files is taken in first, `with_edits`.
    """
    shared: Shared = context.obj
    kind, _, name = (scope or "").partition(":")
    with unlocked(
        shared.home,
        lambda: wiring.open(
            shared.home,
            profile=name if kind == "profile" else shared.profile,
            project=name if kind == "project" else shared.project,
            person=(name or None) if kind == "user" else shared.person,
            channel=shared.channel,
            task=shared.task,
            within=_here(),
            door="cli",
        ),
    ) as memoranda:
        ZONE.set(memoranda.settings.zone)
        if with_edits:
            memoranda.take_in()
        yield memoranda
