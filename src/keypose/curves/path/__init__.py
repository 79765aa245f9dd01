"""The curve through the keys, its edits, and distance and orientation along it."""
