"""The seams to the world. The core knows what stands here and no implementation."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from sys import byteorder
from typing import TYPE_CHECKING, Literal, Protocol

from memoranda.types import (
    LIVE,
    Backlog,
    Change,
    Choice,
    Conversation,
    Doomed,
    Entity,
    EntityKind,
    Entry,
    Filter,
    Forgotten,
    HitType,
    Holdings,
    Kind,
    Memory,
    Named,
    Observed,
    Passage,
    Ranked,
    Scope,
    Scopes,
    Status,
    Switch,
    Topic,
    Turn,
)

if TYPE_CHECKING:
    from pathlib import Path

    from memoranda.answers import Answer, Message, T, Tokens
    from memoranda.care import Contradicting, Day, Exchange, Need, Pair, Serving
    from memoranda.moving import Loaded, Row, Table
    from memoranda.passes import Aside, Call, Decision, Pass, Stage, Undone
    from memoranda.people import Person, Project
    from memoranda.saved import Held, Noted
    from memoranda.skills import Used
    from memoranda.soundness import Condition, Dangling, VectorsFound

Vector = bytes
"""Numbers of 32 bits, little-endian; empty for a text that the model cannot read."""


def vector_of(numbers: Iterable[float]) -> Vector:
    """Numbers as they are kept."""
    packed = array("f", numbers)
    if byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def numbers_of(vector: Vector) -> array[float]:
    """The numbers that a vector keeps."""
    numbers = array("f", vector)
    if byteorder == "big":
        numbers.byteswap()
    return numbers


@dataclass(frozen=True, slots=True)
class IncomingTurn:
    """A turn made ready to be stored, with the id it gets if it is new.

    `digest` is what makes it the same as another turn without an id, of its text without secrets
    whether these are kept or not; `untouched` is that of the text as it came, where it differs.
    `nth` says which of several equal turns of one call this is, or is None when `digest` alone
    decides; 0 means that it is new whatever is stored. `passages` are (start, content, terms),
    which joined give the content, and `named` are the names in it. Of `secrets` that were in it
    these kinds are left. `quarantined` says why it is kept from models, if it is.
    """

    id: str
    turn: Turn
    digest: bytes
    nth: int | None
    time: datetime
    passages: tuple[tuple[int, str, str], ...]
    named: tuple[Named, ...] = ()
    mended: bool = False
    secrets: tuple[str, ...] = ()
    quarantined: str | None = None
    untouched: bytes | None = None

    @property
    def digests(self) -> tuple[bytes, ...]:
        return (self.digest,) if self.untouched is None else (self.digest, self.untouched)


@dataclass(frozen=True, slots=True)
class Words:
    """A question as a full-text index understands it.

    Each is an alternative: a word or a phrase for the index to tokenise (`phrases`), or the
    beginning of a word (`prefixes`).
    """

    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.phrases or self.prefixes)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Found by words, best first, and the words left out because too much contains them.

    No score reaches `ceiling`, which a text would have that said every word again and again.
    """

    found: tuple[Ranked, ...] = ()
    dropped: tuple[str, ...] = ()
    ceiling: float = 0.0


@dataclass(frozen=True, slots=True)
class Near:
    """Found by vector among about `searched` texts, nearest first; the score is the cosine.

    `others` are those that were asked about besides and are not among the nearest. `model` is the
    one whose vectors are kept, which may be another than the one that was asked. Of what may be
    seen, `missing` texts have no vector of the model yet (counted to COUNTED at most), and
    `unreadable` ones never will, since it cannot read them.
    """

    found: tuple[Ranked, ...] = ()
    others: tuple[Ranked, ...] = ()
    model: str | None = None
    searched: int = 0
    missing: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class Strongest:
    """The memories of a kind that most stands for, in no order, and how many more there are."""

    memories: tuple[Memory, ...]
    beyond: int


COUNTED = 1000
"""How many texts without a vector a search counts before it says so."""


@dataclass(frozen=True, slots=True)
class VectorsKept:
    """The model whose vectors a store keeps, and what waits for them, whosever it is.

    The model is None before the first, and empty while one is being changed for another.
    """

    model: str | None
    waiting: int


@dataclass(frozen=True, slots=True)
class Unembedded:
    """A text that has no vector yet: a memory, or the passage of a turn that begins at `start`.

    `before` is what was said before it, where both are short.
    """

    id: str
    start: int | None
    text: str
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Calibration:
    """How the scores of a model are read, for what it searches.

    A hit's score is its cosine plus `weight` times its share of the full lexical score; below
    `least` it is none. When the best is below a floor, nothing is known: `floor` for a single text
    and `growth` more for every ten times as many, since among more texts chance brings one nearer.
    """

    weight: float
    floor: float
    growth: float
    least: float

    @property
    def full(self) -> float:
        """How far above the least a text is that says just what was asked."""
        return 1 + self.weight - self.least

    def floor_among(self, texts: int) -> float:
        """What the best of so many texts must reach."""
        return self.floor + self.growth * math.log10(max(1, min(texts, 1000)))


