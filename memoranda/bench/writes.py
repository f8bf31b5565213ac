"""Does what is proposed for memory deserve it, and is what deserves it proposed?

Short conversations with what should be stored of them, what must not be, and what is already known;
and LoCoMo, where a turn is worth storing if one of its `observation`s cites it. Nothing judges but
the place of the words: a proposal is right when it overlaps the words that should be stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

from memoranda.bench import locomo
from memoranda.errors import InvalidImport
from memoranda.formation import rules, telling
from memoranda.types import Candidate, Kind, Turn

Propose = Callable[[Sequence[Turn]], Sequence[Candidate]]

TUNING, HELD_OUT, ALL = "tuning", "held out", "all"
OVERLAP = 0.5
"""Of the shorter of two stretches, the share that must be in both for them to be the same."""

COARSER: Mapping[Kind, str] = {Kind.CONSTRAINT: "procedure", Kind.ENVIRONMENT: "fact"}
"""What the cases call our kinds, where that is another name."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a turn of a case; `because` is why they must not be stored, if that is so.

    `action` is what they do to the memory that the case calls `target`.
    """

    turn: str
    start: int
    end: int
    kind: str = ""
    because: str = ""
    action: str = "ADD"
    target: str | None = None

    def is_in(self, other: Quote) -> bool:
        """Whether the two overlap enough to be the same."""
        if self.turn != other.turn:
            return False
        common = min(self.end, other.end) - max(self.start, other.start)
        return common >= OVERLAP * max(1, min(self.end - self.start, other.end - other.start))


@dataclass(frozen=True, slots=True)
class Talk:
    turns: tuple[Turn, ...]
    worth: tuple[Quote, ...]
    forbidden: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that there is before a second talk."""

    text: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Case:
    """A first talk, what is known after it, and a second one."""

    id: str
    set: Literal["tuning", "held out"]
    first: Talk
    second: Talk
    known: Mapping[str, Known]


@dataclass(frozen=True, slots=True)
class Stored:
    """A proposal as `score_writes.py` reads it."""

    source_turn: int
    quote: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Decision(Stored):
    action: str = "ADD"
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    id: str
    stored: tuple[Stored, ...]
    decisions: tuple[Decision, ...]
    deferred: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """`right` proposals overlap what should be stored, `wrong` ones do not, `missed` is what no
    proposal overlaps. `kinds` are the right ones of the right kind, None where that is not known;
    `forbidden` are the wrong ones that overlap what must not be stored.
    """

    set: str
    proposed: int
    right: int
    wrong: int
    missed: int
    kinds: int | None
    forbidden: int

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)


@dataclass(frozen=True, slots=True)
class Figures:
    """What is printed of a row; of LoCoMo no `kind` is known, and nothing is forbidden."""

    set: str
    proposed: int
    precision: float
    recall: float
    f1: float
    kind: float | None
    forbidden: int

    @classmethod
    def of(cls, row: Row) -> Figures:
        precision, recall = row.precision, row.recall
        both = precision + recall
        return cls(
            row.set,
            row.proposed,
            precision,
            recall,
            2 * precision * recall / both if both else 0.0,
            None if row.kinds is None else row.kinds / max(1, row.right),
            row.forbidden,
        )


FIGURES = tuple(each.name for each in fields(Figures))


class Proposer(Protocol):
    """What makes memories of talks."""

    def candidates(self, turns: Sequence[Turn]) -> Sequence[Candidate]:
        """What may be worth keeping of a talk."""

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """What would be stored of each case."""


class Rules:
    """No model; what is known to the word is no addition."""

    def candidates(self, turns: Sequence[Turn]) -> Sequence[Candidate]:
        return rules.candidates(turns)

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        return [
            Prediction(
                case.id,
                tuple(_stored(each) for each in rules.candidates(case.first.turns)),
                tuple(_decision(each, case.known) for each in rules.candidates(case.second.turns)),
            )
            for case in cases
        ]


# The short conversations --------------------------------------------------------------------------


