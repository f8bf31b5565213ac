"""What words of time mean together.

The rules work in steps: each step reads the text as a row of signs and replaces what one of its
patterns matches by one sign for a time, which the patterns of later steps may contain. A pattern
names kinds of words (see `words`); its spaces mean nothing, else it is a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from memoranda.text.times.almanac import (
    DAY,
    At,
    Clock,
    Stretch,
    Unit,
    ago,
    around,
    beside,
    coming,
    days,
    half,
    hull,
    months,
    nth,
    nth_weekday,
    part_of_day,
    past,
    third,
    weekday_beside,
    weekday_of_week,
)
from memoranda.text.times.lexer import Meaning, Token, read, signs
from memoranda.text.times.words import HOURS, Language

TIME = frozenset(("TIME",))
FLOATING = frozenset(("FLOATING",))
NOTHING: frozenset[str] = frozenset()

_SHORT = {
    "NAMED": "(TIME|FLOATING|MONTH|SEASON|HOLIDAY|QUARTER|YEAR)",
    "NUM": "(NUMBER|A|DAYNUM|COUNT|YEAR)",
    "MONTHLY": "(MONTH|MAY)",
    "PERIOD": "(UNIT|WEEKEND)",
    "ANNUAL": "(MONTH|MAY|SEASON|HOLIDAY|QUARTER)",
    "WEEKLY": "(WEEKDAY|SHORTDAY)",
    "OFYEAR": "((OF THE?)? COMMA? YEAR)",
    "ANYTIME": "(TIME|FLOATING)",
    "LEAD": "(IN|ON|DURING)",
}
"""Names for several kinds, used in patterns."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The tokens that a pattern matched."""

    tokens: Sequence[Token]

    def find(self, *kinds: str) -> Token | None:
        return next((each for each in self.tokens if not each.kinds.isdisjoint(kinds)), None)

    def get(self, *kinds: str) -> Token:
        found = self.find(*kinds)
        assert found is not None, kinds
        return found

    def every(self, *kinds: str) -> list[Token]:
        return [each for each in self.tokens if not each.kinds.isdisjoint(kinds)]

    def has(self, *kinds: str) -> bool:
        return self.find(*kinds) is not None

    @property
    def year(self) -> int | None:
        found = self.find("YEAR")
        return None if found is None else found.number

    @property
    def unit(self) -> Unit:
        found = self.get("UNIT", "WEEKEND").unit
        assert found is not None
        return found

    @property
    def count(self) -> tuple[int, int]:
        """The fewest and the most of "two weeks", "a few weeks"."""
        found = self.get("NUMBER", "A", "DAYNUM", "COUNT", "YEAR")
        return (1, 1) if found.number == 0 and "A" in found.kinds else (found.number, found.most)

    @property
    def named(self) -> list[Meaning]:
        """The times in it, those included that are one only beside a word like "in"."""
        kinds = ("TIME", "FLOATING", "MONTH", "MAY", "SEASON", "HOLIDAY", "QUARTER", "YEAR")
        return [_named(each) for each in self.every(*kinds)]

    @property
    def yearly(self) -> Callable[[int], Stretch]:
        found = self.get("MONTH", "MAY", "SEASON", "HOLIDAY", "QUARTER").yearly
        assert found is not None
        return found


def _named(token: Token) -> Meaning:
    if token.meaning is not None:
        return token.meaning
    if token.yearly is not None:
        return _annual(token.yearly, None)
    return Meaning(_whole_year(token.number))


def _whole_year(year: int) -> At:
    return lambda clock: months(1, 12)(year)


def _annual(yearly: Callable[[int], Stretch], year: int | None) -> Meaning:
    if year is not None:
        return Meaning(lambda clock: yearly(year))
    return Meaning(lambda clock: clock.yearly(yearly), floating=True)


Rule = Callable[[Phrase], Meaning | None]
"""What a phrase means; None is nothing, whatever its words mean alone."""

_STEPS: list[list[tuple[str, Rule]]] = [[], [], [], [], []]


def _rule(step: int, *patterns: str) -> Callable[[Rule], Rule]:
    def register(rule: Rule) -> Rule:
        _STEPS[step].extend((pattern, rule) for pattern in patterns)
        return rule

    return register


# Dates


