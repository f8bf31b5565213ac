from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

import memoranda
from memoranda import Memoranda

# One slow machine must not fail what is right; what is measured is measured in bench.
settings.register_profile(
    "memoranda",
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("memoranda")


@pytest.fixture(autouse=True)
def no_home_of_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes the home of whoever runs it."""
    for name in list(os.environ):
        if name.startswith("MEMORANDA_") and name != "MEMORANDA_EVAL":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return memoranda.init(tmp_path / "home", enable=True)


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with memoranda.open(home) as opened:
        yield opened
