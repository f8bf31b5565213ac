"""Options: where they come from, and that a wrong one is named."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from memoranda import InvalidSettings, settings
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


LINE = r"[^\n]*\n|[^\n]+"
LINES = st.sampled_from(
    [
        "# recall_limit = 8",
        "recall_limit = 5  # few",
        "  recall_budget = 100",
        "# about embedding_model in words",
        '# embedding_model = "all-minilm-l6-v2"',
        'embedding_model = "one"  # mine',
        'timezone = "Europe/Berlin"',
        '"embedding_url" = "http://nas/v1"',
        "timezone = '''",
        "'''",
        "",
        "[table]",
    ]
)


@drawn(st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n"]), st.text(max_size=8))
def test_changing_options_changes_nothing_else(
    tmp_path: Path, lines: list[str], end: str, value: str
) -> None:
    path = tmp_path / settings.FILE
    before = end.join(lines)
    path.write_bytes(before.encode())
    path.chmod(0o600)
    options = {"embedding_model": f"m{value}", "embedding_url": ""}
    try:
        parsed = tomllib.loads(before)
    except tomllib.TOMLDecodeError:
        with pytest.raises(InvalidSettings, match="by hand"):
            settings.change(tmp_path, **options)
        assert path.read_bytes() == before.encode()
        return
    try:
        settings.change(tmp_path, **options)
    except InvalidSettings:
        assert path.read_bytes() == before.encode()
        return
    after = path.read_bytes().decode()
    assert tomllib.loads(after) == parsed | options
    assert path.stat().st_mode & 0o777 == 0o600
    kept = [line for line in re.findall(LINE, before) if "embedding" not in line]
    others = [line for line in re.findall(LINE, after) if "embedding" not in line]
    assert others == kept, "every other line is as it was, to the byte"


def test_a_linked_settings_file_stays_a_link(tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    real.write_text("recall_limit = 5\n")
    (tmp_path / settings.FILE).symlink_to(real)
    settings.change(tmp_path, embedding_model="none")
    assert (tmp_path / settings.FILE).is_symlink()
    assert real.read_text() == 'embedding_model = "none"\nrecall_limit = 5\n'
