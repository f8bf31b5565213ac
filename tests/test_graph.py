"""What a question names, whatever its case."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Memoranda
from memoranda.retrieval.graph import MOST_NAMES, names
from memoranda.text.names import key


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("who looks after web-01", "web-01"),
        ("what does mara drink", "Mara"),
        ("what did alex kim say?", "Alex Kim"),
        ("is home assistant up", "Home Assistant"),
        ("which pool is on the portal team's nas?", "Portal Team"),
        ("止損單是什麼", "止损单"),
        ("when did we meet in room 101?", "Room 101"),
        ("what about lord of the rings", "Lord of the Rings"),
        ("was macht frau müller", "Frau Müller"),
    ],
)
def test_a_question_names_entities_in_any_case(question: str, name: str) -> None:
    assert key(name) in map(key, names(question))


def test_words_without_content_name_nothing() -> None:
    assert names("what is it, and who are they?") == ()


def test_a_long_question_still_names_something() -> None:
    question = " ".join(f"word{n}x" for n in range(40)) + " mara"
    assert key("Mara") in map(key, names(question))


@given(st.text())
def test_any_question_names_a_few(question: str) -> None:
    assert len(names(question)) <= MOST_NAMES


@pytest.mark.parametrize("piece", ["a ", "王", "A", "' ", "a.", "的 "])
def test_a_very_long_question_takes_no_longer(piece: str) -> None:
    started = time.process_time()
    names(piece * 500_000)
    assert time.process_time() - started < 0.5


def test_what_is_named_leads_on(m: Memoranda) -> None:
    m.remember("Mara looks after web-01")
    far = m.remember("web-01 hosts the wiki")
    store, filter = m._store, m._filter()
    found = store.linked("memory", names("what does mara do?"), m.access.visible, filter, 9)
    assert far.id in [each.id for each in found]
