"""What a model is asked about candidates and the memories beside them, and what it answers.

Memories have short labels, and for each candidate the form of the answer takes no others than those
it was compared with: a target that was not offered cannot be said.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from memoranda.answers import Message, Outcome
from memoranda.formation import prompts
from memoranda.formation.asking import Asking
from memoranda.passes import Decision
from memoranda.policy.consolidation import said_at
from memoranda.policy.contradictions import told_at
from memoranda.text import tokens
from memoranda.text.clean import mend
from memoranda.types import Candidate, Memory, Operation, Role

if TYPE_CHECKING:
    from pydantic import BaseModel

PROMPT = "resolve"

LONGEST = 1000
"""Characters of a text that a model is told; one that was cut is not rewritten by it."""

LONGEST_REASON = 300

NONE = "none"
"""The target of a NOOP that is not worth keeping."""


@dataclass(frozen=True, slots=True)
class Case:
    """A decision to be made, and the memories that it is made on, as they were read."""

    decision: Decision
    memories: Mapping[str, Memory] = field(default_factory=dict)

    @property
    def candidate(self) -> Candidate:
        return self.decision.candidate


@dataclass(frozen=True, slots=True)
class Said:
    """What the model said of one candidate; no operation when it failed, for that reason."""

    operation: Operation | None
    reason: str
    calls: tuple[str, ...]
    target: str | None = None
    content: str = ""


def asked(
    cases: Sequence[Case], ask: Asking, before: tuple[str, ...] = ()
) -> Iterator[tuple[Case, Said]]:
    """What the model says of each; of half as many at once when it cannot answer for all."""
    if not cases:
        return
    question = Question(cases)
    told = ask(
        "resolve",
        prompts.load(PROMPT).version,
        question.messages(),
        question.answer(),
        max_tokens=question.room(),
        turns=list(dict.fromkeys(case.candidate.turn for case in cases)),
        memories=list(question.labels),
    )
    calls = (*before, told.call)
    if told.outcome == Outcome.OK and told.value is not None:
        yield from question.read(told.value, calls)
    elif told.outcome in (Outcome.TRUNCATED, Outcome.SCHEMA_INVALID) and len(cases) > 1:
        half = (len(cases) + 1) // 2
        yield from asked(cases[:half], ask, calls)
        yield from asked(cases[half:], ask, calls)
    else:
        why = f"the answer was {told.outcome}" + (f": {told.error}" if told.error else "")
        yield from ((case, Said(None, mend(why[:LONGEST_REASON])[0], calls)) for case in cases)


@dataclass(frozen=True, slots=True)
class Question:
    """Several candidates and all the memories that they are compared with, each told once."""

    cases: Sequence[Case]

    @property
    def labels(self) -> dict[str, str]:
        """What each memory is called in the question, by its id."""
        ids = dict.fromkeys(id for case in self.cases for id in case.memories)
        return {id: f"m{place}" for place, id in enumerate(ids, 1)}

    def messages(self) -> list[Message]:
        """The words that never change first, since endpoints remember how questions begin."""
        labels = self.labels
        known = {id: memory for case in self.cases for id, memory in case.memories.items()}
        data = {
            "memories": {label: _told_of_memory(known[id]) for id, label in labels.items()},
            "statements": {
                name: {**_told_of(case), "compare": [labels[id] for id in case.memories]}
                for name, case in self._named()
            },
        }
        return [
            Message(Role.SYSTEM, prompts.load(PROMPT).text),
            Message(Role.USER, json.dumps(data, ensure_ascii=False, indent=1)),
        ]

    def answer(self) -> type[BaseModel]:
        """The form of the answer. Loads pydantic."""
        labels = self.labels
        return _form_of(tuple(tuple(labels[id] for id in case.memories) for case in self.cases))

    def room(self) -> int:
        """Tokens for what is said of each, of which the longest is a memory that is rewritten."""
        return sum(map(_room, self.cases))

    def read(self, value: BaseModel, calls: tuple[str, ...]) -> Iterator[tuple[Case, Said]]:
        ids = {label: id for id, label in self.labels.items()}
        for name, case in self._named():
            said = getattr(value, name)
            yield (
                case,
                Said(
                    operation=Operation(said.operation.lower()),
                    reason=mend(said.reason[:LONGEST_REASON])[0],
                    calls=calls,
                    target=ids.get(getattr(said, "target", NONE)),
                    content=mend(getattr(said, "content", ""))[0].strip(),
                ),
            )

    def _named(self) -> list[tuple[str, Case]]:
        return [(f"c{place}", case) for place, case in enumerate(self.cases, 1)]


def _told_of_memory(memory: Memory) -> dict[str, Any]:
    return {
        "kind": memory.kind,
        "text": memory.content[:LONGEST],
        "told": f"{told_at(memory):%Y-%m-%d}",
    }


def _told_of(case: Case) -> dict[str, Any]:
    candidate = case.candidate
    return {
        "kind": candidate.kind,
        "text": candidate.content[:LONGEST],
        "quote": candidate.quote[:LONGEST],
        "said": f"{said_at(case.decision):%Y-%m-%d}",
        "how": candidate.basis,
        **({"ends": True} if candidate.ends else {}),
    }


def _room(case: Case) -> int:
    longest = max(tokens.estimate(each.content[:LONGEST]) for each in case.memories.values())
    return 150 + longest + 2 * tokens.estimate(case.candidate.content[:LONGEST])


# The form of the answer ---------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _form_of(targets: tuple[tuple[str, ...], ...]) -> type[BaseModel]:
    """For each candidate one operation, on what it was compared with."""
    from pydantic import create_model

    fields: dict[str, Any] = {
        f"c{place}": (_operation(f"C{place}", each), ...) for place, each in enumerate(targets, 1)
    }
    return create_model("Resolution", __config__={"extra": "forbid"}, **fields)


def _operation(name: str, targets: tuple[str, ...]) -> Any:
    """An ADD takes no target and the others one. The operation comes first: it tells the form."""
    from typing import Annotated

    from pydantic import Field

    either: Any = _one(name, "ADD")
    either |= _one(name, "UPDATE", target=Literal[targets], content=str)
    either |= _one(name, "DELETE", target=Literal[targets])
    either |= _one(name, "NOOP", target=Literal[(*targets, NONE)])
    return Annotated[either, Field(discriminator="operation")]


def _one(name: str, operation: str, **fields: Any) -> Any:
    from pydantic import create_model

    given = {"operation": Literal[operation], **fields, "reason": str}
    every: dict[str, Any] = {field: (type_, ...) for field, type_ in given.items()}
    return create_model(f"{name}{operation}", __config__={"extra": "forbid"}, **every)
