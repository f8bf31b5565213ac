"""A whole pass with a language model that is really there, over real HTTP.

It is very small: what it says is noise. What is tried is all that stands around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from memoranda import Stage
from memoranda.answers import Answer, Message, Mode, Outcome, T
from memoranda.models.language import EndpointLanguageModel
from tests.consolidating import DAY, MONDAY, held, known, new_home, opened, said
from tests.served import needs_server, serving

pytestmark = [pytest.mark.slow, needs_server]

TALK = (
    "I moved to Bergen in May, and I keep 12 hens there.",
    "We chose Postgres 16 over MySQL for the shop.",
    "I don't drink coffee any more.",
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def test_a_whole_pass_ends_and_accounts_for_everything(url: str, tmp_path: Path) -> None:
    model = EndpointLanguageModel(url, "smollm2", timeout=300.0)
    with opened(new_home(tmp_path), model) as m:
        by_hand = known(m, "User lives in Oslo", "User drinks coffee", "The database is MySQL")
        m.observe(said(*TALK, at=MONDAY + 7 * DAY))
        done = m.consolidate()
        assert not done.failed, done.stopped
        backlog = m.status().backlog
        assert backlog.turns == backlog.aside
        assert done.turns + len(done.unread) == 6
        calls = m.calls(done.id)
        assert {call.purpose for call in calls} >= {"select"}
        attempts = [each for call in calls for each in call.attempts]
        assert {each.mode for each in attempts} == {Mode.JSON_SCHEMA}
        assert all(each.tokens.prompt and each.tokens.completion for each in attempts)
        assert all(each.tokens.prompt > 1024 for each in attempts if each.tokens.prompt)
        assert all(each.body for each in attempts)
        for decision in done.decisions:
            assert decision.stage != Stage.WAITING
            assert decision.target is None or decision.target in {each.id for each in by_hand}
        m.undo(done.id)
        assert held(m) == [each.content for each in by_hand]


@dataclass
class Cramped:
    """Leaves the model hardly any room to answer."""

    model: EndpointLanguageModel
    host: str | None = None
    name: str = "cramped"

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        return self.model.ask(messages, answer, max_tokens=2)


def test_an_answer_that_is_cut_changes_nothing(url: str, tmp_path: Path) -> None:
    """Asked about less and less at once, until each turn is set aside by itself."""
    model = Cramped(EndpointLanguageModel(url, "smollm2", timeout=300.0))
    with opened(new_home(tmp_path), model) as m:
        m.observe(said(*TALK))
        done = m.consolidate()
        assert held(m) == []
        assert [each.reason.partition(":")[0] for each in done.unread] == ["truncated"] * 3
        assert {call.outcome for call in m.calls(done.id)} == {Outcome.TRUNCATED}
        assert len(m.calls(done.id)) > 3
        assert m.status().backlog.aside == 3
