"""Secrets in any text, found before it is stored.

Four ways, each begun by a look that costs little: keys that say whose they are, secrets in a
place of their own (an address, a command), what stands after a word such as "password", and blocks,
cards and lists. Of a text only the secret is cut out, never the word before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from memoranda.text.secret_words import (
    CARD,
    CODE,
    ISSUED,
    KINDS,
    LABELS,
    ORDINARY,
    PASSWORD,
    PIN,
    PLACES,
    PRIVATE_KEY,
    RECOVERY,
    SECRET,
    SEED,
    TOKEN,
)
from memoranda.text.stopwords import STOPWORDS


@dataclass(frozen=True, slots=True)
class Secret:
    """From `start` to `end` of a text, in characters; `kind` is what stands in its place."""

    kind: str
    start: int
    end: int


ROUNDS = 8
"""How often what is left around the secrets that were found is looked at again."""


SHORTEST = 6
"""No secret stands in fewer characters, which are those of `://:x@`."""


def secrets(text: str) -> tuple[Secret, ...]:
    """In order, none within another."""
    found: list[Secret] = []
    pieces = list(_between_marks(text))
    for _ in range(ROUNDS):
        again: list[tuple[int, int]] = []
        for start, end in pieces:
            if end - start < SHORTEST:
                continue
            here = _found(text[start:end])
            found += [Secret(each.kind, start + each.start, start + each.end) for each in here]
            again += _around(here, start, end)
        if not again:
            break
        pieces = again
    return tuple(sorted(found, key=lambda each: each.start))


def redacted(text: str) -> tuple[str, tuple[Secret, ...]]:
    """`text` with `[kind]` in place of each secret; what is redacted so far is left as it is."""
    found = secrets(text)
    if not found:
        return text, found
    parts, at = [], 0
    for each in found:
        parts += [text[at : each.start], f"[{each.kind}]"]
        at = each.end
    return "".join([*parts, text[at:]]), found


def _between_marks(text: str) -> Iterator[tuple[int, int]]:
    """The pieces around what was redacted before: nothing is read across a mark, so that a text
    with marks reads as it did when the secrets were taken out.
    """
    if "[" not in text:
        yield 0, len(text)
        return
    at = 0
    for mark in _marks().finditer(text):
        yield at, mark.start()
        at = mark.end()
    yield at, len(text)


def marks(text: str) -> list[tuple[int, int]]:
    """Where secrets were cut out of a text."""
    return [mark.span() for mark in _marks().finditer(text)] if "[" in text else []


@cache
def _marks() -> re.Pattern[str]:
    return re.compile(rf"\[(?:{'|'.join(KINDS)})\]")


def _around(found: list[Secret], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The pieces that are left, if anything was found."""
    at = start
    for each in found:
        yield at, start + each.start
        at = start + each.end
    if found:
        yield at, end


def _found(text: str) -> list[Secret]:
    small = _small(text)
    found = [secret for find in _WAYS for secret in find(text, small)]
    if not found:
        return found
    return _apart([*found, *_said_again(text, found)])


def _small(text: str) -> str:
    """In small letters, as long as before."""
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(each if len(each.lower()) != 1 else each.lower() for each in text)


def _apart(found: list[Secret]) -> list[Secret]:
    """In order; those that overlap are one, of the kind of the first."""
    found.sort(key=lambda each: (each.start, -each.end))
    apart = found[:1]
    for each in found[1:]:
        last = apart[-1]
        if each.start >= last.end:
            apart.append(each)
        elif each.end > last.end:
            apart[-1] = Secret(last.kind, last.start, each.end)
    return apart


def _begins(small: str, word: str) -> Iterator[int]:
    """Where a word stands, which is found much sooner than a pattern."""
    at = small.find(word)
    while at >= 0:
        yield at
        at = small.find(word, at + 1)


