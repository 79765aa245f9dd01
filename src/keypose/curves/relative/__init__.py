"""Paths with keys in moving frames: positions, orientations and lengths wherever the frames are."""
