"""Consolidation on the command line, with a home and an endpoint that are real."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.cli.test_cli import Outcome, Run, home_run, memoranda_process, run  # noqa: F401
from tests.scripted import Mind, Statement, entry, verdict
from tests.speaking import Ask, Reply, Said, Sent, Speaker, speaking


def turns(*said: str, conversation: str = "c", day: int = 1) -> bytes:
    lines = [
        {
            "conversation": conversation,
            "role": "user",
            "content": content,
            "id": f"{conversation}-{place}-{day}",
            "time": f"2026-03-{day:02}T12:{place:02}:00+00:00",
        }
        for place, content in enumerate(said)
    ]
    return "\n".join(map(json.dumps, lines)).encode()


def choose(sentence: str) -> list[dict[str, Any]]:
    told = {
        "I live in Oslo.": entry("User lives in Oslo"),
        "I live in Bergen now.": entry("User lives in Bergen now"),
        "Our deploys go out on Tuesdays.": entry("User's team deploys on Tuesdays", "constraint"),
        "I drink tea every morning.": entry("User drinks tea every morning", "preference"),
        "I don't drink tea anymore.": entry("User does not drink tea anymore", ends=True),
    }
    return [told[sentence]] if sentence in told else []


def weigh(statement: Statement) -> dict[str, Any]:
    oslo, tea = statement.label("Oslo"), statement.label("drinks tea")
    if oslo and "Bergen" in statement.text:
        return verdict("UPDATE", oslo, statement.text)
    if tea and "tea" in statement.text.split():
        return verdict("DELETE" if "anymore" in statement.text else "NOOP", tea)
    return verdict("ADD")


MIND = Mind(choose, weigh)


@pytest.fixture
def speaker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    """An endpoint that answers as `MIND` does, named in the settings."""
    with speaking() as speaker:
        speaker.reply, speaker.prompt_tokens = by_mind, 4000
        monkeypatch.setenv("MEMORANDA_LANGUAGE_MODEL", "plum")
        monkeypatch.setenv("MEMORANDA_LANGUAGE_URL", speaker.url)
        yield speaker


def by_mind(asked: Ask) -> Reply:
    return Said(MIND.answer_to(asked))


@pytest.fixture
def talk(run: Run) -> Run:  # noqa: F811
    """A home in which somebody said a few things."""
    run("init", "--enable")
    observed(run, "I live in Oslo.", "I drink tea every morning.", "Hello there.")
    return run


def observed(run: Run, *said: str, day: int = 1) -> None:  # noqa: F811
    assert run("observe", stdin=turns(*said, day=day)).code == 0


def changed(run: Run) -> Outcome:  # noqa: F811
    """A second pass, over what changes what the first one made."""
    assert run("consolidate").code == 0
    observed(run, "I live in Bergen now.", "I don't drink tea anymore.", day=2)
    return run("consolidate", "--json")


def contents(run: Run, *words: str) -> list[str]:  # noqa: F811
    return [each["content"] for each in run("list", "--json", *words).json]


# consolidate --------------------------------------------------------------------------------------


def test_a_pass_makes_memories_and_says_so(talk: Run, speaker: Speaker) -> None:
    done = talk("consolidate")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Read 3 turns: 2 add.\n")
    assert re.search(r"^Asked plum@\S+: \d+ questions?, [\d,]+ tokens told and", done.out, re.M)
    assert re.search(r"^Pass [0-9A-Z]{26}$", done.out, re.M)
    assert contents(talk) == ["User drinks tea every morning", "User lives in Oslo"]
    assert talk("consolidate").out.startswith("Read 0 turns: no change.\n")


def test_a_pass_is_one_document_for_programs(talk: Run, speaker: Speaker) -> None:
    done = changed(talk).json
    assert done["counts"] == {"delete": 1, "update": 1}
    assert [each["operation"] for each in done["decisions"]] == ["update", "delete"]
    assert done["decisions"][0]["candidate"]["quote"] == "I live in Bergen now."
    assert (done["failed"], done["stopped"], done["turns"]) == (False, None, 2)
    assert contents(talk) == ["User lives in Bergen now"]


def test_a_dry_run_is_a_diff_and_changes_nothing(talk: Run, speaker: Speaker) -> None:
    talk("consolidate")
    observed(
        talk, "I live in Bergen now.", "I don't drink tea anymore.", "I live in Oslo.",
        "Our deploys go out on Tuesdays.", day=2,
    )  # fmt: skip
    before = talk("list", "--json").json
    shown = talk("consolidate", "--dry-run")
    lines = shown.out.splitlines()
    assert shown.code == 0
    at = lines.index("~ User lives in Oslo")
    assert lines[at + 1] == "  → User lives in Bergen now"
    assert lines[at + 2].startswith("    update · fact · user · stated, confidence")
    assert re.match(
        r"    “I live in Bergen now\.” · 2026-03-02 .* · characters 0 to 21 of turn \w{26}$",
        lines[at + 3],
    )
    assert "- User drinks tea every morning" in lines
    assert "+ User's team deploys on Tuesdays" in lines
    assert lines[-1] == "Nothing was changed."
    assert lines[-2].startswith("Asked plum@")
    assert "\x1b" not in shown.out
    assert talk("list", "--json").json == before
    assert talk("status", "--json").json["backlog"]["turns"] == 4


def test_what_was_set_aside_says_why(talk: Run, speaker: Speaker) -> None:
    speaker.reply = lambda asked: (
        Said("I would rather not", refusal="no") if "tea" in json.dumps(asked) else by_mind(asked)
    )
    shown = talk("consolidate", "--dry-run").out
    assert "! turn " in shown
    assert "refused" in shown
    done = talk("consolidate")
    assert done.code == 0
    assert "turns are set aside" in done.out
    status = talk("status")
    assert "3 of them set aside" in status.out
    id = talk("passes", "--json").json[0]["id"]
    assert "refused" in talk("passes", id).out


def test_rules_add_candidates(talk: Run) -> None:
    done = talk("consolidate", "--model", "rules")
    assert done.code == 0
    assert "What rules add is a candidate" in done.out
    held = talk("list", "--json").json
    assert {each["status"] for each in held} == {"candidate"}
    assert {each["valid_from"][:10] for each in held} == {"2026-03-01"}
    assert talk("status", "--json").json["backlog"]["turns"] == 3
    assert talk("passes", "--json").json[0]["model"] == "rules"


def test_an_estimate_asks_nothing(talk: Run, speaker: Speaker) -> None:
    assert re.fullmatch(
        r"About 3 turns, \d+ questions?, [\d,]+ tokens told and [\d,]+ answered; "
        r"no price is set\.\n",
        talk("consolidate", "--estimate").out,
    )
    assert talk("consolidate", "--estimate", "--json").json["turns"] == 3
    assert speaker.asked == []
    wrong = talk("consolidate", "--estimate", "--dry-run")
    assert (wrong.code, "--estimate goes with no other option" in wrong.err) == (2, True)


def test_it_runs_only_when_due(talk: Run, speaker: Speaker) -> None:
    assert talk("consolidate", "--due").out.startswith("Read 3 turns")
    observed(talk, "I live in Bergen now.", day=2)
    asked = len(speaker.asked)
    assert talk("consolidate", "--due").out == "No pass is due.\n"
    assert talk("consolidate", "--due", "--json").json is None
    assert len(speaker.asked) == asked


def test_everyone_whose_conversations_wait_is_read(talk: Run, speaker: Speaker) -> None:
    said = turns("I live in Oslo.", conversation="theirs")
    for whose in (("--profile", "coder"), ("--person", "anna")):
        assert talk(*whose, "observe", stdin=said).code == 0
    told = talk("consolidate")
    assert "Conversations of profile:coder, user:anna wait too" in told.err
    assert contents(talk, "--profile", "coder") == contents(talk)
    found = talk("consolidate", "--everyone", "--json").json
    assert [(each["scope"], each["counts"]) for each in found] == [
        ("user", {}),
        ("profile:coder", {"add": 1}),
        ("user:anna", {"add": 1}),
    ]
    assert talk("consolidate", "--everyone", "--due").out == "No pass is due.\n"
    assert contents(talk, "--person", "anna") == ["User lives in Oslo"]


def test_what_failed_too_often_is_tried_again_when_told(talk: Run, speaker: Speaker) -> None:
    speaker.reply = lambda asked: Said("no")
    for _ in range(4):
        talk("consolidate")
    asked = len(speaker.asked)
    speaker.reply = by_mind
    talk("consolidate")
    assert len(speaker.asked) == asked
    assert contents(talk) == []
    talk("consolidate", "--again")
    assert "User lives in Oslo" in contents(talk)


def test_another_model_tries_again_what_one_could_not(talk: Run, speaker: Speaker) -> None:
    speaker.reply = lambda asked: Said("no")
    for _ in range(4):
        talk("consolidate")
    speaker.reply = by_mind
    talk("consolidate", "--model", "pear")
    assert "User lives in Oslo" in contents(talk)


def test_a_budget_ends_a_pass_well(
    talk: Run, speaker: Speaker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_PASS_TOKENS", "10")
    done = talk("consolidate")
    assert (done.code, done.err) == (0, "")
    assert "It stopped before all was read: " in done.out
    assert "pass_tokens = 10" in done.out
    assert "pass_tokens = 10" in talk("passes").out
    assert speaker.asked == []


def test_prices_make_a_cost(talk: Run, speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_LANGUAGE_PRICE_IN", "1000")
    assert re.search(r", cost \d+\.\d{4}\.$", talk("consolidate", "--estimate").out, re.M)
    assert re.search(r", cost \d+\.\d{4}\.$", talk("consolidate").out, re.M)
    assert talk("passes", "--json").json[0]["cost"] > 0


def test_an_endpoint_that_is_away_is_a_failure(
    talk: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMORANDA_LANGUAGE_MODEL", "plum")
    monkeypatch.setenv("MEMORANDA_LANGUAGE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("MEMORANDA_LANGUAGE_TIMEOUT", "1")
    failed = talk("consolidate")
    assert failed.code == 1
    assert failed.err.startswith("memoranda: the pass failed: ")
    assert failed.err.count("\n") == 1
    assert talk("consolidate", "--json").json["failed"]
    assert "failed: " in talk("passes").out
    assert talk("status", "--json").json["backlog"]["turns"] == 3


def test_two_at_once_are_one_too_many(talk: Run, speaker: Speaker, tmp_path: Path) -> None:
    thinking, enough = Event(), Event()

    def slow(asked: Ask) -> Reply:
        thinking.set()
        enough.wait(60)
        return by_mind(asked)

    speaker.reply = slow
    process = memoranda_process(tmp_path / "cli-home", "consolidate", "--json")
    assert thinking.wait(60)
    busy = talk("consolidate")
    assert (busy.code, busy.err.count("\n")) == (1, 1)
    assert "another pass of consolidation is running" in busy.err
    enough.set()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert json.loads(out)["counts"] == {"add": 2}


@pytest.mark.parametrize("dry_run", [False, True])
def test_ctrl_c_says_that_it_goes_on(
    talk: Run, speaker: Speaker, tmp_path: Path, dry_run: bool
) -> None:
    thinking = Event()

    def never(asked: Ask) -> Reply:
        thinking.set()
        return Sent(200, delay=30)

    speaker.reply = never
    words = ["consolidate", *(["--dry-run"] if dry_run else [])]
    process = memoranda_process(tmp_path / "cli-home", *words)
    assert thinking.wait(60)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    said = "nothing was changed" if dry_run else "run it again, and it goes on where it was"
    assert err.decode() == f"memoranda: stopped; {said}\n"
    speaker.reply = by_mind
    assert talk("consolidate", "--json").json["counts"] == {"add": 2}
    assert len(talk("passes", "--json").json) == 1 + dry_run


# passes, undo, replay -----------------------------------------------------------------------------


def test_passes_are_listed_and_shown(talk: Run, speaker: Speaker) -> None:
    id = changed(talk).json["id"]
    listed = talk("passes").out
    assert "1 delete, 1 update" in listed
    assert "2 add" in listed
    page = talk("passes", "-n", "1")
    assert id in page.out
    assert page.err == f"There may be more: --before {id}\n"
    older = talk("passes", "--before", id, "--json").json
    assert [each["counts"] for each in older] == [{"add": 2}]
    shown = talk("passes", id[:20])
    assert "~ User lives in Oslo" in shown.out
    assert "plum@" in shown.out
    assert len(talk("passes", id, "--json").json["decisions"]) == 2
    assert talk("passes", "0000").code == 3


def test_undo_tells_what_is_as_before_and_what_is_not(talk: Run, speaker: Speaker) -> None:
    id = changed(talk).json["id"]
    undone = talk("undo", id)
    assert undone.out == (
        "Undone: 1 memory removed, 2 as before.\n"
        "2 turns are unread again: the next pass reads what this one had read.\n"
    )
    assert contents(talk) == ["User drinks tea every morning", "User lives in Oslo"]
    again = talk("undo", id)
    assert (again.code, again.err.count("\n")) == (1, 1)
    assert "undone" in talk("passes").out
    assert talk("undo", "0000").code == 3


def test_undo_leaves_what_somebody_changed_and_can_keep_turns_read(
    talk: Run, speaker: Speaker
) -> None:
    done = talk("consolidate", "--json").json
    tea = next(each for each in done["decisions"] if "tea" in each["candidate"]["content"])
    assert talk("pin", tea["memory"]).code == 0
    undone = talk("undo", done["id"], "--keep-read")
    assert undone.out == (
        "Undone: 1 memory removed, 0 as before.\n"
        f"Left as it is: {tea['memory']}, changed since.\n"
        "Its turns stay read.\n"
    )
    assert talk("status", "--json").json["backlog"]["turns"] == 0


def test_a_replay_shows_what_differs(talk: Run, speaker: Speaker) -> None:
    id = changed(talk).json["id"]
    same = talk("replay", id)
    assert same.out.startswith("2 the same, 0 different, 0 more.\n")
    other = Mind(choose, lambda _: verdict("ADD"))
    speaker.reply = lambda asked: Said(other.answer_to(asked))
    before = talk("list", "--json").json
    differs = talk("replay", id, "--model", "pear")
    assert differs.code == 0
    assert "User lives in Bergen now" in differs.out
    assert "0 the same, 2 different, 0 more." in differs.out
    assert "Asked pear@" in differs.out
    assert len(talk("replay", id, "--json").json["compared"]) == 2
    assert talk("list", "--json").json == before
    refused = talk("replay", id, "--model", "rules")
    assert (refused.code, refused.err.count("\n")) == (1, 1)


# ledger -------------------------------------------------------------------------------------------


def test_the_ledger_shows_the_grounds(talk: Run, speaker: Speaker) -> None:
    id = changed(talk).json["id"]
    shown = talk("ledger", "--pass", id)
    assert "near “User lives in Oslo”: distance 0." in shown.out
    assert re.search(r"#1, .*, superseded|#1, fact, current", shown.out)
    assert "as the test says" in shown.out
    page = talk("ledger", "-n", "1", "--json")
    assert [each["operation"] for each in page.json] == ["add"]
    assert page.err.startswith("There may be more: --after ")
    rest = talk("ledger", "--after", page.json[0]["id"], "--json").json
    assert [each["operation"] for each in rest] == ["add", "update", "delete"]
    assert talk("ledger", "--stage", "review", "--stage", "set aside", "--json").json == []
    assert talk("ledger", "--stage", "nonsense").code == 2


def test_the_ledger_is_exported_whole(talk: Run, speaker: Speaker, tmp_path: Path) -> None:
    changed(talk)
    file = tmp_path / "ledger.jsonl"
    done = talk("ledger", "--export", str(file))
    assert re.match(r"Written to .*: 2 passes, \d+ calls, 4 decisions\.\n", done.out)
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    by_type: dict[str, list[dict[str, Any]]] = {"pass": [], "call": [], "decision": []}
    for line in lines:
        by_type[line.pop("type")].append(line)
    assert by_type["decision"] == talk("ledger", "--json").json
    assert {each["of"] for each in by_type["call"]} == {each["id"] for each in by_type["pass"]}
    bodies = [attempt["body"] for call in by_type["call"] for attempt in call["attempts"]]
    assert len(bodies) == len(speaker.asked)
    assert all(body.startswith("{") for body in bodies)
    if os.name == "posix":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    piped = talk("ledger", "--export", "-")
    assert piped.out == file.read_text(encoding="utf-8")
    id = by_type["pass"][0]["id"]
    one = talk("ledger", "--pass", id, "--stage", "applied", "--export", "-").out.splitlines()
    assert {json.loads(line).get("operation") for line in one} == {"update", "delete", None}
    assert talk("ledger", "--export", str(file), "--json").json["decision"] == 4


def test_what_is_for_a_project_that_is_not_open_is_told(home_run: Run) -> None:  # noqa: F811
    run = home_run  # noqa: F811
    run("enable")
    said = turns("We decided on Postgres because we need JSONB.")
    assert run("--project", "site", "observe", stdin=said).code == 0
    id = run("consolidate", "--model", "rules", "--json").json["id"]
    told = "1 decision is for a project that is not open here; --project opens it.\n"
    assert run("passes", id).err == told
    assert run("ledger", "--export", "-").err == f"Written: 1 pass, 0 calls, 0 decisions.\n{told}"
    opened = run("--project", "site", "ledger", "--export", "-")
    assert opened.err == "Written: 1 pass, 0 calls, 1 decision.\n"
    assert run("--project", "site", "passes", id).err == ""


def test_the_distances_are_told_by_operation(talk: Run, speaker: Speaker) -> None:
    changed(talk)
    rows = {each["operation"]: each for each in talk("ledger", "--distances", "--json").json}
    assert set(rows) == {"add", "update", "delete"}
    assert 0 < rows["update"]["quantiles"][0] < 1
    assert "update" in talk("ledger", "--distances").out


@pytest.mark.parametrize(
    "words",
    [
        ("--distances", "--export", "-"),
        ("--export", "-", "--after", "x"),
        ("--export", "-", "--json"),
    ],
)
def test_options_of_the_ledger_that_cannot_all_be_meant(home_run: Run, words: list[str]) -> None:  # noqa: F811
    assert home_run("ledger", *words).code == 2


# status -------------------------------------------------------------------------------------------


def test_status_tells_what_waits(talk: Run, speaker: Speaker) -> None:
    before = talk("status").out
    assert "3 turns that no model has read" in before
    assert re.search(r"last pass that went well +none yet", before)
    talk("consolidate", "--review")
    after = talk("status")
    assert "2 candidates, see `memoranda review`" in after.out
    assert re.search(r"to be consolidated +nothing", after.out)
    found = talk("status", "--json").json
    assert found["backlog"]["review"] == 2
    assert found["warnings"] == []
    assert found["language"].startswith("plum@")


def test_status_warns(talk: Run, speaker: Speaker, monkeypatch: pytest.MonkeyPatch) -> None:
    many = Mind(lambda sentence: [entry(sentence.replace("I own", "User owns").rstrip("."))])
    speaker.reply = lambda asked: Said(many.answer_to(asked))
    for day in (3, 4, 5):
        said = [f"I own {day}{number} plum trees." for number in range(10)]
        observed(talk, *said, day=day)
        assert talk("consolidate").code == 0
    assert "did nothing but add" in talk("status").out
    assert talk("status", "--json").json["warnings"]
