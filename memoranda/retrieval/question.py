"""What is asked."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memoranda.policy.fading import Curves, curves
from memoranda.retrieval.temporal import Order
from memoranda.retrieval.weighing import Weights
from memoranda.settings import Settings
from memoranda.types import Filter, Fusion, HitType, Scopes


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, what may be seen, and how long the answer may be.

    Without `floors` even what is hardly like it is found. With `everything` all that the filter
    lets pass is, in that order, as far as the limit asks. With `links` what hangs together with the
    names in it is searched for too. `rerank_depth` is how many of the best are put in a better
    order when there is a reranker. By the `curves` memories fade.
    """

    text: str
    visible: Scopes
    filter: Filter
    limit: int
    budget: int | None = None
    memories: bool = True
    turns: bool = True
    fusion: Fusion = Fusion.CALIBRATED
    floors: bool = True
    everything: Order | None = None
    links: bool = False
    rerank_depth: int = 20
    weights: Weights = field(default_factory=Weights)
    curves: Curves = field(default_factory=lambda: curves(Settings()))

    @property
    def at(self) -> datetime:
        """The moment at which it is asked what somebody is sure of."""
        return self.filter.known or self.filter.now

    @property
    def spared(self) -> int:
        """How many are looked at to give as many as asked for: more, since some will not do."""
        return 5 * self.limit // 2

    @property
    def types(self) -> tuple[HitType, ...]:
        """What is searched; who asks for a kind or a standing asks for memories."""
        filter = self.filter
        turns = self.turns and filter.kinds is None and filter.statuses is None
        wanted: dict[HitType, bool] = {"memory": self.memories, "turn": turns}
        return tuple(type for type, is_wanted in wanted.items() if is_wanted)