def _alternatives(forms: Iterable[str]) -> str:
    """Those that begin with the same letter together, in their order: one look rules them out."""
    grouped: dict[str, list[str]] = {}
    for form in forms:
        first = form[:1] if form[:1].isalnum() or form[:1] in "_-" else form
        grouped.setdefault(first, []).append(form[len(first) :])
    return "|".join(
        first + (rest[0] if len(rest) == 1 else f"(?:{_alternatives(rest)})")
        for first, rest in grouped.items()
    )


@cache
def _form(form: str) -> re.Pattern[str]:
    """Compiled when it is first needed, which few texts do."""
    return re.compile(form)


def _group(forms: re.Pattern[str], text: str) -> str:
    """The name of the form that a text has, which was found by one of the same forms."""
    found = forms.fullmatch(text)
    assert found is not None
    return str(found.lastgroup)


_PIECE = r"""[^\s"'`,;<>()/|]+"""


def _said_again(text: str, found: list[Secret]) -> Iterator[Secret]:
    """The same secrets where nothing tells that they are: without a word before them."""
    kinds = {text[each.start : each.end]: each.kind for each in found}
    kinds = {value: kind for value, kind in kinds.items() if _is_strong(value) and len(value) >= 6}
    if kinds:
        for piece in _form(_PIECE).finditer(text):
            value = piece[0].rstrip(".:!?")
            if kind := kinds.get(value):
                yield Secret(kind, piece.start(), piece.start() + len(value))


# Keys that say whose they are

_RUN = r"[A-Za-z0-9_.:/+=-]{15,}"
"""What all of them are: the shortest, a JSON Web Token with hardly anything in it, is as long."""


@cache
def _issued_forms() -> re.Pattern[str]:
    apart = " ".join(apart for _, apart, _ in ISSUED).split()
    anywhere = " ".join(anywhere for *_, anywhere in ISSUED).split()
    return re.compile(
        f"(?:{_BEGINNING})(?:{_alternatives(apart)})|{_alternatives(anywhere)}", re.ASCII
    )


@cache
def _issuers() -> re.Pattern[str]:
    """The same forms, by kind."""
    return re.compile(
        "|".join(
            f"(?P<{kind.replace(' ', '_')}>{'|'.join(f'{apart} {anywhere}'.split())})"
            for kind, apart, anywhere in ISSUED
        ),
        re.ASCII,
    )


# What ends an escape, as in `\\n` or `%3D`, does not belong to what follows.
_BEGINNING = r"(?<![A-Za-z0-9_-])|(?<=\\[nrt])|(?<=%[0-9A-F][0-9A-F])"


def _issued(text: str, small: str) -> Iterator[Secret]:
    for run in _form(_RUN).finditer(text):
        for each in _issued_forms().finditer(text, *run.span()):
            if not _is_made_of_words(each[0]):
                yield Secret(_group(_issuers(), each[0]).replace("_", " "), *each.span())


# Secrets in a place of their own


@cache
def _places() -> tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...]:
    """The kind, the form and what it must be of all that begins with each word."""
    words = dict.fromkeys(word for words, *_ in PLACES for word in words.split("|"))
    return tuple(
        (word, tuple((k, f, m) for words, k, f, m in PLACES if word in words.split("|")))
        for word in words
    )


def _placed(text: str, small: str) -> Iterator[Secret]:
    for word, forms in _places():
        if word not in small:
            continue
        for at in _begins(small, word):
            for kind, form, must_be in forms:
                if each := _form("(?a)" + form).match(text, at):
                    start, end = _bared(text, *each.span(1))
                    if start < end and _fits(text[start:end], must_be):
                        yield Secret(kind, start, end)


def _fits(value: str, must_be: str) -> bool:
    if _is_placeholder(value):
        return False
    if must_be == "random":
        return _is_random(value)
    return must_be == "any" or _is_strong(value)


def _bared(text: str, start: int, end: int) -> tuple[int, int]:
    """Without quotation marks around it and what ends a sentence."""
    if text[start] in "\"'":
        closing = text.find(text[start], start + 1, end)
        return start + 1, closing if closing > 0 else end
    while end > start and text[end - 1] in "\"'`,;.:)]}>":
        end -= 1
    return start, end


