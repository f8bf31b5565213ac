"""Files that people read, and may edit."""