@_rule(
    0,
    "EVERY (ORD|NTH|NUM|LAST)? (WEEKLY|PERIOD|ANNUAL|PART)",
    "THE? NUMBER (TODAY|PARTDAY)",
    "NOTDAY",
    "LEAD? THE? (WEEKLY COMMA? THE?)? (DAYNUM|ORD|NTH) OF? MONTHLY (OF THE?)? COMMA? NOYEAR",
    "LEAD? (WEEKLY COMMA?)? MONTHLY THE? (ORD|DAYNUM) COMMA? NOYEAR",
    "LEAD? (DAYS OF? MONTH OF?|MONTH DAYS) COMMA? NOYEAR",
    "(LEAD|AT)? THE? ANNUAL (OF THE?)? COMMA? LASTWORD",
)
def _no_date(_: Phrase) -> None:
    """Every Monday is no day, nor is 31 December 9999."""


@_rule(
    0,
    "LEAD? THE? (WEEKLY COMMA? THE?)? (DAYNUM|ORD) OF? MONTH OFYEAR?",
    "LEAD? (WEEKLY COMMA?)? MONTH THE? (ORD|DAYNUM) (COMMA? YEAR)?",
    "LEAD? THE? NTH OF MONTHLY OFYEAR?",
    "(DAYNUM|ORD) OF? MAY OFYEAR",
    "ORD OF? MAY",
    "MAY (THE? ORD (COMMA? YEAR)?|DAYNUM COMMA? YEAR)",
    "(ON|SINCE|UNTIL) THE? DAYNUM MAY",
    "ON MAY DAYNUM",
)
def _day(some: Phrase) -> Meaning:
    month = some.get("MONTH", "MAY").number
    day = some.get("DAYNUM", "ORD", "NTH").number
    weekday = some.find("WEEKDAY", "SHORTDAY")
    if weekday is not None and some.year is None:
        return Meaning(
            lambda clock: clock.yearly_on(days(month, day), weekday.number), floating=True
        )
    return _annual(days(month, day), some.year)


@_rule(0, "LEAD? DAYS OF? MONTH OFYEAR?", "LEAD? MONTH DAYS (COMMA? YEAR)?")
def _days(some: Phrase) -> Meaning:
    both = some.get("DAYS")
    month = some.get("MONTH").number
    return _annual(days(month, both.number, both.most - both.number + 1), some.year)


@_rule(
    0,
    "FROM THE? (DAYNUM|ORD) TO THE? (DAYNUM|ORD) OF? MONTH OFYEAR?",
    "BETWEEN THE? (DAYNUM|ORD) AND THE? (DAYNUM|ORD) OF? MONTH OFYEAR?",
)
def _from_day_to_day(some: Phrase) -> Meaning | None:
    first, last = (each.number for each in some.every("DAYNUM", "ORD")[:2])
    month = some.get("MONTH").number
    return _annual(days(month, first, last - first + 1), some.year) if first <= last else None


@_rule(0, "(LEAD|AT)? THE? ANNUAL OFYEAR", "YEAR QUARTER")
def _annual_of_year(some: Phrase) -> Meaning | None:
    return _annual(some.yearly, some.year)


@_rule(0, "LEAD? THE? (NTH|ORD) UNIT OFYEAR")
def _quarter(some: Phrase) -> Meaning | None:
    number = some.get("NTH", "ORD").number
    year = _whole_year(some.get("YEAR").number)
    if some.unit in (Unit.DAY, Unit.HOUR, Unit.MINUTE):
        return None
    return Meaning(lambda clock: nth(clock, year(clock), some.unit, number))


@_rule(0, "(DURING|IN|OF)? THE? UNIT YEAR")
def _the_year(some: Phrase) -> Meaning | None:
    year = some.get("YEAR").number
    return Meaning(_whole_year(year)) if some.unit is Unit.YEAR else None


# Beside today


@_rule(1, "LEAD? THE? LAST? (PERIOD|WEEKLY) (BEFORE|VOR|AFTER) THE? ANYTIME")
def _beside_a_date(some: Phrase) -> Meaning | None:
    return _beside(some)


@_rule(1, "NUM UNIT (BEFORE|VOR|AFTER) THE? ANYTIME")
def _far_from_a_date(some: Phrase) -> Meaning | None:
    return _beside(some)


def _beside(some: Phrase) -> Meaning | None:
    (named,) = [_named(each) for each in some.every("TIME", "FLOATING")]
    sign = 1 if some.has("AFTER") else -1
    weekday = some.find("WEEKDAY", "SHORTDAY")
    if weekday is not None:
        return Meaning(
            lambda clock: weekday_beside(named.at(clock), weekday.number, sign), named.floating
        )
    counted = some.has("NUMBER", "A", "DAYNUM", "COUNT")
    fewest, most = some.count if counted else (1, 1)
    numbers = (sign * fewest, sign * most)
    whole = counted or some.has("LAST")
    return Meaning(
        lambda clock: beside(clock, named.at(clock), some.unit, numbers, whole=whole),
        named.floating,
    )


