"""All that is stored about somebody, told to them in plain words, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator
from datetime import datetime, tzinfo
from itertools import groupby
from typing import TypeVar

from memoranda.context.marks import one_line
from memoranda.knowledge import Knowledge, Remembered
from memoranda.passes import Decision
from memoranda.skills import Skill
from memoranda.text.clean import harmless
from memoranda.text.names import key
from memoranda.types import (
    Conversation,
    Entity,
    Forgotten,
    Kind,
    Passage,
    Scope,
    Source,
    Status,
    Switch,
)

T = TypeVar("T")
Zone = tzinfo | None
"""That of the home; None is this machine's."""

ACTIVE = re.compile(r"<|!(?=\[)|(?<=\])\(")
"""What a viewer of Markdown would load, follow or run, instead of showing it."""

SURE = {"high": "quite sure", "medium": "fairly sure", "low": "not sure"}

ENDED = {
    Status.SUPERSEDED: "replaced by what was said later",
    Status.RETIRED: "no longer so",
    Status.REJECTED: "turned down in a review",
    Status.EXPIRED: "its time ran out, or it was never used again",
}

CLOSING = "This is all that is stored here about what was asked."
"""The last line: where it is missing, something is."""


def markdown(known: Knowledge, zone: Zone) -> Iterator[str]:
    """The account, line by line, each with its break, as it is read from the store."""
    for line in _lines(known, zone):
        yield f"{line}\n"


def _lines(known: Knowledge, zone: Zone) -> Iterator[str]:
    yield from _beginning(known, zone)
    told = yield from _memories(known, zone)
    yield from _conversations(known, zone)
    yield from _besides(known, zone)
    yield from _kept_off(known, zone)
    yield from _forgotten(known, zone)
    yield from _leaving(known)
    yield from ("", "---", "")
    if remark := known.missed(told):
        yield from (f"**{remark}**", "")
    yield CLOSING


def _beginning(known: Knowledge, zone: Zone) -> Iterator[str]:
    yield f"# What is known about {_whom(known.person)}"
    yield ""
    yield f"Asked on {_when(known.asked_at, zone)}, of the home in {_text(known.home)}."
    yield ""
    if known.person is None:
        yield "Nobody is known by this channel, and nothing is kept of them."
        return
    yield f"It tells of these scopes: {_listed(known.visible)}."
    if known.elsewhere:
        yield (
            f"There is more, to be asked for by itself: {_listed(known.elsewhere)} "
            "(open it with --person, --profile or --project)."
        )
    counts = known.holdings.memories
    told = ", ".join(f"{count} {status}" for status, count in counts.items())
    yield ""
    yield f"- {_counted(sum(counts.values()), 'memory', 'memories')}{_in_brackets(told)}"
    yield (
        f"- {_counted(len(known.conversations), 'conversation')} with "
        f"{_counted(known.holdings.turns, 'turn')}"
    )
    yield f"- {_counted(len(known.entities), 'name')} of people and things"
    yield f"- {_counted(len(known.skills), 'skill')}"


def _memories(known: Knowledge, zone: Zone) -> Generator[str, None, int]:
    """Every memory by what to think of it; returns how many were told."""

    def item(each: Remembered) -> Iterator[str]:
        return _memory(each, zone)

    told = yield from _section("What I know", known.known, item)
    told += yield from _section("What I am not sure of", known.unsure, item)
    yield from _section(
        "What was noted, and is no memory",
        known.proposed,
        lambda each: _decision(each, zone),
        "Drawn from conversations: not decided yet, or turned down.",
    )
    told += yield from _section("What no longer holds", known.past, item)
    told += yield from _section(
        "What I keep from models",
        known.withheld,
        item,
        "Memories that may hold orders to an agent: no agent is shown them.",
    )
    yield from _section(
        "What was said and is kept from models",
        known.withheld_turns,
        lambda each: _withheld(each, zone),
        "Turns that may hold orders which nobody typed.",
    )
    return told


def _section(
    title: str, things: Iterable[T], told: Callable[[T], Iterable[str]], remark: str = ""
) -> Generator[str, None, int]:
    """A heading, what is told of each, and how many that were, which it returns too."""
    yield from ("", f"## {title}", "")
    if remark:
        yield from (remark, "")
    count = 0
    for each in things:
        count += 1
        yield from told(each)
    yield from ("", f"{count} in all.") if count else ("Nothing.",)
    return count


