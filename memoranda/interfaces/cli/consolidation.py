"""The commands that make memories of conversations, and look at what was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

import typer

from memoranda.answers import Tokens
from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, Stopped, app, opened
from memoranda.interfaces.cli.decisions import show_decisions, tell_hidden
from memoranda.interfaces.cli.output import (
    add_row,
    console,
    counted,
    emit,
    progress,
    say,
    show_fields,
    table,
    when,
)
from memoranda.memoranda import Memoranda
from memoranda.passes import RULES, Compared, Estimate, Pass, Replay, Undone
from memoranda.policy import budget
from memoranda.types import Scopes

PassId = Annotated[
    str, typer.Argument(metavar="PASS", help="The beginning of a pass's id is enough.")
]
Model = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="Another model at the same endpoint."),
]


class InSteps(Command):
    """One whose steps stand when it is stopped."""

    stopped = "stopped; run it again, and it goes on where it was"


@app.command(cls=InSteps)
def consolidate(
    context: typer.Context,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
    ] = False,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only tell about what it would take; ask nothing.")
    ] = False,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Another model at the same endpoint; rules is none."),
    ] = None,
    review: Annotated[
        bool | None,
        typer.Option(help="Have every candidate wait for a person, or not."),
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Try also what failed too often before.")
    ] = False,
    everyone: Annotated[
        bool,
        typer.Option("--everyone", help="Of every person and profile whose conversations wait."),
    ] = False,
    due: Annotated[
        bool, typer.Option("--due", help="Only if the schedule in the settings says so.")
    ] = False,
) -> None:
    """Make memories of what was said since the last pass. Ends with 1 when it fails."""
    terms = _Terms(dry_run, model, review, again, due)
    if estimate and (everyone or terms != _Terms()):
        raise typer.BadParameter("--estimate goes with no other option of this command")
    with opened(context) as memoranda:
        if estimate:
            found = memoranda.estimate()
            emit(context, found, lambda: typer.echo(_estimated(found)))
            return
        own = memoranda.access.own
        others = [each for each in _waiting(memoranda) if each != own]
        passes = [_run(context, memoranda, terms)]
    if everyone:
        for scope in others:
            if not context.obj.json:
                typer.echo(f"{scope}:")
            with opened(context, scope=str(scope)) as memoranda:
                passes.append(_run(context, memoranda, terms))
    elif others:
        say(f"Conversations of {', '.join(map(str, others))} wait too; --everyone reads them.")
    if context.obj.json:
        emit(context, passes if everyone else passes[0], lambda: None)
    if any(each is not None and each.failed for each in passes):
        raise typer.Exit(1)


@dataclass(frozen=True, slots=True)
class _Terms:
    """What the options say of each pass."""

    dry_run: bool = False
    model: str | None = None
    review: bool | None = None
    again: bool = False
    due: bool = False


def _waiting(memoranda: Memoranda) -> Scopes:
    """Whose conversations wait, as far as whoever asks may know."""
    whole = memoranda.access.is_owner and memoranda.access.profile is None
    return memoranda.waiting() if whole else ()


def _run(context: typer.Context, memoranda: Memoranda, terms: _Terms) -> Pass | None:
    """A pass, and what people are told of it; None when none is due."""
    if terms.due and not memoranda.is_due():
        if not context.obj.json:
            typer.echo("No pass is due.")
        return None
    with progress(context, "reading") as advance, _told_of_nothing(dry_run=terms.dry_run):
        done = memoranda.consolidate(
            dry_run=terms.dry_run,
            model=terms.model,
            review=terms.review,
            again=terms.again,
            advance=advance,
        )
    if not context.obj.json:
        _tell(done)
    if done.failed:
        say(f"memoranda: the pass failed: {done.stopped}; what it did stands, and the rest waits")
    return done


@contextmanager
def _told_of_nothing(*, dry_run: bool) -> Iterator[None]:
    """A dry run that is stopped leaves nothing to go on with."""
    try:
        yield
    except KeyboardInterrupt as error:
        if dry_run:
            raise Stopped("stopped; nothing was changed", error) from None
        raise


def _estimated(found: Estimate) -> str:
    turns, calls = counted(found.turns, "turn"), counted(found.calls, "question")
    price = _price(found.cost) or "; no price is set"
    return f"About {turns}, {calls}, {_tokens(found.tokens)}{price}."


def _price(cost: float | None) -> str:
    return "" if cost is None else f", cost {cost:.4f}"


def _tell(done: Pass) -> None:
    if done.preview:
        show_decisions(done.decisions)
        _tell_aside(done)
    turns = counted(done.turns, "turn")
    typer.echo(f"{'Would read' if done.preview else 'Read'} {turns}: {_did(done)}.")
    if done.calls:
        spent = f"{counted(done.calls, 'question')}, {_tokens(done.tokens)}"
        typer.echo(f"Asked {done.model}: {spent}{_price(done.cost)}.")
    if done.stopped and not done.failed:
        typer.echo(f"It stopped before all was read: {done.stopped}.")
    if done.preview:
        typer.echo("Nothing was changed.")
    else:
        _tell_what_is_left(done)
        typer.echo(f"Pass {done.id}")


def _tell_what_is_left(done: Pass) -> None:
    """What waits for the next pass, or for a person."""
    if done.unread:
        them = counted(len(done.unread), "turn is", "turns are")
        typer.echo(
            f"{them} set aside, and tried three times in all, or by `memoranda consolidate "
            f"--again`: `memoranda passes {done.id}` tells why."
        )
    if review := done.counts.get("review", 0):
        typer.echo(f"{counted(review, 'candidate waits', 'candidates wait')}: `memoranda review`.")
    if done.model == RULES and done.counts.get("add"):
        typer.echo("What rules add is a candidate until `memoranda confirm` lets it count.")


def _tell_aside(one: Pass) -> None:
    for each in one.unread:
        text = " ".join(each.turn.content.split())
        tries = counted(each.tries, "failure")
        typer.echo(f"! turn {each.turn.turn}, {when(each.turn.time)}: {text[:80]}")
        typer.echo(f"    {each.reason} ({tries})")


def _did(one: Pass) -> str:
    """What a pass did, in the words of the operations and of where the others stand."""
    return _counted(one.counts) or "no change"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _tokens(tokens: Tokens) -> str:
    return f"{tokens.prompt or 0:,} tokens told and {tokens.completion or 0:,} answered"


@app.command(cls=Command)
def passes(
    context: typer.Context,
    id: Annotated[
        str | None, typer.Argument(metavar="[PASS]", help="One of them, with what it decided.")
    ] = None,
    before: Annotated[
        str | None, typer.Option(metavar="ID", help="The last id of the page before.")
    ] = None,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most passes.")
    ] = 20,
) -> None:
    """List the passes of consolidation, newest first; or show one and all that it decided."""
    with opened(context) as memoranda:
        if id is not None:
            one = memoranda.pass_(id)
            emit(context, one, lambda: _show_pass(one))
            seen = sum(each.decided_by == one.id for each in one.decisions)
            tell_hidden(sum(one.counts.values()), seen)
            return
        found = memoranda.passes(before=before, limit=limit)
    emit(context, found, lambda: _show_passes(found))
    if len(found) == limit:
        say(f"There may be more: --before {found[-1].id}")


def _show_passes(found: tuple[Pass, ...]) -> None:
    made = table("id", "when", "model", "turns", "did", "tokens", "cost", "ended")
    for each in found:
        cost = "" if each.cost is None else f"{each.cost:.4f}"
        add_row(
            made,
            each.id,
            when(each.began),
            each.model,
            each.turns,
            _did(each),
            f"{budget.total(each.tokens):,}",
            cost,
            _ended(each),
        )
    console().print(made)


def _ended(one: Pass) -> str:
    """How a pass ended, and what became of it since."""
    if one.ended is None:
        end = "interrupted, or running"
    elif one.failed:
        end = f"failed: {one.stopped}"
    else:
        end = one.stopped or "well"
    undone = f"undone {when(one.undone)}" if one.undone else ""
    return "; ".join(filter(None, ("dry run" if one.preview else "", end, undone)))


def _show_pass(one: Pass) -> None:
    fields = {
        "pass": one.id,
        "scope": one.scope,
        "model": one.model,
        "prompts": one.prompts,
        "began": when(one.began),
        "ended": f"{when(one.ended)} {_ended(one)}".strip(),
        "read": counted(one.turns, "turn"),
        "did": _did(one),
        "asked": f"{counted(one.calls, 'question')}, {_tokens(one.tokens)}",
        "cost": "" if one.cost is None else f"{one.cost:.4f}",
    }
    show_fields(console(), fields)
    show_decisions(one.decisions)
    _tell_aside(one)


@app.command(cls=Command)
def undo(
    context: typer.Context,
    id: PassId,
    keep_read: Annotated[
        bool, typer.Option("--keep-read", help="Do not have the next pass read its turns again.")
    ] = False,
) -> None:
    """Take back what a pass did to memories, but for what was changed or forgotten since."""
    with opened(context) as memoranda:
        undone = memoranda.undo(id, keep_read=keep_read)
    emit(context, undone, lambda: _tell_undone(undone, keep_read=keep_read))


def _tell_undone(undone: Undone, *, keep_read: bool) -> None:
    removed = counted(len(undone.removed), "memory", "memories")
    typer.echo(f"Undone: {removed} removed, {len(undone.restored)} as before.")
    for id, why in undone.left.items():
        typer.echo(f"Left as it is: {id}, {why} since.")
    if keep_read:
        typer.echo("Its turns stay read.")
    elif undone.turns:
        turns = counted(undone.turns, "turn is", "turns are")
        typer.echo(f"{turns} unread again: the next pass reads what this one had read.")
    elif undone.removed:
        typer.echo("What it had read is gone since: no pass can read it again.")


@app.command(cls=Command)
def replay(context: typer.Context, id: PassId, model: Model = None) -> None:
    """Ask a model about all that a pass read, and compare; nothing is changed."""
    with opened(context) as memoranda:
        found = memoranda.replay(id, model=model)
    emit(context, found, lambda: _tell_replay(found))


def _tell_replay(found: Replay) -> None:
    differing = [each for each in found.compared if not each.same]
    if differing or found.more:
        console().print(_differences(found, differing))
    same = len(found.compared) - len(differing)
    typer.echo(
        f"{same} the same, {len(differing)} different, {len(found.more)} more."
        + (f" {counted(found.missing, 'turn is', 'turns are')} gone." if found.missing else "")
    )
    spent = f"{_tokens(found.tokens)}{_price(found.cost)}"
    typer.echo(f"Asked {found.model}: {spent}. Nothing was changed.")


def _differences(found: Replay, differing: list[Compared]) -> object:
    made = table("candidate", f"then, {found.of.model}", f"now, {found.model}", "why")
    for each in differing:
        mine = each.decision
        add_row(
            made,
            mine.candidate.content,
            _operation(mine.operation, mine.target) or mine.stage,
            _operation(each.operation, each.target) if each.selected else "not selected",
            each.reason,
        )
    for more in found.more:
        add_row(made, more.content, "not selected", "selected", "")
    return made


def _operation(operation: str | None, target: str | None) -> str:
    return " ".join(filter(None, (operation, target)))
