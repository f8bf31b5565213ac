"""Language models behind endpoints: every question ends in one of few outcomes."""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic
from urllib.parse import quote, unquote, urlsplit

from memoranda.answers import Answer, Attempt, Message, Mode, Outcome, T
from memoranda.errors import InvalidInput
from memoranda.models import posting, wires
from memoranda.models.course import Course
from memoranda.models.reading import Unreadable, read
from memoranda.models.schemas import form_of
from memoranda.models.wires import WIRES
from memoranda.text.clean import mend
from memoranda.types import Role

PATIENCE = 3
"""A question takes so many times the timeout of one attempt at most."""

LONGEST = 1 << 22
"""Bytes of an answer that are read."""

TOLD = 300
"""Characters of a complaint that are told; the body has all of it."""

FAILURES: Mapping[type[posting.NoReply], Outcome] = {
    posting.Silent: Outcome.TIMEOUT,
    posting.Unreachable: Outcome.CONNECTION,
    posting.Overlong: Outcome.SERVER_ERROR,
    posting.Unaddressed: Outcome.CLIENT_ERROR,
}

HIDDEN = "…"
"""Stands for a key; that is ASCII, so no key has it."""


class EndpointLanguageModel:
    """See `protocols.LanguageModel`.

    What the endpoint takes is found out by asking, and remembered as soon as it worked.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        wire: str = "auto",
        timeout: float = 120.0,
        reasoning: int = 0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        chance: Callable[[], float] = random.random,
    ) -> None:
        """`url` is the address that ends before `/chat/completions` or `/messages`.

        `reasoning` is how many tokens a model may think that does so before it answers. `chance`
        gives numbers from 0 to 1. Raises InvalidSettings.
        """
        self.host: str | None = posting.host_of(url, "language_url")
        self.name = f"{model}@{self.host}"
        self._model = model
        self._wire = WIRES[wires.wire_of(url) if wire == "auto" else wire]
        self._url = wires.address(url, self._wire)
        self._headers = self._wire.headers(posting.checked_key(key, "language_key"))
        self._secrets = _spellings(key, unquote(urlsplit(url).password or ""))
        self._timeout = timeout
        self._reasoning = reasoning
        self._clock = clock
        self._sleep = sleep
        self._chance = chance
        self._dialect = self._wire.first
        self._in_words = False

    @property
    def mode(self) -> Mode:
        """What holds the next answer to its schema."""
        return self._dialect.mode

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        course = Course(
            messages=_checked(messages),
            form=form_of(answer),
            room=_room(max_tokens) + self._reasoning,
            dialect=self._dialect,
            modes=self._wire.modes,
            chance=self._chance,
            in_words=self._in_words,
        )
        until = self._clock() + PATIENCE * self._timeout
        attempts: list[Attempt] = []
        while True:
            made = self._made(course, until)
            attempts.append(made.attempt)
            if made.attempt.status == 200:
                self._dialect = course.dialect  # which works
            wait = course.after(made.attempt, made.text)
            self._in_words |= course.ignored
            if wait is None or self._clock() + wait >= until:
                return Answer(made.attempt.outcome, made.value, tuple(attempts))
            if wait:
                self._sleep(wait)

    def _made(self, course: Course[T], until: float) -> _Made[T]:
        """One attempt, without secrets."""
        document = self._wire.document(
            self._model, course.told(), course.form, course.room, course.dialect
        )
        began = self._clock()
        timeout = max(min(self._timeout, until - began), 0.001)
        made = self._judged(json.dumps(document).encode(), course, timeout)
        told = made.attempt
        attempt = replace(
            told,
            seconds=self._clock() - began,
            finish=told.finish and self._hidden(told.finish),
            request_id=told.request_id and self._hidden(told.request_id),
            error=self._hidden(told.error),
            body=self._hidden(told.body),
        )
        return replace(made, attempt=attempt)

    def _judged(self, content: bytes, course: Course[T], timeout: float) -> _Made[T]:
        attempt = Attempt(Outcome.OK, course.dialect.mode, course.room)
        try:
            reply = posting.post(
                self._url, content, headers=self._headers, timeout=timeout, longest=LONGEST
            )
        except posting.NoReply as error:
            told, body = f"{self.host} {error}", _decoded(error.body)
            return _Made(replace(attempt, outcome=FAILURES[type(error)], error=told, body=body))
        attempt = replace(
            attempt,
            status=reply.status,
            request_id=reply.headers.get("x-request-id") or reply.headers.get("request-id"),
            body=_decoded(reply.body),
        )
        if reply.status != 200:
            return _Made(self._turned_away(attempt, reply.headers, course))
        return self._answered(attempt, course)

    def _turned_away(
        self, attempt: Attempt, headers: Mapping[str, str], course: Course[T]
    ) -> Attempt:
        """An attempt that ended with a status of failure."""
        status = attempt.status or 0
        if 300 <= status < 400:
            place = self._told(headers.get("location", "nowhere"))
            told = f"redirects to {place}; look at language_url"
        else:
            reason = self._told(wires.complaint(_document(attempt.body)))
            told = f"answers {status}" + (f": {reason}" if reason else "")
            if status in (401, 403, 404):
                told += "; look at language_url, language_model and language_key"
        return replace(
            attempt,
            outcome=course.turned_away(status, attempt.body),
            error=f"{self.host} {told}",
            retry_after=_seconds(headers),
        )

    def _answered(self, attempt: Attempt, course: Course[T]) -> _Made[T]:
        """An attempt that was answered, by a model or by something else."""
        document = _document(attempt.body)
        if status := wires.failed_within(document):
            failed = self._turned_away(replace(attempt, status=status), {}, course)
            return _Made(failed)
        try:
            completion = self._wire.completion(document)
        except wires.WRONG as error:
            told = f"{self.host} answers with no completion ({error!r:.80}); look at language_url"
            return _Made(replace(attempt, outcome=Outcome.SERVER_ERROR, error=told))
        attempt = replace(
            attempt,
            finish=completion.finish,
            tokens=completion.tokens,
            request_id=attempt.request_id or completion.id,
        )
        if unread := course.unread(completion.tokens.prompt):
            return _Made(replace(attempt, outcome=Outcome.TRUNCATED, error=unread))
        if completion.outcome:
            told = self._told(completion.error) or f"the answer ended with {completion.finish}"
            attempt = replace(attempt, outcome=completion.outcome, error=told)
            return _Made(attempt, text=completion.text)
        try:
            value = read(completion.text, course.form.answer)
        except Unreadable as error:
            attempt = replace(attempt, outcome=error.outcome, error=str(error))
            return _Made(attempt, text=completion.text)
        return _Made(attempt, value, completion.text)

    def _told(self, complaint: str) -> str:
        """The beginning of a complaint, of whose secrets a cut must not leave a part."""
        return self._hidden(complaint)[:TOLD]

    def _hidden(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text


@dataclass(frozen=True, slots=True)
class _Made(Generic[T]):
    """An attempt, what was made of it, and what the model wrote."""

    attempt: Attempt
    value: T | None = None
    text: str = ""


def _checked(messages: str | Sequence[Message]) -> list[Message]:
    """Messages that every endpoint takes, of letters that it takes. Raises InvalidInput."""
    said = [Message(Role.USER, messages)] if isinstance(messages, str) else list(messages)
    roles = [each.role for each in said]
    if not roles or roles[-1] is not Role.USER:
        raise InvalidInput("messages must end with one of the user")
    if Role.TOOL in roles or Role.SYSTEM in roles[1:]:
        raise InvalidInput("messages may begin with one of the system, and have none of a tool")
    if not all(each.content.strip() for each in said):
        raise InvalidInput("messages must each say something")
    return [replace(each, content=mend(each.content)[0]) for each in said]


def _room(max_tokens: int) -> int:
    if type(max_tokens) is not int or max_tokens < 1:
        raise InvalidInput(f"max_tokens must be a whole number above 0, not {max_tokens!r:.40}")
    return max_tokens


def _spellings(*secrets: str) -> tuple[str, ...]:
    """How secrets may stand in a text: as they are, as JSON or an address has them."""
    found: set[str] = set()
    for secret in filter(None, secrets):
        escaped = json.dumps(secret)[1:-1]
        found |= {secret, escaped, escaped.replace("/", "\\/"), quote(secret, safe="")}
    return tuple(sorted(found, key=len, reverse=True))  # some are a part of others


def _decoded(body: bytes) -> str:
    return body.decode("utf-8", "replace")


def _document(body: str) -> Any:
    """A JSON document, or None for what is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _seconds(headers: Mapping[str, str]) -> float | None:
    """For how long a server wants to be left alone; a moment is taken by the server's clock."""
    from email.utils import parsedate_to_datetime

    told = headers.get("retry-after", "")
    try:
        seconds = float(told)
    except ValueError:
        try:
            wanted, now = map(parsedate_to_datetime, (told, headers.get("date", "")))
            seconds = (wanted - now).total_seconds()
        except (ValueError, TypeError):  # no date, or one of two without a zone
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None
