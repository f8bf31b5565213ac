"""A simulated year: what is found, what is stale, and how large memory gets, week by week.

The same person, of whom the truth is known, talks to two homes. One forgets: passes read what was
said, with a model that knows what each sentence means, or by rules; what changed is superseded,
what faded expires. The other hoards: every statement is added and kept.
"""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from memoranda import wiring
from memoranda.answers import Answer, Attempt, Message, Mode, Outcome, T, Tokens
from memoranda.bench.life import BEGAN, DAY, WEEK, Asked, Life, Said, Slot
from memoranda.bench.plot import chart
from memoranda.files.markdown import write
from memoranda.health.metrics import measures
from memoranda.memoranda import Memoranda
from memoranda.policy.fading import curves
from memoranda.policy.standing import standing
from memoranda.types import LIVE, Change, Hit, Kind, Memory, Operation, Source, Turn, new_id

FOUND_AT = 5
"""Hits of a recall that are looked at."""

USES = 0.85
"""The share of the questions at which the agent uses what it was given."""

NUMBERED = re.compile(r"^\[(\d+)\] (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Row:
    """A week of one home.

    `recall` is the share of the current truths that a question finds among five, `stale` the share
    of them for which the first memory of the matter tells what is true no more. `memories` hold, of
    `stored`; `file` is the characters of the MEMORY.md, `context` the tokens of a context.
    """

    home: str
    week: int
    truths: int
    recall: float
    stale: float
    memories: int
    stored: int
    file: int
    context: int
    kilobytes: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A measure as the home tells it, and as it is in truth."""

    home: str
    measure: str
    told: float | None
    true: float
    counted: int


COLUMNS = tuple(each.name for each in fields(Row))
MEASURED = tuple(each.name for each in fields(Compared))


# A model that knows what is meant -----------------------------------------------------------------


class Knowing:
    """What a capable model would answer, since it knows what each sentence was made of."""

    host: str | None = None
    name = "knowing"

    def __init__(self, slots: Sequence[Slot]) -> None:
        self._slots = slots
        self._said: dict[str, Said] = {}

    def hear(self, said: Said) -> None:
        self._said[said.words] = said

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        told = messages if isinstance(messages, str) else messages[-1].content
        said = json.dumps(
            self._select(told) if "chosen" in answer.model_fields else self._weigh(told)
        )
        attempt = Attempt(
            Outcome.OK, Mode.JSON_SCHEMA, max_tokens, 200, tokens=Tokens(2000, 0, 100), body=said
        )
        return Answer(Outcome.OK, answer.model_validate_json(said), (attempt,))

    def _select(self, told: str) -> dict[str, object]:
        return {
            "chosen": [
                {
                    "sentence": int(number),
                    "kind": known.kind,
                    "basis": "stated",
                    "ends": False,
                    "content": known.content,
                    "detail": None,
                }
                for number, sentence in NUMBERED.findall(told)
                if (known := self._said.get(sentence))
            ]
        }

    def _weigh(self, told: str) -> dict[str, object]:
        data = json.loads(told)
        if "pairs" in data:
            return {
                name: {
                    "verdict": "newer"
                    if self._same(each["newer"]["text"], each["older"]["text"])
                    else "both",
                    "reason": "the same matter",
                }
                for name, each in data["pairs"].items()
            }
        texts = {label: each["text"] for label, each in data["memories"].items()}
        return {
            name: self._operation(
                each["text"],
                {label: texts[label] for label in each["compare"] if each["kind"] != Kind.EPISODE},
            )
            for name, each in data["statements"].items()
        }

    def _operation(self, text: str, beside: Mapping[str, str]) -> dict[str, object]:
        """What happens again happens anew; of anything else there is one memory."""
        for label, known in beside.items():
            if known == text:
                return {"operation": "NOOP", "target": label, "reason": "known"}
            if self._same(text, known):
                return {
                    "operation": "UPDATE",
                    "target": label,
                    "content": text,
                    "reason": "changed",
                }
        return {"operation": "ADD", "reason": "new"}

    def _same(self, one: str, other: str) -> bool:
        """Whether both are about one slot."""
        return any(_value_of(slot, one) and _value_of(slot, other) for slot in self._slots)


def _value_of(slot: Slot, content: str) -> str | None:
    """The value that a memory gives a slot, in whatever words; None if it is about another."""
    if slot.mark.lower() not in content.lower():
        return None
    return next((each for each in slot.values if each.lower() in content.lower()), None)


# The homes ----------------------------------------------------------------------------------------


@dataclass
class Home:
    """A home, how it keeps what is said, and what became of each question in truth.

    `true` is what is so now, and `believed` what was by the last night, when it was written down.
    """

    name: str
    memoranda: Memoranda
    model: Knowing | None
    hoards: bool = False
    truth: Counter[str] = field(default_factory=Counter)
    true: dict[Slot, str] = field(default_factory=dict)
    believed: dict[Slot, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._now = BEGAN
        self.memoranda._clock = lambda: self._now
        if self.model is not None:
            self.memoranda._language = self.model

    def hears(self, said: Said, week: int) -> None:
        self._now = said.time
        self.truth["statements"] += 1
        self.truth["repeated"] += said.repeated
        if said.slot is not None and said.value is not None and not said.repeated:
            self.true[said.slot] = said.value
        if self.hoards:
            self._hoard(said)
            return
        if self.model is not None:
            self.model.hear(said)
        conversation = f"said-{week}-{said.time:%j}"
        noted = said.time + timedelta(seconds=5)
        self.memoranda.observe(
            [
                Turn(conversation, "user", said.words, said.time),
                Turn(conversation, "assistant", "Noted.", noted),
            ],
            embed=False,
        )

    def _hoard(self, said: Said) -> None:
        """Add what was said, as everything else."""
        memory = Memory(
            id=new_id(said.time),
            kind=said.kind,
            content=said.content,
            scope=self.memoranda.access.own,
            recorded_at=said.time,
            valid_from=said.time,
            confidence=0.5,
            sources=(Source("person", said.time, by="bench"),),
        )
        change = Change(Operation.REMEMBER, None, memory)
        self.memoranda._store.apply([change], at=said.time, by="bench")

    def sleeps(self, night: datetime) -> None:
        """A pass over what was said that day; the one who hoards has none."""
        self._now = night
        if self.hoards:
            self.memoranda.embed()
        else:
            self.memoranda.consolidate(model=None if self.model else "rules")
        self.believed = dict(self.true)

    def answers(self, asked: Asked, number: str, *, uses: bool) -> None:
        """An agent recalls, and answers with what the first memory of the matter says."""
        self._now = asked.time
        conversation, question = f"asked-{number}", asked.slot.question
        found = self.memoranda.recall(
            question, limit=FOUND_AT, turns=False, conversation=conversation
        )
        value = _told(asked.slot, found.hits)
        says = f"That is {value}." if value and uses else "I cannot tell."
        reply = asked.time + timedelta(seconds=9)
        self.memoranda.observe(
            [
                Turn(conversation, "user", question, asked.time),
                Turn(conversation, "assistant", says, reply),
            ],
            embed=False,
        )
        self._count(asked.slot, found.hits, found.tokens, value if uses else None)

    def _count(self, slot: Slot, hits: Sequence[Hit], tokens: int, used: str | None) -> None:
        told = [value for hit in hits if (value := _value_of(slot, hit.content))]
        self.truth["needed"] += 1
        self.truth["reached"] += self.believed[slot] in told
        self.truth["used"] += used == self.believed[slot]
        self.truth["served"] += len(hits)
        self.truth["stale"] += sum(self._is_stale(hit) for hit in hits)
        self.truth["tokens"] += tokens
        self.truth["window"] += self.memoranda.settings.context_window

    def _is_stale(self, hit: Hit) -> bool:
        return any(
            value != self.true[slot]
            for slot in self.true
            if (value := _value_of(slot, hit.content))
        )

    def row(self, week: int, truths: Mapping[Slot, str]) -> Row:
        m = self.memoranda
        found = stale = 0
        for slot, true in truths.items():
            hits = m._answer(m._question(slot.question, m._filter())).hits
            memories = [hit for hit in hits if hit.type == "memory"][:FOUND_AT]
            found += any(_value_of(slot, hit.content) == true for hit in memories)
            first = _told(slot, memories)
            stale += first is not None and first != true
        logs, m.settings = m.settings, replace(m.settings, log_use=False)
        context = 0 if self.hoards else m.context().tokens
        m.settings = logs
        held = m.list(limit=10_000)
        losers = frozenset(each.loser.id for each in m.contradictions(limit=10_000))
        stand = standing(held, self._now, curves(m.settings), losers)
        file = write(stand, self._now, curves(m.settings)).text
        holdings = m.status().holdings.memories
        return Row(
            home=self.name,
            week=week,
            truths=len(truths),
            recall=found / len(truths) if truths else 1.0,
            stale=stale / len(truths) if truths else 0.0,
            memories=sum(holdings.get(status, 0) for status in LIVE),
            stored=sum(holdings.values()),
            file=len(file),
            context=context,
            kilobytes=m._bytes // 1000,
        )

    def compared(self) -> Iterator[Compared]:
        """The measures over the whole time."""
        self.memoranda._reckon(self._now + DAY)
        days = self.memoranda._store.uses.days(self.memoranda.access.visible, since=BEGAN - WEEK)
        parts = {
            "recall rate, reached": ("reached", "needed"),
            "recall rate, used": ("used", "needed"),
            "contradiction rate, served": ("stale", "served"),
            "prompt efficiency": ("tokens", "window"),
            "re-mention rate": ("repeated", "statements"),
        }
        for measure in measures(days):
            if measure.name in parts:
                part, whole = parts[measure.name]
                true = self.truth[part] / max(1, self.truth[whole])
                yield Compared(self.name, measure.name, measure.value, true, measure.of)


def _told(slot: Slot, hits: Sequence[Hit]) -> str | None:
    """What the first memory of a matter says."""
    return next((value for hit in hits if (value := _value_of(slot, hit.content))), None)


# The year -----------------------------------------------------------------------------------------


def run(
    weeks: int, seed: int, *, rules: bool = False, advance: Callable[[int], None] = lambda _: None
) -> tuple[list[Row], list[Compared]]:
    """A row for every week and home, and the measures of the home that forgets."""
    life = Life(weeks, seed)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        homes = [
            Home(
                "forgets",
                _opened(stack, Path(folder) / "forgets"),
                None if rules else Knowing(life.slots),
            ),
            Home("hoards", _opened(stack, Path(folder) / "hoards"), None, hoards=True),
        ]
        for week in range(weeks):
            said, asked = list(life.statements(week)), life.questions(week)
            uses = random.Random(seed + week)
            used = [uses.random() < USES for _ in asked]
            for home in homes:
                _live(home, week, said, asked, used)
                rows.append(home.row(week, life.true(week)))
            advance(1)
        return rows, list(homes[0].compared())


def _live(
    home: Home, week: int, said: Sequence[Said], asked: Sequence[Asked], used: Sequence[bool]
) -> None:
    """A week of one home, as it comes, with a pass each night."""
    for day in range(7):
        date = BEGAN + week * WEEK + day * DAY
        heard = [(each.time, partial(home.hears, each, week)) for each in said]
        answered = [
            (each.time, partial(home.answers, each, f"{week}-{number}", uses=used[number]))
            for number, each in enumerate(asked)
        ]
        for time, do in sorted((*heard, *answered), key=lambda each: each[0]):
            if time.date() == date.date():
                do()
        home.sleeps(date + timedelta(hours=14))


def _opened(stack: ExitStack, folder: Path) -> Memoranda:
    wiring.init(folder, enable=True)
    return stack.enter_context(wiring.open(folder, door="bench"))


def plot(rows: Sequence[Row]) -> dict[str, str]:
    """Charts by the name of their file."""

    def line(home: str, name: str) -> list[tuple[float, float]]:
        return [(float(row.week), float(getattr(row, name))) for row in rows if row.home == home]

    return {
        "year-memories.svg": chart(
            "Memories that hold, over a simulated year",
            "week",
            "memories",
            {home: line(home, "memories") for home in ("hoards", "forgets")},
        ),
        "year-recall.svg": chart(
            "What is found of what is true, and what is told that is not",
            "week",
            "share",
            {
                "found, forgets": line("forgets", "recall"),
                "found, hoards": line("hoards", "recall"),
                "stale, hoards": line("hoards", "stale"),
                "stale, forgets": line("forgets", "stale"),
            },
        ),
    }
