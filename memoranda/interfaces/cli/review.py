"""The command by which a person looks after their memories, one key each."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from memoranda.care import Action, Item, Review
from memoranda.errors import InvalidInput, MemorandaError
from memoranda.given import MOST_RESULTS
from memoranda.interfaces.cli.app import Command, app, opened
from memoranda.interfaces.cli.contradictions import show_contradiction
from memoranda.interfaces.cli.decisions import show_decision
from memoranda.interfaces.cli.output import console, counted, emit, memory_line, origin, say, when
from memoranda.memoranda import Memoranda
from memoranda.passes import Decision, Stage
from memoranda.skills import Draft
from memoranda.text.clean import harmless
from memoranda.types import Memory

KEYS = {
    Action.KEEP: "k",
    Action.CONFIRM: "c",
    Action.EDIT: "e",
    Action.MERGE: "m",
    Action.RETIRE: "r",
    Action.FORGET: "f",
    Action.ACCEPT: "a",
    Action.REJECT: "r",
    Action.RELEASE: "l",
    Action.NEWER: "n",
    Action.OLDER: "o",
    Action.BOTH: "b",
}
"""Those of one item never share a key."""

SKIP, QUIT = "s", "q"
AT_ONCE = 50
NOTHING = "Nothing waits for a person."


class OneByOne(Command):
    """One in which each answer stands when it is stopped."""

    stopped = "stopped; what was decided stands"


@app.command(cls=OneByOne)
def review(
    context: typer.Context,
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="The beginning of a candidate's id is enough."),
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Let it count.")] = False,
    edit: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Let it count in these words.")
    ] = None,
    reject: Annotated[
        bool, typer.Option("--reject", help="Turn it away; it is not proposed again.")
    ] = False,
    decide: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Decide by lines of JSON, {key, action, content?}; - is standard input.",
        ),
    ] = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print what waits as Markdown.")
    ] = False,
    send: Annotated[
        bool, typer.Option("--send", help="Send that to whom `notify` in the settings names.")
    ] = False,
    limit: Annotated[
        int, typer.Option("-n", "--limit", min=1, max=MOST_RESULTS, help="Most items.")
    ] = AT_ONCE,
) -> None:
    """Look at what needs a look, and decide on it, with one key each on a terminal."""
    answers = accept + reject + (edit is not None)
    if answers != (id is not None):
        raise typer.BadParameter("an id takes one of --accept, --edit and --reject, and they an id")
    with opened(context) as memoranda:
        if id is not None:
            decided = memoranda.reject(id) if reject else memoranda.accept(id, content=edit)
            emit(context, decided, lambda: typer.echo(_told(decided)))
        elif decide is not None:
            _decide_by_lines(context, memoranda, decide)
        elif send:
            memoranda.send_review()
            typer.echo("Sent.")
        elif summary:
            typer.echo(memoranda.review_summary(), nl=False)
        elif context.obj.json or not _is_somebody_there():
            _list(context, memoranda, limit)
        else:
            _ask_about_each(memoranda, limit)


def _is_somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


# For programs -------------------------------------------------------------------------------------


def _list(context: typer.Context, memoranda: Memoranda, limit: int) -> None:
    found = memoranda.review(limit=limit)
    emit(context, found, lambda: _show(found))
    if len(found.items) < sum(found.counts.values()):
        say("There may be more; decide on these first, or give --limit.")


def _decide_by_lines(context: typer.Context, memoranda: Memoranda, file: str) -> None:
    """Do what each line says; one that cannot be done is told, and the others are done."""
    results: list[dict[str, Any]] = []
    for number, line in enumerate(_read(file).splitlines(), 1):
        if line.strip():
            results.append({"line": number, **_decided_by(memoranda, line)})
    emit(context, results, lambda: _show_results(results))
    if any("error" in each for each in results):
        raise typer.Exit(1)


def _read(file: str) -> str:
    """Raises InvalidInput."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"decide: {file} cannot be read: {error}") from error


def _decided_by(memoranda: Memoranda, line: str) -> dict[str, Any]:
    try:
        given = json.loads(line)
        if not isinstance(given, dict) or not {"key", "action"} <= set(given):
            raise InvalidInput("each line must be an object with a key and an action")
        memoranda.decide(given["key"], given["action"], content=given.get("content"))
    except (MemorandaError, ValueError) as error:
        return {"error": str(error)}
    return {"key": given["key"], "action": given["action"]}


