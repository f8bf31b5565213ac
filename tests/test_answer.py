"""What becomes of the hits that were found: nothing twice, and each fit to be read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Memoranda, Turn
from memoranda.text import questions
from memoranda.text.repetition import repeats, words_of

NINE = datetime(2026, 3, 1, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna lives in Oslo.", "Anna is living in Oslo."),
        ("Bob prefers tea", "Bob is preferring tea"),
        (
            "Mara works at Siemens and runs on Sundays",
            "Mara is working at Siemens, running on Sundays",
        ),
        ("The pool is called tank", "the pool is called tank."),
        ("Deploys go out on Tuesdays", "Deploys go out on the Tuesdays!"),
        (
            "The nightly backup of the photo library goes to the house in Ghent",
            "The nightly backup of the whole photo library goes to the house in Ghent",
        ),
    ],
)
def test_what_says_the_same_is_a_repetition(one: str, other: str) -> None:
    assert repeats(words_of(one), words_of(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Anna lives in Oslo.", "Anna was living in Oslo."),
        ("Anna lives in Oslo.", "Anna lived in Oslo."),
        ("Anna lives in Oslo.", "Anna will be living in Oslo."),
        ("Anna lives in Oslo.", "Anna is not living in Oslo."),
        (
            "Anna lives near the old harbour of Oslo",
            "Anna hates living near the old harbour of Oslo",
        ),
        ("The server is down", "The server was down"),
        ("Anna moved to Oslo", "Anna moved from Oslo"),
        ("So Bob owes Anna money", "So Anna owes Bob money"),
        ("Bob has a dog", "Bob has dogs"),
        ("Backup runs before the deploy", "Backup runs after the deploy"),
        ("Mara sleeps in Room 101", "Mara sleeps in Room 102"),
        ("web-01 runs the reverse proxy of the lab", "web-02 runs the reverse proxy of the lab"),
        ("I like tea", "I do not like tea"),
        ("Mara likes strong black tea in the morning", "Tom likes strong black tea in the morning"),
        (
            "The nightly backup of the photo library goes to the house in Ghent",
            "The nightly backup of the photo library goes to Mara and the house in Ghent",
        ),
        ("", ""),
        ("yes", "no"),
    ],
)
def test_what_differs_in_a_name_a_number_or_a_negation_is_none(one: str, other: str) -> None:
    assert not repeats(words_of(one), words_of(other))


@given(st.text(), st.text(), st.integers(0, 9), st.integers(0, 9))
def test_a_digit_more_or_other_is_never_the_same(
    before: str, after: str, digit: int, other: int
) -> None:
    one, two = (words_of(f"{before} room{number} {after}") for number in (digit, other))
    assert repeats(one, two) == (digit == other or one == two)


def test_repetitions_take_one_place(m: Memoranda) -> None:
    said = ["The pool is called tank", "The pool is called tank!", "The pool is called rust"]
    for minute, content in enumerate(said):
        m.observe([Turn(f"c{minute}", "user", content, NINE + timedelta(minutes=minute))])
    found = m.recall("what is the pool called?")
    assert [hit.content[19:23] for hit in found.hits] == ["tank", "rust"]
    assert found.explanation.left_out["said already"] == 1


def test_the_same_words_of_two_people_are_two_statements(m: Memoranda) -> None:
    for speaker in ("Mara", "Tom"):
        m.observe([Turn(speaker, "user", "I am allergic to peanuts", NINE, speaker)])
    assert len(m.recall("who is allergic to peanuts?").hits) == 2


def talk(m: Memoranda, *contents: str) -> None:
    m.observe(
        Turn("c", "user" if place % 2 else "assistant", content, NINE + timedelta(minutes=place))
        for place, content in enumerate(contents)
    )


def test_a_reply_comes_with_what_it_replies_to(m: Memoranda) -> None:
    talk(m, "Where does the spare key of the shed hang?", "Behind the blue door, as always.")
    (hit, *_) = m.recall("spare key behind the blue door", limit=1).hits
    assert hit.content == "Behind the blue door, as always."
    assert hit.before == "Where does the spare key of the shed hang?"


def test_what_is_a_hit_itself_is_not_told_twice(m: Memoranda) -> None:
    talk(m, "Where does the spare key of the shed hang?", "The spare key hangs behind the door.")
    assert [hit.before for hit in m.recall("where is the spare key?").hits] == [None, None]


def test_what_came_before_counts_into_the_budget(m: Memoranda) -> None:
    talk(m, f"Where does the spare key hang{' now' * 60}?", "Behind the blue door, as always.")
    tight, wide = (m.recall("behind the blue door", limit=1, budget=n) for n in (20, 200))
    assert (tight.hits[0].before, wide.hits[0].before is None) == (None, False)
    assert tight.tokens <= 20 < wide.tokens <= 200


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("", 0.0),
        ("The pool is called tank.", 0.0),
        ("What is the pool called?", 1.0),
        ("池叫什么？", 1.0),
        ("Nice! And you?", 8 / 13),
        ("???", 1.0),
        ("Is it v1.2?", 1.0),
    ],
)
def test_the_share_of_questions_in_a_text(text: str, share: float) -> None:
    assert questions.share(text) == pytest.approx(share, abs=0.1)


@given(st.text())
def test_any_text_has_a_share_of_questions(text: str) -> None:
    assert 0 <= questions.share(text) <= 1


def test_an_answer_goes_before_the_question_it_was_given_to(m: Memoranda) -> None:
    talk(m, "On which shelf is the torque wrench?", "The torque wrench is on the top shelf.")
    assert [hit.content[:3] for hit in m.recall("on which shelf is the torque wrench").hits] == [
        "The",
        "On ",
    ]


def test_what_the_boosts_are_is_told(m: Memoranda) -> None:
    talk(m, "On which shelf is the torque wrench?", "The torque wrench is on the top shelf.")
    (first, second) = m.recall("on which shelf is the torque wrench").hits
    assert second.boosts["asks"] < 0 < second.boosts["followed"]
    assert first.boosts["talk around"] == second.boosts["talk around"] > 0


def test_what_the_floor_cut_is_told(m: Memoranda) -> None:
    m.remember("The pool is called tank")
    found = m.recall("What is the capital of Mongolia?")
    assert found.hits == ()
    (cut,) = found.explanation.cut["memory"]
    assert cut.score < found.explanation.floors["memory"]
