"""Dynamic splines and their integrators (PF89 eqs 1-5)."""