class Embedder(Protocol):
    """A model that makes vectors of texts. It is loaded when first needed.

    Making vectors raises EmbeddingError.
    """

    @property
    def host(self) -> str | None:
        """Who receives the texts; None when they stay in this process."""

    @property
    def name(self) -> str:
        """What its vectors are kept under; another name is another model."""

    @property
    def memories(self) -> Calibration:
        """How a search for memories reads its scores."""

    @property
    def turns(self) -> Calibration:
        """How a search for turns reads its scores."""

    def reads(self, text: str) -> bool:
        """Whether the model knows the language of a text well enough to tell what it means."""

    def knows(self, word: str) -> bool:
        """Whether a word may mean something to the model; of a name only the letters tell."""

    def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts that are kept, each of length 1."""

    def embed_question(self, text: str) -> Vector:
        """The vector of a question, of length 1."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A text that may answer a question, with who said it.

    `before` is what was said just before it, where both are short.
    """

    text: str
    before: str | None = None


class Reranker(Protocol):
    """A model that reads a question together with each text. It is loaded when first needed.

    What it says is blended with how good a match the search found a text to be: the best by its
    scores gains `weight` times the best score of the search, and one that is `span` worse gains
    nothing, or, if all lie wider apart, the worst.
    """

    @property
    def host(self) -> str | None:
        """Who receives the questions and texts; None when they stay in this process."""

    @property
    def name(self) -> str:
        """What it is called in an answer."""

    @property
    def weight(self) -> float:
        """How much it counts for; what the search says counts for 1."""

    @property
    def span(self) -> float:
        """A difference between two scores that leaves no doubt."""

    def scores(self, question: str, excerpts: Sequence[Excerpt]) -> list[float]:
        """How well each excerpt answers the question; higher is better, the scale its own.

        Raises RerankingError, also when it is not done in time.
        """


class LanguageModel(Protocol):
    """A model that answers in the form that it is asked for. Several threads may use it."""

    @property
    def host(self) -> str | None:
        """Who receives the questions; None when they stay in this process."""

    @property
    def name(self) -> str:
        """What it is called in a ledger."""

    def ask(
        self, messages: str | Sequence[Message], answer: type[T], *, max_tokens: int = 1024
    ) -> Answer[T]:
        """What the model answers, as a pydantic model, in `max_tokens` tokens at first.

        What does not change from question to question comes first, since endpoints remember how
        questions begin. What goes wrong out there is an outcome; what the caller does wrong raises
        InvalidInput.
        """


class Notifier(Protocol):
    """Tells somebody what needs a look."""

    @property
    def host(self) -> str | None:
        """Who receives it; None when that is a program here."""

    def tell(self, text: str, *, about: str = "warnings") -> None:
        """Tell them these lines. Raises NotToldError."""


@dataclass(frozen=True, slots=True)
class Purged:
    """The places where traces may remain while others read, and the files that were removed."""

    pending: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class Copies(Protocol):
    """Copies of the store as files, and what is noted of backups.

    No method but those that note may be called within a transaction. Any may raise StoreError.
    """

    def home(self) -> str:
        """The id of the home, which its copies have too."""

    def held(self) -> Held:
        """What the store holds now; every row is read for that."""

    def forgotten(self) -> str:
        """What `Held.forgotten` is now."""

    def make(self, to: Path) -> Held:
        """Copy the store as it is at one moment, while others write; returns what the copy holds.

        The copy was opened and looked through, and holds what the store held at that moment.
        """

    def check(self, copy: Path) -> Held:
        """What a copy holds. Raises StoreError when it is not sound."""

    def without_forgotten(self, copy: Path, to: Path, *, at: datetime) -> Held | None:
        """Write a copy anew without what the store has forgotten; None when it holds none of that.

        What the store has yet stays in the copy, and so does what it lost otherwise.
        """

    def noted(self) -> list[Noted]:
        """The last verified backup of each place."""

    def note(self, noted: Noted) -> None:
        """Note a backup instead of the one before at its place."""

    def drop(self, place: str) -> None:
        """Know nothing of a place any more."""

    def owed(self) -> tuple[str | None, str | None]:
        """Marks of what was forgotten and may be in backups yet: in stores, and in other files.

        Whoever forgets while a backup is noted leaves the first in the same transaction.
        """

    def owe_files(self) -> None:
        """Leave the second: with what was forgotten went files beside the store."""

    def settle(self, owed: tuple[str | None, str | None]) -> None:
        """Take marks away, unless more was forgotten meanwhile."""


class Passes(Protocol):
    """The records of consolidation that a store keeps beside its memories.

    Calls join a transaction that is open, as those of the store do. `own` is the scope whose
    conversations a pass reads; a candidate may be for another one, such as their project. Of what
    is forgotten while a model thinks nothing is kept afterwards: such turns, candidates and
    answers are left out of what is written. Any method may raise StoreError, and whoever writes for
    a pass that was forgotten itself gets NotFound.
    """

    # What waits

    def waiting(self) -> Scopes:
        """Every scope with conversations that no model has read and that are not aside."""

    def unread(
        self, own: Scope, *, after: str | None = None, by_rules: bool = False, limit: int
    ) -> list[Passage]:
        """The next whole turns of one conversation that no model has read, as they came in.

        Of the conversation that has the first such turn behind the turn `after`; those that are
        aside or in quarantine are left out. With `by_rules` those that rules have not read either.
        """

    def before(self, turn: str, own: Scope, limit: int) -> list[Passage]:
        """The whole turns of a conversation that came in before one, the last of them last.

        Those in quarantine are left out.
        """

    def project_of(self, conversation: str, own: Scope) -> Scope | None:
        """The project that was active in a conversation."""

    def projects(self, own: Scope) -> Scopes:
        """The projects that were active in conversations of a scope."""

    def aside(self, own: Scope, *, tries: int | None = None, limit: int) -> list[Aside]:
        """The turns that are aside and were tried fewer than `tries` times, the oldest first."""

    def decisions(
        self,
        visible: Scopes,
        *,
        own: Scope | None = None,
        of: str | None = None,
        stages: Sequence[Stage] | None = None,
        tries: int | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[Decision]:
        """Candidates and what became of them, the oldest first.

        `own` leaves out what was not said in conversations of this scope; `of` is the pass that
        selected or decided them; `tries` leaves out those tried as often. `after` is the id of the
        last one of the page before. One whose turn is out of sight shows its quote and its date
        only, and has no `turn` and no `calls`. The names in them are not looked for.
        """

    def decision(self, id: str, visible: Scopes) -> Decision:
        """The one whose id begins with `id`, shown as `decisions` does.

        Raises NotFound or Ambiguous.
        """

    def refused(self, content: str, scope: Scope) -> str | None:
        """Why this must not be proposed for a scope again, if that is so.

        "forgotten", or "rejected" by a person.
        """

    def is_proposed(self, content: str, scope: Scope) -> bool:
        """Whether this waits for a person as a skill, or became one."""

    def unreviewed(self, turns: Sequence[str], own: Scope) -> list[Memory]:
        """The memories that are candidates still, unpinned, and rest on none but these turns."""

    def heard_elsewhere(self, content: str, kind: Kind, own: Scope, now: datetime) -> bool:
        """Whether another profile of the owner holds the same memory; False for other scopes."""

    def backlog(self, own: Scope, visible: Scopes) -> Backlog:
        """What waits: turns of the own scope, candidates for what is visible."""

    # What a pass writes

    def begin(self, run: Pass) -> None:
        """A pass begins; it is unfinished until it ends.

        Previews of its scope that did not end were interrupted.
        """

    def unfinished(self, own: Scope) -> Pass | None:
        """The pass that was interrupted, if one was; no preview."""

    def record(self, call: Call) -> None:
        """Keep what was asked of a model, and what came of it; what it took counts as spent."""

    def read(
        self,
        of: str,
        turns: Sequence[str],
        decisions: Sequence[Decision],
        *,
        aside: Mapping[str, str],
        at: datetime,
        by_rules: bool = False,
    ) -> None:
        """A pass has read some turns, with what it selected of them; others it sets aside, and why.

        Those that rules read wait for a model still.
        """

    def decide(self, decisions: Sequence[Decision]) -> None:
        """What became of candidates that are known; new ones are added.

        Raises Conflict, keeping nothing, when one was applied, rejected or undone meanwhile. What
        was shown without its turn rests on that still. Raises NotFound when such a one that is
        applied was forgotten.
        """

    def end(self, of: str, *, at: datetime, stopped: str | None, failed: bool = False) -> None:
        """A pass is over, or was stopped by what that says, and whether that is a failure."""

    # Looking back

    def passes(self, own: Scope, *, before: str | None = None, limit: int) -> list[Pass]:
        """The latest passes, newest first, without their decisions; `cost` is not known here.

        `counts` says how many decisions each operation has, by the operation's name or else the
        stage's.
        """

    def one(self, id: str, own: Scope) -> Pass:
        """The pass whose id begins with `id`, without its decisions. Raises NotFound, Ambiguous."""

    def calls(self, of: str, own: Scope) -> list[Call]:
        """What was asked of a model in a pass over this scope, in order. Raises NotFound."""

    def turns_of(self, of: str, own: Scope) -> list[Passage]:
        """The whole turns that a pass read and that are there still, in order."""

    def spent(self, since: datetime) -> Tokens:
        """What all passes of the home, whosever, took since the hour (UTC) in which that lies.

        What was forgotten or undone since is counted too.
        """

    def undo(self, of: str, *, at: datetime, by: str, keep_read: bool = False) -> Undone:
        """Take back what a pass did to memories, as one transaction.

        What was changed or forgotten since is left; of two versions, both or neither. The turns
        that no later pass read are as unread as before, unless told to keep them read; the
        candidates selected by it are UNDONE, others that it decided are set aside again, and what
        others decided stays. Raises InvalidInput when that was done before, it is unfinished or a
        preview, or a later pass, not undone, has read turns that it read or proposed from.
        """

    def is_news(self, own: Scope, warnings: str) -> bool:
        """Whether these are others than somebody was `told` last of a scope."""

    def told(self, own: Scope, warnings: str) -> None:
        """Remember, by keyed hashes, which warnings somebody was told of a scope."""

    def expiring(self, before: datetime, own: Scope) -> int:
        """How many turns `expire` would delete."""

    def expire(self, before: datetime, own: Scope, *, at: datetime, by: str) -> int:
        """Delete conversations of which every turn was read and came in before; returns turns.

        Each in short transactions, with the words in indexes, and what models answered about them.
        Memories keep the words they rest on. They do not come back. `purge` must follow.
        """


def all_decisions(
    passes: Passes,
    visible: Scopes,
    *,
    own: Scope | None = None,
    of: str | None = None,
    stages: Sequence[Stage] | None = None,
    tries: int | None = None,
) -> Iterator[Decision]:
    """What `Passes.decisions` gives, page after page."""
    after = None
    while some := passes.decisions(
        visible, own=own, of=of, stages=stages, tries=tries, after=after, limit=500
    ):
        yield from some
        after = some[-1].id


@dataclass(frozen=True, slots=True)
class Open:
    """A contradiction that nobody has settled; `weighed` tells whether a model looked at it."""

    id: str
    pair: Pair
    found_at: datetime
    weighed: bool


class Contradictions(Protocol):
    """Which memories contradict each other. Calls join a transaction that is open."""

    def add(self, pairs: Sequence[Pair], *, at: datetime) -> None:
        """Keep what was found, of memories that are there; a pair known before stays as it is."""

    def open(
        self,
        visible: Scopes,
        *,
        kinds: Sequence[Contradicting] | None = None,
        after: str | None = None,
        limit: int,
    ) -> list[Open]:
        """Those that nobody settled, of which both sides are visible and live; the oldest first.

        `after` is the id of the last one of the page before.
        """

    def one(self, id: str, visible: Scopes) -> Open:
        """The open one whose id begins with `id`. Raises NotFound, Ambiguous."""

    def weigh(self, id: str, *, at: datetime) -> None:
        """A model has looked at it, and it is open still."""

    def settle(self, id: str, *, at: datetime, override: bool = False) -> None:
        """It is open no more, since both may hold; or an offer is an `override` again."""


def all_open(
    contradictions: Contradictions, visible: Scopes, *, kinds: Sequence[Contradicting]
) -> Iterator[Open]:
    """What `Contradictions.open` gives, page after page."""
    after = None
    while some := contradictions.open(visible, kinds=kinds, after=after, limit=200):
        yield from some
        after = some[-1].id


class Uses(Protocol):
    """What was served to prompts, and what became of it."""

    def record(self, servings: Sequence[Serving], own: Scope) -> None:
        """Keep what was served to whoever has this scope; of what is gone meanwhile nothing.

        So nothing of a scope that holds nothing. What a question recalled counts as a use of it.
        """

    def exchanges(self, own: Scope, *, before: datetime, limit: int) -> list[Exchange]:
        """The next turns of the user that were not reckoned yet, with what was answered.

        Those that the user went on after, or that came in before `before`.
        """

    def unreckoned(self, own: Scope) -> int:
        """How many turns of the user were not reckoned yet."""

    def reckon(self, exchange: Exchange, used: Sequence[str], needs: Sequence[Need]) -> None:
        """Keep which of the memories served an answer used, and what was needed."""

    def days(self, visible: Scopes, *, since: datetime) -> list[Day]:
        """What was counted since then, by day (UTC) and scope."""


class Register(Protocol):
    """Who shares a home, as its owner says. Calls join a transaction that is open."""

    def projects(self) -> list[Project]:
        """Every project, by name."""

    def keep_project(self, project: Project) -> None:
        """There is this project, with just these parts."""

    def drop_project(self, name: str) -> bool:
        """There is none of this name; whether there was. What it remembers stays."""

    def people(self) -> list[Person]:
        """Whoever has a channel, by name, the owner first."""

    def keep_channel(self, identity: str, person: str | None) -> None:
        """Who speaks as this is that person, None for the owner."""

    def drop_channel(self, identity: str) -> bool:
        """Who speaks as this is nobody; whether it was somebody."""


Form = Literal["markdown", "hermes", "mirror"]
"""How memories are written into files."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """What a file tells of a memory besides its words, if its form tells that at all."""

    kind: Kind | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file that was written from the store where the ledger ended at `mark`.

    `path` is within the home, or a whole one. `lines` are the memories in it by their ids. By its
    `stamp` one sees whether somebody wrote it since.
    """

    path: str
    scope: Scope
    form: Form
    mark: int
    lines: Mapping[str, FileLine] = field(default_factory=dict)
    stamp: str | None = None


