"""The words of time in English, German, Spanish and French.

A kind is what a word does in a phrase, the same in every language, so that one grammar reads them
all. Within a kind that counts (months, weekdays, numbers), the meanings stand in order, separated
by |, and the words for one by spaces; _ joins the words of one expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from memoranda.text.times.almanac import Unit, Yearly, days, months

SEASONS = (months(3, 3), months(6, 3), months(9, 3), months(12, 3))
"""Spring, summer, autumn, winter, of the northern half and by whole months."""

HOLIDAYS: Mapping[str, Yearly] = MappingProxyType(
    {
        "christmas": days(12, 24, 3),
        "christmas eve": days(12, 24),
        "christmas day": days(12, 25),
        "boxing day": days(12, 26),
        "new year": days(12, 31, 2),
        "new year's eve": days(12, 31),
        "new year's day": days(1, 1),
        "valentine": days(2, 14),
        "st patrick": days(3, 17),
        "independence day": days(7, 4),
        "halloween": days(10, 31),
    }
)

HOURS = ((0, 12), (12, 18), (17, 24), (18, 30))
"""Morning, afternoon, evening, night, in hours from the midnight before; rather too wide."""

FEW = {"couple": (2, 3), "few": (2, 6)}


@dataclass(frozen=True, slots=True)
class Word:
    kinds: frozenset[str]
    number: int = 0
    most: int = 0
    unit: Unit | None = None
    yearly: Yearly | None = None

    def __or__(self, other: Word) -> Word:
        return Word(
            self.kinds | other.kinds,
            self.number or other.number,
            self.most or other.most,
            self.unit or other.unit,
            self.yearly or other.yearly,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    months: str
    short_months: str = ""
    weekdays: str = ""
    short_weekdays: str = ""
    seasons: str = ""
    parts: str = ""
    units: Mapping[Unit, str] = field(default_factory=dict)
    holidays: Mapping[str, str] = field(default_factory=dict)
    numbers: str = ""
    few: Mapping[str, str] = field(default_factory=dict)
    nth: str = ""
    days_from_today: Mapping[int, str] = field(default_factory=dict)
    parts_of_days: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # day, part
    kinds: Mapping[str, str] = field(default_factory=dict)
    unsure: str = ""
    """Words of another language or names too: they count beside other words of this one only."""
    common: str = ""
    """Some of its commonest words, none of them English."""


ENGLISH = Language(
    months="""january | february | march | april | may | june | july | august | september
        | october | november | december""",
    short_months="jan | feb | mar | apr | | jun | jul | aug | sep sept | oct | nov | dec",
    weekdays="monday | tuesday | wednesday | thursday | friday | saturday | sunday",
    short_weekdays="mon | tue tues | wed | thu thur thurs | fri | sat | sun",
    seasons="spring springtime | summer summertime | autumn fall | winter wintertime",
    parts="morning | afternoon | evening | night",
    units={
        Unit.MINUTE: "minute minutes mins",
        Unit.HOUR: "hour hours",
        Unit.DAY: "day days",
        Unit.WEEKEND: "weekend week-end",
        Unit.WEEK: "week weeks",
        Unit.MONTH: "month months",
        Unit.QUARTER: "quarter quarters",
        Unit.YEAR: "year years yr yrs",
        Unit.DECADE: "decade decades",
    },
    holidays={
        "christmas": "christmas xmas",
        "christmas eve": "christmas_eve",
        "christmas day": "christmas_day",
        "boxing day": "boxing_day",
        "new year": "new_year's new_years new_year",
        "new year's eve": "new_year's_eve new_years_eve new_year_eve",
        "new year's day": "new_year's_day new_years_day",
        "valentine": "valentine's_day valentine's valentines_day",
        "st patrick": "st_patrick's_day saint_patrick's_day",
        "independence day": "independence_day",
        "halloween": "halloween",
    },
    numbers="""| one | two | three | four | five | six | seven | eight | nine | ten | eleven
        | twelve""",
    few={
        "couple": "couple couple_of a_couple a_couple_of",
        "few": "few a_few several some_few",
    },
    nth="first | second | third | fourth | fifth",
    days_from_today={
        -2: "day_before_yesterday",
        -1: "yesterday",
        0: "today earlier_today later_today",
        1: "tomorrow",
        2: "day_after_tomorrow",
    },
    parts_of_days={"tonight": (0, 3)},
    kinds={
        "THE": "the",
        "A": "a an",
        "OF": "of",
        "IN": "in",
        "WITHIN": "within",
        "DURING": "during throughout over",
        "ON": "on",
        "AT": "at for around as_of",
        "SINCE": "since",
        "UNTIL": "until till up_to through",
        "BY": "by",
        "BEFORE": "before prior_to",
        "AFTER": "after",
        "BETWEEN": "between",
        "AND": "and",
        "FROM": "from",
        "TO": "to",
        "LAST": "last previous",
        "PAST": "past this_past",
        "NEXT": "next upcoming coming",
        "THIS": "this earlier_this later_this the_current",
        "AGO": "ago back earlier",
        "AHEAD": "from_now",
        "EARLY": "early",
        "MID": "mid",
        "LATE": "late",
        "START": "start beginning",
        "MIDDLE": "middle",
        "END": "end",
        "HALF": "half",
        "EVERY": "every each",
    },
)

GERMAN = Language(
    months="""januar jänner | februar feber | märz | april | mai | juni | juli | august
        | september | oktober | november | dezember""",
    weekdays="""montag | dienstag | mittwoch | donnerstag | freitag | samstag sonnabend
        | sonntag""",
    seasons="frühling frühjahr | sommer | herbst | winter",
    parts="vormittag | nachmittag | abend | nacht",
    units={
        Unit.MINUTE: "minute minuten",
        Unit.HOUR: "stunde stunden",
        Unit.DAY: "tag tage tagen",
        Unit.WEEKEND: "wochenende wochenenden",
        Unit.WEEK: "woche wochen",
        Unit.MONTH: "monat monats monate monaten",
        Unit.QUARTER: "quartal quartals quartale quartalen",
        Unit.YEAR: "jahr jahres jahre jahren",
        Unit.DECADE: "jahrzehnt jahrzehnte jahrzehnten",
    },
    holidays={
        "christmas": "weihnachten",
        "christmas eve": "heiligabend heiligen_abend",
        "new year's eve": "silvester",
        "new year's day": "neujahr",
    },
    numbers="""| ein eine einem einen einer eines | zwei | drei | vier | fünf | sechs | sieben
        | acht | neun | zehn | elf | zwölf""",
    few={"few": "ein_paar einigen wenigen mehreren", "couple": "paar"},
    nth="""erste ersten erster erstes | zweite zweiten zweites | dritte dritten drittes
        | vierte vierten viertes | fünfte fünften fünftes""",
    days_from_today={
        -2: "vorgestern",
        -1: "gestern",
        0: "heute",
        1: "morgen",
        2: "übermorgen",
    },
    parts_of_days={"heute_morgen": (0, 0), "gestern_morgen": (-1, 0), "heute_früh": (0, 0)},
    kinds={
        "THE": "der die das dem den des jahr",
        "OF": "von vom",
        "IN": "in im",
        "DURING": "während übers über",
        "ON": "am an zum",
        "AT": "zu um",
        "SINCE": "seit ab",
        "UNTIL": "bis bis_zum bis_zur",
        "VOR": "vor vorm",
        "AFTER": "nach",
        "BETWEEN": "zwischen",
        "AND": "und",
        "FROM": "vom von",
        "TO": "bis bis_zum",
        "LAST": """letzte letzten letzter letztes letztem vergangene vergangenen vergangener
            vergangenes vorige voriger voriges vorigen""",
        "BEFORELAST": "vorletzte vorletzten vorletzter vorletztes",
        "NEXT": "nächste nächsten nächster nächstes kommende kommenden kommender kommendes",
        "THIS": "diese diesen dieser dieses diesem",
        "EARLY": "anfang",
        "MID": "mitte",
        "LATE": "ende",
        "EVERY": "jede jeden jeder jedes",
    },
    unsure="morgen",
    common="""ich wir der das ist und nicht wer hat haben zu mit den dem im wann wie für auf von
        bei habe sie es""",
)

SPANISH = Language(
    months="""enero | febrero | marzo | abril | mayo | junio | julio | agosto
        | septiembre setiembre | octubre | noviembre | diciembre""",
    weekdays="lunes | martes | miércoles | jueves | viernes | sábado | domingo",
    seasons="primavera | verano | otoño | invierno",
    parts="mañana | tarde | | noche",
    units={
        Unit.MINUTE: "minuto minutos",
        Unit.HOUR: "hora horas",
        Unit.DAY: "día días",
        Unit.WEEKEND: "fin_de_semana finde",
        Unit.WEEK: "semana semanas",
        Unit.MONTH: "mes meses",
        Unit.QUARTER: "trimestre trimestres",
        Unit.YEAR: "año años",
        Unit.DECADE: "década décadas",
    },
    holidays={
        "christmas": "navidad navidades",
        "christmas eve": "nochebuena",
        "new year's eve": "nochevieja",
        "new year's day": "año_nuevo",
    },
    numbers="""| un una uno | dos | tres | cuatro | cinco | seis | siete | ocho | nueve | diez
        | once | doce""",
    few={"couple": "un_par_de par_de", "few": "unos unas algunos algunas varios varias"},
    nth="""primer primera primero | segundo segunda | tercer tercera | cuarto cuarta
        | quinto quinta""",
    days_from_today={
        -2: "anteayer antes_de_ayer",
        -1: "ayer",
        0: "hoy",
        1: "mañana",
        2: "pasado_mañana",
    },
    parts_of_days={
        "anoche": (-1, 3),
        "esta_mañana": (0, 0),
        "ayer_por_la_mañana": (-1, 0),
        "ayer_por_la_tarde": (-1, 1),
        "ayer_por_la_noche": (-1, 3),
    },
    kinds={
        "THE": "el la los las",
        "OF": "de del",
        "IN": "en",
        "WITHIN": "dentro_de",
        "DURING": "durante",
        "ON": "al",
        "AT": "para por",
        "SINCE": "desde",
        "UNTIL": "hasta",
        "BEFORE": "antes_de antes_del",
        "AFTER": "después_de después_del despues_de despues_del",
        "BETWEEN": "entre",
        "AND": "y",
        "FROM": "del desde",
        "TO": "al hasta a",
        "LAST": "último última",
        "PAST": "últimos últimas pasados pasadas",
        "POSTLAST": "pasado pasada anterior",
        "NEXT": "próximo próxima próximos próximas",
        "POSTNEXT": "que_viene próximo próxima siguiente",
        "THIS": "este esta",
        "HACE": "hace",
        "EARLY": "principios_de comienzos_de inicios_de",
        "MID": "mediados_de",
        "LATE": "finales_de fines_de",
        "EVERY": "cada todos_los todas_las",
        "NOTDAY": "la_mañana",
    },
    unsure="mayo domingo mañana julio",
    common="""el los las que en por con qué cuándo fue del y lo se es una para dónde quién hicimos
        esta este""",
)

FRENCH = Language(
    months="""janvier | février | mars | avril | mai | juin | juillet | août | septembre | octobre
        | novembre | décembre""",
    weekdays="lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche",
    seasons="printemps | été | automne | hiver",
    parts="matin | après-midi | soir | nuit",
    units={
        Unit.MINUTE: "minute minutes",
        Unit.HOUR: "heure heures",
        Unit.DAY: "jour jours",
        Unit.WEEKEND: "week-end weekend",
        Unit.WEEK: "semaine semaines",
        Unit.MONTH: "mois",
        Unit.QUARTER: "trimestre trimestres",
        Unit.YEAR: "an ans année années",
        Unit.DECADE: "décennie décennies",
    },
    holidays={"christmas": "noël", "new year's day": "nouvel_an jour_de_l'an"},
    numbers="""| un une | deux | trois | quatre | cinq | six | sept | huit | neuf | dix | onze
        | douze""",
    few={"few": "quelques plusieurs", "couple": "une_paire_de"},
    nth="""premier première | deuxième second seconde | troisième | quatrième | cinquième""",
    days_from_today={
        -2: "avant-hier",
        -1: "hier",
        0: "aujourd'hui",
        1: "demain",
        2: "après-demain",
    },
    parts_of_days={},
    kinds={
        "THE": "le la les l",
        "OF": "de du des d",
        "IN": "en",
        "WITHIN": "dans",
        "DURING": "pendant durant au_cours_de",
        "ON": "au",
        "AT": "à pour vers",
        "SINCE": "depuis",
        "UNTIL": "jusqu'à jusqu'au jusqu'en",
        "BEFORE": "avant",
        "AFTER": "après",
        "BETWEEN": "entre",
        "AND": "et",
        "FROM": "du de depuis",
        "TO": "au à jusqu'au",
        "PAST": "derniers dernières",
        "POSTLAST": "dernier dernière passé passée",
        "NEXT": "prochains prochaines",
        "POSTNEXT": "prochain prochaine",
        "THIS": "ce cet cette",
        "HACE": "il_y_a",
        "EARLY": "début début_de",
        "MID": "mi",
        "LATE": "fin fin_de",
        "EVERY": "chaque tous_les toutes_les",
    },
    unsure="hier mars",
    common="""je tu il elle nous vous le la les est que qui avec dans pour sur et au une ai en du
        avons depuis""",
)

LANGUAGES = (ENGLISH, GERMAN, SPANISH, FRENCH)

_TELLING = frozenset(
    "MONTH MAY WEEKDAY SHORTDAY UNIT WEEKEND SEASON HOLIDAY TODAY PART PARTDAY".split()
)
"""Every phrase has a word of one of these kinds, or a year in digits."""


@cache
def lexicon(language: Language) -> Mapping[str, Word]:
    """From an expression in small letters to what it can be; words of one are joined by spaces."""
    found: dict[str, Word] = {}
    for name, word in _entries(language):
        key = name.replace("_", " ")
        found[key] = found[key] | word if key in found else word
    return MappingProxyType(found)


@cache
def beginnings(language: Language) -> Mapping[str, tuple[int, ...]]:
    """The first words of expressions of several words, with how many those have, most first."""
    found: dict[str, set[int]] = {}
    for name in lexicon(language):
        words = name.split(" ")
        if len(words) > 1:
            found.setdefault(words[0], set()).add(len(words))
    return {first: tuple(sorted(counts, reverse=True)) for first, counts in found.items()}


@cache
def telling() -> Mapping[str, tuple[Language, ...]]:
    """The words without which there is no phrase, and the languages that they may be of."""
    found: dict[str, tuple[Language, ...]] = {}
    for language in LANGUAGES:
        for name, word in lexicon(language).items():
            if word.kinds & _TELLING:
                main = max(re.findall(r"[^\W\d_]+", name), key=len)
                if language not in found.get(main, ()):
                    found[main] = (*found.get(main, ()), language)
    return found


def is_sure(word: str, language: Language, said: Set[str]) -> bool:
    """Whether a word is of a language, as far as the others of the text tell."""
    if word not in language.unsure.split():
        return True
    others = {each for other in LANGUAGES if other is not language for each in other.common.split()}
    own = frozenset(language.common.split())
    return len(said) == 1 or len(said & own) > len(said & (others - own))


@cache
def beside_years(language: Language) -> frozenset[str]:
    """The words that make a number behind them a year."""
    kinds = frozenset("IN DURING SINCE UNTIL BEFORE VOR AFTER BETWEEN FROM".split())
    return frozenset(
        name.split(" ")[0] for name, word in lexicon(language).items() if word.kinds & kinds
    )


def _entries(language: Language) -> Iterator[tuple[str, Word]]:
    for number, name in _counted(language.months, 1):
        kind = "MAY" if name in ("may", "march") else "MONTH"
        yield name, _word(kind, number, yearly=months(number))
    for number, name in _counted(language.short_months, 1):
        yield name, _word("MAY", number, yearly=months(number))
    for number, name in _counted(language.weekdays, 0):
        yield name, _word("WEEKDAY", number)
    for number, name in _counted(language.short_weekdays, 0):
        yield name, _word("SHORTDAY", number)
    for number, name in _counted(language.seasons, 0):
        yield name, _word("SEASON", number, yearly=SEASONS[number])
    for number, name in _counted(language.parts, 0):
        yield name, _word("PART", number)
    yield from _quantities(language)
    for holiday, names in language.holidays.items():
        for name in names.split():
            yield name, _word("HOLIDAY", yearly=HOLIDAYS[holiday])
    for day, names in language.days_from_today.items():
        for name in names.split():
            yield name, _word("TODAY", day)
    for name, (day, part) in language.parts_of_days.items():
        yield name, _word("PARTDAY", day, part)
    for kind, names in language.kinds.items():
        for name in names.split():
            yield name, _word(kind)


def _quantities(language: Language) -> Iterator[tuple[str, Word]]:
    for unit, names in language.units.items():
        for name in names.split():
            yield name, _word("WEEKEND" if unit is Unit.WEEKEND else "UNIT", unit=unit)
    for number, name in _counted(language.numbers, 0):
        yield name, _word("NUMBER", number, number)
    for few, names in language.few.items():
        for name in names.split():
            yield name, _word("NUMBER", *FEW[few])
    for number, name in _counted(language.nth, 1):
        yield name, _word("NTH", number)


def _word(
    kind: str,
    number: int = 0,
    most: int = 0,
    unit: Unit | None = None,
    yearly: Yearly | None = None,
) -> Word:
    return Word(frozenset((kind,)), number, most, unit, yearly)


def _counted(table: str, start: int) -> Iterator[tuple[int, str]]:
    for number, names in enumerate(table.split("|"), start):
        for name in names.split():
            yield number, name
