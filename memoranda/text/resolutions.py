"""Whether a statement tells that something was solved: what is no matter for others, or later."""

from __future__ import annotations

import re

_RESOLVED = re.compile(
    r"\b(?:is|are|was|were|has been|have been|got|gets|now)\s+(?:now\s+|finally\s+|already\s+)?"
    r"(?:fixed|resolved|solved|done|merged|closed|finished|completed|patched)\b"
    r"|\b(?:fixed|resolved|solved|patched|closed|merged|finished)\s+(?:the|a|an|our|this|#)"
    r"|\b(?:ist|sind|wurde|wurden)\b[^.!?]{0,60}\b(?:behoben|gelöst|erledigt|geschlossen|fertig)\b"
    r"|\b(?:está|están|fue|fueron|quedó)\s+(?:ya\s+)?(?:arreglad|resuelt|solucionad|cerrad)[oa]s?\b"
    r"|已(?:经|經)?(?:修复|修復|解决|解決|完成|关闭|關閉|合并|合併)",
    re.IGNORECASE,
)


def is_resolution(text: str) -> bool:
    """Whether it says of a bug or a task that it is fixed or done."""
    return _RESOLVED.search(text) is not None
