"""What a user asks for, decides and rules in their own words, sentence by sentence.

It is for the words that a conversation goes on by, not for memories: a request of the moment
counts, and so does one that is put as a question. What was pasted or quoted is not theirs.
"""

from __future__ import annotations

from functools import cache

from memoranda.formation import telling, words
from memoranda.formation.words import Pattern, Words
from memoranda.formation.words.form import pattern
from memoranda.text.masking import mask
from memoranda.types import Kind

LONGEST = 600
"""Characters of a sentence; what is longer was hardly typed."""

_KINDS = frozenset((Kind.DECISION, Kind.CONSTRAINT, Kind.PREFERENCE))
_OPENERS = (
    r"^(?:(?:ok(?:ay)?|now|then|so|and|but|also|next|first|well|yes|no|great|good|right|hi|hey)"
    r"[,.!: ]+)*"
)
_TELLS = r"(?<!\b(?:i|we|they|he|she|you|it|that|who|have|has|had|i've|we've|to) )"
"""Before a word that tells somebody what to do if nobody is said to do it."""


def wanted(content: str) -> list[tuple[int, int]]:
    """Where in what a user typed stand the sentences that ask for something or decide it."""
    masked = mask(content)
    return [
        (start, end)
        for start, end in masked.sentences()
        if end - start <= LONGEST and _is_wanted(content[start:end])
    ]


def _is_wanted(text: str) -> bool:
    language = words.of(text)
    if language is None:
        return False
    small = telling.small(text)
    if _asks(language.name).search(small):
        return True
    opened = language.openers.match(small)
    said = small[opened.end() :] if opened else small
    ordered = language.orders.search(said) or language.tail.search(said)
    return bool(ordered) or _decides(language, said)


def _decides(language: Words, said: str) -> bool:
    if any(veto.search(said) for veto in language.whole.values()):
        return False
    return any(each.search(said) for kind, each in language.kinds if kind in _KINDS)


@cache
def _asks(language: str) -> Pattern:
    """What asks for something, besides an order: a question may, and a wish."""
    return pattern(*_ASKS.get(language, (r"(?!)",)))


_ASKS = {
    "English": (
        _OPENERS + r"(?:can|could|would|will) (?:you|we)\b",
        r"\b(?:i|we)(?:'d| would)? (?:like|want|need) (?:you|us|it|this|that|the|to|a|an)\b",
        r"\b(?:please|let's|let us|make sure|be sure|from now on|instead|must|must not|mustn't)\b",
        r"\b(?:you|we|it|they) (?:should|shouldn't|need to|have to|are to|may not|can't)\b",
        _TELLS + r"\b(?:don't|do not|never|always) (?:ever )?\w+",
        r"\b(?:go with|stick (?:to|with)|switch to|decided|decision)\b",
        r"\bwe(?:'ll| will) (?:use|go|keep|do|take|drop)\b",
    ),
    "German": (
        r"^(?:(?:ok|gut|und|also|dann|jetzt)[,. ]+)*(?:kannst|könntest|würdest|könnt) (?:du|ihr)\b",
        r"\b(?:bitte|lass uns|lasst uns|achte darauf|ab jetzt|stattdessen|immer|nie|niemals)\b",
        r"\b(?:ich|wir) (?:will|wollen|möchte|möchten|brauche|brauchen|hätte gern)\b",
        r"\b(?:du|wir|es) (?:sollst|sollen|soll|musst|müssen|muss|darfst|dürfen|darf)\b",
        r"\b(?:entschieden|beschlossen|wir (?:nehmen|bleiben bei|nutzen|machen))\b",
    ),
    "Spanish": (
        r"\b(?:puedes|podrías|podemos|quiero|queremos|necesito|necesitamos|quisiera)\b",
        r"\b(?:por favor|asegúrate|vamos a|a partir de ahora|en su lugar|siempre|nunca)\b",
        r"\b(?:debes|debemos|debe|tienes que|tenemos que|hay que)\b",
        r"\b(?:decidimos|decidido|hemos decidido|nos quedamos con)\b",
    ),
    "Chinese": (
        "请|麻烦|能不能|可以.{0,12}吗|帮我|我(?:们)?(?:想要|需要|要你|希望)|必须|不要|不许|别|务必|一定要|总是|以后",
        "决定|就用|改用|我们(?:用|选)",
    ),
}  # fmt: skip
