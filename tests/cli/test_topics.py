"""Topics on the command line."""

from __future__ import annotations

import pytest

from memoranda.interfaces.cli import main  # noqa: F401  registers the commands
from tests.cli.test_cli import Run, run  # noqa: F401  the fixture


@pytest.fixture
def home(run: Run) -> Run:  # noqa: F811
    run("init")
    run("remember", "Deployed on Tuesdays", "--topic", "deployment")
    return run


def test_a_topic_kept_otherwise_is_told(home: Run) -> None:
    told = home("remember", "Not on Fridays", "--topic", "Deployments", "--topic", "web")
    assert told.err == "Topic “Deployments” is kept as “deployment”.\n"
    assert home("remember", "plum", "--topic", "web").err == ""


def test_topics_are_listed_and_merged(home: Run) -> None:
    home("remember", "The web", "--topic", "web")
    assert home("topics", "--json").json == [
        {"name": "deployment", "memories": 1, "used_at": None, "close": None},
        {"name": "web", "memories": 1, "used_at": None, "close": None},
    ]
    assert "one-off" in home("topics", "--once").out
    assert home("topics", "merge", "web", "deployment").out == "Merged: 1 memory changed.\n"
    assert [each["memories"] for each in home("--json", "topics").json] == [2]
    assert home("topics", "merge", "web", "deployment").code == 3
