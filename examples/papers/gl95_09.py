"""GL95 figure 9: rendez-vous between a tennis ball and a racket

The key at which the racket hits stands in the ball's frame: a position behind it, strings facing it, a tangent straight
through it (a). At every instant the swing is the curve through its keys where they are then (b). So whatever the ball
does (c), the racket is there on the dot, strings first (d); then the key is pinned, and the swing follows through. The
film runs at half speed.
"""

import numpy as np

from keypose import Actor, Key, Motion, MotionPath, Orientation, Pose, Stage
from keypose.plot.canvas.views import perspective
from keypose.plot.drawing import Drawing, PaletteColor, Panel
from keypose.plot.film import Film
from keypose.plot.marks.viewport import fit_limits

BOUNCE, BACK, HIT, END = 0.5, 0.62, 0.95, 1.4  # [s]
RADIUS = 0.035  # of the ball [m]
FALL = np.array([0, -9.81, 0])
FLIGHTS = {  # where the ball comes from, bounces, is hit and flies to [m]
    "leave": [(-3.6, 0.7, -0.9), (-1.8, RADIUS, -0.45), (0, 0.95, 0), (-4.0, 1.45, -0.9)],
    "other": [(-3.6, 0.5, -0.4), (-1.5, RADIUS, -0.4), (0.2, 0.5, -0.3), (-3.8, 0.8, -1.0)],
    "arrive": [(-3.6, 1.2, -1.0), (-1.2, RADIUS, -0.4), (-0.2, 1.4, 0.1), (-3.8, 2.2, -0.8)],
}


def ball(positions: list[tuple[float, float, float]]) -> Motion:
    """Free fall is a Hermite segment. All along the ball faces the way the strings are going to push it."""
    times = np.array([0, BOUNCE, HIT, END])
    spans = np.diff(times)[:, None]
    departure_velocity = np.diff(positions, axis=0) / spans - FALL * spans / 2
    arrival_velocity = departure_velocity + FALL * spans
    rows = zip(
        positions, times, [None, *(arrival_velocity * spans)], [*(departure_velocity * spans), None], strict=True
    )
    push = Orientation.facing(departure_velocity[2] - arrival_velocity[1])
    return Motion(
        MotionPath([Key(position, time=time, arrive=a, leave=b, orientation=push) for position, time, a, b in rows])
    )


def racket_orientation(strings: tuple[float, float, float], head: tuple[float, float, float]) -> Orientation:
    """A racket whose strings face one way and whose head points another."""
    return Orientation.facing(strings, up=head)


SWING = MotionPath([
    Key((0.3, 1.05, 0.3), time=0, orientation=racket_orientation((-0.5, 0.2, -1), head=(0.1, 1, -0.4))),
    Key((0.9, 1.3, 0.3), time=BACK, orientation=racket_orientation((-0.3, -0.1, -1), head=(1, 0.7, -0.3)),
        arrive=(0.5, -0.4, 0), leave=(0.27, -0.21, 0)),
    Key((0, 0, -RADIUS), time=HIT, relative_to="ball", name="hit", orientation=Orientation.turned(75, "z"),
        arrive=(0, 0, 3.9), leave=(0, 0, 1.0)),
    Key((-0.75, 1.45, 0.0), time=HIT + 0.18, orientation=racket_orientation((-0.7, 0, 1), head=(-1, 0.8, -0.5))),
    Key((-0.75, 2.0, 0.5), time=END, orientation=racket_orientation((0.2, -0.3, 1), head=(-1, 0.9, 0.3)), tension=0.5),
])  # fmt: skip
STAGES = {
    color: Stage([Actor("ball", ball(flight)), Actor("racket", Motion(SWING))]) for color, flight in FLIGHTS.items()
}
STAGE = STAGES["leave"]
TIMES = np.linspace(0, END, 337)
NEAR = (0.3, 1.2)  # [s] while the ball is near the racket


def swing_at(time: float) -> np.ndarray:
    """The swing from the takeback to the hit as it is now: its key stands where the ball is."""
    now, hit = STAGE.at(min(time, HIT))["ball"], SWING.keys["hit"]
    turn = Orientation.of(now.orientation)
    position = now.position + turn.rotate(hit.position)
    path = SWING.with_key("hit", position=position, arrive=turn.rotate(hit.arrive), relative_to=None)
    return path.at(np.linspace(1, 2, 61))


def join_strokes(*strokes: np.ndarray) -> np.ndarray:
    """Strokes (n, 2) in the plane of the strings as one outline, the pen lifted after each."""
    return np.concatenate([np.append(np.pad(stroke, ((0, 0), (0, 1))), [[np.nan] * 3], axis=0) for stroke in strokes])


