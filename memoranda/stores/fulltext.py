"""Questions as FTS5 expressions.

Every word goes in as a quoted string, so no input is an error. Cost is decided by the commonest
word looked up, since FTS5 scores every match; words that more than a fiftieth of a large table
contains are left to the rarer ones.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import apsw

from memoranda.protocols import Words
from memoranda.stores.connections import query
from memoranda.stores.rows import FOUND_TURN
from memoranda.types import Kind

COMMON_SHARE = 50
COMMON_LEAST = 2000
"""A word is common when more than one row in 50 has it, and in the whole table 2,000 have."""

FEW = 10
"""When fewer texts than this have a rare word, those with all the common ones are added."""

COMMON_LEAST_SEEN = 100
"""How many of the rows that may be seen must have a common word."""

SAMPLE = 10_000
"""How many of the latest rows are looked at to tell what is common."""

MOST_KNOWN = 10_000
"""Of how many words we remember whether they are common."""

K1 = 1.2
"""FTS5's own constant of BM25: how soon a word said again adds nothing more."""

SCOPES_AS_TOKENS = 4
"""Up to how many scopes are filtered by the index itself; beyond that by a join."""


@dataclass(frozen=True, slots=True)
class Table:
    """A full-text table, the table it indexes, and the weights of its columns, `facets` last.

    `id` is the SQL that gives a found row's public id, and its place where it has one.
    """

    name: str
    source: str
    alias: str
    id: str
    text: str
    weights: tuple[float, ...]

    @property
    def bm25(self) -> str:
        return f"bm25({self.name}, {', '.join(map(str, self.weights))})"

    def best(self, condition: str) -> str:
        """The query for the best rows that match `:match` and fulfil a condition, if any.

        FTS5's bm25 is the better the smaller it is.
        """
        join = f"JOIN {self.source} {self.alias} ON {self.alias}.row = {self.name}.rowid"
        return f"""
          SELECT {self.name}.rowid AS row, {self.bm25} AS cost
          FROM {self.name} {join if condition else ""}
          WHERE {self.name} MATCH :match {f"AND {condition}" if condition else ""}
          ORDER BY cost LIMIT :limit"""


MEMORIES = Table(
    name="memory_fts",
    source="memory",
    alias="m",
    id="id",
    text="{content detail terms}",
    weights=(1.0, 0.5, 1.0, 0.0),
)
PASSAGES = Table(
    name="passage_fts",
    source="passage",
    alias="p",
    id=FOUND_TURN,
    text="{content terms before}",
    weights=(1.0, 1.0, 0.5, 0.0),
)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def expression(
    table: Table,
    texts: Collection[str],
    *,
    joined_by: str,
    scopes: Collection[int] | None,
    live: bool,
    kinds: Collection[Kind] | None = None,
) -> str:
    """The MATCH expression for `texts` among rows of these scopes (None: all) and kinds."""
    parts = [f"{table.text} : ({f' {joined_by} '.join(texts)})"]
    if kinds is not None:
        parts.append(_any_facet(f"xkind{kind}" for kind in kinds))
    if scopes is not None:
        parts.append(scope_facets(scopes, live=live))
    matched = " AND ".join(parts)
    if scopes is None and live:
        return f"({matched}) NOT facets : xpast"
    return matched


def scope_facets(scopes: Collection[int], *, live: bool) -> str:
    """The MATCH expression for the rows of these scopes, or for those that hold."""
    standings = ("xlive",) if live else ("xlive", "xpast")
    return _any_facet(f"{word}{scope}" for scope in scopes for word in standings)


def _any_facet(tokens: Iterable[str]) -> str:
    return f"facets : ({' OR '.join(tokens)})"


