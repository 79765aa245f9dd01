"""LG95 figure 10: the graph of synchronization constraints

Four meetings of five targets: C₄ may only begin when C₂ and C₃ are done, and C₂ when C₁ is. Below, how it was kept:
each target goes from left to right, with a broad band behind it where it goes slower for the sake of a meeting. Where
one is done a line joins all who came; a step is 2 ms. In the film the five go on their ways.
"""

import numpy as np

from keypose import Actor, Body, Follow, Key, MotionPath, Pose, Script, Sphere, Stage, shoot
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.film import Film
from keypose.plot.marks.viewport import fit_limits

SECONDS, FPS = 8.0, 100
BALL = Sphere(0.2)
SPEEDS = {"T₁": 1.0, "T₂": 1.5, "T₃": 1.25, "T₄": 1.6, "T₅": 1.1}  # [m/s]
GOALS = {  # who meets, and how far along its way [m]
    "C₁": {"T₁": 2.0, "T₂": 2.2},
    "C₂": {"T₂": 3.6, "T₃": 4.6},
    "C₃": {"T₄": 3.2, "T₅": 3.0},
    "C₄": {"T₁": 5.6, "T₃": 6.0, "T₅": 4.8},
}
AFTER = {"C₁": (), "C₂": ("C₁",), "C₃": (), "C₄": ("C₂", "C₃")}
COLORS: dict[str, PaletteColor] = {"C₁": "path", "C₂": "leave", "C₃": "other", "C₄": "key"}
PATH_LENGTH = 7.0  # [m] every way
SCRIPT = Script()
for name, goals in GOALS.items():
    SCRIPT.meet(dict.fromkeys(goals, name), after=AFTER[name], name=name)


def path_of(actor: str, z: float) -> MotionPath:
    """Straight on, with a key for each meeting."""
    key_names = {goals[actor]: name for name, goals in GOALS.items() if actor in goals}
    return MotionPath([Key((x, 0.2, z), name=name) for x, name in {0.0: None, **key_names, PATH_LENGTH: None}.items()])


SCENE = Stage(
    [
        Actor(actor, Follow(path_of(actor, 0.8 * row), Body(BALL), within=0.3, speed=speed))
        for row, (actor, speed) in enumerate(SPEEDS.items())
    ],
    script=SCRIPT,
)
TAKE = shoot(SCENE, SECONDS, FPS)
REPORT = TAKE.script
POSITIONS = {"C₁": (0.0, 1.0), "C₂": (2.2, 1.0), "C₃": (2.2, 0.0), "C₄": (4.4, 0.5)}
HALF = np.array((0.72, 0.3))  # of a box
FRAME = HALF * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
TICK = np.array([(-0.62, 0.12), (-0.56, 0.06), (-0.44, 0.2)])
HIDDEN = np.full((1, 2), np.nan)
LANE = 0.52  # [m] from one way to the next
ROWS = {actor: -float(row) for row, actor in enumerate(SPEEDS)}


def box(panel: Panel, name: str, color: PaletteColor, width: float) -> None:
    """A meeting, and who comes to it."""
    middle = np.array(POSITIONS[name])
    panel.line(middle + FRAME, color, width)
    ink = getattr(panel.palette, COLORS[name])
    panel.ax.text(middle[0], middle[1] + 0.09, name, color=ink, fontsize=11, ha="center", va="center")
    panel.ax.text(middle[0], middle[1] - 0.13, ", ".join(GOALS[name]), fontsize=9, ha="center", va="center")


def graph(drawing: Drawing, title: str, waiting: bool = False) -> Panel:
    """Which meeting comes after which; before any is active all of them are pale."""
    panel = drawing.panel(title)
    for name in GOALS:
        box(panel, name, *(("faint", 1.0) if waiting else (COLORS[name], 1.6)))
        for parent in AFTER[name]:
            (x, y), (u, v) = POSITIONS[parent], POSITIONS[name]
            panel.arrow((x + HALF[0], y), (u - HALF[0], v + 0.3 * (y - v)), "ink", 1.2, gap=2)
    drawing.show((-1.0, -0.45), (5.4, 1.45))
    return panel


