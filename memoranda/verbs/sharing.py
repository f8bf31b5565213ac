"""Who shares the home, and what agents on one project share."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import InvalidInput, NotFound, ScopeClosed
from memoranda.people import Part
from memoranda.types import Scope
from memoranda.verbs.session import Session
from memoranda.verbs.words import statement

if TYPE_CHECKING:
    from memoranda.people import Person, Project, Report, State, Task, Vault


class Sharing(Session):
    """Verbs about people, projects, and the tasks and reports of these."""

    def projects(self) -> tuple[Project, ...]:
        """The projects of the home; a profile is told of the one that it opened."""
        found = self._store.register.projects()
        if self._rules:
            return tuple(found)
        return tuple(each for each in found if each.scope == self.access.project)

    def add_project(
        self, name: str, root: str | Path | None = None, *, vault: str | Path | None = None
    ) -> Project:
        """Have a project be the active one wherever one works in `root`; returns it.

        In a worktree of its repository too. Its files are in the folder `vault`, or in the home. An
        existing one gets what is given. Raises InvalidInput, ScopeClosed for all but the owner.
        """
        from memoranda.files import git
        from memoranda.people import Project

        called = Scope("project", given.name("name", name)).name or ""
        self._refuse_to_rule("adds projects")
        projects = {each.name: each for each in self._store.register.projects()}
        project = projects.get(called, Project(called))
        if root is not None:
            where = git.canonical(given.folder("root", root))
            other = next((each for each in projects.values() if each.root == str(where)), project)
            if other.name != called:
                raise InvalidInput(f"root: {where} is that of the project {other.name}")
            project = replace(project, root=str(where))
        if vault is not None:
            where = given.folder("vault", vault)
            taken = [
                Path(each.vault) for each in projects.values() if each.vault and each != project
            ]
            for other_place in (self._path.resolve(), *taken):
                if where.is_relative_to(other_place) or other_place.is_relative_to(where):
                    raise InvalidInput(f"vault: {where} has to do with {other_place}; take another")
            project = replace(project, vault=str(where))
        self._store.register.keep_project(project)
        return project

    def drop_project(self, name: str) -> None:
        """Have a project be active nowhere; what it remembers stays, and who has which part.

        Raises NotFound, ScopeClosed for all but the owner.
        """
        given.name("name", name)
        self._refuse_to_rule("drops projects")
        found = replace(self._project(name), root=None, vault=None)
        self._store.register.keep_project(found)

    def assign(self, project: str, profile: str, part: Part | str | None) -> Project:
        """Say what a profile does in a project, None for nothing; returns the project.

        From the first one on only profiles with a part may open it. Raises InvalidInput, NotFound,
        ScopeClosed for all but the owner.
        """
        name, who = given.name("project", project), given.name("profile", profile)
        chosen = given.part(part)
        self._refuse_to_rule("gives parts")
        named = Scope("profile", who).name or ""
        found = self._project(name)
        found = replace(found, parts={**found.parts, named: chosen or Part.NONE})
        self._store.register.keep_project(found)
        return found

    def _project(self, name: str) -> Project:
        for each in self._store.register.projects():
            if each.name == name:
                return each
        raise NotFound(f"there is no project {name[:40]!r}; add it first")

    def people(self) -> tuple[Person, ...]:
        """Who is known on which channels. Raises ScopeClosed for all but the owner."""
        self._refuse_to_rule("learns who is known")
        return tuple(self._store.register.people())

    def add_channel(self, identity: str, person: str | None) -> None:
        """Say who speaks under an identity, such as telegram:12345; None is the owner.

        Raises InvalidInput, ScopeClosed for all but the owner.
        """
        known = given.identity(identity)
        name = None if person is None else Scope("user", given.name("person", person)).name
        self._refuse_to_rule("says who speaks")
        for each in self._store.register.people():
            if known in each.channels and each.name != name:
                whose = each.name or "the owner"
                raise InvalidInput(f"identity: {known} is {whose}; drop it first")
        self._store.register.keep_channel(known, name)

    def drop_channel(self, identity: str) -> None:
        """Have nobody be known under an identity.

        Raises InvalidInput, NotFound, ScopeClosed for all but the owner.
        """
        known = given.identity(identity)
        self._refuse_to_rule("says who speaks")
        if not self._store.register.drop_channel(known):
            raise NotFound(f"nobody is known as {identity[:40]!r}")

    def vault(self) -> Vault:
        """The tasks and reports of the open project, by number; reads its files.

        A worker reads the tasks and its own reports, one that was made for a task that alone.
        Raises InvalidInput when no project is open, FileError.
        """
        from memoranda.files import vault

        found = vault.read(self._vault())
        tasks, reports, unreadable = found.tasks, found.reports, found.unreadable
        if self.access.task is not None:
            tasks = (vault.one(tasks, self.access.task, unreadable),)
            if tasks[0].profile not in (None, self._who):
                raise ScopeClosed(f"{tasks[0].id} is for {tasks[0].profile}")
            reports = tuple(each for each in reports if each.task == tasks[0].id)
            unreadable = ()
        if self.access.part == Part.WORKER:
            reports = tuple(each for each in reports if each.by == self._who)
            # Of the report of somebody else the reason may quote a line.
            unreadable = tuple(each for each in unreadable if vault.is_task(each[0]))
        return replace(found, tasks=tasks, reports=reports, unreadable=unreadable)

    def task(self, id: str) -> Task:
        """A task of the open project, by its number, as T001 or 1.

        Raises NotFound, InvalidInput, FileError.
        """
        from memoranda.files import vault

        number = given.name("id", id)
        found = self.vault()
        return vault.one(found.tasks, number, found.unreadable)

    def add_task(self, title: str, body: str, *, profile: str | None = None) -> Task:
        """Write a task of the open project, for a `profile` to do; returns it with its number.

        `body` is Markdown: the brief, the requirements, the acceptance criteria. Raises
        InvalidInput, ScopeClosed for all but a lead, FileError.
        """
        from memoranda.files import vault
        from memoranda.people import State, Task

        named, text = given.name("title", title), statement(given.text("body", body), False)
        whom = None if profile is None else Scope("profile", given.name("profile", profile)).name
        self._refuse_all_but_leads("writes tasks")
        made = Task("", named, State.OPEN, text, "", whom, self._who, self._today)
        with self._store.transaction():
            return vault.add_task(self._vault(), made)

    def set_task(self, id: str, state: State | str) -> Task:
        """Say how far a task is: open, doing, done, dropped.

        Raises NotFound, InvalidInput, ScopeClosed for all but a lead, FileError.
        """
        from memoranda.files import vault

        number, chosen = given.name("id", id), given.state(state)
        self._refuse_all_but_leads("says how far a task is")
        with self._store.transaction():
            return vault.set_state(self._vault(), number, chosen)

    def report(self, text: str, *, task: str | None = None) -> Report:
        """Add a line to the own report in the open project, on a task if one is named.

        Of secrets their kinds are written. Raises InvalidInput, NotFound for the task, ScopeClosed
        for a reader, FileError.
        """
        from memoranda.files import vault
        from memoranda.people import Report

        line = " ".join(statement(given.text("text", text), False).split())
        task = given.text_or_none("task", task) or self.access.task
        where = self._vault()
        if self.access.part == Part.READER:
            raise ScopeClosed(f"{self.access.profile} is a reader, and writes no reports")
        about = None if task is None else self.task(task).id
        made = Report("", self._who, "", "", about, self._today)
        with self._store.transaction():
            told = f"- {self._clock_here():%Y-%m-%d %H:%M}: {line}"
            return vault.add_line(where, made, told)

    def _vault(self) -> Path:
        """Where the files of the open project are. Raises InvalidInput when none is open."""
        from memoranda.files.places import folder

        if self.access.project is None or self.access.project not in self.access.visible:
            raise InvalidInput("no project is open: open it with --project NAME, or in its folder")
        elsewhere = self._vaults().get(self.access.project)
        return elsewhere or self._path / folder(self.access.project)

    @property
    def _who(self) -> str:
        """Who writes: the profile, or the person."""
        who = self.access.profile or self.access.person
        return (who and who.name) or "owner"

    @property
    def _today(self) -> str:
        return f"{self._clock_here():%Y-%m-%d}"

    def _refuse_all_but_leads(self, what: str) -> None:
        self._vault()
        if self.access.part != Part.LEAD:
            raise ScopeClosed(f"only a lead of {self.access.project} {what}")
