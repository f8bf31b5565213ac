"""The copy of the vectors in memory is always as good as the file."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memoranda.bench.vectors import MadeUp, nearest
from memoranda.protocols import Words
from memoranda.stores import vectors as implementation
from memoranda.stores.connections import connect
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import (
    ANNA,
    MARCH,
    MODEL,
    NOW,
    OWNER,
    a_memory,
    add,
    find_turns,
    forget,
    give_vectors,
    incoming,
    near_contents,
    observe,
    vector,
)
from memoranda.types import Change, Memory, Operation, Ranked, Scope, Status

Numbers = tuple[float, ...]


@contextmanager
def two_stores() -> Iterator[tuple[SqliteStore, SqliteStore]]:
    """A store opened twice, as two processes do."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        SqliteStore.create(path, at=MARCH)
        one, other = SqliteStore(path), SqliteStore(path)
        try:
            yield one, other
        finally:
            one.close()
            other.close()


NUMBERS = st.tuples(*[st.integers(-3, 3).map(float)] * 5).filter(any)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), NUMBERS, st.sampled_from([OWNER, ANNA])),
        st.tuples(st.just("change"), NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("forget"), NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("move"), NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("unread"), NUMBERS, st.integers(0, 9)),
        st.tuples(st.just("again"), NUMBERS, st.integers(0, 9)),
    ),
    max_size=12,
)


@given(STEPS, st.booleans())
def test_another_process_sees_every_change(
    steps: list[tuple[str, Numbers, object]], few: bool
) -> None:
    with two_stores() as (writer, reader), pytest.MonkeyPatch.context() as patch:
        if few:  # vectors stay in the file, and changes make the copy anew
            patch.setattr(implementation, "MOST_HELD", 2)
            patch.setattr(implementation, "MOST_CHANGES", 3)
        kept: dict[str, tuple[Memory, Numbers]] = {}
        for number, (step, numbers, about) in enumerate(steps):
            if step == "add":
                memory = a_memory(f"text {number}", scope=about)  # type: ignore[arg-type]
                give_vectors(writer, {memory: numbers})
                kept[memory.id] = (memory, numbers)
            elif kept:
                id = sorted(kept)[int(str(about)) % len(kept)]
                memory, before = kept.pop(id)
                if step == "forget":
                    forget(writer, memory)
                    continue
                if step == "change":
                    changed, before = replace(memory, content=f"text {number}"), numbers
                elif step == "move":
                    changed = replace(memory, scope=ANNA if memory.scope == OWNER else OWNER)
                else:
                    changed = memory
                if changed is not memory:
                    change = Change(Operation.REVISE, memory, changed)
                    writer.apply([change], at=MARCH, by="test")
                if step == "again":
                    writer.embed_by(MODEL, again=True)
                    give_vectors(writer, {}, of={m.content: v for m, v in kept.values()})
                if step == "unread":
                    before = ()
                give_vectors(writer, {}, of={changed.content: before})
                if step == "unread":
                    writer.embed_by(MODEL, again=True)
                    everything = {m.content: v for m, v in kept.values()}
                    give_vectors(writer, {}, of={**everything, changed.content: ()})
                kept[id] = (changed, before)
            for visible in ((OWNER,), (ANNA,), (OWNER, ANNA)):
                found = reader.near("memory", vector(*numbers), MODEL, visible, NOW, 50)
                expected = {
                    id: float(np.dot(_floats(numbers), _floats(held)))
                    for id, (memory, held) in kept.items()
                    if memory.scope in visible and held
                }
                assert {each.id: each.score for each in found.found} == pytest.approx(
                    expected, abs=1e-5
                )
                assert found.unreadable == sum(
                    not held and memory.scope in visible for memory, held in kept.values()
                )


def _floats(numbers: Numbers) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    return np.frombuffer(vector(*numbers), "<f4")


