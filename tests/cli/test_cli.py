"""The command line, as a person and as a program use it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import memoranda
from memoranda.interfaces.cli import main
from tests.foreign import Transcript, hermes, text

SAMPLE = Path(__file__).parents[2] / "demo" / "homelab.jsonl"


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Input(io.TextIOWrapper):
    """Standard input, which a test may call a terminal."""


Run = Callable[..., Outcome]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in a home of its own."""
    monkeypatch.setenv("MEMORANDA_HOME", str(tmp_path / "cli-home"))

    def run(*words: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["memoranda", *words])
        monkeypatch.setattr(sys, "stdin", Input(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as exit:
            code = int(exit.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


@pytest.fixture
def home_run(run: Run) -> Run:
    assert run("init").code == 0
    return run


def test_without_a_home_every_command_says_what_to_do(run: Run) -> None:
    for command in (["status"], ["recall", "x"], ["remember", "x"], ["list"], ["observe"]):
        done = run(*command)
        assert done.code == 1
        assert done.out == ""
        assert done.err.count("\n") == 1
        assert "memoranda init" in done.err


def test_init_and_the_switch(run: Run) -> None:
    assert "Capture is off" in run("init").out
    again = run("init")
    assert (again.code, "is a home already" in again.err) == (1, True)
    turn = b'{"conversation": "c", "role": "user", "content": "the plum"}\n'
    off = run("observe", "-", stdin=turn)
    assert (off.code, off.err.count("\n")) == (1, 1)
    assert "memoranda enable" in off.err
    assert run("enable").code == 0
    assert run("observe", stdin=turn).out == "1 turn stored, 0 known before.\n"
    assert run("disable").code == 0
    status = run("status", "--json").json
    assert status["capturing_since"] is None
    assert status["holdings"]["turns"] == 1
    assert status["hosts"] == []


def test_init_can_enable_and_answers_in_json(run: Run) -> None:
    assert run("--json", "init", "--enable").json["capture"] is True
    assert "on since" in run("status").out


def test_a_memory_goes_through_its_life(home_run: Run) -> None:
    run = home_run
    remembered = run(
        "remember", "The port is 9077", "--kind", "environment", "--topic", "site",
        "--about", "web-01", "--detail", "behind Caddy", "--pin", "--json",
    )  # fmt: skip
    id = remembered.json["id"]
    assert remembered.json["entities"] == ["web-01"]
    assert "confirmed" in run("remember", "the port is 9077", "--kind", "environment").out
    shown = run("show", id[:20])
    assert all(word in shown.out for word in ("behind Caddy", "pinned", "web-01", "by hand (cli)"))
    new = run("revise", id, "The port is 9078", "--reason", "moved", "--json").json["id"]
    assert "superseded by" in run("show", id).out
    assert run("confirm", new).code == 0
    assert run("pin", new, "--off").code == 0
    assert [each["id"] for each in run("list", "--json").json] == [new]
    assert [e["id"] for e in run("list", "--status", "superseded", "--json").json] == [id]
    assert len(run("history", new, "--json").json) == 6
    assert "moved" in run("history", id).out
    assert run("forget", new, id, "--yes").out.startswith("Forgotten: ")
    gone = run("show", new)
    assert (gone.code, gone.err.count("\n")) == (3, 1)
    assert run("list", "--json").json == []


def test_scopes_on_the_command_line(home_run: Run) -> None:
    run = home_run
    run("remember", "plum of the site", "--scope", "project:site")
    run("remember", "plum of anna", "--scope", "user:anna")
    run("remember", "plum of the coder", "--profile", "coder")
    run("remember", "plum of the owner")

    def found(*words: str) -> list[str]:
        hits = run("recall", "plum", "--json", *words).json["hits"]
        return sorted(hit["scope"] for hit in hits)

    assert found() == ["user"]
    assert found("--project", "site") == ["project:site", "user"]
    assert found("--profile", "coder", "--project", "site") == [
        "profile:coder", "project:site", "user",
    ]  # fmt: skip
    assert found("--person", "anna") == ["user:anna"]
    assert found("--person", "mallory") == []
    wrong = run("remember", "x", "--scope", "team:x")
    assert (wrong.code, "is no scope" in wrong.err) == (1, True)


def test_recall_answers_with_the_documented_document(home_run: Run) -> None:
    run = home_run
    run("import", str(SAMPLE))
    run("remember", "Portal releases go out on Tuesdays and Thursdays", "--kind", "decision")
    answer = run("recall", "when do we release the portal?", "-k", "3", "--json").json
    assert set(answer) == {"hits", "tokens", "degraded"}
    memory, turn = answer["hits"][:2]
    fields = {
        "id", "type", "kind", "content", "scope", "score", "lists", "status", "superseded_by",
        "confidence", "recorded_at", "valid_from", "valid_to", "source",
    }  # fmt: skip
    assert fields <= set(memory)
    assert fields <= set(turn)
    assert (memory["type"], memory["lists"]) == ("memory", {"lexical": 1, "dense": 1})
    assert turn["source"]["conversation"] == "portal-release"
    explained = run("recall", "portal", "--explain", "--json").json
    assert explained["explanation"]["words"] == ["portal"]
    assert "looked up" in run("recall", "portal", "--explain").out
    assert "(dense" in run("recall", "portal", "--explain", "--no-rerank").out
    reranked = run("recall", "portal", "--rerank", "--explain", "--json").json
    assert all("rerank" in hit["scores"] for hit in reranked["hits"])


def test_nothing_found_is_3_and_still_json(home_run: Run) -> None:
    nothing = home_run("recall", "zirconium", "--json")
    assert (nothing.code, nothing.json["hits"]) == (3, [])
    assert nothing.err == "Nothing is known about that.\n"


def test_verify_cites_or_abstains(home_run: Run) -> None:
    old = home_run("remember", "The VPS has 2 GB of RAM", "--json").json["id"]
    home_run("revise", old, "The VPS has 4 GB of RAM")
    supported = home_run("verify", "the VPS has 4 GB of RAM")
    assert supported.code == 0
    assert supported.out.startswith("Supported.\n1. “The VPS has 4 GB of RAM”\n   supports: ")
    contradicted = home_run("verify", "-", stdin=b"the VPS has 2 GB of RAM")
    assert contradicted.code == 0
    assert contradicted.out.startswith("Contradicted: “The VPS has 4 GB of RAM” holds since ")
    unknown = home_run("verify", "the NAS has 2 GB of RAM")
    assert (unknown.code, unknown.out) == (3, "")
    assert "I can find no record of that." in unknown.err
    told = home_run("verify", "the VPS has 2 GB of RAM", "--json").json
    assert set(told) == {"status", "citations", "holds", "since", "degraded"}
    assert (told["status"], told["holds"]["content"]) == ("contradicted", "The VPS has 4 GB of RAM")
    assert {each["id"] for each in told["citations"]} == {told["holds"]["id"], old}
    none = home_run("verify", "the NAS has 2 GB of RAM", "--json")
    assert (none.code, none.json["status"], none.json["citations"]) == (3, "no_record", [])


def test_recall_through_time(home_run: Run) -> None:
    run = home_run
    id = run("remember", "Anna lives in Oslo", "--valid-from", "2025-01-01", "--json").json["id"]
    run("revise", id, "Anna lives in Bergen", "--valid-from", "2025-06-01")
    assert "Oslo" in run("recall", "Anna", "--as-of", "2025-03-01").out
    assert "Bergen" in run("recall", "Anna", "--as-of", "2025-07-01").out
    assert run("recall", "Anna", "--known", "2025-07-01").code == 3
    assert run("recall", "Anna", "--since", "2025-12-01").code == 3
    bad = run("recall", "Anna", "--as-of", "once")
    assert (bad.code, "is no date" in bad.err) == (1, True)


def test_wrong_use_is_2(home_run: Run) -> None:
    for words in (
        ["recall"],
        ["bogus"],
        ["recall", "x", "-k", "0"],
        ["recall", "x", "--kind", "no"],
    ):
        done = home_run(*words)
        assert (done.code, done.err.count("\n")) == (2, 1), done.err
        assert "--help`" in done.err
    for words in (
        ["recall", "x", "--no-memories", "--no-turns"],
        ["recall", "x", "--no-memories", "--kind", "fact"],
        ["recall", "x", "-k", "99999999999999999999999"],
        ["import", str(SAMPLE), "--format", "xx"],
        ["bench", "latency", "--n", ""],
        ["--json"],
    ):
        done = home_run(*words)
        assert done.code == 2, words
        assert done.err.count("\n") == (words != ["--json"]), words


def test_the_home_that_is_named_goes_before_the_environment(home_run: Run, tmp_path: Path) -> None:
    run = home_run
    other = str(tmp_path / "other")
    run("init", "--home", other)
    run("--home", other, "remember", "plum of the other")
    run("remember", "--home", other, "plum of the other too")
    assert run("recall", "plum").code == 3
    assert len(run("--home", other, "list", "--json").json) == 2
    assert run("--home", str(tmp_path / "none"), "list").code == 1


def test_an_empty_name_is_refused(home_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (["--home", ""], ["--profile", ""], ["--project", ""], ["--person", ""]):
        refused = home_run("remember", "plum", *words)
        assert (refused.code, refused.err.count("\n")) == (1, 1), words
    monkeypatch.setenv("MEMORANDA_HOME", "")
    assert "is empty" in home_run("init").err


def test_a_name_too_long_is_told_as_what_it_is(home_run: Run) -> None:
    for words in (["import", "a" * 300], ["--home", "a" * 300, "status"]):
        refused = home_run(*words)
        assert (refused.code, refused.err.count("\n")) == (1, 1)
        assert "a" * 20 in refused.err


def test_a_wrong_setting_makes_no_home(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORANDA_RECALL_LIMIT", "x")
    assert run("init", "--enable").code == 1
    monkeypatch.delenv("MEMORANDA_RECALL_LIMIT")
    assert run("init", "--enable").code == 0


@pytest.mark.parametrize("home", ["~nosuchuser/x", "/proc", "/x/\udcff", "a\0b"])
def test_a_home_that_cannot_be_is_one_clear_line(run: Run, home: str) -> None:
    for command in (["init"], ["status"]):
        refused = run("--home", home, *command)
        assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err


def test_text_from_standard_input(home_run: Run) -> None:
    run = home_run
    done = run("remember", "-", stdin="naïve plum \udcff".encode("utf-8", "surrogateescape"))
    assert done.code == 0
    assert "cannot be stored" in done.err
    assert run("recall", "-", stdin=b"plum").code == 0


def test_an_import_tells_what_happened(home_run: Run, tmp_path: Path) -> None:
    run = home_run
    assert run("import", str(SAMPLE), "--dry-run").out.startswith("72 turns read, none stored")
    assert run("import", str(SAMPLE), "--json").json == {
        "stored": 72, "known": 0, "forgotten": 0, "incognito": 0, "differing": 0, "mended": 0,
        "redacted": [], "quarantined": [],
        "format": "turns", "read": {"user": 36, "assistant": 36}, "conversations": 11,
        "first": "2026-03-02T19:12:00+01:00", "last": "2026-03-22T19:15:00+01:00",
        "left_out": {}, "failed": 0, "unreadable": [],
    }  # fmt: skip
    assert run("import", "-", stdin=SAMPLE.read_bytes()).out == "0 turns stored, 72 known before.\n"
    changed = SAMPLE.read_bytes().replace(b"beeping", b"singing") + b'{"nonsense": 1}\n'
    broken = run("import", "-", stdin=changed)
    assert broken.code == 1
    assert broken.err.startswith("memoranda: standard input, line 73: 'conversation' is missing")
    other = run("import", "-", stdin=changed[: changed.rindex(b'{"nonsense')])
    assert "other words" in other.err
    assert run("import", str(tmp_path / "none")).code == 1
    assert run("import", str(tmp_path)).code == 1
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    Thread(target=pipe.write_bytes, args=(SAMPLE.read_bytes(),)).start()
    assert run("import", str(pipe)).out == "0 turns stored, 72 known before.\n"
    lone = b'{"conversation": "x", "role": "user", "content": "ok"}'
    assert run("import", "-", stdin=lone).out.startswith("1 turn stored")
    assert run("import", "-", stdin=lone).out.startswith("0 turns stored")


def test_an_import_of_another_program_tells_what_it_left_out(home_run: Run, tmp_path: Path) -> None:
    run = home_run
    talk = Transcript()
    talk.user("Is the plum ripe?")
    talk.assistant({"type": "thinking", "thinking": "a plum?"}, text("It is."))
    file = talk.write(tmp_path / "claude" / "projects" / "-home-liam-site" / "s.jsonl")
    dry = run("import", str(tmp_path / "claude"), "--dry-run")
    assert dry.out == (
        "2 turns read, none stored.\n"
        "1 user, 1 assistant; 1 conversation, 2026-03-01 12:00 to 2026-03-01 12:00.\n"
    )
    assert dry.err == "Left out:\n  thinking: 1\n"
    assert run("import", "-", stdin=file.read_bytes()).out.startswith("2 turns stored")
    file.write_bytes(file.read_bytes() + b'{"type": "user"')
    broken = run("import", str(file), "--format", "claude-code")
    assert (broken.code, broken.out) == (1, "0 turns stored, 2 known before.\n")
    assert f"1 record could not be read:\n  {file}, line 3: no JSON" in broken.err
    told = run("import", str(file), "--json")
    assert told.code == 1
    assert (told.json["failed"], told.json["unreadable"][0]["line"]) == (1, 3)
    assert run("import", str(tmp_path), "--format", "hermes").code == 1
    assert run("import", str(file), "--format", "chat").code == 2


def test_what_is_stored_cannot_steer_a_terminal(home_run: Run) -> None:
    run = home_run
    run("remember", "a \x1b[31mred\x1b[0m [bold]plum[/bold] \u202e and back")
    for command in (["recall", "plum"], ["list"]):
        out = run(*command).out
        assert "\x1b" not in out
        assert "\u202e" not in out
        assert "[bold]plum[/bold]" in out


def test_forgetting_asks_on_a_terminal(home_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run = home_run
    id = run("remember", "plum", "--json").json["id"]
    monkeypatch.setattr(Input, "isatty", lambda self: True)
    asked = run("forget", id, stdin=b"n\n")
    assert asked.code == 1
    assert "plum" in asked.err
    assert run("forget", id, stdin=b"y\n").code == 0


def test_forgetting_needs_a_yes_where_nobody_can_be_asked(home_run: Run) -> None:
    run = home_run
    id = run("remember", "plum", "--json").json["id"]
    refused = run("forget", id, stdin=b"")
    assert refused.code == 2
    assert "--yes" in refused.err
    assert run("show", id).code == 0
    assert run("forget", id, "--dry-run", "--json", stdin=b"").json["forgotten"] == [id]
    assert run("forget", id, "--yes", stdin=b"").out == "Forgotten: 1 memory, 0 turns.\n"


def test_forgetting_a_project_is_not_opening_it(home_run: Run) -> None:
    run = home_run
    run("remember", "plum", "--project", "site", "--scope", "project:site")
    id = run("remember", "kept", "--json").json["id"]
    assert run("forget", "--yes").code == 1
    assert "1 memory" in run("forget", "--project", "site", "--yes").out
    assert [each["id"] for each in run("list", "--project", "site", "--json").json] == [id]


def test_lists_go_on_in_pages(home_run: Run) -> None:
    run = home_run
    for number in range(3):
        run("remember", f"plum {number}")
    page = run("list", "-n", "2", "--json")
    last = page.json[-1]["id"]
    assert last in page.err
    rest = run("list", "-n", "2", "--before", last, "--json").json
    assert [each["content"] for each in rest] == ["plum 0"]


def test_the_version_and_help_need_no_home(run: Run) -> None:
    assert run("--version").out == f"memoranda {memoranda.__version__}\n"
    assert "recall" in run("--help").out
    assert "Options of every command" in run("recall", "--help").out


# As its own process


def memoranda_process(home: Path, *words: str, encoding: str = "utf-8") -> subprocess.Popen[bytes]:
    environment = {**os.environ, "MEMORANDA_HOME": str(home), "PYTHONIOENCODING": encoding}
    return subprocess.Popen(
        [sys.executable, "-m", "memoranda", *words],
        env=environment,
        # A shell that runs the tests in the background has them ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_stopping_an_import_loses_nothing_and_it_goes_on(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
    file = tmp_path / "long.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for number in range(60_000):
            turn = {"conversation": "c", "role": "user", "content": f"plum {number} of many words"}
            lines.write(json.dumps(turn) + "\n")
    process = memoranda_process(home, "import", str(file))
    with memoranda.open(home) as m:
        while m.status().holdings.turns < 1000:
            assert process.poll() is None
        process.send_signal(2)
        _, err = process.communicate(timeout=30)
        assert process.returncode == 130
        assert err.decode().count("\n") == 1
        stored = m.status().holdings.turns
        assert 1000 <= stored < 60_000
        again = m.import_(file)
        assert (again.known, again.stored) == (stored, 60_000 - stored)


@pytest.mark.parametrize(
    ("source", "stop"), [("hermes", signal.SIGKILL), ("claude-code", signal.SIGINT)]
)
def test_an_import_of_another_program_goes_on_too(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: int, source: str
) -> None:
    monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
    if source == "hermes":
        file = tmp_path / "hermes" / "state.db"
        with hermes(file) as database:
            session = database.session()
            database.db.execute("BEGIN")
            for number in range(5_000):
                database.say(session, "user", f"plum {number} of many words")
            database.db.execute("COMMIT")
    else:
        talk = Transcript()
        for number in range(5_000):
            talk.user(f"plum {number} of many words")
        file = talk.write(tmp_path / "s.jsonl")
    process = memoranda_process(home, "import", str(file))
    with memoranda.open(home) as m:
        while m.status().holdings.turns < 1000:
            assert process.poll() is None
        process.send_signal(stop)
        process.communicate(timeout=30)
        stored = m.status().holdings.turns
        assert 1000 <= stored < 5_000
        again = m.import_(file)
        assert (again.known, again.stored) == (stored, 5_000 - stored)


def test_a_reader_that_has_enough_is_no_error(home: Path) -> None:
    with memoranda.open(home) as m:
        for number in range(300):
            m.remember(f"plum {number} " + "x" * 900)
    process = memoranda_process(home, "list", "-n", "300")
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(100)
    process.stdout.close()
    err = process.stderr.read().decode()
    process.stderr.close()
    process.wait(timeout=30)
    assert "Traceback" not in err


def test_completion_is_offered(home: Path) -> None:
    asking = {"_MEMORANDA_COMPLETE": "complete_bash", "COMP_WORDS": "memoranda re"}
    environment = {**os.environ, **asking, "COMP_CWORD": "1"}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("memoranda"))],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert {"recall", "remember", "revise"} <= set(done.stdout.split())


@pytest.mark.parametrize(
    "command", ["observe <&-", "remember - <&-", "list >&-", "status >/dev/full", "list 2>&-"]
)
def test_closed_and_full_streams_are_no_traceback(home: Path, command: str) -> None:
    environment = {**os.environ, "MEMORANDA_HOME": str(home)}
    done = subprocess.run(
        f"{sys.executable} -m memoranda {command}",
        shell=True, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1)


def test_a_terminal_that_cannot_show_a_script_is_no_error(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("止損單")
    process = memoranda_process(home, "recall", "止损", encoding="latin-1")
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0
    assert err.startswith(b"Degraded: dense: all-minilm-l6-v2 does not read")
    assert out.startswith(b"1. ???")


def test_entities_are_listed_merged_and_split(home_run: Run) -> None:
    home_run("remember", "Mara looks after web-01")
    home_run("remember", "ask @mara_k about the NAS")
    listed = home_run("--json", "entities")
    assert {each["name"] for each in json.loads(listed.out)} == {"Mara", "web-01", "@mara_k", "NAS"}
    merged = home_run("merge", "Mara", "@mara_k")
    assert merged.out == "Mara is known as mara, @mara k now.\n"
    assert "person" in home_run("entities", "mara", "-n", "1").out
    assert "merged_into" in home_run("history", "mara").out
    back = home_run("split", "Mara", "@mara_k", "--alias", "@mara_k")
    assert back.out.startswith("Made @mara_k: ")
    assert home_run("merge", "Mara", "Ada").code == 3
    assert home_run("split", "Mara", "Mara", "--alias", "mara").code == 1


def test_times_are_shown_in_the_zone_of_the_settings(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_TIMEZONE", "Asia/Tokyo")
    run("init", "--enable")
    turn = {"conversation": "c", "role": "user", "content": "plum", "time": "2026-03-01T20:30:00Z"}
    run("observe", stdin=json.dumps(turn).encode())
    made = run("remember", "plums are blue", "--valid-from", "2026-03-02T05:30", "--json").json
    assert made["valid_from"] == "2026-03-01T20:30:00+00:00"
    assert "2026-03-02 05:30" in run("recall", "plum", "--no-memories").out
    assert "2026-03-02 05:30" in run("show", made["id"]).out
    assert "2026-03-02 05:30" in run("status").out
    run("revise", made["id"], "plums are green", "--valid-from", "2026-03-10T00:00")
    told = run("history", made["id"]).out
    assert "2026-03-10 00:00" in told
    assert "+00:00" not in told


def test_one_is_not_told_as_many(run: Run) -> None:
    run("init", "--enable")
    turn = b'{"conversation": "c", "role": "user", "content": "plum"}'
    assert run("observe", stdin=turn).out.startswith("1 turn stored")
    assert "1 with 1 turn," in run("status").out
    assert run("embed", "--again").out == "1 vector made.\n"
    made = run("remember", "plums are blue", "--topic", "fruit", "--json").json
    assert run("topics", "merge", "fruit", "plums").out == "Merged: 1 memory changed.\n"
    run("recall", "plums")
    assert "1 time, last" in run("show", made["id"]).out


def test_a_budget_too_small_is_told_from_nothing_known(run: Run) -> None:
    run("init")
    run("remember", "plums are blue, and so are the hills behind them")
    outcome = run("recall", "plums", "--budget", "1")
    assert (outcome.code, outcome.out) == (3, "")
    assert outcome.err == "1 hit is too long for this budget; give a larger --budget.\n"


@pytest.mark.parametrize("option", ["--topic", "--about"])
def test_a_topic_or_entity_without_a_name_is_refused(run: Run, option: str) -> None:
    run("init")
    outcome = run("remember", "plums are blue", option, "")
    assert (outcome.code, outcome.out) == (1, "")
    assert "an empty text names nothing" in outcome.err


@pytest.mark.parametrize(
    "stopped", ["memoranda.memoranda.Memoranda.recall", "memoranda.wiring.open"]
)
def test_a_stopped_question_is_only_stopped(
    home_run: Run, monkeypatch: pytest.MonkeyPatch, stopped: str
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(stopped, stop)
    outcome = home_run("recall", "plum")
    assert (outcome.code, outcome.err) == (130, "memoranda: stopped\n")


@pytest.mark.parametrize(
    ("command", "verb", "goes_on"),
    [(("topics", "merge"), "merge_topics", True), (("merge",), "merge", False)],
)
def test_only_what_is_stored_in_parts_promises_to_go_on(
    home_run: Run,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    verb: str,
    goes_on: bool,
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(f"memoranda.memoranda.Memoranda.{verb}", stop)
    outcome = home_run(*command, "one", "two")
    assert outcome.code == 130
    assert ("run the command again to go on" in outcome.err) == goes_on


def test_stopped_while_it_is_loaded(home_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stop:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "memoranda.interfaces.cli.finding":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "memoranda.interfaces.cli.finding")
    monkeypatch.delattr("memoranda.interfaces.cli.finding")
    monkeypatch.setattr(sys, "meta_path", [Stop(), *sys.meta_path])
    outcome = home_run("status")
    assert (outcome.code, outcome.err) == (130, "memoranda: stopped\n")


def test_only_the_bench_loads_what_measures() -> None:
    code = "import sys, memoranda.interfaces.cli.bench; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
