"""What a person says of candidates that wait for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from memoranda.errors import InvalidInput
from memoranda.formation import resolution
from memoranda.passes import Decision, Stage
from memoranda.protocols import Store
from memoranda.retrieval.contradicting import pairs
from memoranda.types import Operation, Scopes

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
    check(decision)
    resolved = resolution.accept(decision, store, content=content, now=now, by=by)
    done = replace(resolved.decision, decided_by=None, decided_at=now)
    with store.transaction():
        store.apply(resolved.changes, at=now, by=by, reason=done.reason)
        store.passes.decide([done])
        store.contradictions.add(pairs(resolved.changes, store, visible, now), at=now)
    return done


def accept_skill(
    store: Store, decision: Decision, written: str, operation: Operation, *, now: datetime, by: str
) -> Decision:
    """It became a skill, and was `written` as that says. Raises InvalidInput, Conflict."""
    check(decision)
    done = replace(
        decision,
        stage=Stage.APPLIED,
        operation=operation,
        reason=f"accepted by {by}: {written}",
        decided_by=None,
        decided_at=now,
    )
    store.passes.decide([done])
    return done


def reject(store: Store, decision: Decision, *, now: datetime, by: str) -> Decision:
    """Turn it away, so that it is not proposed again. Raises InvalidInput."""
    check(decision)
    done = replace(
        decision,
        stage=Stage.REJECTED,
        reason=f"rejected by a person ({by})",
        decided_by=None,
        decided_at=now,
    )
    store.passes.decide([done])
    return done


def check(decision: Decision) -> None:
    """Raises InvalidInput when nothing of it is to be decided."""
    if decision.stage not in OPEN:
        raise InvalidInput(f"{decision.id} is {decision.stage}; nothing is to be decided")
