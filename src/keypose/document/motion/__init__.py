"""Keys, paths, timings and motions in a scene file."""
