"""Of a conversation that is incognito no byte is kept, however often who observes it dies."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import memoranda
from memoranda import Scope, Turn
from tests.canaries import canaries, opened, traces
from tests.killing import killed_within
from tests.planting import line

TURNS = 50
DEATHS = int(os.environ.get("STRESS_INCOGNITO", "25"))
NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
"""Long before the clock of this machine: from the start is all that covers it."""


@dataclass(frozen=True)
class Talk:
    """A conversation every word of which is a canary: its name, its speaker, its ids, its turns."""

    words: tuple[str, ...]

    @property
    def name(self) -> str:
        return f"about {self.words[0]}"

    @property
    def turns(self) -> list[Turn]:
        said, ids = self.words[2 : 2 + TURNS], self.words[2 + TURNS :]
        return [
            Turn(
                self.name,
                "user",
                f"{word.title()} hurts, and {word} again",
                NOON + timedelta(minutes=number),
                f"Dr {self.words[1]}",
                None if number % 3 == 0 else id,
            )
            for number, (word, id) in enumerate(zip(said, ids, strict=True))
        ]


TALK = Talk(tuple(canaries(2 + 2 * TURNS, seed=23)))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = memoranda.init(tmp_path / "home", enable=True)
    with opened(home) as m:
        m.remember("It hurts to lose a good umbrella")
        m.observe([Turn("weather", "user", "Does it rain again?")])
    return home


@pytest.mark.slow
def test_killed_while_it_observes_it_leaves_nothing(home: Path, tmp_path: Path) -> None:
    with opened(home) as m:
        m.incognito(TALK.name, from_start=True)
    chance = random.Random(5)
    for _ in range(DEATHS):
        killed_within(chance.uniform(0.01, 0.3), lambda: _observe(home))
        assert traces(home, TALK.words) == []  # before anybody opens it
    _assert_nothing_is_kept(home, tmp_path)


@pytest.mark.slow
def test_killed_while_it_is_switched_on_it_keeps_all_or_nothing(home: Path, tmp_path: Path) -> None:
    chance = random.Random(6)
    whole = nothing = 0
    for _ in range(DEATHS):
        _forget_marks(home)
        with opened(home) as m:
            m.observe(TALK.turns)
        killed_within(chance.uniform(0.002, 0.06), lambda: _switch_on(home))
        with opened(home) as m:
            stored = m.status().holdings.turns - 1
            assert stored in (0, TURNS)
            is_on = m._store.is_incognito(TALK.name, Scope("user"), NOON)
        assert is_on == (stored == 0)
        if is_on:
            assert traces(home, TALK.words) == []
        whole, nothing = whole + (not is_on), nothing + is_on
    print(f"{nothing} of {DEATHS} times nothing was left, {whole} times all")  # noqa: T201
    _switch_on(home)
    _assert_nothing_is_kept(home, tmp_path)


def _observe(home: Path) -> None:
    """The conversation, one turn after another, as a host does it; with what it asks meanwhile."""
    with opened(home) as m:
        for turn in TALK.turns:
            m.observe([turn])
            m.recall(turn.content, conversation=turn.conversation, incognito=True)


def _switch_on(home: Path) -> None:
    with opened(home) as m:
        m.incognito(TALK.name, from_start=True)


def _forget_marks(home: Path) -> None:
    """Let what was forgotten be said again, and what was incognito be said openly."""
    with opened(home) as m, m._store._connections.writing() as db:  # type: ignore[attr-defined]
        db.execute("DELETE FROM tombstone")
        db.execute("DELETE FROM incognito")


def _assert_nothing_is_kept(home: Path, tmp_path: Path) -> None:
    """Nor when it comes again, as a file, from another agent, or as a question."""
    export = tmp_path / "export.jsonl"
    export.write_text("\n".join(json.dumps(line(turn)) for turn in TALK.turns))
    for profile in (None, "coder"):
        with memoranda.open(home, profile=profile) as m:
            seen = m.import_(export)
            assert seen.stored == 0
            assert seen.incognito == TURNS
            assert m.recall(TALK.words[2], conversation=TALK.name).hits == ()
            assert m._store.check() == []
        assert traces(home, TALK.words) == []
    with opened(home) as m:
        assert m.recall("umbrella").hits
