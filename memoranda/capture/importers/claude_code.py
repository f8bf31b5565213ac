"""Transcripts of Claude Code: `~/.claude/projects/PROJECT/SESSION.jsonl`, a record on each line.

A session that was continued in a file of its own repeats the records before, with their uuids and
under its own session id. What does not change is the record that a conversation began with, so
that names it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from memoranda.capture.importers.reading import Reading, without
from memoranda.errors import InvalidInput
from memoranda.text import dates
from memoranda.text.parts import call, text_of
from memoranda.types import Role, Turn

INTERNAL = frozenset(
    """
    agent-name ai-title api-request api-request-blob api-request-shape atis-latch attachment
    cost-state custom-title file-history-snapshot last-prompt mode permission-mode pr-link progress
    prompt_snapshot queue-operation summary system tag tools-used
    """.split()
)
"""Types of records that the program keeps for itself."""
INJECTED = (
    *("system-reminder", "local-command-stdout", "local-command-stderr", "local-command-caveat"),
    *("task-notification", "memory-context", "ide_opened_file", "ide_selection"),
)
"""Elements that the program puts into what a user says, and into what tools return."""
BEGINNING = 1_000
"""So many lines are looked at to recognise a transcript."""

_COMMAND = re.compile(r"<command-name>([^<]*)</command-name>")
_ARGUMENTS = re.compile(r"<command-args>([^<]*)</command-args>")
_SHELL = re.compile(r"<bash-input>([^<]*)</bash-input>")
_SHORT = re.compile(r"[0-9a-f]{8}(?=-[0-9a-f]{4}-)")


def files(path: Path) -> list[Path]:
    """The transcripts at `path`: one, those of a project, of all projects, or of a ~/.claude."""
    if not path.is_dir():
        return [path] if _is_transcript(path) else []
    folder = path / "projects" if (path / "projects").is_dir() else path
    found = sorted(folder.glob("*.jsonl")) or sorted(folder.glob("*/*.jsonl"))
    return found if any(map(_is_transcript, found)) else []


def read(paths: list[Path], reading: Reading) -> Iterator[Turn]:
    """The turns of transcripts, of each project in the order in which its sessions began."""
    for _, of_project in groupby(paths, key=lambda path: path.parent):
        project = _Project()
        begun = ((_beginning(path), path) for path in of_project)
        for conversation, path in sorted(begun, key=lambda each: (each[0].order, each[1])):
            if of_subagents := len([*path.with_suffix("").glob("subagents/**/*.jsonl")]):
                reading.leave_out("files of subagents", of_subagents)
            yield from _Transcript(conversation.name, path, reading, project).turns()


def _is_transcript(path: Path) -> bool:
    try:
        with path.open("rb") as lines:
            return any(map(_is_record, islice(lines, BEGINNING)))
    except OSError:
        return False


def _is_record(line: bytes) -> bool:
    try:
        record = _parsed(line)
    except InvalidInput:
        return False
    type = record.get("type")
    if "conversation" in record:
        return False  # a turn of ours
    of_session = isinstance(record.get("sessionId") or record.get("leafUuid"), str)
    return of_session and isinstance(type, str) and type in {"user", "assistant", *INTERNAL}


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The name of a conversation, and what puts it before others."""

    name: str = ""
    order: str = ""


def _beginning(path: Path) -> _Beginning:
    """What the first message of a transcript says of it; nothing when it has none."""
    try:
        with path.open("rb") as lines:
            for line in lines:
                if (record := _message(line)) is not None:
                    return _named(record, path)
    except OSError:
        pass  # told when it is read
    return _Beginning()


def _message(line: bytes) -> dict[str, Any] | None:
    if b'"user"' not in line and b'"assistant"' not in line:
        return None
    try:
        record = _parsed(line)
        _said(record, UTC)
        _id(record)
    except InvalidInput:
        return None
    main = record.get("type") in ("user", "assistant") and not record.get("isSidechain")
    return record if main else None


