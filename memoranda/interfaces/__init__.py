"""The doors: the command line, and what else speaks to people and programs."""
