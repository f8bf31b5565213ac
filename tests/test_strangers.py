"""Questions about somebody or something that no text names."""

from __future__ import annotations

from pathlib import Path

import pytest

import memoranda
from memoranda import Memoranda, Turn

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