def _show_results(results: list[dict[str, Any]]) -> None:
    for each in results:
        if "error" in each:
            say(f"memoranda: line {each['line']}: {each['error']}")
        else:
            typer.echo(f"{each['action']}: {harmless(str(each['key']))}")


# For people ---------------------------------------------------------------------------------------


def _show(found: Review) -> None:
    for item in found.items:
        _show_item(item)
    if not found.items:
        typer.echo(NOTHING)


def _show_item(item: Item) -> None:
    if item.decision is not None:
        show_decision(console(), item.decision, whole=True)
        if item.skill is not None:
            _show_draft(item.skill)
        return
    typer.echo(harmless(f"{item.concern}: {item.why}  [{item.key}]"))
    if item.contradiction is not None:
        show_contradiction(item.contradiction)
        return
    for memory in item.memories:
        console().print(f"    {_line(memory)}", soft_wrap=True)
    if item.turn is not None:
        said = f"{origin(item.turn.source)}: {' '.join(item.turn.content.split())[:300]}"
        console().print(f"    {harmless(said)}", soft_wrap=True)


def _show_draft(draft: Draft) -> None:
    """The file that would be written."""
    made = f"version {draft.version} of the skill {draft.name} of {draft.scope} would be:"
    for line in (made, *(f"| {line}".rstrip() for line in draft.text.splitlines())):
        console().print(harmless(f"    {line}"), soft_wrap=True)


def _line(memory: Memory) -> str:
    if memory.used_at is None:
        return memory_line(memory)
    used = f"used {counted(memory.use_count, 'time')}, last {when(memory.used_at)}"
    return memory_line(memory, used)


def _ask_about_each(memoranda: Memoranda, limit: int) -> None:
    for item in memoranda.review(limit=limit).items:
        _show_item(item)
        key = _key(item)
        if key == QUIT:
            break
        if key != SKIP:
            _do(memoranda, item, key)
    left = sum(memoranda.review(limit=1).counts.values())
    typer.echo(NOTHING if not left else f"{counted(left, 'item')} left.")


def _key(item: Item) -> str:
    """The key that a person presses, of those that mean something."""
    keys = {KEYS[action]: str(action) for action in item.actions} | {SKIP: "skip", QUIT: "quit"}
    names = ", ".join(
        f"[{key}]{name[1:]}" if name[0] == key else f"[{key}] {name}" for key, name in keys.items()
    )
    typer.echo(f"{names} ", nl=False)
    while True:
        key = typer.getchar().lower()
        if key in keys:
            typer.echo(keys[key])
            return key
        if key in ("", "\x04"):  # nobody types any more
            typer.echo()
            return QUIT


def _do(memoranda: Memoranda, item: Item, key: str) -> None:
    """Do what the key says; what cannot be done is told, and the next one comes."""
    action = next(each for each in item.actions if KEYS[each] == key)
    try:
        if item.decision is not None:
            typer.echo(_told(_decided(memoranda, item.decision, action)))
            return
        if action == Action.FORGET and not typer.confirm("Erase it for good?"):
            return
        words = item.memories[0].content if item.memories else ""
        content = _instead(words) if action == Action.EDIT else None
        memoranda.decide(item.key, action, content=content)
        typer.echo(f"Done: {action}.")
    except MemorandaError as error:
        say(f"memoranda: {error}")


def _decided(memoranda: Memoranda, decision: Decision, action: Action) -> Decision:
    if action == Action.REJECT:
        return memoranda.reject(decision.id)
    words = decision.content or decision.candidate.content
    content = _instead(words) if action == Action.EDIT else None
    return memoranda.accept(decision.id, content=content)


def _instead(words: str) -> str:
    return str(typer.prompt("Instead", default=words, show_default=False))


def _told(decision: Decision) -> str:
    if decision.candidate.procedure:
        return f"{str(decision.stage).capitalize()}: {decision.reason}"
    if decision.stage == Stage.APPLIED:
        return f"Accepted, {decision.operation}: {decision.memory or decision.target or ''}"
    return f"{str(decision.stage).capitalize()}: {decision.id}"
