"""What forgetting costs: the whole verb, until no trace is left in any file.

CPU time of the process is the figure to compare. Three people have a tenth of the home each, and
its owner the rest: memories of the vocabulary of `latency`, about entities and topics, every tenth
of them resting on words of a turn, and turns; all have vectors, and the copy of these is loaded.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta
from itertools import islice
from pathlib import Path
from statistics import median

from memoranda import wiring
from memoranda.bench.latency import EPOCH, LENGTH_OF_TEXT, Vocabulary
from memoranda.bench.vectors import MadeUp
from memoranda.memoranda import Memoranda
from memoranda.policy import confidence
from memoranda.policy.access import Access
from memoranda.settings import Settings
from memoranda.stores.connections import connect, query
from memoranda.stores.registry import INDEXES
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Change, Kind, Memory, Operation, Receipt, Scope, Source, Turn, new_id

PEOPLE = ("anna", "ben", "cara")
TURNS = 5
"""So many memories for each turn."""

RESTING = 10
"""Of so many memories one rests on a turn."""

IN_CONVERSATION = 50
TOPICS = 200
ENTITIES = 2000
EACH = 9
"""Times that each is forgotten, but for people."""

AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Row:
    """Forgetting `what`, several times, with which so many memories and turns went at most.

    Times are in milliseconds. `held` is for how long the write lock was, in CPU, at most; `ratio`
    how many times the CPU it takes at the median that SQLite alone needs to write the two
    full-text indexes of the full home anew.
    """

    what: str
    times: int
    memories: int
    turns: int
    cpu_p50: float
    cpu_worst: float
    wall_worst: float
    held: float
    ratio: float


COLUMNS = tuple(each.name for each in fields(Row))


def run(size: int, advance: Callable[[int], None] = lambda _: None) -> list[Row]:
    """Forget in a home of `size` memories and a fifth as many turns."""
    with tempfile.TemporaryDirectory() as folder:
        home = wiring.init(Path(folder) / "home", enable=True)
        fill(home, size, advance)
        return measure(home)


# Filling ------------------------------------------------------------------------------------------


def fill(home: Path, size: int, advance: Callable[[int], None]) -> None:
    vocabulary, model = Vocabulary(random.Random(size)), MadeUp(size)
    store = SqliteStore(home / wiring.STORE_FILE)
    store.embed_by(model.name)
    for person in (*PEOPLE, None):
        share = size // 10 if person else size - len(PEOPLE) * (size // 10)
        opened = _opened(store, person, model)
        turns = _observed(opened, share // TURNS, vocabulary)
        for memories in _memories(opened, share, turns, vocabulary):
            changes = [Change(Operation.REMEMBER, None, each) for each in memories]
            store.apply(changes, at=EPOCH, by="bench")
            advance(len(memories))
        while waiting := store.unembedded(AT_ONCE):
            vectors = model.embed([each.text for each in waiting])
            store.keep_vectors(model.name, list(zip(waiting, vectors, strict=True)))
    store.close()


def _opened(store: SqliteStore, person: str | None, model: MadeUp) -> Memoranda:
    access = Access(person=Scope("user", person), profile=None, project=None)
    return Memoranda(
        store, Settings(), access, path=store.path.parent, door="bench", embedder=model
    )


def _observed(memoranda: Memoranda, count: int, vocabulary: Vocabulary) -> tuple[str, ...]:
    turns = (
        Turn(
            conversation=f"c{number // IN_CONVERSATION}",
            role=("user", "assistant")[number % 2],
            content=vocabulary.text(120),
            time=EPOCH + timedelta(seconds=number),
        )
        for number in range(count)
    )
    return memoranda.observe(turns, embed=False).turns


def _memories(
    memoranda: Memoranda, count: int, turns: Sequence[str], vocabulary: Vocabulary
) -> Iterator[list[Memory]]:
    numbers = iter(range(count))
    kinds = list(Kind)
    while batch := list(islice(numbers, AT_ONCE)):
        yield [
            Memory(
                id=new_id(EPOCH),
                kind=kinds[number % len(kinds)],
                content=vocabulary.text(LENGTH_OF_TEXT),
                scope=memoranda.access.own,
                topics=(f"topic-{number % TOPICS}",),
                entities=(f"Entity {number % ENTITIES}",),
                sources=(_source(number, turns),),
                recorded_at=EPOCH + timedelta(seconds=number),
                confidence=confidence.BY_HAND,
            )
            for number in batch
        ]


def _source(number: int, turns: Sequence[str]) -> Source:
    if number % RESTING or not turns:
        return Source(kind="person", time=EPOCH, by="bench")
    turn = turns[(number // RESTING) % len(turns)]
    return Source(kind="turn", time=EPOCH, turn=turn, start=0, end=20)


# Measuring ----------------------------------------------------------------------------------------

OWN = "scope = (SELECT row FROM scope WHERE name = 'user')"
RESTS = "EXISTS (SELECT 1 FROM source WHERE memory = m.row AND turn IS NOT NULL)"


def measure(home: Path) -> list[Row]:
    """Forget things of all sizes in a home that `fill` filled, the small ones first."""
    anew = _writing_anew(home)

    def some(what: str, those: str, count: int = EACH) -> list[str]:
        db = connect(home / wiring.STORE_FILE, 1.0)
        found = sorted(value for (value,) in query(db, f"SELECT {what} FROM {those}"))
        db.close()
        return random.Random(len(found)).sample(found, min(count, len(found)))

    def row(what: str, chosen: Sequence[str], forget: Callable[[Memoranda, str], Receipt]) -> Row:
        return _measured(home, what, chosen, forget, anew)

    alone = f"memory m WHERE {OWN} AND NOT {RESTS}"
    resting = f"memory m WHERE {OWN} AND {RESTS}"
    turns = f"turn t JOIN conversation c ON c.row = t.conversation WHERE {OWN}"
    conversations, entities = f"conversation WHERE {OWN}", f"entity WHERE {OWN}"
    return [
        row("memory", some("id", alone), lambda m, id_: m.forget(id_)),
        row("memory, verified", some("id", alone, 3), lambda m, id_: m.forget(id_, verify=True)),
        row("memory of a turn", some("id", resting), lambda m, id_: m.forget(id_)),
        row("turn", some("t.id", turns), lambda m, id_: m.forget(id_)),
        row("conversation", some("name", conversations), lambda m, c: m.forget(conversation=c)),
        row("entity", some("id", entities), lambda m, id_: m.forget(entity=id_)),
        row("person", PEOPLE[:-1], lambda m, name: m.forget(person=name)),
        row("person, verified", PEOPLE[-1:], lambda m, name: m.forget(person=name, verify=True)),
    ]


def _writing_anew(home: Path) -> float:
    """CPU seconds in which SQLite writes both full-text indexes anew, at the median."""
    times = []
    db = connect(home / wiring.STORE_FILE, 1.0)
    for _ in range(3):
        db.execute("BEGIN IMMEDIATE")
        for table in ("memory", "passage"):  # else there is nothing to write
            db.execute(f"DELETE FROM {table} WHERE row = (SELECT max(row) FROM {table})")
        started = time.process_time()
        for index in INDEXES:
            db.execute(f"INSERT INTO {index} ({index}) VALUES ('optimize')")
        times.append(time.process_time() - started)
        db.execute("ROLLBACK")
    db.close()
    return median(times)


def _measured(
    home: Path,
    what: str,
    chosen: Sequence[str],
    forget: Callable[[Memoranda, str], Receipt],
    anew: float,
) -> Row:
    store = SqliteStore(home / wiring.STORE_FILE)
    memoranda = _opened(store, None, MadeUp(0))
    memoranda.recall("what loads the vectors")
    cpu, wall, receipts = [], [], []
    for each in chosen:
        cpu_started, wall_started = time.process_time(), time.perf_counter()
        receipts.append(forget(memoranda, each))
        cpu.append(1000 * (time.process_time() - cpu_started))
        wall.append(1000 * (time.perf_counter() - wall_started))
    memoranda.close()
    traces = sum(sum((each.found or {}).values()) for each in receipts)
    if traces or any(each.pending for each in receipts):
        raise AssertionError(f"forgetting a {what} left {traces} traces")
    return Row(
        what=what,
        times=len(chosen),
        memories=max(len(each.forgotten) for each in receipts),
        turns=max(len(each.turns) + len(each.cut) for each in receipts),
        cpu_p50=round(median(cpu), 1),
        cpu_worst=round(max(cpu), 1),
        wall_worst=round(max(wall), 1),
        held=round(1000 * store.longest_write.cpu, 1),
        ratio=round(median(cpu) / (1000 * anew), 2),
    )
