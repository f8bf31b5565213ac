"""Finding: rankings from a store, fused, checked once more and cut to a budget."""
