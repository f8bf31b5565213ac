"""A review and the measures as Markdown, to be read in a mail or a chat."""

from __future__ import annotations

from collections.abc import Iterator

from memoranda.care import Health, Item, Measure, Review

TOLD = 10
"""So many of each concern are told one by one."""


def markdown(review: Review, health: Health) -> str:
    return "\n".join(_lines(review, health)) + "\n"


def _lines(review: Review, health: Health) -> Iterator[str]:
    yield "# What your memory needs"
    if not review.items:
        yield "\nNothing waits for you."
    for concern, count in review.counts.items():
        yield f"\n## {concern.capitalize()}: {count}\n"
        for item in [each for each in review.items if each.concern == concern][:TOLD]:
            yield _line(item)
        if count > TOLD:
            yield f"- and {count - TOLD} more"
    yield "\n## How it serves\n"
    for measure in (*health.measures, *health.hygiene):
        yield f"- {measure.name}: {_told(measure)}"
    for warning in health.warnings:
        yield f"- **{warning}**"
    yield "\nDecide with `memoranda review`."


def _line(item: Item) -> str:
    contents = [memory.content for memory in item.memories]
    if item.decision is not None:
        contents = [item.decision.content or item.decision.candidate.content]
    said = " / ".join(f"“{_short(each)}”" for each in contents)
    return f"- {said or item.why}" + (f": {item.why}" if said else "") + f" (`{item.key}`)"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else f"{flat[:159]}…"


def _told(measure: Measure) -> str:
    if measure.value is None:
        return f"too little data ({measure.of})"
    sign = "more than" if measure.above else "less than" if measure.target else "at most"
    mark = "" if measure.is_met else "**"
    return f"{mark}{measure.value:.1%}{mark}, wanted {sign} {measure.target:.0%}"
