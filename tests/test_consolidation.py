"""What was said becomes memories, in passes that can be previewed, audited and undone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoranda import (
    Busy,
    Conflict,
    InvalidInput,
    InvalidSettings,
    Memoranda,
    Memory,
    Scope,
    Stage,
    Status,
    Turn,
)
from memoranda.answers import Answer, Attempt, Mode, Outcome, Tokens
from memoranda.policy.access import Access
from memoranda.protocols import Embedder
from memoranda.settings import Settings
from memoranda.types import Operation
from memoranda.wiring import embedder_of
from tests.consolidating import DAY, MONDAY, SITE, Clock, held, known, only, opened, said
from tests.scripted import NUMBERED, Entry, Mind, Scripted, Statement, entry, verdict


@pytest.fixture(scope="module")
def minilm(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    embedder = embedder_of(Settings(), tmp_path_factory.mktemp("models"))
    assert embedder is not None
    return embedder


def keeping(*kept: tuple[str, Entry]) -> Mind:
    """Selects sentences that hold some words; what is like something known is an addition."""
    return Mind(choose=lambda sentence: [made for words, made in kept if words in sentence])


def told(sentence: str) -> Iterable[Entry]:
    """Selects every sentence, and says of the user what they say of themselves."""
    third = re.sub(r"\bI (\w+)", lambda found: f"User {found[1]}s", sentence.rstrip("."))
    return [entry(third)]


def same_or_new(statement: Statement) -> Entry:
    label = statement.label(statement.text)
    return verdict("NOOP", label) if label else verdict("ADD")


# The named examples -------------------------------------------------------------------------------


def test_love_that_turns_to_hate_leaves_one_memory(home: Path, minilm: Embedder) -> None:
    def weigh(statement: Statement) -> Entry:
        label = statement.label("Chinese food")
        return verdict("UPDATE", label, statement.text) if label else verdict("ADD")

    mind = Mind(
        lambda sentence: [
            entry(
                sentence.replace("I love", "User loves")
                .replace("I hate", "User hates")
                .rstrip("."),
                "preference",
            )
        ],
        weigh,
    )
    with opened(home, mind, embedder=minilm) as m:
        m.observe(said("I love Chinese food."))
        m.consolidate()
        m.observe(said("I hate Chinese food.", at=MONDAY + 7 * DAY))
        done = m.consolidate()
        assert held(m) == ["User hates Chinese food"]
        assert held(m, Status.SUPERSEDED) == ["User loves Chinese food"]
        assert [each.operation for each in done.operations] == [Operation.UPDATE]
        old = m.list(statuses=["superseded"])[0]
        assert old.superseded_by == only(m).id
        assert old.valid_to == MONDAY + 7 * DAY


def test_what_is_said_twice_is_one_memory_mentioned_twice(home: Path, minilm: Embedder) -> None:
    mind = Mind(told, same_or_new)
    with opened(home, mind, embedder=minilm) as m:
        m.observe(said("I like tea.", "I like tea."))
        m.consolidate()
        memory = only(m)
        assert (memory.content, memory.mention_count) == ("User likes tea", 2)
        assert len(memory.sources) == 2
        before = memory.confidence
        m.observe(said("I like tea.", at=MONDAY + 3 * DAY, conversation="later"))
        m.consolidate()
        assert only(m).mention_count == 3
        assert only(m).confidence > before


def test_a_run_on_two_days_is_two_episodes(home: Path, minilm: Embedder) -> None:
    mind = Mind(
        lambda sentence: [entry(sentence.replace("I ran", "User ran").rstrip("."), "episode")],
        same_or_new,
    )
    with opened(home, mind, embedder=minilm) as m:
        m.observe(said("I ran 5 km on Monday.", at=MONDAY + 1 * DAY))
        m.observe(said("I ran 5 km on Tuesday.", at=MONDAY + 2 * DAY, conversation="d"))
        m.consolidate()
        first, second = reversed(m.list())
        assert first.kind == second.kind == "episode"
        assert first.valid_from
        assert second.valid_from
        assert second.valid_from - first.valid_from == DAY
        assert "2026-03-02" in first.content
        assert "2026-03-03" in second.content


def test_one_new_fact_leaves_the_others_on_its_subject(home: Path, minilm: Embedder) -> None:
    """Of forty facts about one host, the one that is contradicted goes and no other."""

    def weigh(statement: Statement) -> Entry:
        label = statement.label("port 8007")
        return verdict("UPDATE", label, statement.text) if label else verdict("ADD")

    mind = Mind(lambda sentence: [entry(sentence.rstrip("."), "environment")], weigh)
    with opened(home, mind, embedder=minilm) as m:
        known(m, *(f"Service {n:02d} on atlas listens on port {8000 + n}" for n in range(40)))
        m.observe(said("Service 07 on atlas listens on port 9907 now.", at=MONDAY + 7 * DAY))
        m.consolidate()
        assert len(m.list()) == 40
        (gone,) = held(m, Status.SUPERSEDED)
        assert gone == "Service 07 on atlas listens on port 8007"


def test_what_ended_is_retired_and_no_negation_is_added(home: Path, minilm: Embedder) -> None:
    mind = Mind(
        lambda sentence: (
            [entry("User is not vegetarian anymore", ends=True)]
            if "anymore" in sentence
            else [entry("User is vegetarian")]
        ),
        lambda statement: (
            verdict("DELETE", statement.label("vegetarian"))
            if statement.label("vegetarian")
            else verdict("ADD")
        ),
    )
    with opened(home, mind, embedder=minilm) as m:
        m.observe(said("I'm vegetarian."))
        m.consolidate()
        m.observe(said("I'm not vegetarian anymore.", at=MONDAY + 5 * DAY))
        m.consolidate()
        assert held(m) == []
        assert held(m, Status.RETIRED) == ["User is vegetarian"]


@pytest.mark.parametrize("content", ["User lives in NYC", "User's home is NYC"])
def test_a_walk_is_no_residence(home: Path, minilm: Embedder, content: str) -> None:
    """Whatever a model makes of it."""
    with opened(home, keeping(("NYC", entry(content))), embedder=minilm) as m:
        m.observe(said("I went for a walk in NYC."))
        assert m.consolidate().counts == {"rejected": 1}
        assert m.list() == ()


def test_an_event_becomes_an_episode_of_its_day(home: Path, minilm: Embedder) -> None:
    mind = keeping(("first customer", entry("User landed their first customer", "episode")))
    with opened(home, mind, embedder=minilm) as m:
        m.observe(said("I was so excited about landing our first customer!"))
        m.consolidate()
        assert only(m).valid_from == MONDAY


# What a pass does and does not --------------------------------------------------------------------


def test_the_assistants_words_are_never_a_source(home: Path) -> None:
    seen = []
    mind = Mind(choose=lambda sentence: seen.append(sentence) or [])  # type: ignore[func-returns-value]
    with opened(home, mind) as m:
        m.observe(
            [
                Turn("c", "user", "I use Vim.", MONDAY),
                Turn("c", "assistant", "You like Emacs, I see.", MONDAY),
                Turn("c", "user", "<memory-context>\nUser likes nano\n</memory-context>", MONDAY),
            ]
        )
        m.consolidate()
        assert seen == ["I use Vim."]


def test_a_second_pass_finds_nothing_to_do(home: Path) -> None:
    mind = Mind(told)
    with opened(home, mind) as m:
        m.observe(said("I like tea.", "I ride a bicycle."))
        first, second = m.consolidate(), m.consolidate()
        assert len(first.operations) == 2
        assert (second.operations, second.turns, second.calls) == ((), 0, 0)
        assert first.turns == 4
        assert first.stopped is None
        assert not first.failed
        assert first.tokens.prompt


def test_every_memory_says_which_words_it_rests_on(home: Path) -> None:
    mind = keeping(("bicycle", entry("User rides a bicycle")))
    with opened(home, mind) as m:
        m.observe(said("It rained. I ride a bicycle. So what?"))
        m.consolidate()
        (source,) = only(m).sources
        assert source.quote == "I ride a bicycle."
        assert source.turn
        assert source.start == 11
        assert source.end == 28
        assert source.conversation == "c"


def test_without_a_model_candidates_wait_and_are_read_when_one_is_there(home: Path) -> None:
    with opened(home) as m:
        m.observe(said("I prefer tabs over spaces.", "We host the wiki on atlas."))
        done = m.consolidate()
        assert done.model == "rules"
        assert {each.status for each in m.list()} == {Status.CANDIDATE}
        assert all(each.confidence <= 0.5 for each in m.list())
        assert m.status().backlog.turns == 4
        assert m.consolidate().operations == ()
    mind = keeping(("tabs", entry("User prefers tabs over spaces", "preference")))
    with opened(home, mind) as m:
        m.consolidate()
        assert held(m) == ["User prefers tabs over spaces"]
        assert only(m).status == Status.CURRENT
        assert m.status().backlog.turns == 0


def test_decisions_go_to_the_project_and_the_rest_stays_with_who_heard_it(home: Path) -> None:
    coder, reader = Scope("profile", "coder"), Scope("profile", "reader")
    mind = keeping(
        ("JWT", entry("The team chose JWT over session cookies", "decision")),
        ("fixed", entry("The auth bug is fixed", "episode")),
        ("quiet", entry("User works best when it is quiet")),
    )
    talk = said(
        "We chose JWT over session cookies.",
        "The auth bug is fixed.",
        "I work best when it is quiet.",
    )
    with opened(home, mind, access=Access(profile=coder, project=SITE)) as m:
        m.observe(talk)
        m.consolidate()
        where = {each.content: each.scope for each in m.list()}
        assert where == {
            "The team chose JWT over session cookies": SITE,
            "The auth bug is fixed": coder,
            "User works best when it is quiet": coder,
        }
        assert m.candidates() == ()
    with opened(home, mind, access=Access(profile=reader)) as m:
        m.observe(said("I work best when it is quiet."))
        m.consolidate()
        assert held(m) == ["User works best when it is quiet"]
        (offered,) = m.candidates()
        assert (offered.scope, offered.stage) == (Scope("user"), Stage.REVIEW)
        m.accept(offered.id)
    with opened(home) as m:
        assert held(m) == ["User works best when it is quiet"]


def test_what_was_forgotten_is_not_derived_again(home: Path) -> None:
    mind = Mind(told)
    with opened(home, mind) as m:
        m.observe(said("I like tea."))
        m.consolidate()
        m.forget(only(m).id)
        m.observe(said("I like tea.", at=MONDAY + DAY, conversation="d"))
        done = m.consolidate()
        assert held(m) == []
        assert [(each.stage, each.reason) for each in done.decisions] == [
            (Stage.REJECTED, "forgotten")
        ]


def test_one_pass_at_a_time(home: Path) -> None:
    with opened(home, Mind(told)) as m, opened(home, Mind(told)) as other:
        m.observe(said("I like tea."))
        model = m._language
        assert isinstance(model, Scripted)

        def at_the_same_time(_: str) -> None:
            with pytest.raises(Busy):
                other.consolidate()

        model.before = at_the_same_time
        m.consolidate()
        assert len(m.list()) == 1


# Nothing is locked while a model thinks -----------------------------------------------------------


def test_others_read_and_write_while_the_model_thinks(home: Path) -> None:
    with opened(home, Mind(told)) as m, opened(home, lock_timeout=0.0) as other:
        m.observe(said("I like tea."))
        written: list[Memory] = []

        def meanwhile(_: str) -> None:
            other.observe([Turn("other", "user", f"while {len(written)}", MONDAY)])
            written.append(other.remember(f"written while it thinks, {len(written)}"))
            other.recall("tea")

        model = m._language
        assert isinstance(model, Scripted)
        model.before = meanwhile
        m.consolidate()
        assert len(written) >= 2
        assert {each.content for each in written} < set(held(m))


def test_a_memory_changed_while_the_model_thinks_is_weighed_again(home: Path) -> None:
    def weigh(statement: Statement) -> Entry:
        return verdict("UPDATE", "m1", statement.text)

    clock = Clock()
    mind = Mind(lambda _: [entry("Deploys go out on Fridays")], weigh)
    with opened(home, mind, clock=clock) as m:
        (memory,) = known(m, "Deploys go out on Tuesdays")
        m.observe(said("Deploys go out on Fridays now.", at=MONDAY + 7 * DAY))
        changes = iter(["Deploys go out on Wednesdays"])

        def meanwhile(told: str) -> None:
            if told.startswith("{") and (content := next(changes, None)):
                now, clock.now = clock.now, MONDAY + DAY
                m.revise(memory.id, content)
                clock.now = now

        model = m._language
        assert isinstance(model, Scripted)
        model.before = meanwhile
        done = m.consolidate()
        assert held(m) == ["Deploys go out on Fridays"]
        assert held(m, Status.SUPERSEDED) == [
            "Deploys go out on Tuesdays",
            "Deploys go out on Wednesdays",
        ]
        assert [each.operation for each in done.operations] == [Operation.UPDATE]


# Bounds -------------------------------------------------------------------------------------------


def test_a_pass_stops_at_its_budget_and_the_next_goes_on(home: Path) -> None:
    talk = [
        turn for n in range(40) for turn in said(f"I like tea number {n}.", conversation=f"c{n}")
    ]
    with opened(home, Mind(told), pass_tokens=12_000) as m:
        m.observe(talk)
        done = m.consolidate()
        assert done.stopped is not None
        assert "pass_tokens" in done.stopped
        assert not done.failed
        assert done.tokens.prompt
        assert done.tokens.prompt < 12_000
        assert 0 < len(m.list()) < 40
        assert m.status().backlog.turns > 0
    with opened(home, Mind(told), pass_tokens=0) as m:
        assert m.consolidate().stopped is None
        assert len(m.list()) == 40
        assert m.status().backlog.turns == 0


@pytest.mark.parametrize("option", ["day_tokens", "month_tokens"])
def test_what_passes_of_a_day_took_counts(home: Path, option: str) -> None:
    clock = Clock(MONDAY.replace(day=10))
    bound: dict[str, Any] = {option: 6_000}
    with opened(home, Mind(told), clock=clock, **bound) as m:
        for number in range(4):
            m.observe(said(f"I like tea number {number}.", conversation=f"c{number}"))
            last = m.consolidate()
        assert last.stopped is not None
        assert option in last.stopped
        left = m.status().backlog.turns
        assert left
        clock.now += DAY if option == "day_tokens" else 31 * DAY
        m.consolidate()
        assert m.status().backlog.turns < left


def test_money_and_time_are_bounds_too(home: Path) -> None:
    prices: dict[str, Any] = {"language_price_in": 1000.0, "language_price_out": 1000.0}
    with opened(home, Mind(told), pass_money=0.5, **prices) as m:
        m.observe(said("I like tea."))
        done = m.consolidate()
        assert done.stopped is not None
        assert "pass_money" in done.stopped
        assert m.list() == ()
    clock = Clock()
    with opened(home, Mind(told), clock=clock, pass_minutes=10.0) as m:
        model = m._language
        assert isinstance(model, Scripted)
        model.before = lambda told: setattr(clock, "now", clock.now + timedelta(minutes=11))
        m.observe([*said("I like tea."), *said("I like milk.", conversation="d")])
        done = m.consolidate()
        assert done.stopped is not None
        assert "pass_minutes" in done.stopped
        assert m.passes()[0].stopped == done.stopped


def test_a_pass_retires_no_more_than_its_share(home: Path) -> None:
    """A model gone mad must not empty a memory; what goes beyond waits for a person."""

    def weigh(statement: Statement) -> Entry:
        return verdict("DELETE", next(iter(statement.memories)))

    mind = Mind(lambda sentence: [entry(sentence.rstrip("."), ends=True)], weigh)
    with opened(home, mind, retire_share=0.1) as m:
        known(m, *(f"Widget {number} is made of brass" for number in range(60)))
        talk = [f"Widget {number} is not made of brass any more." for number in range(30)]
        m.observe(said(*talk, at=MONDAY + 7 * DAY))
        done = m.consolidate()
        assert len(held(m, Status.RETIRED)) == 6
        assert len(m.candidates()) >= 10
        assert "may close no more" in (m.candidates()[-1].reason or "")
        assert done.counts["delete"] == 6


def test_pins_are_never_touched(home: Path) -> None:
    mind = Mind(
        lambda sentence: [entry(sentence.rstrip("."))],
        lambda statement: verdict("UPDATE", "m1", statement.text),
    )
    with opened(home, mind) as m:
        known(m, "Backups run at noon", pin=True)
        m.observe(said("Backups run at midnight.", at=MONDAY + 7 * DAY))
        m.consolidate()
        assert held(m) == ["Backups run at noon"]
        (asked,) = m.candidates()
        assert "pinned" in (asked.reason or "")


# Preview, undo, replay ----------------------------------------------------------------------------


def dumped(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of the file, but for what records passes and uses, and what is derived."""
    import apsw

    aside = re.compile(
        r"ledger|pass$|consequence|neighbour|call|attempt|offered|decision|reading|spending"
        r"|vector_change|sqlite_|.*_fts|need$|serving|served|unreckoned_turn|file"
    )
    db = apsw.Connection(str(home / "memory.db"))
    tables = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {
        name: sorted(db.execute(f"SELECT * FROM {name}"), key=repr)
        for name in tables
        if not aside.match(name)
    }


