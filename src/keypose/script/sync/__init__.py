"""Synchronization (LG95 section 5): the fraction of its nominal speed at which each participant goes."""
