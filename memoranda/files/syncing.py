"""A file and the store in step: what a person changed goes in, then the file is written anew.

What the file held when it was last written is what its edits are told by, so that neither side is
lost when both have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Protocol

from memoranda.care import Edit, Edited, SyncedFile
from memoranda.context.standing import day_of
from memoranda.errors import Conflict, InvalidInput, ScopeClosed
from memoranda.files import disk, hermes, markdown
from memoranda.files.edits import Edits, Held, edits
from memoranda.files.layout import SHORT, Place
from memoranda.files.page import Note, Page, Statement, Written
from memoranda.policy.fading import Curves
from memoranda.policy.standing import standing
from memoranda.protocols import FileLine, KeptFile, Store
from memoranda.retrieval.disputed import believed
from memoranda.types import Filter, Memory, Status


@dataclass(frozen=True, slots=True)
class Terms:
    """How files are written at the moment `now`, and whether much may be gone from them.

    What was `forgotten` just now is not taken in, wherever it stands. `advance` is told how many
    edits of a file were just taken in, and how many are left.
    """

    now: datetime
    curves: Curves
    characters: int
    removals: bool = False
    dry_run: bool = False
    forgotten: frozenset[str] | None = None
    advance: Callable[[int, int], None] = lambda done, left: None

    @property
    def clears(self) -> bool:
        """Whether something was forgotten just now, which files without ids may not bring back."""
        return self.forgotten is not None


class Hand(Protocol):
    """Does what a person did in a file. Each raises InvalidInput or Conflict when it cannot."""

    def add(self, said: Statement, place: Place) -> Memory:
        """Remember a new line, or return the memory that says the same."""

    def revise(self, memory: Memory, said: Statement, place: Place) -> Memory:
        """Put the new words in the place of a memory."""

    def move(self, memory: Memory, said: Statement, place: Place) -> Memory:
        """Give a memory the kind and the day that the statement has."""

    def dispute(self, memory: Memory, said: Statement, place: Place) -> Memory:
        """Remember other words beside a memory which changed as well, as a contradiction."""

    def retire(self, memory: Memory, place: Place) -> Memory:
        """Say that a memory holds no more."""


READ: Mapping[str, Callable[..., Page]] = {"markdown": markdown.read, "hermes": hermes.read}
WRITE: Mapping[str, Callable[..., Written]] = {"markdown": markdown.write, "hermes": hermes.write}

TRIES = 3
"""How often a file is read anew when somebody writes it just then."""

STEPS = 100
"""How often a memory may have been replaced since its file was written."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was read, None when there is none, and what is different in it."""

    content: bytes | None
    page: Page
    edits: Edits

    @property
    def is_ours(self) -> bool:
        """Whether it was written by a store, if not by this one."""
        return self.content is not None and markdown.PREFACE.encode() in self.content


def look(place: Place, kept: KeptFile | None, store: Store, terms: Terms) -> Seen:
    """Read a file, and tell what a person has changed in it. Raises FileError."""
    content = disk.read(place.path)
    if content is None:  # what is missing was not edited
        return Seen(None, Page(), Edits())
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Seen(content, Page(broken=Note(line, "it is not in UTF-8")), Edits())
    held = _held(kept or _as_ours(text, place), store, terms.now)
    page = READ[place.form](text, {id: each.memory.content for id, each in held.items()})
    if page.broken is not None or (terms.clears and place.form == "hermes"):
        return Seen(content, page, Edits())
    strange = [each.id for each in page.statements if each.id and each.id not in held]
    gone = store.files.gone(strange, (place.scope,))
    found = edits(page, held, gone | (terms.forgotten or frozenset()))
    return Seen(content, page, _without_forgotten(found, place, store))


def _without_forgotten(found: Edits, place: Place, store: Store) -> Edits:
    """The edits but for new lines that say what was forgotten: a stale copy may bring them back."""
    for said in list(found.added):
        if store.passes.refused(said.text, place.scope) == "forgotten":
            found.added.remove(said)
            found.notes.append(Note(said.line, "this was forgotten; `memoranda remember` says it"))
    return found


