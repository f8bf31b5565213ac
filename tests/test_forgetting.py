"""What is forgotten is gone from every file, with what rests on it, and does not come back."""

from __future__ import annotations

import random
import string
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import InvalidInput, Memoranda, NotFound, Scope, ScopeClosed, Source, Turn
from memoranda.protocols import Purged
from memoranda.stores import fulltext
from memoranda.stores import sqlite as implementation
from memoranda.stores.erasing import Cut
from memoranda.stores.gaps import without_gap
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import a_memory
from memoranda.text.masks import FORGOTTEN
from memoranda.types import Change, Operation, Status
from tests.canaries import bytes_of, canaries, opened, traces
from tests.planting import MAY, STAYING, WAYS, WORD, Planted, neighbours, plant, told_of

DAY = timedelta(days=1)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return memoranda.init(tmp_path / "home", enable=True)


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with memoranda.open(home, project="site") as opened:
        yield opened


def said(
    content: str, at: datetime = MAY, *, conversation: str = "c1", id: str | None = None
) -> Turn:
    return Turn(conversation, "user", content, time=at, id=id)


def scatter(m: Memoranda) -> list[str]:
    """Turns and memories with the word in each place that holds text, and others beside them."""
    turns = m.observe(
        [
            said("Good morning."),
            said(
                f"We call the plan {WORD.title()}, and Anna knows.", MAY + DAY / 24, id=f"k-{WORD}"
            ),
            said("Anna was here too.", MAY + DAY / 12),
        ]
    ).turns
    memory = m.remember(
        f"The plan is called {WORD}",
        detail=f"see {WORD}-2",
        topics=[f"{WORD} plans"],
        entities=[WORD.upper()],
        source=turns[1],
    )
    second = m.revise(memory.id, f"The plan was called {WORD}", reason=f"not {WORD} any more")
    m.remember("Anna likes tea", source=turns[2])
    return [*turns, memory.id, second.id]


@pytest.mark.parametrize("way", WAYS)
def test_no_letter_and_no_number_is_left_in_any_file(home: Path, tmp_path: Path, way: str) -> None:
    how = WAYS[way]
    with how.opens(home) as m:
        staying = neighbours(m)[: how.leave]
    with how.opens(home, **how.who) as m:
        planted = plant(m, how, tmp_path / "export.jsonl", staying)
        assert planted.vectors
        assert traces(home, [WORD], planted.vectors)
        receipt = how.forget(m, planted)
        assert receipt.pending == ()
        _assert_gone(m, home, planted)
    with how.opens(home, **how.who) as m:
        _assert_gone(m, home, planted)
    with how.opens(home) as m:
        for id in planted.staying:
            assert m.show(id)
        for content in STAYING[: how.leave]:
            assert m.recall(content).hits[0].content == content


def _assert_gone(m: Memoranda, home: Path, planted: Planted) -> None:
    """It is nowhere in the home, and does not come back with the file that it came from."""
    assert traces(home, [WORD], planted.vectors) == []
    assert told_of(m, planted) == []
    assert m._store.check() == []
    for id in (*planted.turns, *planted.memories):
        with pytest.raises(NotFound):
            m.show(id)
    if planted.turns:
        again = m.import_(planted.export)
        assert (again.stored, again.forgotten) == (0, len(planted.turns))
        assert traces(home, [WORD], planted.vectors) == []


def test_what_rests_on_a_forgotten_turn_alone_goes_with_it(m: Memoranda, home: Path) -> None:
    first, second = m.observe([said(f"{WORD} one"), said("two", MAY + DAY)]).turns
    alone = m.remember("resting on the first", source=first)
    both = m.remember("resting on both", source=first)
    m.remember("resting on both", source=second)
    receipt = m.forget(first)
    assert receipt.forgotten == (alone.id,)
    assert receipt.turns == (first,)
    assert [each.turn for each in m.list()[0].sources] == [second]
    assert m.list()[0].id == both.id
    assert traces(home, [WORD]) == []


