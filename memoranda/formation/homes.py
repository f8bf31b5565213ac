"""A visit is no residence: whoever was somewhere need not live there."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from memoranda.formation import telling
from memoranda.formation.wording import MOST_READ

_CLAIMS = regex.compile(
    r"\b(?:lives?|lived|living|resid\w+|inhabitant|native|based (?:in|near|at)|is from|home ?town"
    r"|home (?:is|in))\b"
    r"|\b(?:wohn\w*|lebt?|lebe|kommt aus|stammt aus|zu ?hause)\b"
    r"|\b(?:viv(?:e|o|es|imos|en)|resid\w+|es de|hogar)\b|住|居|来自|來自|家在|老家"
)
_TELLS = regex.compile(
    r"\b(?:liv(?:e|es|ed|ing)|resid\w*|inhabit\w*|native|based|from|home|homes|house|flat"
    r"|apartment|condo|rent\w*|mov(?:e|es|ed|ing)|relocat\w*|settl\w*|born|grew up|raised|local"
    r"|citizen\w*|neighbou?r\w*|landlord|mortgage|lease|stay(?:s|ed|ing)?|back in|return\w*"
    r"|address|place)\b"
    r"|\b(?:wohn\w*|leb(?:e|t|en|te)|zieh\w*|zog\w*|gezogen|umzug|umgezogen|heim\w*|haus\w*|zuhause"
    r"|miete\w*|aus|geboren|aufgewachsen|bleib\w*|zurück)\b"
    r"|\b(?:viv\w+|mud\w+|casa|piso|hogar|alquil\w*|nac[ií]\w*|soy|es de|vuelv\w+|volv\w+)\b"
    r"|住|居|搬|家|房|租|来自|來自|出生|定居|回"
)


def told(text: str, sources: Sequence[str]) -> str | None:
    """Why a text tells where somebody lives that no source speaks of; None when it does not."""
    if not _CLAIMS.search(telling.small(text)):
        return None
    if any(_TELLS.search(telling.small(each[:MOST_READ])) for each in sources):
        return None
    return "it tells a home that was not told"
