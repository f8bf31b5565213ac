"""Words that nobody would write by chance, and looking for what is left of them in a home."""

from __future__ import annotations

import random
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import memoranda
from memoranda import Memoranda
from memoranda.protocols import Calibration, Vector

CONSONANTS = "bcdfghjklmnpqrstvwxz"

RUN = 32
"""Bytes of a vector that are no chance."""

STEP = 16
"""A run of 32 bytes holds eight that begin at a multiple of 16, whole."""

READ = "import sys; sys.stdout.buffer.write(open(sys.argv[1], 'rb').read())"


def canaries(count: int, seed: int = 0, *, letters: str = CONSONANTS) -> list[str]:
    """Words of twelve letters; of consonants, no other word has six of these in a row.

    Where there are very many, more letters to choose from keep them from having parts in common.
    """
    chance = random.Random(seed)
    return ["".join(chance.choices(letters, k=12)) for _ in range(count)]


def traces(
    home: Path, words: Iterable[str], vectors: Iterable[Vector] = (), *, least: int = 6
) -> list[str]:
    """What the files of a home hold of words, in whatever case, and of vectors.

    Of a word `least` letters or more count. In a megabyte six given letters stand by chance once in
    300 times, which many words and megabytes make likely; eight do so once in 200,000.
    """
    parts = {
        word[at : at + least].encode(): word
        for word in words
        for at in range(len(word) - least + 1)
    }
    wanted = list(vectors)
    return [
        f"{file.name}: {trace}"
        for file in _files(home)
        for content in [bytes_of(file)]
        for trace in (*_words_in(content.lower(), parts, least), *_vectors_in(content, wanted))
    ]


def _files(home: Path) -> list[Path]:
    return sorted(each for each in home.rglob("*") if each.is_file())


def bytes_of(file: Path) -> bytes:
    """Read by another process: closing it here would drop the locks that SQLite has on it."""
    done = subprocess.run([sys.executable, "-SE", "-c", READ, str(file)], capture_output=True)
    assert done.returncode == 0 or b"FileNotFoundError" in done.stderr, done.stderr
    return done.stdout


def _words_in(content: bytes, parts: Mapping[bytes, str], length: int) -> Iterator[str]:
    for at in _places(content, list(parts), length):
        part = content[at : at + length]
        yield f"{part.decode()} of {parts[part]} at {at}"


def _vectors_in(content: bytes, vectors: Sequence[Vector]) -> Iterator[str]:
    starts = {
        vector[at : at + 8]: (number, at)
        for number, vector in enumerate(vectors)
        for at in range(0, len(vector) - 7, STEP)
    }
    for place in _places(content, list(starts), 8):
        number, at = starts[content[place : place + 8]]
        if _in_common(content, place, vectors[number], at) >= RUN:
            yield f"vector {number} from {at} on"


def _in_common(content: bytes, place: int, vector: Vector, at: int) -> int:
    """How many bytes around two places are the same."""
    after = before = 0
    for one, other in zip(content[place:], vector[at:], strict=False):
        if one != other:
            break
        after += 1
    for one, other in zip(
        content[max(0, place - at) : place][::-1], vector[:at][::-1], strict=False
    ):
        if one != other:
            break
        before += 1
    return before + after


def _places(content: bytes, parts: Sequence[bytes], length: int) -> list[int]:
    """Where any of some parts of one length of at most eight bytes stands."""
    if not parts or len(content) < length:
        return []
    known = np.unique(np.array([int.from_bytes(part, "big") for part in parts], np.uint64))
    found: list[int] = []
    size = 1 << 21
    for start in range(0, len(content), size):
        numbers = _numbers(content[start : start + size + length - 1], length)
        nearest = known[np.minimum(np.searchsorted(known, numbers), len(known) - 1)]
        found += (np.flatnonzero(nearest == numbers) + start).tolist()
    return found


def _numbers(content: bytes, length: int) -> NDArray[np.uint64]:
    """The bytes at each place and those that follow, as one number."""
    each = np.frombuffer(content, np.uint8).astype(np.uint64)
    count = max(0, len(each) - length + 1)
    whole = np.zeros(count, np.uint64)
    for at in range(length):
        whole = whole << np.uint64(8) | each[at : at + count]
    return whole


class Letters:
    """An embedder whose vectors tell texts apart and nothing more; it needs no weights."""

    host = None
    name = "letters"
    memories = turns = Calibration(weight=0.5, floor=-1, growth=0, least=-1)

    def reads(self, text: str) -> bool:
        return True

    def knows(self, word: str) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_question(text) for text in texts]

    def embed_question(self, text: str) -> Vector:
        drawn = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(96)
        return (drawn / np.linalg.norm(drawn)).astype("<f4").tobytes()


def opened(home: Path, **who: str) -> Memoranda:
    """A home with vectors that cost next to nothing."""
    m = memoranda.open(home, **who)
    m._embedder = Letters()
    return m