def test_a_dry_run_tells_what_would_go_and_leaves_it(m: Memoranda) -> None:
    ids = scatter(m)
    receipt = m.forget(entity=WORD, dry_run=True)
    assert set(receipt.forgotten) == set(ids[3:])
    assert receipt.turns == (ids[1],)
    assert m.show(ids[1])
    assert len(m.list(statuses=list(Status))) == 3


def test_a_forgotten_turn_does_not_come_back_but_can_be_said_anew(m: Memoranda) -> None:
    turns = [
        said(f"{WORD} one", id="k1"),
        said(f"{WORD} two", MAY + DAY),
        said("three", MAY + 2 * DAY),
    ]
    ids = m.observe(turns).turns
    m.forget(*ids[:2])
    again = m.observe(turns)
    assert (again.stored, again.known, again.forgotten) == (0, 1, 2)
    assert m.recall(WORD).hits == ()
    assert m.observe([said(f"{WORD} one", MAY + 3 * DAY)]).stored == 1


def test_nothing_given_is_refused(m: Memoranda) -> None:
    with pytest.raises(InvalidInput, match="say what to forget"):
        m.forget()


def test_what_is_out_of_sight_is_not_forgotten(home: Path) -> None:
    with memoranda.open(home, person="anna") as anna:
        kept = anna.remember("the plan of Anna")
    with memoranda.open(home) as m:
        m.remember("the plan")
        assert len(m.forget(since=MAY).forgotten) == 1
    with memoranda.open(home, person="anna") as anna:
        assert anna.show(kept.id) == kept


def test_a_person_goes_with_the_name(home: Path) -> None:
    with memoranda.open(home, person=WORD) as m:
        m.remember("likes tea")
        m.observe([said("hello")])
    with memoranda.open(home) as m:
        m.remember("kept")
        assert m.forget(person=WORD).pending == ()
        assert [each.content for each in m.list()] == ["kept"]
    assert traces(home, [WORD]) == []


