"""Questions about somebody or something that no text names, and texts about another."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoranda.retrieval.candidate import Candidate
from memoranda.retrieval.search import Found
from memoranda.text.numbered import Numbered, is_of_another, numbered
from memoranda.text.words import plain
from memoranda.types import EntityKind, Passage

ABOUT_ANOTHER = 0.3
"""What share of a full likeness above the floor a text about another must have."""

SHORT_NAME = 3
"""So many letters in common may make two names one person's, as Mel and Melanie."""

_SELF = regex.compile(r"\b(?:I|[Mm]y|[Mm]e|[Mm]ine)\b")


def without_others(candidates: Sequence[Candidate], found: Found) -> list[Candidate]:
    """Without what tells of another than the one asked about, whom no text names.

    For where Anna lives does not say where Caroline does, however alike that sounds. What is left
    must have the floor still. What a number tells apart is told apart for certain, so that
    however like it is, Room 101 is not Room 103.
    """
    asked = [each for name in found.unheard_of for each in numbered(name)]
    if asked:
        named = [name for name in found.named if any(numbered(name))]
        candidates = [each for each in candidates if not _is_of_another(each, asked, named)]
    if not found.strangers:
        return _if_near(candidates, found) if asked else list(candidates)
    least = found.floor + ABOUT_ANOTHER * found.full
    left = [
        each
        for each in candidates
        if each.fused.likeness >= least or not _is_about_another(each, found.unheard_of)
    ]
    return _if_near(left, found)


def _if_near(candidates: Sequence[Candidate], found: Found) -> list[Candidate]:
    best = max((each.fused.likeness for each in candidates), default=0.0)
    return list(candidates) if best >= found.floor else []


def _is_of_another(candidate: Candidate, asked: list[Numbered], named: Sequence[str]) -> bool:
    """Whether a text is about web-02 and not about web-03, nor another host that is asked for."""
    content = candidate.found.content
    return any(is_of_another(content, each) for each in asked) and not any(
        name in content for name in named
    )


def _is_about_another(candidate: Candidate, asked: Sequence[str]) -> bool:
    others = _about(candidate)
    return bool(others) and not any(_may_be(one, name) for one in others for name in asked)


def _about(candidate: Candidate) -> list[str]:
    """The people whom a text names, the name that it begins with, and who speaks of himself."""
    from memoranda.text.entities import entities  # its tables take time to make

    found = candidate.found
    about = [
        each.name
        for each in entities(found.content)
        if each.sure and (each.kind == EntityKind.PERSON or each.start == 0)
    ]
    if isinstance(found, Passage) and found.speaker and _SELF.search(found.content):
        about.append(found.speaker)
    return about


def _may_be(one: str, other: str) -> bool:
    begun = plain(other)[:SHORT_NAME]
    return any(word.startswith(begun) for word in plain(one).split())
