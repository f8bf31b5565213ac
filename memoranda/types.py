"""The nouns. Everything here is immutable and knows nothing of how it is stored."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache
from typing import Generic, Literal, Self, TypeVar

from memoranda.errors import CaptureOff, InvalidInput

T = TypeVar("T")


class Kind(StrEnum):
    """What sort of statement a memory is; each kind has its own lifetime."""

    FACT = "fact"
    PREFERENCE = "preference"
    DECISION = "decision"
    CONSTRAINT = "constraint"
    ENVIRONMENT = "environment"
    LESSON = "lesson"
    EPISODE = "episode"


class Status(StrEnum):
    """Where a memory stands."""

    CURRENT = "current"
    CANDIDATE = "candidate"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    REJECTED = "rejected"
    EXPIRED = "expired"
    QUARANTINED = "quarantined"

    @property
    def live(self) -> bool:
        """Whether a memory of this status may be recalled as something that holds."""
        return self in (Status.CURRENT, Status.CANDIDATE)


LIVE = frozenset(status for status in Status if status.live)

EVER_BELIEVED = frozenset(
    (Status.CURRENT, Status.CANDIDATE, Status.SUPERSEDED, Status.RETIRED, Status.EXPIRED)
)
"""What a question about the past may find: what held once, or may have."""


class EntityKind(StrEnum):
    """What sort of thing a name stands for, as far as rules can tell; else a thing."""

    PERSON = "person"
    PROJECT = "project"
    HOST = "host"
    SERVICE = "service"
    FILE = "file"
    PLACE = "place"
    THING = "thing"


class Role(StrEnum):
    """Who spoke a turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


