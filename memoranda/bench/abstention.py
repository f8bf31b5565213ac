"""Does a search know when it does not know?

Questions about one pair of people are asked of the store of another, and questions about people of
a store of notes. What is asked of the right store must be answered.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from statistics import mean

from memoranda.bench import locomo, paraphrase
from memoranda.bench.asking import Memorized, Way, ask, fill, without
from memoranda.protocols import Embedder, Store
from memoranda.types import HitType

OF_NOTES = 5
"""Every fifth question about people is asked of the notes."""

LIKENESS = Way("likeness", weights=without())
"""The score is how like the question a text is, and nothing else."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    `own` questions have an answer in the store and `foreign` ones have none; `own_empty` and
    `foreign_empty` say for what share of them nothing is found. `auc`: how often the best score of
    an own question is higher than that of a foreign one.
    """

    searched: str
    model: str
    own: int
    foreign: int
    auc: float
    own_empty: float
    foreign_empty: float


@dataclass(frozen=True, slots=True)
class _Answer:
    score: float
    empty: bool


def run(
    said: locomo.Data,
    noted: paraphrase.Data,
    embedders: Sequence[Embedder],
    advance: Callable[[int], None] = lambda _: None,
) -> list[Row]:
    """A row for turns and one for memories, of each model.

    `advance` is called with 1 after each question that was asked and each text that was embedded.
    """
    rows = []
    with (
        locomo.stores(said) as homes,
        tempfile.TemporaryDirectory() as folder,
        paraphrase.store_of(Path(folder) / "notes", noted) as notes,
    ):
        for model in map(Memorized, embedders):
            for store in (*homes.values(), notes):
                fill(store, model, advance)
            rows += [
                _of_turns(said, homes, model, advance),
                _of_memories(said, noted, notes, model, advance),
            ]
    return rows


def steps(said: locomo.Data, noted: paraphrase.Data, models: int) -> int:
    """How often `run` calls `advance` with 1."""
    asked = len(_with_another(said)) * 2 + len(noted.pairs) + len(said.questions[::OF_NOTES])
    texts = sum(map(len, said.turns.values())) + len(noted.memories)
    return (asked + texts) * models


def _with_another(said: locomo.Data) -> list[tuple[locomo.Question, str]]:
    """Questions of the first four categories, each with a conversation that it is not about."""
    names = list(said.turns)
    return [
        (question, names[names.index(question.conversation) - 1])
        for question in said.questions
        if question.category in locomo.CATEGORIES["1-4"]
    ]


def _of_turns(
    said: locomo.Data,
    homes: dict[str, Store],
    model: Embedder,
    advance: Callable[[int], None],
) -> Row:
    own, foreign = [], []
    for question, other in _with_another(said):
        own.append(_answer(homes[question.conversation], model, question.text, "turn"))
        foreign.append(_answer(homes[other], model, question.text, "turn"))
        advance(2)
    return _row("turns", model, own, foreign)


def _of_memories(
    said: locomo.Data,
    noted: paraphrase.Data,
    notes: Store,
    model: Embedder,
    advance: Callable[[int], None],
) -> Row:
    def answers(questions: Iterable[str]) -> list[_Answer]:
        found = []
        for question in questions:
            found.append(_answer(notes, model, question, "memory"))
            advance(1)
        return found

    own = answers(question for question, _ in noted.pairs)
    foreign = answers(question.text for question in said.questions[::OF_NOTES])
    return _row("memories", model, own, foreign)


def _answer(store: Store, model: Embedder, question: str, type: HitType) -> _Answer:
    """The score of the best, which may be below the floor, and whether nothing was found."""
    found = ask(store, model, LIKENESS, question, limit=1, types=(type,))
    best = [hit.score for hit in found.hits] + [
        each.score for each in found.explanation.cut.get(type, ())
    ]
    return _Answer(max(best, default=0.0), not found.hits)


def _row(searched: str, model: Embedder, own: Sequence[_Answer], foreign: Sequence[_Answer]) -> Row:
    return Row(
        searched=searched,
        model=model.name,
        own=len(own),
        foreign=len(foreign),
        auc=round(area([each.score for each in own], [each.score for each in foreign]), 4),
        own_empty=round(mean(each.empty for each in own), 4),
        foreign_empty=round(mean(each.empty for each in foreign), 4),
    )


def area(own: Sequence[float], foreign: Sequence[float]) -> float:
    """The share of pairs in which the first is higher; a tie counts half (Mann and Whitney)."""
    higher = sum((one > other) + (one == other) / 2 for one in own for other in foreign)
    return higher / (len(own) * len(foreign))


COLUMNS = tuple(each.name for each in fields(Row))
