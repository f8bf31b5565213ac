"""The same verbs, awaited: each runs in a worker thread."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from memoranda import wiring
from memoranda.memoranda import Memoranda

P = ParamSpec("P")
R = TypeVar("R")


def threaded(
    verb: Callable[Concatenate[Memoranda, P], R],
) -> Callable[Concatenate[AsyncMemoranda, P], Coroutine[Any, Any, R]]:
    """A verb of Memoranda as a coroutine of the same arguments and result."""

    @wraps(verb)
    async def awaited(self: AsyncMemoranda, *args: P.args, **kwargs: P.kwargs) -> R:
        import asyncio  # long loaded where a coroutine runs, and dear where none does

        return await asyncio.to_thread(verb, self.memoranda, *args, **kwargs)

    return awaited  # type: ignore[return-value]  # wraps() names the first parameter


class AsyncMemoranda:
    """An open home, for use with `async with`; see Memoranda for what each verb does."""

    def __init__(self, memoranda: Memoranda) -> None:
        self.memoranda = memoranda

    @classmethod
    async def open(
        cls,
        home: str | Path | None = None,
        *,
        profile: str | None = None,
        project: str | None = None,
        person: str | None = None,
        channel: str | None = None,
        task: str | None = None,
        within: str | Path | None = None,
    ) -> Self:
        """Like `memoranda.open`."""
        import asyncio

        return cls(
            await asyncio.to_thread(
                wiring.open,
                home,
                profile=profile,
                project=project,
                person=person,
                channel=channel,
                task=task,
                within=within,
            )
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    enable = threaded(Memoranda.enable)
    disable = threaded(Memoranda.disable)
    status = threaded(Memoranda.status)
    observe = threaded(Memoranda.observe)
    import_ = threaded(Memoranda.import_)
    remember = threaded(Memoranda.remember)
    revise = threaded(Memoranda.revise)
    confirm = threaded(Memoranda.confirm)
    pin = threaded(Memoranda.pin)
    forget = threaded(Memoranda.forget)
    incognito = threaded(Memoranda.incognito)
    quarantine = threaded(Memoranda.quarantine)
    what_do_you_know = threaded(Memoranda.what_do_you_know)
    release = threaded(Memoranda.release)
    show = threaded(Memoranda.show)
    list = threaded(Memoranda.list)
    history = threaded(Memoranda.history)
    topics = threaded(Memoranda.topics)
    merge_topics = threaded(Memoranda.merge_topics)
    entities = threaded(Memoranda.entities)
    merge = threaded(Memoranda.merge)
    split = threaded(Memoranda.split)
    consolidate = threaded(Memoranda.consolidate)
    estimate = threaded(Memoranda.estimate)
    waiting = threaded(Memoranda.waiting)
    is_due = threaded(Memoranda.is_due)
    passes = threaded(Memoranda.passes)
    pass_ = threaded(Memoranda.pass_)
    ledger = threaded(Memoranda.ledger)
    calls = threaded(Memoranda.calls)
    distances = threaded(Memoranda.distances)
    undo = threaded(Memoranda.undo)
    replay = threaded(Memoranda.replay)
    contradictions = threaded(Memoranda.contradictions)
    settle = threaded(Memoranda.settle)
    backup = threaded(Memoranda.backup)
    backups = threaded(Memoranda.backups)
    verify_backups = threaded(Memoranda.verify_backups)
    sweep = threaded(Memoranda.sweep)
    health = threaded(Memoranda.health)
    candidates = threaded(Memoranda.candidates)
    review = threaded(Memoranda.review)
    decide = threaded(Memoranda.decide)
    review_summary = threaded(Memoranda.review_summary)
    send_review = threaded(Memoranda.send_review)
    retire = threaded(Memoranda.retire)
    accept = threaded(Memoranda.accept)
    reject = threaded(Memoranda.reject)
    recall = threaded(Memoranda.recall)
    context = threaded(Memoranda.context)
    compact = threaded(Memoranda.compact)
    expand = threaded(Memoranda.expand)
    verify = threaded(Memoranda.verify)
    embed = threaded(Memoranda.embed)
    sync = threaded(Memoranda.sync)
    files_changed = threaded(Memoranda.files_changed)
    take_in = threaded(Memoranda.take_in)
    projects = threaded(Memoranda.projects)
    add_project = threaded(Memoranda.add_project)
    drop_project = threaded(Memoranda.drop_project)
    assign = threaded(Memoranda.assign)
    vault = threaded(Memoranda.vault)
    task = threaded(Memoranda.task)
    add_task = threaded(Memoranda.add_task)
    set_task = threaded(Memoranda.set_task)
    report = threaded(Memoranda.report)
    people = threaded(Memoranda.people)
    add_channel = threaded(Memoranda.add_channel)
    drop_channel = threaded(Memoranda.drop_channel)
    skills = threaded(Memoranda.skills)
    skill = threaded(Memoranda.skill)
    skill_history = threaded(Memoranda.skill_history)
    use_skill = threaded(Memoranda.use_skill)
    write_skill = threaded(Memoranda.write_skill)
    remove_skill = threaded(Memoranda.remove_skill)
    export = threaded(Memoranda.export)
    import_home = threaded(Memoranda.import_home)
    close = threaded(Memoranda.close)