SCOPE_NAME = re.compile(r"[\w.@+-][\w.@+ -]*")


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory something is: a person, an agent's profile or a project.

    `user` is the owner; other people are `user:NAME`.
    """

    kind: Literal["user", "profile", "project"]
    name: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in ("user", "profile", "project"):
            raise InvalidInput(f"{str(self.kind)[:40]!r} is no kind of scope")
        if not isinstance(self.name, str | None):
            raise InvalidInput(f"the name of a {self.kind} must be text")
        if self.name is None:
            if self.kind != "user":
                raise InvalidInput(f"a {self.kind} needs a name, as in {self.kind}:NAME")
        elif not SCOPE_NAME.fullmatch(self.name):
            raise InvalidInput(
                f"{self.name!r} cannot name a scope: letters, digits and . @ + - _ only"
            )

    @staticmethod
    @lru_cache(maxsize=1024)
    def parse(text: str) -> Scope:
        """Read `user`, `user:NAME`, `profile:NAME` or `project:NAME`.

        Raises InvalidInput for anything else.
        """
        kind, colon, name = text.partition(":")
        if kind not in ("user", "profile", "project"):
            raise InvalidInput(
                f"{text!r} is no scope: write user, user:NAME, profile:NAME or project:NAME"
            )
        return Scope(kind, name if colon else None)  # type: ignore[arg-type]

    def __str__(self) -> str:
        return self.kind if self.name is None else f"{self.kind}:{self.name}"


def new_id(at: datetime) -> str:
    """A ULID: 26 characters that sort by time and betray nothing else."""
    from ulid import ULID  # half the cost of importing us, and reading needs none

    return str(ULID.from_datetime(at))


def growing_ids(at: datetime) -> Iterator[str]:
    """Ids of one moment, each after the one before: they sort as what they name came in.

    Their beginnings differ soon, as those of `new_id` do.
    """
    from ulid import ULID

    moment = int(ULID.from_datetime(at)) >> 80
    chance = _chance(79)
    while True:
        yield str(ULID.from_int((moment << 80) | chance))
        chance += 1 + _chance(60)
        if chance >> 80:  # after some 500,000
            moment, chance = moment + 1, _chance(79)


def _chance(bits: int) -> int:
    return int.from_bytes(os.urandom(10)) >> (80 - bits)


Scopes = tuple[Scope, ...]
"""The scopes that a reader may see."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory came from, or where a hit stands.

    A `turn` source names the turn and the span of characters in it; a `file` source the path and
    line; a `person` source the door they came through; an `agent` source the agent's name.
    """

    kind: Literal["turn", "file", "person", "agent"]
    time: datetime | None = None
    quote: str | None = None
    turn: str | None = None
    conversation: str | None = None
    key: str | None = None
    role: Role | None = None
    speaker: str | None = None
    start: int | None = None
    end: int | None = None
    path: str | None = None
    line: int | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """One distilled, declarative statement, with its times and its standing.

    `found` are those of its `entities` that nobody gave and its content names. `contradicts` are
    the ids of memories that cannot hold as well, and of candidates in review that would change it,
    as long as nobody settles which holds. `overridden_by` is the id of one that differs in a
    narrower scope. Both are told as far as they may be seen.
    """

    id: str
    kind: Kind
    content: str
    scope: Scope
    recorded_at: datetime
    confidence: float
    detail: str | None = None
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    found: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    pinned: bool = False
    status: Status = Status.CURRENT
    closed_at: datetime | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confirmed_at: datetime | None = None
    used_at: datetime | None = None
    use_count: int = 0
    mention_count: int = 1
    superseded_by: str | None = None
    contradicts: tuple[str, ...] = ()
    overridden_by: str | None = None

    def has_ended(self, now: datetime) -> bool:
        """Whether it is no longer so; what happened once has happened for good."""
        return self.kind != Kind.EPISODE and self.valid_to is not None and self.valid_to <= now

    @property
    def began(self) -> datetime:
        """Since when it is so, as far as that is known."""
        return self.valid_from or self.recorded_at

    @property
    def given(self) -> tuple[str, ...]:
        """The entities that whoever wrote it said it is about."""
        return tuple(name for name in self.entities if name not in self.found)


@dataclass(frozen=True, slots=True)
class Named:
    """A name in a text, beginning at the character `start`.

    What may as well be an ordinary word is not `sure`; it is a name if it is known as one.
    """

    name: str
    kind: EntityKind
    start: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Entity:
    """Someone or something that texts of its scope name, under any of its `aliases`.

    The aliases are in the form in which names are compared; `memories` and `turns` say how many
    mention it.
    """

    id: str
    name: str
    kind: EntityKind
    scope: Scope
    aliases: tuple[str, ...]
    memories: int = 0
    turns: int = 0


@dataclass(frozen=True, slots=True)
class Topic:
    """A tag, how many memories that hold have it, and when one of them was last used.

    `close` is a topic of more memories that this one may be another way to write.
    """

    name: str
    memories: int
    used_at: datetime | None = None
    close: str | None = None


LONGEST_NAME = 1000
"""Characters that the name of a conversation, a speaker, a topic, an entity, or an id may have."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody said, verbatim, as it comes in.

    `time` must carry a zone (`observe` refuses one without). `id` is the caller's own; turns
    without one are told apart by what they say and when.
    """

    conversation: str
    role: Role | str
    content: str
    time: datetime | None = None
    speaker: str | None = None
    id: str | None = None

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "role", Role(self.role))
        except ValueError:
            raise InvalidInput(
                f"role {self.role!r} is unknown: use user, assistant, system or tool"
            ) from None
        if not isinstance(self.content, str):
            raise InvalidInput("the content of a turn must be text")
        if not self.conversation:
            raise InvalidInput("a turn needs the name of its conversation")
        for name in (self.conversation, self.speaker, self.id):
            if name is not None and not (isinstance(name, str) and len(name) <= LONGEST_NAME):
                raise InvalidInput(
                    "conversation, speaker and id must be text of at most "
                    f"{LONGEST_NAME} characters"
                )


Place = tuple[str, int | None]
"""A memory's id, or a turn's and where the passage begins."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a stored turn; most turns are one passage. Offsets count characters.

    `follows` is the turn said just before, and `before` what was said there and by whom, where both
    are short. `quarantined` says why a turn is kept from models; None for one that is not.
    """

    turn: str
    scope: Scope
    conversation: str
    key: str | None
    role: Role
    speaker: str | None
    time: datetime
    recorded_at: datetime
    start: int
    content: str
    follows: str | None = None
    before: str | None = None
    quarantined: str | None = None

    @property
    def place(self) -> Place:
        return self.turn, self.start

    @property
    def end(self) -> int:
        return self.start + len(self.content)

    @property
    def source(self) -> Source:
        return Source(
            kind="turn",
            time=self.time,
            turn=self.turn,
            conversation=self.conversation,
            key=self.key,
            role=self.role,
            speaker=self.speaker,
            start=self.start,
            end=self.end,
        )


@dataclass(frozen=True, slots=True)
class Observed:
    """What became of the turns that came in.

    `known` were stored before and were left as they are; `differing` of those came with the same
    id but other words. `forgotten` were stored before too, and do not come back. Of those
    said `incognito` nothing is kept. `mended` held characters that no file can keep (NUL, lone
    surrogates), which were replaced by U+FFFD. `redacted` are the kinds of secrets that were left
    out, and the id of the turn in which each was; `quarantined` tells why a turn is kept from
    models, and its id. `turns` are the ids of those in the store, in the
    order of the input.
    """

    stored: int = 0
    known: int = 0
    forgotten: int = 0
    incognito: int = 0
    differing: int = 0
    mended: int = 0
    redacted: tuple[tuple[str, str], ...] = ()
    quarantined: tuple[tuple[str, str], ...] = ()
    turns: tuple[str, ...] = ()

    @property
    def looked_at(self) -> int:
        """How many turns these are in all."""
        return self.stored + self.known + self.forgotten + self.incognito

    @classmethod
    def total(cls, parts: Sequence[Observed]) -> Self:
        """What became of the turns of all parts together."""
        return cls(
            stored=sum(part.stored for part in parts),
            known=sum(part.known for part in parts),
            forgotten=sum(part.forgotten for part in parts),
            incognito=sum(part.incognito for part in parts),
            differing=sum(part.differing for part in parts),
            mended=sum(part.mended for part in parts),
            redacted=tuple(each for part in parts for each in part.redacted),
            quarantined=tuple(each for part in parts for each in part.quarantined),
            turns=tuple(id for part in parts for id in part.turns),
        )


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read: the file, its line or row, and why."""

    place: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Imported(Observed):
    """What became of the turns of a file, and what was read besides them.

    `read` says how many turns each role has; they are of so many `conversations`, said between
    `first` and `last`. `left_out` says how much of what was no turn, and why it is none. Of the
    `failed` records, which could not be read, `unreadable` are the first.
    """

    format: str = "turns"
    read: Mapping[str, int] = field(default_factory=dict)
    conversations: int = 0
    first: datetime | None = None
    last: datetime | None = None
    left_out: Mapping[str, int] = field(default_factory=dict)
    failed: int = 0
    unreadable: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories and turns a read considers, besides the scopes it may see.

    `now` is the moment of asking. Without `as_of` and `known` only what holds is considered; with
    `as_of`, what held then as known today; with `known`, what was believed then. What is
    `quarantined` is left out unless told.
    """

    now: datetime
    kinds: frozenset[Kind] | None = None
    statuses: frozenset[Status] | None = None
    as_of: datetime | None = None
    known: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None
    topic: str | None = None
    quarantined: bool = False

    @property
    def is_past(self) -> bool:
        """Whether it looks at what held, or was believed, at another time."""
        return self.as_of is not None or self.known is not None


Basis = Literal["stated", "hedged", "reported"]
"""How somebody came to say a thing: as it is, as they think it is, as another told them."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What may become a memory: words of a turn, and what they say, told of their speaker.

    `quote` is the turn's content from `start` to `end`, `said` when it was said. With `ends`
    something stops being so, and nothing takes its place. `valid_from` and `valid_to` are what the
    words say of when it is so, or of an episode when it was. A `procedure` tells how to do
    something, which is a skill and no memory.
    """

    turn: str
    start: int
    end: int
    quote: str
    kind: Kind
    content: str
    confidence: float
    basis: Basis = "stated"
    detail: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    named: tuple[Named, ...] = ()
    ends: bool = False
    said: datetime | None = None
    procedure: bool = False


HitType = Literal["memory", "turn"]

MANY: Mapping[HitType, str] = {"memory": "memories", "turn": "turns"}
"""What several are called."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One place of a ranking: a memory, or the passage of a turn that begins at `start`."""

    id: str
    score: float
    start: int | None = None

    @property
    def place(self) -> Place:
        return self.id, self.start


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that a text names: from `first` up to, not including, `end`; None is open.

    `text` is the words as they stand, `start` where they begin.
    """

    first: datetime | None
    end: datetime | None
    text: str
    start: int


@dataclass(frozen=True, slots=True)
class Hit:
    """A found memory or turn. `lists` says at which rank each list found it, 1 being the best.

    `scores` are those of the lists, and `boosts` what speaks for the hit besides and against it.
    `confidence` is what time has left of it, and `unconfirmed_since` when somebody stood last for a
    memory that is old for its kind. `contradicts` and `overridden_by` are as in a memory. `before`
    is what was said before a turn that only makes sense after it. `cut` says that the content,
    without its detail, was shortened to fit the budget.
    """

    id: str
    type: HitType
    content: str
    scope: Scope
    score: float
    lists: Mapping[str, int]
    recorded_at: datetime
    source: Source
    kind: Kind | None = None
    detail: str | None = None
    status: Status | None = None
    superseded_by: str | None = None
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    confirmed_at: datetime | None = None
    unconfirmed_since: datetime | None = None
    contradicts: tuple[str, ...] = ()
    overridden_by: str | None = None
    pinned: bool = False
    cut: bool = False
    before: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    boosts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Embedded:
    """What became of the texts that waited for a vector.

    `unreadable` are those that the model cannot read, `refused` those it could not embed; neither
    is tried again unless told. `waiting` is what is left because another process is at it.
    """

    embedded: int = 0
    unreadable: int = 0
    refused: int = 0
    waiting: int = 0

    @property
    def count(self) -> int:
        """How many are done with."""
        return self.embedded + self.unreadable + self.refused

    def __add__(self, other: Embedded) -> Embedded:
        """What became of both, with what waited after the other."""
        return Embedded(
            self.embedded + other.embedded,
            self.unreadable + other.unreadable,
            self.refused + other.refused,
            other.waiting,
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a recall came about: the words searched, those passed over, and the time per step.

    `times` are those that the question names, as they were understood.
    `unheard_of` are names in the question that no memory or no turn has, which raises the floor.
    `floors` is the score that the best memory or turn must have for anything to be known, and
    `cut` the best of those that were not near enough: below that, or behind others enough.
    """

    words: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    times: tuple[Span, ...] = ()
    candidates: Mapping[str, int] = field(default_factory=dict)
    unheard_of: Mapping[HitType, tuple[str, ...]] = field(default_factory=dict)
    floors: Mapping[HitType, float] = field(default_factory=dict)
    cut: Mapping[HitType, tuple[Ranked, ...]] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    milliseconds: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recall:
    """The answer to a question: hits, best first, that fit the budget; empty when nothing fits.

    `degraded` names every list that could not run, or not on everything, why, and what mends it.
    """

    hits: tuple[Hit, ...]
    tokens: int
    degraded: tuple[str, ...] = ()
    explanation: Explanation = Explanation()


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A line of a context: a memory or the passage of a turn, since when it is so, how sure it is.

    `id` is its own, or that of a contradiction. `marks` say what one must know before believing it.
    A turn has a `speaker` and no `confidence`, which is low, medium or high. A skill has its name
    for an id, its description, and nothing else; a warning has no id.
    """

    heading: str
    id: str
    content: str
    date: date | None = None
    confidence: str | None = None
    marks: tuple[str, ...] = ()
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """The block for a prompt, of so many `tokens`, with the ids of what is in it, in order.

    It is empty when nothing is to be told. `lines` are what `text` says. `left_out` says of how
    much there was no room for, by its heading; `degraded` is as in a recall.
    """

    text: str
    lines: tuple[ContextLine, ...] = ()
    ids: tuple[str, ...] = ()
    tokens: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    degraded: tuple[str, ...] = ()


class Finding(StrEnum):
    """What the records say of a claim."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    NO_RECORD = "no_record"


