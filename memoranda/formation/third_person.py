"""From the first person to the third, language by language."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import regex

from memoranda.formation.words.english import CHANGES
from memoranda.text.claims.words import is_past, may_be_past
from memoranda.text.words import fold
from memoranda.types import Kind

# English ------------------------------------------------------------------------------------------

_ENGLISH_SELF = regex.compile(
    r"(?<![\w-])(?:I|[Ww]e)(?:['’](?P<short>m|re|ve|ll|d))?(?![\w'’-])"
    r"|(?<![\w-])(?P<other>[Mm]y|[Oo]ur|[Mm]e|[Uu]s|[Mm]ine|[Oo]urs|[Mm]yself|[Oo]urselves"
    r"|i(?=['’ ]))\b(?!-)"
    r"(?:(?<=\bi)['’](?P<low>m|ve|ll|d)(?!\w))?"
)
_THEIRS = {
    "my": "their", "our": "their", "me": "them", "us": "them", "mine": "theirs", "ours": "theirs",
    "myself": "themselves", "ourselves": "themselves",
}  # fmt: skip
_AT_FIRST = {
    "my": "the user's", "our": "the user's", "me": "the user", "us": "the user",
    "your": "the agent's", "i": "the user",
}  # fmt: skip
_WITHIN_AN_ORDER = regex.compile(
    r"(?<![\w-])(?:(?P<self>my|our|me|us|your)|you(?P<verb> \w+)?)(?![\w-])", regex.IGNORECASE
)
_VERB = regex.compile(
    r"(?P<adverbs>(?:\s+(?:really|also|still|just|always|usually|often|currently|now|actually|never"
    r"|both|all|already|recently|finally|only|mainly|mostly|honestly|totally|absolutely|generally"
    r"|personally|even|once|no longer"
    r"|(?!(?:re|app|rep|f|supp|comp|multip)ly)\w+ly))*)\s+(?P<verb>[\w'’]+)"
)
_UNCHANGED = frozenset(
    "can could will would shall should may might must cannot can't won't couldn't wouldn't".split()
)
_IRREGULAR = {
    "am": "is", "are": "is", "have": "has", "do": "does", "don't": "does not", "were": "was",
    "aren't": "is not", "haven't": "has not", "weren't": "was not", "go": "goes",
}  # fmt: skip
_SHORT = {"m": "is", "re": "is", "ve": "has", "ll": "will", "d": "would"}
_SHORT_THEY = {"m": "are", "re": "are", "ve": "have", "ll": "will", "d": "would"}
_AS_THEY = {"am": "are", "was": "were"}
_WORK = frozenset((Kind.DECISION, Kind.CONSTRAINT, Kind.LESSON, Kind.ENVIRONMENT))


def _english(text: str, kind: Kind) -> str:
    if regex.match(r"let['’]?s\s", text, regex.IGNORECASE):
        return f"User decided to {_english_inner(text[5:].lstrip())}"
    pieces: list[str] = []
    at, known = 0, False
    while found := _ENGLISH_SELF.search(text, at):
        pieces.append(text[at : found.start()])
        word = (found["other"] or found[0][:2].rstrip("'’ ")).lower()
        if word in ("i", "we"):
            name = "they" if known else _subject(word, kind, first=found.start() == 0)
            turned, at = _with_verb(text, found, known=known)
            pieces.append(name + turned)
            known = True
        else:
            pieces.append(_THEIRS[word] if known else _AT_FIRST.get(word, "the user's"))
            if found.start() == 0:
                pieces[-1] = pieces[-1].replace("the user", "User")
            at = found.end()
    return "".join([*pieces, text[at:]])


def _subject(word: str, kind: Kind, *, first: bool) -> str:
    user = "User" if first else "the user"
    return f"{user}'s team" if word == "we" and kind in _WORK else user


def _with_verb(text: str, found: regex.Match[str], *, known: bool) -> tuple[str, int]:
    """What stands after "User" or "they", and up to where that is told."""
    short = found["short"] or found["low"]
    if short:
        return f" {(_SHORT_THEY if known else _SHORT)[short]}", found.end()
    verb = _VERB.match(text, found.end())
    if verb is None:
        return "", found.end()
    said = verb["verb"].replace("’", "'")
    turned = _AS_THEY.get(said, said) if known else _third(said)
    return f"{verb['adverbs']} {turned}", verb.end()


def _third(verb: str) -> str:
    """The form of a verb that goes with he or she."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if (
        verb in _UNCHANGED
        or verb in CHANGES
        or (is_past(verb) and not may_be_past(verb))
        or not verb.islower()
    ):
        return verb
    if not verb.isalpha() or verb in ("was", "had", "did") or len(verb) < 2:
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


_NEGATED = regex.compile(r"^(?:please\s+)?(?:do not|don['’]t|never)\s+", regex.IGNORECASE)


