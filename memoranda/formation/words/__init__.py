"""The words by which a sentence is told apart, language by language: what it must not be, and what
kind of statement it is. They are words of the language, never of a subject.

Patterns are matched with a sentence in small letters and with plain apostrophes. Each is looked for
anywhere unless it begins with `^`.
"""

from __future__ import annotations

import regex

from memoranda.formation.words import chinese, english, german, spanish
from memoranda.formation.words.form import Pattern, Words

__all__ = ["Pattern", "Words", "of"]

_HAN = regex.compile(r"\p{Han}")
_KANA_OR_HANGUL = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Hangul}]")
_LATIN = regex.compile(r"\p{Latin}[\p{Latin}\p{M}'’]*")
_OTHER = regex.compile(r"[\p{L}--\p{Latin}]", regex.V1)

_GERMAN = frozenset(
    """
    ich wir mein meine meinen meiner unser unsere unseren ist sind nicht und der die das den dem ein
    eine einen einer auf mit für im vom zum zur bei nach seit ab heißt läuft habe haben kein keine
    keinen immer nie jetzt bitte auch mich mir uns merk dass weil nur sehr bin hat wird werden von
    zu am du dir in steht alle wurde wurden er es war aber oder wenn noch schon mehr
    """.split()
)
_SPANISH = frozenset(
    """
    el la los las un una unos unas de del en que y no mi mis nuestro nuestra nuestros nuestras es
    son está están soy somos tengo tenemos me nos gusta con por para al se lo ya pero porque cuando
    muy a ahora siempre nunca uso usamos vivo como su sus este esta partir más prefiero recuerda yo
    """.split()
)
_GERMAN_LETTERS = regex.compile("[äöüß]")
_SPANISH_LETTERS = regex.compile("[ñáéíóú¿¡]")
_ENGLISH = frozenset(
    """
    i i'm i've we we're my our the a an is are was were and or but not of to in on at for with it
    that this you your be do don't have has had will would can never always from by as so no they he
    she me us just use now please if
    """.split()
)


LONGEST_LOOK = 600
"""Characters of a sentence by which its language is told."""


def of(text: str) -> Words | None:
    """The words of the language that a sentence is in, if it is one of ours."""
    if not text.isascii():
        if _KANA_OR_HANGUL.search(text):
            return None
        han = len(_HAN.findall(text))
        if han and han * 3 >= len(_LATIN.findall(text)):
            return chinese.words()
        if len(_OTHER.findall(text)) * 3 > len(text):
            return None
    said = [word.lower().replace("’", "'") for word in _LATIN.findall(text[:LONGEST_LOOK])]
    letters = " ".join(said)
    letters_of_spanish = len(_SPANISH_LETTERS.findall(letters))
    scores = {
        english.words: sum(word in _ENGLISH for word in said),
        german.words: sum(word in _GERMAN for word in said) + len(_GERMAN_LETTERS.findall(letters)),
        spanish.words: sum(word in _SPANISH for word in said) + letters_of_spanish,
    }
    return max(scores, key=lambda each: scores[each])()
