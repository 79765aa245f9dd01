"""WHERE: the shape of a motion, apart from its speed.

Keys are what the animator says (`key`, `effects`, `orientation`); from their chords and tension, continuity and bias
come tangents (`tangents`); from tangents a curve of cubic segments through the keys (`motion_path`) and of turns
through the facings (`orientation_path`); along it lies a `ruler`, off which distance is read (`arc_length`, `way`).
What moving a key does is told in `editing`.
"""

from keypose.curves import effects as effects
