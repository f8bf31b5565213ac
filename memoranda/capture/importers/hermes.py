"""The sessions of Hermes Agent: the `state.db` of a home and of the profiles in it.

Hermes writes rows anew: when it compacts a session, in the same one or in a child, and when it
branches one off. The number of a row is therefore no identity; the moment at which something was
said mostly is, and what was written anew under another moment is known by its company.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memoranda.capture.importers import foreign
from memoranda.capture.importers.reading import Reading, without
from memoranda.errors import InvalidInput
from memoranda.text import dates
from memoranda.text.parts import call, text_of
from memoranda.types import Role, Turn

if TYPE_CHECKING:
    import sqlite3

OF_SUBAGENTS = frozenset(("subagent", "tool"))
SUBAGENTS_MARKED = 16
"""From this version of the schema on the sessions of subagents are marked as such."""
AT_ONCE = 500
"""Rows read before the database is let go, so that it is not held while they are stored."""
BREATH = 5e-6
"""Seconds: rows closer than that were written by one statement after another, not as said."""
SUMMARIES = ("[CONTEXT COMPACTION", "[CONTEXT SUMMARY]")
MERGED_SUMMARY = "[END OF PRIOR CONTEXT"
"""What stands before a summary that was appended to a message."""
REVIEWS = (
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
)
"""What Hermes once asked itself within a person's session; the answer is no turn either."""
_COLUMNS = (
    *("id", "role", "content", "timestamp", "tool_name", "tool_call_id", "tool_calls"),
    *("active", "compacted"),
)
_JSON = "\0json:"
_ROLES = frozenset(role.value for role in Role)


def files(path: Path) -> list[Path]:
    """The session databases at `path`: one, or those of a home and its profiles."""
    if not path.is_dir():
        return [path] if foreign.is_sqlite(path) and _has_sessions(path) else []
    found = [path / "state.db", *sorted(path.glob("profiles/*/state.db"))]
    return [each for each in found if foreign.is_sqlite(each)]


def read(paths: list[Path], reading: Reading) -> Iterator[Turn]:
    """The turns of every conversation, with those of the sessions that continue it."""
    import sqlite3

    for path in paths:
        try:
            with foreign.opened(path) as database:
                if _is_of_sessions(database):
                    yield from _Database(database, path, reading).turns()
                else:
                    reading.fail(path, None, "it has no sessions; a copy needs its -wal file too")
        except (sqlite3.Error, OSError, UnicodeError) as error:
            reading.fail(path, None, error)


def _has_sessions(path: Path) -> bool:
    import sqlite3

    try:
        with foreign.opened(path) as database:
            return _is_of_sessions(database)
    except (sqlite3.Error, OSError):
        return True  # damaged or locked: reading it will say so


def _is_of_sessions(database: sqlite3.Connection) -> bool:
    return all(_columns(database, table) for table in ("sessions", "messages"))


def _columns(database: sqlite3.Connection, table: str) -> frozenset[str]:
    return frozenset(row["name"] for row in database.execute(f"PRAGMA table_info({table})"))


@dataclass(frozen=True, slots=True)
class _Session:
    """A row of the table, as far as it matters here."""

    id: str
    source: str
    parent: str | None
    ended_by: str | None
    started: float
    config: Mapping[str, Any]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _Session:
        started = row["started_at"]
        return cls(
            id=str(row["id"]),
            source=str(row["source"]),
            parent=None if row["parent_session_id"] is None else str(row["parent_session_id"]),
            ended_by=None if row["end_reason"] is None else str(row["end_reason"]),
            started=started if isinstance(started, int | float) else 0.0,
            config=_config(row["model_config"]),
        )


def _config(written: object) -> Mapping[str, Any]:
    try:
        value = json.loads(written) if isinstance(written, str) else None
    except (ValueError, RecursionError):
        value = None
    return value if isinstance(value, dict) else {}


