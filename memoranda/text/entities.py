"""Names in a text, by rules: people, hosts, files, projects, places and things.

A capital tells a name, except where a sentence begins and in German. There a word is sure to be one
only if something else says so; else it is a name if it is known as one. What is not a word of a
language (web-01, worker.py, ERR_TIMEOUT, #42) is a name wherever it stands. Names of Chinese,
Japanese and Korean are told by quotation marks and by the title that follows a person's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from memoranda.text.entity_words import (
    ALWAYS,
    CALENDAR,
    COMMON,
    COUNTED,
    EDITIONS,
    GERMAN,
    GIVING,
    HOSTS,
    IN_ED,
    KIN,
    NUMBERED,
    OPENING,
    PARTICLES,
    PARTS,
    PERSONAL,
    PLACED,
    PLURAL,
    PROJECTS,
    RELATED,
    SERVICES,
    SHOUTED,
    SINGULAR,
    TEAMS,
    TITLES,
    UNITS,
)
from memoranda.text.names import key
from memoranda.types import EntityKind, Named

MOST = 64
"""How many names of one text are told."""

READ = 20_000
"""How many characters of a text are read for names."""

LONGEST = 80
"""Characters that a name has at most."""

MOST_WORDS = 6
"""How many words a name of capitalised words has at most."""

_NO_NAME = ALWAYS | COMMON | SHOUTED


# The names of a text ------------------------------------------------------------------------------


def entities(text: str) -> tuple[Named, ...]:
    """The names in a text, each once, in the order in which they first stand there."""
    found: dict[str, Named] = {}
    for named in sorted(_found(text[:READ]), key=lambda each: each.start):
        same = key(named.name)
        known = found.get(same)
        if known is None and len(found) < MOST:
            found[same] = named
        elif known is not None:
            found[same] = _together(known, named)
    return tuple(found.values())


def _together(first: Named, again: Named) -> Named:
    """One name that stands in a text twice: what either place tells of it holds of both."""
    kind = again.kind if first.kind is EntityKind.THING else first.kind
    if (kind, first.sure or again.sure) == (first.kind, first.sure):
        return first
    return Named(first.name, kind, first.start, first.sure or again.sure)


def _found(text: str) -> Iterator[Named]:
    tokens = _tokens(text)
    yield from _capitalised(tokens)
    for token in tokens:
        if token.written and (named := _written(token)):
            yield named
    if not text.isascii():
        yield from _of_wide_scripts(text)


@dataclass(slots=True)
class _Token:
    """A stretch without spaces and brackets; `gap` is what stands before it."""

    text: str
    small: str
    start: int
    gap: str
    begins: bool  # a sentence
    capital: bool = False  # and so perhaps the name, or a part of one
    written: bool = False  # with digits and signs, as no word is
    possessive: bool = False
    ended: bool = False  # by a full stop or a colon


_PIECE = regex.compile(
    r"[^\s,;!?()\[\]{}<>\"“”«»„「」『』《》〈〉…—|*=，。、；：！？（）"
    r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}ー]+"
)
_BEGINNING = frozenset('!?"“„«…—\n*•|。！？')
_SPACES = " \t\r\n([{"
_AFTER = ".:'’‘-"
_BEFORE = "'‘’-"
_APOSTROPHE = regex.compile("['’]")
_SHORTENED = frozenset("t m d re ve ll".split())  # as in don't, I'm, they've
_INNER_CAPITAL = regex.compile(r"\p{Ll}\p{Lu}|\p{Lu}\p{Lu}\p{Ll}|\p{L}['’]\p{Lu}")


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    end = 0
    begins = True
    for piece in _PIECE.finditer(text):
        raw = piece.group()
        gap = text[end : piece.start()]
        end = piece.end()
        word = raw.lstrip(_BEFORE)
        start = end - len(word)
        word = word.rstrip(_AFTER)
        begins = (begins and not gap.strip(_SPACES)) or not _BEGINNING.isdisjoint(gap)
        if not word or len(word) > 4 * LONGEST:
            continue
        token = _Token(word, word.lower(), start, gap, begins)
        stop = raw[start - piece.start() + len(word) :]
        token.ended = "." in stop or ":" in stop
        begins = token.ended and token.small not in TITLES and len(word) > 1
        if not (word.isalpha() and word.islower()):
            _look_at(token)
            if token.small in UNITS and tokens and gap == " " and tokens[-1].text[-1].isdigit():
                token.capital = False
        tokens.append(token)
    return tokens


def _look_at(token: _Token) -> None:
    """Tell a capitalised word from what is no word."""
    *stem, ending = _APOSTROPHE.split(token.text)
    if stem and ending in ("s", "S"):
        token.text = token.text[:-2]
        token.small = token.text.lower()
        token.possessive = True
    elif stem and ending.lower() in _SHORTENED:
        return
    word = token.text
    if not word:
        return
    if all(part.isalpha() for part in _APOSTROPHE.split(word)):
        token.capital = word[0].isupper() or _INNER_CAPITAL.search(word) is not None
    elif word[0].isupper() and _is_hyphened(word):
        token.capital = True
    else:
        token.written = True


def _is_hyphened(word: str) -> bool:
    """Whether a word is a name of two words, as Jean-Luc and Wi-Fi are."""
    parts = word.split("-")
    return len(parts) < 4 and all(part.isalpha() and part[0].isupper() for part in parts)


# What is no word of a language --------------------------------------------------------------------

_ENDINGS = (
    "py|js|ts|tsx|jsx|mjs|md|txt|rst|json|jsonl|yaml|yml|toml|ini|conf|cfg|log|sh|bash|zsh|sql|db|"
    "sqlite|csv|tsv|parquet|pdf|png|jpg|jpeg|gif|svg|webp|html|css|scss|rs|go|c|h|cpp|hpp|java|kt|rb|"
    "php|lua|env|lock|xml|zip|gz|tar|tgz|xz|iso|img|mp3|mp4|mkv|wav|docx|xlsx|pptx|odt|ipynb|pem|crt|"
    "key|bak|vue|swift|tf|proto|onnx|whl|deb|rpm|exe|dll|so"
)
_DOMAINS = (
    "local|lan|internal|intranet|home|localdomain|arpa|corp|com|org|net|io|dev|app|edu|gov|eu|de|nl|"
    "fr|uk|ch|ai|cloud|info|jp|cn|tw|kr|hk|ca|au|nz|se|dk|fi|pl|cz|es|pt|br|ru|xyz|tech|sh"
)
_UNITS = "service|timer|socket|mount|target"
_ROLES = (
    "web|db|nas|srv|server|node|host|vm|pi|rpi|proxy|gw|router|switch|ns|mail|app|api|k8s|pve|"
    "prod|staging|stage|worker|master|cache|redis|pg|lb|bastion|nuc|esxi|box|lab|edge|dns"
)
_ROOTS = "etc|var|tmp|home|usr|opt|mnt|srv|dev|proc|root|media|data|boot|sys"


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to write a name: what stands around it, and the kind of what is so written."""

    kind: EntityKind
    name: str
    before: str = ""
    after: str = ""

    @property
    def pattern(self) -> regex.Pattern[str]:
        return regex.compile(f"{self.before}(?P<name>{self.name}){self.after}", regex.V1)


