"""What hangs together with the names in a question."""

from __future__ import annotations

from pathlib import Path

import memoranda
from memoranda import Memoranda

FACTS = (
    "The data of the Billing Portal are on db-07",
    "db-07 stands in rack 4 and has a faulty fan",
    "The data of the Web Shop are on db-08",
    "db-08 stands in rack 9",
    "Mara waters the plants on Fridays",
)


def told(m: Memoranda) -> None:
    for fact in FACTS:
        m.remember(fact)


def test_two_links_out_is_what_no_word_of_the_question_names(m: Memoranda) -> None:
    told(m)
    found = m.recall("the Billing Portal", links=True).hits
    lists = {hit.content: hit.lists for hit in found}
    assert "linked" in lists[FACTS[1]]
    assert all("linked" not in lists.get(fact, {}) for fact in FACTS[2:])


def test_links_speak_for_a_hit_and_say_so(m: Memoranda) -> None:
    told(m)
    without, walked = (m.recall("what is wrong with db-07", links=on).hits for on in (False, True))
    assert all("linked" not in hit.boosts for hit in without)
    assert walked[0].boosts["linked"] > 0


def test_a_home_without_a_model_walks_links_too(home: Path, monkeypatch: object) -> None:
    (home / "memoranda.toml").write_text('embedding_model = "none"\nlinks = true', "utf-8")
    with memoranda.open(home) as m:
        told(m)
        assert [hit.content for hit in m.recall("Billing Portal").hits] == [*FACTS[:2]]


def test_a_question_that_names_nothing_is_the_same_with_links(m: Memoranda) -> None:
    told(m)
    question = "who waters the plants?"
    assert m.recall(question, links=True).hits == m.recall(question, links=False).hits
