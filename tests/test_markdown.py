"""Memories as a file: under headings, the strongest first, within a length; and what is read of it.

Whatever a person does to a file in an editor arrives or is told, and changes nothing else.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memoranda.files.edits import Edits, Held, edits
from memoranda.files.markdown import PREFACE, read, shown, write
from memoranda.files.page import Page, Written
from memoranda.policy.fading import curves
from memoranda.policy.standing import standing
from memoranda.settings import Settings
from memoranda.testing import DAY, MARCH, a_memory
from memoranda.text.clean import mend
from memoranda.types import Kind, Memory, Source, Status

CURVES = curves(Settings())
NOW = MARCH + 400 * DAY
VERY_MANY = 10**9


def written(memories: Sequence[Memory], **options: object) -> Written:
    return write(memories, NOW, CURVES, characters=VERY_MANY, **options)  # type: ignore[arg-type]


def held(memories: Sequence[Memory], file: Written) -> Mapping[str, Held]:
    by_id = {each.id: each for each in memories}
    return {id: Held(by_id[id], line, by_id[id]) for id, line in file.lines.items()}


def found(memories: Sequence[Memory], file: Written, text: str) -> Edits:
    page = read(text, {each.id: each.content for each in memories})
    assert page.broken is None, page.broken
    return edits(page, held(memories, file), ())


def edited(memories: Sequence[Memory], change: Callable[[str], str]) -> Edits:
    file = written(memories)
    return found(memories, file, change(file.text))


def kinds_of(told: Edits) -> set[str]:
    names = ("added", "revised", "moved", "retired", "disputed")
    return {name for name in names if getattr(told, name)}


# What is written ----------------------------------------------------------------------------------


def test_each_has_its_day_its_level_and_its_id() -> None:
    rule = a_memory("Never deploy\non Fridays", kind=Kind.CONSTRAINT)
    fact = a_memory("The pool is called tank")
    told = written([fact, rule]).text
    assert told.splitlines() == [
        "# Memory",
        "",
        PREFACE,
        "",
        "## Constraints",
        "",
        "- Never deploy on Fridays (2026-03-01, medium)",
        f"  <!-- id: {rule.id}, added: 2026-03-01, category: constraint, confidence: medium, "
        "source: written by hand (test) -->",
        "",
        "## Facts",
        "",
        "- The pool is called tank (2026-03-01, low, unconfirmed since March 2026)",
        f"  <!-- id: {fact.id}, added: 2026-03-01, category: fact, confidence: low, "
        "source: written by hand (test) -->",
    ]


@given(st.lists(st.text(max_size=300), max_size=40), st.integers(0, 3000), st.integers(0, 9))
def test_content_fits_and_the_rest_is_counted(
    contents: list[str], characters: int, beyond: int
) -> None:
    memories = [a_memory(each) for each in contents]
    told = write(memories, MARCH, CURVES, characters=characters, beyond=beyond)
    kept = [each for each in memories if each.id in told.lines]
    assert sum(len(shown(each.content)) for each in kept) <= characters
    left = len(memories) - len(kept) + beyond
    assert (f"{left} more are in the store." in told.text) == (left > 0)


def test_what_stands_comes_in_order_and_losers_do_not() -> None:
    pinned = a_memory("pinned", pinned=True, at=MARCH - 900 * DAY)
    fresh, old = a_memory("fresh"), a_memory("old", at=MARCH - 300 * DAY)
    loser, proposed = a_memory("loser"), a_memory("proposed", status=Status.CANDIDATE)
    narrow = a_memory("wide", overridden_by="X")
    found = standing(
        [old, loser, proposed, narrow, fresh, pinned], MARCH, CURVES, frozenset({loser.id})
    )
    assert [each.content for each in found] == ["pinned", "fresh", "old"]


def test_nothing_of_a_source_ends_the_comment() -> None:
    source = Source("file", MARCH, path="a --> b <!-- c.md", line=3)
    memory = a_memory("The pool is called tank", sources=(source,))
    assert not edited([memory], lambda text: text)
    assert written([memory]).text.count("-->") == 2


# What is read -------------------------------------------------------------------------------------

STATEMENTS = st.one_of(
    st.text(min_size=1, max_size=120),
    st.lists(
        st.sampled_from(
            "# ## - * > | 1. --- === ``` <!-- --> (2026-01-02) [x] User uses x-y 'a' 止损 :".split()
        ),
        min_size=1,
        max_size=20,
    ).map(" ".join),
).map(lambda text: mend(text)[0])


@st.composite
def memories(draw: st.DrawFn) -> list[Memory]:
    said = draw(st.lists(STATEMENTS.filter(lambda text: shown(text) != ""), max_size=8))
    made = {
        "".join(shown(each).split()): a_memory(
            each,
            kind=draw(st.sampled_from(Kind)),
            at=MARCH - draw(st.integers(0, 2000)) * DAY,
            valid_to=draw(st.sampled_from([None, MARCH + 9999 * DAY])),
            contradicts=draw(st.sampled_from([(), ("01KJPWD6M034H6W9WDG2KPXBT1",)])),
            sources=(Source(draw(st.sampled_from(["person", "agent"])), MARCH, by="a (b)"),),
        )
        for each in said
    }
    return list(made.values())


@given(memories())
def test_a_file_that_nobody_edited_says_nothing_new(memories: list[Memory]) -> None:
    file = written(memories)
    told = found(memories, file, file.text)
    assert not told
    assert told.notes == []
    page = read(file.text)
    assert len(page.statements) == len(memories)
    assert {each.id for each in page.statements} == {each.id for each in memories}
    assert written(memories, title=page.title, remarks=page.remarks) == file


UNHARMED: Mapping[str, Callable[[str, Random], str]] = {
    "other ends of lines": lambda text, _: text.replace("\n", "\r\n"),
    "old ends of lines": lambda text, _: text.replace("\n", "\r"),
    "a byte order mark": lambda text, _: "\ufeff" + text,
    "no end of the last line": lambda text, _: text.rstrip("\n"),
    "blank lines": lambda text, _: text.replace("\n", "\n\n"),
    "blanks behind": lambda text, _: text.replace("\n", "  \n"),
    "another order": lambda text, random: _shuffled(text, random),
    "other bullets": lambda text, _: "".join(
        "* " + line[2:] if line.startswith("- ") else line
        for line in text.splitlines(keepends=True)
    ),
    "no comment on top": lambda text, _: text.replace(PREFACE, ""),
    "no title": lambda text, _: text.partition("\n")[2],
}


def _shuffled(text: str, random: Random) -> str:
    """The items under each heading in another order."""
    parts = text.split("\n## ")
    for at, part in enumerate(parts[1:], 1):
        heading, *items = part.split("\n- ")
        items = [item.rstrip("\n") for item in items]
        random.shuffle(items)
        parts[at] = "\n- ".join([heading.rstrip("\n"), *items]) + "\n"
    return "\n## ".join(parts)


@pytest.mark.parametrize("how", UNHARMED)
@given(memories(), st.randoms(use_true_random=False))
def test_what_editors_do_to_a_file_is_no_edit(
    how: str, memories: list[Memory], random: Random
) -> None:
    assert not edited(memories, lambda text: UNHARMED[how](text, random))


@given(memories(), st.integers(20, 100), st.sampled_from(["  ", "", "\t"]))
def test_other_breaks_of_lines_are_no_edit(memories: list[Memory], width: int, indent: str) -> None:
    def wrapped(text: str) -> str:
        lines = (
            "\n".join(
                textwrap.wrap(
                    line,
                    width,
                    subsequent_indent=indent,
                    break_long_words=False,
                    break_on_hyphens=False,
                )
            )
            if line.startswith("- ")
            else line
            for line in text.split("\n")
        )
        return "\n".join(lines)

    assert not edited(memories, wrapped)


def test_what_is_wrapped_without_blanks_is_the_same() -> None:
    memory = a_memory("跌破四十元就止损不要再等反弹")
    assert not edited([memory], lambda text: text.replace("不要", "不\n  要"))


def test_blanks_within_a_line_are_an_edit() -> None:
    memory = a_memory("The web site is down")
    (one,) = edited([memory], lambda text: text.replace("web site", "website")).revised
    assert one[1].text == "The website is down"


# Each edit alone ----------------------------------------------------------------------------------


@given(memories(), STATEMENTS, st.data())
def test_a_changed_line_is_one_edit(
    memories: list[Memory], words: str, data: st.DataObject
) -> None:
    assume(memories and shown(words))
    memory = data.draw(st.sampled_from(memories))
    words = f"{shown(words)} indeed"
    old, new = f"- {shown(memory.content)} (", f"- {words} ("
    file = written(memories)
    told = found(memories, file, file.text.replace(old, new, 1))
    assert [(each.id, said.text) for each, said in told.revised] == [(memory.id, words)]
    assert kinds_of(told) == {"revised"}


@given(memories(), st.data())
def test_a_line_that_is_gone_is_one_edit(memories: list[Memory], data: st.DataObject) -> None:
    assume(memories)
    memory = data.draw(st.sampled_from(memories))
    told = edited(memories, lambda text: _without(text, memory.id))
    assert [each.id for each in told.retired] == [memory.id]
    assert kinds_of(told) == {"retired"}


def _without(text: str, id: str) -> str:
    lines = text.split("\n")
    at = next(at for at, line in enumerate(lines) if line.startswith(f"  <!-- id: {id}"))
    del lines[at - 1 : at + 1]
    return "\n".join(lines)


@given(memories(), st.integers(0, 30))
def test_a_new_line_is_one_edit_wherever_it_stands(memories: list[Memory], place: int) -> None:
    words = "User keeps bees behind the house"
    lines = written(memories).text.split("\n")
    starts = [0, *(at for at, line in enumerate(lines) if line.startswith("- ")), len(lines)]
    at = starts[place % len(starts)]
    told = edited(memories, lambda _: "\n".join([*lines[:at], f"- {words}", *lines[at:]]))
    assert [(each.text, each.line) for each in told.added] == [(words, at + 1)]
    assert kinds_of(told) == {"added"}


def test_a_paragraph_is_a_new_line_and_a_heading_tells_its_kind() -> None:
    told = edited(
        [a_memory("The pool is called tank")],
        lambda text: (
            text + "\nUser keeps bees\n\n## Constraints\n\n1. Never deploy\n2) Ask first\n"
        ),
    )
    assert [(each.text, each.kind) for each in told.added] == [
        ("User keeps bees", Kind.FACT),
        ("Never deploy", Kind.CONSTRAINT),
        ("Ask first", Kind.CONSTRAINT),
    ]


def test_a_day_is_read_and_a_day_that_is_taken_away_is_none() -> None:
    memory = a_memory("The pool is called tank (2020-01-01)")
    told = edited([memory], lambda text: text.replace("(2026-03-01, low", "(2025-12-24, low"))
    assert [said.day for _, said in told.moved] == [date(2025, 12, 24)]
    rest = " (2026-03-01, low, unconfirmed since March 2026)"
    assert not edited([memory], lambda text: text.replace(rest, ""))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (", low, unconf", ", high, unconf"),
        ("confidence: low", "confidence: high"),
        ("category: fact", "category: decision"),
        ("added: 2026-03-01", "added: 2020-03-01"),
        ("(2026-03-01, low", "(2026-13-45, low"),
        ("(2026-03-01, low", "(yesterday, low"),
    ],
)
def test_what_is_not_read_is_told_with_its_line(old: str, new: str) -> None:
    told = edited([a_memory("The pool is called tank")], lambda text: text.replace(old, new, 1))
    assert kinds_of(told) == set()
    assert [note.line for note in told.notes] == [7]


def test_what_nobody_changed_is_no_note() -> None:
    memories = [
        a_memory("The pool is called tank (high up)"),
        a_memory("User keeps bees", kind=Kind.PREFERENCE, confidence=0.5),
    ]
    assert edited(memories, lambda text: text).notes == []


def test_under_another_heading_it_is_of_another_kind() -> None:
    memory = a_memory("The pool is called tank")
    (moved,) = edited([memory], lambda text: text.replace("## Facts", "## Environment")).moved
    assert (moved[0].id, moved[1].kind) == (memory.id, Kind.ENVIRONMENT)


# Half a comment, copies, lost ids -----------------------------------------------------------------


@pytest.mark.parametrize("cut", [1, 4, 8, 20, 33, 40, 60, 100, 130])
def test_half_a_comment_is_no_edit(cut: int) -> None:
    memories = [a_memory("The pool is called tank"), a_memory("User keeps bees")]
    file = written(memories)
    begin = file.text.index("<!-- id")
    end = file.text.index("\n", begin)
    cut = min(cut, end - begin)
    for damaged in (
        file.text[: end - cut] + file.text[end:],
        file.text[:begin] + file.text[begin + cut :],
    ):
        page = read(damaged, {each.id: each.content for each in memories})
        if page.broken is None:
            assert not edits(page, held(memories, file), ())
        else:
            assert page.broken.line == 7
            assert "begins nowhere" in page.broken.what


def test_without_any_id_lines_are_known_by_their_words() -> None:
    memories = [a_memory("The pool is called tank"), a_memory("User keeps bees behind the house")]
    file = written(memories)
    plain = "\n".join(line for line in file.text.split("\n") if "<!--" not in line)
    assert not found(memories, file, plain)
    told = found(memories, file, plain.replace("called tank", "called flash"))
    assert [said.text for _, said in told.revised] == ["The pool is called flash"]
    told = found(memories, file, plain.replace("The pool is called tank", "Deploys go out at noon"))
    assert [each.content for each in told.retired] == ["The pool is called tank"]
    assert [each.text for each in told.added] == ["Deploys go out at noon"]


def test_of_a_copy_only_the_other_words_are_new() -> None:
    memory = a_memory("The pool is called tank")
    file = written([memory])
    item = file.text[file.text.index("- The pool") :]
    told = found([memory], file, file.text + item.replace("tank", "flash") + item)
    assert [each.text for each in told.added] == ["The pool is called flash"]
    assert kinds_of(told) == {"added"}


# What is left alone -------------------------------------------------------------------------------

REMARKS = (
    "<!-- a comment of mine -->",
    "<!-- one\n\n- of several lines\n-->",
    "> a quotation",
    "| a | table |",
    "```\n- no item\n# no heading\n```",
    "---",
    "## A heading of mine",
    "A heading of mine\n=================",
    "Another\n---",
    "    some = code",
    "[ref]: https://example.org",
    "<details>",
    "> a quotation\n\n| a | table |",
)


@pytest.mark.parametrize("remark", REMARKS)
@pytest.mark.parametrize("where", [0, 1, 2])
def test_remarks_stay_where_they_are(remark: str, where: int) -> None:
    memories = [a_memory("The pool is called tank"), a_memory("User keeps bees")]
    file = written(memories)
    text = {
        0: file.text.replace("\n## Facts\n", f"\n## Facts\n\n{remark}\n", 1),
        1: file.text.replace("\n- User", f"\n\n{remark}\n\n- User", 1),
        2: f"{file.text}\n{remark}\n",
    }[where]
    page = read(text)
    assert not found(memories, file, text)
    again = written(memories, title=page.title, remarks=page.remarks)
    assert remark in again.text
    assert read(again.text).remarks == page.remarks
    assert written(memories, remarks=read(again.text).remarks).text == again.text
    if where < 2:
        lines = again.text.splitlines()
        at = lines.index(remark.splitlines()[0])
        assert lines[at - 2].startswith("## Facts" if where == 0 else "  <!-- id"), "where it was"


def test_a_remark_outlives_its_memory() -> None:
    memories = [a_memory("The pool is called tank"), a_memory("User keeps bees")]
    text = written(memories).text.replace("\n- User", "\n<!-- mine -->\n\n- User", 1)
    page = read(text)
    assert "<!-- mine -->" in written(memories[1:], remarks=page.remarks).text


def test_front_matter_of_other_programs_stays_on_top() -> None:
    page = read("---\ntags: [a]\n---\n# Mine\n\n- User keeps bees\n")
    assert page.title == "Mine"
    assert [each.text for each in page.statements] == ["User keeps bees"]
    assert page.remarks[0].lines == ("---", "tags: [a]", "---")
    memory = a_memory("User keeps bees")
    again = written([memory], title="Mine", remarks=page.remarks)
    assert again.text.startswith("---\ntags: [a]\n---\n# Mine\n")
    page = read(again.text)
    assert written([memory], title=page.title, remarks=page.remarks).text == again.text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Memory\n\n<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> other\n", 3),
        ("# Memory\n\n- a\n>>>>>>> other\n", 4),
        ("# Memory\n\n- a\n=======\n- b\n", 4),
        ("# Memory\n\n<!-- begun\n\n- a\n", 3),
        ("# Memory\n\n- a\n\n```\n- b\n", 5),
    ],
)
def test_what_is_broken_is_told_and_not_taken_at_its_word(text: str, line: int) -> None:
    page = read(text)
    assert page.broken is not None
    assert page.broken.line == line
    assert page == Page(broken=page.broken)


@given(st.text(), st.dictionaries(st.text(min_size=26, max_size=26), st.text(), max_size=3))
def test_any_text_can_be_read(text: str, known: dict[str, str]) -> None:
    page = read(text, known)
    assert page.broken is not None or all(each.text.strip() for each in page.statements)
