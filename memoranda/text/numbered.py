"""Names that a number tells apart: web-03, Room 103, PR #319, port 9077, 10.0.1.51.

A number alone is none, nor is a version, a quantity or a year.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

REFERENCE = "#"
"""What PR, issue and ticket have in common: a bare #319 does not say which it is."""

_REFERENCES = r"pull[ ]requests?|merge[ ]requests?|prs?|mrs?|issues?|tickets?|bugs?|incidents?"
_ALSO_NUMBERED = frozenset("port vlan channel desk".split())
_HOSTS = (
    "web|db|nas|srv|server|node|host|vm|pi|rpi|proxy|gw|router|switch|ns|mail|app|api|pve|prod|"
    "staging|stage|worker|master|cache|lb|bastion|nuc|esxi|edge|dns|sensor|cam|camera|printer"
)
# Standards and models end in a number too, and each is a thing of its own; and mid-20 is no name.
_OTHERWISE = (
    "utf|iso|iec|rfc|sha|md|covid|gpt|llama|claude|gemini|gemma|qwen|din|en|mp|tls|http|cve|"
    "mid|pre|post|early|late|top|under|over|day|week|step|part|age|version|level|plus|minus"
)


@cache
def _pattern() -> regex.Pattern[str]:
    """Every way to write one; it takes time to make."""
    from memoranda.text.entity_words import NUMBERED, PRODUCTS

    # A node is a version of Node as often as one of many.
    things = "|".join(sorted((NUMBERED - PRODUCTS - {"node"}) | _ALSO_NUMBERED))
    return regex.compile(
        rf"""(?<![\p{{L}}\p{{N}}_./:@-])(?:
          (?P<address>\p{{N}}{{1,3}}(?:\.\p{{N}}{{1,3}}){{3}})
        | (?P<host>(?!(?:{_OTHERWISE})-)\p{{L}}{{2,20}}+(?:-\p{{L}}{{1,20}}+){{0,3}}-\p{{L}}{{0,3}}
          |(?:{_HOSTS}))(?P<of_host>\p{{N}}{{1,6}})
        | (?:(?P<reference>{_REFERENCES})[ ]|(?P<thing>{things})[ ])?\#(?P<marked>\p{{N}}{{1,7}})
        | (?:(?P<referred>{_REFERENCES})|(?P<kind>{things}))[ ](?P<number>\p{{N}}{{1,7}}\p{{L}}?)
        )(?![\p{{L}}\p{{N}}_%]|[.,:/-]\p{{N}}|-\p{{L}})""",
        regex.IGNORECASE | regex.VERBOSE,
    )


_FOLLOWING = regex.compile(r" *+(\p{L}++)")
_NUMBER = regex.compile(r"\p{N}{1,3}+(?:\.\p{N}{1,3}+){3}|\p{N}++\p{L}?+")

TELLING = 3
"""So many digits are seldom those of something else."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A name with a number: what it is one of, and which one."""

    name: str
    kind: str
    number: str
    start: int

    @property
    def spellings(self) -> tuple[str, ...]:
        """What to look up: a text that has none of them does not name it."""
        stem = self.name[: -len(self.number)]
        if stem and stem[-1] not in " #":
            words = stem.replace("-", " ").strip()
            return (f"{words} {self.number}", f"{words}{self.number}")
        if len(self.number) >= TELLING:
            return (self.number,)
        return tuple(f"{stem.strip(' #')} {each}{self.number}" for each in ("", "no ", "number "))


def numbered(text: str) -> Iterator[Numbered]:
    """The names with a number in a text, as often as they stand there."""
    if not _NUMBER.search(text):
        return
    from memoranda.text.entity_words import COUNTED

    for match in _pattern().finditer(text):
        following = _FOLLOWING.match(text, match.end())
        counts = following is not None and following[1].lower() in COUNTED
        if match["address"]:
            yield Numbered(match[0], "address", match[0], match.start())
        elif match["host"]:
            yield Numbered(
                match[0], match["host"].lower().rstrip("-"), match["of_host"], match.start()
            )
        elif match["marked"]:
            kind = (match["thing"] or REFERENCE).lower()
            yield Numbered(match[0], kind, match["marked"], match.start())
        elif not counts:
            kind = REFERENCE if match["referred"] else match["kind"].lower()
            yield Numbered(match[0], kind, match["number"].lower(), match.start())


def is_of_another(text: str, asked: Numbered) -> bool:
    """Whether a text names one of the same kind, and says the number asked for nowhere."""
    if asked.number in (each.lower() for each in _NUMBER.findall(text)):
        return False
    return any(each.kind == asked.kind for each in numbered(text))
