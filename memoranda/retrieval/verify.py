"""Whether a claim is on record: cite, or abstain.

The search finds what may say it; each record is then compared with the claim word by word, and what
is not sure is no record. A language model, once there is one, may take the place of `compare` for
the wording; the slots (names, numbers, dates, negation) stay with the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from itertools import pairwise, zip_longest

from memoranda.errors import NotFound
from memoranda.protocols import Embedder, Store
from memoranda.retrieval.question import Question
from memoranda.retrieval.search import ask, search
from memoranda.text.claims import (
    LONGEST,
    MOST_CLAIMED,
    Agreement,
    Author,
    Sentence,
    Steps,
    attributed,
    compare,
    decided,
    read,
    says_more,
    updated,
)
from memoranda.types import (
    EVER_BELIEVED,
    Bearing,
    Citation,
    Filter,
    Finding,
    Fusion,
    Kind,
    Memory,
    Passage,
    Ranked,
    Role,
    Scope,
    Scopes,
    Source,
    Status,
    Verdict,
)

CONSIDERED = 40
"""So many memories, and so many turns, are compared with each sentence of a claim."""

MOST_SENTENCES = 8
"""A claim of more sentences is not judged, and says so."""

MOST_CITED = 5
"""Citations for each sentence of a claim, at most."""

MOST_STEPS = 20_000
"""Of comparing, for one verdict; real ones take a thousand."""

MOST_READ = 60_000
"""Characters of records that are read for one verdict, nearest first."""

MOST_BETWEEN = 3
"""Turns of others between what is said of a thing and what is then said of it as "it"."""

LONGEST_CHAIN = 100
"""Successors that are followed to what holds now."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What is claimed, at which moment, in the zone of who claims it, and what may be seen."""

    text: str
    visible: Scopes
    now: datetime
    fusion: Fusion = Fusion.CALIBRATED


@dataclass(slots=True)
class _Effort:
    """What one verdict may cost. Each text is read once, whole or not at all."""

    steps: Steps = field(default_factory=lambda: Steps(MOST_STEPS))
    characters: int = MOST_READ
    known: dict[tuple[str, datetime], tuple[Sentence, ...]] = field(default_factory=dict)
    spent: bool = False

    def read(self, text: str, at: datetime) -> tuple[Sentence, ...]:
        """The sentences of a text, none of one that would be too much."""
        if (text, at) not in self.known:
            length = min(len(text), LONGEST)
            self.spent = self.spent or length > self.characters
            if length > self.characters:
                return ()
            self.characters -= length
            self.known[text, at] = read(text, at)
        return self.known[text, at]

    @property
    def degraded(self) -> tuple[str, ...]:
        if not (self.spent or self.steps.left <= 0):
            return ()
        return ("verify: what was found is too much to compare, the farthest was left out",)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A claim, where it is looked for, and what that may cost."""

    claim: Claim
    store: Store
    effort: _Effort


@dataclass(frozen=True, slots=True)
class _Bears:
    """How a record bears on a claim, and from when on; `closed` when it holds no more."""

    citation: Citation
    at: datetime
    sentence: Sentence
    sure: bool = True
    record: Memory | None = None
    updates: bool = False

    @property
    def closed(self) -> bool:
        return self.record is not None and self.citation.bearing == Bearing.CONTRADICTS and (
            not self.record.status.live
            or (self.record.valid_to is not None and self.record.kind != Kind.EPISODE)
        )  # fmt: skip

    @property
    def order(self) -> tuple[datetime, int, bool, bool]:
        """The later decides, also in one turn; at one moment what holds, then what denies."""
        denies = self.citation.bearing == Bearing.CONTRADICTS
        place = self.sentence.start if self.updates else -1
        return self.at, place, self.record is not None and not self.closed, denies


def verify(claim: Claim, store: Store, embedder: Embedder | None = None) -> Verdict:
    """What is recorded of a claim. Of several sentences each must be on record.

    Raises StoreError.
    """
    sentences = read(claim.text, claim.now)
    why = _not_judged(claim.text, sentences)
    if why or not sentences:
        return Verdict(Finding.NO_RECORD, degraded=why)
    effort = _Effort()
    verdict = _together([_verdict(each, claim, store, embedder, effort) for each in sentences])
    return replace(verdict, degraded=(*verdict.degraded, *effort.degraded))


def _not_judged(text: str, sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Why a claim is not judged: a part of it would be left out, and that may be what is not so."""
    if len(sentences) > MOST_SENTENCES:
        return (
            f"verify: a claim of more than {MOST_SENTENCES} sentences is not judged,"
            f" this one has {len(sentences)}",
        )
    if any(len(each.tokens) > MOST_CLAIMED for each in sentences):
        return (f"verify: a sentence of more than {MOST_CLAIMED} words is not judged",)
    if says_more(text, sentences):
        return ("verify: a claim is not judged of which a part is quoted, pasted or too long",)
    return ()