@_rule(1, "NUM PERIOD AGO", "(HACE|VOR) NUM PERIOD")
def _ago(some: Phrase) -> Meaning | None:
    fewest, most = some.count
    return Meaning(lambda clock: ago(clock, some.unit, fewest, most))


@_rule(1, "(IN|WITHIN) (NUMBER|A|DAYNUM|COUNT) PERIOD", "NUM PERIOD AHEAD")
def _ahead(some: Phrase) -> Meaning | None:
    if some.unit in (Unit.HOUR, Unit.MINUTE):
        return None  # as long as something takes, more often than when
    fewest, most = some.count
    vague = not some.has("AHEAD") and (fewest != most or some.has("A"))

    def at(clock: Clock) -> Stretch:
        if vague and clock.prefer == "past":
            raise ValueError("we have not talked in a few days")
        return ago(clock, some.unit, -fewest, -most)

    return Meaning(at)


@_rule(1, "THE? PERIOD (BEFORE LAST|AFTER NEXT)", "THE? BEFORELAST PERIOD")
def _before_last(some: Phrase) -> Meaning | None:
    number = 2 if some.has("NEXT") else -2
    return Meaning(lambda clock: clock.around(clock.wall, some.unit, number))


@_rule(
    1,
    "LEAD? THE? (LAST|NTH) (NUMBER|DAYNUM)? (PERIOD|WEEKLY) (OF|IN) THE? (NAMED|MAY)",
)
def _nth(some: Phrase) -> Meaning | None:
    if some.has("YEAR") and not some.has("OF", "IN"):
        return None
    number = -1 if some.has("LAST") else some.get("NTH").number
    (named,) = some.named
    weekday = some.find("WEEKDAY", "SHORTDAY")
    if weekday is not None:
        return Meaning(
            lambda clock: nth_weekday(named.at(clock), weekday.number, number), named.floating
        )
    count = some.count[1] if some.has("NUMBER", "DAYNUM") else 1
    return Meaning(
        lambda clock: nth(clock, named.at(clock), some.unit, number, count), named.floating
    )


@_rule(
    1,
    "(IN|WITHIN|DURING|AT)? THE? (LAST|PAST) NUM PERIOD",
    "(IN|WITHIN|DURING|AT)? (THE|THIS)? (NUMBER|DAYNUM|COUNT)? PAST PERIOD",
    "(IN|WITHIN|DURING|AT) THE LAST PERIOD",
)
def _past(some: Phrase) -> Meaning | None:
    counted = some.has("NUMBER", "A", "DAYNUM", "COUNT")
    rolling = (
        counted
        or some.has("PAST")
        or (some.has("THE") and some.has("IN", "WITHIN", "DURING", "AT"))
    )
    if not rolling or (some.has("WEEKEND") and not counted):
        return _last(some)
    most = some.count[1] if counted else 1
    return Meaning(lambda clock: past(clock, some.unit, most))


@_rule(1, "(IN|WITHIN|DURING|AT)? THE? (NEXT NUM|NUM NEXT) PERIOD")
def _coming(some: Phrase) -> Meaning | None:
    return Meaning(lambda clock: coming(clock, some.unit, some.count[1]))


@_rule(
    1,
    "LEAD? THE? (DAYNUM|ORD)? OF? MONTH OF? (LAST|THIS|NEXT) UNIT",
    "LEAD? THE? (DAYNUM|ORD)? OF? MONTH OF? THE? UNIT (POSTLAST|POSTNEXT)",
)
def _in_that_year(some: Phrase) -> Meaning | None:
    """August last year."""
    if some.unit is not Unit.YEAR:
        return _last(some)
    day = some.find("DAYNUM", "ORD")
    yearly = some.yearly if day is None else days(some.get("MONTH").number, day.number)
    return Meaning(lambda clock: yearly(clock.wall.year + _sign(some)))


