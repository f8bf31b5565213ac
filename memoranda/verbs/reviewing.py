"""Staying true: what contradicts, and what a person should look at."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from memoranda import given
from memoranda.errors import InvalidInput
from memoranda.formation import changes
from memoranda.policy import fading
from memoranda.types import Change, Operation
from memoranda.verbs.forgetting import Forgetting
from memoranda.verbs.looking import Looking
from memoranda.verbs.naming import Naming
from memoranda.verbs.passing import Passing

if TYPE_CHECKING:
    from memoranda.care import Action, Contradiction, Item, Review, Side


class Reviewing(Forgetting, Passing, Naming, Looking):
    """Verbs by which a person settles and decides."""

    def contradictions(self, *, limit: int = 50) -> tuple[Contradiction, ...]:
        """What cannot hold together and waits for somebody to settle it, the oldest first.

        Two memories, or a memory and a candidate that would change it. Raises InvalidInput.
        """
        from itertools import islice

        from memoranda.formation import settling

        waiting = settling.waiting(self._store, self.access.visible)
        return tuple(islice(waiting, given.limit(limit)))

    def settle(self, id: str, keep: Side | str) -> Contradiction:
        """Say which side of a contradiction holds: newer, older, or both; returns it as it was.

        The other side is superseded, and the one that holds is confirmed; what never held is told
        so. An offer of the wider scope's change is taken with older, and declined with newer or
        both. Raises InvalidInput, NotFound, Ambiguous, Conflict.
        """
        from memoranda.formation import settling

        visible, chosen = self.access.deciding, given.side(keep)
        found = settling.one(given.text("id", id), self._store, visible)
        settling.settle(found, chosen, self._store, visible, now=self._clock(), by=self._door)
        return found

    def review(self, *, limit: int = 50) -> Review:
        """What is to be looked at: contradictions, candidates, what is old, double, unused, …

        The most pressing first, at most `limit` items; `decide` says what becomes of each. What a
        person kept as it is does not come up again for a while. Raises InvalidInput.
        """
        from memoranda.care import Concern, Review
        from memoranda.health import reviewing

        given.limit(limit)
        found = reviewing.items(
            reviewing.look(
                self._store,
                self.access.visible,
                self.contradictions(limit=given.MOST_RESULTS),
                self.topics(),
                fading.curves(self.settings),
                self._clock_here(),
            )
        )
        kept = self._store.kept.those(
            [each.key for each in found], self.access.own, now=self._clock()
        )
        left = [each for each in found if each.key not in kept]
        counts = {str(each): sum(item.concern == each for item in left) for each in Concern}
        shown = tuple(map(self._with_draft, left[:limit]))
        return Review(shown, {name: count for name, count in counts.items() if count})

    def decide(self, key: str, action: Action | str, *, content: str | None = None) -> None:
        """Say what becomes of an item of a review, by its key; `edit` takes the new `content`.

        What is kept as it is does not come up again for as many days as the settings say. Raises
        InvalidInput for an action that the item does not take, NotFound, Ambiguous, Conflict.
        """
        from memoranda.care import Action, Concern

        name, _, id = given.text("key", key).partition(":")
        concern = given.concern(name)
        chosen, content = given.action(action), given.text_or_none("content", content)
        if (content is None) == (chosen == Action.EDIT):
            raise InvalidInput("content: edit takes one, and no other action does")
        match concern, chosen:
            case _, Action.KEEP:
                until = self._clock() + timedelta(days=self.settings.review_again_days)
                self._store.kept.keep([key], self.access.own, until=until)
            case Concern.CONTRADICTION, Action.NEWER | Action.OLDER | Action.BOTH:
                self.settle(id, str(chosen))
            case Concern.CANDIDATE, Action.ACCEPT | Action.EDIT:
                self.accept(id, content=content)
            case Concern.CANDIDATE, Action.REJECT:
                self.reject(id)
            case Concern.QUARANTINED, Action.RELEASE:
                self.release(id)
            case Concern.DUPLICATE, Action.MERGE | Action.NEWER | Action.OLDER:
                self._join(id, chosen)
            case Concern.TOPIC, Action.MERGE:
                self._merge_topic(id)
            case Concern(), Action.CONFIRM:
                self.confirm(id)
            case Concern(), Action.RETIRE:
                self.retire(id)
            case Concern(), Action.FORGET:
                self.forget(id)
            case Concern(), Action.EDIT:
                self.revise(id, content or "")
            case _:
                raise InvalidInput(f"key: {concern} does not take {chosen}")

    def _join(self, ids: str, chosen: Action) -> None:
        """Have one memory in the place of two that say the same, with what is known of both."""
        from memoranda.care import Action

        now = self._clock()
        newer, older = (self._live(id) for id in ids.split("+", 1))
        kept, gone = (older, newer) if chosen == Action.OLDER else (newer, older)
        after = changes.merged(kept, gone) if chosen == Action.MERGE else kept
        closed = changes.superseded(gone, kept.id, ended=now, now=now)
        made = [Change(Operation.SETTLE, gone, closed)]
        if after != kept:
            made.insert(0, Change(Operation.SETTLE, kept, after))
        self._apply(now, *made)

    def _merge_topic(self, name: str) -> None:
        close = next((each.close for each in self.topics() if each.name == name), None)
        if close is None:
            raise InvalidInput(f"key: the topic {name[:40]!r} is close to no other")
        self.merge_topics(name, close)

    def _with_draft(self, item: Item) -> Item:
        """An item of a review with the skill that its candidate would become, if it can be one."""
        if item.decision is None or not item.decision.candidate.procedure:
            return item
        from memoranda.care import Action
        from memoranda.files import drafts, skills

        try:
            drafted = skills.drafted(self._path, item.decision.scope, drafts.draft(item.decision))
        except InvalidInput as error:
            return replace(item, why=str(error), actions=(Action.EDIT, Action.REJECT))
        return replace(item, skill=drafted)
