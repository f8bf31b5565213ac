"""The figures: that they are computed as published, and that ours are as good as we say."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from memoranda import InvalidImport, wiring
from memoranda.bench import abstention, forgetting, latency, locomo, paraphrase
from memoranda.models.known import DEFAULT
from tests.evaluation import evaluation


def test_the_figures_are_the_published_formulas() -> None:
    evidence = frozenset("ab")
    ids = ["x", "a", "y", "z", "q", "b"]
    assert locomo.recall_at(5, evidence, ids) == 0.5
    assert locomo.recall_at(10, evidence, ids) == 1
    assert locomo.reciprocal_rank(evidence, ids) == 0.5
    ideal = 1 + 1 / math.log2(3)
    assert locomo.ndcg(10, evidence, ids) == pytest.approx(
        (1 / math.log2(3) + 1 / math.log2(7)) / ideal
    )
    assert locomo.reciprocal_rank(evidence, ["x"]) == 0


def small(tmp_path: Path) -> Path:
    """A file of the form of LoCoMo, with the ways in which its evidence is malformed."""

    def sample(name: str, first: str) -> dict[str, object]:
        said = [first, "I see.", f"The zirconium for {name} arrived on Monday."]
        return {
            "sample_id": name,
            "conversation": {
                "speaker_a": "Ann",
                "speaker_b": "Bob",
                "session_1_date_time": "1:56 pm on 8 May, 2023",
                "session_1": [
                    {
                        "speaker": "Ann" if n % 2 == 0 else "Bob",
                        "dia_id": f"D1:{n + 1}",
                        "text": text,
                    }
                    for n, text in enumerate(said)
                ],
            },
            "qa": [
                {"question": "What arrived?", "evidence": ["D1:03"], "category": 1},
                {
                    "question": f"Where is the {first.split()[1]}?",
                    "evidence": ["D:1:1; D1:2"],
                    "category": 5,
                },
                {"question": "Nothing?", "evidence": ["D", "D9:9"], "category": 4},
            ],
        }

    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample("one", "The plum fell."), sample("two", "The pear fell.")]))
    return path


def test_a_small_locomo(tmp_path: Path) -> None:
    data = locomo.load(small(tmp_path))
    assert [len(question.evidence) for question in data.questions] == [1, 2, 1, 2]
    told: list[int] = []
    (embedder,) = wiring.embedders(tmp_path, [DEFAULT])
    rerankers = wiring.rerankers(tmp_path, ["maxsim"], embedder)
    made = locomo.run(data, {embedder: rerankers}, told.append, parts=True)
    rows = {(row.method, row.store, row.categories): row for row in made}
    assert len(rows) == len(made)
    assert sum(told) == locomo.steps(data, 1, 1, parts=True)
    for method in ("lexical", "dense", "rrf60", "calibrated", "maxsim", "without asks"):
        assert rows[method, "per-conversation", "1-4"].mrr == 1
        assert rows[method, "per-conversation", "1-4"].session5 == 1
        assert rows[method, "per-conversation", "all"].questions == 4
    for method in ("lexical", "dense", "rrf60", "calibrated"):
        assert rows[method, "one", "1-4"].r5 == 1
    assert rows["grep", "one", "1-4"].all10 == 1


def test_the_first_sessions_are_those_of_the_first_turns() -> None:
    ids = ["a/D1:1", "a/D1:2", "a/D2:1", "a/D3:1"]
    assert locomo.any_session(2, frozenset(["a/D2:9"]), ids)
    assert not locomo.any_session(2, frozenset(["a/D3:1"]), ids)


def test_the_area_under_the_curve() -> None:
    assert abstention.area([3, 4], [1, 2]) == 1
    assert abstention.area([1, 2], [1, 2]) == 0.5
    assert abstention.area([1], [2]) == 0


def test_a_small_abstention(tmp_path: Path) -> None:
    said = locomo.load(small(tmp_path))
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"query": "Which editor?", "memory": "I use Neovim as my editor"}))
    told: list[int] = []
    noted = paraphrase.load(pairs)
    turns, memories = abstention.run(
        said, noted, wiring.embedders(tmp_path, [DEFAULT]), told.append
    )
    assert sum(told) == abstention.steps(said, noted, 1)
    assert (turns.searched, turns.own, turns.foreign) == ("turns", 2, 2)
    assert (memories.searched, memories.own, memories.own_empty) == ("memories", 1, 0)


def test_a_small_paraphrase(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    lines = [
        {"query": "The server keeps running out of RAM", "memory": "OOM kills on the VPS"},
        {"query": "Which editor?", "memory": "I do all my coding in Neovim"},
        {"distractor": "Lentil soup needs more lemon"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    data = paraphrase.load(path)
    told: list[int] = []
    made = paraphrase.run(data, wiring.embedders(tmp_path, [DEFAULT]), told.append)
    rows = {row.method: row for row in made}
    assert sum(told) == paraphrase.steps(data, 1)
    assert (rows["file"].hit1, rows["grep"].hit5, rows["lexical"].hit5) == (1, 0, 0)
    assert (rows["lexical"].empty, rows["dense"].empty) == (1, 0)
    assert rows["dense"].hit1 == rows["calibrated"].hit5 == 1
    assert rows["calibrated"].tokens < rows["file"].tokens


@pytest.mark.parametrize("text", ["", "{}", "[]", "nonsense", '{"query": "x"}'])
def test_what_is_no_paraphrase_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(text)
    with pytest.raises(InvalidImport):
        paraphrase.load(path)


def test_what_is_no_locomo_is_refused(tmp_path: Path) -> None:
    for text in ("nonsense", "{}", '[{"sample_id": "x"}]'):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(InvalidImport, match="no LoCoMo"):
            locomo.load(tmp_path / "x.json")


def test_latency_measures_a_small_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "TURNS", 200)
    monkeypatch.setattr(latency, "EMBEDDED_TURNS", 20)
    written = 0

    def advance(amount: int) -> None:
        nonlocal written
        written += amount

    (row,) = latency.run([700], advance)
    assert (row.n, written) == (700, 700)
    assert 0 < row.words_one_cpu_p50 <= row.words_one_cpu_p95
    assert 0 < row.hybrid_one_cpu_p50 <= row.hybrid_one_cpu_p95
    assert (row.hybrid_all_recall, row.hybrid_one_recall) == (1, 1)
    assert row.hybrid_all_floor > row.hybrid_one_floor > 0
    assert row.embedded_turns_per_minute > 0
    assert 0.01 < row.matched < 0.3
    assert row.turns_per_minute > 0


def test_forgetting_measures_a_small_home() -> None:
    written = 0

    def advance(amount: int) -> None:
        nonlocal written
        written += amount

    found = {row.what: row for row in forgetting.run(2500, advance)}
    assert written == 2500
    assert (found["memory"].memories, found["memory"].turns) == (1, 0)
    assert (found["memory of a turn"].memories, found["memory of a turn"].turns) == (1, 1)
    assert (found["conversation"].turns, found["entity"].memories) == (50, 1)
    assert (found["person"].memories, found["person"].turns) == (250, 50)
    assert all(0 < row.held < row.cpu_p50 <= row.cpu_worst for row in found.values())


@pytest.mark.slow
@pytest.mark.evaluation
def test_the_figures_on_locomo_are_as_published(tmp_path: Path) -> None:
    data = locomo.load(evaluation("locomo10.json"))
    (embedder,) = wiring.embedders(tmp_path, [DEFAULT])
    rows = locomo.run(data, {embedder: ()})
    found = {(row.method, row.store, row.categories): row for row in rows}
    assert found["lexical", "per-conversation", "all"].questions == 1982
    assert found["lexical", "per-conversation", "1-4"].r10 >= 0.69
    own = found["calibrated", "per-conversation", "1-4"]
    assert own.r10 >= 0.73
    assert own.mrr >= 0.53
    assert found["calibrated", "one", "1-4"].r10 >= 0.68
    assert own.r10 > found["rrf60", "per-conversation", "1-4"].r10 + 0.04


@pytest.mark.slow
@pytest.mark.evaluation
def test_reranking_is_worth_its_time_on_locomo(tmp_path: Path) -> None:
    data = locomo.load(evaluation("locomo10.json"))
    some = ("conv-26", "conv-41")  # all would take a quarter of an hour
    data = locomo.Data(
        {name: data.turns[name] for name in some},
        [question for question in data.questions if question.conversation in some],
    )
    (embedder,) = wiring.embedders(tmp_path, [DEFAULT])
    rows = locomo.run(data, {embedder: wiring.rerankers(tmp_path, ["maxsim"], embedder)})
    found = {(row.method, row.store, row.categories): row for row in rows}
    plain, reranked = (
        found[method, "per-conversation", "1-4"] for method in ("calibrated", "maxsim")
    )
    assert reranked.r10 >= plain.r10 + 0.01
    assert reranked.mrr >= plain.mrr


@pytest.mark.evaluation
def test_the_figures_on_paraphrases_are_as_published(tmp_path: Path) -> None:
    data = paraphrase.load(evaluation("paraphrase.jsonl"))
    rows = paraphrase.run(data, wiring.embedders(tmp_path, [DEFAULT]))
    found = {row.method: row for row in rows}
    assert found["calibrated"].hit5 >= 0.8
    assert found["calibrated"].hit1 > found["rrf60"].hit1 > found["lexical"].hit1
