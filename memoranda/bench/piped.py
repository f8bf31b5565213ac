"""A language model with all that stands around it: what a whole pass makes of a talk."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from memoranda import wiring
from memoranda.bench.writes import COARSER, Case, Decision, Known, Prediction, Stored
from memoranda.memoranda import Memoranda
from memoranda.passes import Decision as Decided
from memoranda.passes import Pass, Stage
from memoranda.policy.access import Access
from memoranda.protocols import Embedder, LanguageModel
from memoranda.settings import Settings
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Candidate, Operation, Passage, Turn

UNBOUNDED = Settings(timezone="UTC", pass_tokens=0, day_tokens=0, month_tokens=0)
LONG_BEFORE = timedelta(days=30)
KEEPING = frozenset((Operation.ADD, Operation.UPDATE))


@dataclass(frozen=True, slots=True)
class Piped:
    """Consolidates each talk in a home of its own, beside what is known of its case."""

    language: LanguageModel
    embedder: Embedder | None
    settings: Settings = UNBOUNDED

    def candidates(self, turns: Sequence[Turn]) -> list[Candidate]:
        """What counts of a talk when nothing was known before."""
        done, _ = self._passed(turns, {})
        return [each.candidate for each in done.operations if each.operation in KEEPING]

    def predict(self, cases: Sequence[Case]) -> list[Prediction]:
        """What is stored of each first talk, and what the second one does to what is known."""
        return [self._prediction(case) for case in cases]

    def _prediction(self, case: Case) -> Prediction:
        first, _ = self._passed(case.first.turns, {})
        second, known = self._passed(case.second.turns, case.known)
        waiting = [
            each
            for each in (*first.decisions, *second.decisions)
            if each.stage in (Stage.REVIEW, Stage.SET_ASIDE)
        ]
        return Prediction(
            case.id,
            tuple(_stored(each) for each in first.operations if each.operation in KEEPING),
            tuple(_decision(each, known) for each in second.operations),
            deferred=len(waiting) + len(first.unread) + len(second.unread),
        )

    def _passed(
        self, turns: Sequence[Turn], known: Mapping[str, Known]
    ) -> tuple[Pass, Mapping[str, str]]:
        """The pass over a talk, and what the case calls each memory."""
        times = [turn.time for turn in turns if turn.time is not None]
        clock = _Clock(min(times) - LONG_BEFORE)
        with tempfile.TemporaryDirectory() as folder:
            home = wiring.init(Path(folder) / "home", enable=True)
            with Memoranda(
                SqliteStore(home / wiring.STORE_FILE),
                self.settings,
                Access(),
                path=home,
                door="bench",
                embedder=self.embedder,
                language=self.language,
                clock=clock,
            ) as memoranda:
                ids = {
                    memoranda.remember(each.text, kind=each.kind).id: name
                    for name, each in known.items()
                }
                memoranda.observe(turns, embed=False)
                clock.now = max(times) + LONG_BEFORE
                done = memoranda.consolidate()
                return _by_key(done, memoranda), ids


@dataclass(slots=True)
class _Clock:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


def _by_key(done: Pass, memoranda: Memoranda) -> Pass:
    """The pass, in which each candidate names its turn as the case does."""
    decisions = []
    for each in done.decisions:
        turn = memoranda.show(each.candidate.turn)
        assert isinstance(turn, Passage)
        decisions.append(replace(each, candidate=replace(each.candidate, turn=turn.key or "")))
    return replace(done, decisions=tuple(decisions))


def _stored(each: Decided) -> Stored:
    said = each.candidate
    return Stored(int(said.turn), said.quote, COARSER.get(said.kind, said.kind.value), said.content)


def _decision(each: Decided, known: Mapping[str, str]) -> Decision:
    stored = _stored(each)
    assert each.operation is not None
    return Decision(
        stored.source_turn,
        stored.quote,
        stored.kind,
        each.content or stored.text,
        action=each.operation.value.upper(),
        target=known.get(each.target or ""),
    )
