"""Whether what is served is used, is true, is short, and saves people from repeating themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import Health, InvalidInput, Memoranda, Turn
from memoranda.care import Day
from memoranda.health.metrics import COUNTS, LEAST, lived, measures, monday
from memoranda.policy.access import Access
from memoranda.policy.fading import curves
from memoranda.settings import Settings
from memoranda.testing import MARCH, OWNER, a_memory
from memoranda.text import use
from memoranda.types import Kind
from tests.consolidating import DAY, MONDAY, SITE, Clock, later, opened
from tests.scripted import Mind, entry, verdict

# By words -----------------------------------------------------------------------------------------


def is_used(memory: str, *, question: str, reply: str) -> bool:
    asked, said = use.words_of(question), use.words_of(reply)
    return use.is_used(use.words_of(memory), question=asked, reply=said)


def is_about(memory: str, question: str) -> bool:
    return use.is_about(use.words_of(memory), use.words_of(question))


USED = [
    ("User uses Ruff as a linter", "Which linter do I use?", "You use Ruff."),
    ("The pool is called tank", "What is the pool called?", "It is called tank."),
    ("Grafana listens on port 3001", "Where is Grafana?", "On port 3001."),
    ("The wiki runs on web-02", "Where does the wiki run?", "ssh web-02 'systemctl status wiki'"),
    ("用户住在上海", "我住在哪里?", "你住在上海。"),
    (
        "User is allergic to peanuts",
        "Can I eat this?",
        "No, it may have peanuts; you are allergic.",
    ),
]
UNUSED = [
    ("User uses Ruff as a linter", "Do I use Ruff?", "I cannot say."),
    ("User uses Ruff as a linter", "Do I use Ruff as a linter?", "Yes, you use Ruff."),
    ("The wiki runs on web-02", "Where does the wiki run?", "It runs on web-01."),
    ("The pool is called tank", "What is the pool called?", "I do not know what it is called."),
    ("User is allergic to peanuts", "What is the capital of France?", "Paris."),
    ("User is a user", "", ""),
]


@pytest.mark.parametrize(("memory", "question", "reply"), USED)
def test_an_answer_that_says_what_only_the_memory_did_used_it(
    memory: str, question: str, reply: str
) -> None:
    assert is_used(memory, question=question, reply=reply)


@pytest.mark.parametrize(("memory", "question", "reply"), UNUSED)
def test_an_echo_of_the_question_is_no_use(memory: str, question: str, reply: str) -> None:
    assert not is_used(memory, question=question, reply=reply)


@pytest.mark.parametrize(
    ("memory", "question", "about"),
    [
        ("User lives in Oslo", "Where do I live?", True),
        ("The wiki runs on web-02", "On which host does the wiki run?", True),
        ("User prefers tea in the morning", "What do I drink in the morning?", False),
        ("User lives in Oslo", "What is the capital of Mongolia?", False),
        ("The server zeta4 listens on port 7004", "On which port does zeta4 listen?", True),
        ("The server zeta5 listens on port 7005", "On which port does zeta4 listen?", False),
        ("Ruff", "which linter?", False),
        ("", "", False),
    ],
)
def test_a_question_is_about_what_shares_most_of_its_words(
    memory: str, question: str, about: bool
) -> None:
    assert is_about(memory, question) is about


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=200))
def test_any_text_may_be_compared(memory: str, question: str, reply: str) -> None:
    is_about(memory, question)
    assert not is_used(memory, question=memory, reply=reply)
    assert not is_used(memory, question=question, reply="")


# By numbers ---------------------------------------------------------------------------------------


@given(st.lists(st.fixed_dictionaries({name: st.integers(0, 1000) for name in COUNTS}), max_size=9))
def test_of_too_few_nothing_is_told_and_else_a_share(days: list[dict[str, int]]) -> None:
    made = [Day(MARCH.date(), OWNER, **each) for each in days]
    for measure in measures(made):
        assert (measure.value is None) == (measure.of < LEAST)
        assert (measure.is_met is None) == (measure.value is None)
    assert measures(made) == measures(made[::-1])


def test_the_half_life_that_uses_suggest_is_that_of_an_exponential() -> None:
    drawn = curves(Settings())
    some = [
        a_memory("x", kind=Kind.FACT, used_at=MARCH + timedelta(days=days))
        for days in range(1, 201)
    ]
    (fact,) = [each for each in lived(some, drawn) if each.kind == "fact"]
    assert fact.median == 100.5
    assert fact.suggests == pytest.approx(100.5 * 0.6931, rel=1e-3)
    assert lived(some[:5], drawn)[0].suggests is None


# From use -----------------------------------------------------------------------------------------


@pytest.fixture
def m(home: Path) -> Iterator[Memoranda]:
    with opened(home, clock=Clock(MONDAY)) as made:
        yield made


def chat(m: Memoranda, conversation: str, question: str, answer: str, *, ask: bool = True) -> None:
    """A question to an agent that recalls, if it does, and answers."""
    now = m._clock()
    if ask:
        m.recall(question, limit=3, conversation=conversation)
    m.observe(
        [
            Turn(conversation, "user", question, now),
            Turn(conversation, "assistant", answer, now + timedelta(seconds=9)),
        ]
    )
    later(m, minutes=20)


def value(found: Health, name: str) -> float | None:
    return next(each.value for each in found.measures if each.name == name)


def test_the_recall_rate_tells_what_reached_and_what_was_used(m: Memoranda) -> None:
    hosts = [("wiki", "web-02"), ("shop", "web-07"), ("mail", "mx-1"), ("git", "forge-3")]
    for service, host in hosts:
        m.remember(f"The {service} runs on {host}", kind="environment")
    later(m, days=1)
    for n in range(24):
        service, host = hosts[n % 4]
        reached, used = n % 4 != 0, n % 4 > 1
        answer = f"It is {host}." if used else "I cannot tell."
        chat(m, f"c{n}", f"On which host does the {service} run?", answer, ask=reached)
    found = m.health()
    assert value(found, "recall rate, reached") == 18 / 24
    assert value(found, "recall rate, used") == 12 / 24
    recall = found.measures[0]
    assert (recall.of, recall.target, recall.is_met) == (24, 0.7, True)
    assert found.weeks[-1].begins == MONDAY.date()
    assert m.health() == replace(found, bytes=m.health().bytes), "nothing is counted twice"


def test_what_was_not_known_then_was_not_missed(m: Memoranda) -> None:
    for n in range(LEAST):
        chat(m, f"c{n}", "On which host does the wiki run?", "I cannot tell.")
    later(m, days=1)
    m.remember("The wiki runs on web-02")
    assert m.health().measures[0].of == 0


def test_the_contradiction_rate_tells_what_no_longer_held(m: Memoranda) -> None:
    old = m.remember("The wiki runs on web-01")
    later(m, days=1)
    for n in range(10):
        chat(m, f"a{n}", "On which host does the wiki run?", "On web-01.")
    moved = m._clock()
    for n in range(10):
        chat(m, f"b{n}", "On which host does the wiki run?", "On web-01.")
    m.revise(old.id, "The wiki runs on web-02", valid_from=moved)
    found = m.health()
    assert value(found, "contradiction rate, served") == 0.5
    assert value(found, "contradiction rate, referenced") == 0.5


def test_prompt_efficiency_is_the_share_of_the_window(m: Memoranda) -> None:
    m.remember("User wants short answers", kind="preference")
    for _ in range(LEAST):
        m.context("answers?", window=2000)
        later(m, hours=1)
    found = m.health()
    told = value(found, "prompt efficiency")
    assert told == pytest.approx(m.context(window=2000).tokens / 2000)
    assert m.list()[0].use_count == LEAST, (
        "a question is a use; what stands whatever is asked is none"
    )


def test_the_re_mention_rate_tells_who_must_repeat_himself(home: Path) -> None:
    mind = Mind(lambda sentence: [entry(sentence.replace("I ", "User ").rstrip("."), "preference")])
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        for n in range(LEAST // 2):
            at = m._clock()
            m.observe([Turn(f"a{n}", "user", f"I like tool number {n}.", at)])
            m.consolidate()
            later(m, days=1)
            m.observe([Turn(f"b{n}", "user", f"I like tool number {n}.", m._clock())])
            m.consolidate()
        found = m.health()
        assert value(found, "re-mention rate") == 0.5
        assert not found.measures[-1].is_met


def test_what_was_served_just_before_is_a_loop(home: Path) -> None:
    mind = Mind(
        lambda sentence: [entry("User likes tea", "preference")] if "tea" in sentence else [],
        lambda _: verdict("ADD"),
    )
    with opened(home, mind, clock=Clock(MONDAY)) as m:
        m.remember("User likes tea", kind="preference")
        later(m, days=1)
        for n in range(LEAST):
            chat(m, f"c{n}", "Do I like tea?", "You do.")
            m.observe([Turn(f"c{n}", "user", "As I said before, I like tea.", m._clock())])
        m.consolidate()
        (loop,) = [each for each in m.health().hygiene if each.name == "loop rate"]
        assert loop.value == 1.0


def test_what_is_stored_is_looked_at_too(m: Memoranda) -> None:
    for n in range(LEAST):
        m.remember(f"User prefers the tool number {n}", kind="environment")
    m.remember("The tool number 3 user prefers", kind="fact")
    later(m, days=400)
    found = m.health()
    by_name = {each.name: each.value for each in found.hygiene}
    assert by_name["duplicate rate"] == 1 / (LEAST + 1)
    assert by_name["stale rate"] == 1.0
    assert by_name["junk rate"] is None
    assert (found.live, found.stored) == (LEAST + 1, LEAST + 1)
    assert found.bytes > 0


def test_each_scope_is_told_apart(home: Path) -> None:
    with opened(home, access=Access(project=SITE), clock=Clock(MONDAY)) as m:
        scopes = {week.scope for week in m.health(weeks=2).weeks}
        assert scopes == {None, OWNER, SITE}
        assert len(m.health(weeks=2).weeks) == 6
    with opened(home, clock=Clock(MONDAY)) as m:
        assert {week.scope for week in m.health(weeks=2).weeks} == {None}
        with pytest.raises(InvalidInput, match="weeks"):
            m.health(weeks=0)


def test_it_can_be_turned_off(home: Path) -> None:
    with opened(home, clock=Clock(MONDAY), log_use=False) as m:
        memory = m.remember("The wiki runs on web-02")
        chat(m, "c", "On which host does the wiki run?", "On web-02.")
    with opened(home, clock=Clock(MONDAY + DAY), log_use=False) as m:
        assert m.show(memory.id).use_count == 0  # type: ignore[union-attr]
        assert m.health().measures[2].of == 0


def test_of_an_incognito_conversation_nothing_is_logged(m: Memoranda) -> None:
    m.remember("The wiki runs on web-02")
    m.incognito("c")
    m.recall("wiki", conversation="c", incognito=True)
    m.context("wiki", conversation="c")
    assert m._served == []


def test_weeks_begin_on_mondays() -> None:
    assert monday(MONDAY.date()) == monday((MONDAY + 6 * DAY).date()) == MONDAY.date()


def test_machines_read_it(m: Memoranda) -> None:
    from memoranda.interfaces.cli.health import _exposed
    from memoranda.types import plain

    m.remember("The wiki runs on web-02")
    found = m.health()
    assert json.loads(json.dumps(plain(found)))["live"] == 1
    lines = list(_exposed(found))
    assert "memoranda_live 1" in lines
    assert not any(line.startswith("memoranda_recall_rate_reached ") for line in lines)
    assert all(line.startswith(("# TYPE ", "memoranda_")) for line in lines)