class Files(Protocol):
    """Which files are written from the store, and what each held. Calls join a transaction."""

    def those(self, visible: Scopes) -> list[KeptFile]:
        """The files of some scopes, by their paths."""

    def keep(self, file: KeptFile) -> None:
        """A file was written; of memories that are gone meanwhile it keeps nothing."""

    def drop(self, path: str, visible: Scopes) -> None:
        """A file is no more written."""

    def touched(self, scope: Scope, since: int) -> list[str]:
        """The memories of a scope, there or gone, that the ledger names after the mark `since`."""

    def gone(self, ids: Sequence[str], visible: Scopes) -> frozenset[str]:
        """Those of the ids that were memories and are none: they were forgotten, or undone."""


class Kept(Protocol):
    """What a person looked at in a review and left as it is, by keyed hashes of what it is."""

    def keep(self, keys: Sequence[str], own: Scope, *, until: datetime) -> None:
        """Have these not come up again until then."""

    def those(self, keys: Sequence[str], own: Scope, *, now: datetime) -> frozenset[str]:
        """Those of the keys that must not come up now."""


class SkillUses(Protocol):
    """How often skills were used, which are files themselves. Calls join an open transaction."""

    def count(self, name: str, scope: Scope, *, at: datetime) -> Used:
        """The skill of this name and scope was used; returns its uses with this one."""

    def counted(self, visible: Scopes) -> Mapping[tuple[Scope, str], Used]:
        """The uses of the skills of some scopes, by scope and name."""

    def drop(self, name: str, scope: Scope) -> None:
        """The skill is gone, and so are its uses."""


