"""Commands about projects and who works on them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, Commands, app, opened
from memoranda.interfaces.cli.output import add_row, console, emit, say, table
from memoranda.people import Part, Project

project = typer.Typer(cls=Commands, help="See the projects, and say who does what in them.")
app.add_typer(project, name="project")

Name = Annotated[str, typer.Argument(help="Of the project.")]


@project.callback(invoke_without_command=True)
def project_(context: typer.Context) -> None:
    """See the projects, and say who does what in them."""
    if context.invoked_subcommand is not None:
        return
    with opened(context) as memoranda:
        found, active = memoranda.projects(), memoranda.access.project
    emit(context, found, lambda: _show(found, None if active is None else active.name))
    if not found:
        say("There is no project; `memoranda project add NAME FOLDER` makes one.")


def _show(found: Iterable[Project], active: str | None) -> None:
    made = table("project", "folder", "files", "parts", "")
    for each in found:
        parts = ", ".join(f"{profile}: {part}" for profile, part in each.parts.items())
        here = "active" if each.name == active else ""
        add_row(made, each.name, each.root or "", each.vault or "in the home", parts, here)
    console().print(made)


@project.command(cls=Command)
def add(
    context: typer.Context,
    name: Name,
    folder: Annotated[
        str | None,
        typer.Argument(metavar="[FOLDER]", help="Where one works on it; worktrees count too."),
    ] = None,
    vault: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="The folder of its files, when not in the home."),
    ] = None,
) -> None:
    """Have a project be the active one wherever one works in its folder."""
    with opened(context) as memoranda:
        made = memoranda.add_project(name, folder, vault=vault)
    where = f" It is active in {made.root}." if made.root else ""
    emit(context, made, lambda: typer.echo(f"Project {made.name}.{where}"))


@project.command(cls=Command)
def part(
    context: typer.Context,
    name: Name,
    profile: Annotated[str, typer.Argument(help="The agent's profile.")],
    part: Annotated[str, typer.Argument(help=f"One of {', '.join(Part)}.")],
) -> None:
    """Say what a profile does in a project; those without a part may not open it then."""
    with opened(context) as memoranda:
        made = memoranda.assign(name, profile, part)
    emit(context, made, lambda: typer.echo(f"{profile} is {_told(made, profile)} on {name}."))


def _told(made: Project, profile: str) -> str:
    part = made.part_of(profile)
    return "nothing" if part is None else f"a {part}"


@project.command(cls=Command)
def drop(context: typer.Context, name: Name) -> None:
    """Have a project be active nowhere; what it remembers stays."""
    with opened(context) as memoranda:
        memoranda.drop_project(name)
    emit(context, {"dropped": name}, lambda: typer.echo(f"{name} is active nowhere now."))