class Mixed:
    """A model that does everything: adds, updates, retires and knows."""

    def choose(self, sentence: str) -> Iterable[Entry]:
        ends = "no longer" in sentence
        return [entry(sentence.rstrip("."), "environment", ends=ends)]

    def weigh(self, statement: Statement) -> Entry:
        machine = " ".join(statement.text.split()[:2])
        label = statement.label(f"{machine} ")
        if label is None:
            return verdict("ADD")
        known = statement.memories[label]
        if "no longer" in statement.text:
            return verdict("DELETE", label)
        if known == statement.text:
            return verdict("NOOP", label)
        return verdict("UPDATE", label, statement.text)


def mixed_talk(count: int, at: Any = MONDAY + 7 * DAY) -> list[Turn]:
    sentences = []
    for number in range(count):
        machine = f"Machine m{number:03d}x"
        sentences.append(
            [
                f"{machine} has {number + 2} disks.",
                f"{machine} has {number + 3} disks.",
                f"{machine} has {number + 1} disks.",
                f"{machine} is no longer in use.",
            ][number % 4]
        )
    return [
        turn
        for first in range(0, count, 5)
        for turn in said(*sentences[first : first + 5], at=at, conversation=f"mixed{first}")
    ]


def with_machines(m: Memoranda, count: int) -> None:
    for number in range(count):
        if number % 4:
            known(m, f"Machine m{number:03d}x has {number + 1} disks", kind="environment")


