"""Transcripts of Claude Code come in as the conversations they were."""

from __future__ import annotations

import json
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import Imported, InvalidImport, Memoranda, Passage
from memoranda.capture.importers.reading import SHOWN
from tests.foreign import NOON, Transcript, text, tool_result, tool_use, write_lines

REMINDER = "<system-reminder>Never mention the pear</system-reminder>"


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    return tmp_path / "claude" / "projects"


def a_talk() -> Transcript:
    talk = Transcript()
    talk.add("queue-operation", operation="enqueue")
    talk.user("Is the plum ripe?")
    talk.assistant({"type": "thinking", "thinking": "a plum?"}, text("Let me look."))
    talk.assistant(tool_use("toolu_1", command="ls orchard"))
    talk.user([tool_result("toolu_1", [text("plum: ripe"), {"type": "image", "source": {}}])])
    talk.assistant(text("It is."))
    return talk


def said(m: Memoranda, imported: Imported) -> list[tuple[str, str | None, str]]:
    found = [m.show(id) for id in imported.turns]
    return [
        (str(each.source.role), each.source.speaker, each.content)
        for each in found
        if isinstance(each, Passage)
    ]


def test_what_was_said_comes_in_with_its_times_roles_and_ids(m: Memoranda, projects: Path) -> None:
    file = a_talk().write(projects / "-home-liam-site" / "s.jsonl")
    imported = m.import_(file)
    assert said(m, imported) == [
        ("user", None, "Is the plum ripe?"),
        ("assistant", None, "Let me look."),
        ("assistant", None, 'Bash {"command": "ls orchard"}'),
        ("tool", "Bash", "plum: ripe"),
        ("assistant", None, "It is."),
    ]
    first = m.show(imported.turns[0])
    assert isinstance(first, Passage)
    assert first.time == NOON + timedelta(seconds=2)
    assert first.source.conversation == "claude-code/site/2026-03-01/00000002"
    assert first.source.key == "00000002-0000-0000-0000-000000000002"
    assert (imported.format, imported.conversations, imported.failed) == ("claude-code", 1, 0)
    assert imported.read == {"user": 1, "assistant": 3, "tool": 1}
    assert (imported.first, imported.last) == (first.time, NOON + timedelta(seconds=6))
    assert imported.left_out == {
        "internal records": 1, "thinking": 1, "images and other attachments": 1,
    }  # fmt: skip


def test_a_grown_file_brings_in_what_is_new(m: Memoranda, projects: Path) -> None:
    talk = a_talk()
    file = talk.write(projects / "-home-liam-site" / "s.jsonl")
    assert m.import_(projects).stored == 5
    talk.user("And the pear?")
    talk.write(file)
    again = m.import_(projects)
    assert (again.known, again.stored) == (5, 1)


@pytest.mark.parametrize("copy_first", [True, False])
def test_a_session_continued_in_another_file_is_the_same_conversation(
    m: Memoranda, projects: Path, copy_first: bool
) -> None:
    talk = a_talk()
    fork = talk.continued("0fork000-f4fd-4d09-befc-43a5e208df67")
    fork.user("And the pear?")
    names = ("b", "a") if copy_first else ("a", "b")
    files = [
        each.write(projects / "-home-liam-site" / f"{name}.jsonl")
        for each, name in zip((talk, fork), names, strict=True)
    ]
    assert m.import_(files[copy_first]).known == 0
    m.import_(files[not copy_first])
    imported = m.import_(projects)
    assert (imported.stored, imported.known, imported.conversations) == (0, 6, 1)
    assert imported.left_out["records that came twice"] == 5
    assert m.status().holdings.turns == 6


def test_a_part_that_is_repeated_elsewhere_is_not_stored_twice(
    m: Memoranda, projects: Path
) -> None:
    talk = a_talk()
    rest = Transcript(session="rest", start=50, records=talk.records[4:])
    rest.user("And the pear?")
    folder = projects / "-home-liam-site"
    rest.write(folder / "a.jsonl")
    talk.write(folder / "b.jsonl")
    imported = m.import_(projects)
    assert imported.stored == 6
    assert imported.left_out["records that came twice"] == 2


def test_what_a_fork_answers_is_of_the_tool_that_was_called_before(
    m: Memoranda, projects: Path
) -> None:
    talk = a_talk()
    del talk.records[4:]
    fork = talk.continued("fork")
    fork.start = 50
    fork.user([tool_result("toolu_1", "plum: ripe")])
    talk.write(projects / "-home-liam-site" / "a.jsonl")
    fork.write(projects / "-home-liam-site" / "b.jsonl")
    assert said(m, m.import_(projects))[-1] == ("tool", "Bash", "plum: ripe")


