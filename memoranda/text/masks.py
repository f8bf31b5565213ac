"""Parts of a text that whoever wrote it wants left out."""

from __future__ import annotations

import re

PRIVATE = "[private]"
"""What stands for a part that is left out."""

_BEGIN = re.compile(r"(?<!`)<private>", re.IGNORECASE)
_END = re.compile(r"</private>", re.IGNORECASE)


def without_private(text: str) -> str:
    """A text without what stands between <private> and </private>, or after the former alone.

    Who writes about the mark puts it in backticks.
    """
    kept: list[str] = []
    at = 0
    while begun := _BEGIN.search(text, at):
        kept += (text[at : begun.start()], PRIVATE)
        ended = _END.search(text, begun.end())
        at = len(text) if ended is None else ended.end()
    return "".join((*kept, text[at:]))