class _Sessions:
    """All sessions of a database, and how they hang together."""

    def __init__(self, sessions: list[_Session], version: int) -> None:
        self._by_id = {each.id: each for each in sessions}
        self._version = version
        self._roots: dict[str, str] = {}
        self._of_subagents: set[str] = set()
        self._in_order = sorted(sessions, key=lambda each: (each.started, each.id))
        for session in self._in_order:
            self._trace(session)

    def conversations(self) -> Iterator[tuple[str, list[_Session]]]:
        """Each by the id of the session that it began with, and its sessions in their order."""
        together: defaultdict[str, list[_Session]] = defaultdict(list)
        for session in self._in_order:
            together[self._roots[session.id]].append(session)
        yield from together.items()

    def is_subagents(self, session: _Session) -> bool:
        """Whether an agent wrote what its user says, or the session continues such a one."""
        return session.id in self._of_subagents

    def _trace(self, session: _Session) -> None:
        """Find out where a session and those before it began; each is climbed from once."""
        climbed: dict[str, _Session] = {}
        current: _Session | None = session
        while current and current.id not in climbed and current.id not in self._roots:
            climbed[current.id] = current
            current = self._parent(current)
        for each in reversed(climbed.values()):
            parent = self._parent(each)
            before = "" if parent is None else parent.id
            self._roots[each.id] = self._roots.get(before, each.id)
            if before in self._of_subagents or self._is_delegated(each, parent):
                self._of_subagents.add(each.id)

    def _parent(self, session: _Session) -> _Session | None:
        return self._by_id.get(session.parent or "")

    def _is_delegated(self, session: _Session, parent: _Session | None) -> bool:
        if session.source in OF_SUBAGENTS or session.config.get("_delegate_from") is not None:
            return True
        return (
            self._version < SUBAGENTS_MARKED
            and parent is not None
            and parent.ended_by not in ("compression", "branched")
            and session.config.get("_branched_from") is None
        )


class _Database:
    """One database being read."""

    def __init__(self, database: sqlite3.Connection, path: Path, reading: Reading) -> None:
        self._database = database
        self._path = path
        self._reading = reading
        self._columns = [each for each in _COLUMNS if each in _columns(database, "messages")]
        self._progress = _progress(database, path, reading)

    def turns(self) -> Iterator[Turn]:
        sessions = _Sessions([*self._sessions()], self._version())
        for root, those in sessions.conversations():
            conversation = _Conversation(f"hermes/{root}", self._reading)
            for session in those:
                of_subagent = sessions.is_subagents(session)
                conversation.begin(session)
                for row, in_one_breath in _with_company(self._rows(session)):
                    next(self._progress)
                    if of_subagent:
                        self._reading.leave_out("messages of subagents")
                        continue
                    try:
                        turns = conversation.turns(_Message.of(row), in_one_breath)
                    except InvalidInput as error:
                        self._reading.fail(self._path, row["id"], error)
                        continue
                    yield from turns

    def _sessions(self) -> Iterator[_Session]:
        """Those that have messages or others that continue them, even where their row is gone."""
        wanted = ("id", "source", "parent_session_id", "end_reason", "started_at", "model_config")
        there = _columns(self._database, "sessions")
        chosen = ", ".join(name if name in there else f"NULL AS {name}" for name in wanted)
        yield from map(_Session.of, self._database.execute(f"SELECT {chosen} FROM sessions"))
        for row in self._database.execute(
            "SELECT DISTINCT session_id FROM messages"
            " WHERE session_id NOT IN (SELECT id FROM sessions)"
        ):
            yield _Session(str(row[0]), "", None, None, 0.0, {})

    def _version(self) -> int:
        if not _columns(self._database, "schema_version"):
            return 0
        (version,) = self._database.execute("SELECT max(version) FROM schema_version").fetchone()
        return version if isinstance(version, int) else 0

    def _rows(self, session: _Session) -> Iterator[Mapping[str, Any]]:
        last = 0
        query = (
            f"SELECT {', '.join(self._columns)} FROM messages"
            " WHERE session_id = ? AND id > ? ORDER BY id LIMIT ?"
        )
        while rows := self._database.execute(query, (session.id, last, AT_ONCE)).fetchall():
            yield from map(dict, rows)
            last = rows[-1]["id"]