def _together(verdicts: Sequence[Verdict]) -> Verdict:
    """A claim is denied when a part of it is, and supported when all of it is."""
    found = {each.status for each in verdicts}
    status = next(
        each
        for each in (Finding.CONTRADICTED, Finding.NO_RECORD, Finding.SUPPORTED)
        if each in found
    )
    deciding = next(each for each in verdicts if each.status == status)
    others = [each for each in verdicts if each is not deciding]
    cited = dict.fromkeys(citation for each in (deciding, *others) for citation in each.citations)
    degraded = dict.fromkeys(line for each in verdicts for line in each.degraded)
    return replace(
        deciding,
        citations=tuple(cited)[: MOST_CITED * len(verdicts)],
        degraded=tuple(degraded),
    )


def _verdict(
    sentence: Sentence, claim: Claim, store: Store, embedder: Embedder | None, effort: _Effort
) -> Verdict:
    memories, passages, degraded = _candidates(sentence.text, claim, store, embedder)
    bearing = []
    for memory, passage in zip_longest(memories, passages):  # the nearest of both first
        if memory and (found := _of_memory(sentence, memory, claim, effort)):
            bearing.append(found)
        if passage and (found := _of_turn(sentence, passage, claim, store, effort)):
            bearing.append(found)
    bearing += _updates(sentence, bearing, passages, _Asked(claim, store, effort))
    bearing.sort(key=lambda each: each.order, reverse=True)
    deciding = _deciding(bearing)
    cited = [_as_before(each, deciding) for each in _first(deciding, bearing)][:MOST_CITED]
    if deciding is None:
        return Verdict(Finding.NO_RECORD, tuple(cited), degraded=degraded)
    if deciding.citation.bearing == Bearing.SUPPORTS:
        return Verdict(Finding.SUPPORTED, tuple(cited), degraded=degraded)
    holds, since = _in_its_place(deciding, claim, store)
    return Verdict(Finding.CONTRADICTED, tuple(cited), holds, since, degraded)


def _deciding(bearing: Sequence[_Bears]) -> _Bears | None:
    """The latest that supports or denies; what may be so as well only if nothing supports."""
    confirmed = [each for each in bearing if each.citation.bearing != Bearing.UNCONFIRMED]
    return next((each for each in confirmed if each.sure), next(iter(confirmed), None))


def _first(deciding: _Bears | None, bearing: Sequence[_Bears]) -> Iterator[_Bears]:
    if deciding is not None:
        yield deciding
    yield from (each for each in bearing if each is not deciding)


def _as_before(each: _Bears, deciding: _Bears | None) -> Citation:
    """The citation, of what held before when a later one says no more than what changed."""
    before = deciding is not None and deciding.updates and each.at <= deciding.at
    if not before or each.updates or each.citation.bearing == Bearing.UNCONFIRMED:
        return each.citation
    return replace(each.citation, why=f"{each.citation.why} (held before)")


# What may say it ----------------------------------------------------------------------------------


def _candidates(
    text: str, claim: Claim, store: Store, embedder: Embedder | None
) -> tuple[list[Memory], list[Passage], tuple[str, ...]]:
    """The memories ever believed and the passages that are nearest, however far they are."""
    believed = Filter(now=claim.now, statuses=EVER_BELIEVED)
    question = Question(text, claim.visible, believed, limit=CONSIDERED, fusion=claim.fusion)
    asked = ask(question, embedder)
    memories = search("memory", asked, question, store)
    ids = dict.fromkeys(each.place[0] for each in memories.fused[:CONSIDERED])
    said = replace(question, filter=Filter(now=claim.now))
    turns = search("turn", asked, said, store)
    places = [Ranked(each.place[0], 0.0, each.place[1]) for each in turns.fused[:CONSIDERED]]
    return (
        store.fetch_memories(list(ids), claim.visible, believed),
        store.fetch_passages(places, claim.visible, said.filter),
        (*asked.degraded, *memories.degraded, *turns.degraded),
    )


