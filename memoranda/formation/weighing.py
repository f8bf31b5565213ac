"""What a language model says of memories that rules found to contradict each other.

It only says whether both can be true. What is done about it is decided here: the policy of the
settings, rules before remarks, pins before all.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from memoranda.answers import Message, Outcome
from memoranda.care import Contradicting, Contradiction
from memoranda.errors import Conflict, NotFound
from memoranda.formation import prompts, settling
from memoranda.formation.asking import Unanswered
from memoranda.formation.cap import Cap
from memoranda.formation.comparing import LONGEST
from memoranda.formation.run import Missed, Run
from memoranda.policy.contradictions import may_win, told_at
from memoranda.protocols import all_open
from memoranda.types import Kind, Memory, Role

if TYPE_CHECKING:
    from pydantic import BaseModel

PROMPT = "weigh"

AT_ONCE = 5
"""Pairs in one question."""

MOST = 50
"""Pairs that one pass asks about."""

ROOM = 120
"""Tokens for what is said of each."""

Verdict = Literal["newer", "older", "both"]


@dataclass(frozen=True, slots=True)
class _Weighed:
    found: Contradiction
    verdict: Verdict


def weigh(run: Run, cap: Cap) -> None:
    """Ask about what no model has looked at yet, and do what the policy allows.

    Each is one transaction, and counts against the cap of the pass. Raises what `run.ask` does.
    """
    if run.by_rules:
        return
    waiting = list(islice(_unweighed(run), MOST))
    for at in range(0, len(waiting), AT_ONCE):
        try:
            weighed = list(_asked(waiting[at : at + AT_ONCE], run))
        except Unanswered as error:
            run.miss(Missed(), error)
            continue
        for each in weighed:
            _carry_out(each, run, cap)


def _unweighed(run: Run) -> Iterator[Contradiction]:
    kinds = (Contradicting.CONFLICT,)
    for each in all_open(run.store.contradictions, run.targets, kinds=kinds):
        if not each.weighed and (found := settling.of_memories(each, run.store, run.targets)):
            yield found


def _may_settle(found: Contradiction, run: Run) -> bool:
    """Whether the newer one may take the place of the older without a person."""
    if run.terms.policy.conflicts != "newer" or run.terms.policy.review:
        return False
    return may_win(found.newer, found.older)


def _carry_out(weighed: _Weighed, run: Run, cap: Cap) -> None:
    """Settle one, or remember that it was looked at; what somebody changed meanwhile stays."""
    found, now = weighed.found, run.clock()
    sides = (found.newer, found.older)
    with suppress(Conflict, NotFound), run.store.transaction():
        if weighed.verdict == "newer" and _may_settle(found, run) and cap.may_close(found.scope):
            made = settling.replaced(*sides, now, never_held=False)
            run.store.apply([made], at=now, by=run.by, of=run.id)
        elif weighed.verdict == "both" and not any(map(_is_protected, sides)):
            run.store.contradictions.settle(found.id, at=now)
        else:
            run.store.contradictions.weigh(found.id, at=now)


def _is_protected(memory: Memory) -> bool:
    """Whether only a person says that something may hold beside it."""
    return memory.pinned or memory.kind == Kind.CONSTRAINT


# Asking -------------------------------------------------------------------------------------------


def _asked(pairs: Sequence[Contradiction], run: Run) -> Iterator[_Weighed]:
    """What the model says of each; nothing when its answer cannot be used."""
    told = run.ask(
        "weigh",
        prompts.load(PROMPT).version,
        _messages(pairs),
        _form_of(len(pairs)),
        max_tokens=ROOM * len(pairs),
        turns=(),
        memories=[memory.id for each in pairs for memory in (each.newer, each.older)],
    )
    if told.outcome == Outcome.OK and told.value is not None:
        for name, each in _named(pairs):
            yield _Weighed(each, getattr(told.value, name).verdict)


def _messages(pairs: Sequence[Contradiction]) -> list[Message]:
    data = {
        "pairs": {
            name: {"newer": _told(each.newer), "older": _told(each.older), "differ": each.slot}
            for name, each in _named(pairs)
        }
    }
    return [
        Message(Role.SYSTEM, prompts.load(PROMPT).text),
        Message(Role.USER, json.dumps(data, ensure_ascii=False, indent=1)),
    ]


def _told(memory: Memory) -> dict[str, Any]:
    day = f"{told_at(memory):%Y-%m-%d}"
    return {"kind": memory.kind, "text": memory.content[:LONGEST], "told": day}


def _named(pairs: Sequence[Contradiction]) -> list[tuple[str, Contradiction]]:
    return [(f"p{place}", each) for place, each in enumerate(pairs, 1)]


@lru_cache(maxsize=AT_ONCE)
def _form_of(pairs: int) -> type[BaseModel]:
    """For each pair a verdict. Loads pydantic."""
    from pydantic import create_model

    verdict = create_model(
        "Verdict", __config__={"extra": "forbid"}, verdict=(Verdict, ...), reason=(str, ...)
    )
    fields: dict[str, Any] = {f"p{place}": (verdict, ...) for place in range(1, pairs + 1)}
    return create_model("Weighed", __config__={"extra": "forbid"}, **fields)
