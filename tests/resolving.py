"""A store with turns, and a model that answers as a script says: what resolution is tried with."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from memoranda.answers import Message, Outcome, T
from memoranda.formation import resolution
from memoranda.formation.asking import Told
from memoranda.formation.operations import Resolved
from memoranda.models.reading import Unreadable, read
from memoranda.passes import Decision, Pass, Purpose, Stage
from memoranda.policy.consolidation import Policy
from memoranda.protocols import Embedder
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH, OWNER, a_memory, add, incoming, observe
from memoranda.types import Candidate, Filter, Kind, Memory, Status, new_id
from memoranda.upkeep.embed import embed

Script = Callable[[Mapping[str, Any]], object]
"""What is answered to the data of a question: an object, a text, or an outcome."""


def shelf(folder: Path) -> SqliteStore:
    path = folder / "memory.db"
    SqliteStore.create(path, at=MARCH)
    return SqliteStore(path)


@dataclass
class Model:
    """It answers each question by the script, and keeps what it was asked."""

    script: Script
    asked: list[Mapping[str, Any]] = field(default_factory=list)
    told: list[Sequence[Message]] = field(default_factory=list)

    def __call__(
        self,
        purpose: Purpose,
        prompt: str,
        messages: Sequence[Message],
        answer: type[T],
        *,
        max_tokens: int,
        turns: Sequence[str],
        memories: Sequence[str],
    ) -> Told[T]:
        assert purpose == "resolve"
        assert prompt
        assert max_tokens > 0
        assert turns
        assert memories
        data = json.loads(messages[-1].content)
        self.asked.append(data)
        self.told.append(messages)
        call = f"call {len(self.asked)}"
        said = self.script(data)
        if isinstance(said, Outcome):
            return Told(said, None, call, "as it was told")
        try:
            value = read(said if isinstance(said, str) else json.dumps(said), answer)
        except Unreadable as error:
            return Told(error.outcome, None, call, str(error))
        return Told(Outcome.OK, value, call)


def nobody(data: Mapping[str, Any]) -> object:
    raise AssertionError(f"the model was asked: {data}")


def says(operation: str, about: str = "", content: str = "") -> Script:
    """The same of every statement; the target is the memory whose text contains `about`."""

    def script(data: Mapping[str, Any]) -> object:
        return {name: of(data, operation, about, content) for name in data["statements"]}

    return script


def of(data: Mapping[str, Any], operation: str, about: str = "", content: str = "") -> object:
    said = {"operation": operation, "reason": "so it is"}
    if operation != "ADD":
        labels = [label for label, each in data["memories"].items() if about in each["text"]]
        said["target"] = labels[0] if about else "none"
    if operation == "UPDATE":
        said["content"] = content
    return said


@dataclass
class Desk:
    """Says things to a store one after another, and has them resolved and applied."""

    store: SqliteStore
    embedder: Embedder | None = None
    rules: Policy = field(default_factory=Policy)
    at: datetime = MARCH
    said: int = 0

    def candidate(self, content: str, quote: str | None = None, **fields: Any) -> Candidate:
        """With a turn of its own, which says just that."""
        quote = quote or content
        self.said += 1
        at = fields.pop("said", self.at)
        turn = incoming(quote, conversation=f"c{self.said}", time=at)
        (id,) = observe(self.store, turn).turns
        candidate = Candidate(
            turn=id,
            start=0,
            end=len(quote),
            quote=quote,
            kind=Kind.FACT,
            content=content,
            confidence=0.5,
            said=at,
        )
        return replace(candidate, **fields)

    def decision(self, content: str, quote: str | None = None, **fields: Any) -> Decision:
        candidate = self.candidate(content, quote, **fields)
        return Decision(new_id(self.at), OWNER, candidate, "pass", self.at)

    def resolve(self, script: Script, *decisions: Decision, **more: Any) -> list[Resolved]:
        if self.embedder is not None:
            self.store.embed_by(self.embedder.name)
            embed(self.store, self.embedder)
        return resolution.resolve(
            decisions, self.store, self.embedder, Model(script), self.rules, now=self.at, **more
        )

    def turn_down(self, decision: Decision) -> None:
        """A person rejects a candidate."""
        run = Pass(new_id(self.at), OWNER, "a model", "1", self.at)
        self.store.passes.begin(run)
        done = replace(decision, stage=Stage.REJECTED, selected_by=run.id, decided_at=self.at)
        self.store.passes.decide([done])

    def apply(self, *resolved: Resolved) -> list[Resolved]:
        for each in resolved:
            if each.changes:
                self.store.apply(each.changes, at=self.at, by="test")
        return list(resolved)

    def tell(
        self, script: Script, content: str, quote: str | None = None, **fields: Any
    ) -> Decision:
        """Say one thing, and do what comes of it."""
        more = {name: fields.pop(name) for name in ("by_rules", "earlier") if name in fields}
        resolved = self.resolve(script, self.decision(content, quote, **fields), **more)
        return self.apply(*resolved)[0].decision

    def memories(self, *statuses: Status) -> list[Memory]:
        """Those that hold, or of these statuses."""
        chosen = frozenset(statuses) if statuses else None
        filter = Filter(now=self.at, statuses=chosen)
        return self.store.memories((OWNER,), filter, limit=100)[::-1]

    def contents(self, *statuses: Status) -> list[str]:
        return [each.content for each in self.memories(*statuses)]

    def know(self, content: str, **fields: Any) -> Memory:
        """A memory that a person wrote down."""
        memory = a_memory(content, **({"at": self.at} | fields))
        add(self.store, memory)
        return memory