# What a memory says of it -------------------------------------------------------------------------


def _of_memory(sentence: Sentence, memory: Memory, claim: Claim, effort: _Effort) -> _Bears | None:
    author = _author_of(memory, claim)
    texts = (memory.content, memory.detail or "")
    sentences = [each for text in texts for each in effort.read(text, author.said)]
    claims = _meant(sentence, author, memory)
    agreement = _first_agreement(claims, sentences, author, effort.steps)
    if agreement is None:
        return None
    difference = agreement.difference
    if not any(map(_is_a_persons, memory.sources)) or memory.status == Status.CANDIDATE:
        return None if difference else _cite(memory, agreement, _unconfirmed(memory))
    if not _holds(memory, claim.now):
        return None if difference else _of_the_past(sentence, memory, agreement, claim)
    if difference is not None:
        bearing = (Bearing.CONTRADICTS, str(difference))
        return _cite(memory, agreement, bearing, sure=difference.sure)
    why = "says so"
    if memory.contradicts:
        why += f", and is contradicted by {', '.join(memory.contradicts)}"
    return _cite(memory, agreement, (Bearing.SUPPORTS, why))


def _of_the_past(
    sentence: Sentence, memory: Memory, agreement: Agreement, claim: Claim
) -> _Bears | None:
    """What a memory says that does not hold now, or not yet."""
    began = memory.began
    if began > claim.now:
        why = f"holds only from {_day(began, claim.now.tzinfo)}"
        return _cite(memory, agreement, (Bearing.UNCONFIRMED, why))
    if sentence.dates and not agreement.sentence.dates:
        ended = memory.valid_to or memory.closed_at or claim.now
        days = " to ".join(_day(each, claim.now.tzinfo) for each in (began, ended))
        return _cite(memory, agreement, (Bearing.SUPPORTS, f"it was so from {days}"))
    ended = memory.valid_to or memory.closed_at or memory.recorded_at
    status = memory.status if not memory.status.live else Status.EXPIRED
    why = f"{status} since {_day(ended, claim.now.tzinfo)}"
    return _cite(memory, agreement, (Bearing.CONTRADICTS, why), at=memory.closed_at or ended)


def _author_of(memory: Memory, claim: Claim) -> Author:
    source = _deciding_source(memory)
    said = source.time or memory.recorded_at
    if source.kind != "turn":  # which keeps the zone of who spoke
        said = said.astimezone(claim.now.tzinfo)
    never_held = memory.valid_to is not None and memory.valid_to == memory.valid_from
    return Author(
        names=_names(source.speaker, memory.scope),
        said=said,
        since=None if never_held else memory.began,
        until=memory.valid_to or memory.closed_at,
        now=claim.now,
        states=memory.kind != Kind.EPISODE,
        happened=_happened(memory, source, claim.now),
    )


def _happened(memory: Memory, source: Source, now: datetime) -> datetime | None:
    """The day that somebody gave; what begins when it was said, or written down, tells none."""
    if memory.valid_from in (None, memory.recorded_at, source.time, memory.valid_to):
        return None
    return memory.valid_from.astimezone(now.tzinfo)


def _names(speaker: str | None, scope: Scope) -> frozenset[str]:
    """What who spoke may be called: all of the name, or its first word.

    In a person's scope it is that person, but not when somebody else is named: Ben is not Anna.
    """
    name = (speaker or (scope.kind == "user" and scope.name) or "").lower()
    return frozenset((name, *name.split()[:1])) - {""}


def _deciding_source(memory: Memory) -> Source:
    """The first that a person stands behind; whoever said the same later is not its author."""
    return next(filter(_is_a_persons, memory.sources), memory.sources[0])


def _is_a_persons(source: Source) -> bool:
    """Whether a person says so, and not an agent alone, nor an assistant's words."""
    return source.kind in ("person", "file") or _pointed_out(source) or source.role == Role.USER


def _pointed_out(source: Source) -> bool:
    """Whether a person named the turn when they wrote the memory; or it is out of sight."""
    return source.kind == "turn" and (source.by is not None or source.turn is None)


