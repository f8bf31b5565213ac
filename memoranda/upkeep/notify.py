"""Telling somebody what needs a look: through a command of theirs, or an address."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memoranda.errors import InvalidSettings, NotToldError

PATIENCE = 30.0
"""Seconds that a command or an address may take."""


@dataclass(frozen=True, slots=True)
class Command:
    """Reads what it is told from its standard input."""

    words: tuple[str, ...]
    host: str | None = None

    @classmethod
    def parse(cls, line: str) -> Command:
        """The words of a command line, as a shell parts them. Raises InvalidSettings."""
        import shlex

        try:
            return cls(tuple(shlex.split(line)))
        except ValueError as error:
            raise InvalidSettings(f"notify {line!r} is no command: {error}") from None

    def tell(self, text: str, *, about: str = "warnings") -> None:
        import subprocess

        try:
            done = subprocess.run(
                self.words,
                input=f"{text.rstrip()}\n",
                encoding="utf-8",
                errors="replace",
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise NotToldError(f"notify: {self.words[0]} cannot be run: {error}") from error
        if done.returncode:
            said = done.stderr.strip()[-200:]
            raise NotToldError(f"notify: {self.words[0]} failed ({done.returncode}) {said}")


@dataclass(frozen=True, slots=True)
class Address:
    """Gets what it is told as a JSON document, {"warnings": [...]} or {"review": [...]}.

    `post` sends that to the address, and returns the status or raises NotToldError.
    """

    url: str
    host: str | None
    post: Callable[[str, bytes, float], int]

    def tell(self, text: str, *, about: str = "warnings") -> None:
        import json

        document = {about: text.splitlines()}
        status = self.post(self.url, json.dumps(document, ensure_ascii=False).encode(), PATIENCE)
        if not 200 <= status < 300:
            raise NotToldError(f"notify: {self.host} answered {status}")
