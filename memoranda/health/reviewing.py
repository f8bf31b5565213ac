"""What is to be looked at in a review, as in one of code: found by age, use and likeness."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memoranda.care import Action, Concern, Contradiction, Item
from memoranda.passes import Decision, Stage
from memoranda.policy import confidence
from memoranda.policy.fading import Curves, expires_at, touched_at
from memoranda.policy.standing import FILE_CHARACTERS
from memoranda.protocols import Store, all_decisions, all_memories
from memoranda.text.resolutions import is_resolution
from memoranda.text.use import words_of
from memoranda.types import LIVE, Filter, Memory, Passage, Scopes, Status, Topic

SOON = timedelta(days=30)
"""What expires within this time is fading."""

LONG_UNUSED = timedelta(days=90)
"""What was never recalled in so long may not be worth keeping."""

MOST_TOPICS = 5
"""A memory of more topics says less by each."""

NEARLY_THE_SAME = 0.9
"""Cosine from which on two memories may say the same."""

MOST_ALIKE = 200
"""So many such pairs are looked at, the nearest."""

MOST_KEPT_APART = 1000
"""So many turns in quarantine are looked at, the latest."""

MEMORY = (Action.KEEP, Action.CONFIRM, Action.EDIT, Action.RETIRE, Action.FORGET)
PAIR = (Action.KEEP, Action.MERGE, Action.NEWER, Action.OLDER)
CANDIDATE = (Action.ACCEPT, Action.EDIT, Action.REJECT)
SIDES = (Action.NEWER, Action.OLDER, Action.BOTH)
QUARANTINED = (Action.KEEP, Action.RELEASE, Action.FORGET)


@dataclass(frozen=True, slots=True)
class Found:
    """What a review looks at, of what is visible at the moment `now`.

    `alike` are pairs of ids with their cosine.
    """

    memories: Sequence[Memory]
    contradictions: Sequence[Contradiction]
    decisions: Sequence[Decision]
    turns: Sequence[Passage]
    topics: Sequence[Topic]
    alike: Sequence[tuple[str, str, float]]
    curves: Curves
    now: datetime


def look(
    store: Store,
    visible: Scopes,
    contradictions: Iterable[Contradiction],
    topics: Sequence[Topic],
    curves: Curves,
    now: datetime,
) -> Found:
    """What a review looks at of what is visible. Raises StoreError."""
    model = store.vectors().model
    every = Filter(now=now, statuses=LIVE | {Status.QUARANTINED})
    return Found(
        memories=list(all_memories(store, visible, every)),
        # What a candidate would change is shown with the candidate.
        contradictions=[each for each in contradictions if not each.is_with_candidate],
        decisions=list(all_decisions(store.passes, visible, stages=[Stage.REVIEW])),
        turns=store.quarantined(visible, MOST_KEPT_APART),
        topics=topics,
        alike=store.alike(visible, model, least=NEARLY_THE_SAME, limit=MOST_ALIKE) if model else (),
        curves=curves,
        now=now,
    )


def items(found: Found) -> list[Item]:
    """Everything that needs a look, the most pressing first; a memory comes up once."""
    live = [each for each in found.memories if each.status.live and not each.has_ended(found.now)]
    contradicted = {id for each in found.contradictions for id in (each.newer.id, each.older.id)}
    made = [
        *_contradictions(found.contradictions),
        *_candidates(found.decisions, contradicted),
        *_proposed(live),
        *_quarantined(found.memories, found.turns),
        *_unconfirmed(live, found),
        *_duplicates(live, found.alike, contradicted),
        *_resolutions(live),
        *_fading(live, found),
        *_never_used(live, found.now),
        *_topics(live, found.topics),
        *_budgets(live),
    ]
    seen: set[str] = set()
    kept = []
    for each in made:
        about = {memory.id for memory in each.memories}
        if not about or not about <= seen:
            kept.append(each)
            seen |= about
    return kept


def _contradictions(found: Iterable[Contradiction]) -> Iterator[Item]:
    for each in found:
        why = f"they differ ({each.slot}) and cannot both hold; proposed is “{each.winner.content}”"
        if each.kind == "offer":
            why = f"it overrides what changed: take “{each.older.content}” here too?"
        yield Item(
            _key(Concern.CONTRADICTION, each.id),
            Concern.CONTRADICTION,
            why,
            SIDES,
            (each.newer, each.older),
            contradiction=each,
        )


def _candidates(decisions: Iterable[Decision], contradicted: set[str]) -> Iterator[Item]:
    for each in decisions:
        if each.id not in contradicted:
            yield Item(
                _key(Concern.CANDIDATE, each.id),
                Concern.CANDIDATE,
                each.reason or "it waits for a person",
                CANDIDATE,
                decision=each,
            )


def _proposed(live: Iterable[Memory]) -> Iterator[Item]:
    """What a worker wrote down for a project; a pass proposes by decisions."""
    for each in live:
        if each.status == Status.CANDIDATE and each.scope.kind == "project":
            by = next((source.by for source in each.sources if source.kind == "agent"), None)
            if by is not None:
                why = f"{by} proposes it for {each.scope}"
                yield Item(_key(Concern.PROPOSED, each.id), Concern.PROPOSED, why, MEMORY, (each,))


def _quarantined(memories: Iterable[Memory], turns: Iterable[Passage]) -> Iterator[Item]:
    for memory in memories:
        if memory.status == Status.QUARANTINED:
            why = "it is kept from models: it quotes orders to an agent, or rests on such a text"
            key = _key(Concern.QUARANTINED, memory.id)
            yield Item(key, Concern.QUARANTINED, why, QUARANTINED, (memory,))
    for turn in turns:
        yield Item(
            _key(Concern.QUARANTINED, turn.turn),
            Concern.QUARANTINED,
            turn.quarantined or "",
            QUARANTINED,
            turn=turn,
        )


def _unconfirmed(live: Iterable[Memory], found: Found) -> Iterator[Item]:
    """What is old for its kind: first what is still used, by when that was last."""
    old = [
        (each, since)
        for each in live
        if (since := confidence.unconfirmed_since(each, found.now, found.curves.half_lives))
    ]
    old.sort(key=lambda pair: (pair[0].used_at is None, -_seconds(pair[0].used_at), pair[0].id))
    for memory, since in old:
        used = f", and used {memory.used_at:%Y-%m-%d}" if memory.used_at else ""
        yield _of_one(
            Concern.UNCONFIRMED, memory, f"nobody confirmed it since {since:%Y-%m-%d}{used}"
        )


def _seconds(time: datetime | None) -> float:
    return 0.0 if time is None else time.timestamp()


def _duplicates(
    live: Sequence[Memory], alike: Iterable[tuple[str, str, float]], contradicted: set[str]
) -> Iterator[Item]:
    """What says the same in the same words, and then what is nearly the same by meaning."""
    by_id = {each.id: each for each in live}
    groups: Mapping[object, list[Memory]] = defaultdict(list)
    for each in live:
        if words := words_of(each.content).all:
            groups[each.scope, each.kind, words].append(each)
    pairs = [
        (group[0], other, "they say the same in the same words")
        for group in groups.values()
        for other in group[1:]
    ]
    pairs += [
        (by_id[one], by_id[other], f"they say nearly the same (cosine {cosine:.2f})")
        for one, other, cosine in alike
        if one in by_id and other in by_id
    ]
    seen: set[frozenset[str]] = set()
    for first, second, why in pairs:
        both = frozenset((first.id, second.id))
        if both in seen or (first.id in contradicted and second.id in contradicted):
            continue
        seen.add(both)
        older, newer = sorted((first, second), key=lambda each: (each.recorded_at, each.id))
        key = f"{_key(Concern.DUPLICATE, newer.id)}+{older.id}"
        yield Item(key, Concern.DUPLICATE, why, PAIR, (newer, older))


def _resolutions(live: Iterable[Memory]) -> Iterator[Item]:
    for each in live:
        if each.scope.kind == "project" and is_resolution(each.content):
            why = "what is solved is no decision, and no matter for others in the project"
            yield _of_one(Concern.RESOLUTION, each, why)


def _fading(live: Iterable[Memory], found: Found) -> Iterator[Item]:
    for each in live:
        at = expires_at(each, found.curves)
        if at is not None and at <= found.now + SOON:
            touched = f"{touched_at(each):%Y-%m-%d}"
            why = f"it expires {at:%Y-%m-%d}: not said, confirmed or used since {touched}"
            yield _of_one(Concern.FADING, each, why)


def _never_used(live: Iterable[Memory], now: datetime) -> Iterator[Item]:
    for each in live:
        if each.use_count == 0 and not each.pinned and touched_at(each) <= now - LONG_UNUSED:
            why = f"no question ever recalled it, since {each.recorded_at:%Y-%m-%d}"
            yield _of_one(Concern.NEVER_USED, each, why)


def _topics(live: Iterable[Memory], topics: Iterable[Topic]) -> Iterator[Item]:
    for each in live:
        if len(each.topics) > MOST_TOPICS:
            why = f"it has {len(each.topics)} topics: {', '.join(each.topics)}"
            yield _of_one(Concern.TOPIC, each, why)
    for topic in topics:
        if topic.close is not None:
            yield Item(
                f"{Concern.TOPIC}:{topic.name}",
                Concern.TOPIC,
                f"the topic “{topic.name}” may be “{topic.close}”",
                (Action.KEEP, Action.MERGE),
                topics=(topic.name, topic.close),
            )


def _budgets(live: Iterable[Memory]) -> Iterator[Item]:
    lengths: dict[object, int] = defaultdict(int)
    for each in live:
        if each.status == Status.CURRENT:
            lengths[each.scope] += len(each.content)
    for scope, length in sorted(lengths.items(), key=lambda pair: str(pair[0])):
        if length > FILE_CHARACTERS:
            yield Item(
                f"{Concern.BUDGET}:{scope}",
                Concern.BUDGET,
                f"{scope} has {length:,} characters of memories, and a file holds "
                f"{FILE_CHARACTERS:,}: the strongest go first, the rest is left to recall",
                (Action.KEEP,),
            )


def _of_one(concern: Concern, memory: Memory, why: str) -> Item:
    return Item(_key(concern, memory.id), concern, why, MEMORY, (memory,))


def _key(concern: Concern, id: str) -> str:
    return f"{concern}:{id}"
