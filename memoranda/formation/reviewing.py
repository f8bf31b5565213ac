"""What a person says of candidates that wait for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memoranda.errors import InvalidInput
from memoranda.formation import resolution
from memoranda.passes import Decision, Stage
from memoranda.protocols import Store
from memoranda.retrieval.contradicting import pairs
from memoranda.types import Scopes

OPEN = (Stage.REVIEW, Stage.SET_ASIDE)
"""What a person may decide: what waits for them, and what no model could decide."""


def accept(
    store: Store,
    decision: Decision,
    content: str | None,
    visible: Scopes,
    *,
    now: datetime,
    by: str,
) -> Decision:
    """Do what was decided, with other words if some are given.

    Raises InvalidInput when nothing is to be decided, or it cannot be done; Conflict.
    """
    _check(decision)
    resolved = resolution.accept(decision, store, content=content, now=now, by=by)
    done = replace(resolved.decision, decided_by=None, decided_at=now)
    with store.transaction():
        store.apply(resolved.changes, at=now, by=by, reason=done.reason)
        store.passes.decide([done])
        store.contradictions.add(pairs(resolved.changes, store, visible, now), at=now)
    return done


def reject(store: Store, decision: Decision, *, now: datetime, by: str) -> Decision:
    """Turn it away, so that it is not proposed again. Raises InvalidInput."""
    _check(decision)
    done = replace(
        decision,
        stage=Stage.REJECTED,
        reason=f"rejected by a person ({by})",
        decided_by=None,
        decided_at=now,
    )
    store.passes.decide([done])
    return done


def _check(decision: Decision) -> None:
    if decision.stage not in OPEN:
        raise InvalidInput(f"{decision.id} is {decision.stage}; nothing is to be decided")
