"""LG95 figure 1: an actuated object guided along a path

A ball is pulled to a target (orange) that runs ahead on the path and keeps the distance d_base (arrows); so the ball
cuts the bends a little, and where the path is straight it is on it. There its speed is α·d_base/(β·Δt), the paper's
formula divided by β.
"""

import numpy as np

from keypose import Actor, Body, Follow, Key, MotionPath, Sphere, Stage, shoot
from keypose.plot.drawing import Drawing
from keypose.plot.film import Film

SECONDS = 4.0
BALL = Sphere(0.13)
PATH = MotionPath([(0, 0), (1, 1.1), (2.3, 0.1), (3.2, 0.9), Key((3.8, 1), tension=1), (6.2, 1)])
FOLLOW = Follow(PATH, Body(BALL), within=0.4, eagerness=0.4, damping=0.8)
SCENE = STAGE = Stage([Actor("ball", FOLLOW)])
TAKE = shoot(STAGE, SECONDS, fps=100)
SHOWN = np.array([0.25, 0.9, 1.55, 2.2, 2.85, 3.4])  # [s]
STRAIGHT = (2.9, 3.3)  # [s]
AIMS = TAKE.targets["ball"]


def speeds() -> np.ndarray:
    """Metres a second between frames."""
    return np.linalg.norm(np.diff(TAKE["ball"].position, axis=0), axis=1) * TAKE.fps


def settled_speed() -> float:
    """Its speed on the straight piece."""
    first, last = TAKE["ball"].position[[round(time * TAKE.fps) for time in STRAIGHT]]
    return float(np.linalg.norm(last - first)) / (STRAIGHT[1] - STRAIGHT[0])


def deviations() -> np.ndarray:
    """How far the ball is from the path at each frame [m]."""
    path_points = PATH.at(np.linspace(0, PATH.segments, 20001))
    return np.array([np.linalg.norm(path_points - position[:2], axis=1).min() for position in TAKE["ball"].position])


def deviation_text() -> str:
    """How precise that is."""
    first, last = (round(time * TAKE.fps) for time in STRAIGHT)
    largest, straight = 1000 * deviations().max(), 1000 * deviations()[first:last].max()
    return f"at most {largest:.0f} mm off the path, {straight:.1f} mm where that is straight"


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(1, 2, width=8.0, height=(2.6, 1.9))
    scene = drawing.panel("a ball races its target: d_base = 0.4 m, α = 0.4, β = 0.8, Δt = 0.1 s")
    scene.path(PATH, "quiet", 1.2).line(TAKE["ball"].position, "path", 1.4).label(
        PATH.at(0.5), "the given path", "quiet"
    )
    scene.ax.text(3.3, 0.05, deviation_text(), color=scene.palette.path, fontsize=8.5, va="center")
    graph = drawing.panel("speed of the ball", axes=("time [s]", "[m/s]"))
    graph.graph([0, SECONDS], [FOLLOW.pace] * 2, "key", dashed=True).graph(TAKE.times[1:], speeds(), "path")
    graph.label(
        (STRAIGHT[1], settled_speed()),
        f"measured {settled_speed():.4f} m/s, α·d_base/(β·Δt) = {FOLLOW.pace:.4f} m/s",
        "key",
    )
    graph.ax.set_ylim(-0.15, 2.6)
    drawing.show((-0.3, -0.3), (6.5, 1.35))
    return drawing


def draw() -> Drawing:
    drawing = background()
    scene = drawing.panels[0]
    for number, frame in enumerate(np.rint(SHOWN * TAKE.fps).astype(int)):
        ball, aim = TAKE["ball"].position[frame], AIMS[frame]
        scene.body(BALL, TAKE.at(TAKE.times[frame])["ball"], "path", strength=0.9)
        scene.arrow(ball, aim, "key", gap=3).dots(aim, "key", 6)
        if number == 3:
            scene.label(aim, "target", "key").label((ball + aim) / 2, "d_base", "key").label(ball, "ball", "path")
    return drawing


def film() -> Film:
    drawing = background()
    scene, graph = drawing.panels
    for x, text, color in (
        (3.3, "○ ball", scene.palette.path),
        (4.0, "● target, d_base ahead of it", scene.palette.key),
    ):
        scene.ax.text(x, 0.3, text, color=color, fontsize=8.5, va="center")
    moving = Film(drawing, SECONDS)

    def aim(time: float) -> np.ndarray:
        return AIMS[round(time * TAKE.fps)]

    moving.line(scene, lambda time: [TAKE["ball"].at(time).position, aim(time)], "key", 1.2)
    moving.body(scene, BALL, lambda time: TAKE["ball"].at(time), width=1.6).follow(scene, aim, size=8)
    return moving.follow(graph, lambda time: (time, np.interp(time, TAKE.times[1:], speeds())), 7, "path")
