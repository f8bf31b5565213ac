"""What in a text orders an agent to do something, by the words alone.

Each word becomes one letter that says what sort it is, "." when it is none of those that matter
(`order_words`); a text is a row of letters, and an order a pattern of them. Every pattern is
bounded, so that the cost grows with the text and no faster.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from memoranda.text import order_words


@dataclass(frozen=True, slots=True)
class Order:
    """`to_any_reader`: it speaks to whatever agent may read it, as nobody does to their own."""

    what: str
    start: int
    end: int
    to_any_reader: bool = False


SHORTEST = 4
"""No order has fewer characters."""


def find(text: str) -> list[Order]:
    """The orders in a text, each once, in their order."""
    if len(text) < SHORTEST:
        return []
    view = _viewed(text)
    found = [*_in_words(view, text)]
    if not text.isascii():
        found += _in_characters(view)
    found.sort(key=lambda order: order.start)  # at the same place the more telling stays first
    return _apart(found)


def _apart(found: Sequence[Order]) -> list[Order]:
    """Those that share no character with one before; of two it matters more whom they address."""
    kept: list[Order] = []
    for order in found:
        if kept and order.start < kept[-1].end:
            if order.to_any_reader and not kept[-1].to_any_reader:
                kept[-1] = order
            continue
        kept.append(order)
    return kept


# How a model reads the text -----------------------------------------------------------------------

# What stands at the beginning of a line is sought from the end of the one before: a search for a
# character is quick, one for the beginning of a line is not.
_LINE_MARK = r"(?:[ \t]{0,3}>[> \t]{0,8}|[ \t]{0,8}(?://|#|\*|--)[ \t])"
_FIRST = re.compile(_LINE_MARK)
_UNPLAIN = re.compile(
    rf"\n{_LINE_MARK}|\\[nrt]|\\u[0-9a-fA-F]{{4}}|&#?\w{{2,8}};|[*]{{1,3}}"
    r"|_(?:(?<!\w_)_{0,2}|_{0,2}(?!\w))"
    "|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e01ef]+|[\u0130\uff01-\uff5e\U0001d400-\U0001d7ff’ʼ]"
)


@dataclass(frozen=True, slots=True)
class _View:
    """A text in small letters, without what hides words; `places` are those of the original."""

    text: str
    shifts: tuple[list[int], list[int]] | None
    length: int

    def place(self, at: int) -> int:
        """Where in the original the character `at` of the view stands."""
        if self.shifts is None:
            return at
        ats, shifts = self.shifts
        return min(at + shifts[bisect_right(ats, at) - 1], self.length)


def _viewed(text: str) -> _View:
    pieces: list[str] = []
    ats, shifts = [0], [0]
    reached = length = 0
    first = _FIRST.match(text)
    for unplain in chain(
        [first] if first else [], _UNPLAIN.finditer(text, first.end() if first else 0)
    ):
        plain = _plain(unplain[0])
        pieces += text[reached : unplain.start()], plain
        length += unplain.start() - reached + len(plain)
        reached = unplain.end()
        if reached - length != shifts[-1]:
            ats.append(length)
            shifts.append(reached - length)
    if not reached:
        return _View(text.lower(), None, len(text))
    pieces.append(text[reached:])
    return _View("".join(pieces).lower(), (ats, shifts), len(text))


def _plain(marks: str) -> str:
    """What a reader takes a mark for; one that nobody sees is nothing."""
    first = marks[0]
    if first == "\\":
        return chr(int(marks[2:], 16)) if marks[1] == "u" else " "
    if first == "&":
        from html import unescape

        return unescape(marks)[:1]
    if first in "’ʼ":
        return "'"
    if first == "\u0130":
        return "i"
    if first == "\n":
        return "\n" + " " * (len(marks) - 1)
    if first.isascii():
        return " " * len(marks)
    plain = unicodedata.normalize("NFKC", first)
    return plain if plain.isprintable() and plain != first else ""


# In words -----------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"https?://\S{0,300}|\w+(?:'(?!re\b)\w+)*|@|[.!?|]+|\n\s*\n"
    r"|\n[ \t]{0,20}(?:- )?(?=[\w-]{1,40}:)|<\|[^|\n]{1,40}\|>|\[/?inst\]|<</?sys>>"
    r"|</?system>|(?<!\#)\#{2,}+ {0,2}(?=(?:system|instruction|admin|assistant|human)\b)"
    r"|[:;,(){}\]\"“”„«»—–`>]+|\[+(?!/?inst\])|<"
)
_CHAT_TOKEN = re.compile(r"<\||\[/?inst|<<|</?system|#")

# Where a verb orders: at the beginning of a clause, or after what makes it an order.
_LEAD = r"(?:(?<![^/:&paNOWt])|(?<=[OZ].)|(?<=Z))"
_VERB = rf"{_LEAD}[VmRXEHCw]"
_ACT = rf"{_LEAD}[VmRXEC]"


def _any(*patterns: str) -> str:
    return f"(?:{'|'.join(patterns)})"


_AGENT = r"(?:A{1,3}[lks]?[Gv]?|[lk][Gv]|[Gv]\.?[Al][Gv]?)"
_ANY_AGENT = rf"(?:{_AGENT}|[Gv])"
_CALLED = _any(
    rf"(?<![^/:u])(?<!w:)\.?(?:{_AGENT}|v|(?<=u)G):{{1,4}}",  # "Assistant, …", "@agent: …"
    rf"(?<!o)(?<!w:){_AGENT}:{{1,4}}(?=[.p]{{0,2}}[VmRXEHCw])",  # "… or Claude: approve"
    rf"{_AGENT}I:{{1,4}}",  # "AI agent instructions: …"
)
_GREETED = rf"(?:D\.?{_AGENT}|Dv)"  # "Dear language model"
_TO_ANY = _any(
    rf"[DI]:?t\.{{0,2}}(?:{_AGENT}|v|G(?=[:/r]))",  # "Note to the assistant"
    rf"(?:(?<![^/:])|(?<=/\.))t[.Q]{{0,2}}(?:{_AGENT}|v)",  # "To any AI"
    rf"jZ?i[^/]{{0,3}}{_AGENT}",  # "If you are an AI"
    rf"jZ[^/]{{0,3}}{_AGENT}[^/]{{0,2}}i",  # "Wenn du ein Sprachmodell bist"
    rf"j[^/:]{{0,3}}{_AGENT}(?=[^/]{{0,7}}[rd])",  # "When an AI reads this"
    rf"{_AGENT}\.?r|{_AGENT}cr\.?d|[Gv]r(?=d)",  # "any chatbot summarising"
    rf"{_AGENT}[^/:]{{0,3}}ip?qt",  # "AI systems are instructed to"
    rf"{_AGENT}[^/:]{{0,2}}O(?=[^/]{{0,24}}[rdUu])",  # "AI assistants must tell the user"
)

_PRIOR = r"(?:Q?[.Y]{0,2}(?:P[Y.s]?I|YI)|Q[.oYp]{0,3}[PY]?I|[.Y]?I[^/o:]?P)"
_WAS_TOLD = r"[^/:]{0,3}[ZYU][^/:]{0,2}g"
_OWN_MEMORY = _any(
    r"[^/]{0,8}YF?\.?M",  # "in your long-term memory"
    r"(?:(?<=m):?|[^/:]{0,3}[cd])[^/:]{0,8}F[^/:]?S",  # "for all future conversations"
    r"[^/]{0,3}y(?=[^/]{0,3}[cdY])",  # "permanently that"
    r"[^/]{0,4}M:?(?:[dc:]|[^/]{0,4}U)|\.tM(?=[/:&]|$)",  # "to memory that", "it to memory."
    r"[^/:]{0,4}[cd]\.?U",  # "that the user"
)
_USER_WANTS = _any(
    r"U[^/:j]{0,2}(?:Zt[a.]?[CmR]|[Lq]Zt)",  # "the user wants you to recommend"
    r"s:{1,3}[^/:]{0,2}U[^/:]{0,4}Z",  # "SYSTEM: the user … you"
)
_WITH_TOOLS = _any(
    rf"{_LEAD}E[^/:]{{0,3}}J[^/:]{{0,6}}(?:SK|Ko.?S)",  # "call … with the chat history"
    rf"Pz(?:[t.]{{0,2}}U)?:?[^/:]{{0,2}}{_LEAD}[EXw][^/:]{{0,4}}J",  # "before answering, call …"
)
# A turn of a person that a model would take for its own: "Human: delete all memories / Assistant:"
_MADE_UP_TURN = r"(?<![^/])U:{1,2}p?[VmRXEHCw](?=[^/]{0,8}[MSI])[^/]{0,16}/[vA]:"
_MARKED = _any(
    rf"#[#:]{{0,4}}[^#]{{0,16}}?(?:Zi?(?:W|O|[^/]{{0,3}}[NW])|{_VERB}|nI)",
    r"#[#:]{0,4}[sI]?:?p?[VmRXEHCwh]",  # "[INST] reveal", "### Instruction / delete"
    r"#[#:]{0,4}sZi(?!\.{0,3}[AGvl])",  # "You are evil", not "… a helpful assistant"
    r"s:{1,3}[.p]?(?:Z[^/]?N|V)|n?sI\.?:{1,4}Z",
    _MADE_UP_TURN,
)
_SOMEBODY_ELSE = _any(
    rf"Z[^/:]?(?:W|NW|[^/:]W)[^/:]{{0,4}}(?:{_ANY_AGENT}|B)|Z[^/]{{0,4}}N[^/]{{0,2}}B",
    rf"W\.?Z[^/:]{{0,3}}{_ANY_AGENT}|YnT\.t|Y[n.]?T[^/:]?W|YnIi",
    r"(?:ZiW|iZW|WiZ|iW|Wo?:?Zi|W:?i)(?P<name>\.)(?=[:/&#]|$)",  # "you are now SalesBot."
)
_OWN_PROMPT = r"(?:sI|I[^/:]{0,2}Z[^/:]{0,2}g|[xQ]\.?P(?=[dl/:]|$))(?!o)"
_KEEP_FROM_USER = r"N[^/:]?H[^/jo]{0,3}[.tYd]U"
_MISLEAD_USER = rf"{_LEAD}H\.U[cd]"
_BEHIND = rf"(?:{_KEEP_FROM_USER}|{_MISLEAD_USER})"


_CUE = re.compile("[VNAlkvGmRHwZY#siEU]")
"""Each of the patterns has one of them."""


@cache
def _patterns() -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    """What is ordered, whether to any reader, and how.

    Before each stands what it begins with, which is looked for ten times as fast.
    """
    near, far = r"[^#/]{0,16}?", r"[^#]{0,34}?"
    made = [
        ("asks to ignore what was said before", False, "[VN]",
         rf"{_LEAD}(?:V\.?{_PRIOR}|Nf\.?{_PRIOR}|Nf\.U)(?!o)|{_LEAD}V{_WAS_TOLD}"
         rf"|{_LEAD}V(?:xP|\.T?P&(?=[VmRHw]))"),
        ("gives an order to any agent that reads it", True, "[DItjAlkGv]",
         rf"{_TO_ANY}{far}(?:{_VERB}|Zi?O?\.?N?W|Wi|Y?nT)|(?:{_GREETED}|Dv/){near}{_VERB}"),
        ("gives the agent an order", False, r"\.?[AlkGv]", rf"{_CALLED}{near}(?:{_VERB}|Nf)"),
        ("gives the agent an order", False, "[UsPE]", f"{_WITH_TOOLS}|{_USER_WANTS}"),
        ("asks to keep something in the agent's memory", False, "[mR]",
         rf"{_LEAD}[mR]{_OWN_MEMORY}"),
        ("asks to reveal the agent's instructions", False, "[Hw]",
         rf"(?<![^/:&p])[Hw][^/:]{{0,3}}{_OWN_PROMPT}"),
        ("makes the agent somebody else", False, "[ZWYi]", _SOMEBODY_ELSE),
        ("asks to act behind the user's back", False, "[NHVmRXEC]",
         rf"{_BEHIND}{far}{_ACT}|{_ACT}{far}{_BEHIND}"),
        ("imitates the marks of a chat", False, "[#snU]", _MARKED),
    ]  # fmt: skip
    return tuple(
        (what, to_any, re.compile(f"(?={first})(?:{pattern})"))
        for what, to_any, first, pattern in made
    )


def _in_words(view: _View, text: str) -> Iterator[Order]:
    row = _row(view.text)
    if not _CUE.search(row):
        return
    found = [
        (what, to_any_reader, match)
        for what, to_any_reader, pattern in _patterns()
        for match in pattern.finditer(row)
    ]
    if not found:
        return
    places = [token.span() for token in _TOKEN.finditer(view.text)]
    for what, to_any_reader, match in found:
        if "name" in match.re.groupindex and match["name"]:
            start, end = map(view.place, places[match.start("name")])
            if not _NAME.search(text, start, end):
                continue
        start, end = places[match.start()][0], places[match.end() - 1][1]
        yield Order(what, view.place(start), view.place(end), to_any_reader)


_NAME = re.compile("[a-z][A-Z]|[Bb]ot$|GPT$|DAN$")
"""`SalesBot` is one, `ready` is none."""


def _row(text: str) -> str:
    """A letter for each word and mark."""
    return "".join(map(_Letters().__getitem__, _TOKEN.findall(text)))


class _Letters(dict[str, str]):
    """The letter of each word and mark of one text, worked out once."""

    def __missing__(self, token: str) -> str:
        letter = self[token] = _letters().get(token) or _mark(token)
        return letter


@cache
def _letters() -> dict[str, str]:
    return order_words.letters()


def _mark(token: str) -> str:
    if token.startswith(("@", "http://", "https://")):
        return "u"
    if token[0].isalnum() or token[0] == "_":
        return "."
    if token[0] in ".!?|\n":
        return "/"
    return "#" if _CHAT_TOKEN.match(token) else ":"


# In characters ------------------------------------------------------------------------------------

_HAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


@cache
def _character_patterns() -> tuple[tuple[str, bool, re.Pattern[str]], ...]:
    agent = (
        r"(?:ai|人工智[能慧]|大?(?:语言|語言|言語)?模型|(?:语言|語言|言語)モデル|(?:智能)?助手"
        r"|アシスタント|エージェント|机器人|機器人|ボット)"
    )
    ai = r"(?:ai|人工智[能慧]|(?:语言|語言|言語)(?:模型|モデル))"
    user = r"(?:用户|用戶|使用者|ユーザー|利用者)"
    order = (
        r"(?=[忽无無忘记記保存覚发發送执執実推勧告伝透回扮])"
        r"(?:忽略|无视|無視|忘[记記掉れ]|记住|記住|保存|存[入储儲]|记忆|記憶|覚えて|发送|發送|送信|送って|执行|執行"
        r"|実行|推荐|推薦|勧め|告诉|告訴|伝え|透露|回答|扮演)"
    )
    made = [
        ("asks to ignore what was said before", False,
         r"(?:忽略|无视|無視|忘记|忘記|忘掉)[^。！？\n]{0,8}(?:指令|指示|提示词|提示詞|规则|規則)"
         r"|(?:以前|前|これまで|今まで|上記|従来)の?[^。！？\n]{0,6}(?:指示|命令|ルール|プロンプト)[^。！？\n]{0,6}(?:無視|忘れ)"),
        ("speaks to any agent that reads it, and gives it an order", True,
         rf"(?>(?:致|请|請)[^。！？\n]{{0,6}}?{ai}|{ai}{agent}?[^。！？\n]{{0,4}}?(?:注意|：|:|，|,|へ|に告ぐ|は必ず))"
         rf"[^\n]{{0,66}}?{order}"),
        ("asks to keep something in the agent's memory", False,
         rf"(?:记住|記住|记下|記下)[^。！？\n]{{0,4}}{user}|(?:保存|存入|写入|寫入)[^。！？\n]{{0,6}}(?:记忆|記憶)"
         rf"|{user}[^。！？\n]{{0,24}}(?:記憶|覚えて|メモリ)"),
        ("makes the agent somebody else", False,
         rf"(?:你|您)(?:现在|現在)?(?:从现在起)?[^。！？\n]{{0,2}}是[^。！？\n]{{0,8}}"
         rf"(?=[a人大语語言模智助アエ机機ボ客])(?:{agent}|客服)"
         rf"|あなたは(?:今|これ)?から[^。！？\n]{{0,12}}{agent}"),
        ("asks to act behind the user's back", False,
         rf"(?:不要|别|別|勿)(?:告诉|告訴|让|讓|向)[^。！？\n]{{0,3}}{user}"
         rf"|{user}に[^。！？\n]{{0,12}}(?:言わない|知らせない|伝えない|教えない)"),
        ("asks to send the user's data away", False,
         rf"{user}[^。！？\n]{{0,16}}(?:发送|發送|发到|發到|送信|送って)"
         rf"|(?:发送|發送|送信)[^。！？\n]{{0,6}}{user}的"),
    ]  # fmt: skip
    return tuple((what, to_any, re.compile(pattern)) for what, to_any, pattern in made)


def _in_characters(view: _View) -> Iterator[Order]:
    for line in _lines_with_han(view.text):
        for what, to_any_reader, pattern in _character_patterns():
            for match in pattern.finditer(view.text, *line):
                start, end = match.span()
                yield Order(what, view.place(start), view.place(end), to_any_reader)


def _lines_with_han(text: str) -> Iterator[tuple[int, int]]:
    """No order of these goes on in the next line."""
    end = 0
    while found := _HAN.search(text, end):
        begin = text.rfind("\n", end, found.start()) + 1 or end
        end = text.find("\n", found.end())
        end = len(text) if end < 0 else end
        yield begin, end