class Bearing(StrEnum):
    """What one record says of a claim; `unconfirmed` is what nobody said who could know."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNCONFIRMED = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Citation:
    """A memory or a turn that says something of a claim: the words that do, and why they do.

    `quote` is the sentence, `content` the whole memory, or the stretch of the turn.
    """

    id: str
    type: HitType
    bearing: Bearing
    quote: str
    content: str
    why: str
    scope: Scope
    source: Source
    recorded_at: datetime
    kind: Kind | None = None
    status: Status | None = None
    superseded_by: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is recorded of a claim, with the citations that decide first.

    Of a contradicted claim `holds` is what holds in its place, if anything does that may be seen,
    and `since` from when. `degraded` names every list that could not be searched.
    """

    status: Finding
    citations: tuple[Citation, ...] = ()
    holds: Memory | Citation | None = None
    since: datetime | None = None
    degraded: tuple[str, ...] = ()


class Fusion(StrEnum):
    """How the lists of a search become one."""

    CALIBRATED = "calibrated"
    RRF60 = "rrf60"
    LEXICAL = "lexical"
    DENSE = "dense"


class Operation(StrEnum):
    """What a ledger entry records."""

    ENABLE = "enable"
    DISABLE = "disable"
    OBSERVE = "observe"
    REMEMBER = "remember"
    REVISE = "revise"
    CONFIRM = "confirm"
    PIN = "pin"
    UNPIN = "unpin"
    RELEASE = "release"
    FORGET = "forget"
    MERGE_TOPICS = "merge topics"
    MERGE = "merge"
    SPLIT = "split"
    ADD = "add"
    UPDATE = "update"
    DELETE = "delete"
    NOOP = "noop"
    WITHDRAW = "withdraw"
    UNDO = "undo"
    SETTLE = "settle"
    RETIRE = "retire"
    RESTORE = "restore"
    EXPIRE = "expire"


