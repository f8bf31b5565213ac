"""Looking in the files of a home for what was forgotten, as somebody would who took the disk."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

import apsw
import numpy as np
import regex
from numpy.typing import NDArray

from memoranda.protocols import Vector
from memoranda.stores import raw
from memoranda.stores.connections import query
from memoranda.stores.registry import INDEXES, WORDLESS, WORDS

LEAST = 6
"""Letters that a trace must have, and so a word of which one is looked for."""

RUN = 32
"""Bytes of a vector that are looked for: eight numbers are no chance."""

CHUNK = 1 << 22
"""Bytes of a file read at a time, and characters of texts."""

_WORD = regex.compile(rf"[\p{{L}}\p{{M}}\p{{N}}]{{{LEAST},}}")


MODELS = "models"


def fragments(texts: Iterable[str]) -> set[str]:
    """The words of some texts as they stand, and how they begin and end.

    An index keeps of a word what differs from the one before it, and of its first letters what
    tells a page from the next.
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    small = {word.lower() for word in words}
    return words | {word[:LEAST] for word in small} | {word[-LEAST:] for word in small}


def unsaid(
    db: apsw.Connection, folder: Path, traces: Iterable[str], besides: Iterable[str]
) -> set[str]:
    """Those that nothing which stays says, in whatever case, nor the texts `besides`."""
    left = defaultdict(set)
    for trace in traces:
        left[trace.lower().encode()].add(trace)
    for text in _joined((*besides, *_said(db, folder))):
        if not left:
            break
        for found in _Sought(left).among(text.lower().encode()):
            del left[found]
    return {trace for some in left.values() for trace in some}


def _said(db: apsw.Connection, folder: Path) -> Iterator[str]:
    """All that a home says: its texts, the stems of their words, how it is made, its settings."""
    for path in (*folder.glob("*.toml"), *_pages(folder)):
        yield path.read_text(encoding="utf-8", errors="replace")
    queries = ["SELECT concat(type, name, tbl_name, sql) FROM sqlite_schema"]
    for table in sorted({*WORDS, *WORDLESS}):
        columns = query(
            db, "SELECT name FROM pragma_table_info(?) WHERE type = 'TEXT' ORDER BY cid", (table,)
        )
        # Without a space between, for so they stand in the file.
        texts = "".join(f", t.{name}" for (name,) in columns)
        queries.append(f"SELECT concat(''{texts}) FROM {table} t")
    for index in INDEXES:
        db.execute(
            f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{index}_terms "
            f"USING fts5vocab (main, {index}, row)"
        )
        queries.append(f"SELECT term FROM {index}_terms")
        queries.append(f"SELECT k FROM {index}_config")
    for said in queries:
        for (text,) in db.execute(said):
            yield text


def _joined(texts: Iterable[str]) -> Iterator[str]:
    """The texts in few long ones."""
    some, length = list[str](), 0
    for text in texts:
        some.append(text)
        length += len(text)
        if length > CHUNK:
            yield "\n".join(some)
            some, length = [], 0
    yield "\n".join(some)


def find(folder: Path, words: Iterable[str], vectors: Iterable[Vector]) -> Mapping[str, int]:
    """How many of the words and the vectors each file of a folder holds; 0 for a clean one.

    That of models holds nothing that was said.
    """
    sought = _Sought(
        {
            *(word.encode().lower() for word in words),
            *(word.lower().encode() for word in words),  # which makes other letters small too
            *(vector[:RUN].lower() for vector in vectors),
        }
    )
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.relative_to(folder).parts[0] != MODELS and _holds_content(path)
    )
    return {str(path.relative_to(folder)): len(_in_file(path, sought)) for path in files}


def _pages(folder: Path) -> list[Path]:
    """The texts of skills, whosever they are."""
    return [*folder.glob("skills/**/*.md"), *folder.glob("*/*/skills/**/*.md")]


def _holds_content(path: Path) -> bool:
    return path.is_file() and not path.name.endswith(raw.LOCKS)


def _in_file(path: Path, sought: _Sought) -> set[bytes]:
    found = set[bytes]()
    try:
        for part in _parts(path, sought.longest):
            found |= sought.among(part.lower())
    except apsw.CantOpenError:
        if path.exists():
            raise
    return found  # nothing in a file that went meanwhile


def _parts(path: Path, overlap: int) -> Iterator[bytes]:
    """The bytes of a file, in parts that overlap."""
    with raw.opened(path) as file:
        before, place = b"", 0
        while read := file.xRead(CHUNK, place):
            part = before + read
            yield part
            before = part[-overlap:]
            place += len(read)


class _Sought:
    """Many short texts to look for at once, in small letters, by their first six bytes.

    Most places of a file are ruled out by the first pair of these already, and of the others most
    by the second and the third.
    """

    def __init__(self, traces: Collection[bytes]) -> None:
        self.longest = max(map(len, traces), default=1)
        self._by_start: dict[int, list[bytes]] = defaultdict(list)
        self._pairs = np.zeros((3, 1 << 16), np.bool_)
        for trace in traces:
            self._by_start[int.from_bytes(trace[:6], "little")].append(trace)
            for place, pairs in enumerate(self._pairs):
                pairs[int.from_bytes(trace[2 * place : 2 * place + 2], "little")] = True
        self._starts = np.array(sorted(self._by_start), np.uint64)

    def among(self, text: bytes) -> set[bytes]:
        found = set[bytes]()
        for odd in (0, 1):
            if not self._starts.size or len(text) < odd + 6:
                break
            pairs = np.frombuffer(text, "<u2", (len(text) - odd) // 2, odd)
            places, starts = self._begun(pairs)
            for place, start in zip((2 * places + odd).tolist(), starts.tolist(), strict=True):
                found.update(
                    trace for trace in self._by_start[start] if text.startswith(trace, place)
                )
        return found

    def _begun(self, pairs: NDArray[np.uint16]) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """The places at which one of them may begin, and the first six bytes there."""
        places = np.flatnonzero(self._pairs[0][pairs[:-2]])
        for ahead in (1, 2):
            places = places[self._pairs[ahead][pairs[places + ahead]]]
        first, second, third = (pairs[places + ahead].astype(np.uint64) for ahead in (0, 1, 2))
        starts = first | second << np.uint64(16) | third << np.uint64(32)
        near = np.searchsorted(self._starts, starts).clip(max=self._starts.size - 1)
        known = self._starts[near] == starts
        return places[known], starts[known]
