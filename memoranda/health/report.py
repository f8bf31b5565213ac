"""How well memory serves, in one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from memoranda.care import Health
from memoranda.health import metrics
from memoranda.policy.budget import Prices, total
from memoranda.policy.fading import Curves
from memoranda.protocols import Store, all_memories
from memoranda.types import Filter, Scopes, Status


def report(
    store: Store,
    visible: Scopes,
    curves: Curves,
    prices: Prices,
    *,
    weeks: int,
    now: datetime,
    size: int,
    waiting: Mapping[str, int],
    warnings: tuple[str, ...],
) -> Health:
    """The measures of the visible scopes up to `now`, in whose zone weeks begin.

    The file has `size` bytes. Raises StoreError.
    """
    since = metrics.monday(now.date()) - timedelta(weeks=weeks - 1)
    days = store.uses.days(
        visible, since=datetime.combine(since, datetime.min.time(), now.tzinfo or UTC)
    )
    recent = [each for each in days if now.date() - each.day < timedelta(weeks=metrics.WEEKS)]
    memories = list(all_memories(store, visible, Filter(now=now, statuses=frozenset(Status))))
    spent = store.passes.spent(now.replace(day=1, hour=0, minute=0, second=0, microsecond=0))
    return Health(
        measures=metrics.measures(recent),
        weeks=tuple(metrics.weeks(days, visible, since, now.date())),
        hygiene=metrics.hygiene(memories, recent, curves, now),
        lived=metrics.lived(memories, curves),
        live=sum(each.status.live for each in memories),
        stored=len(memories),
        added=metrics.growth(memories, now, weeks),
        bytes=size,
        waiting=dict(waiting),
        tokens=total(spent),
        cost=prices.cost(spent),
        warnings=warnings,
    )
