"""Keyed hashes of what must not come back: who has not this home learns nothing from them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self

import apsw

from memoranda.types import Scope, Scopes


def person(scope: str) -> str:
    """Whose the conversations of a scope are: all agents of the owner heard the owner."""
    return scope if scope.startswith("user:") else "user"


def heard_by(db: apsw.Connection, scope: Scope) -> Scopes:
    """All scopes that may hold what the person said whose a scope is."""
    whose = person(str(scope))
    found = (name for (name,) in db.execute("SELECT name FROM scope"))
    return tuple(Scope.parse(name) for name in found if person(name) == whose)


SECRET = "secret"
"""What the secret of a home is called in it, and what those begin with that came from others."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one home, by its secret."""

    secret: bytes

    @classmethod
    def of(cls, db: apsw.Connection) -> Self:
        """Those that this home makes."""
        return cls(bytes.fromhex(db.execute("SELECT value FROM home WHERE name = 'secret'").get))

    @classmethod
    def known(cls, db: apsw.Connection) -> tuple[Self, ...]:
        """Those too that came from other homes, by their secrets; its own first."""
        return cls.among(db.execute("SELECT name, value FROM home ORDER BY name"))

    @classmethod
    def among(cls, home: Iterable[tuple[str, str]]) -> tuple[Self, ...]:
        """Those of the secrets among what a home knows of itself."""
        return tuple(
            cls(bytes.fromhex(value))
            for name, value in home
            if name == SECRET or name.startswith(f"{SECRET} ")
        )

    @property
    def name(self) -> str:
        """What the secret is called in another home."""
        return f"{SECRET} {self._mark('name').hex()}"

    def memory(self, scope: str, digest: bytes) -> bytes:
        """Of a memory by what it says; for what derives memories anew, and brings them in."""
        return self._mark("memory", scope, digest.hex())

    def turn(self, scope: str, conversation: str, key: str | None, digest: bytes) -> list[bytes]:
        """By what it says, and by the caller's own id if it has one."""
        place = (person(scope), conversation)
        keys = [] if key is None else [self._mark("key", *place, key)]
        return [*keys, self._mark("digest", *place, digest.hex())]

    def expired(self, scope: str, conversation: str, digest: bytes) -> bytes:
        """Of a turn that was old enough to go, and that nobody wanted forgotten."""
        return self._mark("expired", person(scope), conversation, digest.hex())

    def conversation(self, scope: str, name: str) -> bytes:
        return self._mark("conversation", person(scope), name)

    def scope(self, name: str) -> bytes:
        """Of a person, a profile or a project that is not captured, whatever is forgotten of it."""
        return self._mark("scope", name)

    def id(self, noun: str, id: str) -> bytes:
        """Of a turn, a memory or a candidate by its id, and of a scope by its name.

        By it what is gone is known in a copy of the store, whatever it says there.
        """
        return self._mark("id", noun, id)

    def reviewed(self, scope: str, key: str) -> bytes:
        """Of what a person looked at in a review."""
        return self._mark("reviewed", scope, key)

    def warnings(self, scope: str, text: str) -> bytes:
        """Of what somebody was told."""
        return self._mark("warnings", scope, text)

    def _mark(self, *parts: str) -> bytes:
        from hashlib import blake2b  # loads OpenSSL, which reading can do without

        text = json.dumps(parts, ensure_ascii=False)
        return blake2b(text.encode(), key=self.secret, digest_size=16).digest()
