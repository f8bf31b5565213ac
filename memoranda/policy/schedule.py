"""When a pass of consolidation is due, and when something is wrong with how they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memoranda.passes import RULES, Pass
from memoranda.types import Backlog, Operation

MISSED = 2
"""After so many schedules without a pass that went well somebody should look."""
MANY_ASIDE = 10
SHARE_ASIDE = 0.2
"""Of the candidates of the latest passes; or so many turns."""
PASSES = 3
"""So many of the latest passes are looked at together."""
ENOUGH = 20
"""Operations that must all be additions before that says something."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How often a pass is wanted: every so often, and after so many new turns unless that is 0."""

    every: timedelta
    turns: int = 0

    def is_due(self, backlog: Backlog, now: datetime) -> bool:
        """Whether there is something to do, and it is time for it."""
        ready = backlog.turns - backlog.aside
        if self.turns and ready >= self.turns:
            return True
        waits = ready or backlog.aside or backlog.candidates or backlog.candidates_aside
        last = backlog.passed_at
        return bool(waits) and (last is None or now - last >= self.every)


def warnings(
    backlog: Backlog, latest: Sequence[Pass], schedule: Schedule, now: datetime
) -> tuple[str, ...]:
    """What somebody should look at, a sentence each; `latest` are the passes, newest first."""
    real = [each for each in latest if not each.preview and each.undone is None]
    found = [
        _silent(backlog, real, schedule, now),
        _many_aside(backlog, real[:PASSES]),
        _only_additions(real[:PASSES]),
    ]
    return tuple(each for each in found if each)


def _silent(
    backlog: Backlog, latest: Sequence[Pass], schedule: Schedule, now: datetime
) -> str | None:
    """Only what came in since passes are run, or a home without any would always warn."""
    since = [each for each in (backlog.passed_at, backlog.unread_since) if each is not None]
    if not latest or not backlog.turns or not since or now - max(since) < MISSED * schedule.every:
        return None
    last = latest[0]
    why = f"; the last one says: {last.stopped}" if last.stopped else ""
    been = f"since {backlog.passed_at:%Y-%m-%d}" if backlog.passed_at else "yet"
    return f"no pass of consolidation went well {been}, and {backlog.turns} turns wait{why}"


def _many_aside(backlog: Backlog, latest: Sequence[Pass]) -> str | None:
    decided = sum(sum(each.counts.values()) for each in latest)
    if backlog.aside < MANY_ASIDE and backlog.candidates_aside < max(
        MANY_ASIDE, SHARE_ASIDE * decided
    ):
        return None
    return (
        f"{backlog.aside} turns and {backlog.candidates_aside} candidates are set aside, since the "
        "model's answers about them cannot be used"
    )


def _only_additions(latest: Sequence[Pass]) -> str | None:
    counts = [each.counts for each in latest if each.model != RULES]  # which do nothing else
    if len(counts) < PASSES:  # what comes first can only be added
        return None
    added = sum(each.get(Operation.ADD, 0) for each in counts)
    others = sum(
        each.get(operation, 0)
        for each in counts
        for operation in (Operation.UPDATE, Operation.DELETE, Operation.NOOP)
    )
    if others or added < ENOUGH:
        return None
    return f"the latest passes did nothing but add, {added} memories; a model that weighs does more"
