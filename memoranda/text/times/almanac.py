"""Days, weeks, months and years on one wall clock.

What leaves the calendar raises ValueError or OverflowError, as `datetime` itself does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from typing import Literal

DAY = timedelta(days=1)
WEEK = timedelta(days=7)
FRIDAY, SATURDAY = 4, 5
HALF_A_YEAR = timedelta(days=183)
WEEKDAYS_COME_BACK = 6
"""After so many years, nearly always, a date has been on the same weekday again."""

Prefer = Literal["past", "future"]


class Unit(Enum):
    MINUTE = auto()
    HOUR = auto()
    DAY = auto()
    WEEKEND = auto()
    WEEK = auto()
    MONTH = auto()
    QUARTER = auto()
    YEAR = auto()
    DECADE = auto()


_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.YEAR: 12, Unit.DECADE: 120}
_SECONDS = {Unit.MINUTE: timedelta(minutes=1), Unit.HOUR: timedelta(hours=1)}


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `first` up to, not including, `end`, without a zone; None is open."""

    first: datetime | None
    end: datetime | None

    @property
    def began(self) -> datetime:
        """The first moment of a stretch that has one. Raises ValueError."""
        if self.first is None:
            raise ValueError("it has no beginning")
        return self.first

    @property
    def ended(self) -> datetime:
        if self.end is None:
            raise ValueError("it has no end")
        return self.end


At = Callable[["Clock"], Stretch]
Yearly = Callable[[int], Stretch]
"""What comes once a year, such as May: from the year to its stretch."""


@dataclass(frozen=True, slots=True)
class Clock:
    """When an expression was used. One without a year lies near `about`, on the side preferred."""

    now: datetime  # of the asker, with a zone
    prefer: Prefer
    about: datetime  # without one

    @classmethod
    def at(cls, now: datetime, prefer: Prefer) -> Clock:
        return cls(now, prefer, now.replace(tzinfo=None))

    @property
    def wall(self) -> datetime:
        return self.now.replace(tzinfo=None)

    def near(self, about: datetime, prefer: Prefer) -> Clock:
        return replace(self, about=about, prefer=prefer)

    def yearly(self, make: Yearly) -> Stretch:
        """The latest that has begun, or the first that is not over."""
        if self.prefer == "past":
            return self._first(make, -1, lambda it: it.began <= self.about)
        return self._first(make, 1, lambda it: it.ended > self.about)

    def yearly_on(self, make: Yearly, weekday: int) -> Stretch:
        """The same of a day beside which a weekday stands, if that tells of another year.

        That is one near enough on the other side, or one further back; no plan is years ahead. A
        weekday that fits none of them is a mistake, and tells nothing.
        """
        found = self.yearly(make)
        back = self.prefer == "past"
        other = _possible(make, found.began.year + (1 if back else -1))
        if other is not None and abs(other.began - self.about) > HALF_A_YEAR:
            other = None
        further = range(1, WEEKDAYS_COME_BACK + 1) if back else ()
        earlier = (_possible(make, found.began.year - each) for each in further)
        every = (found, other, *earlier)
        return next((each for each in every if each and each.began.weekday() == weekday), found)

    def last(self, make: Yearly) -> Stretch:
        """The latest that is over."""
        return self._first(make, -1, lambda it: it.ended <= self.wall)

    def next(self, make: Yearly) -> Stretch:
        return self._first(make, 1, lambda it: it.began > self.wall)

    def this(self, make: Yearly) -> Stretch:
        """The one that we are in, or else that of this year."""
        before = make(self.wall.year - 1)
        return before if before.ended > self.wall else make(self.wall.year)

    def _first(self, make: Yearly, step: int, fits: Callable[[Stretch], bool]) -> Stretch:
        # 29 February may be eight years away.
        for year in range(self.about.year - step, self.about.year + 10 * step, step):
            found = _possible(make, year)
            if found and fits(found):
                return found
        raise OverflowError("not on this calendar")

    def weekday(self, number: int) -> Stretch:
        today = midnight(self.about)
        back = timedelta((today.weekday() - number) % 7)
        ahead = timedelta((number - today.weekday()) % 7)
        return around(today - back if self.prefer == "past" else today + ahead, Unit.DAY)

    def weekend(self) -> Stretch:
        found = around(self.about, Unit.WEEKEND)
        if self.prefer == "past" and found.began > self.about:
            return around(self.about, Unit.WEEKEND, -1)
        return found

    # Hours and minutes pass evenly when the clocks are changed, so they are counted in UTC; `fold`
    # tells the two hours apart that the wall clock shows alike.

    def instant(self, wall: datetime) -> datetime:
        return wall.replace(tzinfo=self.now.tzinfo).astimezone(UTC)

    def shown(self, instant: datetime) -> datetime:
        """What the wall clock shows then."""
        return instant.astimezone(self.now.tzinfo).replace(tzinfo=None)

    def around(self, moment: datetime, unit: Unit, number: int = 0) -> Stretch:
        """The whole unit that `moment` lies in, or the one `number` units from it."""
        if unit not in _SECONDS:
            return around(moment, unit, number)
        there = self.moved(moment, unit, number)
        begun = timedelta(0, there.second, there.microsecond)
        if unit is Unit.HOUR:
            begun += timedelta(minutes=there.minute)
        first = self.instant(there) - begun
        return Stretch(self.shown(first), self.shown(first + _SECONDS[unit]))

    def moved(self, moment: datetime, unit: Unit, number: int) -> datetime:
        """The same day of another month or year, or its last; the same time of another day."""
        if unit not in _SECONDS:
            return moved(moment, unit, number)
        return self.shown(self.instant(moment) + number * _SECONDS[unit])

    def stretch(self, moment: datetime, unit: Unit, numbers: Iterable[int]) -> Stretch:
        """From the first to the last of the units that lie so far from a moment."""
        every = [self.around(moment, unit, each) for each in sorted(numbers)]
        return Stretch(every[0].first, every[-1].end)


