"""WHEN: how a path is travelled, apart from its shape.

Speed is drawn as a profile (`speed_profile`) or given as moments at the keys (`key_times`); `frames` counts frames.
"""
