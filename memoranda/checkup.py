"""A home looked over, whether or not it can be opened, by the checks of `upkeep.doctor`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from memoranda import given, lost, settings, wiring
from memoranda.errors import HomeError, InvalidSettings, MemorandaError
from memoranda.memoranda import Memoranda
from memoranda.policy.access import Access
from memoranda.settings import Settings
from memoranda.soundness import Checkup, Condition, Severity, Symptom
from memoranda.stores import keys, mending
from memoranda.stores.examining import SqliteExamined
from memoranda.stores.sqlite import SqliteStore
from memoranda.types import Scope, Status
from memoranda.upkeep import doctor as checks
from memoranda.upkeep import place
from memoranda.upkeep.doctor import Case, FilesFound


def doctor(
    home: str | Path | None = None,
    *,
    mend: bool = False,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Checkup:
    """Look over a home, also one that cannot be opened; what is wrong, and what mends it.

    Nothing is written, not even beside the store. With `mend` what is derived is made anew,
    permissions are set, what was begun is ended; before the store is changed it is copied, and the
    copy kept until it is sound. Raises HomeError when there is no such folder, InvalidInput.
    """
    folder = wiring.folder_of(home)
    if not folder.is_dir():
        raise HomeError(f"there is no home at {folder}; make one with `memoranda init`")
    before = _checked(folder, clock())
    if not given.flag("mend", mend):
        return before
    done, wrong = _mended(folder, before)
    copy = folder / f"{wiring.STORE_FILE}{mending.COPY}"
    told = str(copy) if copy.exists() else None
    found = checks.compared(before, _checked(folder, clock()), done, told)
    return replace(found, symptoms=(*found.symptoms, *wrong))


def refuse_locked(home: str | Path | None = None) -> None:
    """Raises Locked unless the store can be read here. Nothing is written."""
    keys.key_for(wiring.folder_of(home) / wiring.STORE_FILE)


def _checked(folder: Path, now: datetime) -> Checkup:
    store = folder / wiring.STORE_FILE
    options, wrong = _settings(folder)
    with closing(SqliteExamined(store)) as examined:
        is_ours = examined.condition in (Condition.OURS, Condition.OLDER)
        return checks.examine(
            Case(
                home=folder,
                store=store,
                now=now,
                settings=options,
                settings_wrong=wrong,
                examined=examined,
                unsafe=place.of(store),
                signs=lost.signs(folder, options or Settings()),
                files=lambda: None if options is None else _files(folder, options),
                weights=lambda: None if options is None else _weights(folder, options),
                allowed=options is not None and options.unsafe_place == place.ALLOWED,
                temporary=place.is_temporary(store),
                problems=examined.problems() if is_ours else (),
                is_derived=mending.is_derived,
            )
        )


def _settings(folder: Path) -> tuple[Settings | None, str]:
    try:
        return settings.load(folder, os.environ), ""
    except InvalidSettings as error:
        return None, str(error)


def _weights(folder: Path, options: Settings) -> None:
    """Have the weights of the embedding model be found. Raises EmbeddingError, InvalidSettings."""
    from memoranda.models import weights
    from memoranda.models.known import KNOWN

    wiring.embedder_of(options, folder)
    if not options.embedding_url and options.embedding_model in KNOWN:
        weights.located(KNOWN[options.embedding_model], folder)


def _files(folder: Path, options: Settings) -> FilesFound:
    """How the files stand to the store. Raises StoreError, FileError."""
    from memoranda.files import mirror

    store = SqliteStore(folder / wiring.STORE_FILE, lock_timeout=1.0, read_only=True)
    with Memoranda(store, options, Access(person=Scope("user")), path=folder, door="doctor") as m:
        scopes = store.scopes()
        synced = m._sync(scopes, dry_run=True)
        kept = m._kept(scopes)
        places = m._places(kept, scopes, m._vaults())
        gone = [each.key for each in places if each.is_out_of_reach]
        unmirrored = 0
        for scope in scopes:
            holding = store.holdings((scope,)).memories.get(Status.CURRENT, 0)
            mirrored = sum(1 for _ in mirror.place(folder, scope).glob("*.md"))
            unmirrored += max(0, holding - mirrored)
        return FilesFound(
            left=tuple(
                (each.path, "; ".join(note for _, note in each.notes) or str(each.left))
                for each in synced.files
                if each.path not in gone and (each.left or each.notes)
            ),
            edited=sum(len(each.edits) for each in synced.files),
            gone=tuple(gone),
            unmirrored=unmirrored,
            stale=any(store.changed(each.mark, (each.scope,)) for each in kept.values()),
        )


def _mended(folder: Path, before: Checkup) -> tuple[list[str], list[Symptom]]:
    """Do what is safe; what was done, and what could not be."""
    done = checks.make_private(folder)
    try:
        done += mending.clear(folder)
        if any(each.mendable for each in before.symptoms):
            done += _mend_store(folder)
    except MemorandaError as error:
        what = Symptom(Severity.ERROR, f"not all was mended: {error}", check="mending")
        return done, [what]
    return done, []


def _mend_store(folder: Path) -> list[str]:
    """Make anew what is derived, and end what was begun, in a store that is ours."""
    path = folder / wiring.STORE_FILE
    with closing(SqliteExamined(path)) as examined:
        if examined.condition != Condition.OURS:
            return []
    place.refuse(path, settings.load(folder, os.environ))
    done = mending.mend(path, timeout=5.0)
    with wiring.open(folder, door="doctor") as m:
        m._store.purge()
        if m.settings.files:
            synced = m._sync(m._store.scopes(), thorough=True)
            written = sum(each.written for each in synced.files) + synced.mirrored
            done += [f"wrote {written} files"] if written else []
    return done