def _possible(make: Yearly, year: int) -> Stretch | None:
    try:
        return make(year)
    except (ValueError, OverflowError):
        return None


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def month(year: int, number: int) -> datetime:
    """The first of a month; a number outside 1 to 12 counts on into other years."""
    index = year * 12 + number - 1
    return datetime(index // 12, index % 12 + 1, 1)  # noqa: DTZ001


def months(number: int, count: int = 1) -> Yearly:
    return lambda year: Stretch(month(year, number), month(year, number + count))


def days(number: int, day: int, count: int = 1) -> Yearly:
    """From a day of a month on."""

    def make(year: int) -> Stretch:
        first = datetime(year, number, day)  # noqa: DTZ001
        return Stretch(first, first + count * DAY)

    return make


def around(moment: datetime, unit: Unit, number: int = 0) -> Stretch:
    """The whole day, week, … that `moment` lies in, or the one `number` of them from it."""
    today = midnight(moment)
    if unit is Unit.DAY:
        return Stretch(today + number * DAY, today + (number + 1) * DAY)
    if unit in _MONTHS:
        size = _MONTHS[unit]
        index = (moment.year * 12 + moment.month - 1) // size + number
        return Stretch(month(0, index * size + 1), month(0, (index + 1) * size + 1))
    monday = today - timedelta(today.weekday()) + number * WEEK
    if unit is Unit.WEEKEND:
        return Stretch(monday + SATURDAY * DAY, monday + WEEK)
    return Stretch(monday, monday + WEEK)


def moved(moment: datetime, unit: Unit, number: int) -> datetime:
    """The same day of another month or year, or its last; the same time of another day."""
    if unit in _MONTHS:
        first = month(moment.year, moment.month + number * _MONTHS[unit])
        last = month(first.year, first.month + 1) - DAY
        return moment.replace(year=first.year, month=first.month, day=min(moment.day, last.day))
    return moment + number * (DAY if unit is Unit.DAY else WEEK)


def third(stretch: Stretch, place: int) -> Stretch:
    """Its early (0), middle (1) or late (2) part, in whole months where there are three.

    A week or less is not divided.
    """
    length = stretch.ended - stretch.began
    if length <= WEEK:
        return stretch
    count = _count_of_months(stretch)
    if count and count % 3 == 0:
        edges = [moved(stretch.began, Unit.MONTH, count // 3 * each) for each in range(4)]
    else:
        size = length.days / 3
        edges = [stretch.began + round(size * each) * DAY for each in range(4)]
    return Stretch(edges[place], edges[place + 1])


def half(stretch: Stretch, place: int) -> Stretch:
    """Its first (0) or second (1) half: of a month, up to the 15th."""
    count = _count_of_months(stretch)
    if count and count % 2 == 0:
        middle = moved(stretch.began, Unit.MONTH, count // 2)
    else:
        middle = stretch.began + (stretch.ended - stretch.began).days // 2 * DAY
    return Stretch(*((stretch.began, middle), (middle, stretch.ended))[place])


def _count_of_months(stretch: Stretch) -> int:
    first, end = stretch.began, stretch.ended
    return (
        0
        if first.day != 1 or end.day != 1
        else (end.year - first.year) * 12 + (end.month - first.month)
    )


def nth(clock: Clock, stretch: Stretch, unit: Unit, number: int, count: int = 1) -> Stretch:
    """The first (1), second or last (-1) `count` units in a stretch: weeks from its first day."""
    first, end = stretch.began, stretch.ended
    if unit is Unit.WEEKEND:
        return _within(nth_weekday(stretch, SATURDAY, number).began, 2 * DAY, stretch)
    if number > 0:
        begin = clock.moved(first, unit, (number - 1) * count)
        return _inside(Stretch(begin, clock.moved(begin, unit, count)), stretch)
    return _inside(Stretch(clock.moved(end, unit, -count), end), stretch)


def nth_weekday(stretch: Stretch, weekday: int, number: int) -> Stretch:
    if number > 0:
        ahead = (weekday - stretch.began.weekday()) % 7
        day = stretch.began + timedelta(ahead) + (number - 1) * WEEK
    else:
        last = stretch.ended - DAY
        day = last - timedelta((last.weekday() - weekday) % 7)
    return _within(day, DAY, stretch)


def _within(first: datetime, length: timedelta, stretch: Stretch) -> Stretch:
    if not stretch.began <= first < stretch.ended:
        raise ValueError("there are not so many in it")
    return Stretch(first, first + length)


def _inside(part: Stretch, stretch: Stretch) -> Stretch:
    if part.began < stretch.began or part.began >= stretch.ended or part.ended > stretch.ended:
        raise ValueError("there are not so many in it")
    return part


def part_of_day(stretch: Stretch, hours: tuple[int, int]) -> Stretch:
    day = midnight(stretch.began)
    return Stretch(*(day + each * timedelta(hours=1) for each in hours))


def hull(stretches: Iterable[Stretch]) -> Stretch:
    every = list(stretches)
    return Stretch(min(each.began for each in every), max(each.ended for each in every))


def ago(clock: Clock, unit: Unit, fewest: int, most: int) -> Stretch:
    """That many units before now, or with negative numbers after it: whole days, weeks, …"""
    return clock.stretch(clock.wall, unit, (-fewest, -most))


def past(clock: Clock, unit: Unit, most: int) -> Stretch:
    """The last so many units up to today, not only whole ones."""
    if unit in _SECONDS:
        return Stretch(clock.moved(clock.wall, unit, -most), clock.wall)
    today = midnight(clock.wall)
    if unit is Unit.WEEKEND:
        return Stretch(around(today, unit, -most).first, today + DAY)
    return Stretch(moved(today, unit, -most), today + DAY)


def coming(clock: Clock, unit: Unit, most: int) -> Stretch:
    """The next so many units, today included."""
    if unit in _SECONDS:
        return Stretch(clock.wall, clock.moved(clock.wall, unit, most))
    today = midnight(clock.wall)
    if unit is Unit.WEEKEND:
        return Stretch(today, around(today, unit, most).end)
    return Stretch(today, moved(today, unit, most) + DAY)


def beside(
    clock: Clock, stretch: Stretch, unit: Unit, numbers: tuple[int, int], *, whole: bool
) -> Stretch:
    """So many units before (negative) or after it.

    "The week before 9 June" is the seven days before; "two weeks before" is, with `whole`, the
    calendar week that lies so far from it.
    """
    edge = stretch.began if numbers[0] < 0 else stretch.ended - DAY
    if unit in _SECONDS:
        return clock.stretch(stretch.began, unit, numbers)
    if whole or unit is Unit.DAY:
        return clock.stretch(edge, unit, numbers)
    if unit is Unit.WEEKEND:
        if numbers[0] < 0:
            return around(edge - DAY, unit, 0 if (edge - DAY).weekday() == 6 else -1)
        return around(edge + DAY, unit, 0 if (edge + DAY).weekday() <= SATURDAY else 1)
    if numbers[0] < 0:
        return Stretch(moved(stretch.began, unit, -1), stretch.first)
    return Stretch(stretch.end, moved(stretch.ended, unit, 1))


def weekday_beside(stretch: Stretch, weekday: int, number: int) -> Stretch:
    """The last such day before (-1) or the first after (1) it."""
    if number < 0:
        edge = stretch.began - DAY
        return around(edge - timedelta((edge.weekday() - weekday) % 7), Unit.DAY)
    edge = stretch.ended
    return around(edge + timedelta((weekday - edge.weekday()) % 7), Unit.DAY)


def weekday_of_week(clock: Clock, weekday: int, week: int) -> Stretch:
    monday = around(clock.wall, Unit.WEEK, week).began
    return around(monday + timedelta(weekday), Unit.DAY)
