"""Giving texts their vectors, outside of any transaction of those who write.

One process at a time does it; which lets it go when it ends, however it ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from memoranda.errors import EmbeddingError
from memoranda.protocols import Embedder, Store, Unembedded, Vector, numbers_of, vector_of
from memoranda.types import Embedded

BATCH = 64
"""Texts embedded between two writes: what an interruption loses at most."""

PURPOSE = "embedding"
PROBE = "The train to the coast takes about two hours"
"""What any model can embed."""


def embed(
    store: Store,
    embedder: Embedder,
    *,
    most: float = math.inf,
    advance: Callable[[int, int], None] = lambda done, left: None,
) -> Embedded:
    """Embed what waits, the newest first, until nothing does or another process is at it.

    At most about `most` texts; `advance` is told how many were done just now and how many are
    left. Raises EmbeddingError with all done that was, and StoreError.
    """
    done = Embedded()
    # Whoever wrote while another was at it left its texts to that one: so that one looks again
    # after it has let others in.
    stuck = False
    while not stuck and done.count < most and store.unembedded(1):
        with store.alone(PURPOSE) as alone:
            stuck = not alone
            while not stuck and done.count < most and (batch := store.unembedded(BATCH)):
                some = _embed_batch(batch, store, embedder)
                stuck = not some.count  # the model was changed, or the texts just now
                done += some
                advance(some.count, store.vectors().waiting)
    return replace(done, waiting=store.vectors().waiting)


def _embed_batch(batch: Sequence[Unembedded], store: Store, embedder: Embedder) -> Embedded:
    """What became of some texts; nothing when none is wanted any more."""
    readable = [text for text in batch if embedder.reads(text.text)]
    unreadable = [text for text in batch if text not in readable]
    made, refused = _vectors(readable, embedder)
    without = [(text, b"") for text in (*unreadable, *refused)]
    kept = store.keep_vectors(embedder.name, [*without, *made])
    if not kept:
        return Embedded()
    return Embedded(max(0, kept - len(without)), len(unreadable), len(refused))


def _vectors(
    texts: Sequence[Unembedded], embedder: Embedder
) -> tuple[list[tuple[Unembedded, Vector]], list[Unembedded]]:
    """The vectors of texts, and the texts that the model refuses.

    One that it fails at must not hold up the others, and a model that fails at everything must not
    pass for texts that cannot be embedded: so it is tried with a text that any model can embed.
    """
    try:
        return list(zip(texts, _of_all(texts, embedder), strict=True)), []
    except EmbeddingError:
        embedder.embed([PROBE])
    made: list[tuple[Unembedded, Vector]] = []
    refused: list[Unembedded] = []
    for text in texts:
        vector = _of_one(text, embedder) or _of_one(replace(text, before=None), embedder)
        if vector:
            made.append((text, vector))
        else:
            refused.append(text)
    return made, refused


def _of_one(text: Unembedded, embedder: Embedder) -> Vector:
    """The vector of a text, empty when the model fails at it and at nothing else."""
    try:
        return _of_all([text], embedder)[0]
    except EmbeddingError:
        embedder.embed([PROBE])
        return b""


def _of_all(texts: Sequence[Unembedded], embedder: Embedder) -> list[Vector]:
    """A vector for each text; with something said before it, the mean of it alone and after that.

    The product with a mean is the mean of the products, so one vector does the work of two.
    """
    windows = [text for text in texts if text.before is not None]
    wanted = [text.text for text in texts] + [f"{text.before}\n{text.text}" for text in windows]
    vectors = embedder.embed(wanted) if wanted else []
    if len(vectors) != len(wanted) or len({len(vector) for vector in vectors}) > 1:
        raise EmbeddingError(f"{embedder.name} did not give one vector of one length for each text")
    alone, joined = vectors[: len(texts)], iter(vectors[len(texts) :])
    return [
        vector if text.before is None else _mean(vector, next(joined))
        for text, vector in zip(texts, alone, strict=True)
    ]


def _mean(one: Vector, other: Vector) -> Vector:
    pairs = zip(numbers_of(one), numbers_of(other), strict=True)
    return vector_of((a + b) / 2 for a, b in pairs)
