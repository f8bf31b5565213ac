"""The published figures, made again on this machine.

What measures is loaded by the command that needs it: it takes numpy, and no other command does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memoranda import wiring
from memoranda.interfaces.cli.app import Command, Commands, app
from memoranda.interfaces.cli.output import add_row, console, emit, progress, say, table
from memoranda.models.known import DEFAULT
from memoranda.passes import RULES
from memoranda.protocols import Embedder

if TYPE_CHECKING:
    from memoranda.bench.writes import Proposer

bench = typer.Typer(cls=Commands, help="Measure quality and cost.")
app.add_typer(bench, name="bench")


Models = Annotated[
    list[str] | None,
    typer.Option("--model", metavar="NAME", help="A model to measure; may be given again."),
]


@bench.command(cls=Command)
def locomo(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="locomo10.json")],
    model: Models = None,
    reranker: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A reranker to measure besides; may be given again."),
    ] = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Measure what each part of the default earns.")
    ] = False,
) -> None:
    """Evidence recall on LoCoMo's questions, by words, by meaning and by both."""
    from memoranda.bench import locomo as locomo_bench

    data, names = locomo_bench.load(file), reranker or []
    embedders = {
        each: wiring.rerankers(context.obj.home, names, each) for each in _embedders(context, model)
    }
    steps = locomo_bench.steps(data, len(embedders), len(names), parts=parts)
    with progress(context, "asking", steps) as advance:
        rows = locomo_bench.run(data, embedders, advance, parts=parts)
    _show(context, locomo_bench.COLUMNS, rows)


@bench.command(cls=Command)
def paraphrase(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="Lines of {query, memory} and {distractor}.")],
    model: Models = None,
) -> None:
    """How often a memory is found by a question that shares no word with it."""
    from memoranda.bench import paraphrase as paraphrase_bench

    data, embedders = paraphrase_bench.load(file), _embedders(context, model)
    with progress(context, "asking", paraphrase_bench.steps(data, len(embedders))) as advance:
        rows = paraphrase_bench.run(data, embedders, advance)
    _show(context, paraphrase_bench.COLUMNS, rows)


@bench.command(cls=Command)
def abstention(
    context: typer.Context,
    locomo: Annotated[Path, typer.Argument(help="locomo10.json")],
    paraphrase: Annotated[Path, typer.Argument(help="Lines of {query, memory} and {distractor}.")],
    model: Models = None,
) -> None:
    """Whether nothing is found where there is nothing, and something where there is."""
    from memoranda.bench import abstention as abstention_bench
    from memoranda.bench import locomo as locomo_bench
    from memoranda.bench import paraphrase as paraphrase_bench

    said, noted = locomo_bench.load(locomo), paraphrase_bench.load(paraphrase)
    embedders = _embedders(context, model)
    with progress(
        context, "asking", abstention_bench.steps(said, noted, len(embedders))
    ) as advance:
        rows = abstention_bench.run(said, noted, embedders, advance)
    _show(context, abstention_bench.COLUMNS, rows)


@bench.command(cls=Command)
def verify(
    context: typer.Context,
    data: Annotated[
        list[Path],
        typer.Option(metavar="FOLDER", help="Has homelab.jsonl or locomo10.json; may be repeated."),
    ],
) -> None:
    """How often verify cites what is on record, and abstains from what is not."""
    from memoranda.bench import verify as verify_bench

    with progress(context, "claiming", verify_bench.steps(data)) as advance:
        rows = verify_bench.run(data, advance)
    _show(context, verify_bench.COLUMNS, rows)


