"""Skills on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_cli import Run, run  # noqa: F401
from tests.consolidating import opened, said
from tests.scripted import Mind, entry

STEPS = "1. Build.\n2. Push.\n"


@pytest.fixture
def home(run: Run) -> Path:  # noqa: F811
    return Path(run("init", "--enable", "--json").json["home"])


@pytest.fixture
def skilled(run: Run, home: Path) -> Run:  # noqa: F811
    steps = home / "steps.md"
    steps.write_text(STEPS)
    done = run("skill", "add", "deploy-site", str(steps), "--description", "Deploys the site")
    assert (done.code, done.out) == (0, "Version 1: skills/deploy-site/SKILL.md\n")
    return run


def test_a_skill_is_listed_without_its_text(skilled: Run) -> None:
    assert "deploy-site   Deploys the site   user    1" in skilled("skill", "list").out
    (told,) = skilled("skill", "list", "--json").json["found"]
    assert (told["name"], told["version"], told["uses"]) == ("deploy-site", 1, 0)
    assert not {"text", "body"} & set(told)


def test_using_one_prints_all_of_it_and_counts(skilled: Run, home: Path) -> None:
    used = skilled("skill", "use", "deploy-site")
    assert used.out == (home / "skills/deploy-site/SKILL.md").read_text()
    assert skilled("skill", "use", "deploy-site", "--json").json["uses"] == 2
    assert skilled("skill", "show", "deploy-site", "--json").json["uses"] == 2


def test_versions_are_told_and_shown(skilled: Run, home: Path) -> None:
    (home / "steps.md").write_text("Ask Mara.")
    add = ("skill", "add", "deploy-site", str(home / "steps.md"), "--description", "Asks")
    assert skilled(*add, "--json").json["version"] == 2
    told = skilled("skill", "history", "deploy-site", "--json").json["found"]
    assert [(each["version"], each["description"]) for each in told] == [
        (1, "Deploys the site"),
        (2, "Asks"),
    ]
    assert "Asks" in skilled("skill", "history", "deploy-site").out
    assert "2. Push." in skilled("skill", "show", "deploy-site", "--version", "1").out
    gone = skilled("skill", "show", "deploy-site", "--version", "9")
    assert (gone.code, gone.out) == (3, "")


def test_removing_asks_first(skilled: Run, home: Path) -> None:
    asked = skilled("skill", "remove", "deploy-site")
    assert (asked.code, (home / "skills/deploy-site").exists()) == (2, True)
    done = skilled("skill", "remove", "deploy-site", "--yes")
    assert (done.code, done.out) == (0, "Removed: skills/deploy-site\n")
    assert not (home / "skills/deploy-site").exists()
    assert skilled("skill", "use", "deploy-site").code == 3


def test_all_reasons_are_told_in_one_line(skilled: Run, home: Path) -> None:
    done = skilled("skill", "add", "Deploy", str(home / "steps.md"))
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert "name 'Deploy'" in done.err
    assert "description: say" in done.err
    missing = skilled("skill", "add", "deploy", str(home / "no.md"))
    assert (missing.code, missing.err.count("\n")) == (1, 1)


def test_an_invalid_file_is_told_and_the_others_are_listed(skilled: Run, home: Path) -> None:
    (home / "skills/bad").mkdir()
    (home / "skills/bad/SKILL.md").write_text("---\nname: bad\n---\n")
    listed = skilled("skill", "list", "--json")
    assert [each["name"] for each in listed.json["found"]] == ["deploy-site"]
    assert listed.json["unreadable"][0]["place"] == "skills/bad/SKILL.md"
    assert "skills/bad/SKILL.md:1: there is no description; it is left out" in listed.err
    used = skilled("skill", "use", "bad")
    assert (used.code, used.out) == (1, "")
    assert "skills/bad/SKILL.md:1: there is no description" in used.err


def test_a_shadowed_skill_is_told_and_had_by_its_scope(skilled: Run, home: Path) -> None:
    site = ("--scope", "project:site")
    steps = str(home / "steps.md")
    skilled("skill", "add", "deploy-site", steps, "--description", "Of the project", *site)
    listed = skilled("skill", "list", "--project", "site")
    assert "Of the project" in listed.out
    assert "Deploys the site" not in listed.out
    assert "deploy-site of user is shadowed by that of project:site." in listed.err
    shown = skilled("skill", "show", "deploy-site", "--project", "site", "--scope", "user")
    assert "Deploys the site" in shown.out
    assert "Deploys the site" in skilled("skill", "list").out


def test_a_long_one_is_written_with_a_word_of_advice(run: Run, home: Path) -> None:  # noqa: F811
    (home / "long.md").write_text("Do it.\n" * 600)
    done = run("skill", "add", "long", str(home / "long.md"), "--description", "Long")
    assert done.code == 0
    assert "It is long (60" in done.err


def test_a_proposal_is_shown_as_the_file_that_would_be_written(run: Run, home: Path) -> None:  # noqa: F811
    mind = Mind(choose=lambda _: [entry("To release, tag and then push", "procedure")])
    with opened(home, mind) as m:
        m.observe(said("To release, tag and then push."))
        m.consolidate()
    listed = run("review")
    assert "version 1 of the skill release of user would be:" in listed.out
    assert "    | 1. tag\n    | 2. push\n" in listed.out
    (item,) = run("review", "--json").json["items"]
    assert item["skill"]["name"] == "release"
    done = run("review", item["decision"]["id"], "--accept")
    assert (done.code, done.out) == (
        0,
        "Applied: accepted by cli: version 1 of the skill release\n",
    )
    assert "1. tag" in run("skill", "use", "release").out
    gone = run("forget", item["decision"]["candidate"]["turn"], "--yes")
    assert "1 skill" in gone.out
    assert run("skill", "use", "release").code == 3
