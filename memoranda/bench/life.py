"""A person over a year, of whom it is known what is true in each week.

Preferences change, tools are dropped for others, hosts move; the person repeats what they said
already, in other words, and says things once that nobody needs again: trips, moods, errands.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from memoranda.types import Kind

BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
"""A Monday."""

DAY = timedelta(days=1)
WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Slot:
    """Something of which one value is true at a time.

    `telling` are ways in which the person says it, `content` what a memory says of it, both with
    the value in braces; `mark` is a word that only memories of this slot have.
    """

    mark: str
    kind: Kind
    content: str
    telling: tuple[str, ...]
    question: str
    values: tuple[str, ...]
    changes: bool = True

    def says(self, value: str) -> str:
        return self.content.format(value)


def _preference(mark: str, thing: str, *values: str) -> Slot:
    return Slot(
        mark,
        Kind.PREFERENCE,
        f"User's favourite {thing} is {{}}",
        (
            f"My favourite {thing} is {{}}.",
            f"I like {{}} best as a {thing}.",
            f"{{}} is the {thing} I prefer.",
        ),
        f"Which {thing} is my favourite?",
        values,
    )


def _host(service: str, *values: str) -> Slot:
    return Slot(
        service,
        Kind.ENVIRONMENT,
        f"The {service} runs on {{}}",
        (
            f"The {service} runs on {{}} now.",
            f"We have the {service} on {{}}.",
            f"The {service} is on {{}}.",
        ),
        f"On which host does the {service} run?",
        values,
    )


def _port(program: str, *values: str) -> Slot:
    return Slot(
        program,
        Kind.ENVIRONMENT,
        f"{program} listens on port {{}}",
        (
            f"{program} listens on port {{}}.",
            f"{program} is on port {{}} now.",
            f"Reach {program} at port {{}}.",
        ),
        f"On which port does {program} listen?",
        values,
    )


def _fact(mark: str, content: str, question: str, *values: str, changes: bool = True) -> Slot:
    told = content.replace("User's", "my").replace("User ", "I ")
    first = told[0].upper() + told[1:]
    telling = (f"{first}.", f"By the way, {told}.", f"As you may know, {told}.")
    return Slot(mark, Kind.FACT, content, telling, question, values, changes)


def _rule(mark: str, content: str, question: str, *values: str) -> Slot:
    told = content[0].lower() + content[1:]
    telling = (f"{content}.", f"Remember: {told}.", f"Please {told}.")
    return Slot(mark, Kind.CONSTRAINT, content, telling, question, values, changes=False)


def _decision(mark: str, content: str, question: str, *values: str) -> Slot:
    told = content[0].lower() + content[1:]
    telling = (f"We decided that {told}.", f"{content}.", f"It is decided: {told}.")
    return Slot(mark, Kind.DECISION, content, telling, question, values)


SLOTS: tuple[Slot, ...] = (
    _preference("linter", "linter", "flake8", "Ruff", "Pylint"),
    _preference("editor", "editor", "Vim", "Helix", "Zed"),
    _preference("shell", "shell", "bash", "zsh", "fish"),
    _preference("browser", "browser", "Firefox", "Vivaldi", "Brave"),
    _preference("drink", "drink", "coffee", "mate", "rooibos"),
    _preference("snack", "snack", "almonds", "crackers", "olives"),
    _preference("colour", "colour", "green", "indigo", "ochre"),
    _preference("font", "font", "Iosevka", "Hack", "Fira"),
    _preference("season", "season", "autumn", "spring", "winter"),
    _preference("sport", "sport", "climbing", "rowing", "fencing"),
    _preference("podcast", "podcast", "Corecursive", "Oxide", "Changelog"),
    _preference("keyboard", "keyboard", "Moonlander", "Corne", "Kinesis"),
    _host("wiki", "web-01", "web-02", "web-05"),
    _host("shop", "web-03", "web-07", "web-09"),
    _host("forge", "git-1", "git-2", "git-4"),
    _host("mailserver", "mx-1", "mx-2", "mx-5"),
    _host("photos", "nas-1", "nas-2", "nas-4"),
    _host("monitoring", "mon-1", "mon-3", "mon-4"),
    _host("calendar", "box-1", "box-2", "box-6"),
    _host("database", "db-03", "db-05", "db-08"),
    _port("Grafana", "3000", "3001", "3300"),
    _port("Gitea", "3010", "3022", "3080"),
    _port("Jellyfin", "8096", "8920", "8100"),
    _port("Immich", "2283", "2300", "2383"),
    _fact("employer", "User's employer is {}", "Who is my employer?", "Acme", "Globex", "Initech"),
    _fact("boss", "User's boss is {}", "Who is my boss?", "Priya", "Marek", "Ines"),
    _fact("city", "User's home city is {}", "Which city is my home?", "Oslo", "Bergen", "Ghent"),
    _fact("car", "User's car is a {}", "Which car do I have?", "Polo", "Zoe", "Leaf"),
    _fact("dentist", "User's dentist is {}", "Who is my dentist?", "Sato", "Weiss", "Okafor"),
    _fact("gym", "User's gym is {}", "Which gym do I go to?", "Pulse", "Basecamp", "Forge"),
    _fact("cat", "User's cat is called {}", "What is my cat called?", "Milo", changes=False),
    _fact("sister", "User's sister is called {}", "What is my sister called?", "Niamh",
          changes=False),
    _fact("allergic", "User is allergic to {}", "What am I allergic to?", "peanuts", changes=False),
    _fact("birthday", "User's birthday is on {}", "When is my birthday?", "14 May", changes=False),
    _rule("deploy", "Never deploy on {}", "On which day do we never deploy?", "Fridays"),
    _rule("invoices", "Never send invoices before {}", "Before what do we never send invoices?",
          "review"),
    _decision("report", "The weekly report is written in {}",
              "In what is the weekly report written?", "Markdown", "LaTeX", "Typst"),
    _decision("tracker", "The issue tracker is {}", "Which issue tracker do we use?",
              "Jira", "Linear", "Plane"),
)  # fmt: skip

PLACES = (
    "Lisbon Prague Turin Leipzig Malmö Porto Graz Ghent Cork Basel Lille Split Riga Brno".split()
)
"""Where trips go."""

MOODS = (
    "I'm a bit tired today.", "I had a lovely morning.", "I slept badly.",
    "I feel great after the run.", "My head hurts a little.", "I'm in a hurry today.",
)  # fmt: skip

ERRANDS = (
    "I bought {} light bulbs today.", "I paid the {} euro bill.", "I read {} pages yesterday.",
    "I watered the plants {} times this week.", "I answered {} mails this morning.",
    "I walked {} km on Sunday.",
)  # fmt: skip


@dataclass(frozen=True)
class Said:
    """A statement of the user: what a memory would say of it, and what slot it is about, if any.

    `repeated` is what was true and said before.
    """

    time: datetime
    words: str
    content: str
    kind: Kind
    slot: Slot | None = None
    value: str | None = None
    repeated: bool = False


@dataclass(frozen=True)
class Asked:
    """A question of the user about a slot."""

    time: datetime
    slot: Slot


@dataclass
class Life:
    """What a person says and asks week by week, and what is true then."""

    weeks: int
    seed: int
    slots: Sequence[Slot] = SLOTS
    since: dict[str, list[tuple[int, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        chance = random.Random(self.seed)
        self._chance = random.Random(self.seed + 1)
        for slot in self.slots:
            week = chance.randrange(max(1, self.weeks // 2))
            known = [(week, slot.values[0])]
            for value in slot.values[1:] if slot.changes else ():
                week += chance.randrange(8, 28)
                if week < self.weeks:
                    known.append((week, value))
            self.since[slot.mark] = known

    def true(self, week: int) -> dict[Slot, str]:
        """The value of every slot that was told by the end of a week."""
        return {slot: value for slot in self.slots if (value := self._value(slot, week))}

    def _value(self, slot: Slot, week: int) -> str | None:
        return next((v for w, v in reversed(self.since[slot.mark]) if w <= week), None)

    def statements(self, week: int) -> Iterator[Said]:
        """What the user says in a week, in order."""
        said = [*self._news(week), *self._repeats(week), *self._passing(week)]
        yield from sorted(said, key=lambda each: each.time)

    def _news(self, week: int) -> Iterator[Said]:
        for slot in self.slots:
            for begins, value in self.since[slot.mark]:
                if begins == week:
                    yield self._tells(slot, value, self._time(week, range(1, 3)), repeated=False)

    def _repeats(self, week: int) -> Iterator[Said]:
        """Some of what was true before this week is said again."""
        known = [
            each for each in self.true(week - 1).items() if self.true(week)[each[0]] == each[1]
        ]
        for slot, value in self._chance.sample(known, min(3, len(known))):
            yield self._tells(slot, value, self._time(week, range(3, 5)), repeated=True)

    def _tells(self, slot: Slot, value: str, time: datetime, *, repeated: bool) -> Said:
        words = self._chance.choice(slot.telling).format(value)
        return Said(time, words, slot.says(value), slot.kind, slot, value, repeated)

    def _passing(self, week: int) -> Iterator[Said]:
        """What nobody needs again: two trips a month, moods, errands."""
        if week % 2 == 0:
            place, n = PLACES[week // 2 % len(PLACES)], week
            words = f"I was in {place} last weekend, trip number {n}."
            yield self._passes(week, words)
        yield self._passes(week, self._chance.choice(MOODS))
        for words in self._chance.sample(ERRANDS, 2):
            yield self._passes(week, words.format(self._chance.randrange(2, 90)))

    def _passes(self, week: int, words: str) -> Said:
        content = words.rstrip(".").replace("I'm ", "User is ").replace("I ", "User ", 1)
        content = content.replace("My ", "User's ")
        return Said(self._time(week, range(5)), words, content, Kind.EPISODE)

    def questions(self, week: int, count: int = 10) -> list[Asked]:
        """What the user asks in a week, of what was true before it."""
        known = sorted(self.true(week - 1), key=lambda slot: slot.mark)
        chosen = self._chance.sample(known, min(count, len(known)))
        asked = [Asked(self._time(week, range(1, 7)), slot) for slot in chosen]
        return sorted(asked, key=lambda each: each.time)

    def _time(self, week: int, days: range) -> datetime:
        day = BEGAN + week * WEEK + self._chance.choice(days) * DAY
        return day + timedelta(minutes=self._chance.randrange(600))
