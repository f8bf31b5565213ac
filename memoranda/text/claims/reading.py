"""Taking a text apart: its sentences, and of each the words that carry what it says.

No grammar is parsed. A sentence becomes a row of tokens without articles and auxiliaries; what
those told stays on the tokens: the relation that a word stands in, tense, negation, and where
something else begins (a comma, "and", "who"). Every rule errs on the side of not understanding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from itertools import repeat

import regex

from memoranda.text import sentences, times
from memoranda.text.claims import words
from memoranda.text.words import fold
from memoranda.types import Span

LONGEST = 20_000
"""Characters of a text that are read."""

MOST_TOKENS = 120
"""Of a sentence; one that is longer is no sentence, and says nothing that could be relied on."""


class Sort(StrEnum):
    """What a token is, which decides what it may be compared with."""

    WORD = "word"
    NAME = "name"
    NUMBER = "number"
    CODE = "code"
    SELF = "self"
    BAR = "bar"
    WIDE = "wide"


SLOTS = frozenset((Sort.NAME, Sort.NUMBER, Sort.CODE))
"""What must agree to the letter."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word that carries meaning, with what the words around it say about it.

    `opens`: something without meaning of its own stands before it, so that it does not belong to
    the word before; `noun`: that is an article or a preposition. `relations`: the prepositions it
    may stand under. `bounds`: what ends before it. `helper`: the tense of its auxiliary. `whole`:
    it may be a name in small letters, whose ending counts.
    """

    word: str
    roots: frozenset[str]
    sort: Sort
    shown: str
    start: int
    opens: bool = True
    relations: frozenset[str] = frozenset([""])
    bounds: frozenset[str] = frozenset()
    possessive: bool = False
    definite: bool = False
    noun: bool = False
    helper: str = ""
    past: bool = False
    negation: str = ""
    whole: bool = False

    @property
    def tense(self) -> str:
        """`past`, `now`, or nothing when the word alone does not tell."""
        if self.helper in ("past", "now"):
            return self.helper
        return "past" if self.past else ""

    @property
    def negated(self) -> bool:
        return bool(self.negation)

    @property
    def shape(self) -> str:
        """Of what is no word the kinds of its characters: 10.0.1.20 looks like 10.0.1.7."""
        return regex.sub(r"\p{L}+", "a", regex.sub(r"\d+", "0", self.word))


@dataclass(frozen=True, slots=True)
class Date:
    """A time that a sentence names, as someone means it who looks back, and who looks ahead."""

    past: Span
    future: Span

    @property
    def sure(self) -> bool:
        return (self.past.first, self.past.end) == (self.future.first, self.future.end)


@dataclass(frozen=True, slots=True)
class Sentence:
    """`doubts` are the words by which it does not say that something is so.

    `cuts`: where in the text something else begins (a comma, "and", "who"). `told`: "said" or
    "decided", when its dates are those of a "Mara said that" or "we decided that" left out of it.
    """

    text: str
    start: int
    tokens: tuple[Token, ...]
    dates: tuple[Date, ...] = ()
    cuts: tuple[int, ...] = ()
    doubts: frozenset[str] = frozenset()
    asks: bool = False
    told: frozenset[str] = frozenset()

    @property
    def roots(self) -> frozenset[str]:
        return frozenset(root for each in self.tokens for root in each.roots)

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def read(text: str, at: datetime) -> tuple[Sentence, ...]:
    """The sentences of a text that are its author's own, as meant by someone who speaks at `at`.

    What is quoted, pasted or fenced is somebody else's. Raises InvalidInput when `at` has no zone.
    """
    plain = _straight(text[:LONGEST])
    quoted = _quotations(plain)
    dates = _dates(plain, at)
    found = (
        _sentence(plain, start, end, quoted, dates) for start, end in _stretches(plain, quoted)
    )
    return tuple(replace(each, text=text[each.start : each.end]) for each in found if each.tokens)


def says_more(text: str, sentences: Sequence[Sentence]) -> bool:
    """Whether a text says something besides these sentences of it, which was left unread."""
    plain = _straight(text)
    starts = [0, *(each.end for each in sentences)]
    ends = [*(each.start for each in sentences), len(text)]
    return any(map(_says_something, repeat(plain), starts, ends))


def _says_something(text: str, start: int, end: int) -> bool:
    reader = _Reader(list(_pieces(text, start, min(end, start + LONGEST), [], [])))
    while reader.at < len(reader.pieces) and not reader.tokens:
        reader.step()
    reader.end()
    return bool(reader.tokens) or end > start + LONGEST


def _straight(text: str) -> str:
    """Plain apostrophes and quotation marks, each in the place of another."""
    return text.translate({0x2018: "'", 0x2019: "'", 0x60: '"', 0x201C: '"', 0x201D: '"'})


# Whose words they are -----------------------------------------------------------------------------

_QUOTATION = regex.compile(r'"[^"\n]{1,400}"|「[^」\n]{1,400}」|『[^』\n]{1,400}』|«[^»\n]{1,400}»')
_INNER = regex.compile(r"[^\s\"「」『』«»]+")
_LINE = regex.compile(r"[^\n]*\n?")
_SPEAKER = regex.compile(r"\s*(?:\[[^\]\n]{1,40}\]\s*)?([\p{L}][\p{L}\p{M}\p{N} ._-]{0,30}):(?=\s)")
MOST_QUOTED = 2
"""Words in quotation marks that are a name and no quotation."""


def _quotations(text: str) -> list[tuple[int, int]]:
    return [
        each.span()
        for each in _QUOTATION.finditer(text)
        if len(_INNER.findall(each.group())) > MOST_QUOTED
    ]


def _stretches(text: str, quoted: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Where the sentences stand that are the author's own."""
    ends = _outside(quoted, sentences.ends(text))
    at = 0
    for start, end in _own_lines(text):
        while start < end:
            while at < len(ends) and ends[at] <= start:
                at += 1
            stop = min(end, ends[at]) if at < len(ends) else end
            if text[start:stop].strip():
                yield start, stop
            start = stop


