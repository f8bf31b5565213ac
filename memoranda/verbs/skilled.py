"""Skills: how things are done, as files with versions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import InvalidInput, ScopeClosed, StoreError
from memoranda.text.instructions import smuggled
from memoranda.types import Role, Scope
from memoranda.verbs.session import Session
from memoranda.verbs.words import keepable, warn

if TYPE_CHECKING:
    from memoranda.skills import Skill, Skills


class Skilled(Session):
    """Verbs that read, use and write skills."""

    def skills(self) -> Skills:
        """How things are done: the skills of what is visible, by name; what is invalid is told.

        Of two of one name the narrower scope's is found: a project's before a profile's, and that
        before the person's. Reads only.
        """
        from memoranda.files import skills

        visible = self.access.visible
        return skills.everything(self._path, visible, self._store.skills.counted(visible))

    def skill(
        self, name: str, *, version: int | None = None, scope: Scope | str | None = None
    ) -> Skill:
        """The skill of a name, with its whole text; of a wider `scope` if that is named.

        `version` gives an older text. Reads only. Raises NotFound, ScopeClosed, and InvalidInput
        for a file that is invalid, telling in which line and why.
        """
        from memoranda.files import skills

        number = None if version is None else given.version(version)
        found = self._skill(name, scope)
        return found if number is None else skills.version(self._path, found, number)

    def skill_history(self, name: str, *, scope: Scope | str | None = None) -> Skills:
        """Every text that a skill had, the oldest first. Raises as `skill` does."""
        from memoranda.files import skills

        return skills.history(self._path, self._skill(name, scope))

    def use_skill(self, name: str, *, scope: Scope | str | None = None) -> Skill:
        """The skill of a name, to follow it: it counts as used. Raises as `skill` does."""
        from memoranda.files import skills

        now = self._clock()
        with self._store.transaction():
            found = self._skill(name, scope)
            try:
                skills.take_in(self._path, found)
            except StoreError as error:  # as where skills of others are, which may only be read
                warn(f"this text of {found.name} is kept as no version: {error}")
            uses = self._store.skills.count(found.name, found.scope, at=now)
        return replace(found, uses=uses.count, used_at=uses.last)

    def write_skill(
        self,
        text: str,
        *,
        name: str | None = None,
        description: str | None = None,
        scope: Scope | str | None = None,
        license: str | None = None,
        compatibility: str | None = None,
        allowed_tools: str | None = None,
        keep_secrets: bool = False,
    ) -> Skill:
        """Write a skill, or the next version of the one of its name; returns it.

        `text` is the whole file, or what stands in it below the front matter; what else is given
        counts more than what the file says. `scope` must be open here and is the own one when not
        given. Of secrets their kinds are written unless told to keep them. Raises ScopeClosed, and
        InvalidInput with all that keeps it from being written, also for orders to an agent that are
        quoted in it, and when the file that is there cannot be read.
        """
        from memoranda.files import skills

        given.flag("keep_secrets", keep_secrets)
        page = skills.page_of(
            keepable(given.text("text", text), keep_secrets) or "",
            name=None if name is None else given.name("name", name),
            description=keepable(given.text_or_none("description", description), keep_secrets),
            license=given.text_or_none("license", license),
            compatibility=given.text_or_none("compatibility", compatibility),
            allowed_tools=given.text_or_none("allowed_tools", allowed_tools),
        )
        target = self._ruled(given.scope(scope))
        if found := smuggled(f"{page.description}\n{page.body}", Role.USER):
            raise InvalidInput(f"{found[0].why}: who wants that edits the file by hand")
        with self._store.transaction():
            self._store.spare(skills.write(self._path, target, page).path)
            return self._skill(page.name, target)

    def remove_skill(self, name: str, *, scope: Scope | str | None = None) -> Skill:
        """Remove a skill with all that stands in its folder; returns it as it was.

        Raises as `skill` does.
        """
        from memoranda.files import skills

        with self._store.transaction():
            found = self._skill(name, scope)
            self._ruled(found.scope)
            self._store.skills.drop(found.name, found.scope)
            skills.remove(self._path, found)
        return found

    def _ruled(self, scope: Scope | None) -> Scope:
        """A scope that may be written to without a lead's consent. Raises ScopeClosed."""
        target = self.access.writable(scope)
        if self.access.proposes(target):
            raise ScopeClosed(f"a lead of {target} decides on its skills")
        return target

    def _skill(self, name: str, scope: Scope | str | None) -> Skill:
        from memoranda.files import skills

        named = given.scope(scope)
        visible = self.access.visible if named is None else (self.access.writable(named),)
        counted = self._store.skills.counted(visible)
        return skills.one(self._path, visible, given.name("name", name), counted)
