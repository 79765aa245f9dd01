"""Bodies and what moves them: one stage with every kind of them, and any number of them by chance."""

from hypothesis import strategies as st

from keypose import (
    Actor,
    Body,
    Box,
    Capsule,
    Follow,
    Free,
    Key,
    Mesh,
    Motion,
    MotionPath,
    Orientation,
    Plane,
    Sphere,
    Stage,
    Still,
    shoot,
)
from tests.document.pushing import NUMBER, SHARE, SIZE, SOMEWHERE, TURNS, VECTOR

TURN = Orientation.turned(30, (1, 2, 3))
WAY = MotionPath([Key((0, 1, 0), name="gate"), Key((3, 1, 0), tension=-0.3, bias=1), Key((5, 1, 2))])
TURNING = MotionPath([Key((0, 4), orientation=(1, 0, 0, 0)), Key((1, 4), orientation=TURN)], tension=0.25)
BALL = Body(Sphere(0.3), 2.0, bounce=0.6, friction=0.1)


def every_body():
    """Every shape but a mesh, which needs its file, and every way for a body to move and to be moved."""
    sweep = Motion(MotionPath([(4, 1, -1), (4, 1, 4)]), duration=2.0)
    recorded = shoot(Stage([Actor("paddle", sweep)]), 0.125)["paddle"]
    return Stage(
        [
            Actor("floor", Still(Body(Plane(offset=-0.3), bounce=0.25)), look="grey"),
            Actor("ramp", Still(Body(Box((2, 0.1, 1)), friction=0.9), (8, 0, 0), TURN)),
            Actor("red", Follow(WAY, BALL, within=0.4)),
            Actor("slow", Follow(TURNING, Body(Box(0.5)), within=0.5, speed=1.25, damping=0.7, correction=None)),
            Actor("eager", Follow(WAY, BALL, within=1, eagerness=0.9, reaction=0.05, correction=0.3, turn_within=20)),
            Actor("log", Free(Body(Capsule(0.2, 1.5), 1e3), (-4, 2, 0), (1, 0, 0), spin=(0, 90, 0), orientation=TURN)),
            Actor("crumb", Free(Body(Sphere(0.01), 1e-3), (-8, 3, 0))),
            Actor("paddle", sweep, body=Body(Box((0.1, 1, 1)))),
            Actor("replayed", recorded, body=Body(Capsule(0.1, 0.4), mass=3)),
        ],
        gravity=(0, -9.81, 0),
    )


# ---- by chance -------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)
SHAPES = st.one_of(
    st.builds(Sphere, SIZE),
    st.builds(Box, SIZE | st.tuples(SIZE, SIZE, SIZE)),
    st.builds(Capsule, SIZE, SIZE),
)
PLANES = st.builds(Plane, SOMEWHERE | st.sampled_from("xyz"), NUMBER)
MESHES = st.builds(
    lambda name, ending, scale: Mesh(f"{name}m{ending}", scale), TEXT, st.sampled_from([".obj", ".STL"]), SIZE
)


def bodies(shapes):
    """A body of one of these shapes."""
    return st.builds(Body, shapes, st.floats(1e-6, 1e9) | SIZE, bounce=SHARE, friction=st.floats(0, 100))


MOVABLE = bodies(SHAPES)
STILL = st.builds(Still, bodies(SHAPES | PLANES), VECTOR, TURNS)
FREE = st.builds(Free, MOVABLE, VECTOR, VECTOR, orientation=TURNS, spin=VECTOR)


@st.composite
def weighty(draw, ways):
    """Something with weight; what follows goes one of these ways."""
    if draw(st.booleans()):
        return draw(STILL | FREE)
    said = {"within": draw(SIZE), "reaction": draw(st.sampled_from([0.1, 0.05, 1 / 3]))}
    said |= draw(st.just({}) | st.builds(lambda share: {"damping": share}, st.floats(0.1, 2)))
    said |= draw(st.sampled_from(["eagerness", "speed"]).flatmap(lambda word: st.builds(lambda x: {word: x}, SIZE)))
    said |= {"correction": draw(st.none() | SIZE), "turn_within": draw(st.floats(1, 90))}
    return Follow(draw(ways), draw(MOVABLE), **said)
