"""Working memory: a long list of messages that fits, and every word of it back."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from memoranda import given
from memoranda.errors import InvalidInput, NotFound
from memoranda.types import Observed, Turn
from memoranda.verbs.session import Session

if TYPE_CHECKING:
    from memoranda.context.compact import Kept
    from memoranda.context.messages import Chat
    from memoranda.working import Compacted, Expanded


class Working(Session):
    """Verbs for the messages of a conversation that goes on."""

    def compact(
        self,
        messages: Sequence[dict[str, Any]],
        budget: int = 4_000,
        *,
        conversation: str | None = None,
        summarise: bool = False,
        keep_secrets: bool = False,
    ) -> Compacted:
        """Make a list of chat messages, OpenAI's or Anthropic's, fit a budget; nothing is lost.

        The turns in it are stored under `conversation` first, as `observe` stores them, each once
        however often the list is sent; without one nothing is, nor while capture is off. What fits
        is returned as it came. Else whole stay what the system says and the newest messages, a call
        of tools together with its results. For the rest stands one stub: refs for `expand`, and as
        far as the budget goes, the newest first, what the user asked for and decided, word for
        word, and a line for each call of a tool. `summarise` has the language model of the home say
        the rest in a fifth of the room; nothing is asked of it otherwise.

        The `budget` is of tokens, estimated of each text and of all else as JSON, with 1,600 for a
        picture and 4 for each message and call besides. A last turn that is longer is cut, and so
        is the system where even that does not fit; below about 120 tokens a stub loses what it
        says, and below 10 nothing is left. `degraded` tells it. Makes no vectors. Raises
        InvalidInput.
        """
        from memoranda.context import compact, summary
        from memoranda.context import messages as chats
        from memoranda.formation.wanted import wanted

        chat, most = chats.read(messages), given.count("budget", budget)
        given.flag("keep_secrets", keep_secrets)
        wish = given.flag("summarise", summarise)
        name = given.text_or_none("conversation", conversation)
        kept, observed, degraded = self._keep(chat, name, keep_secrets)
        model = self._language if wish else None
        if wish and model is None:
            degraded.append("summary: the settings name no language_model")
        if model is not None and name is not None and self._is_incognito(name, self._clock()):
            model = None
            degraded.append(f"summary: no model is told of {name}, which is incognito")
        told = None if model is None else partial(summary.summarise, model)
        made = compact.compact(chat, kept, compact.Asked(most, wanted, told))
        return replace(made, observed=observed, degraded=(*degraded, *made.degraded))

    def _keep(
        self, chat: Chat, conversation: str | None, keep_secrets: bool
    ) -> tuple[Kept, Observed | None, list[str]]:
        """Where the turns of a list are in the store, what became of them, and what is not kept."""
        from memoranda.capture import keeping
        from memoranda.context.compact import Kept

        said = chat.said
        if conversation is None:
            why = "store: without a conversation nothing is kept"
            return Kept((None,) * len(said)), None, [why]
        name = given.short(conversation)
        if not name:
            raise InvalidInput("conversation: an empty text names none")
        after, foreign = self._told_before(chat, name)
        stored = keeping.keep(
            [Turn(name, each.role, each.content, speaker=each.speaker) for each in said],
            self._store,
            self.access.own,
            self.access.project,
            conversation=name,
            after=after,
            unknown=after is None and any(old.stretches for old in chat.stubs),
            now=self._clock(),
            by=self._door,
            passage_size=self.settings.passage_size,
            keep_secrets=keep_secrets,
            profile=self.access.profile,
        )
        why_not = keeping.unkept(stored, name)
        if self.access.task is not None:  # it may not read what it said itself
            why = f"refs: who was made for {self.access.task} reads no conversations, so none opens"
            return Kept((None,) * len(said)), stored.observed, [*why_not, why]
        return Kept(stored.ids, stored.places, foreign), stored.observed, why_not

    def _told_before(self, chat: Chat, conversation: str) -> tuple[str | None, frozenset[str]]:
        """The last turn that earlier stubs stand for, and the refs in them of other talks."""
        from memoranda.working import Ref

        after, foreign = None, set()
        for ref in (each.ref for old in chat.stubs for each in old.stretches if each.ref):
            ends = Ref.parse(ref)
            if self._talks(ends.first, ends.last) <= {conversation}:
                after = ends.last
            else:
                foreign.add(ref)
        return after, frozenset(foreign)

    def _talks(self, *turns: str) -> set[str]:
        """The conversations of those of these turns that are there."""
        found = set()
        for turn in turns:
            with suppress(NotFound):
                found.add(self._store.turn(turn, (self.access.own,)).conversation)
        return found

    def expand(
        self, ref: str, *, budget: int | None = None, conversation: str | None = None
    ) -> Expanded:
        """The turns that a ref of `compact` stands for, whole, in order, as they are stored.

        It is the id of a turn, the beginning of one, or FIRST..LAST of one conversation, which only
        has to be named where both of these are gone. How many are gone is told. With a `budget` of
        tokens as many as fit, or a part of the first, and the ref of the rest; of a budget in which
        nothing fits that is the same again. Raises NotFound when none is there, Ambiguous,
        InvalidInput.
        """
        from memoranda.context.expand import expand
        from memoranda.working import Ref

        return expand(
            Ref.parse(given.text("ref", ref)),
            self._store,
            self.access.visible,
            self.access.heard,
            conversation=given.text_or_none("conversation", conversation),
            budget=None if budget is None else given.count("budget", budget),
        )
