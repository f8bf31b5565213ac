"""The command that reads the ledger of consolidation."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

import typer

from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.decisions import show_decisions, tell_hidden
from memoranda.interfaces.cli.output import add_row, console, counted, emit, say, table
from memoranda.memoranda import Memoranda
from memoranda.passes import Decision, Distances, Pass, Stage
from memoranda.types import plain


@app.command(cls=Command)
def ledger(
    context: typer.Context,
    of: Annotated[
        str | None, typer.Option("--pass", metavar="PASS", help="Of this pass only.")
    ] = None,
    stage: Annotated[
        list[Stage] | None, typer.Option(help="That stand there; may be repeated.")
    ] = None,
    after: Annotated[
        str | None, typer.Option(metavar="ID", help="The last id of the page before.")
    ] = None,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most decisions.")
    ] = 50,
    export: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write all as JSON lines; - is standard output."),
    ] = None,
    distances: Annotated[
        bool, typer.Option("--distances", help="How near the nearest memory was, by operation.")
    ] = False,
) -> None:
    """Show what became of every candidate for a memory, and on what grounds, the oldest first."""
    _check(context, export, distances, pages=after is not None, chosen=bool(stage))
    with opened(context) as memoranda:
        if distances:
            near = memoranda.distances(of=of)
            emit(context, near, lambda: _show_distances(near))
            return
        if export is not None:
            _export(context, memoranda, export, of, stage)
            return
        found = memoranda.ledger(of=of, stages=stage or None, after=after, limit=limit)
    emit(context, found, lambda: show_decisions(found, whole=True))
    if len(found) == limit:
        say(f"There may be more: --after {found[-1].id}")


def _check(
    context: typer.Context, export: str | None, distances: bool, *, pages: bool, chosen: bool
) -> None:
    """Raises BadParameter when not all of the options can be meant."""
    if distances and (export is not None or pages or chosen):
        raise typer.BadParameter("--distances goes with --pass only")
    if export is not None and pages:
        raise typer.BadParameter("--export writes all, and has no pages")
    if export == "-" and context.obj.json:
        raise typer.BadParameter("--export - writes JSON lines, and --json one document")


def _show_distances(found: tuple[Distances, ...]) -> None:
    made = table("operation", "decisions", "without", "least", "¼", "½", "¾", "most")
    for each in found:
        near = (f"{one:.3f}" for one in each.quantiles)
        add_row(made, each.operation, each.count, each.without, *near)
    console().print(made)


def _export(
    context: typer.Context,
    memoranda: Memoranda,
    to: str,
    of: str | None,
    stages: list[Stage] | None,
) -> None:
    written, made, decided = Counter[str](), dict[str, int](), 0
    with _writing(to) as file:
        for sort, value in _records(memoranda, of, stages):
            record = {"type": sort, **_fields(value)}
            file.write(f"{json.dumps(record, ensure_ascii=False)}\n")
            written[sort] += 1
            if isinstance(value, Pass):
                made[value.id] = sum(value.counts.values())
            elif isinstance(value, Decision):
                decided += value.decided_by in made
    told = ", ".join(counted(written[sort], sort, many) for sort, many in MANY.items())
    if to == "-":
        say(f"Written: {told}.")
    else:
        emit(context, {"file": to, **written}, lambda: typer.echo(f"Written to {to}: {told}."))
    if not stages:
        tell_hidden(sum(made.values()), decided)


MANY = {"pass": "passes", "call": "calls", "decision": "decisions"}


@contextmanager
def _writing(to: str) -> Iterator[IO[str]]:
    """Where it goes; a file that is only ours to read, for it tells what people said."""
    if to == "-":
        yield sys.stdout
        return
    path = Path(to)
    path.touch(mode=0o600)
    with path.open("w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
        yield file


def _records(
    memoranda: Memoranda, of: str | None, stages: list[Stage] | None
) -> Iterator[tuple[str, object]]:
    """Every pass, with all that it asked a model; then the decisions."""
    for one in [memoranda.pass_(of)] if of is not None else _passes(memoranda):
        yield "pass", one
        for call in memoranda.calls(one.id):
            yield "call", call
    for decision in _decisions(memoranda, of, stages):
        yield "decision", decision


def _passes(memoranda: Memoranda) -> Iterator[Pass]:
    before = None
    while some := memoranda.passes(before=before, limit=MOST_RESULTS):
        yield from some
        before = some[-1].id


def _decisions(
    memoranda: Memoranda, of: str | None, stages: list[Stage] | None
) -> Iterator[Decision]:
    after = None
    while some := memoranda.ledger(of=of, stages=stages or None, after=after, limit=MOST_RESULTS):
        yield from some
        after = some[-1].id


def _fields(value: object) -> dict[str, object]:
    """A record as JSON has it; a pass without its decisions, which are records themselves."""
    found = plain(value)
    assert isinstance(found, dict)
    if isinstance(value, Pass):
        found.pop("decisions")
    return found
