"""The synchronization rules in numpy, as in the paper."""
