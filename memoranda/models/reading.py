"""What a language model wrote, read as the answer that was asked for, or not at all.

Nothing is repaired: of an answer that was cut, a repair makes another decision.
"""

from __future__ import annotations

import json
from typing import Any

from memoranda.answers import Outcome, T
from memoranda.errors import MemorandaError

FENCE = "```"
THOUGHT, THOUGHT_OVER = "<think>", "</think>"

TOLD = 5
"""Mistakes that are told at once."""

TOLD_OF_EACH = 400
"""Characters of each; a name that nobody asked for may be as long as the answer."""


class Unreadable(MemorandaError):
    """What was written is not what was asked for."""

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome


def read(text: str, answer: type[T]) -> T:
    """Raises Unreadable, saying why in words for the model that wrote it."""
    import pydantic

    said = bare(text)
    if not said:
        raise Unreadable(Outcome.EMPTY, "the answer is empty")
    try:
        said.encode()  # which half of a pair of surrogates cannot
        value = answer.model_validate_json(said, strict=True, extra="forbid")
        json.loads(said, object_pairs_hook=_each_once)
    except pydantic.ValidationError as error:
        mistakes = error.errors(include_url=False, include_input=False, include_context=False)
        broken = mistakes[0]["type"] == "json_invalid"
        outcome = Outcome.UNPARSEABLE if broken else Outcome.SCHEMA_INVALID
        raise Unreadable(outcome, "; ".join(map(_told, mistakes[:TOLD]))) from None
    except ValueError as error:
        raise Unreadable(Outcome.UNPARSEABLE, str(error)) from None
    return value


def bare(text: str) -> str:
    """What was written, without the thoughts before it and without the fence around it."""
    said = text.strip().removeprefix("\ufeff").lstrip()
    if said.startswith(THOUGHT) or (THOUGHT_OVER in said and said[0] not in "{[`"):
        said = said.partition(THOUGHT_OVER)[2].strip()
    return said if said.startswith(("{", "[")) else _fenced(said)


def _fenced(text: str) -> str:
    """What stands between fences, if there is one pair of them and so no doubt."""
    lines = text.split("\n")
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith(FENCE)]
    if len(fences) != 2:
        return text
    return "\n".join(lines[fences[0] + 1 : fences[1]]).strip()


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("the same name stands twice in one object")
    return found


def _told(mistake: Any) -> str:
    place = ".".join(map(str, mistake["loc"]))
    return (f"{place}: {mistake['msg']}" if place else str(mistake["msg"]))[:TOLD_OF_EACH]
