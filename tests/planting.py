"""A word in every place of a home that holds words, and every way to forget it there."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import memoranda
from memoranda import Memoranda, Turn
from memoranda.passes import Neighbour, Stage
from memoranda.protocols import Vector
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import OWNER, a_memory
from memoranda.testing.passes import a_call, begin, chosen
from memoranda.types import Change, Kind, Memory, Operation, Receipt, Role, Source, Status
from tests.canaries import canaries, opened

MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
BEFORE = MAY - 30 * 24 * HOUR
"""When what stays was said and written down; what goes was in May."""

(WORD,) = canaries(1)
OTHER_NAMES = ("Qwombatina", "Vexlorthia")
FILLER = "And so it went on until the morning came, with nothing else to tell. "


@dataclass
class Planted:
    """What was planted: the ids of what goes and of what stays, and the vectors of what goes."""

    export: Path
    word: str = WORD
    turns: list[str] = field(default_factory=list)
    memories: list[str] = field(default_factory=list)
    staying: list[str] = field(default_factory=list)
    vectors: list[Vector] = field(default_factory=list)


Plant = Callable[[Memoranda, Planted], None]


def turns(m: Memoranda, planted: Planted) -> None:
    """A whole conversation, from a file: its name, ids, speakers, short and long turns, a reply."""
    word = planted.word
    said = [
        Turn(f"about {word}", "user", f"We call it {word.title()}, Anna.", MAY, f"Dr {word}"),
        Turn(f"about {word}", "assistant", "And who else knows?", MAY + timedelta(minutes=1)),
        Turn(
            f"about {word}", "user", FILLER * 60 + word.upper() + FILLER * 60 + word,
            MAY + HOUR, id=f"key-{word}",
        ),
        Turn(f"about {word}", "user", f"no time for {word}"),
    ]  # fmt: skip
    planted.export.write_text("\n".join(json.dumps(line(turn)) for turn in said))
    planted.turns += m.import_(planted.export).turns


def line(turn: Turn) -> dict[str, str]:
    told = {
        "conversation": turn.conversation,
        "role": Role(turn.role).value,
        "content": turn.content,
        "speaker": turn.speaker,
        "id": turn.id,
        "time": None if turn.time is None else turn.time.isoformat(),
    }
    return {name: value for name, value in told.items() if value is not None}


def on_turns(m: Memoranda, planted: Planted) -> None:
    """Memories that rest on these turns, with quotes, and on nothing else."""
    word = planted.word
    planted.memories += [
        m.remember(
            f"The plan of Anna is {word.title()}",
            detail=f"see {word}-2",
            topics=[f"{word} plans"],
            entities=[word.upper()],
            source=planted.turns[0],
        ).id,
        m.remember(f"The morning of {word} came", source=planted.turns[2]).id,
    ]


def consolidated(m: Memoranda, planted: Planted) -> None:
    """Two passes over these turns and others, the second undone, with the word wherever it may be.

    In what a model said and an endpoint complained of, in candidates of these turns, and beside one
    of a turn that stays.
    """
    passes, own, word = m._store.passes, m.access.own, planted.word
    scope = m.access.project or own
    first, second, *_, last = planted.turns
    of = begin(m._store, own=own)
    stays = planted.staying[-1] if planted.staying and own == OWNER else None
    offered = (*planted.turns, *([stays] if stays else ()))
    call = a_call(of, turns=offered, memories=tuple(planted.memories))
    odd = replace(call.attempts[0], error=f"no {word}", body=f'{{"kept": ["{word}"]}}')
    call = replace(call, attempts=(odd, odd))
    passes.record(call)
    reason, calls = f"the answer {word} is none", (call.id,)
    says = chosen(m._store, of, first, "Anna", own=own, says=f"called {word}", scope=scope)
    takes = chosen(m._store, of, second, "knows", own=own, content=word)
    made = [replace(each, reason=reason, calls=calls) for each in (says, takes)]
    near = Neighbour(planted.memories[0], Kind.FACT, f"about {word}", Status.CURRENT, 0.1, {})
    aside = {last: f"it said {word}"}
    if stays:
        beside = chosen(m._store, of, stays, "gate", stage=Stage.SET_ASIDE, neighbours=(near,))
        made.append(replace(beside, reason=reason, calls=calls))
        aside[stays] = f"it said {word}"
    passes.read(of, [first, second], made, aside=aside, at=MAY)
    passes.end(of, at=MAY, stopped=f"the endpoint said {word}")
    undone(m, planted, of, first)


def undone(m: Memoranda, planted: Planted, earlier: str, turn: str) -> None:
    """A pass whose memories are gone already, but for what the ledger tells of them."""
    of = begin(m._store, own=m.access.own)
    source = Source("turn", MAY, f"call it {planted.word}", turn, start=0, end=9)
    memory = a_memory(f"{planted.word} undone", at=MAY, scope=m.access.own, sources=(source,))
    m._store.apply([Change(Operation.ADD, None, memory)], at=MAY, by="pass", of=of)
    held = m._store.memory(planted.memories[0], m.access.visible)
    again = replace(held, mention_count=2, sources=(*held.sources, source))
    m._store.apply([Change(Operation.NOOP, held, again)], at=MAY, by="pass", of=of)
    m._store.passes.read(of, [], [], aside={planted.turns[-1]: planted.word}, at=MAY)
    m._store.passes.end(of, at=MAY, stopped=None)
    m._store.passes.undo(of, at=MAY, by="test")
    for id in (earlier, of):
        assert m._store.passes.one(id, m.access.own)


def by_hand(m: Memoranda, planted: Planted) -> None:
    """A memory that was revised, corrected and confirmed by others, with reasons."""
    word = planted.word
    first = m.remember(f"{word} is in Bergen", detail=word, topics=[word], entities=[word])
    second = m.revise(first.id, f"{word} is in Oslo", reason=f"{word} moved")
    third = m.revise(second.id, f"{word} was in Oslo", reason=f"not {word}", correction=True)
    m.confirm(third.id)
    m.pin(third.id)
    planted.memories += [first.id, second.id, third.id]


def arranged(m: Memoranda, planted: Planted) -> None:
    """Entities with the word in their names, merged."""
    word = planted.word
    for name in (f"{word} one", f"{word} two"):
        planted.memories.append(m.remember(f"about {name}", entities=[word, name]).id)
        m.merge(word, name)


def split_off(m: Memoranda, planted: Planted) -> None:
    """Part of an entity that was split off under another name with the word in it."""
    word = planted.word
    planted.memories.append(m.remember(f"{word} three is another", entities=[word]).id)
    m.split(word, f"{word} three", mentions=[planted.memories[-1]])


def merged_with_one_that_stays(m: Memoranda, planted: Planted) -> None:
    """The word as another name of somebody whom other memories name too."""
    word, (name, other) = planted.word, OTHER_NAMES
    planted.memories += [
        m.remember(f"He is {word.title()} too", entities=[f"{word} four"]).id,
        m.remember("He is called otherwise", entities=[f"{word} five"]).id,
    ]
    m.merge(name, f"{word} four")
    m.merge(f"{word} five", other)


def revised_into_one_that_stays(m: Memoranda, planted: Planted) -> None:
    """A memory that gave way to one known before, for a reason."""
    old = m.remember(f"Anna likes {planted.word}")
    m.revise(old.id, STAYING[0], reason=f"she never liked {planted.word}")
    planted.memories.append(old.id)


def from_file(m: Memoranda, planted: Planted) -> None:
    """Memories that came from a file, with the word in its path."""
    word = planted.word
    memory = Memory(
        id="01ARZ3NDEKTSV4RRFFQ69G5FAV",
        kind=m.list()[0].kind,
        content=f"{word.title()} keeps the keys",
        detail=word,
        topics=(word,),
        entities=(word,),
        scope=m.access.own,
        sources=(Source(kind="file", path=f"notes/{word}.md", line=3, quote=f"{word}: keys"),),
        confidence=0.9,
        recorded_at=MAY,
    )
    m._store.apply([Change(Operation.REMEMBER, None, memory)], at=MAY, by="test")
    m.confirm(memory.id)
    m.embed()
    planted.memories.append(memory.id)


STAYING = ("Anna likes green tea", "The harbour freezes in winter", "Is the gate open?")


def neighbours(m: Memoranda) -> list[str]:
    """Memories and turns that have nothing to do with it, by their ids."""
    m._clock = lambda: BEFORE
    name, other = OTHER_NAMES
    return [
        m.remember(STAYING[0]).id,
        m.remember(STAYING[1], entities=[name, other]).id,
        *m.observe([Turn("gate", "user", STAYING[2], BEFORE)]).turns,
    ]


@dataclass(frozen=True)
class Way:
    """A way to forget, what is planted that it reaches, and who opens the home meanwhile.

    `leave` is how many of the neighbours stay. To be found by a question, what `opens` must have
    vectors that mean something.
    """

    forget: Callable[[Memoranda, Planted], Receipt]
    plants: tuple[Plant, ...]
    who: Mapping[str, Any] = field(default_factory=dict)
    leave: int = len(STAYING)
    opens: Callable[..., Memoranda] = opened


PASSED = (turns, on_turns, consolidated)
ALL = (*PASSED, by_hand, arranged, split_off, merged_with_one_that_stays)
WAYS = {
    "ids": Way(
        lambda m, p: m.forget(*p.turns, *p.memories), (*ALL, revised_into_one_that_stays, from_file)
    ),
    "turns": Way(lambda m, p: m.forget(*p.turns), PASSED),
    "source": Way(lambda m, p: m.forget(source=f"notes/{p.word}.md"), (from_file,)),
    "conversation": Way(lambda m, p: m.forget(conversation=f"about {p.word}"), PASSED),
    "entity": Way(lambda m, p: m.forget(entity=p.word), (by_hand, arranged)),
    "entity in turns": Way(lambda m, p: _by_entity_then_the_rest(m, p), PASSED),
    "query": Way(lambda m, p: m.forget(query=p.word), (from_file, arranged), opens=memoranda.open),
    "project": Way(
        lambda m, p: m.forget(project=p.word), PASSED, {"project": WORD}
    ),
    "profile": Way(lambda m, p: m.forget(profile=p.word), ALL[:-1], {"profile": WORD}),
    "person": Way(lambda m, p: m.forget(person=p.word), ALL[:-1], {"person": WORD}),
    "time": Way(
        lambda m, p: m.forget(since=MAY - HOUR, until=MAY + 24 * HOUR),
        (*ALL, revised_into_one_that_stays, from_file),
    ),
    "everything": Way(lambda m, p: m.forget(everything=True), (*ALL, from_file), leave=0),
}  # fmt: skip


def _by_entity_then_the_rest(m: Memoranda, planted: Planted) -> Receipt:
    """What names it, and the turns beside that are known only by their conversation."""
    m.forget(entity=planted.word)
    return m.forget(conversation=f"about {planted.word}")


def plant(m: Memoranda, way: Way, export: Path, staying: list[str]) -> Planted:
    planted = Planted(export, staying=staying)
    for each in way.plants:
        m._clock = lambda: MAY
        each(m, planted)
    planted.vectors = vectors_of(m, planted.word)
    return planted


def vectors_of(m: Memoranda, word: str) -> list[Vector]:
    """The vectors of texts with a word, and of those that follow such a text."""
    assert isinstance(m._store, SqliteStore)
    with m._store._connections.reading() as db:
        return [
            value
            for (value,) in db.execute(
                """SELECT value FROM memory_vector v JOIN memory m ON m.row = v.memory
                WHERE instr(lower(m.content), :word)
                UNION ALL SELECT value FROM passage_vector v JOIN passage p ON p.row = v.passage
                JOIN turn t ON t.row = p.turn JOIN conversation c ON c.row = t.conversation
                LEFT JOIN passage q ON q.row = p.previous
                WHERE instr(lower(concat_ws(' ', p.content, q.content, t.speaker, c.name)), :word)
                """,
                {"word": word},
            )
        ]


def told_of(m: Memoranda, planted: Planted) -> list[str]:
    """Where a home still tells the word, asked in every way there is."""
    told = {
        "recall": m.recall(planted.word, limit=50, budget=0).hits,
        "list": m.list(statuses=list(Status), limit=100),
        "entities": m.entities(limit=1000),
        "topics": m.topics(),
        "passes": m._store.passes.passes(m.access.own, limit=9),
        "candidates": m._store.passes.decisions(m.access.visible, limit=99),
        "aside": m._store.passes.aside(m.access.own, limit=9),
        "history": [_history(m, id) for id in (*planted.memories, *planted.staying)],
    }
    return [name for name, answer in told.items() if planted.word in repr(answer).lower()]


def _history(m: Memoranda, id: str) -> object:
    from memoranda import NotFound

    try:
        return m.history(id)
    except NotFound:
        return ()
