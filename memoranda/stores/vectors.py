"""Search by vector: every one that a reader may see is looked at, and the best exactly.

The vectors stand in the file as 32-bit numbers. Those of the scopes that were searched are held in
memory as 8-bit ones, which take a quarter of the room, and as their signs, which take a thirtieth.
What may be near by its signs is compared by 8-bit numbers, and the best of that exactly, by the
vectors of the file, which of small scopes are held too. The copy knows up to which change it is
true, and takes in what any process changed since before it answers.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from threading import Lock
from typing import Any, Literal

import apsw
import numpy as np
import simsimd
from numpy.typing import NDArray

from memoranda.errors import EmbeddingError
from memoranda.protocols import COUNTED, Near, Vector
from memoranda.stores.connections import query
from memoranda.stores.reading import VISIBLE, scope_rows, seen_by
from memoranda.stores.rows import FOUND_TURN
from memoranda.types import HitType, Ranked, Scopes

SPARE = 14
"""By how many more than asked for the best by 8-bit numbers are compared exactly: those that might
be among the best, and those that a filter leaves out."""

WIDER = 16
"""How many times as many are compared when a filter has left too few."""

CHUNK = 4096
"""Vectors read at a time."""

LEAST_BY_SIGNS = 2048
SHARE_BY_SIGNS = 50
"""Of many vectors every fiftieth is compared by 8-bit numbers, those whose signs are the likest. Of
17,614 texts and windows of LoCoMo that keeps 998 of the 1,000 nearest for MiniLM, 988 for BGE."""

MOST_HELD = 10_000
"""Of a scope with no more vectors than this the exact ones are held in memory too."""

MOST_CHANGES = 10_000
"""After more changes than this the copy is made anew."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A table of vectors and the one whose texts they are of.

    `alias` is the latter's in conditions; `id` the SQL of a found one's public id, and of its
    place where it has one; `named` those whose ids and places are in `:also`.
    """

    name: str
    alias: str
    id: str
    named: str

    @property
    def numbered(self) -> str:
        """Those whose row numbers are in `:rows`."""
        those = f"{self.name} {self.alias} ON {self.alias}.row = r.value"
        return f"json_each(:rows) r CROSS JOIN {those}"

    @property
    def vectors(self) -> str:
        return f"{self.name}_vector v ON v.{self.name} = {self.alias}.row"


MEMORIES = Searched(
    name="memory",
    alias="m",
    id="m.id",
    named="json_each(:also) r CROSS JOIN memory m ON m.id = r.value ->> 0",
)
PASSAGES = Searched(
    name="passage",
    alias="p",
    id=FOUND_TURN,
    named="""json_each(:also) r CROSS JOIN turn u ON u.id = r.value ->> 0
      CROSS JOIN passage p ON p.turn = u.row AND p.start = r.value ->> 1""",
)


SEARCHED: Mapping[HitType, Searched] = {"memory": MEMORIES, "turn": PASSAGES}


class Vectors:
    """The vectors of one model, of the scopes that were searched. Threads take turns."""

    def __init__(self, searched: Searched, model: str) -> None:
        self._searched = searched
        self._model = model
        self._guard = Lock()
        self._revision = 0
        self._scopes: dict[int, _Scope] = {}

    def near(
        self,
        db: apsw.Connection,
        vector: Vector,
        visible: Scopes,
        condition: str,
        values: Mapping[str, Any],
        limit: int,
        also: Sequence[Ranked],
    ) -> Near:
        """See `Store.near`; `values` binds what `condition` names."""
        question = np.frombuffer(vector, "<f4")
        with self._guard, db:  # `with db` is one snapshot of the file
            self._follow(db)
            scopes = scope_rows(db, visible)
            groups = [self._loaded(db, scope, len(question)) for scope in scopes]
            best = _Best(groups, question, limit + SPARE)
            named = json.dumps([(each.id, each.start) for each in also])
            known = self._exact(db, question, visible, self._searched.named, {"also": named})
            found: dict[tuple[Any, ...], float] = {}
            offered = 1
            for rows in best:
                numbered, some = self._searched.numbered, {**values, "rows": json.dumps(rows)}
                found = self._exact(db, question, visible, numbered, some, condition)
                offered = len(rows)
                if len({place[0] for place in found}) >= limit:
                    break
            kept = db.execute("SELECT value FROM home WHERE name = 'vectors_of'").get
            missing = self._count_missing(db, kept, visible, condition, values)
        nearest = _ranked(found, limit)
        ranked = {(each.id, each.start) for each in nearest}
        others = {place: score for place, score in known.items() if _key(place) not in ranked}
        return Near(
            found=nearest,
            others=_ranked(others, len(others)),
            # What a filter leaves out was not searched; its share is that among the nearest.
            searched=round(sum(group.size for group in groups) * len(found) / offered),
            model=kept,
            missing=missing,
            unreadable=sum(group.unreadable for group in groups),
        )

    def _exact(
        self,
        db: apsw.Connection,
        question: NDArray[np.float32],
        visible: Scopes,
        those: str,
        values: Mapping[str, Any],
        condition: str = "",
    ) -> dict[tuple[Any, ...], float]:
        """The places of those that are visible and fulfil a condition, each with its cosine.

        The joins go from left to right and no index on scopes is used: the few are known.
        """
        alias = self._searched.alias
        found = query(
            db,
            f"""WITH {VISIBLE} SELECT {alias}.row, {alias}.scope, {self._searched.id}
            FROM {those} WHERE +{alias}.scope IN visible AND {condition or "TRUE"}""",
            seen_by(visible, values),
        )
        vectors, placed = self._exact_vectors(db, [row[:2] for row in found], len(question))
        # einsum is as fast as a BLAS for this, and starts no threads.
        scores = np.einsum("ij,j->i", vectors, question).tolist()
        pairs = zip((found[number][2:] for number in placed), scores, strict=True)
        return {place: score for place, score in pairs if math.isfinite(score)}

    def _exact_vectors(
        self, db: apsw.Connection, rows: Sequence[tuple[int, int]], length: int
    ) -> tuple[NDArray[np.float32], list[int]]:
        """The vectors of rows, given with their scopes, and which of the rows they are of.

        Those of small scopes are held, the others read from the file.
        """
        held: dict[int, list[int]] = defaultdict(list)
        others: dict[int, int] = {}
        for number, (row, scope) in enumerate(rows):
            if self._scopes[scope].place(row) is None:
                others[row] = number
            else:
                held[scope].append(number)
        parts, placed = [np.empty((0, length), np.float32)], list[int]()
        for scope, numbers in held.items():
            parts.append(self._scopes[scope].exact([rows[number][0] for number in numbers]))
            placed += numbers
        for row, value in self._in_file(db, list(others)):
            if len(value) == 4 * length:
                parts.append(np.frombuffer(value, "<f4")[None])
                placed.append(others[row])
        return np.concatenate(parts), placed

    def _in_file(self, db: apsw.Connection, rows: Sequence[int]) -> list[tuple[Any, ...]]:
        if not rows:
            return []
        name = self._searched.name
        return query(
            db,
            f"""SELECT v.{name}, v.value FROM json_each(:rows) r
            CROSS JOIN {name}_vector v ON v.{name} = r.value WHERE v.model = :model""",
            {"rows": json.dumps(rows), "model": self._model},
        )

    def _count_missing(
        self,
        db: apsw.Connection,
        kept: str | None,
        visible: Scopes,
        condition: str,
        values: Mapping[str, Any],
    ) -> int:
        name, alias = self._searched.name, self._searched.alias
        source = f"{name} {alias}"
        if kept == self._model:
            source = f"{name}_without_vector w CROSS JOIN {source} ON {alias}.row = w.row"
        count = db.execute(
            f"""WITH {VISIBLE} SELECT count(*) FROM (
              SELECT 1 FROM {source} WHERE +{alias}.scope IN visible AND {condition or "TRUE"}
              LIMIT {COUNTED})""",
            seen_by(visible, values),
        ).get
        return int(count)

    # Keeping the copy true

    def follow(self, db: apsw.Connection) -> None:
        """Take in what changed, so that nothing that was forgotten is left in memory."""
        with self._guard, db:
            self._follow(db)

    def _follow(self, db: apsw.Connection) -> None:
        """Take in what changed since the last search."""
        first, last = query(
            db,
            "SELECT (SELECT min(revision) FROM vector_change), "
            "(SELECT max(revision) FROM vector_change)",
        )[0]
        first, last = first or 0, last or 0
        if last == self._revision:
            return
        in_doubt = last < self._revision or first > self._revision + 1
        if in_doubt or last - self._revision > MOST_CHANGES:
            self._scopes.clear()
        else:
            self._take_in(db)
        self._revision = last

    def _take_in(self, db: apsw.Connection) -> None:
        searched = self._searched
        changed = [
            row
            for (row,) in query(
                db,
                "SELECT DISTINCT row FROM vector_change WHERE revision > ? AND searched = ?",
                (self._revision, searched.name),
            )
        ]
        if not changed or not self._scopes:
            return
        for group in self._scopes.values():
            group.remove(changed)
        for scope, row, value in query(
            db,
            f"""SELECT {searched.alias}.scope, {searched.alias}.row, v.value
            FROM {searched.numbered} CROSS JOIN {searched.vectors} WHERE v.model = :model""",
            {"model": self._model, "rows": json.dumps(changed)},
        ):
            if scope in self._scopes:
                self._scopes[scope].add([(row, value)])

    def _loaded(self, db: apsw.Connection, scope: int, length: int) -> _Scope:
        group = self._scopes.get(scope)
        if group is None:
            searched = self._searched
            group = _Scope(length)
            rows = db.execute(
                f"""WITH {searched.alias} (row) AS MATERIALIZED (
                  SELECT row FROM {searched.name} WHERE scope = ? ORDER BY row)
                SELECT {searched.alias}.row, v.value
                FROM {searched.alias} CROSS JOIN {searched.vectors} WHERE v.model = ?""",
                (scope, self._model),
            )
            for some in iter(lambda: list(islice(rows, CHUNK)), []):
                group.add(some)
            self._scopes[scope] = group
        if group.size and group.length != length:
            raise EmbeddingError(
                f"{self._model} gives {length} numbers for a question and gave {group.length} for "
                "the texts; make the vectors anew with `memoranda embed --again`"
            )
        return group


ARRAYS = ("_rows", "_factors", "_numbers", "_signs", "_exact")
"""Of a scope, one entry for each vector."""


class _Scope:
    """The vectors of a scope, as 8-bit numbers, and what each is to be multiplied by."""

    def __init__(self, length: int) -> None:
        self.length = length
        self.size = 0
        self._unreadable: set[int] = set()
        self._rows: NDArray[np.int64] = np.empty(0, np.int64)
        self._factors: NDArray[np.float32] = np.empty(0, np.float32)
        self._numbers: NDArray[np.int8] = np.empty((0, length), np.int8)
        self._signs: NDArray[np.uint8] = np.empty((0, _bytes(length)), np.uint8)
        self._exact: NDArray[np.float32] | None = np.empty((0, length), np.float32)
        self._places: dict[int, int] = {}
        self._middle: NDArray[np.float32] | None = None

    @property
    def unreadable(self) -> int:
        return len(self._unreadable)

    @property
    def rows(self) -> NDArray[np.int64]:
        return self._rows[: self.size]

    def scores(
        self, question: NDArray[np.int8], places: NDArray[np.int64] | None = None
    ) -> NDArray[np.float32]:
        """The product of the question and the vectors at these places, but for a shared factor."""
        chosen: Any = slice(self.size) if places is None else places
        products = _compared("dot", "int8", question, self._numbers[chosen])
        scores: NDArray[np.float32] = products * self._factors[chosen]
        return scores

    def unlike(self, question: NDArray[np.float32]) -> NDArray[np.float32]:
        """How many signs of every vector differ from those of the question.

        They are the signs of what is left without the middle of the vectors, which some models
        have far from zero.
        """
        if self._middle is None:
            some = slice(min(self.size, CHUNK))
            middle = (self._numbers[some] * self._factors[some, None]).mean(axis=0)
            self._middle = middle.astype(np.float32)
            for start in range(0, self.size, CHUNK):
                part = slice(start, min(start + CHUNK, self.size))
                self._sign(part, self._numbers[part] * self._factors[part, None])
        return _compared(
            "hamming", "bin8", np.packbits(question > self._middle), self._signs[: self.size]
        )

    def _sign(self, place: slice, vectors: NDArray[np.float32]) -> None:
        if self._middle is not None:
            self._signs[place] = np.packbits(vectors > self._middle, axis=1)

    def place(self, row: int) -> int | None:
        """Where the exact vector of a row is held, if it is."""
        return self._places.get(row)

    def exact(self, rows: Sequence[int]) -> NDArray[np.float32]:
        """The vectors of rows that are held, as they are in the file."""
        if self._exact is None:
            return np.empty((0, self.length), np.float32)
        return self._exact[[self._places[row] for row in rows]]

    def add(self, vectors: Sequence[tuple[int, Vector]]) -> None:
        self._unreadable.update(row for row, value in vectors if not value)
        some = [(row, value) for row, value in vectors if value]
        if not some:
            return
        if self.size == 0:
            self._set_length(len(some[0][1]) // 4)
        if any(len(value) != 4 * self.length for _, value in some):
            raise EmbeddingError(
                "the vectors of this store are of several lengths; make them anew with "
                "`memoranda embed --again`"
            )
        rows = np.array([row for row, _ in some], np.int64)
        exact = np.frombuffer(b"".join(value for _, value in some), "<f4")
        exact = exact.reshape(len(some), self.length)
        factors = np.maximum(exact.max(axis=1), -exact.min(axis=1)) / 127
        sound = np.isfinite(factors) & (factors > np.finfo(np.float32).tiny)
        if not sound.all():  # another program's doing
            rows, exact, factors = rows[sound], exact[sound], factors[sound]
        end = self.size + len(rows)
        self._grow(end)
        place = slice(self.size, end)
        self._rows[place] = rows
        self._factors[place] = factors
        self._numbers[place] = np.rint(exact * (1 / factors)[:, None])
        self._sign(place, exact)
        if end > MOST_HELD:
            self._exact, self._places = None, {}
        elif self._exact is not None:
            self._exact[place] = exact
            self._places.update(zip(self._rows[place].tolist(), range(self.size, end), strict=True))
        self.size = end

    def remove(self, rows: Sequence[int]) -> None:
        """Put the last ones in the place of those removed."""
        self._unreadable.difference_update(rows)
        for place in reversed(np.flatnonzero(np.isin(self.rows, rows)).tolist()):
            self.size -= 1
            self._places.pop(int(self._rows[place]), None)
            if self._exact is not None and place < self.size:
                self._places[int(self._rows[self.size])] = place
            for numbers in (getattr(self, name) for name in ARRAYS):
                if numbers is not None:
                    numbers[place] = numbers[self.size]
                    numbers[self.size] = 0  # what was forgotten must not stay in memory

    def _set_length(self, length: int) -> None:
        self.length = length
        self._middle = None
        self._numbers = np.empty((len(self._rows), length), np.int8)
        self._signs = np.empty((len(self._rows), _bytes(length)), np.uint8)
        if self._exact is not None:
            self._exact = np.empty((len(self._rows), length), np.float32)

    def _grow(self, size: int) -> None:
        """Make room for `size` vectors, and for half as many again."""
        if size <= len(self._rows):
            return
        room = size if self.size == 0 else size + size // 2
        for name in ARRAYS:
            old = getattr(self, name)
            if old is None:
                continue
            new = np.empty((room, *old.shape[1:]), old.dtype)
            new[: self.size] = old[: self.size]
            setattr(self, name, new)


def _bytes(bits: int) -> int:
    return -(-bits // 8)


def _compared(
    how: Literal["dot", "hamming"],
    of: Literal["int8", "bin8"],
    one: NDArray[Any],
    many: NDArray[Any],
) -> NDArray[np.float32]:
    """A product or a distance of one vector and each of many."""
    # Not with `out`: there simsimd 6.5 gives away a reference to None each time, until Python dies.
    made = simsimd.cdist(one[None], many, how, dtype=of, out_dtype="float32")
    compared: NDArray[np.float32] = np.asarray(made)[0]
    return compared


class _Best:
    """The rows of several scopes, the best first: some, then many more, then all."""

    def __init__(self, groups: Sequence[_Scope], question: NDArray[np.float32], first: int) -> None:
        largest = float(np.abs(question).max()) or 1.0
        self._question = np.rint(question * (127 / largest)).astype(np.int8)
        self._exact = question
        self._groups = [group for group in groups if group.size]
        self._ends = list(accumulate(group.size for group in self._groups))
        self._first = first

    def __iter__(self) -> Iterator[list[int]]:
        """Row numbers, `first` of them, then WIDER times as many, until all were."""
        size = self._ends[-1] if self._ends else 0
        count = self._first
        while size:
            least = max(LEAST_BY_SIGNS, size // SHARE_BY_SIGNS, 4 * count)
            rows, scores = self._among(least) if 4 * least < size else self._all()
            if count >= size:
                yield rows.tolist()
                return
            best = np.argpartition(scores, -count)[-count:]
            yield rows[best].tolist()
            count *= WIDER

    def _all(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        return (
            np.concatenate([group.rows for group in self._groups]),
            np.concatenate([group.scores(self._question) for group in self._groups]),
        )

    def _among(self, count: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The rows and scores of those whose signs are the likest."""
        unlike = np.concatenate([group.unlike(self._exact) for group in self._groups])
        likest = np.sort(np.argpartition(unlike, count)[:count])
        parts = np.split(likest, np.searchsorted(likest, self._ends[:-1]))
        places = [part - start for part, start in zip(parts, [0, *self._ends], strict=False)]
        pairs = [
            (group, some) for group, some in zip(self._groups, places, strict=True) if len(some)
        ]
        return (
            np.concatenate([group.rows[some] for group, some in pairs]),
            np.concatenate([group.scores(self._question, some) for group, some in pairs]),
        )


def _key(place: tuple[Any, ...]) -> tuple[str, int | None]:
    return place[0], place[1] if len(place) > 1 else None


def _ranked(scores: Mapping[tuple[Any, ...], float], limit: int) -> tuple[Ranked, ...]:
    """The best places, nearest first; of a turn only its nearest passage."""
    ordered = sorted(scores.items(), key=lambda each: -each[1])
    best: dict[str, Ranked] = {}
    for place, score in ordered:
        best.setdefault(place[0], Ranked(place[0], score, *place[1:]))
    return tuple(islice(best.values(), limit))