def _memory(remembered: Remembered, zone: Zone) -> Iterator[str]:
    memory = remembered.memory
    yield f"- {_text(memory.content)}"
    if memory.detail:
        yield f"  - More: {_text(memory.detail)}"
    yield f"  - {'; '.join(_standing(remembered, zone))}"
    for source in memory.sources:
        yield f"  - From: {_source(source, zone)}"
    about = [*memory.entities, *memory.topics]
    if about:
        yield f"  - About: {', '.join(map(_text, about))}"
    if memory.contradicts:
        yield f"  - It cannot hold together with: {', '.join(memory.contradicts)}"
    used = f", used {_counted(memory.use_count, 'time')}" if memory.use_count else ""
    said = f", said {_counted(memory.mention_count, 'time')}" if memory.mention_count > 1 else ""
    yield f"  - Kept for {memory.scope} as {memory.id}{said}{used}"


def _standing(remembered: Remembered, zone: Zone) -> Iterator[str]:
    """What sort of statement it is, when it was so, and how sure that is."""
    memory = remembered.memory
    yield memory.kind.capitalize()
    yield f"{'on' if memory.kind == Kind.EPISODE else 'since'} {_when(memory.began, zone)}"
    if memory.valid_to is not None:
        yield f"until {_when(memory.valid_to, zone)}"
    yield f"written down on {_when(memory.recorded_at, zone)}"
    if memory.confirmed_at is not None:
        yield f"confirmed on {_when(memory.confirmed_at, zone)}"
    yield f"{SURE[remembered.level]} ({remembered.level})"
    if memory.status == Status.CANDIDATE:
        yield "nobody has reviewed it"
    if memory.pinned:
        yield "pinned"
    if memory.status in ENDED:
        closed = f" on {_when(memory.closed_at, zone)}" if memory.closed_at else ""
        by = f" ({memory.superseded_by})" if memory.superseded_by else ""
        yield f"{ENDED[memory.status]}{by}{closed}"


def _source(source: Source, zone: Zone) -> str:
    """Where something comes from: whose words, and when; or which line of a file."""
    match source.kind:
        case "turn" if source.turn is None:
            told = "said in a conversation that is gone or not open here"
        case "turn":
            who = source.speaker or str(source.role)
            told = f"said by {_text(who)} in the conversation “{_text(source.conversation or '')}”"
        case "file":
            told = f"the file {_text(source.path or '')}, line {source.line}"
        case "agent":
            told = f"noted by the agent {_text(source.by or '')}, and confirmed by nobody"
        case _:
            told = f"written by hand ({_text(source.by or '')})"
    if source.time is not None:
        told += f", {_when(source.time, zone)}"
    return f"{told}: “{_text(source.quote)}”" if source.quote else told


def _decision(decision: Decision, zone: Zone) -> Iterator[str]:
    candidate = decision.candidate
    yield f"- {_text(decision.content or candidate.content)}"
    why = f", {_text(decision.reason)}" if decision.reason else ""
    yield f"  - {decision.stage.capitalize()}{why}; selected on {_when(decision.time, zone)}"
    if candidate.quote:
        said = f" on {_when(candidate.said, zone)}" if candidate.said else ""
        yield f"  - From: “{_text(candidate.quote)}”{said}"
    yield f"  - For {decision.scope} as {decision.id}"


def _withheld(turn: Passage, zone: Zone) -> Iterator[str]:
    yield f"- “{_text(turn.content)}”"
    yield f"  - {_source(turn.source, zone)}; {_text(turn.quarantined or '')}; {turn.turn}"


# Conversations ------------------------------------------------------------------------------------


def _conversations(known: Knowledge, zone: Zone) -> Iterator[str]:
    days = known.keeps_days
    kept = f"A conversation that was read is kept for {days} days." if days else "They are kept."
    yield from _section(
        "Conversations", known.conversations, lambda each: [_conversation(each, zone)], kept
    )
    if known.with_turns:
        yield from ("", "## Word for word")
        for (scope, name), turns in groupby(known.turns, lambda each: _talk(each)):
            yield from ("", f"### {_text(name)} ({scope})")
            for turn in turns:
                yield from _turn(turn, zone)
    elif known.conversations:
        yield "What was said is told word for word with --turns."


def _talk(turn: Passage) -> tuple[Scope, str]:
    return turn.scope, turn.conversation


def _conversation(talk: Conversation, zone: Zone) -> str:
    told = [f"“{_text(talk.name)}” ({talk.scope}): {_counted(talk.turns, 'turn')}"]
    if talk.project is not None:
        told.append(f"on {talk.project}")
    told.append(f"{_when(talk.first, zone)} to {_when(talk.last, zone)}")
    if talk.quarantined:
        told.append(f"{talk.quarantined} kept from models")
    if talk.incognito:
        told.append("incognito: nothing more is kept of it")
    return f"- {', '.join(told)}"


def _turn(turn: Passage, zone: Zone) -> Iterator[str]:
    """What was said as a block of code, in which nothing is Markdown."""
    who = f"{turn.speaker} ({turn.role})" if turn.speaker else str(turn.role)
    kept = " (kept from models)" if turn.quarantined else ""
    yield from ("", f"**{_text(who)}**, {_when(turn.time, zone)}{kept}:", "")
    for line in harmless(turn.content).split("\n"):
        yield f"    {line}"


