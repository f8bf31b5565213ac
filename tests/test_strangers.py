"""Questions about somebody or something that no text names."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import Memoranda, Turn
from memoranda.retrieval.lexical import names
from memoranda.text.numbered import numbered

HELD = (
    "Anna lives in Oslo.",
    "Anna is living in Oslo now.",
    "Bob's favourite food is sushi.",
    "We run everything on k8s.",
    "Melanie moved to Bergen in May.",
)


@pytest.fixture
def held(m: Memoranda) -> Memoranda:
    for content in HELD:
        m.remember(content)
    return m


@pytest.mark.parametrize(
    "question",
    [
        "Where does Caroline live?",
        "Who is Caroline?",
        "What is the favourite food of Caroline?",
        "When did Caroline move?",
    ],
)
def test_nobody_is_answered_with_somebody_else(held: Memoranda, question: str) -> None:
    found = held.recall(question)
    assert found.hits == ()
    assert found.explanation.unheard_of["memory"] == ("Caroline",)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where does Anna live?", HELD[0]),
        ("Do we use Kubernetes?", HELD[3]),
        ("When did Mel move to Bergen?", HELD[4]),
        ("Does Caroline live near Anna?", HELD[0]),
    ],
)
def test_what_may_be_meant_is_found(held: Memoranda, question: str, answer: str) -> None:
    assert answer in [hit.content for hit in held.recall(question).hits]


def test_who_speaks_of_himself_is_somebody(m: Memoranda) -> None:
    m.observe([Turn("c", "user", "I have lived in Oslo for a year", speaker="Anna")])
    assert m.recall("Where does Anna live?").hits
    assert not m.recall("Where does Caroline live?").hits


def test_whose_memory_is_open_is_known(home: Path) -> None:
    with memoranda.open(home, person="caroline") as m:
        m.remember("User lives in Oslo")
        found = m.recall("Where does Caroline live?")
        assert found.hits
        assert not found.explanation.unheard_of


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("Søren", "Soren"),
        ("Soren", "Søren"),
        ("Łukasz", "Lukasz"),
        ("Đorđe", "Dorde"),
        ("Großmann", "Grossmann"),
        ("Jürgen", "Juergen"),
        ("Müller", "Mueller"),
        ("Müller", "Muller"),
        ("Bjørn", "Bjorn"),
        ("Bjørn", "Bjoern"),
        ("José", "Jose"),
    ],
)
def test_a_name_is_heard_of_however_it_is_typed(m: Memoranda, stored: str, asked: str) -> None:
    m.remember("Anna's birthday is on 2 May")
    text = f"{stored}'s birthday is on 14 August"
    m.remember(text)
    found = m.recall(f"When is {asked}'s birthday?")
    assert found.hits[0].content == text
    assert "memory" not in found.explanation.unheard_of


NEIGHBOURS = [
    ("web-02 has 8 GB of RAM", "How much RAM does web-03 have?", "How much RAM does web-02 have?"),
    ("web-02 has 8 GB of RAM", "How much RAM does web03 have?", "How much RAM does web02 have?"),
    ("Room 101 has a beamer", "What is in Room 103?", "What is in room 101?"),
    ("Room 12 has a beamer", "What is in Room 14?", "What is in Room #12?"),
    ("PR #318 is open", "Is PR #319 open?", "Is #318 open?"),
    ("PR #318 is open", "Is pull request 319 open?", "Is pull request 318 open?"),
    ("Postgres listens on port 5433", "What listens on port 9077?", "What listens on port 5433?"),
    ("The printer is at 10.0.1.50", "What is at 10.0.1.51?", "What is at 10.0.1.50?"),
    ("In Raum 101 steht ein Beamer", "Was steht in Raum 103?", "Was steht in Raum 101?"),
    ("Room 12A has a beamer", "What is in Room 14A?", "What is in Room 12A?"),
    ("atlas-2 runs the backups", "What does atlas-3 run?", "What does atlas-2 run?"),
]


@pytest.mark.parametrize(("text", "another", "same"), NEIGHBOURS)
def test_a_number_tells_names_apart(m: Memoranda, text: str, another: str, same: str) -> None:
    m.remember(text)
    m.observe([Turn("c", "user", text)])
    m.remember("Anna likes tea")
    assert not m.recall(another).hits
    assert m.recall(another).explanation.unheard_of
    assert text in [hit.content for hit in m.recall(same).hits]


def test_a_text_about_both_is_found(m: Memoranda) -> None:
    m.remember("web-02 has 8 GB of RAM")
    assert m.recall("Does web-03 have more RAM than web-02?").hits
    m.remember("Rooms 101, 102 and 103 have beamers")
    assert m.recall("What is in Room 103?").hits


@pytest.mark.parametrize(
    "question",
    [
        "what happened in 2024?",
        "does it take 5 minutes?",
        "did it cost 30 euros?",
        "is Python 3.12 installed?",
        "do we use node 22?",
        "is v2.1.0 live?",
        "does he take the bus 5 times a week?",
        "did the flight 7:30 leave?",
        "is it utf-8 or utf-16?",
        "who had covid-19?",
        "what about 2026-03-31?",
    ],
)
def test_a_number_alone_is_no_name(question: str) -> None:
    assert not [each for each in names(question) if any(map(str.isdigit, each))]


@given(st.text())
def test_any_text_has_names_with_numbers(text: str) -> None:
    for each in numbered(text):
        assert text[each.start :].startswith(each.name)


@pytest.mark.parametrize("text", ["a" * 300_000, "a-" * 150_000, "1." * 150_000, "room " * 60_000])
def test_much_of_one_thing_is_read_at_once(text: str) -> None:
    assert not list(numbered(text))
