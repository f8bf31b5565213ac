"""What a person changed in a file, by what it held when it was written."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from memoranda.files.markdown import shown
from memoranda.files.page import Note, Page, Statement
from memoranda.protocols import FileLine, Form
from memoranda.types import Memory

ALIKE = 0.75
"""From here on the one line that is new is the one that is gone, changed."""

SHARE = 0.2
"""When more of the lines than this, and more than one, are gone, a person is asked first."""


@dataclass(frozen=True, slots=True)
class Held:
    """A memory that a file held, what the file told of it, and what holds in its place now.

    That is the memory itself, or what replaced it, or nothing.
    """

    memory: Memory
    line: FileLine
    now: Memory | None

    @property
    def is_unchanged(self) -> bool:
        return self.now is not None and self.now.id == self.memory.id


@dataclass(slots=True)
class Edits:
    """What is to be done; of those `disputed` the store has changed the words as well.

    What `moved` has another kind or day, and the same words.
    """

    added: list[Statement] = field(default_factory=list)
    revised: list[tuple[Memory, Statement]] = field(default_factory=list)
    moved: list[tuple[Memory, Statement]] = field(default_factory=list)
    retired: list[Memory] = field(default_factory=list)
    disputed: list[tuple[Memory, Statement]] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    of: int = 0

    def is_doubtful(self, form: Form) -> bool:
        """Whether so much is gone that it may be a mistake.

        Nobody can ask an agent, which tidies up all the time, unless all is gone.
        """
        most = max(1, SHARE * self.of) if form == "markdown" else max(1, self.of - 1)
        return len(self.retired) > most

    def __bool__(self) -> bool:
        return any((self.added, self.revised, self.moved, self.retired, self.disputed))


def edits(page: Page, held: Mapping[str, Held], gone: Collection[str]) -> Edits:
    """What a page says otherwise than the memories it held; nothing of those `gone`."""
    found = Edits(of=len(held), notes=list(page.notes))
    matched, loose = _by_id(page.statements, held)
    for said in _by_words(loose, held, matched):
        if said.id in gone:
            found.notes.append(
                Note(said.line, "this is gone from the store, and does not come back")
            )
        else:
            found.added.append(said)
    for id, said in matched.items():
        _compare(held[id], said, found)
    for id, each in held.items():
        if id not in matched:
            _gone(each, found)
    return found


def is_said(said: Statement, content: str) -> bool:
    """Whether a statement has the words of a memory, however an editor broke them into lines."""
    words = shown(content)
    if words in (said.text, said.whole):
        return True
    return said.wrapped and "".join(said.text.split()) == "".join(words.split())


def _by_id(
    statements: Sequence[Statement], held: Mapping[str, Held]
) -> tuple[dict[str, Statement], list[Statement]]:
    """The statement of each memory, and those of none; of copies the first with the same words."""
    matched: dict[str, Statement] = {}
    loose: list[Statement] = []
    for said in statements:
        if said.id is None or said.id not in held:
            loose.append(said)
        elif said.id not in matched:
            matched[said.id] = said
        elif is_said(said, held[said.id].memory.content):
            loose.append(matched[said.id])
            matched[said.id] = said
        else:
            loose.append(said)
    return matched, loose


def _by_words(
    loose: Sequence[Statement], held: Mapping[str, Held], matched: dict[str, Statement]
) -> list[Statement]:
    """Those that are no memory the file held; the others lost their ids, and are matched."""
    left: list[Statement] = []
    for said in loose:
        same = (id for id, each in held.items() if is_said(said, each.memory.content))
        id = next(same, None)
        if id is None:
            left.append(said)
        elif id not in matched:
            matched[id] = said
    gone = held.keys() - matched.keys()
    if len(left) == len(gone) == 1 and left[0].id is None:
        (id,) = gone
        if _likeness(left[0], held[id]) >= ALIKE:
            matched[id] = left.pop()
    return left


def _likeness(said: Statement, held: Held) -> float:
    return SequenceMatcher(None, said.text, shown(held.memory.content), autojunk=False).ratio()


def _compare(held: Held, said: Statement, found: Edits) -> None:
    if not is_said(said, held.memory.content):
        if held.is_unchanged:
            found.revised.append((held.memory, said))
        elif held.now is None:
            found.notes.append(Note(said.line, f"{held.memory.id} holds no more; taken as new"))
            found.added.append(said)
        elif not is_said(said, held.now.content):
            found.disputed.append((held.now, said))
    elif held.is_unchanged and has_moved(said, held):
        found.moved.append((held.memory, said))
    elif held.is_unchanged and (what := _not_read(said, held)):
        found.notes.append(Note(said.line, what))


def _not_read(said: Statement, held: Held) -> str | None:
    """What a person changed of what a file tells about a memory, which is not read from there."""
    memory, told = held.memory, _TOLD.search(said.about)
    if told is None or held.line.kind is None:
        return None
    if told["added"] != f"{memory.recorded_at:%Y-%m-%d}" or told["category"] != held.line.kind:
        return (
            "the comment is not read but for the id: the heading tells the kind, the day the rest"
        )
    sure = _SURE.search(said.about.partition("<!--")[0])
    if sure is not None and sure[1] != told["sure"]:
        return f"how sure it is is not read from here: `memoranda confirm {memory.id}` says so"
    return None


_TOLD = re.compile(
    r"added: (?P<added>[\d-]+), category: (?P<category>\w+),.*?\bconfidence: (?P<sure>\w+)"
)
_SURE = re.compile(r"\b(low|medium|high)\b")


def has_moved(said: Statement, held: Held) -> bool:
    """Whether a statement tells another kind or another day than the file did."""
    line = held.line
    tells_day = said.whole != shown(held.memory.content)  # or its last words are some other day
    other_day = tells_day and None not in (said.day, line.day) and said.day != line.day
    other_kind = None not in (said.kind, line.kind) and said.kind != line.kind
    return other_day or other_kind


def _gone(held: Held, found: Edits) -> None:
    if held.is_unchanged:
        found.retired.append(held.memory)
    elif held.now is not None:
        what = f"{held.memory.id} is gone from the file; {held.now.id}, which replaced it, stays"
        found.notes.append(Note(0, what))