# What stands after a word that tells of a secret


_SET_TO = (
    "(?:已|被)?(?:改|设|設|换|換|更新|重置|设置|設置|设定|設定|变更|變更|更改|修改)(?:成|为|為)了?"
)


@cache
def _labels() -> re.Pattern[str]:
    """A word that tells of a secret, and what leads from it to the secret, for small letters."""
    word = _alternatives([*(word for _, words in _labels_of_kinds() for word in words)])
    of = (
        "for|of|to|on|für|fürs|vom|von|des|der|den|dem|zum|zur|del|de|du|do|da|di|para|pour|au"
        "|от|для|к"
    )
    about = (
        rf"(?:[ ](?:{of})\b(?:[^\n.,;:=!?\"'“]|\.(?=\w)){{1,48}}?"
        r"|(?:[ ]\(|[ ]?\[|（)[^\n()\[\]（）\"']{1,32}[)\]）])?"
    )
    closing = r"(?:\\?[\"'`\])*_]){0,3}"
    is_ = "is|was|ist|war|lautet|est|es|è|é|är|là"
    sign = r"(?::=|=>|={1,2}|:|：|->|→|[ ][-–—](?=[ ])|>|\|)"
    changed_to = (
        r"(?:[ ](?:was|is|has|been|got|now|wurde|ist|jetzt|a|été|fue|ha|sido)){0,3}"
        r"[ ](?:changed|set|reset|updated|switched|rotated|changé|modifié|cambiada|cambiado)"
        r"[ ](?:back[ ])?(?:to|en|a|à|por)[ ]"
    )
    leads = "|".join(
        (
            rf"(?P<changed>{changed_to})",
            rf"(?P<said>{about}{closing}[ ](?:{is_})(?::?[ ]|:)"
            r"(?:(?:now|still|just|currently|set[ ]to|jetzt|ahora)[ ])?)",
            rf"(?P<assign>{about}{closing}\s{{0,4}}{sign}[*_]{{0,2}}\s{{0,4}})",
            r"(?P<value>[\"']?,?\s{1,40}[\"']?value[\"']?\s?[:=]\s{0,4})",
            rf"(?P<spoken>\s?(?:是|为|為|は|が|은|는|이|가|{_SET_TO})\s?[:：]?\s?)",
            r"(?P<object>\s?(?:を|를|을)\s?)",
            r"(?P<listed>[\"'],\s{0,4}(?=[\"']))",
            r"(?P<to>[ ](?:to|на|(?:wurde[ ])?auf)[ ]|['’]s[ ])",
            rf"(?P<near>(?:[ ](?P<near_word>[^\W\d_]{{2,20}})){{1,2}}{closing}"
            rf"(?:[ ]?:(?=\s)|[ ]?：|[ ](?:{is_}):?(?=[ ]))\s{{0,4}})",
            r"(?P<line>[*_`]{0,3}[ \t]{0,4}\r?\n[ \t]{0,8})",
            r"(?P<bare>[ ]{1,2}|(?<!pass)\t{1,3}|(?<=[码碼令号ド호])(?=[A-Za-z0-9「“]))",
        )
    )
    return re.compile(rf"(?P<label>{word})(?:_base)?\d{{0,2}}(?:{leads})")


def _labels_of_kinds() -> Iterator[tuple[str, list[str]]]:
    """Those that are found within other words first, then, with a `_`, those that are not."""
    for kind, within, _ in LABELS:
        yield kind.replace(" ", "_"), _spelt(within)
    for kind, _, alone in LABELS:
        yield f"{kind.replace(' ', '_')}_", _spelt(alone)


def _spelt(words: str) -> list[str]:
    """The longest first; `(?:a|b)c` is `ac` and `bc`."""
    spelt = []
    for word in words.split():
        choice = re.match(r"\(\?:([^)]*)\)", word)
        heads = choice[1].split("|") if choice else [""]
        rest = word[choice.end() :] if choice else word
        spelt += [(head + rest).replace("_", "[ ]").replace("~", "[ _-]?") for head in heads]
    return sorted(spelt, key=len, reverse=True)


