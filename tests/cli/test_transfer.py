"""A whole home on the command line: out of one, into another."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import memoranda
from tests.cli.test_cli import SAMPLE, Run, memoranda_process, run

__all__ = ["run"]


@pytest.fixture
def archive(run: Run, tmp_path: Path) -> Path:
    run("init", "--enable")
    run("import", str(SAMPLE))
    run("remember", "Anna lives in Oslo")
    run("skill", "add", "tea", "--description", "Makes tea.", "-", stdin=b"Boil water.")
    path = tmp_path / "home.zip"
    done = run("export", str(path))
    assert done.code == 0, done.err
    assert done.out.startswith(f"1 memory, 72 turns and 2 files are in {path} (0.0 MB)")
    return path


def test_a_home_goes_out_and_comes_in(run: Run, archive: Path, tmp_path: Path) -> None:
    other = ("--home", str(tmp_path / "other"))
    run("init", *other)
    dry = run("import", str(archive), "--dry-run", *other)
    assert "1 memory, 72 turns and 2 files would come; 0, 0 and 0 known before." in dry.out
    done = run("import", str(archive), *other)
    assert "1 memory, 72 turns and 2 files came; 0, 0 and 0 known before." in done.out
    assert "Capture is on" in done.err
    assert "memoranda embed" in done.err
    again = run("import", "-", "--json", *other, stdin=archive.read_bytes())
    assert (again.json["files_known"], again.json["rows"]["known"]["turn"]) == (2, 72)
    assert run("list", "--json", *other).json == run("list", "--json").json
    assert "Oslo" in run("recall", "Anna", *other).out


def test_what_is_refused_is_one_line(run: Run, archive: Path, tmp_path: Path) -> None:
    taken = run("export", str(archive))
    assert (taken.code, "--force" in taken.err, taken.err.count("\n")) == (1, True, 1)
    assert run("export", str(archive), "--force", "--json").json["rows"]["turn"] == 72
    for who in (["--person", "anna"], ["--profile", "coder"]):
        refused = run("export", str(tmp_path / "x.zip"), *who)
        assert (refused.code, "only the owner" in refused.err) == (1, True)
        assert run("import", str(archive), *who).code == 1
    assert run("export", str(tmp_path / "x.zip"), "--project", "site").code == 2
    assert run("import", str(archive), "--keep-secrets").code == 2
    cut = tmp_path / "cut.zip"
    cut.write_bytes(archive.read_bytes()[: archive.stat().st_size // 2])
    told = run("import", str(cut))
    assert (told.code, told.err.count("\n")) == (1, 1)
    assert "tables/" in told.err
    assert run("import", str(SAMPLE), "--format", "home").code == 1
    assert not (tmp_path / "x.zip").exists()


@pytest.mark.slow
def test_an_export_stopped_by_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home", enable=True)
    with memoranda.open(home) as m:
        m.observe(
            [memoranda.Turn(f"c{n}", "user", f"the plum {n}") for n in range(20_000)], embed=False
        )
    out = tmp_path / "out"
    out.mkdir()
    for wait in (0.2, 0.6, 1.0, 1.4):
        child = memoranda_process(home, "export", str(out / "home.zip"))
        time.sleep(wait)
        child.send_signal(signal.SIGINT)
        child.communicate()
        left = os.listdir(out)
        assert left == (["home.zip"] if child.returncode == 0 else []), child.returncode
        (out / "home.zip").unlink(missing_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "memoranda", "--home", str(home), "export", str(out / "home.zip")],
        check=False,
        capture_output=True,
    )
    assert (done.returncode, os.listdir(out)) == (0, ["home.zip"])
