"""Cite or abstain: what is on record of a claim, and what holds instead."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import memoranda
from memoranda import Bearing, Citation, Finding, InvalidInput, Memoranda, Memory, Turn
from memoranda.bench import verify as bench
from memoranda.types import Change, Operation, Role, Source, Status, new_id

MARCH = datetime(2026, 3, 2, 19, tzinfo=UTC)
DAY = timedelta(days=1)
ROOT = Path(__file__).parents[1]

Put = Callable[..., Memory]


def say(m: Memoranda, content: str, *, days: int = 0, role: str = "user", by: str = "Mara") -> str:
    turn = Turn("c", role, content, speaker=by, time=MARCH + days * DAY)
    return m.observe([turn]).turns[0]


def put(m: Memoranda, content: str, **fields: object) -> Memory:
    """A memory as no verb writes it, of any standing and source."""
    memory = m.remember(content)
    changed = replace(memory, id=new_id(memory.recorded_at), **fields)  # type: ignore[arg-type]
    m.forget(memory.id)
    m._store.apply([Change(Operation.REMEMBER, None, changed)], at=memory.recorded_at, by="test")
    return changed


def test_a_claim_is_supported_by_the_turn_that_says_it_with_its_date(m: Memoranda) -> None:
    said = "OK, I ordered a 12 TB Toshiba MG07. It was cheap."
    id = say(m, said)
    for claim in ("I ordered a 12 TB Toshiba MG07", "Mara ordered a Toshiba MG07"):
        verdict = m.verify(claim)
        assert verdict.status == Finding.SUPPORTED
        (citation,) = verdict.citations
        assert (citation.id, citation.type, citation.bearing) == (id, "turn", Bearing.SUPPORTS)
        assert citation.quote == "OK, I ordered a 12 TB Toshiba MG07."
        assert (citation.source.speaker, citation.source.time) == ("Mara", MARCH)
        start, end = citation.source.start or 0, citation.source.end
        assert said[start:end] == citation.quote
        assert (verdict.holds, verdict.since) == (None, None)


def test_what_nobody_said_has_no_record(m: Memoranda) -> None:
    say(m, "I ordered a 12 TB Toshiba MG07")
    for claim in ("Tom ordered a disk", "Mara sold the NAS", "", "?", "\0", "the"):
        verdict = m.verify(claim)
        assert (verdict.status, verdict.citations) == (Finding.NO_RECORD, ())
    with pytest.raises(InvalidInput):
        m.verify(None)  # type: ignore[arg-type]


def test_a_decision_is_supported_by_what_was_decided(m: Memoranda) -> None:
    memory = m.remember("Deploys go out on Tuesdays and Thursdays", kind="decision")
    verdict = m.verify("we decided to deploy on Thursdays")
    assert (verdict.status, verdict.citations[0].id) == (Finding.SUPPORTED, memory.id)
    m.remember("Backups go out on Mondays", kind="fact")
    assert m.verify("we decided to back up on Mondays").status == Finding.NO_RECORD


def test_what_was_replaced_is_contradicted_by_what_holds_at_the_end_of_the_chain(
    m: Memoranda,
) -> None:
    first = m.remember("We deploy with Ansible", kind="decision")
    second = m.revise(first.id, "We deploy with Nix")
    third = m.revise(second.id, "We roll out through Flux")
    verdict = m.verify("we deploy with Ansible")
    assert verdict.status == Finding.CONTRADICTED
    assert isinstance(verdict.holds, Memory)
    assert (verdict.holds.id, verdict.since) == (third.id, third.valid_from)
    assert (verdict.citations[0].id, verdict.citations[0].status) == (first.id, Status.SUPERSEDED)
    assert m.verify("we roll out through Flux").status == Finding.SUPPORTED


def test_a_claim_that_old_and_new_words_say_is_supported(m: Memoranda) -> None:
    old = m.remember("The VPS has 4 GB of RAM in Frankfurt")
    m.revise(old.id, "The VPS has 4 GB of RAM in Falkenstein")
    assert m.verify("The VPS has 4 GB of RAM").status == Finding.SUPPORTED


def test_what_has_ended_is_contradicted_and_nothing_holds_instead(m: Memoranda) -> None:
    ended = MARCH + 10 * DAY
    memory = m.remember("The guest VLAN is number 40", valid_from=MARCH, valid_to=ended)
    retired = put(m, "The camera runs on PoE", status=Status.RETIRED, closed_at=ended)
    for claim, id in (
        ("the guest VLAN is number 40", memory.id),
        ("the camera runs on PoE", retired.id),
    ):
        verdict = m.verify(claim)
        assert (verdict.status, verdict.holds) == (Finding.CONTRADICTED, None)
        assert verdict.since == ended
        assert verdict.citations[0].id == id
    past = m.verify("On 5 March 2026 the guest VLAN is number 40")
    assert (past.status, past.citations[0].why) == (
        Finding.SUPPORTED, "it was so from 2026-03-02 to 2026-03-12",
    )  # fmt: skip
    assert m.verify("On 5 May 2026 the guest VLAN is number 40").status == Finding.NO_RECORD


ON_THE_DAY = ("on 4 May 2025", "in May 2025", "in 2025")
ANOTHER_DAY = ("on 1 October 2025", "in August 2025", "on 5 May 2025", "on 3 May 2025", "yesterday")


@pytest.mark.parametrize(
    ("kind", "content", "claim"),
    [
        ("decision", "We decided to buy the house", "We decided to buy the house {}"),
        ("decision", "We decided to buy the house", "We decided {} to buy the house"),
        ("decision", "Deploys go out on Tuesdays", "{} we decided to deploy on Tuesdays"),
        ("decision", "Deploys go out on Tuesdays", "We decided {} to deploy on Tuesdays"),
        ("fact", "Lara broke her leg", "Lara broke her leg {}"),
        ("episode", "Lara broke her leg", "Lara broke her leg {}"),
        ("fact", "We put the disk into the NAS", "We put the disk into the NAS {}"),
        ("fact", "The roof was repaired", "The roof was repaired {}"),
        ("fact", "Ben has sold the boat", "Ben has sold the boat {}"),
        ("constraint", "We agreed to deploy with Nix", "We agreed {} to deploy with Nix"),
    ],
)
def test_what_happened_did_so_on_its_day_and_no_later(
    m: Memoranda, kind: str, content: str, claim: str
) -> None:
    m.remember(content, kind=kind, valid_from=datetime(2025, 5, 4, tzinfo=UTC))
    for day in ON_THE_DAY:
        assert m.verify(claim.format(day)).status == Finding.SUPPORTED, day
    for day in ANOTHER_DAY:
        assert m.verify(claim.format(day)).status != Finding.SUPPORTED, day


def test_the_day_that_an_event_was_written_down_is_not_the_day_that_it_happened(
    m: Memoranda,
) -> None:
    m.remember("Lara broke her leg")
    m.remember("We chose Caddy", kind="decision")
    assert m.verify("Lara broke her leg today").status == Finding.NO_RECORD
    assert m.verify("Lara broke her leg").status == Finding.SUPPORTED
    assert m.verify("We chose Caddy today").status == Finding.SUPPORTED


def test_what_is_so_for_long_is_so_on_each_day(m: Memoranda) -> None:
    m.remember("The NAS is called atlas", valid_from=datetime(2025, 5, 4, tzinfo=UTC))
    assert m.verify("In August 2025 the NAS is called atlas").status == Finding.SUPPORTED
    assert m.verify("In April 2025 the NAS is called atlas").status == Finding.NO_RECORD


def test_the_day_that_it_was_said_is_not_another_on_which_it_was_so(m: Memoranda) -> None:
    say(m, "The NAS is called atlas.")
    m.remember("The NAS is called atlas", source=say(m, "The NAS is called atlas, I say."))
    assert m.verify("Mara said on 2 March 2026 that the NAS is called atlas").status == (
        Finding.SUPPORTED
    )
    for day in ("on 3 March 2026", "in April 2026", "on 1 March 2026"):
        claim = f"Mara said {day} that the NAS is called atlas"
        assert m.verify(claim).status == Finding.NO_RECORD, day


def test_another_value_contradicts(m: Memoranda) -> None:
    memory = m.remember("The staging database listens on port 5433")
    verdict = m.verify("the staging database listens on port 5432")
    assert verdict.status == Finding.CONTRADICTED
    assert isinstance(verdict.holds, Memory)
    assert (verdict.holds.id, verdict.since) == (memory.id, memory.valid_from)
    assert verdict.citations[0].why == "number: 5432 was claimed, 5433 is recorded"


def test_the_newer_record_wins(m: Memoranda) -> None:
    say(m, "The pool is called tank.")
    assert m.verify("the pool is called tank").status == Finding.SUPPORTED
    say(m, "The pool is called lake now.", days=3)
    verdict = m.verify("the pool is called tank")
    assert verdict.status == Finding.CONTRADICTED
    assert isinstance(verdict.holds, Citation)
    assert (verdict.holds.quote, verdict.since) == (
        "The pool is called lake now.", MARCH + 3 * DAY,
    )  # fmt: skip
    assert [each.bearing for each in verdict.citations] == ["contradicts", "supports"]
    say(m, "The pool is called tank again.", days=5)
    assert m.verify("the pool is called tank").status == Finding.SUPPORTED


def talk(m: Memoranda, *said: str, by: str = "Mara") -> None:
    """Turns a minute apart; those that begin with > are an assistant's."""
    turns = [
        Turn(
            "c",
            "assistant" if each.startswith(">") else "user",
            each.removeprefix("> "),
            speaker="Atlas" if each.startswith(">") else by,
            time=MARCH + n * timedelta(minutes=1),
        )
        for n, each in enumerate(said)
    ]
    m.observe(turns, embed=False)


