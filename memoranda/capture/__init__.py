"""How turns come in: one by one, in bulk, or from files that other programs left."""
