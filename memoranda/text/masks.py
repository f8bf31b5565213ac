"""Parts of a text that whoever wrote it wants left out."""

from __future__ import annotations

import re

PRIVATE = "[private]"
"""What stands for a part that is left out."""

FORGOTTEN = "[forgotten]"
"""What stands for words that were cut out of what was said."""

_TAG = re.compile(r"<\s*+(/?)\s*+private(?:\s[^<>]*+)?>", re.IGNORECASE)


def without_private(text: str) -> str:
    """A text without what stands between <private> and its </private>, or after the former alone.

    Whoever writes about a tag puts it in backticks. A tag between two that belong to others,
    as after `this`, is none of those, which the number of backticks before it tells.
    """
    kept: list[str] = []
    depth = at = seen = ticks = outside = 0
    for tag in _TAG.finditer(text):
        ticks += text.count("`", seen, tag.start())
        seen = tag.start()
        around = text[seen - 1 : seen], text[tag.end() : tag.end() + 1]
        if ticks % 2 and around == ("`", "`"):
            continue
        if not tag[1]:
            if not depth:
                kept += (text[at : tag.start()], PRIVATE)
                outside = ticks
            depth += 1
        elif depth:
            depth -= 1
            at = tag.end()
            if not depth:
                seen, ticks = at, outside
    return "".join(kept if depth else (*kept, text[at:]))
