"""Trackers: keep an offset, a distance, a line or a plane, and avoid (PF89 eqs 6-10)."""
