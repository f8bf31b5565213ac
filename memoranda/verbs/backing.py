"""Backups of the home, and how far they can be relied upon."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import BackupError, Busy, StoreError
from memoranda.policy import rotation
from memoranda.policy.rotation import Rotation
from memoranda.verbs.session import Session
from memoranda.verbs.words import warn
from memoranda.version import VERSION

if TYPE_CHECKING:
    from memoranda.saved import Backups, Noted, Saved, Verified
    from memoranda.upkeep.backup import Keeper

WORK = "backup"
"""What one process at a time does with backups."""


class Backing(Session):
    """Verbs about backups, which are the owner's."""

    def backup(self, to: str | Path | None = None, *, due: bool = False) -> Saved:
        """Back up the home to a folder, or to where the settings say; returns what came of it.

        The copy is made while others write, opened and compared with what was copied, and stands
        whole or not at all. An unchanged store is not copied again. What is older than the settings
        keep goes. With `due` it is made only if an hour has passed and something changed, or a day
        has. Raises ScopeClosed for anybody but the owner, BackupError, Busy while another is being
        made, InvalidInput.
        """
        self._refuse_to_rule("makes backups")
        given.flag("due", due)
        now = self._clock()
        keeper = self._keeper("to", to)

        def is_due(last: datetime | None, changed: bool) -> bool:
            return not due or rotation.is_due(last, now, changed=changed)

        with self._alone_with_backups():
            saved = keeper.make(self._rotation, now, is_due)
        self._clear_backups()  # of what was forgotten while it was made
        return saved

    def backups(self, at: str | Path | None = None, *, drop: str | Path | None = None) -> Backups:
        """The backups of this home in a folder, or where the settings say, the newest first.

        With `drop` nothing is known any more of a folder that is gone for good. Raises ScopeClosed,
        BackupError, InvalidInput.
        """
        from memoranda.saved import Backups
        from memoranda.upkeep import backup as keeping

        self._refuse_to_rule("sees backups")
        if drop is not None:
            dropped = given.path("drop", drop).expanduser().resolve()
            if str(dropped) not in {each.place for each in self._store.copies.noted()}:
                raise BackupError(f"{dropped} is no place where this home has backups")
            self._store.copies.drop(str(dropped))
            if at is None and not self.settings.backup_to:
                return Backups(str(dropped))
        keeper = self._keeper("at", at)
        found, damaged = keeping.listed(keeper.shelf)
        same_disk = keeping.is_same_disk(keeper.place, self._path)
        return Backups(str(keeper.place), found, damaged, same_disk)

    def verify_backups(
        self, id: str | None = None, *, at: str | Path | None = None
    ) -> tuple[Verified, ...]:
        """Look at every byte of the backups again, or of one: what is wrong with each.

        Raises ScopeClosed, BackupError for no such backup, Busy, InvalidInput.
        """
        self._refuse_to_rule("verifies backups")
        id = given.text_or_none("id", id)
        keeper = self._keeper("at", at)
        with self._alone_with_backups():
            return tuple(keeper.verify(id, self._clock()))

    # For other groups

    def _back_up_if_due(self) -> None:
        """Make a backup where the settings say, or log why not; `status` tells the rest."""
        if not (self.settings.backup_to and self._rules):
            return
        try:
            self.backup(due=True)
        except (BackupError, Busy, StoreError) as error:
            warn(f"no backup was made: {error}")

    def _renew_backups(self) -> tuple[tuple[Saved, ...], tuple[str, ...]]:
        """Have the backups be under the keys that the home has now; where that has to wait.

        Those that were made when the home was in another folder may be of a home of which this is a
        copy: a person says whether they are to go.
        """
        renewed: list[Saved] = []
        pending: list[str] = []
        for noted in self._store.copies.noted():
            if noted.home != str(self._path.resolve()):
                pending.append(noted.place)
                continue
            try:
                renewed.append(self.backup(noted.place))
            except (BackupError, Busy, StoreError) as error:
                warn(f"the backups in {noted.place} are as they were: {error}")
                pending.append(noted.place)
        return tuple(renewed), tuple(pending)

    def _clear_backups(self, *, for_good: bool = True) -> tuple[str, ...]:
        """Have no backup hold what was forgotten; returns the places where that has to wait.

        It is done once more later unless it is `for_good`.
        """
        copies = self._store.copies
        owed = copies.owed()
        if owed == (None, None):
            return ()
        places = tuple(each.place for each in copies.noted())
        try:
            with self._store.alone(WORK) as alone:
                if not alone:  # who makes one just now does this afterwards
                    return places
                pending = self._cleared_at(places, files=owed[1] is not None)
                if not pending and for_good:
                    copies.settle(owed)
                return pending
        except StoreError as error:  # as when there is no room for a lock
            warn(f"backups may hold what was forgotten: {error}")
            return places

    def _cleared_at(self, places: Sequence[str], *, files: bool) -> tuple[str, ...]:
        """Clear the backups at some places of what was forgotten; those where that has to wait."""
        from memoranda.upkeep.backup import Keeper

        pending: list[str] = []
        for place in places:
            try:
                keeper = Keeper(self._store.copies, self._path, Path(place), VERSION)
                keeper.clear(self._clock(), files=files)
            except (BackupError, StoreError) as error:
                warn(f"backups may hold what was forgotten: {error}")
                pending.append(place)
        return tuple(pending)

    def _finish_backups(self) -> None:
        """Clear the backups of what was forgotten, if whoever did it could not."""
        if self._store.copies.owed() == (None, None):
            return
        reachable = all(Path(each.place).is_dir() for each in self._store.copies.noted())
        if reachable:  # else every opening would tell so; `status` does
            self._clear_backups()

    @property
    def _backed_up(self) -> Noted | None:
        """The last verified backup at the place that the settings name.

        One that is there no more is none; where the place is out of reach, what is noted counts.
        """
        place = self._place_set
        if place is None:
            return None
        for noted in self._store.copies.noted():
            if noted.place == str(place):
                gone = place.is_dir() and not any(place.glob(f"memoranda-*/{noted.id}.json"))
                return None if gone else noted
        return None

    def _backup_warnings(self) -> tuple[str, ...]:
        """What is wrong with the backups, as lines that are the same all day; for the owner."""
        if not (self.settings.backup_to and self._rules):
            return ()
        noted = self._backed_up
        if noted is None:
            return (f"{self.settings.backup_to} has no backup: `memoranda backup` makes one",)
        told = list[str]()
        if rotation.is_stale(noted.verified_at, self._clock()):
            day = f"{noted.verified_at.astimezone(self.settings.zone):%Y-%m-%d}"
            told.append(f"the last verified backup is of {day}: `memoranda backup` makes one")
        if self._store.copies.owed() != (None, None):
            told.append("what was forgotten is in backups yet: `memoranda backup` takes it out")
        if noted.same_disk:
            told.append(
                f"the backups in {noted.place} are on the same disk as the home, and lost with it"
            )
        return tuple(told)

    @property
    def _rotation(self) -> Rotation:
        options = self.settings
        return Rotation(options.backup_hourly, options.backup_daily, options.backup_weekly)

    def _keeper(self, argument: str, place: str | Path | None) -> Keeper:
        from memoranda.upkeep.backup import Keeper

        if place is None:
            chosen = self._place_set
        else:
            chosen = given.path(argument, place).expanduser().resolve()
        if chosen is None:
            raise BackupError(
                "no place for backups is known: name a folder, or set backup_to in the settings"
            )
        return Keeper(self._store.copies, self._path, chosen, VERSION)

    @property
    def _place_set(self) -> Path | None:
        if not self.settings.backup_to:  # as most often, and the next is dear to load
            return None
        from memoranda.upkeep import backup

        return backup.place_of(self._path, self.settings)

    @contextmanager
    def _alone_with_backups(self) -> Iterator[None]:
        with self._store.alone(WORK) as alone:
            if not alone:
                raise Busy("another process is at the backups; try again when it is done")
            yield