@dataclass(frozen=True, slots=True)
class Change:
    """A memory before and after. No `before`: it is new.

    `named` tells more of the names that are found in what it says afterwards.
    """

    operation: Operation
    before: Memory | None
    after: Memory
    named: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger, about a memory or an entity.

    `before` and `after` hold only the fields that differ.
    """

    time: datetime
    operation: Operation
    by: str
    memory: str | None = None
    reason: str | None = None
    before: Mapping[str, object] | None = None
    after: Mapping[str, object] | None = None
    entity: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What is to be forgotten: all that is given must hold of it; with nothing given that is all.

    `ids` are of memories, which mean the versions that they replaced too, and of turns; `entity` is
    the id of what they name; `path` is of a file that memories came from. `scope` is a whole
    project, profile or person. A memory is of the time at which it was written down, a turn of that
    at which it was said. `everything` is whosever it is.
    """

    ids: tuple[str, ...] | None = None
    conversation: str | None = None
    path: str | None = None
    entity: str | None = None
    scope: Scope | None = None
    since: datetime | None = None
    until: datetime | None = None
    everything: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether all of a scope, or of the home, is meant."""
        whole = Choice(scope=self.scope, everything=self.everything)
        return self == whole and self != Choice()


@dataclass(frozen=True, slots=True)
class Doomed:
    """What goes, by its ids: memories, whole turns, and turns out of which something is cut.

    With them go `candidates`, of which some may have become skills. `texts` and `vectors` are what
    went, to look for traces of it.
    """

    memories: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    vectors: tuple[bytes, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of a forgetting. While `pending` names a place, traces may remain there.

    `forgotten` are the ids of memories, `turns` of whole turns, `cut` of those that stay without
    the words that a memory rested on, `skills` the folders of skills that lost some text or all.
    `removed` are files that went, since they held it too. `found` says for every file of the home
    how many traces it holds, when they were looked for.
    """

    forgotten: tuple[str, ...]
    turns: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    found: Mapping[str, int] | None = None
    skills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation of a scope: the project that was open, how many turns, and from when to when.

    Of the turns so many are `quarantined`. While it is `incognito` nothing more is kept of it.
    """

    name: str
    scope: Scope
    project: Scope | None
    turns: int
    first: datetime
    last: datetime
    quarantined: int = 0
    incognito: bool = False


@dataclass(frozen=True, slots=True)
class Forgotten:
    """That something is no more: so many memories and turns, when, and through which door.

    Somebody had it forgotten, or it was old enough and `expired`.
    """

    time: datetime
    by: str
    memories: int
    turns: int
    expired: bool = False


class Pages(Generic[T]):
    """What is read page by page while it is gone through, each time anew."""

    def __init__(self, read: Callable[[], Iterator[T]]) -> None:
        self._read = read

    def __iter__(self) -> Iterator[T]:
        return self._read()


@dataclass(frozen=True, slots=True)
class Holdings:
    """How much the visible scopes hold.

    Of the turns so many are `quarantined`; `unembedded` texts wait for a vector.
    """

    conversations: int = 0
    turns: int = 0
    memories: Mapping[Status, int] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None
    quarantined: int = 0
    unembedded: int = 0


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits to be consolidated in some scopes.

    Of the `turns` that no model has read so many are `aside`; of the candidates so many wait to be
    decided, are aside, or are for a person to review. `passed_at` is when a pass last ended well,
    `unread_since` when the oldest of the turns came in.
    """

    turns: int = 0
    aside: int = 0
    candidates: int = 0
    candidates_aside: int = 0
    review: int = 0
    passed_at: datetime | None = None
    unread_since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """Capture, turned on or off at a time: that of the whole home, or off for a scope.

    Nothing is captured unless the home's is on, and nothing of a scope that has a switch. `since`
    is None for a home that was never switched. Who did it is the owner, or the person themselves
    whose the scope is, through a `door`. Of one that was `forgotten` since nobody knows the scope.
    """

    scope: Scope | None
    on: bool
    since: datetime | None = None
    by: Literal["the owner", "themselves"] = "the owner"
    door: str | None = None
    forgotten: bool = False

    @property
    def remedy(self) -> str:
        """How to turn on what is off."""
        if self.scope is None:
            named = " --scope NAME" if self.forgotten else ""
            return f"turn it on with `memoranda enable{named}`"
        from shlex import quote  # which only what is refused needs

        command = f"memoranda enable --scope {quote(str(self.scope))}"
        if self.by == "themselves":
            return f"they turn it on with `{command} --person {quote(self.scope.name or '')}`"
        return f"the owner turns it on with `{command}`"


