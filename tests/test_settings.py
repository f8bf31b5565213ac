"""Options: where they come from, and that a wrong one is named."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from memoranda import InvalidSettings
from memoranda.settings import FILE, Settings, load, template


def given(tmp_path: Path, text: str, environ: dict[str, str] | None = None) -> Settings:
    (tmp_path / FILE).write_text(text, encoding="utf-8")
    return load(tmp_path, environ or {})


def test_the_environment_goes_before_the_file_before_the_default(tmp_path: Path) -> None:
    found = given(tmp_path, "recall_limit = 3\nrecall_budget = 4", {"MEMORANDA_RECALL_LIMIT": "5"})
    assert (found.recall_limit, found.recall_budget) == (5, 4)
    assert found.passage_size == Settings().passage_size


def test_a_home_without_a_file_has_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path, {"MEMORANDA_HOME": "/x", "PATH": "/bin"}) == Settings()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("recal_limit = 3", "did you mean recall_limit?"),
        ("recall_limit = '3'", "must be a whole number"),
        ("recall_limit = true", "must be a whole number"),
        ("recall_limit = 0", "must be between 1 and 10,000"),
        ("lock_timeout = inf", "must be between 0 and 86,400"),
        ("lock_timeout = 'long'", "must be a number"),
        ("timezone = 'Mars/Olympus'", "'Mars/Olympus' is unknown"),
        ("timezone = '../../etc/passwd'", "is unknown"),
        ("recall_limit =", "cannot be read"),
    ],
)
def test_a_wrong_option_is_named(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(InvalidSettings, match=told.replace("?", r"\?")):
        given(tmp_path, text)


def test_a_wrong_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidSettings, match=r"environment \(MEMORANDA_RECALL_LIMIT\)"):
        load(tmp_path, {"MEMORANDA_RECALL_LIMIT": "many"})
    with pytest.raises(InvalidSettings, match="MEMORANDA_RECALL_LIMITS"):
        load(tmp_path, {"MEMORANDA_RECALL_LIMITS": "3"})


def test_the_template_has_every_option_and_changes_nothing(tmp_path: Path) -> None:
    assert given(tmp_path, template()) == Settings()
    uncommented = "\n".join(
        line.removeprefix("# ") for line in template().splitlines() if " = " in line
    )
    assert set(tomllib.loads(uncommented)) == {each.name for each in fields(Settings)}