def chart(drawing: Drawing) -> Panel:
    """Who met whom when, and who went slower for it."""
    panel = drawing.panel(
        "who met whom when; who goes slower for the sake of a meeting has a band", axes=("time [s]", "")
    )
    for actor, y in ROWS.items():
        aims = TAKE.targets[actor][:, 0]
        end = float(TAKE.times[np.argmax(aims > PATH_LENGTH - 1e-6)])
        panel.line([(0, y), (end, y)], "ink", 1.2)
        for begin, until in REPORT.waits(actor):
            panel.ax.plot(
                [begin, until], [y, y], color=panel.palette.faint, linewidth=9, solid_capstyle="butt", zorder=1
            )
    for name, outcome in REPORT.meetings.items():
        joined = [(outcome.done, ROWS[actor]) for actor in outcome.reached]
        panel.line(joined, COLORS[name], 1.8).dots(joined, COLORS[name], 7.5)
        top = max(y for _, y in joined)
        spread_text = f"{1000 * outcome.spread:.0f} ms apart" if outcome.spread else "same step"
        ink = getattr(panel.palette, COLORS[name])
        text = f"{name}: {outcome.done:.2f} s, {spread_text}"
        panel.ax.text(outcome.done + 0.08, top + 0.38, text, color=ink, fontsize=8.5, va="center")
    panel.ax.set(xlim=(0, SECONDS), ylim=(-4.6, 0.8), yticks=list(ROWS.values()), yticklabels=list(ROWS))
    return panel


def lanes(drawing: Drawing) -> Panel:
    """The ways of all five, with a mark of its colour where a meeting is."""
    panel = drawing.panel("each target on its way, its goals marked; its ball after it; grey while it waits")
    for actor, y in ROWS.items():
        panel.line([(0, LANE * y), (PATH_LENGTH, LANE * y)], "faint", 1.0)
        panel.ax.text(-0.6, LANE * y, actor, fontsize=9, ha="right", va="center")
        for name, goals in GOALS.items():
            if actor in goals:
                panel.line([(goals[actor], LANE * y - 0.2), (goals[actor], LANE * y + 0.2)], COLORS[name], 1.8)
    return panel


def draw() -> Drawing:
    drawing = Drawing(1, 2, width=7.6, height=(2.2, 3.0))
    graph(drawing, "which meetings come after which, and whom they join")
    chart(drawing)
    return drawing


def film() -> Film:
    drawing = Drawing(1, 3, width=7.6, height=(2.1, 2.3, 2.8))
    meetings = graph(drawing, "pale: waits for others; coloured: active; ticked: done", waiting=True)
    lane_panel, chart_panel = lanes(drawing), chart(drawing)
    fit_limits(lane_panel.ax, (-0.9, -2.35), (PATH_LENGTH + 0.3, 0.3), margin=0.0)
    moving = Film(drawing, SECONDS, fps=15)
    for name, position in POSITIONS.items():

        def frame(time: float, name: str = name, position: tuple[float, float] = position) -> np.ndarray:
            return FRAME + position if REPORT.state(name, time) != "waiting" else HIDDEN

        def tick(time: float, name: str = name, position: tuple[float, float] = position) -> np.ndarray:
            return TICK + position if REPORT.state(name, time) == "done" else HIDDEN

        moving.line(meetings, frame, COLORS[name], 2.2).line(meetings, tick, COLORS[name], 2.2)
    for actor, y in ROWS.items():
        waits = REPORT.waits(actor)

        def halo(time: float, actor: str = actor, y: float = y, waits: tuple = waits) -> np.ndarray:
            x = TAKE[actor].at(time).position[0]
            is_waiting = any(begin <= time < until for begin, until in waits)
            return np.array([(x - 0.25, LANE * y), (x + 0.25, LANE * y)]) if is_waiting else HIDDEN

        def ball(time: float, actor: str = actor, y: float = y) -> Pose:
            now = TAKE[actor].at(time)
            return Pose((now.position[0], LANE * y, 0), now.orientation)

        def aim(time: float, actor: str = actor, y: float = y) -> tuple[float, float]:
            return TAKE.targets[actor][round(time * FPS)][0], LANE * y

        moving.line(lane_panel, halo, "faint", 22.0).body(lane_panel, BALL, ball, "quiet", 1.3).follow(
            lane_panel, aim, 6, "ink"
        )
    return moving.line(chart_panel, lambda time: [(time, -4.6), (time, 0.8)], "quiet", 1.0)
