"""The same questions on the same vectors: Memoranda, Chroma, LanceDB and sqlite-vec, in one run.

    make bench-peers                      # or: python bench/peers/compare.py --n 100000

Ten memories are asked for, over all and in one scope of twenty. CPU time of the whole process, at
the median, tells cost; a ratio above 1 is how many times as long a peer takes. Recall is the share
of the ten truly nearest. Memoranda is measured twice: its search by vector alone, and a whole
recall by words and vectors that gives ten hits with their sources, whose order is another.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import mean, median

for threads in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "LANCE_CPU_THREADS",
):
    os.environ.setdefault(threads, "1")
os.environ["ANONYMIZED_TELEMETRY"] = "False"

import numpy as np
from numpy.typing import NDArray

from memoranda import wiring
from memoranda.bench import latency
from memoranda.bench.latency import NOW, SCOPES, Vocabulary
from memoranda.bench.vectors import MadeUp, nearest
from memoranda.retrieval.recall import Question, recall
from memoranda.stores.sqlite import SqliteStore

K = 10
QUESTIONS = 100
SCOPE = 7

Vectors = NDArray[np.float32]
Search = Callable[[int, Vectors, bool], Sequence[int]]
"""From the number of a question, its vector, and whether in one scope, to the places found."""


@dataclass(frozen=True)
class Row:
    """One line of the table; times in milliseconds of CPU."""

    engine: str
    build_s: float
    all_ms: float
    all_ratio: float
    all_recall: float | None
    one_ms: float
    one_ratio: float
    one_recall: float | None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--n", type=int, default=100_000, help="how many memories")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    given = parser.parse_args()
    rows = compare(given.n)
    if given.json:
        print(json.dumps([asdict(row) for row in rows], indent=2))
        return
    print(f"{'engine':<22}{'build s':>9}{'all ms':>9}{'ratio':>8}{'recall':>8}{'one ms':>9}"
          f"{'ratio':>8}{'recall':>8}")  # fmt: skip
    for row in rows:
        print(f"{row.engine:<22}{row.build_s:>9.1f}{row.all_ms:>9.2f}{row.all_ratio:>8.1f}"
              f"{_share(row.all_recall):>8}{row.one_ms:>9.2f}{row.one_ratio:>8.1f}"
              f"{_share(row.one_recall):>8}")  # fmt: skip


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def compare(size: int) -> list[Row]:
    model = MadeUp(size)
    vectors, questions = model.draw(size), model.draw(QUESTIONS)
    rows: list[Row] = []
    for name, engine in ENGINES.items():
        with tempfile.TemporaryDirectory() as folder:
            started = time.process_time()
            with engine(Path(folder), vectors, model) as search:
                build = time.process_time() - started
                print(f"{name}: {size} vectors kept", file=sys.stderr)
                everything = measured(search, vectors, questions, one=False)
                within = measured(search, vectors, questions, one=True)
        ours = rows[0] if rows else None
        rows.append(
            Row(
                name,
                round(build, 1),
                everything[0],
                everything[0] / ours.all_ms if ours else 1.0,
                everything[1],
                within[0],
                within[0] / ours.one_ms if ours else 1.0,
                within[1],
            )
        )
    return rows


def measured(
    search: Search, vectors: Vectors, questions: Vectors, *, one: bool
) -> tuple[float, float | None]:
    """Milliseconds of CPU at the median, and the recall."""
    places = np.arange(SCOPE, len(vectors), len(SCOPES)) if one else np.arange(len(vectors))
    among = vectors[places]
    search(0, questions[0], one)
    times, shares = [], []
    for number, question in enumerate(questions):
        started = time.process_time()
        found = search(number, question, one)
        times.append(1000 * (time.process_time() - started))
        least = float(among[nearest(among, question, K)[-1]] @ question)
        if found:
            shares.append(float(np.mean(vectors[list(found)] @ question >= least - 1e-6)))
    return median(times), mean(shares) if shares else None


@contextmanager
def memoranda(folder: Path, vectors: Vectors, model: MadeUp) -> Iterator[Search]:
    """The search by vector alone."""
    with _filled(folder, vectors) as (store, places, _):

        def search(_: int, question: Vectors, one: bool) -> list[int]:
            visible = SCOPES[SCOPE : SCOPE + 1] if one else SCOPES
            near = store.near("memory", question.tobytes(), model.name, visible, NOW, K)
            return [places[each.id] for each in near.found]

        yield search


@contextmanager
def whole_recall(folder: Path, vectors: Vectors, model: MadeUp) -> Iterator[Search]:
    """A whole recall, by the words of questions about the texts; what it finds is not compared."""
    with _filled(folder, vectors) as (store, _, contents):
        vocabulary = Vocabulary(random.Random(1))
        asked = [vocabulary.question(contents) for _ in range(QUESTIONS)]

        def search(number: int, _: Vectors, one: bool) -> list[int]:
            visible = SCOPES[SCOPE : SCOPE + 1] if one else SCOPES
            question = Question(asked[number], visible, NOW, limit=K, turns=False)
            recall(question, store, model)
            return []

        yield search


@contextmanager
def _filled(
    folder: Path, vectors: Vectors
) -> Iterator[tuple[SqliteStore, dict[str, int], list[str]]]:
    """A store with the vectors, the place of each id, and the texts."""
    home = wiring.init(folder / "home")
    store = SqliteStore(home / wiring.STORE_FILE)
    vocabulary = Vocabulary(random.Random(len(vectors)))
    contents = list(latency._fill(store, len(vectors), vocabulary, vectors, lambda _: None))
    store.close()  # which joins what so many writes left in pieces
    store = SqliteStore(home / wiring.STORE_FILE)
    with store._connections.reading() as db:
        ids = db.execute("SELECT id FROM memory ORDER BY row").fetchall()
    try:
        yield store, {id: place for place, (id,) in enumerate(ids)}, contents
    finally:
        store.close()


@contextmanager
def chroma(folder: Path, vectors: Vectors, _: MadeUp) -> Iterator[Search]:
    import chromadb

    client = chromadb.PersistentClient(str(folder))
    kept = client.create_collection("memories", metadata={"hnsw:space": "cosine"})
    for at in range(0, len(vectors), 5000):
        places = range(at, min(at + 5000, len(vectors)))
        kept.add(
            ids=[str(place) for place in places],
            embeddings=vectors[at : at + 5000].tolist(),
            metadatas=[{"scope": place % len(SCOPES)} for place in places],
        )

    def search(_: int, question: Vectors, one: bool) -> list[int]:
        where = {"scope": SCOPE} if one else None
        found = kept.query(
            query_embeddings=[question.tolist()], n_results=K, where=where, include=["distances"]
        )
        return [int(id) for id in found["ids"][0]]

    yield search


@contextmanager
def lancedb(folder: Path, vectors: Vectors, _: MadeUp) -> Iterator[Search]:
    import lancedb as lance
    import pyarrow as pa

    length = vectors.shape[1]
    table = lance.connect(str(folder)).create_table(
        "memories",
        pa.table(
            {
                "place": pa.array(range(len(vectors))),
                "scope": pa.array([place % len(SCOPES) for place in range(len(vectors))]),
                "vector": pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), length),
            }
        ),
    )
    table.create_scalar_index("scope", index_type="BITMAP")

    def search(_: int, question: Vectors, one: bool) -> list[int]:
        asked = (
            table.search(question).distance_type("cosine").select(["place", "_distance"]).limit(K)
        )
        if one:
            asked = asked.where(f"scope = {SCOPE}", prefilter=True)
        return [int(row["place"]) for row in asked.to_list()]

    yield search


@contextmanager
def sqlite_vec(folder: Path, vectors: Vectors, _: MadeUp) -> Iterator[Search]:
    import apsw
    import sqlite_vec as vec

    db = apsw.Connection(str(folder / "vec.db"))
    db.enable_load_extension(True)
    db.load_extension(vec.loadable_path())
    db.execute(
        "CREATE VIRTUAL TABLE memories USING vec0(scope INTEGER PARTITION KEY, "
        f"vector FLOAT[{vectors.shape[1]}] distance_metric=cosine)"
    )
    with db:
        db.executemany(
            "INSERT INTO memories (rowid, scope, vector) VALUES (?, ?, ?)",
            (
                (place, place % len(SCOPES), vector.tobytes())
                for place, vector in enumerate(vectors)
            ),
        )

    def search(_: int, question: Vectors, one: bool) -> list[int]:
        within = f"AND scope = {SCOPE}" if one else ""
        found = db.execute(
            f"SELECT rowid FROM memories WHERE vector MATCH ? AND k = {K} {within}",
            (question.tobytes(),),
        )
        return [row for (row,) in found.fetchall()]

    yield search
    db.close()


ENGINES = {
    "memoranda, vectors": memoranda,
    "memoranda, recall": whole_recall,
    "Chroma": chroma,
    "LanceDB": lancedb,
    "sqlite-vec": sqlite_vec,
}

if __name__ == "__main__":
    main()
