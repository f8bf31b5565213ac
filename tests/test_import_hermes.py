"""The sessions of Hermes Agent come in as the conversations they were, its database untouched."""

from __future__ import annotations

import json
import shutil
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import Imported, InvalidImport, Memoranda, Passage
from tests.foreign import CALLS, NOON, OLD_MESSAGES, SECONDS, HermesDatabase, hermes

FIRST = "20260301_120000_ab12cd"


@pytest.fixture
def hermes_home(tmp_path: Path) -> Path:
    return tmp_path / "hermes"


def a_talk(database: HermesDatabase, session: str | None = None) -> str:
    session = session or database.session()
    database.say(session, "user", "Is the plum ripe?", api_content="<memory-context>no</…>")
    database.say(session, "assistant", None, tool_calls=json.dumps(CALLS), reasoning="a plum?")
    database.say(session, "tool", "plum: ripe", tool_call_id="call_1", tool_name="terminal")
    database.say(session, "assistant", "It is.")
    return session


def said(m: Memoranda, imported: Imported) -> list[tuple[str, str | None, str]]:
    found = [m.show(id) for id in imported.turns]
    return [
        (str(each.source.role), each.source.speaker, each.content)
        for each in found
        if isinstance(each, Passage)
    ]


def contents(m: Memoranda, imported: Imported) -> list[str]:
    return [content for _, _, content in said(m, imported)]


def state_of(folder: Path) -> dict[str, str]:
    """Every file but shared memory, in which readers write down that they read."""
    return {
        each.name: "" if each.name.endswith("-shm") else sha256(each.read_bytes()).hexdigest()
        for each in folder.iterdir()
        if each.is_file()
    }


def test_what_was_said_comes_in_with_its_times_roles_and_ids(
    m: Memoranda, hermes_home: Path
) -> None:
    with hermes(hermes_home / "state.db") as database:
        a_talk(database)
    imported = m.import_(hermes_home)
    assert said(m, imported) == [
        ("user", None, "Is the plum ripe?"),
        ("assistant", None, "terminal {}"),
        ("tool", "terminal", "plum: ripe"),
        ("assistant", None, "It is."),
    ]
    first = m.show(imported.turns[0])
    assert isinstance(first, Passage)
    assert first.time == NOON + timedelta(seconds=2)
    assert first.source.conversation == f"hermes/{FIRST}"
    assert first.source.key == f"{SECONDS + 2:.6f}/user"
    assert (imported.format, imported.conversations, imported.left_out) == ("hermes", 1, {})
    again = m.import_(hermes_home / "state.db")
    assert (again.stored, again.known) == (0, 4)


