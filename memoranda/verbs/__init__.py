"""The verbs of an open home, by what they are for; `memoranda.Memoranda` has them all."""
