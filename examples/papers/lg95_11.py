"""LG95 figure 11: three spheres pass in pairs under three arches

Red and blue are to pass the first arch together, blue and green the second, red and green the third. Green strolls, as
blue still has a long way to come; red hurries on from the first arch, and goes slower when the second is passed and it
is known how long green will take to the third; bars below the speeds tell who waits when. Targets (dots on the floor)
meet where lines are dashed; their spheres, which follow, are under the arch some tenths of a second later, as they are
drawn above. A step is 2 ms.
"""

from itertools import pairwise

import numpy as np
from matplotlib.path import Path as Outline

from keypose import (
    Actor,
    Body,
    Capsule,
    Figure,
    Follow,
    Key,
    Link,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Script,
    Sphere,
    Stage,
    Still,
    shoot,
)
from keypose.plot.canvas.views import perspective
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.film import Film
from keypose.plot.marks.bodies import silhouette

SECONDS, FPS = 9.5, 100
SPHERE = Sphere(0.3)
THICK, WIDE, HIGH = 0.09, 0.95, 1.05  # [m] of an arch: its bars, half of its opening, up to where it bends
ARCHES = {"first": (-3, 1.0), "second": (0.4, -1.6), "third": (4.0, 0.1)}  # where they stand, x and z [m]
ROUTES = {  # x and z [m], and which arch that is under
    "red": [(-5.6, 2.0, None), (-3, 1.4, "first"), (0.6, 1.9, None), (4, 0.5, "third"), (5.8, 0.9, None)],
    "blue": [(-6.6, -0.4, None), (-3, 0.6, "first"), (0.4, -1.2, "second"), (2.3, -0.2, None)],
    "green": [(-3, -2.6, None), (0.4, -2, "second"), (2.5, -1.6, None), (4, -0.3, "third"), (5.8, -0.7, None)],
}
SPEEDS = {"red": 1.6, "blue": 1.3, "green": 1.6}  # [m/s]
LABEL_OFFSETS = {"red": (-0.85, 0.1), "blue": (0.1, -0.3), "green": (0.1, -0.3)}  # from where it begins, on paper
COLORS: dict[str, PaletteColor] = {"red": "key", "blue": "path", "green": "leave"}


def bar(name: str, start: tuple[float, float], end: tuple[float, float]) -> Link:
    """A bar of an arch, from one point to another, z and y from its middle on the floor."""
    (z, y), (w, v) = start, end
    lean = float(np.degrees(np.arctan2(w - z, v - y)))
    shape = Capsule(THICK, float(np.hypot(w - z, v - y)))
    return Link(name, Body(shape), (0, (y + v) / 2 - HIGH - WIDE, (z + w) / 2), Orientation.turned(lean, "x"))


def arch(x: float, z: float) -> Figure:
    """Two posts, and half a ring of six bars over them."""
    angles = np.linspace(0, np.pi, 7)
    ring = [(WIDE * float(np.cos(angle)), HIGH + WIDE * float(np.sin(angle))) for angle in angles]
    corners = [(WIDE, 0.0), *ring, (-WIDE, 0.0)]
    bars = [bar(f"bar {number}", start, end) for number, (start, end) in enumerate(pairwise(corners))]
    return Figure(Body(Sphere(THICK)), [Pin(link) for link in bars], position=(x, HIGH + WIDE, z), held=True)


