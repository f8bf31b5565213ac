"""A language model whose answers a test writes, in this process or behind a real endpoint."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from memoranda.answers import Answer, Attempt, Message, Mode, Outcome, T, Tokens
from memoranda.text import tokens

Entry = dict[str, Any]

NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Statement:
    """A statement to be weighed, with the memories beside it: their labels and texts."""

    text: str
    quote: str
    kind: str
    memories: Mapping[str, str]

    def label(self, part: str) -> str | None:
        """Of the first memory that holds these words."""
        return next((label for label, text in self.memories.items() if part in text), None)


def entry(content: str, kind: str = "fact", **fields: Any) -> Entry:
    """What is selected of a sentence."""
    made = {"kind": kind, "basis": "stated", "ends": False, "content": content, "detail": None}
    return {**made, **fields}


def verdict(operation: str, target: str | None = None, content: str | None = None) -> Entry:
    """What a statement is to the memories beside it."""
    made: Entry = {"operation": operation, "reason": "as the test says"}
    if operation != "ADD":
        made["target"] = target or "none"
    if operation == "UPDATE":
        made["content"] = content
    return made


@dataclass(frozen=True)
class Mind:
    """What the model makes of a sentence, of a statement, and of two that may contradict."""

    choose: Callable[[str], Iterable[Entry]] = lambda sentence: ()
    weigh: Callable[[Statement], Entry] = lambda statement: verdict("ADD")
    judge: Callable[[str, str], str] = lambda newer, older: "both"

    def answer(self, told: str) -> Entry:
        """What it answers to the message that tells it the data."""
        if not told.lstrip().startswith("{"):
            return {
                "chosen": [
                    {"sentence": int(number), **each}
                    for number, sentence in NUMBERED.findall(told)
                    for each in self.choose(sentence)
                ]
            }
        data = json.loads(told)
        if "pairs" in data:
            return {
                name: {
                    "verdict": self.judge(each["newer"]["text"], each["older"]["text"]),
                    "reason": "as the test says",
                }
                for name, each in data["pairs"].items()
            }
        texts = {label: each["text"] for label, each in data["memories"].items()}
        return {
            name: self.weigh(
                Statement(
                    each["text"],
                    each["quote"],
                    each["kind"],
                    {label: texts[label] for label in each["compare"]},
                )
            )
            for name, each in data["statements"].items()
        }

    def answer_to(self, asked: Mapping[str, Any]) -> str:
        """The same for the document that an endpoint gets, on either wire."""
        told = next(each["content"] for each in asked["messages"] if each["role"] == "user")
        text = told if isinstance(told, str) else told[0]["text"]
        return json.dumps(self.answer(text), ensure_ascii=False)


def selecting(asked: Mapping[str, Any]) -> bool:
    """Whether an endpoint is asked to select sentences; else to weigh statements."""
    return not Mind(weigh=lambda _: {}).answer_to(asked).startswith('{"c1"')


@dataclass
class Scripted:
    """See `LanguageModel`. `asked` are the data that it was told, in order."""

    mind: Mind = field(default_factory=Mind)
    before: Callable[[str], None] = lambda told: None
    host: str | None = None
    name: str = "scripted"
    asked: list[str] = field(default_factory=list)

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        assert not isinstance(messages, str)
        told = messages[-1].content
        self.asked.append(told)
        self.before(told)
        said = json.dumps(self.mind.answer(told), ensure_ascii=False)
        outcome, value, error = Outcome.OK, None, ""
        try:
            value = answer.model_validate_json(said)
        except ValidationError as invalid:
            outcome, error = Outcome.SCHEMA_INVALID, str(invalid)
        counted = Tokens(
            prompt=sum(tokens.estimate(each.content) for each in messages),
            completion=tokens.estimate(said),
        )
        attempt = Attempt(
            outcome, Mode.JSON_SCHEMA, max_tokens, 200, tokens=counted, error=error, body=said
        )
        return Answer(outcome, value, (attempt,))
