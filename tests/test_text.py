"""Pieces, dates, mending, counting: pure functions of text."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import InvalidInput
from memoranda.text import dates, passages
from memoranda.text.clean import REPLACEMENT, fingerprint, mend


@given(st.text(), st.integers(1, 50))
def test_pieces_joined_are_the_text(text: str, size: int) -> None:
    pieces = passages.split(text, size)
    assert "".join(piece for _, piece in pieces) == text
    assert all(len(piece) <= size for _, piece in pieces)
    assert [start for start, _ in pieces] == [
        sum(len(piece) for _, piece in pieces[:place]) for place in range(len(pieces))
    ]


def test_a_piece_ends_where_a_reader_would_end_it() -> None:
    assert passages.split("One two.\n\nThree four.", 12)[0] == (0, "One two.\n\n")
    assert passages.split("One. Two three", 10)[0] == (0, "One. Two ")
    assert passages.split("One, two. Three", 12)[0] == (0, "One, two. ")
    assert passages.split("x" * 25, 10) == [(0, "x" * 10), (10, "x" * 10), (20, "x" * 5)]


@given(st.text(st.characters(categories=("L", "Cs", "Cc"))))
def test_mended_text_can_be_stored(text: str) -> None:
    mended, count = mend(text)
    mended.encode("utf-8")
    assert "\0" not in mended
    assert len(mended) == len(text)
    assert count == mended.count(REPLACEMENT) - text.count(REPLACEMENT)


def test_what_differs_in_case_and_space_only_has_the_same_fingerprint() -> None:
    assert fingerprint("User  prefers RUFF\n") == fingerprint("user prefers ruff")
    assert fingerprint("ran 5 km") != fingerprint("ran 6 km")


BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "end", "moment"),
    [
        ("2026-03-31", False, datetime(2026, 3, 30, 22, tzinfo=UTC)),
        ("2026-03-31", True, datetime(2026, 3, 31, 21, 59, 59, 999999, tzinfo=UTC)),
        ("20260331", True, datetime(2026, 3, 31, 21, 59, 59, 999999, tzinfo=UTC)),
        ("2026-W14-2", True, datetime(2026, 3, 31, 21, 59, 59, 999999, tzinfo=UTC)),
        ("2026-03-31T14:05", True, datetime(2026, 3, 31, 12, 5, tzinfo=UTC)),
        ("2026-03-31T14:05Z", False, datetime(2026, 3, 31, 14, 5, tzinfo=UTC)),
        (" 2026-03-31T14:05+09:00 ", False, datetime(2026, 3, 31, 5, 5, tzinfo=UTC)),
    ],
)
def test_a_date_is_in_the_zone_of_its_reader(text: str, end: bool, moment: datetime) -> None:
    assert dates.parse(text, BERLIN, end_of_day=end) == moment


@given(st.text())
def test_any_other_text_is_no_date(text: str) -> None:
    try:
        assert dates.parse(text, UTC).tzinfo is not None
    except InvalidInput as error:
        assert "is no date" in str(error)  # noqa: PT017


@pytest.mark.parametrize("text", ["0001-01-01T00:00+14:00", "9999-12-31T23:00-14:00"])
def test_dates_beyond_the_calendar_are_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        dates.parse(text, UTC)


@pytest.mark.parametrize("seconds", [1e20, -1e20, float("nan"), float("inf")])
def test_seconds_beyond_the_calendar_are_refused(seconds: float) -> None:
    with pytest.raises(InvalidInput):
        dates.from_seconds(seconds)


def test_seconds_count_from_1970() -> None:
    assert dates.from_seconds(86400.5) == datetime(1970, 1, 2, 0, 0, 0, 500000, tzinfo=UTC)


def test_a_day_is_found_either_way_of_writing() -> None:
    moment = datetime(2026, 5, 3, 23, 30, tzinfo=timezone(timedelta(hours=11)))
    assert dates.spoken(moment) == "3 May 2026 2026-05-03"
