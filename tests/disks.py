"""A disk of its own, small enough to be filled, that can be made read-only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Disk:
    """A file system in memory, mounted at a folder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._filler = path / "filler"

    def fill(self, *, leaving: int) -> None:
        """Leave so many bytes free."""
        self.make_room()
        free = os.statvfs(self.path).f_bavail * os.statvfs(self.path).f_frsize
        with self._filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, free - leaving))

    def make_room(self) -> None:
        self._filler.unlink(missing_ok=True)

    @contextmanager
    def read_only(self) -> Iterator[None]:
        _mount("-o", "remount,ro", str(self.path))
        try:
            yield
        finally:
            _mount("-o", "remount,rw", str(self.path))


@contextmanager
def small_disk(path: Path, megabytes: int) -> Iterator[Disk]:
    """Skips the test where nobody may mount anything."""
    path.mkdir()
    try:
        _mount("-t", "tmpfs", "-o", f"size={megabytes}m", "memoranda", str(path))
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a disk cannot be mounted here: it needs Linux, and root")
    try:
        yield Disk(path)
    finally:
        subprocess.run(["umount", "--lazy", str(path)], check=True)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True, capture_output=True)