def load(path: Path) -> list[Case]:
    """Read `writes.jsonl`. Raises InvalidImport when it is something else."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        return [_case(json.loads(line)) for line in lines if line.strip()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InvalidImport(str(path), None, f"these are no cases of writes ({error!r})") from error


def _case(made: Mapping[str, Any]) -> Case:
    """The even-numbered cases are those that rules may be made with."""
    number = int(re.sub(r"\D", "", made["id"]))
    return Case(
        made["id"],
        "tuning" if number % 2 == 0 else "held out",
        _talk(made["conversation"], made["gold_store"], made["gold_reject"]),
        _talk(made["conversation_2"], made["gold_decisions"], made["gold_reject_2"]),
        {each["id"]: _known(each) for each in made["existing_memories"]},
    )


def _known(made: Mapping[str, Any]) -> Known:
    kind = made.get("kind") or Kind.FACT
    return Known(made["text"], Kind.CONSTRAINT if kind == "procedure" else Kind(kind))


def _talk(
    said: Sequence[Mapping[str, Any]],
    worth: Sequence[Mapping[str, Any]],
    forbidden: Sequence[Mapping[str, Any]],
) -> Talk:
    turns = tuple(
        Turn("bench", each["role"], each["content"], _time(each["ts"]), id=str(each["turn"]))
        for each in said
    )
    content = {turn.id: turn.content for turn in turns}
    return Talk(turns, _quotes(worth, content), _quotes(forbidden, content))


def _time(told: str) -> datetime:
    time = datetime.fromisoformat(told)
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def _quotes(
    made: Iterable[Mapping[str, Any]], content: Mapping[str | None, str]
) -> tuple[Quote, ...]:
    found = []
    for each in made:
        turn, quote = str(each["source_turn"]), each["quote"]
        start = content[turn].find(quote)
        if start >= 0:
            found.append(
                Quote(
                    turn,
                    start,
                    start + len(quote),
                    each.get("kind") or "",
                    each.get("reason") or "",
                    each.get("action") or "ADD",
                    each.get("target"),
                )
            )
    return tuple(found)


def _stored(each: Candidate) -> Stored:
    return Stored(int(each.turn), each.quote, COARSER.get(each.kind, each.kind.value), each.content)


def _decision(each: Candidate, known: Mapping[str, Known]) -> Decision:
    stored = _stored(each)
    said = telling.plain(each.content)
    same = next((id for id, each in known.items() if telling.plain(each.text) == said), None)
    return Decision(**asdict(stored), action="NOOP" if same else "ADD", target=same)


def write(path: Path, predictions: Iterable[Prediction]) -> None:
    """A line of JSON for each case."""
    lines = (json.dumps(asdict(each), ensure_ascii=False) for each in predictions)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def score(cases: Sequence[Case], predictions: Sequence[Prediction]) -> list[Row]:
    """A row for the cases of each set, and one for all."""
    rows = {name: _none(name) for name in (TUNING, HELD_OUT, ALL)}
    for case, predicted in zip(cases, predictions, strict=True):
        for talk, stored in (
            (case.first, predicted.stored),
            (case.second, predicted.decisions),
        ):
            counted = _counted(talk, stored)
            for name in (case.set, ALL):
                rows[name] = _sum(rows[name], counted)
    return list(rows.values())


def _counted(talk: Talk, stored: Sequence[Stored]) -> Row:
    """Each proposal is right of one quote at most, and each quote found by one proposal."""
    found, left = _matched(talk, stored)
    kinds = sum(each.kind == worth.kind for worth, each in found)
    quotes = [_quote(each, talk) for each in left]
    forbidden = sum(any(quote.is_in(each) for each in talk.forbidden) for quote in quotes)
    right = len(found)
    missed = len(talk.worth) - right
    return Row("", len(stored), right, len(left), missed, kinds, forbidden)


S = TypeVar("S", bound=Stored)


def _matched(talk: Talk, stored: Sequence[S]) -> tuple[list[tuple[Quote, S]], list[S]]:
    """What is worth storing with what was stored of it, and what was stored besides."""
    left, found = list(stored), []
    for worth in talk.worth:
        hits = [each for each in left if _quote(each, talk).is_in(worth)]
        # Two things may be said in one sentence: the one that does the same is meant.
        hits.sort(key=lambda each: getattr(each, "action", "ADD") != worth.action)
        if hits:
            left.remove(hits[0])
            found.append((worth, hits[0]))
    return found, left


def _quote(each: Stored, talk: Talk) -> Quote:
    turn = str(each.source_turn)
    content = next(one.content for one in talk.turns if one.id == turn)
    start = content.find(each.quote)
    return Quote(turn, start, start + len(each.quote), each.kind)


@dataclass(frozen=True, slots=True)
class Operations:
    """Of `all` that a second talk should do, so many were decided on, and so many `right`."""

    all: int
    decided: int
    right: int


def score_operations(cases: Sequence[Case], predictions: Sequence[Prediction]) -> Operations:
    """Whether what was decided on does what it should to the memory that it should."""
    whole = decided = right = 0
    for case, predicted in zip(cases, predictions, strict=True):
        found, _ = _matched(case.second, predicted.decisions)
        whole += len(case.second.worth)
        decided += len(found)
        right += sum(
            (each.action, each.target) == (worth.action, worth.target) for worth, each in found
        )
    return Operations(whole, decided, right)


def _none(name: str) -> Row:
    return Row(name, 0, 0, 0, 0, 0, 0)


def _sum(one: Row, other: Row) -> Row:
    kinds = None if one.kinds is None or other.kinds is None else one.kinds + other.kinds
    return Row(
        one.set,
        one.proposed + other.proposed,
        one.right + other.right,
        one.wrong + other.wrong,
        one.missed + other.missed,
        kinds,
        one.forbidden + other.forbidden,
    )


# LoCoMo -------------------------------------------------------------------------------------------


def score_locomo(
    path: Path, propose: Propose, advance: Callable[[int], None] = lambda _: None
) -> list[Row]:
    """A row for every other conversation, one for the rest, and one for all, counted in turns.

    Each turn is read alone, since both speakers are people. Raises InvalidImport for another file.
    """
    data = locomo.load(path)
    cited = _cited(path)
    rows = {name: _none(name) for name in (TUNING, HELD_OUT, ALL)}
    for place, (name, turns) in enumerate(data.turns.items()):
        for turn in turns:
            counted = _counted_turn(turn.id in cited[name], bool(propose([turn])))
            for set in (TUNING if place % 2 == 0 else HELD_OUT, ALL):
                rows[set] = _sum(rows[set], counted)
        advance(1)
    return list(rows.values())


def _cited(path: Path) -> dict[str, frozenset[str]]:
    """Of each conversation the turns that an observation rests on."""
    samples = json.loads(path.read_text(encoding="utf-8"))
    return {sample["sample_id"]: frozenset(_turns(sample["observation"])) for sample in samples}


def _turns(observations: Mapping[str, Mapping[str, Sequence[Sequence[Any]]]]) -> Iterable[str]:
    for speakers in observations.values():
        for facts in speakers.values():
            for _, ids in facts:
                for session, turn in re.findall(r"D:?(\d+):(\d+)", str(ids)):
                    yield f"D{int(session)}:{int(turn)}"


def _counted_turn(worth: bool, proposed: bool) -> Row:
    return Row("", proposed, worth and proposed, proposed > worth, worth > proposed, None, 0)
