"""Commands about single memories."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime
from typing import Annotated

import typer

from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, moment, opened
from memoranda.interfaces.cli.conversations import KeepSecrets
from memoranda.interfaces.cli.output import (
    add_row,
    console,
    emit,
    memory_fields,
    passage_fields,
    say,
    show_fields,
    standing,
    sure,
    table,
    when,
)
from memoranda.interfaces.cli.topics import tell_kept
from memoranda.text.clean import REPLACEMENT
from memoranda.text.secrets import secrets
from memoranda.types import Entry, Kind, Memory, Status, plain

Id = Annotated[str, typer.Argument(help="The beginning of an id is enough.")]


@app.command(cls=Command)
def remember(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A statement; - is standard input.")],
    kind: Annotated[Kind, typer.Option(help="What sort of statement it is.")] = Kind.FACT,
    scope: Annotated[
        str | None, typer.Option(metavar="SCOPE", help="user, user:N, profile:N or project:N.")
    ] = None,
    topic: Annotated[list[str] | None, typer.Option(help="A tag; may be repeated.")] = None,
    about: Annotated[
        list[str] | None, typer.Option(help="A person, project, host or thing; may be repeated.")
    ] = None,
    detail: Annotated[str | None, typer.Option(help="Reasons, alternatives, numbers.")] = None,
    valid_from: Annotated[
        str | None, typer.Option(metavar="DATE", help="True since; now by default.")
    ] = None,
    valid_to: Annotated[str | None, typer.Option(metavar="DATE", help="True until.")] = None,
    source: Annotated[
        str | None, typer.Option(metavar="TURN", help="The id of the turn it rests on.")
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Where it is asked for; not when incognito.")
    ] = None,
    pin: Annotated[bool, typer.Option("--pin", help="Never change or drop it.")] = False,
    keep_secrets: KeepSecrets = False,
) -> None:
    """Write a memory down by hand. Saying the same again confirms it."""
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    with opened(context, scope=scope) as memoranda:
        memory = memoranda.remember(
            text,
            kind=kind,
            scope=scope,
            detail=detail,
            topics=topic or (),
            entities=about or (),
            valid_from=moment(memoranda, valid_from),
            valid_to=moment(memoranda, valid_to, end_of_day=True),
            pin=pin,
            source=source,
            conversation=conversation,
            keep_secrets=keep_secrets,
        )
    _tell_left_out([text, detail or "", *(topic or ()), *(about or ())], keep_secrets)
    if memory.content.count(REPLACEMENT) > text.count(REPLACEMENT):
        say("It held characters that cannot be stored, replaced by �.")
    tell_kept(topic or (), memory.topics)
    if memory.status == Status.QUARANTINED:
        say("Kept from models; `memoranda history` tells why, `memoranda release` lets it out.")
    if memory.contradicts:
        say("It contradicts what is known; `memoranda contradictions` shows both sides.")
    done = "Remembered" if memory.mention_count == 1 else "Known, and now confirmed"
    emit(context, memory, lambda: typer.echo(f"{done}: {memory.id}"))


@app.command(cls=Command)
def revise(
    context: typer.Context,
    id: Id,
    text: Annotated[str, typer.Argument(help="What is true instead.")],
    valid_from: Annotated[
        str | None, typer.Option(metavar="DATE", help="True since; now by default.")
    ] = None,
    correction: Annotated[
        bool, typer.Option("--correction", help="The old words were never true.")
    ] = False,
    reason: Annotated[str | None, typer.Option(help="Why, for the history.")] = None,
    keep_secrets: KeepSecrets = False,
) -> None:
    """Replace a memory; the old one stays in its history."""
    with opened(context) as memoranda:
        began = moment(memoranda, valid_from)
        memory = memoranda.revise(
            id,
            text,
            valid_from=began,
            correction=correction,
            reason=reason,
            keep_secrets=keep_secrets,
        )
    _tell_left_out([text, reason or ""], keep_secrets)
    emit(context, memory, lambda: typer.echo(f"Revised: {memory.id}"))


def _tell_left_out(texts: Iterable[str], keep_secrets: bool) -> None:
    """Say which secrets of some texts were not stored."""
    if found := () if keep_secrets else [each for text in texts for each in secrets(text)]:
        kinds = ", ".join(f"[{each.kind}]" for each in found)
        say(f"Left out: {kinds}; --keep-secrets keeps it as it is.")


@app.command(cls=Command)
def confirm(context: typer.Context, id: Id) -> None:
    """Say that a memory still holds."""
    with opened(context) as memoranda:
        memory = memoranda.confirm(id)
    emit(
        context,
        memory,
        lambda: typer.echo(f"Confirmed: {memory.id}, {sure(memory.confidence)}"),
    )


@app.command(cls=Command)
def retire(
    context: typer.Context,
    id: Id,
    reason: Annotated[str | None, typer.Option(help="Why, for the history.")] = None,
) -> None:
    """Say that a memory holds no more, and that nothing takes its place."""
    with opened(context) as memoranda:
        memory = memoranda.retire(id, reason=reason)
    emit(context, memory, lambda: typer.echo(f"Retired: {memory.id}"))


@app.command(cls=Command)
def pin(
    context: typer.Context,
    id: Id,
    off: Annotated[bool, typer.Option("--off", help="Take the pin out.")] = False,
) -> None:
    """Keep a memory from being changed or dropped by anything but a person."""
    with opened(context) as memoranda:
        memory = memoranda.pin(id, on=not off)
    done = "Pinned" if memory.pinned else "No longer pinned"
    emit(context, memory, lambda: typer.echo(f"{done}: {memory.id}"))


@app.command(cls=Command)
def show(
    context: typer.Context,
    id: Id,
    as_of: Annotated[
        str | None, typer.Option(metavar="DATE", help="The version that held then.")
    ] = None,
    known: Annotated[
        str | None, typer.Option(metavar="DATE", help="The version that we believed then.")
    ] = None,
) -> None:
    """Show a memory, or a turn, with everything known about it."""
    with opened(context) as memoranda:
        found = memoranda.show(
            id,
            as_of=moment(memoranda, as_of, end_of_day=True),
            known=moment(memoranda, known, end_of_day=True),
        )
    fields = memory_fields(found) if isinstance(found, Memory) else passage_fields(found)
    emit(context, found, lambda: show_fields(console(), fields))


@app.command("list", cls=Command)
def list_(
    context: typer.Context,
    kind: Annotated[list[Kind] | None, typer.Option(help="Of this kind only.")] = None,
    status: Annotated[
        list[Status] | None, typer.Option(help="Of this standing; those that hold by default.")
    ] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="What held then.")] = None,
    known: Annotated[
        str | None, typer.Option(metavar="DATE", help="What we believed then.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="ID", help="The last id of the page before.")
    ] = None,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most memories.")
    ] = 50,
) -> None:
    """List memories, newest first."""
    with opened(context) as memoranda:
        found = memoranda.list(
            kinds=kind,
            statuses=status,
            as_of=moment(memoranda, as_of, end_of_day=True),
            known=moment(memoranda, known, end_of_day=True),
            before=before,
            limit=limit,
        )
    emit(context, found, lambda: _show_list(found))
    if len(found) == limit:
        say(f"There may be more: --before {found[-1].id}")


def _show_list(found: tuple[Memory, ...]) -> None:
    made = table("id", "when", "kind", "scope", "content", "standing")
    for memory in found:
        add_row(
            made,
            memory.id,
            when(memory.recorded_at),
            memory.kind,
            memory.scope,
            memory.content,
            standing(memory),
        )
    console().print(made)


@app.command(cls=Command)
def history(context: typer.Context, id: Id) -> None:
    """Show every change of a memory and those before and after it, or of an entity."""
    with opened(context) as memoranda:
        entries = memoranda.history(id)
    emit(context, entries, lambda: _show_history(entries))


def _show_history(entries: tuple[Entry, ...]) -> None:
    made = table("when", "operation", "by", "id", "before", "after", "source", "reason")
    for entry in entries:
        add_row(
            made,
            when(entry.time),
            entry.operation,
            entry.by,
            entry.memory or entry.entity,
            _differences(entry.before),
            _differences(entry.after),
            _sources(entry.after),
            entry.reason,
        )
    console().print(made)


def _differences(fields: object) -> str:
    if not isinstance(fields, dict):
        return ""
    telling = {name: value for name, value in fields.items() if name != "sources"}
    if "content" in telling:
        return str(telling["content"])
    return json.dumps(
        {name: _told(name, value) for name, value in telling.items()}, ensure_ascii=False
    )


def _sources(fields: object) -> str:
    """The words that a change rests on, or by whose hand it was made."""
    sources = fields.get("sources", ()) if isinstance(fields, dict) else ()
    return "\n".join(
        f"“{each['quote']}”" if each.get("quote") else f"by hand ({each['by']})"
        for each in sources
        if each.get("quote") or each.get("by")
    )


def _told(name: str, value: object) -> object:
    """A value of the ledger, with a time as times are shown."""
    if isinstance(value, str) and (name.endswith("_at") or name.startswith("valid_")):
        with suppress(ValueError):
            return when(datetime.fromisoformat(value))
    return plain(value)
