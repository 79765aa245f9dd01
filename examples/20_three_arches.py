"""Three spheres pass in pairs under three arches: who would be too early goes slower, and hurries on when it may."""

import numpy as np

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
)  # fmt: skip

THICK, WIDE, HIGH = 0.09, 0.95, 1.0  # [m] of an arch: its bars, half of its opening, up to where it bends
RADIUS = 0.3  # [m] of a sphere
ARCHES = {"first": (-3.0, 1.0), "second": (0.4, -1.6), "third": (4.0, 0.1)}  # where they stand, x and z [m]
ROUTES = {  # x and z [m], and which arch that is under
    "red": [(-5.6, 2.0, None), (-3, 1.4, "first"), (0.6, 1.9, None), (4, 0.5, "third"), (5.8, 0.9, "end")],
    "blue": [(-6.6, -0.4, None), (-3, 0.6, "first"), (0.4, -1.2, "second"), (2.3, -0.2, "end")],
    "green": [(-3, -2.6, None), (0.4, -2, "second"), (2.5, -1.6, None), (4, -0.3, "third"), (5.8, -0.7, "end")],
}
SPEEDS = {"red": 1.6, "blue": 1.3, "green": 1.6}  # [m/s]
LOOKS = {"red": "#d55e00", "blue": "#0072b2", "green": "#009e73"}


def bar(name: str, start: tuple[float, float], end: tuple[float, float]) -> Link:
    """A bar of an arch from one point to another: z, and y from its top."""
    (z, y), (w, v) = start, end
    lean = float(np.degrees(np.arctan2(w - z, v - y)))
    return Link(
        name,
        Body(Capsule(THICK, float(np.hypot(w - z, v - y)))),
        (0, (y + v) / 2, (z + w) / 2),
        Orientation.turned(lean, "x"),
    )


def arch(x: float, z: float) -> Figure:
    """Two posts, and half a ring of six bars over them."""
    angles = np.linspace(0, np.pi, 7)
    ring = [(WIDE * float(np.cos(angle)), WIDE * float(np.sin(angle)) - WIDE) for angle in angles]
    corners = [(WIDE, -HIGH - WIDE), *ring, (-WIDE, -HIGH - WIDE)]
    bars = [bar(f"bar {number}", corners[number], corners[number + 1]) for number in range(8)]
    return Figure(Body(Sphere(THICK)), [Pin(link) for link in bars], position=(x, HIGH + WIDE, z), held=True)


def sphere(name: str) -> Follow:
    """A sphere that rolls along its way."""
    path = MotionPath([Key((x, RADIUS, z), name=key) for x, z, key in ROUTES[name]])
    return Follow(path, Body(Sphere(RADIUS), friction=0.3), within=0.4, speed=SPEEDS[name])


script = Script()
first = script.meet({"red": "first", "blue": "first"}, name="first arch")
second = script.meet({"blue": "second", "green": "second"}, name="second arch")
third = script.meet({"red": "third", "green": "third"}, after=[first, second], name="third arch")
stage = Stage(
    [
        Actor("floor", Still(Body(Plane(), friction=0.3)), look="#999999"),
        *(Actor(name, sphere(name), look=LOOKS[name]) for name in ROUTES),
        *(Actor(f"{name} arch", arch(*position), look="#e69f00") for name, position in ARCHES.items()),
    ],
    gravity=(0, -9.81, 0),
    script=script,
)


def main() -> None:
    """See that each pair passes its arch together, that somebody waited for that, and that nobody is slow for good."""
    take = shoot(stage, seconds=11, fps=60)
    report = take.script
    spread = max(meeting.spread for meeting in report.meetings.values())
    assert spread <= 0.02, "each pair passes its arch together"
    assert report.meetings["first arch"].done < report.meetings["second arch"].done < report.meetings["third arch"].done
    waited = sum(end - begin for begin, end in report.waits("green"))
    assert waited > 4, "green strolls until blue comes"
    assert report.speed_factors["green"][-1] > 0.99, "and is as fast as ever in the end"
    for name, route in ROUTES.items():
        assert np.linalg.norm(take[name].position[-1, [0, 2]] - route[-1][:2]) < 0.05, "all come to where they want"
    print(f"Three pairs, up to {1000 * spread:.0f} ms apart; green waited for {waited:.1f} s.")


if __name__ == "__main__":
    main()
