"""Commands about the home itself."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from memoranda import wiring
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import console, counted, emit, say, show_fields, when
from memoranda.interfaces.cli.sealing import HeldBy, asked_for, show_sealed, told_first
from memoranda.types import Backlog, HomeStatus, Status, Switch, plain


@app.command(cls=Command)
def init(
    context: typer.Context,
    enable: Annotated[bool, typer.Option("--enable", help="Turn capture on at once.")] = False,
    language: Annotated[
        str,
        typer.Option(metavar="TAG", help="The language mostly spoken, such as en, de or zh-Hant."),
    ] = "en",
    encrypt: Annotated[bool, typer.Option("--encrypt", help="Encrypt it.")] = False,
    held_by: HeldBy = "passphrase",
    backup_to: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Where backups go: a folder on another disk."),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Make one though there is a backup of a home.")
    ] = False,
) -> None:
    """Make a home. Capture stays off unless --enable."""
    passphrase = asked_for(held_by) if encrypt else None
    if backup_to is None and not context.obj.json and sys.stdin.isatty():
        backup_to = _asked_where()
    folder = wiring.init(
        context.obj.home, enable=enable, language=language, backup_to=backup_to, new=new
    )
    sealed = None
    if encrypt:
        from memoranda import sealing

        sealed = sealing.encrypt(
            folder, passphrase=passphrase, held_by=held_by, tell=told_first(context)
        )
    used = next((each for each in wiring.models(folder) if each.used), None)
    switch = "on" if enable else "off; turn it on with `memoranda enable`"
    emit(
        context,
        {
            "home": str(folder),
            "capture": enable,
            "model": used and used.name,
            **({"encrypted": plain(sealed)} if sealed else {}),
            "backup_to": backup_to,
        },
        lambda: typer.echo(f"Made a home at {folder}. Capture is {switch}."),
    )
    if sealed and not context.obj.json:
        show_sealed(sealed)
    if used and not used.here:
        say(f"{used.name} reads this language, but is not here; {used.remedy}.")
    if backup_to and wiring.is_same_disk(backup_to, folder):
        say(f"{backup_to} is on the same disk as the home, and lost with it: choose another.")


def _asked_where() -> str | None:
    """Where a person wants backups to go; None when they do not say."""
    answer: str = typer.prompt(
        "Where shall backups go? A folder on another disk; empty for nowhere yet",
        default="",
        show_default=False,
        err=True,
    )
    return answer.strip() or None


Switched = Annotated[
    str | None,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="Of one person, profile or project only: user:N, profile:N or project:N.",
    ),
]


@app.command(cls=Command)
def enable(context: typer.Context, scope: Switched = None) -> None:
    """Capture conversations from now on, or no longer leave out those of a scope."""
    with opened(context) as memoranda:
        memoranda.enable(scope)
        found = memoranda.status()
    emit(context, _switched(found), lambda: typer.echo(_told_on(found, scope)))


@app.command(cls=Command)
def disable(context: typer.Context, scope: Switched = None) -> None:
    """Capture nothing from now on, or nothing of a scope; what is stored stays."""
    with opened(context) as memoranda:
        memoranda.disable(scope)
        found = memoranda.status()
    emit(context, _switched(found), lambda: typer.echo(_told_off(found, scope)))


def _switched(status: HomeStatus) -> dict[str, object]:
    return {"capturing_since": status.capturing_since, "switches": status.switches}


def _told_on(status: HomeStatus, scope: str | None) -> str:
    left = [each for each in status.switches if scope is not None and str(each.scope) == scope]
    if left:
        ways = ", and ".join(each.remedy for each in left)
        return f"Capture stays off for {scope}; {ways}."
    if status.capturing_since is None:
        return f"{scope} is captured once the home's switch is on: `memoranda enable`."
    if scope is not None:
        return f"Capture is on for {scope}."
    others = _others_off(status.switches[1:])
    return f"Capture is on since {when(status.capturing_since)}{others}."


def _others_off(switches: Sequence[Switch]) -> str:
    """What stays off nevertheless."""
    names = dict.fromkeys(_scope_of(each) for each in switches)
    return f", but for {', '.join(names)}" if names else ""


def _told_off(status: HomeStatus, scope: str | None) -> str:
    if scope is None:
        return "Capture is off. What is stored stays."
    return f"Capture is off for {scope}, whatever else is on. What is stored stays."


@app.command(cls=Command)
def status(context: typer.Context) -> None:
    """What is on, where, since when, how much, and which hosts receive text."""
    with opened(context) as memoranda:
        found = memoranda.status()
    emit(context, found, lambda: show_fields(console(), _status_fields(found)))


def _status_fields(status: HomeStatus) -> dict[str, object]:
    holds = status.holdings
    current = holds.memories.get(Status.CURRENT, 0)
    others = {name: count for name, count in holds.memories.items() if name != Status.CURRENT}
    span = f", said {when(holds.first)} to {when(holds.last)}" if holds.turns else ""
    return {
        "home": status.place,
        "size": f"{status.bytes / 1e6:.1f} MB",
        "encrypted": f"by {status.cipher}" if status.cipher else "no",
        "capture": _capture(status),
        "not captured": "\n".join(map(_switch, status.switches[1:])),
        "visible": ", ".join(map(str, status.visible)),
        "memories": ", ".join(
            [f"{current} current", *(f"{count} {name}" for name, count in others.items())]
        ),
        "conversations": f"{holds.conversations} with {counted(holds.turns, 'turn')}{span}",
        "quarantined": f"{counted(holds.quarantined, 'turn')}, see `memoranda quarantine`"
        if holds.quarantined
        else "",
        "vectors": _vectors(status),
        "language model": status.language or "none",
        "to be consolidated": _waits(status.backlog) or "nothing",
        "last pass that went well": when(status.backlog.passed_at) or "none yet",
        "for review": f"{counted(status.backlog.review, 'candidate')}, see `memoranda review`"
        if status.backlog.review
        else "",
        "backups": _backups(status),
        "warnings": "\n".join(status.warnings),
        "hosts that receive text": ", ".join(status.hosts) or "none",
    }


def _capture(status: HomeStatus) -> str:
    """What the switches come to, in words."""
    home = status.switches[0]
    if not home.on:
        since = f" since {_hand(home)}" if home.since else ""
        return f"off{since}: nothing is captured; turn it on with `memoranda enable`"
    if status.captures:
        return f"on since {_hand(home)}"
    return f"on since {_hand(home)}, but what is said here is not captured, as told below"


def _switch(switch: Switch) -> str:
    return f"{_scope_of(switch)}, off since {_hand(switch)}; {switch.remedy}"


def _scope_of(switch: Switch) -> str:
    return "a scope that was forgotten" if switch.scope is None else str(switch.scope)


def _hand(switch: Switch) -> str:
    """When somebody turned a switch, and who, through which door."""
    return f"{when(switch.since)} by {switch.by} ({switch.door})"


def _backups(status: HomeStatus) -> str:
    if not status.backup_to:
        return "none; set backup_to in the settings to a folder on another disk"
    last = when(status.backed_up_at)
    return f"to {status.backup_to}; " + (f"the last verified {last}" if last else "none yet")


def _waits(backlog: Backlog) -> str:
    """What the next pass has to do."""
    parts = []
    if backlog.turns:
        parts.append(f"{counted(backlog.turns, 'turn')} that no model has read")
    if backlog.aside:
        parts.append(f"{backlog.aside} of them set aside (`consolidate --again` tries them)")
    if backlog.candidates:
        parts.append(f"{counted(backlog.candidates, 'candidate')} to decide")
    if backlog.candidates_aside:
        parts.append(f"{counted(backlog.candidates_aside, 'candidate')} set aside")
    return ", ".join(parts)


def _vectors(status: HomeStatus) -> str:
    made = f"of {status.model}" if status.model else "none yet"
    if not status.holdings.unembedded:
        return made
    waiting = counted(status.holdings.unembedded, "text waits", "texts wait")
    return f"{made}; {waiting} for one, run `memoranda embed`"
