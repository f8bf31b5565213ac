"""The time that a question is about: what lies in it counts for more, and nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

import regex

from memoranda.text.stopwords import STOPWORDS
from memoranda.text.times import Relation, relations
from memoranda.types import Filter, Span

TOLD_BEFORE = timedelta(days=1)
TOLD_AFTER = timedelta(days=14)
"""People tell of something up to so long after it was, and of a plan the day before."""

MOST_SPANS = 3
MOST_EVENTS = 2
"""How many times of a question are searched for, and how many events are looked up."""

Order = Literal["earliest first", "latest first"]

Dated = Callable[[str], datetime | None]
"""When an event was, by the memory or turn that tells of it best; None when none does."""


def told_by_events(question: str, dated: Dated) -> tuple[Span, ...]:
    """The stretches of time that a question tells by events that are known."""
    events = [each for each in relations(question) if each.side != "during"][:MOST_EVENTS]
    return tuple(span for each in events if (span := _told_by_event(each, dated)))


def _told_by_event(relation: Relation, dated: Dated) -> Span | None:
    at = dated(relation.event)
    return None if at is None else relation.span(at)


_SAYS_NOTHING = tuple(
    frozenset(language.split())
    for language in """
    talk talked talking speak spoke spoken say said tell told discuss discussed discussing
    mention mentioned happen happened happens happening going went came come chat chatted
    chatting conversation conversations topic topics subject subjects thing things new news done
    doing work worked decide decided agree agreed plan planned settle settled learn learned
    anything everything something everyone all we've remember recall remind please up

    haben habe hat hatten hatte passiert passierte geschah geschehen gesagt sagte sagten
    gesprochen sprachen geredet redeten beschlossen entschieden besprochen besprachen diskutiert
    erzählt erwähnt gemacht getan unternommen los alles etwas worüber wovon worum was war waren
    gab gibt gegeben es neues neu thema themen ging ereignisse ereignet erinnerst erinnere
    erzähl erzähle sag mir dich mich du ihr uns wurde wurden worden so vor sich dir euch denn

    qué de te me le lo se hemos he ha han pasó pasado hablamos hablado hablé dijo dije dijimos
    dijiste dicho hice hicimos hiciste hecho ocurrió ocurrido sucedió sucedido había hubo conté
    contaste contó contado discutimos discutido comentamos comentado decidimos decidido
    acordamos mencioné mencionamos estuvimos estábamos hablando haciendo tema temas nuevo
    novedades cosas recuerdas recuerda dime cuéntame todo algo nos día

    quoi que de y a on il ce cela est sont était passé passe dit disait dis parlé parlait
    parlions fait faisait discuté évoqué raconté raconte racontez arrivé produit décidé convenu
    mentionné avons avez ai as ont été eu neuf nouveau nouvelles sujet sujets choses tout chose
    souviens souvenez rappelle dis moi nous vous toi lieu jour
    """.split("\n\n")
)
"""Words with which people ask what there was, whatever it was, by language."""
_SAYS_NOTHING_HAN = regex.compile(
    "何|話題|話し合|話|言|喋|教えて|起き|起こ|出来事|様子|私|僕|達|皆"
    "|ありました|しました|いました|ました|について|ください|どんな|みんな|たち|こと"
    "|あった|した|して|った|って|いた|[かをはがのにでともたてしいなねよ]"
    "|(?:新[鲜鮮]事|消息|[话話][题題]|事情|大家|一起|[讨討][论論]|提到|提及|提[过過起]|[记記]得|告[诉訴]|[请請]|[问問]"
    "|[内內]容|[对對][话話]|交流|[说說聊谈談讲講做干幹过過了到什甚么麼嘛吗嗎呢吧啊"
    "我你您他她它们們都有些在的事情发發生哪啥谁誰跟和与與天日那这這当當时時是一下起]|[还還])+"
)
_ELIDED = regex.compile(r"\b(?:[Qq]u|[LlDdNnSsJjCcTtMm])['’](?=\p{L}{2})")
_AHEAD = (
    r"\b(?:will|shall|should|would|could|can|must|needs?|going to|plan(?:s|ned|ning)?|scheduled"
    r"|tomorrow|soon|wird|werden|soll|sollen|sollte|muss|braucht|geplant|morgen|será|va a|vamos a"
    r"|hay que|necesita|mañana|sera|aura|faut|doit|prévue?|demain)\b|'ll\b"
    "|[将將]|需要|打算|[计計][划劃]|明天|予定|つもり"
)
_DONE = (
    r"\b(?:is|are) (?:live|done|over|complete|up|back|through)\b"
    r"|\b(?:fertig|erledigt|abgeschlossen|durch|war|lief|dauerte|wurde|gedauert|fue|tardó|terminó"
    r"|terminad[oa]|hech[oa]|duró|terminée?|finie?|faite?|a été|a pris|a duré)\b"
    "|完成|[结結]束|了|ました|終わ"
)
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def rest(question: str, spans: Iterable[Span]) -> str:
    """A question without the words that name its times."""
    for span in sorted(spans, key=lambda each: -each.start):
        question = f"{question[: span.start]} {question[span.start + len(span.text) :]}"
    return question.strip()


def is_all(question: str, spans: Sequence[Span]) -> bool:
    """Whether a question asks for nothing but what was at a time.

    That is one with a beginning and an end, or a single one that is open at one of them.
    """
    if not spans or (len(spans) > 1 and any(map(_is_open, spans))):
        return False
    said = _ELIDED.sub(" ", _SAYS_NOTHING_HAN.sub(" ", rest(question, spans)))
    words = set(_WORD.findall(said.lower())) - STOPWORDS
    return any(words <= language for language in _SAYS_NOTHING)


def _is_open(span: Span) -> bool:
    return span.first is None or span.end is None


def order(spans: Sequence[Span]) -> Order | None:
    """What was nearest to what a time is after or before comes first; None when it is bounded."""
    if not any(map(_is_open, spans)):
        return None
    return "latest first" if spans[0].first is None else "earliest first"


def is_ahead(text: str) -> bool:
    """Whether a text tells of what is to be and not of what was, as far as its words show."""
    return _said(_AHEAD, text) and not _tells_done(text)


def is_done(text: str) -> bool:
    return _tells_done(text) and not _said(_AHEAD, text)


def _said(pattern: str, text: str) -> bool:
    # Compiled when first needed, since most questions tell of no event.
    return regex.search(pattern, text, regex.IGNORECASE) is not None


def _tells_done(text: str) -> bool:
    from memoranda.text.claims.words import is_past  # loads tables

    return _said(_DONE, text) or any(map(is_past, _WORD.findall(text.lower())))


def exactly(filter: Filter, spans: Sequence[Span]) -> Filter:
    """The filter, narrowed to the time from the beginning of the first span to the end of the last.

    Filters take both bounds in.
    """
    firsts = [span.first for span in spans if span.first]
    ends = [span.end for span in spans if span.end]
    first, last = (
        min(firsts, default=None),
        max(ends) - timedelta(microseconds=1) if ends else None,
    )
    return replace(filter, since=_later(filter.since, first), until=_earlier(filter.until, last))


def _later(one: datetime | None, other: datetime | None) -> datetime | None:
    return max((each for each in (one, other) if each), default=None)


def _earlier(one: datetime | None, other: datetime | None) -> datetime | None:
    return min((each for each in (one, other) if each), default=None)


def within(filter: Filter, spans: Sequence[Span]) -> list[Filter]:
    """The filter, once for each span, narrowed to what may have been told of it."""
    return [
        replace(
            filter,
            since=max(filter.since or since, since) if since else filter.since,
            until=min(filter.until or until, until) if until else filter.until,
        )
        for since, until in map(_told, spans)
    ]


def nearness(spans: Sequence[Span], first: datetime, last: datetime) -> float:
    """How near what was true or said in that time is to one of the spans: 1 within, else less.

    It falls to 0 over the days in which people still tell of it, or speak of it already.
    """
    return max((_nearness(span, first, last) for span in spans), default=0.0)


def _nearness(span: Span, first: datetime, last: datetime) -> float:
    if span.end is not None and first >= span.end:
        return _left(first - span.end, TOLD_AFTER if span.first else timedelta(0))
    if span.first is not None and last < span.first:
        return _left(span.first - last, TOLD_BEFORE if span.end else timedelta(0))
    return 1.0


def _left(away: timedelta, most: timedelta) -> float:
    return 1 - away / most if away < most else 0.0


def _told(span: Span) -> tuple[datetime | None, datetime | None]:
    """When it may have been told, in UTC."""
    margins = (TOLD_BEFORE, TOLD_AFTER) if span.first and span.end else (timedelta(0),) * 2
    return _shifted(span.first, -margins[0]), _shifted(span.end, margins[1])


def _shifted(moment: datetime | None, by: timedelta) -> datetime | None:
    if moment is None:
        return None
    try:
        return moment.astimezone(UTC) + by
    except OverflowError:
        return None