STICK = "The coordinator is a Sonoff stick on channel {}."


@pytest.mark.parametrize(
    "later",
    [
        ("> Try channel 25.", "Moved to channel 25, all are back except the hallway sensor."),
        ("Moved it to channel 25.",),
        ("We switched from channel 11 to channel 25.",),
        ("It's on channel 25 now.",),
        ("The sensor is fine.", "I moved the coordinator to channel 25."),
        ("The sensor is fine.", "The coordinator has been moved to channel 25."),
    ],
)
def test_what_was_said_later_of_the_same_slot_decides(m: Memoranda, later: tuple[str, ...]) -> None:
    talk(m, STICK.format(11), *later)
    verdict = m.verify(STICK.format(25))
    assert verdict.status == Finding.SUPPORTED
    first, second = verdict.citations
    assert (first.bearing, first.why) == (Bearing.SUPPORTS, "says what it was changed to")
    assert "channel 25" in first.quote
    assert second.quote == STICK.format(11)
    assert second.why == "number: 25 was claimed, 11 is recorded (held before)"
    verdict = m.verify(STICK.format(26))
    assert verdict.status == Finding.CONTRADICTED
    assert isinstance(verdict.holds, Citation)
    assert "channel 25" in verdict.holds.quote


def test_what_was_said_to_be_so_is_denied_when_the_change_names_it(m: Memoranda) -> None:
    talk(m, STICK.format(11), "The sensor is fine.", "I moved the coordinator to channel 25.")
    verdict = m.verify(STICK.format(11))
    assert verdict.status == Finding.CONTRADICTED
    assert [each.why for each in verdict.citations] == [
        "number: 11 was claimed, 25 is recorded", "says so (held before)",
    ]  # fmt: skip