@bench.command(cls=Command)
def writes(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="writes.jsonl, or with --locomo locomo10.json")],
    model: Annotated[
        str,
        typer.Option(metavar="NAME", help="What proposes memories: rules, or one at language_url."),
    ] = "rules",
    predictions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write what is proposed there, as lines of JSON."),
    ] = None,
    locomo: Annotated[
        bool, typer.Option("--locomo", help="Whether a turn is proposed that an observation cites.")
    ] = False,
) -> None:
    """How much of what is proposed for memory deserves it, and how much of that is proposed."""
    from memoranda.bench import writes as writes_bench

    proposer = _proposer(context, model)
    if locomo:
        rows = writes_bench.score_locomo(file, proposer.candidates)
    else:
        cases = writes_bench.load(file)
        predicted = proposer.predict(cases)
        rows = writes_bench.score(cases, predicted)
        done = writes_bench.score_operations(cases, predicted)
        say(f"{done.right} of {done.all} operations are right, {done.decided} were decided on.")
        if predictions is not None:
            writes_bench.write(predictions, predicted)
    _show(context, writes_bench.FIGURES, [writes_bench.Figures.of(row) for row in rows])


def _proposer(context: typer.Context, model: str) -> Proposer:
    """Rules, or a whole pass with a model of the settings."""
    from memoranda.bench import writes as writes_bench

    if model == RULES:
        return writes_bench.Rules()
    from memoranda.bench.piped import Piped

    language = wiring.language(context.obj.home, model)
    return Piped(language, next(iter(_embedders(context, None)), None))


@bench.command(cls=Command)
def prompts(context: typer.Context) -> None:
    """How often memories are proposed of everyday prompts, and how often falsely."""
    from memoranda.bench import prompts as prompts_bench

    _show(context, prompts_bench.COLUMNS, prompts_bench.run())


@bench.command(cls=Command)
def secrets(
    context: typer.Context,
    seed: Annotated[int, typer.Option(metavar="N", help="What the secrets are drawn from.")] = 1,
) -> None:
    """How many planted secrets are cut out whole, and how many innocent texts are cut."""
    from memoranda.bench import secrets as secrets_bench

    _show(context, secrets_bench.COLUMNS, secrets_bench.run(seed))


@bench.command(cls=Command)
def instructions(context: typer.Context) -> None:
    """How often orders are found in text that nobody typed, and how often falsely."""
    from memoranda.bench import instructions as instructions_bench

    _show(context, instructions_bench.COLUMNS, instructions_bench.run())


def _embedders(context: typer.Context, models: list[str] | None) -> list[Embedder]:
    """The models to measure; those that were fetched lie in the home."""
    return wiring.embedders(context.obj.home, models or [DEFAULT])


@bench.command(cls=Command)
def latency(
    context: typer.Context,
    n: Annotated[str, typer.Option(help="Numbers of memories, with commas.")] = "1000,10000,100000",
) -> None:
    """CPU and wall time of recall, start and observing, and the size of it all."""
    from memoranda.bench import latency as latency_bench

    try:
        sizes = [int(each.replace("_", "")) for each in n.split(",")]
    except ValueError:
        raise typer.BadParameter(f"--n {n!r} is no list of numbers like 1000,10000") from None
    if min(sizes) < 1:
        raise typer.BadParameter("--n counts from 1")
    with progress(context, "writing memories", sum(sizes)) as advance:
        rows = latency_bench.run(sizes, advance)
    _show(context, latency_bench.COLUMNS, rows)


@bench.command(cls=Command)
def meanwhile(
    context: typer.Context,
    seconds: Annotated[
        float, typer.Option(min=0.0, help="How long the model thinks each time.")
    ] = 30.0,
    minutes: Annotated[float, typer.Option(min=0.01, help="How long to measure.")] = 3.0,
) -> None:
    """What recall and observing cost while a pass waits for a slow model, and without one."""
    from memoranda.bench import meanwhile as meanwhile_bench

    with progress(context, "measuring", int(60 * minutes)) as advance:
        rows = meanwhile_bench.run(seconds, minutes, advance)
    _show(context, meanwhile_bench.COLUMNS, rows)


