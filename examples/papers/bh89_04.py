"""BH89 figure 4: a low speed in the central portion of the trajectory

The profile sinks in the middle of the duration: there the frames crowd, and the ball lingers halfway.
"""

from keypose import Key, Motion, MotionPath, SpeedProfile
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

PATH = MotionPath([Key((0, 0)), Key((1.5, 2.1)), Key((3.2, 0.4)), Key((5.0, 2.4)), Key((6.6, 0.3))])
PROFILE = SpeedProfile([25, 25, 14, 1, 1, 14, 25, 25])
MOTION = Motion(PATH, PROFILE, duration=2.5)


def draw() -> Drawing:
    drawing = Drawing(1, 3, width=5.6, height=(2.3, 0.8, 1.7))
    drawing.panel().path(PATH, "faint").frames(MOTION).keys(PATH, names=False)
    drawing.panel("time bar: a stripe per frame, by distance; keys below").time_bar(MOTION)
    drawing.panel("speed profile", axes=("share of the duration", "relative speed")).profile(PROFILE)
    return drawing


def film() -> Film:
    drawing = draw()
    trajectory, bar, profile = drawing.panels
    moving = Film(drawing, seconds=MOTION.duration).run(trajectory, MOTION)
    moving.follow(bar, lambda time: (MOTION.distance(time) / PATH.length, 0.5), size=8)
    moving.follow(profile, lambda time: (time / MOTION.duration, PROFILE.at(time / MOTION.duration)), size=8)
    return moving
