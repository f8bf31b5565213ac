"""Keyed hashes of what must not come back: who has not this home learns nothing from them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Self

import apsw


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one home, by its secret."""

    secret: bytes

    @classmethod
    def of(cls, db: apsw.Connection) -> Self:
        return cls(bytes.fromhex(db.execute("SELECT value FROM home WHERE name = 'secret'").get))

    def memory(self, scope: str, digest: bytes) -> bytes:
        return self._mark("memory", scope, digest.hex())

    def turn(self, scope: str, conversation: str, key: str | None, digest: bytes) -> list[bytes]:
        """By what it says, and by the caller's own id if it has one."""
        keys = [] if key is None else [self._mark("key", scope, conversation, key)]
        return [*keys, self._mark("digest", scope, conversation, digest.hex())]

    def conversation(self, name: str) -> bytes:
        """In whatever scope: who is incognito is so to every agent."""
        return self._mark("conversation", name)

    def _mark(self, *parts: str) -> bytes:
        from hashlib import blake2b  # loads OpenSSL, which reading can do without

        text = json.dumps(parts, ensure_ascii=False)
        return blake2b(text.encode(), key=self.secret, digest_size=16).digest()
