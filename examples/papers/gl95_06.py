"""GL95 figure 6: the effect of speed variations

The same path in the same time: with uniform speed the frames are evenly spaced (a); with the speeds of figure 5 (b) the
ball sets off, hesitates halfway, goes on and comes to rest. The areas under both speeds are the length of the path.
"""

from keypose import Key, Motion, MotionPath, SpeedProfile
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

PATH = MotionPath([Key((0, 0)), Key((0.9, 1.9)), Key((2.6, 2.1)), Key((3.4, 0.4)), Key((4.9, 0.2)), Key((5.8, 1.9))])
UNIFORM = Motion(PATH, duration=2.5)
PROFILED = UNIFORM.retimed(SpeedProfile.through({0: 0, 0.2: 8, 0.5: 0.4, 0.8: 6, 1: 0}))
MOTIONS = {"a  uniform speed": UNIFORM, "b  drawn speed": PROFILED}


def draw() -> Drawing:
    drawing = Drawing(2, 2, width=3.9, height=(2.3, 1.5))
    for title, motion in MOTIONS.items():
        drawing.panel(title).path(PATH, "faint").frames(motion).keys(PATH, names=False)
    for motion in MOTIONS.values():
        times = motion.frame_times(fps=100)
        panel = drawing.panel(axes=("time [s]", "speed [m/s]"))
        panel.graph(times, motion.speed(times), "speed").area(times, motion.speed(times))
        panel.ax.set_ylim(-0.4, 8)
    return drawing.align()


def film() -> Film:
    drawing = draw()
    moving = Film(drawing, seconds=UNIFORM.duration)
    for index, motion in enumerate(MOTIONS.values()):
        moving.run(drawing.panels[index], motion)
        moving.follow(drawing.panels[index + 2], lambda time, motion=motion: (time, motion.speed(time)), size=8)
    return moving
