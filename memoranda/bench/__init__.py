"""The published figures, made reproducible: quality on LoCoMo, and what things cost."""
