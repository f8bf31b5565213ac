"""Forgetting: what goes for good, and what goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import FileError, InvalidInput, ScopeClosed
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.times import spans
from memoranda.types import Choice, Doomed, Fusion, Memory, Receipt, Scope, Scopes
from memoranda.verbs.backing import Backing
from memoranda.verbs.session import Vaults
from memoranda.verbs.syncing import Syncing

if TYPE_CHECKING:
    from memoranda.files.skills import Gone


class Forgetting(Syncing, Backing):
    """Verbs that erase."""

    def incognito(self, conversation: str, *, on: bool = True, from_start: bool = False) -> Receipt:
        """Keep nothing of what is said in a conversation from now on; turned off, keep it again.

        Whichever agent of the person brings such turns later, they are left out. `from_start`
        forgets what is stored of it too, by whichever agent, as the receipt tells. What is kept is
        a keyed hash of the conversation's name.
        """
        name = given.short(given.text("conversation", conversation))
        if not name:
            raise InvalidInput("conversation: an empty text names none")
        now = self._clock()
        on, from_start = given.flag("on", on), given.flag("from_start", from_start)
        if from_start and not on:
            raise InvalidInput("from_start: what was not kept cannot be brought back")
        with self._store.transaction():
            doomed = self._store.set_incognito(
                name, on, self.access.own, at=now, by=self._door, from_start=from_start
            )
            gone = self._forget_skills(doomed, Choice(conversation=name))
        if not from_start:
            return Receipt(())
        return self._cleared(doomed, gone, self.access.visible, self._vaults())

    def forget(
        self,
        *ids: str,
        conversation: str | None = None,
        source: str | None = None,
        entity: str | None = None,
        query: str | None = None,
        project: str | None = None,
        profile: str | None = None,
        person: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        everything: bool = False,
        dry_run: bool = False,
        verify: bool = False,
    ) -> Receipt:
        """Erase memories and turns for good, with what rests on them alone.

        What is chosen must be all that is given: of these `ids` or a version that one of them
        replaced, in this `conversation` of the own scope, from the file `source`, naming this
        `entity`, found by this `query`, whose words of time do not count, of this project, profile
        or person (of all that is open here if none is named), and written down or said from `since`
        up to `until`. `everything` takes whatever the home holds, whosever it is. With a memory go
        the words of turns that it rests on. All of it goes or nothing; a dry run only tells what
        would. The receipt names the places where traces may remain; to `verify`, the files of the
        home are searched for them. Raises InvalidInput when nothing is given, NotFound, Ambiguous,
        ScopeClosed for what is not the owner's to forget.
        """
        now = self._clock()
        given.flag("verify", verify)
        everything = given.flag("everything", everything)
        scope = _scope_named(person=person, profile=profile, project=project)
        sight = self._sight(scope, everything=everything)
        choice = Choice(
            ids=self._chosen(ids, query, sight),
            conversation=given.text_or_none("conversation", conversation),
            path=given.text_or_none("source", source),
            entity=None
            if entity is None
            else self._store.entity(given.text("entity", entity), sight).id,
            scope=scope,
            since=given.time("since", since),
            until=given.time("until", until),
            everything=everything,
        )
        if choice == Choice():
            raise InvalidInput("say what to forget: an id, a conversation, a person, …")
        if conversation is not None and scope is None:  # another agent's of this name is another
            sight = (self.access.own,)
        if given.flag("dry_run", dry_run):
            would_go = self._store.doomed(choice, sight)
            skills = self._skills_going(would_go, choice).touched
            return Receipt(would_go.memories, would_go.turns, would_go.cut, skills=skills)
        told = (*sight, *self._store.scopes()) if everything else sight
        if self._keeps_files(told):
            with suppress(FileError):  # it is told as pending, afterwards
                self._sync(told)  # or lines that nobody has read would come back from the files
        vaults = self._vaults()  # of which the store knows nothing afterwards, maybe
        with self._store.transaction():
            doomed = self._store.forget(choice, sight, at=now, by=self._door)
            gone = self._forget_skills(doomed, choice)
            self._doom_mirror(doomed, told)
            elsewhere = self._forget_vaults(choice, vaults)
        for path in elsewhere:
            path.unlink(missing_ok=True)
        return self._cleared(doomed, gone, told, vaults, verify=verify)

    def _sight(self, scope: Scope | None, *, everything: bool) -> Scopes:
        """Where what is to be forgotten may be, when one scope is named. Raises ScopeClosed."""
        opened = self.access.deciding
        if everything and not self._rules:
            raise ScopeClosed(
                "only the owner forgets everything: open it with no --person and no --profile"
            )
        if scope is None or (scope in opened and scope.kind == "project"):
            return opened
        if scope not in opened and not self._rules:
            raise ScopeClosed(f"only the owner, or who opens {scope}, forgets what is in there")
        # What was said in a project is of the person or the agent that said it.
        return (*opened, scope) if scope.kind == "project" else (scope,)

    def _skills_going(self, doomed: Doomed, choice: Choice) -> Gone:
        """What of skills, whosever, rests on what is forgotten; all of a scope that goes whole."""
        from memoranda.files import skills
        from memoranda.files.places import folder

        if choice.is_whole:
            whole = None if choice.scope is None else (folder(choice.scope),)
            return skills.going(self._path, doomed, whole)
        if not (doomed.turns or doomed.candidates):
            return skills.Gone()
        return skills.going(self._path, doomed, ())

    def _forget_skills(self, doomed: Doomed, choice: Choice) -> Gone:
        """Have what of skills goes removed with the rest; a text that stays comes back at once."""
        from memoranda.files import skills
        from memoranda.files.places import folder

        gone = self._skills_going(doomed, choice)
        if gone.skills:
            scopes = {folder(each): each for each in self._store.scopes()}
            for owner, name in gone.skills:
                if owner in scopes:
                    self._store.skills.drop(name, scopes[owner])
        self._store.doom(gone.files)
        if gone.files:
            self._store.copies.owe_files()
        skills.put_back(gone)
        return gone

    def _doom_mirror(self, doomed: Doomed, scopes: Scopes) -> None:
        """Have the files of the mirror go with their memories, even if this ends before they do."""
        from memoranda.files import mirror

        places = [mirror.place(self._path, each) for each in scopes]
        paths = (place / f"{id}.md" for place in places for id in doomed.memories)
        there = [each.relative_to(self._path).as_posix() for each in paths if each.exists()]
        self._store.doom(there)

    def _forget_vaults(self, choice: Choice, vaults: Vaults) -> list[Path]:
        """Have tasks and reports go with what they are of; returns those outside of the home."""
        from memoranda.files import vault

        going = vault.going(self._path, vaults, choice)
        within = [each for each in going if each.is_relative_to(self._path)]
        self._store.doom([each.relative_to(self._path).as_posix() for each in within])
        if within:
            self._store.copies.owe_files()
        return [each for each in going if each not in within]

    def _cleared(
        self,
        doomed: Doomed,
        gone: Gone,
        scopes: Scopes,
        vaults: Vaults,
        *,
        verify: bool = False,
    ) -> Receipt:
        """What went, once the traces of it are removed, or named where they cannot be yet."""
        left, removed = self._clear_files(doomed, scopes, vaults)
        purged = self._store.purge()
        held = self._clear_backups(for_good=not purged.pending)
        found = None
        if verify:
            from memoranda.files.clearing import scaffolding

            sought = replace(doomed, texts=(*doomed.texts, *gone.texts))
            found = self._store.traces(sought, besides=scaffolding())
        self._embed_written(len(doomed.cut))
        return Receipt(
            doomed.memories,
            doomed.turns,
            doomed.cut,
            (*purged.pending, *left, *held),
            (*filter(_is_no_mirror, purged.removed), *removed),
            found,
            gone.touched,
        )

    def _chosen(
        self, ids: tuple[str, ...], query: str | None, sight: Scopes
    ) -> tuple[str, ...] | None:
        """The whole ids of what is named by the beginnings of ids, or found by a question."""
        if query is None:
            return tuple(dict.fromkeys(self._id_of_text(id, sight) for id in ids)) or None
        if ids:
            raise InvalidInput("give ids or a query, not both")
        chosen = replace(self._filter(), quarantined=True)
        question = Question(
            text=_without_times(given.text("query", query), chosen.now),
            visible=sight,
            filter=chosen,
            limit=given.MOST_RESULTS,
            fusion=Fusion(self.settings.fusion),
        )
        found = recall(question, self._store, self._embedder)
        return tuple(hit.id for hit in found.hits)


def _is_no_mirror(path: str) -> bool:
    """Whether a file is more than the copy of a memory, which goes with it."""
    return not path.startswith("mirror/")


def _distinct(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    return tuple({each.id: each for each in memories}.values())


def _without_times(query: str, now: datetime) -> str:
    """A query without words of time: what was said then need not be meant by it.

    Raises InvalidInput when nothing else is left.
    """
    for text in (f"in {query}", query):  # a month alone may be somebody's name
        left = text
        for span in reversed(spans(text, now)):
            left = left[: span.start] + left[span.start + len(span.text) :]
        if left != text and not set(re.findall(r"\w+", left.casefold())) - STOPWORDS:
            raise InvalidInput(f"query: {query!r} names a time; give `since` and `until`")
    return left


def _scope_named(**names: str | None) -> Scope | None:
    """The scope of a person, a profile or a project. Raises InvalidInput for more than one."""
    kinds = {"person": "user"}
    named = [
        Scope.parse(f"{kinds.get(argument, argument)}:{given.name(argument, name)}")
        for argument, name in names.items()
        if name is not None
    ]
    if len(named) > 1:
        raise InvalidInput("forget one person, profile or project at a time")
    return named[0] if named else None
