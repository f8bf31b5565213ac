"""Every verb is at every door, and every door is documented."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
import typer.main

import memoranda
from memoranda import Memoranda
from memoranda.interfaces.cli import (
    backups,
    bench,
    consolidation,
    contradictions,
    conversations,
    doctor,
    entities,
    finding,
    forgetting,
    health,
    home,
    incognito,
    knowing,
    ledger,
    memories,
    people,
    projects,
    quarantine,
    restoring,
    review,
    sealing,
    skill,
    sweep,
    sync,
    tasks,
    topics,
    transferring,
    working,
)
from memoranda.interfaces.cli.app import app

DOCS = Path(__file__).parents[1] / "docs"
REGISTERED = (
    backups,
    bench,
    consolidation,
    contradictions,
    conversations,
    doctor,
    entities,
    finding,
    forgetting,
    health,
    home,
    incognito,
    knowing,
    ledger,
    memories,
    people,
    projects,
    quarantine,
    restoring,
    review,
    sealing,
    skill,
    sweep,
    sync,
    tasks,
    topics,
    transferring,
    working,
)

VERBS = [
    name
    for name, _ in inspect.getmembers(Memoranda, inspect.isfunction)
    if not name.startswith("_")
]

NO_COMMAND = {
    "close": "a command closes the home at its end",
    "projects": "it is `project`",
    "vault": "it is `task` and `report`",
    "files_changed": "it is what `sync --watch` asks",
    "take_in": "every command does it first",
    "add_task": "it is `task add`",
    "set_task": "it is `task state`",
    "add_project": "it is `project add`",
    "drop_project": "it is `project drop`",
    "assign": "it is `project part`",
    "people": "it is `person`",
    "add_channel": "it is `person add`",
    "drop_channel": "it is `person drop`",
    "import_home": "it is `import`, of an archive",
    "merge_topics": "it is `topics merge`",
    "estimate": "it is `consolidate --estimate`",
    "waiting": "it is what `consolidate --everyone` asks",
    "is_due": "it is what `consolidate --due` asks",
    "pass": "it is `passes PASS`",
    "calls": "they are in `ledger --export`",
    "distances": "it is `ledger --distances`",
    "accept": "it is `review ID --accept`",
    "candidates": "they are in `review`",
    "decide": "it is `review`, one key each, and `review --decide`",
    "review_summary": "it is `review --summary`",
    "send_review": "it is `review --send`",
    "reject": "it is `review ID --reject`",
    "skills": "it is `skill list`",
    "skill_history": "it is `skill history`",
    "use_skill": "it is `skill use`",
    "write_skill": "it is `skill add`",
    "remove_skill": "it is `skill remove`",
    "verify_backups": "it is `backup --verify`",
}
NO_VERB = {
    "init": "it makes the home that verbs need; a function of the package",
    "encrypt": "no verb may have the home open meanwhile; a function of the package",
    "rekey": "no verb may have the home open meanwhile; a function of the package",
    "decrypt": "no verb may have the home open meanwhile; a function of the package",
    "restore": "it brings a home back; a function of the package",
    "doctor": "it looks at a home that may not open; a function of the package",
    "bench": "it measures, and is no part of using a memory",
    "models": "it changes the settings of a home",
    "project": "it is `projects`",
    "person": "it is `people`",
}


def commands() -> dict[str, Any]:
    assert REGISTERED
    found = dict(typer.main.get_command(app).commands)  # type: ignore[attr-defined]
    grouped = ("bench", "models", "person", "project", "report", "skill", "task", "topics")
    groups = {name: found[name].commands for name in grouped}
    return found | {
        f"{group} {name}": command
        for group, within in groups.items()
        for name, command in within.items()
    }


def test_every_verb_has_a_command_and_every_command_a_verb() -> None:
    names = {verb.rstrip("_") for verb in VERBS} - set(NO_COMMAND)
    assert {name.replace("_", "-") for name in names} == {
        name for name in commands() if " " not in name
    } - set(NO_VERB)


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_and_option_is_documented(name: str) -> None:
    text = (DOCS / "commands.md").read_text(encoding="utf-8")
    section = re.search(rf"^##+ {name}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert section, f"docs/commands.md has no heading for {name}"
    shared = text[: text.index("\n## ")]
    for option in commands()[name].params:
        for spelling in (*option.opts, *option.secondary_opts):
            if spelling.startswith("-"):
                assert f"`{spelling}`" in section.group(1) + shared, f"{name} {spelling}"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_documented_and_says_what_it_raises(verb: str) -> None:
    assert f"`{verb}(" in (DOCS / "python.md").read_text(encoding="utf-8")
    assert inspect.getdoc(getattr(Memoranda, verb))


@pytest.mark.parametrize("name", memoranda.__all__)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(getattr(memoranda, name))


def test_every_error_is_documented() -> None:
    text = (DOCS / "python.md").read_text(encoding="utf-8")
    for name in memoranda.__all__:
        thing = getattr(memoranda, name)
        if inspect.isclass(thing) and issubclass(thing, memoranda.MemorandaError):
            assert f"`{name}`" in text
