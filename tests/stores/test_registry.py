"""The registry of what holds words and vectors against the schema."""

from __future__ import annotations

from pathlib import Path

import apsw

import memoranda
from memoranda.stores.registry import HASHES, INDEXES, VECTORS, WORDLESS, WORDS


def test_every_column_that_can_hold_text_or_bytes_is_accounted_for(tmp_path: Path) -> None:
    home = memoranda.init(tmp_path / "home")
    db = apsw.Connection(str(home / "memory.db"))
    holding = {
        (table, column)
        for table, column in db.execute(
            """SELECT t.name, c.name FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
            WHERE t.type = 'table' AND t.schema = 'main' AND t.name <> 'sqlite_schema'
              AND t.name NOT LIKE 'sqlite_%' AND c.type NOT IN ('INTEGER', 'REAL')"""
        )
    }
    indexes = {
        name for (name,) in db.execute("SELECT name FROM pragma_table_list WHERE type = 'virtual'")
    }
    db.close()
    known = [
        (table, column)
        for each in (WORDS, HASHES, VECTORS, WORDLESS)
        for table, columns in each.items()
        for column in columns
    ]
    assert len(known) == len(set(known))
    assert holding == set(known)
    assert indexes == set(INDEXES)