@cache
def _kinds_of_labels() -> re.Pattern[str]:
    return re.compile(
        "|".join(f"(?P<{kind}>{'|'.join(words)})" for kind, words in _labels_of_kinds() if words)
    )


LOOKED_AT = 256
"""Letters that tell whether a run is a secret; one that is goes on to its end."""

_PLAIN = r"[!#-%(-+\--:=?-\[\]-_a-~\u00a1-\u052f]"


@cache
def _values() -> re.Pattern[str]:
    r"""Within quotation marks, or up to a space or whatever begins the next thing."""
    marks = ('"', "'", "`")
    quoted = [
        rf"{mark}(?P<q{n}>(?:[^{mark}\n\\]|\\.){{1,300}}){mark}" for n, mark in enumerate(marks)
    ]
    quoted += [
        rf"\\{mark}(?P<q{n}>[^{mark}\n\\]{{1,300}})\\{mark}" for n, mark in enumerate("\"'", 3)
    ]
    quoted += [
        rf"{a}(?P<q{n}>[^{b}\n]{{1,300}}){b}"
        for n, (a, b) in enumerate(map(tuple, ("“”", "„“", "«»", "「」", "‘’")), 5)
    ]
    inner = r"(?:[,;&](?!\s|$|[\"'}\])]|[\w .-]{1,40}=)|\\(?![nrt\"']))"
    run = rf"{_PLAIN}{{1,{LOOKED_AT}}}+"
    return re.compile(
        rf"{'|'.join(quoted)}|[\"'`]?(?P<open>(?:{run}|{inner})(?:{inner}{run}){{0,16}}+)"
    )


@cache
def _more() -> re.Pattern[str]:
    return re.compile(f"{_PLAIN}*+")


@dataclass(frozen=True, slots=True)
class _Value:
    """What stands after a label; `lead` is the way from there, `near` a word in it, `after` what
    follows; `begins` when at most some words of its line stand before the label.
    """

    kind: str
    label: str
    lead: str
    text: str
    quoted: bool
    after: str
    near: str | None
    begins: bool


def _labelled(text: str, small: str) -> Iterator[Secret]:
    at = 0
    while label := _labels().search(small, at):
        at = label.end("label")
        kind = _group(_kinds_of_labels(), label["label"])
        if kind.endswith("_") and not _stands_alone(label, text, small):
            continue
        kind = kind.rstrip("_").replace("_", " ")
        if end := _grouped_end(kind, label, text):
            yield Secret(kind, label.end(), end)
            at = end
            continue
        found = _values().match(text, label.end())
        if not found:
            continue
        start, end = found.span(str(found.lastgroup))
        quoted = found.lastgroup != "open"
        if not quoted:
            while end > start and text[end - 1] in ".,;:)]}|":
                end -= 1
        if _may_be(kind, text[start:end]) and _is_secret(
            _value(text, label, kind, start, end, quoted)
        ):
            if not quoted and end - start >= LOOKED_AT and (more := _more().match(text, end)):
                end = more.end()
            yield Secret(kind, start, end)
            at = end
        elif not quoted and found.end() - start >= LOOKED_AT:
            at = end


def _may_be(kind: str, value: str) -> bool:
    """A look that rules most out: what is neither chosen nor typed by people is long."""
    if kind in (PIN, CODE):
        return len(value) >= 3 and value.strip("#*").isdecimal()
    return len(value) >= (4 if kind == PASSWORD else 8)


_TICKET = (
    r"\b(?:boarding|bus|train|rail|travel|transit|season|day|month|ski|lift|hall|park(?:ing)?|press"
    r"|visitor|guest|museum|festival|event|backstage|mountain|first|second|next|third) $"
)


