"""How a question is put to a language model, and put again after an attempt that failed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from memoranda.answers import Attempt, Message, Mode, Outcome, T
from memoranda.models import wires
from memoranda.models.reading import bare
from memoranda.models.schemas import Form
from memoranda.models.wires import Dialect
from memoranda.text.clean import mend
from memoranda.types import Role

RETRIES = 2
"""How often a question is put again to an endpoint that fails; after a silence once."""

WAIT = 0.5
"""Seconds before the first of these, and up to as much again by chance; they double."""

MORE_ROOM = 4
"""By how much the room grows when an answer was cut."""

QUOTED = 4_000
"""Characters of a wrong answer that the model is shown."""

TRANSPORT = frozenset(
    (Outcome.RATE_LIMITED, Outcome.SERVER_ERROR, Outcome.TIMEOUT, Outcome.CONNECTION)
)
CONTENT = frozenset((Outcome.EMPTY, Outcome.UNPARSEABLE, Outcome.SCHEMA_INVALID))

NOTABLE = 1_000
"""Words in a question that some endpoints have no room for, and cut without a word."""

WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]{3}|\w[^\s\u3040-\u30ff\u3400-\u9fff]*")
"""No tokeniser makes fewer tokens than nine tenths of these, in any script."""

FORM = "Answer with one JSON object that fits this JSON schema, and write nothing else:\n{schema}"
CORRECTION = "Your answer cannot be used: {error}. Answer again with the JSON object alone."


@dataclass(slots=True)
class Course(Generic[T]):
    """How a question is put now, which each failure may change.

    `in_words` tells the model the schema even where the endpoint takes it. `ignored` says that
    the endpoint took it and let the model write something else.
    """

    messages: Sequence[Message]
    form: Form[T]
    room: int
    dialect: Dialect
    modes: Sequence[Mode]
    chance: Callable[[], float]
    in_words: bool = False
    ignored: bool = False
    failures: int = 0
    enlarged: bool = False
    corrected: bool = False

    def told(self) -> Sequence[Message]:
        """The messages, with the schema in words where nothing else holds the model to it."""
        if self.dialect.mode is Mode.JSON_SCHEMA and not self.in_words:
            return self.messages
        schema = json.dumps(self.form.schema, ensure_ascii=False)
        words = FORM.format(schema=mend(schema)[0])
        first, *rest = self.messages
        if first.role is Role.SYSTEM:
            return [Message(Role.SYSTEM, f"{first.content}\n\n{words}"), *rest]
        return [Message(Role.SYSTEM, words), first, *rest]

    def turned_away(self, status: int, body: str) -> Outcome:
        """What a status of failure means; a larger room that is refused leaves an answer cut."""
        outcome = wires.turned_away(status, body)
        cut = self.enlarged and outcome is Outcome.CLIENT_ERROR
        return Outcome.TRUNCATED if cut else outcome

    def unread(self, prompt: int | None) -> str:
        """What is wrong when an endpoint read so many tokens; empty when it read the question."""
        words = sum(1 for each in self.told() for _ in WORD.finditer(each.content))
        if prompt is None or words < NOTABLE or prompt >= 0.9 * words:
            return ""
        return f"the endpoint read {prompt:,} tokens of a question of {words:,} words or more"

    def after(self, attempt: Attempt, text: str) -> float | None:
        """Seconds until the next attempt, which this makes ready; None when there is none.

        `text` is what the model wrote.
        """
        if self._is_ignored(attempt, bare(text)):
            self.ignored = self.in_words = True
        if attempt.outcome is Outcome.TRUNCATED:
            return self._with_more_room(attempt)
        if lower := self._humbler(attempt):
            self.dialect = lower
            return 0.0
        if attempt.outcome in TRANSPORT:
            return self._once_more(attempt)
        if attempt.outcome in CONTENT and not self.corrected:
            self._correct(attempt, bare(text))
            return 0.0
        return None

    def _is_ignored(self, attempt: Attempt, said: str) -> bool:
        """Whether an answer that cannot be used does not even begin as an object."""
        failed = attempt.outcome in (Outcome.TRUNCATED, Outcome.UNPARSEABLE)
        held = attempt.mode is not Mode.PROMPT
        return failed and held and bool(said) and not said.startswith("{")

    def _with_more_room(self, attempt: Attempt) -> float | None:
        if self.enlarged or (attempt.finish or "").lower() not in wires.NO_ROOM:
            return None
        self.enlarged = True
        self.room *= MORE_ROOM
        return 0.0

    def _humbler(self, attempt: Attempt) -> Dialect | None:
        if attempt.outcome not in (Outcome.CLIENT_ERROR, Outcome.SERVER_ERROR):
            return None
        return wires.humbler(self.dialect, self.modes, self.form, attempt.status, attempt.body)

    def _once_more(self, attempt: Attempt) -> float | None:
        self.failures += 1
        if self.failures > (1 if attempt.outcome is Outcome.TIMEOUT else RETRIES):
            return None
        if attempt.retry_after is not None:
            return attempt.retry_after
        return WAIT * 2.0 ** (self.failures - 1) * (1 + self.chance())

    def _correct(self, attempt: Attempt, said: str) -> None:
        """Add what is wrong, after the wrong answer if there is one.

        Many models take no two messages of one role after each other.
        """
        self.corrected = self.in_words = True
        correction = mend(CORRECTION.format(error=attempt.error))[0]
        if said:
            wrong = Message(Role.ASSISTANT, mend(said[:QUOTED].rstrip())[0])
            self.messages = [*self.messages, wrong, Message(Role.USER, correction)]
        else:
            *rest, last = self.messages
            self.messages = [*rest, replace(last, content=f"{last.content}\n\n{correction}")]