MIXED = Mind(Mixed().choose, Mixed().weigh)


def test_undo_gives_the_store_as_it_was_row_by_row(home: Path) -> None:
    with opened(home, MIXED, retire_share=1.0) as m:
        with_machines(m, 200)
        m.observe(mixed_talk(200))
        before = dumped(home)
        done = m.consolidate()
        counts = {name: done.counts.get(name, 0) for name in ("add", "update", "delete", "noop")}
        assert all(count >= 40 for count in counts.values()), counts
        assert sum(counts.values()) == 200
        assert dumped(home) != before
        undone = m.undo(done.id)
        assert dumped(home) == before
        assert (len(undone.removed), len(undone.left)) == (100, 0)
        assert len(undone.restored) == 150
        with pytest.raises(InvalidInput):
            m.undo(done.id)
        again = m.consolidate()
        assert {name: again.counts[name] for name in counts} == counts


def test_what_was_changed_or_forgotten_since_is_left_alone(home: Path) -> None:
    with opened(home, Mind(told)) as m:
        m.observe(said("I like tea.", "I ride a bicycle.", "I sing in a choir."))
        done = m.consolidate()
        tea, bicycle, choir = reversed(m.list())
        m.confirm(tea.id)
        m.forget(bicycle.id)
        undone = m.undo(done.id, keep_read=True)
        assert dict(undone.left) == {tea.id: "changed", bicycle.id: "forgotten"}
        assert undone.removed == (choir.id,)
        assert held(m) == ["User likes tea"]
        assert m.status().backlog.turns == 0