def test_a_change_of_it_is_shown_beside_what_is_said_word_for_word(m: Memoranda) -> None:
    talk(m, STICK.format(11), "Moved it to channel 25.")
    verdict = m.verify(STICK.format(11))
    assert verdict.status == Finding.SUPPORTED
    assert [each.bearing for each in verdict.citations] == ["supports", "contradicts"]


def test_the_last_of_several_changes_decides(m: Memoranda) -> None:
    talk(m, STICK.format(11), "Moved it to channel 25.", "Moved it to channel 20.")
    assert m.verify(STICK.format(25)).status == Finding.CONTRADICTED
    assert m.verify(STICK.format(20)).status == Finding.SUPPORTED


@pytest.mark.parametrize(
    "later",
    [
        ("Moved the router to channel 25.",),
        ("Moved the test coordinator to channel 25.",),
        ("Moved Anna's coordinator to channel 25.",),
        ("Ben moved to channel 25.",),
        ("The router is slow.", "Moved it to channel 25."),
        ("The router is slow. Moved it to channel 25.",),
        ("Maybe we moved it to channel 25.",),
        ("We moved it to channel 25?",),
        ("We have not moved it to channel 25.",),
        ("> Moved it to channel 25.",),
        ("Moved it to port 25.",),
        ("From the forum:\n" + "a line of what was pasted\n" * 90 + "Moved it to channel 25.\n",),
        ("Moved it to slot 25.",),
        ("We will move it to channel 25.",),
        ("Move it to channel 25.",),
        ("I think I moved it to channel 25.",),
        ("Moved it to channel 25 or 26.",),
        ("If it's on channel 25, it works.",),
    ],
)
def test_what_may_be_said_of_something_else_changes_nothing(
    m: Memoranda, later: tuple[str, ...]
) -> None:
    talk(m, STICK.format(11), *later)
    assert m.verify(STICK.format(25)).status == Finding.CONTRADICTED
    assert m.verify(STICK.format(11)).status == Finding.SUPPORTED


