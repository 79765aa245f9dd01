"""How far followers are from their meeting goals, for the synchronizer."""
