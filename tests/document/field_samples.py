"""Fields, trackers and what they steer: one stage with every kind of them, and any number of them by chance."""

import numpy as np
from hypothesis import strategies as st

from keypose import Actor, DynamicSpline, Motion, MotionPath, Orientation, Stage, fields
from keypose.fields.algebra.carrier import CarriedField
from keypose.fields.algebra.sum import Sum, WeightedField

TURN = Orientation.turned(30, (1, 2, 3))
FAN = Motion(MotionPath([(0, 0, 0), (4, 0, 1)]), duration=4.0)
CARRIED_FIELD = fields.Attractor(2.0, falloff=1).carried_by("lamp")


def every_field():
    """Every field there is, by name."""
    whirl = fields.Vortex(-2.5, center=(1, 0, 0), axis=(1, 1, 0), falloff=0.5, core=0.1)
    return {
        "wind": fields.Uniform((1, -0.0, 0.5)),
        "whirl": whirl,
        "weather": fields.Noise(0.3, scale=2, seed=4, speed=0.5) + 2 * whirl + (fields.Spring(3) * -0.5).moved((1, 0)),
        "placed": (whirl + fields.Uniform((0, 1, 0))).moved((1, 2, 3)).turned(TURN).scaled((1, -2, 0.5)).within(4),
        "room": fields.Wall((0, 0, 0), "y", 5, 0.5).within(size=(4, 4, 4), center=(0, 1, 0), edge=0.25),
        "gust": fields.Repeller(1).during(0.25, 2, fade=0.1).pulsing(0.5, start=0.1),
        "light": CARRIED_FIELD.delayed(3.0) + fields.Uniform((0, 0, 1)).carried_by(("lamp", "bird/*")),
        "typed": fields.Formula("(-y, x, 0) * exp(-r**2) * k + (0, 0, w)", k=2, w=fields.Slider(0.5, 0, 1)),
        "bowl": fields.Potential("k * r**2 / 2", k=3).moved((0, -1, 0)),
        "near": fields.Repeller(0.5).within(2).carried_by("bird/*"),
        "after": fields.KeepDistance("lamp"),
    }


def every_push():
    """Every field, and birds and a drawing that sense and track all there is to sense and track."""
    named = dict.fromkeys(every_field(), 0.25)
    trackers = {
        fields.KeepOffset("lamp", offset=(0, 1, 0), response=0.5): 0.1,
        fields.KeepDistance("bird/*", 2.5, memory=0.01): 0.1,
        fields.KeepOnLine((0, 1, 0), direction=(1, 0, 0)): 0.1,
        fields.KeepOnPlane(("lamp", "bird/2"), normal=(0, 1, 0)): 0.1,
        fields.Keep("(X - x, 0, Z - z)", fields.Pointer("hand")): 0.1,
        fields.Keep("hypot(X - x, Z - z)", "lamp", 2): 0.1,
        fields.Keep("(X - x, 0, Z - z)", "lamp", (0, 0, -1)): 0.1,
        fields.Avoid("lamp", distance=0.5, ahead=2): 0.3,
        fields.Avoid((0, -3, 0), normal=(0, 1, 0)): 0.3,
    }
    jelly = DynamicSpline([(0, 0), (1, 0), (1, 1)], (0, 0.5), friction=0.1, senses={"weather": 1}, basis="linear")
    return Stage(
        [
            Actor("bird/1", DynamicSpline((0, 1, 2), (1, 0, 0), friction=0.05, senses=named)),
            Actor("bird/2", DynamicSpline((1, 1, 2), senses=trackers, integrator="steady"), parent="hand"),
            Actor("bird/3", DynamicSpline((2, 1, 2), senses={CARRIED_FIELD: 1}, continuity="g2", beta=0.5)),
            Actor("jelly", jelly),
            Actor("lamp", FAN),
            Actor("hand", FAN),
        ],
        fields=every_field(),
    )


# ---- by chance -------------------------------------------------------------------------------------------------------

NUMBER = st.one_of(st.floats(-10, 10), st.integers(-5, 5).map(float), st.sampled_from([-0.0, 5e-324, 1 / 3]))
SIZE = st.floats(0.1, 10)
FRACTION = st.floats(0, 1)
VECTOR = st.tuples(NUMBER, NUMBER, NUMBER)
NONZERO_VECTOR = VECTOR.filter(lambda vector: max(map(abs, vector)) > 1e-9)
SLIDER = st.builds(
    lambda low, size, share: fields.Slider(low + share * size, low, low + size + 1), NUMBER, SIZE, FRACTION
)
TEXTS = ["(k, -y, x)", "(sin(t), 0, vx) * k", "normalize((x, y, z)) / (1 + r**2) * k"]
TURNS = st.tuples(*[NUMBER] * 4).filter(lambda four: max(map(abs, four)) > 1e-9).map(Orientation.of)