def _stands_alone(label: re.Match[str], text: str, small: str) -> bool:
    """`pass` is no part of `compass`, but of `dbPass` it is; one that one boards with is none."""
    at = label.start()
    before = text[at - 1 : at]
    if before == " ":
        return label["label"] != "pass" or not _form(_TICKET).search(small, max(0, at - 16), at)
    if not before.isalpha() or not before.isascii():
        return True
    return before.islower() and text[at].isupper()


def _value(
    text: str, label: re.Match[str], kind: str, start: int, end: int, quoted: bool
) -> _Value:
    lead = str(label.lastgroup)
    if lead == "bare":
        before = text[max(0, label.start() - 40) : label.start()]
        if before.split(" ")[-1].startswith("--"):
            lead = "option"
    return _Value(
        kind=kind,
        label=text[label.start("label") : label.end("label")],
        lead=lead,
        text=text[start:end],
        quoted=quoted,
        after=text[end : end + 24],
        near=label["near_word"],
        begins=lead == "line"
        and _form(_BEGINS_LINE).search(text, max(0, label.start() - 32), label.start()) is not None,
    )


def _is_secret(value: _Value) -> bool:
    if not _is_told(value) or _is_placeholder(value.text):
        return False
    return value.quoted or not _is_code(value.text, value.after)


def _is_told(value: _Value) -> bool:
    """The word before it and the way from there say how much must look like a secret."""
    text = value.text
    if value.kind in (PIN, CODE):
        return _is_pin(value)
    if value.lead in _LOOSE:
        if value.kind == PASSWORD:
            return _is_loosely_told(value)
        return value.lead not in ("near", "line") and _is_random(text)
    if value.kind == PASSWORD:
        return _is_password(value)
    if value.label.lower() == "key":
        return len(text) >= 20 and _is_random(text) and text.lower() != text
    return _is_random(text)


_UNITS = (
    r"(?i)\s?-?(?:char|digit|letter|bit|byte|day|minute|hour|long|tokens|zeichen|stellen|ziffern|"
    "tage|car|lettres|dígitos|chiffres|位|个|字|文字|桁|자|글자|年|月|日|天|小时|分钟|秒|次|分|時間|回"
    "|header|connector|socket|plug|row|strip|jumper|dip|stecker|buchse|stiftleiste)"
)


def _is_pin(value: _Value) -> bool:
    """Digits; what stands beside "pin" without a sign may count the pins of a plug."""
    digits = value.text.strip("#*")
    if not digits.isdecimal() or _form(_UNITS).match(value.after):
        return False
    if value.lead == "bare" and value.label.lower()[:2] != "cv":
        told = value.label == "PIN" or not value.label.isascii()
        return told and 4 <= len(digits) <= 8
    if value.lead == "near" and not _is_owner(value.near or ""):
        return False
    least = 4 if value.lead in ("to", "changed", "near") else 3
    return least <= len(digits) <= 8


_LOOSE = ("listed", "to", "changed", "near", "object", "line", "bare")
"""Ways from a word that lead to much else."""

_NO_OWNER = ORDINARY.union(
    """file path url version link page entry rules rule ui app count header connector socket expiry
    requirements requirement criteria rate percentage ratio auth authentication age store storage
    format type style encoding encryption algorithm complexity layout mode map prompt""".split()
)
"""What stands between "password" and a colon, and owns no password."""
_SET = r"\s?(?:に|へ|と|로|으로)"


def _is_owner(word: str) -> bool:
    """Of a password: a router is, but no rule about them."""
    return word not in _NO_OWNER and not word.endswith(_ENDINGS)


def _is_loosely_told(value: _Value) -> bool:
    text = value.text
    if value.lead == "bare" and text.isdecimal() and not value.label.isascii():
        return 4 <= len(text) <= 8 and not _form(_UNITS).match(value.after)
    if not (_is_varied(text) and _is_strong(text)):
        return False
    if value.lead == "near":
        return _sorts(text) >= 3 and value.label.lower() != "pass" and _is_owner(value.near or "")
    if value.lead == "object":
        return _form(_SET).match(value.after) is not None
    if value.lead == "line":
        ends = _form(_ENDS_LINE).match(value.after) is not None
        return value.begins and ends and _sorts(text) >= 3 and not _form(_NAMED).fullmatch(text)
    return True


