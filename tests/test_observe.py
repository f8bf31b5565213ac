"""Conversations come in: exact about what is the same turn, whole, and mended where need be."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import CaptureOff, InvalidImport, InvalidInput, Memoranda, Turn

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_ok_twice_is_two_turns_and_a_file_sent_again_is_none(m: Memoranda) -> None:
    assert m.observe([Turn("c", "user", "ok")]).stored == 1
    assert m.observe([Turn("c", "user", "ok")]).stored == 1
    call = [Turn("d", "user", "ok"), Turn("d", "assistant", "sure"), Turn("d", "user", "ok")]
    assert m.observe(call).stored == 3
    assert m.observe(call).known == 3
    assert m.observe([*call, Turn("d", "user", "ok")]).stored == 1


def test_a_call_longer_than_a_batch_counts_equal_turns_over_all_of_it(m: Memoranda) -> None:
    call = [Turn("c", "user", "ok") for _ in range(1200)]
    assert m.observe(call).stored == 1200
    assert m.observe(iter(call)).known == 1200


@pytest.mark.parametrize("change", [
    {"role": "assistant"}, {"content": "other"}, {"conversation": "d"}, {"speaker": "Anna"},
    {"time": NOON + timedelta(seconds=1)},
])  # fmt: skip
def test_what_makes_a_turn_without_an_id_another(m: Memoranda, change: dict[str, object]) -> None:
    turn: dict[str, object] = {"conversation": "c", "role": "user", "content": "x", "time": NOON}
    m.observe([Turn(**turn)])  # type: ignore[arg-type]
    assert m.observe([Turn(**turn)]).stored == 0  # type: ignore[arg-type]
    assert m.observe([Turn(**turn | change)]).stored == 1  # type: ignore[arg-type]


def test_the_same_moment_in_another_zone_is_the_same_turn(m: Memoranda) -> None:
    m.observe([Turn("c", "user", "x", time=NOON)])
    elsewhere = NOON.astimezone(timezone(timedelta(hours=9)))
    assert m.observe([Turn("c", "user", "x", time=elsewhere)]).known == 1


def test_a_needle_in_the_last_third_of_a_long_turn_is_found(m: Memoranda) -> None:
    hay = "the quick brown fox jumps over the lazy dog. " * 1800
    content = hay[:60_000] + "The needle is called zirconium. " + hay[60_000:80_000]
    (id,) = m.observe([Turn("c", "user", content)]).turns
    (hit,) = m.recall("zirconium").hits
    assert hit.id == id
    assert "zirconium" in hit.content
    start, end = hit.source.start, hit.source.end
    assert content[start:end] == hit.content
    whole = m.show(id)
    assert isinstance(whole, memoranda.Passage)
    assert whole.content == content


def test_ten_megabytes_are_one_turn(m: Memoranda) -> None:
    content = "lorem ipsum dolor " * 560_000 + "zirconium"
    observed = m.observe([Turn("c", "user", content)])
    assert observed.stored == 1
    assert len(m.recall("zirconium").hits) == 1


def test_what_no_file_can_keep_is_replaced_and_counted(m: Memoranda) -> None:
    observed = m.observe(
        [Turn("c", "user", "nul \0 and half \ud83d a pair"), Turn("c", "user", "x")]
    )
    assert (observed.stored, observed.mended) == (2, 1)
    found = m.show(observed.turns[0])
    assert isinstance(found, memoranda.Passage)
    assert found.content == "nul \ufffd and half \ufffd a pair"
    assert (
        m.observe([Turn("c", "user", "nul \0 and half \ud83d a pair"), Turn("d", "user", "")]).known
        == 1
    )


@pytest.mark.parametrize("turn", [
    lambda: Turn("c", "robot", "x"),
    lambda: Turn("", "user", "x"),
])  # fmt: skip
def test_what_is_no_turn_is_refused(turn: Callable[[], Turn]) -> None:
    with pytest.raises(InvalidInput):
        turn()


@pytest.mark.parametrize("time", [
    datetime(2026, 3, 1),  # noqa: DTZ001
    datetime.min.replace(tzinfo=timezone(timedelta(hours=5))),
    datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))),
])  # fmt: skip
def test_a_time_that_cannot_be_kept_is_refused(m: Memoranda, time: datetime) -> None:
    with pytest.raises(InvalidInput):
        m.observe([Turn("c", "user", "x", time=time)])
    assert m.status().holdings.turns == 0


@given(st.datetimes(timezones=st.timezones()), st.text())
def test_any_text_at_any_time_comes_back(m: Memoranda, time: datetime, content: str) -> None:
    try:
        (id,) = m.observe([Turn("c", "user", content, time=time)]).turns
    except InvalidInput:
        assert time.year in (1, 9999)
        return
    passage = m.show(id)
    assert isinstance(passage, memoranda.Passage)
    assert passage.time.astimezone(UTC) == time.astimezone(UTC)
    assert passage.content.encode() == content.replace("\0", "\ufffd").encode()


def test_nothing_is_captured_until_it_is_turned_on(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "quiet")
    with memoranda.open(home) as m:
        for turns in ([], [Turn("c", "user", "x")]):
            with pytest.raises(CaptureOff, match="memoranda enable"):
                m.observe(turns)
        assert m.status().capturing_since is None
        m.enable()
        assert m.observe([Turn("c", "user", "x")]).stored == 1
        m.disable()
        with pytest.raises(CaptureOff):
            m.observe([Turn("c", "user", "y")])
        assert m.status().holdings.turns == 1


def test_a_turn_is_the_profiles_that_heard_it(home: Path) -> None:
    with memoranda.open(home, profile="coder", project="site") as m:
        m.observe([Turn("c", "user", "the plum is ripe")])
        assert len(m.recall("plum").hits) == 1
    for others in ({}, {"project": "site"}, {"profile": "butler"}, {"person": "anna"}):
        with memoranda.open(home, **others) as m:
            assert m.recall("plum").hits == ()


# Files


def lines(path: Path, *turns: object) -> Path:
    path.write_text("".join(json.dumps(turn) + "\n" for turn in turns), encoding="utf-8")
    return path


def a_turn(**fields: object) -> dict[str, object]:
    return {"conversation": "c", "role": "user", "content": "the plum"} | fields


def test_a_file_is_imported_once_while_capture_is_off(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "quiet")
    file = lines(tmp_path / "f.jsonl", a_turn(), a_turn(), a_turn(id="3", time="2026-03-01"))
    with memoranda.open(home) as m:
        assert m.import_(file, dry_run=True).stored == 3
        assert m.status().holdings.turns == 0
        assert m.import_(file).stored == 3
        assert m.import_(file).known == 3


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (b'{"conversation": "c", "role": "user"', "line 2: no JSON"),
        (b"[]", "line 2: a turn is a JSON object"),
        (b'{"role": "user", "content": "x"}', "line 2: 'conversation' is missing"),
        (b'{"conversation": "c", "role": "robot", "content": "x"}', "line 2: role 'robot'"),
        (b'{"conversation": "c", "role": "user", "content": 7}', "line 2: 'content' must be text"),
        (b'{"conversation": "c", "role": "user", "content": null}', "line 2: 'content' must be"),
        (b'{"conversation": 5, "role": "user", "content": "x"}', "line 2: 'conversation' must"),
        (
            b'{"conversation": "c", "role": "user", "content": "x", "time": "soon"}',
            "line 2: 'soon'",
        ),
        (b'{"conversation": "c", "role": "user", "content": "x", "time": 1e99}', "line 2: 1e\\+99"),
        (b'{"conversation": "c", "role": "user", "content": "x", "time": []}', "line 2: 'time'"),
        (b"[" * 100_000, "line 2: no usable JSON"),
        (b"\xff\xfe\x00", "line 2: no JSON"),
    ],
)
def test_a_broken_line_is_named_and_nothing_is_stored(
    m: Memoranda, tmp_path: Path, broken: bytes, told: str
) -> None:
    file = lines(tmp_path / "f.jsonl", a_turn())
    file.write_bytes(file.read_bytes() + broken + b"\n")
    with pytest.raises(InvalidImport, match=told):
        m.import_(file)
    assert m.status().holdings.turns == 0


@given(st.binary(max_size=300))
def test_any_bytes_are_an_import_or_a_clear_error(
    m: Memoranda, tmp_path: Path, data: bytes
) -> None:
    file = tmp_path / "any"
    file.write_bytes(data)
    try:
        m.import_(file, format="turns")
    except InvalidImport as error:
        assert "nothing was stored" in str(error)  # noqa: PT017
        assert m.status().holdings.turns == 0


def test_bytes_that_are_not_utf8_are_replaced_and_counted(m: Memoranda, tmp_path: Path) -> None:
    file = tmp_path / "latin.jsonl"
    file.write_bytes(b'{"conversation": "c", "role": "user", "content": "caf\xe9 plum"}\n')
    assert m.import_(file).mended == 1
    assert m.recall("plum").hits[0].content == "caf\ufffd plum"


def test_blank_lines_and_a_byte_order_mark_are_passed_over(m: Memoranda, tmp_path: Path) -> None:
    file = tmp_path / "f.jsonl"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps(a_turn()).encode() + b"\n\n  \n")
    assert m.import_(file).stored == 1


def test_what_is_missing_or_unknown_is_said(m: Memoranda, tmp_path: Path) -> None:
    with pytest.raises(InvalidImport, match="No such file"):
        m.import_(tmp_path / "none")
    with pytest.raises(InvalidImport, match="line 1: 'conversation' is missing"):
        m.import_(lines(tmp_path / "f", {"hello": 1}))
    with pytest.raises(InvalidInput, match="format 'chat'"):
        m.import_(lines(tmp_path / "f", a_turn()), format="chat")


def test_times_without_a_zone_are_in_the_zone_of_the_settings(home: Path, tmp_path: Path) -> None:
    (home / "memoranda.toml").write_text('timezone = "Asia/Tokyo"', encoding="utf-8")
    file = lines(
        tmp_path / "f.jsonl",
        a_turn(time="2026-03-01T23:30"),
        a_turn(time=1772400000, content="plums, pears"),
    )
    with memoranda.open(home) as m:
        m.import_(file)
        times = sorted(hit.source.time for hit in m.recall("plum").hits if hit.source.time)
    assert times == [
        datetime(2026, 3, 1, 14, 30, tzinfo=UTC),
        datetime(2026, 3, 1, 21, 20, tzinfo=UTC),
    ]
