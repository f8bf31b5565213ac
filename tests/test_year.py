"""A simulated life tells the truth about itself, and a home that forgets keeps up with it."""

from __future__ import annotations

import json

import pytest

from memoranda.bench.life import SLOTS, Life, Slot
from memoranda.bench.year import _value_of, plot, run
from tests.cli.test_cli import Run
from tests.cli.test_cli import run as cli  # noqa: F401


def test_a_life_is_the_same_for_the_same_seed() -> None:
    one, other = ([*Life(20, 3).statements(week)] for week in (5, 5))
    assert [each.words for each in one] == [each.words for each in other]
    assert [each.words for each in Life(20, 4).statements(5)] != [each.words for each in one]


def test_what_is_true_was_said_before() -> None:
    life, known = Life(52, 7), dict[str, str]()
    for week in range(52):
        for each in life.statements(week):
            if each.slot is not None and each.value is not None:
                if each.repeated:
                    assert known[each.slot.mark] == each.value
                known[each.slot.mark] = each.value
        assert known == {slot.mark: value for slot, value in life.true(week).items()}
        assert {each.slot.mark for each in life.questions(week)} <= known.keys()


@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: slot.mark)
def test_each_value_is_told_apart(slot: Slot) -> None:
    for value in slot.values:
        said = slot.says(value)
        assert [each.mark for each in SLOTS if _value_of(each, said)] == [slot.mark]
        assert _value_of(slot, said) == value


def test_a_few_weeks_of_a_home_that_forgets_beside_one_that_hoards() -> None:
    rows, compared = run(4, 7)
    forgets, hoards = rows[-2:]
    assert (forgets.home, hoards.home) == ("forgets", "hoards")
    assert forgets.truths == hoards.truths > 20
    assert forgets.memories < hoards.memories
    assert forgets.recall >= 0.9
    assert forgets.stale <= hoards.stale
    for each in compared:
        assert each.told is None or abs(each.told - each.true) <= 0.05, each
    assert all("<svg" in drawn for drawn in plot(rows).values())


@pytest.mark.slow
def test_a_year(cli: Run) -> None:  # noqa: F811
    """Forgetting keeps what is true, a third of the memories, and a quarter of what is stale."""
    document = json.loads(cli("bench", "year", "--json").out)
    forgets = [row for row in document["rows"] if row["home"] == "forgets"]
    hoards = [row for row in document["rows"] if row["home"] == "hoards"]

    def mean(rows: list[dict[str, float]], name: str) -> float:
        return sum(row[name] for row in rows) / len(rows)

    assert forgets[-1]["memories"] < hoards[-1]["memories"] / 3
    assert mean(forgets, "recall") >= mean(hoards, "recall") - 0.02
    assert mean(forgets, "stale") <= mean(hoards, "stale") / 4
    for each in document["measures"]:
        assert abs(each["told"] - each["true"]) <= 0.05, each
