"""What a model wrote is held against what was said: it may say it otherwise, and may say no more.

Each check tells why a text is turned away, or None. A `source` is what the text may rest on: the
user's own words in a turn, and for a memory that takes the place of another what that one says.
Nothing here asks a model, and none of it is about what is true: only about what was said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from itertools import groupby

import regex

from memoranda.formation import telling, words
from memoranda.formation.said import not_meant
from memoranda.text import times
from memoranda.text.claims.words import NUMBERS
from memoranda.text.entities import entities
from memoranda.text.instructions import smuggled
from memoranda.text.secrets import secrets
from memoranda.text.stopwords import STOPWORDS
from memoranda.text.words import fold
from memoranda.types import Named, Role, Span

LONGEST = 600
"""Characters of a text that a model wrote."""
MOST_READ = 20_000
"""Characters of what was said."""


def unfit(text: str, *, withheld: Set[str] = frozenset()) -> str | None:
    """Why a text may be no memory, whatever it rests on; it may use no word that is `withheld`."""
    if not _WORD.search(text):
        return "it says nothing"
    if len(text) > LONGEST:
        return f"it is longer than {LONGEST} characters"
    small = telling.small(text)
    if secrets(text):
        return "it tells a secret"
    if not withheld.isdisjoint(_whole_words(text)):
        return "it tells what was kept from the model"
    if found := smuggled(text, Role.USER, typed=False):
        return f"it {found[0].why}"
    if _ADDRESSES.search(small):
        return "it speaks to the agent"
    language = words.of(text)
    veto = language and not_meant(small, language)
    return f"it is {veto}" if veto else None


def unsaid(
    text: str,
    said: Sequence[str],
    *,
    at: datetime | None,
    names: Iterable[str] = (),
    known: Sequence[str] = (),
    around: Sequence[str] = (),
) -> str | None:
    """What a text says that was not said.

    It may rest on what was `said` at a time, by somebody of these `names`, and on what is `known`;
    from what was said `around` words may come, but neither numbers nor names.
    """
    sources = [*said, *known]
    return (
        ungrounded(text, sources, at=at, names=names)
        or foreign(text, [*sources, *around])
        or turned(text, said, known)
    )


_WIDE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}"
_WORD = regex.compile(r"[\p{L}\p{N}]")
_ADDRESSES = regex.compile(
    r"^(?:please,? )?(?:you (?:should|must|need|have|are|will|may|can|shall)|make sure|be sure"
    r"|remember to|ensure (?:that )?you|du (?:sollst|musst)|debes|tienes que|你(?:应该|必须|要|得))"
)

# Numbers, names and what else must be said to the letter ------------------------------------------


def ungrounded(
    text: str, sources: Sequence[str], *, at: datetime | None = None, names: Iterable[str] = ()
) -> str | None:
    """Which number, time, name, host, path or version of a text stands in none of its sources.

    A time that is said in other words, and a number in letters, are the same.
    """
    dates = [] if at is None else [each for source in sources for each in _meant(source, at)]
    said = _Said([*sources, *names], _years(dates))
    text = _AROUND_HAN.sub("", text[: 4 * LONGEST])
    told, other = _without_times(text, sources, dates, at)
    if other:
        return f"{_shown(other)} is a time that was not said"
    for token in _TOKEN.finditer(told):
        if not said.has(token[0]):
            return f"{_shown(token[0])} was not said"
    language = words.of(told)
    german = language is not None and language.name == "German"
    for named in entities(told):
        if not said.names(named, german=german):
            return f"{_shown(named.name)} was not named"
    return _unnamed(told, said)


_BEFORE_A_NAME = regex.compile(r"(?:住|叫|去|来自|搬到|飞往|前往|在)(\p{Han}{2})")
"""What follows these is a name more often than not, in a script without capitals."""


def _unnamed(text: str, said: _Said) -> str | None:
    for found in _BEFORE_A_NAME.finditer(_folded(text), overlapped=True):
        if not any(map(said.has_character, found[1])):
            return f"{_shown(found[1])} was not named"
    return None


_JOINS = r"[.,:/\\@_+&=#~%-]"
_LETTER = rf"[[\p{{L}}\p{{N}}\p{{M}}]--[{_WIDE}]]"
_TOKEN = regex.compile(rf"{_LETTER}++(?:{_JOINS}{{1,3}}+{_LETTER}++)*+", regex.V1)
_PLAIN = regex.compile(r"[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*")
_ABBREVIATION = regex.compile(r"(?:\p{L}\.)+\p{L}")
_QUANTITY = regex.compile(r"(?P<number>v?\d+(?:[.,:]\d+)*)-?(?P<unit>\p{L}+(?:-\p{L}+)*)?")
_RANGE = regex.compile(r"\d+(?:[-/]\d+)+")
_UNITS = frozenset("st nd rd th er h am pm k s x º ª".split())

_IN_LETTERS = {
    **{word: number for word, number in NUMBERS.items() if number not in ("0", "1")},
    "twice": "2", "both": "2", "couple": "2", "dozen": "12", "zwei": "2", "drei": "3", "vier": "4",
    "fünf": "5", "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "zehn": "10", "elf": "11",
    "zwölf": "12", "dos": "2", "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7",
    "ocho": "8", "nueve": "9", "diez": "10", "once": "11", "doce": "12",
}  # fmt: skip
_LOOSE = frozenset(("twice", "both", "couple", "dozen", "once", "elf", "acht"))
"""Numbers where they were said, and in a text perhaps none."""
_HAN_NUMBERS = {
    "两": "2", "二": "2", "三": "3", "四": "4", "五": "5", "六": "6", "七": "7", "八": "8",
    "九": "9", "十": "10",
}  # fmt: skip


class _Said:
    """What was said, ready to be looked up in."""

    def __init__(self, sources: Iterable[str], numbers: Iterable[str]) -> None:
        self._text = "\n".join(_folded(each[:MOST_READ]) for each in sources)
        tokens = [token[0] for token in _TOKEN.finditer(self._text)]
        self._words = {word for token in tokens for word in regex.split(_JOINS, token) if word}
        self._stems = {_stem(word) for word in self._words}
        self._numbers = {_IN_LETTERS[word] for word in self._words if word in _IN_LETTERS}
        self._numbers |= set(numbers)
        self._numbers |= {_HAN_NUMBERS[each] for each in self._text if each in _HAN_NUMBERS}

    def has(self, token: str) -> bool:
        """Whether this was said, if it is something that must have been."""
        token = _folded(token)
        if token in _IN_LETTERS:
            return token in _LOOSE or token in self._words or self._counts(_IN_LETTERS[token])
        if _PLAIN.fullmatch(token) or _ABBREVIATION.fullmatch(token):
            return True
        return self._stands(token) or self._in_other_words(token)

    def has_character(self, character: str) -> bool:
        return character in self._text

    def names(self, named: Named, *, german: bool) -> bool:
        """Whether this was named; every noun of German may be a name, and most are none."""
        name = _folded(named.name)
        if self._stands(name):
            return True
        parts = [part for part in regex.split(rf"\s|{_JOINS}|['’]", name) if part] or [name]
        if named.start == 0 and parts[0] in _opens():
            parts = parts[1:]
        if not named.sure:
            return german or all(map(self._has_stem, parts))
        if named.name.islower() and _PLAIN.fullmatch(name):
            return any(map(self._has_stem, parts))
        return all(part in self._words or self._stands(part) for part in parts)

    def _has_stem(self, word: str) -> bool:
        return _stem(word) in self._stems

    def _stands(self, token: str) -> bool:
        """Whether it stands there whole: 10.0.0 does not stand in 10.0.0.1, nor 16 in 16.2."""
        at = self._text.find(token)
        while at >= 0:
            before, after = self._text[max(0, at - 2) : at], self._text[at + len(token) :][:2]
            if not (_GOES_BEFORE.search(before) or _GOES_ON.match(after)):
                return True
            at = self._text.find(token, at + 1)
        return False

    def _counts(self, number: str) -> bool:
        return number in self._numbers or self._stands(number)

    def _in_other_words(self, token: str) -> bool:
        if _RANGE.fullmatch(token):
            return all(map(self._counts, regex.split("[-/]", token)))
        if found := _QUANTITY.fullmatch(token):
            unit, number = found["unit"] or "", found["number"].removeprefix("v")
            known = unit in _UNITS or "-" in found[0] or not unit or unit in self._words
            return known and any(map(self._counts, _ways_to_write(number)))
        pieces = token.split("/")
        return len(pieces) > 1 and all(
            _PLAIN.fullmatch(piece) is not None and self._has_stem(piece) for piece in pieces
        )


_GOES_BEFORE = regex.compile(rf"{_LETTER}$|[\p{{N}}][.,:]$", regex.V1)
_GOES_ON = regex.compile(rf"{_LETTER}|[.,:]\p{{N}}", regex.V1)


def _ways_to_write(number: str) -> list[str]:
    ways = [number, f"v{number}", number.removesuffix(":00")]
    if regex.fullmatch(r"\d{1,3}(?:,\d{3})+", number):
        ways.append(number.replace(",", ""))
    elif regex.fullmatch(r"\d{4,9}", number):
        ways.append(f"{int(number):,}")
    return ways


def _folded(text: str) -> str:
    return fold(text).lower()


def _stem(word: str) -> str:
    """Enough of a word to know it again in another form."""
    return word[:4] if len(word) > 4 else word.removesuffix("s")


def _shown(word: str) -> str:
    """Never a whole text in a reason."""
    return f"“{word[:40]}”"


# Times --------------------------------------------------------------------------------------------


_AROUND_HAN = regex.compile(r"(?<=\d) +(?=[年月日号號])|(?<=[年月日]) +(?=\d)")


def _without_times(
    text: str, sources: Sequence[str], said: Sequence[Span], at: datetime | None
) -> tuple[str, str]:
    """Without the times that were said, if in other words, and one that was not."""
    if at is None:
        return text, ""
    pieces, reached = [], 0
    for start, meant in groupby(_meant(text, at), key=lambda each: each.start):
        spans = list(meant)
        if start < reached:
            continue
        if any(_agree(span, other) for span in spans for other in said):
            pieces += [text[reached:start], " "]
            reached = start + len(spans[0].text)
        elif not any(_folded(spans[0].text) in _folded(source) for source in sources):
            return text, spans[0].text
    return "".join([*pieces, text[reached:]]), ""


def _meant(text: str, at: datetime) -> list[Span]:
    """Each time as someone means it who looks back, and who looks ahead."""
    both = [*times.spans(text, at), *times.spans(text, at, prefer="future")]
    return sorted(both, key=lambda each: each.start)


def _agree(told: Span, said: Span) -> bool:
    """Whether a time is one that was said, an end of it, or one that it lies in."""
    if told.first is None or said.first is None:
        return told.end is not None and told.end == said.end
    if told.first == said.first or (told.end is not None and told.end == said.end):
        return True
    if told.end is None:
        return told.first == said.first.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return said.end is not None and told.first <= said.first and said.end <= told.end


def _years(spans: Iterable[Span]) -> Iterator[str]:
    for span in spans:
        yield from (str(each.year) for each in (span.first, span.end) if each is not None)


# Words --------------------------------------------------------------------------------------------

_USER = frozenset("user users nutzer nutzers nutzerin usuario usuaria".split())
_LEADS = frozenset(
    "el la los las der die das decision decided decisión beschluss entscheidung".split()
)


@cache
def _opens() -> frozenset[str]:
    """What a text begins with, whatever was said: the user, or what sort of thing is named."""
    from memoranda.text.entity_words import HOSTS, KIN, PROJECTS, SERVICES, TEAMS, TITLES

    return _USER | _LEADS | HOSTS | KIN | PROJECTS | SERVICES | TEAMS | TITLES


FEWEST_SHARED = 0.2
"""Of the words that say something, the share that must have been said."""


def foreign(text: str, sources: Sequence[str]) -> str | None:
    """Whether it has too little in common with its sources to have been drawn from them.

    An example that a model was given comes back from small models when nothing was said.
    """
    told = _parts(text)
    if not told:
        return None
    common = told.intersection(set[str]().union(*map(_parts, sources)))
    if common and len(common) >= FEWEST_SHARED * len(told):
        return None
    return "it has hardly a word of what was said"


_NOT_TELLING = STOPWORDS | _USER | frozenset("team project agent".split())
_RUN = regex.compile(rf"[{_WIDE}]++|[[\p{{L}}\p{{M}}]--[{_WIDE}]]++|\p{{N}}++", regex.V1)
_WIDE_RUN = regex.compile(rf"[{_WIDE}]")
_FRAME = regex.compile("使用者|用户|用戶|團隊|团队|希望")


def _parts(text: str) -> set[str]:
    """The stems of its words, its numbers, and the pairs of characters of a wide script."""
    found: set[str] = set()
    for run in _RUN.findall(_FRAME.sub(" ", _folded(text[:MOST_READ]))):
        if _WIDE_RUN.match(run):
            found |= {run[at : at + 2] for at in range(max(1, len(run) - 1))}
        elif run not in _NOT_TELLING:
            found.add(_stem(run))
    return found


def withheld(hidden: Iterable[str], own: str) -> frozenset[str]:
    """The words that a text can only have from what is hidden."""
    found = frozenset[str]().union(*map(_whole_words, hidden))
    return found - _whole_words(own) - STOPWORDS


def _whole_words(text: str) -> frozenset[str]:
    """With the pairs of characters of a wide script."""
    found: set[str] = set()
    for run in _RUN.findall(_folded(text[:MOST_READ])):
        if _WIDE_RUN.match(run):
            found |= {run[at : at + 2] for at in range(len(run) - 1)}
        elif len(run) >= SHORTEST_WITHHELD:
            found.add(run)
    return frozenset(found)


SHORTEST_WITHHELD = 4
"""Characters of a word that betrays where it is from."""


# Negation -----------------------------------------------------------------------------------------

_NOT = regex.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|\p{L}+n't)\b"
    r"|\b(?:nicht|nie|niemals|kein(?:e[nrms]?)?|ohne)\b"
    r"|\b(?:nunca|jamás|ningún|ninguna|ninguno|nada|nadie|sin)\b|[不没无别勿]"
)
_DENIES_NOTHING = regex.compile(
    r"\b(?:don't|do not|never) forget\b|\bnot (?:only|just|to mention)\b|\bno (?:wait|doubt|problem"
    r"|worries)\b|^no[,.;:!]|\bcan't wait\b|\bwhy not\b|\bno matter\b|\bnot bad\b|\bnothing but\b"
    r"|\bnicht (?:nur|vergessen)\b|\bvergiss nicht\b|\bno (?:solo|sólo|olvides)\b"
    r"|不(?:仅|只|但|过|错)|别忘|没(?:错|问题)|特别|区别|无论|个别|分别"
)
_DENIES = regex.compile(
    r"\b(?:forget|stop(?:s|ped|ping)?|quit|gave up|given up|drops?|dropped|dropping|ban(?:s|ned)?"
    r"|forb\w+"
    r"|hat(?:es?|ed)|dislik\w+|avoid\w*|detest\w*|loath\w*|refus\w+|reject\w*|cancel\w*|former\w*"
    r"|any ?more|used to|disagree\w*|instead|rather|except|lacks?|skip\w*|allerg\w+|prohibit\w*"
    r"|free|ruled out|off|against|unable|only|un(?!der|i|t)\w{4,}|shut|ends?|ended|left|leav\w+"
    r"|remov\w+|gone|hass[te]\w*|aufgehört|statt|nur|weg|außer|mehr|verboten|dejó|dejé|odi[ao]|evit\w+"
    r"|salvo|s[oó]lo|prohibid\w+|replac\w+|switch\w*|moved|over|too|fail\w*|bad|cambi\w+|wechsel\w*"
    r"|gewechselt)\b|忘|停|戒|讨厌|拒|移除|取消|只|避|禁|废|改|换|搬"
)
"""What is a denial in other words, or may be told as one."""
_CLAUSE = regex.compile(
    r"[,;:.!?()]+(?=\s|$)|[，。；：！？、（）]|\b(?:but|although|sondern|aber|pero|sino)\b|但|而是"
    r"|\b(?:and|und|y)\b(?= (?:i|we|my|our|the|no|not|ich|wir|der|die|das|yo|el|la)\b)"
)


@dataclass(frozen=True, slots=True)
class _Clause:
    parts: frozenset[str]
    denied: bool  # by a word of denial, unless two of them undo each other
    denies: bool  # in some way or other


def turned(text: str, said: Sequence[str], known: Sequence[str] = ()) -> str | None:
    """Whether it denies what was not denied, or tells as so what was.

    What is `known` besides may change; a denial may come from there.
    """
    now = [clause for each in said for clause in _clauses(each)]
    before = [clause for each in known for clause in _clauses(each)]
    told = _clauses(text)
    words = frozenset[str]().union(*(each.parts for each in told))
    denials = [each for each in (*now, *before) if each.denies and each.parts & words]
    for clause in told:
        if clause.denied and not denials:
            return "it denies what was not denied"
        if not clause.denies and _was_denied(clause, now, before):
            return "it tells as so what was denied"
    return None


def _was_denied(told: _Clause, now: Sequence[_Clause], before: Sequence[_Clause]) -> bool:
    """Whether what is most like it of what was said is a denial, and like it enough to tell."""
    best = max((len(told.parts & each.parts) for each in now), default=0)
    if 2 * best < len(told.parts) or any(len(told.parts & each.parts) > best for each in before):
        return False
    return all(each.denied for each in now if len(told.parts & each.parts) == best)


def _clauses(text: str) -> list[_Clause]:
    small = _DENIES_NOTHING.sub(" ", telling.small(text[:MOST_READ]))
    found: list[_Clause] = []
    for each in _CLAUSE.split(small):
        parts = frozenset(_parts(each or ""))
        cues = len(_NOT.findall(each or ""))
        denies = bool(cues or _DENIES.search(each or ""))
        if parts:
            found.append(_Clause(parts, cues % 2 == 1, denies))
        elif found and denies:
            found[-1] = replace(found[-1], denied=cues % 2 == 1, denies=True)
    return found
