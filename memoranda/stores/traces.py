"""Looking in the files of a home for what was forgotten, as somebody would who took the disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import apsw
import numpy as np
import regex

from memoranda.protocols import Vector
from memoranda.stores import raw
from memoranda.stores.registry import WORDS

LEAST = 6
"""Letters that a trace must have, and so a word of which one is looked for."""

RUN = 32
"""Bytes of a vector that are looked for: eight numbers are no chance."""

CHUNK = 1 << 24
"""Bytes of a file read at a time."""

_WORD = regex.compile(rf"[\p{{L}}\p{{M}}\p{{N}}]{{{LEAST},}}")


def fragments(texts: Iterable[str]) -> set[str]:
    """The words of some texts as they stand, and how they begin and end.

    An index keeps of a word what differs from the one before it, and of its first letters what
    tells a page from the next.
    """
    words = {word for text in texts for word in _WORD.findall(text)}
    small = {word.lower() for word in words}
    return words | {word[:LEAST] for word in small} | {word[-LEAST:] for word in small}


def unsaid(db: apsw.Connection, traces: set[str]) -> set[str]:
    """Those that no text of the store has any more, in whatever case."""
    left = {trace: trace.lower() for trace in traces}
    for said in _said():
        for (text,) in db.execute(said):
            small = text.lower()
            left = {trace: low for trace, low in left.items() if low not in small}
            if not left:
                return set()
    return set(left)


def _said() -> Iterator[str]:
    """The queries of all that a store says, with how it is made."""
    yield "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL"
    for table, columns in WORDS.items():
        yield f"SELECT concat_ws(' ', {', '.join(columns)}) FROM {table}"


def find(folder: Path, words: Iterable[str], vectors: Iterable[Vector]) -> Mapping[str, int]:
    """How many of the words and the vectors each file of a folder holds; 0 for a clean one."""
    traces = [word.encode() for word in words] + [vector[:RUN] for vector in vectors]
    files = sorted(path for path in folder.rglob("*") if _holds_content(path))
    return {str(path.relative_to(folder)): len(_in_file(path, traces)) for path in files}


def _holds_content(path: Path) -> bool:
    return path.is_file() and not path.name.endswith(raw.LOCKS)


def _in_file(path: Path, traces: Sequence[bytes]) -> set[bytes]:
    if not traces:
        return set()
    begun = _Begun(traces)
    found: set[bytes] = set()
    try:
        for part in _parts(path, max(map(len, traces))):
            for text in (part, part.lower()):
                found |= begun.among(text)
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


class _Begun:
    """Many short texts to look for at once, by their first three bytes."""

    def __init__(self, traces: Sequence[bytes]) -> None:
        self._by_start: dict[bytes, list[bytes]] = {}
        self._starts = np.zeros(1 << 24, np.bool_)
        for trace in traces:
            self._by_start.setdefault(trace[:3], []).append(trace)
            self._starts[int.from_bytes(trace[:3], "big")] = True

    def among(self, text: bytes) -> set[bytes]:
        if len(text) < 3:
            return set()
        numbers = np.frombuffer(text, np.uint8).astype(np.uint32)
        starts = numbers[:-2] << 16 | numbers[1:-1] << 8 | numbers[2:]
        places = np.flatnonzero(self._starts[starts]).tolist()
        return {
            trace
            for place in places
            for trace in self._by_start[text[place : place + 3]]
            if text.startswith(trace, place)
        }