@_rule(
    1,
    "THE? (LAST|PAST|NEXT|THIS) (WEEKLY|ANNUAL|PERIOD)",
    "THE? (WEEKDAY|ANNUAL|PERIOD) (POSTLAST|POSTNEXT)",
)
def _last(some: Phrase) -> Meaning | None:
    sign = _sign(some)
    weekday = some.find("WEEKDAY", "SHORTDAY")
    if weekday is not None:
        return Meaning(_weekday(weekday.number, sign))
    if some.has("UNIT", "WEEKEND"):
        if some.unit in (Unit.DAY, Unit.HOUR, Unit.MINUTE):
            return None
        return Meaning(lambda clock: around(clock.wall, some.unit, sign))
    yearly = some.yearly
    if sign == 0:
        return Meaning(lambda clock: clock.this(yearly))
    if sign > 0:
        return Meaning(lambda clock: clock.next(yearly))
    return Meaning(lambda clock: clock.last(yearly))


def _sign(some: Phrase) -> int:
    if some.has("POSTLAST", "LAST", "PAST"):
        return -1
    return 1 if some.has("NEXT", "POSTNEXT") else 0


def _weekday(number: int, sign: int) -> At:
    """Last Friday is the one before today, next Friday the one after, this Friday of this week."""

    def at(clock: Clock) -> Stretch:
        if sign == 0:
            return weekday_of_week(clock, number, 0)
        return weekday_beside(around(clock.wall, Unit.DAY), number, sign)

    return at


@_rule(1, "(ON|AT|IN|DURING) THE? WEEKEND", "THE WEEKEND")
def _weekend(_: Phrase) -> Meaning:
    return Meaning(lambda clock: clock.weekend())


@_rule(1, "ON SHORTDAY", "ON? THE? WEEKDAY", "(SINCE|UNTIL|BY|BEFORE|AFTER|FROM) SHORTDAY")
def _on_weekday(some: Phrase) -> Meaning:
    number = some.get("WEEKDAY", "SHORTDAY").number
    return Meaning(lambda clock: clock.weekday(number))


@_rule(1, "TODAY")
def _today(some: Phrase) -> Meaning:
    number = some.get("TODAY").number
    return Meaning(lambda clock: around(clock.wall, Unit.DAY, number))


@_rule(1, "PARTDAY")
def _part_today(some: Phrase) -> Meaning:
    word = some.get("PARTDAY")
    return _part(lambda clock: around(clock.wall, Unit.DAY, word.number), word.most)


@_rule(1, "(LAST|THIS) PART", "PART POSTLAST")
def _this_part(some: Phrase) -> Meaning:
    part = some.get("PART").number
    number = 0 if some.has("THIS") else -1
    return _part(lambda clock: around(clock.wall, Unit.DAY, number), part)


def _part(day: At, part: int) -> Meaning:
    return Meaning(lambda clock: part_of_day(day(clock), HOURS[part]))


# Parts


@_rule(2, "THE? PART OF THE? ANYTIME", "ANYTIME (IN THE)? PART")
def _part_of(some: Phrase) -> Meaning | None:
    (named,) = some.named
    part = some.get("PART").number

    def at(clock: Clock) -> Stretch:
        stretch = named.at(clock)
        if stretch.ended - stretch.began > DAY:
            raise ValueError("no day")
        return part_of_day(stretch, HOURS[part])

    return Meaning(at, named.floating)


@_rule(
    2,
    "(IN|SINCE)? THE? (EARLY|MID|LATE) (IN|OF)? THE? (NAMED|MAY)",
    "(IN|AT|DURING)? THE? (START|MIDDLE|END) OF THE? (NAMED|MAY)",
    "(IN|DURING)? THE? (NTH|ORD|LAST) HALF OF THE? (NAMED|MAY)",
)
def _part_of_named(some: Phrase) -> Meaning:
    (named,) = some.named
    if some.has("HALF"):
        place = 0 if some.has("NTH", "ORD") and some.get("NTH", "ORD").number == 1 else 1
        return Meaning(lambda clock: half(named.at(clock), place), named.floating)
    place = 0 if some.has("EARLY", "START") else 1 if some.has("MID", "MIDDLE") else 2
    return Meaning(lambda clock: third(named.at(clock), place), named.floating)


@_rule(2, "THE? PERIOD OF THE? ANYTIME")
def _unit_of(some: Phrase) -> Meaning:
    (named,) = some.named
    unit = some.unit
    return Meaning(lambda clock: clock.around(named.at(clock).began, unit), named.floating)


# Beside a time of the steps before


@_rule(
    3,
    "NUM UNIT (BEFORE|VOR|AFTER) THE? ANYTIME",
    "LEAD? THE? LAST? (PERIOD|WEEKLY) (BEFORE|VOR|AFTER) THE? ANYTIME",
)
def _beside_a_time(some: Phrase) -> Meaning | None:
    return _beside(some)


