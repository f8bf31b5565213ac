"""Long-term memory for self-hosted AI agents, in one file their owner can open and delete."""

from typing import TYPE_CHECKING

from memoranda.aio import AsyncMemoranda
from memoranda.errors import (
    Ambiguous,
    Busy,
    CaptureOff,
    Conflict,
    EmbeddingError,
    HomeError,
    Incognito,
    InvalidImport,
    InvalidInput,
    InvalidSettings,
    MemorandaError,
    ModelError,
    NotFound,
    NotToldError,
    RerankingError,
    ScopeClosed,
    StoreError,
)
from memoranda.memoranda import Memoranda
from memoranda.types import (
    Backlog,
    Bearing,
    Candidate,
    Citation,
    Context,
    Embedded,
    Entity,
    EntityKind,
    Entry,
    Finding,
    Hit,
    Imported,
    Kind,
    Memory,
    Observed,
    Passage,
    Recall,
    Receipt,
    Role,
    Scope,
    Source,
    Status,
    Topic,
    Turn,
    Unreadable,
    Verdict,
)
from memoranda.wiring import init, open

if TYPE_CHECKING:
    from memoranda.care import Contradicting, Contradiction, Fading, Side, Sweep
    from memoranda.passes import (
        Aside,
        Call,
        Compared,
        Decision,
        Distances,
        Estimate,
        Neighbour,
        Pass,
        Replay,
        Stage,
        Undone,
    )

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "Aside",
    "AsyncMemoranda",
    "Backlog",
    "Bearing",
    "Busy",
    "Call",
    "Candidate",
    "CaptureOff",
    "Citation",
    "Compared",
    "Conflict",
    "Context",
    "Contradicting",
    "Contradiction",
    "Decision",
    "Distances",
    "Embedded",
    "EmbeddingError",
    "Entity",
    "EntityKind",
    "Entry",
    "Estimate",
    "Fading",
    "Finding",
    "Hit",
    "HomeError",
    "Imported",
    "Incognito",
    "InvalidImport",
    "InvalidInput",
    "InvalidSettings",
    "Kind",
    "Memoranda",
    "MemorandaError",
    "Memory",
    "ModelError",
    "Neighbour",
    "NotFound",
    "NotToldError",
    "Observed",
    "Pass",
    "Passage",
    "Recall",
    "Receipt",
    "Replay",
    "RerankingError",
    "Role",
    "Scope",
    "ScopeClosed",
    "Side",
    "Source",
    "Stage",
    "Status",
    "StoreError",
    "Sweep",
    "Topic",
    "Turn",
    "Undone",
    "Unreadable",
    "Verdict",
    "init",
    "open",
]


def __getattr__(name: str) -> object:
    """The nouns of consolidation and of upkeep, which most who remember and recall never meet."""
    if name in __all__:
        from memoranda import care, passes

        return getattr(care if hasattr(care, name) else passes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