@cache
def _forms() -> tuple[tuple[EntityKind, regex.Pattern[str]], ...]:
    """Every way to write a name that is no word, in the order in which they are tried."""
    person, file, host = EntityKind.PERSON, EntityKind.FILE, EntityKind.HOST
    service, thing = EntityKind.SERVICE, EntityKind.THING
    w = r"[\p{L}\p{N}_.-]"
    alnum = r"[\p{L}\p{N}]"
    label = rf"{alnum}(?:[\p{{L}}\p{{N}}_-]{{0,62}}{alnum})?"
    path = r"[\p{L}\p{N}_.+@%-]++"
    line = r"(?::\p{N}+)*+"
    forms = (
        _Form(thing, r"[^`]+", "`+", "`+"),
        _Form(host, r"[^/?#@]+", "[a-z][a-z0-9+.-]{1,11}://(?:[^@/]*+@)?", ".*+"),
        _Form(
            person, rf"{alnum}[\p{{L}}\p{{N}}._%+-]*+@{alnum}++(?:[.-]{alnum}++)++", "(?:mailto:)?"
        ),
        _Form(thing, rf"@[\p{{L}}\p{{N}}_-]++/{w}++"),
        _Form(person, rf"@[\p{{L}}_]{w}*+"),
        _Form(thing, rf"(?:{w}++/{w}++)?#\p{{N}}{{1,7}}"),
        _Form(host, r"(?:\p{N}{1,3}\.){3}\p{N}{1,3}(?:[:/]\p{N}{1,5})?", after="(?:/.*+)?"),
        _Form(host, r"(?=.*::)(?=.*\p{N})[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}"),
        _Form(service, rf"[\p{{L}}\p{{N}}@_-]++\.(?:{_UNITS})"),
        _Form(file, rf"[\p{{L}}\p{{N}}_.+-]+\.(?i:{_ENDINGS})", after=line),
        _Form(
            host,
            rf"{label}(?:\.{label})*\.(?i:{_DOMAINS})(?::\p{{N}}{{1,5}})?",
            after="(?:/.*+)?",
        ),
        _Form(file, rf"(?:~|\.{{1,2}})?(?:/{path}){{2,}}/?|~/{path}", after=line),
        _Form(file, rf"/(?:{_ROOTS})", after="/?"),
        _Form(file, r"\p{Lu}:\\[^:]++"),
        _Form(file, rf"{w}++(?:/{w}++)*/{w}+\.(?:{_ENDINGS})", after=line),
        _Form(host, r"localhost(?::\p{N}{2,5})?", after="(?:/.*+)?"),
        _Form(host, r"[a-z][a-z0-9-]{1,40}:\p{N}{3,5}"),
        _Form(host, rf"(?i:(?:[a-z]+-)?(?:{_ROLES})(?:-[a-z]+)?-?\p{{N}}{{1,4}})"),
        _Form(thing, rf"_{{0,2}}\p{{L}}{alnum}*+(?:_++{alnum}++)++_{{0,2}}"),
        _Form(thing, r"\p{Lu}[\p{Lu}\p{N}]{1,9}-\p{N}{1,6}"),
        _Form(thing, r"\p{L}[\p{L}\p{N}.]*+(?:[-+][\p{L}\p{N}.]++)+"),
        _Form(thing, rf"\p{{L}}*\p{{Ll}}\p{{Lu}}{alnum}*+"),
        _Form(thing, rf"\p{{Lu}}+\p{{N}}+{alnum}*+|\p{{Ll}}{{2,}}\p{{N}}{{1,6}}"),
        _Form(thing, r"\p{Lu}\p{Ll}+\p{N}{1,6}(?:(?:\.\p{N}{1,4}){1,3}|\p{Ll}{1,2})?"),
        _Form(thing, r"\p{Ll}\p{N}{1,2}\p{Ll}{1,3}|\p{Ll}{2,}\p{N}\p{Ll}{2,}"),
        _Form(thing, r"[Cc](?:\+\+|#)|\.NET"),
    )
    return tuple((form.kind, form.pattern) for form in forms)


