"""BH89 figure 1: a B-spline curve

A speed profile: ten control values pull at the curve without being on it, and it never leaves their range. Hills are
fast, valleys slow.
"""

from keypose import SpeedProfile
from keypose.plot.drawing import Drawing

PROFILE = SpeedProfile([4, 6, 15, 20, 17, 9, 13, 18, 8, 3])


def draw() -> Drawing:
    drawing = Drawing(width=6.0, height=3.2)
    panel = drawing.panel(axes=("share of the duration", "relative speed")).profile(PROFILE)
    for index, point in enumerate(zip(PROFILE.places, PROFILE.values, strict=True)):
        panel.label(point, f"v$_{index}$")
    return drawing