@dataclass(frozen=True, slots=True)
class _Counted:
    """What was counted while a table had about `size` rows; threads may add to it at once."""

    size: int = 0
    seen: dict[str, int] = field(default_factory=dict)
    common: dict[tuple[str, str], bool] = field(default_factory=dict)
    rows_with: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Commonness:
    """Which words are common, in a table and among the rows of it that a reader may see.

    A word gives way only if it is both: the first costs time, and the second makes it tell little.
    Counted are the latest rows, and what was counted is remembered while the table stays about as
    large.
    """

    table: Table
    _counted: _Counted = field(default_factory=_Counted)

    def split(
        self, db: apsw.Connection, words: Words, size: int, facets: str
    ) -> tuple[list[str], list[str]]:
        """The quoted rare texts and the quoted common ones, in the order of the question.

        `size` is about how many rows the table has; `facets` matches those that may be seen, and
        is empty for all.
        """
        texts = [quoted(phrase) for phrase in words.phrases]
        texts += [quoted(prefix) + "*" for prefix in words.prefixes]
        if size <= COMMON_LEAST:
            return texts, []
        counted = self._counted
        if abs(size - counted.size) * 20 > size or len(counted.common) > MOST_KNOWN:
            counted = self._counted = _Counted(size)
        sampled = min(size, SAMPLE) / size
        most = max(COMMON_LEAST * sampled, size * sampled / COMMON_SHARE)
        common = self._among(db, counted, texts, "", int(most))
        if common and facets:
            if facets not in counted.seen:
                (counted.seen[facets],) = self._counts(db, size, [facets], SAMPLE)
            most = max(COMMON_LEAST_SEEN * sampled, counted.seen[facets] / COMMON_SHARE)
            common = self._among(db, counted, common, facets, int(most))
        return [text for text in texts if text not in common], common

    def ceiling(self, db: apsw.Connection, texts: Sequence[str], size: int) -> float:
        """What BM25 gives to a row at most: the sum of idf · (k1 + 1) (Robertson et al., 1994).

        A text that no row has counts too, and counts most.
        """
        known = self._counted.rows_with if size > COMMON_LEAST else {}
        new = [text for text in texts if text not in known]
        for text, count in zip(new, self._rows_with(db, new, size), strict=True):
            known[text] = count
        rows = _rows_indexed(db, self.table)
        counts = (min(known[text], rows) for text in texts)
        return (K1 + 1) * sum(
            max(1e-6, math.log((rows - count + 0.5) / (count + 0.5))) for count in counts
        )

    def _rows_with(self, db: apsw.Connection, texts: Sequence[str], size: int) -> Iterator[float]:
        """How many rows have each text: counted when it is rare, and estimated when it is not."""
        counts = self._counts(db, 0, texts, COMMON_LEAST)
        for text, count in zip(texts, counts, strict=True):
            if count < COMMON_LEAST:
                yield count
            else:
                (sampled,) = self._counts(db, size, [text], SAMPLE)
                yield max(count, sampled * size / min(size, SAMPLE))

    def _among(
        self, db: apsw.Connection, counted: _Counted, texts: Sequence[str], facets: str, most: int
    ) -> list[str]:
        """Those of the texts that more than `most` sampled rows of these facets have."""
        new = [text for text in texts if (facets, text) not in counted.common]
        matches = [f"{facets} AND {text}" if facets else text for text in new]
        for text, count in zip(new, self._counts(db, counted.size, matches, most + 1), strict=True):
            counted.common[facets, text] = count > most
        return [text for text in texts if counted.common[facets, text]]

    def _counts(
        self, db: apsw.Connection, size: int, matches: Sequence[str], most: int
    ) -> Sequence[int]:
        """How many of the latest rows each expression matches, counted no further than `most`.

        With a `size` of 0 all rows count as the latest.
        """
        if not matches:
            return ()
        name = self.table.name
        latest = f"AND rowid > {size - SAMPLE}" if size > SAMPLE else ""
        one = f"""(SELECT count(*) FROM (
          SELECT 1 FROM {name} WHERE {name} MATCH ? {latest} LIMIT {most}))"""
        ((*counts,),) = query(db, f"SELECT {', '.join([one] * len(matches))}", matches)
        return counts


def write_anew(db: apsw.Connection, table: Table) -> None:
    """Write an index anew, without the terms of what was deleted.

    FTS5 keeps these, marked, in every segment but one on the highest level. When all segments are
    on one level, as those of a small index can be, it joins them on the next, be that the highest
    or not; then the index is made of the texts again.
    """
    db.execute(f"INSERT INTO {table.name} ({table.name}) VALUES ('optimize')")
    if not _is_at_the_top(db, table):
        db.execute(f"INSERT INTO {table.name} ({table.name}) VALUES ('rebuild')")


def _is_at_the_top(db: apsw.Connection, table: Table) -> bool:
    """Whether a full-text table has but one segment, on the highest level.

    After a cookie of four bytes its structure tells the number of levels, of segments, and of
    writes; then of each level how many segments are being joined and how many there are, and of
    each segment its number, first and last page.
    """
    block = db.execute(f"SELECT block FROM {table.name}_data WHERE id = 10").get
    numbers = _numbers(block[4:])
    levels, segments, _ = next(numbers), next(numbers), next(numbers)
    counts = []
    for _ in range(levels):
        _, count = next(numbers), next(numbers)
        counts.append(count)
        for _ in range(3 * count):
            next(numbers)
    return segments == 0 or counts[-1] == segments == 1


def _rows_indexed(db: apsw.Connection, table: Table) -> int:
    """How many rows a full-text table has, as its BM25 takes it: what its averages begin with."""
    averages = db.execute(f"SELECT block FROM {table.name}_data WHERE id = 1").get or b"\0"
    return next(_numbers(averages))


def _numbers(block: bytes) -> Iterator[int]:
    """The numbers that FTS5 wrote: in groups of seven bits, the highest first.

    The eighth bit says that more follow; a ninth byte has eight of its own.
    """
    number = length = 0
    for byte in block:
        length += 1
        number = number << 8 | byte if length == 9 else number << 7 | byte & 0x7F
        if byte < 0x80 or length == 9:
            yield number
            number = length = 0
