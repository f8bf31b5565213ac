"""Search by meaning: what a question needs for it, and what it could not do."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.errors import EmbeddingError
from memoranda.protocols import COUNTED, Embedder, Near, Vector

MEND = "run `memoranda embed`"
AGAIN = "run `memoranda embed --again` to try once more"
OTHER_MODEL = "run `memoranda models use multilingual-e5-small`"


def vector(question: str, embedder: Embedder) -> tuple[Vector, str | None]:
    """The vector of a question, or an empty one and what was in the way."""
    if not embedder.reads(question):
        return b"", f"dense: {embedder.name} does not read this question; {OTHER_MODEL}"
    try:
        return embedder.embed_question(question), None
    except EmbeddingError as error:
        return b"", f"dense: {error}"


def unknown(words: Sequence[str], embedder: Embedder) -> tuple[str, ...]:
    """Words that mean nothing to the model: only their letters tell."""
    return tuple(word for word in words if not embedder.knows(word))


def gaps(near: Near, one: str, many: str, embedder: Embedder) -> list[str]:
    """What of the texts searched has no vector, each with the command that mends it.

    `one` and `many` say what was searched.
    """
    told = []
    model = embedder.name
    if near.missing:
        have = f"1 {one} has" if near.missing == 1 else f"{near.missing} {many} have"
        if near.missing == COUNTED:
            have = f"{COUNTED} or more {many} have"
        kept = "" if near.model in (None, "", model) else f" (those kept are of {near.model})"
        told.append(f"dense: {have} no vector of {model} yet{kept}; {MEND}")
    if near.unreadable:
        count = f"1 {one}" if near.unreadable == 1 else f"{near.unreadable} {many}"
        if embedder.host is None:
            told.append(f"dense: {model} does not read {count}; {OTHER_MODEL}")
        else:
            told.append(f"dense: {model} could not embed {count}; {AGAIN}")
    return told
