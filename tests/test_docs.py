"""What the README and the docs show is what happens."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from memoranda.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [
        text for name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name == language
    ]


def with_blocks(language: str) -> list[Path]:
    return [page for page in PAGES if blocks(page, language)]


def name(page: Path) -> str:
    return page.name


@pytest.mark.parametrize("page", with_blocks("python"), ids=name)
def test_the_python_of_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    known: dict[str, object] = {}
    for text in blocks(page, "python"):
        exec(compile(text, str(page), "exec"), known)


@pytest.mark.parametrize("page", with_blocks("console"), ids=name)
def test_the_commands_of_a_page_answer_as_shown(page: Path, tmp_path: Path) -> None:
    """`…` stands for what differs from run to run; the page's commands share one new home."""
    environment = {
        **os.environ,
        "MEMORANDA_HOME": str(tmp_path / "home"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TZ": "Europe/Brussels",
    }
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            done = subprocess.run(
                command, shell=True, cwd=ROOT, env=environment, text=True, check=False,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )  # fmt: skip
            assert done.returncode in (0, 3), f"{command}\n{done.stdout}"
            assert matches(shown, done.stdout), f"{command}\nshown:\n{shown}\ncame:\n{done.stdout}"


def matches(shown: str, came: str) -> bool:
    pattern = ".*".join(map(re.escape, re.split("…", shown.strip())))
    return re.fullmatch(pattern, came.strip(), re.DOTALL) is not None


def test_the_sql_of_the_file_page_runs(tmp_path: Path) -> None:
    import apsw

    import memoranda

    home = memoranda.init(tmp_path / "home")
    with memoranda.open(home) as m:
        m.import_(ROOT / "demo" / "homelab.jsonl")
        m.remember("The pool is called tank")
    db = apsw.Connection(str(home / "memory.db"))
    (sql,) = blocks(ROOT / "docs" / "file.md", "sql")
    assert len(db.execute(sql).fetchall()) == 10 + 1
    db.close()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_setting_is_documented_with_its_default_and_sentence() -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    for each in fields(Settings):
        default = json.dumps(each.default)  # as TOML writes it, too
        assert f"| `{each.name}` | `{default}` | {each.metadata['sentence']} |" in text


def test_the_sample_is_what_the_demo_says() -> None:
    lines = (ROOT / "demo" / "homelab.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 60
    demo = (ROOT / "demo" / "demo.sh").read_text(encoding="utf-8")
    assert len(re.findall(r"^run recall", demo, re.MULTILINE)) == 8