_DIGIT = regex.compile(r"\p{N}")
_NUMBERED = regex.compile(
    r"(?i:mid|pre|post|early|late|top|day|v|vol|part|step|q|h|p|x|no|utc|gmt)-?\p{N}.*"
)


def _written(token: _Token) -> Named | None:
    """The name that a stretch with digits and signs is, if it is one."""
    word = token.text.strip("$&%^~_") if token.text[0] not in "~_" else token.text
    for kind, pattern in _forms():
        match = pattern.fullmatch(word)
        if match is None:
            continue
        name = match["name"]
        if len(name) > LONGEST or _NUMBERED.fullmatch(name) or _is_joined_word(word):
            return None
        sure = True
        if name.isalpha():
            sure = name.lower() not in _NO_NAME
        elif kind is EntityKind.THING and "-" in name and not _DIGIT.search(name):
            sure = False  # home-assistant as well as well-known
        start = token.start + token.text.find(name)
        return Named(name, kind, start, sure)
    return None


_JOINED = regex.compile(r"(\p{Lu}\p{Ll}+)\p{N}++(?:\.\p{N}++)*+\p{Ll}*+")
_UNJOINED = PARTS | (_NO_NAME - NUMBERED)


def _is_joined_word(text: str) -> bool:
    """Whether only a space is missing between a word and a number, as in May3 and Version2."""
    match = _JOINED.fullmatch(text)
    return match is not None and match[1].lower() in _UNJOINED


