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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Building 7 lights are on", ["Building 7"]),
        ("the lights of Building 7 lights up", ["Building 7"]),
        ("Debian 12 servers", ["Debian 12"]),
        ("we run Debian 12 servers and Frobnix 3 nodes", ["Debian 12", "Frobnix 3"]),
        (
            "Windows Server 2019, Windows Server 2022 and Tom 2022",
            ["Windows Server 2019", "Windows Server 2022", "Tom"],
        ),
        ("iPhone 15 vs iPhone 16 Pro", ["iPhone 15", "iPhone 16 Pro"]),
        ("Pixel 8 Pro or iPhone 16 Pro Max", ["Pixel 8 Pro", "iPhone 16 Pro Max"]),
        ("Frobnix 12 vs Frobnix 13", ["Frobnix 12", "Frobnix 13"]),
        ("when Printer 2 jams", ["Printer 2"]),
        ("D-Bus 1.6 remains, as does Git 1.9 days later", ["D-Bus 1.6", "Git 1.9"]),
        ("PID 1 may show both", ["PID 1"]),
        ("I gave Tom 3 books", ["Tom"]),
        ("Gave Tom 3 books", ["Tom"]),
        ("my friend Tom 3 books", ["Tom"]),
        ("Ask Mara 5 questions", ["Mara"]),
        ("Ich gab Mara 2 Bücher", []),
        ("In Ghent 4 trains were late", ["Ghent"]),
        ("On Debian 12 servers it works", ["Debian 12"]),
        ("dinner with Mara 7 pm", ["Mara"]),
        ("we see Mara 5 May", ["Mara"]),
        ("(in Room 101) not Room 102", ["Room 101", "Room 102"]),
        ("ask: 1) Mara 2) Tom 3) Lena", ["Mara", "Tom", "Lena"]),
    ],
)
def test_a_number_is_of_the_name_unless_it_counts(text: str, told: list[str]) -> None:
    assert names(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Room 101 is locked", ["Room 101"]),
        ("Room 101 and Room 102 are locked", ["Room 101", "Room 102"]),
        ("Server 3 ist kaputt und die Kamera 2 auch", ["Server 3", "Kamera 2"]),
        ("Printer 2 is jammed", ["Printer 2"]),
        ("Apollo 11 astronauts were brave", ["Apollo 11"]),
        ("In 2024 we moved", []),
        ("May 3 is free, on Monday 5 people come", []),
        ("Three people came. At 5 we left. Step 3 is hard", []),
        ("Version 2 is out, and we run Version 2", []),
        ("Chapter 3 is long, I read Chapter 4 and Page 90", []),
        ("auf der Seite 3 und im Kapitel 4", []),
        (
            "Harry Potter Chapter 3, Python Version 3",
            ["Harry Potter Chapter 3", "Python Version 3"],
        ),
        ("1. Buy milk\n2. Three eggs", []),
        ("Bought 3 books. Bake 12 cakes. Bake 12 big cakes", []),
    ],
)
def test_a_number_tells_a_name_where_a_sentence_begins(text: str, told: list[str]) -> None:
    assert names(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("we left Town0 for Windows11 and Postgres16", ["Town0", "Windows11", "Postgres16"]),
        ("Town0's mayor uses Python3.12 and Neo4j", ["Town0", "Python3.12", "Neo4j"]),
        ("Room101 is locked, see `Test1` and Test1.py", ["Room101", "Test1", "Test1.py"]),
        ("May3, Chapter3, Version2, Day3, In2024, Top10 and Great2see you", []),
    ],
)
def test_a_word_joined_with_digits_is_a_name(text: str, told: list[str]) -> None:
    assert names(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Haus von Herrn Schmidt", ["Herrn Schmidt"]),
        ("the House of Mrs. Green", ["Mrs Green"]),
        ("der Freund von Onkel Karl", ["Onkel Karl"]),
        ("met the Sister of Mara", ["Mara"]),
        ("Haus von Mara", ["Mara"]),
        (
            "Ludwig van Beethoven and Otto von Bismarck",
            ["Ludwig van Beethoven", "Otto von Bismarck"],
        ),
        ("the Lord of the Rings", ["Lord of the Rings"]),
    ],
)
def test_a_particle_does_not_join_two_names(text: str, told: list[str]) -> None:
    assert names(text) == told


NUMBERED = st.sampled_from(
    "Building Room Debian iPhone Frobnix Printer Server Town Windows Postgres".split()
)
AROUND = st.sampled_from(
    ["{} is here", "we like {}", "we like {} lights", "{} lights are on", "the {} vs others",
     "it has {} for us", "{}'s lights", "{} and more", "Mara, {} or none"]
)  # fmt: skip


@given(NUMBERED, AROUND, st.sampled_from(["", " "]), st.integers(0, 1899), st.integers(0, 1899))
def test_what_differs_in_a_number_is_two_names(
    word: str, around: str, gap: str, one: int, other: int
) -> None:
    assume(one != other)
    first, second = (
        {key(name) for name in names(around.format(f"{word}{gap}{number}"))}
        for number in (one, other)
    )
    assert first & second <= {"mara"}
    assert f"{key(word)}{gap}{one}" in first


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
     "A-", ".'", "s'", "the '", "a. -", "Aa 1) ", "Aa 1 bs ", "Aa0 "],
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


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("web-02 has 8 GB of RAM", {"web-02", "RAM"}),
        ("The disk is a 4 TB Toshiba", {"Toshiba"}),
        ("It has a Toshiba 4 TB drive", {"Toshiba"}),
        ("It runs at 3 GHz and 10 Gbit", set()),
        ("We pay 30 EUR to Anna", {"Anna"}),
        ("The clinic asks for TB and Toshiba", {"TB", "Toshiba"}),
    ],
)
def test_a_unit_after_a_number_is_no_name(text: str, named: set[str]) -> None:
    assert {each.name for each in entities(text)} == named