# What is kept besides -----------------------------------------------------------------------------


def _besides(known: Knowledge, zone: Zone) -> Iterator[str]:
    yield from _section("Whom and what that is about", known.entities, lambda each: [_entity(each)])
    yield from _section("Skills", known.skills, lambda each: [_skill(each)])
    for file in known.unreadable:
        yield f"- {_text(file.place)} cannot be read as a skill: {_text(file.reason)}"
    if known.tasks or known.reports:
        tasks, reports = _counted(known.tasks, "task"), _counted(known.reports, "report")
        yield from ("", f"The open project has {tasks} and {reports}.")
    yield from _section("Files on disk", known.files, lambda each: [f"- {_text(each)}"])
    if known.vectors_of:
        yield from ("", f"For searching, {_text(known.vectors_of)} made numbers of the texts.")


def _skill(skill: Skill) -> str:
    used = f", used {_counted(skill.uses, 'time')}" if skill.uses else ""
    return f"- {_text(skill.name)} ({skill.scope}){used}: {_text(skill.description)}"


def _entity(entity: Entity) -> str:
    memories = _counted(entity.memories, "memory", "memories")
    others = [each for each in entity.aliases if each != key(entity.name)]
    also = f", also {', '.join(map(_text, others))}" if others else ""
    turns = _counted(entity.turns, "turn")
    return f"- {_text(entity.name)} ({entity.kind}{also}): {memories}, {turns}"


def _kept_off(known: Knowledge, zone: Zone) -> Iterator[str]:
    yield from ("", "## What is captured", "")
    home, *others = known.switches
    if not home.on:
        since = f" since {_when(home.since, zone)}" if home.since else ""
        yield f"Nothing: capture is off in this home{since}."
    else:
        now = "is" if known.captures else "is not"
        yield f"Capture is on in this home; what is said here now {now} kept."
    for switch in others:
        yield f"- {_switch(switch, zone)}"
    yield ""
    yield (
        "Of a conversation that is incognito a keyed hash of its name is kept, from which nobody "
        "learns the name; so those of which nothing is stored cannot be listed."
    )


def _switch(switch: Switch, zone: Zone) -> str:
    scope = "a scope that was forgotten" if switch.scope is None else switch.scope
    since = f" since {_when(switch.since, zone)}" if switch.since else ""
    return f"off for {scope}{since}, by {switch.by}"


def _forgotten(known: Knowledge, zone: Zone) -> Iterator[str]:
    yield from _section(
        "What was forgotten",
        known.forgotten,
        lambda each: [_gone(each, zone)],
        "That it was, and when. Of its words nothing is left but keyed hashes, by which it is "
        "known when it comes again.",
    )


def _gone(gone: Forgotten, zone: Zone) -> str:
    memories = _counted(gone.memories, "memory", "memories")
    how = "old enough" if gone.expired else f"forgotten ({_text(gone.by)})"
    return f"- {_when(gone.time, zone)}: {memories} and {_counted(gone.turns, 'turn')}, {how}"


def _leaving(known: Knowledge) -> Iterator[str]:
    yield from _section(
        "Who receives text",
        known.receivers,
        lambda each: [f"- {_text(each.host)}: {each.purpose}"],
        "Hosts to which words leave this machine, by the settings as they are now.",
    )
    yield from ("", "## How it was used", "")
    if not known.logs_use:
        yield "Uses are not written down, by the settings as they are now."
    served = known.served
    yield (
        f"Memories went into {_counted(served.prompts, 'prompt')}, "
        f"{_counted(served.memories, 'time')} in all; an answer used one that it needed "
        f"{_counted(served.used, 'time')}. Conversations were read in "
        f"{_counted(known.passes, 'pass', 'passes')}."
    )


# Words --------------------------------------------------------------------------------------------


def _text(text: str) -> str:
    """A text within a line, of which no viewer loads or runs anything."""
    return ACTIVE.sub(lambda found: f"\\{found[0]}", one_line(text))


def _when(moment: datetime | None, zone: Zone) -> str:
    if moment is None:
        return ""
    try:
        return f"{moment.astimezone(zone):%Y-%m-%d %H:%M}"
    except (OverflowError, OSError):
        return f"{moment:%Y-%m-%d %H:%M}"


def _whom(person: Scope | None) -> str:
    if person is None:
        return "somebody whom nobody knows"
    return f"{person.name}" if person.name else "you"


def _listed(scopes: Iterable[Scope]) -> str:
    return ", ".join(map(str, scopes))


def _in_brackets(text: str) -> str:
    return f" ({text})" if text else ""


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"