def _outside(stretches: list[tuple[int, int]], places: list[int]) -> list[int]:
    kept, at = [], 0
    for place in places:
        while at < len(stretches) and stretches[at][1] <= place:
            at += 1
        if at == len(stretches) or place <= stretches[at][0]:
            kept.append(place)
    return kept


def _own_lines(text: str) -> Iterator[tuple[int, int]]:
    fenced = introduced = False
    for line in _LINE.finditer(text):
        words_of_it = line.group().strip()
        if words_of_it.startswith(('"""', "~~~")):  # the backticks were made quotation marks
            fenced = not fenced
        elif not words_of_it:
            introduced = False
        elif not (fenced or introduced or words_of_it.startswith(">") or _is_a_log(line.group())):
            yield line.span()
        introduced = introduced or words_of_it.endswith((":", "："))


def _is_a_log(line: str) -> bool:
    """Whether a line begins with the name of a speaker, as those of a pasted chat do."""
    named = _SPEAKER.match(line)
    if named is None:
        return False
    label = named.group(1)
    return label[0].isupper() and label.split()[0].lower() not in words.LABELS and label.istitle()


# Times --------------------------------------------------------------------------------------------

_BARE_DAY = regex.compile(rf"(?:on\s+)?(?:{'|'.join(sorted(words.WEEKDAYS))})", regex.IGNORECASE)


def _dates(text: str, at: datetime) -> list[Date]:
    """A weekday alone is no date: "on Thursday" may be said of every one."""
    past, future = times.either_way(text, at)
    ahead = {each.start: each for each in future}
    return [
        Date(each, ahead.get(each.start, each))
        for each in past
        if not _BARE_DAY.fullmatch(each.text)
    ]


# Tokens -------------------------------------------------------------------------------------------