_BEGINS_LINE = r"(?:^|\n)[\w \t*>|#-]{0,30}$"
_NAMED = r"[A-Za-z]+[\d.]+"
"""`OAuth2.0`, of a list that has "password" in it."""
_ENDS_LINE = r"[*_`]{0,3}[ \t]{0,4}(?:\r?\n|$)"
_ENDING = r"\s*(?:[.!?]?\s*$|[.!?]\s|\n|#|\\n)|[，。！、]|です|$"
_COMPOUND = r"[^\W\d_]+(?:[-_][^\W\d_]+)*[.!?]*"
_TELLING = "(?i)pass|word|secret|token|key|user|config|input|string|env|creden"


def _is_password(value: _Value) -> bool:
    """A word alone is one where it ends the line or is quoted, and tells nothing of passwords."""
    text = value.text
    if len(text) < 4:
        return False
    if text.isdecimal():
        return not _form(_UNITS).match(value.after)
    if not _form(_COMPOUND).fullmatch(text):
        return not _form(_UNITS).match(text.lstrip("0123456789+"))
    if _is_ordinary(text):
        return False
    if value.quoted:
        return " " not in text or value.lead != "listed"
    if value.lead == "said" and not text.isascii():
        return False
    return _form(_ENDING).match(value.after) is not None or value.lead in ("spoken", "option")


_ENDINGS = ("ed", "ing", "able", "ible", "ive", "ous", "ful", "less", "ly", "ent", "ant")


def _is_ordinary(text: str) -> bool:
    words = re.split("[-_ ]", text.strip(".!?").lower())
    if words[-1].endswith(_ENDINGS) or _form(_TELLING).search(text):
        return True
    return not ORDINARY.isdisjoint(words)


_PHRASE = r"[a-z]{2,12}+(?:[ -][a-z]{2,12}+){2,11}+(?=\s*(?:[.!?,;\"'\n]|$))"


_FOURS = r"[a-z]{4}(?: [a-z]{4}){3}(?=\s*(?:[.!?,;\"'\n]|$))"
_NUMBERS = r"\d{1,2}(?: ?[-/] ?\d{1,2}| \d{1,2}){2,3}(?![\w-])"


def _grouped_end(kind: str, label: re.Match[str], text: str) -> int | None:
    """Where a secret of several groups ends: a phrase, the password of an app, a combination."""
    word = label["label"]
    if word.endswith(_COMBINATIONS):
        numbers = _form(_NUMBERS).match(text, label.end())
        return numbers and numbers.end()
    if kind != PASSWORD:
        return None
    if word == "passphrase":
        return _phrase_end(_PHRASE, text, label.end())
    return _phrase_end(_FOURS, text, label.end()) if label.lastgroup in ("assign", "said") else None


def _phrase_end(form: str, text: str, start: int) -> int | None:
    """Where a phrase of three words and more ends, when it reads like no sentence."""
    phrase = _form(form).match(text, start)
    if phrase is None or _form(_TELLING).search(phrase[0]):
        return None
    words = re.split("[ -]", phrase[0])
    told = ORDINARY.isdisjoint(words) and STOPWORDS.isdisjoint(words)
    return phrase.end() if told else None


_COMBINATIONS = ("combination", "combo", "kombination", "combinaison", "combinación")

_PLACEHOLDER = r"""(?ixs)
    [$]?\{.*|\$[\w:]+[)}]?|[$]\(.*|%\w+%|%\(.*|<.*|\[.*|!\w+|[x*•.·#_?-]+|\.{3}.*|.*\.{3}|.*…
    |(?:your|my|the|some|insert|enter|replace|change|example|dummy|fake|sample|put)[-_ ]?.*
      (?:key|token|secret|pass\w*|here|me|this|id|value)
    |ENC\[.*|vault:.*|op://.*
    |changeme|password\d?|passwd|pass|secret|token|null|none|undefined|true|false
    """


