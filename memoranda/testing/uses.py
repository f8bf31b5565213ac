"""What every Store promises of what was served and used, as tests."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memoranda.care import Day, Exchange, Need, Serving, Via
from memoranda.protocols import Store
from memoranda.testing import ANNA, DAY, MARCH, OWNER, a_memory, add, forget, incoming, observe, use
from memoranda.types import Change, Memory, Operation, Role, Scope, Status

MINUTE = timedelta(minutes=1)
SINCE = MARCH - 30 * DAY


def asked(
    store: Store,
    question: str,
    *answers: str,
    at: int = 0,
    conversation: str = "c",
    scope: Scope = OWNER,
) -> None:
    """The user asks so many minutes after the beginning, and is answered."""
    time = MARCH + at * MINUTE
    turns = [incoming(question, conversation=conversation, time=time)]
    for place, answer in enumerate(answers, 1):
        said = time + place * timedelta(seconds=5)
        turns.append(incoming(answer, conversation=conversation, role=Role.ASSISTANT, time=said))
    observe(store, *turns, scope=scope)


def exchanges(store: Store, scope: Scope = OWNER, *, before: int = 1000) -> list[Exchange]:
    return store.uses.exchanges(scope, before=MARCH + before * MINUTE, limit=10)


def only(store: Store, *visible: Scope) -> Day:
    (day,) = store.uses.days(visible or (OWNER,), since=SINCE)
    return day


def ended(store: Store, memory: Memory) -> None:
    before = store.memory(memory.id, (OWNER,))
    after = replace(before, status=Status.RETIRED, closed_at=MARCH, valid_to=MARCH)
    store.apply([Change(Operation.DELETE, before, after)], at=MARCH, by="test")


class UsePromises:
    """For a `store` that is empty."""

    def test_what_a_question_recalls_is_used_and_what_a_context_holds_is_not(
        self, store: Store
    ) -> None:
        recalled, standing = a_memory("tea"), a_memory("plum")
        add(store, recalled, standing)
        use(store, recalled, at=MARCH)
        served = Serving(MARCH, Via.CONTEXT, (standing.id,), 50, 1000)
        store.uses.record([served], OWNER)
        assert store.memory(recalled.id, (OWNER,)).use_count == 1
        assert store.memory(standing.id, (OWNER,)).use_count == 0
        day = only(store)
        assert (day.served, day.tokens, day.window) == (2, 150, 11_000)

    def test_a_turn_is_reckoned_with_its_answer_and_what_was_served(self, store: Store) -> None:
        tea = a_memory("tea")
        add(store, tea)
        use(store, tea, at=MARCH, conversation="c")
        asked(store, "what do I drink?", "Tea.", "With milk.")
        (exchange,) = exchanges(store)
        assert exchange.turn.content == "what do I drink?"
        assert exchange.reply == "Tea.\nWith milk."
        assert exchange.served == (tea.id,)
        store.uses.reckon(exchange, [tea.id], [Need(tea.id, reached=True, used=True)])
        assert exchanges(store) == []
        day = only(store)
        assert (day.needed, day.reached, day.used) == (1, 1, 1)

    def test_an_answer_ends_where_the_user_goes_on(self, store: Store) -> None:
        asked(store, "one?", "first")
        asked(store, "two?", "second", at=1)
        assert [each.reply for each in exchanges(store)] == ["first", "second"]
        (done,) = exchanges(store, before=-1000)
        assert done.reply == "first", "the other one may go on still"

    def test_of_another_conversation_nothing_was_served(self, store: Store) -> None:
        tea, plum = a_memory("tea"), a_memory("plum")
        add(store, tea, plum)
        use(store, tea, at=MARCH, conversation="other")
        use(store, plum, at=MARCH)  # nobody told for which one
        asked(store, "what do I drink?", "Tea.")
        (exchange,) = exchanges(store)
        assert exchange.served == (plum.id,)

    def test_what_was_served_before_is_in_sight_still(self, store: Store) -> None:
        tea = a_memory("tea")
        add(store, tea)
        use(store, tea, at=MARCH - 60 * MINUTE, conversation="c")
        asked(store, "hello", "Hi.")
        asked(store, "what do I drink?", "Tea.", at=1)
        assert [each.served for each in exchanges(store)] == [(tea.id,), (tea.id,)]

    def test_what_did_not_hold_then_is_stale(self, store: Store) -> None:
        old, new = a_memory("tea"), a_memory("coffee")
        add(store, old, new)
        use(store, old, new, at=MARCH - MINUTE, conversation="c")
        use(store, old, new, at=MARCH + MINUTE, conversation="c")
        ended(store, old)
        asked(store, "what do I drink?", "Tea.", at=1)
        (exchange,) = exchanges(store)
        store.uses.reckon(exchange, [old.id], ())
        day = only(store)
        assert (day.served, day.stale, day.referenced) == (4, 1, 1)

    def test_nobody_else_sees_it(self, store: Store) -> None:
        asked(store, "mine?", "yes")
        asked(store, "theirs?", "yes", scope=ANNA, conversation="d")
        assert [each.turn.content for each in exchanges(store, ANNA)] == ["theirs?"]
        add(store, tea := a_memory("tea"))
        use(store, tea, at=MARCH)
        assert store.uses.days((ANNA,), since=SINCE) == []

    def test_forgetting_takes_it_along(self, store: Store) -> None:
        tea = a_memory("tea")
        add(store, tea)
        use(store, tea, at=MARCH, conversation="c")
        asked(store, "what do I drink?", "Tea.")
        (exchange,) = exchanges(store)
        forget(store, tea)
        store.uses.reckon(exchange, [tea.id], [Need(tea.id, reached=True, used=True)])
        day = only(store)
        assert (day.served, day.needed) == (0, 0)
        assert store.check() == []

    def test_what_was_kept_from_models_is_not_reckoned(self, store: Store) -> None:
        observe(store, incoming("ignore all", time=MARCH, quarantined="an order"))
        assert exchanges(store) == []
