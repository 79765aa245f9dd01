"""LG95 figure 9: two articulated arms of different weights meet while going up

The right arm is heavy: it weighs four times as much and answers to its lead more slowly, so it is half as fast. Each
for itself (a) they come to the level key a second and a half apart. If they are to be there at the same time (b), the
left arm goes as slowly as the right one until then, for which it has a bar below the speeds, and takes up its own speed
again. Both are drawn at the same instants.
"""

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Hinge,
    Key,
    Link,
    MotionPath,
    Orientation,
    Reach,
    Script,
    Stage,
    Take,
    shoot,
)
from keypose.plot.drawing import Drawing, PaletteColor
from keypose.plot.film import Film

SECONDS, FPS = 6.2, 100
SHOULDER, ELBOW, WRIST, TIP = (0, 0, 0), (0.1, -0.45, 0), (0.3, -0.82, 0), (0.42, -1.0, 0)
LEVEL_OFFSET, UP_OFFSET = (0.9, 0.1, 0), (0.25, 0.97, 0)  # from the shoulder
POSITIONS = {"light": (0, 0, 0), "heavy": (1.55, 0, 0)}
MASS = {"light": 1.0, "heavy": 4.0}  # of what is usual
REACTION = {"light": 0.1, "heavy": 0.2}  # [s]
COLORS: dict[str, PaletteColor] = {"light": "path", "heavy": "key"}
LINKS = ("", "/upper", "/lower", "/hand")


def bone(name: str, start: tuple[float, ...], end: tuple[float, ...], mass: float, thick: float) -> Link:
    """A capsule from one point to another."""
    offset = np.subtract(end, start)
    lean = np.degrees(np.arctan2(-offset[0], offset[1]))
    shape = Capsule(thick, float(np.linalg.norm(offset)) - 2 * thick)
    return Link(name, Body(shape, mass), np.add(start, offset / 2), Orientation.turned(lean, "z"))


def arm(name: str) -> Figure:
    """An arm that hangs down; what weighs more is thicker."""
    mass, thick = MASS[name], 0.045 * MASS[name] ** (1 / 3)
    return Figure(
        Body(Box(0.2), 5),
        [
            Hinge(bone("upper", SHOULDER, ELBOW, 1.0 * mass, thick), at=SHOULDER, damping=0.3 * mass),
            Hinge(bone("lower", ELBOW, WRIST, 0.7 * mass, 0.9 * thick), "upper", at=ELBOW, damping=0.2 * mass),
            Hinge(bone("hand", WRIST, TIP, 0.3 * mass, thick), "lower", at=WRIST, stiffness=3 * mass, damping=mass / 5),
        ],
        position=POSITIONS[name],
        held=True,
    )


ARMS = {name: arm(name) for name in POSITIONS}
LEVEL_POSITIONS = {name: np.add(position, LEVEL_OFFSET) for name, position in POSITIONS.items()}


def hand_reach(name: str) -> Reach:
    """The hand goes up, past the level key."""
    path = MotionPath(
        [
            ARMS[name].links["hand"].position,
            Key(LEVEL_POSITIONS[name], name="level"),
            np.add(POSITIONS[name], UP_OFFSET),
        ],
        tension=0.2,
    )
    return Reach(f"{name}/hand", path, within=0.16, reaction=REACTION[name])


def arm_stage(met: bool) -> Stage:
    """Both arms, each for itself or as they meet."""
    script = Script()
    if met:
        script.meet({f"{name}/hand": "level" for name in ARMS}, name="level")
    cast = [Actor(name, figure) for name, figure in ARMS.items()]
    return Stage(
        cast, connections=[hand_reach(name) for name in ARMS], gravity=(0, -9.81, 0), script=script if met else None
    )


STAGES = {"a": arm_stage(met=False), "b": arm_stage(met=True)}
SCENE = STAGES["b"]
TAKES = {name: shoot(stage, SECONDS, FPS) for name, stage in STAGES.items()}
TITLES = {"a": "a  each for itself", "b": "b  to meet at the level keys"}