_WIDE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Bopomofo}"
_L = rf"[\p{{L}}\p{{M}}\p{{N}}_--{_WIDE}]"
_PIECE = regex.compile(
    rf"(?P<wide>[{_WIDE}])"
    rf"|(?P<word>(?:(?<=[ \t\"(])--?(?=\p{{L}})|[~.]?[/@#]?)"
    rf"{_L}+(?:(?:[-.:/\\@~&=+']{{1,3}}|(?<=\d),(?=\d\d\d)){_L}+)*\+{{0,2}}#?)"
    r"|(?P<mark>[^\s])",
    regex.V1,
)
_AMOUNT = regex.compile(
    r"(\d+(?:[.]\d+)?)(gib|mib|tib|gb|mb|tb|kb|ghz|mhz|ms|min|km|cm|mm|kg|kw|ml|px|am|pm|s|h|m|g|k|w|v|l)"
)
_NUMBER = regex.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_ORDINAL = regex.compile(r"(\d+)(?:st|nd|rd|th)")
_CLOCK = regex.compile(r"0?(\d{1,2}:\d\d)")
_VERSION = regex.compile(r"v(\d+(?:\.\d+)*)")
_SIGNS = {
    "%": "percent",
    "％": "percent",
    "﹪": "percent",
    "‰": "permille",
    "€": "euro",
    "$": "dollar",
    "£": "pound",
}
_CUTS = frozenset(";()[]—–-…；（）")
_INNER_CAPITAL = regex.compile(r"\p{Ll}\p{Lu}|\p{Lu}\p{Lu}")


@dataclass(slots=True)
class _Piece:
    text: str
    small: str
    start: int
    mark: bool = False
    wide: bool = False
    possessive: bool = False


def _sentence(
    text: str, start: int, end: int, quoted: list[tuple[int, int]], dates: list[Date]
) -> Sentence:
    inside = [each for each in dates if start <= each.past.start < end]
    skipped = [(each.past.start, each.past.start + len(each.past.text)) for each in inside]
    within = [each for each in quoted if start <= each[0] < end]
    pieces = list(_pieces(text, start, end, skipped, within))
    reader = _Reader(pieces)
    while reader.at < len(pieces) and len(reader.tokens) <= MOST_TOKENS:
        reader.step()
    reader.end()
    said = text[start:end]
    tokens = tuple(reader.tokens) if len(reader.tokens) <= MOST_TOKENS else ()
    return Sentence(
        text=said.strip(),
        start=start + len(said) - len(said.lstrip()),
        tokens=tokens,
        dates=tuple(inside),
        cuts=tuple(reader.cuts),
        doubts=frozenset(reader.doubts) | _wide_doubts(said),
        asks=said.rstrip(" \t\r\n\"')]").endswith(("?", "？")) or reader.asks,
    )


def _wide_doubts(said: str) -> frozenset[str]:
    if said.isascii():
        return frozenset()
    said = fold(said)
    return frozenset(each for each in words.WIDE_NOT_SO_SURE if each in said)


def _pieces(
    text: str,
    start: int,
    end: int,
    skipped: list[tuple[int, int]],
    quoted: list[tuple[int, int]],
) -> Iterator[_Piece]:
    leaps = {first: (last, False) for first, last in skipped}
    leaps |= {first: (last, True) for first, last in quoted}
    starts = sorted(leaps)
    for begin, stop in zip([None, *starts], [*starts, None], strict=True):
        if begin is not None:
            after, is_quoted = leaps[begin]
            if is_quoted:
                yield _Piece(text[begin:after], '"', begin, mark=True)
            start = max(start, after)
        for match in _PIECE.finditer(text, start, max(start, end if stop is None else stop)):
            yield from _split(match)


def _split(match: regex.Match[str]) -> Iterator[_Piece]:
    """A piece, or those of one that is written as one word: don't, Mara's, 12TB, self-care."""
    whole, at = match.group(), match.start()
    if match["wide"]:
        yield _Piece(whole, fold(whole), at, wide=True)
        return
    if match["mark"]:
        yield _Piece(whole, whole, at, mark=True)
        return
    small = whole.lower() if whole.isascii() else fold(whole).lower()
    if amount := _AMOUNT.fullmatch(small):
        yield _Piece(amount[1], amount[1], at)
        yield _Piece(amount[2], amount[2], at + len(amount[1]))
    elif "'" in small:
        yield from _contraction(whole, small, at)
    elif "-" in small and all(part.isalpha() for part in small.split("-")):
        for part in whole.split("-"):
            yield _Piece(part, part.lower(), at)
            at += len(part) + 1
    else:
        yield _Piece(whole, small, at)


