"""Looking after a home: what is done at night, and how well memory serves."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import InvalidInput, NotToldError
from memoranda.policy import fading
from memoranda.types import Backlog, HomeStatus, Switch
from memoranda.verbs.reviewing import Reviewing
from memoranda.verbs.words import warn

if TYPE_CHECKING:
    from memoranda.care import Health, Sweep
    from memoranda.passes import Pass


RECKONED = 300
"""Turns that are reckoned before the measures are told, at most; the rest is for a sweep."""

SENT = "the review was sent"
"""What is kept until it is to be sent again."""


class Tending(Reviewing):
    """Verbs that go over the whole of a memory, or tell of it."""

    def status(self) -> HomeStatus:
        """What is on, where, since when, how much is visible and waits, and who receives text."""
        backlog, switches = self._backlog(), self._switches()
        return HomeStatus(
            place=str(self._path),
            bytes=self._bytes,
            capturing_since=switches[0].since if switches[0].on else None,
            visible=self.access.visible,
            holdings=self._store.holdings(self.access.visible),
            model=self._store.vectors().model or None,
            language=None if self._language is None else self._language.name,
            backlog=backlog,
            warnings=self._warnings(backlog),
            hosts=self._hosts,
            cipher=self._store.cipher,
            switches=switches,
            captures=self.access.person is not None and not self._off,
            backup_to=str(self._place_set or ""),
            backed_up_at=None if (noted := self._backed_up) is None else noted.verified_at,
        )

    def _switches(self) -> tuple[Switch, ...]:
        """The switches of capture: for the owner all, for others those that concern them."""
        home, *others = self._store.switches()
        access = self.access
        if self._rules:
            return (home, *others)
        mine = {access.person, access.profile, access.project} - {None}
        named = [each for each in others if each.scope in mine]
        unnamed = [each for each in self._off if each.scope in mine and each not in named]
        return (home, *named, *unnamed)

    @property
    def _off(self) -> tuple[Switch, ...]:
        """The switches that keep what is said here from being captured."""
        access = self.access
        if access.person is None:  # of whom nothing is kept anyway
            return ()
        return self._store.switched_off(access.own, access.project, access.profile)

    def _warnings(self, backlog: Backlog) -> tuple[str, ...]:
        return (*super()._warnings(backlog), *self._backup_warnings())

    @property
    def _hosts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(host for _, host in self._receivers()))

    def _receivers(self) -> Iterator[tuple[str, str]]:
        """What texts are sent away for, and to which host."""
        reranker = self._reranker if self.settings.reranks else None
        for purpose, receiver in (
            ("vectors of memories and turns, and of questions", self._embedder),
            ("questions, and what may answer them", reranker),
            ("conversations and memories, to consolidate and sum up", self._language),
            ("warnings and the review", self._notifier),
        ):
            if receiver is not None and receiver.host is not None:
                yield purpose, receiver.host

    def consolidate(
        self,
        *,
        dry_run: bool = False,
        model: str | None = None,
        review: bool | None = None,
        again: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Pass:
        """Make memories of what was said in the own scope since the last pass; returns what it did.

        Each few turns, and each few candidates of them, are one transaction, and none is open while
        the model thinks; interrupted, it goes on where it was when it is called anew. `model` is
        another one at the same endpoint, or "rules", by which it is done without any. `review` has
        every candidate wait for a person; the settings say so without it. What failed three times
        is tried once more with `again`, or by another model. A dry run does it all on a copy; else
        a backup is made at the end where the settings name a place and one is due.
        `advance` is told how many turns were done just now and how many are left. A failure
        of the model is no error: the pass tells what it was stopped by. Raises Busy while another
        pass runs, InvalidInput, StoreError.
        """
        from memoranda.formation import consolidation

        given.function("advance", advance)
        done = consolidation.consolidate(
            self._store,
            self.access.heard,
            self._model_named(model),
            self._embedder,
            self._terms(given.flag_or_none("review", review), again=given.flag("again", again)),
            clock=self._clock_here,
            by=self._door,
            embed=self._embed_memories,
            seen=self.access.visible,
            preview=given.flag("dry_run", dry_run),
            advance=advance,
        )
        if not dry_run:
            self.sweep()
            self._back_up_if_due()
            self._tell_warnings()
            self._send_review_if_due()
            self._keep_files_up()
        return done

    def _tell_warnings(self) -> None:
        """Tell whom the settings name, once for the same warnings; else they are logged."""
        found = "\n".join(self._warnings(self._backlog()))
        kinds = re.sub(r"\d+", "", found)  # not at each number that is another
        if self._notifier is None or not self._store.passes.is_news(self.access.own, kinds):
            return
        try:
            if found:
                self._notifier.tell(found)
        except NotToldError as error:  # the next pass tries again
            warn(f"{error}; nobody was told: {found}")
            return
        self._store.passes.told(self.access.own, kinds)

    def sweep(
        self,
        *,
        dry_run: bool = False,
        everyone: bool = False,
        advance: Callable[[int, int], None] = lambda done, left: None,
    ) -> Sweep:
        """Let go of memories that ended or faded, and of conversations old enough; tells which.

        Those memories expire: nothing of them is lost, and `confirm` brings one back. Pins and
        constraints never do. The conversations, of the own scope, are deleted. With `everyone` it
        does so for every person, profile and project, if the owner asks. Each few of either are one
        transaction; a dry run changes nothing. `advance` is told how many memories expired just now
        and how many are left. `consolidate` does the same at its end. Raises ScopeClosed.
        """
        from memoranda.upkeep import sweep

        given.function("advance", advance)
        if given.flag("everyone", everyone):
            self._refuse_to_rule("sweeps for everyone")
        if not dry_run:
            self._reckon(self._clock_here())
        scopes = self._store.scopes() if everyone else ()
        return sweep.sweep(
            self._store,
            scopes or self.access.deciding,
            scopes or (self.access.own,),
            fading.curves(self.settings),
            conversation_days=self.settings.conversation_days,
            now=self._clock_here(),
            by=self._door,
            dry_run=given.flag("dry_run", dry_run),
            advance=advance,
        )

    def review_summary(self) -> str:
        """What waits for a review, and how memory serves, as Markdown."""
        from memoranda.health import summary

        return summary.markdown(self.review(limit=given.MOST_RESULTS), self.health())

    def send_review(self) -> None:
        """Send that to whom the settings name. Raises InvalidInput for nobody, NotToldError."""
        if self._notifier is None:
            raise InvalidInput("notify: the settings name nobody to send it to")
        self._notifier.tell(self.review_summary(), about="review")

    def _send_review_if_due(self) -> None:
        """Send what waits once in as many days as the settings say."""
        days, now = self.settings.review_days, self._clock()
        if self._notifier is None or not days:
            return
        if self._store.kept.those([SENT], self.access.own, now=now):
            return
        try:
            self.send_review()
        except NotToldError as error:  # the next pass tries again
            warn(f"{error}; nobody was sent the review")
            return
        self._store.kept.keep([SENT], self.access.own, until=now + timedelta(days=days))

    def health(self, *, weeks: int = 12) -> Health:
        """How well memory serves: the four measures, by week and scope, and what is stored.

        First it reckons what was said since the last time, each turn a transaction. So many `weeks`
        are told. Raises InvalidInput.
        """
        from memoranda import terms
        from memoranda.health.report import report

        count, now = given.weeks(weeks), self._clock_here()
        self._reckon(now, most=RECKONED)
        backlog = self._backlog()
        return report(
            self._store,
            self.access.visible,
            fading.curves(self.settings),
            terms.prices(self.settings),
            weeks=count,
            now=now,
            size=self._bytes,
            waiting=self._waiting_counts(backlog),
            warnings=self._warnings(backlog),
        )

    def _waiting_counts(self, backlog: Backlog) -> dict[str, int]:
        return {
            "turns": backlog.turns,
            "turns set aside": backlog.aside,
            "candidates": backlog.candidates,
            "candidates set aside": backlog.candidates_aside,
            "candidates in review": backlog.review,
            "turns to reckon": self._store.uses.unreckoned(self.access.own),
            "contradictions": len(self.contradictions(limit=given.MOST_RESULTS)),
        }

    def _reckon(self, now: datetime, *, most: int = sys.maxsize) -> None:
        """Reckon what was said since the last time, and write down what was served until now."""
        if not self.settings.log_use or self._store.is_read_only:
            return
        from memoranda.health import reckoning

        self._record_served()
        reckoning.reckon(self._store, self.access.own, self.access.visible, now, most=most)

    @property
    def _bytes(self) -> int:
        return sum(each.stat().st_size for each in self._path.glob("memory.db*"))