def _is_placeholder(value: str) -> bool:
    return not value or _form(_PLACEHOLDER).fullmatch(value[:400]) is not None


_CALL = (
    r"[A-Za-z_][\w.]*(?:\(|\[[\"'\w])|(?:[A-Za-z_]\w*(?:\.|::|->)){1,6}[A-Za-z_]\w*|f?[\"']|[\\/]+$"
)
_PATH = r"(?:[A-Za-z]:\\|~?/|\.{1,2}/)[\w./\\-]*"


def _is_code(value: str, after: str) -> bool:
    """What computes a secret, or says where it is: a call, an attribute, a path."""
    if after.startswith(("(", "[")) and value.isidentifier():
        return True
    if _form(_CALL).match(value) and not any(each in "!#$%^*+=?~" for each in value):
        return "(" in value or "[" in value or not re.search(r"\d", value) or not value[0].isalpha()
    return _form(_PATH).fullmatch(value) is not None and value.count("/") + value.count("\\") >= 2


_WORDS = r"(?:[A-Za-z][a-z]*|[A-Z]+|v?\d{1,4})(?:[-_./: ](?:[A-Za-z][a-z]*|[A-Z]+|v?\d{1,4}))*"


def _is_made_of_words(value: str) -> bool:
    """Like `sk-learn-contrib`, `db-credentials-2`."""
    return len(value) < 100 and _form(_WORDS).fullmatch(value) is not None


def _is_strong(value: str) -> bool:
    """No word: it has digits beside letters, symbols, or capitals within."""
    return _sorts(value) >= 2


def _sorts(value: str) -> int:
    sorts = (
        _has_digit(value),
        any(map(str.islower, value)),
        any(map(str.isupper, value[1:])),
        _form(r"[^\w.'-]").search(value) is not None,
    )
    return sum(sorts)


def _has_digit(value: str) -> bool:
    """A pattern is quicker, but does not know ² for one."""
    return _form(r"\d").search(value) is not None or (
        not value.isascii() and any(map(str.isdigit, value))
    )


def _is_varied(value: str) -> bool:
    return len(value) >= 6 and _has_digit(value) and not _form(_PATH).fullmatch(value)


_PUBLIC = (
    "AAAA",
    "age1",
    "npub1",
    "pk_",
    "SHA256:",
    "sha256",
    "sha512",
    "sha384",
    "ssh-",
    "data:",
    "http",
)


def _is_random(value: str) -> bool:
    """Drawn by a machine: letters with digits among them, or capitals without order."""
    if len(value) < 8 or " " in value or _is_made_of_words(value) or value.startswith(_PUBLIC):
        return False
    if _form(_PATH).fullmatch(value) and value.count("/") >= 2 and value.lower() == value:
        return False
    if _has_digit(value):
        return any(map(str.isalpha, value)) or (value.isdecimal() and len(value) >= 16)
    if len(value) < 20 or value == value.lower():
        return False
    capitals = [*map(str.isupper, value)]
    changes = sum(a != b for a, b in pairwise(capitals))
    return changes * 4 >= len(value)


# Blocks, cards and lists


