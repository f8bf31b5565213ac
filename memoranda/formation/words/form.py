"""What is looked for in a sentence, whatever its language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import regex

from memoranda.types import Kind

Pattern = regex.Pattern[str]


@dataclass(frozen=True, slots=True)
class Words:
    """What is looked for in a sentence of one language.

    Vetoes stand by the reasons they give: the `whole` sentence is thrown out for some, a clause for
    others. `openers` stand before a statement and say nothing; `remember` asks to keep it.
    `thinks` is what hedges from the front, `reports` says that another said it, `of_another` what
    another likes. `orders` tells the agent to do something, which is kept only when `durable`.
    What has `ended` without a `successor` is an end. A sentence is cut at `joins`, and at `commas`
    when nothing else is left of it; `tail` is where a request begins that ends it. `answers` are
    what an order is about that is a preference. `ahead` means dates to come, `bounded` that it is
    so only for the time it names. `kinds` are tried in order; then `past` tells what the user did,
    `of_self` of the user, and `placed` of a thing, unless it is `vague` which, only `evaluates`
    it, or is one of the `things` that talk is about in any task.
    """

    name: str
    whole: Mapping[str, Pattern]
    vetoes: Mapping[str, Pattern]
    openers: Pattern
    remember: Pattern
    hedges: Pattern
    thinks: Pattern
    reports: Pattern
    of_another: Pattern
    corrects: Pattern
    resolved: Pattern
    durable: Pattern
    orders: Pattern
    ended: Pattern
    successor: Pattern
    because: Pattern
    explains: Pattern
    joins: Pattern
    commas: Pattern
    tail: Pattern
    answers: Pattern
    ahead: Pattern
    bounded: Pattern
    past: Pattern
    placed: Pattern
    vague: Pattern
    kinds: tuple[tuple[Kind, Pattern], ...]
    evaluates: Pattern
    things: Pattern
    of_self: Pattern
    weak: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    chatty: frozenset[str] = frozenset()
    is_past: Callable[[str], bool] = lambda _: True


def pattern(*alternatives: str) -> Pattern:
    return regex.compile("|".join(f"(?:{each})" for each in alternatives))
