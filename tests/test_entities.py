"""Names in a text: what is one, what two ways of writing have in common, and what stays apart."""

from __future__ import annotations

import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memoranda.text.entities import LONGEST, MOST, entities
from memoranda.text.names import key
from memoranda.types import EntityKind
from tests.names import quality, sentences


def names(text: str) -> list[str]:
    return [each.name for each in entities(text) if each.sure]


def test_most_names_are_found_and_most_found_are_names() -> None:
    """The sentences are of home-lab, code and everyday talk, some German and CJK."""
    measured = quality()
    assert len(sentences()) >= 120
    assert measured.precision >= 0.97, measured.wrong
    assert measured.recall >= 0.88, measured.missed
    assert measured.kinds >= 0.9


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I spoke with Dr. Osei", EntityKind.PERSON),
        ("we moved to Ghent", EntityKind.PLACE),
        ("the project Lighthouse", EntityKind.PROJECT),
        ("restart web-01", EntityKind.HOST),
        ("nginx.service is masked", EntityKind.SERVICE),
        ("see worker.py:142", EntityKind.FILE),
        ("made with Blender", EntityKind.THING),
    ],
)
def test_the_words_beside_a_name_tell_its_kind(text: str, kind: EntityKind) -> None:
    assert [each.kind for each in entities(text)] == [kind]


def test_a_word_that_begins_a_sentence_is_a_name_if_something_says_so() -> None:
    assert names("Deploys go out on Tuesdays") == []
    assert names("Mara called") == ["Mara"]
    assert names("Caddy is old. I like Caddy.") == ["Caddy"]
    assert [(each.name, each.sure) for each in entities("Berlin, again")] == [("Berlin", False)]


def test_a_name_is_told_once_where_it_first_stands() -> None:
    (mara,) = entities("Ask Mara, for Mara's sake. Mara said so!")
    assert (mara.name, mara.start, mara.kind) == ("Mara", 4, EntityKind.PERSON)


def test_names_keep_their_numbers() -> None:
    assert names("we met in Room 101 and Room 102") == ["Room 101", "Room 102"]
    assert names("it wants Python 3.12 or v2") == ["Python 3.12"]
    assert names("ask Mara 5 minutes before, or Tom 2 weeks ago") == ["Mara", "Tom"]


@given(st.text())
def test_any_text_has_names_that_stand_in_it(text: str) -> None:
    found = entities(text)
    assert len(found) <= MOST
    assert [each.start for each in found] == sorted(each.start for each in found)
    for each in found:
        assert 0 < len(each.name) <= LONGEST
        assert text[each.start : each.start + 1] == each.name[:1]
    assert len({key(each.name) for each in found}) == len(found)


@pytest.mark.parametrize(
    "piece",
    ["A", "a.", "/a", "a-", "@", "[", "`", "王", "「", "A ", "a:", "Aa", "a_", ":", "A'", "Al de ",
     "the ", "'s", "1.", "é", "\n", "#1", "a/", "::1", "“王", "ア", "ア・", "가", "~/", "x@a.",
     "A-", ".'", "s'", "the '", "a. -"],
)  # fmt: skip
def test_reading_takes_time_in_proportion(piece: str) -> None:
    started = time.process_time()
    entities(piece * (1_000_000 // len(piece)))
    key(piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 3


@pytest.mark.parametrize(
    "same",
    [
        ("Mara", "mara", "MARA", "Mara's", "“Mara”", "Mara,", "Ｍａｒａ"),
        ("Home Assistant", "home-assistant", "home_assistant", "the Home Assistant"),
        ("web-01", "web 01", "WEB_01", "`web-01`"),
        ("Dr. Osei", "dr osei", "Dr Osei's"),
        ("止損單", "止损单", "「止損單」"),
    ],
)
def test_ways_of_writing_one_name(same: tuple[str, ...]) -> None:
    assert len({key(name) for name in same}) == 1


@pytest.mark.parametrize(
    "apart",
    [
        ("Room 101", "Room 102"),
        ("web-01", "web-02", "web-1", "web01"),
        ("v1", "v2", "v1.2", "v12"),
        ("Alex", "Alex Kim", "Alex Berg", "@alex", "alex@example.org"),
        ("C", "C++", "C#"),
        (".NET", "NET"),
        ("#12", "12"),
        ("~/x", "/x", "x"),
        ("Dr. Kim", "Mrs. Kim", "Kim"),
        ("王先生", "王小姐"),
        ("Maria", "Mario"),
    ],
)
def test_similar_is_not_the_same(apart: tuple[str, ...]) -> None:
    assert len({key(name) for name in apart}) == len(apart)


NAME = st.text(st.sampled_from("Aab-_ .'’s0123456789v#王"), min_size=1, max_size=12)


@given(NAME, NAME)
def test_names_that_differ_in_a_digit_are_never_the_same(one: str, other: str) -> None:
    digits = ["".join(filter(str.isdigit, name)) for name in (one, other)]
    assume(digits[0] != digits[1])
    assert key(one) != key(other)


@given(NAME, st.integers(0, 9), st.integers(0, 9))
def test_nor_are_two_numbers_of_one_series(name: str, one: int, other: int) -> None:
    assume(one != other)
    assert key(f"{name}{one}") != key(f"{name}{other}")


@given(st.text())
def test_what_names_have_in_common_has_it_too(name: str) -> None:
    assert key(key(name)) == key(name)