@pytest.mark.parametrize(
    ("content", "fields", "left_out"),
    [
        ("hidden", {"isMeta": True}, "meta records"),
        ("hidden", {"isVisibleInTranscriptOnly": True}, "meta records"),
        ("hidden", {"isSidechain": True}, "records of subagents"),
        ("hidden", {"isCompactSummary": True}, "summaries"),
        (REMINDER, {}, "reminders and other injected text"),
        ([text(REMINDER)], {}, "reminders and other injected text"),
        ("<local-command-stdout>x</local-command-stdout>", {}, "reminders and other injected text"),
        ("<command-name>/clear</command-name>", {}, "commands to the program"),
        ("[Request interrupted by user for tool use]", {}, "interruptions"),
    ],
)
def test_what_nobody_said_is_left_out_and_counted(
    m: Memoranda, tmp_path: Path, content: object, fields: dict[str, object], left_out: str
) -> None:
    talk = Transcript()
    talk.user("the plum")
    talk.user(content, **fields)
    imported = m.import_(talk.write(tmp_path / "s.jsonl"))
    assert (imported.stored, imported.left_out) == (1, {left_out: 1})


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        (f"the plum {REMINDER} is ripe", "the plum  is ripe"),
        (f"{REMINDER}\nthe plum", "the plum"),
        ("what is <system-reminder> for?", "what is <system-reminder> for?"),
        ("<command-name>/fix</command-name><command-args>the plum</command-args>", "/fix the plum"),
        ("<bash-input>ls orchard</bash-input>", "! ls orchard"),
    ],
)
def test_what_is_typed_is_kept(m: Memoranda, tmp_path: Path, content: str, kept: str) -> None:
    talk = Transcript()
    talk.user(content)
    assert said(m, m.import_(talk.write(tmp_path / "s.jsonl"))) == [("user", None, kept)]


def test_an_unknown_type_of_record_is_told_by_its_name(m: Memoranda, tmp_path: Path) -> None:
    talk = Transcript()
    talk.user("the plum")
    talk.add("hologram")
    talk.add("")
    imported = m.import_(talk.write(tmp_path / "s.jsonl"))
    assert imported.left_out == {
        "records of unknown type 'hologram'": 1, "records of unknown type ''": 1,
    }  # fmt: skip


def test_subagents_files_are_counted_and_not_read(m: Memoranda, projects: Path) -> None:
    file = a_talk().write(projects / "-home-liam-site" / "s.jsonl")
    a_talk().write(file.with_suffix("") / "subagents" / "agent-1.jsonl")
    imported = m.import_(projects)
    assert (imported.stored, imported.left_out["files of subagents"]) == (5, 1)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (b'{"type": "user", "sessionId"', "no JSON"),
        (b"\xff\xfe\x00\n", "no JSON"),
        (b"[1]\n", "a record is a JSON object"),
        (b"[" * 50_000 + b"\n", "no usable JSON"),
        (b'{"type": "user"}\n', "'uuid' is missing"),
        (b'{"type": "user", "uuid": "u"}\n', "'timestamp' is missing"),
        (b'{"type": "user", "uuid": "u", "timestamp": "soon"}\n', "'soon' is no date"),
        (
            b'{"type": "user", "uuid": "u", "timestamp": "2026-03-01T12:00:00Z"}\n',
            "'message' is missing",
        ),
        (
            b'{"type": "user", "uuid": "u", "timestamp": "2026-03-01T12:00:00Z",'
            b' "message": {"content": 7}}\n',
            "7 is no part of a message",
        ),
    ],
)
def test_a_record_that_cannot_be_read_is_told_and_the_others_come_in(
    m: Memoranda, tmp_path: Path, broken: bytes, told: str
) -> None:
    file = a_talk().write(tmp_path / "s.jsonl")
    file.write_bytes(file.read_bytes() + broken)
    imported = m.import_(file)
    assert (imported.stored, imported.failed) == (5, 1)
    (each,) = imported.unreadable
    assert (each.place, each.line) == (str(file), 7)
    assert told in each.reason


def test_a_million_broken_lines_are_counted_and_some_shown(m: Memoranda, tmp_path: Path) -> None:
    file = a_talk().write(tmp_path / "s.jsonl")
    file.write_bytes(file.read_bytes() + b"nonsense\n" * 50_000)
    imported = m.import_(file)
    assert (imported.stored, imported.failed, len(imported.unreadable)) == (5, 50_000, SHOWN)


def test_bytes_that_are_not_utf8_are_replaced(m: Memoranda, tmp_path: Path) -> None:
    file = a_talk().write(tmp_path / "s.jsonl")
    file.write_bytes(file.read_bytes().replace(b"the plum", b"the pl\xfcm"))
    imported = m.import_(file)
    assert (imported.stored, imported.mended) == (5, 1)