def test_a_dry_run_tells_just_what_a_run_does_and_changes_nothing(home: Path) -> None:
    with opened(home, MIXED, retire_share=1.0) as m:
        with_machines(m, 40)
        m.observe(
            [*mixed_talk(40), *said("Machine m100x has 9 disks.", "Machine m100x has 9 disks.")]
        )
        before, files = dumped(home), {each.name for each in home.iterdir()}
        preview = m.consolidate(dry_run=True)
        assert dumped(home) == before
        left = {each.name for each in home.iterdir()} - files
        assert left == {"consolidation.lock"}
        done = m.consolidate()

        def told(run: Any) -> list[Any]:
            return [(each.operation, each.stage, each.candidate.content) for each in run.decisions]

        assert told(preview) == told(done)
        assert preview.counts == done.counts
        recorded = {each.id: each for each in m.passes()}
        assert recorded[preview.id].preview
        assert recorded[preview.id].tokens == done.tokens
        assert m.ledger(of=preview.id) == ()
        assert len(m.calls(preview.id)) == len(m.calls(done.id))


def test_a_replay_compares_and_changes_nothing(home: Path) -> None:
    with opened(home, MIXED, retire_share=1.0) as m:
        with_machines(m, 20)
        m.observe(mixed_talk(20))
        done = m.consolidate()
        before = dumped(home)
        same = m.replay(done.id)
        assert all(each.same for each in same.compared), same
        assert len(same.compared) == 20
        assert same.more == ()
        lazy = Mind(lambda sentence: Mixed().choose(sentence) if "m00" in sentence else [])
        m._language = Scripted(lazy, name="lazy")
        other = m.replay(done.id)
        assert sum(each.selected for each in other.compared) == 10
        assert dumped(home) == before


