"""Of a conversation that is incognito no byte is kept, whoever brings it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import Incognito, InvalidInput, Memoranda, Turn
from memoranda.text.masks import without_private

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
SECRET = "zirconiumplan"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return memoranda.init(tmp_path / "home", enable=True)


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with memoranda.open(home) as opened:
        opened._clock = lambda: NOW
        yield opened


def turn(content: str, time: datetime | None = NOW, *, id: str | None = None) -> Turn:
    return Turn(f"about {SECRET}", "user", content, time=time, id=id)


def names_it(home: Path) -> list[str]:
    files = (each for each in home.rglob("*") if each.is_file())
    return [each.name for each in files if SECRET.encode() in each.read_bytes().lower()]


def test_nothing_is_kept_of_it_from_the_first_turn(m: Memoranda, home: Path) -> None:
    m.incognito(f"about {SECRET}", from_start=True)
    seen = m.observe([turn(f"{SECRET} {number}", id=f"{SECRET}-{number}") for number in range(50)])
    assert (seen.stored, seen.incognito) == (0, 50)
    assert names_it(home) == []
    m.close()
    assert names_it(home) == []


def test_what_was_stored_before_goes_when_it_is_so_from_the_start(m: Memoranda, home: Path) -> None:
    m.observe([turn(f"the {SECRET} begins")])
    assert names_it(home)
    assert len(m.incognito(f"about {SECRET}", from_start=True).turns) == 1
    assert names_it(home) == []


def test_from_now_on_leaves_what_was_said_before_and_is_there_already(m: Memoranda) -> None:
    before = turn("we chose Caddy", NOW - timedelta(hours=1))
    m.observe([before])
    m.incognito(f"about {SECRET}")
    seen = m.observe([before, turn("off the record")])
    assert (seen.stored, seen.known, seen.incognito) == (0, 1, 1)


def test_turned_off_what_was_said_meanwhile_stays_unknown(m: Memoranda, tmp_path: Path) -> None:
    m.incognito(f"about {SECRET}")
    m._clock = lambda: NOW + timedelta(minutes=10)
    m.incognito(f"about {SECRET}", on=False)
    lines = [
        {"conversation": f"about {SECRET}", "role": "user", "content": content, **at}
        for content, at in (
            ("before", {"time": (NOW - timedelta(minutes=5)).isoformat()}),
            ("meanwhile", {"time": (NOW + timedelta(minutes=5)).isoformat()}),
            ("at no known time", {}),
            ("after", {"time": (NOW + timedelta(minutes=15)).isoformat()}),
        )
    ]
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)))
    seen = m.import_(file)
    assert (seen.stored, seen.incognito) == (2, 2)
    assert m.recall("meanwhile").hits == ()


def test_turned_on_and_off_within_a_second_it_is_on(m: Memoranda) -> None:
    m.incognito("c1")
    m.incognito("c1", on=False)
    m.incognito("c1")
    assert m.observe([Turn("c1", "user", SECRET, time=NOW)]).incognito == 1


def test_what_another_agent_stored_of_it_goes_too(m: Memoranda, home: Path) -> None:
    with memoranda.open(home, profile="coder") as other:
        other.observe([turn(SECRET)])
    assert len(m.incognito(f"about {SECRET}", from_start=True).turns) == 1
    assert names_it(home) == []


def test_another_person_has_another_conversation_of_that_name(m: Memoranda, home: Path) -> None:
    m.incognito("general")
    with memoranda.open(home, person="bob") as bob:
        assert bob.observe([Turn("general", "user", "hello", time=NOW)]).stored == 1
        bob.incognito("general", on=False)
    assert m.observe([Turn("general", "user", "hello", time=NOW)]).incognito == 1


@pytest.mark.parametrize("name", ["", "x" * 1001])
def test_what_names_no_conversation_is_refused(m: Memoranda, name: str) -> None:
    with pytest.raises(InvalidInput):
        m.incognito(name)


def test_another_agent_does_not_bring_it_back(m: Memoranda, home: Path) -> None:
    m.incognito(f"about {SECRET}", from_start=True)
    with memoranda.open(home, profile="coder") as other:
        assert other.observe([turn(SECRET)]).incognito == 1
    assert names_it(home) == []


def test_nothing_is_recalled_into_it_nor_written_down_there(m: Memoranda) -> None:
    memory = m.remember("Anna likes tea")
    m.incognito("c1")
    silent = m.recall("what does Anna like?", conversation="c1")
    assert silent.hits == ()
    assert "incognito" in silent.degraded[0]
    assert m.recall("what does Anna like?", conversation="c1", incognito=True).hits
    assert m.recall("what does Anna like?", conversation="c2").hits
    with pytest.raises(Incognito):
        m.remember("Anna likes plums", conversation="c1")
    m._record_served()
    assert m.show(memory.id).use_count == 1  # type: ignore[union-attr]


def test_what_was_not_kept_cannot_be_brought_back(m: Memoranda) -> None:
    with pytest.raises(InvalidInput, match="brought back"):
        m.incognito("c1", on=False, from_start=True)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("The code is <private>4821</private>, thanks", "The code is [private], thanks"),
        ("a <PRIVATE>b</Private> c <private>d", "a [private] c [private]"),
        ("<private>all of it</private>", "[private]"),
        ("write `<private>` around it", "write `<private>` around it"),
        ("</private> alone", "</private> alone"),
        ("a <private>one <private>two</private> three</private> four", "a [private] four"),
        ("a <private>one <private>two</private> three", "a [private]"),
        (
            "see <private>code is <private>inner</private> Larkspurmoth</private> end",
            "see [private] end",
        ),
        ("a < private >b< / private > c", "a [private] c"),
        ("a <private\n>b</private\n> c", "a [private] c"),
        ('a <private reason="x">b</private> c', "a [private] c"),
        ("a `x`<private>`b`</private> c", "a `x`[private] c"),
        ("<private>a `</private>` b</private> c", "[private] c"),
        ("a <privateer>b</privateer>", "a <privateer>b</privateer>"),
    ],
)
def test_a_private_part_is_left_out(m: Memoranda, home: Path, said: str, kept: str) -> None:
    (id,) = m.observe([turn(said)]).turns
    assert m.show(id).content == kept
    assert m.observe([turn(said)]).known == 1


TAGS = st.sampled_from(["<private>", "</private>", "`", "< private >", "<", "private>", "x"])


@given(st.text() | st.lists(TAGS).map("".join))
def test_what_is_left_is_left_whatever_it_is(text: str) -> None:
    assert without_private(without_private(text)) == without_private(text)


@given(st.text())
def test_what_is_private_is_left_out_whatever_it_is(text: str) -> None:
    assert without_private(f"a<private>{text}</private>b").startswith("a[private]")


def test_a_memory_leaves_it_out_too(m: Memoranda, home: Path) -> None:
    memory = m.remember(f"Anna <private>{SECRET}</private>", detail=f"<private>{SECRET}")
    assert (memory.content, memory.detail) == ("Anna [private]", "[private]")
    with pytest.raises(InvalidInput):
        m.remember(f"<private>{SECRET}</private>")
    assert names_it(home) == []