def test_somebody_elses_it_is_another_thing(m: Memoranda) -> None:
    talk(m, STICK.format(11))
    turn = Turn("c", "user", "Moved it to channel 25.", speaker="Ben", time=MARCH + DAY / 1000)
    m.observe([turn])
    assert m.verify(STICK.format(25)).status == Finding.CONTRADICTED


def test_what_can_have_happened_twice_does_not_contradict_what_is_on_record(m: Memoranda) -> None:
    say(m, "I bought 12 eggs.")
    say(m, "I bought 6 eggs.", days=1)
    say(m, "I didn't buy 12 eggs.", days=2)
    assert m.verify("I bought 12 eggs").status == Finding.SUPPORTED
    say(m, "I never bought 12 eggs.", days=3)
    assert m.verify("I bought 12 eggs").status == Finding.CONTRADICTED


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("We use Caddy for the portal?", "was asked, not said"),
        ("Maybe we use Caddy for the portal.", None),
        ("What if we use Caddy for the portal", None),
        ('Tom wrote "we use Caddy for the portal" to me.', None),
        ("> we use Caddy for the portal", None),
    ],
)
def test_what_was_asked_supposed_or_quoted_supports_nothing(
    m: Memoranda, said: str, why: str | None
) -> None:
    say(m, said)
    verdict = m.verify("we use Caddy for the portal")
    assert verdict.status == Finding.NO_RECORD
    assert [(each.bearing, each.why) for each in verdict.citations] == (
        [] if why is None else [(Bearing.UNCONFIRMED, why)]
    )


@pytest.mark.parametrize("role", ["assistant", "tool", "system"])
def test_only_the_users_own_words_support(m: Memoranda, role: str) -> None:
    say(m, "The pool is raidz1.", role=role, by="Atlas")
    verdict = m.verify("the pool is raidz1")
    assert verdict.status == Finding.NO_RECORD
    assert verdict.citations[0].why == "said by Atlas, unconfirmed"
    say(m, "The pool is raidz1.", role="user")
    assert m.verify("the pool is raidz1").status == Finding.SUPPORTED


def test_what_an_agent_noted_and_nobody_reviewed_is_unconfirmed(m: Memoranda) -> None:
    put(m, "The pool is raidz1", sources=(Source(kind="agent", by="atlas", time=MARCH),))
    put(m, "The pool is full", status=Status.CANDIDATE)
    for claim, why in (
        ("the pool is raidz1", "noted by atlas, unconfirmed"),
        ("the pool is full", "nobody has reviewed it yet"),
    ):
        verdict = m.verify(claim)
        assert verdict.status == Finding.NO_RECORD
        assert [each.why for each in verdict.citations] == [why]


def test_what_was_turned_down_or_kept_back_is_no_record(m: Memoranda) -> None:
    put(m, "The pool is raidz1", status=Status.REJECTED)
    put(m, "The pool is full", status=Status.QUARANTINED)
    assert m.verify("the pool is raidz1").citations == ()
    assert m.verify("the pool is full").citations == ()


def test_what_will_hold_does_not_hold_yet(m: Memoranda) -> None:
    m.remember("Deploys go out on Fridays", valid_from=datetime.now(UTC) + 30 * DAY)
    verdict = m.verify("deploys go out on Fridays")
    assert verdict.status == Finding.NO_RECORD
    assert verdict.citations[0].why.startswith("holds only from ")


def test_i_is_whoever_said_it_and_nobody_else(m: Memoranda) -> None:
    say(m, "I moved to Ghent.", by="Anja Peeters")
    for claim in (
        "Anja moved to Ghent",
        "Anja Peeters moved to Ghent",
        "Anja said she moved to Ghent",
    ):
        assert m.verify(claim).status == Finding.SUPPORTED, claim
    for claim in ("Mara moved to Ghent", "Tom said Anja moved to Ghent"):
        assert m.verify(claim).status == Finding.NO_RECORD, claim