def test_times_without_a_zone_are_in_the_zone_of_the_settings(home: Path, tmp_path: Path) -> None:
    (home / "memoranda.toml").write_text('timezone = "Asia/Tokyo"', encoding="utf-8")
    talk = Transcript()
    talk.user("the plum", timestamp="2026-03-01T23:30:00")
    with memoranda.open(home) as m:
        imported = m.import_(talk.write(tmp_path / "s.jsonl"))
    assert imported.first == datetime(2026, 3, 1, 14, 30, tzinfo=UTC)


def test_a_folder_is_the_program_s_all_projects_or_one(m: Memoranda, projects: Path) -> None:
    one = projects / "-home-liam-site"
    a_talk().write(one / "a.jsonl")
    (one / "empty.jsonl").touch()
    other = Transcript(cwd="C:\\work\\orchard", start=100)
    other.user("the pear")
    other.write(projects / "C--work-orchard" / "b.jsonl")
    (projects.parent / "history.jsonl").write_text('{"display": "x"}\n', encoding="utf-8")
    for path, turns in ((projects.parent, 6), (projects, 6), (one, 5)):
        imported = m.import_(path, dry_run=True)
        assert (imported.stored, imported.failed, imported.left_out.get("other", 0)) == (
            turns,
            0,
            0,
        )
    conversations = {m.show(id).source.conversation for id in m.import_(projects).turns}  # type: ignore[union-attr]
    assert "claude-code/orchard/2026-03-01/00000064" in conversations


def test_secrets_are_left_out(m: Memoranda, tmp_path: Path) -> None:
    talk = Transcript()
    talk.assistant(tool_use("t", command="export KEY=sk-ant-api03-" + "aB3dE5gH7j" * 9))
    imported = m.import_(talk.write(tmp_path / "s.jsonl"))
    assert len(imported.redacted) == 1
    assert "aB3dE5gH7j" not in said(m, imported)[0][2]


def test_nothing_known_is_an_error_that_says_what_was_looked_for(
    m: Memoranda, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InvalidImport, match=r"no Hermes home .* and no transcripts of Claude Code"):
        m.import_(tmp_path / "folder")
    prose = tmp_path / "README.md"
    prose.write_text("# Plums", encoding="utf-8")
    with pytest.raises(InvalidImport, match=r"line 1: no JSON.*no file of turns"):
        m.import_(prose)
    with pytest.raises(InvalidImport, match="no transcripts of Claude Code"):
        m.import_(prose, format="claude-code")
    with pytest.raises(InvalidImport, match="No such file"):
        m.import_(tmp_path / "none", format="hermes")
    assert m.status().holdings.turns == 0


def test_a_turn_with_fields_of_another_program_is_a_turn(m: Memoranda, tmp_path: Path) -> None:
    turn = {"conversation": "c", "role": "user", "content": "x", "type": "user", "sessionId": "s"}
    assert m.import_(write_lines(tmp_path / "f.jsonl", [turn])).format == "turns"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "content", "name", "id"]), inner)
    ),
    max_leaves=8,
)
types = st.sampled_from(["user", "assistant", "summary"]) | json_values
blocks = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking"])},
        optional=dict.fromkeys(("text", "content", "name", "id", "input"), json_values),
    )
)


@given(
    st.fixed_dictionaries(
        {"type": types},
        optional={
            "uuid": st.text(max_size=5),
            "timestamp": st.just("2026-03-01T12:00:00Z") | st.datetimes().map(str) | json_values,
            "message": st.fixed_dictionaries({"content": json_values | blocks}) | json_values,
            "cwd": json_values,
            "isMeta": json_values,
        },
    )
)
def test_any_record_is_stored_left_out_or_told(
    m: Memoranda, tmp_path: Path, record: dict[str, object]
) -> None:
    talk = a_talk()
    talk.records.append(record)
    before = m.status().holdings.turns
    imported = m.import_(talk.write(tmp_path / "s.jsonl"))
    assert imported.failed in (0, 1)
    assert m.status().holdings.turns == before + imported.stored
    assert imported.stored + imported.known >= 5


@given(st.binary(max_size=300))
def test_any_bytes_are_an_import_or_told(m: Memoranda, tmp_path: Path, data: bytes) -> None:
    file = a_talk().write(tmp_path / "s.jsonl")
    file.write_bytes(file.read_bytes() + data)
    imported = m.import_(file)
    assert imported.stored + imported.known == 5


@pytest.mark.slow
def test_fifty_megabytes_are_read_in_bounded_memory(m: Memoranda, tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    talk = Transcript()
    with file.open("w", encoding="utf-8") as lines:
        for number in range(10_000):
            talk.records.clear()
            talk.start = number + 1
            record = talk.user(f"plum {number} " + "of many words " * 350)
            lines.write(json.dumps(record) + "\n")
    size = file.stat().st_size
    assert size > 50_000_000
    told: list[int] = []
    tracemalloc.start()
    imported = m.import_(file, dry_run=True, advance=told.append)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (imported.stored, sum(told)) == (10_000, size)
    assert peak < 10_000_000
