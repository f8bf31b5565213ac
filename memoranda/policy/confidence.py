"""How sure we are of a memory, between 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping

from memoranda.types import Basis

BY_HAND = 0.9
"""A person wrote it down on purpose."""

UNREVIEWED: Mapping[Basis, float] = {"stated": 0.5, "hedged": 0.4, "reported": 0.3}
"""Rules found it, and nobody has looked at it yet."""

SELECTED: Mapping[Basis, float] = {"stated": 0.6, "hedged": 0.4, "reported": 0.3}
"""A model selected it: said once is low."""


def confirmed(confidence: float) -> float:
    """The confidence after one more confirmation: half the doubt goes."""
    return 1 - (1 - confidence) / 2
