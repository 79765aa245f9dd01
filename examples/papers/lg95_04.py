"""LG95 figure 4: filter effect on an articulated object

The tip of an arm of three links is led down a vertical line. Its links hang on it and swing: without a filter (a) they
drag it sideways and below the end of the line. What lasts is estimated, smoothed over 0.05 s and made up for (b): it
stays near the line, however its links swing, and arrives. Black dots are the targets. Below, how far the tip is to the
right of the line.
"""

import numpy as np

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Figure,
    Hinge,
    Link,
    MotionPath,
    Orientation,
    Pin,
    Reach,
    Sphere,
    Stage,
    shoot,
)
from keypose.plot.drawing import Drawing, PaletteColor
from keypose.plot.film import Film

SECONDS, FPS = 2.6, 100
SHOULDER, ELBOW, WRIST, TIP = (0, 0, 0), (0.35, 0.45, 0), (0.9, 0.55, 0), (1.2, 0.35, 0)
END = (1.2, -0.65, 0)


def bone(name: str, start: tuple[float, ...], end: tuple[float, ...]) -> Link:
    """A capsule from one point to another."""
    start_position, offset = np.array(start), np.subtract(end, start)
    long = float(np.linalg.norm(offset))
    lean = np.degrees(np.arctan2(-offset[0], offset[1]))
    return Link(name, Body(Capsule(0.04, long - 0.08), 1.0), start_position + offset / 2, Orientation.turned(lean, "z"))


ARM = Figure(
    Body(Box(0.14)),
    [
        Hinge(bone("upper", SHOULDER, ELBOW), at=SHOULDER, damping=0.1),
        Hinge(bone("lower", ELBOW, WRIST), "upper", at=ELBOW, damping=0.1),
        Hinge(bone("hand", WRIST, TIP), "lower", at=WRIST, damping=0.1),
        Pin(Link("tip", Body(Sphere(0.05), 0.2), TIP), "hand"),
    ],
    held=True,
)


def arm_stage(correction: float | None) -> Stage:
    """The arm, its tip led down the line."""
    down = Reach("arm/tip", MotionPath([TIP, END]), within=0.1, correction=correction)
    return Stage([Actor("arm", ARM)], connections=[down], gravity=(0, -9.81, 0))


STAGES = {"a": arm_stage(None), "b": arm_stage(0.05)}
SCENE = STAGES["b"]
TAKES = {name: shoot(stage, SECONDS, FPS) for name, stage in STAGES.items()}
COLORS: dict[str, PaletteColor] = {"a": "key", "b": "path"}
TITLES = {"a": "a  without a filter", "b": "b  with a filter of 0.05 s"}
SHOWN = np.array([0.0, 0.5, 1.0, 2.6])  # [s]


def lateral_offset(name: str) -> np.ndarray:
    """How far the tip is to the right of its line at each frame [m]."""
    return TAKES[name]["arm/tip"].position[:, 0] - TIP[0]


def final_error(name: str) -> float:
    """How far the tip is from the end of its line at last [m]."""
    return float(np.linalg.norm(TAKES[name]["arm/tip"].position[-1] - END))


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(2, 2, width=4.0, height=(3.6, 2.0))
    for name, title in TITLES.items():
        panel = drawing.panel(title)
        panel.line([TIP[:2], END[:2]], "quiet", 1.0, dashed=True)
        panel.line(TAKES[name]["arm/tip"].position, COLORS[name], 1.8)
    drawing.show((-0.2, -0.95), (1.6, 0.75))
    graph = drawing.panel("from the line to the tip, to the right", axes=("time [s]", "[mm]"), span=2)
    for name, color in COLORS.items():
        graph.graph(TAKES[name].times, 1000 * lateral_offset(name), color)
        at, rms = np.abs(lateral_offset(name)).argmax(), np.sqrt(np.mean(lateral_offset(name) ** 2))
        text = f"{name}: {1000 * rms:.0f} mm rms, {1000 * abs(lateral_offset(name)[at]):.0f} mm at most"
        text += f", stops {1000 * final_error(name):.0f} mm from the end"
        text_position = TAKES[name].times[at] + 0.2, 1000 * lateral_offset(name)[at]  # to the right of the peak
        graph.ax.text(*text_position, text, color=getattr(graph.palette, color), fontsize=8.5, va="center")
    graph.ax.set_ylim(-130, 45)
    return drawing


def draw() -> Drawing:
    drawing = background()
    for panel, name in zip(drawing.panels, STAGES, strict=False):
        panel.bodies(STAGES[name], TAKES[name].at(SHOWN), COLORS[name])
        panel.dots(TAKES[name].targets["arm/tip"][np.rint(SHOWN * FPS).astype(int)], "ink", 4.5)
    return drawing


def film() -> Film:
    drawing = background()
    graph = drawing.panels[-1]
    moving = Film(drawing, SECONDS)
    for panel, name in zip(drawing.panels, STAGES, strict=False):
        moving.bodies(panel, STAGES[name], TAKES[name].at, COLORS[name])
        aims = TAKES[name].targets["arm/tip"]
        moving.follow(panel, lambda time, aims=aims: aims[round(time * FPS)], 6, "ink")
        offsets, times = 1000 * lateral_offset(name), TAKES[name].times
        moving.follow(graph, lambda t, x=times, y=offsets: (t, np.interp(t, x, y)), 7, COLORS[name])
    return moving
