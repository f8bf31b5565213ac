"""What the settings of a home say of consolidation."""

from __future__ import annotations

from datetime import datetime, timedelta

from memoranda.answers import Tokens
from memoranda.errors import InvalidSettings
from memoranda.formation.run import Terms
from memoranda.policy import schedule as scheduling
from memoranda.policy.budget import Bound, Budget, Prices, total
from memoranda.policy.consolidation import Policy
from memoranda.policy.fading import curves
from memoranda.policy.schedule import PASSES, Schedule
from memoranda.protocols import Passes
from memoranda.settings import Settings
from memoranda.types import Backlog, Scope, Scopes


def prices(options: Settings) -> Prices:
    return Prices(
        options.language_price_in, options.language_price_cached, options.language_price_out
    )


def terms(
    options: Settings,
    passes: Passes,
    now: datetime,
    *,
    review: bool | None = None,
    again: bool = False,
    proposing: Scopes = (),
) -> Terms:
    """On what terms a pass runs that begins now; `review` goes above the settings.

    For the scopes in which one is only `proposing` everything is reviewed.

    Raises InvalidSettings for a bound on money that no price gives a meaning.
    """
    for bound in ("pass_money", "day_money", "month_money"):
        if getattr(options, bound) and prices(options).cost(Tokens()) is None:
            raise InvalidSettings(
                f"{bound} bounds nothing without prices; set language_price_in and "
                "language_price_out too"
            )
    policy = Policy(
        conflicts=options.conflicts,  # type: ignore[arg-type]  # one of its choices
        review=options.review if review is None else review,
        half_lives=curves(options).half_lives,
        proposing=frozenset(proposing),
    )
    budget = Budget(prices(options), _bounds(options, passes, now), options.pass_minutes)
    return Terms(policy, budget, options.retire_share, again)


def _bounds(options: Settings, passes: Passes, now: datetime) -> tuple[Bound, ...]:
    """What a pass may take, and what is left of what all may take today and this month."""
    today = now.astimezone(options.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    day, month = passes.spent(today), passes.spent(today.replace(day=1))
    cost = prices(options).cost
    return (
        Bound("pass_tokens", options.pass_tokens, 0.0),
        Bound("pass_money", options.pass_money, 0.0),
        Bound("day_tokens", options.day_tokens, total(day)),
        Bound("day_money", options.day_money, cost(day) or 0.0),
        Bound("month_tokens", options.month_tokens, total(month)),
        Bound("month_money", options.month_money, cost(month) or 0.0),
    )


def schedule(options: Settings) -> Schedule:
    return Schedule(timedelta(hours=options.schedule_hours), options.schedule_turns)


def warnings(
    options: Settings, passes: Passes, own: Scope, backlog: Backlog, now: datetime
) -> tuple[str, ...]:
    """What somebody should look at, by the latest passes over a scope."""
    latest = passes.passes(own, limit=2 * PASSES)
    return scheduling.warnings(backlog, latest, schedule(options), now)
