"""Evidence recall on LoCoMo: does a search find the turns that answer a question?

Ten long conversations with questions, each naming the turns that hold its answer. What is measured
is retrieval alone: the turns are ranked for each question, without a language model anywhere.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from memoranda import wiring
from memoranda.bench.asking import FUSIONS, Memorized, ask, fill
from memoranda.errors import InvalidImport
from memoranda.protocols import Embedder, Reranker, Store
from memoranda.stores.sqlite import SqliteStore
from memoranda.text.words import alternatives
from memoranda.types import Fusion, Turn

DEPTH = 20
FIRST_FOUR = frozenset((1, 2, 3, 4))
ALL = frozenset((1, 2, 3, 4, 5))

Rank = Callable[[str, str], Sequence[str]]
"""From a conversation's name and a question to turn ids (`conversation/D1:3`), best first."""


@dataclass(frozen=True, slots=True)
class Question:
    conversation: str
    text: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; every figure is a mean over questions, between 0 and 1.

    `r5`, `r10` and `r20`: the share of a question's evidence among the first 5, 10, 20. `all10`:
    whether all of it is among the first 10. `mrr`: one over the rank of the first. `ndcg10`:
    normalised discounted cumulative gain at 10 with binary relevance.
    """

    method: str
    model: str
    store: str
    categories: str
    questions: int
    r5: float
    r10: float
    r20: float
    all10: float
    mrr: float
    ndcg10: float


@dataclass(frozen=True, slots=True)
class Data:
    turns: Mapping[str, Sequence[Turn]]
    questions: Sequence[Question]


def load(path: Path) -> Data:
    """Read `locomo10.json`. Raises InvalidImport when it is something else.

    Evidence that names no turn of its conversation is dropped, and questions left without any.
    """
    try:
        samples = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(samples, list) or not samples:
            raise ValueError("not a list of conversations")
        turns = {sample["sample_id"]: list(_turns(sample)) for sample in samples}
        questions = [
            question
            for sample in samples
            for question in _questions(sample, {turn.id for turn in turns[sample["sample_id"]]})
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidImport(str(path), None, f"this is no LoCoMo file ({error!r})") from error
    return Data(turns, questions)


def _turns(sample: Mapping[str, Any]) -> Iterator[Turn]:
    conversation = sample["conversation"]
    sessions = [name for name in conversation if re.fullmatch(r"session_\d+", name)]
    for session in sorted(sessions, key=lambda name: int(name.split("_")[1])):
        said = datetime.strptime(
            conversation[f"{session}_date_time"], "%I:%M %p on %d %B, %Y"
        ).replace(tzinfo=UTC)
        for turn in conversation[session]:
            yield Turn(
                conversation=sample["sample_id"],
                role="user",  # both are people
                speaker=turn["speaker"],
                content=turn["text"],
                time=said,
                id=turn["dia_id"],
            )


def _questions(sample: Mapping[str, Any], known: Set[str | None]) -> Iterator[Question]:
    name = sample["sample_id"]
    for each in sample["qa"]:
        named = re.findall(r"D:?(\d+):(\d+)", " ".join(each["evidence"]))
        ids = {f"D{int(session)}:{int(turn)}" for session, turn in named}
        evidence = frozenset(f"{name}/{id}" for id in ids & known)
        if evidence:
            yield Question(name, each["question"], each["category"], evidence)


def run(
    data: Data,
    embedders: Mapping[Embedder, Sequence[Reranker]],
    advance: Callable[[int], None] = lambda _: None,
) -> list[Row]:
    """The table: grep and words, then for each model its vectors alone and both ways to fuse.

    Each with a store per conversation and with all in one; then, with the former only, what each
    of the model's rerankers makes of the better way. `advance` is called with 1 after each question
    that was asked and each text that was embedded.
    """
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = {
            name: stack.enter_context(_home(Path(folder) / "each" / name, [turns]))
            for name, turns in data.turns.items()
        }
        one = stack.enter_context(_home(Path(folder) / "one", data.turns.values()))
        rows += _rows(data, homes, one, None, (), advance)
        for embedder, rerankers in embedders.items():
            model = Memorized(embedder)
            for store in (*homes.values(), one):
                fill(store, model, advance)
            rows += _rows(data, homes, one, model, rerankers, advance)
    return rows


def _rows(
    data: Data,
    homes: Mapping[str, Store],
    one: Store,
    model: Embedder | None,
    rerankers: Sequence[Reranker],
    advance: Callable[[int], None],
) -> list[Row]:
    """The rows of a model, or without one those that need none."""
    methods: list[tuple[str, str, Rank]] = []
    if model is None:
        methods += [
            ("grep", "per-conversation", lambda name, text: grep(data.turns[name], text)),
            ("grep", "one", lambda _, text: grep(_all(data), text)),
        ]
    for fusion in FUSIONS if model else (Fusion.LEXICAL,):
        methods += [
            (fusion, "per-conversation", partial(_in_own, homes, fusion, model, None)),
            (fusion, "one", partial(_in_one, one, fusion, model)),
        ]
    methods += [
        (each.name, "per-conversation", partial(_in_own, homes, Fusion.CALIBRATED, model, each))
        for each in rerankers
    ]
    rows = []
    for method, store, rank in methods:
        answers = []
        for question in data.questions:
            answers.append((question, rank(question.conversation, question.text)))
            advance(1)
        name = "" if model is None else model.name
        rows += [
            score(method, name, store, chosen, [each for each in answers if each[0].category in of])
            for chosen, of in (("1-4", FIRST_FOUR), ("all", ALL))
        ]
    return rows


def steps(data: Data, models: int, rerankers: int) -> int:
    """How often `run` calls `advance` with 1, for so many models, each with so many rerankers."""
    questions = len(data.questions) * (4 + (2 * len(FUSIONS) + rerankers) * models)
    return questions + 2 * models * len(_all(data))


def _in_own(
    homes: Mapping[str, Store],
    fusion: Fusion,
    model: Embedder | None,
    reranker: Reranker | None,
    name: str,
    text: str,
) -> list[str]:
    return search(homes[name], fusion, model, text, reranker)


def _in_one(store: Store, fusion: Fusion, model: Embedder | None, _: str, text: str) -> list[str]:
    return search(store, fusion, model, text)


@contextmanager
def _home(folder: Path, conversations: Iterable[Sequence[Turn]]) -> Iterator[Store]:
    """A store with these conversations; its home is the folder."""
    wiring.init(folder, enable=True)
    with wiring.open(folder, door="bench") as memoranda:
        for turns in conversations:
            memoranda.observe(turns, embed=False)
    with closing(SqliteStore(folder / wiring.STORE_FILE)) as store:
        yield store


def _all(data: Data) -> list[Turn]:
    return [turn for turns in data.turns.values() for turn in turns]


def grep(turns: Sequence[Turn], question: str) -> list[str]:
    """Turns that contain any content word of the question, as `grep -i` lists them."""
    words = [word.lower() for word in alternatives(question)[0]]
    matching = (
        f"{turn.conversation}/{turn.id}"
        for turn in turns
        if any(word in turn.content.lower() for word in words)
    )
    return [id for _, id in zip(range(DEPTH), matching, strict=False)]


def search(
    store: Store,
    fusion: Fusion,
    model: Embedder | None,
    text: str,
    reranker: Reranker | None = None,
) -> list[str]:
    hits = ask(store, fusion, model, text, limit=DEPTH, turns=True, reranker=reranker)
    return [f"{hit.source.conversation}/{hit.source.key}" for hit in hits]


def score(
    method: str,
    model: str,
    store: str,
    categories: str,
    answers: Sequence[tuple[Question, Sequence[str]]],
) -> Row:
    def averaged(figure: Callable[[frozenset[str], Sequence[str]], float]) -> float:
        if not answers:
            return 0.0
        return round(mean(figure(question.evidence, ids) for question, ids in answers), 4)

    return Row(
        method=method,
        model=model,
        store=store,
        categories=categories,
        questions=len(answers),
        r5=averaged(lambda evidence, ids: recall_at(5, evidence, ids)),
        r10=averaged(lambda evidence, ids: recall_at(10, evidence, ids)),
        r20=averaged(lambda evidence, ids: recall_at(20, evidence, ids)),
        all10=averaged(lambda evidence, ids: float(evidence <= set(ids[:10]))),
        mrr=averaged(reciprocal_rank),
        ndcg10=averaged(lambda evidence, ids: ndcg(10, evidence, ids)),
    )


def recall_at(depth: int, evidence: frozenset[str], ids: Sequence[str]) -> float:
    return len(evidence & set(ids[:depth])) / len(evidence)


def reciprocal_rank(evidence: frozenset[str], ids: Sequence[str]) -> float:
    return next((1 / rank for rank, id in enumerate(ids, start=1) if id in evidence), 0.0)


def ndcg(depth: int, evidence: frozenset[str], ids: Sequence[str]) -> float:
    """Binary relevance, discount log2(rank + 1) (Järvelin and Kekäläinen, 2002)."""
    gained = sum(
        1 / math.log2(rank + 1) for rank, id in enumerate(ids[:depth], start=1) if id in evidence
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, min(depth, len(evidence)) + 1))
    return gained / ideal


COLUMNS = tuple(each.name for each in fields(Row))