# Review -------------------------------------------------------------------------------------------


def test_with_review_nothing_counts_before_a_person_says_so(home: Path) -> None:
    with opened(home, Mind(told)) as m:
        m.observe(said("I like tea.", "I ride a bicycle.", "I sing in a choir."))
        m.consolidate(review=True)
        assert m.list() == ()
        tea, bicycle, choir = m.candidates()
        m.accept(tea.id)
        m.accept(bicycle.id, content="User rides a red bicycle")
        m.reject(choir.id)
        assert held(m) == ["User likes tea", "User rides a red bicycle"]
        assert m.candidates() == ()
        m.observe(said("I sing in a choir.", at=MONDAY + DAY, conversation="d"))
        m.consolidate(review=True)
        assert m.candidates() == ()
        with pytest.raises(InvalidInput):
            m.accept(tea.id)


def test_how_to_do_something_waits_as_a_skill_and_becomes_no_memory(home: Path) -> None:
    mind = keeping(("release", entry("To release, tag and then push", "procedure")))
    with opened(home, mind) as m:
        m.observe(said("To release, tag and then push."))
        m.consolidate()
        (skill,) = m.candidates()
        assert skill.candidate.procedure
        assert m.list() == ()
        m.accept(skill.id)
        assert m.list() == ()
        assert m.candidates() == ()
        assert m.skill("release").body.startswith("To release, tag and then push")


# What waits, and warnings -------------------------------------------------------------------------


def test_a_pass_is_due_by_time_and_by_turns(home: Path) -> None:
    clock = Clock()
    with opened(home, Mind(told), clock=clock, schedule_hours=24.0, schedule_turns=4) as m:
        assert not m.is_due()
        m.observe(said("I like tea."))
        assert m.is_due()
        m.consolidate()
        assert not m.is_due()
        m.observe(said("I like coffee.", conversation="d"))
        assert not m.is_due()
        m.observe(said("I like milk.", conversation="e"))
        assert m.is_due()
        m.consolidate()
        m.observe(said("I like juice.", conversation="f"))
        clock.now += DAY
        assert m.is_due()


class Told:
    host = None

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def tell(self, warnings: str, *, about: str = "warnings") -> None:
        if about == "warnings":
            self.warnings.append(warnings)


@dataclass
class Silent(Scripted):
    """A model whose endpoint is down."""

    outcome: Outcome = Outcome.CONNECTION

    def ask(self, messages: Any, answer: Any, *, max_tokens: int = 1024) -> Any:
        attempt = Attempt(self.outcome, Mode.PROMPT, max_tokens, error="nobody is there")
        return Answer(self.outcome, None, (attempt,))


def test_weeks_of_silence_are_told_once(home: Path) -> None:
    clock, someone = Clock(), Told()
    with opened(home, Silent(), clock=clock) as m:
        m._notifier = someone
        m.observe(said("I like tea."))
        for _ in range(6):
            done = m.consolidate()
            assert done.failed
            assert "nobody is there" in (done.stopped or "")
            clock.now += DAY
        assert len(someone.warnings) == 1
        (warning,) = m.status().warnings
        assert "no pass of consolidation went well" in warning
        assert "nobody is there" in warning
        m._language = Scripted(Mind(told))
        m.consolidate()
        assert m.status().warnings == ()
        assert held(m) == ["User likes tea"]


def test_nothing_but_additions_is_a_warning(home: Path) -> None:
    with opened(home, Mind(told)) as m:
        for _ in range(3):
            for n in range(10):
                m.observe(said(f"I like tea number {_}{n}.", conversation=f"{_}{n}"))
            assert m.status().warnings == ()
            m.consolidate()
        (warning,) = m.status().warnings
        assert "nothing but add" in warning


# Retention ----------------------------------------------------------------------------------------


def test_what_was_read_expires_and_its_words_stay_in_the_source(home: Path) -> None:
    clock = Clock()
    with opened(home, Mind(told), clock=clock, conversation_days=30) as m:
        m.observe(said("I like tea."))
        m.consolidate()
        memory = only(m)
        clock.now += 20 * DAY
        m.observe(said("I ride a bicycle.", conversation="young"))
        clock.now += 15 * DAY
        done = m.consolidate()
        assert done.turns == 2
        assert m.status().holdings.turns == 2
        assert only_of(m, "User likes tea").sources[0].quote == "I like tea."
        assert m.show(memory.id)
        assert m.recall("tea", turns=True).hits[0].type == "memory"
        assert m.observe(said("I like tea.")).stored == 0
        assert m.status().holdings.turns == 2


def test_what_no_model_has_read_does_not_expire(home: Path) -> None:
    clock = Clock()
    with opened(home, clock=clock, conversation_days=30) as m:
        m.observe(said("I like tea."))
        m.consolidate()
        clock.now += 400 * DAY
        m.consolidate()
        assert m.status().holdings.turns == 2


def only_of(m: Memoranda, content: str) -> Any:
    (memory,) = [each for each in m.list() if each.content == content]
    return memory