def test_in_a_persons_scope_i_is_the_speaker_and_that_person_only_when_nobody_is_named(
    home: Path,
) -> None:
    with memoranda.open(home, person="anna") as m:
        say(m, "I work at Equinor.", by="Ben")
        m.remember("I moved to Oslo", source=say(m, "I moved to Oslo.", by="Ben"))
        say(m, "I sold my boat.", by="")
        m.remember("I play the cello")
        for claim in ("Ben works at Equinor", "Ben moved to Oslo", "Anna sold her boat"):
            assert m.verify(claim).status == Finding.SUPPORTED, claim
        assert m.verify("Anna plays the cello").status == Finding.SUPPORTED
        for claim in ("Anna works at Equinor", "Anna moved to Oslo", "Anna said she moved to Oslo"):
            assert m.verify(claim).status == Finding.NO_RECORD, claim


def test_a_project_says_nothing_of_itself_by_i(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.remember("I work at Equinor", scope="project:site")
        assert m.verify("Site works at Equinor").status == Finding.NO_RECORD
        assert m.verify("I work at Equinor").status == Finding.SUPPORTED


def test_of_a_memory_with_several_sources_the_first_that_a_person_stands_behind_is_its_author(
    m: Memoranda,
) -> None:
    spoken = Source(kind="turn", time=MARCH, role=Role.USER)
    put(
        m,
        "I work at Equinor",
        sources=(
            Source(kind="agent", by="atlas", time=MARCH),
            replace(spoken, turn=say(m, "I earn my money there.", by="Ben")),
            replace(spoken, turn=say(m, "There I earn mine.", by="Anna")),
        ),
    )
    assert m.verify("Ben works at Equinor").status == Finding.SUPPORTED
    assert m.verify("Anna works at Equinor").status == Finding.NO_RECORD


def test_every_sentence_of_a_claim_must_be_on_record(m: Memoranda) -> None:
    say(m, "I moved to Ghent. I ordered a disk.")
    assert m.verify("I moved to Ghent. I ordered a disk.").status == Finding.SUPPORTED
    assert m.verify("I moved to Ghent. I sold a car.").status == Finding.NO_RECORD
    m.remember("The port is not 80 on web-01")
    both = m.verify("I moved to Ghent. The port is 80 on web-01.")
    assert both.status == Finding.CONTRADICTED
    assert both.citations[0].bearing == Bearing.CONTRADICTS


TOWNS = "Rome Oslo Graz Linz Wels Bern Bonn Kiel Ghent".split()


def test_a_claim_of_too_many_sentences_says_that_it_is_not_judged(m: Memoranda) -> None:
    said = [f"I moved to {each}." for each in TOWNS]
    say(m, " ".join(said))
    eight = m.verify(" ".join(said[:8]))
    assert (eight.status, eight.degraded) == (Finding.SUPPORTED, ())
    nine = m.verify(" ".join(said))
    assert (nine.status, nine.citations, nine.degraded) == (
        Finding.NO_RECORD,
        (),
        ("verify: a claim of more than 8 sentences is not judged, this one has 9",),
    )


@pytest.mark.parametrize(
    "rest",
    [
        "\n> I sold a car.",
        "\nAnd also:\nI sold a car.",
        "\nTom: I sold a car.",
        "\n```\nI sold a car.\n```",
        " I sold a car" + ", and a boat" * 130 + ".",
        " " * 20_000 + "I sold a car.",
        " On 3 May 2020.",
        " I sold a car" + ", and a boat" * 70 + ".",
    ],
)
def test_a_claim_of_which_a_part_is_not_read_is_not_supported(m: Memoranda, rest: str) -> None:
    say(m, "I moved to Ghent.")
    verdict = m.verify("I moved to Ghent." + rest)
    assert verdict.status == Finding.NO_RECORD
    assert any("not judged" in each for each in verdict.degraded)
    for nothing in (" ", " OK.", "\n\n...", " Yes, please!", " 🎉"):
        verdict = m.verify("I moved to Ghent." + nothing)
        assert (verdict.status, verdict.degraded) == (Finding.SUPPORTED, ())


def test_a_quotation_in_a_long_turn_stays_one_wherever_it_is_cut(m: Memoranda) -> None:
    pasted = "\n".join(f"line {n} of what was pasted" for n in range(300))
    say(m, f"From the forum:\n{pasted}\nWe use Caddy for the portal.\n")
    assert m.verify("we use Caddy for the portal").status == Finding.NO_RECORD


def test_nothing_out_of_sight_is_cited(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.remember("Releases go out on Mondays", scope="project:site")
        old = m.remember("We deploy with Ansible", scope="user")
        assert m.verify("releases go out on Mondays").status == Finding.SUPPORTED
        new = m.remember("We deploy with Nix", scope="project:site")
        m._store.apply(
            [
                Change(
                    Operation.REVISE,
                    old,
                    replace(
                        old, status=Status.SUPERSEDED, superseded_by=new.id, closed_at=MARCH
                    ),
                )
            ],
            at=MARCH,
            by="test",
        )  # fmt: skip
    with memoranda.open(home) as m:
        assert m.verify("releases go out on Mondays").status == Finding.NO_RECORD
        verdict = m.verify("we deploy with Ansible")
        assert (verdict.status, verdict.holds) == (Finding.CONTRADICTED, None)
    with memoranda.open(home, person="tom") as m:
        assert m.verify("we deploy with Ansible").status == Finding.NO_RECORD


def test_a_memory_shows_of_a_turn_out_of_sight_its_quote_and_date_only(home: Path) -> None:
    with memoranda.open(home, profile="atlas", project="site") as m:
        turn = say(m, "The portal runs on web-01.")
        m.remember("The portal runs on web-01", scope="project:site", source=turn)
    with memoranda.open(home, project="site") as m:
        verdict = m.verify("the portal runs on web-01")
        assert verdict.status == Finding.SUPPORTED
        (citation,) = verdict.citations
        assert citation.source == Source(
            kind="turn", time=MARCH, quote="The portal runs on web-01."
        )


def test_verify_only_reads(m: Memoranda) -> None:
    memory = m.remember("The pool is called tank")
    m.verify("the pool is called tank")
    m.close()
    with memoranda.open(m._path) as again:
        assert again.show(memory.id) == memory


@settings(max_examples=25)
@given(st.text(max_size=200))
def test_any_text_is_a_claim(m: Memoranda, claim: str) -> None:
    m.remember("The pool is called tank")
    assert m.verify(claim).status in Finding


CAT = "a cat in "


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (CAT * 58 + "lion", CAT * 60 + "zebra 0 " + CAT * 50),
        ((CAT * 20 + "lion. ") * 8, (CAT * 30 + "zebra. ") * 60),
        ("a cat in a hat. " * 8, "a cat in a cat. " * 1200),
        ("a cat in 1 May. " * 8, "a cat 1 May 2020 in Oslo. " * 750),
        ("The cat is on channel 9. " * 8, "The cat is on channel 8. " + "Moved to slot 7. " * 85),
    ],
)
def test_records_made_to_be_slow_take_about_a_second_and_are_named(
    m: Memoranda, claim: str, said: str
) -> None:
    turns = [Turn(f"c{n}", "user", f"turn {n}. {said}", time=MARCH + n * DAY) for n in range(40)]
    m.observe(turns, embed=False)
    m.verify("loads what it takes")
    started = time.process_time()
    verdict = m.verify(claim)
    assert time.process_time() - started < 2.5  # of a slow machine
    assert verdict.status != Finding.SUPPORTED
    assert any(each.startswith("verify: ") for each in verdict.degraded)


