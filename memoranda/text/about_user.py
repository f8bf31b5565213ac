"""Whether a statement is about the user, as passes and people write it."""

from __future__ import annotations

import re

_USER = re.compile(
    r"(?:the )?user(?:'s|’s)?\b"
    r"|(?:der |die |dem )?nutzer(?:s|in)?\b|(?:das )?team des nutzers\b"
    r"|(?:el |la |al )?usuari[oa]\b"
    r"|用户|用戶|使用者",
    re.IGNORECASE,
)


def is_about_user(statement: str) -> bool:
    """Whether it begins with who uses the agent."""
    return _USER.match(statement.lstrip()) is not None
