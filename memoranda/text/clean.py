"""Text that can be stored."""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\ufffd"
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def mend(text: str) -> tuple[str, int]:
    """`text` with every NUL and lone surrogate replaced by U+FFFD, and how many there were."""
    return _UNSTORABLE.subn(REPLACEMENT, text)


def fingerprint(content: str) -> bytes:
    """16 bytes that are the same for texts which differ in case and white space only."""
    from hashlib import blake2b  # loads OpenSSL, which reading can do without

    words = " ".join(unicodedata.normalize("NFC", content).lower().split())
    return blake2b(words.encode(), digest_size=16).digest()