def test_what_builds_on_a_change_that_is_one_too_many_waits_for_its_turn(home: Path) -> None:
    """The sixth change of five is for review; what would confirm its successor is asked anew."""

    def weigh(statement: Statement) -> Entry:
        number = statement.text.split()[1]
        label = statement.label(f"Widget {number} ")
        if label is None:
            return verdict("ADD")
        if "known" in statement.text:
            return verdict("NOOP", label)
        return verdict("UPDATE", label, statement.text)

    mind = Mind(lambda sentence: [entry(sentence.rstrip("."))], weigh)
    with opened(home, mind) as m:
        known(m, *(f"Widget {number} is made of brass" for number in range(8)))
        m.observe(
            [
                turn
                for number in range(8)
                for turn in said(
                    f"Widget {number} is made of steel.",
                    f"Widget {number} is known to be steel.",
                    conversation=f"c{number}",
                    at=MONDAY + 7 * DAY,
                )
            ]
        )
        done = m.consolidate()
        assert not done.failed
        assert done.counts["update"] == 5
        assert len(m.candidates()) == 3
        assert m.status().backlog.candidates == 0


def test_what_is_forgotten_while_the_model_thinks_does_not_come_back(home: Path) -> None:
    with opened(home, MIXED) as m:
        with_machines(m, 3)
        m.observe(said("Machine m001x has 9 disks.", at=MONDAY + 7 * DAY))
        model = m._language
        assert isinstance(model, Scripted)

        def forget(told: str) -> None:
            if told.startswith("{"):
                m.forget(conversation="c")

        model.before = forget
        done = m.consolidate()
        assert not done.failed
        assert "Machine m001x has 9 disks" not in held(m)
        assert m.ledger() == ()


def test_many_that_are_aside_are_all_tried_again(home: Path) -> None:
    talk = [
        turn
        for n in range(120)
        for turn in said(f"Shelf {n} is full of figs.", conversation=f"{n}")
    ]

    def fickle(statement: Statement) -> Entry:
        return {"operation": "MERGE"} if int(statement.text.split()[1]) % 2 else verdict("ADD")

    choose: Any = lambda sentence: [entry(sentence.rstrip("."))]  # noqa: E731
    with opened(home, Mind(choose, fickle)) as m:
        known(m, "Shelf 200 is full of figs")
        m.observe(talk)
        assert not m.consolidate().failed
        assert m.status().backlog.candidates_aside == 60
    with opened(home, Mind(choose)) as m:
        m.consolidate()
        assert m.status().backlog.candidates_aside == 0
        assert len(m.list(limit=200)) == 121


# What goes wrong in the end -----------------------------------------------------------------------


def test_what_was_reviewed_late_is_accepted_after_its_conversation_expired(home: Path) -> None:
    clock = Clock()
    with opened(home, Mind(told), clock=clock, conversation_days=30, review=True) as m:
        m.observe(said("I like tea."))
        m.consolidate()
        clock.now += 60 * DAY
        m.consolidate()
        assert m.status().holdings.turns == 0
        (waiting,) = m.candidates()
        m.accept(waiting.id)
        (source,) = only(m).sources
        assert (source.quote, source.time, source.turn) == ("I like tea.", MONDAY, None)


def test_rules_leave_to_a_model_what_a_model_selected(home: Path) -> None:
    """Stopped between selecting and deciding, a pass leaves candidates that wait for a model."""
    with opened(home, MIXED) as m:
        with_machines(m, 4)
        m.observe(said("Machine m003x is no longer in use.", at=MONDAY + 7 * DAY))
        model = m._language
        assert isinstance(model, Scripted)

        def stop(told: str) -> None:
            if told.startswith("{"):
                raise KeyboardInterrupt

        model.before = stop
        with pytest.raises(KeyboardInterrupt):
            m.consolidate()
        m.consolidate(model="rules")
        assert m.status().backlog.candidates == 1
        model.before = lambda told: None
        assert m.consolidate().counts == {"delete": 1}


def test_of_two_that_were_reviewed_the_later_one_holds(home: Path) -> None:
    mind = Mind(
        lambda sentence: [entry(sentence.replace("I live", "User lives").rstrip("."))],
        lambda statement: verdict("UPDATE", statement.label("Oslo"), statement.text),
    )
    with opened(home, mind, conflicts="ask") as m:
        known(m, "User lives in Oslo")
        m.observe(said("I live in Bergen.", at=MONDAY + 2 * DAY, conversation="a"))
        m.observe(said("I live in Lima.", at=MONDAY + 5 * DAY, conversation="b"))
        m.consolidate()
        bergen, lima = m.candidates()
        m.accept(lima.id)
        m.accept(bergen.id)
        assert held(m) == ["User lives in Lima"]
        past = {each.content: each for each in m.list(statuses=["superseded"])}
        assert past["User lives in Bergen"].valid_to == MONDAY + 5 * DAY


def test_nobody_accepts_or_rejects_twice(home: Path) -> None:
    with opened(home, Mind(told), review=True) as m, opened(home) as other:
        m.observe(said("I like tea."))
        m.consolidate()
        (waiting,) = m.candidates()
        stale = m._store.passes.decision(waiting.id, m.access.visible)
        other.accept(waiting.id)
        with pytest.raises(Conflict):
            m._store.passes.decide([stale])
        with pytest.raises(InvalidInput):
            m.reject(waiting.id)
        assert held(m) == ["User likes tea"]


