"""Numbered steps from any released schema to the present one.

Each step is one transaction with its number; before it a verified copy of the file is made, and
after it the file is checked. A step that fails leaves the file as it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from memoranda.errors import HomeError, StoreError
from memoranda.stores import cipher

APPLICATION_ID = 0x4D454D4F  # "MEMO", by which a file is known as ours
FOLDER = Path(__file__).parent / "migrations" / "sqlite"
WITHOUT_GAPS = 4
"""Before this schema pages were written with gaps, and nobody knows what stands in these."""

FULL_TEXT = ("memory_fts", "passage_fts")


@dataclass(frozen=True, slots=True)
class Step:
    number: int
    name: str
    sql: str


def steps(folder: Path = FOLDER) -> list[Step]:
    """The steps in order; their numbers count up from 1 without a gap."""
    found = []
    for path in sorted(folder.glob("*.sql")):
        number, name = path.stem.split("_", 1)
        found.append(Step(int(number), name, path.read_text(encoding="utf-8")))
    if [step.number for step in found] != list(range(1, len(found) + 1)):
        raise StoreError(f"the migrations in {folder} are not numbered 1, 2, 3, …")
    return found


def version(db: apsw.Connection) -> int:
    return int(db.pragma("user_version"))


def migrate(db: apsw.Connection, path: Path, folder: Path = FOLDER) -> None:
    """Bring the file up to the present schema; the caller holds the home alone.

    Raises HomeError, with the file as it was, when a step fails.
    """
    if 0 < version(db) < WITHOUT_GAPS:
        db.execute("VACUUM")
    for step in steps(folder):
        if step.number > version(db):
            if version(db) > 0:
                _copy_verified(db, path.with_name(f"{path.name}.before-{step.number:04d}"))
            _apply(db, path, step)


def _apply(db: apsw.Connection, path: Path, step: Step) -> None:
    db.execute("BEGIN IMMEDIATE")
    try:
        for _ in db.execute(step.sql):
            pass
        db.execute(f"PRAGMA user_version = {step.number}")
        if problems := list(find_problems(db)):
            raise StoreError("; ".join(problems))
        db.execute("COMMIT")
    except BaseException as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        if isinstance(error, apsw.Error | StoreError):
            raise HomeError(
                f"{path} could not be brought to schema {step.number} ({step.name}): {error}; "
                "it is as it was"
            ) from error
        raise


def _copy_verified(db: apsw.Connection, to: Path) -> None:
    to.unlink(missing_ok=True)
    db.execute("VACUUM INTO ?", (str(to),))
    to.chmod(0o600)
    copy = cipher.opened(to, apsw.SQLITE_OPEN_READONLY)
    try:
        if problems := [row[0] for row in copy.execute("PRAGMA integrity_check") if row[0] != "ok"]:
            raise HomeError(f"the copy before migrating is not sound: {problems[0]}")
    finally:
        copy.close()


def find_problems(db: apsw.Connection) -> Iterator[str]:
    """What SQLite and its full-text indexes find wrong with the file."""
    yield from find_damage(db)
    for name in out_of_step(db):
        yield f"the full-text index {name} is out of step with its table"


def find_damage(db: apsw.Connection) -> Iterator[str]:
    """What is wrong with the file as far as reading alone tells."""
    for (told,) in db.execute("PRAGMA integrity_check"):
        lines = str(told).splitlines()  # many at once where a page cannot be read
        yield from (each for each in lines if each != "ok" and not each.startswith("*** in"))
    for table, row, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"{table} row {row} refers to a missing {parent}"


def out_of_step(db: apsw.Connection) -> list[str]:
    """The full-text indexes that do not say what their tables do, which only a writer can tell."""
    tables = {row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    return [name for name in FULL_TEXT if name in tables and not _is_in_step(db, name)]


def _is_in_step(db: apsw.Connection, name: str) -> bool:
    try:
        db.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")
    except apsw.CorruptError:
        return False
    return True


def copies(path: Path) -> list[Path]:
    """The copies of a store that upgrades and restores left beside it, in their names' order."""
    names = (f"{path.name}.before-*", f"{path.name}.replaced-*")
    return sorted(found for name in names for found in path.parent.glob(name))