def _progress(database: sqlite3.Connection, path: Path, reading: Reading) -> Iterator[None]:
    """Each step tells as many bytes of the file as one row of all of them has on average."""
    (count,) = database.execute("SELECT count(*) FROM messages").fetchone()
    size = path.stat().st_size
    for number in range(count):
        reading.advance(size * (number + 1) // count - size * number // count)
        yield
    while True:
        yield  # rows that came in since


def _with_company(
    rows: Iterator[Mapping[str, Any]],
) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """Each row, and whether the one before or after it was written in the same breath."""
    before = None
    row = next(rows, None)
    while row is not None:
        after = next(rows, None)
        yield row, _close(before, row) or _close(row, after)
        before, row = row, after


def _close(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> bool:
    if one is None or other is None:
        return False
    first, second = one.get("timestamp"), other.get("timestamp")
    if not isinstance(first, int | float) or not isinstance(second, int | float):
        return False
    return abs(second - first) <= BREATH


@dataclass(frozen=True, slots=True)
class _Call:
    """The call of a tool."""

    id: str
    text: str
    tool: str


@dataclass(frozen=True, slots=True)
class _Message:
    """A row of the table, as far as it matters here."""

    role: str
    text: str
    attached: int
    said: float
    undone: bool
    tool: str | None
    call: str | None
    calls: tuple[_Call, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> _Message:
        """Raises InvalidInput for what no version of Hermes writes."""
        said = row.get("timestamp")
        if not isinstance(said, int | float):
            raise InvalidInput(f"the time {str(said)[:40]!r} is no number of seconds")
        text, attached = _words(row.get("content"))
        return cls(
            role=str(row.get("role")),
            text=text,
            attached=attached,
            said=said,
            undone=row.get("active") == 0 and not row.get("compacted"),
            tool=_text(row.get("tool_name")),
            call=_text(row.get("tool_call_id")),
            calls=_calls(row.get("tool_calls")),
        )

    @property
    def key(self) -> int:
        """What is the same of a message and its copy."""
        return hash((self.role, self.text, self.call, self.calls))

    def begins_with(self, words: tuple[str, ...]) -> bool:
        return self.text.lstrip().startswith(words)

    @property
    def answers(self) -> int | None:
        """The same of a copy that was shortened: which calls it makes, or which it answers."""
        if self.call or self.calls:
            return hash((self.role, self.call, tuple(each.id for each in self.calls)))
        return None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _words(written: object) -> tuple[str, int]:
    """The text of a message, and how many of its parts are none."""
    match written:
        case None:
            return "", 0
        case str() if written.startswith(_JSON):
            return text_of(_json(written[len(_JSON) :], "content"))
        case str():
            return written, 0
        case bytes():
            return written.decode("utf-8", "surrogateescape"), 0
        case _:
            return str(written), 0


def _json(text: str, what: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"the {what} cannot be read: {error}") from error


def _calls(written: object) -> tuple[_Call, ...]:
    if not isinstance(written, str) or not written:
        return ()
    calls = _json(written, "calls of tools")
    return tuple(
        _called(each, place)
        for place, each in enumerate(calls if isinstance(calls, list) else [calls])
    )


def _called(each: object, place: int) -> _Call:
    if not isinstance(each, dict):
        raise InvalidInput("a call of a tool is no object")
    function = each.get("function")
    about = function if isinstance(function, dict) else each
    name = _text(about.get("name")) or "a tool"
    return _Call(_text(each.get("id")) or str(place), call(name, about.get("arguments")), name)


class _Copies:
    """What a conversation has so far, to know what is written anew.

    A copy has the moment of the first; or it was written in one breath with others; or it stands
    at the beginning of a session, where others before it are repeated in their order.
    """

    def __init__(self) -> None:
        self._places: defaultdict[int, list[int]] = defaultdict(list)
        self._moments: set[tuple[int, float]] = set()
        self._count = 0
        self._repeated_to: int | None = None

    def begin(self) -> None:
        """A session may begin with what was said in those before it."""
        self._repeated_to = -1

    def has(self, message: _Message, in_one_breath: bool) -> bool:
        """Whether a message is a copy; if it is none, it is taken down."""
        keys = [key for key in (message.key, message.answers) if key is not None]
        if self._repeats(keys):
            return True
        known = any(key in self._places for key in keys)
        if known and (in_one_breath or any((key, message.said) in self._moments for key in keys)):
            return True
        for key in keys:
            self._places[key].append(self._count)
            self._moments.add((key, message.said))
        self._count += 1
        return False

    def _repeats(self, keys: list[int]) -> bool:
        if self._repeated_to is None:
            return False
        for key in keys:
            places = self._places.get(key, [])
            if (next := bisect_right(places, self._repeated_to)) < len(places):
                self._repeated_to = places[next]
                return True
        self._repeated_to = None
        return False


class _Conversation:
    """One conversation being read, over all its sessions."""

    def __init__(self, name: str, reading: Reading) -> None:
        self._name = name
        self._reading = reading
        self._copies = _Copies()
        self._ids: Counter[str] = Counter()
        self._tools: dict[str, str] = {}
        self._scheduled = False
        self._reviewing = False

    def begin(self, session: _Session) -> None:
        self._scheduled = session.source == "cron"
        self._reviewing = False
        self._copies.begin()

    def turns(self, message: _Message, in_one_breath: bool) -> list[Turn]:
        """What a message says: its words, and each call of a tool."""
        message = self._apart_from_summary(message)
        if (why := self._no_turn(message, in_one_breath)) is not None:
            self._reading.leave_out(why)
            return []
        self._tools.update((each.id, each.tool) for each in message.calls)
        text, injected = message.text, 0
        if message.role != "tool":
            text, injected = without(text, "memory-context")
        if injected:
            self._reading.leave_out("reminders and other injected text", injected)
        if message.attached:
            self._reading.leave_out("images and other attachments", message.attached)
        id = self._id(message)
        turns = [self._turn(message, text, id)] if text.strip() else []
        return turns + [self._turn(message, each.text, f"{id}/{each.id}") for each in message.calls]

    def _apart_from_summary(self, message: _Message) -> _Message:
        """A message that a summary was appended to, as it was before."""
        text, found, _ = message.text.partition(MERGED_SUMMARY)
        if not found:
            return message
        self._reading.leave_out("summaries")
        return replace(message, text=text.partition("\n")[2].strip())

    def _no_turn(self, message: _Message, in_one_breath: bool) -> str | None:
        """What a message is when it is none that somebody said."""
        answers_review = self._reviewing and message.role == "assistant"
        asks_review = message.role in ("user", "system") and message.begins_with(REVIEWS)
        self._reviewing = asks_review
        if message.undone:
            return "undone messages"
        if message.role not in _ROLES and message.role != "session_meta":
            return f"messages of role {message.role[:40]!r}"
        if asks_review or answers_review or message.role == "session_meta":
            return "internal records"
        if message.begins_with(SUMMARIES):
            return "summaries"
        return "messages that came twice" if self._copies.has(message, in_one_breath) else None

    def _id(self, message: _Message) -> str:
        id = f"{message.said:.6f}/{message.role}"
        self._ids[id] += 1
        return id if self._ids[id] == 1 else f"{id}/{self._ids[id]}"

    def _turn(self, message: _Message, text: str, id: str) -> Turn:
        role, speaker = Role(message.role), None
        if role == Role.TOOL:
            speaker = message.tool or self._tools.get(message.call or "")
        elif role == Role.USER and self._scheduled:
            role, speaker = Role.SYSTEM, "cron"  # nobody said that; it was due
        return Turn(
            conversation=self._name,
            role=role,
            content=text,
            time=dates.from_seconds(message.said),
            speaker=speaker,
            id=id,
        )
