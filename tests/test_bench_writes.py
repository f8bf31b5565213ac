"""The figures of what is proposed for memory: counted as published, and as good."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from memoranda import InvalidImport, InvalidSettings, wiring
from memoranda.bench import prompts, writes
from memoranda.bench.piped import Piped
from tests.evaluation import evaluation
from tests.scripted import Mind, Scripted, entry, verdict


def case(number: int) -> dict[str, object]:
    """Two talks, each with a thing worth storing, and in the first one that must not be."""

    def talk(*contents: str) -> list[dict[str, object]]:
        roles = ("user", "assistant")
        return [
            {"turn": n, "role": roles[n % 2], "ts": "2026-03-02T09:00:00Z", "content": content}
            for n, content in enumerate(contents)
        ]

    return {
        "id": f"w{number:03}",
        "conversation": talk("I like plums. Is that odd?", "You like pears."),
        "gold_store": [{"kind": "preference", "source_turn": 0, "quote": "I like plums."}],
        "gold_reject": [{"reason": "assistant", "source_turn": 1, "quote": "You like pears."}],
        "existing_memories": [{"id": "m0", "text": "User likes plums"}],
        "conversation_2": talk("I like plums! We deploy with kubectl."),
        "gold_decisions": [
            {"kind": "preference", "source_turn": 0, "quote": "I like plums", "action": "NOOP"},
            {"kind": "procedure", "source_turn": 0, "quote": "We deploy with kubectl."},
        ],
        "gold_reject_2": [],
    }


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "writes.jsonl"
    path.write_text("".join(json.dumps(case(number)) + "\n" for number in (1, 2)))
    return path


def test_the_rules_on_small_cases(file: Path) -> None:
    cases = writes.load(file)
    rows = {row.set: row for row in writes.score(cases, writes.Rules().predict(cases))}
    assert rows["all"] == writes.Row("all", 6, 6, 0, 0, 6, 0)
    assert rows["tuning"] == writes.Row("tuning", 3, 3, 0, 0, 3, 0)
    assert writes.Figures.of(rows["all"]).f1 == 1


def everything(cases: Sequence[writes.Case]) -> list[writes.Prediction]:
    """Stores each turn whole, as a fact."""

    def stored(talk: writes.Talk) -> Iterator[writes.Decision]:
        for turn in talk.turns:
            yield writes.Decision(int(turn.id or 0), turn.content, "fact", turn.content)

    return [
        writes.Prediction(case.id, tuple(stored(case.first)), tuple(stored(case.second)))
        for case in cases
    ]


def test_what_must_not_be_stored_and_what_is_missed_are_counted(file: Path) -> None:
    cases = writes.load(file)
    row = writes.score(cases, everything(cases))[-1]
    # of the second talk one turn overlaps both, and may be right of one only
    assert row == writes.Row("all", proposed=6, right=4, wrong=2, missed=2, kinds=0, forbidden=2)
    figures = writes.Figures.of(row)
    assert figures.precision == pytest.approx(4 / 6)
    assert figures.recall == pytest.approx(4 / 6)


def test_a_model_is_measured_with_a_whole_pass_around_it(file: Path) -> None:
    mind = Mind(
        lambda sentence: {
            "I like plums.": [entry("User likes plums", "preference")],
            "I like plums!": [entry("User really likes plums", "preference")],
            "We deploy with kubectl.": [entry("User's team deploys with kubectl", "constraint")],
        }.get(sentence, []),
        lambda statement: (
            verdict("NOOP", statement.label("plums"))
            if "plums" in statement.text
            else verdict("ADD")
        ),
    )
    cases = writes.load(file)
    predicted = Piped(Scripted(mind), None).predict(cases)
    assert writes.score(cases, predicted)[-1] == writes.Row("all", 6, 6, 0, 0, 6, 0)
    done = writes.score_operations(cases, predicted)
    assert done == writes.Operations(all=4, decided=4, right=2)  # the case names no target
    assert [each.target for each in predicted[0].decisions] == ["m0", None]
    assert predicted[0].deferred == 0


def test_predictions_add_what_is_new_and_change_nothing(file: Path, tmp_path: Path) -> None:
    made = writes.Rules().predict(writes.load(file))
    writes.write(tmp_path / "predictions.jsonl", made)
    first = json.loads((tmp_path / "predictions.jsonl").read_text().splitlines()[0])
    assert first["stored"] == [
        {
            "source_turn": 0,
            "quote": "I like plums.",
            "kind": "preference",
            "text": "User likes plums",
        }
    ]
    told = [(each["action"], each["target"], each["kind"]) for each in first["decisions"]]
    assert told == [("NOOP", "m0", "preference"), ("ADD", None, "procedure")]


def test_a_turn_of_locomo_counts_if_an_observation_cites_it(tmp_path: Path) -> None:
    said = ["I moved to Graz last week.", "Wow!", "I sing in a choir.", "My knee hurts a little."]
    sample = {
        "sample_id": "one",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ann", "dia_id": f"D1:{n}", "text": text}
                for n, text in enumerate(said, start=1)
            ],
        },
        "qa": [],
        "observation": {"session_1_observation": {"Ann": [["Moved", "D1:1"], ["A", ["D1:2"]]]}},
    }
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([sample]))
    row = writes.score_locomo(path, writes.Rules().candidates)[-1]
    assert (row.right, row.missed) == (1, 1)
    assert row.proposed == row.right + row.wrong


def test_what_is_no_file_of_cases_and_a_model_that_is_nowhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "writes.jsonl"
    path.write_text('{"id": "w1"}\n')
    with pytest.raises(InvalidImport):
        writes.load(path)
    with pytest.raises(InvalidSettings, match="language_url"):
        wiring.language(tmp_path, "oracle")


def test_of_everyday_prompts_little_is_proposed() -> None:
    rows = {row.set: row for row in prompts.run()}
    for row in rows.values():
        assert row.found >= 0.8 * row.worth
        assert row.proposed <= 0.2 * row.others


@pytest.mark.evaluation
def test_the_rules_are_as_good_as_published() -> None:
    cases = writes.load(evaluation("writes.jsonl"))
    row = writes.score(cases, writes.Rules().predict(cases))[-1]
    assert row.precision >= 0.96
    assert row.recall >= 0.8
    assert row.forbidden == 0


@pytest.mark.slow
@pytest.mark.evaluation
def test_the_rules_are_as_good_on_locomo() -> None:
    row = writes.score_locomo(evaluation("locomo10.json"), writes.Rules().candidates)[-1]
    assert row.precision >= 0.66
    assert row.recall >= 0.58