def test_a_dead_endpoint_is_no_reason_to_set_aside_what_it_was_not_asked(home: Path) -> None:
    """Turns of which nothing can be selected need no question, and are no sign of life."""
    with opened(home, Silent(outcome=Outcome.TIMEOUT)) as m:
        for number in range(4):
            m.observe(said(f"I like tea number {number}.", conversation=f"{number}"))
            m.observe([Turn(f"{number}x", "assistant", "Well.", MONDAY)])
        for _ in range(4):
            assert m.consolidate().failed
        backlog = m.status().backlog
        assert backlog.aside == 0
        assert backlog.turns >= 8


def test_what_ends_later_counts_and_what_a_pass_adds_does_not(home: Path) -> None:
    def weigh(statement: Statement) -> Entry:
        number = statement.text.split()[1]
        label = statement.label(f"Widget {number} ")
        return verdict("DELETE", label) if label else verdict("ADD")

    def choose(sentence: str) -> Iterable[Entry]:
        return [entry(sentence.rstrip("."), ends="no longer" in sentence)]

    with opened(home, Mind(choose, weigh)) as m:
        numbers = range(20)
        known(m, *(f"Widget {number} is made of brass" for number in numbers))
        new = [f"Gadget {number} is made of tin." for number in range(60)]
        gone = [f"Widget {number} will no longer be made from 2026-12-01 on." for number in numbers]
        m.observe(said(*new, at=MONDAY + 2 * DAY, conversation="new"))
        m.observe(said(*gone, at=MONDAY + 3 * DAY, conversation="gone"))
        done = m.consolidate()
        assert done.counts.get("delete", 0) <= 5


def test_minutes_count_from_when_a_pass_goes_on(home: Path) -> None:
    clock = Clock()
    with opened(home, Mind(told), clock=clock, pass_minutes=10.0) as m:
        m.observe(said("I like tea."))
        model = m._language
        assert isinstance(model, Scripted)

        def stop(told: str) -> None:
            raise KeyboardInterrupt

        model.before = stop
        with pytest.raises(KeyboardInterrupt):
            m.consolidate()
        model.before = lambda told: None
        clock.now += DAY
        done = m.consolidate()
        assert done.stopped is None
        assert held(m) == ["User likes tea"]


class Uncounted(Scripted):
    """An endpoint that does not say what a question took."""

    def ask(self, messages: Any, answer: Any, *, max_tokens: int = 1024) -> Any:
        said = super().ask(messages, answer, max_tokens=max_tokens)
        silent = tuple(replace(each, tokens=Tokens()) for each in said.attempts)
        return replace(said, attempts=silent)


def test_a_budget_holds_where_the_endpoint_does_not_count(home: Path) -> None:
    with opened(home, Uncounted(Mind(told)), pass_tokens=12_000) as m:
        for number in range(20):
            m.observe(said(f"I like tea number {number}.", conversation=f"{number}"))
        done = m.consolidate()
        assert "pass_tokens" in (done.stopped or "")
        assert done.tokens.prompt
        assert done.tokens.prompt > 2_000


def test_what_was_spent_stays_spent_when_all_is_forgotten(home: Path) -> None:
    with opened(home, Mind(told), day_tokens=6_000) as m:
        for _ in range(4):
            m.observe(said("I like tea.", conversation=f"{_}"))
            last = m.consolidate()
            m.forget(everything=True)
        assert "day_tokens" in (last.stopped or "")


def test_what_a_person_turned_down_is_not_offered_by_the_next_profile(home: Path) -> None:
    for place, name in enumerate(("coder", "reader", "writer")):
        with opened(home, Mind(told), access=Access(profile=Scope("profile", name))) as m:
            m.observe(said("I like tea."))
            m.consolidate()
            offered = m.candidates()
            assert len(offered) == (place == 1)
            for each in offered:
                m.reject(each.id)


def test_days_are_those_of_the_home(home: Path) -> None:
    """In Auckland it is another day: said again in the morning, it is said on two days."""
    evening = MONDAY.replace(hour=9)  # 22:00 there
    with opened(home, Mind(told, same_or_new), timezone="Pacific/Auckland") as m:
        m.observe(said("I like tea.", at=evening))
        m.consolidate()
        before = only(m).confidence
        m.observe(said("I like tea.", at=evening.replace(hour=20), conversation="d"))
        m.consolidate()
        assert only(m).confidence > before


def test_what_failed_before_does_not_keep_from_reading_on(home: Path) -> None:
    bad = Mind(lambda sentence: [{"nonsense": True}] if "bad" in sentence else told(sentence))
    with opened(home, bad) as m:
        for number in range(20):
            m.observe(said(f"I like bad tea {number}.", conversation=f"b{number}"))
        while m.status().backlog.turns > m.status().backlog.aside:
            m.consolidate(again=True)
        m.observe(said("I like coffee.", conversation="good"))
        m.consolidate()
        assert "User likes coffee" in held(m)


COLOURS = Mind(
    lambda sentence: [entry(sentence.rstrip(".").replace("My", "User's"), "preference")],
    lambda statement: (
        verdict("UPDATE", statement.label("colour"), statement.text)
        if statement.label("colour")
        else verdict("ADD")
    ),
)


def coloured(m: Memoranda) -> list[str]:
    """The favourite colour is blue, then green, then red: the passes that learned so."""
    passes = []
    for day, colour in enumerate(("blue", "green", "red")):
        content = f"My favourite colour is {colour}."
        m.observe(said(content, at=MONDAY + day * DAY, conversation=colour))
        passes.append(m.consolidate().id)
    return passes


