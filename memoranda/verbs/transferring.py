"""A whole home, written into one archive and brought in from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoranda import given, settings
from memoranda.errors import FileError, InvalidImport, InvalidInput
from memoranda.types import Choice, Doomed, Receipt
from memoranda.verbs.forgetting import Forgetting

if TYPE_CHECKING:
    from memoranda.moving import BroughtIn, Exported, Loaded
    from memoranda.upkeep.transfer import Archive

NOT_CARRIED = ("notify",)
"""Settings that may hold a secret in whole: a command, or an address that is one."""


class Transferring(Forgetting):
    """Verbs about all that a home holds."""

    def export(
        self,
        path: str | Path,
        *,
        force: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Exported:
        """Write all that the home holds, whosever it is, into one archive, as it is at one moment.

        The file is whole or is not there; one of that name is left unless told to replace it with
        `force`. What can be made anew is left out, and so is every key. `advance` is told how many
        rows were written just now and how many are left. Raises ScopeClosed for all but the owner,
        InvalidInput, FileError.
        """
        from memoranda.moving import Exported
        from memoranda.upkeep import transfer

        place = given.path("path", path).expanduser()
        given.flag("force", force)
        given.function("advance", advance)
        self._refuse_to_rule("exports the home")
        self._record_served()
        store, written = self._store.transfer, {}
        names = [each.name for each in store.tables()]
        with transfer.placed(place, force=force) as file, store.dump() as (counts, rows):
            left = sum(counts.values())

            def tell(done: int) -> None:
                nonlocal left
                left -= done
                advance(done, left)

            with transfer.Writing(file, store.schema, self._clock_here()) as archive:
                for name in names:
                    written[name] = archive.table(name, rows(name), tell)
                found, left_out = transfer.home_files(self._path)
                for each in found:
                    archive.data(f"{transfer.FILES}{each}", (self._path / each).read_bytes())
                archive.data(transfer.SETTINGS, transfer.line(self._settings_told()))
        size = place.stat().st_size
        return Exported(str(place), size, written, len(found), tuple(left_out))

    def _settings_told(self) -> dict[str, Any]:
        """What the settings file says, without what is or may hold a secret."""
        own = settings.load(self._path, {})
        told = {each.name: getattr(own, each.name) for each in fields(own)}
        return {
            name: value
            for name, value in told.items()
            if value != getattr(settings.Settings(), name) and not _may_hold_secret(name, value)
        }

    def import_home(
        self,
        path: str | Path,
        *,
        dry_run: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> BroughtIn:
        """Bring in an archive that `export` wrote, by the ids of what is in it.

        All of it is checked before any of it is stored; then it is one transaction, and the files
        follow, which a second call completes. What is here stays as it is, and is told where the
        archive has it otherwise. What was forgotten here stays out, and what was forgotten there
        goes. A dry run does it all on a copy. The same archive again changes nothing. `advance` is
        told how many rows were read just now and how many are left; each is read at least twice.
        Raises ScopeClosed for all but the owner, InvalidImport.
        """
        from memoranda.upkeep.transfer import Archive

        place = given.path("path", path).expanduser()
        given.flag("dry_run", dry_run)
        given.function("advance", advance)
        self._refuse_to_rule("brings a home in")
        with Archive.open(place) as archive:
            left = 2 * archive.count

            def tell(done: int) -> None:
                nonlocal left
                left = max(0, left - done)
                advance(done, left)

            carried = self._store.transfer
            archive.check(carried.tables(), carried.schema, tell)
            return self._bring_in(archive, tell, dry_run=dry_run)

    def _bring_in(
        self, archive: Archive, tell: Callable[[int], None], *, dry_run: bool
    ) -> BroughtIn:
        from memoranda.moving import BroughtIn

        if not dry_run and self._keeps_files(self._store.scopes()):
            with suppress(FileError):  # or lines that nobody has read would be lost to what comes
                self._sync(self._store.scopes())
        vaults = self._vaults()
        with ExitStack() as held:
            store = held.enter_context(self._store.preview()) if dry_run else self._store
            try:
                loaded, gone = store.transfer.load(
                    archive.rows, at=self._clock(), by=self._door, advance=tell
                )
            except InvalidImport:
                raise
            except InvalidInput as error:
                raise archive.wrong(str(error)) from error
        receipt = None
        if gone != Doomed():
            receipt = Receipt(gone.memories, gone.turns, gone.cut)
            if not dry_run:
                with self._store.transaction():
                    texts = self._forget_skills(gone, Choice())
                    self._doom_mirror(gone, self._store.scopes())
                receipt = self._cleared(gone, texts, self._store.scopes(), vaults)
        elif loaded.kept_out and not dry_run:
            self._store.purge()
        told = self._bring_files(archive, loaded, dry_run=dry_run)
        if not dry_run:
            self._write_files()
        return BroughtIn(
            archive.made_at, loaded, receipt, settings=self._differing(archive), **told
        )

    def _bring_files(self, archive: Archive, loaded: Loaded, *, dry_run: bool) -> dict[str, Any]:
        """Write the files that are not there; of what was forgotten here none comes."""
        from memoranda.files import disk, skills

        ids = {*loaded.kept_out.get("turn", ()), *loaded.kept_out.get("decision", ())}
        came, differing, kept_out, known = [], [], [], 0
        for path in archive.files:
            content = archive.file(path)
            place = self._path / path
            there = disk.read(place) if self._is_within(place) else None
            if not self._is_within(place) or skills.rests(content, ids):
                kept_out.append(path)
            elif there == content:
                known += 1
            elif there is not None:
                differing.append(path)
            else:
                if not dry_run:
                    disk.write(place, content, instead_of=None)
                came.append(path)
        return {
            "files": tuple(came),
            "files_known": known,
            "files_differing": tuple(differing),
            "files_kept_out": tuple(kept_out),
        }

    def _is_within(self, place: Path) -> bool:
        """Whether no link leads a path of the home out of it."""
        return place.resolve().is_relative_to(self._path.resolve()) and not place.is_dir()

    def _differing(self, archive: Archive) -> Mapping[str, Any]:
        """The settings of the archive that are not so here, as far as they are known."""
        names = {each.name for each in fields(self.settings)}
        return {
            name: value
            for name, value in archive.settings.items()
            if name in names and getattr(self.settings, name) != value
        }


def _may_hold_secret(name: str, value: object) -> bool:
    if name.endswith("_key") or name in NOT_CARRIED:
        return True
    if not name.endswith("_url"):
        return False
    from urllib.parse import urlsplit

    parts = urlsplit(str(value))
    return bool("@" in parts.netloc or parts.query or parts.fragment)