ANGLE = np.linspace(0, 2 * np.pi, 61)
ROUND = np.stack([0.13 * np.cos(ANGLE), 0.165 * np.sin(ANGLE)], axis=1)
HANDLE = np.array([(-0.07, -0.14), (-0.012, -0.3), (-0.012, -0.52), (0.012, -0.52), (0.012, -0.3), (0.07, -0.14)])
FRAME = join_strokes(ROUND, HANDLE)
STRINGS = join_strokes(
    *(ROUND[[i, 60 - i]] for i in range(4, 28, 4)), *(ROUND[[i, (90 - i) % 60]] for i in range(18, 43, 4))
)
METRES = [*([(x, 0, -1), (x, 0, 0.2)] for x in range(-4, 2)), *([(-4, 0, z), (1, 0, z)] for z in (-1, -0.4, 0.2))]
VIEW = perspective(np.array([(-3, 0, -0.6), (1.2, 1.8, 1)]), yaw=28, pitch=16, distance=2.2)


def racket(panel: Panel, pose: Pose, color: PaletteColor = "path", width: float = 1.1) -> None:
    panel.outline(STRINGS, pose, color, 0.35 * width, 0.7).outline(FRAME, pose, color, width)


def ball_distance(stage: Stage) -> np.ndarray:
    """How far the strings are from the ball's skin at TIMES."""
    world = stage.at(TIMES)
    return np.linalg.norm(world["racket"].position - world["ball"].position, axis=1) - RADIUS


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(3, 2, width=3.1, height=(4.2, 2.7))
    scene = drawing.panel("a  a ball, a swing, and where they meet", view=VIEW, span=3)
    now = drawing.panel("b  the swing as it is at each instant", view=VIEW)
    others = drawing.panel("c  the same swing, other balls", view=VIEW)
    graph = drawing.panel("d  from the strings to the ball", axes=("time [s]", "[m]"))
    for line in METRES:
        scene.line(line, "faint", 0.6)
    poses = STAGE.at(TIMES)
    scene.line(poses["ball"].position * (1, 0, 1), "faint", 2.4)  # its shadow
    scene.line(poses["ball"].position, "leave").line(poses["racket"].position, "path")
    for color, stage in STAGES.items():
        near = stage.at(np.linspace(*NEAR, 217))["ball"].position
        others.line(near * (1, 0, 1), "faint").line(near, color)
        graph.graph(TIMES, ball_distance(stage), color)
    graph.dots((HIT, 0), "key", 6)
    for panel, low, high in ((scene, (-2.5, -1.15), (2.2, 1.2)), (now, (-0.25, -0.65), (2, 0.55))):
        fit_limits(panel.ax, low, high, margin=4)
    return drawing


def draw() -> Drawing:
    drawing = background()
    scene, now, others, graph = drawing.panels
    flight = STAGE.at(np.arange(0, END, 1 / 24))["ball"].position
    scene.dots(flight, "leave", 6)
    racket(scene, STAGE.at(np.arange(BACK, END - 0.08, 1 / 24))["racket"])
    racket(scene, STAGE.at(HIT)["racket"], "key", 2)
    scene.dots(STAGE.at(HIT)["ball"].position, "key", 8)
    ball_poses = STAGE.at(np.array([0.2, BOUNCE, HIT, 1.2]))
    for position, text in zip(
        ball_poses["ball"].position, ("it comes", "bounces", "is hit", "and is gone"), strict=True
    ):
        scene.label(position, text, "key" if text == "is hit" else "leave")
    for time_to_hit in (BACK - HIT, -0.2, -0.1, 0):
        poses = STAGE.at(HIT + time_to_hit)
        now.line(swing_at(HIT + time_to_hit), "path", dashed=time_to_hit < 0).dots(poses["ball"].position, "leave", 6)
        racket(now, poses["racket"], "path" if time_to_hit else "key")
        now.label(
            poses["ball"].position,
            f"{time_to_hit:.2f} s".replace("-", "−") if time_to_hit else "hit",
            "leave" if time_to_hit else "key",
        )
    for color, stage in STAGES.items():
        racket(others, stage.at(HIT)["racket"], color)
        others.line(stage.at(TIMES[TIMES > BACK])["racket"].position, color, dashed=True)
        others.dots(stage.at(HIT)["ball"].position, color, 5)
    graph.label((HIT, 0), "hit", "key")
    return drawing


def film() -> Film:
    drawing = background()
    scene, now, others, graph = drawing.panels
    moving = Film(drawing, seconds=2 * END)

    def show(panel: Panel, stage: Stage, color: PaletteColor, size: float, first: float = 0, last: float = END) -> None:
        def poses_at(time: float) -> dict[str, Pose]:
            return stage.at(np.clip(time / 2, first, last))

        for outline, width in ((STRINGS, 0.4), (FRAME, 1.4)):
            moving.outline(panel, outline, lambda time: poses_at(time)["racket"], color, width)
        moving.follow(panel, lambda time: poses_at(time)["ball"].position, size)

    show(scene, STAGE, "path", 10)
    moving.line(now, lambda time: swing_at(time / 2))
    show(now, STAGE, "path", 7, last=HIT)
    for color, stage in STAGES.items():
        show(others, stage, color, 7, *NEAR)
        distances = ball_distance(stage)
        moving.follow(
            graph, lambda time, distances=distances: (time / 2, np.interp(time / 2, TIMES, distances)), size=7
        )
    return moving