# What stands before


@_rule(
    4,
    "BETWEEN THE? (NAMED|MAY) AND THE? (NAMED|MAY)",
    "FROM THE? (NAMED|MAY) (TO|UNTIL) THE? (NAMED|MAY)",
)
def _between(some: Phrase) -> Meaning:
    first, last = some.named
    return Meaning(lambda clock: _joined(first, last, clock))


def _joined(first: Meaning, last: Meaning, clock: Clock) -> Stretch:
    """From the one to the other; the year that only one names counts for both."""
    if last.floating and not first.floating:
        begin = first.at(clock)
        return hull((begin, last.at(clock.near(begin.began, "future"))))
    end = last.at(clock)
    begin = first.at(clock.near(end.began, "past") if first.floating else clock)
    return Stretch(begin.first, end.end)


@_rule(4, "(IN|FROM|BETWEEN|DURING) YEARS")
def _years(some: Phrase) -> Meaning:
    both = some.get("YEARS")
    return Meaning(lambda clock: months(1, 12 * (both.most - both.number + 1))(both.number))


@_rule(4, "(SINCE|UNTIL|BY|BEFORE|VOR|AFTER) THE? (NAMED|MAY)")
def _bounded(some: Phrase) -> Meaning | None:
    (named,) = some.named
    if some.has("BY") and some.has("YEAR") and not 1900 <= (some.year or 0) < 2100:
        return None
    if some.has("BY") and some.has("SEASON") and not some.has("THE"):
        return None  # inspired by autumn
    floating = named.floating
    if some.has("SINCE"):
        return Meaning(lambda clock: Stretch(named.at(clock).began, None), floating)
    if some.has("AFTER"):
        return Meaning(lambda clock: Stretch(named.at(clock).ended, None), floating)
    if some.has("BEFORE", "VOR"):
        return Meaning(lambda clock: Stretch(None, named.at(clock).began), floating)
    return Meaning(lambda clock: Stretch(None, named.at(clock).ended), floating)


@_rule(
    4,
    "(IN|DURING) (MONTH|QUARTER|YEAR|MAY)",
    "(IN|ON|DURING|AT) THE? (SEASON|HOLIDAY|QUARTER)",
    "OF YEAR",
)
def _in(some: Phrase) -> Meaning | None:
    (named,) = some.named
    if some.has("OF") and not 1900 <= (some.year or 0) < 2100:
        return None
    return named


@dataclass(frozen=True, slots=True)
class Found:
    start: int
    end: int
    at: At


def parse(text: str, language: Language) -> list[Found]:
    """The expressions of time in a text, in order."""
    tokens = read(text, language)
    for pattern, rules in _compiled():
        tokens = _step(tokens, pattern, rules)
    return [
        Found(each.start, each.end, each.meaning.at) for each in tokens if each.meaning is not None
    ]


def _step(tokens: list[Token], pattern: re.Pattern[str], rules: Sequence[Rule]) -> list[Token]:
    row = "".join(signs()[token.kinds] for token in tokens)
    done: list[Token] = []
    at = 0
    for match in pattern.finditer(row):
        some = tokens[match.start() : match.end()]
        assert match.lastgroup is not None
        meaning = rules[int(match.lastgroup[1:])](Phrase(some))
        kinds = NOTHING if meaning is None else FLOATING if meaning.floating else TIME
        done += tokens[at : match.start()]
        done.append(Token(some[0].start, some[-1].end, kinds, meaning=meaning))
        at = match.end()
    return done + tokens[at:]


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], tuple[Rule, ...]], ...]:
    return tuple(
        (
            re.compile(
                "|".join(f"(?P<r{n}>{_expanded(each)})" for n, (each, _) in enumerate(step))
            ),
            tuple(rule for _, rule in step),
        )
        for step in _STEPS
    )


def _expanded(pattern: str) -> str:
    for name, kinds in _SHORT.items():
        pattern = re.sub(rf"\b{name}\b", kinds, pattern)
    pattern = re.sub(r"\b[A-Z]+\b", lambda match: _class(match.group()), pattern)
    return pattern.replace(" ", "").replace("(", "(?:")


def _class(kind: str) -> str:
    """The signs of all words that may be of a kind."""
    found = "".join(sign for kinds, sign in signs().items() if kind in kinds)
    assert found, kind
    return f"[{found}]"
