"""What a line about a memory tells besides its words."""

from __future__ import annotations

import re

from memoranda.text.clean import harmless
from memoranda.types import Hit, Kind, Memory, Status

_OURS = re.compile(r"<(?=\s*/?\s*memoranda)", re.IGNORECASE)


def one_line(text: str) -> str:
    """A text within a line, which cannot close the fence around it nor steer a terminal."""
    return _OURS.sub("‹", harmless(" ".join(text.split())))


def marks(found: Memory | Hit) -> tuple[str, ...]:
    """What a reader must know before believing it."""
    sources = found.sources if isinstance(found, Memory) else (found.source,)
    told = ["unreviewed"] if found.status == Status.CANDIDATE else []
    if all(source.kind == "agent" for source in sources):
        told.append(f"noted by {one_line(sources[0].by or 'an agent')}, unconfirmed")
    if found.valid_to is not None and found.kind != Kind.EPISODE:
        told.append(f"until {found.valid_to:%Y-%m-%d}")
    if found.status is not None and not found.status.live:
        told.append(str(found.status))
    if found.contradicts:
        told.append(f"contradicted by {', '.join(found.contradicts)}: ask the user which holds")
    return tuple(told)