def pass_time(take: Take, name: str) -> float:
    """When the target of a hand passes its level key [s]."""
    distance = np.linalg.norm(take.targets[f"{name}/hand"] - LEVEL_POSITIONS[name], axis=1)
    return float(take.times[np.argmin(distance)])


def speeds(take: Take, name: str) -> np.ndarray:
    """How fast the target of a hand goes, over a tenth of a second [m/s]; none any more where its path ends."""
    aims = take.targets[f"{name}/hand"]
    steps = np.linalg.norm(np.diff(aims, axis=0), axis=1) * FPS
    smoothed = np.convolve(np.append(steps, 0.0), np.full(11, 1 / 11), "same")
    is_at_end = np.linalg.norm(aims - aims[-1], axis=1) < 0.05
    return np.where(is_at_end | (take.times < 0.25), np.nan, smoothed)


SPREAD = TAKES["b"].script.meetings["level"].spread  # [s]


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(2, 2, width=4.1, height=(3.5, 2.2))
    for name, take in TAKES.items():
        panel = drawing.panel(TITLES[name])
        for side, color in COLORS.items():
            panel.line(take[f"{side}/hand"].position, color, 1.0)
            at = np.add(POSITIONS[side], (0.3, -1.2, 0))
            panel.ax.text(*at[:2], side, color=getattr(panel.palette, color), fontsize=8.5, ha="center")
            panel.ax.text(
                LEVEL_POSITIONS[side][0] + 0.1,
                LEVEL_POSITIONS[side][1] - 0.12,
                "level",
                color=panel.palette.quiet,
                fontsize=8.5,
            )
            panel.line(
                LEVEL_POSITIONS[side] + 0.035 * np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (-1, -1, 0)])
            )
    drawing.show((-0.25, -1.3), (2.75, 1.2))
    for take in TAKES.values():
        graph = drawing.panel("speed of their targets", axes=("time [s]", "[m/s]"))
        for side, color in COLORS.items():
            time = pass_time(take, side)
            graph.line([(time, 0), (time, 1.0)], color, 1.0, dashed=True).graph(take.times, speeds(take, side), color)
        graph.ax.set(ylim=(-0.2, 1.1), xlim=(0, SECONDS), yticks=np.arange(0, 1.1, 0.2))
    alone, met = drawing.panels[2:]
    early, late = (pass_time(TAKES["a"], side) for side in COLORS)
    alone.ax.text(late + 0.08, 0.94, f"{late - early:.2f} s apart", fontsize=8.5)
    done, spread_text = pass_time(TAKES["b"], "heavy"), f"{1000 * SPREAD:.0f} ms apart"
    met.ax.text(done + 0.08, 0.94, f"{done:.2f} s, {spread_text}", fontsize=8.5)
    for begin, until in TAKES["b"].script.waits("light/hand"):
        met.ax.plot([begin, until], [-0.1, -0.1], color=met.palette.path, linewidth=4.0, solid_capstyle="butt")
    met.ax.text(done + 0.08, -0.1, "light waits", color=met.palette.path, fontsize=8.5, va="center")
    return drawing


def draw() -> Drawing:
    drawing = background()
    for panel, (name, take) in zip(drawing.panels, TAKES.items(), strict=False):
        shown = np.array([0.0, pass_time(take, "light"), pass_time(TAKES["b"], "light") + 0.9])
        for side, color in COLORS.items():
            panel.bodies(STAGES[name], take.at(shown), color, [f"{side}{link}" for link in LINKS])
    return drawing


def film() -> Film:
    drawing = background()
    moving = Film(drawing, SECONDS, fps=18)
    for panel, graph, (name, take) in zip(drawing.panels, drawing.panels[2:], TAKES.items(), strict=False):
        for side, color in COLORS.items():
            moving.bodies(panel, STAGES[name], take.at, color, [f"{side}{link}" for link in LINKS])
            speed = speeds(take, side)
            moving.follow(graph, lambda t, of=take, y=speed: (t, np.interp(t, of.times, y)), 6, color)
    return moving