SIMPLE_FIELDS = st.one_of(
    st.builds(fields.Uniform, VECTOR),
    st.builds(fields.Attractor, NUMBER, center=VECTOR, falloff=st.floats(0, 16)),
    st.builds(fields.Repeller, NUMBER, center=VECTOR, core=SIZE),
    st.builds(fields.Vortex, NUMBER, center=VECTOR, axis=NONZERO_VECTOR | st.sampled_from("xyz")),
    st.builds(fields.Spring, NUMBER, center=VECTOR),
    st.builds(fields.Wall, VECTOR, NONZERO_VECTOR, NUMBER, SIZE),
    st.builds(fields.Noise, NUMBER, scale=SIZE, seed=st.integers(-(2**53), 2**53), speed=NUMBER),
    st.builds(lambda text, k: fields.Formula(text, k=k), st.sampled_from(TEXTS), NUMBER | SLIDER),
    st.builds(lambda k: fields.Potential("k * r**2 + x * t", k=k), NUMBER | SLIDER),
)


def _transformed(field):
    return st.one_of(
        st.builds(lambda one, two: Sum((one, two)), field, field),
        st.builds(WeightedField, field, NUMBER),
        st.builds(lambda one, offset: one.moved(offset), field, VECTOR),
        st.builds(lambda one, turn: one.turned(turn), field, TURNS),
        st.builds(lambda one, factors: one.scaled(factors), field, st.tuples(SIZE, SIZE, SIZE) | SIZE),
        st.builds(lambda one, size: one.within(size, edge=size / 3), field, SIZE),
        st.builds(lambda one, size: one.within(size=(size, 1, size), center=(0, size, 0)), field, SIZE),
        st.builds(lambda one, start, long: one.during(start, start + long, fade=long / 4), field, NUMBER, SIZE),
        st.builds(lambda one, long, start: one.pulsing(long, start=start), field, SIZE, NUMBER),
    )


TRANSFORMED_FIELDS = st.recursive(SIMPLE_FIELDS, _transformed, max_leaves=4)


def field_strategy(others):
    """Any field; some of them carried by some of the others."""
    if not others:
        return TRANSFORMED_FIELDS
    carrier = st.sampled_from(others) | st.lists(st.sampled_from(others), min_size=1, unique=True).map(tuple)
    return TRANSFORMED_FIELDS | st.recursive(
        st.builds(CarriedField, TRANSFORMED_FIELDS, carrier, st.none() | SIZE), _transformed, max_leaves=3
    )


def tracker_strategy(others):
    """Anything that tracks or avoids a place or one of the others."""
    target = VECTOR
    if others:
        one = st.sampled_from(others)
        target = VECTOR | one | one.map(fields.Pointer) | st.lists(one, min_size=1, unique=True).map(tuple)
    gains = {"response": FRACTION, "memory": FRACTION}
    return st.one_of(
        st.builds(fields.KeepOffset, target, offset=st.none() | VECTOR, **gains),
        st.builds(fields.KeepDistance, target, st.none() | SIZE, **gains),
        st.builds(fields.KeepOnLine, target, NONZERO_VECTOR, **gains),
        st.builds(fields.KeepOnPlane, target, NONZERO_VECTOR, **gains),
        st.builds(fields.Keep, st.sampled_from(["(X - x, 0, t)", "length((X - x, Y - y, Z - z))"]), target, **gains),
        st.builds(fields.Avoid, target, distance=SIZE, ahead=SIZE, normal=st.none() | NONZERO_VECTOR),
    )


@st.composite
def spline_strategy(draw, others, named):
    """A dynamic spline that senses some of the stage's fields, by name, and some of its own."""
    place = draw(VECTOR | st.lists(VECTOR, min_size=1, max_size=4).map(np.array))
    sensed = field_strategy(others) | tracker_strategy(others)
    if named:
        sensed |= st.sampled_from(named)
    manner = st.sampled_from([{}, {"continuity": "c2"}, {"integrator": "steady"}, {"basis": "linear"}])
    options = draw(manner | st.builds(lambda beta: {"continuity": "g2", "beta": beta}, NUMBER))
    senses = draw(st.dictionaries(sensed, FRACTION, max_size=3))
    return DynamicSpline(place, draw(st.none() | VECTOR), friction=draw(FRACTION), senses=senses, **options)
