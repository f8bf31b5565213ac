"""Which backups stay: some of every age, and the newest always."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from memoranda.policy.rotation import AGAIN, DAY, HOUR, Rotation, is_due, is_stale, kept

NOW = datetime(2026, 5, 4, 12, 30, tzinfo=UTC)
times = st.frozensets(
    st.integers(0, 60 * 24 * 90).map(lambda minutes: NOW - timedelta(minutes=minutes)), max_size=60
)
rotations = st.builds(Rotation, st.integers(0, 30), st.integers(0, 9), st.integers(0, 6))


@given(times, rotations)
def test_the_newest_is_always_kept_and_nothing_is_made_up(
    some: frozenset[datetime], rotation: Rotation
) -> None:
    found = kept(some, rotation)
    assert found <= some
    assert not some or max(some) in found


@given(times, rotations)
def test_what_was_kept_once_is_kept_when_it_is_asked_again(
    some: frozenset[datetime], rotation: Rotation
) -> None:
    found = kept(some, rotation)
    assert kept(found, rotation) == found


@given(times, rotations, st.integers(0, 5), st.integers(0, 5), st.integers(0, 5))
def test_who_keeps_more_hours_days_or_weeks_loses_none(
    some: frozenset[datetime], rotation: Rotation, hours: int, days: int, weeks: int
) -> None:
    more = Rotation(rotation.hourly + hours, rotation.daily + days, rotation.weekly + weeks)
    assert kept(some, rotation) <= kept(some, more)


def test_hourly_backups_of_two_months_leave_a_day_of_hours_a_week_of_days_a_month_of_weeks() -> (
    None
):
    present: set[datetime] = set()
    for hour in range(24 * 60):
        present = set(kept(present | {NOW + hour * HOUR}, Rotation()))
    newest = max(present)
    ages = sorted((newest - each) for each in present)
    assert ages[:24] == [hour * HOUR for hour in range(24)]
    assert len(present) <= 24 + 7 + 4
    assert len({each.date() for each in present if newest - each < 7 * DAY}) == 7
    assert 14 * DAY <= ages[-1] <= 28 * DAY


def test_a_backup_is_due_after_an_hour_with_changes_or_a_day_without() -> None:
    assert is_due(None, NOW, changed=False)
    assert not is_due(NOW - HOUR / 2, NOW, changed=True)
    assert is_due(NOW - HOUR, NOW, changed=True)
    assert not is_due(NOW - HOUR, NOW, changed=False)
    assert is_due(NOW - AGAIN, NOW, changed=False)
    assert is_due(NOW + DAY, NOW, changed=False)  # by a clock that was wrong


def test_a_backup_of_more_than_a_day_ago_is_stale() -> None:
    assert not is_stale(NOW - DAY, NOW)
    assert is_stale(NOW - DAY - HOUR, NOW)
