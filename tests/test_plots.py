"""The plots in the docs are what the settings draw."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from memoranda.bench.curves import plots
from memoranda.bench.plot import chart
from memoranda.settings import Settings

DOCS = Path(__file__).parents[1] / "docs" / "plots"


@pytest.mark.parametrize(("name", "drawn"), plots(Settings()).items())
def test_the_plots_in_the_docs_are_those_of_the_settings(name: str, drawn: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == drawn
    assert ElementTree.fromstring(drawn).tag.endswith("svg")


def test_a_chart_of_nothing_and_of_odd_names_is_a_chart() -> None:
    ElementTree.fromstring(chart("a < b & c", "x", "y", {}))
    drawn = chart("t", "x", "y", {"<b>": [(0, 0)], "c": [(0, 0), (1, 3)], "d": []})
    assert "&lt;b&gt;" in drawn
    ElementTree.fromstring(drawn)
