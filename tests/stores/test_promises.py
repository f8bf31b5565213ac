"""Every store keeps every promise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memoranda.protocols import Store
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH, StorePromises
from memoranda.testing.contradictions import ContradictionPromises
from memoranda.testing.copies import CopyPromises
from memoranda.testing.inventory import InventoryPromises
from memoranda.testing.passes import PassPromises
from memoranda.testing.skills import SkillPromises
from memoranda.testing.switches import SwitchPromises
from memoranda.testing.uses import UsePromises


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    path = tmp_path / "memory.db"
    SqliteStore.create(path, at=MARCH)
    opened = SqliteStore(path)
    yield opened
    opened.close()


class TestSqlite(
    StorePromises,
    PassPromises,
    ContradictionPromises,
    UsePromises,
    SkillPromises,
    SwitchPromises,
    InventoryPromises,
    CopyPromises,
):
    pass
