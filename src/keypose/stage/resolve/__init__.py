"""From names to systems, when a stage is built."""
