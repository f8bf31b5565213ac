"""Text that can be stored, and shown."""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What could steer a terminal, or turn the direction of what is read."""


def mend(text: str) -> tuple[str, int]:
    """`text` with every NUL and lone surrogate replaced by U+FFFD, and how many there were."""
    return _UNSTORABLE.subn(REPLACEMENT, text)


def harmless(text: str) -> str:
    """`text` with what could steer a terminal replaced by U+FFFD; its lines and tabs stay."""
    return _STEERING.sub(REPLACEMENT, text)


def fingerprint(content: str) -> bytes:
    """16 bytes that are the same for texts which differ in case and white space only."""
    from hashlib import blake2b  # loads OpenSSL, which reading can do without

    words = " ".join(unicodedata.normalize("NFC", content).lower().split())
    return blake2b(words.encode(), digest_size=16).digest()
