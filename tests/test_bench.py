"""The figures: that they are computed as published, and that ours are as good as we say."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import pytest

from memoranda import InvalidImport
from memoranda.bench import latency, locomo


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
        said = [first, "I see.", "The zirconium arrived on Monday."]
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
    rows = {(row.method, row.store, row.categories): row for row in locomo.run(data)}
    assert len(rows) == 8
    assert rows["bm25", "per-conversation", "1-4"].mrr == 1
    assert rows["bm25", "per-conversation", "all"].questions == 4
    assert rows["bm25", "one", "1-4"].r5 == 1
    assert rows["grep", "one", "1-4"].all10 == 1


def test_what_is_no_locomo_is_refused(tmp_path: Path) -> None:
    for text in ("nonsense", "{}", '[{"sample_id": "x"}]'):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(InvalidImport, match="no LoCoMo"):
            locomo.load(tmp_path / "x.json")


def test_latency_measures_a_small_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latency, "TURNS", 200)
    written = 0

    def advance(amount: int) -> None:
        nonlocal written
        written += amount

    (row,) = latency.run([700], advance)
    assert (row.n, written) == (700, 700)
    assert 0 < row.one_cpu_p50 <= row.one_cpu_p95
    assert 0.01 < row.matched < 0.2
    assert row.turns_per_minute > 0


@pytest.mark.slow
@pytest.mark.evaluation
def test_bm25_on_locomo_is_as_published() -> None:
    folder = os.environ.get("MEMORANDA_EVAL")
    if not folder or not (Path(folder) / "locomo10.json").exists():
        pytest.skip("MEMORANDA_EVAL names no folder with locomo10.json")
    rows = locomo.run(locomo.load(Path(folder) / "locomo10.json"))
    found = {(row.method, row.store, row.categories): row for row in rows}
    assert found["bm25", "per-conversation", "all"].questions == 1982
    assert found["bm25", "per-conversation", "1-4"].r10 >= 0.62
    assert found["bm25", "one", "1-4"].r10 >= 0.59
