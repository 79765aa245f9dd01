"""Bodies and what moves them: one stage with every kind of them, and any number of them by chance."""

from hypothesis import strategies as st

from keypose import (
    Actor,
    Ball,
    Body,
    Box,
    Capsule,
    Figure,
    Follow,
    Free,
    Hinge,
    Key,
    Link,
    Mesh,
    Motion,
    MotionPath,
    Orientation,
    Pin,
    Plane,
    Reach,
    Sphere,
    Spring,
    Stage,
    Still,
    fields,
    shoot,
)
from tests.document.field_samples import FRACTION, NONZERO_VECTOR, NUMBER, SIZE, TURNS, VECTOR

TURN = Orientation.turned(30, (1, 2, 3))
PATH = MotionPath([Key((0, 1, 0), name="gate"), Key((3, 1, 0), tension=-0.3, bias=1), Key((5, 1, 2))])
ORIENTED_PATH = MotionPath([Key((0, 4), orientation=(1, 0, 0, 0)), Key((1, 4), orientation=TURN)], tension=0.25)
RELATIVE_PATH = MotionPath(
    [(9, 1, 0), Key((0, 1, 0), relative_to="paddle"), Key((1, 1, 0), relative_to="log", pin=False)]
)
BALL = Body(Sphere(0.3), 2.0, bounce=0.6, friction=0.1)
SENSES_BY_FIELD = {
    "breeze": 0.25,
    fields.Attractor(1.5).within(3).carried_by("log"): 1.0,
    fields.KeepDistance("log", 2.0): 0.01,
}


def every_body():
    """Every shape but a mesh, which needs its file, and every way for a body to move and to be moved."""
    sweep = Motion(MotionPath([(4, 1, -1), (4, 1, 4)]), duration=2.0)
    recorded = shoot(Stage([Actor("paddle", sweep)]), 0.125)["paddle"]
    return Stage(
        [
            Actor("floor", Still(Body(Plane(offset=-0.3), bounce=0.25)), look="grey"),
            Actor("ramp", Still(Body(Box((2, 0.1, 1)), friction=0.9), (8, 0, 0), TURN)),
            Actor("red", Follow(PATH, BALL, within=0.4)),
            Actor("slow", Follow(ORIENTED_PATH, Body(Box(0.5)), within=0.5, speed=1.25, damping=0.7, correction=None)),
            Actor("eager", Follow(PATH, BALL, within=1, eagerness=0.9, reaction=0.05, correction=0.3, turn_within=20)),
            Actor("cart", Follow(RELATIVE_PATH, BALL, within=0.4)),
            Actor("log", Free(Body(Capsule(0.2, 1.5), 1e3), (-4, 2, 0), (1, 0, 0), spin=(0, 90, 0), orientation=TURN)),
            Actor("dough", Free(Body(Sphere(0.25), 2.0, stiffness=800), (-6, 2, 3))),
            Actor("crumb", Free(Body(Sphere(0.01), 1e-3), (-8, 3, 0), senses=SENSES_BY_FIELD)),
            Actor("leaf", Follow(PATH, Body(Sphere(0.01), 1e-3), within=0.1, senses={fields.Uniform((0, 0, 1)): 0.5})),
            Actor("paddle", sweep, body=Body(Box((0.1, 1, 1)))),
            Actor("replayed", recorded, body=Body(Capsule(0.1, 0.4), mass=3)),
            Actor("arm", every_joint()),
        ],
        connections=[
            Spring("crumb", stiffness=10, damping=0.5, length=0.25, at=(-8, 3, 0), to_at=(-8, 4, 0)),
            Spring("crumb", "log", stiffness=1),
            Hinge("log", at=(-4, 2, 0), axis=(0, 1, 0)),
            Ball("log", "ramp", at=(0, 2, 0)),
            Pin("crumb", "paddle"),
            Reach("arm/hand", PATH, within=0.2, speed=0.5, help=30),
            Reach("arm/finger", ORIENTED_PATH, within=0.2, eagerness=0.7, turn_within=5),
        ],
        fields={"breeze": fields.Uniform((1, 0, 0))},
        gravity=(0, -9.81, 0),
    )


def every_joint():
    """A figure with every kind of joint, and a ring."""
    part = Body(Capsule(0.05, 0.3))
    return Figure(
        Body(Box(0.2), 3.0),
        [
            Hinge(Link("upper", part, (0, -0.3, 0)), at=(0, -0.1, 0), axis="x", limits=(-90, 45), strength=20),
            Ball(Link("hand", Body(Sphere(0.1)), (0, -0.6, 0), TURN), "upper", at=(0, -0.5, 0), limit=80, damping=0.1),
            Pin(Link("finger", Body(Box(0.05)), (0, -0.7, 0)), "hand"),
            Hinge(Link("bar", part, (0.3, -0.3, 0)), at=(0.3, 0, 0), stiffness=2, damping=0.25),
            Ball("bar", "finger", at=(0.3, -0.6, 0)),
        ],
        position=(20, 3, 0),
        orientation=TURN,
        held=True,
    )


# ---- by chance -------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=5)
SHAPES = st.one_of(
    st.builds(Sphere, SIZE),
    st.builds(Box, SIZE | st.tuples(SIZE, SIZE, SIZE)),
    st.builds(Capsule, SIZE, SIZE),
)
PLANES = st.builds(Plane, NONZERO_VECTOR | st.sampled_from("xyz"), NUMBER)
MESHES = st.builds(
    lambda name, ending, scale: Mesh(f"{name}m{ending}", scale), TEXT, st.sampled_from([".obj", ".STL"]), SIZE
)


def bodies(shapes, stiffness):
    """A body of one of these shapes, rigid or so stiff."""
    mass, friction = st.floats(1e-6, 1e9) | SIZE, st.floats(0, 100)
    return st.builds(Body, shapes, mass, bounce=FRACTION, friction=friction, stiffness=stiffness)


MOVABLE, RIGID = (bodies(SHAPES, stiffness) for stiffness in (st.none() | st.floats(1, 1e9), st.none()))
STILL = st.builds(Still, bodies(SHAPES | PLANES, st.none()), VECTOR, TURNS)
SENSES = st.dictionaries(st.builds(fields.Uniform, VECTOR), FRACTION, max_size=2)
FREE = st.builds(Free, MOVABLE, VECTOR, VECTOR, orientation=TURNS, spin=VECTOR, senses=SENSES)


@st.composite
def body_movers(draw, paths):
    """Something with weight; what follows goes one of these ways."""
    if draw(st.booleans()):
        return draw(STILL | FREE)
    options = {"within": draw(SIZE), "reaction": draw(st.sampled_from([0.1, 0.05, 1 / 3]))}
    options |= draw(st.just({}) | st.builds(lambda share: {"damping": share}, st.floats(0.1, 2)))
    options |= draw(st.sampled_from(["eagerness", "speed"]).flatmap(lambda word: st.builds(lambda x: {word: x}, SIZE)))
    options |= {"correction": draw(st.none() | SIZE), "turn_within": draw(st.floats(1, 90)), "senses": draw(SENSES)}
    return Follow(draw(paths), draw(MOVABLE), **options)
