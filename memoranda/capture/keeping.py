"""The turns of a list of messages, stored once however often the list is sent.

A turn has an id that is made of its words and of all that was said before it, so that "ok" twice
is two turns, and a longer list that begins with a known one stores what is new. One that came in
otherwise is known by its role and its words, in the order in which they were said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoranda.capture.observe import observe
from memoranda.errors import CaptureOff
from memoranda.protocols import Store
from memoranda.text.clean import mend
from memoranda.text.masks import without_private
from memoranda.text.secrets import redacted
from memoranda.types import Observed, Passage, Role, Scope, Turn

AT_ONCE = 1000
LOOK_AHEAD = 50
"""So many stored turns are passed over to find the one that says the same."""


@dataclass(frozen=True, slots=True)
class Stored:
    """The ids of the turns of a list, None for those that are not kept, and what became of them.

    `places` tell in which order turns came in. `off` says why nothing new was stored, if capture
    is off.
    """

    ids: tuple[str | None, ...]
    places: Mapping[str, int]
    observed: Observed
    off: CaptureOff | None


def keep(
    turns: Sequence[Turn],
    store: Store,
    own: Scope,
    project: Scope | None,
    *,
    conversation: str,
    after: str | None,
    unknown: bool,
    now: datetime,
    by: str,
    passage_size: int,
    keep_secrets: bool = False,
    profile: Scope | None = None,
) -> Stored:
    """Store what is new of the turns of a conversation, which came in behind the turn `after`.

    What follows on turns that are `unknown` here is known by the ids only. Raises InvalidInput,
    StoreError.
    """
    there = _all(store, conversation, own, after)
    forms = [_forms(turn) for turn in turns]
    begins = after or ("unknown" if unknown else "")
    keys = _chain(turns, [safe for safe, _ in forms], begins)
    ids = _known(turns, forms, keys, there, 0 if unknown else LOOK_AHEAD)
    new = [replace(turn, id=key) for turn, key, id in zip(turns, keys, ids, strict=True) if not id]
    observed, off = Observed(), None
    if new:
        try:
            observed = observe(
                new, store, own, project, now=now, by=by, deliberate=False,
                passage_size=passage_size, keep_secrets=keep_secrets, profile=profile,
            )  # fmt: skip
        except CaptureOff as error:
            off = error
        last = there[-1].turn if there else after
        there += _all(store, conversation, own, last)
        named = {each.key: each.turn for each in there}
        ids = [id or named.get(key) for id, key in zip(ids, keys, strict=True)]
    known = observed.known + len(turns) - len(new)
    observed = replace(observed, known=known, turns=tuple(id for id in ids if id))
    places = {each.turn: place for place, each in enumerate(there)}
    return Stored(tuple(ids), places, observed, off)


def unkept(stored: Stored, conversation: str) -> list[str]:
    """Why some of the turns are not kept, a line each."""
    observed, missing = stored.observed, stored.ids.count(None)
    told = []
    if stored.off and missing:
        told.append(
            f"store: {stored.off.reason}, {missing} turns are not kept; {stored.off.remedy}"
        )
    if observed.incognito:
        told.append(f"store: {conversation} is incognito, {observed.incognito} turns are not kept")
    if observed.forgotten:
        told.append(f"store: {observed.forgotten} turns were forgotten, and do not come back")
    return told


def _all(store: Store, conversation: str, own: Scope, after: str | None) -> list[Passage]:
    found: list[Passage] = []
    while some := store.turns(conversation, own, after=after, limit=AT_ONCE):
        found += some
        after = some[-1].turn
    return found


def _forms(turn: Turn) -> tuple[str, str]:
    """What a turn says as it is stored: without its secrets, and with them."""
    public = without_private(mend(turn.content)[0])
    return redacted(public)[0], public


def _chain(turns: Sequence[Turn], safe: Sequence[str], begins: str) -> list[str]:
    """An id for each turn, of its words and of those before it; the secrets are not in it."""
    from hashlib import blake2b  # loads OpenSSL, which reading can do without

    keys = []
    link = begins.encode()
    for turn, content in zip(turns, safe, strict=True):
        parts = (Role(turn.role).value, turn.speaker or "", content)
        said = "\0".join(parts).encode(errors="replace")
        link = blake2b(said, key=link, digest_size=16).digest()
        keys.append(f"compact-{link.hex()[:16]}")
    return keys


def _known(
    turns: Sequence[Turn],
    forms: Sequence[tuple[str, str]],
    keys: Sequence[str],
    there: Sequence[Passage],
    look_ahead: int,
) -> list[str | None]:
    """The stored turns that these are: by their ids, or the next ones that say the same."""
    keyed = {each.key: place for place, each in enumerate(there)}
    ids: list[str | None] = []
    at = 0
    for turn, form, key in zip(turns, forms, keys, strict=True):
        place = keyed.get(key)
        if place is None:
            ahead = range(at, min(at + look_ahead, len(there)))
            same = (
                each
                for each in ahead
                if there[each].role == turn.role and there[each].content in form
            )
            place = next(same, None)
        ids.append(None if place is None else there[place].turn)
        at = at if place is None else max(at, place + 1)
    return ids
