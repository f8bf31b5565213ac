"""Commands about the tasks of a project, and the reports on them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import Command, Commands, app, opened
from memoranda.interfaces.cli.output import add_row, console, emit, say, table
from memoranda.people import Report, State, Task
from memoranda.text.clean import harmless

task = typer.Typer(cls=Commands, help="See the tasks of the project, and write them.")
report = typer.Typer(cls=Commands, help="See the reports in the project, and write the own one.")
app.add_typer(task, name="task")
app.add_typer(report, name="report")

Id = Annotated[str, typer.Argument(help="The number, as T001 or 1.")]


@task.callback(invoke_without_command=True)
def task_(context: typer.Context) -> None:
    """See the tasks of the project, and write them."""
    if context.invoked_subcommand is not None:
        return
    with opened(context) as memoranda:
        found = memoranda.vault()
    emit(context, found.tasks, lambda: _show_tasks(found.tasks))
    _tell(found.unreadable)


def _show_tasks(tasks: Iterable[Task]) -> None:
    made = table("task", "state", "for", "title", "file")
    for each in tasks:
        add_row(made, each.id, each.state, each.profile or "", each.title, each.path)
    console().print(made)


@task.command(cls=Command)
def show(context: typer.Context, id: Id) -> None:
    """Print a task."""
    with opened(context) as memoranda:
        found = memoranda.task(id)
    emit(
        context, found, lambda: typer.echo(harmless(f"{found.id} ({found.state})\n\n{found.body}"))
    )


@task.command(cls=Command)
def add(
    context: typer.Context,
    title: Annotated[str, typer.Argument(help="In a few words.")],
    body: Annotated[str, typer.Argument(help="What is to be done; - is standard input.")],
    whom: Annotated[
        str | None, typer.Option("--for", metavar="PROFILE", help="Who is to do it.")
    ] = None,
) -> None:
    """Write a task; only a lead does."""
    text = sys.stdin.read() if body == "-" else body
    with opened(context) as memoranda:
        made = memoranda.add_task(title, text, profile=whom)
    emit(context, made, lambda: typer.echo(f"{made.id}: {made.path}"))


@task.command(cls=Command)
def state(
    context: typer.Context,
    id: Id,
    state: Annotated[str, typer.Argument(help=f"One of {', '.join(State)}.")],
) -> None:
    """Say how far a task is; only a lead does."""
    with opened(context) as memoranda:
        made = memoranda.set_task(id, state)
    emit(context, made, lambda: typer.echo(f"{made.id} is {made.state}."))


@report.callback(invoke_without_command=True)
def report_(context: typer.Context) -> None:
    """See the reports in the project, and write the own one."""
    if context.invoked_subcommand is not None:
        return
    with opened(context) as memoranda:
        found = memoranda.vault()
    emit(context, found.reports, lambda: _show_reports(found.reports))
    _tell(found.unreadable)


def _show_reports(reports: Iterable[Report]) -> None:
    for each in reports:
        typer.echo(harmless(f"{each.id} ({each.path})\n\n{each.body}\n"))


@report.command("add", cls=Command)
def add_line(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What was done, in a line; - is standard input.")],
    on: Annotated[
        str | None, typer.Option("--on", metavar="TASK", help="The task that it is about.")
    ] = None,
) -> None:
    """Add a line to the own report."""
    line = sys.stdin.read() if text == "-" else text
    with opened(context) as memoranda:
        made = memoranda.report(line, task=on)
    emit(context, made, lambda: typer.echo(f"{made.id}: {made.path}"))


def _tell(unreadable: Iterable[tuple[str, str]]) -> None:
    for path, why in unreadable:
        say(f"{path} is left out: {why}.")
