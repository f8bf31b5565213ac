"""What is forgotten is gone from every file, with what rests on it, and does not come back."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import memoranda
from memoranda import InvalidInput, Memoranda, Turn
from memoranda.types import Receipt, Status

MAY = datetime(2026, 5, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def canary(seed: int = 0) -> str:
    return "".join(random.Random(seed).choices(string.ascii_lowercase, k=12))


def traces(home: Path, word: str) -> list[str]:
    """The files that hold six letters or more of a word."""
    parts = {word[at : at + 6].encode() for at in range(len(word) - 5)}
    return [
        f"{file.name}: {part.decode()}"
        for file in sorted(home.rglob("*"))
        if file.is_file()
        for content in [file.read_bytes().lower()]
        for part in parts
        if part in content
    ]


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


WORD = canary()


def plant(m: Memoranda) -> list[str]:
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


WAYS: dict[str, Callable[[Memoranda, list[str]], Receipt]] = {
    "by id": lambda m, ids: m.forget(*ids[3:], ids[1]),
    "by query": lambda m, ids: m.forget(query=f"What is {WORD}?") and m.forget(ids[3]),
    "by conversation": lambda m, ids: m.forget(conversation="c1") and m.forget(ids[4]),
    "by entity": lambda m, ids: m.forget(entity=WORD),
    "by time": lambda m, ids: m.forget(since=MAY - DAY, until=datetime.now(UTC) + DAY),
    "by person": lambda m, ids: m.forget(person=""),
    "everything": lambda m, ids: m.forget(everything=True),
}


@pytest.mark.parametrize("way", ["by id", "by entity", "by time", "everything"])
def test_no_letter_is_left_in_any_file(m: Memoranda, home: Path, way: str) -> None:
    ids = plant(m)
    assert traces(home, WORD)
    receipt = WAYS[way](m, ids)
    assert receipt.pending == ()
    assert traces(home, WORD) == []
    assert m.recall(WORD).hits == ()
    m.close()
    assert traces(home, WORD) == []
    with memoranda.open(home) as again:
        assert again._store.check() == []


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
    assert traces(home, WORD) == []


def test_a_dry_run_tells_what_would_go_and_leaves_it(m: Memoranda) -> None:
    ids = plant(m)
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
    assert traces(home, WORD) == []
