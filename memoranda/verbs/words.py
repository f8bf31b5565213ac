"""Texts and names as verbs take them, and what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterable

from memoranda import given
from memoranda.errors import InvalidInput
from memoranda.policy import hygiene
from memoranda.text.clean import mend
from memoranda.text.masks import PRIVATE, without_private
from memoranda.text.secrets import redacted
from memoranda.types import Memory, Status


def warn(message: str) -> None:
    import logging  # which a run without trouble need not load

    logging.getLogger("memoranda").warning(message)


def refuse_closed(memory: Memory) -> None:
    """Raises InvalidInput for a memory that holds no more, or is kept from models."""
    if memory.status == Status.QUARANTINED:
        raise InvalidInput(f"{memory.id} is kept from models; `release` it first")
    if not memory.status.live:
        successor = f" by {memory.superseded_by}" if memory.superseded_by else ""
        raise InvalidInput(f"{memory.id} is {memory.status}{successor}; it holds no more")


def keepable(text: str | None, keep_secrets: bool) -> str | None:
    """What is stored of a text: nothing private, and of secrets their kinds."""
    if not text:
        return None
    text = without_private(text)
    return text if keep_secrets else redacted(text)[0]


def keepable_names(names: tuple[str, ...], keep_secrets: bool) -> tuple[str, ...]:
    return once(filter(None, (keepable(name, keep_secrets) for name in names)))


def statement(content: str, keep_secrets: bool) -> str:
    content = (keepable(given.text("content", content), keep_secrets) or "").strip()
    if content in ("", PRIVATE):
        raise InvalidInput("there is nothing to remember in an empty text")
    return content


def once(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def topic_of(name: str) -> str:
    """A topic as it is kept. Raises InvalidInput when nothing of it would be."""
    topic = hygiene.normalised(mend(name)[0])
    if not topic:
        raise InvalidInput(f"{name[:40]!r} names no topic: it is nothing but punctuation")
    return topic


def possible(memory: Memory) -> Memory:
    """The memory, if it does not end before it begins. Raises InvalidInput."""
    began = memory.began
    if memory.valid_to is not None and memory.valid_to < began:
        raise InvalidInput(
            f"a memory cannot end before it begins, and this one begins {began.isoformat()}; "
            "give it an earlier valid_from"
        )
    return memory
