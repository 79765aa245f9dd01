"""A racket meets a ball, whatever the ball does: the key of the hit stands in the ball's frame (GL95 §6.3, fig. 9).

The figure is drawn by examples/papers/gl95_09.py.
"""

import numpy as np

from keypose import Actor, Key, Motion, MotionPath, Orientation, Stage, shoot
from keypose.maths.quaternion import rotate

BOUNCE, BACK, HIT, FOLLOW, END = 0.5, 0.625, 0.875, 1.0, 1.375  # [s], all on frames
RADIUS = 0.035  # of the ball [m]
GRAVITY = np.array([0, -9.81, 0])
AHEAD = np.array([0.0, 0.0, 1.0])
SPEED = 6.0  # of the racket after the hit [m/s]


def ball(start: tuple, bounce: tuple, hit: tuple, end: tuple) -> Motion:
    """Free fall is a Hermite segment. All along the ball faces the way the strings are going to push it."""
    positions, times = np.array([start, bounce, hit, end], dtype=float), np.array([0, BOUNCE, HIT, END])
    spans = np.diff(times)[:, None]
    away = np.diff(positions, axis=0) / spans - GRAVITY * spans / 2
    home = away + GRAVITY * spans
    push = Orientation.facing(away[2] - home[1])
    rows = zip(positions, times, [None, *(home * spans)], [*(away * spans), None], strict=True)
    return Motion(
        MotionPath([Key(position, time=time, arrive=a, leave=b, orientation=push) for position, time, a, b in rows])
    )


BALLS = {
    "hip high": ball((-3.6, 0.7, -0.9), (-1.8, RADIUS, -0.4), (0, 0.95, 0), (-4, 1.4, -0.9)),
    "low": ball((-3.6, 0.5, -0.4), (-1.5, RADIUS, -0.4), (0.2, 0.5, -0.3), (-3.8, 0.8, -1)),
    "high": ball((-3.6, 1.2, -1), (-1.2, RADIUS, -0.4), (-0.2, 1.4, 0.1), (-3.8, 2.2, -0.8)),
    "wide": ball((-3.0, 1.0, -2.5), (-1.2, RADIUS, -1.5), (-0.1, 0.8, -0.8), (-4, 1.2, -2)),
}

# A racket faces along its strings' normal, its head is up. `arrive` is against the ball, which comes at it; `leave` is
# through where the ball was, since the key is pinned from then on.
swing = MotionPath(
    [
        Key((0.3, 1.0, 0.3), time=0, orientation=Orientation.facing((-0.5, 0.2, -1))),
        Key(
            (0.9, 1.3, 0.3),
            time=BACK,
            orientation=Orientation.facing((-0.3, -0.1, -1), up=(1, 0.7, -0.3)),
            arrive=(0.5, -0.4, 0),
            leave=(0.2, -0.16, 0),
        ),
        Key(
            (0, 0, -RADIUS),
            time=HIT,
            relative_to="ball",
            orientation=Orientation.turned(75, "z"),
            arrive=(0, 0, 3),
            leave=SPEED * (FOLLOW - HIT) * AHEAD,
        ),
        Key((-0.75, 1.5, 0), time=FOLLOW, orientation=Orientation.facing((-0.7, 0, 1), up=(-1, 0.8, -0.5))),
        Key((-0.75, 1.9, 0.5), time=END, orientation=Orientation.facing((0.2, -0.3, 1), up=(-1, 0.9, 0.3))),
    ]
)
stage = Stage([Actor("ball", BALLS["hip high"]), Actor("racket", Motion(swing))])


def main() -> None:
    """See that one swing meets four balls: with the strings, on the dot and not before, and strikes through."""
    for name, flight in BALLS.items():
        court = stage.with_actor(Actor("ball", flight))
        take, push = shoot(court, END), rotate(flight.at(HIT).orientation, AHEAD)
        gap = np.linalg.norm(take["racket"].position - take["ball"].position, axis=1) - RADIUS
        hit = round(HIT * take.fps)
        assert abs(gap[hit]) < 1e-12, f"the {name} ball is met"
        assert (np.delete(gap, hit) > 0.01).all()
        assert np.allclose(take["racket"].position[hit], take["ball"].position[hit] - RADIUS * push, atol=1e-12)
        assert np.allclose(rotate(take["racket"].orientation[hit], AHEAD), push, atol=1e-12), "strings first"

        just_after = court.at(HIT + np.array([0, 1e-6]))["racket"].position
        assert np.allclose(np.diff(just_after, axis=0) / 1e-6, SPEED * push, atol=1e-3), "it strikes through"
        fall = np.diff(take["ball"].position[: round(BOUNCE * take.fps) + 1], n=2, axis=0) * take.fps**2
        assert np.allclose(fall, GRAVITY, atol=1e-9), "and the ball has only fallen"
        closing = (gap[hit - 1] - gap[hit]) * take.fps
        print(f"The {name} ball: met at {HIT:g} s, {take['ball'].position[hit, 1]:.2f} m high, at {closing:.0f} m/s.")


if __name__ == "__main__":
    main()
