"""Motions with relative keys: when each key is passed, and where its carrier was then (GL95 section 6)."""