# Capitalised words --------------------------------------------------------------------------------


def _capitalised(tokens: list[_Token]) -> Iterator[Named]:
    places = [place for place, token in enumerate(tokens) if token.capital]
    if not places or _is_shouted(tokens):
        return
    german = _is_german(tokens)
    inside = {tokens[place].small for place in places if not tokens[place].begins}
    after = 0
    for place in places:
        if place < after or not _may_be_part(tokens[place], german):
            continue
        after = _end_of_run(tokens, place, german)
        if named := _of_run(tokens, place, after, german, inside):
            yield named


def _is_shouted(tokens: Sequence[_Token]) -> bool:
    """Whether so much is in capitals that they tell nothing."""
    words = [token.text for token in tokens if token.text.isalpha() and len(token.text) > 1]
    loud = sum(word.isupper() for word in words)
    return loud >= 3 and 2 * loud > len(words)


_UMLAUTS = frozenset("äöüß")


def _is_german(tokens: Sequence[_Token]) -> bool:
    """Told by its small words, of which some are those of other languages too."""
    known = sum(token.small in GERMAN for token in tokens)
    if known == 1:
        return any(not _UMLAUTS.isdisjoint(token.small) for token in tokens)
    return known >= 2 and 5 * known >= len(tokens)


def _may_be_part(token: _Token, german: bool) -> bool:
    """Whether a capitalised word may be a name or a part of one."""
    if not token.capital or token.small in ALWAYS or token.small in SHOUTED:
        return False
    if len(token.text) == 1 and not token.ended:
        return False
    if token.text.isupper() and len(token.text) > 1:
        return len(token.text) <= 6 and token.small not in COMMON
    return not (german and token.begins and token.small not in NUMBERED and _merely_begins(token))


def _end_of_run(tokens: Sequence[_Token], start: int, german: bool) -> int:
    """Where the run of words ends that begins at `start`: the place after its last word."""
    end = start + 1
    while end < len(tokens) and end - start < MOST_WORDS and _joined(tokens, end):
        if _may_be_part(tokens[end], german):
            end += 1
        elif _is_number_of_name(tokens, start, end, german):
            return _after_editions(tokens, end + 1)
        elif tokens[end].small in PARTICLES and (beyond := _after_particles(tokens, end, german)):
            end = beyond
        else:
            break
    return end


