"""Where memories are kept. The core meets these through `protocols.Store` only."""
