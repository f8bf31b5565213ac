"""Questions that share hardly a word with the memory that answers them.

Vectors must earn their place: beside them stand grep, words, and giving the whole file to read.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import accumulate, islice
from pathlib import Path
from statistics import mean

from memoranda import wiring
from memoranda.bench.asking import FUSIONS, Memorized, Way, ask, fill
from memoranda.errors import InvalidImport
from memoranda.protocols import Embedder, Store
from memoranda.stores.sqlite import SqliteStore
from memoranda.text import tokens
from memoranda.text.words import alternatives
from memoranda.types import Fusion

DEPTH = 5
BUDGET = 2000
"""Tokens of the file that are read, as many as an answer may have by default."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table.

    `hit1` and `hit5`: for what share of the questions the memory is the first, or one of the first
    five; of the file read from its beginning, whether it is within the budget. `empty`: for what
    share nothing was found. `tokens`: what the answers take to read, in the mean.
    """

    method: str
    model: str
    questions: int
    hit1: float
    hit5: float
    empty: float
    tokens: float


@dataclass(frozen=True, slots=True)
class Data:
    """`pairs` are questions with their memory, which is one of the `memories`."""

    memories: Sequence[str]
    pairs: Sequence[tuple[str, str]]


def load(path: Path) -> Data:
    """Read JSON lines of {query, memory} and {distractor}. Raises InvalidImport."""
    memories, pairs = [], []
    try:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):  # noqa: B007
            each = json.loads(line)
            if "distractor" in each:
                memories.append(each["distractor"])
            else:
                memories.append(each["memory"])
                pairs.append((each["query"], each["memory"]))
    except OSError as error:
        raise InvalidImport(str(path), None, error.strerror or str(error)) from error
    except (ValueError, KeyError, TypeError) as error:
        reason = f"this is no pair of query and memory, and no distractor ({error!r})"
        raise InvalidImport(str(path), number, reason) from error
    if not pairs:
        raise InvalidImport(str(path), None, "there is no question in it")
    return Data(memories, pairs)


def run(
    data: Data, embedders: Sequence[Embedder], advance: Callable[[int], None] = lambda _: None
) -> list[Row]:
    """The table. `advance` is called with 1 after each question that was asked."""
    rows = [
        _row("file", "", data, lambda _: _within(data.memories, BUDGET), advance),
        _row("grep", "", data, lambda question: _grep(data.memories, question), advance),
    ]
    with tempfile.TemporaryDirectory() as folder, store_of(Path(folder) / "home", data) as store:
        rows.append(
            _row(Fusion.LEXICAL, "", data, partial(_search, store, None, Fusion.LEXICAL), advance)
        )
        for model in map(Memorized, embedders):
            fill(store, model, lambda _: None)
            rows += [
                _row(fusion, model.name, data, partial(_search, store, model, fusion), advance)
                for fusion in FUSIONS
            ]
    return rows


def steps(data: Data, models: int) -> int:
    """How often `run` calls `advance`."""
    return len(data.pairs) * (3 + len(FUSIONS) * models)


def _row(
    method: str,
    model: str,
    data: Data,
    answer: Callable[[str], Sequence[str]],
    advance: Callable[[int], None],
) -> Row:
    answers = []
    for question, memory in data.pairs:
        answers.append((memory, answer(question)))
        advance(1)
    whole = method == "file"  # which is read, not ranked
    return Row(
        method=method,
        model=model,
        questions=len(answers),
        hit1=_mean(memory in found[: None if whole else 1] for memory, found in answers),
        hit5=_mean(memory in found[: None if whole else DEPTH] for memory, found in answers),
        empty=_mean(not found for _, found in answers),
        tokens=_mean(sum(map(tokens.estimate, found)) for _, found in answers),
    )


def _mean(values: Iterable[float]) -> float:
    return round(mean(map(float, values)), 4)


@contextmanager
def store_of(folder: Path, data: Data) -> Iterator[Store]:
    """A store with all the memories; its home is the folder."""
    wiring.init(folder)
    with wiring.open(folder, door="bench") as memoranda:
        memoranda.settings = replace(memoranda.settings, embed_on_write=False)
        for memory in data.memories:
            memoranda.remember(memory)
    with closing(SqliteStore(folder / wiring.STORE_FILE)) as store:
        yield store


def _search(store: Store, model: Embedder | None, fusion: Fusion, question: str) -> list[str]:
    found = ask(store, model, Way(fusion, fusion), question, limit=DEPTH, types=("memory",))
    return [hit.content for hit in found.hits]


def _grep(memories: Sequence[str], question: str) -> list[str]:
    """Memories with any content word of the question, as `grep -i` lists them."""
    words = [word.lower() for word in alternatives(question)[0]]
    matching = (each for each in memories if any(word in each.lower() for word in words))
    return list(islice(matching, DEPTH))


def _within(memories: Sequence[str], budget: int) -> list[str]:
    """As many memories as can be read within a budget, from the first on."""
    spent = accumulate(map(tokens.estimate, memories))
    return [
        memory
        for memory, tokens_so_far in zip(memories, spent, strict=True)
        if tokens_so_far <= budget
    ]


COLUMNS = tuple(each.name for each in fields(Row))
