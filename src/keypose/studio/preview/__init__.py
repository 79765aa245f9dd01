"""The recorded scene that is shown, and queries on it."""
