"""With a model that answers as well as can be, the pipeline around it loses nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from memoranda.answers import Answer, Message, T
from tests.scripted import Entry, Mind, Scripted, Statement, entry, verdict

EVAL = os.environ.get("MEMORANDA_EVAL", "")
needs_data = pytest.mark.skipif(not EVAL, reason="MEMORANDA_EVAL names no folder of data")


def words(text: str) -> str:
    return " ".join(text.split())


@dataclass
class Gold:
    """A model that knows what is right: see `LanguageModel`."""

    cases: Sequence[Mapping[str, Any]]
    host: str | None = None
    name: str = "gold"
    known: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for case in self.cases:
            for said, worth in (
                ("conversation", "gold_store"),
                ("conversation_2", "gold_decisions"),
            ):
                talk = "".join(
                    words(turn["content"]) for turn in case[said] if turn["role"] == "user"
                )
                self.known[talk] = [{**each, "case": case} for each in case[worth]]

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        mind = Mind(self.choose, self.weigh)
        return Scripted(mind).ask(messages, answer, max_tokens=max_tokens)

    def right(self, sentence: str) -> Iterator[Mapping[str, Any]]:
        """What is worth keeping of a sentence of any talk."""
        for talk, worth in self.known.items():
            if sentence in talk:
                for each in worth:
                    quote = words(each["quote"])
                    if quote in sentence or sentence in quote:
                        yield each

    def choose(self, sentence: str) -> Iterable[Entry]:
        for each in self.right(words(sentence)):
            changes = each.get("action", "ADD") != "ADD"
            yield entry(
                each["quote"] if changes else each["text"],  # that also tells what was known
                "constraint" if each["kind"] == "procedure" else each["kind"],
                ends=each.get("action") == "DELETE",
            )

    def weigh(self, statement: Statement) -> Entry:
        """By what it says, or else by its quote, which two statements may have in common."""
        decided = [each for worth in self.known.values() for each in worth if "action" in each]
        by_text = [each for each in decided if each["text"] == statement.text]
        by_quote = [each for each in decided if words(each["quote"]) in words(statement.quote)]
        for each in (*by_text, *by_quote):
            if any(
                known["text"] in statement.memories.values()
                for known in each["case"]["existing_memories"]
            ):
                return self.verdict(each, statement)
        return verdict("ADD")

    def verdict(self, each: Mapping[str, Any], statement: Statement) -> Entry:
        if each["action"] == "ADD":
            return verdict("ADD")
        memories = {one["id"]: one["text"] for one in each["case"]["existing_memories"]}
        return verdict(each["action"], statement.label(memories[each["target"]]), each["text"])
