"""What a model wrote is held against what was said: it may say it otherwise, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import regex

from memoranda.formation.ends import says_so
from memoranda.text.entities import entities
from memoranda.text.instructions import smuggled
from memoranda.text.secrets import secrets
from memoranda.text.words import fold
from memoranda.types import Role

LONGEST = 600
"""Characters of a text that a model wrote."""

_TOKEN = regex.compile(r"[\p{L}\p{N}]+(?:[-.:/@_][\p{L}\p{N}]+)*")


def unfit(text: str) -> str | None:
    """Why a text may be no memory, whatever it rests on."""
    if not _TOKEN.search(text):
        return "it says nothing"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    if secrets(text):
        return "it tells a secret"
    return "it is an order to an agent" if smuggled(text, Role.USER, typed=False) else None


def unsaid(
    text: str, said: Sequence[str], *, at: datetime | None, known: Sequence[str] = ()
) -> str | None:
    """What a text says that neither was `said` at a time nor is `known`."""
    sources = [*said, *known]
    source = fold("\n".join(sources)).casefold()
    told = set(_TOKEN.findall(source)) | set(regex.findall(r"\d+", source))
    for token in _TOKEN.findall(fold(text).casefold()):
        if regex.search(r"\d", token) and token not in told:
            return f"“{token[:40]}” was not said"
    for each in entities(text):
        if each.sure and fold(each.name).casefold() not in source:
            return f"“{each.name[:40]}” was not named"
    if says_so(text) and not any(map(says_so, sources)):
        return "it denies what was not denied"
    return None
