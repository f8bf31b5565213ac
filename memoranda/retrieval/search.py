"""Searching memories or turns by every list there is, as one ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from memoranda.errors import EmbeddingError
from memoranda.protocols import Embedder, Near, Ranking, Store, Vector, Words
from memoranda.retrieval import dense, fusion, graph, lexical, temporal
from memoranda.retrieval.fusion import Fused
from memoranda.retrieval.question import Question
from memoranda.types import MANY, Filter, Fusion, HitType, Ranked, Scopes, Span

LEAST_POOL = 50
"""Of each list at least so many are fused, or two and a half times as many as asked for."""

FEW_NAMED = 3
"""A name that the model does not know leads to the texts that have it, if they are no more."""

UNHEARD_OF = 0.075
"""What share of a full likeness more is asked for when a name in the question is unheard of."""

NONE_HEARD_OF = 0.125
"""The same when all names in it are."""

LookUp = Callable[[Words, Scopes, Filter, int], Ranking]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the lists take it: its words, and its vector when there is one.

    From `names`, whatever they are, links are walked; `named` are written as names.
    """

    words: Words
    names: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    vector: Vector = b""
    embedder: Embedder | None = None
    degraded: tuple[str, ...] = ()


def ask(question: Question, embedder: Embedder | None, times: Sequence[Span] = ()) -> Asked:
    """Make a question ready to be looked up.

    A time told without a number ("last spring") is no part of what is asked; a date is among the
    words of a turn. No name of a month is somebody's.
    """
    untold = [span for span in times if not any(each.isdigit() for each in span.text)]
    about = temporal.rest(question.text, untold) or question.text
    words = lexical.words(about)
    names = graph.names(about) if question.links else ()
    named = lexical.names(temporal.rest(question.text, times))
    if embedder is None or question.fusion == Fusion.LEXICAL or not about.strip():
        return Asked(words, names, named)
    vector, problem = dense.vector(about, embedder)
    return Asked(words, names, named, vector, embedder, () if problem is None else (problem,))


@dataclass(frozen=True, slots=True)
class Found:
    """What was found among memories or turns, best first, and by which lists.

    `full` is the likeness of a text that says just what was asked; `floor` is what the best one
    must have, or nothing is known. Of the names asked about, `named`, some may be unheard of;
    `strangers` says that all are.
    """

    type: HitType
    fused: Sequence[Fused]
    lexical: Ranking
    near: Near | None = None
    full: float = 1.0
    floor: float = 0.0
    named: tuple[str, ...] = ()
    unheard_of: tuple[str, ...] = ()
    strangers: bool = False
    degraded: tuple[str, ...] = ()

    def with_more(self, more: Found) -> Found:
        """With what a narrower search found besides, unless that could not do what this one did."""
        if (more.near is None) != (self.near is None):
            return replace(self, degraded=tuple(dict.fromkeys((*self.degraded, *more.degraded))))
        seen = {each.place for each in self.fused}
        new = (each for each in more.fused if each.place not in seen)
        named = (replace(each, ranks={"temporal": rank}) for rank, each in enumerate(new, start=1))
        return replace(self, fused=(*self.fused, *named))

    def with_all(self, listed: Sequence[Ranked]) -> Found:
        """With what was at a time besides, like the question or not."""
        seen = {each.place for each in self.fused}
        new = (
            Fused(each.place, 0.0, {"temporal": rank}, {})
            for rank, each in enumerate(listed, start=1)
            if each.place not in seen
        )
        return replace(self, fused=(*self.fused, *new))

    @property
    def candidates(self) -> Mapping[str, int]:
        """How many each list found."""
        dense = {} if self.near is None else {"dense": len(self.near.found)}
        more = Counter(name for each in self.fused for name in each.ranks)
        return {**more, "lexical": len(self.lexical.found), **dense}

    @property
    def known(self) -> list[Fused]:
        return fusion.known(self.fused, self.floor)


