"""Models that the core meets through protocols only."""
