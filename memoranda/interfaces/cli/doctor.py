"""The command that looks a home over."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated

import typer

from memoranda.errors import HomeError
from memoranda.interfaces.cli import FAILED
from memoranda.interfaces.cli.app import Command, app, unlocked
from memoranda.interfaces.cli.output import emit
from memoranda.soundness import Checkup, Severity, Symptom
from memoranda.text.clean import harmless


@app.command(cls=Command)
def doctor(
    context: typer.Context,
    mend: Annotated[
        bool,
        typer.Option("--mend", help="Mend what can be mended safely; the store is copied first."),
    ] = False,
) -> None:
    """Look a home over, also one that cannot be opened: what is wrong, and what mends it."""
    from memoranda import checkup

    home = context.obj.home
    with suppress(HomeError):  # which is what is told of it
        unlocked(home, lambda: checkup.refuse_locked(home))
    found = checkup.doctor(home, mend=mend)
    emit(context, {**_told(found)}, lambda: _show(found))
    if not found.is_sound:
        raise typer.Exit(FAILED)


def _told(found: Checkup) -> dict[str, object]:
    return {
        "home": found.home,
        "worst": found.worst,
        "symptoms": found.symptoms,
        "ways_back": found.ways_back,
        "done": found.done,
        "copy": found.copy,
    }


def _show(found: Checkup) -> None:
    fine = [each.check for each in found.symptoms if each.severity == Severity.FINE]
    order = list(Severity)
    for each in sorted(found.symptoms, key=lambda each: order.index(each.severity)):
        if each.severity != Severity.FINE:
            _show_one(each)
    if found.ways_back:
        typer.echo("The ways back, the best first:")
        for number, way in enumerate(found.ways_back, start=1):
            typer.echo(harmless(f"  {number}. {way}"))
    for did in found.done:
        typer.echo(harmless(f"Mended: {did}."))
    if found.copy:
        typer.echo(harmless(f"The store as it was is kept in {found.copy}."))
    typer.echo(harmless(f"{found.home}: {', '.join(fine)} fine." if fine else found.home))


def _show_one(symptom: Symptom) -> None:
    mark = "mended" if symptom.mended else symptom.severity.upper()
    typer.echo(harmless(f"{mark}: {symptom.check}: {symptom.what}"))
    if symptom.mended:
        return
    if symptom.means:
        typer.echo(harmless(f"  It means that {symptom.means}."))
    if symptom.mend:
        typer.echo(harmless(f"  To mend it: {symptom.mend}."))
