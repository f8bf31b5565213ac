"""Times that a text tells by an event: before the migration."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from memoranda.text.times import Relation, Side
from memoranda.text.times.words import ENGLISH, FRENCH, GERMAN, SPANISH, Language, lexicon

LONGEST = 12
"""Words of an event; what follows seldom belongs to it."""


@dataclass(frozen=True, slots=True)
class _Way:
    """How a language tells an event."""

    language: Language
    before: str
    after: str
    during: str
    the: str  # what an event begins with
    ends: str  # words that none goes on with
    clauses: str = ""  # what a clause begins with: "before we moved"


_WAYS = (
    _Way(
        ENGLISH,
        before="before|prior to|until|till",
        after="after|since|following",
        during="during|when|while",
        the="the|my|our|his|her|their|your|its|that|this",
        ends="""to and or but that which who whom when while did do does was were is are has have
            had will would can could should in on at from with for by as than because so if then
            he she they we i you it how what where why before after since until during""",
        clauses="we|I|he|she|they|you|it",
    ),
    _Way(
        GERMAN,
        before="vor|bis zum|bis zur",
        after="nach|seit",
        during="während|beim|bei",
        the="der|dem|den|des|die|das|meiner|meinem|unserer|unserem|ihrer|ihrem|seiner|seinem",
        ends="und oder aber dass die der als wenn hat haben war ist wurde wir ich er sie es in mit",
    ),
    _Way(
        SPANISH,
        before="antes del|antes de|hasta",
        after="después del|después de|desde",
        during="durante",
        the="la|el|los|las|mi|mis|su|sus|nuestra|nuestro",
        ends="y o pero que cuando fue ha en con para por se",
    ),
    _Way(
        FRENCH,
        before="avant|jusqu'à|jusqu'au",
        after="après|depuis",
        during="pendant|durant|lors de",
        the="la|le|les|l'|mon|ma|mes|son|sa|ses|notre|nos|votre",
        ends="et ou mais que qui quand est a ont dans en avec pour par sur on nous je il elle",
    ),
)
_LEADING = frozenset("to in at on from with of for".split())
"""What may lead on to a name or a thing: the move to Berlin, but not the trip to relax."""
_PHRASAL = re.compile(
    r"\b(?:look(?:s|ed|ing)?|nam(?:e|es|ed|ing)|ask(?:s|ed)?|modell?ed)"
    r"\s+(?:him|her|it|them|me|us)?\s*$",
    re.IGNORECASE,
)
"""What stands before "after" where it tells no time: who looks after the dog."""
_NO_GERUND = frozenset("morning evening thing everything something nothing anything being".split())
_WORD = re.compile(r"\s*((?:[^\s,.;:!?()\[\]{}\"“”„«»…<>|=]|(?<=\w)\.(?=\w)|(?<=\d)[,:](?=\d))+)")
"""A dot within a word ends nothing: the release of v2.1.0."""
_CHINESE = re.compile(
    r"(?P<event>(?:[\u3400-\u9fffA-Za-z0-9]|(?<=[A-Za-z0-9])[.-](?=[A-Za-z0-9])){1,20}?)"
    r"(?P<side>[之以][前后後]|期[间間])"
)
_CHINESE_SIDES: dict[str, Side] = {"前": "before", "后": "after", "後": "after"}
_SUBJECT = re.compile(r".*[在我你他她们們]")
_SIGNS = re.compile(
    r"\b(?:before|prior|until|till|after|since|following|during|when|while|vor|bis|nach|seit"
    r"|während|beim?|antes|hasta|después|desde|durante|avant|jusqu|après|depuis|pendant|durant"
    r"|lors)\b|[之以][前后後]|期[间間]",
    re.IGNORECASE,
)


def may_be_in(text: str) -> bool:
    return _SIGNS.search(text) is not None


def relations(text: str, dates: Sequence[tuple[int, int]]) -> Iterator[Relation]:
    """In order; what a date of the text begins in is none, and no event goes on with a date."""
    found = [each for way in _WAYS for each in _told(text, way, dates)]
    found += _chinese(text, dates)
    end = 0
    for each in sorted(found, key=lambda each: (each.start, -len(each.text))):
        if each.start >= end:
            yield each
            end = each.start + len(each.text)


def _told(text: str, way: _Way, dates: Sequence[tuple[int, int]]) -> Iterator[Relation]:
    at = 0
    pattern = _pattern(way)
    while match := pattern.search(text, at):
        at = match.end()
        side: Side = "before" if match["before"] else "after" if match["after"] else "during"
        begin = match.end()
        if _touches(match.start(), begin + 1, dates) or (match["unit"] and side == "during"):
            continue
        if side == "after" and _PHRASAL.search(text, max(0, match.start() - 24), match.start()):
            continue
        place = bisect_left(dates, (begin, 0))
        limit = dates[place][0] if place < len(dates) else len(text)
        names = side != "during" and match[0].split()[-1].lower() != "since"  # since Ann said so
        end = _end(text, begin, way, limit, names=names)
        if end > begin:
            fewest, most = _count(match["count"], way)
            unit = lexicon(way.language)[match["unit"].lower()].unit if match["unit"] else None
            yield Relation(
                event=text[begin:end],
                side=side,
                text=text[match.start() : end],
                start=match.start(),
                unit=unit,
                fewest=fewest,
                most=most,
                counted=match["count"] is not None,
            )


def _count(text: str | None, way: _Way) -> tuple[int, int]:
    if text is None:
        return 1, 1
    if text.isdigit():
        return int(text), int(text)
    word = lexicon(way.language)[" ".join(text.lower().split())]
    return word.number or 1, word.most or 1


def _touches(start: int, end: int, dates: Sequence[tuple[int, int]]) -> bool:
    place = bisect_right(dates, (start, end))  # they are in order and do not overlap
    return any(first < end and start < last for first, last in dates[max(place - 1, 0) : place + 1])


def _end(text: str, begin: int, way: _Way, limit: int, *, names: bool) -> int:
    """Where the event that begins here ends: at punctuation, or where something else begins."""
    kind = _kind(text, begin, way, names=names)
    end = place = begin
    ends = way.ends.split()
    for number in range(LONGEST):
        match = _WORD.match(text, place)
        if match is None or match.end() > limit:
            break
        word = match[1]
        leads = word in _LEADING and (kind == "gerund" or _is_thing(text, match.end(), way))
        if number and kind != "clause" and word.lower() in ends and not leads:
            break
        if number and kind == "name" and not word[0].isupper():
            break
        place = end = match.end()
    said = text[begin:end].split()
    return begin if kind is None or (kind in ("the", "clause") and len(said) < 2) else end


def _is_thing(text: str, begin: int, way: _Way) -> bool:
    match = _WORD.match(text, begin)
    return match is not None and (match[1][0].isupper() or match[1] in way.the.split("|"))


def _kind(text: str, begin: int, way: _Way, *, names: bool) -> str | None:
    match = _WORD.match(text, begin)
    if match is None:
        return None
    word = match[1]
    if word.lower() in way.the.split("|") or word.lower().startswith("l'"):
        return "the"
    if word in way.clauses.split("|"):
        return "clause"
    if way.language is not ENGLISH:
        return None
    if word.endswith("ing") and len(word) > 5 and word.lower() not in _NO_GERUND:
        return "gerund"
    return "name" if names and word[0].isupper() and word[1:2].islower() else None


@cache
def _pattern(way: _Way) -> re.Pattern[str]:
    words = lexicon(way.language)
    units = "|".join(name for name, word in words.items() if word.kinds & {"UNIT", "WEEKEND"})
    numbers = "|".join(
        name.replace(" ", r"\s+")
        for name in sorted(words, key=lambda name: -len(name))
        if words[name].kinds & {"NUMBER", "A"}
    )
    return re.compile(
        rf"\b(?:(?:(?P<count>\d{{1,3}}|{numbers})\s+|(?:{way.the}|am)\s+)(?P<unit>{units})\s+)?"
        rf"(?:(?P<before>{way.before})|(?P<after>{way.after})|(?:{way.during}))\s+(?=\S)",
        re.IGNORECASE,
    )


def _chinese(text: str, dates: Sequence[tuple[int, int]]) -> Iterator[Relation]:
    for match in _CHINESE.finditer(text):
        start, end = match.span("event")
        subject = _SUBJECT.match(match["event"])
        if subject and subject.end() < len(match["event"]):
            start += subject.end()
        if not _touches(start, match.end(), dates):
            side = _CHINESE_SIDES.get(match["side"][-1], "during")
            yield Relation(text[start:end], side, text[start : match.end()], start)
