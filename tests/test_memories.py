"""Memories by hand: written, revised, confirmed, pinned, shown, listed, forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import (
    Ambiguous,
    InvalidInput,
    Kind,
    Memoranda,
    Memory,
    NotFound,
    Scope,
    ScopeClosed,
    Status,
    Turn,
)

DAY = timedelta(days=1)


def test_a_memory_comes_back_as_it_was_written(m: Memoranda) -> None:
    memory = m.remember(
        "  Deploys go out on Tuesdays ",
        kind="decision",
        detail="because the on-call rota starts on Monday",
        topics=["releases", "releases"],
        entities=["portal"],
        pin=True,
    )
    assert memory.content == "Deploys go out on Tuesdays"
    assert memory.topics == ("releases",)
    assert (memory.kind, memory.scope, memory.pinned) == (Kind.DECISION, Scope("user"), True)
    assert memory.sources[0].kind == "person"
    assert m.show(memory.id.lower()[:24]) == memory
    for question in ("deploys", "rota", "releases", "portal"):
        assert [hit.id for hit in m.recall(question).hits] == [memory.id]


def test_saying_it_again_confirms_what_is_there(m: Memoranda) -> None:
    first = m.remember("I like tea")
    again = m.remember("i  like TEA")
    assert again.id == first.id
    assert again.mention_count == 2
    assert again.confidence > first.confidence
    assert again.sources == first.sources, "the same door is no second source"
    assert len(m.list()) == 1
    assert m.show(first.id) == again


def test_saying_it_again_takes_what_is_given_besides(m: Memoranda) -> None:
    first = m.remember("I like tea", topics=["drinks"])
    (turn,) = m.observe([Turn("c", "user", "I like tea")]).turns
    again = m.remember(
        "I like tea", topics=["habits"], entities=["tea"], detail="green", pin=True, source=turn
    )
    assert again.id == first.id
    assert (again.topics, again.entities) == (("drinks", "habits"), ("tea",))
    assert (again.detail, again.pinned, len(again.sources)) == ("green", True, 2)
    assert m.show(first.id) == again
    assert [hit.id for hit in m.recall("tea").hits] == [first.id], "the turn is quoted"


def test_saying_it_again_after_it_ended_is_new(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    old = m.remember("The server is in rack 4", valid_from=then, valid_to=then + DAY)
    new = m.remember("The server is in rack 4")
    assert new.id != old.id
    assert [hit.id for hit in m.recall("rack").hits] == [new.id]


def test_each_kind_is_repeated_by_itself(m: Memoranda) -> None:
    m.remember("tea at five", kind="fact")
    for _ in range(3):
        m.remember("tea at five", kind="preference")
    assert len(m.list()) == 2


def test_two_episodes_of_the_same_words_are_two(m: Memoranda) -> None:
    assert m.remember("ran 5 km", kind="episode").id != m.remember("ran 5 km", kind="episode").id


def test_a_memory_may_rest_on_a_turn(m: Memoranda) -> None:
    (turn,) = m.observe([Turn("c", "user", "we chose JWT over cookies", speaker="Liam")]).turns
    memory = m.remember("The portal uses JWT", kind="decision", source=turn)
    assert memory.sources[0].quote == "we chose JWT over cookies"
    hits = m.recall("JWT").hits
    assert [hit.id for hit in hits] == [memory.id], "the turn that it quotes is not a second hit"
    assert hits[0].source.speaker == "Liam"
    with pytest.raises(NotFound):
        m.remember("x", source="01ARZ3NDEKTSV4RRFFQ69G5FAV")


@pytest.mark.parametrize("fields", [
    {"content": ""}, {"content": " \n"}, {"kind": "rumour"}, {"scope": "everyone"},
    {"scope": "project:"}, {"scope": "user:a:b"}, {"scope": "profile"},
    {"valid_from": datetime(2026, 3, 2, tzinfo=UTC), "valid_to": datetime(2026, 3, 1, tzinfo=UTC)},
    {"valid_from": datetime(2026, 3, 2)},  # noqa: DTZ001
])  # fmt: skip
def test_what_cannot_be_remembered_is_refused(m: Memoranda, fields: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        m.remember(**({"content": "x"} | fields))  # type: ignore[arg-type]
    assert m.list() == ()


@given(st.text())
def test_any_text_can_be_remembered_or_is_refused(m: Memoranda, text: str) -> None:
    try:
        memory = m.remember(text)
    except InvalidInput:
        assert not text.strip()
        return
    assert memory.content == text.replace("\0", "\ufffd").strip()
    assert m.show(memory.id) == memory
    m.forget(memory.id)


def test_a_revision_supersedes_and_keeps_the_history(m: Memoranda) -> None:
    old = m.remember("The port is 9077", kind="environment", topics=["site"])
    new = m.revise(old.id, "The port is 9078", reason="moved")
    assert (new.kind, new.topics, new.status) == (Kind.ENVIRONMENT, ("site",), Status.CURRENT)
    before = m.show(old.id)
    assert isinstance(before, Memory)
    assert (before.status, before.superseded_by) == (Status.SUPERSEDED, new.id)
    assert before.valid_to == new.valid_from == before.closed_at
    assert [hit.content for hit in m.recall("port").hits] == ["The port is 9078"]
    assert [memory.id for memory in m.list()] == [new.id]
    assert [memory.id for memory in m.list(statuses=["superseded"])] == [old.id]
    assert [entry.operation for entry in m.history(new.id)] == ["remember", "revise", "revise"]
    assert m.history(new.id)[-1].reason == "moved"
    with pytest.raises(InvalidInput, match=f"superseded by {new.id}"):
        m.revise(old.id, "The port is 9079")
    with pytest.raises(InvalidInput, match="confirm"):
        m.revise(new.id, "the port is  9078")


def test_a_revision_may_say_since_when(m: Memoranda) -> None:
    now = datetime.now(UTC)
    old = m.remember("Anna lives in Oslo", valid_from=now - 300 * DAY)
    new = m.revise(old.id, "Anna lives in Bergen", valid_from=now - 10 * DAY)
    at = {days: m.list(as_of=now - days * DAY) for days in (400, 200, 5)}
    assert [[each.id for each in found] for found in at.values()] == [[], [old.id], [new.id]]
    assert m.recall("Anna", as_of=now - 200 * DAY).hits[0].superseded_by == new.id
    assert m.recall("Anna", known=now - 5 * DAY).hits == ()
    with pytest.raises(InvalidInput, match="correction"):
        m.revise(new.id, "Anna lives in Rome", valid_from=now - 20 * DAY)
    with pytest.raises(InvalidInput, match="what holds now"):
        m.revise(new.id, "Anna lives in Rome", valid_from=now + 20 * DAY)


def test_a_revision_does_not_lengthen_what_has_ended(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    old = m.remember("Anna lives in Oslo", valid_from=then, valid_to=then + 365 * DAY)
    m.revise(old.id, "Anna lives in Bergen")
    assert m.list(as_of=then + 800 * DAY) == ()
    assert len(m.list(as_of=then + 8 * DAY)) == 1


def test_a_correction_says_that_the_old_was_never_true(m: Memoranda) -> None:
    old = m.remember("Anna lives in Oslo", valid_from=datetime(2025, 1, 1, tzinfo=UTC))
    new = m.revise(old.id, "Anna lives in Bergen", correction=True)
    wrong = m.show(old.id)
    assert isinstance(wrong, Memory)
    assert wrong.valid_to == wrong.valid_from == new.valid_from
    then = m.list(as_of=datetime(2025, 6, 1, tzinfo=UTC))
    assert [memory.id for memory in then] == [new.id]


def test_what_has_ended_is_not_served_as_current(m: Memoranda) -> None:
    now = datetime.now(UTC)
    m.remember("The office is in Ghent", valid_from=now - 9 * DAY, valid_to=now - DAY)
    assert m.recall("office").hits == ()
    assert m.list() == ()
    assert len(m.recall("office", as_of=now - 5 * DAY).hits) == 1


def test_what_begins_later_is_found_already(m: Memoranda) -> None:
    m.remember("The office moves to Ghent", valid_from=datetime.now(UTC) + 9 * DAY)
    assert len(m.recall("office").hits) == 1


def test_confirm_and_pin(m: Memoranda) -> None:
    memory = m.remember("I like tea")
    confirmed = m.confirm(memory.id)
    assert (confirmed.mention_count, confirmed.confirmed_at is not None) == (2, True)
    assert m.pin(memory.id).pinned
    assert m.pin(memory.id).pinned
    assert not m.pin(memory.id, on=False).pinned
    operations = [entry.operation for entry in m.history(memory.id)]
    assert operations == ["remember", "confirm", "pin", "unpin"]


def test_forgetting_leaves_no_word_behind(home: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember(
            "the zirconium plan of Vbnmlkj",
            detail="qwertzuiop",
            topics=["asdfgh"],
            entities=["yxcvbn"],
        )
        m.revise(memory.id, "the zirconium plan, revised", reason="poiuzt")
        kept = m.remember("another matter")
        receipt = m.forget(*(each.id for each in m.list(statuses=list(Status)) if each != kept))
        assert len(receipt.forgotten) == 2
        assert receipt.pending == ()
        for word in (b"zirconium", b"rconium", b"qwertzuiop", b"asdfgh", b"yxcvbn", b"poiuzt",
                     b"Vbnmlkj", b"vbnmlkj"):  # fmt: skip
            for file in (each for each in home.rglob("*") if each.is_file()):
                assert word not in file.read_bytes(), file.name
        assert m.history(memory.id)[-1].operation == "forget"
        assert [each.id for each in m.list()] == [kept.id]
        assert m.entities() == ()


def test_forgetting_is_all_or_nothing(m: Memoranda) -> None:
    memory = m.remember("plum")
    with pytest.raises(NotFound):
        m.forget(memory.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV")
    assert m.show(memory.id) == memory


def test_a_receipt_is_pending_while_somebody_reads_an_old_snapshot(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORANDA_LOCK_TIMEOUT", "0.05")
    with memoranda.open(home) as m, memoranda.open(home) as reader:
        memory = m.remember("plum")
        with reader._store._connections.reading() as db:  # type: ignore[attr-defined]
            db.execute("BEGIN").fetchall()
            db.execute("SELECT count(*) FROM memory").fetchall()
            assert m.forget(memory.id).pending == ("memory.db", "memory.db-wal")
            db.execute("ROLLBACK")
        assert m._store.purge().pending == ()


def test_an_unknown_id_is_not_found_and_a_short_one_ambiguous(m: Memoranda) -> None:
    m.remember("one")
    m.remember("two")
    with pytest.raises(Ambiguous):
        m.show("01")
    with pytest.raises(Ambiguous):
        m.history("01")
    for verb in (m.show, m.confirm, m.pin, m.forget, m.history):
        with pytest.raises(NotFound):
            verb("7ZZZZZ")
    with pytest.raises(NotFound):
        m.list(before="7ZZZZZ")
    (turn,) = m.observe([Turn("c", "user", "three")]).turns
    with pytest.raises(NotFound, match="is a turn"):
        m.confirm(turn)
    for limit in (0, -1, 10**20):
        with pytest.raises(InvalidInput, match="between 1 and"):
            m.list(limit=limit)


def test_a_scope_must_be_open_to_be_written_to(home: Path) -> None:
    with memoranda.open(home, profile="coder", project="site") as m:
        assert m.remember("mine").scope == Scope("profile", "coder")
        assert m.remember("ours", scope="project:site").scope == Scope("project", "site")
        assert m.remember("the owner's", scope="user").scope == Scope("user")
        with pytest.raises(ScopeClosed, match="--profile butler"):
            m.remember("not mine", scope="profile:butler")
    with memoranda.open(home, person="anna") as m:
        assert m.remember("hers").scope == Scope("user", "anna")
        with pytest.raises(ScopeClosed, match="no --person"):
            m.remember("the owner's", scope="user")
        assert [memory.content for memory in m.list()] == ["hers"]


def test_being_found_is_being_used_and_is_written_down_later(home: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember("plum")
        m.recall("plum")
        m.recall("plum")
        m.recall("plum", as_of=datetime.now(UTC))
        assert m.show(memory.id) == memory, "recall itself only reads"
    with memoranda.open(home) as m:
        used = m.show(memory.id)
        assert isinstance(used, Memory)
        assert used.use_count == 2
        assert used.used_at is not None


def test_a_locked_home_keeps_its_answer_and_tells_what_was_lost(
    home: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.stores.sqlite.USE_PATIENCE", 0.01)
    with memoranda.open(home) as writer:
        memory = writer.remember("plum")
        with writer._store.transaction(), memoranda.open(home) as m:
            assert [hit.id for hit in m.recall("plum").hits] == [memory.id]
    assert "not written down" in caplog.text


def test_a_correction_of_the_words_keeps_the_end(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    old = m.remember("Anna livd in Oslo", valid_from=then, valid_to=then + 365 * DAY)
    new = m.revise(old.id, "Anna lived in Oslo", correction=True)
    assert (new.valid_from, new.valid_to) == (old.valid_from, old.valid_to)
    assert m.recall("Oslo").hits == ()


def test_a_correction_may_correct_the_beginning_too(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    old = m.remember("Anna lives in Oslo", valid_from=then)
    new = m.revise(old.id, "Anna lives in Bergen", valid_from=then - 90 * DAY, correction=True)
    assert new.valid_from == then - 90 * DAY
    wrong = m.show(old.id)
    assert isinstance(wrong, Memory)
    assert wrong.valid_to == wrong.valid_from == then


def test_times_given_with_a_repetition_must_fit(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    m.remember("A", valid_from=then)
    assert m.remember("A", valid_to=then + 9000 * DAY).valid_to == then + 9000 * DAY
    m.remember("B", valid_from=then + 8000 * DAY)
    for wrong in ({"valid_to": then}, {"valid_to": then + 10 * DAY}):
        with pytest.raises(InvalidInput, match="before it begins"):
            m.remember("B", **wrong)  # type: ignore[arg-type]


def test_a_revision_into_what_is_known_makes_no_double(m: Memoranda) -> None:
    one, two = m.remember("tea at five"), m.remember("tea at four")
    new = m.revise(one.id, "Tea at four")
    assert (new.id, new.mention_count) == (two.id, 2)
    assert [memory.id for memory in m.list()] == [two.id]
    gone = m.show(one.id)
    assert isinstance(gone, Memory)
    assert gone.superseded_by == two.id


def test_a_revision_may_be_of_the_day_of_the_memory(m: Memoranda) -> None:
    old = m.remember("Deploys on Monday")
    today = datetime.now(UTC) - timedelta(hours=3)
    new = m.revise(old.id, "Deploys on Tuesday", valid_from=today)
    assert new.valid_from is not None
    assert new.valid_from > (old.valid_from or today)


def test_what_has_ended_cannot_be_confirmed(m: Memoranda) -> None:
    then = datetime(2020, 1, 1, tzinfo=UTC)
    memory = m.remember("plum", valid_from=then, valid_to=then + DAY)
    with pytest.raises(InvalidInput, match="ended"):
        m.confirm(memory.id)


def test_a_text_in_place_of_a_list_is_refused(m: Memoranda) -> None:
    with pytest.raises(InvalidInput, match="a list"):
        m.remember("plum", topics="python")
    for verb in (m.remember, m.recall):
        with pytest.raises(InvalidInput, match="must be text"):
            verb(None)  # type: ignore[arg-type]


def test_the_copy_before_an_upgrade_goes_with_what_it_holds(home: Path) -> None:
    with memoranda.open(home) as m:
        memory = m.remember("plum")
        (home / "memory.db.before-0002").write_bytes(b"plum")
        assert m.forget(memory.id).pending == ()
        assert not (home / "memory.db.before-0002").exists()
