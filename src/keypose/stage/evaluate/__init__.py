"""Poses of keyed actors at any instants, in batches."""
