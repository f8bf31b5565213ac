"""Commands about topics."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import Annotated

import typer

from memoranda.interfaces.cli.app import CommandInParts, Commands, app, opened
from memoranda.interfaces.cli.output import add_row, console, counted, emit, say, table, when
from memoranda.policy import hygiene
from memoranda.types import Topic

topics = typer.Typer(cls=Commands, help="See the topics, and make one of two that mean the same.")
app.add_typer(topics, name="topics")


@topics.callback(invoke_without_command=True)
def topics_(
    context: typer.Context,
    once: Annotated[bool, typer.Option("--once", help="Those of a single memory only.")] = False,
) -> None:
    """See the topics, and make one of two that mean the same."""
    if context.invoked_subcommand is not None:
        return
    with opened(context) as memoranda:
        found = memoranda.topics(once=once)
    emit(context, found, lambda: _show(found))
    for topic in found:
        if topic.close is not None:
            merging = shlex.join(["memoranda", "topics", "merge", topic.name, topic.close])
            say(f"“{topic.name}” may be “{topic.close}”; to make them one: {merging}")


def _show(found: Iterable[Topic]) -> None:
    made = table("topic", "memories", "used", "")
    for topic in found:
        once = "one-off" if topic.memories == 1 else ""
        add_row(made, topic.name, topic.memories, when(topic.used_at), once)
    console().print(made)


@topics.command(cls=CommandInParts)
def merge(
    context: typer.Context,
    old: Annotated[str, typer.Argument(help="The topic that goes.")],
    new: Annotated[str, typer.Argument(help="The topic that takes its place.")],
) -> None:
    """Put a topic in the place of another, in every memory that is open here."""
    with opened(context) as memoranda:
        changed = memoranda.merge_topics(old, new)
    many = counted(len(changed), "memory", "memories")
    emit(context, changed, lambda: typer.echo(f"Merged: {many} changed."))


def tell_kept(given: Iterable[str], kept: Iterable[str]) -> None:
    """Say which topics were kept under another name than was given."""
    found = hygiene.Topics(kept)
    for topic in given:
        name = found.same(topic)
        if name is not None and name != topic.strip():
            say(f"Topic “{topic}” is kept as “{name}”.")
