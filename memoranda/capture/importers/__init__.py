"""Files that other programs left, read as turns. A file is read whole before a turn is stored."""
