"""LG95 figure 3: deviation from the user-defined path due to a collision

The trajectory is a level line through an obstacle. Against one that cannot move a light and a heavy ball go the same
way (a): the pull grows with the mass as the blow does. There a blow has a speed, but no peak force: that would only
tell how short the simulation's contact is. Against one on a spring the light ball (1) is thrown aside, and
the heavy one (2) shoves it away (b). A soft ball (3) gives way and slides round it, where the hard one bounces (c). All
come back to the line.
"""

import numpy as np

from keypose import (
    Actor,
    Body,
    CollisionEvent,
    Follow,
    Free,
    MotionPath,
    Pose,
    Sphere,
    Spring,
    Stage,
    Still,
    Take,
    shoot,
)
from keypose.plot.drawing import Drawing, PaletteColor
from keypose.plot.film import Film

SECONDS, FPS = 2.6, 200
LINE = MotionPath([(-1.5, 0, 0), (0, 0, 0), (1.9, 0, 0)])
AT = (0, -0.2, 0)  # where the obstacle is
BALL, POST = Sphere(0.12), Sphere(0.3)
STIFF = 400.0  # [N/m] the spring of the obstacle
LIGHT, HEAVY = 0.5, 8.0  # [kg]
SOFT = 2000.0  # [Pa] Young's modulus
MOUNT = Spring("post", stiffness=STIFF, damping=12)
OBSTACLE = Body(POST, mass=2, friction=0.2)


def obstacle_stage(mass: float, sprung: bool = False, stiffness: float | None = None) -> Stage:
    """A ball that follows the line into the obstacle."""
    bounce = 0.8 if stiffness is None else 0.0
    ball = Follow(LINE, Body(BALL, mass, bounce=bounce, friction=0.2, stiffness=stiffness), within=0.4)
    post = Free(OBSTACLE, AT) if sprung else Still(OBSTACLE, AT)
    return Stage([Actor("ball", ball), Actor("post", post)], connections=[MOUNT] if sprung else [])


def obstacle_take(mass: float, sprung: bool = False, stiffness: float | None = None) -> Take:
    """What it did."""
    return shoot(obstacle_stage(mass, sprung, stiffness), SECONDS, FPS)


SCENE = obstacle_stage(HEAVY, sprung=True)  # b 2
TAKES = {
    "a": {"1": obstacle_take(LIGHT), "2": obstacle_take(HEAVY)},
    "b": {"1": obstacle_take(LIGHT, sprung=True), "2": obstacle_take(HEAVY, sprung=True)},
    "c": {"1": obstacle_take(LIGHT), "3": obstacle_take(LIGHT, stiffness=SOFT)},
}
COLORS: dict[str, PaletteColor] = {"1": "path", "2": "key", "3": "leave"}
NAMES = {"1": f"{LIGHT:g} kg", "2": f"{HEAVY:g} kg", "3": f"{LIGHT:g} kg, soft"}
TITLES = {
    "a": "a  an obstacle that cannot move",
    "b": f"b  an obstacle on a spring of {STIFF:g} N/m",
    "c": f"c  a hard ball, and one of foam ({SOFT:g} Pa)",
}
COIL = np.array([(0.2, 0), *((0.25 + 0.1 * turn, 0.03 * (-1) ** turn) for turn in range(6)), (0.8, 0)])  # of a spring
SHOWN = {0.3: 0.4, 0.8: 1.0, 1.2: 0.6, 2.6: 0.6}  # [s] and how strong: the blow most of all


def lateral_offset(take: Take) -> float:
    """How far the ball leaves its line at most [m]."""
    return float(np.abs(take["ball"].position[:, 1]).max())


def arrival_time(take: Take) -> float:
    """When it is within a centimetre of where the line ends for good [s]."""
    distance = np.linalg.norm(take["ball"].position - LINE.at(2.0), axis=1)
    return float(take.times[np.flatnonzero(distance > 0.01)[-1] + 1])


def displacements(take: Take) -> np.ndarray:
    """How far the obstacle gives way at each frame [m]."""
    return np.linalg.norm(take["post"].position - AT, axis=1)


def caption(number: str, take: Take) -> str:
    force = displacements(take).max() * STIFF
    hardest = max(hit.speed for hit in take.events if isinstance(hit, CollisionEvent))
    pushed = f", pushes it with up to {force:.0f} N" if force else f", hits it at up to {hardest:.2f} m/s"
    offset, time = 1000 * lateral_offset(take), arrival_time(take)
    return f"{number}  {NAMES[number]}: {offset:.0f} mm aside, there after {time:.2f} s{pushed}"


def spring(take: Take, time: float) -> np.ndarray:
    """The spring, (n, 2), from where the obstacle is at rest to where it is; a cross at its fixed end."""
    fixed, end = np.array(AT[:2]), take["post"].at(time).position[:2]
    along = end - fixed
    across = np.array([-along[1], along[0]]) / max(float(np.linalg.norm(along)), 1e-9)
    coils = fixed + COIL[:, :1] * along + COIL[:, 1:] * across * min(1.0, float(np.linalg.norm(along)) / 0.05)
    cross = fixed + 0.03 * np.array([(-1, -1), (1, 1), (np.nan, np.nan), (-1, 1), (1, -1), (np.nan, np.nan)])
    return np.concatenate([cross, [fixed], coils, [end]])


def ball_at(take: Take, time: float) -> Pose:
    """The ball, or of a soft one its surface."""
    return take["ball/skin" if "ball/skin" in take.names else "ball"].at(time)


def background() -> Drawing:
    """Everything that stands still."""
    drawing = Drawing(1, 3, width=7.2, height=2.7)
    for name, takes in TAKES.items():
        panel = drawing.panel(TITLES[name])
        panel.line([(-1.5, 0), (1.9, 0)], "quiet", 0.9, dashed=True)
        for row, (number, take) in enumerate(takes.items()):
            panel.line(take["ball"].position, COLORS[number], 2.4 - 1.2 * row)
            color = getattr(panel.palette, COLORS[number])
            panel.ax.text(-1.7, 0.5 - 0.13 * row, caption(number, take), color=color, fontsize=8.5, va="center")
    drawing.show((-1.75, -0.8), (2.05, 0.58))
    return drawing


def draw() -> Drawing:
    drawing = background()
    for panel, takes in zip(drawing.panels, TAKES.values(), strict=True):
        panel.body(POST, takes["1"].at(0)["post"], "ink", 0.9)
        for number, take in takes.items():
            for time, strength in SHOWN.items():
                panel.body(BALL, ball_at(take, time), COLORS[number], 0.9, strength)
            if displacements(take).any():
                farthest = take.times[displacements(take).argmax()]
                panel.body(POST, take["post"].at(farthest), COLORS[number], 0.9, 0.6)
                panel.line(spring(take, farthest), COLORS[number], 1.0)
    return drawing


def film() -> Film:
    drawing = background()
    moving = Film(drawing, SECONDS)
    for panel, takes in zip(drawing.panels, TAKES.values(), strict=True):
        if not displacements(takes["1"]).any():
            panel.body(POST, takes["1"].at(0)["post"], "ink", 0.9)
        for number, take in takes.items():
            if displacements(take).any():
                moving.body(panel, POST, take["post"].at, COLORS[number], 1.0, 0.7)
                moving.line(panel, lambda time, take=take: spring(take, time), COLORS[number], 1.0)
            moving.body(panel, BALL, lambda time, take=take: ball_at(take, time), COLORS[number], 1.5)
    return moving
