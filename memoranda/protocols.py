"""The seams to the world. The core knows what stands here and no implementation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memoranda.types import (
    Change,
    Entry,
    Filter,
    Holdings,
    Kind,
    Memory,
    Observed,
    Passage,
    Ranked,
    Scope,
    Scopes,
    Turn,
)


@dataclass(frozen=True, slots=True)
class IncomingTurn:
    """A turn made ready to be stored, with the id it gets if it is new.

    `digest` is what makes it the same as another turn without an id. `nth` says which of several
    equal turns of one call this is, or is None when `digest` alone decides; 0 means that it is new
    whatever is stored. `passages` are (start, content, terms), which joined give the content.
    """

    id: str
    turn: Turn
    digest: bytes
    nth: int | None
    time: datetime
    passages: tuple[tuple[int, str, str], ...]
    mended: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """A question as a full-text index understands it.

    Each is an alternative: a word or a phrase for the index to tokenise (`phrases`), or the
    beginning of a word (`prefixes`).
    """

    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.phrases or self.prefixes)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Found ids, best first, and the words left out because too much contains them."""

    found: tuple[Ranked, ...] = ()
    dropped: tuple[str, ...] = ()


class Store(Protocol):
    """Where everything is kept.

    Every read names the scopes it may see and is filtered before it is limited. Every change and
    its ledger entry are one transaction. All times carry a zone; ids are ULIDs in upper case.
    Any method may raise StoreError.
    """

    def close(self) -> None:
        """Let go of everything; safe to call twice."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make the calls inside one transaction, which an exception undoes."""

    # Writing

    def observe(
        self,
        turns: Sequence[IncomingTurn],
        scope: Scope,
        project: Scope | None,
        *,
        at: datetime,
        by: str,
        deliberate: bool,
    ) -> Observed:
        """Store turns that are not stored yet, for `scope`, each call in few short transactions.

        Raises CaptureOff, storing nothing, when capture is off and the turns were not brought in
        deliberately.
        """

    def apply(
        self, changes: Sequence[Change], *, at: datetime, by: str, reason: str | None = None
    ) -> None:
        """Carry out changes to memories, all or none, each with its ledger entry.

        Raises Conflict when a memory is no longer as its `before` says.
        """

    def record_use(self, counts: Mapping[str, int], *, at: datetime) -> None:
        """Add to the uses of memories; no change of what they say, so no ledger entry."""

    def set_capture(self, on: bool, *, at: datetime, by: str) -> None:
        """Turn capture on or off; turning on what is on keeps the date since when."""

    def scrub(self) -> tuple[str, ...]:
        """Clear what deletions left behind; returns the places that are not clean yet."""

    # Reading

    def capturing_since(self) -> datetime | None:
        """Since when turns are captured; None when they are not."""

    def memory(self, id: str, visible: Scopes) -> Memory:
        """The memory whose id begins with `id`. Raises NotFound or Ambiguous."""

    def turn(self, id: str, visible: Scopes) -> Passage:
        """The whole turn whose id begins with `id`. Raises NotFound or Ambiguous."""

    def memories(
        self, visible: Scopes, filter: Filter, *, before: str | None = None, limit: int
    ) -> list[Memory]:
        """Memories, newest first; `before` is the id after which the next page begins.

        Raises NotFound when that is not visible.
        """

    def same(self, content: str, scope: Scope, kind: Kind, now: datetime) -> Memory | None:
        """The memory that holds and says the same, but for case and white space."""

    def entries(self, memory: str, visible: Scopes) -> list[Entry]:
        """The ledger of the memory whose id begins with `memory`, and of its chain, oldest first.

        Raises NotFound or Ambiguous.
        """

    def search_memories(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        """Memories by BM25."""

    def search_turns(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        """Passages of turns by BM25."""

    def fetch_memories(self, ids: Sequence[str], visible: Scopes, filter: Filter) -> list[Memory]:
        """Those of `ids` that are still visible and still pass the filter, in the same order."""

    def fetch_passages(
        self, ranked: Sequence[Ranked], visible: Scopes, filter: Filter
    ) -> list[Passage]:
        """Those of the found passages that are still visible, in the same order."""

    def holdings(self, visible: Scopes) -> Holdings:
        """How much the visible scopes hold."""

    # Upkeep

    def check(self) -> list[str]:
        """What is wrong with the store, one line each; empty when it is sound."""
