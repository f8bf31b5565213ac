"""The command that tells how well memory serves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from memoranda.care import Health, Measure, Week
from memoranda.given import MOST_WEEKS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.output import add_row, console, counted, emit, table

BARS = "▁▂▃▄▅▆▇█"
NOTHING = "·"
TOO_FEW = "too little data"


@app.command(cls=Command)
def health(
    context: typer.Context,
    weeks: Annotated[int, typer.Option(min=1, max=MOST_WEEKS, help="So many weeks are told.")] = 12,
    prometheus: Annotated[
        bool, typer.Option("--prometheus", help="As text for a Prometheus scraper.")
    ] = False,
) -> None:
    """Tell how well memory serves: four measures with their trend, and what is stored."""
    with opened(context) as memoranda:
        found = memoranda.health(weeks=weeks)
    if prometheus:
        typer.echo("\n".join(_exposed(found)))
        return
    emit(context, found, lambda: _show(found))


def _show(found: Health) -> None:
    made = table("of the last four weeks", "", "target", "counted", "week by week", fixed=())
    for measure in found.measures:
        add_row(made, measure.name, *_told(measure), _trend(measure.name, found.weeks))
    for measure in found.hygiene:
        add_row(made, measure.name, *_told(measure), "")
    console().print(made)
    scopes = [scope for scope in {week.scope: None for week in found.weeks} if scope is not None]
    for scope in scopes:
        trends = {
            each.name: _trend(each.name, [one for one in found.weeks if one.scope == scope])
            for each in found.measures
        }
        if any(set(trend) != {NOTHING} for trend in trends.values()):
            typer.echo(f"{scope}: " + ", ".join(f"{name} {line}" for name, line in trends.items()))
    typer.echo(
        f"{counted(found.live, 'memory holds', 'memories hold')} of {found.stored} stored, in "
        f"{found.bytes / 1e6:.1f} MB; added week by week: {_bars([*map(float, found.added)])}"
    )
    waiting = ", ".join(f"{count} {what}" for what, count in found.waiting.items() if count)
    typer.echo(f"Waiting: {waiting or 'nothing'}.")
    cost = "" if found.cost is None else f", cost {found.cost:.4f}"
    typer.echo(f"Models took {found.tokens:,} tokens this month{cost}.")
    for each in found.lived:
        if each.suggests is not None and each.median is not None:
            typer.echo(
                f"{each.kind}: used last at an age of {each.median:.0f} days (median of "
                f"{each.used}), which suggests half_life_{each.kind} = {each.suggests:.0f}; "
                f"it is {each.half_life:g}."
            )
    for warning in found.warnings:
        typer.echo(f"! {warning}")


def _told(measure: Measure) -> tuple[str, str, int]:
    sign = ">" if measure.above else "<"
    target = f"{sign} {measure.target:.0%}" if measure.target else "0"
    if measure.value is None:
        return TOO_FEW, target, measure.of
    mark = "" if measure.is_met else " !"
    return f"{measure.value:.1%}{mark}", target, measure.of


def _trend(name: str, weeks: Sequence[Week]) -> str:
    """A bar for each week, of all scopes together if these are among them."""
    whole = [week for week in weeks if week.scope is None] or list(weeks)
    values = [each.value for week in whole for each in week.measures if each.name == name]
    return _bars(values)


def _bars(values: Sequence[float | None]) -> str:
    most = max((each for each in values if each is not None), default=0.0)
    most = max(most, 1.0) if most <= 1 else most
    return "".join(
        NOTHING if each is None else BARS[round(each / most * (len(BARS) - 1))] for each in values
    )


def _exposed(found: Health) -> Iterator[str]:
    """The text format of Prometheus; what there is too little data for is left out."""
    measured = [*found.measures, *found.hygiene]
    for measure in measured:
        name = "memoranda_" + re.sub(r"[^a-z]+", "_", measure.name)
        yield f"# TYPE {name} gauge"
        if measure.value is not None:
            yield f"{name} {measure.value:.6f}"
        yield f"# TYPE {name}_counted gauge"
        yield f"{name}_counted {measure.of}"
    plain = {"live": found.live, "stored": found.stored, "bytes": found.bytes}
    for what, count in {**plain, "tokens_this_month": found.tokens}.items():
        yield f"# TYPE memoranda_{what} gauge"
        yield f"memoranda_{what} {count}"
    yield "# TYPE memoranda_waiting gauge"
    for what, count in found.waiting.items():
        yield f'memoranda_waiting{{what="{what}"}} {count}'
