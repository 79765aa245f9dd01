"""Followed paths with keys in moving frames (LG95 section 4)."""
