"""What a recall answers with, and what it leaves out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from memoranda import InvalidInput, Memoranda, Turn
from memoranda.retrieval.fusion import reciprocal_rank
from memoranda.text import tokens
from memoranda.types import Change, Operation, Ranked, new_id

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def test_memories_and_turns_are_found_together_each_with_its_rank(m: Memoranda) -> None:
    memory = m.remember("The pool is called tank")
    (turn,) = m.observe([Turn("c", "user", "is the pool tank healthy?", speaker="Mara")]).turns
    hits = m.recall("pool tank").hits
    assert [(hit.type, hit.id, dict(hit.lists)) for hit in hits] == [
        ("memory", memory.id, {"lexical": 1, "dense": 1}),
        ("turn", turn, {"lexical": 1, "dense": 1}),
    ]
    assert hits[1].source.conversation == "c"
    assert [hit.type for hit in m.recall("pool", turns=False).hits] == ["memory"]
    assert [hit.type for hit in m.recall("pool", memories=False).hits] == ["turn"]


def test_nothing_is_found_when_nothing_is_known(m: Memoranda) -> None:
    m.remember("Deploys go out on Tuesdays")
    found = m.recall("What is the capital of Mongolia?")
    assert (found.hits, found.tokens, found.degraded) == ((), 0, ())


def test_the_speaker_and_the_day_find_a_turn(m: Memoranda) -> None:
    m.observe([
        Turn("c", "user", "the resilver is done", speaker="Mara", time=NOON),
        Turn("c", "user", "something else", speaker="Anja", time=NOON + 3 * DAY),
    ])  # fmt: skip
    for question in ("Mara", "1 March 2026", "2026-03-01"):
        assert m.recall(question).hits[0].content == "the resilver is done"


def test_since_and_until(m: Memoranda) -> None:
    m.observe(
        Turn("c", "user", f"plum {day}", time=NOON + day * DAY, id=str(day)) for day in range(5)
    )
    found = m.recall("plum", since=NOON + DAY, until=NOON + 3 * DAY)
    assert sorted(hit.content for hit in found.hits) == ["plum 1", "plum 2", "plum 3"]
    assert len(m.recall("plum", as_of=NOON + DAY).hits) == 2
    m.remember("plum of old", valid_from=NOON - DAY)
    assert m.recall("plum", until=NOON - DAY / 2).hits[0].content == "plum of old"


def test_asking_for_a_kind_asks_for_memories(m: Memoranda) -> None:
    m.observe([Turn("c", "user", "plum")])
    m.remember("plum fact")
    m.remember("plum lesson", kind="lesson")
    assert [hit.content for hit in m.recall("plum", kinds=["lesson"]).hits] == ["plum lesson"]
    assert len(m.recall("plum", kinds=[]).hits) == 3, "no kind named is any kind"
    with pytest.raises(InvalidInput, match="rumour"):
        m.recall("plum", kinds=["rumour"])


def test_the_answer_fits_its_limit_and_its_budget(m: Memoranda) -> None:
    for number in range(30):
        m.remember(f"plum {number} " + "and more " * number)
    assert len(m.recall("plum").hits) == m.settings.recall_limit
    assert len(m.recall("plum", limit=25, budget=0).hits) == 25
    found = m.recall("plum", limit=30, budget=60)
    assert 0 < found.tokens <= 60
    assert found.tokens == sum(tokens.estimate(hit.content) for hit in found.hits)
    assert found.explanation.left_out["over the budget"] == 30 - len(found.hits)
    found = m.recall("plum", limit=30, budget=1)
    assert (found.hits, found.tokens) == ((), 0), "an ellipsis is no answer"
    assert found.explanation.left_out["over the budget"] == 30
    for wrong in ({"limit": 0}, {"budget": -1}):
        with pytest.raises(InvalidInput):
            m.recall("plum", **wrong)  # type: ignore[arg-type]


def test_an_answer_too_long_is_cut_and_not_hidden(m: Memoranda) -> None:
    m.remember("plum " + "and more " * 2000, detail="why " * 100)
    found = m.recall("plum")
    assert found.hits[0].cut
    assert found.hits[0].content.startswith("plum and more")
    assert found.hits[0].detail is None
    assert found.tokens <= m.settings.recall_budget


def test_what_does_not_fit_leaves_its_place_whatever_the_limit(m: Memoranda) -> None:
    m.remember("plum " * 50)
    m.remember("a plum, with some more words")
    (hit,) = m.recall("plum", limit=1, budget=20).hits
    assert (hit.content, hit.cut) == ("a plum, with some more words", False)


def test_only_a_memory_in_the_answer_hides_the_turn_it_quotes(m: Memoranda) -> None:
    (turn,) = m.observe([Turn("c", "user", "the walnut allergy is bad")]).turns
    m.remember("No walnut for Mara", detail="because " * 100, source=turn)
    assert [hit.id for hit in m.recall("walnut", budget=20).hits] == [turn]
    assert [hit.type for hit in m.recall("walnut").hits] == ["memory"]


def test_a_detail_counts_into_the_budget(m: Memoranda) -> None:
    m.remember("plum", detail="because " * 100)
    m.remember("plum indeed")
    found = m.recall("plum", budget=50)
    assert [hit.content for hit in found.hits] == ["plum indeed"]


def test_a_quoted_turn_leaves_its_place_to_another(m: Memoranda) -> None:
    turns = m.observe(Turn("c", "user", f"plum {n}", id=str(n)) for n in range(4)).turns
    memory = m.remember("plum zero", source=turns[0])
    hits = m.recall("plum", limit=5).hits
    assert memory.id in [hit.id for hit in hits]
    assert turns[0] not in [hit.id for hit in hits]
    assert len(hits) == 4


def test_another_part_of_a_quoted_turn_is_a_hit_of_its_own(m: Memoranda) -> None:
    content = "The plum is ripe. " * 60 + "\n\n" + "The pear is green. " * 100
    (turn,) = m.observe([Turn("c", "user", content)]).turns
    (hit,) = m.recall("pear").hits
    source = replace(hit.source, quote=hit.content)
    known = m.remember("The pear is not a plum")
    memory = replace(known, content="A pear is no plum", sources=(source,), id=new_id(NOON))
    m._store.apply([Change(Operation.REMEMBER, None, memory)], at=NOON, by="test")
    assert turn not in [hit.id for hit in m.recall("pear").hits]
    assert turn in [hit.id for hit in m.recall("plum").hits]


def test_a_long_turn_is_one_hit_at_its_best_passage(m: Memoranda) -> None:
    content = "plum here. " * 300 + "a pear and a plum. " + "plum there. " * 300
    m.observe([Turn("c", "user", content)])
    (hit,) = m.recall("plum pear").hits
    assert "pear" in hit.content
    assert len(hit.content) <= m.settings.passage_size


def test_an_explanation_tells_words_candidates_and_times(m: Memoranda) -> None:
    m.remember("plum")
    told = m.recall("what about the plum and 貓?").explanation
    assert told.words == ("plum", "猫*")
    assert told.candidates == {
        "lexical memory": 1,
        "dense memory": 1,
        "lexical turn": 0,
        "dense turn": 0,
    }
    assert set(told.milliseconds) == {"embed", "time", "search", "fetch", "choose"}


def test_reciprocal_rank_fusion_is_the_published_formula() -> None:
    a, b, c = (Ranked(id, 1.0) for id in "abc")
    fused = reciprocal_rank({"lexical": [a, b], "dense": [b, c]})
    assert [(each.place[0], dict(each.ranks)) for each in fused] == [
        ("b", {"lexical": 2, "dense": 1}),
        ("a", {"lexical": 1}),
        ("c", {"dense": 2}),
    ]
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 61)
