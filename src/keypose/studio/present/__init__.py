"""From a stage to the updates that show it."""
