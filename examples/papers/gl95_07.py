"""GL95 figure 7: a hierarchy of motions

A throw. Each joint of the arm only turns on its parent (below): the shoulder leads, then elbow, wrist and knuckle
unbend one after the other. Composed from the shoulder up they crack like a whip (a, from pale to strong); nobody drew
the way of the fingertip (b).
"""

import numpy as np

from keypose import Actor, Key, Motion, MotionPath, Orientation, Stage, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

SECONDS = 2.0
JOINTS = {  # where each sits on the one before [m], its turns [°] by time [s], its colour
    "shoulder": (0.00, {0: -80, 0.35: -165, 0.65: -225, 0.95: -320, 1.3: -405, 2: -440}, "ink"),
    "elbow": (0.34, {0: 12, 0.35: 30, 0.7: 110, 1.0: 18, 1.3: 5, 2: 12}, "leave"),
    "wrist": (0.28, {0: 5, 0.35: -25, 0.75: 50, 1.05: -5, 1.3: -45, 2: 5}, "arrive"),
    "knuckle": (0.11, {0: 8, 0.35: 5, 0.8: 35, 1.1: -20, 1.35: -40, 2: 8}, "path"),
    "fingertip": (0.10, {0: 0, 2: 0}, "key"),
}


def joint(position: float, angles: dict[float, float]) -> Motion:
    """The first key says where it sits; all of them say how it is turned."""
    first, *others = (Key(time=time, orientation=Orientation.turned(angle, "z")) for time, angle in angles.items())
    return Motion(MotionPath([first.changed(position=(position, 0, 0)), *others], ends="still"))


PARENTS = dict(zip(JOINTS, [None, *JOINTS], strict=False))
ARM = Stage([Actor(name, joint(*key_options), parent=PARENTS[name]) for name, (*key_options, _) in JOINTS.items()])
TIMES = np.linspace(0, SECONDS, 401)


def turn_angles(name: str) -> np.ndarray:
    """Degrees about z at TIMES, counted on over half a turn."""
    w, _, _, z = ARM[name].motion.at(TIMES).orientation.T
    return np.degrees(np.unwrap(2 * np.arctan2(z, w)))


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(4, 2, width=2.3, height=(3.8, 1.6))
    poses, take = ARM.at(TIMES), shoot(ARM, SECONDS)
    drawing.panel("a  the poses of the arm", span=2).line(poses["fingertip"].position, "faint", 1.4)
    joint_paths = drawing.panel("b  the ways of its joints", span=2)
    for name, (_, angles, color) in JOINTS.items():
        joint_paths.line(poses[name].position, color, 1.2).dots(take[name].position, color, 3)
        if name != "fingertip":
            diagram = drawing.panel(name, axes=("time [s]", "" if PARENTS[name] else "turn [°]"))
            diagram.graph(TIMES, turn_angles(name), color).dots(list(angles.items()), color, 5)
            diagram.ax.margins(y=0.15)
    return drawing.show((-0.85, -0.92), (0.85, 0.8))


def draw() -> Drawing:
    drawing = background()
    drawing.panels[0].bones(ARM, ARM.at(np.arange(0, 1.3, 1 / 8)))
    poses_at_release = ARM.at(0.9)
    drawing.panels[1].bones(ARM, poses_at_release, "faint")
    for name, (*_, color) in JOINTS.items():
        position = poses_at_release[name].position
        drawing.panels[1].dots(position, color, 7).label(position, name, color)
    return drawing


def film() -> Film:
    drawing = background()
    poses, joint_panel, *diagrams = drawing.panels
    moving = Film(drawing, SECONDS).bones(joint_panel, ARM, ARM.at, "faint")
    for frames_ago in (3, 2, 1, 0):  # the last poses, as on an animator's onion skin
        moving.bones(
            poses,
            ARM,
            lambda time, frames_ago=frames_ago: ARM.at(time - frames_ago / 12),
            strength=1 - 0.27 * frames_ago,
        )
    moving.follow(joint_panel, lambda time: [pose.position for pose in ARM.at(time).values()], size=8)
    for name, diagram in zip(JOINTS, diagrams, strict=False):
        angles = turn_angles(name)
        moving.follow(diagram, lambda time, angles=angles: (time, np.interp(time, TIMES, angles)), size=8)
    return moving
