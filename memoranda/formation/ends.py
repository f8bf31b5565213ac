"""Whether a quotation says that something is over or not so.

A model that takes a statement for the end of something is believed only when a word says so. The
words are many, since it is the model that tells what is over.
"""

from __future__ import annotations

from memoranda.formation import words
from memoranda.formation.telling import small
from memoranda.formation.words.form import pattern

_CUE = pattern(
    r"\b(?:not|no|never|none|nothing|nobody|nor|neither|without|cannot)\b",
    r"n't\b|\b(?:cant|wont|dont|isnt|doesnt|arent|wasnt|didnt)\b",
    r"\bback (?:home|at|from|in|on|to)\b|\b(?:is|are|am|i'm|we're|was|were) back\b",
    r"\b(?:over|ended|ends|gone|removed|deleted|closed|shut|stopped|quit|left|cancell?ed|dropped"
    r"|forget|abandoned|revoked|expired|dead)\b",
    r"\b(?:nicht|nie|niemals|nichts|niemand|ohne|weder|kein\w{0,3}|vorbei|beendet|zurück|weg"
    r"|geschlossen|gelöscht|entfernt|abgelaufen|vergiss)\b",
    r"\b(?:nunca|jamás|nada|nadie|ninguna?|ningún|sin|tampoco|terminó|acabó|acabado|cerrad[oa]"
    r"|de vuelta|eliminad[oa]|olvida)\b",
    r"不|没|无|未|别(?!的|人)|非(?!常)|结束|取消|停|关闭|删|移除|离开|回到|忘",
)


def says_so(quote: str) -> bool:
    """Whether it says of anything that it is over or not so."""
    if _CUE.search(small(quote)):
        return True
    language = words.of(quote)
    return language is not None and language.ended.search(small(quote)) is not None
