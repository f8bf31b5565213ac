"""Evidence recall on LoCoMo: does a search find the turns that answer a question?

Ten long conversations with questions, each naming the turns that hold its answer. What is measured
is retrieval alone: the turns are ranked for each question, without a language model anywhere.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

from memoranda import wiring
from memoranda.bench.asking import FUSIONS, PARTS, Memorized, Way, ask, fill
from memoranda.errors import InvalidImport
from memoranda.protocols import Embedder, Reranker, Store
from memoranda.stores.sqlite import SqliteStore
from memoranda.text.words import alternatives
from memoranda.types import Fusion, Turn

DEPTH = 20
CATEGORIES = {"1-4": (1, 2, 3, 4), "all": (1, 2, 3, 4, 5)}
EACH_CATEGORY = {str(number): (number,) for number in range(1, 6)} | CATEGORIES
"""1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial."""


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
    normalised discounted cumulative gain at 10 with binary relevance. `session5`: whether any of
    the first five sessions holds evidence. `empty`: whether nothing was found.
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
    session5: float
    empty: float


@dataclass(frozen=True, slots=True)
class Data:
    turns: Mapping[str, Sequence[Turn]]
    questions: Sequence[Question]

    def asked_at(self, conversation: str) -> datetime:
        """The day after the last that was said."""
        return max(turn.time for turn in self.turns[conversation] if turn.time) + timedelta(days=1)


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
    *,
    parts: bool = False,
) -> list[Row]:
    """The table: grep and words, then for each model its vectors alone and both ways to fuse.

    Each with a store per conversation and with all in one; then, with the former only, what each
    of the model's rerankers makes of the better way, and with `parts` what each part of it earns.
    `advance` is called with 1 after each question that was asked and each text that was embedded.
    """
    rows: list[Row] = []
    with stores(data) as homes, one_store(data) as one:
        every = dict.fromkeys(homes, one)
        rows += _grepped(data, advance)
        by_words = Way(Fusion.LEXICAL, Fusion.LEXICAL)
        for store, places in (("per-conversation", homes), ("one", every)):
            rows += _answered(data, places, store, None, by_words, advance)
        for embedder, rerankers in embedders.items():
            model = Memorized(embedder)
            for each in (*homes.values(), one):
                fill(each, model, advance)
            for fusion in FUSIONS:
                way = Way(fusion, fusion)
                rows += _answered(data, homes, "per-conversation", model, way, advance)
                rows += _answered(data, every, "one", model, way, advance)
            for way in _further(rerankers, parts=parts):
                rows += _answered(data, homes, "per-conversation", model, way, advance)
    return rows


def _further(rerankers: Sequence[Reranker], *, parts: bool) -> list[Way]:
    ways = [Way(each.name, reranker=each) for each in rerankers]
    return [*ways, *(PARTS if parts else ())]


def _answered(
    data: Data,
    stores: Mapping[str, Store],
    store: str,
    model: Embedder | None,
    way: Way,
    advance: Callable[[int], None],
) -> list[Row]:
    answers = []
    for question in data.questions:
        found = ask(
            stores[question.conversation],
            model,
            way,
            question.text,
            limit=DEPTH,
            types=("turn",),
            now=data.asked_at(question.conversation),
        )
        ids = [f"{hit.source.conversation}/{hit.source.key}" for hit in found.hits]
        answers.append((question, ids))
        advance(1)
    name = "" if model is None else model.name
    chosen = EACH_CATEGORY if store != "one" and way.fusion == Fusion.CALIBRATED else CATEGORIES
    return [score(way.name, name, store, each, answers, of) for each, of in chosen.items()]


def _grepped(data: Data, advance: Callable[[int], None]) -> list[Row]:
    rows = []
    said = [turn for turns in data.turns.values() for turn in turns]
    for store in ("per-conversation", "one"):
        answers = []
        for question in data.questions:
            turns = said if store == "one" else data.turns[question.conversation]
            answers.append((question, grep(turns, question.text)))
            advance(1)
        rows += [score("grep", "", store, each, answers, of) for each, of in CATEGORIES.items()]
    return rows


def steps(data: Data, models: int, rerankers: int, *, parts: bool = False) -> int:
    """How often `run` calls `advance` with 1, for so many models, each with so many rerankers."""
    further = rerankers + (len(PARTS) if parts else 0)
    questions = len(data.questions) * (4 + (2 * len(FUSIONS) + further) * models)
    return questions + 2 * models * sum(map(len, data.turns.values()))


@contextmanager
def stores(data: Data) -> Iterator[dict[str, Store]]:
    """A store for each conversation."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        yield {
            name: stack.enter_context(_home(Path(folder) / name, [turns]))
            for name, turns in data.turns.items()
        }


@contextmanager
def one_store(data: Data) -> Iterator[Store]:
    """A store for all conversations together."""
    with (
        tempfile.TemporaryDirectory() as folder,
        _home(Path(folder) / "one", data.turns.values()) as store,
    ):
        yield store


@contextmanager
def _home(folder: Path, conversations: Iterable[Sequence[Turn]]) -> Iterator[Store]:
    """A store with these conversations; its home is the folder."""
    wiring.init(folder, enable=True)
    with wiring.open(folder, door="bench") as memoranda:
        for turns in conversations:
            memoranda.observe(turns, embed=False)
    with closing(SqliteStore(folder / wiring.STORE_FILE)) as store:
        yield store


def grep(turns: Sequence[Turn], question: str) -> list[str]:
    """Turns that contain any content word of the question, as `grep -i` lists them."""
    words = [word.lower() for word in alternatives(question)[0]]
    matching = (
        f"{turn.conversation}/{turn.id}"
        for turn in turns
        if any(word in turn.content.lower() for word in words)
    )
    return [id for _, id in zip(range(DEPTH), matching, strict=False)]


def score(
    method: str,
    model: str,
    store: str,
    categories: str,
    answers: Sequence[tuple[Question, Sequence[str]]],
    of: Collection[int],
) -> Row:
    """The means over the questions of some categories."""
    chosen = [each for each in answers if each[0].category in of]

    def averaged(figure: Callable[[frozenset[str], Sequence[str]], float]) -> float:
        if not chosen:
            return 0.0
        return round(mean(figure(question.evidence, ids) for question, ids in chosen), 4)

    return Row(
        method=method,
        model=model,
        store=store,
        categories=categories,
        questions=len(chosen),
        r5=averaged(lambda evidence, ids: recall_at(5, evidence, ids)),
        r10=averaged(lambda evidence, ids: recall_at(10, evidence, ids)),
        r20=averaged(lambda evidence, ids: recall_at(20, evidence, ids)),
        all10=averaged(lambda evidence, ids: float(evidence <= set(ids[:10]))),
        mrr=averaged(reciprocal_rank),
        ndcg10=averaged(lambda evidence, ids: ndcg(10, evidence, ids)),
        session5=averaged(lambda evidence, ids: float(any_session(5, evidence, ids))),
        empty=averaged(lambda _, ids: float(not ids)),
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


def any_session(depth: int, evidence: frozenset[str], ids: Sequence[str]) -> bool:
    """Whether one of the first sessions, each where its best turn is, holds evidence."""
    sessions = list(dict.fromkeys(id.split(":")[0] for id in ids))[:depth]
    return not {id.split(":")[0] for id in evidence}.isdisjoint(sessions)


COLUMNS = tuple(each.name for each in fields(Row))
