"""Topics are few, broad and stable."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memoranda
from memoranda import AsyncMemoranda, InvalidInput, Memoranda, NotFound, Topic
from memoranda.policy.hygiene import Topics, normalised
from memoranda.testing import a_memory, add
from memoranda.types import Change, Operation
from memoranda.verbs.naming import AT_ONCE

ONE = """
    deployment/deployments kubernetes/kuberntes python/pyhton database/databse colour/color
    favourite-colours/favorite-colors home-automation/homeautomation
    home-automation/automation-home Home_Automation/home-automation organisation/organizations
    story/stories movie/movies cookie/cookies cache/caches box/boxes class/classes log/logs
    bug/bugs api/apis photo/photos idea/ideas centre/centers catalogue/catalog defence/defenses
    licence/license modelling/modeling analyse/analyze environment/enviroment #deploy/deploy
    deploys/Deploy. behaviour/behavior programme/program grey/gray deployment/deployemnt
    security/securty accomodation/accommodation CI-CD/cicd e-mail/email un-typed/untyped
    optimise/optimize optimisation/optimizations инфраструктура/инфрастуктура
    release-notes/release-note
    back-ups/backup backups/back-up
    dev-ops/devops DevOps/dev_ops data-bases/databases news-items/newsitems
""".split()
TWO = """
    v1/v2 room-101/room-102 cat/car typed/untyped online/offline contact/contract
    internal/interval import/export microeconomics/macroeconomics news/new windows/window
    plan/planes data/date http/https testing/tasting printer/painter parser/parsed server/served
    symmetric/asymmetric upload/unload filling/filing increment/decrement phase-a/phase-b
    version-ii/version-iii c/c++ c/c# .net/net room-1-01/room-101 数据库/数据
    东京都新宿区/东京都新宿群
    inbound/outbound interstate/intrastate hypertension/hypotension 2025/2026 sensor/censor
    user-1/users-2 rail/rails
