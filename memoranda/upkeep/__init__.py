"""What keeps a home in order."""
