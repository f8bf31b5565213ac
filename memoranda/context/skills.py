"""What of skills stands in a prompt: what they are called and when they are of use, no more."""

from __future__ import annotations

from collections.abc import Iterable

from memoranda.skills import Skill
from memoranda.text.clean import harmless


def index(skills: Iterable[Skill]) -> tuple[str, ...]:
    """A line for each, in their order; `skill use NAME` gives the rest of one when it is needed."""
    return tuple(f"- {each.name}: {_one_line(each.description)}" for each in skills)


def _one_line(text: str) -> str:
    return " ".join(harmless(text).split())
