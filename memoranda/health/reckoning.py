"""What the user's turns needed, what of that reached the prompt, and what the answer used.

Done when nobody waits: from the turns, the answers to them and what was served, without a model.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memoranda.care import Exchange, Need
from memoranda.protocols import Store
from memoranda.retrieval import lexical
from memoranda.text import questions
from memoranda.text.use import Words, is_about, is_used, words_of
from memoranda.types import EVER_BELIEVED, Filter, Memory, Passage, Scope, Scopes

QUIET = timedelta(minutes=10)
"""After so long without another turn of the user an answer is taken to be whole."""

AT_ONCE = 100
"""Exchanges read at once."""

LOOKED_AT = 20
"""So many of the memories that share most words with a question may be what it is about."""


def reckon(store: Store, own: Scope, visible: Scopes, now: datetime, *, most: int) -> int:
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
    said = _Said(words_of(exchange.turn.content), words_of(exchange.reply))
    ever = Filter(now=now, statuses=EVER_BELIEVED)
    served = store.fetch_memories(exchange.served, visible, ever)
    used = {each.id for each in served if said.used(words_of(each.content))}
    needs = {id: Need(id, reached=True, used=True) for id in used}
    for memory in _known_by(exchange.turn, store, visible, now):
        kept = words_of(memory.content)
        was_used = said.used(kept)
        if was_used or (questions.asks(exchange.turn.content) and is_about(kept, said.question)):
            reached = memory.id in exchange.served
            needs.setdefault(memory.id, Need(memory.id, reached=reached, used=was_used))
    store.uses.reckon(exchange, sorted(used), list(needs.values()))


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a question and of the answer to it."""

    question: Words
    reply: Words

    def used(self, memory: Words) -> bool:
        return is_used(memory, question=self.question, reply=self.reply)


def _known_by(turn: Passage, store: Store, visible: Scopes, now: datetime) -> list[Memory]:
    """Those of the memories known by then, and true, that share most words with a turn."""
    known = Filter(now=now, known=turn.time, as_of=turn.time)
    words = lexical.words(turn.content)
    found = store.search_memories(words, visible, known, LOOKED_AT).found if words else ()
    return store.fetch_memories([each.id for each in found], visible, known)
