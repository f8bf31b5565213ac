"""How well the rules find names, on sentences that say which names are in them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from memoranda.text.entities import entities
from memoranda.text.names import key
from memoranda.types import EntityKind

SENTENCES = Path(__file__).parent / "data" / "names.txt"


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    names: dict[str, EntityKind]


def sentences() -> list[Sentence]:
    lines = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [_sentence(line) for line in lines if not line.startswith("#")]


def _sentence(line: str) -> Sentence:
    text, _, names = line.rpartition("|")
    told = (each.strip().partition("=") for each in names.split(";") if each.strip())
    return Sentence(text.strip(), {name: EntityKind(kind or "thing") for name, _, kind in told})


@dataclass(frozen=True, slots=True)
class Quality:
    """Of what the rules are sure of: how much is right, how much of what is there, and the kinds.

    `kinds` is the share of right kinds where one other than a thing was told, and `missed` and
    `wrong` are the names, each with its sentence.
    """

    precision: float
    recall: float
    kinds: float
    missed: tuple[tuple[str, str], ...]
    wrong: tuple[tuple[str, str], ...]


def quality() -> Quality:
    right = told = kinds_right = 0
    missed, wrong = [], []
    for sentence in sentences():
        wanted = {key(name): kind for name, kind in sentence.names.items()}
        found = {key(each.name): each for each in entities(sentence.text) if each.sure}
        right += len(wanted.keys() & found.keys())
        missed += [(each, sentence.text) for each in wanted.keys() - found.keys()]
        wrong += [(each, sentence.text) for each in found.keys() - wanted.keys()]
        for same in wanted.keys() & found.keys():
            if found[same].kind is not EntityKind.THING:
                told += 1
                kinds_right += found[same].kind is wanted[same]
    return Quality(
        precision=right / (right + len(wrong)),
        recall=right / (right + len(missed)),
        kinds=kinds_right / told,
        missed=tuple(missed),
        wrong=tuple(wrong),
    )