def test_a_database_in_use_is_read_and_left_as_it_is(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = a_talk(database)
        before = state_of(hermes_home)
        assert set(before) == {"state.db", "state.db-wal", "state.db-shm"}
        assert m.import_(hermes_home).stored == 4
        assert state_of(hermes_home) == before
        database.say(session, "user", "And the pear?")
        assert m.import_(hermes_home).stored == 1
    assert m.import_(hermes_home).known == 5


@pytest.mark.parametrize("log", [True, False])
def test_a_copy_is_read_and_nothing_appears_beside_it(
    m: Memoranda, hermes_home: Path, tmp_path: Path, log: bool
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    with hermes(hermes_home / "state.db") as database:
        session = a_talk(database)
        database.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.say(session, "user", "And the pear?")
        shutil.copy(database.path, copy)
        if log:
            shutil.copy(hermes_home / "state.db-wal", copy)
    before = state_of(copy)
    assert m.import_(copy).stored == (5 if log else 4)
    assert state_of(copy) == before


def test_a_copy_without_what_was_only_in_the_log_says_so(
    m: Memoranda, hermes_home: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    with hermes(hermes_home / "state.db") as database:
        a_talk(database)
        shutil.copy(database.path, copy)
    imported = m.import_(copy)
    assert (imported.stored, imported.failed) == (0, 1)
    assert "-wal" in imported.unreadable[0].reason


def test_a_database_that_is_not_written_ahead_is_read(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        a_talk(database)
        database.db.execute("PRAGMA journal_mode = DELETE")
    before = state_of(hermes_home)
    assert m.import_(hermes_home).stored == 4
    assert state_of(hermes_home) == before


def test_a_home_is_read_with_its_profiles(m: Memoranda, hermes_home: Path) -> None:
    for folder in (hermes_home, hermes_home / "profiles" / "coder"):
        with hermes(folder / "state.db") as database:
            a_talk(database, database.session(f"20260301_{len(folder.parts):06}_ab12cd"))
    assert m.import_(hermes_home).conversations == 2
    assert m.import_(hermes_home / "profiles" / "coder").known == 4


@pytest.mark.parametrize("when", ["before", "after", "between"])
def test_a_compaction_adds_nothing_that_was_said_before(
    m: Memoranda, hermes_home: Path, when: str
) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = a_talk(database)
        database.say(session, "user", "ok")
        if when == "before":
            m.import_(hermes_home)
        database.compact(
            session,
            ("user", "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted"),
            ("assistant", "It is."),
            ("user", "ok"),
        )
        if when == "between":
            m.import_(hermes_home)
        database.say(session, "assistant", "Good.")
        database.say(session, "user", "ok")
        imported = m.import_(hermes_home)
    assert contents(m, imported)[3:] == ["It is.", "ok", "Good.", "ok"]
    assert m.status().holdings.turns == 7
    assert imported.left_out == {"messages that came twice": 2, "summaries": 1}


def test_a_session_that_continues_another_is_of_its_conversation(
    m: Memoranda, hermes_home: Path
) -> None:
    with hermes(hermes_home / "state.db") as database:
        first = a_talk(database)
        database.say(first, "user", "go on")
        database.end(first, "compression")
        child = database.session("20260302_120000_ab12cd", parent=first)
        database.say(child, "user", "[CONTEXT SUMMARY]: plums")
        database.say(child, "assistant", "It is.")
        database.say(child, "user", "go on")
        database.say(child, "user", "go on")
        branch = database.session(
            "20260303_120000_ab12cd", parent=child, config={"_branched_from": child}
        )
        for content in ("It is.", "go on", "go on", "And the pear?"):
            database.say(branch, "assistant" if content == "It is." else "user", content)
    imported = m.import_(hermes_home)
    assert contents(m, imported)[3:] == ["It is.", "go on", "go on", "And the pear?"]
    assert imported.conversations == 1
    assert imported.left_out == {"messages that came twice": 5, "summaries": 1}


def test_what_a_summary_was_appended_to_is_kept(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = database.session()
        merged = "[PRIOR CONTEXT]\nthe plum\n\n[END OF PRIOR CONTEXT — SUMMARY BELOW]\n\nplums"
        database.say(session, "user", merged)
    imported = m.import_(hermes_home)
    assert contents(m, imported) == ["the plum"]
    assert imported.left_out == {"summaries": 1}


@pytest.mark.parametrize(
    ("session", "message", "left_out"),
    [
        ({"source": "subagent"}, {}, "messages of subagents"),
        ({"source": "tool"}, {}, "messages of subagents"),
        ({"config": {"_delegate_from": "x"}}, {}, "messages of subagents"),
        ({}, {"active": 0}, "undone messages"),
        ({}, {"role": "session_meta"}, "internal records"),
        ({}, {"role": "oracle"}, "messages of role 'oracle'"),
        ({}, {"content": "[CONTEXT SUMMARY]: x"}, "summaries"),
        (
            {},
            {"content": "<memory-context>x</memory-context>"},
            "reminders and other injected text",
        ),
    ],
)
def test_what_nobody_said_is_left_out_and_counted(
    m: Memoranda,
    hermes_home: Path,
    session: dict[str, object],
    message: dict[str, object],
    left_out: str,
) -> None:
    with hermes(hermes_home / "state.db") as database:
        id = database.session(**session)  # type: ignore[arg-type]
        said = {"role": "user", "content": "the plum"} | message
        database.say(id, **said)  # type: ignore[arg-type]
    imported = m.import_(hermes_home)
    assert (imported.stored, imported.left_out) == (0, {left_out: 1})


def test_what_hermes_asked_itself_is_left_out_with_the_answer(
    m: Memoranda, hermes_home: Path
) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = a_talk(database)
        database.say(session, "user", "Review the conversation above and update the skill library")
        database.say(session, "assistant", "Nothing to save.")
        database.say(session, "assistant", "And the pear?")
    imported = m.import_(hermes_home)
    assert contents(m, imported)[3:] == ["It is.", "And the pear?"]
    assert imported.left_out == {"internal records": 2}


def test_what_was_scheduled_is_no_person_s_word(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = database.session(source="cron")
        database.say(session, "user", "Check the backups")
        database.say(session, "assistant", "All fine.")
    assert said(m, m.import_(hermes_home)) == [
        ("system", "cron", "Check the backups"), ("assistant", None, "All fine."),
    ]  # fmt: skip


def test_of_an_old_database_the_children_without_a_mark_are_subagents(
    m: Memoranda, hermes_home: Path
) -> None:
    for version, stored in ((11, 4), (22, 5)):
        path = hermes_home / f"{version}" / "state.db"
        with hermes(path, version=version, messages=OLD_MESSAGES) as database:
            session = database.session(f"20260301_{version:06}_ab12cd")
            database.say(session, "user", "Is the plum ripe?")
            database.say(session, "assistant", "It is.")
            child = database.session(f"20260302_{version:06}_ab12cd", parent=session)
            database.say(child, "user", "Look at the pear")
            database.end(session, "cli_close")
            other = database.session(f"20260303_{version:06}_ab12cd")
            database.say(other, "user", "ok")
            database.say(other, "user", "ok")
        assert m.import_(path.parent).stored == stored


def test_sessions_that_hang_together_in_a_long_line_or_a_circle_are_read(
    m: Memoranda, hermes_home: Path
) -> None:
    with hermes(hermes_home / "state.db") as database:
        database.db.execute("BEGIN")
        parent = None
        for number in range(5_000):
            parent = database.session(f"s{number:05}", parent=parent, config={"_branched_from": 1})
        database.say("s04999", "user", "the plum")
        for one, other in (("a", "b"), ("b", "a")):
            database.session(one, parent=other)
            database.say(one, "user", f"the pear {one}")
        database.db.execute("COMMIT")
    imported = m.import_(hermes_home)
    assert imported.conversations == 2
    assert contents(m, imported) == ["the plum", "the pear a", "the pear b"]


def test_parts_of_a_message_that_are_no_text_are_counted(m: Memoranda, hermes_home: Path) -> None:
    parts = [{"type": "text", "text": "a fig"}, {"type": "image_url", "image_url": {"url": "x"}}]
    with hermes(hermes_home / "state.db") as database:
        database.say(database.session(), "user", "\0json:" + json.dumps(parts))
    imported = m.import_(hermes_home)
    assert contents(m, imported) == ["a fig"]
    assert imported.left_out == {"images and other attachments": 1}


def test_messages_of_a_session_that_is_gone_are_kept(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        a_talk(database)
        database.db.execute("DELETE FROM sessions")
    assert m.import_(hermes_home).stored == 4


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ({"timestamp": "soon"}, "the time 'soon'"),
        ({"timestamp": 1e99}, "no usable time"),
        ({"content": "\0json:[{"}, "the content cannot be read"),
        ({"content": "\0json:7"}, "neither text nor a list"),
        ({"tool_calls": "[{"}, "the calls of tools cannot be read"),
        ({"tool_calls": "[7]"}, "a call of a tool is no object"),
    ],
)
def test_a_row_that_cannot_be_read_is_told_and_the_others_come_in(
    m: Memoranda, hermes_home: Path, broken: dict[str, object], told: str
) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = a_talk(database)
        said = {"role": "user", "content": "the pear"} | broken
        row = database.say(session, **said)  # type: ignore[arg-type]
    imported = m.import_(hermes_home)
    assert (imported.stored, imported.failed) == (4, 1)
    (each,) = imported.unreadable
    assert (each.place, each.line) == (str(hermes_home / "state.db"), row)
    assert told in each.reason


def test_bytes_that_are_not_utf8_are_replaced(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        id = database.session()
        row = database.say(id, "user", "")
        database.db.execute("UPDATE messages SET content = CAST(x'706cfc6d' AS TEXT)")
        database.say(id, "user", b"pl\xfcms")
    assert row == 1
    imported = m.import_(hermes_home)
    assert (contents(m, imported), imported.mended) == (["pl\ufffdm", "pl\ufffdms"], 2)


def test_a_damaged_database_is_told_and_the_others_are_read(
    m: Memoranda, hermes_home: Path
) -> None:
    for folder in (hermes_home, hermes_home / "profiles" / "coder"):
        with hermes(folder / "state.db") as database:
            a_talk(database, database.session(f"20260301_{len(folder.parts):06}_ab12cd"))
    damaged = hermes_home / "state.db"
    damaged.write_bytes(damaged.read_bytes()[:4096] + b"\xaa" * 20_000)
    imported = m.import_(hermes_home)
    assert imported.stored == 4
    assert [each.place for each in imported.unreadable] == [str(damaged)]
    assert m.import_(damaged).failed == 1


def test_a_database_of_something_else_is_refused(m: Memoranda, home: Path, tmp_path: Path) -> None:
    with pytest.raises(InvalidImport, match="tables sessions and messages"):
        m.import_(home / "memory.db")
    (tmp_path / "state.db").touch()
    with pytest.raises(InvalidImport, match="tables sessions and messages"):
        m.import_(tmp_path)


def test_a_conversation_that_was_forgotten_does_not_come_back(
    m: Memoranda, hermes_home: Path
) -> None:
    with hermes(hermes_home / "state.db") as database:
        a_talk(database)
    m.import_(hermes_home)
    m.forget(conversation=f"hermes/{FIRST}")
    again = m.import_(hermes_home)
    assert (again.stored, again.forgotten) == (0, 4)


def test_progress_ends_at_the_size_of_the_file(m: Memoranda, hermes_home: Path) -> None:
    with hermes(hermes_home / "state.db") as database:
        session = database.session()
        for number in range(1_234):
            database.say(session, "user", f"plum {number}")
    told: list[int] = []
    imported = m.import_(hermes_home, dry_run=True, advance=told.append)
    assert imported.stored == 1_234
    assert sum(told) == (hermes_home / "state.db").stat().st_size


cells = st.none() | st.integers(-(2**62), 2**62) | st.floats() | st.text() | st.binary()


@given(
    role=st.sampled_from(["user", "assistant", "tool"]) | st.text(),
    content=cells | st.text().map("\0json:".__add__),
    tool_calls=cells | st.text().map("[{}]".__add__) | st.just('[{"function": 5, "id": []}]'),
    tool_call_id=cells,
    tool_name=cells,
    timestamp=st.floats(allow_nan=False) | st.text(),
    active=st.sampled_from([0, 1, None, "x"]),
)
def test_any_row_is_stored_left_out_or_told(tmp_path: Path, **row: object) -> None:
    folder = tmp_path / "hermes"
    shutil.rmtree(folder, ignore_errors=True)
    messages = OLD_MESSAGES.replace(" NOT NULL", "").replace(")", ", active, compacted)", 1)
    with hermes(folder / "state.db", messages=messages) as database:
        session = a_talk_without_more(database)
        role, content = row.pop("role"), row.pop("content")
        database.say(session, role, content, **row)  # type: ignore[arg-type]
    with memoranda.open(tmp_path / "home") as m:
        imported = m.import_(folder)
    assert imported.stored + imported.known >= 1
    assert imported.failed in (0, 1)


def a_talk_without_more(database: HermesDatabase) -> str:
    session = database.session()
    database.say(session, "user", "Is the plum ripe?")
    return session


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    """Every test has one, also those that open it themselves."""
