"""Finding what is known: answers, a block for a prompt, and what is on record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from memoranda import given
from memoranda.policy import fading
from memoranda.retrieval.disputed import believed
from memoranda.retrieval.question import Question
from memoranda.retrieval.recall import recall
from memoranda.types import Context, Filter, Fusion, Kind, Recall, Verdict
from memoranda.verbs.backing import Backing
from memoranda.verbs.skilled import Skilled


class Finding(Skilled, Backing):
    """Verbs that answer questions."""

    def recall(
        self,
        query: str,
        *,
        limit: int | None = None,
        budget: int | None = None,
        kinds: Iterable[Kind | str] | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        memories: bool = True,
        turns: bool = True,
        links: bool | None = None,
        rerank: bool | None = None,
        conversation: str | None = None,
        incognito: bool = False,
        quarantined: bool = False,
    ) -> Recall:
        """What is known about a question, best first; empty when nothing is.

        `limit` bounds the hits and `budget` their tokens; both have a default in the settings, and
        a budget of 0 is none. With `kinds` only memories are searched. Any text is a valid query.
        What hangs together with the names in the question is searched for too if `links` says so,
        and the hits are reranked if `rerank` does; without them the settings decide. When those
        name no reranker, it is `maxsim`. In a `conversation` that is incognito nothing is recalled
        unless `incognito` says so. What is `quarantined` is for a person to look at, never for a
        model. Neither counts as a use.
        Reads only; which memories were found is written down later. Raises InvalidInput.
        """
        given.flag("incognito", incognito)
        hidden = conversation is not None and self._is_incognito(conversation, self._clock())
        if hidden and not incognito:
            return Recall((), 0, degraded=(f"incognito: nothing is recalled into {conversation}",))
        chosen = self._filter(kinds=kinds, as_of=as_of, known=known, since=since, until=until)
        chosen = replace(chosen, quarantined=given.flag("quarantined", quarantined))
        question = replace(
            self._question(given.text("query", query), chosen),
            memories=given.flag("memories", memories),
            turns=given.flag("turns", turns),
        )
        if limit is not None:
            question = replace(question, limit=given.limit(limit))
        if budget is not None:
            question = replace(question, budget=given.budget(budget))
        if given.flag_or_none("links", links) is not None:
            question = replace(question, links=bool(links))
        answer = self._answer(question, given.flag_or_none("rerank", rerank))
        if not (chosen.is_past or hidden or quarantined):
            self._note_served("recall", _memories_in(answer), answer.tokens, conversation)
        return answer

    def _question(self, text: str, chosen: Filter) -> Question:
        """A question on the terms of the settings."""
        return Question(
            text=text,
            visible=self.access.visible,
            filter=chosen,
            limit=self.settings.recall_limit,
            budget=self.settings.recall_budget,
            fusion=Fusion(self.settings.fusion),
            links=self.settings.links,
            rerank_depth=self.settings.reranking_depth,
            curves=fading.curves(self.settings),
        )

    def _answer(self, question: Question, rerank: bool | None = None) -> Recall:
        reranks = self.settings.reranks if rerank is None else rerank
        reranker = self._reranker if reranks else None
        return recall(question, self._store, self._embedder, reranker)

    def context(
        self,
        query: str | None = None,
        *,
        budget: int | None = None,
        window: int | None = None,
        conversation: str | None = None,
        as_of: datetime | None = None,
        known: datetime | None = None,
    ) -> Context:
        """The block for a prompt: constraints, preferences, decisions, what `query` recalls.

        It takes at most `budget` tokens and 15 % of the `window`; both have a default in the
        settings. Of two sides of a contradiction it holds the one that is proposed, and says so.
        With `as_of` it is what held then, with `known` what was believed. In a `conversation` that
        is incognito it is empty. Reads only. Raises InvalidInput.
        """
        from memoranda.context import assemble, standing
        from memoranda.context.skills import index

        if conversation is not None and self._is_incognito(conversation, self._clock()):
            why = f"incognito: nothing is recalled into {conversation}"
            return Context("", degraded=(why,))
        query = given.text_or_none("query", query)
        window = given.tokens("window", window, self.settings.context_window)
        most = given.tokens("budget", budget, self.settings.context_budget)
        chosen = self._filter(as_of=as_of, known=known)
        visible = self.access.visible
        found = Recall((), 0) if query is None else self._answer(self._question(query, chosen))
        curves, most = fading.curves(self.settings), min(most, int(window * assemble.SHARE))
        stands = standing.standing(self._store, visible, chosen, curves, budget=most)
        asked = assemble.Asked(
            now=chosen.now,
            budget=most,
            curves=curves,
            losers=self._losers(found, chosen),
            characters=self.settings.context_characters,
        )
        skilled = () if chosen.is_past else index(self.skills().found)
        told = () if chosen.is_past else self._backup_warnings()
        block = assemble.assemble(stands, found.hits, asked, skilled, told)
        block = replace(block, degraded=found.degraded)
        if not chosen.is_past:
            recalled = [id for id in _memories_in(found) if id in block.ids]
            stood = [id for id in block.ids if id not in recalled]
            self._note_served("context", stood, block.tokens, conversation, window)
            self._note_served("recall", recalled, 0, conversation, 0)
        return block

    def _losers(self, found: Recall, chosen: Filter) -> frozenset[str]:
        """What was recalled and is contradicted by something that is rather to be believed."""
        if chosen.is_past:
            return frozenset()
        told = self._store.fetch_memories(_memories_in(found), self.access.visible, chosen)
        instead = believed(told, self.access.visible, chosen, self._store)
        return frozenset(each.id for each in told if instead[each.id].id != each.id)

    def verify(self, claim: str) -> Verdict:
        """Whether a claim is on record: supported, contradicted, or no record of it.

        Names, numbers, dates and negation must agree with a record, and the wording must be near.
        "I" and "we" are whoever's memory it is. Any text is a valid claim. Reads only. Raises
        InvalidInput.
        """
        from memoranda.retrieval.verify import Claim, verify  # loads word lists

        asked = Claim(
            text=given.text("claim", claim),
            visible=self.access.visible,
            now=self._clock().astimezone(self.settings.zone),
            fusion=Fusion(self.settings.fusion),
        )
        return verify(asked, self._store, self._embedder)


def _memories_in(found: Recall) -> list[str]:
    return [hit.id for hit in found.hits if hit.type == "memory"]
