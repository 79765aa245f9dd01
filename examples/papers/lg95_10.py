"""LG95 figure 10: the graph of synchronization constraints

Four meetings of five targets: C₄ may only begin when C₂ and C₃ are done, and C₂ when C₁ is. Below, how it was kept:
each target goes from left to right, with a broad band behind it where it goes slower for the sake of a meeting. Where
one is done a line joins all who came.
"""

import numpy as np

from keypose import Actor, Body, Follow, Key, MotionPath, Script, Sphere, Stage, shoot
from keypose.plot.drawing import Colour, Drawing, Panel

SECONDS, FPS = 8.0, 100
SPEEDS = {"T₁": 1.0, "T₂": 1.5, "T₃": 1.25, "T₄": 1.6, "T₅": 1.1}  # [m/s]
GOALS = {  # who meets, and how far along its way [m]
    "C₁": {"T₁": 2.0, "T₂": 2.2},
    "C₂": {"T₂": 3.6, "T₃": 4.6},
    "C₃": {"T₄": 3.2, "T₅": 3.0},
    "C₄": {"T₁": 5.6, "T₃": 6.0, "T₅": 4.8},
}
AFTER = {"C₁": (), "C₂": ("C₁",), "C₃": (), "C₄": ("C₂", "C₃")}
COLORS: dict[str, Colour] = {"C₁": "path", "C₂": "leave", "C₃": "other", "C₄": "key"}
LONG = 7.0  # [m] every way
SCRIPT = Script()
for name, goals in GOALS.items():
    SCRIPT.meet(dict.fromkeys(goals, name), after=AFTER[name], name=name)


def way(actor: str, z: float) -> MotionPath:
    """Straight on, with a key for each meeting."""
    places = {goals[actor]: name for name, goals in GOALS.items() if actor in goals}
    return MotionPath([Key((x, 0.2, z), name=name) for x, name in {0.0: None, **places, LONG: None}.items()])


SCENE = Stage(
    [
        Actor(actor, Follow(way(actor, 0.8 * row), Body(Sphere(0.2)), within=0.3, speed=speed))
        for row, (actor, speed) in enumerate(SPEEDS.items())
    ],
    script=SCRIPT,
)
TAKE = shoot(SCENE, SECONDS, FPS)
KEPT = TAKE.script
PLACES = {"C₁": (0.0, 1.0), "C₂": (2.2, 1.0), "C₃": (2.2, 0.0), "C₄": (4.4, 0.5)}
HALF = np.array((0.72, 0.3))  # of a box


def box(panel: Panel, name: str) -> None:
    """A meeting, and who comes to it."""
    middle, color = np.array(PLACES[name]), COLORS[name]
    corners = HALF * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])
    panel.line(middle + corners, color, 1.6)
    ink = getattr(panel.look, color)
    panel.ax.text(middle[0], middle[1] + 0.09, name, color=ink, fontsize=11, ha="center", va="center")
    panel.ax.text(middle[0], middle[1] - 0.13, ", ".join(GOALS[name]), fontsize=9, ha="center", va="center")


def graph(drawing: Drawing) -> None:
    """Which meeting comes after which."""
    panel = drawing.panel("which meetings come after which, and whom they join")
    for name in GOALS:
        box(panel, name)
        for parent in AFTER[name]:
            (x, y), (u, v) = PLACES[parent], PLACES[name]
            panel.arrow((x + HALF[0], y), (u - HALF[0], v + 0.3 * (y - v)), "ink", 1.2, gap=2)
    drawing.show((-1.0, -0.45), (5.4, 1.45))


def draw() -> Drawing:
    drawing = Drawing(1, 2, width=7.6, height=(2.2, 3.0))
    graph(drawing)
    chart = drawing.panel(
        "who met whom when; who goes slower for the sake of a meeting has a band", axes=("time [s]", "")
    )
    rows = {actor: -float(row) for row, actor in enumerate(SPEEDS)}
    for actor, y in rows.items():
        aims = TAKE.targets[actor][:, 0]
        end = float(TAKE.times[np.argmax(aims > LONG - 1e-6)])
        chart.line([(0, y), (end, y)], "ink", 1.2)
        for begin, until in KEPT.waited(actor):
            chart.ax.plot([begin, until], [y, y], color=chart.look.faint, linewidth=9, solid_capstyle="butt", zorder=1)
    for name, outcome in KEPT.meetings.items():
        joined = [(outcome.done, rows[actor]) for actor in outcome.reached]
        chart.line(joined, COLORS[name], 1.8).dots(joined, COLORS[name], 7.5)
        top = max(y for _, y in joined)
        text = f"{name}: {outcome.done:.2f} s, {1000 * outcome.spread:.0f} ms apart"
        ink = getattr(chart.look, COLORS[name])
        chart.ax.text(outcome.done + 0.08, top + 0.38, text, color=ink, fontsize=8.5, va="center")
    chart.ax.set(xlim=(0, SECONDS), ylim=(-4.6, 0.8), yticks=list(rows.values()), yticklabels=list(rows))
    return drawing