_SHORT_IS = frozenset("it he she that there what who where how here this".split())


def _contraction(whole: str, small: str, at: int) -> Iterator[_Piece]:
    head, _, tail = small.rpartition("'")
    if small in ("won't", "can't", "shan't"):
        yield _Piece(whole, {"won't": "will", "can't": "can", "shan't": "shall"}[small], at)
        yield _Piece("n't", "n't", at)
    elif small.endswith("n't"):
        yield _Piece(whole[:-3], small[:-3], at)
        yield _Piece("n't", "n't", at)
    elif small in ("let's", "y'all"):
        yield _Piece(whole, small.replace("'", ""), at)
    elif tail in ("m", "re", "ve", "ll", "d"):
        yield _Piece(whole[: len(head)], head, at)
        yield _Piece(f"'{tail}", f"'{tail}", at)
    elif tail == "s" and head in _SHORT_IS:
        yield _Piece(whole[: len(head)], head, at)
        yield _Piece("'s", "is", at)
    elif tail in ("s", ""):
        yield _Piece(whole[: len(head)], head, at, possessive=True)
    else:
        yield _Piece(whole, small, at)


@dataclass(slots=True)
class _Reader:
    """Goes over the pieces of a sentence once; what it met since the last token is kept here."""

    pieces: list[_Piece]
    at: int = 0
    tokens: list[Token] = field(default_factory=list)
    doubts: set[str] = field(default_factory=set)
    asks: bool = False
    opens: bool = True
    definite: bool = False
    is_noun: bool = False
    relation: str | None = None
    relations: frozenset[str] = frozenset([""])
    bounds: set[str] = field(default_factory=set)
    cuts: list[int] = field(default_factory=list)
    helper: str = ""
    postponed: str = ""
    negation: str = ""
    denies: bool = False

    def step(self) -> None:
        piece = self.pieces[self.at]
        taken = 1
        if piece.wide:
            self._wide(piece)
        elif piece.mark:
            self._mark(piece)
        elif not piece.possessive and (several := self._several(piece)):
            taken = several
        elif piece.possessive or not self._without_meaning(piece):
            self._word(piece)
        self.at += taken

    def _next(self, ahead: int = 1) -> str:
        at = self.at + ahead
        return self.pieces[at].small if at < len(self.pieces) else ""

    # Several words that are one

    def _several(self, piece: _Piece) -> int:
        """How many pieces were taken as one; 0 when none were."""
        one, two = piece.small, self._next()
        if one in ("instead", "rather") and two in ("of", "than"):
            self._cut("but")
            self._negate("not")
            self.relation = ""
            return 2
        if one == "not" and two in ("only", "just"):
            return 2
        if one in ("not", "n't") and two in words.NOT_EACH:
            self._bar(piece, "not each")
            return 2
        if one == "just" and self._leaves_others_out(two):
            self._add(piece, Sort.BAR, "only", frozenset(["only"]))
            return 1
        if one == "a" and two == "few":
            self._bar(piece, "a few")
            return 2
        if one == "no" and two in (",", ".", "!", ":") and not self.tokens:
            return 1
        if one == "no" and two == "longer":
            self._negate("no longer")
            return 2
        if one in ("anymore",) or (one, two) == ("any", "more"):
            return 1 if one == "anymore" else 2
        if one == "by" and two == "the" and self._next(2) == "way":
            return 3
        if two == "to" and one in ("going", "have", "has", "need", "needs", "got", "ought"):
            if one == "going" and not self.helper:
                return 0
            follows = self._next(2)
            if follows in words.ARTICLES or follows in words.MINE or follows[:1].isdigit():
                return 0
            if one == "going" and self._is_a_place(2):
                return 0
            self._bar(piece, {"going": "will", "ought": "should"}.get(one, "must"))
            return 2
        if one in words.HAVE and two == "got":
            self._add(piece, Sort.WORD, "have", frozenset(["have"]))
            return 2
        if (one, two) == ("used", "to") and not self.helper:
            self._bar(piece, "used to")
            return 2
        if one in ("about", "around", "over", "under") and self._is_number(two):
            self._bar(piece, f"{one} as many as")
            return 1
        for root in sorted(words.roots(one)):
            framed = words.FRAMED.get((root, two))
            if framed is not None:
                self._add(piece, Sort.WORD, framed, frozenset([framed]), past=words.is_past(one))
                self._close()
                return 2
        if words.roots(one) & {"stop", "quit", "cease"} and two.endswith("ing"):
            self._negate("no longer")
            return 1
        return 0

    def _leaves_others_out(self, follows: str) -> bool:
        """Whether "just" before this is "only": just on Thursdays, just two, but just moved."""
        if follows in words.PREPOSITIONS:
            return follows not in words.SHORTLY and self._next(2) != "case"
        named = self._is_number(follows) or not words.roots(follows).isdisjoint(words.WEEKDAYS)
        return named or follows in words.DEFINITE | words.MINE or self._is_a_place(1)

    def _is_a_place(self, ahead: int) -> bool:
        at = self.at + ahead
        return at < len(self.pieces) and self.pieces[at].text[:1].isupper()

    def _is_number(self, small: str) -> bool:
        return small[:1].isdigit() or small in words.NUMBERS

    # What has no meaning of its own

    def _without_meaning(self, piece: _Piece) -> bool:
        """Note what a word says about others; False when it says something itself."""
        small = piece.small
        if small in words.NEVER:
            self._negate("never")
        elif small in words.NOT:
            self._negate("not")
            self.opens = True
            if small in words.NO:
                self._article(definite=False)
        elif small in ("and", "&", "und", "plus"):
            self._cut("and")
        elif small in ("or", "nor", "oder"):
            self._cut("or")
        elif small in ("but", "yet", "aber", "sondern", "pero"):
            if self.tokens and self.tokens[-1].word in words.ALL_OR_NOTHING:
                self.doubts.add("all but")
            self._cut("but")
        elif small in ("because", "cause", "cuz", "although", "though", "while", "whereas"):
            self._cut("because")
        elif small in ("who", "which", "whom", "whose"):
            self._cut("who")
        elif small == "that" and self.tokens:
            self._that()
        elif small in words.ARTICLES:
            self._article(small in words.DEFINITE)
        elif self._is_helper(small):
            self._help(small)
        elif small in words.PREPOSITIONS and not self._is_particle(small):
            self.relation = words.PREPOSITIONS[small]
            self.opens = True
            if small in ("without", "ohne", "sans", "sin"):
                self._negate("not")
        else:
            return small in words.EMPTY
        return True

    def _that(self) -> None:
        """Which of three words it is: that he came; the one that came; that one."""
        follows = self._next()
        clause = words.SELF | words.PRONOUNS | words.ARTICLES | words.MINE
        known = self.tokens[-1].roots & words.KNOWN_FOR_SURE
        if known or follows in clause or self._is_a_place(1):
            self._cut("that")
        elif self.relation is None and not (self.tokens[-1].past and not self.tokens[-1].noun):
            self._cut("who", keeps=True)
        self.opens = True

    def _article(self, definite: bool) -> None:
        self.opens = self.is_noun = True
        self.definite = definite
        self.relation = self.relation or ""

    def _is_helper(self, small: str) -> bool:
        if small in words.BE_NOW | words.BE_THEN | words.BE_FORMS:
            return True
        follows = self._next()
        if follows in words.NOT | words.NEVER | words.EMPTY:
            follows = self._next(2)
        if small in words.HAVE or small == "had":
            return words.is_past(follows) or follows in ("been", "got", "set", "put", "cut", "read")
        if small in words.DO or small == "did":
            return not self.tokens or self._next() in words.NOT | words.NEVER
        return False

    def _help(self, small: str) -> None:
        if small in words.BE_FORMS:
            return
        then = small in words.BE_THEN or small in ("did", "had")
        tense = "past" if then else "perfect" if small in words.HAVE else "now"
        if not self.tokens:
            self.postponed = tense  # "did we choose": it belongs to the verb
            self.asks = small not in ("be",)
        else:
            self.helper = tense
        self.opens = True
        self.relation = ""

    def _is_particle(self, small: str) -> bool:
        """Whether up, down, off, out end what is said: the VPS went down, it is off."""
        if small not in words.PARTICLES and small not in ("on", "in", "over"):
            return False
        follows = self._next()
        is_last = not follows or (not follows[:1].isalnum() and follows[:1] not in "/@#~.")
        joined = follows in words.PREPOSITIONS or follows in ("and", "or", "but", "again", "twice")
        return is_last or joined or small in ("up", "down", "off", "out")

    # Where something else begins

    def _mark(self, piece: _Piece) -> None:
        mark = piece.text
        if piece.small == '"' and len(mark) > 1:
            self._bar(piece, " ".join(mark[1:-1].lower().split()))
        elif mark in _SIGNS:
            sign = _SIGNS[mark]
            self._add(piece, Sort.WORD, sign, frozenset([sign]), opens=False)
        elif mark in ",，、":
            self._cut(",")
        elif mark in ":：":
            self._cut(":")
        elif mark in _CUTS:
            self._cut(";")
        elif mark == "~" and self._is_number(self._next()):
            self._bar(piece, "about as many as")

    def _cut(self, bound: str, *, keeps: bool = False) -> None:
        if bound != "who":
            self.end()
        self.bounds.add(bound)
        self.cuts.append(self.pieces[self.at].start)
        self.opens = True
        self.helper = ""
        inherits = bound in (",", "and", "or")
        if inherits and self.tokens:
            self.relations = self.tokens[-1].relations | {""}
            self.relation = None
        elif not keeps:
            self.relations = frozenset([""])
            self.relation = ""
        if self._ends_negation(bound):
            self.negation = ""

    def _ends_negation(self, bound: str) -> bool:
        if bound in ("and", "or", ","):
            follows = self._next()
            return bound == "," or follows in words.SELF | words.PRONOUNS | words.ARTICLES
        return bound not in ("who", "that")

    def _negate(self, how: str) -> None:
        self.negation = how
        self.denies = True

    def end(self) -> None:
        """What was denied when nothing came after "not": more than can be told."""
        if self.denies and self.pieces:
            self._bar(self.pieces[-1], "not")

    # What has a meaning

    def _wide(self, piece: _Piece) -> None:
        small = piece.small
        if small in words.WIDE_NOT:
            self._negate("not")
        elif small not in words.WIDE_EMPTY:
            sort = Sort.SELF if small in words.SELF else Sort.WIDE
            self._add(piece, sort, small, frozenset([small]))

    def _word(self, piece: _Piece) -> None:
        small = piece.small
        first = not self.tokens
        if small in words.SELF or small in words.MINE or self._is_the_user(small):
            mine = small in words.MINE or piece.possessive
            self._open()
            self._add(piece, Sort.SELF, "self", frozenset(["self"]), possessive=mine)
            if not mine:
                self._close()
        elif small in words.THEIRS:
            self._open()
            self._add(piece, Sort.WORD, small, frozenset([small]), possessive=True)
        elif small in words.PRONOUNS:
            self._open()
            self._add(piece, Sort.WORD, small, frozenset([small]))
            self._close()
        elif small in words.MODAL:
            self._bar(piece, words.MODAL[small])
        else:
            self._content(piece, first)

    def _is_the_user(self, small: str) -> bool:
        return small == "user" and self.opens and (self.definite or not self.tokens)

    def _content(self, piece: _Piece, first: bool) -> None:
        small = piece.small
        roots = words.roots(small)
        if small in words.NUMBERS or _NUMBER.fullmatch(small):
            number = words.NUMBERS.get(small) or small.replace(",", "")
            self._add(piece, Sort.NUMBER, number, frozenset([number]))
        elif small in words.ORDINALS or _ORDINAL.fullmatch(small):
            ordinal = _ORDINAL.fullmatch(small)
            number = words.ORDINALS.get(small) or f"{ordinal[1]}th"  # type: ignore[index]
            self._add(piece, Sort.NUMBER, number, frozenset([number]))
        elif small in words.FOR_EXAMPLE:
            self.doubts.add(small)
        elif clock := _CLOCK.fullmatch(small):
            self._add(piece, Sort.CODE, clock[1], frozenset([clock[1]]))
        elif small == "little" and self._is_hardly_any():
            self._add(piece, Sort.BAR, "hardly any", frozenset(["hardly any"]))
        elif not small.replace("'", "").isalpha():
            version = _VERSION.fullmatch(small)
            code = version[1] if version else small
            self._add(piece, Sort.CODE, code, frozenset([code]))
        elif roots & words.UNTRUE:
            self.doubts.add(min(roots & words.UNTRUE))
            self._bar(piece, min(roots & words.UNTRUE))
        elif roots & words.NOT_SO_SURE and not self._is_a_noun():
            doubt = min(roots & words.NOT_SO_SURE)
            if not self._is_own_word(doubt):
                self.doubts.add(doubt)
            self._bar(piece, doubt, past=words.is_past(small))
        elif roots & words.BARRED:
            self._add(piece, Sort.BAR, small, roots)
        else:
            past = words.is_past(small)
            whole = first and not self.is_noun and self.relation is None and self._is_one(small)
            self._add(piece, self._sort(piece, first), small, roots, past=past, whole=whole)

    def _is_hardly_any(self) -> bool:
        """Whether "little" tells how much, as in "speaks little French", and not how big."""
        return not self.is_noun and not (self.tokens and self.tokens[-1].possessive)

    def _is_a_noun(self) -> bool:
        """Whether a word names a thing, as in "the 4 GB plan" and "in the hope of"."""
        return self.is_noun or self.relation not in (None, "", "to")

    def _is_own_word(self, doubt: str) -> bool:
        """Whether it is the author who says so, as in "I told you" and "sorry to say"."""
        if doubt not in ("say", "tell") or self.helper or not self.tokens:
            return False
        before = self.tokens[-1]
        return self.relation == "to" or (before.sort is Sort.SELF and not before.possessive)

    def _sort(self, piece: _Piece, first: bool) -> Sort:
        text = piece.text
        if len(text) > 1 and _INNER_CAPITAL.search(text):
            return Sort.NAME
        if first and text[:1].isupper() and text.endswith("s") and self._is_done_by_one():
            return Sort.NAME
        return Sort.NAME if text[:1].isupper() and not first else Sort.WORD

    def _is_one(self, small: str) -> bool:
        """Whether a word without an article did what follows, and is not several: han moved."""
        if words.is_past(small) or not small.isalpha():
            return False
        follows = self._next()
        did = words.is_past(follows) or follows in ("had", "did", "will", "can", "would")
        return self._is_done_by_one() or (did and not small.endswith("s"))

    def _is_done_by_one(self) -> bool:
        """Whether the verb that follows is said of one: Hans lives, but releases go out."""
        follows = self._next()
        return follows in ("is", "was", "has") or (
            follows.endswith("s") and not follows.endswith("ss") and follows.isalpha()
        )

    def _bar(self, piece: _Piece, word: str, *, past: bool = False) -> None:
        self._open()
        self._add(piece, Sort.BAR, word, frozenset([word]), past=past)
        self._close()

    def _open(self) -> None:
        self.opens = True
        self.relation = self.relation or ""

    def _close(self) -> None:
        """What comes next is not under what was over this."""
        self.opens = True
        self.relation = ""

    def _add(
        self,
        piece: _Piece,
        sort: Sort,
        word: str,
        roots: frozenset[str],
        *,
        opens: bool | None = None,
        possessive: bool = False,
        past: bool = False,
        whole: bool = False,
    ) -> None:
        opens = self.opens if opens is None else opens
        noun = opens and self._is_a_noun()
        if opens and self.relation is not None:
            self.relations = frozenset([self.relation])
        helper = self.helper
        if self.postponed and self.tokens:
            helper, self.postponed = self.postponed, ""
        self.tokens.append(
            Token(
                word=word,
                roots=roots,
                sort=sort,
                shown=piece.text,
                start=piece.start,
                opens=opens or not self.tokens,
                relations=self.relations,
                bounds=frozenset(self.bounds),
                possessive=possessive or piece.possessive,
                definite=self.definite,
                noun=noun,
                helper=helper,
                past=past,
                negation=self.negation,
                whole=whole,
            )
        )
        self.opens = self.definite = self.is_noun = self.denies = False
        self.relation = None
        self.helper = ""
        self.bounds = set()
