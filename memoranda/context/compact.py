"""A list of messages made to fit a budget: what stays whole, and what is told of the rest.

Whole stay what the system says and the newest messages. Before these stands one stub for all that
was left out, with the refs that give it back; in it, as far as the budget goes and the newest
first, what the user asked for and decided, word for word, and a line for each call of a tool.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate

from memoranda.context import messages, stub
from memoranda.context.messages import PER_MESSAGE, Chat, Message, Said, Step, cost
from memoranda.context.stub import Stub
from memoranda.errors import InvalidInput
from memoranda.text import tokens
from memoranda.text.instructions import smuggled
from memoranda.text.masks import without_private
from memoranda.text.secrets import redacted
from memoranda.working import Compacted, Ref, Stretch

NEWEST = 0.5
"""Of the room so much is for the newest messages, before the user's words get what they need."""
SUMMARY = 0.2
"""Of the room a summary takes no more."""
SHORT_TURN = 400
"""Characters of a turn that is quoted whole, since a request is often about what it says before."""
SHORT_CALL = 60
"""Characters of what a tool was given."""
ROOM_FOR_HEADING = 40
"""Tokens for a heading and for how many had no room."""
SLACK = 4
"""Tokens that texts may take more where they are joined than each by itself."""

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Kept:
    """Where turns of a list are in the store: the id of each, or None for one that is not kept.

    `places` tell the order in which these came in. `foreign` are the refs of earlier stubs that are
    of another conversation.
    """

    ids: tuple[str | None, ...]
    places: Mapping[str, int] = field(default_factory=dict)
    foreign: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked of a compaction.

    `wanted` says where in what a user typed stands what they ask for or decide. `summarise` makes
    of texts a summary of at most so many tokens, or says why there is none.
    """

    budget: int
    wanted: Callable[[str], Spans]
    summarise: Callable[[Sequence[str], int], tuple[str, str]] | None = None


def compact(chat: Chat, kept: Kept, asked: Asked) -> Compacted:
    """What fits is returned as it came."""
    if chat.tokens <= asked.budget:
        return Compacted(copies(chat.messages), chat.tokens)
    work = _Work(chat, kept, asked)
    plan = work.best()
    if asked.summarise is None:
        return work.made(plan)
    summary, why = asked.summarise(work.told(plan), work.room_for_summary)
    if not summary or tokens.estimate(stub.indented(summary)) > work.room_for_summary:
        why = why or "the summary was longer than there is room for"
        work = _Work(chat, kept, replace(asked, summarise=None))
        made = work.made(work.best())
        return replace(made, degraded=(*made.degraded, f"summary: {why}"))
    return work.made(plan, summary)


def copies(given: Sequence[Message]) -> tuple[Message, ...]:
    try:
        return tuple(map(copy.deepcopy, given))
    except RecursionError as error:
        raise InvalidInput("messages: what is in them is nested too deeply") from error


@dataclass(frozen=True, slots=True)
class _Plan:
    """From the step `first` on all stays whole; before them stands the stub."""

    first: int
    stub: Stub
    tokens: int
    missed: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Line:
    """What may stand in a stub, and what it takes."""

    text: str
    tokens: int

    @classmethod
    def of(cls, text: str) -> _Line:
        return cls(text, tokens.estimate(stub.item(text)) + 1)


class _Work:
    """One compaction. Steps are counted without those of the system, which stay."""

    def __init__(self, chat: Chat, kept: Kept, asked: Asked) -> None:
        self._chat = chat
        self._kept = kept
        self._asked = asked
        self._at = [at for at, each in enumerate(chat.steps) if not each.is_system]
        self._steps = [chat.steps[at] for at in self._at]
        self._starts = [0, *accumulate(len(each.said) for each in self._steps)]
        self._costs = [0, *accumulate(each.tokens for each in self._steps)]
        self._system, self.shortened = _fitting_system(
            [each.messages[0] for each in chat.steps if each.is_system],
            max(0, asked.budget - self._bare(len(self._steps))),
        )
        self._room = asked.budget - cost(self._system)

    # What is left out -----------------------------------------------------------------------------

    def stretches(self, first: int) -> tuple[Stretch, ...]:
        """What is left out when the steps from `first` on stay."""
        ids = self._kept.ids[: self._starts[first]]
        return _joined(
            [each for old in self._chat.stubs for each in old.stretches], ids, self._kept
        )

    def _bare(self, first: int) -> int:
        """What a stub takes that tells of nothing but refs."""
        if not (self._steps or self._chat.stubs):
            return 0
        return PER_MESSAGE + SLACK + tokens.estimate(Stub(self.stretches(first)).text())

    @cached_property
    def _last_typed(self) -> tuple[int, str]:
        """The step in which the user said something last, and what."""
        for place in range(len(self._steps) - 1, -1, -1):
            if words := _typed(self._steps[place]):
                return place, words
        return -1, ""

    @cached_property
    def _sentences(self) -> list[list[_Line]]:
        """For each step what the user asks for or decides in it, sentence by sentence."""
        return [
            [_Line.of(quote) for quote in _wanted(step, self._asked.wanted)] for step in self._steps
        ]

    @cached_property
    def _turns(self) -> list[list[_Line]]:
        """The same, but for short turns, which are whole."""
        return [
            [_Line.of(words)] if lines and len(words := _typed(step)) <= SHORT_TURN else lines
            for step, lines in zip(self._steps, self._sentences, strict=True)
        ]

    @cached_property
    def _calls(self) -> list[list[_Line]]:
        """For each step a line for each call of a tool."""
        return [
            [_Line.of(line) for line in self._lines_of(step, start)]
            for step, start in zip(self._steps, self._starts, strict=False)
        ]

    def _lines_of(self, step: Step, start: int) -> list[str]:
        ids = self._kept.ids[start : start + len(step.said)]
        returned = {said.call: (said, id) for said, id in zip(step.said, ids, strict=True)
                    if said.tool is not None and said.role != "assistant"}  # fmt: skip
        lines = []
        for said, id in zip(step.said, ids, strict=True):
            if said.tool is not None and said.role == "assistant":
                lines.append(_line_of_call(said, id, *returned.pop(said.call, (None, None))))
        lines += [_line_of_call(None, None, said, id) for said, id in returned.values()]
        return lines

    # What stays -----------------------------------------------------------------------------------

    def best(self) -> _Plan:
        """The plan that keeps most: the newest, then the user's words, the calls, and more."""
        plan = self._plan(self._newest())
        fits, beyond = plan, -1
        while fits.first - beyond > 1:  # what the others leave is for more of the newest
            more = self._plan((fits.first + beyond) // 2)
            if more.tokens <= self._room - self._summary_room and _tells_all(more, plan):
                fits = more
            else:
                beyond = more.first
        return fits

    def _newest(self) -> int:
        """The first of the steps that have their share of the room; the last may have all of it."""
        first, bare = len(self._steps), self._bare(len(self._steps))
        share = NEWEST * (self._room - self._summary_room)
        if not first or self.shortened or bare + self._steps[-1].tokens > self._room:
            return first
        first -= 1
        while first and bare + self._costs[-1] - self._costs[first - 1] <= share:
            first -= 1
        return first

    @property
    def room_for_summary(self) -> int:
        return self._summary_room - tokens.estimate(stub.SUMMARY) - 2

    @property
    def _summary_room(self) -> int:
        if self._asked.summarise is None:
            return 0
        return int(SUMMARY * max(0, self._room))

    def _plan(self, first: int) -> _Plan:
        """The stub for the steps before `first`, with all that it may tell besides in its room."""
        used = self._bare(first) + self._costs[-1] - self._costs[first]
        whole = self._room - self._summary_room - used
        cut = first == len(self._steps) and self._starts[-1] > 0
        summary, took = self._old_summary(whole)
        room = whole - took
        spare = room // 2 if cut else 0
        quoted = self._quoted(first, room - spare, cut=cut)
        room -= quoted.tokens
        called = self._called(first, room - spare)
        room -= called.tokens
        excerpt, took = _excerpt(self._chat.said[-1].content, room) if cut else ("", 0)
        return _Plan(
            first,
            Stub(
                self.stretches(first),
                quoted.lines,
                quoted.missed if quoted.tokens else 0,
                called.lines,
                called.missed if called.tokens else 0,
                summary,
                excerpt,
            ),
            used + whole - room + took,
            {"requests": quoted.missed, "calls": called.missed},
        )

    def _quoted(self, first: int, room: int, *, cut: bool) -> _Chosen:
        """What the user asked for before a step: turns that are short whole, if all have room."""
        missed = sum(old.missed_quotes for old in self._chat.stubs)
        for quotes in (self._turns, self._sentences):
            lines = [_Line.of(quote) for old in self._chat.stubs for quote in old.quotes]
            lines += [
                line
                for place, step in enumerate(quotes[:first])
                for line in self._last_whole(place, room, cut=cut) or step
            ]
            chosen = _newest(lines, missed, room, stub.QUOTES)
            if chosen.missed == missed:
                break
        return chosen

    def _last_whole(self, place: int, room: int, *, cut: bool) -> list[_Line]:
        """What the user said last, whatever it is, unless it is told by an excerpt."""
        typed, words = self._last_typed
        if place != typed or (cut and typed == len(self._steps) - 1):
            return []
        whole = _Line.of(words)
        return [whole] if whole.tokens <= room - ROOM_FOR_HEADING else []

    def _called(self, first: int, room: int) -> _Chosen:
        missed = sum(old.missed_calls for old in self._chat.stubs)
        lines = [_Line.of(line) for old in self._chat.stubs for line in old.calls]
        lines += [line for step in self._calls[:first] for line in step]
        return _newest(lines, missed, room, stub.CALLS)

    def _old_summary(self, room: int) -> tuple[str, int]:
        """That of earlier stubs, as long as no new one is made and it takes no more than one."""
        old = "\n".join(each.summary for each in self._chat.stubs if each.summary)
        took = tokens.estimate(stub.indented(old)) + tokens.estimate(stub.SUMMARY) + 2
        fits = took <= min(room, SUMMARY * self._room)
        return (old, took) if old and self._asked.summarise is None and fits else ("", 0)

    def told(self, plan: _Plan) -> list[str]:
        """What a summary is to be made of: what was said before what stays, calls in a line each.

        Left out is what is kept from models, and what is private or secret.
        """
        told = [each.summary for each in self._chat.stubs if each.summary]
        for step, lines in zip(self._steps[: plan.first], self._calls, strict=False):
            told += [
                f"{each.role}: {each.content}"
                for each in step.said
                if each.tool is None and not smuggled(each.content, each.role)
            ]
            told += [f"tool: {each.text}" for each in lines]
        return [redacted(without_private(each))[0] for each in told]

    # What comes of it -----------------------------------------------------------------------------

    def made(self, plan: _Plan, summary: str = "") -> Compacted:
        """The messages of a plan; what its texts take more when joined is taken from the stub."""
        told = replace(plan.stub, summary=summary or plan.stub.summary)
        made = self._messages(plan.first, told)
        while cost(made) > self._asked.budget and (less := _less(told)) is not None:
            told = less
            made = self._messages(plan.first, told)
        first, degraded = plan.first, [*self.shortened]
        if cost(made) > self._asked.budget:
            first = len(self._steps)
            told = Stub(self.stretches(first))
            made = self._least(told)
            least = self._bare(first)
            degraded.append(f"budget: {self._asked.budget} tokens are too few, {least} the least")
        elif self._steps and first == len(self._steps):
            degraded.append(f"newest: the last turn takes {self._steps[-1].tokens} tokens, cut")
        counts = {
            "requests": plan.missed["requests"] + len(plan.stub.quotes) - len(told.quotes),
            "calls": plan.missed["calls"] + len(plan.stub.calls) - len(told.calls),
            "pictures and other parts": sum(each.others for each in self._steps[:first]),
        }
        return Compacted(
            copies(made),
            cost(made),
            told.stretches,
            {what: count for what, count in counts.items() if count},
            summarised=bool(summary and told.summary),
            degraded=tuple(degraded),
        )

    def _messages(self, first: int, told: Stub) -> list[Message]:
        """What the system said before, the stub, and the rest; of two users' messages it is one."""
        left = [message for each in self._left(first) for message in each.messages]
        text = told.text()
        head = self._system[: len(self._system) - sum(m["role"] in messages.SYSTEM for m in left)]
        if told == Stub() and not first:  # only the system says too much
            return [*head, *left]
        for place, message in enumerate(left):
            if message["role"] not in messages.SYSTEM:
                if not messages.takes_stub(message):
                    break
                return [*head, *left[:place], messages.with_stub(text, message), *left[place + 1 :]]
        return [*head, {"role": "user", "content": text}, *left]

    def _left(self, first: int) -> Sequence[Step]:
        """The steps that stay whole, with what the system says between them."""
        if first == len(self._steps):
            return ()
        left = self._chat.steps[self._at[first] :]
        return [each for each in left if not (self.shortened and each.is_system)]

    def _least(self, told: Stub) -> list[Message]:
        """What there is where a budget is too small for a stub that says what it is."""
        room = self._asked.budget - cost(self._system) - PER_MESSAGE
        for text in (told.text(), told.text(f"<{stub.NAME}>"), stub.EMPTY):
            if tokens.estimate(text) <= room:
                return [*self._system, {"role": "user", "content": text}]
        return []


def _fitting_system(given: Sequence[Message], most: int) -> tuple[list[Message], tuple[str, ...]]:
    """What the system says, cut where that alone takes too much."""
    took = cost(given)
    if took <= most:
        return list(given), ()
    fitting: list[Message] = []
    for message in given:
        left = most - cost(fitting)
        if cost([message]) <= left:
            fitting.append(message)
            continue
        words = messages.text(message)
        if left > PER_MESSAGE and (begun := tokens.beginning(words, left - PER_MESSAGE)):
            fitting.append({"role": message["role"], "content": begun})
        break
    return fitting, (f"system: what it says takes {took} tokens and was cut to {most}",)


def _joined(old: Sequence[Stretch], ids: Sequence[str | None], kept: Kept) -> tuple[Stretch, ...]:
    """What was left out before and is now, as few stretches as there can be."""
    there = [id for id in ids if id is not None]
    found: list[Stretch] = []
    for stretch in old:
        _join(found, stretch, kept)
    if there:
        first = min(there, key=kept.places.__getitem__)
        last = max(there, key=kept.places.__getitem__)
        ref = Ref(first, last, len(there) if first != last else 1)
        _join(found, Stretch(len(there), str(ref)), kept)
    unkept = sum(each.turns for each in found if each.ref is None) + len(ids) - len(there)
    refs = [each for each in found if each.ref is not None]
    return (*refs, *((Stretch(unkept),) if unkept else ()))


def _join(found: list[Stretch], more: Stretch, kept: Kept) -> None:
    """Add a stretch to the last one if both are of this conversation."""
    for place in range(len(found) - 1, -1, -1):
        before = found[place]
        if more.ref is None or before.ref is None or {more.ref, before.ref} & kept.foreign:
            continue
        one, other = Ref.parse(before.ref), Ref.parse(more.ref)
        turns = before.turns + more.turns
        found[place] = Stretch(turns, str(Ref(one.first, other.last, turns)))
        return
    found.append(more)


def _typed(step: Step) -> str:
    """What a user said in a step."""
    return "\n\n".join(said.content for said in step.said if said.typed).strip()


def _wanted(step: Step, wanted: Callable[[str], Spans]) -> list[str]:
    """What a user asks for or decides, in their words; what stands together is one."""
    content = _typed(step)
    spans: list[tuple[int, int]] = []
    for start, end in wanted(content) if content else ():
        if spans and not content[spans[-1][1] : start].strip(" \t"):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return [content[start:end] for start, end in spans]


def _line_of_call(
    called: Said | None, call: str | None, returned: Said | None, id: str | None
) -> str:
    """A call of a tool and what came of it, in a line, with the refs of what is not in it."""
    line = (returned.tool if returned else None) or "a tool"
    if called is not None:
        told = " ".join(called.content.split())
        line = told if len(told) <= SHORT_CALL else f"{told[:SHORT_CALL]}…"
        if line != called.content and call is not None:
            line += f" [{call}]"
    if returned is None:
        return f"{line} → nothing"
    ref = f" [{id}]" if id is not None else ""
    return f"{line} → {len(returned.content):,} characters{ref}"


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Lines that have room, what they take with their heading, and how many others there are."""

    lines: tuple[str, ...]
    missed: int
    tokens: int


def _newest(lines: Sequence[_Line], missed: int, room: int, heading: str) -> _Chosen:
    """The newest that fit, in their order; so many were missed before."""
    if not lines and not missed:
        return _Chosen((), 0, 0)
    took = tokens.estimate(heading) + 1
    if missed or took + sum(line.tokens for line in lines) > room:
        took += tokens.estimate("(100000 older requests had no room.)") + 1
    if took > room:
        return _Chosen((), missed + len(lines), 0)
    chosen = []
    for line in reversed(lines):
        if took + line.tokens <= room:
            took += line.tokens
            chosen.append(line.text)
    return _Chosen(tuple(reversed(chosen)), missed + len(lines) - len(chosen), took)


def _excerpt(text: str, room: int) -> tuple[str, int]:
    """The beginning and the end of a text."""
    head = tokens.estimate(stub.EXCERPT) + SLACK
    if room <= 2 * head:
        return "", 0
    most = room - head
    begun, end = tokens.beginning(text, most * 2 // 3), tokens.ending(text, most // 3 - 2)
    excerpt = text if begun == text else f"{begun}\n{end}"
    while (took := tokens.estimate(stub.indented(excerpt)) + head) > room and most > 0:
        most -= max(1, took - room)  # lines are indented, which takes tokens too
        begun = tokens.beginning(text, max(0, most * 2 // 3))
        excerpt = f"{begun}\n{tokens.ending(text, max(0, most // 3 - 2))}".strip()
    return (excerpt, took) if took <= room else ("", 0)


def _tells_all(more: _Plan, plan: _Plan) -> bool:
    """Whether a stub for fewer messages misses no more than one for more of them did."""
    missed = all(more.missed[what] <= count for what, count in plan.missed.items())
    return missed and bool(more.stub.summary) == bool(plan.stub.summary)


def _less(told: Stub) -> Stub | None:
    """A stub that takes less; None when nothing is left that may go."""
    if told.calls:
        return replace(told, calls=told.calls[1:], missed_calls=told.missed_calls + 1)
    if told.quotes:
        return replace(told, quotes=told.quotes[1:], missed_quotes=told.missed_quotes + 1)
    for name in ("summary", "excerpt", "missed_calls", "missed_quotes"):
        if getattr(told, name):
            return replace(told, **{name: type(getattr(told, name))()})
    return None
