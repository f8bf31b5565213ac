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
    "Decision",
    "Distances",
    "Embedded",
    "EmbeddingError",
    "Entity",
    "EntityKind",
    "Entry",
    "Estimate",
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
    "Source",
    "Stage",
    "Status",
    "StoreError",
    "Topic",
    "Turn",
    "Undone",
    "Unreadable",
    "Verdict",
    "init",
    "open",
]


def __getattr__(name: str) -> object:
    """The nouns of consolidation, which most who remember and recall never meet."""
    if name in __all__:
        from memoranda import passes

        return getattr(passes, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