""".split()


def closest(topic: str, existing: Iterable[str]) -> str | None:
    return Topics(existing).closest(topic)


@pytest.fixture
def stored(m: Memoranda) -> Memoranda:
    """A home with topics from before they were written in one way."""
    add(
        m._store,
        a_memory("The deployment is on Tuesdays", topics=("Deployment",)),
        a_memory("The deployment takes nine minutes", topics=("Deployment",)),
        a_memory("No deployment on Fridays", topics=("deployments", "web"), pinned=True),
    )
    return m


@pytest.mark.parametrize(
    ("topic", "kept"),
    [
        ("  Home  Automation ", "home-automation"),
        ("foo__bar--baz", "foo-bar-baz"),
        ("#Deploy!", "deploy"),
        ("„Größe“", "größe"),
        ("数据库。", "数据库"),
        ("Ｎｏｄｅ．ｊｓ", "node.js"),
        ("C++", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("🚀", "🚀"),
        ("?!", ""),
    ],
)
def test_a_topic_is_written_in_one_way(topic: str, kept: str) -> None:
    assert normalised(topic) == kept


@given(st.text())
def test_writing_a_topic_again_changes_nothing(topic: str) -> None:
    assert normalised(normalised(topic)) == normalised(topic)


@pytest.mark.parametrize("pair", ONE)
def test_two_ways_to_write_a_topic_are_one(pair: str) -> None:
    one, other = pair.split("/")
    assert closest(one, [other]) == other
    assert closest(other, [one]) == one


@pytest.mark.parametrize("pair", TWO)
def test_two_topics_stay_two(pair: str) -> None:
    one, other = pair.split("/")
    assert closest(one, [other]) is None
    assert closest(other, [one]) is None


WORDS = st.text("abces-12", max_size=12)


@pytest.mark.parametrize("pair", ["desert/dessert", "addition/addiction", "casual/causal"])
def test_what_may_be_another_word_is_offered_and_never_forced(m: Memoranda, pair: str) -> None:
    one, other = pair.split("/")
    m.remember("The pool is called tank", topics=[one])
    assert m.remember("The key hangs in the shed", topics=[other]).topics == (other,)
    assert any(each.close in (one, other) for each in m.topics())


@given(WORDS | st.text(), st.lists(WORDS | st.text(), max_size=5))
def test_different_digits_are_never_one(topic: str, existing: list[str]) -> None:
    found = closest(topic, existing)
    if found is not None:
        assert found in existing
        assert [each for each in normalised(found) if each.isdigit()] == [
            each for each in normalised(topic) if each.isdigit()
        ]


@given(WORDS | st.text(), st.lists(WORDS | st.text(), max_size=5))
def test_a_topic_there_is_is_itself(topic: str, others: list[str]) -> None:
    assert closest(topic, [*others, topic]) in (topic, *others)
    assert closest(topic, [topic, *others]) == topic


def test_the_topic_of_most_memories_is_preferred() -> None:
    assert closest("deployments", ["Deployment", "deploymnet"]) == "Deployment"
    assert closest("deployments", ["deploymnet", "deployment"]) == "deployment"


def test_many_and_long_topics_are_no_burden() -> None:
    many = Topics(f"topic-{number:x}-abcdef" for number in range(20_000))
    assert many.closest("topic-1f-abcdefs") == "topic-1f-abcdef"
    assert closest("-é" * 500_000, ["a" * 1_000_000]) is None
    assert closest("abcdefg-" * 100_000, ["abcdefg-" * 100_000 + "h"]) is None


@pytest.mark.parametrize(
    "frame", ["project-a{}ing", "un{}ing", "{}-deployment", "abcdef{}", "数{}据库"]
)
def test_many_topics_that_begin_and_end_alike_are_no_burden(frame: str) -> None:
    letters = "abcdefghij"
    names = [frame.format("".join(drawn)) for drawn in product(letters, repeat=3)]
    many = Topics()
    started = time.process_time()
    for name in names:
        many.closest(name)
        many.add(name)
    assert time.process_time() - started < 3


def test_in_a_sentence_no_slip_is_looked_for() -> None:
    long = "deployment-" * 5
    assert closest(f"{long}deploymnet", [f"{long}deployment"]) is None


def test_what_is_remembered_takes_the_topics_there_are(m: Memoranda) -> None:
    m.remember("The portal is deployed on Tuesdays", topics=["Deployments"])
    memory = m.remember("Never on Fridays", topics=["deployment", "DEPLOYMENTS", "Web"])
    assert memory.topics == ("deployments", "web")
    assert m.show(memory.id) == memory


def test_topics_of_one_call_are_close_to_each_other(m: Memoranda) -> None:
    assert m.remember("plum", topics=["backup", "backups", "Back-up"]).topics == ("backup",)


Meanwhile = Callable[[Callable[[Memoranda], object]], None]


@pytest.fixture
def meanwhile(m: Memoranda, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Meanwhile]:
    """Lets another do something just before `m` begins its next transaction."""
    with memoranda.open(home) as other:
        begin = m._store.transaction

        def let(do: Callable[[Memoranda], object]) -> None:
            def late() -> AbstractContextManager[None]:
                monkeypatch.setattr(m._store, "transaction", begin)
                do(other)
                return begin()

            monkeypatch.setattr(m._store, "transaction", late)

        yield let


def test_a_topic_that_another_writes_meanwhile_is_taken(m: Memoranda, meanwhile: Meanwhile) -> None:
    meanwhile(lambda other: other.remember("one", topics=["deploys", "nas"]))
    assert m.remember("two", topics=["deploy", "nas"]).topics == ("deploys", "nas")


def test_a_topic_that_goes_meanwhile_is_not_taken(m: Memoranda, meanwhile: Meanwhile) -> None:
    m.remember("one", topics=["deploys"])
    meanwhile(lambda other: other.merge_topics("deploys", "release"))
    assert m.remember("two", topics=["deploy"]).topics == ("deploy",)


def test_topics_are_not_listed_again_under_the_lock_when_nothing_changed(
    m: Memoranda, home: Path, meanwhile: Meanwhile, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = []
    topics = m._store.topics

    def told(*asked: Any) -> list[Topic]:
        listed.append(asked)
        return topics(*asked)

    monkeypatch.setattr(m._store, "topics", told)
    m.remember("one", topics=["deploys"])
    assert len(listed) == 1
    with memoranda.open(home, project="site") as site:
        meanwhile(lambda _: site.remember("two", topics=["nas"], scope="project:site"))
        m.remember("two", topics=["release"])
    assert len(listed) == 2
    meanwhile(lambda other: other.remember("three", topics=["backup"]))
    assert m.remember("four", topics=["backups"]).topics == ("backup",)
    assert len(listed) == 4


def test_writers_at_once_make_one_topic(m: Memoranda, home: Path) -> None:
    spellings = ["deploy", "deploys", "Deploy", "DEPLOYS"]

    def write(number: int) -> tuple[str, ...]:
        with memoranda.open(home) as other:
            return other.remember(f"plum {number}", topics=[spellings[number]]).topics

    with ThreadPoolExecutor() as pool:
        assert len(set(pool.map(write, range(len(spellings))))) == 1
    assert len(m.topics()) == 1


def test_a_topic_of_another_scope_is_not_taken(home: Path) -> None:
    with memoranda.open(home, project="site") as m:
        m.remember("one", topics=["deployments"], scope="project:site")
        assert m.remember("two", topics=["deployment"]).topics == ("deployment",)


def test_a_topic_of_punctuation_is_refused(m: Memoranda) -> None:
    with pytest.raises(InvalidInput, match="punctuation"):
        m.remember("plum", topics=["?!"])
    assert m.list() == ()


def test_topics_are_listed_with_those_that_look_alike(stored: Memoranda) -> None:
    assert stored.topics() == (
        Topic("Deployment", 2),
        Topic("deployments", 1, close="Deployment"),
        Topic("web", 1),
    )
    assert [topic.name for topic in stored.topics(once=True)] == ["deployments", "web"]


def test_a_merged_topic_is_gone_and_the_ledger_knows(stored: Memoranda) -> None:
    (changed,) = stored.merge_topics("deployments", "Deployment")
    assert changed.pinned
    assert changed.topics == ("Deployment", "web")
    assert stored.show(changed.id) == changed
    assert stored.topics() == (Topic("Deployment", 3), Topic("web", 1))
    entry = stored.history(changed.id)[-1]
    assert entry.operation == Operation.MERGE_TOPICS
    assert (entry.before, entry.after) == (
        {"topics": ["deployments", "web"]},
        {"topics": ["Deployment", "web"]},
    )
    assert stored.recall("deployment").hits != ()


def test_others_write_while_many_memories_are_merged(
    m: Memoranda, meanwhile: Meanwhile, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = 2 * AT_ONCE + 1
    add(m._store, *(a_memory(f"fact {number}", topics=("web", "nas")) for number in range(count)))
    sizes: list[int] = []
    apply = m._store.apply

    def counting(changes: Sequence[Change], **more: Any) -> None:
        sizes.append(len(changes))
        apply(changes, **more)

    monkeypatch.setattr(m._store, "apply", counting)
    meanwhile(lambda other: other.remember("written meanwhile", topics=["web"]))
    merged = m.merge_topics("web", "internet")
    assert len({memory.id for memory in merged}) == len(merged) == count + 1
    assert max(sizes) == AT_ONCE
    assert m.topics() == (Topic("internet", count + 1), Topic("nas", count))


def test_an_interrupted_merge_goes_on(m: Memoranda, monkeypatch: pytest.MonkeyPatch) -> None:
    add(m._store, *(a_memory(f"fact {number}", topics=("web",)) for number in range(AT_ONCE + 5)))
    with monkeypatch.context() as patched:
        patched.setattr("memoranda.verbs.naming.time.sleep", interrupted)
        with pytest.raises(KeyboardInterrupt):
            m.merge_topics("web", "internet")
    assert len(m.merge_topics("web", "internet")) == 5
    assert m.topics() == (Topic("internet", AT_ONCE + 5),)


def interrupted(seconds: float) -> None:
    raise KeyboardInterrupt


def test_a_new_name_for_a_topic_is_written_as_all_are(stored: Memoranda) -> None:
    assert len(stored.merge_topics("Deployment", "Going Live")) == 2
    assert stored.topics()[0] == Topic("going-live", 2)


def test_a_topic_that_is_not_there_or_the_same_cannot_be_merged(stored: Memoranda) -> None:
    with pytest.raises(NotFound):
        stored.merge_topics("deploy", "web")
    with pytest.raises(InvalidInput):
        stored.merge_topics("web", "web")


def test_only_what_is_open_is_merged(home: Path) -> None:
    with memoranda.open(home, person="anna") as anna:
        anna.remember("hers", topics=["nas"])
    with memoranda.open(home) as m:
        m.remember("his", topics=["nas"])
        assert [memory.content for memory in m.merge_topics("nas", "storage")] == ["his"]
    with memoranda.open(home, person="anna") as anna:
        assert [topic.name for topic in anna.topics()] == ["nas"]


def test_topics_awaited(home: Path) -> None:
    async def main() -> tuple[Topic, ...]:
        async with await AsyncMemoranda.open(home) as m:
            await m.remember("plum", topics=["fruits"])
            await m.merge_topics("fruits", "fruit")
            return await m.topics()

    assert asyncio.run(main()) == (Topic("fruit", 1),)
