"""What the user's turns needed, what of that reached the prompt, and what the answer used.

Done when nobody waits: from the turns, the answers to them and what was served, without a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from memoranda.care import Exchange, Need
from memoranda.protocols import Store
from memoranda.retrieval import lexical
from memoranda.text.use import is_about, is_used
from memoranda.types import EVER_BELIEVED, Filter, Memory, Scope, Scopes

QUIET = timedelta(minutes=10)
"""After so long without another turn of the user an answer is taken to be whole."""

AT_ONCE = 100
"""Exchanges read at once."""

LOOKED_AT = 20
"""So many of the memories that share most words with a question may be what it is about."""


def reckon(store: Store, own: Scope, visible: Scopes, now: datetime, *, most: int = 10_000) -> int:
    """Reckon what was said in the conversations of a scope since the last time; returns how much.

    Each turn is a transaction of its own, so that stopping loses nothing.
    """
    done = 0
    while done < most and (
        exchanges := store.uses.exchanges(own, before=now - QUIET, limit=AT_ONCE)
    ):
        for each in exchanges:
            _reckon(each, store, visible, now)
        done += len(exchanges)
    return done


def _reckon(exchange: Exchange, store: Store, visible: Scopes, now: datetime) -> None:
    if not exchange.reply:
        store.uses.reckon(exchange, (), ())
        return
    ever = Filter(now=now, statuses=EVER_BELIEVED)
    served = store.fetch_memories(exchange.served, visible, ever)
    used = {each.id for each in served if _is_used(each, exchange)}
    needs = {each.id: Need(each.id, reached=True, used=True) for each in served if each.id in used}
    for each in _asked_about(exchange, store, visible, now):
        reached = each.id in exchange.served
        needs.setdefault(each.id, Need(each.id, reached=reached, used=_is_used(each, exchange)))
    store.uses.reckon(exchange, sorted(used), list(needs.values()))


def _asked_about(
    exchange: Exchange, store: Store, visible: Scopes, now: datetime
) -> Iterator[Memory]:
    """The memories known by then, and true, that the turn is about, or the answer tells."""
    turn = exchange.turn
    known = Filter(now=now, known=turn.time, as_of=turn.time)
    words = lexical.words(turn.content)
    if not words:
        return
    found = store.search_memories(words, visible, known, LOOKED_AT).found
    for each in store.fetch_memories([one.id for one in found], visible, known):
        if is_about(each.content, turn.content) or _is_used(each, exchange):
            yield each


def _is_used(memory: Memory, exchange: Exchange) -> bool:
    return is_used(memory.content, question=exchange.turn.content, reply=exchange.reply)
