"""How results are shown: one JSON document for programs, tables and lines for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

import typer

from memoranda.policy.confidence import level
from memoranda.text.clean import harmless
from memoranda.types import Citation, Hit, Kind, Memory, Passage, Source, plain

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

WIDE = 160
"""Columns when the output goes to a file or a pipe."""

ZONE: ContextVar[tzinfo | None] = ContextVar("zone", default=None)
"""The zone of the times shown, which is that of the home last opened; None is this machine's."""


def emit(context: typer.Context, value: object, show: Callable[[], None]) -> None:
    """Print a value as JSON when asked to, and as `show` does otherwise."""
    if context.obj.json:
        typer.echo(json.dumps(plain(value), ensure_ascii=False, indent=2))
    else:
        show()


def say(message: str) -> None:
    """A remark to the person, which is no part of the result."""
    sys.stderr.write(f"{harmless(message)}\n")


def console() -> Console:
    from rich.console import Console

    return Console(
        markup=False, highlight=False, emoji=False, width=None if sys.stdout.isatty() else WIDE
    )


def table(*columns: str, fixed: Iterable[str] = ("id", "when")) -> Table:
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for name in columns:
        made.add_column(name, no_wrap=name in fixed, overflow="fold")
    return made


def add_row(made: Table, *cells: object) -> None:
    """A row of plain text: square brackets in it are no markup."""
    from rich.text import Text

    made.add_row(*(Text(harmless("" if cell is None else str(cell))) for cell in cells))


@contextmanager
def progress(
    context: typer.Context, what: str, total: int | None = None
) -> Iterator[Callable[..., None]]:
    """A bar on the terminal for long work; silent when nobody watches.

    Yields what is told how much was done just now and, when the total is not known from the
    beginning, how much is left.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=context.obj.json or not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task(what, total=total)

        def advance(done: int, left: int | None = None) -> None:
            bar.advance(task, done)
            if left is not None:
                bar.update(task, total=bar.tasks[0].completed + left)

        yield advance


def when(moment: datetime | None) -> str:
    """To the minute, in the zone of the home; empty for none."""
    if moment is None:
        return ""
    try:
        return f"{moment.astimezone(ZONE.get()):%Y-%m-%d %H:%M}"
    except (OverflowError, OSError):
        return f"{moment:%Y-%m-%d %H:%M}"


def month(moment: datetime) -> str:
    """As in "March 2026", in the zone of the home."""
    with suppress(OverflowError, OSError):
        moment = moment.astimezone(ZONE.get())
    return f"{moment:%B %Y}"


def counted(count: int, one: str, many: str = "") -> str:
    """So many of a thing, as in "1 turn" and "2 turns"."""
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def standing(memory: Memory | Hit) -> str:
    """What a reader must know before believing a memory."""
    words = [str(memory.status)]
    if memory.superseded_by:
        words.append(f"by {memory.superseded_by}")
    if memory.valid_from is not None and memory.valid_from > datetime.now(UTC):
        words.append(f"from {when(memory.valid_from)}")
    if memory.valid_to is not None and memory.kind != Kind.EPISODE:
        words.append(f"until {when(memory.valid_to)}")
    if memory.pinned:
        words.append("pinned")
    if isinstance(memory, Hit) and memory.unconfirmed_since is not None:
        words.append(f"unconfirmed since {month(memory.unconfirmed_since)}")
    if memory.contradicts:
        words.append(f"contradicted by {', '.join(memory.contradicts)}")
    if memory.overridden_by:
        words.append(f"overridden by {memory.overridden_by}")
    return " ".join(words)


def sure(confidence: float | None) -> str:
    """How sure we are, as a number and in a word."""
    return "" if confidence is None else f"confidence {confidence:.2f} ({level(confidence)})"


def memory_line(memory: Memory, *more: str) -> str:
    """A memory in a line, with its kind, standing, scope and origin, and what else is told."""
    about = [str(memory.kind), standing(memory), str(memory.scope), origin(memory.sources[0])]
    return harmless(f"{memory.content}  [{' · '.join((*about, *more))}]")


def origin(source: Source) -> str:
    """Where something came from, in a few words."""
    match source.kind:
        case "turn" if source.turn is None:
            place = "said in a conversation that is gone or not open here"
        case "turn":
            place = f"{source.speaker or source.role} in {source.conversation}"
            if source.key:
                place += f" ({source.key})"
        case "file":
            place = f"{source.path}:{source.line}"
        case "person":
            place = f"by hand ({source.by})"
        case _:
            place = f"noted by {source.by}, unconfirmed"
    return f"{place}, {when(source.time)}" if source.time else place


def show_hit(to: Console, place: int, hit: Hit) -> None:
    from rich.text import Text

    about = [origin(hit.source), str(hit.scope)]
    if hit.kind is not None:
        about = [str(hit.kind), standing(hit), sure(hit.confidence), *about]
    elif hit.status is not None:
        about.append(str(hit.status))
    lists = ", ".join(f"{name} #{rank}" for name, rank in hit.lists.items())
    details = " · ".join([*map(harmless, about), lists, hit.id])
    # Lines are left as long as they are, for the terminal to wrap and for grep to find.
    to.print(Text(f"{place}. {harmless(hit.content)}", style="bold"), soft_wrap=True)
    if hit.before is not None:
        to.print(Text(f"   after “{harmless(hit.before)}”", style="dim"), soft_wrap=True)
    to.print(Text(f"   {details}", style="dim"), soft_wrap=True)


def show_citation(to: Console, place: int, citation: Citation) -> None:
    from rich.text import Text

    about = [f"{citation.bearing}: {citation.why}", origin(citation.source), str(citation.scope)]
    if citation.status is not None:
        about.insert(1, f"{citation.kind}, {citation.status}")
    quote = " ".join(harmless(citation.quote).split())
    details = " · ".join([*map(harmless, about), citation.id])
    to.print(Text(f"{place}. “{quote}”", style="bold"), soft_wrap=True)
    to.print(Text(f"   {details}", style="dim"), soft_wrap=True)


def show_fields(to: Console, values: dict[str, Any]) -> None:
    made = table("", "", fixed=("",))
    made.show_header = False
    for name, value in values.items():
        if value not in (None, "", ()):
            add_row(made, name, value)
    to.print(made)


def memory_fields(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "content": memory.content,
        "detail": memory.detail,
        "kind": memory.kind,
        "scope": memory.scope,
        "standing": standing(memory),
        "confidence": sure(memory.confidence).removeprefix("confidence "),
        "topics": ", ".join(memory.topics),
        "entities": ", ".join(memory.entities),
        "recorded": when(memory.recorded_at),
        "true from": when(memory.valid_from),
        "true to": when(memory.valid_to),
        "closed": when(memory.closed_at),
        "confirmed": when(memory.confirmed_at),
        "mentioned": counted(memory.mention_count, "time") if memory.mention_count > 1 else "",
        "used": f"{counted(memory.use_count, 'time')}, last {when(memory.used_at)}"
        if memory.used_at
        else "",
        "sources": "\n".join(
            origin(source) + (f": “{source.quote}”" if source.quote else "")
            for source in memory.sources
        ),
    }


def passage_fields(passage: Passage) -> dict[str, Any]:
    return {
        "id": passage.turn,
        "content": passage.content,
        "said": origin(passage.source),
        "scope": passage.scope,
        "kept from models": passage.quarantined,
        "recorded": when(passage.recorded_at),
    }
