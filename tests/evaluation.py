"""The evaluation data, which is no part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def evaluation(name: str) -> Path:
    """A file of it; without the file the test is skipped."""
    folder = os.environ.get("MEMORANDA_EVAL")
    if not folder or not (Path(folder) / name).exists():
        pytest.skip(f"MEMORANDA_EVAL names no folder with {name}")
    return Path(folder) / name