RowsOf = Callable[[str], "Iterator[Row]"]
"""The rows of a table, by its name; they may be asked for more than once."""


class Transfer(Protocol):
    """All that a store keeps, as rows for another one; whosever it is."""

    @property
    def schema(self) -> int:
        """Which schema the rows have; a higher one is newer."""

    def tables(self) -> tuple[Table, ...]:
        """What is carried; each after those that it refers to."""

    def dump(self) -> AbstractContextManager[tuple[Mapping[str, int], RowsOf]]:
        """How many rows each table has, and these rows, as they were at one moment.

        The tables are asked for once, in their order. No row number is in them: what has an id is
        named by it. What is derived is left out.
        """

    def load(
        self,
        rows: RowsOf,
        *,
        at: datetime,
        by: str,
        advance: Callable[[int], None] = lambda done: None,
    ) -> tuple[Loaded, Doomed]:
        """Bring rows in that `dump` gave, there or elsewhere, all in one transaction or none.

        What is there stays as it is. What was forgotten there goes here too, which is what is
        returned besides, and what was forgotten here stays out. `purge` must follow. `advance` is
        told how many rows were looked at just now. Raises InvalidInput for a row that the store
        cannot keep, which is the one that was asked for last.
        """


class Store(Protocol):
    """Where everything is kept.

    Every read names the scopes it may see and is filtered before it is limited. Every change and
    its ledger entry are one transaction. All times carry a zone; ids are ULIDs in upper case.
    Any method may raise StoreError, and one that writes ReadOnly.
    """

    def close(self) -> None:
        """Let go of everything; safe to call twice."""

    @property
    def is_read_only(self) -> bool:
        """Whether nothing may be written here."""

    def last_change(self) -> datetime | None:
        """The time of the latest entry of the ledger, of those that were written last."""

    def transaction(self) -> AbstractContextManager[None]:
        """Make the calls inside one transaction, which an exception undoes."""

    @property
    def cipher(self) -> str | None:
        """By what it is encrypted; None when whoever has it can read it."""

    @property
    def passes(self) -> Passes:
        """The records of consolidation."""

    @property
    def kept(self) -> Kept:
        """What a person looked at and left as it is."""

    @property
    def register(self) -> Register:
        """Who shares the home."""

    @property
    def files(self) -> Files:
        """Which files are written from the store, and what each held."""

    @property
    def uses(self) -> Uses:
        """What was served to prompts, and what became of it."""

    @property
    def contradictions(self) -> Contradictions:
        """Which memories contradict each other."""

    @property
    def skills(self) -> SkillUses:
        """How often skills were used."""

    @property
    def transfer(self) -> Transfer:
        """All of it, as rows for another store."""

    @property
    def copies(self) -> Copies:
        """Copies of the store as files."""

    def preview(self) -> AbstractContextManager[Store]:
        """A copy of the store as it is now, for what shall change nothing; it goes afterwards."""

    # Writing

    def observe(
        self,
        turns: Sequence[IncomingTurn],
        scope: Scope,
        project: Scope | None,
        *,
        at: datetime,
        by: str,
        deliberate: bool,
        profile: Scope | None = None,
    ) -> Observed:
        """Store turns that are not stored yet, for `scope`, each call in few short transactions.

        `profile` is the agent that heard them, where `scope` is a person. Raises CaptureOff,
        storing nothing more, when the turns were not brought in deliberately and `switched_off`
        tells of a switch: each transaction looks itself.
        """

    def apply(
        self,
        changes: Sequence[Change],
        *,
        at: datetime,
        by: str,
        reason: str | None = None,
        of: str | None = None,
    ) -> None:
        """Carry out changes to memories, all or none, each with its ledger entry.

        `of` is the pass whose changes they are. Raises Conflict when a memory is no longer as its
        `before` says.
        """

    def merge(self, keep: str, other: str, *, at: datetime, by: str) -> None:
        """Make two entities one, which is called as the first is; takes their ids.

        Raises NotFound, or InvalidInput when they are one already or of different scopes.
        """

    def split(
        self,
        entity: str,
        name: str,
        kind: EntityKind,
        *,
        aliases: Sequence[str],
        texts: Sequence[str],
        at: datetime,
        by: str,
    ) -> str:
        """Make a new entity of aliases of another and of its mentions in some texts.

        `texts` are ids of memories and turns. Returns the id of the new one. Raises NotFound for
        what is not there, and InvalidInput when the name is taken or the alias is what the other
        is called.
        """

    def set_capture(
        self,
        on: bool,
        scope: Scope | None = None,
        *,
        at: datetime,
        by: str,
        themselves: bool = False,
    ) -> None:
        """Turn capture on or off for the home, or off for a scope and no longer off.

        A person may switch what they say `themselves`, besides the owner: each takes back only what
        they did. What is so already keeps the date since when.
        """

    def set_incognito(
        self,
        conversation: str,
        on: bool,
        scope: Scope,
        *,
        at: datetime,
        by: str,
        from_start: bool = False,
    ) -> Doomed:
        """Keep nothing of what is said in a conversation from now on, or nothing of it at all.

        `observe` leaves out such turns of the person whose the scope is, whichever agent brings
        them and whenever. `from_start` forgets what is stored of it, too, by whichever agent.
        Turned off, what is said from now on is kept again.
        """

    def is_incognito(self, conversation: str, scope: Scope, now: datetime) -> bool:
        """Whether nothing is kept of what is said in a conversation now."""

    def release(self, turn: str, *, at: datetime, by: str) -> None:
        """Let a turn out of quarantine, by its whole id; one that is not there stays as it is."""

    def doomed(self, choice: Choice, visible: Scopes) -> Doomed:
        """What `forget` would take, which stays as it is."""

    def forget(self, choice: Choice, visible: Scopes, *, at: datetime, by: str) -> Doomed:
        """Delete memories and turns with their index entries, vectors, links and words anywhere.

        With a memory go the words of turns that it rests on, and with a turn or such words the
        memories that rest on these alone. What is left tells that something was forgotten, and by
        keyed hashes what it was, so that it does not come back. `purge` must follow.
        """

    def doom(self, paths: Sequence[str]) -> None:
        """Have `purge` remove files that hold what is forgotten; the paths are within the home.

        Folders that are empty then go too.
        """

    def spare(self, path: str) -> None:
        """Have `purge` leave a file alone in which something else is written by now."""

    def purge(self) -> Purged:
        """Clear what deletions left behind; what an earlier call did not finish is done too.

        A store that opens does so by itself.
        """

    def traces(self, doomed: Doomed, *, besides: Iterable[str] = ()) -> Mapping[str, int]:
        """How many words and vectors of what was forgotten each file of the home holds still.

        Left out are words that other texts have, or those `besides`.
        """

    # Reading

    def switches(self) -> list[Switch]:
        """Every switch of capture, whosever: that of the home first, and those that are off."""

    def switched_off(
        self, scope: Scope, project: Scope | None, profile: Scope | None = None
    ) -> tuple[Switch, ...]:
        """What keeps turns of a scope from being captured; empty when nothing does.

        That of the home; or those of the person whose the scope is, of the agent that heard them,
        and of the project. One whose scope was forgotten counts as before.
        """

    def memory(self, id: str, visible: Scopes) -> Memory:
        """The memory whose id begins with `id`. Raises NotFound or Ambiguous."""

    def turn(self, id: str, visible: Scopes) -> Passage:
        """The whole turn whose id begins with `id`. Raises NotFound or Ambiguous."""

    def turns(
        self, conversation: str, own: Scope, *, after: str | None = None, limit: int
    ) -> list[Passage]:
        """The next whole turns of a conversation of one scope, in the order in which they came in.

        Those behind the turn with the id `after`; behind where it stood if it is gone.
        """

    def stretch(
        self,
        first: str,
        last: str,
        visible: Scopes,
        *,
        conversation: str | None = None,
        own: Scope | None = None,
        limit: int,
    ) -> list[Passage]:
        """The next whole turns of a conversation from one to another, as they came in.

        Of an end that is gone counts where it stood. The conversation is that of an end that is
        there, or else the one that is named, of the scope `own`. Empty when there is none; raises
        InvalidInput when the ends are of two.
        """

    def quarantined(self, visible: Scopes, limit: int) -> list[Passage]:
        """The whole turns that are kept from models, the latest first."""

    def memories(
        self, visible: Scopes, filter: Filter, *, before: str | None = None, limit: int
    ) -> list[Memory]:
        """Memories, newest first; `before` is the id after which the next page begins.

        Raises NotFound when that is not visible.
        """

    def strongest(self, visible: Scopes, filter: Filter, kind: Kind, *, limit: int) -> Strongest:
        """What stands of a kind: what is pinned, the latest said or confirmed, the most often said.

        Up to `limit` of each and of each scope. What a person has yet to review is left out.
        """

    def topics(self, visible: Scopes, filter: Filter) -> list[Topic]:
        """The topics of the memories that pass, those of most memories first, then by name.

        A name is one topic in whatever scopes it is. None has a `close` one yet.
        """

    def entities(self, visible: Scopes, *, name: str | None = None, limit: int) -> list[Entity]:
        """Entities, the most mentioned first; with `name` those with an alias that contains it."""

    def entity(self, which: str, visible: Scopes) -> Entity:
        """The entity of this name, or whose id begins so. Raises NotFound or Ambiguous."""

    def same(
        self,
        content: str,
        scope: Scope,
        kind: Kind,
        now: datetime,
        *,
        statuses: frozenset[Status] = LIVE,
    ) -> Memory | None:
        """The memory that holds and says the same, but for case and white space."""

    def entries(self, id: str, visible: Scopes) -> list[Entry]:
        """The ledger of the memory or entity whose id begins with `id`, oldest first.

        With that of the memories it replaced or that replaced it, and of the entities merged into
        it. Raises NotFound or Ambiguous.
        """

    def mark(self) -> int:
        """Where the ledger ends now, for `changed`; it says nothing to anyone else."""

    def changed(self, since: int, visible: Scopes) -> bool:
        """Whether the ledger tells of a change in these scopes after the mark `since`."""

    def search_memories(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        """Memories by BM25."""

    def search_turns(self, words: Words, visible: Scopes, filter: Filter, limit: int) -> Ranking:
        """Passages of turns by BM25."""

    def near(
        self,
        type: HitType,
        vector: Vector,
        model: str,
        visible: Scopes,
        filter: Filter,
        limit: int,
        *,
        also: Sequence[Ranked] = (),
    ) -> Near:
        """Memories or passages of turns by cosine, those of `also` in any case, if they have one.

        Raises EmbeddingError when the kept vectors have another length.
        """

    def alike(
        self, visible: Scopes, model: str, *, least: float, limit: int
    ) -> list[tuple[str, str, float]]:
        """Pairs of memories of one scope that hold, the most alike first: ids and cosine.

        The older one first. Episodes are left out, and what has no vector of the model.
        """

    def linked(
        self,
        type: HitType,
        names: Sequence[str],
        visible: Scopes,
        filter: Filter,
        limit: int,
    ) -> tuple[Ranked, ...]:
        """Memories or passages of turns over one or two links from entities called one of `names`.

        One link is a text that mentions such an entity; two, a text that mentions another entity
        which stands beside it somewhere. The score falls with each step and with the number of
        mentions of an entity passed; no score is above the number of names.
        """

    def in_time(
        self, type: HitType, visible: Scopes, filter: Filter, limit: int, *, latest_first: bool
    ) -> tuple[Ranked, ...]:
        """Memories in the order in which they began to hold, or first passages of turns as said.

        What a filter lets pass is listed whatever it says; each score is 0.
        """

    def fetch_memories(self, ids: Sequence[str], visible: Scopes, filter: Filter) -> list[Memory]:
        """Those of `ids` that are still visible and still pass the filter, in the same order."""

    def fetch_passages(
        self, ranked: Sequence[Ranked], visible: Scopes, filter: Filter
    ) -> list[Passage]:
        """Those of the found passages that are still visible, in the same order."""

    def scopes(self) -> Scopes:
        """Every scope that holds memories, turns or uses of skills, by name."""

    def holdings(self, visible: Scopes) -> Holdings:
        """How much the visible scopes hold."""

    def conversations(self, visible: Scopes, now: datetime) -> list[Conversation]:
        """The conversations of the visible scopes, in the order in which they began to come in."""

    def forgotten(self, visible: Scopes) -> list[Forgotten]:
        """When something of the visible scopes was forgotten or expired for good, the oldest first.

        Of a scope that went whole nothing is told.
        """

    # Vectors

    def vectors(self) -> VectorsKept:
        """Whose vectors are kept, and how many texts wait for theirs."""

    def embed_by(self, model: str, *, again: bool = False) -> None:
        """Keep vectors of this model from now on, dropping others in short transactions first.

        With `again` those of the model itself are dropped too. Interrupted, the store keeps no
        model's, until it is called anew.
        """

    def unembedded(self, limit: int) -> list[Unembedded]:
        """Texts that wait for a vector, memories first, the newest first; whosever they are."""

    def keep_vectors(self, model: str, vectors: Sequence[tuple[Unembedded, Vector]]) -> int | None:
        """Store vectors, except of texts that have changed or gone since; returns how many.

        None when the vectors kept are those of another model.
        """

    def alone(self, purpose: str) -> AbstractContextManager[bool]:
        """Whether nobody else does this meanwhile; it ends with the process that does it."""

    # Upkeep

    def check(self) -> list[str]:
        """What is wrong with the store, one line each; empty when it is sound."""


def all_memories(store: Store, visible: Scopes, filter: Filter) -> Iterator[Memory]:
    """What `Store.memories` gives, page after page."""
    before = None
    while some := store.memories(visible, filter, before=before, limit=1000):
        yield from some
        before = some[-1].id


class Examined(Protocol):
    """A store's file, looked at whether or not it can be opened. Nothing is written, nowhere.

    Any method may raise StoreError for what cannot be read. Unless its condition is `OURS` or
    `OLDER` nothing is known of what is in it.
    """

    @property
    def condition(self) -> Condition:
        """What the file is."""

    @property
    def why(self) -> str:
        """Why it is in that condition, as one sentence; empty when it is ours."""

    def problems(self) -> list[str]:
        """What SQLite finds wrong with pages, rows and references."""

    def out_of_step(self) -> list[str]:
        """The full-text indexes that do not say what their tables do."""

    def readable(self) -> Mapping[str, int]:
        """How many memories of each status, and turns, can still be read."""

    def vectors(self) -> VectorsFound: ...

    def dangling(self) -> Dangling: ...

    def purges(self) -> int:
        """How often something was forgotten that may still be somewhere."""

    def doomed_files(self) -> int:
        """How many files are to be removed of what was forgotten."""

    def newest(self) -> datetime | None:
        """The latest moment at which something was written."""

    def backed_up(self) -> tuple[str, bool]:
        """The home of which backups are, and whether one may hold what was forgotten."""

    def secrets(self) -> list[Path]:
        """The files of which each opens it, when it is encrypted."""

    def is_rekeyed(self) -> bool:
        """Whether a change of its keys was cut off."""

    def left_over(self) -> list[Path]:
        """Folders and files that crashed work left beside the store and nobody holds."""

    def close(self) -> None: ...