def _named(record: dict[str, Any], path: Path) -> _Beginning:
    cwd = record.get("cwd")
    folder = re.split(r"[/\\]", cwd.rstrip("/\\"))[-1] if isinstance(cwd, str) else ""
    id = _id(record)
    short = _SHORT.match(id)
    said = _said(record, UTC).astimezone(UTC)
    name = f"claude-code/{(folder or path.parent.name)[:80]}/{said:%Y-%m-%d}/"
    return _Beginning(name + (short[0] if short else id[:100]), said.isoformat())


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        value = json.loads(line.decode("utf-8", "surrogateescape").lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        unfinished = "" if line.endswith(b"\n") else "; the line is not finished"
        raise InvalidInput(
            f"no JSON: {error.msg} at character {error.colno}{unfinished}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"no usable JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput("a record is a JSON object")
    return value


def _said(record: dict[str, Any], zone: tzinfo | None) -> datetime:
    if not isinstance(written := record.get("timestamp"), str):
        raise InvalidInput("'timestamp' is missing")
    return dates.parse(written, zone)


def _id(record: dict[str, Any]) -> str:
    if not isinstance(id := record.get("uuid"), str) or not id:
        raise InvalidInput("'uuid' is missing")
    return id


@dataclass(frozen=True, slots=True)
class _Project:
    """What its transcripts have so far: which records, and which call is of which tool."""

    seen: set[str] = field(default_factory=set)
    tools: dict[str, str] = field(default_factory=dict)


class _Transcript:
    """One file being read."""

    def __init__(self, conversation: str, path: Path, reading: Reading, project: _Project) -> None:
        self._conversation = conversation
        self._path = path
        self._reading = reading
        self._project = project

    def turns(self) -> Iterator[Turn]:
        try:
            with self._path.open("rb") as lines:
                for number, line in enumerate(lines, start=1):
                    self._reading.advance(len(line))
                    if line.strip():
                        yield from self._of_line(line, number)
        except OSError as error:
            self._reading.fail(self._path, None, error.strerror or error)

    def _of_line(self, line: bytes, number: int) -> list[Turn]:
        try:
            record = _parsed(line)
            if (why := self._no_turn(record)) is None:
                return self._of_record(record)
        except InvalidInput as error:
            self._reading.fail(self._path, number, error)
            return []
        self._reading.leave_out(why)
        return []

    def _no_turn(self, record: dict[str, Any]) -> str | None:
        """What a record is when it is none that somebody said."""
        type = record.get("type")
        if type not in ("user", "assistant"):
            known = type in INTERNAL if isinstance(type, str) else False
            return "internal records" if known else f"records of unknown type {str(type)[:40]!r}"
        if record.get("isSidechain"):
            return "records of subagents"
        if record.get("isCompactSummary"):
            return "summaries"
        if record.get("isMeta") or record.get("isVisibleInTranscriptOnly"):
            return "meta records"
        if record.get("isApiErrorMessage"):
            return "error messages"
        return None

    def _of_record(self, record: dict[str, Any]) -> list[Turn]:
        id, said = _id(record), _said(record, self._reading.zone)
        if id in self._project.seen:
            self._reading.leave_out("records that came twice")
            return []
        message = record.get("message")
        if not isinstance(message, dict):
            raise InvalidInput("'message' is missing")
        role = Role.USER if record["type"] == "user" else Role.ASSISTANT
        parts = _parts(message.get("content"), role, self._project.tools, self._reading)
        turns = [
            Turn(
                conversation=self._conversation,
                role=part.role,
                content=part.content,
                time=said,
                speaker=part.speaker,
                id=f"{id}/{part.key}" if part.key else id,
            )
            for part in parts
        ]
        self._project.seen.add(id)
        return turns


@dataclass(frozen=True, slots=True)
class _Part:
    """What one turn is made of: a record may hold words, calls of tools and what these returned."""

    role: Role
    content: str
    speaker: str | None = None
    key: str | None = None


def _parts(content: object, role: Role, tools: dict[str, str], reading: Reading) -> list[_Part]:
    """The parts of a message; `tools` learns which call is of which tool."""
    blocks = content if isinstance(content, list) else [content]
    words: list[object] = []
    found: list[_Part] = []
    for place, block in enumerate(blocks):
        match block:
            case {"type": "thinking" | "redacted_thinking"}:
                reading.leave_out("thinking")
            case {"type": "tool_use" | "server_tool_use", "name": str(name)}:
                key = _key(block.get("id"), place)
                tools[key] = name
                found.append(_Part(Role.ASSISTANT, call(name, block.get("input")), None, key))
            case {"type": "tool_result"}:
                key = _key(block.get("tool_use_id"), place)
                if output := _typed(_text(block.get("content"), reading), reading):
                    found.append(_Part(Role.TOOL, output, tools.get(key), key))
            case str() | {"type": str()} | None:
                words.append(block or "")
            case _:
                raise InvalidInput(f"{json.dumps(block)[:40]} is no part of a message")
    return [*_words(_text(words, reading), role, reading), *found]


def _text(content: object, reading: Reading) -> str:
    text, attached = text_of(content)
    if attached:
        reading.leave_out("images and other attachments", attached)
    return text


def _key(id: object, place: int) -> str:
    return id if isinstance(id, str) and id else str(place)


def _words(text: str, role: Role, reading: Reading) -> list[_Part]:
    """What was said, without what the program put there: none, when that is all there was."""
    if role == Role.ASSISTANT:
        return [_Part(role, text)] if text.strip() else []
    if named := _COMMAND.search(text):
        given = _ARGUMENTS.search(text)
        if given and given[1].strip():
            return [_Part(role, f"{named[1].strip()} {given[1].strip()}")]
        reading.leave_out("commands to the program")
        return []
    if typed := _SHELL.fullmatch(text.strip()):
        return [_Part(role, f"! {typed[1]}")]
    if text.startswith(("<bash-stdout>", "<bash-stderr>")):
        return [_Part(Role.TOOL, text, "Bash")]
    if text.startswith("[Request interrupted by user"):
        reading.leave_out("interruptions")
        return []
    typed_text = _typed(text, reading)
    return [_Part(role, typed_text)] if typed_text else []


def _typed(text: str, reading: Reading) -> str:
    kept, taken = without(text, *INJECTED) if "<" in text else (text, 0)
    if taken:
        reading.leave_out("reminders and other injected text", taken)
    return kept if kept.strip() else ""
