"""Several people and profiles in one home: who sees what, who decides, what project is active."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import memoranda
from memoranda import InvalidInput, Memoranda, NotFound, Scope, ScopeClosed, Status
from memoranda.files import git
from memoranda.people import Part, Project
from memoranda.policy.access import Access
from memoranda.testing import MARCH
from tests.consolidating import MONDAY, SITE, Clock, later, opened, said

CODER = Scope("profile", "coder")


@pytest.fixture
def site(home: Path) -> Path:
    with memoranda.open(home) as m:
        m.add_project("site")
        m.assign("site", "lead", "lead")
        m.assign("site", "coder", "worker")
        m.assign("site", "viewer", Part.READER)
    return home


def at(home: Path, profile: str | None) -> Memoranda:
    return memoranda.open(home, profile=profile, project="site")


# People -------------------------------------------------------------------------------------------


def test_who_speaks_is_told_by_their_channel(home: Path) -> None:
    with memoranda.open(home) as m:
        m.add_channel("telegram:12", "anna")
        m.add_channel("mail:me@example.org", None)
        m.remember("User is called Liam")
    with memoranda.open(home, channel="telegram:12") as m:
        assert m.access.visible == (Scope("user", "anna"),)
        m.remember("User is called Anna")
    with memoranda.open(home, channel="mail:me@example.org") as m:
        assert [each.content for each in m.list()] == ["User is called Liam"]
        assert [(each.name, each.channels) for each in m.people()] == [
            (None, ("mail:me@example.org",)),
            ("anna", ("telegram:12",)),
        ]
        m.drop_channel("telegram:12")
        with pytest.raises(NotFound):
            m.drop_channel("telegram:12")


def test_an_unknown_speaker_sees_and_leaves_nothing(home: Path) -> None:
    with memoranda.open(home) as m:
        m.remember("User is called Liam")
    with memoranda.open(home, channel="telegram:13", profile="butler") as m:
        assert m.access.visible == ()
        assert m.list() == ()
        assert m.recall("what is the user called?", conversation="c").hits == ()
        assert m.context("what is the user called?", conversation="c").text == ""
        assert m.verify("User is called Liam").citations == ()
        for act in (
            lambda: m.remember("User is called Eve"),
            lambda: m.observe(said("I am Eve.", at=MONDAY)),
            lambda: m.consolidate(),
            lambda: m.people(),
        ):
            with pytest.raises(ScopeClosed):
                act()
    with pytest.raises(InvalidInput, match="not both"):
        memoranda.open(home, channel="telegram:12", person="anna")


def test_other_people_do_not_see_what_an_agent_has_from_the_owner(home: Path) -> None:
    with memoranda.open(home, profile="butler") as m:
        m.remember("The safe code is kept in the cellar")
    with memoranda.open(home, profile="butler", person="anna") as m:
        assert m.list() == ()
        assert m.remember("User likes tea").scope == Scope("user", "anna")
    with memoranda.open(home, profile="butler") as m:
        assert "tea" not in " ".join(each.content for each in m.list())


def test_only_the_owner_says_who_is_who(site: Path) -> None:
    with memoranda.open(site, person="anna") as anna, at(site, "coder") as coder:
        for m in (anna, coder):
            for verb, *arguments in (
                (m.add_project, "other"),
                (m.drop_project, "site"),
                (m.assign, "site", "coder", "lead"),
                (m.people,),
                (m.add_channel, "telegram:1", "anna"),
                (m.drop_channel, "telegram:1"),
            ):
                with pytest.raises(ScopeClosed, match="only the owner"):
                    verb(*arguments)
        assert anna.projects() == ()
        assert [each.name for each in coder.projects()] == ["site"]


def test_with_a_person_or_a_profile_goes_their_place_in_the_register(site: Path) -> None:
    with memoranda.open(site) as m:
        m.add_channel("telegram:12", "anna")
        m.forget(person="anna")
        assert m.people() == ()
        m.forget(profile="coder")
        assert set(m.projects()[0].parts) == {"lead", "viewer"}
        m.forget(project="site")
        assert m.projects() == ()


# Parts --------------------------------------------------------------------------------------------


def test_without_a_part_nobody_opens_a_project(site: Path) -> None:
    with pytest.raises(ScopeClosed, match="project part site butler worker"):
        at(site, "butler")
    with memoranda.open(site, profile="butler", project="elsewhere") as m:
        assert m.access.part == Part.LEAD
    with memoranda.open(site) as m:
        assert m.assign("site", "lead", None).parts == {
            "coder": Part.WORKER,
            "lead": Part.NONE,
            "viewer": Part.READER,
        }


def test_a_worker_proposes_and_a_lead_decides(site: Path) -> None:
    with at(site, "coder") as m:
        proposed = m.remember("We chose JWT over cookies", kind="decision", scope=SITE)
        assert proposed.status == Status.CANDIDATE
        assert (proposed.sources[0].kind, proposed.sources[0].by) == ("agent", "coder")
        mine = m.remember("The tests take a minute")
        assert (mine.scope, mine.status) == (CODER, Status.CURRENT)
    with at(site, "lead") as m:
        counting = m.remember("Deploys go out on Tuesdays", kind="decision", scope=SITE)
        assert counting.status == Status.CURRENT
        (item,) = (each for each in m.review().items if each.concern == "proposed")
        assert item.memories == (m.show(proposed.id),)
        m.decide(item.key, "confirm")
        assert m.show(proposed.id).status == Status.CURRENT  # type: ignore[union-attr]
    with at(site, "coder") as m:
        before = m.list()
        for act in (
            lambda: m.revise(counting.id, "Deploys go out on Mondays"),
            lambda: m.retire(counting.id),
            lambda: m.pin(counting.id),
            lambda: m.confirm(counting.id),
            lambda: m.merge_topics("a", "b"),
        ):
            with pytest.raises((ScopeClosed, NotFound)):
                act()
        with pytest.raises(NotFound):
            m.forget(counting.id)
        assert m.remember("Deploys go out on Tuesdays", kind="decision", scope=SITE) == counting
        assert m.list() == before


def test_a_reader_reads(site: Path) -> None:
    with at(site, "lead") as m:
        m.remember("Deploys go out on Tuesdays", kind="decision", scope=SITE)
    with at(site, "viewer") as m:
        assert [each.content for each in m.list()] == ["Deploys go out on Tuesdays"]
        with pytest.raises(ScopeClosed, match="reader"):
            m.remember("Deploys go out on Mondays", scope=SITE)


def test_what_a_worker_heard_is_proposed_to_the_project(home: Path) -> None:
    access = Access(profile=CODER, project=SITE, part=Part.WORKER)
    with opened(home, access=access, clock=Clock(MONDAY)) as m:
        m.observe(said("We decided to use JWT instead of session cookies.", at=MONDAY))
        later(m)
        m.consolidate(model="rules")
        (decision,) = m.ledger()
        assert (decision.scope, decision.stage) == (SITE, "review")
        assert [each for each in m.list() if each.scope == SITE] == []
        with pytest.raises(NotFound):
            m.accept(decision.id)
    with opened(home, access=Access(project=SITE)) as m:
        m.accept(decision.id)
        assert [each.scope for each in m.list()] == [SITE]


def test_no_profile_erases_sweeps_or_learns_what_is_not_its_own(site: Path) -> None:
    with memoranda.open(site) as m:
        m.remember("The safe is in the cellar")
        m.observe(said("We moved to Ghent.", at=MONDAY))
    with memoranda.open(site, person="anna") as m:
        m.remember("User likes tea")
        with pytest.raises(ScopeClosed, match="capture"):
            m.disable()
    with memoranda.open(site, channel="telegram:77") as m, pytest.raises(ScopeClosed):
        m.disable()
    with at(site, "coder") as worker, memoranda.open(site, profile="zed") as stranger:
        for m in (worker, stranger):
            with pytest.raises(ScopeClosed, match="only the owner"):
                m.forget(everything=True)
            for named in ({"person": "anna"}, {"profile": "lead"}, {"project": "site"}):
                with pytest.raises(ScopeClosed):
                    m.forget(**named, dry_run=True)  # type: ignore[arg-type]
            with pytest.raises(ScopeClosed):
                m.sweep(everyone=True, dry_run=True)
            with pytest.raises(ScopeClosed):
                m.waiting()


def test_the_parts_are_those_of_the_owners_agents(site: Path) -> None:
    with pytest.raises(ScopeClosed, match="no part"):
        memoranda.open(site, person="anna", project="site")
    with memoranda.open(site) as m:
        for profile in ("lead", "coder", "viewer"):
            m.assign("site", profile, None)
        assert m.projects()[0].part_of("coder") is None
        m.drop_project("site")
    for profile in ("lead", "butler"):
        with pytest.raises(ScopeClosed, match="no part"):
            at(site, profile)


def test_a_part_that_is_taken_away_ends_within_a_second(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.verbs.session.PARTS_AFTER", -1.0)
    with at(site, "lead") as lead:
        lead.remember("Deploys go out on Tuesdays", kind="decision", scope=SITE)
        with memoranda.open(site) as owner:
            owner.assign("site", "lead", "reader")
            with pytest.raises(ScopeClosed, match="reader"):
                lead.remember("Deploys go out on Mondays", scope=SITE)
            owner.assign("site", "lead", None)
            with pytest.raises(ScopeClosed, match="no part"):
                lead.list()
            owner.assign("site", "lead", "lead")
            assert lead.list()


def test_what_a_worker_proposes_is_in_no_dispute(site: Path) -> None:
    with at(site, "lead") as m:
        m.remember("We use Postgres 15 in production", kind="decision", scope=SITE)
    with at(site, "coder") as m:
        m.remember("We use Postgres 17 in production", kind="decision", scope=SITE)
    with at(site, "lead") as m:
        assert "Postgres 15" in m.context().text
        assert "Postgres 17" not in m.context().text


def test_no_identity_is_two_people(home: Path) -> None:
    with memoranda.open(home) as m:
        m.add_channel("telegram:12", "anna")
        m.add_channel("telegram:12", "anna")
        with pytest.raises(InvalidInput, match="is anna"):
            m.add_channel("telegram:12", "bob")


def test_a_vault_is_of_one_project_and_never_the_home(home: Path, tmp_path: Path) -> None:
    (tmp_path / "code" / "deep").mkdir(parents=True)
    with memoranda.open(home) as m:
        m.add_project("site", vault=tmp_path / "code")
        m.add_project("site", vault=tmp_path / "code")
        for place in (tmp_path / "code", tmp_path / "code" / "deep", home, tmp_path):
            with pytest.raises(InvalidInput, match="take another"):
                m.add_project("shop", vault=place)


def test_a_worker_on_a_task_sees_the_project_alone(site: Path) -> None:
    with memoranda.open(site, profile="coder") as m:
        m.remember("The tests take a minute")
        m.remember("User is called Liam", scope="user")
    with at(site, "lead") as m:
        m.remember("Deploys go out on Tuesdays", kind="decision", scope=SITE)
        m.add_task("Log in", "without a password", profile="coder")
        m.add_task("Pay", "by card", profile="viewer")
    with memoranda.open(site, profile="coder", project="site", task="T001") as m:
        assert [each.content for each in m.list()] == ["Deploys go out on Tuesdays"]
        assert m.remember("We chose JWT over cookies").scope == SITE
    with pytest.raises(InvalidInput, match="task"):
        memoranda.open(site, task="T001")
    with pytest.raises(NotFound):
        memoranda.open(site, profile="coder", project="site", task="T999")
    with pytest.raises(ScopeClosed, match="is for viewer"):
        memoranda.open(site, profile="coder", project="site", task="T002")


def test_what_is_solved_is_no_memory_of_a_project(site: Path) -> None:
    for profile in (None, "lead", "coder"):
        with at(site, profile) as m, pytest.raises(InvalidInput, match="line for a report"):
            m.remember("The login bug is fixed", scope=SITE)
    with memoranda.open(site) as m:
        assert m.remember("The login bug is fixed").scope == Scope("user")


# Which project is active --------------------------------------------------------------------------


def test_a_project_is_active_where_one_works_on_it(home: Path, tmp_path: Path) -> None:
    code = tmp_path / "code"
    (code / "src" / "deep").mkdir(parents=True)
    with memoranda.open(home) as m:
        m.add_project("site", code)
        m.add_project("deep", code / "src" / "deep")
        with pytest.raises(InvalidInput, match="is that of the project site"):
            m.add_project("other", code)
        with pytest.raises(InvalidInput, match="no folder"):
            m.add_project("other", code / "nowhere")
    for folder, active in (
        (code, "site"),
        (code / "src", "site"),
        (code / "src" / "deep", "deep"),
        (tmp_path, None),
    ):
        with memoranda.open(home, within=folder) as m:
            assert (m.access.project and m.access.project.name) == active
    with memoranda.open(home, within=code, project="other") as m:
        assert m.access.project == Scope("project", "other")
    with memoranda.open(home) as m:
        m.assign("site", "lead", "lead")
    with memoranda.open(home, within=code, profile="butler") as m:
        assert m.access.project is None, "it has no part in it"


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git")
def test_in_a_worktree_the_same_project_is_active(home: Path, tmp_path: Path) -> None:
    def run(*words: str, within: Path) -> None:
        subprocess.run(
            ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", *words],
            cwd=within, check=True, capture_output=True,
        )  # fmt: skip

    code, tree = tmp_path / "code", tmp_path / "elsewhere" / "tree"
    code.mkdir()
    run("init", within=code)
    (code / "src").mkdir()
    (code / "src" / "a").write_text("a")
    run("add", ".", within=code)
    run("commit", "-m", "a", within=code)
    tree.parent.mkdir()
    run("worktree", "add", str(tree), within=code)
    with memoranda.open(home) as m:
        m.add_project("site", tree / "src")
        assert m.projects()[0].root == str((code / "src").resolve())
    for folder in (code / "src", tree / "src"):
        with memoranda.open(home, within=folder) as m:
            assert m.access.project == SITE
    with memoranda.open(home, within=tree) as m:
        assert m.access.project is None


def test_odd_links_of_git_are_no_error(tmp_path: Path) -> None:
    for content in (b"", b"gitdir: nowhere", b"\xff\xfe", b"gitdir: ."):
        (tmp_path / ".git").write_bytes(content)
        assert git.canonical(tmp_path) == tmp_path.resolve()
        assert git.project_at(tmp_path, [Project("a", str(tmp_path))]) is not None


def test_its_files_may_be_with_its_code(home: Path, tmp_path: Path) -> None:
    vault = tmp_path / "code" / "notes"
    vault.mkdir(parents=True)
    with memoranda.open(home) as m:
        m.add_project("site", vault.parent, vault=vault)
    with memoranda.open(home, within=vault) as m:
        m.remember("The site is built with Hugo", kind="decision", scope=SITE)
    assert "Hugo" in (vault / "MEMORY.md").read_text()
    assert not (home / "projects").exists()
    (vault / "MEMORY.md").write_text(
        (vault / "MEMORY.md").read_text().replace("Hugo", "Zola"), encoding="utf-8"
    )
    with memoranda.open(home, within=vault) as m:
        m.sync()
        assert [each.content for each in m.list()] == ["The site is built with Zola"]
        m.forget(project="site")
    assert not (vault / "MEMORY.md").exists() or "Zola" not in (vault / "MEMORY.md").read_text()


def test_a_scheduled_turn_is_nobodys_statement(home: Path) -> None:
    with opened(home, clock=Clock(MONDAY)) as m:
        m.observe(said("I prefer Ruff for linting.", at=MARCH), scheduled=True)
        later(m)
        m.consolidate(model="rules")
        assert m.ledger() == ()
        assert "user" not in {each.source.role for each in m.recall("Ruff for linting").hits}
