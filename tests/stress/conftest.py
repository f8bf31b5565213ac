from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def words_only(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is pressed here is the store, which loading a model would leave in peace."""
    if "test_embedding" not in request.node.nodeid:
        monkeypatch.setenv("MEMORANDA_EMBEDDING_MODEL", "none")
