"""How something is done, as it was met in a conversation, made ready to be a skill.

Nothing is put into other words: the steps are the speaker's, each on a line where the words part
them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from memoranda.errors import InvalidInput
from memoranda.files.frontmatter import LONGEST_DESCRIPTION, LONGEST_NAME, Page, begins
from memoranda.files.places import RESERVED
from memoranda.files.skills import CANDIDATE, TURN, page_of
from memoranda.passes import Decision
from memoranda.text.instructions import smuggled
from memoranda.text.secrets import redacted
from memoranda.text.stopwords import STOPWORDS
from memoranda.types import Candidate, Role

MOST_WORDS = 5
"""Words of a name."""

_GOAL = re.compile(
    r"(?:(?:in order )?to|um|para|zum|zur|beim)\s+(?P<goal>[^:,;.!?\n]{3,60}?)\s*[:,]\s*(?P<how>.+)"
    r"|(?P<named>[^:,;.!?：，、；。\n]{2,60}?)\s*[:：]\s*(?P<then>.+)",
    re.IGNORECASE | re.DOTALL,
)
"""What is to be done, and then how."""

_NEXT = re.compile(
    r"[,;.]?\s+(?:(?:and|und|y)\s+)?"
    r"(?:then|after that|finally|dann|danach|schließlich|luego|después|por último)\b[,:]?\s*"
    r"|;\s*|[，；。]?\s*(?:然后|接着|最后|然後|接著|最後)\s*|[，；。]\s*再|\n\s*(?:[-*•]|\d+[.)])\s+",
    re.IGNORECASE,
)
"""Where a step ends and the next one begins."""

_BEFORE = re.compile(
    r"(?:[-*•]|\d+[.)])\s+|(?:first|erst|zuerst|primero)\b[,:]?\s*|首?先", re.IGNORECASE
)
"""What may stand before a step and is no part of it."""

_NO_NAME = STOPWORDS | frozenset("user users team how nutzer usuario".split())


def draft(decision: Decision, words: str | None = None) -> Page:
    """The skill that a candidate would become, in other words if some are given.

    Those are its steps, or a whole file. Raises InvalidInput for what must not be written.
    """
    candidate = decision.candidate
    is_whole = words is not None and begins(words)
    said = (candidate.detail, candidate.quote) if words is None else (words,)
    written = said if is_whole else (candidate.content, *said)
    if found := smuggled("\n".join(filter(None, written)), Role.USER):
        raise InvalidInput(f"{decision.id} {found[0].why}: reject it, or write the skill by hand")
    if words is not None and is_whole:
        page = page_of(words)
    else:
        page = page_of(
            redacted(_body(candidate))[0] if words is None else words,
            name=_name(decision),
            description=_shortened(redacted(candidate.content)[0]),
        )
    sources = {TURN: candidate.turn, CANDIDATE: decision.id}
    return replace(
        page, metadata={**page.metadata, **{name: id for name, id in sources.items() if id}}
    )


def _name(decision: Decision) -> str:
    """A few words of what is to be done; where none can be in a name, some letters of the id."""
    goal, _ = _parted(decision.candidate.content)
    plain = unicodedata.normalize("NFKD", goal.casefold().replace("ß", "ss"))
    found = re.findall(r"[a-z0-9]+", re.sub(r"[\u0300-\u036f]|['’]\w?\b", "", plain))
    told = [word for word in found if word not in _NO_NAME][:MOST_WORDS]
    name = "-".join(told)[:LONGEST_NAME].rstrip("-")
    if not name or RESERVED.fullmatch(name):
        return f"skill-{decision.id[-6:].lower()}"
    return name


def _shortened(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= LONGEST_DESCRIPTION else f"{line[: LONGEST_DESCRIPTION - 1]}…"


def _body(candidate: Candidate) -> str:
    steps = _steps(candidate.content) or _steps(candidate.quote)
    said = "" if candidate.said is None else f" on {candidate.said:%Y-%m-%d}"
    parts = [
        candidate.content,
        "\n".join(f"{number}. {step}" for number, step in enumerate(steps, 1)),
        candidate.detail or "",
        f"As it was said{said}:",
        "\n".join(f"> {line}" for line in candidate.quote.splitlines()),
    ]
    return "\n\n".join(filter(None, parts))


def _steps(text: str) -> list[str]:
    """The steps that words part, at least two; else none."""
    _, how = _parted(text)
    found = [
        _BEFORE.sub("", each.strip(), count=1).strip(" ,;.，；。") for each in _NEXT.split(how)
    ]
    steps = [each for each in found if each]
    return steps if len(steps) > 1 else []


def _parted(text: str) -> tuple[str, str]:
    """What is to be done, and how; where the words do not part them, both are all of it."""
    match = _GOAL.match(text.strip())
    if match is None:
        return text, text
    return match["goal"] or match["named"], match["how"] or match["then"]
