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
from tests.killing import FORK, killed_within
from tests.test_backups import rows_of

CRASHES = int(os.environ.get("STRESS_CRASHES", "60"))
"""Of all together; the figure in the docs is of 1,000."""

LEFT_OVER = ("keying-*", "making-*", "preview-*", "memory.keys.*")


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


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """A folder for each kind of home, with a backup that is older than it, and an archive."""
    folder = tmp_path_factory.mktemp("templates")
    plain = Place(folder / "plain")
    plain.folder.mkdir()
    (plain.folder / "backups").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
        memoranda.init(plain.home, enable=True)
        with memoranda.open(plain.home) as m:
            m.observe(Turn(f"c{n % 7}", "user", f"I prefer tea {n}.", MARCH) for n in range(200))
            for n in range(30):
                m.remember(f"The shed number {n} has a green door")
            m.backup(plain.folder / "backups")
            m.remember("The plum is ripe")
            m.export(plain.folder / "home.zip")
        sealed = Place(Path(shutil.copytree(plain.folder, folder / "encrypted")))
        shutil.rmtree(sealed.folder / "backups")
        (sealed.folder / "backups").mkdir()
        encrypt(sealed.home, held_by=sealed.secret, keep_files=True)
        with memoranda.open(sealed.home) as m:
            m.backup(sealed.folder / "backups")
            m.remember("The pear is ripe")
        new = Place(folder / "new")
        new.folder.mkdir()
        memoranda.init(new.home)
        shutil.copyfile(plain.folder / "home.zip", new.folder / "home.zip")
    return {each.name: each for each in (plain.folder, sealed.folder, new.folder)}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIALS)
def test_killed_anywhere_it_is_the_old_or_the_new(
    name: str, templates: Mapping[str, Path], tmp_path: Path
) -> None:
    trial = TRIALS[name]
    place = Place(tmp_path / "place")
    old, new, seconds = _ends(trial, templates[trial.home], place)
    chance, ends = random.Random(name), Counter[str]()
    for _ in range(max(3, CRASHES // len(TRIALS))):
        _put(templates[trial.home], place)
        killed_within(chance.uniform(0, 1.4 * seconds), lambda: trial.act(place))
        with closing(SqliteStore(place.home / "memory.db")) as store:
            assert store.check() == []
        found = rows_of(place.home / "memory.db")
        ends["old" if found == old else "new" if found == new else "neither"] += 1
        assert found in (old, new)
        if trial.home != "new":
            with memoranda.open(place.home) as m:
                assert all(not e.problems for e in m.verify_backups(at=place.folder / "backups"))
        if name not in ("encrypt", "decrypt"):  # which are refused once they are done
            trial.act(place)
            assert rows_of(place.home / "memory.db") == new
        assert [each.name for way in LEFT_OVER for each in place.home.glob(way)] == []
    print(f"\n{name}: {dict(ends)}, within {seconds:.2f} s")  # noqa: T201


def _put(template: Path, place: Place) -> None:
    """Have the home be as it was, where its secrets are looked for."""
    if place.folder.exists():
        shutil.rmtree(place.folder)
    shutil.copytree(template, place.folder)


def _ends(trial: Trial, template: Path, place: Place) -> tuple[object, object, float]:
    """What the home holds before and after, and how long that takes, warm."""
    seconds = 0.0
    for _ in range(2):
        _put(template, place)
        old = rows_of(place.home / "memory.db")
        process = FORK.Process(target=trial.act, args=(place,))
        began = time.monotonic()
        process.start()
        process.join()
        seconds = time.monotonic() - began
        assert process.exitcode == 0
    return old, rows_of(place.home / "memory.db"), seconds
