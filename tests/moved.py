"""Homes side by side: every row of one against every row of another, without their row numbers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw

from memoranda.stores import cipher
from memoranda.stores.carrying import LEFT_OUT, UNDECLARED

OF_A_PLACE = {"vectors_of"}


def tables(home: Path, *, besides: frozenset[str] = frozenset()) -> Mapping[str, list[Any]]:
    """The rows of every table that is not derived, each reference as the row that it leads to."""
    db = cipher.opened(home / "memory.db", apsw.SQLITE_OPEN_READONLY)
    try:
        names = [
            name
            for (name,) in db.execute(
                """SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'
                AND name NOT LIKE 'sqlite_%'"""
            )
        ]
        looking = _Looking(db)
        return {
            name: sorted(looking.rows(name), key=repr)
            for name in names
            if name not in LEFT_OUT and name not in besides
        }
    finally:
        db.close()


class _Looking:
    def __init__(self, db: apsw.Connection) -> None:
        self._db = db
        self._seen: dict[tuple[str, int], Any] = {}

    def rows(self, table: str) -> list[Any]:
        columns, references = self._form(table)
        chosen = ", ".join(f'"{each}"' for each in columns)
        found = self._db.execute(f'SELECT {chosen} FROM "{table}"').fetchall()
        rows = [self._resolved(columns, references, row) for row in found]
        return [row for row in rows if not (table == "home" and row["name"] in OF_A_PLACE)]

    def _form(self, table: str) -> tuple[list[str], Mapping[str, str]]:
        declared = self._db.execute(
            """SELECT "from", "table" FROM pragma_foreign_key_list(?) WHERE "to" = 'row'""",
            (table,),
        )
        references = {str(column): str(to) for column, to in declared}
        references |= {column: to for (of, column), to in UNDECLARED.items() if of == table}
        all_columns = [
            name for (name,) in self._db.execute("SELECT name FROM pragma_table_xinfo(?)", (table,))
        ]
        is_numbered = "row" in all_columns and "row" not in references
        kept = [each for each in all_columns if not (each == "row" and is_numbered)]
        return [each for each in kept if each != "facets"], references

    def _resolved(
        self, columns: list[str], references: Mapping[str, str], row: tuple[Any, ...]
    ) -> dict[str, Any]:
        return {
            name: self._at(references[name], value)
            if name in references and value is not None
            else value
            for name, value in zip(columns, row, strict=True)
        }

    def _at(self, table: str, number: int) -> Any:
        if (table, number) not in self._seen:
            columns, references = self._form(table)
            chosen = ", ".join(f'"{each}"' for each in columns)
            row = self._db.execute(f'SELECT {chosen} FROM "{table}" WHERE row = ?', (number,))
            self._seen[table, number] = repr(self._resolved(columns, references, row.fetchall()[0]))
        return self._seen[table, number]