def test_the_last_link_of_a_chain_is_undone_and_then_the_one_before(home: Path) -> None:
    """Nobody changed anything since: what a pass replaced had itself replaced something."""
    with opened(home, COLOURS) as m:
        passes = coloured(m)
        for place in (2, 1, 0):
            undone = m.undo(passes[place], keep_read=True)
            assert dict(undone.left) == {}
            colours = ["blue", "green", "red"][:place][-1:]
            assert held(m) == [f"User's favourite colour is {each}" for each in colours]


def test_what_an_undo_left_stands_in_the_way_of_the_pass_before(home: Path) -> None:
    """Two that contradict each other must not both hold afterwards."""
    with opened(home, COLOURS) as m:
        passes = coloured(m)
        m.pin(only(m).id)
        m.undo(passes[2], keep_read=True)
        m.undo(passes[1], keep_read=True)
        assert held(m) == ["User's favourite colour is red"]
        m.pin(only(m).id, on=False)


def test_one_forgotten_memory_leaves_the_others_of_its_turn_to_be_undone(home: Path) -> None:
    with opened(home, Mind(told)) as m:
        m.observe(said("I like tea. I own a boat. I play chess."))
        done = m.consolidate()
        boat = only_of(m, "User owns a boat")
        m.forget(boat.id)
        undone = m.undo(done.id)
        assert dict(undone.left) == {boat.id: "forgotten"}
        assert len(undone.removed) == 2
        m.consolidate()
        assert held(m) == ["User likes tea", "User plays chess"]
        model = m._language
        assert isinstance(model, Scripted)
        offered = NUMBERED.findall("\n".join(model.asked))
        assert not any("[forgotten]" in sentence for _, sentence in offered)


def test_what_nobody_has_read_supersedes_nothing(home: Path) -> None:
    """Rules proposed the newer one; a model then reads both and keeps the older one alone."""
    talk = [
        *said("I love Chinese food.", conversation="a"),
        *said("I hate Chinese food.", at=MONDAY + 3 * DAY, conversation="b"),
    ]
    mind = Mind(
        lambda sentence: (
            [entry("User loves Chinese food", "preference")] if "love" in sentence else []
        ),
        lambda statement: verdict("UPDATE", next(iter(statement.memories)), statement.text),
    )
    with opened(home, mind) as m:
        m.observe(talk)
        m.consolidate(model="rules")
        m.consolidate()
        assert held(m) == ["User loves Chinese food"]
        assert only(m).status == Status.CURRENT


def test_what_is_told_as_past_needs_something_newer_still(home: Path) -> None:
    mind = Mind(
        lambda sentence: [entry("User hates Chinese food", "preference")],
        lambda statement: verdict("UPDATE", next(iter(statement.memories)), statement.text),
    )
    clock = Clock()
    with opened(home, mind, clock=clock) as m:
        newer = m.remember("User likes Chinese food")
        m.observe(said("I hate Chinese food."))
        model = m._language
        assert isinstance(model, Scripted)

        def forget(told: str) -> None:
            if told.startswith("{"):
                m.forget(newer.id)

        model.before = forget
        m.consolidate()
        assert held(m) == ["User hates Chinese food"]


def test_a_failure_says_what_is_wrong_also_of_the_only_question(home: Path) -> None:
    with opened(home, Silent(outcome=Outcome.CLIENT_ERROR)) as m:
        m.observe(said("I like tea."))
        done = m.consolidate()
        assert done.failed
        assert "nobody is there" in (done.stopped or "")


def test_a_pass_of_which_no_answer_could_be_used_failed(home: Path) -> None:
    with opened(home, Mind(lambda sentence: [{"nonsense": True}])) as m:
        m.observe(said("I like tea."))
        done = m.consolidate()
        assert done.failed
        assert "can be used" in (done.stopped or "")
        assert m.status().backlog.passed_at is None


def test_the_same_warning_with_another_number_is_no_news(home: Path) -> None:
    someone = Told()
    with opened(home, Mind(told)) as m:
        m._notifier = someone
        for day in range(6):
            for n in range(10):
                m.observe(said(f"I like tea number {day}{n}.", conversation=f"{day}{n}"))
            m.consolidate()
        assert len(someone.warnings) == 1


def test_a_bound_on_money_needs_a_price(home: Path) -> None:
    with (
        opened(home, Mind(told), month_money=5.0) as m,
        pytest.raises(InvalidSettings, match="price"),
    ):
        m.consolidate()


def test_a_pass_that_was_interrupted_can_be_undone(home: Path) -> None:
    with opened(home, Mind(told)) as m:
        m.observe(said("I like tea.", conversation="a"))
        m.observe(said("I like milk.", conversation="b"))
        model = m._language
        assert isinstance(model, Scripted)

        def stop(told: str) -> None:
            if "milk" in told:
                raise KeyboardInterrupt

        model.before = stop
        with pytest.raises(KeyboardInterrupt):
            m.consolidate()
        assert held(m) == ["User likes tea"]
        m.undo(m.passes()[0].id)
        assert held(m) == []
        assert m.status().backlog.turns == 4


def test_a_models_reason_stands_in_the_decision_alone(home: Path) -> None:
    """It may name any memory that it was shown; where that is forgotten, so is the reason."""
    with opened(home, MIXED) as m:
        with_machines(m, 4)
        m.observe(mixed_talk(4))
        m.consolidate()
        for memory in m.list(statuses=list(Status)):
            assert all(each.reason is None for each in m.history(memory.id))
