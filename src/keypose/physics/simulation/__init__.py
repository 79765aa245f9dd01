"""The system of all bodies of a stage: one tick, its state, its forces."""