@pytest.mark.parametrize("shift", [0.0, 0.2])
def test_nothing_of_the_ten_nearest_is_lost_among_many(shift: float) -> None:
    """Nor when a model puts everything on one side of zero."""
    size = 9000
    model = MadeUp(1)
    drawn = _moved(model.draw(size), shift)
    with two_stores() as (store, _):
        memories = [a_memory(f"text {number}") for number in range(size)]
        add(store, *memories)
        store.embed_by(MODEL)
        place = {memory.content: number for number, memory in enumerate(memories)}
        for text in [store.unembedded(size)]:
            store.keep_vectors(MODEL, [(each, drawn[place[each.text]].tobytes()) for each in text])
        kept = 0
        for question in _moved(model.draw(40), shift):
            found = store.near("memory", question.tobytes(), MODEL, (OWNER,), NOW, 10).found
            truly = {memories[number].id for number in nearest(drawn, question, 10)}
            kept += len(truly & {each.id for each in found})
            exact = [float(drawn[place[_content(memories, each.id)]] @ question) for each in found]
            assert [each.score for each in found] == pytest.approx(exact, abs=1e-5)
        assert kept >= 396


def _moved(vectors: NDArray[np.float32], by: float) -> NDArray[np.float32]:
    moved = vectors + np.float32(by)
    made: NDArray[np.float32] = moved / np.linalg.norm(moved, axis=1, keepdims=True)
    return made


def _content(memories: list[Memory], id: str) -> str:
    return next(memory.content for memory in memories if memory.id == id)


@given(
    st.lists(st.integers(0, 60), min_size=1, max_size=4),
    st.integers(1, 8),
    st.integers(0, 2**32 - 1),
)
def test_the_first_look_at_signs_skips_no_scope(sizes: list[int], limit: int, seed: int) -> None:
    chance = random.Random(seed)
    with two_stores() as (store, _), pytest.MonkeyPatch.context() as patch:
        patch.setattr(implementation, "LEAST_BY_SIGNS", 1)
        patch.setattr(implementation, "SPARE", 0)
        scopes = tuple(Scope("project", f"p{number}") for number in range(len(sizes)))
        given = {
            a_memory(f"{scope} {number}", scope=scope): tuple(
                chance.uniform(-1, 1) for _ in range(16)
            )
            for scope, size in zip(scopes, sizes, strict=True)
            for number in range(size)
        }
        give_vectors(store, given)
        question = tuple(chance.uniform(-1, 1) for _ in range(16))
        found = store.near("memory", vector(*question), MODEL, scopes, NOW, limit).found
        assert len(found) == min(limit, len(given))
        truly = {
            memory.id: float(_floats(question) @ _floats(held)) for memory, held in given.items()
        }
        for each in found:
            assert each.score == pytest.approx(truly[each.id], abs=1e-5)


def test_what_is_undone_is_not_remembered_by_the_copy() -> None:
    one, two, three = a_memory("one"), a_memory("two"), a_memory("three")
    with two_stores() as (store, _):
        give_vectors(store, {one: (1, 0), two: (1, 1), three: (0, 1)})
        assert len(near_contents(store, (1, 0))) == 3
        with suppress(RuntimeError), store.transaction():
            forget(store, one)
            assert near_contents(store, (1, 0)) == ["two", "three"]
            raise RuntimeError
        forget(store, two)
        assert near_contents(store, (1, 0)) == ["one", "three"]


def test_nothing_that_was_forgotten_stays_in_memory() -> None:
    plum = a_memory("plum")
    with two_stores() as (store, _):
        give_vectors(store, {plum: (1, 3), a_memory("pear"): (0, 1)})
        near_contents(store, (1, 0))
        forget(store, plum)
        store.purge()
        (copy,) = store._vectors.values()
        (scope,) = copy._scopes.values()
        for name in implementation.ARRAYS:
            held = getattr(scope, name)
            assert held is not None
            assert not held[scope.size :].any()


