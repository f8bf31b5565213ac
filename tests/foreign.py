"""What other programs leave: the session database of Hermes, transcripts of Claude Code."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECONDS = NOON.timestamp()

# Hermes ------------------------------------------------------------------------------------------

SESSIONS = """
    CREATE TABLE sessions (
        id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, display_name TEXT, model TEXT,
        model_config TEXT, system_prompt TEXT, parent_session_id TEXT REFERENCES sessions(id),
        started_at REAL NOT NULL, ended_at REAL, end_reason TEXT, message_count INTEGER DEFAULT 0,
        cwd TEXT, title TEXT, profile_name TEXT, archived INTEGER NOT NULL DEFAULT 0
    )
"""
MESSAGES = """
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL REFERENCES sessions(id),
        role TEXT NOT NULL, content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT,
        timestamp REAL NOT NULL, token_count INTEGER, finish_reason TEXT, reasoning TEXT,
        platform_message_id TEXT, observed INTEGER DEFAULT 0,
        active INTEGER NOT NULL DEFAULT 1, compacted INTEGER NOT NULL DEFAULT 0, api_content TEXT
    )
"""
OLD_MESSAGES = """
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL,
        content TEXT, tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL
    )
"""
CALLS = [{"id": "call_1", "type": "function", "function": {"name": "terminal", "arguments": "{}"}}]


class HermesDatabase:
    """A `state.db` as Hermes writes it; each message comes a second after the one before."""

    def __init__(self, path: Path, *, version: int = 22, messages: str = MESSAGES) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        for statement in ("CREATE TABLE schema_version (version INTEGER)", SESSIONS, messages):
            self.db.execute(statement)
        self.db.execute("INSERT INTO schema_version VALUES (?)", (version,))
        self._seconds = SECONDS

    def session(
        self,
        id: str = "20260301_120000_ab12cd",
        source: str = "cli",
        parent: str | None = None,
        config: object = None,
    ) -> str:
        self._seconds += 1
        written = None if config is None else json.dumps(config)
        self.db.execute(
            "INSERT INTO sessions (id, source, parent_session_id, model_config, started_at)"
            " VALUES (?, ?, ?, ?, ?)",
            (id, source, parent, written, self._seconds),
        )
        return id

    def end(self, session: str, reason: str) -> None:
        self.db.execute("UPDATE sessions SET end_reason = ? WHERE id = ?", (reason, session))

    def say(self, session: str, role: str, content: object, **more: object) -> int:
        self._seconds += 1
        values = {"session_id": session, "role": role, "content": content}
        values |= {"timestamp": self._seconds, **more}
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        done = self.db.execute(
            f"INSERT INTO messages ({names}) VALUES ({marks})", tuple(values.values())
        )
        assert done.lastrowid is not None
        return done.lastrowid

    def write_anew(self, session: str, *messages: tuple[str, str]) -> None:
        """As a compaction does: all at once, under the moment at which it does."""
        self._seconds += 1
        now = self._seconds
        for place, (role, content) in enumerate(messages):
            self.say(session, role, content, timestamp=now + place * 1e-6)

    def compact(self, session: str, *messages: tuple[str, str]) -> None:
        self.db.execute(
            "UPDATE messages SET active = 0, compacted = 1 WHERE session_id = ? AND active = 1",
            (session,),
        )
        self.write_anew(session, *messages)

    def close(self) -> None:
        self.db.close()


@contextmanager
def hermes(path: Path, **kwargs: object) -> Iterator[HermesDatabase]:
    made = HermesDatabase(path, **kwargs)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.close()


# Claude Code -------------------------------------------------------------------------------------


@dataclass
class Transcript:
    """Records of a session as Claude Code writes them; each comes a second after the one before."""

    session: str = "15d83c09-f4fd-4d09-befc-43a5e208df67"
    cwd: str = "/home/liam/site"
    start: int = 1
    records: list[dict[str, object]] = field(default_factory=list)

    def add(self, type: str, **fields: object) -> dict[str, object]:
        number = self.start + len(self.records)
        record: dict[str, object] = {
            "type": type,
            "uuid": str(UUID(int=number << 96 | number)),
            "parentUuid": None,
            "sessionId": self.session,
            "timestamp": (NOON + timedelta(seconds=number)).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "cwd": self.cwd,
            "gitBranch": "main",
            "version": "2.1.332",
            "isSidechain": False,
        }
        self.records.append(record | fields)
        return self.records[-1]

    def user(self, content: object, **fields: object) -> dict[str, object]:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def assistant(self, *blocks: object, **fields: object) -> dict[str, object]:
        message = {"role": "assistant", "id": "msg_1", "content": list(blocks)}
        return self.add("assistant", message=message, **fields)

    def continued(self, session: str) -> Transcript:
        """The same records under another session id, as a fork begins."""
        copies = [record | {"sessionId": session} for record in self.records]
        return Transcript(session, self.cwd, self.start, copies)

    def write(self, path: Path) -> Path:
        return write_lines(path, self.records)


def write_lines(path: Path, records: Iterable[object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def text(words: str) -> dict[str, object]:
    return {"type": "text", "text": words}


def tool_use(id: str, name: str = "Bash", **given: object) -> dict[str, object]:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def tool_result(id: str, content: object) -> dict[str, object]:
    return {"type": "tool_result", "tool_use_id": id, "content": content}
