"""The commands that answer questions, and say what is on record."""

from __future__ import annotations

import sys
from dataclasses import fields
from typing import Annotated

import typer

from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, moment, opened
from memoranda.interfaces.cli.output import (
    console,
    counted,
    emit,
    say,
    show_citation,
    show_fields,
    show_hit,
    when,
)
from memoranda.text.clean import harmless
from memoranda.types import MANY, Finding, Hit, Kind, Memory, Recall, Verdict, plain


@app.command(cls=Command)
def recall(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="Any text; - is standard input.")],
    limit: Annotated[
        int | None, typer.Option("-k", "--limit", min=1, max=MOST_RESULTS, help="Most hits.")
    ] = None,
    budget: Annotated[
        int | None, typer.Option(min=0, help="Most tokens of all hits together; 0 is no bound.")
    ] = None,
    kind: Annotated[list[Kind] | None, typer.Option(help="Memories of this kind only.")] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="What held then.")] = None,
    known: Annotated[
        str | None, typer.Option(metavar="DATE", help="What we believed then.")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Nothing earlier.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Nothing later.")] = None,
    memories: Annotated[bool, typer.Option(help="Search memories.")] = True,
    turns: Annotated[bool, typer.Option(help="Search what was said.")] = True,
    links: Annotated[
        bool | None,
        typer.Option("--links/--no-links", help="Search what hangs together with its names, too."),
    ] = None,
    rerank: Annotated[
        bool | None,
        typer.Option("--rerank/--no-rerank", help="Put the best hits in a better order, or not."),
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="Into which it is recalled.")
    ] = None,
    incognito: Annotated[
        bool, typer.Option("--incognito", help="Recall even if that is incognito.")
    ] = False,
    quarantined: Annotated[
        bool, typer.Option("--quarantined", help="Search what is kept from models, too.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how the answer came about.")
    ] = False,
) -> None:
    """Find what is known about a question. Ends with 3 when nothing is."""
    if not memories and (kind or not turns):
        raise typer.BadParameter("without memories there is nothing to search")
    if query == "-":
        query = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    with opened(context) as memoranda:
        found = memoranda.recall(
            query,
            limit=limit,
            budget=budget,
            kinds=kind,
            as_of=moment(memoranda, as_of, end_of_day=True),
            known=moment(memoranda, known, end_of_day=True),
            since=moment(memoranda, since),
            until=moment(memoranda, until, end_of_day=True),
            memories=memories,
            turns=turns,
            links=links,
            rerank=rerank,
            conversation=conversation,
            incognito=incognito,
            quarantined=quarantined,
        )
        emit(context, _document(found, explain), lambda: _show(found, explain))
    if not found.hits:
        too_long = found.explanation.left_out.get("over the budget", 0)
        say(_too_small(too_long) if too_long else "Nothing is known about that.")
        raise typer.Exit(3)


@app.command(cls=Command)
def context(
    context: typer.Context,
    query: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What is asked; what it recalls comes too.")
    ] = None,
    budget: Annotated[int | None, typer.Option(min=1, help="Most tokens.")] = None,
    window: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens of the window, of which it takes 15 % at most."),
    ] = None,
    conversation: Annotated[
        str | None, typer.Option(metavar="NAME", help="For which it is.")
    ] = None,
    as_of: Annotated[str | None, typer.Option(metavar="DATE", help="What held then.")] = None,
    known: Annotated[
        str | None, typer.Option(metavar="DATE", help="What we believed then.")
    ] = None,
) -> None:
    """Print the block for a prompt. Ends with 3 when it is empty."""
    with opened(context) as memoranda:
        block = memoranda.context(
            query,
            budget=budget,
            window=window,
            conversation=conversation,
            as_of=moment(memoranda, as_of, end_of_day=True),
            known=moment(memoranda, known, end_of_day=True),
        )
        emit(context, block, lambda: typer.echo(harmless(block.text), nl=bool(block.text)))
    for name in block.degraded:
        say(f"Degraded: {name}.")
    if not block.text:
        say("There is nothing to tell.")
        raise typer.Exit(3)


