"""A purge leaves nothing of what was deleted in the full-text indexes, whatever their shape."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memoranda.stores.sqlite import SqliteStore
from memoranda.testing import MARCH, a_memory, add, forget
from memoranda.types import Memory
from tests.canaries import canaries, traces

WORDS_OF_EACH = 5
STEPS = st.lists(
    st.tuples(st.sampled_from(["add", "forget"]), st.integers(1, 60), st.booleans()),
    min_size=1,
    max_size=10,
)


@given(STEPS, st.integers(0, 2**32))
@example([("add", 60, True)], 0)
@example([("add", 20, True), ("forget", 19, False), ("add", 1, False)], 1)
@settings(max_examples=25)
def test_no_word_of_it_is_left(steps: list[tuple[str, int, bool]], seed: int) -> None:
    """Memories come and go one by one or many at once; in the end all go."""
    words = iter(canaries(60 * WORDS_OF_EACH * len(steps), seed))
    kept: list[Memory] = []
    used: list[str] = []
    with TemporaryDirectory() as folder:
        home = Path(folder)
        SqliteStore.create(home / "memory.db", at=MARCH)
        store = SqliteStore(home / "memory.db")
        for step, count, at_once in (*steps, ("forget", 600, True)):
            some: list[Memory] = []
            if step == "add":
                for _ in range(count):
                    said = list(islice(words, WORDS_OF_EACH))
                    used += said
                    some.append(a_memory(" ".join(said)))
            else:
                some, kept = kept[:count], kept[count:]
            change = add if step == "add" else forget
            for part in [some] if at_once else [[each] for each in some]:
                change(store, *part)
            kept += some if step == "add" else []
            store.purge()
        # Of so many words six letters stand in an id by chance.
        assert traces(home, used, least=8) == []
        assert store.check() == []
        store.close()