def test_looking_for_traces_finds_what_was_not_purged(
    m: Memoranda, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = scatter(m)
    monkeypatch.setattr(SqliteStore, "purge", lambda self: Purged())
    found = m.forget(*ids[3:], verify=True).found
    assert found is not None
    assert sum(found.values()) > 0


def test_looking_for_traces_drops_no_lock(m: Memoranda, home: Path) -> None:
    m.forget(m.remember(WORD).id, verify=True)
    code = f"""
from pathlib import Path
from memoranda.stores.lock import HomeLock, InUse
try:
    HomeLock(Path({str(home / "memory.lock")!r}), alone=True, timeout=0)
except InUse:
    print("in use")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "in use\n"


@pytest.mark.parametrize("step", ["_write_indexes_anew", "_follow_changes", "_older_copies"])
def test_a_purge_that_was_stopped_is_done_at_the_next_opening(
    m: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    scatter(m)

    def stop(self: SqliteStore, *_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, step, stop)
        with pytest.raises(KeyboardInterrupt):
            m.forget(entity=WORD)
    m.close()
    memoranda.open(home).close()
    assert traces(home, [WORD]) == []


def test_what_a_reader_holds_back_is_cleared_by_who_opens_next(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.05")
    with memoranda.open(home, project="site") as m, memoranda.open(home) as reader:
        scatter(m)
        assert isinstance(reader._store, SqliteStore)
        with reader._store._connections.reading() as db:
            db.execute("BEGIN").fetchall()
            db.execute("SELECT count(*) FROM memory").fetchall()
            assert m.forget(entity=WORD).pending == ("memory.db", "memory.db-wal")
            db.execute("ROLLBACK")
        with memoranda.open(home):
            assert traces(home, [WORD]) == []


def words_alike(chance: random.Random, count: int) -> list[str]:
    """Words that begin alike, as an index keeps them by what differs."""
    stems = ["".join(chance.choices(string.ascii_lowercase, k=8)) for _ in range(40)]
    return [
        chance.choice(stems)[: chance.randint(0, 8)]
        + "".join(chance.choices(string.ascii_lowercase, k=10))
        for _ in range(count)
    ]


def parts(text: str) -> set[bytes]:
    """Eight letters in a row, which no chance brings together again."""
    return {
        word[at : at + 8].encode() for word in text.split() for at in range(max(0, len(word) - 7))
    }


@pytest.mark.parametrize("seed", range(3))
def test_an_index_of_many_pieces_keeps_no_part_of_a_word(
    home: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(fulltext, "MERGED_PAGES", 2)  # so that it takes many transactions
    monkeypatch.setattr(implementation, "PAUSE", 0)
    chance = random.Random(seed)
    with memoranda.open(home) as m:
        texts = dict[str, str]()
        for number in range(120):
            text = " ".join(words_alike(chance, 8))
            texts[m.remember(text).id] = text
            if number % 60 == 59:
                doomed = chance.sample(sorted(texts), 20)
                assert m.forget(*doomed).pending == ()
                gone = set().union(*(parts(texts.pop(id)) for id in doomed))
                gone -= set().union(*(parts(text) for text in texts.values()))
                content = bytes_of(home / "memory.db")
                assert len(gone) > 1000
                assert [part for part in gone if part in content] == []
        assert m._store.check() == []


def test_indexing_that_was_stopped_half_way_is_done_at_the_next_opening(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fulltext, "MERGED_PAGES", 1)
    with memoranda.open(home, project="site") as m:
        for number in range(30):
            m.remember(" ".join(words_alike(random.Random(number), 40)))
        scatter(m)

        def stop(seconds: float) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr("time.sleep", stop)
            with pytest.raises(KeyboardInterrupt):
                m.forget(entity=WORD)
    assert traces(home, [WORD])
    memoranda.open(home).close()
    assert traces(home, [WORD]) == []


def test_an_index_that_nothing_went_out_of_stays_as_it_is(m: Memoranda, home: Path) -> None:
    m.remember("one thing")
    m.remember("another")
    (turn,) = m.observe([said(WORD)]).turns
    with closing(apsw.Connection(str(home / "memory.db"))) as db:
        pages = "SELECT id, block FROM memory_fts_data ORDER BY id"
        before = db.execute(pages).fetchall()
        m.forget(turn)
        assert db.execute(pages).fetchall() == before
        # 5 is what a stock SQLite before 3.42 cannot read.
        versions = "SELECT v FROM memory_fts_config UNION SELECT v FROM passage_fts_config"
        assert db.execute(versions).fetchall() == [(4,)]
    assert traces(home, [WORD]) == []


@pytest.mark.parametrize(
    ("forgotten", "kept"),
    [
        ("an embeddings endpoint", "tea"),  # the settings say so
        ("to capture", "capturing it"),
        ("they conflate", "conflating"),  # of which the index keeps the stem
        ("her preferences", "some tea"),  # what comes after the kind of a memory begins so
    ],
)
def test_what_others_say_is_no_trace(m: Memoranda, forgotten: str, kept: str) -> None:
    memory = m.remember(forgotten)
    m.remember(kept, kind="preference")
    found = m.forget(memory.id, verify=True).found
    assert found is not None
    assert not any(found.values())


@given(st.binary(min_size=512, max_size=512), st.sampled_from([0, 512]))
def test_a_page_that_is_none_is_written_as_it_is(page: bytes, offset: int) -> None:
    kept = without_gap(page, offset)
    header = 100 if offset == 0 else 0
    assert len(kept) == len(page)
    assert kept[: header + 8] == page[: header + 8]
    assert all(after in (before, 0) for before, after in zip(page, kept, strict=True))


def test_an_index_of_which_most_goes_keeps_no_word_of_it(home: Path) -> None:
    """FTS5 joins all that is on a low level on the next, where it keeps the terms of what went."""
    first, *many = canaries(800)
    with opened(home) as m:
        ids = [m.remember(" ".join(many[at : at + 40])).id for at in range(0, len(many), 40)]
        m.forget(m.remember(first).id)
        m.forget(*ids)
        assert m._store.check() == []
    assert traces(home, [first, *many], least=8) == []


def test_a_forgetting_that_comes_during_another_is_cleared_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever cleans up for one must not take the other's words for gone from the indexes."""
    first, second = canaries(2, seed=3)
    with opened(home) as m, opened(home) as other:
        ids = [m.remember(f"the plan of {word}").id for word in (first, second)]
        m.remember("Anna likes tea")
        clean = SqliteStore._older_copies

        def forget_another(store: SqliteStore) -> list[Path]:
            monkeypatch.setattr(SqliteStore, "_older_copies", clean)
            with monkeypatch.context() as stopped:
                stopped.setattr(SqliteStore, "purge", lambda *_, **__: Purged())
                other.forget(ids[1])
            return clean(store)

        monkeypatch.setattr(SqliteStore, "_older_copies", forget_another)
        m.forget(ids[0])
    opened(home).close()
    assert traces(home, [first, second]) == []


def test_looking_for_traces_gives_up_no_lock(home: Path) -> None:
    """Or the next process to close the home takes itself for the last, and removes the log."""
    with memoranda.open(home) as m, memoranda.open(home):
        memory = m.remember(f"{WORD} has the keys")
        assert m.forget(memory.id, verify=True).found
        m.remember("Anna likes tea")
        log = (home / "memory.db-wal").stat().st_ino
        opening = f"import memoranda; memoranda.open({str(home)!r}).close()"
        subprocess.run([sys.executable, "-c", opening], check=True)
        assert (home / "memory.db-wal").stat().st_ino == log
        m.remember("Anna likes plums")
    with memoranda.open(home) as m:
        assert len(m.list()) == 2


def test_what_was_said_in_a_project_goes_with_it(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.observe([said("of the site")])
        assert m.forget(project="site").turns
    with memoranda.open(home, person="anna", project="site") as anna:
        anna.observe([said("of Anna")])
    with memoranda.open(home, project="site") as m:
        assert m.forget(project="site").turns == ()


def test_all_that_is_given_counts_for_a_file_too(m: Memoranda) -> None:
    old, new = _noted(m, "in March", MAY), _noted(m, "in June", MAY + 30 * DAY)
    assert m.forget(source="notes.md", since=MAY + DAY).forgotten == (new,)
    assert m.show(old)


def test_what_has_another_source_stays_without_the_file(m: Memoranda, home: Path) -> None:
    id = _noted(m, "the plan", MAY, quote=WORD, beside=Source(kind="person", by="test"))
    assert m.forget(source="notes.md").forgotten == ()
    assert [each.kind for each in m.show(id).sources] == ["person"]  # type: ignore[union-attr]
    assert traces(home, [WORD]) == []


def _noted(
    m: Memoranda, content: str, at: datetime, *, quote: str = "", beside: Source | None = None
) -> str:
    """Store a memory that rests on a file; returns its id."""
    source = Source(kind="file", path="notes.md", line=1, quote=quote or content)
    sources = (source,) if beside is None else (source, beside)
    memory = a_memory(content, at=at, sources=sources)
    m._store.apply([Change(Operation.REMEMBER, None, memory)], at=at, by="test")
    return memory.id


def test_another_of_the_same_name_stays(m: Memoranda) -> None:
    m.remember("Anna is my sister", entities=["Anna"])
    kept = m.remember("Anna reviews the site", scope="project:site", entities=["Anna"])
    mine = next(each for each in m.entities("anna") if each.scope == Scope("user"))
    assert len(m.forget(entity=mine.id).forgotten) == 1
    assert m.show(kept.id)


def test_words_that_are_out_of_sight_stay(home: Path) -> None:
    with memoranda.open(home, person="anna", project="site") as anna:
        (turn,) = anna.observe([said("I am ill. The site moves to Oslo.")]).turns
        moves = anna.remember("The site moves", scope="project:site", source=turn)
    with memoranda.open(home, person="bob", project="site") as bob:
        receipt = bob.forget(moves.id)
        assert (receipt.forgotten, receipt.turns, receipt.cut) == ((moves.id,), (), ())
    with memoranda.open(home, person="anna") as anna:
        assert anna.show(turn)


def test_only_the_owner_forgets_for_others(home: Path) -> None:
    with memoranda.open(home, person="anna") as anna:
        kept = anna.remember("likes tea")
    with memoranda.open(home, person="bob") as bob:
        with pytest.raises(ScopeClosed):
            bob.forget(person="anna")
        with pytest.raises(ScopeClosed):
            bob.forget(everything=True)
    with memoranda.open(home) as owner:
        assert owner.forget(kept.id, person="anna").forgotten == (kept.id,)


def test_a_conversation_of_another_agent_is_another(home: Path) -> None:
    with memoranda.open(home) as owner, memoranda.open(home, profile="coder") as coder:
        (mine,), (its,) = owner.observe([said("mine")]).turns, coder.observe([said("its")]).turns
        assert coder.forget(conversation="c1").turns == (its,)
        assert owner.show(mine)


def test_no_agent_brings_it_back(home: Path) -> None:
    with memoranda.open(home) as owner, memoranda.open(home, profile="coder") as coder:
        owner.forget(*owner.observe([said(WORD)]).turns)
        assert coder.observe([said(WORD)]).forgotten == 1


def test_words_of_time_in_a_query_do_not_count(m: Memoranda) -> None:
    turns = m.observe([said("tea"), said("Anna comes on Thursday", MAY + DAY)]).turns
    assert m.forget(query="Anna in May 2026", dry_run=True).turns == turns[1:]
    for time in ("in May 2026", "yesterday", "March"):
        with pytest.raises(InvalidInput, match="since"):
            m.forget(query=time)


def test_what_another_cleans_up_meanwhile_has_no_word_left(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Memories that are found by a name that is forgotten lose it in the same transaction."""
    with memoranda.open(home) as m, memoranda.open(home) as other:
        called = m.remember("She leads the work", entities=[WORD])
        m.remember("She likes tea", entities=["Anna"])
        m.merge("Anna", WORD)
        original = SqliteStore.purge
        cleaning = other._store
        assert isinstance(cleaning, SqliteStore)
        monkeypatch.setattr(SqliteStore, "purge", lambda self: original(cleaning))
        m.forget(called.id)
        assert traces(home, [WORD]) == []


def test_a_purge_within_a_transaction_waits(m: Memoranda) -> None:
    plum = m.remember("plum")
    with m._store.transaction():
        receipt = m.forget(plum.id)
    assert receipt.pending
    assert m._store.purge() == Purged()


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=40)
SPANS = st.lists(st.tuples(st.integers(0, 45), st.integers(0, 45)), max_size=4)


@given(TEXT, SPANS, st.lists(st.integers(1, 39), max_size=3))
def test_a_cut_text_keeps_the_rest_in_order(
    text: str, spans: list[tuple[int, int]], breaks: list[int]
) -> None:
    cut = Cut.of(spans)
    whole = cut.left_of(text, 0)
    gone = {at for start, stop in cut.spans for at in range(start, stop)}
    assert whole.replace(FORGOTTEN, "") == "".join(
        char for at, char in enumerate(text) if at not in gone
    ).replace(FORGOTTEN, "")
    edges = sorted({0, *(at for at in breaks if at < len(text)), len(text)})
    parts = [cut.left_of(text[a:b], a) for a, b in pairwise(edges)]
    assert "".join(parts) == whole
    for at, char in enumerate(text):
        if at not in gone:
            assert whole[cut.place(at)] == char


def test_what_a_crash_left_of_a_file_goes_too(home: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember(f"The plan is called {WORD}")
    for path in (home / "USER.md", next((home / "mirror").rglob("*.md"))):
        path.with_name(f".{path.name}.12345.new").write_text(WORD)
    with memoranda.open(home) as m:
        assert m.forget(memory.id).pending == ()
    assert traces(home, [WORD]) == []