def _too_small(hits: int) -> str:
    return (
        f"{counted(hits, 'hit is', 'hits are')} too long for this budget; give a larger --budget."
    )


@app.command(cls=Command)
def verify(
    context: typer.Context,
    claim: Annotated[str, typer.Argument(help="A statement; - is standard input.")],
) -> None:
    """Say whether a claim is on record, and cite it. Ends with 3 when there is no record."""
    if claim == "-":
        claim = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
    with opened(context) as memoranda:
        verdict = memoranda.verify(claim)
        emit(context, verdict, lambda: _show_verdict(verdict))
    if verdict.status == Finding.NO_RECORD:
        say("I can find no record of that.")
        raise typer.Exit(3)


def _show_verdict(verdict: Verdict) -> None:
    to = console()
    if verdict.status == Finding.SUPPORTED:
        to.print("Supported.")
    elif verdict.status == Finding.CONTRADICTED:
        to.print(harmless(f"Contradicted: {_instead(verdict)}."), soft_wrap=True)
    for place, citation in enumerate(verdict.citations, start=1):
        show_citation(to, place, citation)
    for name in verdict.degraded:
        say(f"Degraded: {name}.")


def _instead(verdict: Verdict) -> str:
    """What holds in the place of a claim, in one line."""
    since = when(verdict.since)
    if verdict.holds is None:
        return f"no longer so since {since}"
    said = verdict.holds.content if isinstance(verdict.holds, Memory) else verdict.holds.quote
    how = "holds since" if isinstance(verdict.holds, Memory) else "was said"
    return f"“{' '.join(said.split())}” {how} {since}"


def _document(found: Recall, explain: bool) -> dict[str, object]:
    document: dict[str, object] = {
        "hits": [_hit(hit, explain) for hit in found.hits],
        "tokens": found.tokens,
        "degraded": found.degraded,
    }
    if explain:
        document["explanation"] = found.explanation
    return document


def _hit(hit: Hit, explain: bool) -> dict[str, object]:
    names = [each.name for each in fields(hit) if explain or each.name not in ("scores", "boosts")]
    return {name: plain(getattr(hit, name)) for name in names}


def _show(found: Recall, explain: bool) -> None:
    to = console()
    for place, hit in enumerate(found.hits, start=1):
        show_hit(to, place, hit)
        if explain:
            parts = [f"{name} {score:.3f}" for name, score in hit.scores.items()]
            parts += [f"{name} {boost:+.3f}" for name, boost in hit.boosts.items()]
            to.print(f"   score {hit.score:.4f} ({', '.join(parts)})", soft_wrap=True)
    for name in found.degraded:
        say(f"Degraded: {name}.")
    if explain:
        told = found.explanation
        show_fields(
            to,
            {
                "looked up": ", ".join(told.words),
                "too common": ", ".join(told.dropped),
                "times": "\n".join(
                    f"{span.text}: {when(span.first) or '…'} to {when(span.end) or '…'}"
                    for span in told.times
                ),
                "candidates": ", ".join(f"{n} {what}" for what, n in told.candidates.items()),
                "unheard of": ", ".join(
                    f"{', '.join(names)} ({MANY[type]})" for type, names in told.unheard_of.items()
                ),
                "floors": ", ".join(f"{what} {at:.3f}" for what, at in told.floors.items()),
                "cut": "\n".join(
                    f"{type} {each.id} {each.score:.3f}"
                    for type, some in told.cut.items()
                    for each in some
                ),
                "left out": ", ".join(f"{n} {why}" for why, n in told.left_out.items() if n),
                "took": ", ".join(f"{what} {ms} ms" for what, ms in told.milliseconds.items()),
                "tokens": found.tokens,
            },
        )