def _unconfirmed(memory: Memory) -> tuple[Bearing, str]:
    if memory.status == Status.CANDIDATE:
        return Bearing.UNCONFIRMED, "nobody has reviewed it yet"
    return Bearing.UNCONFIRMED, f"noted by {memory.sources[0].by or 'an agent'}, unconfirmed"


def _holds(memory: Memory, now: datetime) -> bool:
    began = memory.began
    return memory.status.live and began <= now and not memory.has_ended(now)


def _cite(
    memory: Memory,
    agreement: Agreement,
    bearing: tuple[Bearing, str],
    *,
    sure: bool = True,
    at: datetime | None = None,
) -> _Bears:
    citation = Citation(
        id=memory.id,
        type="memory",
        bearing=bearing[0],
        quote=agreement.sentence.text,
        content=memory.content,
        why=bearing[1],
        scope=memory.scope,
        source=memory.sources[0],
        recorded_at=memory.recorded_at,
        kind=memory.kind,
        status=memory.status,
        superseded_by=memory.superseded_by,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
    )
    at = at or memory.confirmed_at or memory.recorded_at
    return _Bears(citation, at, agreement.sentence, sure, memory)


# What was said of it ------------------------------------------------------------------------------


def _of_turn(
    sentence: Sentence, passage: Passage, claim: Claim, store: Store, effort: _Effort
) -> _Bears | None:
    """What a turn says; of a long one the whole is read, or a quotation would be its author's."""
    author = Author(names=_names(passage.speaker, passage.scope), said=passage.time)
    claims = _meant(sentence, author, None)
    part = effort.read(passage.content, passage.time)
    if _first_agreement(claims, part, author, effort.steps, asked=True) is None:
        return None
    try:
        whole = store.turn(passage.turn, claim.visible)
    except NotFound:  # forgotten meanwhile
        return None
    sentences = effort.read(whole.content, passage.time)
    agreement = _first_agreement(claims, sentences, author, effort.steps)
    if agreement is None:
        asked = _first_agreement(claims, sentences, author, effort.steps, asked=True)
        if asked is None or asked.difference is not None:
            return None
        return _quote(passage, asked, Bearing.UNCONFIRMED, "was asked, not said")
    difference = agreement.difference
    if passage.role != Role.USER:
        why = f"said by {passage.speaker or 'the ' + passage.role}, unconfirmed"
        return None if difference else _quote(passage, agreement, Bearing.UNCONFIRMED, why)
    if difference is not None:
        return _quote(
            passage, agreement, Bearing.CONTRADICTS, str(difference), sure=difference.sure
        )
    return _quote(passage, agreement, Bearing.SUPPORTS, "says so")


def _quote(
    passage: Passage, agreement: Agreement, bearing: Bearing, why: str, *, sure: bool = True
) -> _Bears:
    sentence = agreement.sentence
    citation = Citation(
        id=passage.turn,
        type="turn",
        bearing=bearing,
        quote=sentence.text,
        content=passage.content,
        why=why,
        scope=passage.scope,
        source=replace(passage.source, start=sentence.start, end=sentence.end),
        recorded_at=passage.recorded_at,
    )
    return _Bears(citation, passage.time, sentence, sure)


# What was said later of the same slot ------------------------------------------------------------


def _updates(
    claim: Sentence,
    bearing: Sequence[_Bears],
    passages: Sequence[Passage],
    asked: _Asked,
) -> list[_Bears]:
    """What users said after a record that supports or denies: "Moved to channel 25"."""
    records = [
        each for each in bearing if each.citation.bearing != Bearing.UNCONFIRMED and not each.closed
    ]
    found: list[_Bears] = []
    said = [each for each in passages if each.role == Role.USER] if records else []
    for passage in sorted(said, key=lambda each: each.time):
        for record in records:
            if _update(claim, record, found, passage, asked) is None:
                continue
            if update := _update(claim, record, found, _whole(passage, asked), asked):
                found.append(update)
                break
    return found


def _whole(passage: Passage, asked: _Asked) -> Passage:
    """The whole turn, or a quotation in it would be its author's."""
    try:
        return asked.store.turn(passage.turn, asked.claim.visible)
    except NotFound:  # forgotten meanwhile
        return replace(passage, content="")