def _as_ours(text: str, place: Place) -> KeptFile:
    """A file of which the store knows nothing, with the memories whose ids it names."""
    lines = {id: FileLine() for id in markdown.ids_in(text)}
    return KeptFile(place.key, place.scope, place.form, 0, lines)


def _held(kept: KeptFile, store: Store, now: datetime) -> Mapping[str, Held]:
    """The memories that a file held, with what holds in their place now."""
    visible, ever = (kept.scope,), Filter(now=now, statuses=frozenset(Status))
    memories = {each.id: each for each in store.fetch_memories([*kept.lines], visible, ever)}
    known, new = dict(memories), [each.superseded_by for each in memories.values()]
    for _ in range(STEPS):
        missing = {id for id in new if id is not None} - known.keys()
        if not missing:
            break
        found = store.fetch_memories(sorted(missing), visible, ever)
        known |= {each.id: each for each in found}
        new = [each.superseded_by for each in found]
    return {
        id: Held(memories[id], line, _now(memories[id], known, now))
        for id, line in kept.lines.items()
        if id in memories
    }


def _now(memory: Memory, known: Mapping[str, Memory], now: datetime) -> Memory | None:
    for _ in range(STEPS):
        if memory.superseded_by is None or memory.superseded_by not in known:
            break
        memory = known[memory.superseded_by]
    return memory if memory.status == Status.CURRENT and not memory.has_ended(now) else None


def sync(place: Place, kept: KeptFile | None, store: Store, hand: Hand, terms: Terms) -> SyncedFile:
    """Take in the edits of a file, and write it as it is to be then.

    A file in which something cannot be taken in is left as it is, for its words are nowhere else;
    so is one that has lost so much that it may be a mistake. Raises FileError.
    """
    if place.is_out_of_reach:
        gone = (0, "its folder is gone; `memoranda sync --no-hermes DIR` keeps it no more")
        return SyncedFile(place.key, notes=(gone,), left="gone" if terms.clears else None)
    with _locked(place):
        for tries_left in reversed(range(TRIES)):
            try:
                return _sync(place, kept, store, hand, terms)
            except disk.ChangedMeanwhile:  # what was taken in is in the store, and not new then
                if not tries_left:
                    raise
    raise AssertionError


@contextmanager
def _locked(place: Place) -> Iterator[None]:
    """Keep others from the file, where they ask."""
    if place.form == "hermes" and place.path.parent.is_dir():
        with hermes.locked(place.path):
            yield
    else:
        yield


def _sync(
    place: Place, kept: KeptFile | None, store: Store, hand: Hand, terms: Terms
) -> SyncedFile:
    seen = look(place, kept, store, terms)
    told = SyncedFile(place.key, notes=tuple(_told(seen.edits.notes)))
    if seen.page.broken is not None:
        return replace(told, notes=_told([seen.page.broken]), left="broken")
    if seen.edits.is_doubtful(place.form) and not terms.removals:
        return replace(told, left="lines are gone", missing=len(seen.edits.retired))
    told, is_whole = carry_out(
        seen.edits, place, hand, told, dry_run=terms.dry_run, advance=terms.advance
    )
    if terms.dry_run or not is_whole:
        return told if is_whole else replace(told, left="not taken in")
    return _written(place, kept, seen, store, terms, told)


def _written(
    place: Place,
    kept: KeptFile | None,
    seen: Seen,
    store: Store,
    terms: Terms,
    told: SyncedFile,
) -> SyncedFile:
    mark = store.mark()  # first: what is written meanwhile has the file written again
    made = as_it_is_to_be(place, seen.page, store, terms)
    if not made.lines and not seen.page.remarks:
        return _removed(place, seen, store, told)
    content = made.text.encode("utf-8")
    is_new = kept is None or (kept.mark < 0 and not kept.lines and not terms.clears)
    if is_new and seen.content and not seen.is_ours:
        aside = disk.keep_aside(place.path, seen.content)
        told = replace(told, aside=str(aside))
    if content != seen.content:
        disk.write(place.path, content, instead_of=seen.content)
        told = replace(told, written=True)
    stamp = disk.stamp(place.path)
    store.files.keep(KeptFile(place.key, place.scope, place.form, mark, made.lines, stamp))
    return told


