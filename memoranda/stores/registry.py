"""Every place in the file that holds words or vectors: what forgetting has to reach."""

from __future__ import annotations

from collections.abc import Mapping

WORDS: Mapping[str, tuple[str, ...]] = {
    "alias": ("name",),
    "attempt": ("error", "body"),
    "channel": ("identity", "person"),
    "conversation": ("name",),
    "decision": ("scope", "quote", "candidate", "content", "reason"),
    "doomed_file": ("path",),
    "entity": ("name",),
    "file": ("path",),
    "ledger": ("by", "conversation", "reason", "before", "after"),
    "link": ("relation",),
    "memory": ("content", "detail", "terms"),
    "neighbour": ("content",),
    "pass": ("scope", "stopped"),
    "passage": ("content", "terms"),
    "project": ("name", "root", "vault"),
    "project_part": ("project", "profile"),
    "reading": ("aside",),
    "scope": ("name",),
    "skill": ("name",),
    "source": ("quote", "path", "by"),
    "switch": ("name", "door"),
    "topic": ("name",),
    "turn": ("key", "speaker"),
    "unread_turn": ("aside",),
}

HASHES: Mapping[str, tuple[str, ...]] = {
    "call": ("request",),
    "decision": ("digest",),
    "memory": ("digest",),
    "turn": ("digest",),
}
"""Made of the words, without a key: who guesses these can tell that the guess is right."""

VECTORS: Mapping[str, tuple[str, ...]] = {
    "memory_vector": ("value",),
    "passage_vector": ("value",),
}

INDEXES = ("memory_fts", "passage_fts")
"""Made of the words; what is in them goes with these, and for good once they are written anew."""

WORDLESS: Mapping[str, tuple[str, ...]] = {
    "attempt": ("call", "outcome", "mode", "finish", "request_id"),
    "call": ("id", "pass", "time", "purpose", "model", "prompt", "outcome"),
    "consequence": ("pass", "memory"),
    "contradiction": ("id", "kind", "slot", "found_at", "weighed_at", "settled_at"),
    "decision": (
        "id",
        "selected_by",
        "time",
        "stage",
        "operation",
        "target",
        "memory",
        "decided_by",
        "decided_at",
        "calls",
    ),
    "entity": ("id", "kind"),
    "file": ("form", "stamp"),
    "file_line": ("kind", "day"),
    "home": ("name", "value"),
    "incognito": ("mark", "since", "until"),
    "kept": ("mark", "until"),
    "ledger": ("time", "operation", "memory", "entity", "pass"),
    "memory": (
        "id",
        "kind",
        "status",
        "recorded_at",
        "closed_at",
        "valid_from",
        "valid_to",
        "valid_to_open",
        "confirmed_at",
        "used_at",
        "superseded_by",
        "facets",
    ),
    "memory_vector": ("model",),
    "neighbour": ("memory", "kind", "status", "ranks"),
    "offered": ("call", "turn", "memory"),
    "pass": ("id", "model", "prompts", "began", "ended", "undone"),
    "passage": ("facets",),
    "passage_vector": ("model",),
    "need": ("time",),
    "project_part": ("part",),
    "purge": ("id", "time"),
    "reading": ("pass", "turn", "since"),
    "serving": ("time", "via", "conversation"),
    "source": ("kind", "time", "pass"),
    "skill": ("used_at",),
    "spending": ("hour",),
    "switch": ("mark", "since"),
    "tombstone": ("mark",),
    "turn": ("id", "role", "time", "recorded_at", "quarantined"),
    "unread_turn": ("since",),
    "vector_change": ("searched",),
}
"""The columns of text that say nothing: ids, times, one of a few words, keyed hashes."""
