"""Markdown files and the store, kept in step."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from memoranda import given
from memoranda.errors import Busy, FileError, InvalidInput, StoreError
from memoranda.policy import fading
from memoranda.policy.access import Access
from memoranda.protocols import KeptFile
from memoranda.types import Doomed, Scope, Scopes
from memoranda.verbs.hand import Hand
from memoranda.verbs.session import Vaults
from memoranda.verbs.words import warn
from memoranda.verbs.writing import Writing

if TYPE_CHECKING:
    from memoranda.care import Synced, SyncedFile
    from memoranda.files.layout import Place
    from memoranda.files.syncing import Terms as FileTerms


FILES_AFTER = 2.0
"""Seconds between two writings of the files by who keeps a home open; the rest is for `close`."""


class Syncing(Writing):
    """Verbs about the files that people edit."""

    def sync(
        self,
        *,
        removals: bool = False,
        dry_run: bool = False,
        hermes: str | Path | None = None,
        no_hermes: str | Path | None = None,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Synced:
        """Bring the Markdown files of what is open here and the store in step, both ways.

        A line that a person changed revises its memory, a new one is remembered, and one that is
        gone is retired; then the files are written anew, and so is the mirror of all memories. A
        file that was there before is taken in and kept aside. One in which something cannot be
        taken in is left as it is, and so is one of whose lines more than a fifth are gone, unless
        `removals` says that this was meant. The files in a home of Hermes Agent are written too,
        from now on whenever these are, until `no_hermes` names it. A dry run only tells. Each edit
        is a transaction; interrupted, it goes on when it is called anew. `advance` is told how many
        edits of a file were taken in just now and how many are left. Raises InvalidInput,
        FileError.
        """
        from memoranda.files.layout import of_hermes

        given.flag("removals", removals)
        given.flag("dry_run", dry_run)
        given.function("advance", advance)
        if hermes is not None and not dry_run:
            known = self._kept(self.access.visible)
            for place in of_hermes(given.folder("hermes", hermes), self._hermes_scopes):
                if place.key not in known:
                    self._store.files.keep(KeptFile(place.key, place.scope, place.form, -1))
        if no_hermes is not None:
            self._keep_no_more(given.path("no_hermes", no_hermes).expanduser().resolve())
        visible = self.access.visible
        return self._sync(
            visible, removals=removals, dry_run=dry_run, thorough=True, advance=advance
        )

    def _keep_no_more(self, folder: Path) -> None:
        """Let go of the files of a Hermes home, which may be gone itself. Raises InvalidInput."""
        from memoranda.files.layout import of_hermes

        kept = self._kept(self.access.visible)
        theirs = [place for place in of_hermes(folder, self._hermes_scopes) if place.key in kept]
        if not theirs:
            raise InvalidInput(f"no_hermes: no files in {folder} are kept")
        for place in theirs:
            self._store.files.drop(place.key, self.access.visible)

    def _sync(
        self,
        scopes: Scopes,
        vaults: Vaults | None = None,
        *,
        removals: bool = False,
        dry_run: bool = False,
        forgotten: Iterable[str] | None = None,
        thorough: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Synced:
        from memoranda.care import Synced
        from memoranda.files import disk, mirror

        vaults = self._vaults() if vaults is None else vaults
        terms = replace(
            self._file_terms(),
            removals=removals,
            dry_run=dry_run,
            forgotten=None if forgotten is None else frozenset(forgotten),
            advance=advance,
        )
        self._files_at = math.inf  # what is taken in is written at the end
        with nullcontext(True) if dry_run else self._store.alone("files") as alone:
            if not alone:
                self._files_at = time.monotonic()
                return Synced(busy=True)
            kept = self._kept(scopes)
            if not dry_run and (thorough or forgotten is not None):
                places = self._places(kept, scopes, vaults)
                mirrors = [mirror.place(self._path, each) for each in scopes]
                disk.remove_unfinished({*(each.path.parent for each in places), *mirrors})
            files = self._sync_files(kept, scopes, vaults, terms)
            if any(each.edits for each in files) and not dry_run:
                # What was taken in from one file stands in another, too.
                again = self._sync_files(self._kept(scopes), scopes, vaults, terms)
                files = [
                    replace(one, written=one.written or other.written)
                    for one, other in zip(files, again, strict=True)
                ]
            mirrored = removed = 0
            for scope in () if dry_run else scopes:
                known = kept.get(mirror.key(scope))
                written, gone = mirror.update(
                    self._path, scope, known, self._store, terms.now, thorough=thorough
                )
                mirrored, removed = mirrored + written, removed + gone
            self._files_at = time.monotonic()
        return Synced(tuple(files), mirrored, removed)

    def _sync_files(
        self, kept: Mapping[str, KeptFile], scopes: Scopes, vaults: Vaults, terms: FileTerms
    ) -> list[SyncedFile]:
        from memoranda.files import syncing

        return [
            syncing.sync(each, kept.get(each.key), self._store, Hand(self._of(each.scope)), terms)
            for each in self._places(kept, scopes, vaults)
        ]

    def _file_terms(self) -> FileTerms:
        from memoranda.files import syncing

        return syncing.Terms(
            now=self._clock_here(),
            curves=fading.curves(self.settings),
            characters=self.settings.file_characters,
        )

    def _withdraw_files(self) -> tuple[list[Path], list[Path]]:
        """Take in what the files of all scopes tell, and remove them: those gone, and those left.

        Raises Busy, FileError.
        """
        from memoranda.files import mirror, syncing

        scopes, vaults, terms = self._store.scopes(), self._vaults(), self._file_terms()
        if self._sync(scopes, vaults, thorough=True).busy:
            raise Busy("another process is at the Markdown files; try again")
        gone, left = list[Path](), list[Path]()
        kept = self._kept(scopes)
        for each in self._places(kept, scopes, vaults):
            is_gone = syncing.withdraw(each, kept.get(each.key), self._store, terms)
            if is_gone is not None:
                (gone if is_gone else left).append(each.path)
        for scope in scopes:
            gone += mirror.withdraw(self._path, scope, self._store, terms.now)
        return gone, [*left, *mirror.files(self._path)]

    def _kept(self, scopes: Scopes) -> Mapping[str, KeptFile]:
        """What is known of the files of some scopes since they were written, by their keys."""
        return {each.path: each for each in self._store.files.those(scopes)}

    def _places(self, kept: Mapping[str, KeptFile], scopes: Scopes, vaults: Vaults) -> list[Place]:
        """Every file of some scopes: those of the home, and those of others that are kept."""
        from memoranda.files.layout import hermes_file, places

        theirs = (each for each in kept.values() if each.form == "hermes")
        return [
            *places(self._path, scopes, vaults),
            *(hermes_file(Path(each.path), each.scope) for each in theirs),
        ]

    @property
    def _hermes_scopes(self) -> tuple[Scope, Scope]:
        """Whose memory the files of a Hermes home hold: its agent's, and its user's."""
        return self.access.own, self.access.person or self.access.own

    def files_changed(self) -> bool:
        """Whether `sync` has something to do, as far as this home knows: for who watches the files.

        Somebody wrote one of them since they were last in step, or the store has changed.
        """
        return any(map(self._is_stale, self.access.visible)) or self._is_edited

    @property
    def _is_edited(self) -> bool:
        """Whether somebody wrote one of the files since we did."""
        from memoranda.files import disk

        visible = self.access.visible
        kept = self._kept(visible)
        stamps = {key: each.stamp for key, each in kept.items()}
        places = self._places(kept, visible, self._vaults())
        return any(disk.stamp(each.path) != stamps.get(each.key) for each in places)

    def take_in(self) -> None:
        """Take in what was edited in the files, if anything was; what cannot be is logged."""
        if self.settings.files and self._is_edited:
            self._write_files(anyway=True)

    def _finish_files(self) -> None:
        """Clear the files of what was forgotten, if whoever did it ended before they were."""
        if not self.access.visible or self._store.is_read_only:
            return
        kept = self._store.files.those(self.access.visible)
        if any(each.mark < 0 or (each.stamp is None and each.form != "mirror") for each in kept):
            self._write_files(anyway=True)

    def _keep_files_up(self) -> None:
        """Write the files from time to time while a home is open for long."""
        now = time.monotonic()
        if now - self._files_at > FILES_AFTER:
            self._files_at = now
            self._write_files()

    def _write_files(self, *, anyway: bool = False) -> None:
        """Bring the files in step if something has changed; what could not be is logged."""
        scopes = self.access.visible
        if not self.settings.files or self._store.is_read_only:
            return
        try:
            if not (anyway or any(map(self._is_stale, scopes))):
                return
            synced = self._sync(scopes, thorough=anyway)
        except (FileError, StoreError) as error:  # whoever opens the home next does it
            self._warn_once(f"the files of the home are not up to date: {error}")
            return
        for each in synced.files:
            if each.left is not None:
                self._warn_once(
                    f"{each.path} is as it was: {each.left}; `memoranda sync` tells more"
                )
            if any(edited.edit == "disputed" for edited in each.edits):
                disputed = "was changed, and so was the store: `memoranda contradictions`"
                self._warn_once(f"{each.path} {disputed}")

    def _warn_once(self, message: str) -> None:
        """One command reads the files more than once."""
        if message not in self._warned:
            self._warned.add(message)
            warn(message)

    def _is_stale(self, scope: Scope) -> bool:
        """Whether something has changed in a scope since its files were written."""
        kept = self._store.files.those((scope,))
        return self._store.changed(min((each.mark for each in kept), default=0), (scope,))

    def _keeps_files(self, scopes: Scopes) -> bool:
        return self.settings.files or bool(self._store.files.those(scopes))

    def _clear_files(
        self, doomed: Doomed, scopes: Scopes, vaults: Vaults
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Have no file hold what was forgotten: which may hold it still, and which were removed."""
        from memoranda.files import clearing

        others = [each for each in self._store.scopes() if each not in scopes]
        scopes = (*scopes, *filter(self._is_stale, others))
        if not self._keeps_files(scopes):
            return (), ()
        try:
            synced = self._sync(scopes, vaults, forgotten=doomed.memories)
            paths = [each.path for each in self._places(self._kept(scopes), scopes, vaults)]
            removed = clearing.remove_asides(paths, doomed.texts)
        except FileError as error:
            return (str(error),), ()
        if synced.busy:  # they are out of date, so whoever opens the home next does it
            return ("the Markdown files, at which another process is",), ()
        return tuple(each.path for each in synced.files if each.left), removed

    def _of(self, scope: Scope) -> Self:
        """The same home, opened for one scope."""
        if scope in self.access.visible:
            return self
        other = copy(self)
        other._access = Access(person=scope)
        return other
