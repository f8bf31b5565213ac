"""Long-term memory for self-hosted AI agents, in one file their owner can open and delete."""

from memoranda.aio import AsyncMemoranda
from memoranda.errors import (
    Ambiguous,
    CaptureOff,
    Conflict,
    EmbeddingError,
    HomeError,
    InvalidImport,
    InvalidInput,
    InvalidSettings,
    MemorandaError,
    NotFound,
    ScopeClosed,
    StoreError,
)
from memoranda.memoranda import Memoranda
from memoranda.types import (
    Embedded,
    Entity,
    EntityKind,
    Entry,
    Hit,
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
    Turn,
)
from memoranda.wiring import init, open

__version__ = "0.1.0"

__all__ = [
    "Ambiguous",
    "AsyncMemoranda",
    "CaptureOff",
    "Conflict",
    "Embedded",
    "EmbeddingError",
    "Entity",
    "EntityKind",
    "Entry",
    "Hit",
    "HomeError",
    "InvalidImport",
    "InvalidInput",
    "InvalidSettings",
    "Kind",
    "Memoranda",
    "MemorandaError",
    "Memory",
    "NotFound",
    "Observed",
    "Passage",
    "Recall",
    "Receipt",
    "Role",
    "Scope",
    "ScopeClosed",
    "Source",
    "Status",
    "StoreError",
    "Turn",
    "init",
    "open",
]
