"""How sure we are of a memory, between 0 and 1."""

from __future__ import annotations

BY_HAND = 0.9
"""A person wrote it down on purpose."""


def confirmed(confidence: float) -> float:
    """The confidence after one more confirmation: half the doubt goes."""
    return 1 - (1 - confidence) / 2
