"""How the decisions of consolidation are shown: like a diff, each with the words it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from memoranda.interfaces.cli.output import console, counted, say, when
from memoranda.passes import Decision, Neighbour, Stage
from memoranda.text.clean import harmless
from memoranda.types import Operation

if TYPE_CHECKING:
    from rich.console import Console

DONE: Mapping[Operation, tuple[str, str]] = {
    Operation.ADD: ("+", "green"),
    Operation.UPDATE: ("~", "yellow"),
    Operation.DELETE: ("-", "red"),
    Operation.NOOP: ("=", "none"),
}
"""The mark of what was done, and its colour on a terminal."""

NOT_DONE: Mapping[Stage, tuple[str, str]] = {
    Stage.REVIEW: ("?", "cyan"),
    Stage.SET_ASIDE: ("!", "magenta"),
    Stage.REJECTED: ("x", "none"),
    Stage.WAITING: (".", "none"),
    Stage.UNDONE: ("<", "none"),
}


def show_decisions(decisions: Iterable[Decision], *, whole: bool = False) -> None:
    """Each as what it does to memory; the `whole` of it has its neighbours and its ids."""
    to = console()
    for decision in decisions:
        show_decision(to, decision, whole=whole)


def show_decision(to: Console, decision: Decision, *, whole: bool = False) -> None:
    from rich.text import Text

    mark, colour = _mark(decision)
    for line in _what(mark, decision):
        # Lines are left as long as they are, for the terminal to wrap and for grep to find.
        to.print(Text(harmless(line), style=colour), soft_wrap=True)
    rest = [_grounds(decision), _quote(decision)]
    if decision.candidate.detail:
        rest.insert(0, _line(decision.candidate.detail))
    if whole:
        rest += [*map(_near, decision.neighbours), _ids(decision)]
    for line in rest:
        to.print(Text(f"    {harmless(line)}", style="dim"), soft_wrap=True)


def tell_hidden(made: int, seen: int) -> None:
    """Say that passes made more decisions than are seen from here, if so."""
    if made > seen:
        hidden = counted(made - seen, "decision is", "decisions are")
        say(f"{hidden} for a project that is not open here; --project opens it.")


def _is_done(decision: Decision) -> bool:
    return decision.stage == Stage.APPLIED and decision.operation is not None


def _mark(decision: Decision) -> tuple[str, str]:
    if decision.operation is not None and decision.stage == Stage.APPLIED:
        return DONE[decision.operation]
    return NOT_DONE.get(decision.stage, (".", "none"))


def _what(mark: str, decision: Decision) -> Iterator[str]:
    """What it does: to the text of a memory, or of two."""
    new, old = decision.content or decision.candidate.content, _old(decision)
    match decision.operation:
        case Operation.UPDATE if old is not None:
            yield f"{mark} {_line(old)}"
            yield f"  → {_line(new)}"
        case Operation.DELETE | Operation.NOOP if old is not None:
            yield f"{mark} {_line(old)}"
        case _:
            yield f"{mark} {_line(new)}"


def _old(decision: Decision) -> str | None:
    """What the memory said that it is about, as it was then."""
    told = (each.content for each in decision.neighbours if each.id == decision.target)
    return next(told, None)


def _grounds(decision: Decision) -> str:
    said = decision.candidate
    named = " ".join(filter(None, (_stage(decision), decision.operation)))
    return " · ".join(
        filter(
            None,
            (
                named,
                said.kind,
                str(decision.scope),
                f"{said.basis}, confidence {said.confidence:.2f}",
                _line(decision.reason or ""),
            ),
        )
    )


def _stage(decision: Decision) -> str:
    """Where it stands, if that is not told by what was done."""
    return "" if _is_done(decision) else str(decision.stage)


def _quote(decision: Decision) -> str:
    said = decision.candidate
    place = f"characters {said.start} to {said.end} of turn {said.turn}"
    return " · ".join(filter(None, (f"“{_line(said.quote)}”", when(said.said), place)))


def _near(neighbour: Neighbour) -> str:
    far = "no distance" if neighbour.distance is None else f"distance {neighbour.distance:.3f}"
    ranks = ", ".join(f"{name} #{rank}" for name, rank in neighbour.ranks.items())
    about = ", ".join(filter(None, (far, ranks, neighbour.kind, neighbour.status)))
    return f"near “{_line(neighbour.content)}”: {about} · {neighbour.id}"


def _ids(decision: Decision) -> str:
    told = {
        "decision": decision.id,
        "at": when(decision.decided_at),
        "target": decision.target,
        "memory": decision.memory,
        "selected by": decision.selected_by,
        "decided by": decision.decided_by,
        "failures": decision.tries or None,
    }
    return " · ".join(f"{name} {value}" for name, value in told.items() if value)


def _line(text: str) -> str:
    return " ".join(text.split())