SCRIPT = Script()
FIRST = SCRIPT.meet({"red": "first", "blue": "first"}, name="first")
SECOND = SCRIPT.meet({"blue": "second", "green": "second"}, name="second")
SCRIPT.meet({"red": "third", "green": "third"}, name="third", after=[FIRST, SECOND])
SCENE = Stage(
    [
        Actor("floor", Still(Body(Plane()))),
        *(Actor(f"{name} arch", arch(x, z)) for name, (x, z) in ARCHES.items()),
        *(
            Actor(
                name,
                Follow(
                    MotionPath([Key((x, SPHERE.radius, z), name=key) for x, z, key in route]),
                    Body(SPHERE, friction=0.1),
                    within=0.4,
                    speed=SPEEDS[name],
                ),
            )
            for name, route in ROUTES.items()
        ),
    ],
    gravity=(0, -9.81, 0),
    script=SCRIPT,
)
TAKE = shoot(SCENE, SECONDS, FPS)
MET = TAKE.script.meetings
TURN, TILT = -38.0, 28.0  # [degrees] from where we look
VIEW = perspective(np.array([(-6.6, 0, -2.4), (5.8, 2, 2.4)]), yaw=TURN, pitch=TILT)
A, B = np.radians([TURN, TILT])
RIGHT, UP = np.array([(np.cos(A), 0, -np.sin(A)), (-np.sin(A) * np.sin(B), np.cos(B), -np.cos(A) * np.sin(B))])
PALE = "#e9eaee"  # arches
ROUND = np.linspace(0, 2 * np.pi, 241)[:, None]
BARS = [f"{name} arch/bar {number}" for name in ARCHES for number in range(8)]
STAND = {name: TAKE.at(0.0)[name] for name in BARS}
COVERS = [(pose.position, silhouette(SCENE[name].mover.body.shape, pose, VIEW)) for name, pose in STAND.items()]


def arch_times(arch: str) -> dict[str, float]:
    """When the spheres of a pair are in the middle of an arch [s]: some way behind their targets."""
    x = ARCHES[arch][0]
    return {name: float(np.interp(x, TAKE[name].position[:, 0], TAKE.times)) for name in MET[arch].reached}


def speeds(name: str) -> np.ndarray:
    """How fast a target goes, over a tenth of a second [m/s]; none any more where its path ends."""
    aims = TAKE.targets[name]
    steps = np.linalg.norm(np.diff(aims, axis=0), axis=1) * FPS
    is_at_end = np.linalg.norm(aims - aims[-1], axis=1) < 0.1
    smoothed = np.convolve(np.append(steps, 0.0), np.full(11, 1 / 11), "same")
    return np.where(is_at_end | (TAKE.times < 0.2), np.nan, smoothed)


def rim(name: str, time: float) -> np.ndarray:
    """The rim of a sphere, (n, 3), with NaN where a bar that stands in front covers it."""
    centre = TAKE[name].at(time).position
    points = centre + SPHERE.radius * (np.cos(ROUND) * RIGHT + np.sin(ROUND) * UP)
    projected = VIEW.project(points)
    for position, outline in COVERS:
        if VIEW.nearness(position) > VIEW.nearness(centre):
            points[Outline(outline).contains_points(projected)] = np.nan
    return points


def shadow(name: str, time: float) -> np.ndarray:
    """A round spot on the floor below a sphere, (n, 3)."""
    spot = 0.1 * np.concatenate([np.cos(ROUND), 0 * ROUND, np.sin(ROUND)], axis=1)
    return TAKE[name].at(time).position * (1, 0, 1) + spot


def aim(name: str, time: float) -> np.ndarray:
    """Where a target is, on the floor."""
    return TAKE.targets[name][round(time * FPS)] * (1, 0, 1)


def draw_standing(panel: Panel) -> None:
    """What stands still in a picture: the floor, the ways on it, and the arches, each of one piece."""
    for x in range(-8, 9, 2):
        panel.line([(x, 0, -4), (x, 0, 4)], "faint", 0.5)
    for z in range(-4, 5, 2):
        panel.line([(-8, 0, z), (8, 0, z)], "faint", 0.5)
    for name, color in COLORS.items():
        panel.line(TAKE[name].position * (1, 0, 1), color, 1.0)
        x, y = VIEW.project(TAKE[name].position[0] - (0, SPHERE.radius, 0))
        along, up = LABEL_OFFSETS[name]
        panel.ax.text(x + along, y + up, name, color=getattr(panel.palette, color), fontsize=8.5, va="center")
    for edge, color, above in ((1.6, panel.palette.quiet, 0.0), (0.0, PALE, 0.01)):
        for _, outline in COVERS:
            panel.ax.fill(*outline.T, facecolor=PALE, edgecolor=color, linewidth=edge, zorder=2.6 + above)
    for name, (x, z) in ARCHES.items():
        position = VIEW.project(np.array((x, HIGH + WIDE + 0.3, z)))
        panel.ax.text(*position, name, color=panel.palette.quiet, fontsize=8.5, ha="center")