def _update(
    claim: Sentence,
    record: _Bears,
    before: Sequence[_Bears],
    passage: Passage,
    asked: _Asked,
) -> _Bears | None:
    """The last sentence of a turn that gives the slot of a record another value.

    One that does not name the thing ("Moved it to …") must go on from the record, or from what
    went on from it, and is not sure enough to deny what is said word for word.
    """
    source = record.citation.source
    author = Author(_names(source.speaker, record.citation.scope), source.time or record.at)
    for later in reversed(asked.effort.read(passage.content, passage.time)):
        update = updated(claim, record.sentence, later, author, asked.effort.steps)
        if update is None or not _is_after(passage, later, record):
            continue
        if update.named or any(
            _continues(passage, later, each, asked) for each in (record, *before)
        ):
            difference = update.agreement.difference
            bearing = Bearing.CONTRADICTS if difference else Bearing.SUPPORTS
            why = str(difference or "says what it was changed to")
            sure = update.named or record.citation.bearing == bearing or difference is None
            found = _quote(passage, update.agreement, bearing, why, sure=sure)
            return replace(found, updates=True)
    return None


def _is_after(passage: Passage, later: Sentence, each: _Bears) -> bool:
    if passage.turn == each.citation.id:
        return later.start > each.sentence.start
    return passage.time > each.at


def _continues(passage: Passage, later: Sentence, each: _Bears, asked: _Asked) -> bool:
    """Whether who said something goes on there, with nothing else of theirs in between."""
    if each.citation.type != "turn" or passage.speaker != each.citation.source.speaker:
        return False
    here = asked.effort.read(passage.content, passage.time)
    if passage.turn == each.citation.id:
        return (each.sentence, later) in pairwise(here)
    try:
        said = asked.store.turn(each.citation.id, asked.claim.visible)
        follows = _turn_before(passage.turn, asked)
    except NotFound:  # forgotten meanwhile
        return False
    ends = asked.effort.read(said.content, said.time)[-1:] == (each.sentence,)
    return follows == said.turn and ends and here[:1] == (later,)


def _turn_before(turn: str, asked: _Asked) -> str | None:
    """The turn of a user that one follows, past a few of an assistant."""
    before = asked.store.turn(turn, asked.claim.visible)
    for _ in range(MOST_BETWEEN):
        if before.follows is None:
            return None
        before = asked.store.turn(before.follows, asked.claim.visible)
        if before.role == Role.USER:
            return before.turn
    return None


# Comparing ----------------------------------------------------------------------------------------


def _meant(sentence: Sentence, author: Author, memory: Memory | None) -> list[Sentence]:
    """The claim itself, and what is claimed to have been said, or decided, by who could."""
    claims = [sentence]
    if named := attributed(sentence):
        who, said = named
        if who.word == "self" or who.word in author.names:
            claims.append(said)
    if memory is not None and memory.kind in (Kind.DECISION, Kind.CONSTRAINT):
        claims += [rest for each in claims if (rest := decided(each)) is not None]
    return claims


def _first_agreement(
    claims: Iterable[Sentence],
    sentences: Sequence[Sentence],
    author: Author,
    steps: Steps,
    *,
    asked: bool = False,
) -> Agreement | None:
    """What a record says of a claim: the sentence that says so, else the last that denies it."""
    denied = None
    for claim in claims:
        for sentence in sentences:
            record = replace(sentence, asks=False) if asked else sentence
            agreement = compare(claim, record, author, steps)
            if agreement is not None and agreement.difference is None:
                return agreement
            denied = agreement or denied
    return denied


# What holds instead -------------------------------------------------------------------------------


def _in_its_place(
    deciding: _Bears, claim: Claim, store: Store
) -> tuple[Memory | Citation | None, datetime | None]:
    """What holds where a claim does not, and since when."""
    memory = deciding.record
    if memory is None:
        return deciding.citation, deciding.citation.source.time
    if not deciding.closed:
        return memory, memory.began
    ended = memory.valid_to or memory.closed_at
    for _ in range(LONGEST_CHAIN):
        if memory.superseded_by is None:
            break
        try:
            memory = store.memory(memory.superseded_by, claim.visible)
        except NotFound:  # out of sight, or forgotten
            return None, ended
    if memory is deciding.record or not _holds(memory, claim.now):
        return None, ended
    return memory, memory.began


def _day(moment: datetime, zone: tzinfo | None) -> str:
    return moment.astimezone(zone).date().isoformat()
