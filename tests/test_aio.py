"""The same verbs, awaited."""

from __future__ import annotations

import asyncio
import inspect
from pathlib import Path

from memoranda import AsyncMemoranda, Memoranda, Turn


def test_every_verb_is_there_with_the_same_arguments() -> None:
    for name, verb in inspect.getmembers(Memoranda, inspect.isfunction):
        if not name.startswith("_"):
            awaited = getattr(AsyncMemoranda, name)
            assert inspect.iscoroutinefunction(awaited), name
            assert inspect.signature(awaited) == inspect.signature(verb), name


def test_many_at_once(home: Path) -> None:
    async def use() -> None:
        async with await AsyncMemoranda.open(home, profile="coder") as m:
            await asyncio.gather(*(m.remember(f"plum {number}") for number in range(20)))
            await asyncio.gather(
                *(m.observe([Turn("c", "user", f"pear {n}", id=str(n))]) for n in range(20))
            )
            answers = await asyncio.gather(*(m.recall("plum", limit=30) for _ in range(10)))
            assert {len(answer.hits) for answer in answers} == {20}
            assert (await m.status()).holdings.turns == 20

    asyncio.run(use())
