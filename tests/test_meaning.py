"""Finding by meaning: what is near is found, what is not is left out, what failed is told."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import EmbeddingError, InvalidInput, Memoranda, Turn, wiring
from memoranda.models import endpoint, onnx
from memoranda.protocols import Calibration, Near, Ranking, VectorsKept
from memoranda.retrieval import fusion
from memoranda.stores.writing import drop_vectors
from memoranda.testing import MARCH, a_memory
from memoranda.types import Change, Embedded, Operation, Ranked
from tests.endpoint import Endpoint, served, vectors
from tests.test_models import folder_of_minilm

HOMELAB = (
    "OOM kills on the VPS happen every night around 3am",
    "I do all my coding in Neovim these days",
    "Peanuts send me to the hospital, so never anything with them",
    "Anna was born on the 14th of March",
    "The backup goes to the house of my parents",
)


def contents(found: memoranda.Recall) -> list[str]:
    return [hit.content for hit in found.hits]


@pytest.fixture
def homelab(m: Memoranda) -> Memoranda:
    for content in HOMELAB:
        m.remember(content)
    return m


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("The server keeps running out of RAM", 0),
        ("Which editor does the user like?", 1),
        ("Which food is dangerous for me?", 2),
        ("When is my wife's birthday?", 3),
    ],
)
def test_a_question_without_a_common_word_finds_its_memory(
    homelab: Memoranda, question: str, answer: int
) -> None:
    found = homelab.recall(question)
    assert contents(found)[0] == HOMELAB[answer]
    assert found.hits[0].lists["dense"] == 1
    assert found.degraded == ()


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Mongolia?",
        "Explain the Krebs cycle",
        "How tall is Mount Everest?",
        "Who won the world cup in 1998?",
    ],
)
def test_when_nothing_is_near_the_answer_is_empty(homelab: Memoranda, question: str) -> None:
    found = homelab.recall(question, turns=False)
    assert contents(found) == []
    assert found.degraded == ()


def test_a_score_tells_how_good_a_match_is(homelab: Memoranda) -> None:
    (same, *_) = homelab.recall(HOMELAB[1]).hits
    (near, *_) = homelab.recall("Which editor does the user like?").hits
    assert same.score > 0.75 > 0.5 > near.score > 0


def test_a_name_that_no_model_knows_is_found_by_its_letters(homelab: Memoranda) -> None:
    homelab.remember("zq-17 is the label of the spare disk")
    assert contents(homelab.recall("zq-17?"))[0].startswith("zq-17")


LONG = (
    "The disk on the second host filled up because the log rotation was off. Nobody put it back on "
    "after the migration. Ask Wojciechowski about it. The queue workers stopped one by one. Mail "
    "to customers was held back for about five hours. "
)


@pytest.mark.parametrize("times", [1, 4])
@pytest.mark.parametrize("question", ["Wojciechowski", "Who is Wojciechowski?"])
def test_a_name_in_a_long_text_is_found(homelab: Memoranda, question: str, times: int) -> None:
    long = LONG + "And so it went on until the morning came. " * 5 * (times - 1)
    homelab.remember(long)
    homelab.observe([Turn("c", "user", long)])
    found = homelab.recall(question, budget=0)
    assert {hit.type for hit in found.hits[:2]} == {"memory", "turn"}
    assert {hit.content.strip() for hit in found.hits[:2]} == {long.strip()}


def test_an_answer_is_found_by_the_question_before_it(m: Memoranda) -> None:
    said = datetime(2026, 3, 1, tzinfo=UTC)
    m.observe(
        [
            Turn("c", "user", "Which wine did you bring to the dinner?", said, "Ann"),
            Turn("c", "user", "The cheap one from the corner shop", said + timedelta(minutes=1)),
            Turn("c", "user", "My bicycle has a flat tyre", said + timedelta(days=1)),
        ]
    )
    found = contents(m.recall("wine for the dinner"))
    assert found[:2] == [
        "Which wine did you bring to the dinner?",
        "The cheap one from the corner shop",
    ]


def test_what_the_user_said_weighs_more_than_the_assistants_echo(m: Memoranda) -> None:
    said = datetime(2026, 3, 1, tzinfo=UTC)
    m.observe([Turn("a", "assistant", "The spare key hangs in the shed", said)])
    m.observe([Turn("b", "user", "The spare key hangs in the shed", said)])
    hits = m.recall("where is the spare key?").hits
    assert [hit.source.role for hit in hits] == ["user", "assistant"]
    assert hits[0].boosts.keys() == hits[1].boosts.keys() - {"said by other"}
    assert hits[0].score > hits[1].score


# What could not be done is told


def test_a_question_in_another_language_is_searched_by_words(m: Memoranda) -> None:
    m.remember("伺服器每天凌晨三點備份")
    found = m.recall("備份")
    assert contents(found) == ["伺服器每天凌晨三點備份"]
    assert len(found.degraded) == 1
    assert "does not read this question" in found.degraded[0]
    assert "`memoranda models use multilingual-e5-small`" in found.degraded[0]


def test_texts_in_another_language_are_told(homelab: Memoranda) -> None:
    homelab.remember("La contraseña del wifi está en la nevera")
    found = homelab.recall("wifi nevera")
    assert contents(found)[0].startswith("La contraseña")
    assert found.degraded == (
        "dense: all-minilm-l6-v2 does not read 1 memory; "
        "run `memoranda models use multilingual-e5-small`",
    )


def test_what_has_no_vector_yet_is_found_by_words_and_told(homelab: Memoranda) -> None:
    homelab.settings = replace(homelab.settings, embed_on_write=False)
    homelab.remember("The router is a Mikrotik")
    found = homelab.recall("mikrotik")
    assert contents(found) == ["The router is a Mikrotik"]
    assert found.degraded == (
        "dense: 1 memory has no vector of all-minilm-l6-v2 yet; run `memoranda embed`",
    )
    assert homelab.status().holdings.unembedded == 1
    assert homelab.embed() == Embedded(embedded=1)
    assert homelab.recall("mikrotik").degraded == ()


def test_others_gaps_are_nobodys_business(home: Path) -> None:
    with memoranda.open(home, person="anna") as anna:
        anna.settings = replace(anna.settings, embed_on_write=False)
        anna.remember("The router is a Mikrotik")
    with memoranda.open(home) as owner:
        assert owner.recall("mikrotik").degraded == ()


def test_a_home_without_a_model_searches_words_and_says_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
    with memoranda.open(home) as m:
        m.remember(HOMELAB[0])
        assert contents(m.recall("the VPS")) == [HOMELAB[0]]
        assert m.recall("running out of RAM").hits == ()
        assert m.recall("the VPS").degraded == ()
        with pytest.raises(InvalidInput, match="embedding_model"):
            m.embed()


# Another model


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with served() as endpoint:
        yield endpoint


@pytest.fixture
def lettered(home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memoranda]:
    """A home whose vectors come from an endpoint."""
    monkeypatch.setenv("MEMORANDA_EMBEDDING_URL", server.url)
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "letters")
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
    with memoranda.open(home) as m:
        yield m


def test_who_receives_text_is_told(lettered: Memoranda, server: Endpoint) -> None:
    lettered.remember("plum")
    assert lettered.status().hosts == (server.url.split("/")[2],)
    assert lettered.status().model == f"letters@{server.url.split('/')[2]}"
    assert lettered.recall("plum").hits[0].lists == {"lexical": 1, "dense": 1}


def test_a_dead_endpoint_loses_nothing_and_is_told(
    lettered: Memoranda, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.answer = lambda texts: (500, {})
    lettered.remember("plum")
    lettered.observe([Turn("c", "user", "pear")])
    asked = 2 * endpoint.ATTEMPTS
    assert len(server.asked) == asked, "it is asked for the first write, and once more to be sure"
    found = lettered.recall("plum pear")
    assert sorted(contents(found)) == ["pear", "plum"]
    assert "answers 500" in found.degraded[0]
    assert lettered.status().holdings.unembedded == 2
    server.answer = lambda texts: (200, vectors(texts))
    monkeypatch.setattr("memoranda.models.server.REST", 0.0)
    assert lettered.embed() == Embedded(embedded=2)
    assert lettered.recall("plum pear").degraded == ()


@pytest.mark.parametrize(
    "bad",
    [(400, {}), (500, {}), (200, {"data": [{"index": 0, "embedding": [0.0] * 8}]}), (200, b"")],
    ids=["refused", "failed", "zero", "empty"],
)
def test_a_text_that_fails_holds_up_no_other(
    lettered: Memoranda, server: Endpoint, bad: tuple[int, object]
) -> None:
    server.answer = lambda texts: bad if "bad" in texts else (200, vectors(texts))
    lettered.settings = replace(lettered.settings, embed_on_write=False)
    for content in ("plum", "bad", "pear"):
        lettered.remember(content)
    assert lettered.embed() == Embedded(embedded=2, refused=1)
    assert lettered.embed() == Embedded()
    assert contents(lettered.recall("bad"))[0] == "bad"


def test_a_turn_keeps_its_vector_though_the_one_before_is_refused(
    lettered: Memoranda, server: Endpoint
) -> None:
    server.answer = lambda texts: (
        (400, {}) if any("bad" in text for text in texts) else (200, vectors(texts))
    )
    lettered.observe([Turn("c", "user", "bad"), Turn("c", "user", "plum")])
    found = lettered.recall("plum", memories=False)
    assert found.hits[0].lists == {"lexical": 1, "dense": 1}
    assert "could not embed 1 turn" in found.degraded[0]


RAGGED = {"data": [{"index": n, "embedding": [1.0] * (n + 1)} for n in range(2)]}


@pytest.mark.parametrize("document", [b"[" * 100_000, RAGGED], ids=["deep", "ragged"])
def test_an_absurd_answer_is_told(lettered: Memoranda, server: Endpoint, document: object) -> None:
    server.answer = lambda texts: (200, document)
    assert lettered.observe([Turn("c", "user", "plum"), Turn("c", "user", "pear")]).stored == 2
    assert lettered.recall("plum").degraded


def test_the_same_name_elsewhere_is_another_model(
    lettered: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lettered.remember("plum")
    with served() as elsewhere:
        monkeypatch.setenv("MEMORANDA_EMBEDDING_URL", elsewhere.url)
        with memoranda.open(home) as m:
            assert "have no vector" in m.recall("plum").degraded[0].replace("has", "have")
            assert m.embed() == Embedded(embedded=1)


@pytest.mark.parametrize("what", ["junk", "folder"])
def test_a_write_that_is_done_does_not_fail(m: Memoranda, home: Path, what: str) -> None:
    """Whatever is in the way of its vector."""
    if what == "junk":
        (home / "embedding.lock").write_bytes(b"junk" * 500)
    else:
        (home / "embedding.lock").mkdir()
    memory = m.remember("plum")
    assert m.show(memory.id) == memory
    assert m.observe([Turn("c", "user", "pear")]).stored == 1
    assert len(m.recall("plum pear").degraded) == 2


def test_a_folder_that_is_away_is_told_and_words_are_searched(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", str(tmp_path / "away"))
    with memoranda.open(home) as m:
        m.remember("plum")
        found = m.recall("plum")
        assert contents(found) == ["plum"]
        assert "away has no model.onnx" in found.degraded[0]
        assert m.status().model is None


def test_a_relative_folder_is_written_down_whole(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder_of_minilm(tmp_path / "mine")
    shutil.copy(onnx.VOCABULARY, place / "vocab.txt")
    monkeypatch.chdir(tmp_path)
    wiring.use_model("./mine", home)
    monkeypatch.chdir("/")
    with memoranda.open(home) as m:
        m.remember("plum")
        assert str(m.status().model).startswith("mine@")


def test_a_change_of_model_that_was_interrupted_loses_no_text(
    home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memoranda.open(home) as m:
        for number in range(300):
            m._store.apply(
                [Change(Operation.REMEMBER, None, a_memory(f"plum {number}"))], at=MARCH, by="test"
            )
        m.embed()

    def once(db: apsw.Connection, table: str, model: str | None, *, after: int) -> int | None:
        if after:
            raise KeyboardInterrupt
        return drop_vectors(db, table, model, after=after)

    monkeypatch.setenv("MEMORANDA_EMBEDDING_URL", server.url)
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "letters")
    with memoranda.open(home) as m:
        with monkeypatch.context() as patch:
            patch.setattr("memoranda.stores.sqlite.drop_vectors", once)
            with pytest.raises(KeyboardInterrupt):
                m.embed()
        assert m.recall("plum").degraded
        m.remember("pear")
        assert m.embed() == Embedded(embedded=301)
        assert m.recall("plum").degraded == ()
        assert m._store.vectors() == VectorsKept(f"letters@{server.url.split('/')[2]}", 0)
        assert m._store.check() == []


def test_an_endpoint_that_refuses_everything_is_no_reason_to_give_up_texts(
    lettered: Memoranda, server: Endpoint
) -> None:
    server.answer = lambda texts: (400, {})
    lettered.remember("plum")
    with pytest.raises(EmbeddingError):
        lettered.embed()
    assert lettered.status().holdings.unembedded == 1


def test_an_endpoint_whose_vectors_changed_length_is_told(
    lettered: Memoranda, server: Endpoint
) -> None:
    lettered.remember("plum")
    server.answer = lambda texts: (200, vectors(texts, length=9))
    found = lettered.recall("plum")
    assert contents(found) == ["plum"]
    assert "`memoranda embed --again`" in found.degraded[0]
    assert lettered.embed(again=True) == Embedded(embedded=1)
    assert lettered.recall("plum").degraded == ()


def test_settings_that_name_another_model_cost_no_vectors(
    home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memoranda.open(home) as m:
        m.remember("plum")
    monkeypatch.setenv("MEMORANDA_EMBEDDING_URL", server.url)
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "letters")
    with memoranda.open(home) as other:
        other.remember("pear")
        found = other.recall("plum")
        host = server.url.split("/")[2]
        assert contents(found) == ["plum"]
        assert found.degraded == (
            f"dense: 2 memories have no vector of letters@{host} yet "
            "(those kept are of all-minilm-l6-v2); run `memoranda embed`",
        )
    monkeypatch.delenv("MEMORANDA_EMBEDDING_URL")
    monkeypatch.delenv("MEMORANDA_EMBEDDING_MODEL")
    with memoranda.open(home) as m:
        assert m.status().holdings.unembedded == 1
        assert m.embed() == Embedded(embedded=1)


def test_a_broken_model_costs_no_vectors(
    home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    with memoranda.open(home) as m:
        m.remember("plum")
    server.answer = lambda texts: (500, {})
    monkeypatch.setattr("tenacity.nap.time.sleep", lambda seconds: None)
    with pytest.raises(EmbeddingError):
        wiring.use_model("letters", home, url=server.url)
    monkeypatch.setenv("MEMORANDA_EMBEDDING_URL", server.url)
    with memoranda.open(home) as other, pytest.raises(EmbeddingError):
        other.embed()
    monkeypatch.delenv("MEMORANDA_EMBEDDING_URL")
    with memoranda.open(home) as m:
        assert m.status().holdings.unembedded == 0
        assert m.recall("plum").hits[0].lists["dense"] == 1


def test_choosing_a_model_changes_one_line_of_the_settings(home: Path, server: Endpoint) -> None:
    path = home / "memoranda.toml"
    mine = "# mine\nrecall_limit = 5  # few\n" + path.read_text(encoding="utf-8")
    path.write_text(mine, encoding="utf-8")
    wiring.use_model("letters", home, url=server.url)
    before, after = mine.splitlines(), path.read_text(encoding="utf-8").splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ['embedding_model = "letters"', f'embedding_url = "{server.url}"']
    with memoranda.open(home) as m:
        assert m.settings.recall_limit == 5
        m.remember("plum")
        assert m.status().model == f"letters@{server.url.split('/')[2]}"


# Fusing


CALIBRATION = Calibration(weight=1.0, floor=0.5, growth=0.0, least=0.2)
RANKED = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.floats(-1, 1)), unique_by=lambda each: each[0]
).map(lambda pairs: tuple(sorted((Ranked(*each) for each in pairs), key=lambda r: -r.score)))


@given(RANKED, RANKED, st.floats(0, 5))
def test_fusing_keeps_order_bounds_and_ranks(
    words: tuple[Ranked, ...], near: tuple[Ranked, ...], ceiling: float
) -> None:
    lexical = Ranking(tuple(each for each in words if each.score > 0), ceiling=ceiling)
    fused = fusion.calibrated(lexical, Near(near, searched=9), CALIBRATION)
    scores = [each.score for each in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(score <= CALIBRATION.full + 1e-9 for score in scores)
    known = {each.id for each in (*lexical.found, *near)}
    assert len({each.place for each in fused}) == len(fused)
    assert {each.place[0] for each in fused} <= known
    for each in fused:
        if "dense" in each.ranks:
            assert near[each.ranks["dense"] - 1].id == each.place[0]


def test_below_the_floor_nothing_with_a_vector_is_left() -> None:
    near = Near((Ranked("a", 0.45), Ranked("b", 0.4)), searched=2)
    lexical = Ranking((Ranked("c", 1.0),), ceiling=10)
    floor = CALIBRATION.floor_among(2) - CALIBRATION.least
    fused = fusion.calibrated(lexical, near, CALIBRATION)
    assert [each.place[0] for each in fusion.known(fused, floor)] == ["c"]
    lexical = Ranking((Ranked("b", 2.0), Ranked("c", 1.0)), ceiling=10)
    fused = fusion.calibrated(lexical, near, CALIBRATION)
    assert [each.place[0] for each in fusion.known(fused, floor)] == ["b", "a", "c"]


def test_among_more_texts_chance_brings_one_nearer() -> None:
    grown = Calibration(weight=1.0, floor=0.2, growth=0.1, least=0.0)
    assert [round(grown.floor_among(n), 3) for n in (0, 1, 10, 100, 10**6)] == [
        0.2, 0.2, 0.3, 0.4, 0.5,
    ]  # fmt: skip
