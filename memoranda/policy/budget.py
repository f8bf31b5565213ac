"""What consolidation may cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.answers import Tokens

MILLION = 1_000_000
LEAST_CLOSED = 5
"""So many memories a pass may close however few there are."""


@dataclass(frozen=True, slots=True)
class Prices:
    """Of a million tokens, in whatever money; 0 is not known. `cached` are a part of those told."""

    told: float = 0.0
    cached: float = 0.0
    answered: float = 0.0

    def cost(self, tokens: Tokens) -> float | None:
        """What so many tokens cost; None when no price is known."""
        if not (self.told or self.answered):
            return None
        cached = min(tokens.cached or 0, tokens.prompt or 0)
        told = (tokens.prompt or 0) - cached
        priced = told * self.told + cached * (self.cached or self.told)
        return (priced + (tokens.completion or 0) * self.answered) / MILLION


@dataclass(frozen=True, slots=True)
class Bound:
    """The most that may be spent, of what was spent already; 0 is no bound.

    `option` is where it is set.
    """

    option: str
    most: float
    spent: float

    @property
    def of_pass(self) -> bool:
        """Whether it bounds a single pass."""
        return self.option.startswith("pass_")

    @property
    def of_money(self) -> bool:
        """Whether it bounds money; else tokens."""
        return self.option.endswith("_money")

    def is_passed(self, more: float) -> bool:
        """Whether so much more is too much."""
        return bool(self.most) and self.spent + more > self.most

    def __str__(self) -> str:
        return f"{self.option} = {self.most:,g} does not allow more; {self.spent:,g} are spent"


@dataclass(frozen=True, slots=True)
class Budget:
    """What a pass may take.

    `bounds` hold what was spent before it; it ends `minutes` after it began, unless that is 0.
    """

    prices: Prices = Prices()
    bounds: tuple[Bound, ...] = ()
    minutes: float = 0.0


def passed(bounds: Sequence[Bound], more: Tokens, prices: Prices) -> Bound | None:
    """The first bound that a question of so many tokens may pass."""
    tokens, money = total(more), prices.cost(more) or 0.0
    over = (each for each in bounds if each.is_passed(money if each.of_money else tokens))
    return next(over, None)


def total(tokens: Tokens) -> int:
    """Those told and those answered; what is cached, or thought, is among them."""
    return (tokens.prompt or 0) + (tokens.completion or 0)


def may_close(memories: int, share: float) -> int:
    """How many of so many memories one pass may supersede or retire."""
    return max(LEAST_CLOSED, int(memories * share))