def refusal(switches: Sequence[Switch]) -> CaptureOff:
    """What is raised for turns that these switches keep from being captured."""
    scopes = (str(each.scope) for each in switches if each.scope is not None)
    return CaptureOff(scopes, (each.remedy for each in switches))


@dataclass(frozen=True, slots=True)
class HomeStatus:
    """What is on, where, since when, how much, what waits, and which hosts receive text.

    `switches` are those of capture that may be seen, that of the home first, and `captures` says
    whether what is said here is captured. `model` makes the vectors, `language` reads
    conversations. `warnings` are for somebody to look at. What has no `cipher` can be read by
    whoever has the file. Backups go to the folder `backup_to`, and the last one there was verified
    at `backed_up_at`.
    """

    place: str
    bytes: int
    capturing_since: datetime | None
    visible: Scopes
    holdings: Holdings
    model: str | None = None
    language: str | None = None
    backlog: Backlog = Backlog()
    warnings: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    cipher: str | None = None
    switches: tuple[Switch, ...] = ()
    captures: bool = False
    backup_to: str = ""
    backed_up_at: datetime | None = None


def plain(value: object) -> object:
    """Any noun as JSON has it: enumerations and scopes as text, times as ISO 8601.

    A source has only the fields that are set, since each of its kinds has others.
    """
    match value:
        case StrEnum() | Scope():
            return str(value)
        case date():  # datetimes too
            return value.isoformat()
        case Mapping():
            return {str(name): plain(each) for name, each in value.items()}
        case tuple() | list() | frozenset() | Pages():
            return [plain(each) for each in value]
        case Source():
            named = {each.name: plain(getattr(value, each.name)) for each in fields(value)}
            return {name: each for name, each in named.items() if each is not None}
        case _ if is_dataclass(value):
            return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
        case _:
            return value