def _english_order(text: str, kind: Kind) -> str:
    plain = regex.sub(r"^(?:please,?\s+)|[,\s]+please(?=[.!]*$)", "", text, flags=regex.IGNORECASE)
    if negated := _NEGATED.match(plain):
        never = "never" if "never" in negated[0].lower() else "not"
        return f"User asks {never} to {_english_inner(plain[negated.end() :])}"
    if regex.match(r"no\s", plain, regex.IGNORECASE):
        return f"User asks for {_english_inner(_lowered(plain))}"
    if regex.match(r"(?:when|before|after|for|from|whenever|in)\b", plain, regex.IGNORECASE):
        return f"User asks: {_english_inner(plain)}"
    return f"User asks to {_english_inner(_lowered(plain))}"


def _english_inner(text: str) -> str:
    """Within an order "me" is the user who gives it, and "you" the agent."""
    return _WITHIN_AN_ORDER.sub(_english_other, text)


def _english_other(found: regex.Match[str]) -> str:
    if found["self"]:
        return _AT_FIRST[found["self"].lower()]
    return f"the agent {_third(found['verb'][1:])}" if found["verb"] else "the agent"


def _lowered(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() or text[1:2] == "'" else text


# German -------------------------------------------------------------------------------------------

_GERMAN_SELF = regex.compile(
    r"\b(?P<verb>\p{Ll}+) (?P<after>ich|wir)\b"
    r"|\b(?P<self>[Ii]ch|[Ww]ir)(?: (?P<follows>\p{Ll}+))?\b"
    r"|\b(?P<mine>[Mm]ein|[Uu]nser)(?:e[rnms]?)? (?P<thing>(?:\p{Ll}+ ){0,2}\p{Lu}[\p{L}-]*)"
    r"|\b(?P<me>mir|mich|uns)\b"
)
_GERMAN_VERBS = {
    "bin": "ist", "sind": "ist", "habe": "hat", "hab": "hat", "haben": "hat", "werde": "wird",
    "werden": "wird", "esse": "isst", "essen": "isst", "fahre": "fährt", "fahren": "fährt",
    "spreche": "spricht", "sprechen": "spricht", "nehme": "nimmt", "nehmen": "nimmt",
    "sehe": "sieht",
    "laufe": "läuft", "laufen": "läuft", "lese": "liest", "lesen": "liest", "gebe": "gibt",
    "geben": "gibt", "trage": "trägt", "tragen": "trägt", "schlafe": "schläft", "helfe": "hilft",
    "wollen": "will", "können": "kann", "müssen": "muss", "dürfen": "darf", "mögen": "mag",
    "wissen": "weiß", "sollen": "soll", "halte": "hält", "halten": "hält", "heiße": "heißt",
    "waren": "war", "hatten": "hatte", "wurden": "wurde", "tun": "tut", "treffe": "trifft",
}  # fmt: skip


def _german(text: str, kind: Kind) -> str:
    return _GERMAN_SELF.sub(_german_word, text)


_ICH_BEFORE = regex.compile(r"\b(?:ich|wir)\b[^,;]*$", regex.IGNORECASE)


def _german_word(found: regex.Match[str]) -> str:
    if found["me"]:
        if _ICH_BEFORE.search(found.string, 0, found.start()):
            return "sich"
        return "dem Nutzer" if found["me"] == "mir" else "den Nutzer"
    if found["mine"]:
        return f"{found['thing']} des Nutzers"
    if found["self"]:
        name = "Nutzer" if found["self"].lower() == "ich" else "Team des Nutzers"
        return f"{name} {_german_third(found['follows'])}" if found["follows"] else name
    name = "Nutzer" if found["after"] == "ich" else "Team des Nutzers"
    return f"{_german_third(found['verb'])} {name}"


def _german_third(verb: str) -> str:
    if verb in _GERMAN_VERBS:
        return _GERMAN_VERBS[verb]
    stem = verb.removesuffix("n").removesuffix("e")
    if stem == verb or len(stem) < 2 or verb in ("nie", "keine", "heute", "gerne", "auch"):
        return verb
    return f"{stem}et" if stem.endswith(("t", "d")) else f"{stem}t"


def _german_order(text: str, kind: Kind) -> str:
    return f"Nutzer wünscht: {regex.sub(r'^[Bb]itte,? ', '', text)}"


# Spanish ------------------------------------------------------------------------------------------

_SPANISH_VERBS = {
    "soy": "es", "somos": "es", "estoy": "está", "estamos": "está", "tengo": "tiene",
    "tenemos": "tiene", "voy": "va", "vamos": "va", "hago": "hace", "hacemos": "hace",
    "prefiero": "prefiere", "preferimos": "prefiere", "uso": "usa", "usamos": "usa", "vivo": "vive",
    "vivimos": "vive", "trabajo": "trabaja", "trabajamos": "trabaja", "hablo": "habla",
    "hablamos": "habla", "estudio": "estudia", "odio": "odia", "odiamos": "odia",
    "detesto": "detesta",
    "adoro": "adora", "utilizo": "utiliza", "utilizamos": "utiliza", "quiero": "quiere",
    "queremos": "quiere", "bebo": "bebe", "juego": "juega", "toco": "toca", "aprendo": "aprende",
    "necesito": "necesita", "necesitamos": "necesita", "puedo": "puede", "he": "ha", "hemos": "ha",
    "fui": "fue", "compré": "compró", "decidí": "decidió", "decidimos": "decidió", "nací": "nació",
    "corrí": "corrió", "llevo": "lleva", "elegimos": "eligió", "cambiamos": "cambió",
    "cambié": "cambió",
    "migramos": "migró", "acordamos": "acordó", "viajé": "viajó", "empecé": "empezó",
    "dejé": "dejó",
    "dejamos": "dejó", "cocino": "cocina", "corro": "corre", "enseño": "enseña", "tomo": "toma",
    "leo": "lee", "escribo": "escribe", "creo": "cree", "pienso": "piensa", "conduzco": "conduce",
    "optamos": "optó", "como": "come", "actualizamos": "actualizó", "adoptamos": "adoptó",
    "visité": "visitó",
}  # fmt: skip
_SPANISH_SELF = regex.compile(
    r"^(?:yo |nosotr[oa]s )?(?P<before>(?:ya |también |siempre |nunca |casi |ahora |ayer |no |me "
    r"|nos )*)(?P<verb>\p{L}+)",
    regex.IGNORECASE,
)
_SPANISH_LIKING = regex.compile(
    r"\b(?:a (?:mí|nosotros),? )?(?P<no>(?:ya )?no )?(?:me|nos) "
    r"(?=(?:gusta|encanta|molesta|fascina)n?\b)",
    regex.IGNORECASE,
)
_SPANISH_POSSESSIVES = {
    "mi": "su", "mis": "sus", "nuestro": "su", "nuestra": "su", "nuestros": "sus",
    "nuestras": "sus", "me": "le", "nos": "les",
}  # fmt: skip


def _spanish(text: str, kind: Kind) -> str:
    if liking := _SPANISH_LIKING.match(text):
        text = f"Al usuario {(liking['no'] or '').lower()}le {text[liking.end() :]}"
    elif (found := _SPANISH_SELF.match(text)) and (said := _spanish_third(found["verb"].lower())):
        before = found["before"].lower().replace("me ", "se ").replace("nos ", "se ")
        text = f"El usuario {before}{said}{text[found.end() :]}"
    elif _SPANISH_MINE.search(text):
        text = f"El usuario: {text}"
    return _SPANISH_MINE.sub(lambda each: _SPANISH_POSSESSIVES[each[0].lower()], text)


def _spanish_third(verb: str) -> str | None:
    """The form for he or she, of a verb whose form for I or we is one."""
    if verb in _SPANISH_VERBS:
        return _SPANISH_VERBS[verb]
    if len(verb) > 3 and verb.endswith("é"):
        return f"{verb[:-1]}ó"
    return f"{verb[:-1]}ió" if len(verb) > 3 and verb.endswith("í") else None


_SPANISH_MINE = regex.compile(rf"\b(?:{'|'.join(_SPANISH_POSSESSIVES)})\b", regex.IGNORECASE)


def _spanish_order(text: str, kind: Kind) -> str:
    return f"El usuario pide: {regex.sub(r'^[Pp]or favor,? ', '', text)}"


# Chinese ------------------------------------------------------------------------------------------


_HAN = regex.compile(r"\p{Han}+")


def _chinese(text: str, kind: Kind) -> str:
    user, team = _chinese_names(text)
    return regex.sub("我[們们]", team, text).replace("我", user)


def _chinese_names(text: str) -> tuple[str, str]:
    """The user and their team, in the characters in which it was said."""
    said = "".join(_HAN.findall(text))
    return ("使用者", "使用者的團隊") if fold(said) != said else ("用户", "用户的团队")


def _chinese_order(text: str, kind: Kind) -> str:
    user, _ = _chinese_names(text)
    return f"{user}希望:{regex.sub('^[请請]', '', text)}"


TOLD: Mapping[str, Callable[[str, Kind], str]] = {
    "English": _english,
    "German": _german,
    "Spanish": _spanish,
    "Chinese": _chinese,
}
ORDERED: Mapping[str, Callable[[str, Kind], str]] = {
    "English": _english_order,
    "German": _german_order,
    "Spanish": _spanish_order,
    "Chinese": _chinese_order,
}