def search(
    type: HitType, asked: Asked, question: Question, store: Store, times: Sequence[Span] = ()
) -> Found:
    """The ranking by words and, if the question has a vector, that by meaning, as one.

    What may tell of one of the `times` is searched for once more by itself, so that it is found
    among much that is more like the question.
    """
    found = _search(type, asked, question, question.filter, store)
    if question.everything:
        found = found.with_all(_everything(type, question, store))
    if not question.floors:
        return replace(found, floor=0.0)
    for filter in temporal.within(question.filter, times):
        found = found.with_more(_search(type, asked, question, filter, store))
    return _less_sure(found, asked.named, question, store)


def _everything(type: HitType, question: Question, store: Store) -> Sequence[Ranked]:
    return store.in_time(
        type,
        question.visible,
        question.filter,
        _pool(question),
        latest_first=question.everything == "latest first",
    )


def _pool(question: Question) -> int:
    return max(LEAST_POOL, question.spared)


def _search(type: HitType, asked: Asked, question: Question, filter: Filter, store: Store) -> Found:
    pool = _pool(question)
    look_up = _look_up(type, store)
    ranking = look_up(asked.words, question.visible, filter, pool)
    linked = _linked(type, asked, question, filter, store, pool)
    by_words = Found(type, fusion.by_words(ranking, linked), ranking)
    embedder = asked.embedder
    if embedder is None or not asked.vector:
        return by_words
    try:
        also = (*ranking.found, *linked)
        near = store.near(
            type, asked.vector, embedder.name, question.visible, filter, pool, also=also
        )
        named = _named(asked.words, ranking, embedder, look_up, question, filter)
        return _fused(by_words, near, named, linked, embedder, question)
    except EmbeddingError as error:
        return replace(by_words, degraded=(f"dense: {error}",))


def _less_sure(found: Found, named: Sequence[str], question: Question, store: Store) -> Found:
    """What must be more like a question about someone whom nothing searched names."""
    if found.near is None or question.fusion != Fusion.CALIBRATED:
        return found
    look_up = _look_up(found.type, store)
    visible = " ".join(scope.name or "" for scope in question.visible).lower()
    unheard_of = tuple(
        name
        for name in named
        if name.lower() not in visible
        and not look_up(lexical.spellings(name), question.visible, question.filter, 1).found
    )
    if not unheard_of:
        return found
    strangers = len(unheard_of) == len(named)
    more = NONE_HEARD_OF if strangers else UNHEARD_OF
    floor = found.floor + more * found.full
    return replace(
        found, floor=floor, named=tuple(named), unheard_of=unheard_of, strangers=strangers
    )


def _look_up(type: HitType, store: Store) -> LookUp:
    return store.search_memories if type == "memory" else store.search_turns


def _linked(
    type: HitType, asked: Asked, question: Question, filter: Filter, store: Store, limit: int
) -> Sequence[Ranked]:
    if not asked.names:
        return ()
    return store.linked(type, asked.names, question.visible, filter, limit)


def _fused(
    found: Found,
    near: Near,
    named: Sequence[Ranked],
    linked: Sequence[Ranked],
    embedder: Embedder,
    question: Question,
) -> Found:
    """What was found by words together with what is near. Raises EmbeddingError."""
    type, ranking = found.type, found.lexical
    found = replace(found, near=near, degraded=tuple(dense.gaps(near, type, MANY[type], embedder)))
    match question.fusion:
        case Fusion.DENSE:
            return replace(found, fused=fusion.by_vector(near))
        case Fusion.RRF60:
            lists = {"lexical": ranking.found, "dense": near.found}
            return replace(found, fused=fusion.reciprocal_rank(lists))
        case _:
            calibration = embedder.memories if type == "memory" else embedder.turns
            fused = fusion.calibrated(ranking, near, calibration, named, linked)
            return replace(
                found,
                fused=fused,
                full=calibration.full,
                floor=calibration.floor_among(near.searched) - calibration.least,
            )


def _named(
    words: Words,
    ranking: Ranking,
    embedder: Embedder,
    look_up: LookUp,
    question: Question,
    filter: Filter,
) -> Sequence[Ranked]:
    """The texts that have a name which the model does not know, unless they are many.

    What many texts have tells none of them apart.
    """
    names = Words(dense.unknown(words.phrases, embedder))
    if not names:
        return ()
    if names != words:
        ranking = look_up(names, question.visible, filter, FEW_NAMED + 1)
    return ranking.found if len(ranking.found) <= FEW_NAMED else ()
