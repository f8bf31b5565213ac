"""Does `verify` cite what is on record, and abstain from the rest?

Claims about the sample of the demo, with some memories besides, and about conversations of LoCoMo:
a third say what is on record, a third that with one thing changed, a third something that is not.
The claims are ours. Sixty are what the rules were made with; the other sixty were looked at after.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from memoranda import settings, wiring
from memoranda.bench import locomo
from memoranda.errors import InvalidInput
from memoranda.memoranda import Memoranda
from memoranda.types import Finding

SETS = ("tuning", "held_out")
HOMELAB, LOCOMO = "homelab", "locomo"
FILES: Mapping[str, str] = {HOMELAB: "homelab.jsonl", LOCOMO: "locomo10.json"}

Expected = Literal["supported", "changed", "unknown"]


@dataclass(frozen=True, slots=True)
class Claim:
    """`about` is the home that knows: the demo's, or that of a conversation."""

    about: str
    expected: Expected
    claim: str

    @property
    def data(self) -> str:
        return self.about if self.about == HOMELAB else LOCOMO


@dataclass(frozen=True, slots=True)
class Row:
    """Of the claims of a set: the supported that were found to be, those falsely found to be, and
    of the changed ones those found to be contradicted.
    """

    set: str
    about: str
    supported: int
    found: int
    contradicted_falsely: int
    changed: int
    contradicted: int
    unknown: int
    no_record: int
    supported_falsely: int


COLUMNS = tuple(each.name for each in fields(Row))


def claims(name: str) -> list[Claim]:
    """The claims of a set."""
    return [Claim(**each) for each in _read(name)]


def _read(name: str) -> list[dict[str, Any]]:
    from importlib.resources import files  # which the other commands need not load

    text = files("memoranda.bench").joinpath("claims", f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def steps(folders: Sequence[Path]) -> int:
    """How often `run` calls `advance` with 1."""
    present = _present(folders)
    return sum(each.data in present for name in SETS for each in claims(name))


def run(
    folders: Sequence[Path],
    advance: Callable[[int], None] = lambda _: None,
    told: Callable[[Claim, Finding], None] = lambda claim, finding: None,
    sets: Sequence[str] = SETS,
) -> list[Row]:
    """A row for each set and each data that one of the folders has.

    Raises InvalidInput when there is none.
    """
    present = _present(folders)
    if not present:
        raise InvalidInput(f"no folder has {' or '.join(FILES.values())}")
    rows: dict[tuple[str, str], Row] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = {
            name: stack.enter_context(home) for name, home in _homes(present, Path(folder), sets)
        }
        for set in sets:
            for claim in claims(set):
                if claim.about not in homes:
                    continue
                finding = homes[claim.about].verify(claim.claim).status
                told(claim, finding)
                key = (set, claim.data)
                rows[key] = _counted(rows.get(key) or _none(*key), claim, finding)
                advance(1)
    return list(rows.values())


def _present(folders: Sequence[Path]) -> dict[str, Path]:
    return {
        name: folder / file
        for folder in reversed(folders)
        for name, file in FILES.items()
        if (folder / file).is_file()
    }


def _homes(
    present: Mapping[str, Path], folder: Path, sets: Sequence[str]
) -> Iterator[tuple[str, Memoranda]]:
    """A home for each conversation that is claimed about, without a model."""
    if HOMELAB in present:
        home = _home(folder / HOMELAB)
        home.import_(present[HOMELAB])
        _remember(home)
        yield HOMELAB, home
    if LOCOMO in present:
        about = {each.about for name in sets for each in claims(name)}
        for name, turns in locomo.load(present[LOCOMO]).turns.items():
            if name in about:
                home = _home(folder / name)
                home.observe(turns)
                yield name, home


def _home(folder: Path) -> Memoranda:
    wiring.init(folder, enable=True)
    settings.change(folder, embedding_model="none")
    return wiring.open(folder, door="bench")


def _remember(home: Memoranda) -> None:
    """What is remembered besides, some of it replaced since."""
    ids: dict[str, str] = {}
    for each in _read("home"):
        if "remember" in each:
            ids[each["remember"]] = home.remember(each["remember"], kind=each["kind"]).id
        else:
            home.revise(ids[each["revise"]], each["into"])


def _none(set: str, about: str) -> Row:
    return Row(set, about, 0, 0, 0, 0, 0, 0, 0, 0)


def _counted(row: Row, claim: Claim, finding: Finding) -> Row:
    supported, contradicted = finding == Finding.SUPPORTED, finding == Finding.CONTRADICTED
    match claim.expected:
        case "supported":
            return replace(
                row,
                supported=row.supported + 1,
                found=row.found + supported,
                contradicted_falsely=row.contradicted_falsely + contradicted,
            )
        case "changed":
            return replace(
                row,
                changed=row.changed + 1,
                contradicted=row.contradicted + contradicted,
                supported_falsely=row.supported_falsely + supported,
            )
        case _:
            return replace(
                row,
                unknown=row.unknown + 1,
                no_record=row.no_record + (finding == Finding.NO_RECORD),
                supported_falsely=row.supported_falsely + supported,
            )