def graph_panel(drawing: Drawing, span: int) -> Panel:
    """The speeds of all targets, and when they meet."""
    graph = drawing.panel(
        "speed of their targets, which meet at the dashed lines; their spheres come later",
        axes=("time [s]", "[m/s]"),
        span=span,
    )
    for name, color in COLORS.items():
        graph.graph(TAKE.times, speeds(name), color)
    for name in ARCHES:
        done, spread = MET[name].done, MET[name].spread
        graph.line([(done, 0), (done, 1.75)], "quiet", 1.0, dashed=True)
        spread_text = f"{1000 * spread:.0f} ms apart" if spread else "same step"
        graph.ax.text(done + 0.06, 1.82, f"{name}: {spread_text}", fontsize=8.5)
    for row, (name, color) in enumerate(COLORS.items()):
        for begin, until in TAKE.script.waits(name):
            bar = {"color": getattr(graph.palette, color), "linewidth": 4.0, "solid_capstyle": "butt"}
            if until - begin > 0.05:  # what is shorter nobody sees
                graph.ax.plot([begin, until], [-0.17 - 0.17 * row] * 2, **bar)
    graph.ax.text(SECONDS + 0.95, -0.34, "who waits", color=graph.palette.quiet, fontsize=8.5, ha="right", va="center")
    graph.ax.set(ylim=(-0.65, 2.05), xlim=(0, SECONDS + 1), yticks=np.arange(0, 2.1, 0.5))
    return graph


def draw() -> Drawing:
    drawing = Drawing(2, 3, width=4.4, height=(2.7, 2.7, 2.4))
    shown_times = {"at first": 0.0}
    for arch in ARCHES:
        early, late = sorted(arch_times(arch).values())
        shown_times[f"under the {arch} arch after {late:.2f} s, spheres {1000 * (late - early):.0f} ms apart"] = late
    for title, time in shown_times.items():
        panel = drawing.panel(title, view=VIEW)
        draw_standing(panel)
        for name, color in COLORS.items():
            panel.line(shadow(name, time), "faint", 4.0).dots(aim(name, time), color, 4.0)
            panel.body(SPHERE, TAKE[name].at(time), color, 0.0).line(rim(name, time), color, 1.6)
    drawing.show((-5.8, -3.6), (5.2, 2.7))
    graph_panel(drawing, span=2)
    return drawing


def film() -> Film:
    drawing = Drawing(1, 2, width=7.4, height=(4.2, 2.3))
    panel = drawing.panel(view=VIEW)
    draw_standing(panel)
    drawing.show((-5.8, -3.6), (5.2, 2.7))
    graph = graph_panel(drawing, span=1)
    moving = Film(drawing, SECONDS, fps=15)
    for name, color in COLORS.items():
        moving.line(panel, lambda time, name=name: shadow(name, time), "faint", 5.0)
        moving.follow(panel, lambda time, name=name: aim(name, time), 5, color)
        moving.body(panel, SPHERE, TAKE[name].at, color, 0.0)
        moving.line(panel, lambda time, name=name: rim(name, time), color, 1.8)
        speed = speeds(name)
        moving.follow(graph, lambda t, y=speed: (t, np.interp(t, TAKE.times, y)), 6, color)
    return moving
