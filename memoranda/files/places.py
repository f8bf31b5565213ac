"""Which folder of a home holds the files of a scope."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath

from memoranda.types import Scope

FOLDERS = {"user": "people", "profile": "profiles", "project": "projects"}

LONGEST = 100
"""Bytes of a folder's name, at most: file systems end at 255, and paths on Windows at 260."""

PLAIN = re.compile(r"[a-z0-9_@+-](?:[a-z0-9_@+ .-]*[a-z0-9_@+-])?")
"""Names that every file system takes as they are, unless they are reserved."""

RESERVED = re.compile(r"(?:con|prn|aux|nul|conin|conout|(?:com|lpt)[0-9]) *(?:\..*)?", re.DOTALL)
"""What Windows takes for a device, whatever follows a dot."""

JAMO = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
"""Parts of Hangul syllables, which a file system may join to the syllable."""


def folder(scope: Scope) -> PurePosixPath:
    """Where the files of a scope are, relative to the home: its own folder, and nobody else's.

    The owner's are in the home itself. What a folder's name may not hold, or what some file systems
    would take for something else, such as capitals, is written as `%` and two hexadecimal digits
    for each byte; of a name that is too long then, a digest takes the place of the end.
    """
    if scope.name is None:
        return PurePosixPath()
    return PurePosixPath(FOLDERS[scope.kind], _escaped(scope.name))


def _escaped(name: str) -> str:
    last = len(name) - 1
    reserved = RESERVED.fullmatch(name.casefold()) is not None
    if PLAIN.fullmatch(name) and not reserved and last < LONGEST:
        return name
    edges = {
        at
        for at in (0, last)
        if name[at] == "." or (at == 0 and reserved) or (at == last and name[at] == " ")
    }
    escaped = [
        _percent(each) if at in edges or not _stands_for_itself(each) else each
        for at, each in enumerate(name)
    ]
    whole = "".join(escaped)
    return whole if len(whole.encode()) <= LONGEST else _cut(escaped, name)


def _stands_for_itself(character: str) -> bool:
    """Whether no file system takes it for another character of a scope's name, or for part of one.

    Some compare small letters, some capitals, and some join or part letters and their accents.
    """
    return character == character.casefold() == character.upper().lower() == unicodedata.normalize(
        "NFKC", character
    ) and not JAMO.match(character)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _cut(escaped: list[str], name: str) -> str:
    """The beginning of a long name, and a digest of it all after `%-`, which no other name has."""
    import hashlib  # costs more to load than the rest of this

    end = f"%-{hashlib.sha256(name.encode()).hexdigest()[:32]}"
    left = LONGEST - len(end)
    kept: list[str] = []
    for each in escaped:
        left -= len(each.encode())
        if left < 0:
            break
        kept.append(each)
    return "".join(kept) + end
