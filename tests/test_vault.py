"""The vault of a project: tasks and reports as files, by whoever may read and write them."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import InvalidInput, Memoranda, NotFound, ScopeClosed
from memoranda.files import vault
from memoranda.people import State
from memoranda.types import Scope

BODY = """## Brief
Log in without a password.

## Requirements
- Works on the phone

## Acceptance criteria
- A test logs in
"""


@pytest.fixture
def site(home: Path) -> Path:
    with memoranda.open(home) as m:
        m.add_project("site")
        for profile, part in (("boss", "lead"), ("coder", "worker"), ("tester", "worker")):
            m.assign("site", profile, part)
        m.assign("site", "viewer", "reader")
    return home


def at(home: Path, profile: str | None, task: str | None = None) -> Memoranda:
    return memoranda.open(home, profile=profile, project="site", task=task)


def test_a_lead_writes_tasks_and_workers_read_them(site: Path) -> None:
    with at(site, "boss") as m:
        first = m.add_task("Log in with passkeys", BODY, profile="coder")
        second = m.add_task("止损", "Sell at forty.")
        assert (first.id, second.id) == ("T001", "T002")
        assert first.path == str(site / "projects/site/tasks/T001-log-in-with-passkeys.md")
        assert Path(second.path).name == "T002-task.md"
        assert (first.profile, first.by, first.state) == ("coder", "boss", State.OPEN)
        assert m.set_task("1", "doing").state == State.DOING
    with at(site, "coder") as m:
        assert [each.title for each in m.vault().tasks] == ["Log in with passkeys", "止损"]
        assert m.task("t1").body == BODY.strip()
        with pytest.raises(ScopeClosed, match="only a lead"):
            m.add_task("More", "of it")
        with pytest.raises(ScopeClosed, match="only a lead"):
            m.set_task("T001", "done")
        with pytest.raises(NotFound):
            m.task("T009")


def test_workers_write_reports_and_leads_read_them(site: Path) -> None:
    with at(site, "boss") as m:
        m.add_task("Log in with passkeys", BODY)
    with at(site, "coder") as m:
        first = m.report("Found the\nbug", task="T001")
        again = m.report("Fixed it", task="1")
        other = m.report("Cleaned up the desk")
        assert (first.id, again.id, other.id) == ("R001", "R001", "R002")
        assert Path(first.path).name == "R001-coder.md"
        assert [line[20:] for line in again.body.splitlines()[2:]] == ["Found the bug", "Fixed it"]
    with at(site, "tester") as m:
        m.report("It works", task="T001")
        assert [each.by for each in m.vault().reports] == ["tester"]
        with pytest.raises(NotFound):
            m.report("No such task", task="T009")
    for reader in ("boss", "viewer", None):
        with at(site, reader) as m:
            assert [each.id for each in m.vault().reports] == ["R001", "R002", "R003"]
    with at(site, "viewer") as m, pytest.raises(ScopeClosed, match="reader"):
        m.report("Hello")


def test_who_was_made_for_a_task_reads_that_alone(site: Path) -> None:
    with at(site, "boss") as m:
        m.add_task("Log in with passkeys", BODY)
        m.add_task("Pay by card", BODY)
    with at(site, "coder", task="T002") as m:
        assert [each.id for each in m.vault().tasks] == ["T002"]
        with pytest.raises(NotFound):
            m.task("T001")
        assert m.report("Done so far").task == "T002"
        with pytest.raises(NotFound):
            m.report("Elsewhere", task="T001")
    with pytest.raises(NotFound):
        at(site, "coder", task="T007")


def test_without_a_project_there_is_none(home: Path) -> None:
    with memoranda.open(home) as m:
        for verb, *given_ in (
            (m.vault,),
            (m.task, "T001"),
            (m.add_task, "a", "b"),
            (m.set_task, "T001", "done"),
            (m.report, "a"),
        ):
            with pytest.raises(InvalidInput, match="no project is open"):
                verb(*given_)


# Editors and git ----------------------------------------------------------------------------------


def test_files_by_hand_are_read_and_what_is_none_is_told(site: Path) -> None:
    tasks = site / "projects" / "site" / "tasks"
    tasks.mkdir(parents=True)
    (tasks / "T004-by-hand.md").write_bytes("\ufeff# By hand\r\n\r\nDo it.\r\n".encode())
    (tasks / "T005-odd.md").write_text("---\nstate: perhaps\n---\nDo it.")
    (tasks / "T006-odd.md").write_text("---\nstate: [\n---\nDo it.")
    (tasks / "T007-odd.md").write_bytes(b"\xff\xfe")
    (tasks / "notes.md").write_text("mine")
    (tasks / "T008-link.md").symlink_to(site / "memoranda.toml")
    (tasks / "T009-folder.md").mkdir()
    with at(site, "boss") as m:
        found = m.vault()
        assert [(each.id, each.title, each.state) for each in found.tasks] == [
            ("T004", "By hand", State.OPEN)
        ]
        assert {Path(path).name for path, _ in found.unreadable} == {
            *("T005-odd.md", "T006-odd.md", "T007-odd.md", "notes.md"),
            *("T008-link.md", "T009-folder.md"),
        }
        assert m.add_task("Next", "of all").id == "T010"
        assert m.set_task("T004", "done").state == State.DONE
        assert m.task("T004").body == "# By hand\n\nDo it."
        (tasks / "T004-twice.md").write_text("# Twice")
        with pytest.raises(InvalidInput, match="is the number of"):
            m.task("T004")


@given(st.text(max_size=300), st.sampled_from(State))
def test_a_state_is_set_in_any_file_and_nothing_else_changes(text: str, state: State) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tasks" / "T001-a.md"
        path.parent.mkdir()
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        before = vault.read(Path(folder)).tasks
        if before:
            after = vault.set_state(Path(folder), "1", state)
            assert after.state == state
            assert after.body == before[0].body


def _write(home: str, profile: str, count: int) -> None:
    with memoranda.open(home, profile=profile, project="site") as m:
        for n in range(count):
            m.add_task(f"{profile} {n}", "of it")
            m.report(f"{profile} did {n}", task="T001")


def test_writers_at_once_take_no_number_twice_and_lose_no_line(site: Path) -> None:
    with memoranda.open(site) as m:
        m.assign("site", "coder", "lead")
        m.assign("site", "tester", "lead")
    with at(site, None) as m:
        m.add_task("first", "of all")
    spawn = multiprocessing.get_context("spawn")
    writers = [
        spawn.Process(target=_write, args=(str(site), profile, 10))
        for profile in ("boss", "coder", "tester")
    ]
    for each in writers:
        each.start()
    for each in writers:
        each.join()
        assert each.exitcode == 0
    with at(site, None) as m:
        found = m.vault()
        assert [each.id for each in found.tasks] == [f"T{n:03d}" for n in range(1, 32)]
        assert [each.id for each in found.reports] == ["R001", "R002", "R003"]
        assert all(each.body.count("\n- ") == 10 for each in found.reports)


# Forgotten ----------------------------------------------------------------------------------------


def test_with_a_project_or_a_profile_go_their_files(site: Path, tmp_path: Path) -> None:
    outside = tmp_path / "code"
    outside.mkdir()
    (outside / "tasks").mkdir()
    (outside / "tasks" / "README.md").write_text("mine")
    with memoranda.open(site) as m:
        m.add_project("shop", vault=outside)
    for project in ("site", "shop"):
        with memoranda.open(site, project=project) as m:
            m.add_task("Zanzibar", "of it")
            m.report("Zanzibar is done", task="T001")
    with at(site, "coder") as m:
        m.report("Zanzibar again", task="T001")
    with memoranda.open(site) as m:
        m.forget(profile="coder")
        assert [path.name for path in site.rglob("R*.md")] == ["R001-owner.md"]
        m.forget(project="site")
        assert not (site / "projects").exists()
        assert (outside / "reports" / "R001-owner.md").exists()
        m.forget(project="shop")
    left = [path for path in outside.rglob("*") if path.is_file()]
    assert left == [outside / "tasks" / "README.md"]
    assert Scope("project", "site").name == "site"


def test_a_merge_that_is_not_finished_is_told_and_not_written_over(site: Path) -> None:
    with at(site, "boss") as m:
        path = Path(m.add_task("Log in", "A brief.").path)
        damaged = path.read_text().replace(
            "A brief.", "<<<<<<< HEAD\nA brief.\n=======\nA long brief.\n>>>>>>> other"
        )
        path.write_text(damaged)
        assert m.vault().tasks == ()
        assert m.vault().unreadable == ((str(path), "a merge in it is not finished"),)
        with pytest.raises(NotFound, match="a merge in it is not finished"):
            m.set_task("T001", "done")
        assert path.read_text() == damaged
    with at(site, "coder") as m, pytest.raises(NotFound, match="a merge in it"):
        m.task("1")


def test_a_number_that_two_branches_gave_is_told(site: Path) -> None:
    with at(site, "tester") as m:
        first = Path(m.report("all green").path)
    second = first.with_name("R001-coder.md")
    second.write_text("---\nby: coder\nstate: [\n---\n\ncanary")
    third = first.with_name("R001-viewer.md")
    third.write_text(first.read_text().replace("tester", "viewer"))
    with at(site, "boss") as m:
        told = dict(m.vault().unreadable)
        assert "no YAML" in told[str(second)]
        assert {path for path, why in told.items() if "R001 is the number of another" in why} == {
            str(first),
            str(third),
        }
    with at(site, "tester") as m:
        assert m.vault().unreadable == ()
