"""What happened: turns, as they come in or as another program left them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

from memoranda import given
from memoranda.capture import observe as capture
from memoranda.errors import InvalidImport, ScopeClosed
from memoranda.types import Imported, Observed, Scope, Turn
from memoranda.verbs.session import Session

SERVED_KEPT = 100
"""So many servings are kept in memory before they are written down."""


class Capturing(Session):
    """Verbs by which conversations come in."""

    def enable(self, scope: Scope | str | None = None) -> None:
        """Let turns be captured from now on, or no longer leave out those of a `scope`.

        What the owner and what a person turned off, each takes back themselves; off wins. A person
        switches their own scope and nothing else. Raises InvalidInput, ScopeClosed.
        """
        self._switch(True, given.scope(scope))

    def disable(self, scope: Scope | str | None = None) -> None:
        """Capture nothing from now on, or nothing of a `scope`; what is stored stays.

        What is said by that person, heard by that profile, or said in that project is left out
        though the home's switch is on. Raises as `enable` does.
        """
        self._switch(False, given.scope(scope))

    def _switch(self, on: bool, scope: Scope | None) -> None:
        """Turn a switch, or what somebody other than the owner may turn of it."""
        person = None if self.access.is_owner else self.access.person
        themselves = person is not None and scope == person
        if person is not None and not themselves:
            raise ScopeClosed(
                f"only the owner turns capture on or off; {person} does for what {person} says, "
                "with that as the scope"
            )
        if not themselves:
            self._refuse_to_rule("turns capture on or off")
        self._store.set_capture(on, scope, at=self._clock(), by=self._door, themselves=themselves)

    def observe(
        self,
        turns: Iterable[Turn],
        *,
        embed: bool | None = None,
        keep_secrets: bool = False,
        scheduled: bool = False,
    ) -> Observed:
        """Store turns as they come in; those stored before are recognised and left alone.

        A call with few turns is one transaction; a long one is many, and can be repeated after an
        interruption. Then the turns are embedded unless `embed`, or without it the settings, say
        otherwise. Secrets are left out unless told to keep them. What is `scheduled` no person
        said, whatever its role. Raises CaptureOff while capture is off, for the home or for whom
        they are of, and InvalidInput for a time without a zone.
        """
        if given.flag("scheduled", scheduled):
            turns = capture.unsaid(turns)
        return self._observe(turns, deliberate=False, embed=embed, keep_secrets=keep_secrets)

    def import_(
        self,
        path: str | Path,
        *,
        format: str = "auto",
        dry_run: bool = False,
        place: str | None = None,
        advance: Callable[[int], None] | None = None,
        embed: bool | None = None,
        keep_secrets: bool = False,
    ) -> Imported:
        """Store the turns that another program left, whether capture is on or not.

        `path` is a file or a folder; what it is of, if `format` does not say so, is told from what
        is in it. They are embedded as `observe` does. A file of turns is read whole first, which
        tells `advance` its bytes twice; if it cannot be read, nothing is stored, and InvalidImport
        is raised, as when nothing known is there. Of other formats each record that cannot be read
        is told in what is returned. A dry run counts as `stored` every turn it read.
        """
        from memoranda.capture.importers import formats, reading
        from memoranda.upkeep import transfer

        given.flag("dry_run", dry_run)
        given.flag("keep_secrets", keep_secrets)
        given.flag_or_none("embed", embed)
        path, place = given.path("path", path), given.text_or_none("place", place)
        given.function("advance", advance)
        if format == "auto" and transfer.recognises(path):
            reason = "it is the archive of a home, which `import_home` brings in"
            raise InvalidImport(place or str(path), None, reason)
        found = formats.find(path, format, place)
        named = place if found.files == [path] else None
        account = reading.Reading(self.settings.zone, named, advance)
        turns = found.turns(account, dry_run=dry_run)
        observed = None
        if dry_run:
            deque(turns, maxlen=0)
        else:
            observed = self._observe(turns, deliberate=True, embed=embed, keep_secrets=keep_secrets)
        return account.imported(observed, found.format)

    def _observe(
        self,
        turns: Iterable[Turn],
        *,
        deliberate: bool,
        embed: bool | None,
        keep_secrets: bool,
    ) -> Observed:
        given.flag_or_none("embed", embed)
        observed = capture.observe(
            turns,
            self._store,
            self.access.own,
            self.access.project,
            now=self._clock(),
            by=self._door,
            deliberate=deliberate,
            passage_size=self.settings.passage_size,
            keep_secrets=given.flag("keep_secrets", keep_secrets),
            profile=self.access.profile,
        )
        if observed.stored:
            self._embed_written(observed.stored, embed)
        if len(self._served) >= SERVED_KEPT:  # of who is open for long; close() writes the rest
            self._record_served()
        return observed
