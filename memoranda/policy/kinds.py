"""How much a memory counts beside others that are as like what was asked."""

from __future__ import annotations

from collections.abc import Mapping

from memoranda.types import Kind, Memory, Status

BY_KIND: Mapping[Kind, float] = {
    Kind.FACT: 1.0,
    Kind.PREFERENCE: 1.0,
    Kind.DECISION: 1.0,
    Kind.CONSTRAINT: 1.0,
    Kind.ENVIRONMENT: 1.0,
    Kind.LESSON: 1.0,
    Kind.EPISODE: 0.95,
}
"""What is true goes before what was once the case."""

UNREVIEWED = 0.95
"""What nobody looked at yet goes after what counts."""

BY_AGENT = 0.95
"""What an agent noted goes after what a person said."""


def weight(memory: Memory) -> float:
    """The share of its likeness that a memory keeps."""
    kept = BY_KIND[memory.kind]
    if memory.status == Status.CANDIDATE:
        kept *= UNREVIEWED
    if memory.sources and all(source.kind == "agent" for source in memory.sources):
        kept *= BY_AGENT
    return kept
