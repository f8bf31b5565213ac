"""Turning what was said into memories."""