def _joined(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a word follows the one before it in one name."""
    before = tokens[place - 1]
    whole = not before.ended or before.small in TITLES or len(before.text) == 1
    return tokens[place].gap == " " and not before.possessive and whole


def _after_particles(tokens: Sequence[_Token], place: int, german: bool) -> int:
    """The place after the capitalised word that follows one or two particles; 0 for none.

    Particles do not join what has a name of its own: Haus von Herrn Schmidt, Schwester von Anna.
    """
    before = tokens[place - 1].small
    if before in KIN or (before in RELATED and tokens[place].small == "von"):
        return 0
    for beyond in (place + 1, place + 2):
        if beyond >= len(tokens) or not _joined(tokens, beyond):
            return 0
        if _may_be_part(tokens[beyond], german) and tokens[beyond].small not in COMMON:
            another = tokens[beyond].small in TITLES or tokens[beyond].small in KIN
            return 0 if another else beyond + 1
        if tokens[beyond].small not in PARTICLES and tokens[beyond].small != "the":
            return 0
    return 0


_VERSION = regex.compile(r"[vV]?\p{N}{1,4}(?:\.\p{N}{1,4}){1,3}[a-z]?\p{N}?|[vV]\p{N}{1,4}")
_PLAIN_NUMBER = regex.compile(r"\p{N}{1,4}[a-z]?")
_YEAR = regex.compile(r"(?:19|20)\p{N}\p{N}")


def _is_number_of_name(tokens: Sequence[_Token], start: int, place: int, german: bool) -> bool:
    """Whether a number belongs to the name before it, as in Room 101 and Python 3.12."""
    number = tokens[place]
    follows = place + 1 < len(tokens) and not (number.ended or number.possessive)
    following = tokens[place + 1] if follows and tokens[place + 1].gap == " " else None
    if _VERSION.fullmatch(number.text):
        return True
    if not _PLAIN_NUMBER.fullmatch(number.text):
        return False
    if _YEAR.fullmatch(number.text):
        return tokens[place - 1].small in NUMBERED
    if following is None:
        return not follows or not _is_of_list(tokens, place)
    if following.small in COUNTED or (following.small in CALENDAR and following.text[0].isupper()):
        return False
    many = _is_of_many(following) or (german and following.capital)
    return not (many and _has_number_of_things(tokens, start, place))


def _is_of_list(tokens: Sequence[_Token], place: int) -> bool:
    """Whether a bracket that was not opened follows a number: "1) Mara 2) Tom"."""
    if not tokens[place + 1].gap.startswith(")"):
        return False
    while place and ")" not in tokens[place].gap and "(" not in tokens[place].gap:
        place -= 1
    return "(" not in tokens[place].gap


def _is_of_many(word: _Token) -> bool:
    """Whether a word may stand for several things; one that is known to be a verb does not."""
    if not _is_plural(word.small) or word.small == "vs":
        return False
    return word.small not in SINGULAR and word.small not in ALWAYS


_WHERE = frozenset("in at near with from for bei mit für".split())


def _has_number_of_things(tokens: Sequence[_Token], start: int, place: int) -> bool:
    """Whether the words beside a name tell that the number after it counts: gave Tom 3 books."""
    if tokens[place - 1].small in NUMBERED or _INNER_CAPITAL.search(tokens[place - 1].text):
        return False
    first = tokens[start]
    if first.small in TITLES or first.small in KIN:
        return True
    if first.begins and place - start > 1:
        return first.small in GIVING
    if not start or first.gap != " ":
        return False
    before = tokens[start - 1]
    if before.small in GIVING or before.small in KIN or before.small in TITLES:
        return True
    return before.begins and before.small in _WHERE  # In Ghent 4 trains were late


def _after_editions(tokens: Sequence[_Token], place: int) -> int:
    """The place after the words that belong to a number, as in iPhone 16 Pro Max."""
    while place < len(tokens) and tokens[place].capital and tokens[place].small in EDITIONS:
        if tokens[place - 1].ended or tokens[place].gap != " ":
            break
        place += 1
    return place


def _of_run(
    tokens: Sequence[_Token], start: int, end: int, german: bool, inside: set[str]
) -> Named | None:
    """The name that a run of capitalised words holds."""
    begins = tokens[start].begins
    if begins and end - start > 1 and _is_before_name(tokens[start], tokens[start + 1]):
        start, begins = start + 1, False
        if not tokens[start].capital:
            return None
    words = tokens[start:end]
    if len(words) > 1 and words[0].small in KIN:
        start, words, begins, german = start + 1, words[1:], False, False
    elif len(words) > 2 and words[0].small in TITLES and words[1].capital:
        words = words[1:]
    if len(words) == 1 and _is_no_name(words[0]):
        return None
    if len(words) == 2 and words[0].small in PARTS and not words[1].capital:
        return None
    if begins and len(words) == 2 and not words[1].capital:
        sure = _is_told_with_number(tokens, start, inside)
    else:
        sure = len(words) > 1 or not (begins or german)
    if not sure and len(words) == 1:
        word = words[0]
        sure = (
            _INNER_CAPITAL.search(word.text) is not None
            or word.text.isupper()
            or (not german and word.small in inside)
            or _is_told(tokens, start, end, german)
        )
    text = " ".join(word.text for word in words)
    if len(text) > LONGEST:
        return None
    return Named(text, _kind(tokens, start, end, words), words[0].start, sure)


def _is_no_name(word: _Token) -> bool:
    """Whether a word is no name when it stands alone."""
    if word.small in TITLES or word.small in KIN:
        return True
    return word.small in _NO_NAME and not _INNER_CAPITAL.search(word.text)


def _is_before_name(word: _Token, following: _Token) -> bool:
    """Whether the first word of a sentence is no part of the name that follows: Ask Mara."""
    numbered = word.small in NUMBERED and not following.capital
    return not numbered and _merely_begins(word)


def _merely_begins(token: _Token) -> bool:
    """Whether a word has its capital from the sentence that it begins."""
    if token.small in OPENING or token.small in TITLES:
        return False
    if token.small.endswith("ed") and token.small not in IN_ED:
        return True
    if token.small in _NO_NAME or token.small in GIVING:
        return True
    return token.small.endswith(("ing", "ly"))


_NOUNS = ("ing", "ly", "ed", "tion", "sion", "ment", "ness", "ity", "ism", "ings", "tions", "ung")


def _is_told(tokens: Sequence[_Token], start: int, end: int, german: bool) -> bool:
    """Whether what stands beside a word that begins a sentence tells that it is a name."""
    word = tokens[end - 1]
    if word.small.endswith(_NOUNS):
        return False
    if start and tokens[start - 1].small in (KIN | TITLES) and tokens[start].gap == " ":
        return True
    if word.possessive and not german:
        return True
    if end == len(tokens) or word.ended or not word.begins:
        return False
    if tokens[end].gap == ", ":
        return _begins_list(tokens, end)
    if tokens[end].gap != " ":
        return False
    following = tokens[end]
    beyond = tokens[end + 1] if end + 1 < len(tokens) else following
    if following.small == "and":
        return beyond.capital and beyond.small not in _NO_NAME
    if _is_plural(word.small):
        return False
    return following.small in SINGULAR or (
        following.small.endswith("ed") and (beyond.small in ALWAYS or beyond.capital)
    )


def _is_told_with_number(tokens: Sequence[_Token], start: int, inside: set[str]) -> bool:
    """Whether a word that begins a sentence is a name with the number after it.

    Printer 2 is one in "Printer 2 is jammed" and "Printer 2 toners are here", and perhaps none in
    "Bake 12 cakes" and "Bake 12 big cakes".
    """
    word, number = tokens[start], tokens[start + 1]
    if word.small in NUMBERED or word.small in inside or word.text.isupper():
        return True
    if _VERSION.fullmatch(number.text) or _INNER_CAPITAL.search(word.text):
        return True
    if number.ended or number.possessive:
        return True
    things = start + 2
    if things < len(tokens) and not _is_of_many(tokens[things]):
        if tokens[things].small in SINGULAR or tokens[things].small in ALWAYS:
            return True
        things += 1
    if things >= len(tokens) or tokens[things].gap != " " or not _is_of_many(tokens[things]):
        return True
    return things + 1 < len(tokens) and tokens[things + 1].small in PLURAL


def _begins_list(tokens: Sequence[_Token], place: int) -> bool:
    """Whether the name at a place goes on a list, as in "Mara, Tom and Alex"."""
    if not tokens[place].capital or tokens[place].small in _NO_NAME or place + 1 == len(tokens):
        return False
    return tokens[place + 1].small == "and" or tokens[place + 1].gap == ", "


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is", "as"))


def _kind(tokens: Sequence[_Token], start: int, end: int, words: Sequence[_Token]) -> EntityKind:
    """What the words beside a name tell of it."""
    before = tokens[start - 1].small if start and tokens[start].gap in (" ", ", ") else ""
    earlier = tokens[start - 2].small if start > 1 else ""
    after = tokens[end] if end < len(tokens) and not tokens[end - 1].ended else None
    following = after.small if after is not None and after.gap == " " else ""
    numbered = any(word.text[-1].isdigit() for word in words)
    if words[0].small in TITLES or (before in TITLES and tokens[start].gap == " "):
        return EntityKind.PERSON
    for told, kind in (
        (PROJECTS, EntityKind.PROJECT),
        (SERVICES, EntityKind.SERVICE),
        (HOSTS, EntityKind.HOST),
    ):
        if following in told or before in told:
            return kind
    if before in ("in", "to", "from", "near", "nach") and earlier in PLACED:
        return EntityKind.PLACE
    if (
        numbered
        or words[-1].small in TEAMS
        or any(word.text.isupper() and len(word.text) > 1 for word in words)
    ):
        return EntityKind.THING
    last = tokens[end - 1]
    if (
        before in KIN
        or (last.possessive and following in RELATED)
        or (following in PERSONAL and not last.possessive and len(words) < 4)
    ):
        return EntityKind.PERSON
    return EntityKind.THING


# Scripts without capitals -------------------------------------------------------------------------

_SURNAMES = (
    "王李张张陈刘杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许邓韩冯曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任"
    "沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "張陳劉楊黃趙吳孫馬羅鄭謝許鄧韓馮蕭蔣葉蘇魏呂盧鍾譚陸范賈韋鄒龍賀顧龔萬錢嚴湯簡"
)


@cache
def _wide() -> tuple[tuple[EntityKind, regex.Pattern[str]], ...]:
    """Names by quotation marks and titles; `name` is the part that is the name."""
    person, thing = EntityKind.PERSON, EntityKind.THING
    titles = "先生|小姐|女士|太太|老师|老師|经理|經理|医生|醫生|教授|博士|主任|师傅|師傅|阿姨|叔叔"
    addressed = "さん|様|さま|ちゃん|くん|氏"
    kanji = r"[\p{Han}々]"
    kana = r"[\p{Katakana}ー]"
    # What stands before an address and is nobody's name.
    japanese = "皆|神|王|客|奥|嬢|父|母|兄|姉|爺|婆|子|医者|店員|息子|娘|患者|仏|殿|両親|赤"
    korean = "선생|고객|부모|사장|어머|아버|할머|할아버|아저|날"
    forms = (
        _Form(thing, r"[^「」\p{Po}\s]{1,12}", "「", "」"),
        _Form(thing, r"[^『』。！？，]{1,24}", "『", "』"),
        _Form(thing, r"[^《》。！？]{1,30}", "《", "》"),
        _Form(thing, r"[^〈〉。！？]{1,30}", "〈", "〉"),
        _Form(thing, r"(?=[^”]{0,12}\p{Han})[^“”\p{Po}\s]{2,12}", "“", "”"),
        _Form(person, rf"[{_SURNAMES}]\p{{Han}}{{1,2}}?", after=f"(?=(?:{titles}))"),
        _Form(person, rf"[{_SURNAMES}](?:{titles})"),
        _Form(
            person,
            f"{kanji}{{1,3}}",
            rf"(?<![\p{{Han}}お])(?!(?:{japanese})(?:{addressed}))",
            f"(?={addressed})",
        ),
        _Form(person, f"{kanji}{{2}}", r"(?<=\p{Han}{2})", "(?=さん|氏)"),
        _Form(person, r"[\p{Katakana}ー・]{2,12}", r"(?<!\p{Katakana})", f"(?={addressed})"),
        _Form(person, rf"\p{{Katakana}}{kana}{{0,11}}・{kana}{{1,12}}", r"(?<!\p{Katakana})"),
        _Form(
            person,
            r"\p{Hangul}{2,4}",
            rf"(?<!\p{{Hangul}})(?!{korean})",
            r"(?=\s?씨(?:[가는를은의와도께이]|[^\p{Hangul}]|$)|\s?(?:\p{Hangul}{2}\s?)?님)",
        ),
    )
    return tuple((form.kind, form.pattern) for form in forms)


_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}]")


def _of_wide_scripts(text: str) -> Iterator[Named]:
    if not _WIDE.search(text):
        return
    for kind, pattern in _wide():
        for match in pattern.finditer(text):
            name = match["name"]
            yield Named(name, kind, match.start("name"))
