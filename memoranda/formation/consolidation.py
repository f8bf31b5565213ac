"""One pass: what was said since the last one becomes memories.

Turns are read a few at a time, and each step is one transaction: what was selected of them waits as
candidates, and a few of these at a time are decided. So a pass that is killed goes on where it was.
Nothing is locked while a model thinks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from memoranda.answers import Tokens
from memoranda.errors import Busy, EmbeddingError
from memoranda.formation import comparing, extraction, prompts, resolution, weighing
from memoranda.formation.asking import Exhausted, Halted
from memoranda.formation.deciding import Deciding
from memoranda.formation.run import Run, Terms
from memoranda.formation.selecting import BEFORE, Selecting, next_turns
from memoranda.passes import INTERRUPTED, RULES, Estimate, Pass, Undone
from memoranda.policy.budget import Prices
from memoranda.protocols import Embedder, LanguageModel, Passes, Store, all_decisions
from memoranda.text import tokens as counting
from memoranda.types import Scope, Scopes, new_id

PURPOSE = "consolidation"

TOKENS_OF_A_CANDIDATE = 60
"""About what a model writes of one, when it selects it and when it decides."""
TOKENS_OF_A_COMPARISON = 250
"""About what it is told of one, with three memories."""


def consolidate(
    store: Store,
    own: Scope,
    language: LanguageModel | None,
    embedder: Embedder | None,
    terms: Terms,
    *,
    clock: Callable[[], datetime],
    by: str,
    embed: Callable[[Store], None],
    seen: Scopes = (),
    preview: bool = False,
    advance: Callable[[int, int], None] = lambda done, left: None,
) -> Pass:
    """Read what waits in a scope and decide what it changes; without a model, by rules.

    One that was interrupted is gone on with. A preview does it all on a copy of the store. `embed`
    gives memories that are new their vectors. `clock` tells the time in the zone of whose memory it
    is. Raises Busy while another pass runs, and StoreError.
    """
    with store.alone(PURPOSE) as alone:
        if not alone:
            raise Busy("another pass of consolidation is running in this home; it will be done")
        if not preview:
            begun = _gone_on_with(store.passes, own, language, clock)
            begun = begun or _begun([store.passes], own, language, clock)
            run = Run(
                begun, store, language, embedder, terms, clock, by, embed, [store.passes], seen
            )
            return _whole(run, advance)
        with store.preview() as copy:
            records = [copy.passes, store.passes]
            begun = _begun(records, own, language, clock, preview=True)
            run = Run(begun, copy, language, embedder, terms, clock, by, embed, records, seen)
            return _whole(run, advance)


def _whole(run: Run, advance: Callable[[int, int], None]) -> Pass:
    """The pass, from what was left over to what nobody has read, and then what failed before.

    It ends whatever the model does; one that the store or a person ends is unfinished.
    """
    stopped, failed = None, False
    deciding = Deciding(run)
    selecting = Selecting(run, deciding, advance)
    try:
        run.embed(run.store)
        deciding.decide_waiting()
        selecting.read_on()
        selecting.try_again()
        deciding.try_again()
        weighing.weigh(run, deciding.cap)
        stopped = run.at_fault()
        failed = stopped is not None
    except Exhausted as error:
        stopped = str(error)
    except (Halted, EmbeddingError) as error:
        stopped, failed = str(error), True
    now = run.clock()
    for each in run.records:
        each.end(run.id, at=now, stopped=stopped, failed=failed)
    return _account(run)


def _account(run: Run) -> Pass:
    """The pass as it is recorded, with all that it decided."""
    done = run.passes.one(run.id, run.own)
    return replace(
        done,
        cost=run.terms.budget.prices.cost(done.tokens),
        decisions=tuple(all_decisions(run.passes, run.targets, of=run.id)),
    )


def undo(store: Store, one: Pass, *, at: datetime, by: str, keep_read: bool) -> Undone:
    """Take back what a pass did; one that was interrupted is over. See `Passes.undo`.

    Raises Busy while a pass runs, too.
    """
    with store.alone(PURPOSE) as alone:
        if not alone:
            raise Busy("a pass of consolidation is running in this home; wait until it is done")
        if one.ended is None:
            store.passes.end(one.id, at=at, stopped=INTERRUPTED, failed=True)
        return store.passes.undo(one.id, at=at, by=by, keep_read=keep_read)


# Beginning ----------------------------------------------------------------------------------------


def _begun(
    records: Sequence[Passes],
    own: Scope,
    language: LanguageModel | None,
    clock: Callable[[], datetime],
    *,
    preview: bool = False,
) -> Pass:
    now = clock()
    model, asked_with = _asked(language)
    made = Pass(new_id(now), own, model, asked_with, now, preview=preview)
    for each in records:
        each.begin(made)
    return made


def _gone_on_with(
    passes: Passes, own: Scope, language: LanguageModel | None, clock: Callable[[], datetime]
) -> Pass | None:
    """The pass that was interrupted, if it asked the same; another is over."""
    left = passes.unfinished(own)
    if left is None or (left.model, left.prompts) == _asked(language):
        return left
    passes.end(left.id, at=clock(), stopped=INTERRUPTED, failed=True)
    return None


def _asked(language: LanguageModel | None) -> tuple[str, str]:
    """Who is asked, and the versions of the words that they are told."""
    return (RULES, RULES) if language is None else (language.name, versions())


def versions() -> str:
    """Of the prompts."""
    words = (prompts.load(name) for name in (extraction.PROMPT, comparing.PROMPT, weighing.PROMPT))
    return " ".join(each.version for each in words)


# Estimating ---------------------------------------------------------------------------------------


def estimate(store: Store, own: Scope, prices: Prices) -> Estimate:
    """About what it would take to read all that waits, and to decide what comes of it."""
    turns = calls = told = answered = 0
    after = None
    while batch := next_turns(store.passes, own, after):
        asked, said = extraction.estimate(batch, store.passes.before(batch[0].turn, own, BEFORE))
        turns += len(batch)
        calls += bool(asked)
        told, answered = told + asked, answered + said
        after = batch[-1].turn
    candidates = answered // TOKENS_OF_A_CANDIDATE
    questions = -(-candidates // resolution.MOST_AT_ONCE)
    always = counting.estimate(prompts.load(comparing.PROMPT).text)
    told += questions * always + candidates * TOKENS_OF_A_COMPARISON
    answered += candidates * TOKENS_OF_A_CANDIDATE
    tokens = Tokens(prompt=told, completion=answered)
    return Estimate(turns, calls + questions, tokens, prices.cost(tokens))
