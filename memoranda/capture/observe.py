"""Turns made ready to be stored, without what is private in them, and stored; without a model.

What makes a turn the same as one stored before: its id within the conversation; without one, its
role, speaker, content and time; without a time, its place among the equal turns of the call.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, islice

from memoranda.errors import InvalidInput
from memoranda.protocols import IncomingTurn, Store
from memoranda.text import dates, passages
from memoranda.text.clean import mend
from memoranda.text.instructions import smuggled
from memoranda.text.masks import without_private
from memoranda.text.secrets import redacted
from memoranda.types import Observed, Role, Scope, Turn, growing_ids, refusal

BATCH = 500
"""Turns made ready at a time, so that a stream of any length needs little memory."""


def observe(
    turns: Iterable[Turn],
    store: Store,
    scope: Scope,
    project: Scope | None,
    *,
    now: datetime,
    by: str,
    deliberate: bool,
    passage_size: int,
    keep_secrets: bool = False,
    profile: Scope | None = None,
) -> Observed:
    """Store the turns that are not stored yet; of secrets their kinds, unless told to keep them.

    Those with orders that their user did not type are kept from models.

    Interrupted, it can be called again with the same turns: those stored are recognised. Raises
    CaptureOff when capture is off for whom they are of, or for the `profile` that heard them, and
    they are not brought in deliberately; InvalidInput for a time that cannot be kept; StoreError.
    """
    if not deliberate and (off := store.switched_off(scope, project, profile)):
        raise refusal(off)  # before a long file is read; the store itself makes sure again
    making = _Making(now, passage_size, keep_secrets, growing_ids(now))
    prepared = _prepared(turns, making, live=not deliberate)
    return Observed.total(
        [
            store.observe(
                batch, scope, project, at=now, by=by, deliberate=deliberate, profile=profile
            )
            for batch in _batches(prepared)
        ]
    )


def unsaid(turns: Iterable[Turn]) -> Iterator[Turn]:
    """Turns of which no person said one: what a schedule says in a user's role is the system's."""
    for turn in turns:
        is_users = isinstance(turn, Turn) and turn.role == Role.USER
        yield replace(turn, role=Role.SYSTEM, speaker="cron") if is_users else turn


def _batches(turns: Iterator[IncomingTurn]) -> Iterator[list[IncomingTurn]]:
    while batch := list(islice(turns, BATCH)):
        yield batch


@dataclass(frozen=True, slots=True)
class _Making:
    """How turns are made ready."""

    now: datetime
    passage_size: int
    keep_secrets: bool
    ids: Iterator[str]


def _prepared(turns: Iterable[Turn], making: _Making, *, live: bool) -> Iterator[IncomingTurn]:
    if not isinstance(turns, Iterable):
        raise InvalidInput(f"turns must be a list of Turn, not {type(turns).__name__}")
    stream = iter(turns)
    first_two = list(islice(stream, 2))
    lone = live and len(first_two) == 1
    equal_so_far: Counter[bytes] = Counter()
    for turn in chain(first_two, stream):
        yield _prepare(turn, making, lone, equal_so_far)


def _prepare(turn: Turn, making: _Making, lone: bool, equal_so_far: Counter[bytes]) -> IncomingTurn:
    from memoranda.text.entities import entities  # its tables take time to make

    if not isinstance(turn, Turn):
        raise InvalidInput(f"turns must be a list of Turn, not of {type(turn).__name__}")
    if turn.time is not None:
        dates.utc(turn.time)
    raw, replaced = _mended(turn)
    public = replace(raw, content=without_private(raw.content), speaker=_public(raw.speaker))
    safe, secrets = _redacted(public)
    mended = public if making.keep_secrets else safe
    digest = _digest(safe)
    nth = None
    if mended.time is None:
        place = digest + mended.conversation.encode()
        equal_so_far[place] += 1
        if mended.id is None:
            nth = 0 if lone else equal_so_far[place]
    said = mended.time or making.now
    pieces = passages.split(mended.content, making.passage_size)
    return IncomingTurn(
        id=next(making.ids),
        turn=mended,
        digest=digest,
        nth=nth,
        time=said,
        passages=tuple(
            (start, text, passages.passage_terms(mended.content, start, text, mended.speaker, said))
            for start, text in pieces
        ),
        named=entities(mended.content),
        mended=replaced > 0,
        secrets=() if making.keep_secrets else secrets,
        quarantined=_distrusted(mended),
        untouched=None if raw == safe else _digest(raw),
    )


def _distrusted(turn: Turn) -> str | None:
    """Why a turn is kept from models, if it is."""
    found = smuggled(turn.content, Role(turn.role))
    if not found and turn.speaker is not None:  # who writes a mail chooses how it is signed
        found = smuggled(turn.speaker, Role.TOOL)
    return found[0].why if found else None


def _redacted(turn: Turn) -> tuple[Turn, tuple[str, ...]]:
    """A turn with the kinds of its secrets in their place, and these kinds."""
    content, found = redacted(turn.content)
    speaker, signed = redacted(turn.speaker or "")
    kinds = tuple(each.kind for each in (*found, *signed))
    return replace(turn, content=content, speaker=speaker or None), kinds


def _public(speaker: str | None) -> str | None:
    return without_private(speaker) if speaker else None


def _mended(turn: Turn) -> tuple[Turn, int]:
    conversation, first = mend(turn.conversation)
    content, second = mend(turn.content)
    speaker, third = mend(turn.speaker or "")
    id, fourth = mend(turn.id or "")
    return replace(
        turn, conversation=conversation, content=content, speaker=speaker or None, id=id or None
    ), first + second + third + fourth


def _digest(turn: Turn) -> bytes:
    from hashlib import blake2b  # loads OpenSSL, which reading can do without

    said = "" if turn.time is None else dates.utc(turn.time).isoformat()
    parts = (Role(turn.role).value, turn.speaker or "", turn.content, said)
    return blake2b("\0".join(parts).encode(), digest_size=16).digest()
