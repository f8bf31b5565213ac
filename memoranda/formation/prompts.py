"""What language models are told, apart from what they are asked about: the files in prompts/."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Prompt:
    """Words that do not change from question to question; other words are another `version`."""

    text: str
    version: str


@cache
def load(name: str) -> Prompt:
    from hashlib import blake2b  # loads OpenSSL, which whoever asks no model can do without

    text = (files("memoranda.formation") / "prompts" / f"{name}.md").read_text("utf-8").strip()
    return Prompt(text, blake2b(text.encode(), digest_size=6).hexdigest())
