"""Instructions to an agent in text that the user did not type.

Two questions: where is such text (`untyped`, structure alone), and does it order an agent to do
something (`orders`, words alone). What is found, and what is not, stands in docs/poisoned-text.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from memoranda.types import Role

LONG = 1_500
"""A paragraph of more characters than that was hardly typed."""

# One look decides for most turns: what has none of these was typed, unless it is long.
_SIGN = re.compile(
    '[`~<>"“„«「『{\\[\n\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff'
    "\U000e0000-\U000e01ef]|[:：] ?\\S|[A-Za-z0-9+/_-]{24}"
)


@dataclass(frozen=True, slots=True)
class Smuggled:
    """An order to the agent, in characters of the text that its user did not type.

    `why` is for the owner: "asks to ignore what was said before, in a quoted mail". It holds no
    word of the text, so that it may be kept where the text is forgotten.
    """

    why: str
    start: int
    end: int


def smuggled(text: str, role: Role, *, typed: bool = True) -> tuple[Smuggled, ...]:
    """Every order to an agent in the parts of `text` that were not typed, in their order.

    A tool's text is judged whole, and so is any that is not `typed`: a file, a fetched page.
    """
    if typed and role != Role.TOOL and len(text) <= LONG and not _SIGN.search(text):
        return ()
    from memoranda.text import untyped  # its patterns are made when a text needs them

    parts = untyped.parts(text, role, typed=typed)
    if not parts:
        return ()
    from memoranda.text import orders

    found: dict[tuple[int, int], Smuggled] = {}
    for part in parts:
        for order in orders.find(part.text):
            if part.loose and not order.to_any_reader:
                continue
            start, end = part.within(order.start, order.end)
            found.setdefault((start, end), Smuggled(f"{order.what}, {part.where}", start, end))
    return tuple(sorted(found.values(), key=lambda each: (each.start, each.end)))
