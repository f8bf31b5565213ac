"""What every Store promises, as tests: subclass StorePromises and give it a `store` fixture.

class TestMyStore(StorePromises):
    @pytest.fixture
    def store(self, tmp_path): ...
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

import pytest

from memoranda.care import Serving, Via
from memoranda.errors import (
    Ambiguous,
    CaptureOff,
    Conflict,
    EmbeddingError,
    InvalidInput,
    NotFound,
)
from memoranda.protocols import IncomingTurn, Store, Unembedded, Vector, VectorsKept, Words
from memoranda.text.entities import entities
from memoranda.text.names import besides
from memoranda.text.words import terms
from memoranda.types import (
    Change,
    Choice,
    Doomed,
    EntityKind,
    Filter,
    Kind,
    Memory,
    Observed,
    Operation,
    Ranked,
    Role,
    Scope,
    Source,
    Status,
    Switch,
    Topic,
    Turn,
    growing_ids,
    new_id,
)

OWNER = Scope("user")
ANNA = Scope("user", "anna")
SITE = Scope("project", "site")
MARCH = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
NOW = Filter(now=MARCH + 30 * DAY)


def a_memory(
    content: str, *, at: datetime = MARCH, scope: Scope = OWNER, **fields: object
) -> Memory:
    """A memory that a person wrote down."""
    memory = Memory(
        id=new_id(at),
        kind=Kind.FACT,
        content=content,
        scope=scope,
        recorded_at=at,
        valid_from=at,
        confidence=0.9,
        sources=(Source(kind="person", time=at, by="test"),),
    )
    return replace(memory, **fields)  # type: ignore[arg-type]


def incoming(
    content: str,
    *,
    conversation: str = "c",
    role: Role = Role.USER,
    time: datetime | None = None,
    id: str | None = None,
    nth: int | None = None,
    speaker: str | None = None,
    quarantined: str | None = None,
) -> IncomingTurn:
    """A turn ready to be stored, of one passage."""
    turn = Turn(conversation, role, content, time=time, speaker=speaker, id=id)
    return IncomingTurn(
        id=new_id(MARCH),
        turn=turn,
        digest=blake2b(f"{role} {content} {time}".encode(), digest_size=16).digest(),
        nth=nth,
        time=time or MARCH,
        passages=((0, content, terms(content)),),
        named=entities(content),
        quarantined=quarantined,
    )


def add(store: Store, *memories: Memory) -> None:
    changes = [Change(Operation.REMEMBER, None, memory) for memory in memories]
    store.apply(changes, at=MARCH, by="test")


def use(store: Store, *memories: Memory, at: datetime, conversation: str | None = None) -> None:
    """A question recalls them."""
    ids = tuple(each.id for each in memories)
    store.uses.record([Serving(at, Via.RECALL, ids, 100, 10_000, conversation)], OWNER)


def forget(store: Store, *memories: Memory) -> Doomed:
    chosen = Choice(ids=tuple(each.id for each in memories))
    visible = tuple(dict.fromkeys(each.scope for each in memories))
    return store.forget(chosen, visible, at=MARCH, by="test")


def add_with_names(store: Store, *memories: Memory) -> None:
    """Add memories with the names that their contents hold besides those given."""
    changes = []
    for memory in memories:
        named = besides(entities(memory.content), memory.entities)
        found = tuple(each.name for each in named)
        full = replace(memory, entities=(*memory.entities, *found), found=found)
        changes.append(Change(Operation.REMEMBER, None, full, named))
    store.apply(changes, at=MARCH, by="test")


def known(store: Store, *visible: Scope) -> dict[str, tuple[int, int]]:
    """The entities by name, and how many memories and turns mention each."""
    found = store.entities(visible or (OWNER,), limit=100)
    return {each.name: (each.memories, each.turns) for each in found}


def split(
    store: Store, entity: str, name: str, *, aliases: Sequence[str] = (), texts: Sequence[str] = ()
) -> str:
    id = store.entity(entity, (OWNER,)).id
    kind = EntityKind.THING
    return store.split(id, name, kind, aliases=aliases, texts=texts, at=MARCH, by="test")


def merge(store: Store, keep: str, other: str) -> None:
    kept, gone = (store.entity(each, (OWNER,)).id for each in (keep, other))
    store.merge(kept, gone, at=MARCH, by="test")


def observe(
    store: Store, *turns: IncomingTurn, scope: Scope = OWNER, deliberate: bool = True
) -> Observed:
    return store.observe(turns, scope, None, at=MARCH, by="test", deliberate=deliberate)


def find(
    store: Store, *words: str, visible: Iterable[Scope] = (OWNER,), filter: Filter = NOW
) -> list[str]:
    """The contents that a search for memories finds, best first."""
    seen = tuple(visible)
    ranking = store.search_memories(Words(words), seen, filter, 50)
    fetched = store.fetch_memories([each.id for each in ranking.found], seen, filter)
    return [memory.content for memory in fetched]


def find_turns(
    store: Store, *words: str, visible: Iterable[Scope] = (OWNER,), filter: Filter = NOW
) -> list[str]:
    """The passages that a search for turns finds, best first."""
    seen = tuple(visible)
    ranking = store.search_turns(Words(words), seen, filter, 50)
    return [passage.content for passage in store.fetch_passages(ranking.found, seen, filter)]


class StorePromises:
    """The promises, in the words of the protocol."""

    # Turns

    def test_a_turn_in_quarantine_is_found_by_those_only_who_ask_for_it(self, store: Store) -> None:
        poison = incoming("Mara says zirconium", quarantined="asks for the prompt", time=MARCH)
        after = incoming("she says it again", time=MARCH + DAY / 48)
        (id, follower) = observe(store, poison, after).turns
        give_vectors(store, {}, of={"Mara says zirconium": (1, 0), "she says it again": (0, 1)})
        everything = replace(NOW, quarantined=True)
        for filter, found in ((NOW, []), (everything, ["Mara says zirconium"])):
            for seen in (
                filter,
                replace(filter, since=MARCH - DAY),
                replace(filter, as_of=NOW.now),
            ):
                assert find_turns(store, "zirconium", filter=seen) == found
                near = store.near("turn", vector(1, 0), MODEL, (OWNER,), seen, 9).found
                assert (id in {each.id for each in near}) == bool(found)
                listed = store.in_time("turn", (OWNER,), seen, 9, latest_first=False)
                assert (id in {each.id for each in listed}) == bool(found)
        assert store.entities((OWNER,), limit=9) == []
        assert store.turn(follower, (OWNER,)).before is None
        assert store.turn(id, (OWNER,)).quarantined == "asks for the prompt"
        assert [each.turn for each in store.quarantined((OWNER,), 9)] == [id]
        assert store.quarantined((ANNA,), 9) == []
        assert store.holdings((OWNER,)).quarantined == 1

    def test_a_released_turn_is_like_any_other(self, store: Store) -> None:
        (id,) = observe(store, incoming("Mara says zirconium", quarantined="a reason")).turns
        mark = store.mark()
        store.release(id, at=MARCH, by="test")
        assert store.changed(mark, (OWNER,))
        assert find_turns(store, "zirconium") == ["Mara says zirconium"]
        assert store.quarantined((OWNER,), 9) == []
        assert [each.name for each in store.entities((OWNER,), limit=9)] == ["Mara"]
        assert store.check() == []
        mark = store.mark()
        store.release(id, at=MARCH, by="test")
        assert not store.changed(mark, (OWNER,))

    def test_a_turn_with_an_id_is_stored_once(self, store: Store) -> None:
        first = observe(store, incoming("hello", id="1", time=MARCH))
        again = observe(store, incoming("hello", id="1", time=MARCH))
        assert (first.stored, again.stored, again.known) == (1, 0, 1)
        assert first.turns == again.turns

    def test_the_same_id_in_another_conversation_is_another_turn(self, store: Store) -> None:
        one, two = incoming("hello", id="1"), incoming("hello", id="1", conversation="d")
        assert observe(store, one, two).stored == 2

    def test_a_known_id_without_its_time_says_nothing_else(self, store: Store) -> None:
        observe(store, incoming("hello", id="1", time=MARCH))
        again = observe(store, incoming("hello", id="1"))
        assert (again.known, again.differing) == (1, 0)

    def test_turns_that_came_with_ids_are_known_without(self, store: Store) -> None:
        observe(store, incoming("ok", id="1"), incoming("ok", id="2"))
        again = observe(store, incoming("ok", nth=1), incoming("ok", nth=2))
        assert (again.known, again.stored) == (2, 0)

    def test_a_known_id_with_other_words_is_told_and_changes_nothing(self, store: Store) -> None:
        observe(store, incoming("the first words", id="1"))
        assert observe(store, incoming("other words", id="1")).differing == 1
        assert find_turns(store, "words") == ["the first words"]

    def test_without_an_id_the_time_decides(self, store: Store) -> None:
        observe(store, incoming("ok", time=MARCH))
        again = observe(store, incoming("ok", time=MARCH), incoming("ok", time=MARCH + DAY))
        assert (again.stored, again.known) == (1, 1)

    def test_without_id_and_time_the_nth_of_a_call_is_the_nth_stored(self, store: Store) -> None:
        call = [incoming("ok", nth=1), incoming("ok", nth=2)]
        assert observe(store, *call).stored == 2
        assert observe(store, *call).known == 2
        longer = observe(store, *call, incoming("ok", nth=3))
        assert (longer.stored, longer.known) == (1, 2)

    def test_turns_with_and_without_ids_count_together(self, store: Store) -> None:
        call = [incoming("ok", id="a"), incoming("ok", nth=2), incoming("ok", nth=3)]
        assert observe(store, *call).stored == 3
        assert observe(store, *call).known == 3

    def test_a_lone_turn_without_id_and_time_is_new(self, store: Store) -> None:
        assert observe(store, incoming("ok", nth=0)).stored == 1
        assert observe(store, incoming("ok", nth=0)).stored == 1

    def test_two_profiles_may_use_the_same_name_for_a_conversation(self, store: Store) -> None:
        observe(store, incoming("hello", id="1"), scope=Scope("profile", "a"))
        assert observe(store, incoming("hello", id="1"), scope=Scope("profile", "b")).stored == 1

    def test_nothing_is_captured_while_capture_is_off(self, store: Store) -> None:
        with pytest.raises(CaptureOff):
            observe(store, incoming("hello"), deliberate=False)
        assert store.holdings((OWNER,)).turns == 0

    def test_what_is_brought_in_deliberately_is_stored_while_capture_is_off(
        self, store: Store
    ) -> None:
        assert observe(store, incoming("hello")).stored == 1

    def test_enabling_twice_keeps_the_date(self, store: Store) -> None:
        store.set_capture(True, at=MARCH, by="test")
        store.set_capture(True, at=MARCH + DAY, by="test")
        assert store.switches() == [Switch(None, True, MARCH, door="test")]
        store.set_capture(False, at=MARCH + DAY, by="test")
        assert store.switches() == [Switch(None, False, MARCH + DAY, door="test")]

    def test_concurrent_writers_lose_nothing(self, store: Store) -> None:
        def write(writer: int) -> int:
            return sum(
                observe(store, incoming(f"turn {writer} {number}", id=f"{writer}-{number}")).stored
                for number in range(25)
            )

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(write, range(4))) == [25] * 4
        assert store.holdings((OWNER,)).turns == 100
        assert store.check() == []

    def test_a_whole_turn_is_read_by_the_beginning_of_its_id(self, store: Store) -> None:
        (id,) = observe(store, incoming("hello there", id="1")).turns
        passage = store.turn(id[:-1].lower(), (OWNER,))
        assert (passage.content, passage.key, passage.conversation) == ("hello there", "1", "c")

    def test_the_turns_of_a_conversation_are_read_as_they_came_in(self, store: Store) -> None:
        ids = observe(store, *(incoming(f"plum {n}", id=str(n)) for n in range(5))).turns
        observe(store, incoming("plum", conversation="another"))
        observe(store, incoming("plum of Anna"), scope=ANNA)
        assert [each.turn for each in store.turns("c", OWNER, limit=9)] == list(ids)
        assert [each.turn for each in store.turns("c", OWNER, limit=2)] == list(ids[:2])
        after = store.turns("c", OWNER, after=ids[1], limit=2)
        assert [each.content for each in after] == ["plum 2", "plum 3"]
        assert [each.content for each in store.turns("c", ANNA, limit=9)] == ["plum of Anna"]
        assert store.turns("unknown", OWNER, limit=9) == []
        assert store.turns("c", SITE, limit=9) == []

    def test_a_stretch_of_a_conversation_goes_from_one_turn_to_another(self, store: Store) -> None:
        first, second, third, last = observe(
            store, *(incoming(f"plum {n}", id=str(n)) for n in range(4))
        ).turns
        (other,) = observe(store, incoming("plum", conversation="another")).turns

        def between(one: str, two: str, *, limit: int = 9, seen: Scope = OWNER) -> list[str]:
            return [each.turn for each in store.stretch(one, two, (seen,), limit=limit)]

        assert between(first, last) == [first, second, third, last]
        assert between(second, third) == [second, third]
        assert between(second, second) == [second]
        assert between(first, last, limit=2) == [first, second]
        assert between(first, last, seen=ANNA) == []
        with pytest.raises(InvalidInput):
            between(first, other)

    def test_a_stretch_is_known_by_the_end_that_is_left(self, store: Store) -> None:
        turns = [incoming(f"plum {n}", id=str(n)) for n in range(5)]
        ids = iter(growing_ids(MARCH))
        first, second, third, fourth, last = observe(
            store, *(replace(each, id=next(ids)) for each in turns)
        ).turns
        observe(store, incoming("plum", conversation="another"))
        visible = (OWNER, ANNA)
        store.forget(Choice(ids=(first,)), visible, at=MARCH, by="test")
        found = store.stretch(first, fourth, visible, limit=9)
        assert [each.turn for each in found] == [second, third, fourth]
        assert [each.turn for each in store.turns("c", OWNER, after=first, limit=1)] == [second]
        store.forget(Choice(ids=(last,)), visible, at=MARCH, by="test")
        assert store.stretch(first, last, visible, limit=9) == []
        for own, count in ((OWNER, 3), (ANNA, 0)):
            named = store.stretch(first, last, visible, conversation="c", own=own, limit=9)
            assert len(named) == count
        hidden = store.stretch(first, last, (ANNA,), conversation="c", own=OWNER, limit=9)
        assert hidden == []

    def test_a_turn_keeps_the_zone_it_was_said_in(self, store: Store) -> None:
        said = datetime.fromisoformat("2026-03-01T23:30:00+11:00")
        (id,) = observe(store, incoming("late", time=said)).turns
        time = store.turn(id, (OWNER,)).time
        assert (time, time.utcoffset()) == (said, timedelta(hours=11))

    def test_turns_are_filtered_by_time_before_the_limit(self, store: Store) -> None:
        observe(store, *(incoming("plum plum", id=str(n), time=MARCH) for n in range(60)))
        observe(store, incoming("one plum among many words", id="x", time=MARCH + 5 * DAY))
        late = replace(NOW, since=MARCH + 2 * DAY)
        assert find_turns(store, "plum", filter=late) == ["one plum among many words"]
        early = replace(NOW, until=MARCH + 2 * DAY)
        assert "one plum among many words" not in find_turns(store, "plum", filter=early)

    def test_the_passages_of_a_turn_are_one_place_of_a_ranking(self, store: Store) -> None:
        long = replace(
            incoming("plum pear", id="1"), passages=((0, "plum ", ""), (5, "plum pear", ""))
        )
        observe(store, long)
        ranking = store.search_turns(Words(("plum", "pear")), (OWNER,), NOW, 10)
        assert [each.start for each in ranking.found] == [5]

    # Memories

    def test_a_memory_is_read_as_it_was_written(self, store: Store) -> None:
        (turn,) = observe(store, incoming("we moved to Bergen", id="1")).turns
        memory = a_memory(
            "Anna lives in Bergen",
            kind=Kind.EPISODE,
            detail="since the new job",
            topics=("home", "people"),
            entities=("Anna", "Bergen"),
            pinned=True,
            valid_to=MARCH + 400 * DAY,
            sources=(
                Source(kind="turn", time=MARCH, quote="moved to Bergen", turn=turn, start=3, end=18,
                       conversation="c", key="1", role=Role.USER),
                Source(kind="file", path="USER.md", line=3),
                Source(kind="agent", by="coder", time=MARCH),
            ),
        )  # fmt: skip
        add(store, memory)
        assert store.memory(memory.id, (OWNER,)) == memory

    def test_one_long_turn_does_not_crowd_out_the_others(self, store: Store) -> None:
        long = replace(
            incoming("plum " * 300, id="long"),
            passages=tuple((5 * n, "plum ", "") for n in range(300)),
        )
        observe(store, long, *(incoming(f"a plum for {n} others", id=str(n)) for n in range(5)))
        assert len(store.search_turns(Words(("plum",)), (OWNER,), NOW, 10).found) == 6

    def test_the_beginning_of_an_id_must_fit_one_memory(self, store: Store) -> None:
        one = a_memory("one", id="01ARZ3NDEKTSV4RRFFQ69G5FA1")
        two = a_memory("two", id="01ARZ3NDEKTSV4RRFFQ69G5FA2")
        add(store, one, two)
        assert store.memory("01arz3ndektsv4rrffq69g5fa1", (OWNER,)).content == "one"
        for read in (store.memory, store.entries):
            with pytest.raises(Ambiguous):
                read("01ARZ", (OWNER,))
        for unknown in ("01ZZZ", "", "%", "01ARZ'--"):
            with pytest.raises(NotFound):
                store.memory(unknown, (OWNER,))

    def test_changes_are_all_made_or_none(self, store: Store) -> None:
        stale = a_memory("never stored")
        good = Change(Operation.REMEMBER, None, a_memory("plum"))
        bad = Change(Operation.CONFIRM, stale, replace(stale, mention_count=2))
        with pytest.raises(NotFound):
            store.apply([good, bad], at=MARCH, by="test")
        assert find(store, "plum") == []
        assert store.memories((OWNER,), NOW, limit=10) == []

    def test_an_exception_undoes_a_transaction(self, store: Store) -> None:
        def write_and_fail() -> None:
            with store.transaction():
                add(store, a_memory("plum"))
                observe(store, incoming("pear"))
                assert find(store, "plum") == ["plum"]
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            write_and_fail()
        assert find(store, "plum") == []
        assert store.holdings((OWNER,)).turns == 0
        assert store.check() == []

    def test_a_memory_changed_by_someone_else_is_not_overwritten(self, store: Store) -> None:
        memory = a_memory("plum")
        add(store, memory)
        confirmed = replace(memory, mention_count=2, confirmed_at=MARCH)
        store.apply([Change(Operation.CONFIRM, memory, confirmed)], at=MARCH, by="test")
        pinned = replace(memory, pinned=True)
        with pytest.raises(Conflict):
            store.apply([Change(Operation.PIN, memory, pinned)], at=MARCH, by="test")

    def test_using_a_memory_is_counted_and_is_no_change_of_it(self, store: Store) -> None:
        memory = a_memory("plum")
        add(store, memory)
        use(store, memory, at=MARCH)
        use(store, memory, at=MARCH + DAY)
        used = store.memory(memory.id, (OWNER,))
        assert (used.use_count, used.used_at) == (2, MARCH + DAY)
        store.apply([Change(Operation.PIN, memory, replace(memory, pinned=True))], at=MARCH, by="t")
        assert store.memory(memory.id, (OWNER,)).use_count == 2

    def test_every_change_is_in_the_ledger(self, store: Store) -> None:
        memory = a_memory("plum")
        add(store, memory)
        store.apply(
            [Change(Operation.PIN, memory, replace(memory, pinned=True))],
            at=MARCH + DAY,
            by="cli",
            reason="so",
        )
        added, pinned = store.entries(memory.id, (OWNER,))
        assert added.operation == Operation.REMEMBER
        assert added.after is not None
        assert added.after["content"] == "plum"
        assert (pinned.time, pinned.by, pinned.reason) == (MARCH + DAY, "cli", "so")
        assert (pinned.before, pinned.after) == ({"pinned": False}, {"pinned": True})

    def test_a_change_since_a_mark_is_told_of_the_scope_it_is_in(self, store: Store) -> None:
        mark = store.mark()
        assert not store.changed(mark, (OWNER,))
        memory = a_memory("plum")
        with store.transaction():
            add(store, memory)
            assert store.changed(mark, (OWNER,))
        assert store.changed(mark, (OWNER,))
        assert not store.changed(mark, (ANNA,))
        assert not store.changed(store.mark(), (OWNER,))
        mark = store.mark()
        forget(store, memory)
        assert store.changed(mark, (OWNER, ANNA))

    def test_the_ledger_follows_a_chain_of_revisions_both_ways(self, store: Store) -> None:
        old, new = a_memory("plum"), a_memory("pear")
        add(store, old)
        closed = replace(old, status=Status.SUPERSEDED, superseded_by=new.id, closed_at=MARCH)
        revision = [Change(Operation.REVISE, None, new), Change(Operation.REVISE, old, closed)]
        store.apply(revision, at=MARCH, by="test")
        assert len(store.entries(old.id, (OWNER,))) == len(store.entries(new.id, (OWNER,))) == 3

    def test_a_forgotten_memory_leaves_that_it_was_but_not_what_it_said(self, store: Store) -> None:
        memory = a_memory("plum", topics=("fruit",), entities=("Garden",))
        add(store, memory, a_memory("kept", entities=("Shed",)))
        forget(store, memory)
        assert find(store, "plum") == []
        with pytest.raises(NotFound):
            store.memory(memory.id, (OWNER,))
        entries = store.entries(memory.id, (OWNER,))
        assert [each.operation for each in entries] == [Operation.REMEMBER, Operation.FORGET]
        assert not any(each.before or each.after for each in entries)
        assert store.purge().pending == ()
        assert store.check() == []

    def test_a_forgotten_memory_takes_the_versions_that_it_replaced(self, store: Store) -> None:
        newest = a_memory("pear")
        newer = a_memory("apple", status=Status.SUPERSEDED, superseded_by=newest.id)
        old = a_memory("plum", status=Status.SUPERSEDED, superseded_by=newer.id)
        add(store, newest, newer, old)
        assert forget(store, newer).memories == (newer.id, old.id)
        assert store.memory(newest.id, (OWNER,)) == newest

    def test_all_that_is_chosen_by_must_hold(self, store: Store) -> None:
        noted = Source(kind="file", path="notes.md", line=1, quote="plum")
        old = a_memory("plum", sources=(noted,), entities=("Anna",))
        new = a_memory("plum jam", at=MARCH + DAY, sources=(noted,))
        theirs = a_memory("plum pie", scope=ANNA, sources=(noted,))
        add(store, old, new, theirs)
        of_file = Choice(path="notes.md")
        (anna,) = store.entities((OWNER,), limit=9)
        for choice, going in (
            (of_file, {old.id, new.id}),
            (replace(of_file, since=MARCH + DAY), {new.id}),
            (replace(of_file, until=MARCH + DAY), {old.id}),
            (replace(of_file, entity=anna.id), {old.id}),
            (replace(of_file, ids=(new.id,)), {new.id}),
            (replace(of_file, everything=True), {old.id, new.id, theirs.id}),
            (Choice(scope=ANNA), set()),
            (Choice(conversation="c"), set()),
        ):
            assert set(store.doomed(choice, (OWNER,)).memories) == going
        assert store.forget(of_file, (OWNER,), at=MARCH, by="test").memories == (old.id, new.id)
        assert store.memory(theirs.id, (ANNA,)) == theirs

    def test_what_loses_a_source_stays_without_it(self, store: Store) -> None:
        noted = Source(kind="file", path="notes.md", line=1, quote="plum")
        by_hand = Source(kind="person", by="test")
        both = a_memory("plum", sources=(noted, by_hand))
        add(store, both)
        assert store.forget(Choice(path="notes.md"), (OWNER,), at=MARCH, by="test") == Doomed()
        assert store.memory(both.id, (OWNER,)).sources == (by_hand,)

    def test_words_out_of_sight_stay_when_what_rests_on_them_goes(self, store: Store) -> None:
        (turn,) = observe(store, incoming("I am ill. We move."), scope=ANNA).turns
        rests = Source(kind="turn", turn=turn, start=10, end=18, quote="We move.")
        moves = a_memory("they move", scope=SITE, sources=(rests,))
        add(store, moves)
        assert store.forget(Choice(ids=(moves.id,)), (SITE,), at=MARCH, by="test").cut == ()
        assert store.turn(turn, (ANNA,)).content == "I am ill. We move."

    def test_words_that_a_memory_rested_on_are_cut_out(self, store: Store) -> None:
        (turn,) = observe(store, incoming("I am ill. We move.")).turns
        rests = Source(kind="turn", turn=turn, start=0, end=9, quote="I am ill.")
        ill, well = a_memory("ill", sources=(rests,)), a_memory("well")
        add(store, ill, well)
        doomed = forget(store, ill)
        assert (doomed.memories, doomed.turns, doomed.cut) == ((ill.id,), (), (turn,))
        assert store.turn(turn, (OWNER,)).content.endswith(" We move.")
        assert find_turns(store, "ill") == []
        assert len(find_turns(store, "move")) == 1
        assert observe(store, incoming("I am ill. We move.")).forgotten == 1

    def test_nothing_is_kept_of_what_is_said_incognito(self, store: Store) -> None:
        said = incoming("plum", time=MARCH)
        later = incoming("pear", time=MARCH + DAY)
        observe(store, said)
        gone = store.set_incognito("c", True, OWNER, at=MARCH, by="test", from_start=True)
        assert len(gone.turns) == 1
        assert store.is_incognito("c", OWNER, MARCH)
        assert not store.is_incognito("c", ANNA, MARCH)
        assert observe(store, said, later).incognito == 2
        assert observe(store, incoming("pear", time=MARCH + DAY), scope=ANNA).stored == 1
        store.set_incognito("c", False, OWNER, at=MARCH + DAY, by="test")
        assert observe(store, later).stored == 1
        assert store.holdings((OWNER,)).turns == 1

    def test_forgetting_the_successor_leaves_no_dangling_reference(self, store: Store) -> None:
        new = a_memory("pear", at=MARCH + DAY)
        old = a_memory("plum", status=Status.SUPERSEDED, superseded_by=new.id)
        add(store, new, old)
        store.forget(Choice(since=MARCH + DAY), (OWNER,), at=MARCH, by="test")
        assert store.memory(old.id, (OWNER,)).superseded_by is None

    def test_the_same_words_are_recognised(self, store: Store) -> None:
        memory = a_memory("User prefers  Ruff")
        add(store, memory, a_memory("user prefers ruff", scope=SITE))
        same = store.same("user prefers ruff ", OWNER, Kind.FACT, MARCH)
        assert same is not None
        assert same.id == memory.id
        for other in ("user prefers black", "user prefers ruƒf"):
            assert store.same(other, OWNER, Kind.FACT, MARCH) is None
        assert store.same("user prefers ruff", OWNER, Kind.LESSON, MARCH) is None

    @pytest.mark.parametrize(("one", "other"), [("10⁵ users", "105 users"), ("Maßen", "Massen")])
    def test_texts_that_differ_in_a_sign_are_not_the_same(
        self, store: Store, one: str, other: str
    ) -> None:
        add(store, a_memory(one))
        assert store.same(other, OWNER, Kind.FACT, MARCH) is None

    def test_what_has_ended_is_not_the_same(self, store: Store) -> None:
        add(store, a_memory("plum", valid_to=MARCH + DAY))
        assert store.same("plum", OWNER, Kind.FACT, MARCH) is not None
        assert store.same("plum", OWNER, Kind.FACT, MARCH + DAY) is None

    def test_a_closed_memory_is_not_the_same(self, store: Store) -> None:
        add(store, a_memory("plum", status=Status.SUPERSEDED))
        assert store.same("plum", OWNER, Kind.FACT, MARCH) is None

    def test_listing_goes_from_new_to_old_in_pages(self, store: Store) -> None:
        add(store, *(a_memory(f"memory {number}") for number in range(5)))
        page = store.memories((OWNER,), NOW, limit=3)
        rest = store.memories((OWNER,), NOW, before=page[-1].id, limit=3)
        assert [each.content[-1] for each in (*page, *rest)] == ["4", "3", "2", "1", "0"]

    # Topics

    def test_topics_are_counted_over_what_is_visible_and_holds(self, store: Store) -> None:
        add(
            store,
            a_memory("one", topics=("nas", "web")),
            a_memory("two", topics=("nas",), scope=SITE),
            a_memory("three", topics=("nas", "gone"), valid_to=MARCH + DAY),
            a_memory("four", topics=("old",), status=Status.SUPERSEDED),
            a_memory("five", topics=("secret", "nas"), scope=ANNA),
        )
        assert store.topics((OWNER, SITE), NOW) == [Topic("nas", 2), Topic("web", 1)]
        assert store.topics((OWNER,), NOW) == [Topic("nas", 1), Topic("web", 1)]
        assert store.topics((), NOW) == []

    def test_a_topic_is_used_when_one_of_its_memories_is(self, store: Store) -> None:
        first, second = (a_memory(content, topics=("nas",)) for content in ("one", "two"))
        add(store, first, second)
        use(store, first, at=MARCH + DAY)
        use(store, second, at=MARCH + 2 * DAY)
        assert store.topics((OWNER,), NOW) == [Topic("nas", 2, MARCH + 2 * DAY)]

    def test_memories_are_filtered_by_topic(self, store: Store) -> None:
        add(
            store,
            a_memory("plum one", topics=("nas",)),
            a_memory("plum two", topics=("na", "nass")),
            a_memory("plum three", topics=("nas",), scope=ANNA),
        )
        chosen = replace(NOW, topic="nas")
        assert [each.content for each in store.memories((OWNER,), chosen, limit=9)] == ["plum one"]
        assert find(store, "plum", filter=chosen) == ["plum one"]

    # Who sees what

    def test_no_read_leaves_the_visible_scopes(self, store: Store) -> None:
        secret = a_memory("the plum is a secret", scope=ANNA)
        add(store, secret)
        (turn,) = observe(store, incoming("plum", id="1"), scope=ANNA).turns
        for visible in ((OWNER,), (OWNER, SITE), ()):
            assert find(store, "plum", visible=visible) == []
            assert find_turns(store, "plum", visible=visible) == []
            assert store.fetch_memories([secret.id], visible, NOW) == []
            assert store.fetch_passages([Ranked(turn, 1.0, 0)], visible, NOW) == []
            assert store.memories(visible, NOW, limit=10) == []
            assert store.holdings(visible).turns == 0
            assert store.holdings(visible).memories == {}
            with pytest.raises(NotFound):
                store.memory(secret.id, visible)
            with pytest.raises(NotFound):
                store.entries(secret.id, visible)
            with pytest.raises(NotFound):
                store.memories(visible, NOW, before=secret.id, limit=10)
            with pytest.raises(NotFound):
                store.turn(turn, visible)
        assert find(store, "plum", visible=(ANNA,)) == ["the plum is a secret"]
        assert store.same("the plum is a secret", OWNER, Kind.FACT, MARCH) is None

    @pytest.mark.parametrize("many", [1, 3, 4, 5, 12])
    def test_limits_apply_after_the_scope(self, store: Store, many: int) -> None:
        """Whether the index filters the scopes or a join does."""
        hidden = [a_memory("plum plum plum", scope=ANNA) for _ in range(60)]
        seen = [Scope("profile", f"p{number}") for number in range(many)]
        shown = [a_memory(f"a plum for {scope.name}", scope=scope) for scope in seen]
        add(store, *hidden, *shown)
        assert sorted(find(store, "plum", visible=seen)) == sorted(each.content for each in shown)

    def test_when_all_scopes_are_visible_all_is_found(self, store: Store) -> None:
        scopes = [Scope("profile", f"p{number}") for number in range(9)]
        add(store, *(a_memory("plum", scope=scope) for scope in scopes))
        assert len(find(store, "plum", visible=scopes)) == 9

    def test_a_source_out_of_sight_shows_its_quote_and_date_only(self, store: Store) -> None:
        (turn,) = observe(store, incoming("we chose JWT", id="1"), scope=ANNA).turns
        source = Source(
            kind="turn", time=MARCH, quote="chose JWT", turn=turn, start=3, end=12, role=Role.USER
        )
        add(store, a_memory("The site uses JWT", scope=SITE, sources=(source,)))
        (memory,) = store.memories((SITE,), NOW, limit=1)
        assert memory.sources == (Source(kind="turn", time=MARCH, quote="chose JWT"),)
        (full,) = store.memories((SITE, ANNA), NOW, limit=1)
        assert full.sources[0].turn == turn

    def test_the_ledger_hides_sources_out_of_sight_too(self, store: Store) -> None:
        (turn,) = observe(store, incoming("we chose JWT", id="1"), scope=ANNA).turns
        source = Source(
            kind="turn", time=MARCH, quote="chose JWT", turn=turn, conversation="c", role=Role.USER
        )
        memory = a_memory("The site uses JWT", scope=SITE, sources=(source,))
        add(store, memory)
        (entry,) = store.entries(memory.id, (SITE,))
        assert entry.after is not None
        told = entry.after["sources"]
        assert told == [{"kind": "turn", "time": MARCH.isoformat(), "quote": "chose JWT"}]
        (full,) = store.entries(memory.id, (SITE, ANNA))
        assert full.after is not None
        assert turn in str(full.after["sources"])

    def test_what_is_common_elsewhere_is_not_common_here(self, store: Store) -> None:
        add(store, *(a_memory("plum", scope=ANNA) for _ in range(2100)))
        add(store, a_memory("a plum of ours"))
        ranking = store.search_memories(Words(("plum", "zirconium")), (OWNER,), NOW, 10)
        assert (len(ranking.found), ranking.dropped) == (1, ())

    # What holds

    def test_kinds_and_standing_are_filtered_before_the_limit(self, store: Store) -> None:
        add(store, *(a_memory("plum plum") for _ in range(60)))
        add(store, *(a_memory("plum plum", status=Status.RETIRED) for _ in range(60)))
        add(store, a_memory("a plum lesson", kind=Kind.LESSON))
        lessons = replace(NOW, kinds=frozenset((Kind.LESSON, Kind.DECISION)))
        assert find(store, "plum", filter=lessons) == ["a plum lesson"]
        retired = replace(NOW, statuses=frozenset((Status.RETIRED,)))
        assert set(find(store, "plum", filter=retired)) == {"plum plum"}

    def test_only_what_holds_is_found_unless_asked_otherwise(self, store: Store) -> None:
        for status in Status:
            add(store, a_memory(f"plum {status}", status=status))
        add(store, a_memory("plum ended", valid_to=MARCH + DAY))
        assert sorted(find(store, "plum")) == ["plum candidate", "plum current"]
        listed = store.memories((OWNER,), NOW, limit=50)
        assert sorted(each.content for each in listed) == ["plum candidate", "plum current"]

    def test_a_superseded_memory_is_still_true_of_the_past(self, store: Store) -> None:
        _oslo_then_bergen(store)
        for days, city in ((1, "Oslo"), (9, "Oslo"), (11, "Bergen")):
            then = replace(NOW, as_of=MARCH + days * DAY)
            assert find(store, "Anna", filter=then) == [f"Anna lives in {city}"]
        assert find(store, "Anna", filter=replace(NOW, as_of=MARCH - DAY)) == []

    def test_what_was_believed_then_differs_from_what_was_true_then(self, store: Store) -> None:
        """She moved on day 10; we heard of it on day 20."""
        _oslo_then_bergen(store)
        believed = replace(NOW, known=MARCH + 15 * DAY)
        assert find(store, "Anna", filter=believed) == ["Anna lives in Oslo"]
        both = replace(believed, as_of=MARCH + 15 * DAY)
        assert find(store, "Anna", filter=both) == ["Anna lives in Oslo"]
        assert find(store, "Anna", filter=replace(NOW, known=MARCH + 25 * DAY)) == [
            "Anna lives in Bergen"
        ]

    def test_an_end_that_was_known_then_is_known_still(self, store: Store) -> None:
        """True for a day, and later corrected to have never been true."""
        memory = a_memory("Anna lives in Oslo", valid_to=MARCH + DAY)
        add(store, memory)
        closed = replace(
            memory, status=Status.SUPERSEDED, valid_to=MARCH, closed_at=MARCH + 20 * DAY
        )
        store.apply([Change(Operation.REVISE, memory, closed)], at=MARCH + 20 * DAY, by="test")
        known = replace(NOW, known=MARCH + 10 * DAY)
        assert find(store, "Anna", filter=replace(known, as_of=MARCH + DAY / 2)) != []
        assert find(store, "Anna", filter=replace(known, as_of=MARCH + 5 * DAY)) == []

    def test_a_correction_was_never_true(self, store: Store) -> None:
        wrong = a_memory("Anna lives in Oslo", status=Status.SUPERSEDED, valid_to=MARCH,
                         closed_at=MARCH + DAY)  # fmt: skip
        add(store, wrong)
        assert find(store, "Anna", filter=replace(NOW, as_of=MARCH + DAY / 2)) == []
        assert find(store, "Anna", filter=replace(NOW, known=MARCH + DAY / 2)) != []

    # Words

    def test_common_words_give_way_to_rare_ones(self, store: Store) -> None:
        add(store, *(a_memory(f"plum {number % 7}") for number in range(2100)))
        rare = a_memory("plum pear")
        add(store, rare, a_memory("plum plum"))
        ranking = store.search_memories(Words(("plum", "pear")), (OWNER,), NOW, 10)
        assert ranking.dropped == ('"plum"',)
        assert ranking.found[0].id == rare.id
        unknown = store.search_memories(Words(("zirconium", "plum")), (OWNER,), NOW, 10)
        assert len(unknown.found) == 10, "a word that nothing has takes nothing away"
        assert len(store.search_memories(Words(("plum",)), (OWNER,), NOW, 10).found) == 10

    def test_a_word_more_never_finds_less(self, store: Store) -> None:
        add(store, *(a_memory(f"{word} {n}") for n in range(1400) for word in ("plum", "pear")))
        add(store, a_memory("plum and pear"), a_memory("zirconium"))

        def found(*words: str) -> int:
            return len(store.search_memories(Words(words), (OWNER,), NOW, 8).found)

        assert found("plum") == found("plum", "pear") == found("plum", "pear", "zirconium") == 8

    def test_a_beginning_of_a_word_is_found(self, store: Store) -> None:
        add(store, a_memory("plumbing"))
        assert len(store.search_memories(Words((), ("plum",)), (OWNER,), NOW, 10).found) == 1

    # Vectors

    def test_what_is_nearest_comes_first(self, store: Store) -> None:
        near, nearer = a_memory("near"), a_memory("nearer")
        give_vectors(store, {near: (1, 1), nearer: (3, 1), a_memory("far"): (-1, 0)})
        found = store.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 2).found
        assert [each.id for each in found] == [nearer.id, near.id]
        assert found[1].score == pytest.approx(0.5**0.5, abs=1e-6)

    def test_a_vector_out_of_sight_is_not_found(self, store: Store) -> None:
        hidden = a_memory("hidden", scope=ANNA)
        give_vectors(store, {hidden: (1, 0), a_memory("seen"): (0, 1)})
        near = store.near(
            "memory", vector(1, 0), MODEL, (OWNER,), NOW, 9, also=[Ranked(hidden.id, 1.0)]
        )
        assert near.searched == len(near.found) == 1
        assert near.others == ()
        assert store.near("memory", vector(1, 0), MODEL, (), NOW, 9).found == ()

    def test_a_limit_counts_what_passes_the_filter(self, store: Store) -> None:
        many = {a_memory(f"superseded {n}", status=Status.SUPERSEDED): (100, n) for n in range(200)}
        give_vectors(store, {**many, a_memory("holds"): (-1, 0), a_memory("too"): (-1, 1)})
        assert near_contents(store, (1, 0), limit=2) == ["too", "holds"]
        past = replace(NOW, statuses=frozenset((Status.SUPERSEDED,)))
        assert near_contents(store, (1, 0), limit=1, filter=past) == ["superseded 0"]

    def test_kinds_and_times_filter_vectors_too(self, store: Store) -> None:
        give_vectors(
            store,
            {
                a_memory("fact"): (1, 0),
                a_memory("lesson", kind=Kind.LESSON): (0, 1),
                a_memory("later", at=MARCH + 20 * DAY): (1, 1),
            },
        )
        lessons = replace(NOW, kinds=frozenset((Kind.LESSON,)))
        assert near_contents(store, (1, 0), filter=lessons) == ["lesson"]
        until = replace(NOW, until=MARCH + DAY)
        assert near_contents(store, (1, 0), filter=until) == ["fact", "lesson"]

    def test_those_asked_about_besides_are_told_too(self, store: Store) -> None:
        near, far, without = a_memory("near"), a_memory("far"), a_memory("without")
        give_vectors(store, {near: (1, 0), far: (-1, 0)})
        add(store, without)
        also = [Ranked(each.id, 1.0) for each in (near, far, without)]
        found = store.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 1, also=also)
        assert [each.id for each in found.found] == [near.id]
        assert [(each.id, each.score) for each in found.others] == [(far.id, -1.0)]
        assert found.missing == 1

    def test_vectors_of_another_model_are_not_compared(self, store: Store) -> None:
        give_vectors(store, {a_memory("plum"): (1, 0)})
        near = store.near("memory", vector(1, 0), "another", (OWNER,), NOW, 9)
        assert (near.found, near.missing) == ((), 1)
        assert store.keep_vectors("another", [(store_text("plum"), vector(1, 0))]) is None

    def test_a_question_of_another_length_is_an_error(self, store: Store) -> None:
        give_vectors(store, {a_memory("plum"): (1, 0)})
        with pytest.raises(EmbeddingError, match="memoranda embed --again"):
            store.near("memory", vector(1, 0, 0), MODEL, (OWNER,), NOW, 9)

    def test_what_cannot_be_read_has_no_place_and_is_counted(self, store: Store) -> None:
        give_vectors(store, {a_memory("plum"): (1, 0), a_memory("貓"): ()})
        near = store.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 9)
        assert (len(near.found), near.missing, near.unreadable) == (1, 0, 1)

    def test_every_change_waits_for_its_vector(self, store: Store) -> None:
        plum = a_memory("plum")
        add(store, plum)
        observe(store, incoming("hello"))
        assert [each.text for each in store.unembedded(9)] == ["plum", "hello"]
        assert store.vectors() == VectorsKept(None, 2)
        give_vectors(store, {}, of={"plum": (1, 0), "hello": (0, 1)})
        assert store.vectors() == VectorsKept(MODEL, 0)
        pear = replace(plum, content="pear")
        store.apply([Change(Operation.REVISE, plum, pear)], at=MARCH, by="test")
        assert [each.text for each in store.unembedded(9)] == ["pear"]
        assert near_contents(store, (1, 0)) == []

    def test_a_forgotten_memory_leaves_no_vector(self, store: Store) -> None:
        plum = a_memory("plum")
        give_vectors(store, {plum: (1, 0)})
        assert near_contents(store, (1, 0)) == ["plum"]
        forget(store, plum)
        assert store.near("memory", vector(1, 0), MODEL, (OWNER,), NOW, 9).found == ()
        assert store.vectors().waiting == 0

    def test_a_text_that_changed_meanwhile_gets_no_vector(self, store: Store) -> None:
        plum = a_memory("plum")
        add(store, plum)
        (waiting,) = store.unembedded(9)
        store.embed_by(MODEL)
        pear = replace(plum, content="pear")
        store.apply([Change(Operation.REVISE, plum, pear)], at=MARCH, by="test")
        assert store.keep_vectors(MODEL, [(waiting, vector(1, 0))]) == 0
        assert store.vectors().waiting == 1

    def test_another_model_drops_the_vectors_of_the_one_before(self, store: Store) -> None:
        give_vectors(store, {a_memory(f"plum {n}"): (1, n) for n in range(120)})
        store.embed_by(MODEL)
        assert store.vectors() == VectorsKept(MODEL, 0), "the same model keeps them"
        store.embed_by("another")
        assert store.vectors() == VectorsKept("another", 120)
        give_vectors(store, {}, of={f"plum {n}": (1, n) for n in range(120)})
        assert store.vectors() == VectorsKept(MODEL, 0)
        store.embed_by(MODEL, again=True)
        assert store.vectors() == VectorsKept(MODEL, 120)

    def test_a_short_turn_is_embedded_after_what_was_said_before(self, store: Store) -> None:
        observe(
            store,
            incoming("which pool?", time=MARCH),
            incoming("the big one", time=MARCH + timedelta(minutes=1)),
            incoming("long " * 100, time=MARCH + timedelta(minutes=2)),
            incoming("ok", time=MARCH + timedelta(minutes=3)),
            incoming("hello", time=MARCH + DAY),
            incoming("elsewhere", conversation="d", time=MARCH + timedelta(minutes=1)),
        )
        before = {each.text[:11]: each.before for each in store.unembedded(9)}
        assert before == {
            "which pool?": None,
            "the big one": "which pool?",
            "long long l": None,
            "ok": None,
            "hello": None,
            "elsewhere": None,
        }

    def test_a_turn_is_found_by_what_was_said_before_it(self, store: Store) -> None:
        observe(
            store,
            incoming("which zirconium pool?", time=MARCH),
            incoming("the big one", time=MARCH + timedelta(minutes=1)),
        )
        assert find_turns(store, "zirconium") == ["which zirconium pool?", "the big one"]

    def test_a_found_turn_tells_what_was_said_before_it(self, store: Store) -> None:
        before = incoming("which pool?", time=MARCH, speaker="Ann")
        answer = incoming("the big one", time=MARCH + timedelta(minutes=1))
        observe(store, before, answer)
        places = [Ranked(each.id, 1.0, 0) for each in (before, answer)]
        for found in (
            store.fetch_passages(places, (OWNER,), NOW),
            [store.turn(each.id, (OWNER,)) for each in (before, answer)],
        ):
            assert [each.before for each in found] == [None, "Ann: which pool?"]

    def test_turns_are_near_by_their_nearest_passage(self, store: Store) -> None:
        long = replace(incoming("plum pear"), passages=((0, "plum ", ""), (5, "pear", "")))
        other = incoming("cherry")
        observe(store, long, other)
        give_vectors(store, {}, of={"plum ": (1, 1), "pear": (1, 0), "cherry": (2, 1)})
        near = store.near(
            "turn", vector(1, 0), MODEL, (OWNER,), NOW, 2, also=[Ranked(long.id, 1.0, 0)]
        )
        assert [(each.id, each.start) for each in near.found] == [(long.id, 5), (other.id, 0)]
        assert [(each.id, each.start) for each in near.others] == [(long.id, 0)]

    def test_a_passage_names_the_turn_it_follows(self, store: Store) -> None:
        first, second, long = (
            incoming("plum?", time=MARCH),
            incoming("plum!", time=MARCH + timedelta(minutes=1)),
            incoming("plum " * 100, time=MARCH + timedelta(minutes=2)),
        )
        observe(store, first, second, long)
        found = store.search_turns(Words(("plum",)), (OWNER,), NOW, 9).found
        follows = {each.turn: each.follows for each in store.fetch_passages(found, (OWNER,), NOW)}
        assert follows == {first.id: None, second.id: first.id, long.id: None}

    def test_the_strongest_are_pinned_or_said_lately_or_often(self, store: Store) -> None:
        old = MARCH - 100 * DAY
        many = [a_memory(f"plum {n}", at=old + n * DAY) for n in range(20)]
        pinned, often = replace(many[0], pinned=True), replace(many[1], mention_count=9)
        confirmed = replace(many[2], confirmed_at=MARCH)
        add(
            store,
            *(pinned, often, confirmed, *many[3:]),
            a_memory("apple", kind=Kind.DECISION),
            a_memory("pear", scope=ANNA, pinned=True),
            a_memory("fig", status=Status.CANDIDATE),
            a_memory("gone", at=old, valid_to=MARCH - DAY),
        )
        found = store.strongest((OWNER, SITE), NOW, Kind.FACT, limit=3)
        assert {each.content for each in found.memories} == {
            *("plum 0", "plum 1", "plum 2", "plum 18", "plum 19"),
        }
        assert found.beyond == 15
        everything = store.strongest((OWNER, ANNA), NOW, Kind.FACT, limit=100)
        assert len(everything.memories) == 21
        assert everything.beyond == 0
        past = replace(NOW, as_of=old + 5 * DAY)
        held = store.strongest((OWNER,), past, Kind.FACT, limit=10).memories
        assert {each.content for each in held} == {*(f"plum {n}" for n in range(6)), "gone"}

    def test_the_ceiling_of_a_score_is_never_reached(self, store: Store) -> None:
        add(store, *(a_memory("plum " * n) for n in range(1, 40)), *map(a_memory, "abcdefgh"))
        ranking = store.search_memories(Words(("plum", "zirconium")), (OWNER,), NOW, 50)
        alone = store.search_memories(Words(("zirconium",)), (OWNER,), NOW, 50)
        assert 0 < ranking.found[0].score < ranking.ceiling
        assert 0 < alone.ceiling < ranking.ceiling, "a word that nothing has counts too"

    # Entities

    def test_texts_mention_the_entities_that_they_name(self, store: Store) -> None:
        observe(store, incoming("ask Mara about web-01"), incoming("is web-01 up?"))
        add_with_names(store, a_memory("the NAS is Mara's", entities=("atlas-nas",)))
        assert known(store) == {
            "Mara": (1, 1),
            "web-01": (0, 2),
            "NAS": (1, 0),
            "atlas-nas": (1, 0),
        }
        assert store.entity("WEB 01", (OWNER,)).kind is EntityKind.HOST

    def test_given_names_come_before_found_ones(self, store: Store) -> None:
        add_with_names(store, a_memory("Anna lives in Bergen", entities=("Norway", "Bergen")))
        (memory,) = store.memories((OWNER,), NOW, limit=1)
        assert memory.entities == ("Norway", "Bergen", "Anna")
        assert (memory.given, memory.found) == (("Norway", "Bergen"), ("Anna",))

    def test_found_names_change_nothing_about_what_words_find(self, store: Store) -> None:
        add(store, a_memory("the plum of Anna"))
        add_with_names(store, a_memory("the plum of Anna"))
        one, other = store.search_memories(Words(("Anna", "plum")), (OWNER,), NOW, 9).found
        assert one.score == other.score

    def test_a_word_that_may_be_a_name_is_one_if_it_is_known(self, store: Store) -> None:
        observe(store, incoming("Biscuit again"), incoming("we call the cat Biscuit"))
        assert known(store) == {"Biscuit": (0, 1)}
        observe(store, incoming("Biscuit, once more"))
        assert known(store) == {"Biscuit": (0, 2)}

    def test_what_is_alike_stays_apart(self, store: Store) -> None:
        for name in ("Alex", "Alex Kim", "Alex Berg", "Room 101", "Room 102"):
            observe(store, incoming(f"we know {name}"))
        assert known(store) == dict.fromkeys(
            ("Alex", "Alex Kim", "Alex Berg", "Room 101", "Room 102"), (0, 1)
        )

    def test_the_kind_of_an_entity_is_told_by_any_text(self, store: Store) -> None:
        observe(store, incoming("with Mara"), incoming("Mara's birthday"), incoming("with Mara"))
        assert store.entity("mara", (OWNER,)).kind is EntityKind.PERSON

    def test_an_entity_is_of_one_scope(self, store: Store) -> None:
        observe(store, incoming("with Mara"))
        observe(store, incoming("with Mara and Tom"), scope=ANNA)
        assert (known(store), len(known(store, OWNER, ANNA))) == ({"Mara": (0, 1)}, 2)
        tom = store.entity("Tom", (ANNA,))
        for which in ("Tom", tom.id):
            with pytest.raises(NotFound):
                store.entity(which, (OWNER,))
        with pytest.raises(Ambiguous):
            store.entity("Mara", (OWNER, ANNA))
        with pytest.raises(InvalidInput, match="of different scopes"):
            store.merge(store.entity("Mara", (OWNER,)).id, tom.id, at=MARCH, by="test")

    def test_entities_are_found_by_a_part_of_a_name(self, store: Store) -> None:
        observe(store, incoming("with Alex Kim and Alex Berg"), incoming("with Alex Berg"))
        found = [each.name for each in store.entities((OWNER,), name="ALEX", limit=9)]
        assert found == ["Alex Berg", "Alex Kim"]
        assert len(store.entities((OWNER,), name="alex", limit=1)) == 1
        assert store.entities((OWNER,), name="%", limit=9) == []

    def test_an_entity_that_nothing_mentions_any_more_goes(self, store: Store) -> None:
        memory = a_memory("with Mara and Tom")
        add_with_names(store, memory)
        observe(store, incoming("ask Tom"))
        forget(store, memory)
        assert known(store) == {"Tom": (0, 1)}

    def test_names_given_and_taken_later(self, store: Store) -> None:
        memory = a_memory("the plum", entities=("Garden",))
        add(store, memory)
        garden = store.entity("Garden", (OWNER,)).id
        more = replace(memory, entities=("Garden", "Shed"))
        store.apply([Change(Operation.CONFIRM, memory, more)], at=MARCH, by="test")
        assert store.entity("Garden", (OWNER,)).id == garden
        assert find(store, "shed") == ["the plum"]
        less = replace(memory, entities=("Shed",))
        store.apply([Change(Operation.CONFIRM, more, less)], at=MARCH, by="test")
        assert known(store) == {"Shed": (1, 0)}

    def test_merged_entities_are_one_with_the_names_of_both(self, store: Store) -> None:
        observe(store, incoming("with Mara"), incoming("ask @mara_k"))
        add_with_names(store, a_memory("with Mara and @mara_k"))
        merge(store, "Mara", "@mara_k")
        (mara,) = store.entities((OWNER,), limit=9)
        assert (mara.name, mara.memories, mara.turns) == ("Mara", 1, 2)
        assert mara.kind is EntityKind.PERSON
        observe(store, incoming("where is @mara_k?"))
        assert known(store) == {"Mara": (1, 3)}
        (memory,) = store.memories((OWNER,), NOW, limit=1)
        assert memory.entities == ("Mara",)
        with pytest.raises(InvalidInput, match="one entity already"):
            merge(store, "Mara", "@mara_k")

    def test_a_split_undoes_a_merge(self, store: Store) -> None:
        observe(store, incoming("with Mara"), incoming("ask @mara_k"), incoming("and @mara_k"))
        before = known(store)
        merge(store, "Mara", "@mara_k")
        split(store, "Mara", "@mara_k", aliases=["@mara_k"])
        assert known(store) == before == {"Mara": (0, 1), "@mara_k": (0, 2)}

    def test_a_name_that_two_share_belongs_to_neither(self, store: Store) -> None:
        """What is called just that is a third, and what was told apart stays so."""
        ids = observe(store, *(incoming(f"{word} with Alex") for word in ("run", "eat"))).turns
        observe(store, incoming("met Alex Kim"))
        merge(store, "Alex Kim", "Alex")
        split(store, "Alex Kim", "Alex Berg", texts=[ids[1]])
        assert known(store) == {"Alex Kim": (0, 2), "Alex Berg": (0, 1)}
        for _ in range(2):
            observe(store, incoming("call Alex", nth=0))
        assert known(store) == {"Alex Kim": (0, 2), "Alex Berg": (0, 1), "Alex": (0, 2)}
        assert store.entity("Alex", (OWNER,)).name == "Alex"

    def test_a_name_that_two_merged_ones_shared_is_split_off_whole(self, store: Store) -> None:
        ids = observe(store, *(incoming(f"{word} with Alex") for word in ("run", "eat"))).turns
        observe(store, incoming("met Alex Kim"))
        merge(store, "Alex Kim", "Alex")
        split(store, "Alex Kim", "Alex Berg", texts=[ids[1]])
        merge(store, "Alex Kim", "Alex Berg")
        split(store, "Alex Kim", "Alex", aliases=["Alex"])
        assert known(store) == {"Alex": (0, 2), "Alex Kim": (0, 1)}
        split(store, "Alex", "Alex Lund", texts=ids[:1])
        assert known(store) == {"Alex": (0, 1), "Alex Lund": (0, 1), "Alex Kim": (0, 1)}

    def test_an_entity_of_which_all_is_split_off_goes(self, store: Store) -> None:
        memory = a_memory("is ill", entities=("Kunigunde",))
        add(store, memory)
        split(store, "Kunigunde", "Bea", texts=[memory.id])
        assert known(store) == {"Bea": (1, 0)}
        assert store.entity("Kunigunde", (OWNER,)).name == "Bea"
        forget(store, memory)
        assert known(store) == {}

    def test_what_is_left_of_a_split_keeps_the_bare_name(self, store: Store) -> None:
        ids = observe(store, *(incoming(f"{word} with Alex") for word in ("run", "eat"))).turns
        split(store, "Alex", "Alex Kim", texts=ids[:1])
        observe(store, incoming("call Alex"))
        assert known(store) == {"Alex Kim": (0, 1), "Alex": (0, 2)}

    def test_what_cannot_be_split_is_refused_and_changes_nothing(self, store: Store) -> None:
        (id,) = observe(store, incoming("with Alex")).turns
        (other,) = observe(store, incoming("with Tom")).turns
        before = store.entities((OWNER,), limit=9)
        for name, aliases, texts in (
            ("Alex", (), [id]),
            ("Tom", (), [id]),
            ("Alex Kim", ["alex"], ()),
        ):
            with pytest.raises(InvalidInput):
                split(store, "Alex", name, aliases=aliases, texts=texts)
        for alias, text in ((["al"], ()), ((), [other])):
            with pytest.raises(NotFound):
                split(store, "Alex", "Alex Kim", aliases=alias, texts=text)
        assert store.entities((OWNER,), limit=9) == before

    def test_the_ledger_tells_how_an_entity_was_merged_and_split(self, store: Store) -> None:
        observe(store, incoming("with Mara and @mara_k"))
        mara, handle = (store.entity(name, (OWNER,)).id for name in ("Mara", "@mara_k"))
        merge(store, "Mara", "@mara_k")
        new = split(store, "Mara", "@mara_k", aliases=["@mara_k"])
        told = [(each.operation, each.entity) for each in store.entries(mara, (OWNER,))]
        merged, split_off = Operation.MERGE, Operation.SPLIT
        assert told == [(merged, mara), (merged, handle), (split_off, mara)]
        assert [each.entity for each in store.entries(new, (OWNER,))] == [new]
        (entry,) = store.entries(handle, (OWNER,))
        assert entry.before == {"name": "@mara_k", "kind": "person", "aliases": ["@mara k"]}
        with pytest.raises(NotFound):
            store.entries(mara, (ANNA,))

    def test_what_a_person_merged_goes_with_its_last_mention_too(self, store: Store) -> None:
        """And so does what the ledger tells of its names; that of others stays."""
        memory = a_memory("with Mara and @mara_k")
        add_with_names(store, memory, a_memory("with Tom and @tom_b"))
        mara, tom = (store.entity(name, (OWNER,)).id for name in ("Mara", "Tom"))
        merge(store, "Mara", "@mara_k")
        split(store, "Mara", "@mara_k", aliases=["@mara_k"])
        merge(store, "@mara_k", "Mara")
        merge(store, "Tom", "@tom_b")
        forget(store, memory)
        assert known(store) == {"Tom": (1, 0)}
        told = store.entries(mara, (OWNER,))
        assert len(told) == 3
        assert all(each.before is each.after is None for each in told)
        assert all(each.after for each in store.entries(tom, (OWNER,)))

    def test_a_name_given_again_in_another_way_is_no_change(self, store: Store) -> None:
        memory = a_memory("likes tea", entities=("Anna", "ANNA"))
        add(store, memory, a_memory("likes cake", entities=("Anja",)))
        merge(store, "Anna", "Anja")
        before = store.memory(memory.id, (OWNER,))
        for name in ("anna", "Anja", "anja"):
            again = replace(before, entities=("Anna", name))
            store.apply([Change(Operation.CONFIRM, before, again)], at=MARCH, by="test")
        assert store.memory(memory.id, (OWNER,)) == before
        first, *rest = store.entries(memory.id, (OWNER,))
        assert first.after is not None
        assert first.after["entities"] == ["Anna"]
        assert all("entities" not in (each.after or {}) for each in rest)
        assert {each.score for each in store.linked("memory", ("Anna",), (OWNER,), NOW, 9)} == {
            0.25
        }

    def test_the_most_mentioned_is_what_most_texts_mention(self, store: Store) -> None:
        observe(store, incoming("with Mara and @mara_k"))
        merge(store, "Mara", "@mara_k")
        observe(store, incoming("with Zoe"), incoming("and Zoe"))
        assert [*known(store).items()] == [("Zoe", (0, 2)), ("Mara", (0, 1))]

    def test_what_was_given_is_found_by_the_names_it_has_now(self, store: Store) -> None:
        few = [a_memory(f"likes tea {n}", entities=("Bob",)) for n in range(120)]
        add(store, a_memory("is tall", entities=("Robert",)), *few)
        merge(store, "Robert", "Bob")
        add(store, a_memory("is late", entities=("Bob",)))
        assert len(store.search_memories(Words(("robert",)), (OWNER,), NOW, 200).found) == 122
        assert len(store.search_memories(Words(("bob",)), (OWNER,), NOW, 200).found) == 121
        split(store, "Robert", "Bobby", aliases=["Bob"])
        assert find(store, "robert") == ["is tall"]
        assert len(store.search_memories(Words(("bobby",)), (OWNER,), NOW, 200).found) == 121

    # Links

    def test_texts_are_reached_over_one_link_and_two(self, store: Store) -> None:
        add_with_names(
            store,
            a_memory("we met Mara"),
            a_memory("the job of Mara is web-01"),
            a_memory("on web-01 runs Caddy"),
            a_memory("made with Caddy"),
            a_memory("with Tom"),
        )
        reached = linked_contents(store, "mara")
        assert set(reached[:2]) == {"we met Mara", "the job of Mara is web-01"}
        assert reached[2:] == ["on web-01 runs Caddy"]

    def test_a_link_may_be_said_in_a_turn(self, store: Store) -> None:
        observe(store, incoming("the job of Mara is web-01"))
        add_with_names(store, a_memory("we moved web-01"))
        assert linked_contents(store, "Mara") == ["we moved web-01"]

    def test_the_rarer_entity_tells_more(self, store: Store) -> None:
        add_with_names(store, *(a_memory(f"{n} of Mara") for n in range(20)))
        add_with_names(store, a_memory("the cat of Lena"), a_memory("the cat of Lena and Mara"))
        assert linked_contents(store, "Mara", "lena", limit=2) == [
            "the cat of Lena and Mara",
            "the cat of Lena",
        ]

    def test_what_is_mentioned_everywhere_tells_nothing(self, store: Store) -> None:
        add_with_names(store, *(a_memory(f"{n} of Mara") for n in range(600)))
        add_with_names(store, a_memory("the cat of Mara and Lena"))
        assert linked_contents(store, "Mara") == []
        assert linked_contents(store, "Lena") == ["the cat of Mara and Lena"]

    def test_links_stay_within_what_is_visible_and_holds(self, store: Store) -> None:
        for scope in (OWNER, ANNA):
            add_with_names(store, a_memory(f"the Mara of {scope}", scope=scope))
        add_with_names(
            store,
            a_memory("not Mara any more", status=Status.SUPERSEDED),
            a_memory("a lesson of Mara", kind=Kind.LESSON),
        )
        observe(store, incoming("Mara and Tom", time=MARCH), scope=ANNA)
        add_with_names(store, a_memory("with Tom", scope=ANNA))
        assert set(linked_contents(store, "Mara")) == {"the Mara of user", "a lesson of Mara"}
        lessons = replace(NOW, kinds=frozenset((Kind.LESSON,)))
        assert linked_contents(store, "Mara", filter=lessons) == ["a lesson of Mara"]
        assert linked_contents(store, "Mara", visible=()) == []
        early = replace(NOW, until=MARCH - DAY)
        assert store.linked("turn", ("Mara",), (ANNA,), early, 9) == ()
        assert len(store.linked("turn", ("Mara",), (ANNA,), NOW, 9)) == 1

    def test_what_was_in_a_time_is_listed_in_order(self, store: Store) -> None:
        times = [MARCH + each * DAY for each in range(4)]
        observe(store, *(incoming(f"turn {n}", time=time) for n, time in enumerate(times)))
        observe(store, incoming("of Anna", time=MARCH), scope=ANNA)
        add(store, *(replace(a_memory(f"plum {n}"), valid_from=t) for n, t in enumerate(times)))
        some = replace(NOW, since=times[1], until=times[2])
        for latest_first, order in ((False, "12"), (True, "21")):
            told = store.in_time("turn", (OWNER,), some, 9, latest_first=latest_first)
            passages = store.fetch_passages(told, (OWNER,), some)
            assert [each.content for each in passages] == [f"turn {n}" for n in order]
            held = store.in_time("memory", (OWNER,), some, 9, latest_first=latest_first)
            memories = store.fetch_memories([each.id for each in held], (OWNER,), some)
            assert [each.content for each in memories] == [f"plum {n}" for n in order]
        assert len(store.in_time("turn", (OWNER,), NOW, 3, latest_first=True)) == 3
        assert store.in_time("turn", (), NOW, 3, latest_first=True) == ()

    def test_links_lead_to_the_passage_that_names(self, store: Store) -> None:
        long = replace(
            incoming("hello there, Mara"),
            passages=((0, "hello ", ""), (6, "there, Mara", "")),
            turn=Turn("c", Role.ASSISTANT, "hello there, Mara"),
        )
        observe(store, long, incoming("with Mara and Tom"))
        found = store.linked("turn", ("Mara",), (OWNER,), NOW, 9)
        assert {each.start for each in found} == {6, 0}
        assert {each.content for each in store.fetch_passages(found, (OWNER,), NOW)} == {
            "there, Mara",
            "with Mara and Tom",
        }

    def test_links_of_nothing_and_of_many_names(self, store: Store) -> None:
        add_with_names(store, a_memory("with Mara"))
        assert store.linked("memory", (), (OWNER,), NOW, 9) == ()
        many = [f"{n}" for n in range(2000)]
        assert linked_contents(store, *many, "Mara") == ["with Mara"]

    def test_who_does_something_alone_does_it_alone(self, store: Store) -> None:
        with store.alone("embedding") as one:
            with store.alone("embedding") as two, store.alone("something else") as three:
                assert (one, two, three) == (True, False, True)
            add(store, a_memory("plum"))
        with store.alone("embedding") as again:
            assert again


MODEL = "a-model"


def vector(*numbers: float) -> Vector:
    """A vector of this direction, of length 1."""
    length = math.hypot(*numbers) or 1.0
    return struct.pack(f"<{len(numbers)}f", *(number / length for number in numbers))


def store_text(text: str) -> Unembedded:
    return Unembedded("none", None, text)


def give_vectors(
    store: Store,
    memories: Mapping[Memory, tuple[float, ...]],
    of: Mapping[str, tuple[float, ...]] | None = None,
) -> None:
    """Add memories with their vectors, and give vectors to the texts `of` which some wait."""
    add(store, *memories)
    store.embed_by(MODEL)
    wanted = {memory.content: numbers for memory, numbers in memories.items()} | dict(of or {})
    waiting = store.unembedded(10_000)
    store.keep_vectors(
        MODEL, [(each, vector(*wanted[each.text])) for each in waiting if each.text in wanted]
    )


def near_contents(
    store: Store, numbers: tuple[float, ...], *, limit: int = 9, filter: Filter = NOW
) -> list[str]:
    """The contents of the memories nearest to a vector."""
    near = store.near("memory", vector(*numbers), MODEL, (OWNER,), filter, limit)
    fetched = store.fetch_memories([each.id for each in near.found], (OWNER,), filter)
    return [memory.content for memory in fetched]


def linked_contents(
    store: Store,
    *names: str,
    limit: int = 9,
    filter: Filter = NOW,
    visible: Sequence[Scope] = (OWNER,),
) -> list[str]:
    """The contents of the memories that links from these names lead to."""
    found = store.linked("memory", names, tuple(visible), filter, limit)
    fetched = store.fetch_memories([each.id for each in found], tuple(visible), filter)
    return [memory.content for memory in fetched]


def _oslo_then_bergen(store: Store) -> None:
    bergen = a_memory("Anna lives in Bergen", at=MARCH + 20 * DAY, valid_from=MARCH + 10 * DAY)
    oslo = a_memory(
        "Anna lives in Oslo",
        status=Status.SUPERSEDED,
        superseded_by=bergen.id,
        closed_at=MARCH + 20 * DAY,
        valid_to=MARCH + 10 * DAY,
    )
    add(store, bergen, oslo)
