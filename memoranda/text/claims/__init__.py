"""What a statement says, and whether another says the same: slots to the letter, words in order."""

from memoranda.text.claims.agreement import (
    MOST_CLAIMED,
    Agreement,
    Author,
    Difference,
    Steps,
    attributed,
    compare,
    decided,
)
from memoranda.text.claims.reading import LONGEST, Date, Sentence, Sort, Token, read, says_more
from memoranda.text.claims.updates import Update, updated

__all__ = [
    "LONGEST",
    "MOST_CLAIMED",
    "Agreement",
    "Author",
    "Date",
    "Difference",
    "Sentence",
    "Sort",
    "Steps",
    "Token",
    "Update",
    "attributed",
    "compare",
    "decided",
    "read",
    "says_more",
    "updated",
]