@bench.command(cls=Command)
def forgetting(
    context: typer.Context,
    n: Annotated[int, typer.Option(min=1000, help="Number of memories.")] = 100_000,
) -> None:
    """CPU and wall time of forgetting, until no trace is left."""
    from memoranda.bench import forgetting as forgetting_bench

    with progress(context, "writing memories", n) as advance:
        rows = forgetting_bench.run(n, advance)
    _show(context, forgetting_bench.COLUMNS, rows)


@bench.command(cls=Command)
def year(
    context: typer.Context,
    weeks: Annotated[int, typer.Option(min=1, max=520, help="How long it is.")] = 52,
    seed: Annotated[int, typer.Option(help="Another one is another life.")] = 7,
    rules: Annotated[
        bool, typer.Option("--rules", help="Consolidate by rules, without a model.")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Draw it there, as SVG.")
    ] = None,
) -> None:
    """Live a simulated year, its truth known, in a home that forgets and one that hoards."""
    from memoranda.bench import year as year_bench

    with progress(context, "living", weeks) as advance:
        rows, compared = year_bench.run(weeks, seed, rules=rules, advance=advance)
    if plot is not None:
        plot.mkdir(parents=True, exist_ok=True)
        for name, drawn in year_bench.plot(rows).items():
            (plot / name).write_text(drawn, encoding="utf-8")
    if context.obj.json:
        emit(context, {"rows": rows, "measures": compared}, lambda: None)
        return
    told = [row for row in rows if row.week % 13 == 12 or row.week == weeks - 1]
    _show(context, year_bench.COLUMNS, told)
    _show(context, year_bench.MEASURED, compared)


@bench.command(cls=Command)
def working(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="locomo10.json")],
) -> None:
    """What compacting LoCoMo's conversations leaves, costs, and gives back."""
    from memoranda.bench import locomo as locomo_bench
    from memoranda.bench import working as working_bench

    data = locomo_bench.load(file)
    with progress(context, "compacting", len(data.turns)) as advance:
        rows = working_bench.run(data, advance)
    _show(context, working_bench.COLUMNS, rows)


@bench.command(cls=Command)
def tending(
    context: typer.Context,
    n: Annotated[int, typer.Option(min=100, help="Number of memories.")] = 10_000,
) -> None:
    """CPU and wall time of a review, the measures, a sweep, a context and the files."""
    from memoranda.bench import tending as tending_bench

    with progress(context, "writing memories", n) as advance:
        rows = tending_bench.run(n, advance)
    _show(context, tending_bench.COLUMNS, rows)


@bench.command(cls=Command)
def encryption(
    context: typer.Context,
    rounds: Annotated[int, typer.Option(min=1, help="How often each thing is done.")] = 20,
) -> None:
    """What encryption costs: the same done in a plain home and in an encrypted one."""
    from memoranda.bench import encryption as encryption_bench

    with progress(context, "measuring", 2 * encryption_bench.MEMORIES + rounds) as advance:
        rows = encryption_bench.run(rounds, advance)
    _show(context, encryption_bench.COLUMNS, rows)


@bench.command(cls=Command)
def curves(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Where the plots go, as SVG.")],
) -> None:
    """Plot how sure and how present memories are, by the curves of the settings."""
    from memoranda.bench import curves as curves_bench

    folder.mkdir(parents=True, exist_ok=True)
    drawn = curves_bench.plots(wiring.settings_of(context.obj.home))
    for name, plot in drawn.items():
        (folder / name).write_text(plot, encoding="utf-8")
    emit(context, sorted(drawn), lambda: typer.echo(f"Drawn: {', '.join(sorted(drawn))}"))


def _show(context: typer.Context, columns: Sequence[str], rows: Sequence[Any]) -> None:
    def as_table() -> None:
        if len(columns) > 12:  # wide: one column a run reads better
            made = table("", *(str(place) for place in range(1, len(rows) + 1)))
            for name in columns:
                add_row(made, name, *(_figure(getattr(row, name)) for row in rows))
        else:
            made = table(*columns)
            for row in rows:
                add_row(made, *map(_figure, astuple(row)))
        console().print(made)

    emit(context, {"rows": rows}, as_table)


def _figure(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)
