"""What a ref stands for, as much of it as fits a budget."""

from __future__ import annotations

from dataclasses import replace

from memoranda.context.messages import PER_MESSAGE
from memoranda.errors import NotFound
from memoranda.protocols import Store
from memoranda.text import tokens
from memoranda.types import Passage, Scope, Scopes
from memoranda.working import Expanded, Ref

AT_ONCE = 500
WHOLE = 26
"""Characters of an id."""


def expand(
    ref: Ref,
    store: Store,
    visible: Scopes,
    own: Scope,
    *,
    conversation: str | None,
    budget: int | None,
) -> Expanded:
    """The turns of a ref, in order as they came in. Raises NotFound, Ambiguous, InvalidInput."""
    try:
        found = _found(ref, store, visible, own, conversation)
    except NotFound:
        found = []
    if not found:
        raise NotFound(
            f"of {ref} no turn is open here: forgotten, expired, never kept, or another's"
        )
    if not ref.is_stretch:
        ref = replace(ref, first=found[0].turn, last=found[0].turn)
    gone = 0 if ref.turns is None else max(0, ref.turns - len(found))
    if found[0].turn == ref.first and ref.start:
        found[0] = _from(found[0], ref.start)
    return _within(ref, found, gone, budget)


def _found(
    ref: Ref, store: Store, visible: Scopes, own: Scope, conversation: str | None
) -> list[Passage]:
    if not ref.is_stretch:
        return [store.turn(ref.first, visible)]
    first, last = (_whole(end, store, visible) for end in (ref.first, ref.last))
    found: list[Passage] = []
    while some := store.stretch(
        first, last, visible, conversation=conversation, own=own, limit=AT_ONCE
    ):
        found += some[1:] if found else some  # a page begins with the last one of the page before
        if len(some) < AT_ONCE:
            break
        first = found[-1].turn
    return found


def _whole(end: str, store: Store, visible: Scopes) -> str:
    """The id of an end of a stretch, which may be given by its beginning."""
    return end if len(end) == WHOLE else store.turn(end, visible).turn


def _from(turn: Passage, start: int) -> Passage:
    """A turn from one of its characters on."""
    return replace(turn, start=turn.start + start, content=turn.content[start:])


def _within(ref: Ref, found: list[Passage], gone: int, budget: int | None) -> Expanded:
    """As many turns as fit; of the first that does not, the beginning, if it is all there is."""
    told: list[Passage] = []
    took = 0
    for place, turn in enumerate(found):
        more = PER_MESSAGE + tokens.estimate(turn.content)
        if budget is not None and took + more > budget:
            if not told:
                begun = tokens.beginning(turn.content, budget - PER_MESSAGE)[:-1]
                told = [replace(turn, content=begun)] if begun else []
                took = PER_MESSAGE + tokens.estimate(begun) if begun else 0
                turn = _from(turn, len(begun))
            left = len(found) - place
            rest = Ref(turn.turn, ref.last, left if left > 1 else 1, turn.start)
            return Expanded(str(ref), tuple(told), gone, took, str(rest))
        told.append(turn)
        took += more
    return Expanded(str(ref), tuple(told), gone, took)
