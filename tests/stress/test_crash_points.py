"""Killed at any moment of what changes a home as a whole, it is the old one or the new one."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn
from memoranda.restoring import restore
from memoranda.sealing import decrypt, encrypt, rekey
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH
from tests.killing import FORK, killed_within, left_over
from tests.test_backups import rows_of

CRASHES = int(os.environ.get("STRESS_CRASHES", "60"))
"""Of all together; the figure in the docs is of 1,000."""


@dataclass(frozen=True)
class Place:
    """A home on trial, and what is beside it."""

    folder: Path

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def secret(self) -> str:
        return f"file:{self.folder / 'secret'}"


@dataclass(frozen=True)
class Trial:
    """What is done to which home."""

    home: str
    act: Callable[[Place], object]


def back_up(place: Place) -> None:
    with memoranda.open(place.home) as m:
        m.backup(place.folder / "backups")


def bring_in(place: Place) -> None:
    with memoranda.open(place.home) as m:
        m.import_home(place.folder / "home.zip")


TRIALS: Mapping[str, Trial] = {
    "backup": Trial("plain", back_up),
    "backup of an encrypted home": Trial("encrypted", back_up),
    "restore": Trial("plain", lambda place: restore(place.folder / "backups", place.home)),
    "restore of an encrypted home": Trial(
        "encrypted", lambda place: restore(place.folder / "backups", place.home)
    ),
    "encrypt": Trial(
        "plain", lambda place: encrypt(place.home, held_by=place.secret, keep_files=True)
    ),
    "rekey": Trial("encrypted", lambda place: rekey(place.home, held_by=place.secret)),
    "decrypt": Trial("encrypted", lambda place: decrypt(place.home)),
    "import": Trial("new", bring_in),
}


@dataclass(frozen=True)
class Templates:
    """A folder for each kind of home, and the place where each was made and is on trial."""

    folder: Path

    @property
    def place(self) -> Place:
        return Place(self.folder / "place")

    def keep(self, kind: str) -> None:
        shutil.copytree(self.place.folder, self.folder / kind)

    def put(self, kind: str) -> None:
        shutil.rmtree(self.place.folder)
        shutil.copytree(self.folder / kind, self.place.folder)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    """Homes with a backup that is older than they, and an archive for one that is new."""
    made = Templates(tmp_path_factory.mktemp("templates"))
    place = made.place
    (place.folder / "backups").mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
        memoranda.init(place.home, enable=True)
        with memoranda.open(place.home) as m:
            m.observe(Turn(f"c{n % 7}", "user", f"I prefer tea {n}.", MARCH) for n in range(200))
            for n in range(30):
                m.remember(f"The shed number {n} has a green door")
            m.backup(place.folder / "backups")
            m.remember("The plum is ripe")
            m.export(place.folder / "home.zip")
        made.keep("plain")
        encrypt(place.home, held_by=place.secret, keep_files=True)
        with memoranda.open(place.home) as m:
            m.remember("The pear is ripe")
        made.keep("encrypted")
        shutil.rmtree(place.home)
        memoranda.init(place.home)
        made.keep("new")
    return made


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_killed_anywhere_it_is_the_old_or_the_new(name: str, templates: Templates) -> None:
    trial, place = TRIALS[name], templates.place
    old, new, seconds = _ends(trial, templates)
    assert (old != new) == (name.split()[0] in ("restore", "import"))
    chance, ends = random.Random(name), Counter[str]()
    for _ in range(max(3, CRASHES // len(TRIALS))):
        templates.put(trial.home)
        was = _beside(place)
        killed_within(chance.uniform(0, 1.4 * seconds), lambda: trial.act(place))
        with closing(SqliteStore(place.home / "memory.db")) as store:
            assert store.check() == []
        found = rows_of(place.home / "memory.db")
        assert found in (old, new)
        ends["old" if found == old and _beside(place) == was else "new"] += 1
        if trial.home != "new":
            with memoranda.open(place.home) as m:
                assert all(not e.problems for e in m.verify_backups(at=place.folder / "backups"))
        if name not in ("encrypt", "decrypt"):  # which are refused once they are done
            trial.act(place)
            assert rows_of(place.home / "memory.db") == new
        assert left_over(place.home) == []
    print(f"\n{name}: {dict(ends)}, within {seconds:.2f} s")  # noqa: T201


def _beside(place: Place) -> tuple[bytes | None, list[str]]:
    """What opens the home, and which backups there are."""
    keys = place.home / "memory.keys"
    found = sorted(each.name for each in place.folder.glob("backups/*/*.json"))
    return keys.read_bytes() if keys.exists() else None, found


def _ends(trial: Trial, templates: Templates) -> tuple[object, object, float]:
    """What the home holds before and after, and how long that takes, warm."""
    seconds, path = 0.0, templates.place.home / "memory.db"
    for _ in range(2):
        templates.put(trial.home)
        old = rows_of(path)
        process = FORK.Process(target=trial.act, args=(templates.place,))
        began = time.monotonic()
        process.start()
        process.join()
        seconds = time.monotonic() - began
        assert process.exitcode == 0
    return old, rows_of(path), seconds
