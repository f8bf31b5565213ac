"""The words for a model, which stand in files beside this one, and their versions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a model is told before everything else; it is the same for everybody.

    Another `version` means other words.
    """

    text: str
    version: str


@cache
def load(name: str) -> Prompt:
    """The words of the file NAME.md."""
    import hashlib  # which those who ask no model need not load
    from importlib.resources import files

    text = files("memoranda.formation").joinpath("prompts", f"{name}.md").read_text("utf-8")
    return Prompt(text, f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}")
