"""Whether a text is English, as far as the commonest words and the script tell."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import regex

from memoranda.text.stopwords import ENGLISH

# Words without content of Spanish, German, French, Italian, Portuguese, Swedish, Danish, Dutch,
# Indonesian, Turkish and Polish, less those that are English words too.
_FOREIGN = (
    frozenset(
        """
    el la los las de al un una unos nos ya sí que qué del por para con sin su sus es está están y
    pero mi mis muy más
    cuando cuándo donde dónde cómo porque también esta este esto ese eso hay fue ser le lo se en
    der das ist sind und nicht ein eine einen einem einer ich du er wir ihr sie mit auf für von zu
    zum zur den dem des dass auch wenn aber oder wie wo wann nach bei aus über kein keine mein
    meine hat habe haben wird noch nur schon immer uns mich mir im vom keinen bitte jede jeder
    jeden gern sehr kann
    le les une des et est pas pour dans sur avec qui que ne je il elle nous vous au aux du ce cette
    mais ou où sont mon ma mes son sa ses plus chez quand tous toutes
    il gli della dello delle dei nel nella per con non è sono che chi anche ma ho mio mia questo
    um uma não os da das dos na nas pelo seu sua meu minha são mas
    het een van ik niet dat op te voor zijn naar bij ook maar heeft
    och att det som en på är av för inte jag med till har den ett
    jeg ikke og er det at til som kan skal vil hvor hvad hva
    mijn jouw jij hij zij wij deze dit dan nog wel geen
    yang dan di ke dari ini itu untuk tidak dengan saya kamu
    ve bir bu için çok ben sen ile ama ne nasıl
    nie się na do że jest to jak po za od czy mój moja
    """.split()
    )
    - ENGLISH
)

# Words that ask in those languages, and are no English words or names.
_ASKING = frozenset(
    """
    wo wer wem wen wessen wann wie warum wieso weshalb woher wohin wofür womit wozu welche welcher
    welches welchen welchem wieviel wieviele ist kann kannst gibt
    dónde adónde quién quiénes cuándo cómo cuál cuáles cuánto cuánta cuántos cuántas qué donde quien
    quienes cuando cual cuales cuanto cuantos
    où qui quand quel quelle quels quelles pourquoi combien
    perché quando quale quali quanto quanti
    onde quem qual quais quantos
    waar wie wanneer waarom welke wat
    vem när hur varför vilken vilket vilka
    hvor hvem hvad hva hvornår hvordan hvorfor hvilken hvilket når
    siapa kapan bagaimana kenapa mengapa berapa dimana
    nerede nereye nasıl neden hangi kaç
    gdzie kto kiedy dlaczego który która które
    """.split()
)
_AFTER_WAS = frozenset(
    """macht mag trinkt isst ist hat weiß sagt sagte tut kostet heißt bedeutet wollte möchte kann
    braucht wird war gibt arbeitet passiert passierte meint meinte hält""".split()
)
"""What follows the German "was"; an English one is followed by who or what was."""

_LETTERS = regex.compile(r"\p{L}")
_LATIN = regex.compile(r"\p{Latin}")
_WORD = regex.compile(r"\p{L}+")

MOST_OTHER_SCRIPT = 0.3
"""Of the letters of an English text, how large a share may be of another script, for names."""


_PARTICLES = frozenset("de la los las el al van von der den di da du le les del".split())
"""What stands before a name in English too, as in Los Angeles."""


def is_english(text: str) -> bool:
    """Whether nothing says that a text is in another language; a few names decide nothing."""
    letters = len(_LETTERS.findall(text))
    if len(_LATIN.findall(text)) < (1 - MOST_OTHER_SCRIPT) * letters:
        return False
    words = _WORD.findall(unicodedata.normalize("NFC", text))
    foreign = sum(_is_foreign(*pair) for pair in pairwise([*words, ""]))
    if "¿" in text or _asks_in_another(words):
        foreign = max(2, foreign + 1)
    return foreign < 2 or foreign <= sum(word.lower() in ENGLISH for word in words)


def _asks_in_another(words: list[str]) -> bool:
    """Whether the first or last of some words asks, which a short question says little besides."""
    if len(words) < 2:
        return False
    first, *rest = words
    if first.lower() == "was" and rest[0] in _AFTER_WAS:
        return True
    return first.lower() in _ASKING or words[-1] in _ASKING


def _is_foreign(word: str, following: str) -> bool:
    small = word.lower()
    if small in _PARTICLES and (following.istitle() or following.lower() in _PARTICLES):
        return False
    return small in _FOREIGN or not word.isascii()
