"""Expressions of time in Chinese and Japanese, which put no spaces between words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache

from memoranda.text.times.almanac import (
    At,
    Clock,
    Stretch,
    Unit,
    Yearly,
    ago,
    around,
    days,
    months,
    part_of_day,
    past,
    third,
    weekday_of_week,
)
from memoranda.text.times.grammar import Found
from memoranda.text.times.lexer import is_year
from memoranda.text.times.words import FEW, HOURS, SEASONS

_DIGITS = "〇零一二三四五六七八九"
_TENS = {"十": 10, "百": 100, "千": 1000, "万": 10_000, "萬": 10_000}
_NUMBER = rf"(?:\d{{1,6}}|[{_DIGITS}两兩十百千万萬]{{1,8}})"
_YEAR = rf"(?:(?<!\d)\d{{4,5}}|(?<![{_DIGITS}十百千万萬])[{_DIGITS}]{{4}})"

_DAYS: Mapping[str, int] = {
    **dict.fromkeys(("大前天",), -3),
    **dict.fromkeys(("前天", "一昨日", "おととい"), -2),
    **dict.fromkeys(("昨天", "昨日", "昨", "きのう"), -1),
    **dict.fromkeys(("今天", "今日", "今", "きょう"), 0),
    **dict.fromkeys(("明天", "明日", "明", "あした"), 1),
    **dict.fromkeys(("后天", "後天", "明後日", "あさって"), 2),
    **dict.fromkeys(("大后天", "大後天"), 3),
}
_PARTS = {
    **dict.fromkeys(("早上", "早晨", "上午", "早", "朝", "午前"), 0),
    **dict.fromkeys(("下午", "午后", "午後"), 1),
    **dict.fromkeys(("晚上", "晚", "夕方"), 2),
    **dict.fromkeys(("夜里", "夜裡", "夜", "の夜", "の晩", "晩"), 3),
}
_YEARS: Mapping[str, int] = {
    **dict.fromkeys(("前年", "一昨年", "おととし"), -2),
    **dict.fromkeys(("去年", "昨年"), -1),
    **dict.fromkeys(("今年", "本年"), 0),
    **dict.fromkeys(("明年", "来年", "來年"), 1),
    **dict.fromkeys(("后年", "後年", "再来年"), 2),
}
_SIDES: Mapping[str, int] = {
    **dict.fromkeys(("上上", "先々", "先先"), -2),
    **dict.fromkeys(("上", "先"), -1),
    **dict.fromkeys(("这", "這", "本", "今"), 0),
    **dict.fromkeys(("下", "来", "來"), 1),
    **dict.fromkeys(("下下", "再来", "再來"), 2),
}
_UNITS: Mapping[str, Unit] = {
    **dict.fromkeys(("分钟", "分鐘", "分間"), Unit.MINUTE),
    **dict.fromkeys(("小时", "小時", "时间", "時間", "钟头", "鐘頭"), Unit.HOUR),
    **dict.fromkeys(("天", "日", "日間"), Unit.DAY),
    **dict.fromkeys(("周", "週", "星期", "礼拜", "禮拜", "周间", "週間"), Unit.WEEK),
    **dict.fromkeys(("月", "月間"), Unit.MONTH),
    **dict.fromkeys(("季度", "四半期"), Unit.QUARTER),
    **dict.fromkeys(("年", "年間"), Unit.YEAR),
}
_WEEKDAYS = {**dict(zip("一二三四五六日", range(7), strict=True)), "天": 6}
_JAPANESE_WEEKDAYS = dict(zip("月火水木金土日", range(7), strict=True))
_SEASONS = {"春": 0, "夏": 1, "秋": 2, "冬": 3}
_THIRDS = {
    **dict.fromkeys(("初", "上旬", "初め"), 0),
    **dict.fromkeys(("中旬", "中"), 1),
    **dict.fromkeys(("底", "末", "下旬"), 2),
}


def _any(table: Mapping[str, object]) -> str:
    return "|".join(sorted(table, key=lambda word: (-len(word), word)))


def _number(text: str) -> int:
    """A numeral such as 12, 十二, 二〇二三 or 十万."""
    if text.isascii():
        return int(text)
    text = text.replace("两", "二").replace("兩", "二")
    values = [_DIGITS.index(each) - 1 if each in _DIGITS else None for each in text]
    if None not in values:
        return int("".join(str(max(value or 0, 0)) for value in values))
    total = section = digit = 0
    for each in text:
        if each in _DIGITS:
            digit = max(_DIGITS.index(each) - 1, 0)
        elif _TENS[each] == 10_000:
            total, section, digit = (total + section + digit or 1) * 10_000, 0, 0
        else:
            section, digit = section + (digit or 1) * _TENS[each], 0
    return total + section + digit


def _date(match: re.Match[str]) -> At:
    """2023年5月3日, 去年5月, 5月3号, 今年夏天, 2023年初."""
    month, day, part = match.group("month", "day", "third")
    groups = match.groupdict()  # a form may have no season or weekday at all
    season = groups.get("season")
    weekday = _weekday_number(match) if "chinese" in groups else None
    if day is not None:
        yearly = days(_month_number(month), _number(day))
    elif month is not None:
        yearly = months(_month_number(month))
    elif season is not None:
        yearly = SEASONS[_SEASONS[season]]
    else:
        yearly = months(1, 12)
    whole = _in_year(match, yearly) if weekday is None else _on(yearly, weekday)
    return (lambda clock: third(whole(clock), _THIRDS[part])) if part else whole


def _on(yearly: Yearly, weekday: int) -> At:
    return lambda clock: clock.yearly_on(yearly, weekday)


def _month_number(text: str) -> int:
    number = _number(text)
    if not 1 <= number <= 12:
        raise ValueError("no month")
    return number


def _quarter(match: re.Match[str]) -> At:
    return _in_year(match, months(3 * _number(match.group("quarter")) - 2, 3))


def _in_year(match: re.Match[str], yearly: Yearly) -> At:
    groups = match.groupdict()  # a form may have no year at all
    year, side = groups.get("year"), groups.get("side")
    if year is not None:
        number = _number(year)
        return (lambda clock: yearly(number)) if is_year(number) else _never
    if side is not None:
        return lambda clock: yearly(clock.wall.year + _YEARS[side])
    return lambda clock: clock.yearly(yearly)


def _never(clock: Clock) -> Stretch:
    raise ValueError("a year that none speaks of, and what stands beside it is of that year")


def _day(match: re.Match[str]) -> At:
    number = _DAYS[match.group("whole") or match.group("short")]
    part = match.group("part") or match.group("glued")

    def at(clock: Clock) -> Stretch:
        day = around(clock.wall, Unit.DAY, number)
        return part_of_day(day, HOURS[_PARTS[part]]) if part else day

    return at


def _week(match: re.Match[str]) -> At:
    """上周, 上周三, 先週の水曜日: a day of that week."""
    week, weekday = _SIDES[match.group("side")], _weekday_number(match)
    if match.group("weekend"):
        return lambda clock: around(clock.wall, Unit.WEEKEND, week)
    if weekday is None:
        return lambda clock: around(clock.wall, Unit.WEEK, week)
    return lambda clock: weekday_of_week(clock, weekday, week)


def _weekday(match: re.Match[str]) -> At:
    weekday = _weekday_number(match)
    if weekday is None:
        return lambda clock: clock.weekend()
    return lambda clock: clock.weekday(weekday)


def _weekday_number(match: re.Match[str]) -> int | None:
    chinese, japanese = match.group("chinese", "japanese")
    japanese = japanese or match.groupdict().get("glyph")
    if chinese is not None:
        return _WEEKDAYS[chinese]
    return None if japanese is None else _JAPANESE_WEEKDAYS[japanese]


def _month(match: re.Match[str]) -> At:
    side = _SIDES[match.group("side")]
    day, part = match.group("day", "third")

    def at(clock: Clock) -> Stretch:
        month = around(clock.wall, Unit.MONTH, side)
        if day is not None:
            return days(month.began.month, _number(day))(month.began.year)
        return third(month, _THIRDS[part]) if part else month

    return at


def _ago(match: re.Match[str]) -> At:
    unit = _UNITS[match.group("counted") or match.group("unit")]
    fewest, most = _count(match)
    if match.group("where") == "前":
        if unit is Unit.YEAR and (match.group("number") or "").isascii() and 1900 <= fewest < 2100:
            return lambda clock: Stretch(None, months(1, 12)(fewest).first)  # before that year
        return lambda clock: ago(clock, unit, fewest, most)
    return lambda clock: ago(clock, unit, -fewest, -most)


def _past(match: re.Match[str]) -> At:
    unit, most = _UNITS[match.group("unit")], _count(match)[1]
    return lambda clock: past(clock, unit, most)


def _count(match: re.Match[str]) -> tuple[int, int]:
    text = match.group("number")
    return FEW["few"] if text is None else (_number(text), _number(text))


_WEEK = "(?:周|週|星期|礼拜|禮拜)"
_COUNTER = "(?:个|個|ヶ|ケ|か|カ|箇)"
_COUNT = rf"(?:几|幾|数|數|好几|好幾|(?P<number>{_NUMBER}))"
_OF_YEAR = rf"(?:(?P<year>{_YEAR})年|(?P<side>{_any(_YEARS)}))(?:的|の|\s)?"
_SIDE = rf"(?<![晚早以马馬网網线線日本原])(?P<side>{_any(_SIDES)})"
_IN_MONTH = r"(?P<day>[\d十二三一四五六七八九]{1,3})(?:日|号|號)"
_THIRD = rf"(?P<third>{_any(_THIRDS)})"
_YOBI = "(?P<japanese>[月火水木金土日])曜日?"
_BESIDE = (
    rf"(?:\s?[（(]?(?:{_WEEK}(?P<chinese>[一二三四五六日天])|(?P<japanese>[月火水木金土日])曜日?)[）)]?"
    "|[（(](?P<glyph>[月火水木金土日])[）)])"
)
_LONG_DAYS = "|".join(sorted((each for each in _DAYS if len(each) > 1), key=len, reverse=True))


@cache
def _rules() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], At]], ...]:
    """What is tried first takes its characters from what comes later."""
    forms: tuple[tuple[str, Callable[[re.Match[str]], At]], ...] = (
        (
            r"(?<![A-Za-z0-9./_-])(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})"
            r"(?![A-Za-z0-9_-])(?P<third>)?",
            _date,
        ),
        (rf"(?:{_OF_YEAR})?第?(?P<quarter>[一二三四1-4])(?:季度|四半期)", _quarter),
        (
            rf"(?:最近|过去|過去|近|这|這|ここ)的?{_COUNT}{_COUNTER}?(?P<unit>{_any(_UNITS)})"
            "(?![前后後])",
            _past,
        ),
        (
            rf"(?<![月\d{_DIGITS}十]){_COUNT}"
            rf"(?:{_COUNTER}(?P<counted>月間?|星期|礼拜|禮拜|小时|小時|钟头|鐘頭|季度|年)"
            r"|(?P<unit>分钟|分鐘|分間|小时|小時|時間|天|日間|日|周|週間|週|星期|年間|年))"
            r"(?:以|之)?(?P<where>[前后後])",
            _ago,
        ),
        (
            rf"{_OF_YEAR}(?:(?P<month>{_NUMBER})月(?:份|の)?(?:{_IN_MONTH})?"
            rf"|(?P<season>[春夏秋冬])(?:天|季)?)?{_THIRD}?",
            _date,
        ),
        (
            rf"(?<![{_DIGITS}十\d第])(?P<month>{_NUMBER})月(?![間间])(?:份|の)?"
            rf"(?:{_IN_MONTH}{_BESIDE}?)?{_THIRD}?",
            _date,
        ),
        (
            rf"{_SIDE}(?:个|個|一)?{_WEEK}(?:の|的)?"
            rf"(?:(?P<weekend>末)|{_YOBI}|(?P<chinese>[一二三四五六日天])(?![个個点點周週月年]))?",
            _week,
        ),
        (rf"{_SIDE}(?:个|個)?月(?:の|的)?(?:{_IN_MONTH}|{_THIRD})?", _month),
        (
            rf"(?P<whole>{_LONG_DAYS})(?:的|の)?(?P<part>{_any(_PARTS)})?"
            "|(?P<short>[昨今明])(?P<glued>[晚早夜朝晩])",
            _day,
        ),
        (
            rf"(?<![{_DIGITS}两兩十几幾数數每毎各\d])(?:{_WEEK}"
            rf"(?:末|(?P<chinese>[一二三四五六日天])(?![个個点點到至天年周週]))|{_YOBI})",
            _weekday,
        ),
    )
    return tuple((re.compile(form), rule) for form, rule in forms)


_HINT = re.compile(r"[年月日天周週星礼禮曜季昨今明前后後おきあ]|\d{4}[-./]\d")
_FULL_WIDTH = {0xFF10 + digit: str(digit) for digit in range(10)}
_FROM = re.compile(r"(?:从|從|自)$")
_TO = re.compile(r"(?:到|至|から|〜|～|-|—)")
_BOUND = re.compile(
    r"(?P<since>以来|以來|起|から)|(?P<until>まで|为止|為止)"
    r"|(?P<before>之前|以前|の前|前)|(?P<after>之后|之後|以后|以後|の後|后|後)"
)


def parse(text: str) -> list[Found]:
    """The expressions of time in a text, in order."""
    if not _HINT.search(text):
        return []
    text = text.translate(_FULL_WIDTH)
    return _joined(text, _alone(text))


def _alone(text: str) -> list[Found]:
    taken = bytearray(len(text))
    found: list[Found] = []
    for form, rule in _rules():
        for match in form.finditer(text):
            start, end = match.span()
            if any(taken[start:end]):
                continue
            try:
                found.append(Found(start, end, rule(match)))
            except ValueError:
                continue  # a 13th month
            taken[start:end] = b"\1" * (end - start)
    return sorted(found, key=lambda each: each.start)


def _joined(text: str, alone: list[Found]) -> list[Found]:
    """从5月3日到6月7日 is one time; 以前, 以来 and the like bound the one before them."""
    joined: list[Found] = []
    rest = iter([*alone, None])
    first = next(rest)
    while first is not None:
        following = next(rest)
        to = _TO.match(text, first.end)
        bound = _BOUND.match(text, first.end)
        if to and following is not None and following.start == to.end():
            joined.append(_between(first, following, text))
            following = next(rest)
        elif bound:
            joined.append(Found(first.start, bound.end(), _bounded(first.at, bound)))
        else:
            joined.append(first)
        first = following
    return joined


def _between(first: Found, last: Found, text: str) -> Found:
    start = first.start - bool(_FROM.search(text[max(first.start - 1, 0) : first.start]))

    def at(clock: Clock) -> Stretch:
        begin = first.at(clock)
        end = last.at(clock)
        if end.ended <= begin.began:
            end = last.at(clock.near(begin.began, "future"))
        return Stretch(begin.first, end.end)

    return Found(start, last.end, at)


def _bounded(named: At, bound: re.Match[str]) -> At:
    if bound.lastgroup == "since":
        return lambda clock: Stretch(named(clock).began, None)
    if bound.lastgroup == "after":
        return lambda clock: Stretch(named(clock).ended, None)
    if bound.lastgroup == "before":
        return lambda clock: Stretch(None, named(clock).began)
    return lambda clock: Stretch(None, named(clock).ended)
