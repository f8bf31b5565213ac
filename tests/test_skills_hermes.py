"""Hermes itself reads the skills of a home.

It is in an environment of its own, which `make test-slow` makes.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from memoranda import Memoranda

HERMES = Path(__file__).parents[1] / ".venv-hermes" / "bin" / "python"
ASKED = """
import json, sys
from tools.skills_tool import skill_view, skills_list
told = {"list": skills_list(), **{name: skill_view(name) for name in sys.argv[1:]}}
print(json.dumps({name: json.loads(answer) for name, answer in told.items()}))
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HERMES.exists(), reason="Hermes is not installed in .venv-hermes"),
]


def ask(hermes: Path, *names: str) -> dict[str, Any]:
    """What Hermes lists, and what it says of some skills, where its home is this folder."""
    done = subprocess.run(
        [HERMES, "-c", ASKED, *names],
        env={"HOME": str(hermes), "HERMES_HOME": str(hermes), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    answers = json.loads(done.stdout)
    assert isinstance(answers, dict)
    return answers


@pytest.mark.parametrize("how", ["a link", "the settings"])
def test_hermes_lists_and_reads_our_skills(
    m: Memoranda, home: Path, tmp_path: Path, how: str
) -> None:
    description = "Deploys --- the site: use it é 部署 # for a release"
    for text in ("1. Build.", "1. Build it.\n2. Push --- it."):
        m.write_skill(text, name="deploy-site", description=description)
    m.write_skill("Count.", name="1", description="Counts", license="MIT")
    m.write_skill("Date.", name="2026-01-02", description="yes")
    hermes = tmp_path / "hermes"
    hermes.mkdir()
    if how == "a link":
        (hermes / "skills").symlink_to(home / "skills")
    else:
        (hermes / "skills").mkdir()
        (hermes / "config.yaml").write_text(f"skills:\n  external_dirs:\n    - {home / 'skills'}\n")
    told = ask(hermes, "deploy-site", "1", "2026-01-02", "2")
    listed = {each["name"]: each["description"] for each in told["list"]["skills"]}
    assert listed == {"deploy-site": description, "1": "Counts", "2026-01-02": "yes"}
    assert told["deploy-site"]["content"] == m.skill("deploy-site").text
    assert told["1"]["content"] == m.skill("1").text
    assert told["2026-01-02"]["content"] == m.skill("2026-01-02").text
    assert not told["2"]["success"]  # an older version is no skill