def test_many_long_turns_are_read_as_far_as_they_are_near(m: Memoranda) -> None:
    said = "the weather was fine and we had a walk. " * 60
    turns = [Turn(f"c{n}", "user", f"Pool letter {n}: {said}") for n in range(40)]
    m.observe([*turns, Turn("c", "user", "The pool is called tank.")], embed=False)
    verdict = m.verify("the pool is called tank")
    assert (verdict.status, verdict.citations[0].quote) == (
        Finding.SUPPORTED, "The pool is called tank.",
    )  # fmt: skip


# Measured -----------------------------------------------------------------------------------------


def test_the_claims_are_balanced_and_those_about_the_sample_hold() -> None:
    for name in bench.SETS:
        expected = [each.expected for each in bench.claims(name)]
        third = len(expected) // 3
        assert {each: expected.count(each) for each in set(expected)} == {
            "supported": third, "changed": third, "unknown": third,
        }  # fmt: skip
    for row in bench.run([ROOT / "demo"]):
        assert row.about == bench.HOMELAB
        assert row.supported_falsely == row.contradicted_falsely == 0
        assert row.found >= 0.8 * row.supported
        assert row.no_record == row.unknown
        assert row.contradicted >= row.changed / 2


def test_a_folder_without_data_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        bench.run([tmp_path])


def test_a_verdict_is_a_document(m: Memoranda) -> None:
    from memoranda.types import plain

    m.revise(m.remember("The VPS has 2 GB").id, "The VPS has 4 GB")
    document = json.loads(json.dumps(plain(m.verify("the VPS has 2 GB"))))
    assert document["status"] == "contradicted"
    assert document["holds"]["content"] == "The VPS has 4 GB"
