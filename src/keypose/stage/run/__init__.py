"""Live runs: the state at each tick, changes while running, rewinding."""