@cache
def _fences() -> re.Pattern[str]:
    return re.compile(r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")


_BODY = r"(?a)(?:[A-Za-z0-9+/=\s\\]|[\w-]{1,40}: [^\n]{1,80}\n)*+"


def _blocks(text: str, small: str) -> Iterator[Secret]:
    """With both fences, or as far as it reaches where the second was cut off."""
    for fence, after in pairwise([*_fences().finditer(text), None]):
        assert fence is not None  # only the last is
        if fence[1] == "END":
            continue
        if after and after[1] == "END":
            yield Secret(PRIVATE_KEY, fence.start(), after.end())
        elif body := _form(_BODY).match(text, fence.end()):
            end = fence.end() + len(body[0].rstrip())
            if end - fence.end() >= 16:
                yield Secret(PRIVATE_KEY, fence.start(), end)


_CARD = r"[2-6](?<![\d.,-].)\d{3}(?:([ -]?)\d{4}\1\d{4}\1\d{4}|([ -])\d{6}\2\d{5}|\d{11})(?![\d-])"
_ISSUERS = "4|5[1-5]|2[2-7]|3[47]|6011|65"


def _cards(text: str, small: str) -> Iterator[Secret]:
    for each in _form(_CARD).finditer(text):
        digits = re.sub("[ -]", "", each[0])
        if _form(_ISSUERS).match(digits) and _sums_up(digits):
            yield Secret(CARD, each.start(), each.end())


def _sums_up(digits: str) -> bool:
    """Luhn's sum, ISO/IEC 7812-1."""
    doubled = sum(sum(divmod(2 * int(each), 10)) for each in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0


_LISTED = (
    "recovery backup scratch rescue wiederherstellungs notfall reserve seed mnemonic secret "
    "助记词 助記詞 니모닉 シードフレーズ setup authenticator totp 2fa otp mfa cookie"
).split()


@cache
def _lists() -> re.Pattern[str]:
    """A label, and a list after it: of codes, of words, of groups of letters, of cookies."""
    word = r"(?:\d{1,2}[.):]?\s{0,3})?[a-z]{3,8}"
    codes = (
        "(?:recovery|backup|scratch|rescue|wiederherstellungs|notfall|reserve)[ _-]?"
        "(?:code|key|schlüssel)s?"
    )
    seeds = (
        "(?:seed|recovery|backup|mnemonic|secret)[ _-]?(?:phrase|words?)|mnemonic|"
        "助记词|助記詞|니모닉|シードフレーズ"
    )
    setup = r"(?:setup|authenticator|totp|2fa|otp|mfa)[ _-](?:setup )?(?:key|secret|seed)"
    gap = r"[^\n:=]{0,40}?(?:[:=：]|\bis\b|\bare\b|\n)[\s\"'`*-]{0,8}"
    item = r"(?:\d{1,2}[.)]\s)?[A-Za-z0-9]{4,12}(?:[- ][A-Za-z0-9]{4,12}){0,7}"
    return re.compile(
        rf"(?i:{codes}){gap}(?P<recovery_code>{item}(?:[\s,;*•-]{{1,6}}{item}){{0,31}})"
        rf"|(?i:{seeds}){gap}(?P<seed_phrase>{word}(?:[\s,]{{1,4}}{word}){{11,23}})(?![a-z])"
        rf"|(?i:{setup}){gap}(?P<secret>[A-Za-z2-7]{{4}}(?:[ -][A-Za-z2-7]{{4}}){{3,15}})\b"
        r"|(?i:cookie):?\s[^\n]{0,100}?[\w.-]{1,40}=(?P<token>[\w%.~+/=-]{16,}+)",
        re.ASCII,
    )


_IN_NO_SEED = frozenset("the and for with was are has your our not but from have were been".split())


def _listed(text: str, small: str) -> Iterator[Secret]:
    begun = (at for word in _LISTED if word in small for at in _begins(small, word))
    for each in filter(None, (_lists().match(text, at) for at in begun)):
        kind = str(each.lastgroup).replace("_", " ")
        start, end = each.span(str(each.lastgroup))
        if kind == SEED and _IN_NO_SEED.isdisjoint(text[start:end].split()):
            yield Secret(kind, start, end)
        elif kind == RECOVERY:
            end = start + _codes_end(text[start:end])
            if end > start:
                yield Secret(kind, start, end)
        elif kind in (SECRET, TOKEN) and any(digit in text[start:end] for digit in "0123456789"):
            yield Secret(kind, start, end)


_CODE = r"[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{4,12})*"


def _codes_end(listed: str) -> int:
    """Where the last code of a list ends: each has a digit."""
    end = 0
    for each in _form(_CODE).finditer(listed):
        if not any(letter.isdigit() for letter in each[0]):
            break
        end = each.end()
    return end if end >= 6 else 0


_WAYS = (_blocks, _issued, _placed, _labelled, _cards, _listed)
