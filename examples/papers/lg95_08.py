"""LG95 figure 8: target speed variations due to synchronization

Three balls are to be at the dashed line together. The way of the third is longer, so the others go a little slower
from the beginning; then the second is held up by an obstacle, and both others wait for it, each as much as it must.
As soon as they have met all three go at their own speed again. Bars below the speeds tell who waits when. Coloured
dots are half a second apart, black ones are the targets when they meet, a little ahead of their balls.
"""

import numpy as np

from keypose import Actor, Body, Follow, Key, MotionPath, Script, Sphere, Stage, Still, Take, shoot
from keypose.plot.drawing import Drawing, PaletteColor
from keypose.plot.film import Film

SECONDS, FPS = 7.5, 100
SPEED, LINE, END = 1.2, 4.5, 7.0  # [m/s], and [m] to the right
BALL, POST = Sphere(0.15), Sphere(0.22)
AT = (2.2, 0.8, 0)  # where the obstacle is
COLORS: dict[str, PaletteColor] = {"one": "path", "two": "key", "three": "leave"}
STARTS = {"one": 1.65, "two": 0.9, "three": 0.0}
CORNERS = [(1.2, -0.5, 0), (2.4, 0.1, 0), (3.5, -0.45, 0)]
PATHS = {
    name: MotionPath(
        [
            Key((0, y, 0)),
            *(Key(corner) for corner in CORNERS if name == "three"),
            Key((LINE, y, 0), name="line"),
            Key((END, y, 0)),
        ]
    )
    for name, y in STARTS.items()
}
BARS = {"one": -0.13, "two": -0.26, "three": -0.39}  # where it stands who waits, below the speeds
RUBBER = {"bounce": 0.6, "friction": 0.2}
SCRIPT = Script()
SCRIPT.meet(dict.fromkeys(PATHS, "line"), name="line")


def meeting_stage(met: bool = True) -> Stage:
    """The three, who meet, or each for itself."""
    balls = [Actor(name, Follow(path, Body(BALL, **RUBBER), within=0.3, speed=SPEED)) for name, path in PATHS.items()]
    post = Actor("post", Still(Body(POST, **RUBBER), AT))
    return Stage([*balls, post], script=SCRIPT if met else None)


SCENE = meeting_stage()
TAKE, ALONE = shoot(SCENE, SECONDS, FPS), shoot(meeting_stage(met=False), SECONDS, FPS)


def crossing_times(take: Take) -> dict[str, float]:
    """When each target comes to the line [s], to a part of a frame."""
    return {name: float(np.interp(LINE, take.targets[name][:, 0], take.times)) for name in PATHS}


def speeds(name: str, take: Take = TAKE) -> np.ndarray:
    """How fast a target goes, over a tenth of a second [m/s]; none while it jumps ahead of its ball, or at its end."""
    aims = take.targets[name]
    steps = np.linalg.norm(np.diff(aims, axis=0), axis=1) * FPS
    smoothed = np.convolve(np.append(steps, 0.0), np.full(11, 1 / 11), "same")
    is_at_end = np.linalg.norm(aims - aims[-1], axis=1) < 0.1
    return np.where(is_at_end | (take.times < 0.25), np.nan, smoothed)


DONE, SPREAD = TAKE.script.meetings["line"].done, TAKE.script.meetings["line"].spread  # [s]


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(1, 2, width=8.0, height=(3.0, 2.7))
    scene = drawing.panel(
        "three balls, each after its target, and an obstacle: all targets are to be at the line together"
    )
    scene.line([(LINE, -0.75), (LINE, 2.0)], "quiet", 1.0, dashed=True)
    for name, path in PATHS.items():
        scene.path(path, "faint", 1.0).line(TAKE[name].position, COLORS[name], 1.3)
        own = getattr(scene.palette, COLORS[name])
        scene.ax.text(0.2, STARTS[name] + 0.2, name, color=own, fontsize=8.5, va="center")
    scene.body(POST, TAKE.at(0.0)["post"], "ink", 1.0)
    graph = drawing.panel("speed of their targets", axes=("time [s]", "[m/s]"))
    graph.graph([0, SECONDS], [SPEED] * 2, "faint")
    graph.line([(DONE, 0), (DONE, 1.6)], "quiet", 1.0, dashed=True)
    for name, color in COLORS.items():
        graph.graph(TAKE.times, speeds(name), color)
    graph.ax.lines[-3].set_linewidth(3.0)  # one is as fast as two at first, and to be seen below it
    for name, row in BARS.items():
        for begin, until in TAKE.script.waits(name):
            bar = {"color": getattr(graph.palette, COLORS[name]), "linewidth": 4.0, "solid_capstyle": "butt"}
            graph.ax.plot([begin, until], [row, row], **bar)
    graph.ax.text(DONE + 0.08, BARS["two"], "who waits", color=graph.palette.quiet, fontsize=8.5, va="center")
    graph.ax.text(DONE + 0.08, 1.47, f"met after {DONE:.2f} s, {1000 * SPREAD:.0f} ms apart", fontsize=8.5)
    for row, (name, time) in enumerate(crossing_times(ALONE).items()):
        own = getattr(graph.palette, COLORS[name])
        graph.ax.text(DONE + 0.08, 0.44 - 0.17 * row, f"{name} alone: {time:.2f} s", color=own, fontsize=8.5)
    for name, time in (("one", 2.35), ("two", 3.35), ("three", 1.4)):
        graph.label((time, float(np.interp(time, TAKE.times, speeds(name)))), name, COLORS[name])
    graph.ax.text(SECONDS - 0.05, SPEED + 0.05, "their own speed", color=graph.palette.quiet, fontsize=8.5, ha="right")
    graph.ax.set(ylim=(-0.5, 1.65), xlim=(0, SECONDS), yticks=np.arange(0, 1.6, 0.5))
    drawing.show((-0.3, -0.8), (7.45, 2.05))
    return drawing


def draw() -> Drawing:
    drawing = background()
    scene, _ = drawing.panels
    met = TAKE.at(DONE)
    for name, color in COLORS.items():
        positions = TAKE[name].position[:: FPS // 2]
        scene.dots(positions[np.append(True, np.linalg.norm(np.diff(positions, axis=0), axis=1) > 0.02)], color, 4.2)
        scene.body(BALL, met[name], color, 1.4)
        aim = TAKE.targets[name][round(DONE * FPS)]
        scene.dots(aim, "ink", 4.5)
    scene.label(TAKE.targets["one"][round(DONE * FPS)] + (0.05, 0, 0), "targets", "ink")
    return drawing


def film() -> Film:
    drawing = background()
    scene, graph = drawing.panels
    moving = Film(drawing, SECONDS, fps=18)
    for name, color in COLORS.items():
        moving.body(scene, BALL, TAKE[name].at, color, 1.6)
        moving.follow(scene, lambda time, name=name: TAKE.targets[name][round(time * FPS)], 6, color)
        speed = speeds(name)
        moving.follow(graph, lambda t, y=speed: (t, np.interp(t, TAKE.times, y)), 6, color)
    return moving
