"""Memories as a Markdown file that is loaded at the start of a session."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime

from memoranda.policy import confidence
from memoranda.policy.fading import Curves
from memoranda.policy.standing import FILE_CHARACTERS, HEADINGS
from memoranda.types import Kind, Memory


def render(
    memories: Sequence[Memory],
    now: datetime,
    curves: Curves,
    *,
    characters: int = FILE_CHARACTERS,
    title: str = "Memory",
) -> str:
    """The memories as a file, in their order under headings, each with its day.

    As many as fit into so many `characters` of content, the first ones first; what is told about
    them does not count. A line tells how many more there are.
    """
    held: dict[Kind, list[Memory]] = defaultdict(list)
    left, more = characters, 0
    for each in memories:
        length = len(_one_line(each.content))
        if length > left:
            more += 1
            continue
        left -= length
        held[each.kind].append(each)
    return "\n".join(_lines(held, now, curves, title, more)) + "\n"


def _lines(
    held: dict[Kind, list[Memory]], now: datetime, curves: Curves, title: str, more: int
) -> Iterator[str]:
    yield f"# {title}"
    for kind, heading in HEADINGS.items():
        if held[kind]:
            yield f"\n## {heading}\n"
            for each in held[kind]:
                sure = confidence.level(confidence.now(each, now, curves.half_lives))
                about = f"{each.began:%Y-%m-%d}, {sure}"
                yield f"- {_one_line(each.content)} ({about}) <!-- {each.id} -->"
    if more:
        yield f"\n{more} more are in the store."


def _one_line(text: str) -> str:
    return " ".join(text.split())
