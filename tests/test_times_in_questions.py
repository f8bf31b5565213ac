"""Questions about a time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import Memoranda, Turn
from memoranda.retrieval import temporal
from memoranda.text.times import asks_when, spans, speaks_of_time
from memoranda.types import Filter

NOW = datetime(2026, 4, 10, 12, tzinfo=UTC)


@pytest.fixture
def lately(m: Memoranda) -> Memoranda:
    """A home that is asked on 10 April, with the same thing said on three days of March."""
    m._clock = lambda: NOW
    for day in (3, 12, 30):
        said = datetime(2026, 3, day, 20, tzinfo=UTC)
        m.observe([Turn(f"c{day}", "user", f"The backup to the NAS took {day} minutes", said)])
    said = datetime(2026, 3, 14, 9, tzinfo=UTC)
    m.observe([Turn("move", "user", "The migration to the new database is done", said)])
    return m


def days(found: memoranda.Recall) -> list[int]:
    return [hit.source.time.day for hit in found.hits if hit.source.time]


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("How long did the backup take on 3 March?", 3),
        ("How long did the backup take a month before 12 April?", 12),
        ("How long did the backup take at the end of March?", 30),
        ("How long did the backup take after the migration?", 30),
        ("How long did the backup take two days before the migration to the new database?", 12),
    ],
)
def test_what_is_of_the_time_goes_first(lately: Memoranda, question: str, best: int) -> None:
    found = lately.recall(question)
    assert next(day for day in days(found) if day != 14) == best, found.explanation.times
    assert len(days(found)) >= 3  # nothing is left out


@pytest.mark.parametrize(
    "question",
    [
        "What did we talk about on 12 March?",
        "what happened on 2026-03-12",
        "Was haben wir am 12. März gemacht?",
        "¿Qué hicimos el 12 de marzo?",
        "我们3月12日聊了什么？",
    ],
)
def test_who_asks_for_a_time_alone_gets_what_was_then(lately: Memoranda, question: str) -> None:
    assert days(lately.recall(question)) == [12]


ASKS_FOR_ALL = """三月十二日說了什麼|三月十二号说了什么？|三月十二號我們聊了什麼？
    |3月12日有什么新鲜事？|3月12日那天我们讨论了哪些话题？|你還記得3月12日我們聊了什麼嗎？|请告诉我3月12日发生的事情
    |3月12日大家都说了些什么|3月12日に何を話しましたか？|3月12日に何があったの？|3月12日に何が起きた？|3月12日の出来事は？
    |3月12日に私たちは何について話しましたか？|3月12日の話を教えて
    |Was war am 12. März?|Worüber haben wir am 12. März gesprochen?|Was gab es am 12. März Neues?
    |Erzähl mir, was am 12. März los war|Was wurde am 12. März besprochen?
    |De quoi avons-nous parlé le 12 mars ?|Qu'est-ce qui s’est passé le 12 mars ?
    |De quoi a-t-on discuté le 12 mars ?|Quoi de neuf le 12 mars ?|Raconte-moi le 12 mars
    |¿De qué hablamos el 12 de marzo?|¿Qué sucedió el 12 de marzo?
    |¿Recuerdas qué te conté el 12 de marzo?|¿De qué estuvimos hablando el 12 de marzo?
    |Tell me what came up on 12 March
    |Do you remember what we discussed on 12 March?|what happened two days before the migration?"""


@pytest.mark.parametrize("question", ASKS_FOR_ALL.split("|"))
def test_in_many_words_it_asks_for_a_time_alone(lately: Memoranda, question: str) -> None:
    assert days(lately.recall(question.strip())) == [12]


@pytest.mark.parametrize(
    "question",
    ["What did J say on 3 March?", "Was hat Anna am 3. März gesagt?", "3月3日に食べた物は？",
     "3月3日买了什么？", "¿Qué comimos el 3 de marzo?", "Qu'a mangé Tom le 3 mars ?"],
)  # fmt: skip
def test_who_asks_for_something_does_not_get_everything(question: str) -> None:
    assert not temporal.is_all(question, spans(question, NOW))


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("What happened before the migration?", [12, 3]),
        ("What happened after the migration?", [14, 30]),
        ("What happened since 10 March?", [12, 14, 30]),
        ("What happened before 13 March?", [12, 3]),
        ("Was geschah nach der migration?", [14, 30]),
    ],
)
def test_before_and_after_tell_the_nearest_first(
    lately: Memoranda, question: str, order: list[int]
) -> None:
    found = lately.recall(question)
    assert days(found) == order
    assert [hit.score for hit in found.hits] == sorted(
        (hit.score for hit in found.hits), reverse=True
    )


@pytest.mark.parametrize(
    ("plan", "done"),
    [
        ("The rack move needs ten minutes of downtime", "The rack move took 4 minutes"),
        ("We will do the rack move on Thursday", "The rack move is done"),
        ("Der rack move soll kurz sein", "Der rack move ist fertig"),
    ],
)
def test_an_event_was_when_it_was_done_not_planned(m: Memoranda, plan: str, done: str) -> None:
    m._clock = lambda: NOW
    m.observe([Turn("c", "user", plan, datetime(2026, 3, 16, 9, tzinfo=UTC))])
    (planned,) = m.recall("What happened after the rack move?").explanation.times
    m.observe([Turn("c", "user", done, datetime(2026, 3, 24, 9, tzinfo=UTC))])
    (span,) = m.recall("What happened after the rack move?").explanation.times
    assert planned.first is not None
    assert planned.first.day < 20  # nothing tells more
    assert span.first == datetime(2026, 3, 24, 9, tzinfo=UTC)


def test_a_plan_tells_a_day_ahead(m: Memoranda) -> None:
    m._clock = lambda: NOW
    m.observe(
        [Turn("c", "user", "The rack move will be on 19 March", datetime(2026, 3, 16, tzinfo=UTC))]
    )
    (span,) = m.recall("What happened after the rack move?").explanation.times
    assert span.first == datetime(2026, 3, 19, tzinfo=UTC)


def test_where_nothing_was_at_a_time_nothing_is_found(lately: Memoranda) -> None:
    assert lately.recall("What did we talk about on 5 March?").hits == ()


@pytest.mark.parametrize("date", ["9999-12-31", "31.12.9999", "0001-01-01", "31 December 9999"])
def test_a_date_at_the_edge_of_the_calendar_is_taken(lately: Memoranda, date: str) -> None:
    lately.observe([Turn("never", "user", f"The licence of Plum ends {date}", NOW)])
    assert lately.recall(f"When does the licence of Plum end, {date}?").hits
    lately.verify(f"The licence of Plum ends {date}")


def test_a_time_never_widens_what_was_asked_for(lately: Memoranda) -> None:
    found = lately.recall(
        "What did we talk about in March?",
        since=datetime(2026, 3, 10, tzinfo=UTC),
        until=datetime(2026, 3, 13, tzinfo=UTC),
    )
    assert days(found) == [12]


def test_how_a_time_was_understood_is_told(lately: Memoranda) -> None:
    (span,) = lately.recall("the backup on 3 March").explanation.times
    assert span.text == "on 3 March"
    assert span.first is not None
    assert span.first.timetuple()[:5] == (2026, 3, 3, 0, 0)


def test_days_begin_in_the_zone_of_the_settings(home: Path) -> None:
    (home / "memoranda.toml").write_text('timezone = "Asia/Tokyo"', encoding="utf-8")
    with memoranda.open(home) as m:
        m._clock = lambda: NOW
        m.observe([Turn("c", "user", "plum", datetime(2026, 3, 2, 23, 30, tzinfo=UTC))])
        assert len(m.recall("what happened on 3 March?").hits) == 1
        assert m.recall("what happened on 2 March?").hits == ()


@pytest.mark.parametrize("question", ["port 9077", "we met", "May I?", "room 1998", "十万年前"])
def test_a_number_or_a_word_is_no_time(lately: Memoranda, question: str) -> None:
    assert lately.recall(question).explanation.times == ()


@pytest.mark.parametrize(
    "question",
    ["When did we move?", "since when?", "On which day was it?", "Wann war das?", "什么时候搬家？",
     "¿cuándo fue?", "Quand est-ce ?", "do you know when she left", "how long ago"],
)  # fmt: skip
def test_it_asks_when(question: str) -> None:
    assert asks_when(question)


@pytest.mark.parametrize("question", ["What did she do when he left?", "the wind", "何か", ""])
def test_it_does_not_ask_when(question: str) -> None:
    assert not asks_when(question)


def test_who_asks_when_gets_what_speaks_of_a_time(m: Memoranda) -> None:
    for content in ("The new disk arrived for the NAS", "The new disk for the NAS came yesterday"):
        m.observe([Turn(content[-9:], "user", content, NOW)])
    best, other = m.recall("When did the new disk for the NAS arrive?").hits
    assert "tells when" in best.boosts
    assert "tells when" not in other.boosts


@given(st.text())
def test_any_text_may_speak_of_time(text: str) -> None:
    speaks_of_time(text)
    asks_when(text)
    named = spans(text, NOW)
    if temporal.is_all(text, named):
        exact = temporal.exactly(Filter(now=NOW), named)
        assert exact.since is not None
        assert exact.until is not None


def test_a_question_full_of_dates_is_searched_a_few_times(lately: Memoranda) -> None:
    question = " and ".join(f"{day} March 2026 before the migration {day}" for day in range(1, 29))
    found = lately.recall(f"the backup on {question}")
    assert len(found.explanation.times) <= temporal.MOST_SPANS + temporal.MOST_EVENTS
