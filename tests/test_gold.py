"""With a model that answers as well as can be, the pipeline around it loses nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memoranda import wiring
from memoranda.answers import Answer, Message, T
from memoranda.bench import writes
from memoranda.bench.piped import Piped
from memoranda.settings import Settings
from tests.evaluation import evaluation
from tests.scripted import Entry, Mind, Scripted, Statement, entry, verdict


def existing(worth: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What is known before what is worth keeping is said."""
    known: Sequence[Mapping[str, Any]] = worth["case"]["existing_memories"]
    return known


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

    def is_said(self, each: Mapping[str, Any]) -> bool:
        """Whether all of it was said here; what is right in the end may hold what was known."""
        turns = each["case"]["conversation_2" if "action" in each else "conversation"]
        talk = "".join(turn["content"] for turn in turns if turn["role"] == "user")
        talk = re.sub(r"```.*?```", "", talk, flags=re.DOTALL)
        codes = re.findall(r"\S*[\d=]\S*", each["text"])
        return each.get("action", "ADD") == "ADD" and all(code in talk for code in codes)

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
            yield entry(
                each["text"] if self.is_said(each) else each["quote"],
                "constraint" if each["kind"] == "procedure" else each["kind"],
                ends=each.get("action") == "DELETE",
            )

    def weigh(self, statement: Statement) -> Entry:
        """By what it says, or else by its quote, which two statements may have in common."""
        decided = [each for worth in self.known.values() for each in worth if "action" in each]
        said = words(statement.quote)
        for each in (
            *(each for each in decided if statement.text in (each["text"], each["quote"])),
            *(each for each in decided if words(each["quote"]) in said),
        ):
            if any(one["text"] in statement.memories.values() for one in existing(each)):
                return self.verdict(each, statement)
        return verdict("ADD")

    def verdict(self, each: Mapping[str, Any], statement: Statement) -> Entry:
        if each["action"] == "ADD":
            return verdict("ADD")
        memories = {one["id"]: one["text"] for one in existing(each)}
        return verdict(each["action"], statement.label(memories[each["target"]]), each["text"])


@pytest.mark.evaluation
@pytest.mark.slow
def test_the_pipeline_loses_nothing_of_what_a_model_gets_right(tmp_path: Path) -> None:
    """But for what it must not read: code, quotations, and sentences with a secret in them."""
    file = evaluation("writes.jsonl")
    gold = Gold([json.loads(line) for line in file.read_text("utf-8").splitlines()])
    cases = writes.load(file)
    predicted = Piped(gold, wiring.embedder_of(Settings(), tmp_path)).predict(cases)
    row = writes.score(cases, predicted)[-1]
    assert row.precision >= 0.97
    assert row.recall >= 0.97
    assert row.forbidden == 0
    done = writes.score_operations(cases, predicted)
    assert done.right >= 0.97 * done.decided
    assert done.decided >= 0.97 * done.all
