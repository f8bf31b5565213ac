"""What of skills stands in a prompt: what they are called and when they are of use, no more."""

from __future__ import annotations

from collections.abc import Iterable

from memoranda.context.marks import one_line
from memoranda.skills import Skill
from memoranda.text.instructions import smuggled
from memoranda.types import ContextLine, Role

SKILLS = "Skills"


def index(skills: Iterable[Skill]) -> tuple[ContextLine, ...]:
    """A line for each, in their order; `skill use NAME` gives the rest of one when it is needed.

    A description that gives orders to its reader, as one in a file from elsewhere may, is left out.
    """
    return tuple(
        ContextLine(SKILLS, each.name, one_line(each.description))
        for each in skills
        if not smuggled(each.description, Role.TOOL)
    )
