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


def _rows_indexed(db: apsw.Connection, table: Table) -> int:
    """How many rows a full-text table has, as its BM25 takes it: the first of its averages."""
    return next(_numbers(_record(db, table, AVERAGES)), 0)


AVERAGES, STRUCTURE = 1, 10
"""Where FTS5 keeps these, as its documentation tells."""

COOKIE, SECOND_FORM = 4, b"\xff\0\0\1"
"""The structure begins with four bytes, and with four more where deletions are noted apart."""


MERGED_PAGES = 128
"""How many pages of a full-text index are joined in one transaction."""


def merge_some(db: apsw.Connection, table: Table, *, anew: bool = False) -> bool:
    """Join some pages of the segments that there are now; False when no more are left to join.

    With `anew` all of them are joined, else a merge that was begun goes on.
    """
    before = db.total_changes()
    pages = -MERGED_PAGES if anew else MERGED_PAGES
    db.execute(f"INSERT INTO {table.name} ({table.name}, rank) VALUES ('merge', {pages})")
    return db.total_changes() - before > 1


def keeps_deleted(db: apsw.Connection, table: Table) -> bool:
    """Whether a full-text table keeps the terms of deleted rows even as its segments are joined.

    FTS5 drops them as it writes its oldest segment, and knows as such only what it writes to the
    last level. When all segments are of one level, or being joined out of one, they are joined into
    the next one, and when there is but one, it stays.
    """
    structure = _record(db, table, STRUCTURE)[COOKIE:]
    numbers = _numbers(structure.removeprefix(SECOND_FORM))
    levels, segments, _ = (next(numbers, 0) for _ in range(3))
    for level in range(levels - 1):
        joined, here = next(numbers), next(numbers)
        if here:
            all_of_one = here == segments or joined == here == segments - 1
            return all_of_one and (segments == 1 or level < levels - 2)
    return False


def _record(db: apsw.Connection, table: Table, id: int) -> bytes:
    return db.execute(f"SELECT block FROM {table.name}_data WHERE id = ?", (id,)).get or b""


def _numbers(record: bytes) -> Iterator[int]:
    """The numbers of a record: groups of seven bits, the highest first; the eighth says "more"."""
    number = 0
    for byte in record:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            yield number
            number = 0
