"""What plays: a take, or a live run."""
