"""Commands about skills."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from memoranda.errors import InvalidInput
from memoranda.interfaces.cli.app import Command, Commands, app, opened
from memoranda.interfaces.cli.output import (
    add_row,
    console,
    counted,
    emit,
    say,
    show_fields,
    table,
    when,
)
from memoranda.skills import Skill, Skills
from memoranda.text.clean import harmless
from memoranda.types import Unreadable, plain

LONG, MANY = 20_000, 500
"""Characters, about 5,000 tokens, and lines: the format advises that a skill be no longer."""

skill = typer.Typer(cls=Commands, help="How things are done: files that an agent follows.")
app.add_typer(skill, name="skill")

Name = Annotated[str, typer.Argument(help="What the skill is called.")]
InScope = Annotated[
    str | None,
    typer.Option("--scope", metavar="SCOPE", help="The one of this scope: user, project:NAME, …"),
]


@skill.command("list", cls=Command)
def list_(context: typer.Context) -> None:
    """The skills of what is open here: names, what they are for, and how often they were used."""
    with opened(context) as memoranda:
        found = memoranda.skills()
    emit(context, _listed(found), lambda: _show_list(found))
    for each in found.shadowed:
        say(f"{each.name} of {each.scope} is shadowed by that of {each.shadowed_by}.")
    _tell_invalid(found)


@skill.command(cls=Command)
def show(
    context: typer.Context,
    name: Name,
    version: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="The text that it had then.")
    ] = None,
    scope: InScope = None,
) -> None:
    """A skill with its text, which does not count as a use."""
    with opened(context) as memoranda:
        found = memoranda.skill(name, version=version, scope=scope)
    emit(context, found, lambda: _show(found))


@skill.command(cls=Command)
def use(context: typer.Context, name: Name, scope: InScope = None) -> None:
    """Print the whole text of a skill for an agent to follow, and count the use."""
    with opened(context) as memoranda:
        used = memoranda.use_skill(name, scope=scope)
    emit(context, used, lambda: _print(used.text))


@skill.command(cls=Command)
def add(
    context: typer.Context,
    name: Name,
    file: Annotated[
        str, typer.Argument(help="The steps in Markdown, or a whole file; - is standard input.")
    ],
    description: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What it does, and when it is of use.")
    ] = None,
    scope: Annotated[
        str | None,
        typer.Option(help="user, profile:NAME or project:NAME; the own one if not given."),
    ] = None,
    license: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Under which licence.")
    ] = None,
    compatibility: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What it needs, such as a program.")
    ] = None,
    allowed_tools: Annotated[
        str | None, typer.Option(metavar="TOOLS", help="Tools that may be used without asking.")
    ] = None,
    keep_secrets: Annotated[
        bool, typer.Option("--keep-secrets", help="Write keys and passwords as they are.")
    ] = False,
) -> None:
    """Write a skill, or the next version of the one of this name."""
    text = _read(file)
    with opened(context, scope=scope) as memoranda:
        written = memoranda.write_skill(
            text,
            name=name,
            description=description,
            scope=scope,
            license=license,
            compatibility=compatibility,
            allowed_tools=allowed_tools,
            keep_secrets=keep_secrets,
        )
    emit(context, written, lambda: typer.echo(f"Version {written.version}: {written.path}"))
    lines = written.text.count("\n")
    if len(written.text) > LONG or lines > MANY:
        say(
            f"It is long ({counted(lines, 'line')}, {len(written.text):,} characters), and is "
            "loaded whole: what is seldom needed had better stand in files beside it."
        )


@skill.command(cls=Command)
def remove(
    context: typer.Context,
    name: Name,
    scope: InScope = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Remove a skill with its versions and all that stands in its folder."""
    with opened(context) as memoranda:
        found = memoranda.skill(name, scope=scope)
        if not yes:
            if not sys.stdin.isatty():
                raise typer.BadParameter("nobody is there to confirm it: add --yes")
            typer.confirm(f"Remove {Path(found.path).parent} for good?", abort=True, err=True)
        removed = memoranda.remove_skill(name, scope=str(found.scope))
    emit(context, removed, lambda: typer.echo(f"Removed: {Path(removed.path).parent}"))


@skill.command(cls=Command)
def history(context: typer.Context, name: Name, scope: InScope = None) -> None:
    """The versions of a skill, the oldest first; `show --version` prints one."""
    with opened(context) as memoranda:
        found = memoranda.skill_history(name, scope=scope)
    emit(context, _listed(found), lambda: _show_history(found))
    _tell_invalid(found)


def _listed(found: Skills) -> dict[str, Any]:
    """Without the texts, which nobody asked for."""
    return {
        "found": [_in_short(each) for each in found.found],
        "shadowed": [_in_short(each) for each in found.shadowed],
        "unreadable": plain(found.unreadable),
    }


def _in_short(skill: Skill) -> dict[str, Any]:
    told = plain(replace(skill, text="", body=""))
    assert isinstance(told, dict)
    return {name: value for name, value in told.items() if name not in ("text", "body")}


def _show_list(found: Skills) -> None:
    if not found.found:
        typer.echo("There is no skill yet; `memoranda skill add` writes one.")
        return
    made = table("name", "description", "scope", "version", "uses", "last used", fixed=("name",))
    for each in found.found:
        uses, last = each.uses or "", when(each.used_at)
        add_row(made, each.name, each.description, each.scope, each.version, uses, last)
    console().print(made)


def _show_history(found: Skills) -> None:
    made = table("version", "written", "description", fixed=("version", "written"))
    for each in found.found:
        add_row(made, each.version, when(each.written_at), each.description)
    console().print(made)


def _show(found: Skill) -> None:
    show_fields(
        console(),
        {
            "path": found.path,
            "scope": found.scope,
            "version": found.version,
            "written": when(found.written_at),
            "used": f"{counted(found.uses, 'time')}, last {when(found.used_at)}"
            if found.uses
            else "",
        },
    )
    typer.echo()
    _print(found.text)


def _print(text: str) -> None:
    """A text as it stands, but for what would steer a terminal."""
    shown = harmless(text) if sys.stdout.isatty() else text
    typer.echo(shown, nl=not shown.endswith("\n"))


def _tell_invalid(found: Skills) -> None:
    for each in found.unreadable:
        say(f"{_place(each)}: {each.reason}; it is left out until that is mended")


def _place(each: Unreadable) -> str:
    return each.place if each.line is None else f"{each.place}:{each.line}"


def _read(file: str) -> str:
    """Raises InvalidInput."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{file} cannot be read: {error}") from error
