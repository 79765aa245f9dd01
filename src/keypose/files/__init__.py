"""SAVED: what is written to disk whole or not at all, and read back; a disk that says no is told in a sentence."""
