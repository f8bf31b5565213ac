"""Whether a text denies what was not denied, or tells as so what was.

Clauses are compared by the words they have in common; nothing is parsed, so that a paraphrase and
four languages are within reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from memoranda.formation import telling
from memoranda.formation.wording import MOST_READ, parts

_NOT = regex.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|\p{L}+n't)\b"
    r"|\b(?:nicht|nie|niemals|kein(?:e[nrms]?)?|ohne)\b"
    r"|\b(?:nunca|jamás|ningún|ninguna|ninguno|nada|nadie|sin)\b|[不没无别勿]"
)
_DENIES_NOTHING = regex.compile(
    r"\b(?:don't|do not|never) forget\b|\bnot (?:only|just|to mention|(?:too |so )?long ago)\b"
    r"|\bno (?:wait|doubt|problem|worries|matter)\b|^no[,.;:!]|\bwhy not\b|\bnot bad\b"
    r"|\b(?:can't|cannot|couldn't) (?:wait|help but|get enough|stop)\b|\bnothing (?:but|like)\b"
    r"|\blong time no \w+|\bnicht (?:nur|vergessen)\b|\bvergiss nicht\b"
    r"|\bno (?:solo|sólo|olvides)\b"
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
    r"|\b(?:and|und|y)\b(?= (?:i|we|my|our|the|it|it's|he|she|they|no|not|ich|wir|der|die|das|yo"
    r"|el|la)\b)"
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
        if clause.denied and not (denials or _denies_what_was(clause, now, before)):
            return "it denies what was not denied"
        if not clause.denies and _was_denied(clause, now, before):
            return "it tells as so what was denied"
    return None


def _denies_what_was(told: _Clause, now: Sequence[_Clause], before: Sequence[_Clause]) -> bool:
    """Whether it denies what was known and is not said again: "paragraphs, not bullet points"."""
    known = frozenset[str]().union(*(each.parts for each in before))
    said = frozenset[str]().union(*(each.parts for each in now))
    return bool(told.parts & known) and told.parts.isdisjoint(said)


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
        said = parts(each or "")
        cues = len(_NOT.findall(each or ""))
        denies = bool(cues or _DENIES.search(each or ""))
        if said:
            found.append(_Clause(said, cues % 2 == 1, denies))
        elif found and denies:
            found[-1] = replace(found[-1], denied=cues % 2 == 1, denies=True)
    return found
