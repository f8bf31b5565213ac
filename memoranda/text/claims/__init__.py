"""What a statement says, and whether another says the same: slots to the letter, words in order."""

from memoranda.text.claims.agreement import (
    Agreement,
    Author,
    Difference,
    attributed,
    compare,
    decided,
)
from memoranda.text.claims.reading import Date, Sentence, Sort, Token, read

__all__ = [
    "Agreement",
    "Author",
    "Date",
    "Difference",
    "Sentence",
    "Sort",
    "Token",
    "attributed",
    "compare",
    "decided",
    "read",
]
