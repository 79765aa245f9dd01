"""Fields, trackers and dynamic splines in a scene file."""
