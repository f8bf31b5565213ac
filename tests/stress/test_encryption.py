"""An encrypted home at any moment: nothing plain in it, and whole when whoever changes it dies."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import closing
from itertools import cycle
from pathlib import Path

import pytest

import memoranda
from memoranda import Turn
from memoranda.checkup import doctor
from memoranda.restoring import restore
from memoranda.sealing import decrypt, encrypt, rekey
from memoranda.stores import cipher
from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH
from tests.canaries import bytes_of, canaries, opened, traces
from tests.killing import FORK, killed_within
from tests.test_encryption import rows

DEATHS = int(os.environ.get("STRESS_ENCRYPTION", "60"))
WORDS = canaries(300, seed=31)
SECRET = "a secret of which nobody knows anything"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # so that it is looked at as well
    home = memoranda.init(tmp_path / "home", enable=True)
    (tmp_path / "secret").write_text(SECRET)
    return home


@pytest.mark.slow
def test_no_word_is_plain_at_any_moment(home: Path) -> None:
    """Looked at while it is used in every way, and after whoever used it was killed."""
    encrypt(home, held_by=f"file:{home.parent / 'secret'}")
    chance = random.Random(8)
    looks = 0
    for _ in range(max(1, DEATHS // 20)):
        user = FORK.Process(target=_use, args=(home,))
        user.start()
        until = time.monotonic() + chance.uniform(1, 5)
        while user.is_alive() and time.monotonic() < until:
            assert traces(home.parent, WORDS, least=8) == []
            looks += 1
        os.kill(user.pid or 0, signal.SIGKILL)
        user.join()
        assert traces(home.parent, WORDS, least=8) == []
    assert looks
    with memoranda.open(home) as m:
        assert m._store.check() == []


def _use(home: Path) -> None:
    """All that writes text, or copies it, again and again."""
    place = home.parent / "disk"
    place.mkdir(exist_ok=True)
    for begin in cycle(range(0, len(WORDS), 60)):
        with opened(home) as m:
            for at in range(begin, begin + 60, 3):
                one, two, three = WORDS[at : at + 3]
                m.observe([Turn(f"about {one}", "user", f"I use {two} for {three}.", MARCH)])
                memory = m.remember(f"{one} is called {two}", topics=[three], detail=three)
                m.revise(memory.id, f"{one} was called {two}", reason=three)
                m.recall(f"what is {two}?")
                if at % 60 == 0:
                    m.backup(place)
                if at % 30 == 0:
                    m.consolidate(model="rules")
                    m.consolidate(model="rules", dry_run=True)
                    m.compact([{"role": "user", "content": f"{one} {two}"}] * 5, 50)
                    m.context(one)
                    m.forget(memory.id)
                    m.sweep()
        doctor(home, mend=True)
        restore(place, home)


@pytest.mark.slow
def test_killed_while_its_key_changes_it_is_the_old_or_the_new(home: Path) -> None:
    """At moments drawn over the time that a change takes, and whatever it was before."""
    with opened(home) as m:
        for word in WORDS[:60]:
            m.remember(f"{word} is a word", topics=[word])
    held_by = f"file:{home.parent / 'secret'}"
    before, chance = rows(home / "memory.db"), random.Random(9)
    ends: dict[str, int] = {}
    for _ in range(DEATHS):
        was = cipher.is_encrypted(home / "memory.db")
        change: Callable[[], object]
        if was:
            change = chance.choice([lambda: rekey(home, held_by=held_by), lambda: decrypt(home)])
        else:
            change = lambda: encrypt(home, held_by=held_by, keep_files=True)  # noqa: E731
        killed_within(chance.uniform(0, 0.3), change)
        with closing(SqliteStore(home / "memory.db")) as store:
            assert store.check() == []
        assert rows(home / "memory.db") == before
        assert {each.name for each in home.glob("memory.keys*")} <= {"memory.keys"}
        assert not [*home.glob("keying-*")]
        is_sealed = cipher.is_encrypted(home / "memory.db")
        if is_sealed:
            content = bytes_of(home / "memory.db").lower()
            assert not [word for word in WORDS if word.encode() in content]
        ends[f"{was} to {is_sealed}"] = ends.get(f"{was} to {is_sealed}", 0) + 1
    print(ends)  # noqa: T201
    assert len(ends) == 4
