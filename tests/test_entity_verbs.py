"""Entities as people and agents see them: named, listed, merged, split."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import (
    Ambiguous,
    AsyncMemoranda,
    EntityKind,
    InvalidInput,
    Memoranda,
    NotFound,
    Turn,
)


def test_what_is_remembered_is_about_what_it_names(m: Memoranda) -> None:
    memory = m.remember("Mara looks after web-01 and the NAS", entities=["home lab", "nas"])
    assert memory.entities == ("home lab", "nas", "Mara", "web-01")
    assert (memory.given, memory.found) == (("home lab", "nas"), ("Mara", "web-01"))
    assert m.show(memory.id) == memory
    assert [each.name for each in m.entities("LAB")] == ["home lab"]


def test_a_revision_keeps_what_was_given_and_finds_anew(m: Memoranda) -> None:
    old = m.remember("Anna lives in Oslo", entities=["Anna"])
    new = m.revise(old.id, "She moved to Bergen")
    assert new.entities == ("Anna", "Bergen")
    assert m.show(old.id).entities == ("Anna", "Oslo")  # type: ignore[union-attr]


def test_saying_it_again_adds_what_is_given(m: Memoranda) -> None:
    m.remember("Anna lives in Oslo")
    again = m.remember("anna lives in oslo", entities=["Anna", "Norway"])
    assert (again.given, again.found) == (("Anna", "Norway"), ("Oslo",))
    assert m.show(again.id) == again


def test_a_known_name_is_found_where_it_begins_a_sentence(m: Memoranda) -> None:
    m.remember("We call the cat Biscuit")
    assert m.remember("Biscuit naps all day").entities == ("Biscuit",)


def test_entities_are_told_by_name_or_id(m: Memoranda) -> None:
    m.observe([Turn("c", "user", "ask Mara, or mail mara@example.org")])
    mara, mail = sorted(m.entities(), key=lambda each: len(each.name))
    assert (mara.name, mara.aliases, mara.turns) == ("Mara", ("mara",), 1)
    assert (mail.name, mail.kind) == ("mara@example.org", EntityKind.PERSON)
    kept = m.merge(mara.id.lower(), "Mara@Example.org")
    assert kept.aliases == ("mara", "mara@example.org")
    assert kept.id == mara.id
    back = m.split("mara", "mara@example.org")
    assert (back.name, back.kind, back.turns) == ("mara@example.org", EntityKind.PERSON, 1)
    assert [entry.operation for entry in m.history("Mara")] == ["merge", "merge", "split"]
    assert [entry.operation for entry in m.history(mail.id)] == ["merge"]
    assert m.history(m.remember("with Tom").id) != ()
    assert m.history("Tom") == ()


def test_a_part_of_the_mentions_is_split_off(m: Memoranda) -> None:
    run = m.remember("with Alex in the park")
    m.remember("met Alex Kim")
    m.merge("Alex Kim", "Alex")
    assert m.show(run.id).entities == ("Alex Kim",)  # type: ignore[union-attr]
    berg = m.split("Alex Kim", "Alex Berg", mentions=[run.id[:-1]])
    assert (berg.memories, berg.aliases) == (1, ("alex berg", "alex"))
    assert m.show(run.id).entities == ("Alex Berg",)  # type: ignore[union-attr]
    assert m.remember("call Alex").entities == ("Alex",)


def test_what_makes_no_sense_is_refused(m: Memoranda) -> None:
    m.remember("with Mara and Tom")
    for name in ("", "  ", "Ada"):
        with pytest.raises(InvalidInput):
            m.split("Mara", name)
    with pytest.raises(InvalidInput):
        m.split("Mara", "Ada", aliases="mara")
    for which in ("Ada", "", "%", "01ZZZ"):
        with pytest.raises(NotFound):
            m.merge("Mara", which)
    with pytest.raises(Ambiguous):
        m.merge("Mara", "01")
    assert {each.name for each in m.entities()} == {"Mara", "Tom"}


def test_a_name_has_an_end(m: Memoranda) -> None:
    with pytest.raises(InvalidInput, match="1000 characters at most"):
        m.remember("plum", entities=["a" * 1001])
    with pytest.raises(InvalidInput, match="1000 characters at most"):
        m.split(m.remember("with Mara").id, "a" * 1001)
    assert m.remember("plum", entities=["a" * 1000]).entities == ("a" * 1000,)


def test_a_merge_reaches_recall_and_leaves_no_trace_when_forgotten(m: Memoranda) -> None:
    tea = m.remember("likes green tea", entities=["Kuni"])
    tall = m.remember("is tall", entities=["Kunigunde"])
    m.merge("Kunigunde", "Kuni")
    assert {hit.id for hit in m.recall("Kunigunde").hits} == {tea.id, tall.id}
    m.remember("likes green tea", entities=["kuni"])
    assert m.forget(tea.id, tall.id).pending == ()
    assert m.entities() == ()
    for file in Path(m.status().place).glob("memory.db*"):
        assert b"kuni" not in file.read_bytes().lower()


def test_projects_keep_their_entities_apart(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.remember("with Mara")
        m.remember("with Mara and Tom", scope="project:site")
        with pytest.raises(Ambiguous, match="write the id"):
            m.merge("Tom", "Mara")
        owners = next(each for each in m.entities("mara") if each.scope.kind == "user")
        with pytest.raises(InvalidInput, match="different scopes stay apart"):
            m.merge("Tom", owners.id)
    with memoranda.open(home) as m:
        assert [each.name for each in m.entities()] == ["Mara"]
        with pytest.raises(NotFound):
            m.split("Tom", "Tim")


@given(st.text(), st.text())
def test_any_text_names_or_is_refused(m: Memoranda, content: str, name: str) -> None:
    try:
        memory = m.remember(f"{content} .", entities=[name])
        assert m.show(memory.id) == memory
        m.entities(name)
        m.split(name, f"{name} 2", mentions=[memory.id])
    except (InvalidInput, NotFound, Ambiguous):
        pass


def test_the_verbs_can_be_awaited(home: Path) -> None:
    async def run() -> list[str]:
        async with await AsyncMemoranda.open(home) as m:
            await m.remember("with Mara and Tom")
            await m.merge("Mara", "Tom")
            await m.split("Mara", "Tom")
            return [each.name for each in await m.entities()]

    assert asyncio.run(run()) == ["Mara", "Tom"]