@given(
    st.lists(st.sampled_from(["plum", "pear", "plum pear", "fig", "plum plum plum"]), max_size=60),
    st.sets(st.integers(0, 59)),
    st.sets(st.sampled_from(["plum", "pear", "zirconium"]), min_size=1),
)
def test_no_score_reaches_the_ceiling(contents: list[str], gone: set[int], asked: set[str]) -> None:
    with two_stores() as (store, _):
        memories = [a_memory(f"{content} n{number}") for number, content in enumerate(contents)]
        add(store, *memories)
        doomed = [memory for number, memory in enumerate(memories) if number in gone]
        forget(store, *doomed)
        ranking = store.search_memories(Words(tuple(asked)), (OWNER,), NOW, 99)
        assert all(0 < each.score < ranking.ceiling for each in ranking.found)


@pytest.mark.parametrize("size", [1500, 4000, 12_000])
def test_the_ceiling_knows_how_common_a_word_is(size: int) -> None:
    with two_stores() as (store, _):
        add(store, *(a_memory(f"plum n{number}") for number in range(size)), a_memory("pear plum"))
        for asked in (("plum",), ("pear", "plum")):
            ranking = store.search_memories(Words(asked), (OWNER,), NOW, 20)
            assert 0 < ranking.found[0].score < ranking.ceiling


def test_what_holds_no_more_counts_neither_as_searched_nor_as_missing() -> None:
    with two_stores() as (store, _):
        old = {a_memory(f"old {n}", status=Status.SUPERSEDED): (1, n) for n in range(50)}
        give_vectors(store, {**old, a_memory("holds"): (1, 0)})
        add(store, a_memory("retired", status=Status.RETIRED))
        near = store.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 9)
        assert (near.searched, near.missing) == (1, 0)


def test_threads_search_while_another_writes() -> None:
    with two_stores() as (writer, reader), ThreadPoolExecutor(4) as pool:
        chance = random.Random(5)

        def search(_: int) -> bool:
            near = reader.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 5)
            scores = [each.score for each in near.found]
            return scores == sorted(scores, reverse=True)

        writer.embed_by(MODEL)
        told = pool.map(search, range(300))
        for number in range(60):
            give_vectors(writer, {a_memory(f"text {number}"): (1, chance.random())})
        assert all(told)
        assert len(near_contents(reader, (1, 0), limit=100)) == 60


@pytest.mark.parametrize(
    "value",
    [
        struct.pack("<2f", float("nan"), 1.0),
        struct.pack("<2f", float("inf"), 1.0),
        struct.pack("<2f", 0.0, 0.0),
        struct.pack("<2f", 1e-42, 0.0),
    ],
    ids=["nan", "inf", "zero", "subnormal"],
)
def test_a_vector_that_is_none_is_not_found(value: bytes) -> None:
    """Which only another program can have written."""
    with two_stores() as (store, _):
        give_vectors(store, {a_memory("plum"): (1, 0), a_memory("pear"): (0, 1)})
        db = connect(store.path, 1)
        db.execute("UPDATE memory_vector SET value = ? WHERE memory = 1", (value,))
        db.close()
        assert near_contents(store, (0, 1))[0] == "pear"
        also = [Ranked(memory.id, 1.0) for memory in store.memories((OWNER,), NOW, limit=9)]
        near = store.near("memory", vector(0, 1), MODEL, (OWNER,), NOW, 1, also=also)
        assert all(math.isfinite(each.score) for each in (*near.found, *near.others))


def test_the_words_of_a_deleted_turn_leave_the_next_one_too() -> None:
    with two_stores() as (store, _):
        observe(store, incoming("which zirconium pool?"), incoming("the big one"))
        give_vectors(store, {}, of={"which zirconium pool?": (1, 0), "the big one": (0, 1)})
        assert len(find_turns(store, "zirconium")) == 2
        db = connect(store.path, 1)
        db.execute("DELETE FROM turn WHERE row = 1")
        db.close()
        assert find_turns(store, "zirconium") == []
        assert store.check() == []
        assert [(each.text, each.before) for each in store.unembedded(9)] == [("the big one", None)]
        near = store.near("turn", vector(0, 1), MODEL, (OWNER,), NOW, 9)
        assert (near.found, near.missing) == ((), 1)
