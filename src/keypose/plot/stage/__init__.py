"""The sheet of a stage: trails, graphs and timeline of its actors."""
