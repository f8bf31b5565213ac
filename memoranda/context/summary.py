"""A summary of what was left out of a list of messages, by a language model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from memoranda.answers import Message, Outcome
from memoranda.protocols import LanguageModel
from memoranda.text import tokens
from memoranda.types import Role

if TYPE_CHECKING:
    from pydantic import BaseModel

MOST_TOLD = 24_000
"""Tokens that a model is told; of more than that the newest, since the window has an end."""
LONGEST = 1_500
"""Tokens of a single turn of it."""
LEAST = 40
"""A summary of fewer tokens is not worth the question."""
WORDS_PER_TOKEN = 0.6


def summarise(model: LanguageModel, said: Sequence[str], most: int) -> tuple[str, str]:
    """A summary of at most about so many tokens, or an empty one and why there is none."""
    if most < LEAST or not said:
        return "", "there is no room for one" if said else "there is nothing to summarise"
    answer = model.ask(
        [Message(Role.SYSTEM, _prompt()), Message(Role.USER, _told(said, most))],
        _form(),
        max_tokens=2 * most + 50,
    )
    if answer.outcome != Outcome.OK or answer.value is None:
        return "", f"{model.name} gave none ({answer.outcome}): {answer.error}"
    summary = str(getattr(answer.value, "summary", "")).strip()
    if not summary:
        return "", f"{model.name} gave an empty one"
    if tokens.estimate(summary) > most:
        return "", f"{model.name} gave one that is longer than there is room for"
    return summary, ""


def _told(said: Sequence[str], most: int) -> str:
    """The newest that fit into a question, as JSON."""
    told, left = [], MOST_TOLD
    for each in reversed(said):
        text = tokens.beginning(each, min(LONGEST, left))
        left -= tokens.estimate(text)
        if not text or left < 0:
            break
        told.append(text)
    data = {"words": int(most * WORDS_PER_TOKEN), "said": told[::-1]}
    return json.dumps(data, ensure_ascii=False, indent=1)


@cache
def _prompt() -> str:
    return files("memoranda.context").joinpath("prompts", "summarise.md").read_text("utf-8")


@cache
def _form() -> type[BaseModel]:
    """Loads pydantic."""
    from pydantic import create_model

    return create_model("Summary", __config__={"extra": "forbid"}, summary=(str, ...))