def _removed(place: Place, seen: Seen, store: Store, told: SyncedFile) -> SyncedFile:
    """A file that tells nothing is none."""
    if seen.content is not None:
        disk.remove(place.path, place.root, instead_of=seen.content)
    if place.form == "hermes":  # it is written again as soon as there is something to tell
        store.files.keep(KeptFile(place.key, place.scope, place.form, store.mark()))
    else:
        store.files.drop(place.key, (place.scope,))
    return replace(told, written=seen.content is not None)


def withdraw(place: Place, kept: KeptFile | None, store: Store, terms: Terms) -> bool | None:
    """Remove a file that tells nothing but what the store knows; whether it did, None for none.

    One that holds edits, remarks of a person or what cannot be read stays, as does an agent's own.
    Raises FileError.
    """
    seen = look(place, kept, store, terms)
    if seen.content is None:
        return None
    if place.by_agent or seen.page.broken or seen.page.remarks or seen.edits:
        return False
    disk.remove(place.path, place.root, instead_of=seen.content)
    store.files.drop(place.key, (place.scope,))
    return True


def carry_out(
    edits: Edits,
    place: Place,
    hand: Hand,
    told: SyncedFile,
    *,
    dry_run: bool,
    advance: Callable[[int, int], None],
) -> tuple[SyncedFile, bool]:
    """Do what a person's edits come down to; whether all of it could be done."""
    done: list[Edited] = []
    notes = list(told.notes)
    is_whole = True
    acts = list(_acts(edits, place, hand))
    for left, (edited, act) in zip(reversed(range(len(acts))), acts, strict=True):
        try:
            if not dry_run:
                memory = act()  # which has no secrets, as the file may
                edited = replace(edited, memory=memory.id, content=memory.content)
            done.append(edited)
        except (InvalidInput, Conflict, ScopeClosed) as error:
            notes.append((edited.line or 0, f"not taken in: {error}"))
            is_whole = False
        advance(1, left)
    return replace(told, edits=tuple(done), notes=tuple(notes)), is_whole


def _acts(edits: Edits, place: Place, hand: Hand) -> Iterator[tuple[Edited, Callable[[], Memory]]]:
    for said in edits.added:
        yield (
            Edited(Edit.ADDED, said.line, said.text),
            partial(hand.add, said, place),
        )
    for edit, some, act in (
        (Edit.REVISED, edits.revised, hand.revise),
        (Edit.MOVED, edits.moved, hand.move),
        (Edit.DISPUTED, edits.disputed, hand.dispute),
    ):
        for memory, said in some:
            yield (
                Edited(edit, said.line, said.text),
                partial(act, memory, said, place),
            )
    for memory in edits.retired:
        yield Edited(Edit.RETIRED, None, memory.content), partial(hand.retire, memory, place)


def _told(notes: Iterable[Note]) -> tuple[tuple[int, str], ...]:
    return tuple((each.line, each.what) for each in notes)


def as_it_is_to_be(place: Place, page: Page, store: Store, terms: Terms) -> Written:
    """A file with what holds in its scope, the strongest first, and the remarks of the page."""
    day = day_of(terms.now)
    memories, beyond = _strongest(place, store, terms)
    return WRITE[place.form](
        memories,
        day,
        terms.curves,
        characters=place.characters or terms.characters,
        title=page.title or place.title,
        beyond=beyond,
        remarks=page.remarks,
    )


def _strongest(place: Place, store: Store, terms: Terms) -> tuple[Sequence[Memory], int]:
    visible, holding = (place.scope,), Filter(now=terms.now)
    most = place.characters or terms.characters
    found = [
        store.strongest(visible, holding, kind, limit=1 + most // SHORT)
        for kind in sorted(place.kinds)
    ]
    memories = [memory for some in found for memory in some.memories]
    instead = believed(memories, visible, holding, store)
    losers = frozenset(id for id, other in instead.items() if other.id != id)
    ordered = standing(memories, day_of(terms.now), terms.curves, losers)
    return ordered, sum(some.beyond for some in found)
